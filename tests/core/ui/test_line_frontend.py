"""The order in which a frontend of lines shows things."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, cast

from tavolata._engine.match.updates import Told, Update
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata.messages import Event


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


def test_what_can_be_done_comes_after_all_that_has_led_to_it() -> None:
    """The events of a turn are shown without anything between them, then what may be done now."""
    frontend = Frontend(Turns())
    asyncio.run(frontend._show_all())
    first, second = ([f"The {turn} card.", f"What the {turn} card does."] for turn in ("first", "second"))
    assert frontend.noted[:5] == [*first, "caught up", *second]
