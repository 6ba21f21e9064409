"""Evenings in which clocks, disks, links, people and a liar do their worst: what must hold, holds."""

from __future__ import annotations

import os

import pytest
from tests.protocol.grouplog.actors import evening
from tests.protocol.grouplog.simulator import World

from tavolata_protocol.grouplog import Rules
from tavolata_protocol.messages import log as wire

FIRST = int(os.environ.get("TAVOLATA_FIRST", "0"))
ACTORS = range(FIRST, FIRST + int(os.environ.get("TAVOLATA_ACTORS", "8")))


@pytest.mark.battery
@pytest.mark.parametrize("core", [False, True], ids=["all heals", "nothing heals but a core"])
def test_all_kinds_of_actor_at_once_break_nothing(core: bool) -> None:
    """One lineage, nobody blamed, nothing final lost; together again, or in a core as if nothing were."""
    for seed in ACTORS:
        found = evening(seed, core=core)
        flag = " --core" if core else ""
        assert not found.broken, f"again: python -m tests.protocol.grouplog.actors {seed} {seed + 1}{flag}"


class ElectedByAnybody(Rules):
    """A mutant: a copy's vote is given to whoever asks, however short its log is."""

    def is_up_to_date(self, candidate: tuple[int, int], own: tuple[float, int]) -> bool:
        return True


@pytest.mark.battery
def test_a_mutant_is_found_by_some_evening() -> None:
    """So the evenings do find what they look for."""
    assert any(evening(seed, rules=ElectedByAnybody()).broken for seed in range(40))


def test_a_newcomer_whose_guide_makes_up_a_term_still_arrives() -> None:
    """It has promised nothing yet, so it follows the next one that it asks, in whatever term."""
    world = World(1, 4)
    world.gather(3)
    world.honest = False
    world.passes = lambda sender, receiver, message: sender.name != 1 or receiver.name != 3
    world.join(3, via=1)
    newcomer = world.peers[3].alive
    lie = wire.Append(world.peers[0].alive.lineage or b"", 2**40, 5, 1, bytes(32), (), 0, 0, 1, 0, 0, 0, b"")
    newcomer.receive(world.peers[1].id, wire.encode(lie), world.now)
    assert newcomer.term > 1
    newcomer.ask(world.peers[0].id)
    world.pump(world.peers[3])
    world.run_until(lambda: newcomer.commit_index == world.peers[0].alive.commit_index > 0, 5.0)
