"""Marks of changes: how long they stay, and what takes them off the table."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.ui.virtual_time import run

from tavolata import Seat
from tavolata._engine.match.updates import Told, WindowClosed, WindowOpened
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.director import Director
from tavolata._ui.tui.model.marking import FADE, Marking
from tavolata._ui.tui.model.table_model import Glance, TableModel
from tavolata.messages import Event
from tavolata.windows import Window
from tavolata.zones import Zone, tokens_zone


def points(number: int) -> dict[str, Zone]:
    return {"points": tokens_zone("points", "Points", [(Seat(0), number)])}


class Table:
    """A table on which a seat gets points."""

    def __init__(self, pace: float = 1.0) -> None:
        self.now = 0
        terms = SimpleNamespace(names=("Ann",))
        self.view = SimpleNamespace(zones=lambda: points(self.now))
        match = SimpleNamespace(terms=terms, texts_of=lambda _: {}, view=lambda _: self.view, over=True)
        session: Any = SimpleNamespace(match=match, people=(), package="", names=("Ann",), hidden=set(),
                                       looks=())  # fmt: skip
        self.model: Any = TableModel(session, Translator("en"))
        self.marking = Marking(self.model, Director(pace, lambda: 0.0))

    def show(self, update: Any) -> None:
        self.marking.take([update])
        assert self.marking.mark([update])

    def scored(self, number: int) -> None:
        self.now = number
        self.show(Told(Event("x", {}), Glance(points(number), 0, "x")))


@pytest.mark.parametrize("pace", [0.5, 1.0])
def test_marks_fade_after_their_time_or_after_all_of_it_again(pace: float) -> None:
    """Whoever couldn't see them until now has the whole time."""

    async def play() -> None:
        table = Table(pace)
        table.scored(1)
        table.scored(2)
        assert table.model.before == points(1)
        await asyncio.sleep(FADE)
        assert not table.marking.fade()
        table.marking.anew()
        await asyncio.sleep(FADE)
        assert not table.marking.fade()
        await asyncio.sleep(0.1)
        assert table.marking.fade()
        assert table.model.before is None
        assert not table.marking.fade()

    run(play())


def test_marks_that_are_held_stay_though_others_faded_before() -> None:
    """Where everything is shown at once, what has changed since the last answer stays marked."""

    async def play() -> None:
        table = Table()
        table.scored(1)
        table.marking.hold()
        table.marking.anew()
        await asyncio.sleep(10 * FADE)
        assert not table.marking.fade()
        assert table.model.before == points(1)

    run(play())


def test_a_window_takes_all_marks_off_the_table() -> None:
    """What changes after it is compared with what lay there, however soon it comes."""

    async def play() -> None:
        table, window = Table(), Window(1, {}, Seat(0))
        table.scored(1)
        table.scored(2)
        table.show(WindowOpened(window, ()))
        assert table.model.before is None
        table.show(WindowClosed(window))
        table.scored(3)
        assert table.model.before == points(2)

    run(play())
