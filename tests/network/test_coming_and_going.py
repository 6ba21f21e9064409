"""A player who goes away: what the others see, what the table can decide, and the way back to the seat."""

from __future__ import annotations

import signal
import sys
import time

import pytest

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import DEAL
from tavolata._engine.table import log_bodies
from tavolata_protocol.entries import read_entry

from .hasty import STAND_AFTER
from .table import HASTY, Hall, Tt, agree
from .test_people import play

SOON = ("--stand-after", str(STAND_AFTER))
"""The option by which questions of somebody with hidden cards are soon closed."""


def at_bids(hall: Hall, *words: str, guests: int = 2, program: list[str] = HASTY) -> list[Tt]:
    """People at a table, all of them asked for their bid."""
    host = hall.host("tricks", "--seats", str(guests + 1), *words, typed=True, program=program)
    players = [host]
    for number in range(guests):
        players.append(hall.join(typed=True))
        host.expect(f"{number + 2} of {guests + 1} seats taken")
    host.type("start")
    for one in players:
        one.expect("How many do you take")
    return players


def finish(*players: Tt) -> None:
    """All see the end; then they go, and agree."""
    for one in players:
        one.expect("State of the table" if one.process.stdin is None else "won")
    for one in players:
        if one.process.stdin is not None:
            one.hang_up()
    agree(*players)


@pytest.mark.parametrize("guests", [2, pytest.param(1, marks=pytest.mark.long)])
def test_a_killed_guest_is_missed_and_comes_back_to_its_seat(hall: Hall, guests: int) -> None:
    """Killed in mid-match: not heard within 5 s; `tt join` brings it back, also by a guest, also of two."""
    host, ann, *others = at_bids(hall, guests=guests)
    began = time.monotonic()
    ann.kill()
    for one in (host, *others):
        one.expect("Lost contact with Ann", 8)
    assert time.monotonic() - began < 6
    host.type("blind")
    host.expect("no one can decide that alone")
    if others:
        for one in (host, *others):
            one.expect("Ann is away: ")
    play(host, *others)
    door = others[0].port() if others and sys.platform == "linux" else hall.port
    again = hall.join(name="Ann", typed=True, port=door)
    again.expect("The match continues")
    again.expect("How many do you take")
    host.expect("Ann is back" if others else "Ann has reconnected")  # of two nobody was ever away
    play(again)
    finish(host, again, *others)


def said_of(one: Tt, whom: bytes) -> list[str]:
    """What somebody said of itself in the log of its match, as the file of another has it: here, or back."""
    found = []
    for data in one.matches()[0].log:
        entry = read_entry(data, bytes(32))
        body = log_bodies.read(entry.body)
        if body is None or entry.author != whom:
            continue
        if body[0] == log_bodies.STATUS:
            found.append("here")
        step = body[1][1] if body[0] == log_bodies.PLAY else []
        if step[:1] == [DEAL] and step[3:5] == [steps.SELF, OwnWord.BACK]:
            found.append("back")
    return found


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process")
def test_who_reads_hundreds_of_entries_on_its_return_says_once_that_it_is_here(hall: Hall) -> None:
    """Its process slept, was voted away, and misses 300 entries: it says that it is back once, after them."""
    host, ann, bob = at_bids(hall)
    ann.process.send_signal(signal.SIGSTOP)
    for one in (host, bob):
        one.expect("Ann is away: ", 25)
    for number in range(150):
        host.type(f"say word {number}")
        bob.type(f"say and {number}")
    bob.expect("word 149")
    host.expect("and 149")
    key = host.matches()[0].header["keys"][1]
    assert not said_of(host, key)
    ann.process.send_signal(signal.SIGCONT)
    ann.expect("word 149")
    play(host, ann, bob)
    finish(host, ann, bob)
    said = said_of(host, key)
    assert said.count("back") == 1
    assert said.count("here") <= 1  # none if who leads the log said first that it hears her
    assert len(host.matches()[0].log) > 300


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process")
def test_a_host_that_returns_after_the_others_finished_is_told_so(hall: Hall) -> None:
    """It slept through the end: it reads how the match ended, not that nothing is heard of itself."""
    host, ann, bob = at_bids(hall, *SOON)
    host.process.send_signal(signal.SIGSTOP)
    for one in (ann, bob):
        one.expect("Host is away: ", 40)
    play(ann, bob)
    for one in (ann, bob):
        one.expect("won")
    host.process.send_signal(signal.SIGCONT)
    host.expect("State of the table")
    assert not host.has("Lost contact with Host")
    for one in (ann, bob, host):
        one.hang_up()
    agree(host, ann, bob)


