"""The world itself: its clocks, its network, its power, and that a seed decides everything."""

from __future__ import annotations

import asyncio

import pytest
from tests.rehearsals.__main__ import traces
from tests.rehearsals.laptops import Power, here
from tests.rehearsals.loop import Hung, VirtualLoop
from tests.rehearsals.network import Link
from tests.rehearsals.world import World, begun


def test_waiting_moves_the_clock_and_nothing_else() -> None:
    """An hour of sleep takes no time, and each machine's own clock shows it at its own rate."""
    world = World(1)
    ada = world.computer("Ada")
    ada.rate = 2.0

    async def sleep() -> float:
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time() - began

    with begun(world):
        passed = world.loop.run_until_complete(_on(world, sleep))
        assert passed == pytest.approx(3600)
        assert world.loop.clock == pytest.approx(1800)


async def _on(world: World, what: object) -> float:
    assert callable(what)
    return float(await world.computers["Ada"].run(what()))


def test_a_timer_is_due_by_the_clock_of_its_machine() -> None:
    """What looks whether a timer rings soon enough compares it with the time there."""
    world = World(1)
    ada = world.computer("Ada")
    ada.rate = 2.0

    async def ahead() -> float:
        loop = asyncio.get_running_loop()
        return loop.call_later(30, print).when() - loop.time()

    with begun(world):
        assert world.loop.run_until_complete(_on(world, ahead)) == pytest.approx(30)


def test_a_dead_machine_runs_nothing_and_a_sleeping_one_runs_it_later() -> None:
    """What was due while the lid was closed happens when it opens, in order, unless it was cancelled."""
    world = World(1)
    ada = world.computer("Ada")
    done: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        ada.within(loop.call_later, 1.0, done.append, "first")
        ada.within(loop.call_later, 2.0, done.append, "second")
        dropped = ada.within(loop.call_later, 2.5, done.append, "dropped")
        ada.power = Power.ASLEEP
        await asyncio.sleep(5)
        assert done == []
        dropped.cancel()
        assert isinstance(loop, VirtualLoop)
        loop.wake(ada)
        await asyncio.sleep(1)
        assert done == ["first", "second"]
        ada.within(loop.call_later, 1.0, done.append, "never")
        ada.turn_off()
        await asyncio.sleep(5)
        assert done == ["first", "second"]

    with begun(world):
        world.loop.run_until_complete(main())


def test_a_world_without_a_timer_stands_still_and_says_so() -> None:
    """A wait for nothing is a hang; so is a circle of callbacks."""
    world = World(1)

    async def wait() -> None:
        await asyncio.Event().wait()

    with begun(world), pytest.raises(Hung, match="stands still"):
        world.loop.run_until_complete(wait())
    circling = World(1, most=5000)

    async def circle() -> None:
        while True:  # noqa: ASYNC110 - that is what must not be
            await asyncio.sleep(0)

    with begun(circling), pytest.raises(Hung, match="callbacks"):
        circling.loop.run_until_complete(circle())


def test_a_link_loses_repeats_damages_and_cuts() -> None:
    """Each of them happens as often as it should, and by the link's own stream."""
    world = World(1)
    link = Link(world.stream("a"), loss=0.25, repeat=0.25)
    arrived = sum(len(link.carry(b"x" * 10)) for _ in range(4000))
    assert 3500 < arrived < 4000  # 0.75 of 1.25
    assert Link(world.stream("d")).carry(b"x" * 1472)
    assert not Link(world.stream("b")).carry(b"x" * 1473)
    assert not Link(world.stream("b"), cuts=1).carry(b"x")
    damaged = Link(world.stream("c"), damage=1.0).carry(b"\0" * 8)
    assert sum(data.count(0) for _, data in damaged) == 7


def test_what_is_drawn_in_one_place_changes_nothing_in_another() -> None:
    """Every name has a stream of its own."""
    one, other = World(7), World(7)
    one.stream("a").random()
    assert one.stream("b").random() == other.stream("b").random() != one.stream("a").random()
    assert here() is None
    for world in (one, other):
        world.loop.close()


@pytest.mark.battery
@pytest.mark.parametrize("seed", ["3", "10"])
def test_a_seed_gives_the_same_trace_under_two_hash_seeds(seed: str) -> None:
    """In fresh processes, so that nothing may hang on the order of a set."""
    one, other = traces(seed)
    assert one == other != ""
