"""A newcomer's guide to Bang: what just happened, and why; never what there is to bang at now."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_bang.options import BangOptions
from tavolata_bang.patterns import reason
from tavolata_bang.rules import DEALS, FREE, LAYS, OWES, PAID, RIGHT, WRONG, Bang

GOAL = N_(
    "Win all the cards. Play one on your turn, keep an eye on the pile, and bang before "
    "the others when it gives you a reason: {reasons}."
)
LEAD = N_("You begin a pile with the top card of your stack.")
GO_ON = N_("Play resumes where it left off before the bang: you lay the next card.")
MISSED = N_("No one banged, but there was a reason to: {why}. {what}")
TRIBUTE = N_(
    "A court card demands a tribute, paid one card at a time. If another court card comes up, that "
    "tribute ends; if not, the player who laid the first one takes the pile."
)
TAKEN = N_("The player who laid the court card takes the pile and starts the next one.")
STARTLED = N_("Reasons to bang here: {reasons}. A wrong bang costs cards; nothing else changes.")
NO_CARDS = N_("Without cards you can still bang and win some back, but only if you're right.")


def hints(view: View[Bang], about: Ask | Event) -> Iterator[Text]:
    game, options = view.game, view.options
    assert isinstance(options, BangOptions)
    if isinstance(about, Ask):
        yield text(GO_ON if game.pile else LEAD, holds=lambda: game.layer == about.seat)
        return
    reasons = tuple(pattern.value for pattern in options.patterns)
    if about.message == DEALS:
        yield text(GOAL, reasons=reasons)
    elif about.message == LAYS:
        laid = [card.id for card in game.pile]
        here = laid.index(about.params["card"].id) if about.params["card"].id in laid else 0
        why = reason([card.face for card in game.pile][:here], options.patterns)
        if why is not None:
            yield text(MISSED, why=why.value, what=why.looks)
    elif about.message == RIGHT:
        yield text(about.params["why"].looks)
    elif about.message == WRONG:
        yield text(STARTLED, reasons=reasons)
    elif about.message in _TOLD:
        yield text(_TOLD[about.message])


_TOLD = {OWES: TRIBUTE, PAID: TAKEN, FREE: NO_CARDS}
