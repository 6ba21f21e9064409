"""Going on without the missing: a new match from the last clean snapshot, which all who are there want."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import AgentTable
from tests.core.engine.table.test_table_state import ANN, BOB, HOST, founded

from tavolata import Deck, Game, Options, Outcome, Pile, Seat, Table, one_of
from tavolata._cli import main
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.header import CONVICTED, LEFT, SILENT, Before, Header
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.peer.participation import NOT_ERASED
from tavolata._engine.review.findings import Wrong
from tavolata._engine.review.replay import Replay
from tavolata._engine.review.verify import check, check_after
from tavolata._engine.storage import secret_files
from tavolata._engine.storage.history import ABSENT, history
from tavolata._engine.storage.match_file import Kept, path_of, read
from tavolata._engine.storage.ratings import ratings
from tavolata._engine.table import log_bodies
from tavolata._engine.table.continuation import CANT_DECIDE, NO_SNAPSHOT, NOT_AGREED, NOT_MISSING
from tavolata._engine.table.lobby import LOOKS_ON
from tavolata._engine.table.matches import SPEAKS, WENT_ON, Matches
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.messages import N_

NUMBERS = Deck("numbers", [*range(9)])
MISSING = 3
"""The party that dies."""


class Heap(Game[Options]):
    """Each turn, everybody says a word, and as many cards are turned up; the rest stays in the deck."""

    name, title, seats, options = "heap", "Heap", (2, 4), Options

    def setup(self, t: Table[Options]) -> None:
        """The deck, a heap beside it, and what was said."""
        self.deck: Pile[int] = t.pile("deck", NUMBERS)
        self.heap: Pile[int] = t.pile("heap")
        self.said: list[int] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """A word and a card of each."""
        if not t.turn:
            await t.shuffle(self.deck)
        for seat in t.ring:
            self.said.append(await t.ask(seat, one_of([0, 1, 2]), N_("Which?")))
            await t.turn_up(self.deck, self.heap)
        return Outcome((t.first_seat,)) if len(self.deck) < len(t.ring) else None


class Held(Heap):
    """The same, with a hand that somebody holds all the time."""

    name = "held"

    def setup(self, t: Table[Options]) -> None:
        """A hand for each."""
        super().setup(t)
        self.hands = t.hands("hand")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Hands at the beginning, then as before."""
        if not t.turn:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands)
        for seat in t.ring:
            self.said.append(await t.ask(seat, one_of([0, 1, 2]), N_("Which?")))
        return Outcome((t.first_seat,)) if t.turn == 3 else None


class Third(Heap):
    """The same, and the third always wins."""

    name = "third"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """As before, but for the winner."""
        return None if await super().turn(t) is None else Outcome((Seat(2),))


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


@pytest.fixture
def table() -> Iterator[AgentTable]:
    """A table of three of which one has died after the first turn, long enough ago."""
    one = died(Heap)
    yield one
    one.close()


def died(rules: type[Game[Any]], turns: int = 1) -> AgentTable:
    """A table of three at which one dies after so many turns; the others have not heard it for a minute."""
    table = AgentTable(rules, 3, RandomBot, person=1)
    table.answers_to = lambda _: table.match is not None and table.match.table.turn < turns
    table.play()
    assert table.match is not None
    assert table.match.table.turn == turns
    table.kill(MISSING)
    silent(table)
    return table


def silent(table: AgentTable) -> None:
    """A minute passes, in which nobody who is dead is heard."""
    table.now += 60
    table.wait(2)


def matches(table: AgentTable, party: int = 1) -> Matches:
    """The matches as one machine has them."""
    return table.machines[party].agent.state.matches


def running(table: AgentTable, party: int = 1) -> Header:
    """The header of the match that is being played."""
    now = matches(table, party).running
    assert now is not None
    return now.header


def running_or_last(table: AgentTable) -> Header:
    """The header of the match on the table."""
    last = matches(table).last
    assert last is not None
    return last.header


def file_of(header: Header, party: int) -> Kept:
    """The file of a match on one machine."""
    return read(path_of(f"{header.id}-{key_of(party).hex()[:8]}"))


def notices(table: AgentTable, party: int = 1) -> list[str]:
    """What people at one machine were told."""
    return [one.message for one in table.machines[party].agent.state.out if isinstance(one, Notice)]


