"""A match that waits: when a machine stops by itself, and when all of the match is thrown away."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_coins import Throws
from tests.core.engine.peer.agents import AgentTable, Machine, dealt

from tavolata import N_, Game, Options, Outcome, Table, amount
from tavolata._cli.resume import waiting_matches
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.quorum_watch import HEARD, LIMIT, OFFER
from tavolata._engine.dealing.steps import KEYS_PART, SELF
from tavolata._engine.match.dealing import TOO_LONG
from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Notice
from tavolata._engine.review.verify import check
from tavolata._engine.storage import match_file, secret_files
from tavolata._engine.storage.ways_back import KEPT, WayBack, way_file
from tavolata._engine.table import log_bodies
from tavolata._engine.table.matches import LOST, REFUSED
from tavolata._ui.i18n import Translator
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.ring import SEATS


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def test_who_is_left_alone_stops_by_itself_after_ten_minutes() -> None:
    """Alone of three: an offer to stop after one minute, by itself after ten; with one more it goes on."""
    with closing(AgentTable(Peek, 3, RandomBot)) as table:
        while table.match is None:
            table.round()
        table.cut = {2, 3}
        quorum = table.machines[1].agent.quorum
        found = {}
        for _ in range(int(LIMIT + HEARD) + 5):
            table.wait(1)
            found[table.now] = (quorum.may_stop, quorum.must_stop)
        offered = min(now for now, (may, _) in found.items() if may)
        stopped = min(now for now, (_, must) in found.items() if must)
        assert (offered, stopped) == (OFFER + 1, LIMIT + 1)
        table.cut = {3}
        table.wait(2)
        assert not quorum.may_stop


DAY = 24 * 3600.0


@pytest.mark.parametrize(("age", "kept"), [(29 * DAY, True), (31 * DAY, False)])
def test_a_suspended_match_is_thrown_away_after_thirty_days(tmp_path: Path, age: float, kept: bool) -> None:
    """By the time of its way back: before, all is kept; after, match, log, keys and secret are gone."""
    assert KEPT == 30 * DAY
    with closing(AgentTable(Peek, 2, RandomBot)) as table:
        while table.match is None:
            table.round()
        nonce = table.machines[1].agent.playing._secret.nonce
        (match,) = tmp_path.rglob(f"*-{table.machines[1].key.hex()[:8]}.ttm")
    way = way_file(tmp_path / "data" / "identities" / "one", b"a table")
    way.path.parent.mkdir(parents=True)
    way.keep(WayBack(match.stem, "P1", None, ("127.0.0.1",), 4711, {}))
    way.log.write_bytes(b"a log")
    way.secret.write_bytes(b"the key of a private table")
    when = time.time() - age
    os.utime(way.path, (when, when))
    assert match_file.read(match).end is None
    assert secret_files.load(nonce) is not None
    assert [one.path for one in waiting_matches()] == ([match] if kept else [])
    assert [path.exists() for path in (match, way.path, way.log, way.secret)] == [kept] * 4
    assert (secret_files.load(nonce) is not None) is kept


def test_a_match_that_nobody_can_open_any_more_names_who_left_it() -> None:
    """Of four whose keys take three, two leave for good: it is over, and everybody reads by whose leaving."""
    with closing(AgentTable(Peek, 4, RandomBot)) as table:
        while table.match is None or not table.answers():
            table.round()
        match = table.match
        for party in (2, 4):
            table.machines[party].agent.say_of_oneself(OwnWord.LEFT)
        table.play(20)
        assert match.broken_off
        said = [one for one in table.machines[1].agent.state.out if isinstance(one, Notice)]
        assert [one.params["names"] for one in said if one.message == LOST] == ["P2, P4"]


class Papers(Game[Options]):
    """Each seat seals a number; the first is asked for one more, then all are shown. Nothing is dealt."""

    name, title, seats = "papers", N_("Papers"), (2, 4)

    def setup(self, t: Table[Options]) -> None:
        self.more = 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        sealed = await t.seal_all(dict.fromkeys(t.ring, amount(0, 9)), N_("Secretly."))
        self.more = await t.ask(SEATS[0], amount(0, 9), N_("One more?"))
        await t.reveal(sealed.values())
        return Outcome((SEATS[0],))


def test_a_match_that_waits_for_a_seal_which_nobody_can_open_any_more_is_over() -> None:
    """Two of four leave with sealed answers that take three: it is over once one of these is to be shown."""
    with closing(AgentTable(Papers, 4, RandomBot, person=1)) as table:
        table.answers_to = lambda ask: ask.sealed
        table.play()
        match, machine = table.match, table.machines[1].agent
        assert match is not None
        for party in (2, 4):
            table.machines[party].agent.say_of_oneself(OwnWord.LEFT)
        table.speak()
        table.cut = {2, 4}
        table.play()
        assert not match.over
        table.answers_to = lambda _: True
        table.play()
        assert match.broken_off
        said = [one for one in machine.state.out if isinstance(one, Notice)]
        assert [one.params["names"] for one in said if one.message == LOST] == ["P2, P4"]


def test_a_question_stays_open_when_its_answer_is_too_long_to_be_sealed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The person is told so, and still owes an answer, also after the time for it has run out."""

    def seal(*_: Any) -> tuple[bytes, bytes]:
        raise Refused(TOO_LONG)

    with closing(AgentTable(Papers, 2, RandomBot, person=1)) as table:
        table.answers_to = lambda _: False
        table.play()
        agent, (ask,) = table.machines[1].agent, table.source.open
        monkeypatch.setattr(agent.playing.own, "seal", seal)
        with pytest.raises(Refused, match="too long to be sealed"):
            agent.playing.answer(ask, 3)
        assert agent.owes(ask)


