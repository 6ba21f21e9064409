"""Colours, a game for tests: whoever is first takes one of three colours, at any time.

Written by the public API alone, as a stranger would; rehearsals load it from this file.
"""

from __future__ import annotations

from tavolata import (
    N_,
    Choice,
    Game,
    Options,
    Outcome,
    Question,
    Seat,
    Table,
    hookimpl,
    interjection,
    one_of,
)

COLOURS = {"red": N_("red"), "green": N_("green"), "blue": N_("blue")}


class Colours(Game[Options]):
    """Three colours for up to four, none twice."""

    name, title, seats = "colours", N_("Colours"), (2, 4)

    def setup(self, t: Table[Options]) -> None:
        """All colours are there."""
        self.left = list(COLOURS)
        self.taken: dict[Seat, str] = {}

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """The first seat says when it is over."""
        over = await t.ask(
            t.ring.starting(t.first_seat)[0],
            one_of([Choice(False, N_("play on")), Choice(True, N_("end it"))]),
            N_("Is it over?"),
            N_("{seat} says when it is over."),
        )
        return Outcome(tuple(seat for seat in t.ring if seat in self.taken)) if over else None

    @interjection(N_("take {value}"))
    def take(self, t: Table[Options], seat: Seat, colour: str) -> None:
        """Nobody else can take it now."""
        self.left.remove(colour)
        self.taken[seat] = colour
        t.tell(N_("{seat} takes {colour}."), seat=seat, colour=colour)

    @take.choices
    def _colours(self, t: Table[Options], seat: Seat) -> Question[str] | None:
        if seat in self.taken or not self.left:
            return None
        return one_of([Choice(colour, COLOURS[colour]) for colour in self.left])


@hookimpl
def tavolata_games() -> list[type[Game[Options]]]:
    """The game of this package."""
    return [Colours]
