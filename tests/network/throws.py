"""Throws, a game for tests: each turn has lots for all and for one seat, and more as somebody likes."""

from __future__ import annotations

from tavolata import N_, Game, Options, Outcome, Table, hookimpl, one_of

TURNS = 10
SIDES = 6


class Throws(Game[Options]):
    """Ten turns of three dice, and up to three more in each."""

    name, title, seats = "throws", N_("Throws"), (2, 8)

    def setup(self, t: Table[Options]) -> None:
        """Begin with nothing."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Throw for all, for the last seat, and as often as whoever is first likes."""
        await self._throw(t, 0)
        await self._throw(t, len(list(t.ring)))
        more = await t.ask(t.first_seat, one_of([0, 1, 3]), N_("How many more?"), otherwise=0)
        for _ in range(1 + more):
            await self._throw(t, 0)
        return Outcome(tuple(t.ring)) if t.turn + 1 == TURNS else None

    async def _throw(self, t: Table[Options], seat: int) -> None:
        value = await t.randrange(SIDES, list(t.ring)[seat - 1] if seat else None)
        t.tell(N_("{value} was thrown."), value=value)


@hookimpl
def tavolata_games() -> list[type[Game[Options]]]:
    """Return the game of this package."""
    return [Throws]