def wish(table: AgentTable, *parties: int) -> None:
    """These parties would go on without the missing."""
    for party in parties:
        table.machines[party].agent.wish_continuation()
        table.speak()
        table.think()


def finish(table: AgentTable) -> None:
    """Play the match on the table to its end."""
    table.answers_to = lambda _: True
    for _ in range(40):
        table.play()
        table.wait(1)


def test_those_who_are_there_go_on_from_the_last_clean_snapshot(table: AgentTable) -> None:
    """A new id and new secrets, the state of the turn's end, two machines; each card comes once; it ends."""
    old, before = running(table), matches(table).continuation.snapshot
    assert before is not None
    wish(table, 1, 2)
    table.play(8)
    new = running(table)
    assert new.id != old.id
    assert new.before == Before(old.id, before.chain, before.state, ((2, SILENT),))
    assert replace(new, id=old.id, before=None) == old
    assert new.parties == (key_of(1), key_of(2))
    state = unpack(before.state)
    finish(table)
    match = matches(table).match
    assert match is not None
    assert isinstance(match.game, Heap)
    assert match.outcome is not None
    faces = [card.face for card in match.game.heap.cards]
    assert len(faces) == len(set(faces)) == 9
    assert match.game.said[:3] == state["game"]["said"][1:]
    assert WENT_ON in notices(table, 1)
    assert match.digest() == matches(table, 2).digest()


def test_verify_reads_both_files(table: AgentTable) -> None:
    """Both files are right, and the new one goes on from the old one; from another one it does not."""
    old = running(table)
    wish(table, 1, 2)
    finish(table)
    new = running_or_last(table)
    table.close()
    found = {one.id: check(file_of(one, 1), one, Heap) for one in (old, new)}
    assert found[old.id].next == new
    check_after(new, old, found[old.id])
    assert new.before is not None
    for header, before in (
        (old, old),
        (new, replace(old, id="0" * 32)),
        (new, replace(old, policy="wait")),
        (replace(new, id="0" * 32), old),
        (replace(new, before=replace(new.before, snapshot=b"")), old),
    ):
        with pytest.raises(Wrong):
            check_after(header, before, found[old.id])
    dead = file_of(old, MISSING)
    assert check(dead, old, Heap).next is None
    check_after(new, old, check(dead, old, Heap))


def test_a_start_that_says_something_else_is_void(table: AgentTable) -> None:
    """Another snapshot, a present person as missing, other seats, another reason: nobody says IN to it."""
    wish(table, 1, 2)
    table.machines[1].said.clear()  # the right one is held back
    right = matches(table).next_header
    assert right is not None
    assert right.before is not None
    before = right.before
    state = unpack(before.snapshot)
    state["game"]["said"][1] = 2 - state["game"]["said"][1] or 1
    false = [
        replace(right, before=replace(before, snapshot=pack(state))),
        replace(right, before=replace(before, absent=((1, SILENT),))),
        replace(right, before=replace(before, absent=((1, SILENT), (2, SILENT)))),
        replace(right, before=replace(before, absent=())),
        replace(right, before=replace(before, absent=((2, CONVICTED),))),
        replace(right, before=replace(before, chain=bytes(32))),
        replace(right, before=replace(before, match="0" * 32)),
        replace(right, keys=right.keys[::-1], names=right.names[::-1]),
        replace(right, policy="wait"),
        replace(right, before=None),
    ]
    for header in false:
        with pytest.raises(Refused, match=str(NOT_AGREED)):
            matches(table).go_on(key_of(2), pack(header.plain()), Heap)
        table.log.say(2, pack([log_bodies.START, pack(header.plain()), b""]))
        table.think()
        assert matches(table, 1).barrier is None
        assert matches(table, 2).barrier is None
    with pytest.raises(Refused, match=str(NOT_AGREED)):
        matches(table).go_on(key_of(MISSING), pack(right.plain()), Heap)
    table.log.say(2, pack([log_bodies.START, pack(right.plain()), b""]))
    table.play(8)
    assert running(table).before == before


def test_nobody_goes_on_before_all_who_are_there_want_it(table: AgentTable) -> None:
    """One wish is not enough, nor is one about others; who takes it back keeps all in the match."""
    before = running(table)
    wish(table, 1)
    table.play(4)
    assert matches(table).next_header is None
    table.log.say(2, pack([log_bodies.ONWARD, before.id, [key_of(1)], True]))
    table.play(4)
    assert matches(table).next_header is None  # each would go on without another one
    wish(table, 1)
    wish(table, 1)
    assert running(table) == before
    said = [one.params for one in table.machines[2].agent.state.out if isinstance(one, Notice)]
    assert {"name": "P1", "missing": "P3", "turn": 1, "n": 1, "of": 2, "t": 2} in said


