"""The 10 Horses of the Board Game (rulings 11, 12, 26, 28)."""

from __future__ import annotations

from tavolata import Deck
from tavolata_horse_fever.cards.effects import Effect, Moment
from tavolata_horse_fever.cards.faces import HorseCard

HORSES = (
    HorseCard(36, "Costantino", (Effect(Moment.SPRINT, sets=2),)),
    HorseCard(37, "El Guapo", (Effect(Moment.ODDS, adds=2),)),
    HorseCard(38, "La Longue Carabine", (Effect(Moment.FINISH, adds=3),)),
    HorseCard(39, "Napoleon", (Effect(Moment.LAST, sets=4),)),
    HorseCard(40, "The Fury", (Effect(Moment.START, sets=4),)),
    HorseCard(41, "Varonne", (Effect(Moment.START, adds=2),)),
    HorseCard(42, "Biscuit De Mer", (Effect(Moment.ODDS, adds=-2), Effect(Moment.OWNER, adds=600))),
    HorseCard(43, "Bosson", (Effect(Moment.START, sets=0), Effect(Moment.OWNER, adds=600))),
    HorseCard(44, "Giumenta", (Effect(Moment.COUNT, sets=2),)),
    HorseCard(45, "Troy", (Effect(Moment.SWAP),)),
)

HORSE_DECK = Deck("horse", HORSES)