@pytest.mark.long
def test_a_sealed_answer_survives_its_process(hall: Hall) -> None:
    """Killed between its sealed bid and the opening: back, it opens the very same bid."""
    host, ann, bob = at_bids(hall)
    ann.type("3")
    deadline = time.monotonic() + 20
    while not any(entry[:2] == (5, 1) for entry in host.matches()[0].entries):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    ann.kill()
    again = hall.join(name="Ann", typed=True)
    again.expect("The match continues")
    play(host, bob)
    host.expect("Ann bids 3")
    again.type(*["1"] * 5)
    assert not again.has("How many do you take")
    finish(host, again, bob)


@pytest.mark.long
def test_the_game_answers_for_who_is_away_until_it_is_back(hall: Hall) -> None:
    """Two who don't hear her vote that her time is up; who comes back sits at its seat again."""
    host, ann, bob = at_bids(hall, *SOON, "--option", "hands=2")
    ann.kill()
    for one in (host, bob):
        one.expect("Ann is away: ", 20)
        one.expect("Time's up for Ann")
    play(host, bob)
    host.expect("has taken 5|has taken 1 trick")
    for one in (host, bob):
        one.expect("How many do you take")  # the second hand
    again = hall.join(name="Ann", typed=True)
    again.expect("The match continues")
    host.expect("Ann is back")
    play(host, bob)
    asked = "Ann: (How many do you take|Which card will you play)|It took"
    while again.expect(asked)[1]:  # as its bot left it
        again.type("1")
    finish(host, again, bob)


@pytest.mark.long
def test_a_table_ends_the_match_because_somebody_is_away(hall: Hall) -> None:
    """`end` is a vote: with two of three the match is broken off for all, one alone ends nothing."""
    host, ann, bob = at_bids(hall)
    ann.kill()
    for one in (host, bob):
        one.expect("Ann is away: ", 20)
    bob.type("end")
    for one in (host, bob):
        one.expect("Bob wants to end the match \\(agreed: 1 of the 2 needed")
    assert not host.has("abandoned")
    host.type("end")
    for one in (host, bob):
        one.expect("Host wants to end the match \\(agreed: 2 of the 2 needed")
        one.expect("The match was abandoned")
    finished = [one.end() for one in (host, bob)]
    assert finished[0] == finished[1]
    assert finished[0]["outcome"] is None
    host.type("start")  # the two who are left play on
    for one in (host, bob):
        one.expect("How many do you take")


@pytest.mark.long
def test_where_the_host_deals_the_game_answers_by_its_word(hall: Hall) -> None:
    """`--away blind` acts by itself when a player was away for ten seconds."""
    # one machine can't open cards that two have shuffled: the match goes on where the host deals
    words = ("--start", "full", "--bot", "random", "--away", "blind", "--dealer", "host")
    host = hall.host("tricks", "--seats", "2", *words)
    guest = hall.join(typed=True)
    guest.expect("How many do you take")
    guest.kill()
    host.expect("Ann is away", 8)
    host.expect("lets the game answer for Ann", 20)
    assert host.done() == 0


