"""The 22 Action cards (rulings 6 to 13, and their table)."""

from __future__ import annotations

from tavolata import Deck
from tavolata_horse_fever.cards.effects import Effect, Moment, Tone
from tavolata_horse_fever.cards.faces import ActionCard


def green(number: int, name: str, letter: str, effect: Effect) -> ActionCard:
    return ActionCard(number, name, (effect,), Tone.GREEN, letter)


def red(number: int, name: str, letter: str, effect: Effect) -> ActionCard:
    return ActionCard(number, name, (effect,), Tone.RED, letter)


def grey(number: int, name: str, effect: Effect, *, starred: bool = False) -> ActionCard:
    return ActionCard(number, name, (effect,), Tone.GREY, starred=starred)


ACTION_CARDS = (
    green(1, "Magna Velocitas", "A", Effect(Moment.START, sets=4)),
    green(2, "Fortuna Benevola", "B", Effect(Moment.START, adds=1)),
    green(3, "Flagellum Fulguris", "C", Effect(Moment.SPRINT, adds=1)),
    green(4, "Herba Magica", "D", Effect(Moment.SPRINT, sets=2)),
    green(5, "In Igni Veritas", "F", Effect(Moment.PHOTO, sets=1)),
    green(6, "Fustis et Radix", "E", Effect(Moment.FINISH, adds=2)),
    green(7, "Vigor Ferreum", "G", Effect(Moment.LAST, sets=4)),
    red(8, "Globus Obscurus", "A", Effect(Moment.START, sets=0)),
    red(9, "Aqua Putrida", "B", Effect(Moment.START, adds=-1)),
    red(10, "Serum Maleficum", "C", Effect(Moment.SPRINT, most=0)),
    red(11, "Venenum Veneficum", "D", Effect(Moment.SPRINT, adds=-1)),
    red(12, "Mala Tempora", "F", Effect(Moment.PHOTO, sets=-1)),
    red(13, "XIII", "E", Effect(Moment.FINISH, most=0)),
    red(14, "Felix Infernalis", "G", Effect(Moment.FIRST, sets=0)),
    grey(15, "Alfio Allibratore", Effect(Moment.ODDS, adds=2)),
    grey(16, "Fritz Finden", Effect(Moment.LANE, removes=Tone.RED)),
    grey(17, "Pecunia Non Olet", Effect(Moment.BETTORS, adds=400), starred=True),
    grey(18, "Boss", Effect(Moment.POINTS, adds=1), starred=True),
    grey(19, "Steven Sting", Effect(Moment.ODDS, adds=-2)),
    grey(20, "Rochelle Recherche", Effect(Moment.LANE, removes=Tone.GREEN)),
    grey(21, "Armand Amende", Effect(Moment.BETTORS, adds=-400), starred=True),
    grey(22, "Boss!!!", Effect(Moment.POINTS, adds=-1), starred=True),
)

PLAIN_ACTION = Deck("action", [card for card in ACTION_CARDS if not card.starred])
ALL_ACTION = Deck("action*", ACTION_CARDS)
