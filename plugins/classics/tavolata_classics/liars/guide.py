"""A newcomer's guide to Liar's Dice."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.liars.rules import CALLED, Liars, LiarsOptions

GOAL = N_("Bid on everyone's dice together, not just your own. The last player with dice wins.")
WILD = N_("Ones count as any number, so expect a third of the hidden dice to count towards any bid.")
TAME = N_("Expect a sixth of the hidden dice to count towards any bid.")
RAISE = N_("Raise the bid, or call it. With {n} dice hidden from you, expect about {many} of them to count.")
LIFTED = N_("If enough dice count, the caller loses a die; otherwise the bidder does.")


def hints(view: View[Liars], about: Ask[object] | Event) -> Iterator[Text]:
    options, game = view.options, view.game
    assert isinstance(options, LiarsOptions)
    if isinstance(about, Event):
        if about.message == CALLED:
            yield text(LIFTED)
    elif game.bid is None:
        yield text(GOAL)
        yield text(WILD if options.wild else TAME)
    else:
        hidden = sum(len(cup) for cup in game.cups if cup.owner != about.seat)
        yield text(RAISE, n=hidden, many=hidden // (3 if options.wild else 6))
