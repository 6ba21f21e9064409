"""A table with a narrator, by real processes: what each machine learns, and what a false word costs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tavolata._engine.match.entries import NARRATED

from .chromium import chromium
from .conftest import install
from .table import TT, Hall, Tt
from .test_browsers import Served, answer, needs_chromium

pytestmark = pytest.mark.long

BENDING = [*TT[:3], "-P", str(Path(__file__).with_name("bending.py"))]
"""The program of a narrator that lies once; see `bending`."""
SILENT = [*TT[:3], "-P", str(Path(__file__).with_name("silent.py"))]
"""The program of a narrator that opens nothing in the end; see `silent`."""
BREAKING = [*TT[:3], "-P", str(Path(__file__).with_name("breaking.py")), "applying"]
"""The program of a narrator that breaks in the middle of a match; see `breaking`."""
WEREWOLF = Path(__file__).parents[2] / "examples" / "games" / "werewolf" / "rules.py"
HOOK = """
from tavolata import hookimpl

@hookimpl
def tavolata_games():
    return [Werewolf]

@hookimpl
def tavolata_bots():
    return [("werewolf", Watcher)]
"""
SEATS = 7
NARRATES = "Host's machine narrates: it knows every role"


@pytest.fixture
def village(tmp_path: Path) -> Iterator[Hall]:
    """A hall in which Werewolf is installed."""
    source = tmp_path / "rules.py"
    rules = WEREWOLF.read_text(encoding="utf-8").replace('    guide = "werewolf.guide"\n', "")
    source.write_text(rules + HOOK, encoding="utf-8")
    hall = Hall(tmp_path / "hall", (install(tmp_path / "site", "tavolata_werewolf", source),))
    yield hall
    hall.close()


def gather(village: Hall, program: list[str] = TT) -> tuple[Tt, list[Tt]]:
    """A narrator without a seat, and seven machines with one each."""
    host = village.host("werewolf", "--seats", str(SEATS), "--start", "full", program=program)
    return host, [village.join("--bot", "watcher") for _ in range(SEATS)]


def test_each_machine_opens_only_what_its_seat_was_told(village: Hall) -> None:
    """The narrator has no seat. What it tells one seat is a box of one length; every file verifies."""
    host, guests = gather(village)
    assert {one.done(240) for one in guests} == {0}
    ends = [one.end() for one in guests]
    assert ends == [ends[0]] * SEATS
    assert ends[0]["conviction"] is None
    (kept,) = guests[0].matches()
    assert kept.header["dealer"] == "host"
    assert kept.header["narrator"]["name"] not in kept.header["names"]
    told = [entry for entry in kept.entries if entry[0] == NARRATED]
    boxes = [entry[3] for entry in told if entry[1] is not None]
    assert len(boxes) >= 2 * SEATS
    assert {type(box) for box in boxes} == {bytes}
    assert len({len(box) for box in boxes}) == 1
    assert guests[0].has(NARRATES), guests[0].story()
    checked = village.run("verify", home=guests[0].home.name)
    assert checked.done() == 0, checked.story()
    assert checked.has(NARRATES), checked.story()
    assert host.story()


def test_a_narrator_that_bends_one_value_is_convicted(village: Hall) -> None:
    """All peers find it when the parts are open, and so does `tt verify`."""
    _, guests = gather(village, BENDING)
    assert {one.done(240) for one in guests} == {0}
    for one in guests:
        conviction = one.end()["conviction"]
        assert isinstance(conviction, dict)
        assert (conviction["seat"], conviction["offence"]) == (None, "false-fact")
        assert conviction["fields"]["fact"] == "seen"
        assert one.end()["outcome"] is None
    for command in (("verify",), ("history", "--all")):
        told = village.run(*command, home=guests[0].home.name)
        assert told.done() == 0, told.story()
        assert told.has(
            r"The narrator's machine was convicted in this match. Its statement in turn 1 is false: “seen”"
        ), told.story()


def test_a_narrator_that_opens_nothing_is_named_and_ends_without_a_result(village: Hall) -> None:
    """After a minute every machine gives it up; no one has won, and `tt verify` says why."""
    _, guests = gather(village, SILENT)
    said = "Host's machine narrated but revealed nothing at the end. The match has no result."
    for one in guests:
        assert one.done(300) == 0
        assert one.has(said), one.story()
        assert (one.end()["outcome"], one.end()["conviction"]) == (None, None)
    told = village.run("verify", home=guests[0].home.name)
    assert told.done() == 0, told.story()
    assert told.has(said), told.story()


def live_on(ann: Tt) -> None:
    """Answer everything with the first choice until the roles are turned up."""
    while (
        not ann.expect(r"Who do you visit|Press Done when|Who should the village|The wolves were", 90)
        .group()
        .startswith("The wolves")
    ):
        ann.type("1")


def test_the_match_waits_for_its_narrator_and_goes_on_from_its_file(village: Hall) -> None:
    """Nobody takes over from a narrator that dies: its file, its secret and the log bring it back."""
    host = village.host("werewolf", "--seats", "6", "--start", "full")
    bots = [village.join("--bot", "watcher") for _ in range(5)]
    ann = village.join(typed=True)
    ann.expect("Who do you visit", 90)
    host.kill()
    ann.expect("Only Host's machine can narrate, so the match is waiting for it", 60)
    ann.type("1")
    assert not ann.has("The sun rises")
    again = village.run("-v", "resume", home=host.home.name)
    ann.expect("The sun rises", 90)
    live_on(ann)
    ann.expect("State of the table")
    ann.hang_up()
    assert {one.done(120) for one in (ann, *bots)} == {0}
    assert ann.end() == bots[0].end()
    assert ann.end()["conviction"] is None
    again.interrupt()
    (kept,) = again.matches()
    assert kept.end is not None
    assert len(kept.entries) == len(ann.matches()[0].entries)


def test_a_narrator_that_breaks_is_resumed_but_no_one_goes_back(village: Hall) -> None:
    """Without it nothing goes on, so it ends as any player's machine does; `--back` says why it can't."""
    host = village.host("werewolf", "--seats", "6", "--start", "full", "--bots", "5", program=BREAKING)
    ann = village.join(typed=True)
    ann.expect("Who do you visit", 90)
    ann.type("1")
    host.note("Something broke here: KeyError.*The match is saved", 60)
    assert host.process.wait(60) == 1
    ann.expect("Lost contact with Host", 60)
    home = host.home.name
    for words, said in (
        ((), "It broke again"),
        (("--back",), "With a single dealer you can't go back a turn"),
    ):
        broken = village.run("-v", "resume", *words, home=home, program=BREAKING)
        broken.note(said, 60)
        assert broken.process.wait(60) == 1, broken.story()
    again = village.run("-v", "resume", home=home, typed=True)
    ann.expect("Elsa is back", 60)
    ann.type("1")
    live_on(ann)
    ann.expect("State of the table", 60)
    ann.hang_up()
    assert ann.done(60) == 0
    assert ann.end()["conviction"] is None
    again.type("quit")
    assert again.done(60) == 0, again.story()
    assert [kept.end for kept in again.matches()] == [ann.end()]


def test_a_narrator_without_a_seat_begins_the_match_and_agrees_to_stop(village: Hall) -> None:
    """It types `start` in the lobby; stopping for today takes its vote, too, and both resume."""
    host = village.host("werewolf", "--bots", "5", typed=True)
    host.expect("Type start when everyone's here", 60)
    ann = village.join(typed=True)
    host.expect("6 of 12 seats taken", 60)
    host.type("start")
    ann.expect("Who do you visit", 90)
    ann.type("suspend")
    host.expect("Ann wants to stop for today", 60)
    host.type("suspend")
    assert [one.done(60) for one in (host, ann)] == [0, 0]
    again = village.run("-v", "resume", home=host.home.name, typed=True)
    back = village.run("-v", "resume", home=ann.home.name, typed=True)
    back.expect("Who do you visit", 90)
    back.hang_up()
    again.hang_up()


def test_whoever_comes_during_the_match_plays_the_next_one(village: Hall) -> None:
    """Chairs grow at a narrator's table; its machine runs the bots, and `tt verify` tells them apart."""
    host = village.host("werewolf", "--bots", "5", typed=True)
    ann = village.join(typed=True)
    ann.expect("6 of 12 seats taken", 60)
    ann.type("ready")
    ann.expect("Who do you visit", 90)
    late = village.join(typed=True)
    late.expect("will play as soon as a seat is free", 60)
    ann.type("1")
    live_on(ann)
    ann.expect("State of the table", 60)
    late.expect("7 of 12 seats taken", 60)
    for one in (ann, late):
        one.type("ready")
    for one in (ann, late):
        one.expect("Who do you visit", 60)
        one.type("1")
    with ThreadPoolExecutor() as both:
        list(both.map(live_on, (ann, late)))
    for one in (ann, late):
        one.expect("State of the table", 60)
        one.hang_up()
    assert [one.done(60) for one in (ann, late)] == [0, 0]
    first, second = ann.matches()
    assert (len(first.header["names"]), len(second.header["names"])) == (6, 7)
    assert first.header["narrator"] == second.header["narrator"]
    assert [kept.end for kept in late.matches()][-1:] == [second.end]
    assert second.end is not None
    assert second.end["conviction"] is None
    for kept in sorted((ann.home / "data" / "matches").glob("*.ttm")):
        checked = village.run("verify", str(kept), home=ann.home.name)
        assert checked.done(60) == 0, checked.story()
    host.type("quit")
    assert host.done(60) == 0, host.story()


@needs_chromium
def test_a_phone_plays_at_a_narrators_table(village: Hall, tmp_path: Path) -> None:
    """It sits at the narrator's machine and plays to the end by taps; every file verifies."""

    async def scene() -> None:
        host = Served(village, "--seats", "6", "--start", "full", game="werewolf")
        village.port = int(host.tt.words[host.tt.words.index("--port") + 1])
        bots = [village.join("--bot", "watcher") for _ in range(5)]
        async with chromium(tmp_path / "phone") as phone:
            await phone.open(host.link)
            await phone.sit("Gino")
            nights = 0
            async with asyncio.timeout(240):
                while bots[0].process.poll() is None:
                    nights += (await answer(phone)) != ""
                    await asyncio.sleep(0.5)  # closer taps are one train, which counts for what was before
            assert nights
            await phone.says("All the wolves are dead|as many wolves as other players")
            assert phone.complaints == []
        assert {one.done(120) for one in bots} == {0}
        host.tt.type("quit")
        assert host.tt.done() == 0, host.tt.story()
        for one in (host.tt, bots[0]):
            checked = village.run("verify", home=one.home.name)
            assert checked.done() == 0, checked.story()

    asyncio.run(scene())
