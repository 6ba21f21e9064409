"""The house rules of Zompa: what a table may agree on before it plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_, Options, option


class EmptyPot(Enum):
    """What a king finds when nothing is in the centre (ruling 9)."""

    NOTHING = N_("nothing")
    NEXT = N_("next")
    DEALER = N_("dealer")


class Talk(Enum):
    """How the living and the dead may talk (ruling 17)."""

    OFF = "off"
    OFFER = N_("offer")
    CHAT = N_("chat")


class Neighbour(Enum):
    """Which living player an optional card means (18): none, or the next one after or before a seat."""

    OFF = "off"
    FOLLOWING = N_("following")
    PRECEDING = N_("preceding")


@dataclass(frozen=True, kw_only=True)
class ZompaOptions(Options):
    """What a table agrees on (rulings 1, 9, 17, 18)."""

    fiches: int = option(4, "Fiches each player starts with.", title=N_("fiches"), low=1, high=20)
    empty_pot: EmptyPot = option(
        EmptyPot.NOTHING,
        "Payment for a king if the centre is empty: nothing, the next fiche paid in, or one from the dealer.",
        title=N_("king, empty centre"),
    )
    talk: Talk = option(
        Talk.CHAT,
        "Talking to the dead: off, only by choosing to call out or answer, or in the chat.",
        title=N_("talk with the dead"),
    )
    sevens: Neighbour = option(
        Neighbour.OFF,
        "On a seven, every living player passes a fiche to the next or previous player.",
        title=N_("sevens"),
    )
    twos: Neighbour = option(
        Neighbour.OFF,
        "On a two, every dead player takes a fiche from the next or previous living player.",
        title=N_("twos"),
    )
    fives: bool = option(
        False, "On a five, every living player may bet a fiche on the next card.", title=N_("fives")
    )