def test_without_an_in_the_old_match_goes_on(table: AgentTable) -> None:
    """Who has wished it and then says no IN leaves all where they were, once the START has fallen."""
    before = running(table)
    wish(table, 1)
    table.machines[2].agent.wish_continuation()
    table.speak()
    table.machines[1].read()
    table.speak(1)
    table.cut.add(2)
    table.wait(35)
    assert matches(table).barrier is None
    assert running(table) == before


def test_a_word_of_the_missing_undoes_it(table: AgentTable) -> None:
    """Who is heard in the log again before the match has begun is not left out; the wishes are void."""
    before = running(table)
    wish(table, 1)
    table.log.say(MISSING, pack([log_bodies.CHAT, "I am here"]))
    table.think()
    assert not matches(table).continuation.wishes
    assert SPEAKS in notices(table)
    table.machines[2].agent.wish_continuation()
    table.play(4)
    assert running(table) == before


def test_a_word_of_the_missing_undoes_a_start(table: AgentTable) -> None:
    """All wish it and the START stands: who is heard then is not left out either."""
    before = running(table)
    wish(table, 1)
    table.machines[2].agent.wish_continuation()
    table.speak()
    table.machines[1].read()
    table.speak(1)
    table.think()
    assert matches(table).barrier is not None
    table.log.say(MISSING, pack([log_bodies.CHAT, "I am here"]))
    table.think()
    assert matches(table).barrier is None
    assert running(table) == before


