"""The 12 characters (rulings 31, 33, 34)."""

from __future__ import annotations

from dataclasses import replace

from tavolata import Deck
from tavolata_horse_fever.cards.effects import Effect, Moment
from tavolata_horse_fever.cards.faces import Character

CHARACTERS = (
    Character(1, "Cranio Mercanti", (), 3400, odds=2),
    Character(2, "Steve McSkull", (), 3600, odds=3),
    Character(3, "Viktor von Schädel", (), 3800, odds=4),
    Character(4, "César Crâne", (), 4000, odds=5),
    Character(5, "Cranéo Cervantes", (), 4200, odds=6),
    Character(6, "Sigvard Skalle", (), 4400, odds=7),
    Character(7, "Antonio Vesuvio", (Effect(Moment.SECOND_BETS, sets=2),), 3000, starred=True),
    Character(8, "Eric Change", (Effect(Moment.TIP, sets=2),), 5000, starred=True),
    Character(9, "Miss Double", (Effect(Moment.SECOND_ROUND),), 5000, starred=True),
    Character(10, "Miss Paris", (Effect(Moment.PLACES, sets=4),), 5000, starred=True),
    Character(11, "Oliver Oil", (), 6000, starred=True),
    Character(12, "Otto Von Alt", (Effect(Moment.ACTIONS_PRICE, sets=0),), 4000, starred=True),
)
"""The characters of the rulebook. The numbers are ours, because the cards have none."""

PRINTED = {"Cranéo Cervantes": (4400, 7), "Sigvard Skalle": (4200, 6), "Miss Paris": (3000, None)}
"""Money and odds of the cards that differ from the rulebook (33)."""


def _deck(name: str, *, printed: bool, starred: bool) -> Deck[Character]:
    faces = [card for card in CHARACTERS if starred or not card.starred]
    if printed:
        faces = [_as_printed(card) for card in faces]
    return Deck(name, faces)


def _as_printed(card: Character) -> Character:
    money, odds = PRINTED.get(card.name, (card.money, card.odds))
    return replace(card, money=money, odds=odds)


DECKS = {
    (printed, starred): _deck(
        f"character{'-printed' if printed else ''}{'*' if starred else ''}", printed=printed, starred=starred
    )
    for printed in (False, True)
    for starred in (False, True)
}
"""The deck, by whether the printed values count and whether starred cards play along."""
