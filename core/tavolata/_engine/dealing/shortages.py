"""Whether the dealing can go on with the machines that are there, and what would help where it can't."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tavolata._engine.match.entries import NUMBER, SHOWN, SHUFFLED

if TYPE_CHECKING:
    from tavolata._engine.dealing.deal import Deal
    from tavolata._engine.dealing.key_making import KeyMaking

LEAST: Final = 2
"""How many have to be there for keys to be made."""


def shortage(deal: Deal) -> tuple[int, int] | None:
    """How many machines are there for what is wanted, and how many it takes; None if that is enough."""
    wanted = deal.rings.making or _wanted_keys(deal)
    here = len(deal.parties.here)
    if wanted is None and deal.openings.want is not None and here < LEAST:
        return here, LEAST  # keys themselves can't be made
    if wanted is None or deal.rings.reaches(wanted):
        return None
    return sum(map(deal.parties.is_here, wanted.crew)), wanted.threshold


def needs_return(deal: Deal) -> tuple[int, int] | None:
    """The shortage, if only somebody's return ends it: a bot that stands in has no keys.

    None where a bot may help: once those who are missing have been given up, two machines that are
    there make keys anew; but what was begun under keys takes those keys to its end.
    """
    want = deal.openings.want
    anew = deal.rings.making is not None or (want is not None and want.kind == NUMBER)
    return None if anew and len(deal.parties.here) >= LEAST else shortage(deal)


def is_lost(deal: Deal) -> bool:
    """Whether hidden cards can't be opened any more, because too many were convicted."""
    if len(deal.parties) - len(deal.parties.convicted) < LEAST:
        return True
    used = {slot.epoch for slot in deal.laid.slots.values()}
    return not all(deal.rings.can_return(deal.rings.done[epoch]) for epoch in used)


def _wanted_keys(deal: Deal) -> KeyMaking | None:
    """The keys that what is wanted takes; None if nothing is, or there are none yet."""
    want, slots = deal.openings.want, deal.laid.slots
    if want is None:
        return None
    if want.kind == SHUFFLED:
        return deal.piles.wanted_keys
    if want.kind == NUMBER:
        return deal.rings.current
    hidden = [
        card
        for card, seat in zip(want.cards, want.seats or want.cards, strict=True)
        if card in slots and (want.kind != SHOWN or not deal.parcels.is_sent(card, seat))
    ]
    return deal.rings.done[slots[hidden[0]].epoch] if hidden else None
