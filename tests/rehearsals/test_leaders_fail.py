"""The machine that leads dies or sleeps in mid-match: the others go on, and nothing agreed is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.plan import Act, Deed, Plan, Seat
from tests.rehearsals.scenes import ANN, BID, BOB, FIVE, HOST, THREE, TWO, Scene, agreed, played

from tavolata import _dirs
from tavolata._machine import disk

pytestmark = pytest.mark.battery

AGAIN = "'s computer now leads the table"
WAITS = "Lost contact with Host. The table is waiting"
BOT = Seat(level="random")
NEVER = 9999.0
"""When a deed is done of which `Vows` are only to know that it happens."""


@pytest.mark.parametrize("entry", [25, 38, 51, 64])
def test_the_others_finish_after_the_host_was_killed_at_any_entry(entry: int) -> None:
    """Nobody is at a keyboard, and the two who are left have one end; both say who leads."""

    async def story(table: Scene) -> None:
        await table.until(table._is_over)

    acts = (Act(0.0, Deed.KILL, 0, 0.0, entry),)
    options = {"fiches": 3, "fives": True}
    plan = Plan(7, "zompa", (BOT,) * 3, options, away="blind", acts=acts, lost=(0,))
    evening = agreed(Scene(plan, story), 2)
    said = [[text for text in evening.lines[name] if AGAIN in text] for name in (ANN, BOB)]
    assert len(said[0]) == 1
    assert said[0] == said[1]


async def host_sleeps(table: Scene) -> str:
    """Have the host sleep for ten seconds; return who leads meanwhile, and afterwards."""
    await table.bids()
    table.sleep(HOST)
    await table.read(AGAIN, ANN, BOB, within=8)
    leader: str = table.has(BOB, f"(.*){AGAIN}")[-1][1]
    await table.wait(10.0)
    table.wake(HOST)
    await table.read("Host has reconnected", ANN, BOB, within=12)
    return leader


def test_the_host_sleeps_and_plays_on() -> None:
    """Another leads meanwhile; back, the host sits at its own seat again, and all end in one state."""

    async def story(table: Scene) -> None:
        await host_sleeps(table)
        await table.finish()

    agreed(Scene(THREE, story))


def test_a_guest_that_dies_is_missed_although_the_host_does_not_lead() -> None:
    """Whoever leads says that nothing is heard of it, and the two who are left finish the match."""

    async def story(table: Scene) -> None:
        leader = await host_sleeps(table)
        [victim] = {ANN, BOB} - {leader}
        table.kill(victim)
        await table.read(f"Lost contact with {victim}", HOST, leader, within=8)
        await table.finish()

    agreed(Scene(THREE, story), 2)


async def leader_dies(table: Scene, leader: str, left: list[str]) -> str:
    """Kill whoever leads; return who leads next, as all who are left read."""
    table.kill(leader)
    left.remove(leader)
    await table.read(AGAIN, *left, within=8)
    heir: str = table.has(left[-1], rf"(\w+){AGAIN}")[-1][1]
    assert heir in left
    await table.read(f"Lost contact with {leader}", *left, within=8)
    return heir


def test_three_of_five_talk_on_and_end_nothing() -> None:
    """Fewer are left than it takes to open cards: the match waits, the table doesn't."""

    async def story(table: Scene) -> None:
        await table.bids()
        left = [*table.names]
        await leader_dies(table, await leader_dies(table, HOST, left), left)
        table.type(left[0], "say still three")
        await table.read("says: still three", *left[1:])
        table.type(left[1], "end")
        await table.read(r"wants to end the match \(agreed: 1 of the 4 needed", *left)
        await table.wait(5.0)
        assert not any(table.has(name, "The match was abandoned") for name in left)

    assert not played(Scene(FIVE, story)).ends


def turns(table: Scene, name: str) -> int:
    running = table._sessions[name].state.matches.running
    return 0 if running is None else running.match.turns


def test_three_of_five_wait_although_four_have_played_on() -> None:
    """It still takes four to open cards that five have dealt, and each of the three reads so."""

    async def story(table: Scene) -> None:
        left = [*table.names]
        last = left[-1]
        await table.until(lambda: last in table._sessions and turns(table, last) > 0)
        heir = await leader_dies(table, HOST, left)
        await table.read("Host is away: ", *left, within=30)
        before = turns(table, last)
        await table.until(lambda: turns(table, last) > before)
        await leader_dies(table, heir, left)
        await table.read("Waiting for .*: dealing and opening cards takes 4 machines", *left, within=30)
        before = turns(table, left[0])
        await table.wait(20.0)
        assert turns(table, left[0]) == before

    assert not played(Scene(Plan(7, "zompa", (BOT,) * 5, {"fiches": 5}, away="blind"), story)).ends


