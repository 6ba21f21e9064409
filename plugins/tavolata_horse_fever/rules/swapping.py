"""The swap of Cédric Copieur and Troy, which their buyer has to make (ruling 26)."""

from __future__ import annotations

from typing import Any

from tavolata import N_, Card, Choice, Pile, Seat, one_of
from tavolata_horse_fever.cards.effects import Moment, has
from tavolata_horse_fever.rules.table import HorseFeverTable, T

WHICH_SWAP = N_("What will you swap {card} for?")


async def swap(g: HorseFeverTable, t: T, seat: Seat, card: Card[Any], piles: list[Any]) -> None:
    """Ask the buyer for another player's card of this kind, and swap the two.

    If there isn't one, the buyer keeps the card. Only a buyer swaps, not a player who got the card by a swap.
    """
    if not has(card.face.effects, Moment.SWAP):
        return
    choices = [
        Choice((owner, other), N_("{owner}'s {card}"), params={"card": other, "owner": owner})
        for owner in t.ring
        if owner != seat and g.is_in(owner)
        for other in piles[owner]
    ]
    if not choices:
        t.tell(N_("There's nothing to swap {card} for."), card=card)
        return
    owner, other = await t.ask(
        seat, one_of(choices), WHICH_SWAP, N_("{seat} looks around with a smile."),
        seat=seat, card=card, verb=N_("Swap it for {choice}"),
    )  # fmt: skip
    theirs: Pile[Any] = piles[owner]
    mine: Pile[Any] = piles[seat]
    mine.put(theirs.take(other))
    theirs.put(mine.take(card))
    t.tell(N_("{seat} swaps {card} for {owner}'s {other}."), seat=seat, card=card, other=other, owner=owner)
