"""The machine that leads dies or sleeps in mid-match: the others go on, and nothing agreed is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import NAMES
from tests.rehearsals.plan import Act, Deed, Plan, Seat
from tests.rehearsals.told import BIDS, FIVE, THREE, TWO, Told, ends_well, goes_well

from tavolata import _dirs
from tavolata._machine import disk

pytestmark = pytest.mark.battery

HOST, ANN, BOB = NAMES[:3]
AGAIN = "'s computer now leads the table"
WAITS = "Lost contact with Host. The table is waiting"
BOT = Seat(level="random")
NEVER = 9999.0
"""When a deed is done of which `Vows` are only to know that it happens."""


@pytest.mark.parametrize("entry", [25, 38, 51, 64])
def test_the_others_finish_after_the_host_was_killed_at_any_entry(entry: int) -> None:
    """Nobody is at a keyboard, and the two who are left have one end; both say who leads."""

    async def story(table: Told) -> None:
        await table.until(table._is_over)

    acts = (Act(0.0, Deed.KILL, 0, 0.0, entry),)
    options = {"fiches": 3, "fives": True}
    evening = Told(Plan(7, "zompa", (BOT,) * 3, options, away="blind", acts=acts, lost=(0,)), story)
    ends_well(evening, 2)
    said = [[text for text in evening.lines[name] if AGAIN in text] for name in (ANN, BOB)]
    assert len(said[0]) == 1
    assert said[0] == said[1]


async def host_sleeps(table: Told) -> str:
    """Have the host sleep for ten seconds; return who leads meanwhile, and afterwards."""
    await table.at_bids()
    table.sleep(HOST)
    leader = (await table.expect(f"(.*){AGAIN}", ANN, BOB, within=8))[1]
    await table.wait(10.0)
    table.wake(HOST)
    await table.expect("Host has reconnected", ANN, BOB, within=12)
    return leader


def test_the_host_sleeps_and_plays_on() -> None:
    """Another leads meanwhile; back, the host sits at its own seat again, and all end in one state."""

    async def story(table: Told) -> None:
        await host_sleeps(table)
        await table.finish()

    ends_well(Told(THREE, story), 3)


def test_a_guest_that_dies_is_missed_although_the_host_does_not_lead() -> None:
    """Whoever leads says that nothing is heard of it, and the two who are left finish the match."""

    async def story(table: Told) -> None:
        leader = await host_sleeps(table)
        [victim] = {ANN, BOB} - {leader}
        table.kill(victim)
        await table.expect(f"Lost contact with {victim}", HOST, leader, within=8)
        await table.finish()

    ends_well(Told(THREE, story), 2)


async def leader_dies(table: Told, leader: str, left: list[str]) -> str:
    """Kill whoever leads; return who leads next, as all who are left read."""
    table.kill(leader)
    left.remove(leader)
    heir = (await table.expect(rf"(\w+){AGAIN}", *left, within=8))[1]
    assert heir in left
    await table.expect(f"Lost contact with {leader}", *left, within=8)
    return heir


def test_three_of_five_talk_on_and_end_nothing() -> None:
    """Fewer are left than it takes to open cards: the match waits, the table doesn't."""

    async def story(table: Told) -> None:
        await table.at_bids()
        left = [*table.names]
        await leader_dies(table, await leader_dies(table, HOST, left), left)
        table.type(left[0], "say still three")
        await table.expect("says: still three", *left[1:])
        table.type(left[1], "end")
        await table.expect(r"wants to end the match \(agreed: 1 of the 4 needed", *left)
        await table.wait(5.0)
        assert not any(table.has(name, "The match was abandoned") for name in left)

    evening = Told(FIVE, story)
    goes_well(evening)
    assert not evening.ends


def test_three_of_five_wait_although_four_have_played_on() -> None:
    """It still takes four to open cards that five have dealt, and each of the three reads so."""

    async def story(table: Told) -> None:
        left = [*table.names]
        last = left[-1]
        await table.until(lambda: last in table._sessions and table.turns(last) > 0)
        heir = await leader_dies(table, HOST, left)
        await table.expect("Host is away: ", *left)
        turns = table.turns(last)
        await table.until(lambda: table.turns(last) > turns)
        await leader_dies(table, heir, left)
        await table.expect("Waiting for .*: dealing and opening cards takes 4 machines", *left)
        turns = table.turns(left[0])
        await table.wait(20.0)
        assert table.turns(left[0]) == turns

    evening = Told(Plan(7, "zompa", (BOT,) * 5, {"fiches": 5}, away="blind"), story)
    goes_well(evening)
    assert not evening.ends


