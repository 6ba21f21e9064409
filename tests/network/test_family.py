"""Played as a family: laptops that die, sleep, flap and are closed, with the real waiting times."""

from __future__ import annotations

import signal
import time
from itertools import permutations

import pytest

from .lan import Lan
from .table import Hall, Tt
from .test_people import play

pytestmark = pytest.mark.long


def at_bids(hall: Hall, peers: int, *words: str, lan: Lan | None = None) -> list[Tt]:
    """So many people, each asked for a bid in secret, with hands that nobody else sees."""
    if lan is None:
        host = hall.host("tricks", "--seats", str(peers), *words, typed=True)
        players = [host, *(hall.join(typed=True) for _ in range(peers - 1))]
    else:
        host = hall.run("-v", "host", "tricks", "--seats", str(peers), "--as", "Host", *words, home="Host",
                        typed=True, before=lan.inside(1))  # fmt: skip
        host.note("The table is open")
        players = [host]
        for number, name in zip(range(2, peers + 1), ("Ann", "Bob"), strict=False):
            players.append(hall.run("-v", "join", "10.86.0.1", "--as", name, home=name, typed=True,
                                    before=lan.inside(number)))  # fmt: skip
            host.expect(f"{number} of {peers} seats taken")
    for one in players if lan is None else players[1:]:
        one.expect(f"{peers} of {peers} seats taken")
    host.type("start")
    for one in players:
        one.expect("How many do you take", 60)
    time.sleep(2.5)  # all have called all
    return players


def finish(hall: Hall, *players: Tt) -> None:
    """All end with the same state, and each file verifies."""
    for one in players:
        one.expect("State of the table", 120)
    for one in players:
        one.type("quit")
    assert [one.done() for one in players] == [0] * len(players)
    assert len({str(one.end()) for one in players}) == 1
    for one in players:
        file = next((one.home / "data" / "matches").glob("*.ttm"))
        assert hall.run("verify", str(file), home=one.home.name).done() == 0


@pytest.mark.parametrize(("stand_after", "expected"), [(60, 75), (30, 45)])
def test_from_a_death_to_the_first_answer_with_hidden_hands(
    hall: Hall, stand_after: int, expected: int
) -> None:
    """15 s of silence and `stand_after`; the wait has its cause on both screens all the time."""
    host, ann, bob = at_bids(hall, 3, "--stand-after", str(stand_after))
    host.type("0")
    ann.type("0")
    bob.kill()
    died = time.monotonic()
    for one in (host, ann):
        one.expect("Lost contact with Bob", 15)
        one.expect("hasn.t heard Bob for", 30)
        one.expect("Bob is away", 30)
        one.expect("Time's up for Bob", expected + 30)
        one.expect("Bob bids", 30)
    taken = time.monotonic() - died
    print(f"\nstand_after {stand_after}: first answer after {taken:.0f} s, expected about {expected} s")
    assert expected - 3 < taken < expected + 25
    host.type(*["1"] * 5)
    ann.type(*["1"] * 5)
    finish(hall, host, ann)


def test_from_a_death_to_the_end_of_waiting_where_nothing_is_hidden(hall: Hall) -> None:
    """Zompa's players hold nothing and are asked little: nobody waits after 15 s of silence."""
    host = hall.host("zompa", "--seats", "3", "--option", "fives=yes", "--pace", "0.01", typed=True)
    ann, bob = hall.join(typed=True), hall.join(typed=True)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, ann, bob):
        one.expect("Round 1|turn|Turn|draws|card", 60)
    bob.kill()
    died = time.monotonic()
    for one in (host, ann):
        one.expect("Bob is away: ", 60)
    taken = time.monotonic() - died
    print(f"\nnothing hidden: nobody waits after {taken:.0f} s, expected about 15 s")
    assert 12 < taken < 45


