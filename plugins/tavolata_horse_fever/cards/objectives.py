"""The 7 Objectives, two cards of each (ruling 29)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_, Deck, Text


class Goods(Enum):
    STABLES = N_("stables")
    ASSISTANTS = N_("Assistants")
    OBJECTIVES = N_("Objectives")
    HORSES = N_("Horses")
    MONEY = N_("Danari")
    POINTS = N_("points")


@dataclass(frozen=True, slots=True)
class Objective:
    """A secret aim: to have the most or the fewest of something at the end."""

    goods: Goods
    most: bool = True

    def __str__(self) -> str:
        return f"{'most' if self.most else 'fewest'} {self.goods.name.lower()}"

    @property
    def text(self) -> Text:
        return Text(N_("most {goods}") if self.most else N_("fewest {goods}"), {"goods": self.goods})


OBJECTIVES = (
    Objective(Goods.STABLES),
    Objective(Goods.ASSISTANTS),
    Objective(Goods.OBJECTIVES),
    Objective(Goods.HORSES),
    Objective(Goods.MONEY),
    Objective(Goods.STABLES, most=False),
    Objective(Goods.POINTS, most=False),
)

OBJECTIVE_DECK = Deck("objective", [*OBJECTIVES, *OBJECTIVES])
