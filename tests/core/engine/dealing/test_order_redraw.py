"""A conspirator that refuses to open its seed doesn't choose the order of a pile."""

from __future__ import annotations

from collections.abc import Iterable

from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import HEAD, World

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import DEAL, MatchEntry

LIAR = 3
TRIES = 40


class Refuser:
    """In place of its seed it says OUT, and then BACK, as often as it is asked, up to a number of tries."""

    def __init__(self) -> None:
        self.absence = 0
        self.asked: list[tuple[int, int, int]] = []

    def __call__(self, party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        """Return what it says in place of an entry."""
        if party != LIAR or entry[0] != DEAL or entry[3] != steps.SEED or len(self.asked) >= TRIES:
            yield entry
            return
        self.asked.append(entry[4:7])
        yield (DEAL, LIAR, HEAD, steps.SELF, int(OwnWord.OUT), self.absence)
        yield (DEAL, LIAR, HEAD, steps.SELF, int(OwnWord.BACK), self.absence)
        self.absence += 1


def test_order_redraw() -> None:
    """It sees two orders of each of two piles, and is asked for no seed of this match after that."""
    refuser = Refuser()
    world = World(Peek, (1, 2, 3), tamper=refuser, rounds=4)
    world.play()
    assert world.ended()
    assert world.convicted == {}
    assert len(world.digests) == 1
    assert len(refuser.asked) == 2
    assert len({pile for pile, *_ in refuser.asked}) == 2
    assert world.peers[1].deal.authority.is_barred(LIAR)
    draws: dict[int, set[tuple[int, int]]] = {}
    for entry, _ in world.log:
        if entry[0] == DEAL and entry[3] == steps.SEED:
            draws.setdefault(entry[4], set()).add(entry[5:7])
    assert max(map(len, draws.values())) == 2
