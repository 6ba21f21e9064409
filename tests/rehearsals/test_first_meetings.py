"""Meetings that nobody rehearsed: two features that never met each do what they promise."""

from __future__ import annotations

import errno
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.ui.scene import moments
from tests.rehearsals import envelopes
from tests.rehearsals.disk import Content, MemoryDisk
from tests.rehearsals.family import _match_files, catalogue
from tests.rehearsals.laptops import here
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Act, Deed, Face, Plan, Seat
from tests.rehearsals.scenes import (
    ANN,
    BID,
    BOB,
    CY,
    DOT,
    HOST,
    SOMEBODY,
    THREE,
    TWO,
    Scene,
    agreed,
    played,
)
from tests.rehearsals.test_encounters import (
    CHOOSE,
    HEIR,
    HOST_BACK,
    PHONE,
    TAPS,
    THINKS,
    Painting,
    Quiet,
    Renaming,
    page_of,
    phone_of,
    play,
    question_of,
)
from tests.rehearsals.test_liars import LEAVES, MOVED
from tests.rehearsals.test_meetings import UNTIL_ALL_IS_TOLD
from tests.rehearsals.test_stopped_matches import Faulty
from tests.rehearsals.vows import lie
from typing_extensions import override

from tavolata import Game, Options, Table, Zone
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import Header
from tavolata._engine.network.joining import join_table
from tavolata._engine.peer import compaction
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage.match_file import Kept
from tavolata._engine.table.matches import Matches, TableMatch
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.rehearsal import rehearse
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.outcome import Outcome
from tavolata.zones import text_zone
from tavolata_protocol.entries import Entry
from tavolata_protocol.messages import log as wire

pytestmark = pytest.mark.battery

GOES_ON = "The match continues"
ENDS = r"It took \d+ turn"
FEELS, WRITES = "How are you", "What's your motto"
MENU = r"(\w+) studies the menu"
SUSPENDED = "Match suspended; no one has lost."
STAYS_SEATED = MOVED.removesuffix(LEAVES)
LATE = replace(SOMEBODY, joins_at=1.0)


class Envelopes(Painting):
    """A match in which the first seat answers openly, and then all write under seal."""

    file = Path(envelopes.__file__)


def open_asks(table: Scene, name: str = HOST) -> list[Ask]:
    """Return what the match on somebody's machine asks now."""
    running = table._sessions[name].state.matches.running if name in table._sessions else None
    return [] if running is None else [*running.match.source.open]


async def asked(table: Scene) -> str:
    """Wait until somebody is asked for an open answer; return who."""
    await table.until(lambda: any(not ask.sealed for ask in open_asks(table)))
    running = table._sessions[HOST].state.matches.running
    assert running is not None
    return str(running.header.names[open_asks(table)[0].seat])


async def written(table: Scene, word: str, *names: str) -> None:
    """Have all of them write this, and wait until everybody's motto was opened."""
    for name in names:
        table.type(name, word)
    await table.until(lambda: all(table.has(names[0], f"{name} wrote: {word}") for name in names), 20.0)


def of_three(seats: tuple[Seat, ...] = (SOMEBODY,) * 3, **options: int) -> Plan:
    return Plan(5, "envelopes", seats, dict(options))


# -- seals and departures ---------------------------------------------------------------------------


def test_a_match_of_which_too_few_can_open_a_seal_is_over_with_its_undo() -> None:
    """Two of four agree to undo; of the others one writes, and both leave: nobody goes back, all is over."""

    async def scene(table: Envelopes) -> None:
        await table.until(lambda: play(table, *table.names))
        first = await asked(table)
        stays, one, two = (name for name in table.names if name != first)
        table.type(first, "1")
        await table.read(WRITES, *table.names)
        table.type(first, "/undo")
        await table.read("wants to undo an answer: 1 of 4 agree", *table.names)
        table.type(stays, "/undo")
        await table.read("agrees to undo an answer: that makes 2 of 4", *table.names)
        table.type(one, "all is well")
        await table.until(lambda: len(open_asks(table)) == 3)
        for name in (one, two):
            table.type(name, "/leave", "/leave")
        for name in (first, stays):
            table.type(name, "all is well here")
        await table.read("too many players have left for good", first, stays, within=30)
        assert table.undone() == {0}

    evening = played(Envelopes(of_three((SOMEBODY,) * 4), scene))
    assert [end["outcome"] for end in evening.ends] == [None, None]


