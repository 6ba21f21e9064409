"""Bets that are on the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_, Seat, Text
from tavolata_horse_fever.colours import Colour

WIN_BET = N_("{horse} to win, {stake} D")
PLACE_BET = N_("{horse} to place, {stake} D")


class Side(Enum):
    """The two sides of a bet token."""

    WIN = N_("to win")
    PLACE = N_("to place")


@dataclass(frozen=True, slots=True)
class Stake:
    on: tuple[Colour, Side]
    coins: int


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet on the table. Its stake already belongs to the bank."""

    seat: Seat
    horse: Colour
    side: Side
    stake: int

    @property
    def text(self) -> Text:
        message = WIN_BET if self.side is Side.WIN else PLACE_BET
        return Text(message, {"horse": self.horse, "stake": self.stake})
