"""A newcomer's guide to Zompa: what a card does to whom, and what the dead can hope for."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.decks import ItalianRank as Rank
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import BET, CALLS, DIES, LURES, OFF, PAYS_IN, RISEN, SELF, Bet, bet_on

GOAL = N_(
    "The last player with fiches wins; you start with {n}. Each card hits the "
    "next living player. Luck does the rest, but watch your tongue."
)
DEALING = N_("You're the dealer: turn up the next card, and the next living player is called.")
CARDS = {
    Rank.ACE: N_(
        "An ace sends two fiches to the centre. If the called player has only one, the next player pays the "
        "other."
    ),
    Rank.FANTE: N_("A fante sends a fiche back to the previous seat, even if its player is dead."),
    Rank.HORSE: N_(
        "A horse jumps: a fiche skips the next seat and lands at the one after it, even if "
        "that player is dead."
    ),
    Rank.KING: N_("A king takes: the called player gets a fiche from the centre, if there is one."),
}
NOTHING = N_("This card does nothing. The next living player is called.")
YOUR_NAME = N_("Your name was called: this card is for you.")
DEAD = N_(
    "With no fiches you're dead and your name isn't called; but a fante or a horse can "
    "send you a fiche and revive you."
)
BACK = N_("A single fiche is enough to come back to life and be called again.")
VOICE = N_("A dead player tries to get a living one to talk. An answer costs a fiche; silence is free.")
CENTRE = N_("Kings take fiches back out of the centre.")
NEIGHBOURS = N_("If a player would have to pay themselves, the fiche stays where it is.")
BETTING = N_(
    "24 of the 40 cards aren't aces, fanti, horses or kings, so “any other card” wins most often. "
    "Not betting is safest."
)


def hints(view: View, about: Ask | Event) -> Iterator[Text]:
    if isinstance(about, Ask):
        if about.question is BET:
            others = sum(bet_on(face.rank) is Bet.OTHER for face in ITALIAN_40.faces)
            yield text(BETTING, holds=lambda: (others, len(ITALIAN_40)) == (24, 40))
        else:
            yield text(DEALING)
        return
    options = view.options
    assert isinstance(options, ZompaOptions)
    if about.params.get("number") == 1:
        yield text(GOAL, n=options.fiches)
    elif about.message == CALLS and isinstance(face := about.params["card"].face, ItalianFace):
        if about.params["seat"] == view.seat:
            yield text(YOUR_NAME)
        house = {Rank.TWO: options.twos, Rank.FIVE: options.fives or OFF, Rank.SEVEN: options.sevens}
        if house.get(face.rank, OFF) is OFF:
            yield text(CARDS.get(face.rank, NOTHING))
    elif about.message in _TOLD:
        yield text(_TOLD[about.message])


_TOLD = {DIES: DEAD, RISEN: BACK, PAYS_IN: CENTRE, SELF: NEIGHBOURS} | dict.fromkeys(LURES, VOICE)
