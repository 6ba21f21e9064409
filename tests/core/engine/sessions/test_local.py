"""A match of this process that was cut off: what may not have been shown any more is told on resuming."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.core.engine.match.test_state import Papers
from tests.core.games import Counting
from tests.core.match_records import records_of
from tests.core.ui.tui.playing import session
from tests.core.ui.virtual_time import run

from tavolata import Refused
from tavolata._engine.match.entries import ANSWER, INTERJECT, SAY, UNDONE
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import (
    Asked,
    Ended,
    Said,
    Told,
    Update,
    WindowClosed,
    WindowOpened,
)
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.review import verify
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.storage import match_file
from tavolata._engine.storage.match_file import ENTRY, EVENT
from tavolata.bots import Bot, RandomBot
from tavolata.kinds.one_of import GO
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS

CATALOGUE = Catalogue()


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(os, "fsync", lambda number: None)


@dataclass
class Heard:
    """What a match told, each with the size that its file had then."""

    lines: list[tuple[int, str]] = field(default_factory=list)

    def note(self, path: Path, update: Update) -> None:
        """Something is told."""
        if isinstance(update, Told | Said):
            self.lines.append((path.stat().st_size, line(update)))


def line(update: Told | Said) -> str:
    """What a face would make a line of."""
    if isinstance(update, Said):
        return f"{update.name} to {update.to}: {update.text}"
    return f"{update.event.message} {sorted(update.event.params.items())} {update.event.to}"


def people() -> LocalSession:
    """A match of three people and two bots, one of whom offers something out of turn."""
    return session("zompa", 5, humans=3, seed=1, pace=0, talk="offer", fiches=2)


def play(at: LocalSession, path: Path) -> Heard:
    """Play a match of people who talk and interject in the same moment in which they answer."""
    heard = Heard()

    async def listen() -> None:
        asked = 0
        async for update in at.updates():
            heard.note(path, update)
            if isinstance(update, Asked) and update.mine:
                ask, asked = update.ask, asked + 1
                if asked % 3 == 0:
                    at.say(f"number {asked}")
                for seat in at.people:
                    for name, kind in at.match.standing(seat).items():
                        at.interject(seat, name, kind.nth(0))
                at.answer(ask, ask.question.answer_at(0))  # nothing was told since the last question

    asyncio.run(listen())
    return heard


def taken_up(path: Path) -> LocalSession:
    """The match of a file, taken up again."""
    kept = match_file.read(path)
    header = Header.of(kept.header)
    loaded, known = CATALOGUE.game(header.game), CATALOGUE.bots(header.game)
    bots: list[Bot | None] = [None if level is None else known[level]() for level in header.bots]
    return LocalSession(header, loaded.game, loaded.info.package, bots, kept=kept)


def told_first(at: LocalSession) -> list[Update]:
    """What a match tells until a person is asked, or to its end."""

    async def listen() -> list[Update]:
        told = []
        async with contextlib.aclosing(at.updates()) as updates:
            async for update in updates:
                told.append(update)
                if isinstance(update, Asked) and update.mine:
                    break
        return told

    return asyncio.run(listen())


@pytest.mark.battery
def test_what_may_not_have_been_shown_is_told_again(tmp_path: Path) -> None:
    """Cut off behind any record, a match tells all that was recorded and had not been told by then."""
    at = people()
    path = match_file.path_of(at.header.id)
    heard = play(at, path)
    data = path.read_bytes()
    found = list(records_of(data))
    by_people = {value[0] for _, (kind, value) in found if kind == ENTRY and value[1] < 3}
    assert {ANSWER, INTERJECT, SAY} <= by_people
    most = 0
    for end, (kind, _) in found[1:-1]:
        if kind == EVENT:
            continue  # what lies behind the last entry is left out in reading
        path.write_bytes(data[:end])
        shown = Counter(one for size, one in heard.lines if size < end)
        again = taken_up(path)
        told = Counter(line(one) for one in told_first(again) if isinstance(one, Told | Said))
        resumed = match_file.read(path)
        recorded = len(resumed.events) + sum(entry[0] == SAY for entry in resumed.entries)
        expected = Counter(one for _, one in heard.lines[:recorded])
        missed = expected - shown - told
        assert not missed, f"cut off at {end}, behind a record of kind {kind}"
        most = max(most, (expected - shown).total())
    assert most > 5


def test_what_was_surely_shown_is_not_told_again(tmp_path: Path) -> None:
    """Who comes back is told of a turn or two, not of the whole match."""
    at = people()
    path = match_file.path_of(at.header.id)
    play(at, path)
    data = path.read_bytes()
    ends = [end for end, (kind, _) in records_of(data) if kind == EVENT]
    path.write_bytes(data[: ends[len(ends) // 2]])
    again = taken_up(path)
    told = [one for one in told_first(again) if isinstance(one, Told)]
    new = len(again.match.events) - again._told_before
    assert 5 <= len(told) - new < 20 < again._told_before


class Takes:
    """A person who takes answers back while a match goes on.

    Args:
        at: the match.
        places: by how many answers were given, how often something is then taken back.
        stop: after so many answers the process ends.
    """

    def __init__(self, at: LocalSession, places: dict[int, int], stop: int) -> None:
        self.at, self.places, self.stop = at, dict(places), stop
        self.refused = 0

    def play(self) -> None:
        """Play until the process ends."""

        async def listen() -> None:
            given = 0
            async with contextlib.aclosing(self.at.updates()) as updates:
                async for update in updates:
                    if not (isinstance(update, Asked) and update.mine):
                        continue
                    if self.places.get(given):
                        self.places[given] -= 1
                        try:
                            self.at.take_back()
                        except Refused:
                            self.refused += 1
                        else:
                            assert not self.at.match.is_going_back, (
                                "the next word is about what is open again"
                            )
                            continue
                    if given == self.stop:
                        return
                    given += 1
                    self.at.answer(update.ask, update.ask.question.answer_at(0))

        asyncio.run(listen())


def counting(kept: match_file.Kept | None = None) -> LocalSession:
    """A person against a bot."""
    header = Header(
        "c" * 16, "counting", "0", 1, {}, ("A", "B"), (None, "easy"), "open", None, 3
    )  # fmt: skip
    return LocalSession(header, Counting, "tests", [None, RandomBot()], kept=kept)


def test_a_match_goes_on_from_its_file_after_answers_were_taken_back() -> None:
    """Also over the snapshot of a turn that was taken back: the same state, and nothing comes twice."""
    at = counting()
    path = match_file.path_of(at.header.id)
    Takes(at, {3: 1, 7: 2, 105: 3}, 105).play()
    kept = match_file.read(path)
    assert len(kept.turns) > 100
    assert kept.snapshot is None, "the snapshot of turn 100 was taken back, and none came after it"
    assert [entry[0] for entry in kept.entries].count(UNDONE) == 6
    again = counting(kept)
    again.match.run()
    assert again.match.digest() == at.match.digest()
    assert again.match.told == at.match.told
    assert verify.check(kept, at.header, Counting).next is None
    Takes(again, {}, 1).play()
    more = match_file.read(path)
    assert more.turns[: len(kept.turns)] == kept.turns
    assert len(more.turns) == len(kept.turns) + 1
    assert len(more.events) == len(again.match.told)
    assert more.snapshot_at > 0
    third = counting(more)
    told_first(third)
    assert third.match.digest() == again.match.digest()


def test_one_person_without_a_clock_plays_the_match_of_the_rules() -> None:
    """A file says what a replay finds, although one person among bots has no time limit on the screen."""
    header = Header(
        "d" * 16, "papers", "0", 1, {}, ("A", "B"), (None, "easy"), "open", None, 3
    )  # fmt: skip
    at = LocalSession(header, Papers, "tests", [None, RandomBot()])

    async def listen() -> list[float | None]:
        limits = []
        async for update in at.updates():
            if isinstance(update, Asked) and update.mine:
                limits.append(update.ask.seconds)
                at.answer(update.ask, update.ask.late)
        return limits

    assert asyncio.run(listen()) == [None] * 3
    game = at.match.game
    assert isinstance(game, Papers)
    assert game.late.count(SEATS[0]) == 3
    kept = match_file.read(match_file.path_of(header.id))
    assert len(kept.turns) > 1
    assert verify.check(kept, header, Papers).next is None


def test_people_s_answers_say_how_long_they_took() -> None:
    """From the question, or the last answer at this keyboard; bots, and keys that only go on, say nothing."""
    at, thought = session("horse-fever", 3, humans=2, seed=1, pace=0), itertools.cycle((2, 5))

    async def listen() -> list[int]:
        slept: list[int] = []
        async for update in at.updates():
            if isinstance(update, Asked) and update.mine:
                if update.ask.question is not GO:
                    slept.append(next(thought))
                    await asyncio.sleep(slept[-1])
                at.answer(update.ask, update.ask.question.answer_at(0))
            if len(slept) > 9:
                break
        return slept

    slept = run(listen())
    timed = [entry[4] for entry in at.source.log if entry[0] == ANSWER and len(entry) > 4]
    assert timed == [seconds * 1000 for seconds in slept]
    assert {len(entry) for entry in at.source.log if entry[0] == ANSWER and entry[1] == 2} == {4}


def test_a_window_is_closed_before_what_follows_from_it_is_told() -> None:
    """A screen holds still while a window is open: a bang told before the end of its window was not seen."""
    at = session("bang", 2, humans=2, seed=1, pace=0, cap=10, hurry=0)
    told: list[type[Update]] = []

    async def listen() -> None:
        async for update in at.updates():
            if isinstance(update, WindowOpened):
                at.drawn(update.window.id)
                at.react(update.window.id, 0, 0, 300)  # at every card, right or wrong
                at.react(update.window.id, 1, 0, 400)
            elif isinstance(update, Asked) and update.mine:
                at.answer(update.ask, update.ask.question.answer_at(0))
            if isinstance(update, WindowOpened | WindowClosed | Told):
                told.append(type(update))

    asyncio.run(listen())
    assert {after for before, after in itertools.pairwise(told) if before is WindowOpened} == {WindowClosed}
    assert Told in {after for before, after in itertools.pairwise(told) if before is WindowClosed}


def test_the_window_that_ends_a_match_is_closed() -> None:
    """After the last card of Bang its window is closed before the end is told, or screens wait in it."""
    at = session("bang", 2, humans=2, seed=1, pace=0, cap=10, hurry=0)
    told: list[type[Update]] = []

    async def listen() -> None:
        async for update in at.updates():
            if isinstance(update, WindowOpened):
                assert update.window.go is not None
                at.drawn(update.window.id)
                at.react(update.window.id, int(update.window.go), GOES, 1)
            elif isinstance(update, Asked) and update.mine:
                at.answer(update.ask, update.ask.question.answer_at(0))
            if isinstance(update, WindowOpened | WindowClosed | Ended):
                told.append(type(update))

    asyncio.run(listen())
    assert told == [WindowOpened, WindowClosed] * 10 + [Ended]


def test_nobody_speaks_at_a_match_of_bots() -> None:
    """Whoever watches it is told so, in one sentence."""
    at = session("zompa", 3, humans=0)
    with pytest.raises(Refused, match="You're watching"):
        at.say("hello")
    at._file.close()


def test_people_read_no_words_between_bots() -> None:
    """As at a table, they see that there are some; who only watches bots reads them all."""
    for humans, read in ((1, "…"), (0, "psst")):
        at = session("zompa", 3, humans=humans)
        assert at._said((SAY, 1, (2,), "psst")).text == read
        assert at._said((SAY, 1, (0,), "psst")).text == "psst"
        at._file.close()
