"""The line-up of the Board Game: owners put their Horses into lanes (rulings 12, 28)."""

from __future__ import annotations

from tavolata import N_, Choice, Seat, one_of
from tavolata_horse_fever.cards.effects import Moment, worth
from tavolata_horse_fever.colours import Colour
from tavolata_horse_fever.rules.table import HorseFeverTable, T

WHICH_HORSE = N_("Which Horse will run for {stable}?")

NO_HORSE = Choice(None, N_("no Horse"), verb=N_("Don't line up a Horse"))


async def line_up(g: HorseFeverTable, t: T) -> None:
    """From the First Player on, each player may line up one Horse for each of their stables."""
    t.tell(N_("The starting line."))
    for seat in g.around(t):
        for stable in g.stables_of(seat):
            if g.horses[seat]:
                await lead_out(g, t, seat, stable)


async def lead_out(g: HorseFeverTable, t: T, seat: Seat, stable: Colour) -> None:
    """Line up one Horse or none. A Horse that changes the odds does so at once, and for good (28)."""
    horses = g.horses[seat]
    card = await t.ask(
        seat, one_of([NO_HORSE, *map(Choice, horses)]),
        WHICH_HORSE, N_("{seat} goes to the stables."),
        seat=seat, stable=stable.stable, verb=N_("Line up {choice}"),
    )  # fmt: skip
    if card is None:
        return
    g.gates[stable].put(horses.take(card))
    t.tell(N_("{seat} lines up {card} for {stable}."), seat=seat, card=card, stable=stable.stable)
    if rows := worth(card.face.effects, Moment.ODDS, 0):
        g.shift(stable, rows)
        t.tell(N_("{stable} is at 1:{odds} now."), stable=stable, odds=g.odds[stable])