def test_a_machine_that_hears_the_missing_says_no_in(
    table: AgentTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wish is of what one's own machine has observed, and it looks once more before it says IN."""
    before = running(table)
    wish(table, 1)
    table.machines[2].agent.wish_continuation()
    table.speak()
    table._heard[key_of(MISSING)] = table.now
    table.play(6)
    assert running(table) == before
    assert not matches(table).continuation.wishes


def test_who_is_heard_is_not_missing(table: AgentTable) -> None:
    """A person can't wish to go on without somebody whom the own machine has heard in the last minute."""
    table._heard[key_of(MISSING)] = table.now
    table.think()
    with pytest.raises(Refused, match=str(NOT_MISSING)):
        table.machines[1].agent.wish_continuation()


def test_a_wish_that_can_not_be_is_void(table: AgentTable) -> None:
    """Only parties of the match can be missing, not oneself, each once, and two have to remain."""
    one, two, three = map(key_of, (1, 2, 3))
    for missing in ([b"nobody"], [one], [two, three], [three, three], ["P3"]):
        table.log.say(1, pack([log_bodies.ONWARD, running(table).id, missing, True]))
        table.think()
        assert not matches(table).continuation.wishes


def test_without_a_clean_snapshot_it_says_so() -> None:
    """Where hands are held from the beginning, there is nothing to go on from, and what there is is said."""
    table = died(Held)
    with pytest.raises(Refused, match="every turn so far has ended"):
        table.machines[1].agent.wish_continuation()
    assert table.machines[1].agent.why_not_continue() == NO_SNAPSHOT
    table.close()


@pytest.mark.parametrize("rules", [Heap, Held])
def test_where_the_log_can_not_decide_it_is_not_offered(rules: type[Game[Any]]) -> None:
    """Two of four voters die at once: the two who are left are told what there is, and wish nothing."""
    table = AgentTable(rules, 4, RandomBot, person=1)
    table.answers_to = lambda _: table.match is not None and table.match.table.turn < 1
    table.play()
    table.kill(3)
    table.kill(4)
    silent(table)
    agent = table.machines[1].agent
    assert agent.why_not_continue() == CANT_DECIDE
    with pytest.raises(Refused, match=r"There aren.t enough machines here"):
        agent.wish_continuation()
    assert not table.machines[1].said
    table.voters.remove(4)  # the leader of the log could still remove one of them: two of three decide
    assert agent.why_not_continue() == (NO_SNAPSHOT if rules is Held else None)
    table.close()


def test_the_old_match_is_suspended_and_its_secrets_are_gone(table: AgentTable) -> None:
    """Its file says so, nobody has lost it, and what opens it is erased where people went on."""
    old, nonces = running(table), [table.machines[party].agent.playing._secret.nonce for party in (1, 2)]
    assert None not in [secret_files.load(nonce) for nonce in nonces]
    wish(table, 1, 2)
    table.play(8)
    assert [secret_files.load(nonce) for nonce in nonces] == [None, None]
    for party in (1, 2):
        end = file_of(old, party).end
        assert end is not None
        assert (end["suspended"], end["outcome"], end["conviction"]) == (True, None, None)
        again = Replay(file_of(old, party), old, Heap).end()
        assert again is not None
        assert (again.suspended, again.not_in) == (True, ())


def test_who_comes_back_looks_on(table: AgentTable) -> None:
    """A machine that returns to the table when the others have gone on has no seat, no secret and no say."""
    wish(table, 1, 2)
    table.play(8)
    table.back(MISSING)
    table.play(8)
    header = running(table, MISSING)
    assert header == running(table)
    assert header.absent == {key_of(MISSING)}
    assert not table.machines[MISSING].agent.has_part
    assert key_of(MISSING) in table.machines[1].agent.state.roster.watchers
    assert LOOKS_ON in notices(table)
    finish(table)
    assert table.is_over
    assert matches(table, MISSING).digest() == matches(table).digest()
    assert NOT_ERASED not in notices(table, MISSING)


def test_who_is_heard_again_without_a_new_start_looks_on(table: AgentTable) -> None:
    """A process says ENTER once: whoever is left out looks on during the match, and at the table after it."""
    wish(table, 1, 2)
    table.play(8)
    roster = table.machines[1].agent.state.roster
    assert roster.watchers == {key_of(MISSING): "P3"}
    finish(table)
    assert (roster.place_of(key_of(MISSING)), roster.watchers) == (None, {key_of(MISSING): "P3"})


def test_who_had_left_before_others_go_on_does_not_look_on() -> None:
    """After its own LEAVE nobody expects it back: it's neither among the players nor among the watchers."""
    roster = founded(ANN, BOB).roster
    roster.places[1].status = "left"
    roster.seat_as((HOST, ANN, BOB), {ANN, BOB})
    assert ([one.status for one in roster.places], roster.watchers) == (["here", "left", "left"], {BOB: "P2"})


def ended(table: AgentTable, party: int) -> Ended:
    """How the last match ended, as one machine was told."""
    return [one for one in table.machines[party].agent.state.out if isinstance(one, Ended)][-1]


def test_a_winner_who_is_not_in_it_is_named_so(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules may name the seat of who is missing: all are told, and so are who replays or lists it."""
    table = died(Third)
    wish(table, 1, 2)
    finish(table)
    new = running_or_last(table)
    found = [ended(table, 1), ended(table, 2), Replay(file_of(new, 1), new, Third).end()]
    table.close()
    assert [(one.outcome, one.not_in) for one in found if one is not None] == [
        (Outcome((Seat(2),)), (2,))
    ] * 3
    assert main(["history", "--all"]) == 0
    assert "P3 (absent) won." in capsys.readouterr().out


def test_they_can_go_on_once_more() -> None:
    """Two of four are gone one after the other: each time those who are left go on, and keep the reasons."""
    table = AgentTable(Heap, 4, RandomBot, person=1)
    table.answers_to = lambda _: table.match is not None and table.match.table.turn < 1
    table.play()
    table.machines[4].agent.say_of_oneself(OwnWord.LEFT)
    table.play()
    table.kill(4)
    table.voters.remove(4)  # it has said LEAVE, too
    table.kill(3)
    silent(table)
    wish(table, 1, 2)
    table.play(8)
    before = running(table).before
    assert before is not None
    assert before.absent == ((2, SILENT), (3, LEFT))
    table.close()


def test_who_is_not_in_it_has_not_played_it(table: AgentTable) -> None:
    """The history and the ratings of those who went on don't count it for somebody who was missing."""
    wish(table, 1, 2)
    finish(table)
    new = running_or_last(table)
    table.close()
    with history() as one:
        past = {match.id: match for match in one.matches()}
    found = past[f"{new.id}-{key_of(1).hex()[:8]}"]
    assert [player.who == ABSENT for player in found.players] == [False, False, True]
    assert {rating.who for rating in ratings([found])} == {player.who for player in found.players[:2]}
    old = next(match for match in past.values() if match.suspended)
    assert not old.finished
