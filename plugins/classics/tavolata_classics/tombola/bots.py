"""The bots of Tombola: all of them see their prizes, but some are slow to call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Ask, Options, Question, Seat, View
from tavolata.bots import Bot, Chance, Interject
from tavolata_classics.tombola.rules import Tombola


class HardBot(Bot):
    """It calls at once."""

    level = "hard"
    interjects = True
    attention: ClassVar[int] = 100

    @override
    def choose(self, view: View[Tombola], ask: Ask[Any], chance: Chance) -> object:
        return ask.question.any(chance)

    @override
    def invited(self, options: Options) -> int:
        return self.attention

    @staticmethod
    @override
    def interjecting(game: Tombola, options: Options) -> Iterable[Seat]:
        """Only those who have a prize have something to say."""
        if game.prize is None:
            return []
        return [Seat(seat) for seat in range(len(game.cartelle)) if game.has_prize(Seat(seat))]

    @override
    def interject(
        self, view: View[Tombola], standing: Mapping[str, Question[Any]], chance: Chance
    ) -> Interject | None:
        prize, seat = view.game.prize, view.seat
        if "call" not in standing or seat is None or not view.game.has_prize(seat):
            return None
        return Interject("call", prize)


class NormalBot(HardBot):
    """It misses one number in four."""

    level = "normal"
    attention = 75


class EasyBot(HardBot):
    """It misses two numbers in three."""

    level = "easy"
    attention = 33
