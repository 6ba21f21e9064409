"""The house rules of Mercante in fiera."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Options, option


@dataclass(frozen=True, kw_only=True)
class MercanteOptions(Options):
    """What a table agrees on."""

    prizes: int = option(3, "Number of cards that win a prize.", title=N_("prizes"), low=1, high=5)
    auctions: bool = option(
        True, "The merchant sells some cards to the highest bidders.", title=N_("auctions")
    )
    fairs: bool = option(True, "Players can sell cards to each other twice in a match.", title=N_("fairs"))
