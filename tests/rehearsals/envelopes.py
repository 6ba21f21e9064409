"""Envelopes, a game for tests: the first seat says how it feels, then all write a motto under seal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tavolata import N_, Choice, Game, Options, Outcome, Table, free_text, hookimpl, one_of, option

MOOD = one_of([Choice("calm", N_("calm")), Choice("cross", N_("cross"))])
MOST = 66
"""The most signs of a motto: of such as take three bytes, a seal has just room for them."""
MOTTO = free_text(MOST, suggestions=("你" * MOST, "啊" * MOST))


@dataclass(frozen=True, kw_only=True)
class EnvelopeOptions(Options):
    """House rules of Envelopes."""

    rounds: int = option(1, "How often all write.", low=1, high=10)


class Envelopes(Game[EnvelopeOptions]):
    """No cards, and nothing hidden but the mottos."""

    name, title, seats, options = "envelopes", N_("Envelopes"), (2, 6), EnvelopeOptions

    def setup(self, t: Table[EnvelopeOptions]) -> None:
        """Nobody has said anything."""
        self.mood = ""

    async def turn(self, t: Table[EnvelopeOptions]) -> Outcome | None:
        """An open answer, which can be taken back until somebody has written; then all write."""
        first = t.first_seat
        self.mood = await t.ask(first, MOOD, N_("How are you?"), N_("{seat} says how it is."), seat=first)
        t.tell(N_("{seat} is {mood}."), seat=first, mood=self.mood)
        words = await t.ask_all(
            dict.fromkeys(t.ring, MOTTO), N_("What's your motto?"), N_("Everyone writes a motto.")
        )
        for seat in t.ring:
            t.tell(N_("{seat} wrote: {words}"), seat=seat, words=words[seat])
        return Outcome(()) if t.turn + 1 == t.options.rounds else None


@hookimpl
def tavolata_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    return [Envelopes]
