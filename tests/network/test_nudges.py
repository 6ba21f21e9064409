"""Players who are there and say nothing: a nudge, and what their own machine and the others do then."""

from __future__ import annotations

import time

import pytest

from .table import HASTY, Hall, Tt

pytestmark = pytest.mark.long

IDLE = 2
"""Seconds after which somebody may be nudged at these tables."""


def silent(hall: Hall, *words: str) -> list[Tt]:
    """Three people at their bids; the host and Bob have bid, and Ann says nothing."""
    host = hall.host("tricks", "--seats", "3", "--idle", str(IDLE), typed=True, program=HASTY)
    ann = hall.join(*words, name="Ann", typed=True)
    host.expect("2 of 3 seats taken")
    bob = hall.join(name="Bob", typed=True)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, ann, bob):
        one.expect("How many do you take")
    return [host, ann, bob]


def test_who_was_nudged_and_presses_no_key_is_answered_for_by_its_own_bot(hall: Hall) -> None:
    """It is too early at first; then the nudged machine counts down and answers, and no vote is needed."""
    host, ann, bob = silent(hall)
    host.type("nudge Ann")
    host.expect("You can nudge someone after 2 seconds of waiting")
    time.sleep(IDLE)
    host.type("0", "nudge Ann")
    bob.type("0")
    for one in (host, ann, bob):
        one.expect("Host nudges Ann: are you there")
    ann.expect("A bot will answer in 4 s")
    ann.expect("Your bot has answered for you", 8)
    for one in (host, bob):
        one.expect("Ann bids", 15)
    assert not host.has("time's up for Ann")


def test_a_key_stops_the_countdown(hall: Hall) -> None:
    """The others read that who was nudged is there and thinks, and nobody answers in its place."""
    host, ann, bob = silent(hall)
    time.sleep(IDLE + 0.5)
    host.type("nudge Ann")
    ann.expect("A bot will answer in 4 s")
    ann.type("seats")
    for one in (host, bob):
        one.expect("Ann is here and thinking")
    time.sleep(7)  # longer than the others would wait for her if she were not there
    assert not ann.has("Your bot has answered")
    assert not host.has("time's up for Ann")
    ann.type("0")
    host.type("0")
    bob.type("0")
    for one in (host, ann, bob):
        one.expect("Ann bids 0")


def test_a_bot_plays_for_who_was_nudged_until_a_key_is_pressed(hall: Hall) -> None:
    """`--nudged rest`: the own machine's bot answers, and goes on playing until its player is there again."""
    host, ann, bob = silent(hall, "--nudged", "rest")
    time.sleep(IDLE + 0.5)
    host.type("0", "nudge Ann")
    bob.type("0")
    ann.expect("In 4 s, a bot will play for you")
    ann.expect("Your bot has answered for you", 10)
    host.expect("Ann bids", 10)
    ann.type("seats")
    ann.expect("Tricks: 3 of 3 seats taken", 10)


def test_a_machine_that_does_nothing_is_timed_out_by_votes(hall: Hall) -> None:
    """`--nudged wait`: the others vote that time is up, and the question gets the answer of silence."""
    host, ann, bob = silent(hall, "--nudged", "wait")
    time.sleep(IDLE + 0.5)
    host.type("0", "nudge Ann")
    bob.type("0")
    for one in (host, ann, bob):
        one.expect("Time's up for Ann", 25)
    for one in (host, bob):
        one.expect("Ann bids", 15)
