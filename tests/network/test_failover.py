"""The process that leads is killed or stopped: the others go on, and it is found where it was.

`tests/rehearsals/test_leaders_fail.py` has the other ways in which a leader fails.
"""

from __future__ import annotations

import signal
import time

import pytest

from .hasty import STAND_AFTER
from .lan import Lan
from .table import HASTY, TT, Hall, Tt, agree
from .test_people import play

AGAIN = "'s computer now leads the table"
"""What the others read when the leader has changed."""


def at_cards(hall: Hall, peers: int, *words: str, program: list[str] = TT) -> list[Tt]:
    """People with cards in their hands, sessions among all of them."""
    host = hall.host("tricks", "--seats", str(peers), *words, typed=True, program=program)
    players = [host, *(hall.join(typed=True) for _ in range(peers - 1))]
    for one in players:
        one.expect(f"{peers} of {peers} seats taken")
    host.type("start")
    for one in players:
        one.expect("How many do you take")
    time.sleep(2.5)  # all have called all
    return players


def test_the_host_is_killed_and_people_play_on(hall: Hall) -> None:
    """One line says who leads now; the game answers for the host; all end in one state."""
    host, ann, bob = at_cards(hall, 3, "--stand-after", str(STAND_AFTER), program=HASTY)
    host.kill()
    said = [one.expect(rf"(Ann|Bob){AGAIN}", 8)[1] for one in (ann, bob)]
    assert said[0] == said[1]
    for one in (ann, bob):
        one.expect("Host is away: ")
    play(ann, bob)
    for one in (ann, bob):
        one.expect("won")
        assert sum(AGAIN in line for line in one.lines) == 1
    bob.hang_up()
    ann.hang_up()
    agree(ann, bob)


@pytest.mark.long
def test_the_host_stops_for_ten_seconds_and_goes_on(hall: Hall) -> None:
    """Another leads meanwhile; back, the host sits at its own seat again, and all end in one state."""
    host, ann, bob = at_cards(hall, 3)
    host.process.send_signal(signal.SIGSTOP)
    for one in (ann, bob):
        one.expect(AGAIN, 8)
    time.sleep(10)
    host.process.send_signal(signal.SIGCONT)
    for one in (ann, bob):
        one.expect("Host has reconnected", 12)
    play(host, ann, bob)
    for one in (host, ann, bob):
        one.expect("won")
    for one in (bob, ann, host):
        one.hang_up()
    agree(host, ann, bob)


@pytest.mark.long
def test_of_two_the_host_finds_its_table_again(hall: Hall, lan: Lan) -> None:
    """Killed and started anew with a plain `tt join`, it is found by the guest that waits, and they go on."""
    host = hall.run("-v", "host", "tricks", "--seats", "2", "--as", "Host", home="host", typed=True,
                    before=lan.inside(1))  # fmt: skip
    host.note("The table is open")
    ann = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", home="ann", typed=True, before=lan.inside(2))
    host.expect("2 of 2 seats taken")
    time.sleep(2.5)
    host.kill()
    ann.expect("Lost contact with Host. The table is waiting", 12)
    again = hall.run("-v", "join", "--as", "Host", home="host", typed=True, before=lan.inside(1))
    again.expect("2 of 2 seats taken", 12)
    ann.type("ready")
    again.expect("Ann: ready", 12)
    again.type("start")
    for one in (again, ann):
        one.expect("How many do you take")
