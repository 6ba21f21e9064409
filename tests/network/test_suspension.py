"""Matches that are stopped for another day: who waits too long, who agrees, and how it goes on."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from .table import HASTY, PATIENCE, TT, Hall, Tt, agree, free_port
from .test_people import bidding, play


def test_all_agree_to_stop_for_today_and_go_on_another_day(hall: Hall) -> None:
    """Nobody loses; both copies are listed, and both machines go on to the end, one with browsers."""
    host, ann = bidding(hall)
    host.type("suspend")
    ann.expect("Host wants to stop for today: 1 of 2 agree")
    host.type("suspend")
    ann.expect("Host would rather play on")
    host.type("suspend")
    ann.type("suspend")
    for one in (host, ann):
        assert one.done() == 0
        assert one.errors[-1].startswith("Match suspended; no one has lost.")
        assert one.matches()[-1].end is None
    homes = [one.home.name for one in (host, ann)]
    listed = hall.run("resume", "--list", home=homes[0])
    assert listed.done() == 0
    assert listed.has(r"1\. .*Host, Ann")
    pages = ("--web", "--web-port", str(free_port()))
    again = [hall.run("-v", "resume", "1", *pages, home=homes[0], typed=True)]
    again[0].note(r"http://.*\?s=")
    again[0].expect("Absent: Ann")
    again.append(hall.run("-v", "resume", "1", home=homes[1], typed=True))
    for one in again:
        one.expect("How many do you take")
    play(*again)
    for one in again:
        one.expect("State of the table")
        one.hang_up()
    assert [one.done() for one in again] == [0, 0]
    assert again[0].end() == again[1].end()
    for one in again:
        file = next((one.home / "data" / "matches").glob("*.ttm"))
        assert hall.run("verify", str(file), home=one.home.name).done() == 0
        assert hall.run("resume", "--list", home=one.home.name).done() == 0


@pytest.mark.long
def test_who_waits_for_a_dead_machine_is_offered_to_stop(hall: Hall) -> None:
    """After a while the wait has a name and an exit; the dead machine goes on, too, once it is there."""
    host, ann = bidding(hall, program=HASTY)
    ann.kill()
    host.type("suspend")
    host.expect("1 of 2 agree|wants to stop", 5)
    host.expect("0 min without Ann", 40)
    host.type("suspend")
    assert host.done() == 0
    assert host.errors[-1].startswith("Match suspended")
    back = [hall.run("-v", "resume", home=one.home.name, typed=True, program=HASTY) for one in (ann, host)]
    for one in back:
        one.expect("How many do you take", 60)
    play(*back)
    for one in back:
        one.expect("State of the table")
        one.hang_up()
    agree(*back)


@pytest.mark.long
def test_a_suspended_match_is_thrown_away_with_its_secret(hall: Hall) -> None:
    """`tt forget` asks where somebody can answer, and leaves neither file nor secret nor copy of the log."""
    host, ann = bidding(hall)
    for one in (host, ann):
        one.type("suspend")
    assert [host.done(), ann.done()] == [0, 0]
    refused = hall.run("forget", "1", home=host.home.name)
    assert refused.done() == 2
    assert refused.has("--yes")
    assert list((host.home / "data" / "secrets").iterdir())
    gone = hall.run("forget", "1", "--yes", home=host.home.name)
    assert gone.done() == 0
    assert gone.has("Deleted: ")
    assert not list((host.home / "data" / "secrets").iterdir())
    assert not list((host.home / "data").glob("identities/*/tables/*.*"))
    assert not list((host.home / "data" / "matches").glob("*.ttm"))


@pytest.mark.long
def test_who_quits_while_cut_off_keeps_the_match(hall: Hall) -> None:
    """Ctrl+C without a majority is no farewell that anybody could read: the match waits, and goes on."""
    host, ann = bidding(hall)
    ann.kill()
    time.sleep(20)
    host.interrupt()
    assert host.done() == 130
    assert host.has("Match suspended")
    back = [hall.run("-v", "resume", home=one.home.name, typed=True) for one in (host, ann)]
    for one in back:
        one.expect("How many do you take", 60)


def ended_at_once(hall: Hall, kind: str) -> tuple[Tt, Tt]:
    """Two people whose match ends on both machines at once, in the way of this kind."""
    if kind.startswith("SIG"):
        host, ann = bidding(hall)
        for one in (host, ann):
            one.process.send_signal(getattr(signal, kind))
        for one in (host, ann):
            assert one.done() == 130
        return host, ann
    program = [*TT[:3], "-P", str(Path(__file__).with_name("breaking.py")), kind]
    host = hall.host("tricks", "--seats", "2", typed=True, program=program)
    ann = hall.join(typed=True, program=program)
    host.expect("2 of 2 seats taken")
    host.type("start")
    for one in (host, ann):
        one.expect("How many do you take")
    play(host, ann)
    for one in (host, ann):
        if kind == "agent":
            one.expect("Something in Tavolata broke here")
            one.interrupt()
            one.note("Match suspended")
            assert one.process.wait(PATIENCE) == 130
        else:
            one.note("Something broke here: KeyError.*The match is saved")
            assert one.process.wait(PATIENCE) == 1
    return host, ann


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    "kind",
    ["applying", "agent", *(pytest.param(name, marks=pytest.mark.long) for name in ("SIGTERM", "SIGHUP"))],
)
def test_what_all_machines_share_ends_no_match(hall: Hall, kind: str) -> None:
    """A fault in what all hear, a fault in what each would say, or a signal: `tt resume` continues it."""
    back = [hall.run("-v", "resume", home=one.home.name, typed=True) for one in ended_at_once(hall, kind)]
    for one in back:
        one.expect("The match continues", 60)
        one.type(*["1"] * 6)
    for one in back:
        one.expect("State of the table", 60)
    assert back[0].end() == back[1].end()


@pytest.mark.long
def test_who_has_nothing_left_of_the_log_joins_the_others_again(hall: Hall) -> None:
    """Its file is there, but empty: `tt resume` fetches all from the others, and the match goes on."""
    host = hall.host("tricks", "--seats", "3", typed=True)
    ann, bob = hall.join(typed=True), hall.join(typed=True)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, ann, bob):
        one.expect("How many do you take")
    ann.kill()
    [log] = (ann.home / "data").glob("identities/*/tables/*.log")
    log.write_bytes(b"")
    back = hall.run("-v", "resume", home=ann.home.name, typed=True)
    back.expect("How many do you take")
    play(host, back, bob)
    for one in (host, back, bob):
        one.expect("State of the table")
        one.hang_up()
    agree(host, back, bob)
