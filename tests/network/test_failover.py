"""The machine that orders dies, sleeps or stops in mid-match: the others go on, and nothing agreed is lost."""

from __future__ import annotations

import random
import signal
import time

import pytest

from .table import Hall, Tt, agree
from .test_people import play

AGAIN = "orders the game now"
"""What the others read when the peer that orders has changed."""


def bots(hall: Hall, peers: int, fiches: int = 9) -> list[Tt]:
    """A match of bots, that decides by itself about who is away; where it is begun when this returns."""
    words = ("--start", "full", "--bot", "random", "--away", "bot", "--option", f"fiches={fiches}")
    host = hall.host("zompa", "--seats", str(peers), *words)
    players = [host, *(hall.join("--bot", "random") for _ in range(peers - 1))]
    for one in players:
        one.expect("pays|turns|Card|card")
    return players


def at_cards(hall: Hall, peers: int) -> list[Tt]:
    """People with cards in their hands, sessions among all of them."""
    host = hall.host("tricks", "--seats", str(peers), typed=True)
    players = [host, *(hall.join(typed=True) for _ in range(peers - 1))]
    for one in players:
        one.expect(f"{peers} of {peers} seats taken")
    host.type("start")
    for one in players:
        one.expect("How many do you take")
    time.sleep(2.5)  # all have called all
    return players


def test_the_host_is_killed_and_people_play_on(hall: Hall) -> None:
    """One line says who orders now; a bot takes the host's seat when somebody says so; all end in one state."""
    host, ann, bob = at_cards(hall, 3)
    host.kill()
    said = [one.expect(rf"(Ann|Bob) {AGAIN}", 8)[1] for one in (ann, bob)]
    assert said[0] == said[1]
    for one in (ann, bob):
        one.expect("Host is away", 8)
    ann.type("bot Host")
    play(ann, bob)
    for one in (ann, bob):
        one.expect("won")
        assert sum(AGAIN in line for line in one.lines) == 1
    bob.hang_up()
    ann.hang_up()
    agree(ann, bob)


def kill_in_mid_match(hall: Hall, peers: int, victims: int, seed: int) -> None:
    """Bots play; at a random moment the host dies, later others do; the rest finishes with equal digests."""
    chance = random.Random(seed)
    players = bots(hall, peers)
    for _ in range(victims):
        time.sleep(chance.uniform(0, 3))
        players.pop(0).kill()
        players[-1].expect(AGAIN, 12)
    agree(*players)


def test_the_host_of_bots_is_killed(hall: Hall) -> None:
    """With nobody at any keyboard, too, the others finish: the table decides as its host had said."""
    kill_in_mid_match(hall, 3, 1, 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 11))
def test_the_host_is_killed_at_any_moment(hall: Hall, seed: int) -> None:
    """Ten times, at ten moments."""
    kill_in_mid_match(hall, 3, 1, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_two_of_five_are_killed_one_after_the_other(hall: Hall, seed: int) -> None:
    """The host, and then whoever orders in its place or another: the three who are left finish."""
    kill_in_mid_match(hall, 5, 2, seed)


@pytest.mark.long
def test_the_host_stops_for_ten_seconds_and_goes_on(hall: Hall) -> None:
    """Another orders meanwhile; back, the host sits at its own seat again, and all end in one state."""
    host, ann, bob = at_cards(hall, 3)
    host.process.send_signal(signal.SIGSTOP)
    for one in (ann, bob):
        one.expect(AGAIN, 8)
    time.sleep(10)
    host.process.send_signal(signal.SIGCONT)
    for one in (ann, bob):
        one.expect("Host is back", 12)
    play(host, ann, bob)
    for one in (host, ann, bob):
        one.expect("won")
    for one in (bob, ann, host):
        one.hang_up()
    agree(host, ann, bob)


def test_of_two_the_guest_waits_for_the_host(hall: Hall) -> None:
    """The host of two is killed: the guest says that it waits, and nothing becomes agreed by itself."""
    host, ann = at_cards(hall, 2)
    host.kill()
    ann.expect("Nothing is heard of Host; the table waits", 12)
    ann.type("2")
    time.sleep(1.0)
    assert not ann.has("bids|orders the game now")