class LeavingTwice(Scene):
    """Late Taps, whose keys for chance are made again once somebody has left.

    Attributes:
        leaves: who leaves as soon as the host's machine makes keys with three of the five.
    """

    file = TAPS
    leaves = ""

    @override
    def _compare(self, session: PeerSession, entry: Entry, is_play: bool) -> None:
        super()._compare(session, entry, is_play)
        deal, computer = session.state.matches.dealing, here()
        if not self.leaves or computer is None or computer.name != HOST or not isinstance(deal, FairDealing):
            return
        if deal.authority.remaining == 3 and deal.rings.making is not None:
            name, self.leaves = self.leaves, ""
            self.world.context.run(self._later, 0.0, self.type, name, "leave", "leave")


@pytest.mark.parametrize("third", ["", BOB], ids=["two", "and one more while keys are made"])
def test_two_machines_leave_in_one_tick_and_the_others_make_keys_for_chance(third: str) -> None:
    """Nobody waits for what the two owed, nor for a third that leaves in the making: the rest play on."""
    stay = [name for name in (HOST, ANN, BOB) if name != third]

    async def scene(table: LeavingTwice) -> None:
        await table.until(lambda: play(table, *table.names))
        await table.wait(2.5)
        table.leaves = third
        for name in (CY, DOT):
            table.type(name, "leave", "leave")
        for name in (CY, DOT):
            assert await table.ended(name) == "You have left the match for good."
        table.play_on(*stay)
        await table.read(ENDS, *stay, within=240)
        assert not table.leaves

    agreed(LeavingTwice(Plan(5, "taps", (SOMEBODY,) * 5, {"rounds": 2}), scene), len(stay))


@pytest.mark.parametrize("words", [("end", "suspend"), ("suspend", "end")], ids=" before ".join)
def test_all_vote_to_end_and_to_stop_for_today_at_once(words: tuple[str, str]) -> None:
    """It's one or the other for everybody; who has stopped resumes, and all store the same end."""

    async def scene(table: Scene) -> None:
        await table.bids()
        for word in words:
            for name in table.names:
                table.type(name, word)
        await table.wait(20.0)
        stopped = [name for name in table.names if table._tasks[name].done()]
        assert stopped in ([], [*table.names])
        for name in stopped:
            assert table.report.ends[name].startswith(SUSPENDED), name
            table.resume(name)
        await table.wait(20.0)
        await table.finish()

    ends = played(Scene(THREE, scene)).ends
    assert len(ends) == 3
    assert ends == ends[:1] * 3


def test_a_bot_writes_for_who_wrote_too_much_and_left() -> None:
    """A motto that no seal has room for is refused in words; the stand-in's just fits, and is opened."""

    async def scene(table: Envelopes) -> None:
        host = table.world.computers[HOST]
        await table.until(lambda: len(table._people.get(HOST, ())) == 2)
        phone = phone_of(table)
        phone.ways = THINKS

        def tap(**said: Any) -> None:
            assert phone._page is not None
            host.within(phone._page.tap, {"do": "send", "question": question_of(table), **said})

        first = await asked(table)
        if first == PHONE:
            await table.until(lambda: bool(question_of(table)))
            tap(at=0)
        else:
            table.type(first, "1")
        await table.read(WRITES, HOST, ANN)
        await table.until(
            lambda: bool(question_of(table)) and "writing" in page_of(table)["scene"]["decision"]
        )
        tap(text="你" * (envelopes.MOST + 1))
        await table.until(lambda: page_of(table)["trouble"] != "", 5.0)
        host.within(phone.do, Deed.PHONE_LEAVES)
        await table.read("a bot on the same computer takes over", HOST, ANN)
        for name in (HOST, ANN):
            table.type(name, "short")
        await table.read(f"{PHONE} wrote: [你啊]{{{envelopes.MOST}}}", HOST, ANN)
        await table.read(ENDS, HOST, ANN)

    seats = (Seat(Face.PLAIN, phones=1), Seat(Face.PLAIN))
    agreed(Envelopes(of_three(seats), scene))


