"""Those who play Jumpy Jack without being people: where they send their horses, and how they hide them.

A bot is a function of its view.
"""

from __future__ import annotations

from tavolata import Answer, Ask, Bot, Chance, Kind, View


class EasyBot(Bot):
    """Placeholder."""

    level = "easy"

    def choose(self, view: View, ask: Ask, kind: Kind, chance: Chance) -> Answer:
        """Any."""
        return kind.nth(chance.below(kind.count()))


class NormalBot(EasyBot):
    """Placeholder."""

    level = "normal"


class HardBot(EasyBot):
    """Placeholder."""

    level = "hard"
