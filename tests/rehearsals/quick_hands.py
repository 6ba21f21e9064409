"""Quick Hands, a game for tests: a number comes up, and whoever presses first has a point."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tavolata import N_, Choice, Counters, Game, Options, Outcome, Table, Zone, hookimpl, one_of, option
from tavolata.zones import counters_zone

PRESS = one_of([Choice(True, N_("press"))])


@dataclass(frozen=True, kw_only=True)
class HandsOptions(Options):
    """House rules of Quick Hands."""

    rounds: int = option(10, "How many numbers come up.", low=1, high=10000)


class QuickHands(Game[HandsOptions]):
    """Press when a number comes up; the fastest of each round has a point."""

    name = "hands"
    title = N_("Quick Hands")
    seats = (2, 4)
    options = HandsOptions

    points: Counters

    def setup(self, t: Table[HandsOptions]) -> None:
        """No points yet."""
        self.bank = t.bank("bank")
        self.points = t.counters("points")

    async def turn(self, t: Table[HandsOptions]) -> Outcome | None:
        """A number; of equal times the seats come first by turns."""
        t.tell(N_("Up comes {n}."), n=await t.randrange(100))
        order = t.ring.starting(t.ring[t.turn % len(t.ring)])
        first = await t.react(dict.fromkeys(order, PRESS), seconds=10)
        if first is not None:
            self.bank.pay(1, self.points[first.seat])
            t.tell(N_("{seat} was first: {ms} ms, claimed {claimed}."),
                   seat=first.seat, ms=first.milliseconds, claimed=first.claimed)  # fmt: skip
        if t.turn + 1 < t.options.rounds:
            return None
        scores = tuple(self.points.values())
        return Outcome(tuple(seat for seat in t.ring if scores[seat] == max(scores)), scores=scores)

    def zones(self, t: Table[HandsOptions], viewer: Any) -> Iterable[Zone]:
        """The points."""
        yield counters_zone(self.points, N_("Points"))


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    """The game of this package."""
    return (QuickHands,)
