"""Late Taps, a game for tests: each seat has six seconds to choose, then all may press in a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tavolata import N_, Choice, Game, Options, Outcome, Table, hookimpl, one_of, option
from tavolata.teams import Teams

TAKE = one_of([Choice(True, N_("take it")), Choice(False, N_("leave it"))])
PRESS = one_of([Choice(True, N_("press"))])


@dataclass(frozen=True, kw_only=True)
class TapOptions(Options):
    """House rules of Late Taps."""

    rounds: int = option(1, "How often all choose and may press.", low=1, high=10)


class LateTaps(Game[TapOptions]):
    """What's chosen or pressed too late counts nowhere."""

    name, title, seats, options, teams = "taps", N_("Late Taps"), (2, 6), TapOptions, Teams((2,))

    def setup(self, t: Table[TapOptions]) -> None:
        """Nobody has taken anything."""
        self.taken = [0] * len(t.ring)

    async def turn(self, t: Table[TapOptions]) -> Outcome | None:
        """All choose, one after the other; then a number comes up."""
        for seat in t.ring:
            took = await t.ask(
                seat, TAKE, N_("Do you take it?"), N_("{seat} chooses."),
                seat=seat, seconds=6, otherwise=False,
            )  # fmt: skip
            self.taken[seat] += took
            t.tell(N_("{seat} takes it.") if took else N_("{seat} leaves it."), seat=seat)
        t.tell(N_("Up comes {n}."), n=await t.randrange(100))
        first = await t.react(dict.fromkeys(t.ring, PRESS), N_("Press!"), seconds=4)
        if first is None:
            t.tell(N_("Nobody was first."))
        else:
            t.tell(N_("{seat} was first."), seat=first.seat)
        return Outcome(()) if t.turn + 1 == t.options.rounds else None


@hookimpl
def tavolata_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    return [LateTaps]
