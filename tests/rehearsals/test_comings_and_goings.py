"""Somebody goes away in mid-match: what the others read and can decide, and the way back to the seat."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.rehearsals.family import _match_files
from tests.rehearsals.plan import Plan
from tests.rehearsals.scenes import ANN, BID, BOB, HOST, SOMEBODY, THREE, TWO, Scene, agreed, played

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import DEAL, SEALED
from tavolata._engine.table import log_bodies
from tavolata_protocol.entries import read_entry

pytestmark = pytest.mark.battery

BACK, AWAY = "Ann is back", "Ann is away: "


@pytest.mark.parametrize("plan", [THREE, TWO], ids=["of three", "of two"])
def test_a_killed_guest_is_missed_and_comes_back_by_another_machine(plan: Plan) -> None:
    """Not heard within five seconds; of three, `tt join` leads back by a guest, too."""

    async def scene(table: Scene) -> None:
        await table.bids()
        others = [name for name in table.names if name != ANN]
        began = table.clock
        table.kill(ANN)
        assert 3 < await table.read("Lost contact with Ann", *others) - began < 5
        table.type(HOST, "blind")
        await table.read("no one can decide that alone", HOST)
        await table.read(AWAY, *(others if plan is THREE else ()), within=30)  # of two nobody is ever away
        table.play_on(*others)
        table.join(ANN, others[-1])
        await table.read("The match continues", ANN)
        await table.read(BID, ANN)
        await table.read(BACK if plan is THREE else "Ann has reconnected", HOST)
        await table.play_out(*others, ANN)

    agreed(Scene(plan, scene))


def test_who_reads_hundreds_of_entries_on_its_return_says_once_that_it_is_here() -> None:
    """Its machine slept, was voted away, and misses 300 entries: it says that it is back once, after them."""

    def said_of_ann(table: Scene) -> list[str]:
        """Return what Ann's machine said of itself, as the log has it at the host's: here, or back."""
        found = []
        [(_, kept)] = table.world.computers[HOST].within(_match_files)
        for data in kept.log:
            entry = read_entry(data, bytes(32))
            body = log_bodies.read(entry.body)
            if body is None or entry.author != kept.header["keys"][1]:
                continue
            step = body[1][1] if body[0] == log_bodies.PLAY else []
            if body[0] == log_bodies.STATUS:
                found.append("here")
            elif step[:1] == [DEAL] and step[3:5] == [steps.SELF, OwnWord.BACK]:
                found.append("back")
        return found

    async def scene(table: Scene) -> None:
        await table.bids()
        table.sleep(ANN)
        await table.read(AWAY, HOST, BOB, within=30)
        for number in range(150):
            table.type(HOST, f"say word {number}")
            table.type(BOB, f"say and {number}")
        await table.read("word 149", BOB)
        await table.read("and 149", HOST)
        assert not said_of_ann(table)
        table.wake(ANN)
        await table.read("word 149", ANN)
        await table.play_out(HOST, ANN, BOB)
        said = said_of_ann(table)
        assert said.count("back") == 1
        assert said.count("here") <= 1  # none if who leads the log said first that it hears her

    agreed(Scene(THREE, scene))


def test_a_host_that_returns_after_the_others_finished_is_told_so() -> None:
    """It slept through the end: it reads how the match ended, not that nothing is heard of itself."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.sleep(HOST)
        await table.read("Host is away: ", ANN, BOB, within=30)
        await table.play_out(ANN, BOB)
        table.wake(HOST)
        await table.play_out(HOST)
        assert not table.has(HOST, "Lost contact with Host")

    agreed(Scene(THREE, scene))


def test_a_sealed_answer_survives_its_machine() -> None:
    """It goes off between Ann's sealed bid and the opening: back, it opens the very same bid."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.type(ANN, "3")
        match = table._sessions[HOST].state.matches.match
        assert match is not None
        await table.until(lambda: any(entry[:2] == (SEALED, 1) for entry in match.source.entries))
        table.kill(ANN)
        before = len(table.lines[ANN])
        table.join(ANN)
        await table.read("The match continues", ANN)
        table.play_on(HOST, BOB)
        await table.read("Ann bids 3", HOST)
        await table.play_out(HOST, ANN, BOB)
        assert not any(BID in line for line in table.lines[ANN][before:])

    agreed(Scene(THREE, scene))


def test_the_game_answers_for_who_is_away_until_it_is_back() -> None:
    """Two who don't hear her vote that her time is up; who comes back sits at its seat again."""

    async def scene(table: Scene) -> None:
        await table.bids()
        began = table.clock
        table.kill(ANN)
        await table.read(AWAY, HOST, BOB, within=30)
        assert 30 <= await table.read("Time's up for Ann", HOST, BOB, within=50) - began < 50
        table.play_on(HOST, BOB)
        await table.read(BID, HOST, BOB, within=120)  # the second hand
        table.join(ANN)
        await table.read("The match continues", ANN)
        await table.read(BACK, HOST)
        await table.play_out(HOST, ANN, BOB)

    agreed(Scene(replace(THREE, options={"hands": 2}), scene))


