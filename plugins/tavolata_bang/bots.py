"""The bots of Bang: how fast they recognize a reason to bang, and how often they are wrong."""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override

from tavolata import View
from tavolata.bots import Chance, RandomBot, Reflex, Window
from tavolata_bang.options import USUAL_HURRY, BangOptions
from tavolata_bang.patterns import reason
from tavolata_bang.rules import Bang


class EasyBot(RandomBot):
    """Not fast, and easily startled. All times grow with a longer `hurry` than the default one.

    Attributes:
        sees: of a hundred reasons to bang, how many it sees.
        startled: of a thousand cards without a reason, how many it bangs at.
        fastest: milliseconds that its fastest bang at a double takes.
        spread: milliseconds that may be added to that; half of it is as a rule.
        lingers: milliseconds by which it lays its cards later than it might.
    """

    level = "easy"
    sees: ClassVar[int] = 80
    startled: ClassVar[int] = 12
    fastest: ClassVar[int] = 420
    spread: ClassVar[int] = 700
    lingers: ClassVar[int] = 0

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """Bang at a reason that it sees, or thinks it sees; otherwise continue, if that's its move."""
        game = view.game
        if view.seat in window.questions and isinstance(game, Bang) and isinstance(view.options, BangOptions):
            why = reason([card.face for card in game.pile], view.options.patterns)
            if why is not None and chance.percent(self.sees):
                return self.bang(window, chance, why.harder)
            if why is None and chance.below(1000) < self.startled:
                return self.bang(window, chance)
        going = self.go_on(view, window, chance)
        return going and Reflex(going.value, going.ms + self.lingers)

    def bang(self, window: Window, chance: Chance, more: int = 0) -> Reflex:
        """Return its bang: its fastest and some more, in the tempo of the table."""
        milliseconds = self.fastest + more + self.delay(chance)
        return Reflex(True, milliseconds * max(window.hurry, USUAL_HURRY) // USUAL_HURRY)

    def delay(self, chance: Chance) -> int:
        """Return a delay: mostly about half of the spread, seldom next to nothing or all of it."""
        return (chance.below(self.spread) + chance.below(self.spread)) // 2


class SlowBot(EasyBot):
    """For children and beginners: it sees half of the reasons, late, and gives everybody time to look."""

    level = "slow"
    sees = 55
    startled = 15
    fastest = 1000
    spread = 1400
    lingers = 700


class NormalBot(EasyBot):
    """As fast as people are who pay attention; it misses a few, and is wrong now and then."""

    level = "normal"
    sees = 88
    startled = 9
    fastest = 360
    spread = 620


class HardBot(EasyBot):
    """As fast as people are at their best; it misses hardly any. Concentrated, one can beat it."""

    level = "hard"
    sees = 94
    startled = 6
    fastest = 300
    spread = 540