def refuse(machine: Machine) -> None:
    """In place of its part of new keys a machine says that it steps away; then it comes back by itself."""
    usual, absence = machine.propose, 0

    def propose(*body: Any) -> bool:
        nonlocal absence
        if body[0] != log_bodies.PLAY or body[2][0] != DEAL or body[2][3] != KEYS_PART or body[2][4] == 1:
            return usual(*body)
        absence += 1
        entry = (*body[2][:3], SELF, int(OwnWord.OUT), absence - 1)
        return usual(*body[:2], entry, *body[3:])

    machine.propose = propose  # type: ignore[method-assign]  # of this machine alone


def test_a_match_whose_dice_nobody_makes_keys_for_is_over_and_checked() -> None:
    """One of four left, and two refuse twice to make keys for dice: it's void, and says by whom."""
    with closing(AgentTable(Throws, 4, RandomBot)) as table:
        while table.match is None or not table.answers():
            table.round()
        match, machine = table.match, table.machines[1]
        file = machine.agent.match_file
        for party in (2, 3):
            refuse(table.machines[party])
        table.machines[4].agent.say_of_oneself(OwnWord.LEFT)
        for _ in range(200):
            if match.over:
                break
            table.wait(1)
        assert match.broken_off
        assert match.outcome is None
        said = [one for one in machine.agent.state.out if isinstance(one, Notice)]
        assert [one.params["names"] for one in said if one.message == REFUSED] == ["P2, P3"]
    assert file is not None
    kept = match_file.read(file)
    found = check(kept, Header.of(kept.header), Throws)
    told = [Translator("en").text(message, params) for message, params in found.told]
    assert not found.is_unfinished
    assert len([line for line in told if line.startswith("Refusal at entry")]) == 4


def test_who_waits_for_the_keys_of_one_who_is_gone_may_stop() -> None:
    """One of five left, and keys were made while another was away; a third dies: the rest may stop."""
    with closing(AgentTable(Peek, 5, RandomBot)) as table:
        while table.match is None or not table.answers():
            table.round()
        driver = dealt(table.machines[1].agent)
        table.machines[5].agent.say_of_oneself(OwnWord.LEFT)
        while driver.deal.rings.making is None:
            table.round()
        table.cut = {2}
        while (keys := driver.deal.rings.current) is None or len(keys.holders) > 3:
            table.wait(1)
        assert keys.holders == (1, 3, 4)
        table.cut = {4}
        table.wait(int(OFFER + HEARD))
        quorum = table.machines[1].agent.quorum
        assert driver.deal.needed == ((1, 3, 4), 3)
        assert quorum.missing == (4,)
        assert quorum.may_stop


def test_who_waits_for_a_seal_that_too_few_can_open_may_stop() -> None:
    """One of four left; another dies with a sealed answer that three must open: the last two are told."""
    with closing(AgentTable(Peek, 4, RandomBot)) as table:

        def closed() -> bool:
            asks = [] if table.match is None else table.match.source.open
            return any(ask.box is not None and ask.seat == 1 for ask in asks)

        table.think()
        while not closed():
            table.speak()
            table.think()
        table.cut = {2}  # what it would say next opens its answer
        table.machines[4].agent.say_of_oneself(OwnWord.LEFT)
        table.wait(int(OFFER + 3 * HEARD))
        machine = table.machines[1]
        assert closed()
        assert dealt(machine.agent).deal.needed == ((1, 2, 3, 4), 3)
        assert machine.agent.quorum.missing == (2,)
        assert machine.agent.quorum.may_stop
        said = [
            one.params for one in machine.agent.state.out if isinstance(one, Notice) and "t" in one.params
        ]
        assert {"t": 3, "names": "P2"} in said
