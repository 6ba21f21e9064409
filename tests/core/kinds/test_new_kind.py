"""A kind of question that nothing in Tavolata knows: defined here, and at once playable everywhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from itertools import permutations
from math import perm
from pathlib import Path
from typing import Any

import pytest
from tests.core.ui.tui.playing import Played

from tavolata import N_, Choice, Game, Options, Outcome, Question, Refused, Table
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.simulate import play
from tavolata._engine.match.state import Reader, Writer
from tavolata._engine.review.replay import Replay
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.storage.match_file import match_files, read
from tavolata._ui.i18n import Translator
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.screens.frame import Looks
from tavolata._ui.tui.screens.table_app import TableApp
from tavolata.bots import RandomBot
from tavolata.choices import Answer, kept_choices, labelled, place_of, restored_choices
from tavolata.kinds.question import KINDS, Choices, Means
from tavolata.testing import rehearse

COLOURS = ("red", "green", "blue", "black")


class Ranking(Question, name="ranking"):
    """All of some choices in an order; the answer is their places in that order."""

    __slots__ = ("choices",)

    def __init__(self, choices: Iterable[Choice]) -> None:
        self.choices = tuple(choices)

    def check(self, answer: object) -> Answer:
        if isinstance(answer, list | tuple) and sorted(answer) == list(range(len(self.choices))):
            return tuple(answer)
        raise Refused("Put all {n} in order.", n=len(self.choices))

    def value_of(self, answer: tuple[int, ...]) -> list[Any]:
        return [self.choices[place].value for place in answer]

    def answer_for(self, value: Iterable[Any], means: Means | None = None) -> Answer:
        return self.check([place_of(one, self.choices, means) for one in value])

    def count(self) -> int:
        return perm(len(self.choices))

    def answer_at(self, number: int) -> Answer:
        return list(permutations(range(len(self.choices))))[number]

    def number_of(self, answer: tuple[int, ...]) -> int:
        return list(permutations(range(len(self.choices)))).index(answer)

    def shape(self) -> Choices:
        many = len(self.choices)
        return Choices(self.choices, many, many, several=True, ordered=True)

    def answer_from(self, given: Any) -> object:
        return given

    def kept(self) -> tuple[Any, ...]:
        return (kept_choices(self.choices),)

    @classmethod
    def restored(cls, *kept: Any) -> Ranking:
        return cls(restored_choices(kept[0]))


class Tastes(Game[Options]):
    """Everybody ranks the colours; what most rank first wins for them."""

    name, title, seats = "tastes", N_("Tastes"), (2, 4)

    def setup(self, t: Table[Options]) -> None:
        self.question = Ranking(labelled(COLOURS))  # state: it is kept in snapshots
        self.ranked: list[list[str]] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        for seat in t.ring:
            ranked = await t.ask(seat, self.question, N_("Rank the colours."), N_("{seat} ranks."))
            self.ranked.append(ranked)
            t.tell(N_("{seat}: {ranked}."), seat=seat, ranked=tuple(ranked))
        return Outcome((t.first_seat,))


WANTED = ["blue", "red", "black", "green"]
DIGITS = "3 1 4 2"
"""The same, as numbers of choices."""


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def session() -> LocalSession:
    """A person and a bot at a match of the game."""
    header = Header(
        id="0123456789abcdef", game="tastes", version="1", rules_id=1, options={}, names=("Ann", "Bo"),
        bots=(None, "random"), seed=3,
    )  # fmt: skip
    return LocalSession(header, Tastes, "tests", [None, RandomBot()])


def game(match: Match) -> Tastes:
    """The public state of a match."""
    assert isinstance(match.game, Tastes)
    return match.game


class Typed:
    """Lines that come one after the other, the first as soon as somebody is ready for it."""

    on_terminal = False

    def __init__(self, *lines: str, ready: asyncio.Event | None = None) -> None:
        self._lines = list(lines)
        self._ready = ready

    async def next(self) -> str | None:
        """The next line."""
        if self._ready is not None:
            await self._ready.wait()
        return self._lines.pop(0) if self._lines else None


def test_bots_play_it_and_scripts_name_its_values() -> None:
    """The engine and a random bot need nothing but the kind; a rehearsal writes its values."""
    match = play(Tastes, Options(), [RandomBot(), RandomBot()], seed=1).match
    assert [sorted(one) for one in game(match).ranked] == [sorted(COLOURS)] * 2
    table = rehearse(Tastes, answers=[WANTED, list(COLOURS)])
    assert table.game.ranked == [WANTED, list(COLOURS)]


def test_plain_lines_ask_and_answer_it() -> None:
    """The plain face numbers the choices, says how many are typed, and reads the line."""
    said: list[str] = []
    at = session()
    face = Plain(at, Translator("en"), said.append, Typed("1 2", DIGITS))
    asyncio.run(face.run())
    assert game(at.match).ranked[0] == WANTED
    assert [line.strip() for line in said[1:6]] == [
        "1. red", "2. green", "3. blue", "4. black",
        "Pick 4 in order: type their numbers, separated by spaces.",
    ]  # fmt: skip
    assert "Put all 4 in order." in said


def test_programs_are_asked_it_in_json() -> None:
    """The ndjson face says its name, its choices and that their order counts, and takes the answer."""
    said: list[dict[str, Any]] = []
    at = session()
    answer = json.dumps({"type": "answer", "id": 1, "answer": [2, 0, 3, 1]})
    asked = asyncio.Event()

    def out(line: str) -> None:
        said.append(json.loads(line))
        if said[-1]["type"] == "ask":
            asked.set()

    asyncio.run(Ndjson(at, Translator("en"), out, Typed(answer, ready=asked)).run())
    assert game(at.match).ranked[0] == WANTED
    (ask,) = [line for line in said if line["type"] == "ask"]
    assert (ask["kind"], ask["low"], ask["high"], ask["ordered"]) == ("ranking", 4, 4, True)
    assert [choice["text"] for choice in ask["choices"]] == list(COLOURS)


def test_it_is_pressed_on_the_screen() -> None:
    """On the screen Space takes choices in order, which is shown; Enter sends them."""
    at = session()

    async def press() -> str:
        app = TableApp(Feed(at, Translator("en"), 0.0), Translator("en"), Looks(), title="Tastes", rules=str)
        follower = asyncio.create_task(app.feed.follow())
        async with app.run_test(size=(80, 24)) as pilot:
            played = Played(app, pilot)
            await played.asked()
            for digit in DIGITS.split():
                await played.press(digit, "space")
            shown = played.text()
            await played.press("enter")
            await played.until(lambda: app.model.ended)
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        return shown

    shown = asyncio.run(press())
    assert game(at.match).ranked[0] == WANTED
    for number, colour in enumerate(WANTED, 1):
        assert f"✓{number}  {colour}" in shown
    assert "Pick 4, in order" in shown


def test_it_is_kept_and_watched_again() -> None:
    """A match with it is watched again from its file, and the question itself comes back from a snapshot."""
    at = session()
    asyncio.run(Plain(at, Translator("en"), lambda _: None, Typed(DIGITS)).run())
    (path,) = match_files()
    kept = read(path)
    replay = Replay(kept, Header.of(kept.header), Tastes)
    replay.go(len(replay.steps) - 1)
    assert game(replay.match).ranked[0] == WANTED
    assert replay.match.digest() == at.match.digest()
    written = Writer(at.match.table).write(game(at.match).question, "here")
    back = Reader(at.match.table, "tests").read(written)
    assert type(back) is KINDS["ranking"] is Ranking
    assert back.choices == game(at.match).question.choices