def test_a_table_ends_the_match_because_somebody_is_away() -> None:
    """`end` is a vote: with two of three the match is broken off for all, one alone ends nothing."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.kill(ANN)
        await table.read(AWAY, HOST, BOB, within=30)
        for number, one in enumerate((BOB, HOST), 1):
            await table.wait(10.0)
            assert not table.has(HOST, "abandoned")
            table.type(one, "end")
            await table.read(rf"{one} wants to end the match \(.*: {number} of the 2 needed", HOST, BOB)
        await table.read("The match was abandoned", HOST, BOB)
        table.type(HOST, "start")  # the two who are left play on
        await table.read(BID, HOST, BOB)

    one, other = played(Scene(THREE, scene)).ends
    assert one == other
    assert one["outcome"] is None


def test_where_the_host_deals_the_game_answers_by_its_word() -> None:
    """`--away blind` acts by itself when a player was away for ten seconds."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.kill(ANN)
        began = await table.read("Ann is away", HOST, within=8)
        assert 9 < await table.read("lets the game answer for Ann", HOST, within=12) - began < 12
        await table.play_out(HOST)

    played(Scene(replace(TWO, dealer="host", away="blind"), scene))


def test_who_quits_in_mid_match_is_missed_at_once_and_knows_the_way_back() -> None:
    """The others read it in that second, and `tt resume` leads to the same seat."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.type(ANN, "quit")
        await table.read("Ann has left the table", HOST, within=1)
        assert await table.ended(ANN) == "`tt resume` brings you back to your seat."
        table.resume(ANN)
        await table.read(BID, ANN)
        await table.read(BACK, HOST)
        await table.play_out(HOST, ANN, BOB)

    agreed(Scene(replace(THREE, away="wait"), scene))


@pytest.mark.parametrize("seconds", [20.0, 100.0])
def test_a_guest_that_slept_goes_on_by_itself(seconds: float) -> None:
    """It is back without joining again, even if its sessions have ended meanwhile."""

    async def scene(table: Scene) -> None:
        await table.bids()
        table.sleep(ANN)
        await table.wait(seconds)
        await table.read(AWAY, HOST, within=0)
        table.play_on(HOST, BOB)
        table.wake(ANN)
        await table.read(BACK, HOST, within=15)
        await table.play_out(HOST, ANN, BOB)

    agreed(Scene(THREE, scene))


def test_a_place_in_the_lobby_is_not_kept_for_who_vanished() -> None:
    """Away between matches, a place goes to the next who comes."""

    async def scene(table: Scene) -> None:
        table.kill(ANN)
        await table.read("Ann is away", HOST, within=8)
        table.join(BOB)
        await table.read("Bob sits down", HOST, within=3)
        table.type(HOST, "start")
        await table.read(BID, BOB)
        await table.play_out(HOST, BOB)

    late = replace(SOMEBODY, joins_at=1.0)
    played(Scene(replace(TWO, seats=(*TWO.seats, late)), scene, at_once=False))


def test_a_new_host_sends_the_bots_of_the_old_one_away_while_that_one_comes_back() -> None:
    """The seats are the people's, on all machines alike, and the old host's bots don't come with it."""

    async def scene(table: Scene) -> None:
        table.type(HOST, "bots random,random")
        await table.read("Host.s bot", ANN, BOB)
        table.type(HOST, "host Ann")
        await table.read("Ann", BOB)
        table.kill(HOST)
        await table.wait(6.0)
        table.join(HOST, door=ANN)
        table.type(ANN, "bots 0")
        await table.wait(8.0)
        table.type(ANN, "start")
        await table.read(BID, HOST, ANN, BOB)
        names = [list(table._sessions[name].names) for name in table.names]
        assert names == [[HOST, ANN, BOB]] * 3
        await table.play_out(HOST, ANN, BOB)

    evening = Scene(THREE, scene, at_once=False)
    evening.most = 5
    agreed(evening)