def test_an_evening_of_three_laptops(hall: Hall, lan: Lan) -> None:
    """In one match one link flaps, one laptop sleeps, and the one whose link flapped dies: it ends well."""
    host, ann, bob = players = at_bids(hall, 3, "--stand-after", "30", lan=lan)
    for _ in range(2):
        lan.plug(3, into=False)
        time.sleep(5)
        lan.plug(3, into=True)
        time.sleep(15)
    assert not any(one.has("(Ann|Bob|Host) is away: ") for one in players)
    ann.process.send_signal(signal.SIGSTOP)
    slept = time.monotonic()
    for one in (host, bob):
        one.expect("Ann is away", 60)
    away = time.monotonic() - slept
    time.sleep(10)
    ann.process.send_signal(signal.SIGCONT)
    woke = time.monotonic()
    for one in (host, bob):
        one.expect("Ann is back", 30)
    back = time.monotonic() - woke
    host.type("0")
    ann.type("0")
    bob.kill()
    died = time.monotonic()
    for one in (host, ann):
        one.expect("Time's up for Bob", 75)
        one.expect("Bob bids", 30)
    answered = time.monotonic() - died
    print(f"\nasleep: away after {away:.0f} s, back {back:.1f} s after waking; "
          f"from a death to the first answer {answered:.0f} s, expected about 45")  # fmt: skip
    host.type(*["1"] * 5)
    ann.type(*["1"] * 5)
    finish(hall, host, ann)


def test_one_sleeps_for_a_minute_and_the_lid_of_the_host_is_closed(hall: Hall) -> None:
    """Nobody is gone: who wakes is back by itself, another one leads meanwhile, and the match ends well."""
    host, ann, bob = players = at_bids(hall, 3)
    ann.process.send_signal(signal.SIGSTOP)
    for one in (host, bob):
        one.expect("Ann is away", 60)
    time.sleep(30)
    ann.process.send_signal(signal.SIGCONT)
    for one in (host, bob):
        one.expect("Ann is back", 30)
    host.process.send_signal(signal.SIGSTOP)
    for one in (ann, bob):
        one.expect("now leads the table", 30)
        one.expect("Host is away", 60)
    time.sleep(10)
    host.process.send_signal(signal.SIGCONT)
    for one in (ann, bob):
        one.expect("Host is back", 30)
    play(*players)
    finish(hall, *players)


def test_one_flaps_every_twenty_seconds(hall: Hall, lan: Lan) -> None:
    """A link that is down for five seconds of twenty makes nobody away, and nobody waits for long."""
    players = at_bids(hall, 3, lan=lan)
    for _ in range(4):
        lan.plug(3, into=False)
        time.sleep(5)
        lan.plug(3, into=True)
        time.sleep(15)
    assert not any(one.has("(Ann|Bob|Host) is away: ") for one in players)
    play(*players)
    finish(hall, *players)


def test_somebody_comes_back_just_before_its_time_is_up(hall: Hall) -> None:
    """The seat is the owner's again from its word on; each question has exactly one answer."""
    host, ann, bob = at_bids(hall, 3, "--stand-after", "30")
    host.type("0")
    ann.type("0")
    bob.kill()
    for one in (host, ann):
        one.expect("Bob is away", 90)
    again = hall.join(name="Bob", typed=True, home=bob.home.name)
    host.expect("Bob is back", 60)
    again.expect("The match continues", 30)
    if not host.has("Bob bids"):
        again.type("0")
    for one in (host, ann, again):
        one.type(*["1"] * 5)
    finish(hall, host, ann, again)
    assert sum("Bob bids" in line for line in host.lines) == 1


def test_three_of_five_die_one_after_the_other(hall: Hall) -> None:
    """The match waits with names and an exit, is suspended, and goes on to its end when all are back."""
    players = at_bids(hall, 5)
    host, ann, *mortal = players
    for one in mortal:
        one.kill()
        time.sleep(5)
    missing = "|".join(map(", ".join, permutations(("Bob", "Cy", "Dot"))))  # as they sat down
    for one in (host, ann):
        one.expect(f"1 min without ({missing})", 120)
        one.type("suspend")
    assert [host.done(), ann.done()] == [0, 0]
    back = [hall.run("-v", "resume", home=one.home.name, typed=True) for one in players]
    for one in back:
        one.expect("How many do you take", 120)
    play(*back)
    finish(hall, *back)
