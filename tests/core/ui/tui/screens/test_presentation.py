"""What the presentation does in time: it counts the cards of a verdict, and lets emotes fade."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Said, Told
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.input.quick_hands import QuickHands
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.model.table_model import Glance
from tavolata._ui.tui.screens.frame import Frame
from tavolata._ui.tui.screens.presentation import LASTS, LONGEST, Presentation
from tavolata.messages import Event, Mark


class Screen:
    """A screen for a presentation that draws nothing; it keeps the time of each frame."""

    def __init__(self, pace: float = 1.0) -> None:
        names = ("Ann", "Berto")
        session: Any = SimpleNamespace(match=None, people=(), package="", names=names, keys={}, looks=())
        feed = Feed(session, Translator("en"), pace)
        self.model = feed.model
        self.drawn: list[float] = []
        self.prompt = SimpleNamespace(trouble="")
        frame, hands = cast("Frame", self), QuickHands(self.model, lambda: None)
        self.shows = Presentation(frame, feed, hands, print, lambda _: False, lambda: None)
        self._tasks: list[object] = []

    def draw(self) -> None:
        self.drawn.append(asyncio.get_running_loop().time())

    def run_worker(self, work: Callable[[], Coroutine[Any, Any, Any]], **_: object) -> None:
        self._tasks.append(asyncio.create_task(work()))

    def set_timer(self, seconds: float, then: Callable[[], object]) -> None:
        self._tasks.append(asyncio.get_running_loop().call_later(seconds, then))


def told(cards: int = 0, turn: int = 0) -> Told:
    """An event that counts so many cards."""
    marks = (Mark("counted", tuple(range(cards))),) if cards else ()
    return Told(Event("x", {}, marks=marks), Glance({}, turn, "x", marks=marks))


@pytest.mark.parametrize("earlier", [0, 59, 60, 400])
def test_a_count_of_cards_ends_with_the_next_event_however_many_there_were(earlier: int) -> None:
    """After the next event nothing of the count is drawn any more, nor any step of its verdict."""

    async def play() -> None:
        screen = Screen()
        for _ in range(earlier):
            await screen.shows.show([told()])
        screen.drawn.clear()
        await screen.shows.show([told(cards=5)])
        await asyncio.sleep(0.3)
        assert len(screen.drawn) == 3  # the event, one card, two cards
        await screen.shows.show([told()])
        await asyncio.sleep(60.0)
        assert len(screen.drawn) == 4
        assert screen.model.verdicts.now is None

    run(play())


def test_a_count_goes_on_to_its_last_card() -> None:
    """Each card has a frame of its own, a quarter of a second after the one before."""

    async def play() -> None:
        screen = Screen()
        await screen.shows.show([told(cards=5)])
        await asyncio.sleep(60.0)
        begun, *counted = screen.drawn[:6]
        assert counted == [begun + 0.25 * card for card in range(5)]

    run(play())


@pytest.mark.parametrize("again", ["Bravo!", "Wow!"])
def test_an_emote_stays_for_its_whole_time_after_one_before_it(again: str) -> None:
    """Two seconds after the first one, even the same one counts anew; another seat's is its own."""

    async def play() -> None:
        screen = Screen()
        said, seen = {0: "Bravo!", 2: again, 1: "Ouch!"}, list[tuple[int, ...]]()
        for second in range(7):
            if second in said:
                name = "Berto" if second == 1 else "Ann"
                await screen.shows.show([Said(Verbatim(name), Verbatim(said[second]))])
            seen.append(tuple(sorted(screen.model.says)))
            await asyncio.sleep(1.0)
        assert seen == [(0,), (0, 1), (0, 1), (0, 1), (0,), (), ()]

    run(play())


def test_an_error_goes_away_with_its_moment() -> None:
    """It's there for long enough to be read, and then until the next event."""

    async def play() -> None:
        screen = Screen()
        screen.prompt.trouble = "You can't do that now."
        screen.shows.tick(stepped=False)
        await asyncio.sleep(LASTS / 2)
        await screen.shows.show([told()])
        assert screen.prompt.trouble
        await asyncio.sleep(LASTS)
        screen.shows.tick(stepped=False)
        assert screen.prompt.trouble
        await screen.shows.show([told()])
        assert not screen.prompt.trouble
        screen.prompt.trouble = "Choose exactly 3."
        screen.shows.tick(stepped=False)
        await asyncio.sleep(LONGEST)
        screen.shows.tick(stepped=False)
        assert not screen.prompt.trouble

    run(play())