@pytest.mark.parametrize("how", ["SIGINT", pytest.param("quit", marks=pytest.mark.long)])
def test_a_polite_leave_in_mid_match_says_how_to_come_back(hall: Hall, how: str) -> None:
    """`quit` and Ctrl+C tell the others at once and oneself the way back, which works."""
    host, ann, bob = at_bids(hall, "--away", "wait")
    if how == "quit":
        ann.type("quit")
    else:
        ann.interrupt()
    host.expect("Ann has left the table", 3)
    assert ann.done(6) == (0 if how == "quit" else 130)
    assert ann.errors[0] == "`tt resume` brings you back to your seat."
    again = hall.run("-v", "resume", home=ann.home.name, typed=True)
    again.expect("How many do you take")
    host.expect("Ann is back")
    play(host, again, bob)
    finish(host, again, bob)


def test_ctrl_c_in_the_lobby(hall: Hall) -> None:
    """A guest who interrupts the lobby is gone from it; the host's interrupt closes the table."""
    host = hall.host("tricks", "--seats", "3", typed=True)
    guests = [hall.join(typed=True), hall.join(typed=True)]
    host.expect("3 of 3 seats taken")
    guests[0].interrupt()
    assert guests[0].done(6) == 130
    assert guests[0].errors == ["tt: Interrupted."]
    host.expect("2 of 3 seats taken")
    host.interrupt()
    assert host.done(6) == 130
    assert host.errors[1:] == ["The table is closed.", "tt: Interrupted."]
    assert guests[1].done(6) == 0
    assert guests[1].errors == ["The table is closed."]


@pytest.mark.long
def test_an_impatient_ctrl_c_twice(hall: Hall) -> None:
    """The second Ctrl+C does not wait for goodbyes, and is no traceback either."""
    host, ann = at_bids(hall, guests=1)
    host.process.send_signal(signal.SIGSTOP)  # nobody answers the goodbye
    ann.interrupt()
    ann.note("brings you back")
    ann.interrupt()
    assert ann.done(4) == 130
    host.process.send_signal(signal.SIGCONT)


@pytest.mark.long
def test_a_guest_that_slept_goes_on_by_itself(hall: Hall) -> None:
    """Stopped for longer than it takes to be away, and continued: it is back without joining again."""
    host, ann, bob = at_bids(hall)
    ann.process.send_signal(signal.SIGSTOP)
    host.expect("Ann is away: ", 20)
    play(host, bob)
    ann.process.send_signal(signal.SIGCONT)
    host.expect("Ann is back")
    play(ann)
    finish(host, ann, bob)


@pytest.mark.long
def test_a_place_in_the_lobby_is_not_kept_for_who_vanished(hall: Hall) -> None:
    """Away between matches, a place goes to the next who comes."""
    host = hall.host("tricks", "--seats", "2", typed=True)
    ann = hall.join(typed=True)
    host.expect("2 of 2 seats taken")
    ann.kill()
    host.expect("Ann is away", 8)
    bob = hall.join(typed=True)
    host.expect("Bob sits down")
    host.type("start")
    bob.expect("How many do you take")


@pytest.mark.long
def test_a_guest_that_slept_for_long_goes_on_by_itself(hall: Hall) -> None:
    """Stopped until its sessions have ended, too: they are made anew."""
    host, ann, bob = at_bids(hall)
    ann.process.send_signal(signal.SIGSTOP)
    time.sleep(100)
    play(host, bob)
    ann.process.send_signal(signal.SIGCONT)
    host.expect("Ann is back")
    play(ann)
    finish(host, ann, bob)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGHUP", pytest.param("SIGTERM", marks=pytest.mark.long)])
def test_a_closed_terminal_is_missed_at_once(hall: Hall, name: str) -> None:
    """Nobody has said anything, but the others see it, and `tt resume` leads back."""
    host, ann, bob = at_bids(hall, "--away", "wait")
    ann.process.send_signal(getattr(signal, name))
    host.expect("Ann has left for now", 3)
    assert ann.done() == 130
    assert ann.errors == ["Match saved. Continue it with `tt resume`.", "tt: Interrupted."]
    again = hall.run("-v", "resume", home=ann.home.name, typed=True)
    again.expect("How many do you take", 30)
    play(host, again, bob)
    finish(host, again, bob)
