"""The pictures of Mercante in fiera, and how the pot is split into prizes."""

from __future__ import annotations

from enum import Enum

from tavolata import N_, Deck


class Picture(Enum):
    """A picture; each of the two packs has all of them."""

    LANTERN = N_("lantern")
    ANCHOR = N_("anchor")
    SUN = N_("sun")
    MOON = N_("moon")
    STAR = N_("star")
    OWL = N_("owl")
    FOX = N_("fox")
    HARE = N_("hare")
    ROOSTER = N_("rooster")
    SWAN = N_("swan")
    DOLPHIN = N_("dolphin")
    TURTLE = N_("turtle")
    LION = N_("lion")
    BEAR = N_("bear")
    WOLF = N_("wolf")
    HORSE = N_("horse")
    ROSE = N_("rose")
    TULIP = N_("tulip")
    THISTLE = N_("thistle")
    OAK = N_("oak")
    SHIP = N_("ship")
    BRIDGE = N_("bridge")
    TOWER = N_("tower")
    MILL = N_("mill")
    WELL = N_("well")
    BELL = N_("bell")
    KEY = N_("key")
    CROWN = N_("crown")
    MIRROR = N_("mirror")
    FAN = N_("fan")
    MASK = N_("mask")
    VIOLIN = N_("violin")
    DRUM = N_("drum")
    HOURGLASS = N_("hourglass")
    UMBRELLA = N_("umbrella")
    KITE = N_("kite")
    BALLOON = N_("balloon")
    CARRIAGE = N_("carriage")
    GONDOLA = N_("gondola")
    PAGODA = N_("pagoda")


PACK = Deck("pack", list(Picture))
"""The cards that players own."""
MERCHANT = Deck("merchant", list(Picture))
"""The cards that say which of those have lost."""


def shares(pot: int, prizes: int) -> list[int]:
    """Return the prizes, the highest first: of three, 3, 2 and 1 sixths, and the rest for the first."""
    parts = range(prizes, 0, -1)
    values = [pot * part // sum(parts) for part in parts]
    values[0] += pot - sum(values)
    return values
