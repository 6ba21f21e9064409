"""The order in which a frontend of lines shows things."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import pytest
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Asked, Told, Update
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata.errors import GameError
from tavolata.messages import Event
from tavolata.ring import SEATS

from .tui.playing import session


class Frontend(LineFrontend):
    """It notes what it shows, and when it has shown all."""

    def __init__(self, session: Any) -> None:
        self.noted: list[str] = []
        super().__init__(session, Translator("en"), self.noted.append, None)

    def show(self, update: Update) -> None:
        """Note it."""
        self.noted.append(cast("Told", update).event.message)

    def caught_up(self) -> None:
        """Note it."""
        self.noted.append("caught up")


class Turns:
    """A session of two turns with two events each, and a wait between them."""

    async def updates(self) -> AsyncGenerator[Update, None]:
        """The events."""
        for turn in ("first", "second"):
            yield Told(Event(f"The {turn} card.", {}))
            yield Told(Event(f"What the {turn} card does.", {}))
            await asyncio.sleep(0)


@pytest.mark.parametrize("front", [Plain, Ndjson])
def test_a_secret_is_shown_as_its_reader_sees_it(
    front: type[Plain | Ndjson], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two play in one pipe, a card in the second one's hand has its face in the second one's news."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    printed: list[str] = []

    async def play() -> None:
        at = session("conto", 3, humans=2)
        frontend: LineFrontend = front(at, Translator("en"), printed.append, None)
        async with aclosing(at.updates()) as updates:
            async for update in updates:
                if isinstance(update, Asked):
                    break
        assert at.match is not None
        for seat in at.people:
            mine = at.match.view(seat)
            card = next(one for one in at.match.table._pieces.cards if mine.face(one) and not one.is_public)
            frontend.show(Told(Event("A secret: {card}.", {"card": card}, (SEATS[seat],))))

    run(play())
    secrets = [line for line in printed if "secret: " in line]
    assert len(secrets) == 2
    assert not [line for line in secrets if "hidden" in line]


def test_what_can_be_done_comes_after_all_that_has_led_to_it() -> None:
    """The events of a turn are shown without anything between them, then what may be done now."""
    frontend = Frontend(Turns())

    async def play() -> None:
        follower = asyncio.create_task(frontend._follow())
        await frontend._show_all()
        follower.cancel()

    asyncio.run(play())
    first, second = ([f"The {turn} card.", f"What the {turn} card does."] for turn in ("first", "second"))
    assert frontend.noted[:5] == [*first, "caught up", *second]


def test_an_error_after_what_is_shown_ends_the_frontend() -> None:
    """Rules that fail while the acts out of turn are listed end the match, and leave no trace in the loop."""

    class Broken(Frontend):
        def caught_up(self) -> None:
            raise GameError("ValueError: boom")

    async def play() -> None:
        await Broken(session("zompa", 2, humans=1)).run()

    with pytest.raises(GameError, match="boom"):
        run(play())