def test_a_killed_host_joins_again_and_plays_on() -> None:
    """It has the seat that it had, and all end alike."""

    async def story(table: Told) -> None:
        await table.at_bids()
        await leader_dies(table, HOST, [*table.names])
        await table.wait(2.5)
        table.join_anew(HOST, BOB)
        await table.expect("The match continues", HOST)
        await table.expect("Host has reconnected", ANN, BOB, within=12)
        await table.finish()

    ends_well(Told(THREE, story), 3)


@pytest.mark.parametrize("sleeps", [False, True], ids=["killed", "asleep"])
def test_of_two_the_guest_waits_for_the_host(sleeps: bool) -> None:
    """It says so, nothing becomes agreed meanwhile, and it says that the host is back; they play on."""

    async def story(table: Told) -> None:
        await table.at_bids()
        (table.sleep if sleeps else table.kill)(HOST)
        await table.expect(WAITS, ANN, within=12)
        table.type(ANN, "2")
        await table.wait(30.0)
        assert not table.has(ANN, rf"\w+ bids \d|{AGAIN}")
        if sleeps:
            table.wake(HOST)
        else:
            table.join_anew(HOST, ANN)
            await table.expect("The match continues", HOST)
        await table.expect("Host (is back|has reconnected)", ANN, within=12)
        await table.finish()

    ends_well(Told(TWO, story), 2)


@pytest.mark.parametrize("alone", [False, True], ids=["waits", "alone"])
def test_of_two_the_guest_waits_in_the_lobby_or_takes_the_table_over(alone: bool) -> None:
    """It goes on alone when its player says so; the host that comes back reads why it has to join again."""

    async def go_on_alone(table: Told) -> None:
        await table.expect("or type “alone” to continue without them", ANN)
        table.type(ANN, "alone")
        await table.expect(f"Ann{AGAIN}", ANN, within=8)
        await table.expect("Host is away", ANN, within=8)
        await table.wait(2.5)
        table.join_anew(HOST, ANN)
        await table.until(table._tasks[HOST].done)
        why = "continued without you, and your copy no longer matches it. Join again"
        assert why in table.report.ends[HOST]
        folder = Path(_dirs.data_dir())
        host = table.world.computers[HOST]
        assert host.within(lambda: disk().find(folder, "identities/*/tables/*.apart"))

    async def story(table: Told) -> None:
        await table.expect("2 of 2 seats taken", HOST, ANN)
        table.type(ANN, "alone")
        await table.expect("The table is running. No one needs to take over", ANN)
        await table.wait(2.5)
        table.kill(HOST)
        await table.expect(WAITS, ANN, within=12)
        if alone:
            await go_on_alone(table)
        table.join_anew(HOST, ANN)
        await table.expect("2 of 2 seats taken", HOST, within=12)
        if alone:
            await table.expect("Host is back", ANN, within=12)
        table.type(ANN, "ready")
        await table.expect("Ann: ready", HOST, within=12)
        table.type(HOST, "start")
        await table.expect(BIDS, HOST, ANN)

    goes_well(Told(replace(TWO, acts=(Act(NEVER, Deed.ALONE, 1),) if alone else ()), story, at_once=False))


def flip() -> tuple[Path, bytes]:
    """Flip a bit in the middle of this machine's copy of the table; return its file and what is in it."""
    here = disk()
    assert isinstance(here, MemoryDisk)
    [file] = here.find(Path(_dirs.data_dir()), "identities/*/tables/*.log")
    here.flip(file, 8 * (here.state(file).size // 2))
    return file, here.read(file)


def test_a_damaged_copy_of_the_table_is_kept_aside_and_learnt_anew() -> None:
    """Whoever comes back with it says so and sits down again, and the match goes on."""

    async def story(table: Told) -> None:
        await table.at_bids()
        table.kill(BOB)
        await table.expect("Lost contact with Bob", HOST, within=8)
        bob = table.world.computer(BOB)
        file, data = bob.within(flip)
        table.join_anew(BOB, HOST)
        await table.expect("copy of the table was damaged", BOB, within=12)
        await table.expect(BIDS, BOB, within=12)
        assert bob.within(lambda: disk().read(file.with_suffix(".damaged"))) == data
        await table.finish()

    ends_well(Told(replace(THREE, acts=(Act(NEVER, Deed.FLIPPED_BIT, 2),)), story), 3)
