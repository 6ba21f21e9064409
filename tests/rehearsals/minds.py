"""Thinkers of a rehearsal: they think as their process does, but here, and answer at a virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._engine.thinking.thinkers import Thinkers
from tavolata._engine.thinking.thoughts import Thinking
from tavolata._engine.thinking.worker import Request, answered
from tavolata._players import Bot
from tavolata.asks import Ask

WORLDS = 12
"""How many worlds a thinker tries: enough to compare answers, and no clock is looked at."""
SECONDS = 1.5
"""Seconds that a thought takes on its machine."""


class InlineThinkers(Thinkers):
    """Thinkers without a process; a thought of a machine that sleeps or dies ends as its timers do."""

    @override
    def ask(
        self,
        match: Match[Any],
        ask: Ask,
        bot: Bot,
        key: int,
        wake: Callable[[], object],
    ) -> Thinking:
        if isinstance(bot, SearchBot):
            bot.playouts = WORLDS
        return super().ask(match, ask, bot, key, wake)

    @override
    def _send(self, request: Request) -> None:
        asyncio.get_running_loop().call_later(SECONDS, self._reply, request)

    def _reply(self, request: Request) -> None:
        self._open.pop(request.number).end(answered(request))

    @override
    def is_over(self, one: Thinking) -> bool:
        return one.reply is not None
