"""The deal of the Family Game, and the end of a turn in both games (rulings 2, 17)."""

from __future__ import annotations

from tavolata import N_
from tavolata_horse_fever.colours import LANES, TOKENS
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import DEALT


async def deal(g: HorseFeverTable, t: T) -> None:
    """Shuffle all Action cards together, and deal two to everybody (2)."""
    announce(g, t)
    await t.shuffle(g.action, g.spent)
    await t.deal(g.action, [g.hands[seat] for seat in g.around(t)], each=DEALT)


def announce(g: HorseFeverTable, t: T) -> None:
    t.tell(N_("Turn {number} of {last}. {seat} is First Player."),
           number=g.turn_number, last=g.last_turn(t.options), seat=g.first)  # fmt: skip


def clear(g: HorseFeverTable, t: T) -> None:
    """Return all cards of the race, and pass the First Player card to the left."""
    for colour in LANES:
        g.lanes[colour].move_to(g.spent)
        g.slipped[colour] = []
        owner = g.owners[colour]
        if owner is not None:
            g.gates[colour].move_to(g.horses[owner])
        g.track.put(TOKENS[colour], 0)
    g.bets, g.shifts, g.before = [], [], dict(g.odds)
    g.first = t.ring.next(g.first, where=g.is_in)
    g.turn_number += 1
