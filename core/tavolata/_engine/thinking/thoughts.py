"""Thoughts: a question that a bot takes its time for, and what came of it.

What it takes to think is in `thinkers` and in the process that it starts; most tables never need it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._players import Bot, RandomBot
from tavolata.messages import N_

NO_THOUGHT = N_("{name} can't think now and gives a quick answer: {problem}.")


class Reply(NamedTuple):
    """The worker's reply.

    `answer` is a number; None if it failed, with the reason in English. `weighed` has the answers that were
    tried, the best first: number, visits, worth and share of wins. `playouts` counts the worlds that were
    tried.
    """

    number: int
    answer: int | None
    weighed: tuple[tuple[int, int, float, float], ...] = ()
    playouts: int = 0
    problem: str = ""


def quick(bot: Bot) -> Bot:
    """Return a bot that answers at once in place of one that thinks."""
    return bot.adviser or bot.policy if isinstance(bot, SearchBot) else RandomBot()


class Thinking:
    """A question that a bot thinks about; at the time `until` it counts as stuck."""

    def __init__(self, until: float, wake: Callable[[], object]) -> None:
        self.reply: Reply | None = None
        self.until = until
        self._wake = wake

    @property
    def answer(self) -> int | None:
        """The number of the answer; None while it thinks, and where it failed."""
        return None if self.reply is None else self.reply.answer

    def end(self, reply: Reply) -> None:
        if self.reply is None:
            self.reply = reply
            with suppress(RuntimeError):  # the event loop that it would wake is closed
                self._wake()
