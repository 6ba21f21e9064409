"""Deals among very many machines, of which one goes out: no number is too large for that.

What every machine checks of the same message is checked once here, since all are in one process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.core.engine.dealing.test_coins import Throws
from tests.core.engine.dealing.world import World

from tavolata import Deck, Options, Outcome, Table
from tavolata._engine.dealing.authority import OwnWord
from tavolata_protocol.fair import boxes, chain, keys

FEW = Deck("few", [1, 2, 3])


class Many(Throws):
    """Lots for all and for one seat, and a small pile that is shuffled in each turn."""

    name, seats = "many", (2, 62)

    def setup(self, t: Table[Options]) -> None:
        """Lay the cards."""
        super().setup(t)
        self.deck = t.pile("deck", FEW)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Shuffle, turn one card up, and throw; two turns are enough."""
        await t.shuffle(self.deck)
        self.top = (await t.reveal(self.deck.cards[-1:]))[0].face
        await super().turn(t)
        return Outcome(tuple(t.ring)) if t.turn == 1 else None


def once(monkeypatch: pytest.MonkeyPatch, *functions: tuple[Any, str]) -> None:
    """Have pure functions work out each result once; what they raise isn't kept."""

    def keeping(real: Callable[..., Any]) -> Callable[..., Any]:
        known: dict[str, Any] = {}

        def kept(*args: Any) -> Any:
            key = repr(args)
            if key not in known:
                known[key] = real(*args)
            return known[key]

        return kept

    for module, name in functions:
        monkeypatch.setattr(module, name, keeping(getattr(module, name)))


@pytest.mark.battery
@pytest.mark.parametrize("parties", [21, pytest.param(62, marks=pytest.mark.long)])
def test_a_deal_among_many_goes_on_without_one_that_is_out(
    parties: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes out before the first lot: keys, piles and lots all come, the same for everyone."""
    once(monkeypatch, (keys, "read_dealing"), (keys, "assemble"), (boxes, "read_box"), (chain, "verify"))
    world = World(Many, tuple(range(1, parties + 1)))
    while not world.peers[1].deal.rings.done:
        world.round()
    world.leave(parties, OwnWord.OUT)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert world.convicted == {}