# -- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("refused", ["rename", "append"])
def test_a_log_that_another_program_keeps_for_itself(monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    """As on Windows, just while it's compacted: it stays as it was, or one sentence ends the program."""
    monkeypatch.setattr(compaction, "WORTH", 1)
    holds = {"": False}

    def keep(disk: MemoryDisk) -> None:
        usual = getattr(disk, refused)

        def act(path: Path, *args: Any, **more: Any) -> Any:
            if holds[""] and ".log" in path.name:
                raise PermissionError(errno.EACCES, "in use", str(path))
            return usual(path, *args, **more)

        monkeypatch.setattr(disk, refused, act)

    async def scene(table: Scene) -> None:
        table.play_on(HOST, ANN)
        table.type(HOST, "start")
        await table.read(ENDS, HOST, ANN, within=60)
        keep(table.world.computers[ANN].disk)
        holds[""] = True
        table.type(HOST, "start")
        if refused == "append":
            told = await table.ended(ANN)
            assert told.startswith("Couldn't save the table in ")
            assert "permission denied" in told
            holds[""] = False
            table.join(ANN)
            await table.read(GOES_ON, ANN, within=40)
            table.play_on(ANN)
        await table.read(ENDS, HOST, ANN, within=120)

    evening = played(Scene(TWO, scene, at_once=False))
    assert len(evening.ends) == 4


def contents(disk: MemoryDisk) -> dict[Path, bytes]:
    return {path: bytes(content.data) for path, content in disk._names.items()}


def go_back_in_time(disk: MemoryDisk, files: dict[Path, bytes]) -> None:
    """Have a disk that went off hold what it once did, as that of a virtual machine that is restored."""
    disk._names = {path: Content(0, bytearray(data), data) for path, data in files.items()}
    disk._kept, disk._waits = dict(disk._names), {}


class Restored(Scene):
    """An evening at which a disk is as it once was.

    Attributes:
        forgot: how often a leader said that a copy lacks what it had acknowledged.
    """

    forgot = 0

    @override
    def _sent(self, name: str, message: wire.LogMessage) -> None:
        super()._sent(name, message)
        self.forgot += isinstance(message, wire.Forgot)


@pytest.mark.parametrize(("restored", "times"), [(BOB, 2), (HOST, 1)], ids=["a guest", "the host"])
def test_a_virtual_machine_that_goes_back_twice_plays_on_each_time(restored: str, times: int) -> None:
    """It lacks what it acknowledged, witness and all; its leader says so once a time, and it catches up."""

    async def scene(table: Scene) -> None:
        await table.bids()
        files = contents(table.world.computers[restored].disk)
        table.play_on(HOST, ANN, BOB)
        await table.read("has to play|Which card", HOST, within=60)
        for _ in range(2):
            await table.wait(4.0)
            table.kill(restored)
            go_back_in_time(table.world.computers[restored].disk, files)
            table.resume(restored)
            await table.read(GOES_ON, restored, within=40)
            table.play_on(restored)
        await table.play_out(HOST, ANN, BOB)

    # with a bit that flips, the vows know that disks may forget
    plan = replace(THREE, acts=(Act(9e9, Deed.FLIPPED_BIT, 2),), options={"hands": 2})
    assert agreed(Restored(plan, scene)).forgot == times


class Replayed(Scene):
    """An evening after which each file of a match that is over is watched again.

    Attributes:
        outcomes: what each replay says of the end.
    """

    def __init__(
        self, plan: Plan, script: Callable[[Any], Awaitable[None]] | None = None, *, at_once: bool = True
    ) -> None:
        super().__init__(plan, script, at_once=at_once)
        self.outcomes: list[Outcome | None] = []

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for computer in self.world.computers.values():
            for _, kept in computer.within(_match_files):
                if kept.end is not None:
                    self.outcomes.append(computer.within(outcome_again, kept))


def outcome_again(kept: Kept) -> Outcome | None:
    """Return the outcome that `tt replay` shows at the end."""
    header = Header.of(kept.header)
    again = Replay(kept, header, catalogue().game(header.game).game)
    again.go(len(again.steps) - 1)
    ended = again.end()
    assert ended is not None
    return ended.outcome


class Void(Replayed):
    """After the end of the match its state is another one on Bob's machine."""

    @override
    def break_(self, name: str, who: str, seen: str) -> None:
        if name != "replicas agree":
            super().break_(name, who, seen)


def test_a_replay_of_a_match_that_was_void_after_its_end_names_no_winner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rules come to an outcome, and the file has a second end, without one: that one counts."""
    usual = Matches.digest

    def digest(matches: Matches) -> bytes:
        computer, found = here(), usual(matches)
        drifts = matches.last is not None and matches.last.match.over
        return bytes(len(found)) if drifts and computer is not None and computer.name == BOB else found

    monkeypatch.setattr(Matches, "digest", digest)
    monkeypatch.setattr(Person, "stays", UNTIL_ALL_IS_TOLD)
    evening = played(Void(THREE))
    assert [end["outcome"] for end in evening.ends] == [None] * 3
    assert evening.outcomes == [None] * 3


class Undone(Replayed, Painting):
    """A match of colours; its files are watched again."""


def test_who_left_before_an_undo_stays_away_through_a_compaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log keeps the departure; then a second match, a newcomer and a guest that dies know the table."""
    monkeypatch.setattr(compaction, "WORTH", 1)
    three = (HOST, ANN, BOB)

    async def scene(table: Undone) -> None:
        await table.until(lambda: play(table, *three))
        first = await asked(table)
        [before] = open_asks(table)
        leaver = BOB if first != BOB else ANN
        here_ = [name for name in three if name != leaver]
        [guest] = [name for name in here_ if name != HOST]
        [other] = [name for name in here_ if name != first]
        table.type(first, "1")
        await table.until(lambda: [ask.id for ask in open_asks(table)] not in ([], [before.id]))
        table.type(leaver, "quit")
        await table.ended(leaver)
        await table.read(f"{leaver} has left|can wait for {leaver}", *here_)
        table.type(HOST, f"blind {leaver}")
        await table.read(f"lets the game answer for {leaver}", *here_)
        table.type(first, "undo")
        await table.read("wants to undo an answer: 1 of 2 agree", *here_)
        table.type(other, "undo")
        await table.read(f"{first} undoes an answer", *here_)
        assert table.undone() == {1}
        table.type(first, "2")
        await table.read(ENDS, *here_)
        table.type(HOST, "start")
        await table.until(lambda: play(table, *here_))
        table.join(CY, door=guest)
        await table.read(f"{CY} is watching and will play", *here_)
        table.kill(guest)
        table.join(guest)
        await table.read(GOES_ON, guest, within=40)
        table.type(await asked(table), "2")
        await table.read(ENDS, *here_, within=30)

    plan = replace(THREE, game="colours", dealer="host", seats=(*THREE.seats, LATE))
    evening = played(Undone(plan, scene))
    assert len(evening.ends) >= 4
    assert None not in evening.outcomes


class Broken(Faulty, Envelopes):
    """A table at which all machines meet one fault."""


def test_everyone_goes_back_to_a_turn_in_which_an_answer_was_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fault comes in the turn after it, twice: `tt resume --back` begins behind what was undone."""
    usual, broken = Matches._feed, {"": True}

    def fails(self: Matches, running: TableMatch, peer: bytes | None, entry: Any) -> None:
        is_there = running.header.before is None and running.match.turns == 2 and entry[0] == ANSWER
        if broken[""] and is_there:
            raise KeyError("a fault of this program")
        usual(self, running, peer, entry)

    monkeypatch.setattr(Matches, "_feed", fails)
    ends: list[list[str]] = []

    async def scene(table: Broken) -> None:
        names = table.names
        await table.until(lambda: play(table, *names))
        for turn in (0, 1):
            first = await asked(table)
            table.type(first, "1")
            await table.read(WRITES, *names)
            if turn == 1:
                table.type(first, "/undo")
                await table.read("wants to undo an answer: 1 of 3 agree", *names)
                for name in names:
                    if name != first:
                        table.type(name, "/undo")
                await table.read(f"{first} undoes an answer", *names)
                await table.read(FEELS, first)
                table.type(first, "2")
                await table.read(WRITES, *names)
            await written(table, ("home", "sweet home")[turn], *names)
        table.type(await asked(table), "1")
        for goes_back in (False, True):
            ends.append([await table.ended(name) for name in names])
            table._goes_back = goes_back
            for name in names:
                table.resume(name)
        await table.read("continue in a new match from the end of turn 2", *names, within=60)
        broken[""] = False
        await table.play_out(*names)

    evening = played(Broken(of_three(rounds=3), scene))
    assert ["Something broke here: KeyError" in told for told in ends[0]] == [True] * 3
    assert ["everyone must run `tt resume --back`" in told for told in ends[1]] == [True] * 3
    for files in evening.kept.values():
        assert [Header.of(kept.header).before is None for kept in files] == [True, False]
        assert files[1].end is not None
        assert files[1].end["outcome"] is not None


# -- an opener who isn't there ----------------------------------------------------------------------


def test_the_game_opens_for_who_is_away_and_nobody_undoes_that() -> None:
    """Il Conto's opener dies before the first call: the call made for it remains, each undo is refused."""

    async def scene(table: Scene) -> None:
        await table.until(lambda: play(table, *table.names))
        while not any(table.has(name, MENU) for name in table.names):
            table.type(await asked(table), "")  # the dealer deals
            await table.wait(1.0)
        [opener] = {found[1] for name in table.names for found in table.has(name, MENU)}
        others = [name for name in table.names if name != opener]
        table.kill(opener)
        table.type(others[0], "undo")
        await table.read("nothing to undo|can't undo", others[0])
        await table.read(f"{opener} (orders|reaches|wants)", *others, within=120)
        table.type(others[1], "undo")
        await table.read("nothing to undo|can't undo", others[1])
        await table.play_out(*others, within=1200)  # a tie asks for up to three more hands

    agreed(Scene(Plan(5, "conto", (SOMEBODY,) * 3, {"hands": 1}), scene), 2)


# -- pages ------------------------------------------------------------------------------------------


def test_a_page_that_comes_back_to_a_new_program_in_a_window_presses_in_that_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The host's program is killed and resumed; what the page still sends for the old window does nothing."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)

    async def scene(table: Scene) -> None:
        await table.until(lambda: len(table._people.get(HOST, ())) == 2)
        phone_of(table).ways = THINKS

        def tap(number: int) -> None:
            page = phone_of(table)._page
            assert page is not None
            act = {"do": "react", "at": 0, "ms": 300, "window": number}
            table.world.computers[HOST].within(page.tap, act)

        def window(since: int) -> int:
            """Return the number of the window that the page was last shown since then; 0 without one."""
            states = map(json.loads, table.lines[PHONE][since:])
            *_, opened = [None, *(one["window"] for one in states if one["type"] == "state")]
            return 0 if opened is None else opened["id"]

        await table.read(CHOOSE, HOST, within=30)
        table.type(HOST, "1")
        await table.read(CHOOSE, ANN, within=30)
        table.type(ANN, "1")
        await table.until(lambda: window(0) != 0, 20.0)
        old = window(0)
        table.kill(HOST)
        await table.wait(2.0)
        since = len(table.lines[PHONE])
        table.resume(HOST)
        await table.until(lambda: window(since) != 0, 20.0)
        assert window(since) != old
        tap(old)
        await table.wait(0.5)
        assert not table.has(ANN, "was first")
        tap(window(since))
        await table.read(f"{PHONE} was first", ANN)

    evening = Scene(Plan(5, "taps", (Seat(Face.PLAIN, phones=1), Seat(Face.PLAIN)), {"rounds": 1}), scene)
    evening.file = TAPS
    agreed(evening)


def test_a_whisper_on_a_page_goes_to_whom_was_picked_under_any_name() -> None:
    """Ann becomes Zoe and Bob Ann in the second in which the page whispers: nobody hears it by mistake."""

    async def scene(table: Renaming) -> None:
        await table.until(lambda: len(page_of(table).get("talk", {}).get("to", ())) == 3, 20.0)

        def drawn() -> dict[str, str]:
            talk = page_of(table)["talk"]
            return dict(zip(talk["to"], talk["of"], strict=True))

        def whisper(name: str, person: str, words: str) -> None:
            page = phone_of(table)._page
            assert page is not None
            act = {"do": "say", "words": words, "to": [name], "of": [person]}
            table.world.computers[HOST].within(page.tap, act)

        before = drawn()
        table.type(ANN, "name Zoe")
        await table.read("Ann is now Zoe", HOST)
        table.type(BOB, "name Ann")
        await table.read("Bob is now Ann", HOST)
        whisper(ANN, before[ANN], "the melon is ripe")
        await table.until(lambda: page_of(table)["trouble"] != "", 5.0)
        whisper("Zoe", before[ANN], "the plum is ripe")
        await table.read(f"{PHONE} to Zoe: the plum is ripe", ANN)
        await table.until(lambda: "Zoe" in drawn(), 5.0)
        whisper(ANN, drawn()[ANN], "the pear is ripe")
        await table.read(f"{PHONE} to Ann: the pear is ripe", BOB)
        for name in (HOST, ANN, BOB):
            assert not table.has(name, "melon")
        assert not table.has(BOB, "plum")
        assert not table.has(ANN, "pear")

    seats = (replace(SOMEBODY, phones=1), SOMEBODY, SOMEBODY)
    played(Renaming(replace(THREE, seats=seats), scene, at_once=False))


# -- hosts and heirs --------------------------------------------------------------------------------


def test_the_heir_of_a_quiet_table_resumes_and_is_quiet() -> None:
    """The host left; the heir's program is killed, and anyone who comes by it announces nothing."""

    async def scene(table: Quiet) -> None:
        await table.read(BID, HOST, ANN, BOB, within=30)
        await table.wait(2.5)
        table.type(HOST, "quit")
        await table.ended(HOST)
        await table.read(HEIR, BOB)
        table.kill(ANN)
        table.resume(ANN)
        await table.read(GOES_ON, ANN, within=40)
        table.join(CY, door=ANN)
        await table.until(lambda: CY in table.quiet)
        await table.play_out(ANN, BOB)

    evening = played(Quiet(replace(THREE, seats=(*THREE.seats, LATE)), scene))
    assert evening.quiet == {HOST: [True], ANN: [True, True], BOB: [True], CY: [True]}


class Open(Scene):
    """A table that allows other code; only its host said so."""

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.unlike = index == 0
        return settings


def test_who_resumes_at_a_table_for_other_code_lets_others_in() -> None:
    """Ann's program was never told `--unlike`: callers read there what the host said, before and after."""
    read: list[bool] = []

    async def scene(table: Open) -> None:
        caller = table.world.computer(CY)

        async def call() -> None:
            address = f"{table.world.computers[ANN].host}:{table._sessions[ANN]._log_driver.driver.port}"
            async with join_table(address, CY, watch=True) as (_, card):
                read.append(card.unlike)

        await table.bids()
        await caller.run(call())
        table.kill(ANN)
        table.resume(ANN)
        await table.read(GOES_ON, ANN, within=40)
        await caller.run(call())
        await table.play_out(*table.names)

    played(Open(THREE, scene))
    assert read == [True, True]


@pytest.mark.parametrize("later", [0.0, 0.05, 1.0])
def test_an_heir_dismisses_the_bots_of_a_host_that_comes_back_just_then(later: float) -> None:
    """The host's first word gives it the table: all machines have the same seats, and it seats one again."""

    async def scene(table: Scene) -> None:
        def seats() -> set[tuple[str, ...]]:
            sessions = [table._sessions[name] for name in table.names]
            return {tuple(map(str, (one.name for one in each.state.roster.places))) for each in sessions}

        table.sleep(HOST)
        await table.read(HEIR, ANN, BOB, within=25)
        table.type(ANN, "bots 0")
        await table.wait(later)
        table.wake(HOST)
        await table.read(HOST_BACK, ANN, BOB)
        await table.wait(3.0)
        assert len(seats()) == 1
        table.type(HOST, "bots random")
        await table.until(lambda: {len(one) for one in seats()} == {4}, 10.0)
        table.type(HOST, "start")
        await table.read(BID, *table.names)
        await table.play_out(*table.names)

    agreed(Scene(replace(THREE, bots=("random",)), scene, at_once=False))


# -- spectators -------------------------------------------------------------------------------------


def test_what_somebody_signed_who_watched_convicts_nobody_who_plays_the_next_match() -> None:
    """Bob's machine has led nothing, so its two ends of the log say nothing, in either match."""

    async def scene(table: Scene) -> None:
        async def signs() -> None:
            table._vows.lies(BOB)
            table.world.computers[BOB].within(lie, table._sessions[BOB])
            await table.wait(3.0)

        table.type(HOST, "start")
        await table.read(BID, HOST, ANN, within=30)
        table.join(BOB)
        await table.read(f"{BOB} is watching and will play", HOST, ANN)
        await table.wait(3.0)
        await signs()
        await table.play_out(HOST, ANN)
        table.type(HOST, "start")
        await table.read(BID, HOST, ANN, BOB)
        await signs()
        await table.play_out(HOST, ANN, BOB)
        for name in (HOST, ANN, BOB):
            assert not table.has(name, STAYS_SEATED), table.lines[name]

    evening = Scene(replace(TWO, seats=(*TWO.seats, LATE)), scene, at_once=False)
    evening.most = 3
    assert Counter(end["outcome"] is not None for end in played(evening).ends) == {True: 6}


# -- a game that is loaded again --------------------------------------------------------------------


class Sketch(Game[Options]):
    """A game whose author has put one thing on the table."""

    name, title, seats, options = "sketch", "Sketch", (2, 2), Options
    shown = "moon"

    def setup(self, t: Table[Options]) -> None:
        """Nothing is to be done."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """All is over at once."""
        t.tell("It is over.")
        return Outcome(())

    def zones(self, t: Table[Options], viewer: Any) -> list[Zone]:
        """The one thing."""
        return [text_zone(self.shown, "It", "here")]


def test_a_game_that_was_changed_gets_places_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A rematch by the same rules has the same places; rules that were read again have their own."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    changed = type("Sketch", (Sketch,), {"shown": "sun", "name": "sketch", "title": "Sketch"})
    found = []
    for rules in (Sketch, changed, changed):
        monkeypatch.setitem(moments.UNDECLARED, "sketch", rules)
        session = moments.seat("sketch", seats=2)
        session._file.close()  # nobody plays
        words = Words(Translator("en"), "", session.names)
        found.append(set(rehearse(session.match, 0, words, Viewpoint("en", "Sketch", ())).parts))
    assert ["moon" in one for one in found] == [True, False, False]
    assert ["sun" in one for one in found] == [False, True, True]
