"""Thoughts: a question that a bot takes its time for, and what came of it.

What it takes to think is in `thinkers` and in the process that it starts; most tables never need it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from tavolata._engine.match.updates import AnswerNumber, Hinted
from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._players import Bot, RandomBot
from tavolata.asks import Ask
from tavolata.messages import N_, text

NO_THOUGHT = N_("{name} can't think ahead right now ({problem}) and gives a quick answer.")


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


NO_CHOICE = N_("There's nothing to choose here, so a thinker has no advice.")
STILL_THINKS = N_("The thinker is still thinking.")
BETTER = N_("A thinker would choose {best}, then {others}. In brackets: the share of simulated deals won.")
BY_POINTS = N_(
    "A thinker would choose {best}: it gives more points or a better place than {others}. In brackets: "
    "the share of simulated deals won."
)
NOT_BETTER = N_(
    "A thinker would choose {best}; {others} did about as well. In brackets: the share of simulated "
    "deals won."
)
ONE_ANSWER = N_("A thinker would choose {best}; it had no time to try anything else.")
TOO_FEW = N_("In the time it had, a thinker simulated too few deals ({n}) to give advice.")
TRIED = N_("{answer} ({share}% of {n})")
FIRST = 3
"""So many answers are told."""


def advice(ask: Ask, reply: Reply) -> Hinted:
    """What came of thinking about a question, for the person who is asked.

    Args:
        ask: the question.
        reply: the reply of the process that thinks.
    """
    from tavolata._engine.match.search import ENOUGH, WHOLE  # noqa: PLC0415 - few matches ask for advice

    seat = int(ask.seat)
    if reply.answer is None:
        return Hinted(N_("The thinker can't help here: {problem}."), {"problem": reply.problem}, seat)
    tried = [
        text(TRIED, answer=AnswerNumber(ask.question, number), share=round(100 * wins), n=visits)
        for number, visits, _, wins in reply.weighed[:FIRST]
    ]
    if tried and not reply.playouts:
        return Hinted(NO_CHOICE, {}, seat)  # only one answer is allowed: nothing was tried
    # What wins for sure needs no second try.
    if not tried or (reply.weighed[0][1] < ENOUGH and reply.weighed[0][2] < WHOLE):
        return Hinted(TOO_FEW, {"n": reply.playouts}, seat)
    best = tried[0]
    if len(tried) == 1:
        return Hinted(ONE_ANSWER, {"best": best}, seat)
    worths = [worth for _, _, worth, _ in reply.weighed[:FIRST]]
    shares = {one.params["share"] for one in tried}
    message = NOT_BETTER if max(worths) > worths[0] else BY_POINTS if len(shares) == 1 else BETTER
    return Hinted(message, {"best": best, "others": tried[1:]}, seat)
