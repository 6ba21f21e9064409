"""A check of zones: drawing the table changes nothing, and twice drawn it is the same."""

from __future__ import annotations

from typing_extensions import override

from tavolata.asks import Ask
from tavolata.bots import Bot
from tavolata.ring import Seat
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow

MOST_LOOKS = 40
"""The open questions of a match at which the table is drawn; afterwards it is drawn at every twentieth."""


@each(share=15)
def zones_pure(case: Case) -> None:
    """At every open question, for each viewer, zones drawn twice are the same, and nothing has changed."""
    kept = Recorded(case)
    follow(kept, _DrawingSource(case, kept))


class _DrawingSource(NotingSource):
    def __init__(self, case: Case, kept: Recorded) -> None:
        super().__init__(case.seed, case.players(), kept)
        self._looks = 0

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        self._looks += 1
        if self._looks <= MOST_LOOKS or not self._looks % 20:
            self._draw()
        super()._bot_answers(bot, ask)

    def _draw(self) -> None:
        kept = self._kept
        match = kept.match
        before = match.digest()
        for seat in (*map(Seat, range(kept.case.seats)), None):
            who = "somebody who only watches" if seat is None else f"seat {int(seat)}"
            with blamed(kept):
                one, other = (list(match.game.zones(match.table, seat)) for _ in range(2))
                match.view(seat).zones()
            if one != other:
                raise kept.failure(f"Drawn twice for {who}, the zones are not the same.")
        if match.digest() != before:
            raise kept.failure("Drawing the zones has changed the state.")
