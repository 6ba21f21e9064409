"""Whist of two, a game for tests: sealed answers that some seats may look at with their owner."""

from __future__ import annotations

from typing import Any

from tavolata import Game, Options, Outcome, Seat, Table, Zone, amount
from tavolata.zones import text_zone


class Whist(Game[Options]):
    """Seat 0 and 1 write a number; 0 shows it to 2, 1 to 3; after another question all are opened."""

    name, title, seats = "whist", "Whist", (4, 4)

    def setup(self, t: Table[Options]) -> None:
        self.sealed: dict[Seat, Any] = {}

    async def turn(self, t: Table[Options]) -> Outcome | None:
        first, second, third, fourth = t.ring
        if not self.sealed:
            asked = dict.fromkeys((first, second), amount(1, 9))
            mates = {first: [first, third], second: [fourth]}
            self.sealed = await t.seal_all(asked, "A number?", "", shown_to=mates)
            return None
        await t.ask(third, amount(1, 9), "Another?")
        await t.reveal(self.sealed.values())
        return Outcome((first,), scores=tuple(secret.value for secret in self.sealed.values()) * 2)

    def zones(self, t: Table[Options], viewer: Seat | None) -> list[Zone]:
        return [text_zone("written", "Written", "{number}", number=s) for s in self.sealed.values()][:1]
