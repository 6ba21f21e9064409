"""A table screen without a terminal: a real match, real keys, and what can be read on the screen."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual.pilot import Pilot

from tavolata._engine.match.header import Header
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.review.replay import Replay
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import Afterwards
from tavolata._ui.tui.drawing.runs import Hotspot
from tavolata._ui.tui.input.trigger import GRACE, TRAIN
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.screens.frame import Left, Looks
from tavolata._ui.tui.screens.table_app import TableApp

NAMES = (
    "Ann", "Berto", "Carla", "Dino", "Elsa", "Fausto", "Gino", "Hanna", "Ida", "Jacopo", "Kim", "Lea",
    "Mario", "Nina", "Otto", "Pia", "Quirin", "Rosa", "Sara", "Teo",
)  # fmt: skip
PATIENCE = 60.0
RULES = "# Rules\n\nPlay *well*.\n\n## One\n\nFirst things."


class Played:
    """A screen that is played on."""

    def __init__(self, app: TableApp, pilot: Pilot[Left]) -> None:
        self.app = app
        self.pilot = pilot
        self._skipped = 0.0
        app.keyboard.clock = lambda: asyncio.get_running_loop().time() + self._skipped

    def text(self) -> str:
        """All that stands on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Press keys, each slowly enough for the trigger, as far as that knows."""
        for key in keys:
            self._skipped += TRAIN + GRACE
            await self.pilot.press(key)

    async def click(self, spot: Hotspot) -> None:
        """Click on a spot of the table, slowly enough for the trigger."""
        self._skipped += TRAIN + GRACE
        await self.pilot.click("#table", offset=(spot.x + 1, spot.y + spot.height // 2))

    async def until(self, what: Callable[[], object] | str) -> None:
        """Wait until something holds, or stands on the screen."""
        holds = what if callable(what) else lambda: what in self.text()
        async with asyncio.timeout(PATIENCE):
            while not holds():
                if failure := self.app.failure or self.app.feed.failure:
                    raise failure
                await self.pilot.pause(0.01)

    async def asked(self) -> None:
        """Wait until somebody here is to do something."""
        model = self.app.model
        await self.until(lambda: model.asks or model.ended or (model.window and model.window.mine))
        await self.pilot.pause()


def session(
    game: str, seats: int = 3, humans: int = 1, *, seed: int = 7, pace: float | None = None,
    think: float = 0.0, **options: Any,
) -> LocalSession:  # fmt: skip
    """A match in this process; the first seats are people's, the others bots', who think so long."""
    catalogue = Catalogue()
    loaded, bots = catalogue.game(game), catalogue.bots(game)
    levels = [None] * humans + ["easy" if "easy" in bots else "random"] * (seats - humans)
    header = Header(
        id=secrets.token_hex(8), game=game, version="1", rules_id=loaded.game.rules_id,
        options=loaded.game.options.parse(options).plain(), names=NAMES[:seats], bots=tuple(levels),
        seed=seed, pace=pace,
    )  # fmt: skip
    seated = [None if level is None else bots[level]() for level in levels]
    return LocalSession(header, loaded.game, loaded.info.package, seated, think=think)


@contextlib.asynccontextmanager
async def screen(
    at: Any,
    size: tuple[int, int] = (80, 24),
    lang: str = "en",
    *,
    after: Afterwards | None = None,
    is_new: bool = False,
    past: Callable[[], Replay | None] = lambda: None,
    **looks: Any,
) -> AsyncIterator[Played]:
    """Sit down at a match with a screen of this size; its game may be new to the person."""
    rules = Catalogue().game(at.game).game if at.match is None else at.match.rules
    translator = Translator(lang)
    shown = Looks(**{"pace": 0.0, **looks})
    app = TableApp(
        Feed(at, translator, shown.pace), translator, shown,
        title=translator.text(rules.title, {}, at.package), rules=lambda: RULES,
        after=after, is_new=lambda _: is_new, past=past,
    )  # fmt: skip
    follower = asyncio.create_task(app.feed.follow())
    try:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Played(app, pilot)
    finally:
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)


async def play_by_keys(played: Played, rounds: int = 10_000) -> None:
    """Answer with whatever is pointed at first, now and then with the next choice, until the match ends."""
    model = played.app.model
    for number in range(rounds):
        await played.asked()
        if model.ended is not None:
            return
        before = list(model.asks)
        if number % 5 == 4:
            await played.press("down")
        await played.press("enter")
        await played.pilot.pause()
        if model.own is None and model.asks == before and played.app.prompt.trouble:
            await played.press("right")  # refused: the next one may be legal
