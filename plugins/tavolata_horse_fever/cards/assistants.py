"""The 13 Assistants of the Board Game (rulings 18, 24, 26, 31, 32)."""

from __future__ import annotations

from tavolata import Deck
from tavolata_horse_fever.cards.effects import Effect, Moment
from tavolata_horse_fever.cards.faces import Assistant

ASSISTANTS = (
    Assistant(23, "Adalbert Diplomatsch", (Effect(Moment.OBJECTIVE_PRICE, sets=0),)),
    Assistant(24, "Tommy Style", (Effect(Moment.ASSISTANT_PRICE, sets=0),)),
    Assistant(25, "Francisco Caballos", (Effect(Moment.HORSE_PRICE, sets=0),)),
    Assistant(26, "Franz Galopp", (Effect(Moment.STABLE_PRICE, adds=-600),)),
    Assistant(27, "Michele Cuorlione", (Effect(Moment.UNDERWORLD_LOAN, sets=4000),)),
    Assistant(28, "Aronne Dal Banco", (Effect(Moment.BANK_LOAN, sets=1500),)),
    Assistant(29, "Didier Addition", (Effect(Moment.PASSING, adds=400),)),
    Assistant(30, "Justice Bros", (Effect(Moment.COUNT, sets=2),)),
    Assistant(31, "Brian O'Fist", (Effect(Moment.FROM_RIGHT, adds=200),)),
    Assistant(32, "Pedro Pugno", (Effect(Moment.FROM_LEFT, adds=200),)),
    Assistant(33, "Daniel Jackson", (Effect(Moment.INCOME, adds=300),)),
    Assistant(34, "Cédric Copieur", (Effect(Moment.SWAP),)),
    Assistant(35, "François Riche", (Effect(Moment.BOUGHT, adds=800),)),
)

ASSISTANT_DECK = Deck("assistant", ASSISTANTS)
