"""The replay of a match on a browser's page: the moments of the last match, with its player's eyes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tavolata._engine.review.replay import Replay
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.text import Json
from tavolata._ui.tui.model.director import PACES
from tavolata._ui.tui.model.replay_model import ReplayModel
from tavolata.errors import MessageError


class BrowserReplay:
    """A match that is shown again on one page, through the eyes of `seat`; None for a spectator's.

    `read` may take seconds, and is called in a thread of its own. `changed` is called when another moment is
    to be shown; `failed` takes the reason why there isn't one, and `model` stays None.
    """

    def __init__(
        self,
        read: Callable[[], Replay],
        translator: Translator,
        package: str,
        seat: int | None,
        changed: Callable[[], object],
        failed: Callable[[MessageError], object],
    ) -> None:
        self.model: ReplayModel | None = None
        self._changed = changed
        self._failed = failed
        self._task = asyncio.create_task(self._open(lambda: _rehearsed(read(), translator, package, seat)))

    async def _open(self, read: Callable[[], ReplayModel]) -> None:
        try:
            self.model = model = await asyncio.to_thread(read)
        except MessageError as error:
            self._failed(error)
            return
        self._play(model)
        await self._go_on(model)

    async def _go_on(self, model: ReplayModel) -> None:
        while model.playing:
            await asyncio.sleep(model.seconds(PACES["normal"]))
            model.go(model.at + 1)
            model.playing = model.at < model.last
            self._changed()

    def _play(self, model: ReplayModel) -> None:
        if model.at == model.last:
            model.go(0)
        model.playing = True
        self._changed()

    def do(self, said: Json) -> None:
        """Go to a moment or to the next great one, play or pause.

        Raise `TypeError` or `ValueError` for anything else.
        """
        model = self.model
        if model is None:
            return
        what, number = said.get("what"), said.get("n", 0)
        if type(number) is not int:
            raise TypeError(number)
        self._task.cancel()
        if what == "play":
            if model.playing:
                model.playing = False
            else:
                self._play(model)
        elif what == "go":
            model.playing = False
            model.go(number)
        elif what == "peak":
            model.to_peak(1 if number > 0 else -1)
        if model.playing:
            self._task = asyncio.create_task(self._go_on(model))

    def close(self) -> None:
        self._task.cancel()


def _rehearsed(replay: Replay, translator: Translator, package: str, seat: int | None) -> ReplayModel:
    model = ReplayModel(replay, translator, package, seat)
    model.rehearse()
    return model
