"""The bot that thinks ahead, for any game: it plays out worlds that its seat can imagine."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, ClassVar

from typing_extensions import override

from tavolata._players import Bot, Chance, ChatMessage, Interject, RandomBot, Reflex
from tavolata.asks import Ask
from tavolata.kinds.question import Question
from tavolata.options import Options
from tavolata.outcome import Outcome
from tavolata.view import View
from tavolata.windows import Window


class SearchBot(Bot):
    """A bot that thinks ahead: it tries its answers in many worlds that may be the true one.

    It needs nothing but the rules. In windows, and for interjections, it does what its adviser does, or its
    policy.

    Attributes:
        seconds: how long it thinks about a question.
        playouts: if not 0, it plays this many worlds and looks at no clock: then the same chance gives the
            same answer.
        policy: the bot that plays on in the worlds; a quick one.
        adviser: a bot whose answer is taken unless another one does clearly better; None for nobody's.
        looks_ahead: whether it remembers what followed in earlier worlds (a tree), or compares its own
            answers alone; None for a tree where no card is hidden.
    """

    seconds: ClassVar[float] = 1.0
    playouts: int = 0
    policy: Bot = RandomBot()
    adviser: Bot | None = None
    looks_ahead: bool | None = None
    _side: int = 1  # how many seats win together where it thinks

    def worth(self, outcome: Outcome, seat: int) -> int:
        """What an outcome is worth to a seat, from 0 to 1000: above all a win, then place and points."""
        from tavolata._engine.match.search import usual_worth  # noqa: PLC0415 - most matches have no thinker

        return usual_worth(outcome, seat, self._side)

    def weigh(self, view: View, ask: Ask, chance: Chance, *, seconds: float | None = None) -> Any:
        """All that came of thinking: `playouts`, and the answers tried, the best first (`weighed`).

        Each has its `number` for `ask.question.nth`, `visits`, mean `worth` (0 to 1000) and `wins` (0 to 1).

        Args:
            view: what the seat may know.
            ask: the question.
            chance: the bot's own chance.
            seconds: how long to think; None for `seconds` of the bot.
        """
        from tavolata._engine.match.search import Budget, WorldSearch  # noqa: PLC0415 - as above

        if seconds is None:
            seconds = self.seconds
        if self.playouts:
            seconds = 0.0
        self._side = view._side
        budget = Budget(seconds, self.playouts, monotonic)
        one = WorldSearch(view, ask, self.policy, self.worth, chance, budget, self.adviser)
        ahead = one.is_open() if self.looks_ahead is None else self.looks_ahead
        return one.in_a_tree() if ahead else one.halved()

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        weighed = self.weigh(view, ask, chance).weighed
        return (
            ask.question.nth(weighed[0].number)
            if weighed
            else (self.adviser or self.policy).choose(view, ask, chance)
        )

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        return (self.adviser or self.policy).react(view, window, chance)

    @override
    def invited(self, options: Options) -> int:
        return (self.adviser or self.policy).invited(options)

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        return (self.adviser or self.policy).interject(view, standing, chance)


SearchBot.__module__ = "tavolata.bots"  # as for the other bots: the name that authors import
