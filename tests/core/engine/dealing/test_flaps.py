"""Machines that go out and come back around each step of the dealing: nothing stays open."""

from __future__ import annotations

import pytest
from tests.commit import a_part
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_coins import flap
from tests.core.engine.dealing.world import World

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import DEAL

ENTRIES = {3: 130, 4: 190}
"""By parties, how many entries two rounds have, with two deals and two lots."""
PLACES = [(parties, at) for parties, entries in ENTRIES.items() for at in range(entries)]


def out(world: World, party: int) -> None:
    absence = world.peers[1].deal.authority.absence_of(party)
    world.say((DEAL, party, world.head(), steps.SELF, int(OwnWord.OUT), absence), party)


@pytest.mark.battery
@pytest.mark.parametrize(("parties", "at"), a_part(PLACES, 40))
def test_nothing_stays_open_after_a_word_out_and_one_back(parties: int, at: int) -> None:
    """Each party goes out and comes back in turn, at once and after the others have acted."""
    world = World(Peek, tuple(range(1, parties + 1)))
    world.play_until(at)
    for party in range(1, parties + 1):
        flap(world, party)
        out(world, party)
        world.round()  # whoever hears somebody says of itself that it is back
        world.wait(1)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert world.convicted == {}
    assert {peer.deal.lots.open for peer in world.peers.values()} == {None}
