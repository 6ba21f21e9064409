"""The feed: all that a session says, taken at once, and kept for the screens that show it in turn."""

from __future__ import annotations

import contextlib
import time

from tavolata._engine.match.updates import Asked
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.eyes import as_seen_by, watch
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.director import Director
from tavolata._ui.tui.model.table_model import TableModel


class Feed:
    """The feed of one session; it continues while its match is watched again.

    `model` has been shown, `director` holds the rest. `failure` is raised again when the screen is gone.
    `is_left` is set when the match was left for good.
    """

    def __init__(self, session: TableSession, translator: Translator, pace: float) -> None:
        self.session = session
        self.model = TableModel(session, translator)
        self.director = Director(pace)
        self.failure: BaseException | None = None
        self.is_left = False
        self._asked_at: dict[int, float] = {}

    async def follow(self) -> None:
        """Take all updates from the session at once; they're shown later at the chosen pace."""
        model, director = self.model, self.director
        # A snapshot of the board is kept at each event, because the match goes on while it is shown.
        watch(self.session.match, model)
        try:
            async with contextlib.aclosing(self.session.updates()) as updates:
                async for update in updates:
                    if isinstance(update, Asked):
                        self._asked_at[update.ask.id] = time.monotonic()
                    director.add(as_seen_by(update, model))
                    watch(self.session.match, model)
        except Exception as error:  # noqa: BLE001 - kept, and raised again when the screen is gone
            self.failure = error
        # After a match, people can look at its last board for as long as they like.
        shown = (model.ended is not None or director.has_end) and not self.is_left
        director.end(ended=self.failure is not None or not shown)

    def seconds_left(self) -> int | None:
        """Return the seconds left for the first open question with a time limit; None without one."""
        now = time.monotonic()
        for ask in [*self.model.asks, *self.model.others]:
            if ask.seconds is not None:
                return max(0, round(ask.seconds - (now - self._asked_at.get(ask.id, now))))
        return None
