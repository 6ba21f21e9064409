"""The thinker: the bot of the level that every game has, also a game whose author wrote no bot.

It searches (`bots.SearchBot`). In the worlds that it imagines the game's easiest bot plays on, which is the
quickest; what the game's best bot would say is unless something else does clearly better.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from tavolata._engine.match.seating import THINKER
from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._players import Bot, RandomBot

SECONDS = 1.0
"""How long it thinks about a question, unless somebody wants it otherwise."""
_STRONG = ("hard", "normal", "easy")


class Thinker(SearchBot):
    """A bot that thinks ahead, with the bots of a game for advice and for its playouts."""

    level = THINKER
    _written: tuple[type[Bot], type[Bot] | None] = (RandomBot, None)

    @override
    def __reduce__(self) -> Any:
        return _made, (*self._written, self.seconds), self.__dict__


def thinker(bots: Mapping[str, type[Bot]], seconds: float = SECONDS) -> type[Bot]:
    written = {level: bot for level, bot in bots.items() if level != RandomBot.level and not bot.seconds}
    if not written:
        return _class(RandomBot, None, seconds)
    first = next(iter(written))
    best = next((level for level in _STRONG if level in written), first)
    quick = next((level for level in reversed(_STRONG) if level in written), first)
    return _class(written[quick], written[best], seconds)


def _class(policy: type[Bot], adviser: type[Bot] | None, seconds: float) -> type[Thinker]:
    speaks = policy if adviser is None else adviser
    made: type[Thinker] = type(
        "Thinker", (Thinker,),
        {
            "__doc__": Thinker.__doc__, "seconds": seconds, "_written": (policy, adviser),
            "policy": policy(), "adviser": None if adviser is None else adviser(),
            "interjects": speaks.interjects, "interjecting": staticmethod(speaks.interjecting),
        },
    )  # fmt: skip
    return made


def _made(policy: type[Bot], adviser: type[Bot] | None, seconds: float) -> Thinker:
    return _class(policy, adviser, seconds)()