def test_a_killed_host_joins_again_and_plays_on() -> None:
    """It has the seat that it had, and all end alike."""

    async def story(table: Scene) -> None:
        await table.bids()
        await leader_dies(table, HOST, [*table.names])
        await table.wait(2.5)
        table.join(HOST, BOB)
        await table.read("The match continues", HOST)
        await table.read("Host has reconnected", ANN, BOB, within=12)
        await table.finish()

    agreed(Scene(THREE, story))


@pytest.mark.parametrize("sleeps", [False, True], ids=["killed", "asleep"])
def test_of_two_the_guest_waits_for_the_host(sleeps: bool) -> None:
    """It says so, nothing becomes agreed meanwhile, and it says that the host is back; they play on."""

    async def story(table: Scene) -> None:
        await table.bids()
        (table.sleep if sleeps else table.kill)(HOST)
        await table.read(WAITS, ANN, within=12)
        table.type(ANN, "2")
        await table.wait(30.0)
        assert not table.has(ANN, rf"\w+ bids \d|{AGAIN}")
        if sleeps:
            table.wake(HOST)
        else:
            table.join(HOST, ANN)
            await table.read("The match continues", HOST)
        await table.read("Host (is back|has reconnected)", ANN, within=12)
        await table.finish()

    agreed(Scene(TWO, story))


@pytest.mark.parametrize("alone", [False, True], ids=["waits", "alone"])
def test_of_two_the_guest_waits_in_the_lobby_or_takes_the_table_over(alone: bool) -> None:
    """It goes on alone when its player says so; the host that comes back reads why it has to join again."""

    async def go_on_alone(table: Scene) -> None:
        await table.read("or type “alone” to continue without them", ANN)
        table.type(ANN, "alone")
        await table.read(f"Ann{AGAIN}", ANN, within=8)
        await table.read("Host is away", ANN, within=8)
        await table.wait(2.5)
        table.join(HOST, ANN)
        await table.until(table._tasks[HOST].done)
        why = "continued without you, and your copy no longer matches it. Join again"
        assert why in table.report.ends[HOST]
        folder = Path(_dirs.data_dir())
        host = table.world.computers[HOST]
        assert host.within(lambda: disk().find(folder, "identities/*/tables/*.apart"))

    async def story(table: Scene) -> None:
        assert all(table.has(name, "2 of 2 seats taken") for name in (HOST, ANN))
        table.type(ANN, "alone")
        await table.read("The table is running. No one needs to take over", ANN)
        await table.wait(2.5)
        table.kill(HOST)
        await table.read(WAITS, ANN, within=12)
        if alone:
            await go_on_alone(table)
        table.join(HOST, ANN)
        await table.read("2 of 2 seats taken", HOST, within=12)
        if alone:
            await table.read("Host is back", ANN, within=12)
        table.type(ANN, "ready")
        await table.read("Ann: ready", HOST, within=12)
        table.type(HOST, "start")
        await table.read(BID, HOST, ANN)

    played(Scene(replace(TWO, acts=(Act(NEVER, Deed.ALONE, 1),) if alone else ()), story, at_once=False))


def flip() -> tuple[Path, bytes]:
    """Flip a bit in the middle of this machine's copy of the table; return its file and what is in it."""
    here = disk()
    assert isinstance(here, MemoryDisk)
    [file] = here.find(Path(_dirs.data_dir()), "identities/*/tables/*.log")
    here.flip(file, 8 * (here.state(file).size // 2))
    return file, here.read(file)


def test_a_damaged_copy_of_the_table_is_kept_aside_and_learnt_anew() -> None:
    """Whoever comes back with it says so and sits down again, and the match goes on."""

    async def story(table: Scene) -> None:
        await table.bids()
        table.kill(BOB)
        await table.read("Lost contact with Bob", HOST, within=8)
        bob = table.world.computer(BOB)
        file, data = bob.within(flip)
        table.join(BOB)
        await table.read("copy of the table was damaged", BOB, within=12)
        await table.read(BID, BOB, within=12)
        assert bob.within(lambda: disk().read(file.with_suffix(".damaged"))) == data
        await table.finish()

    agreed(Scene(replace(THREE, acts=(Act(NEVER, Deed.FLIPPED_BIT, 2),)), story))
