"""`tt resume` and `tt forget`: a match that is stopped for another day goes on, or is thrown away."""

from __future__ import annotations

import pytest

from .table import Hall, agree, free_port
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
