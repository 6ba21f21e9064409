"""Ctrl+C and a closed terminal: what the others see, what is said, and that `tt resume` leads back."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tavolata._engine.match.header import Header

from .table import PATIENCE, TT, Hall, Tt, agree
from .test_people import play


def at_bids(hall: Hall, *words: str, guests: int = 2) -> list[Tt]:
    """People at a table, all of them asked for their bid."""
    players = [hall.host("tricks", "--seats", str(guests + 1), *words, typed=True)]
    for number in range(guests):
        players.append(hall.join(typed=True))
        players[0].expect(f"{number + 2} of {guests + 1} seats taken")
    players[0].type("start")
    for one in players:
        one.expect("How many do you take")
    return players


LEFT = ("SIGINT", "Ann has left the table", "`tt resume` brings you back to your seat.")
"""Somebody has said that they go."""
CLOSED = ("SIGHUP", "Ann has left for now", "Match saved. Continue it with `tt resume`.")
"""Nobody has said anything, but the others see it."""
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


@pytest.mark.usefixtures("hears_hangups")
@pytest.mark.parametrize(
    ("name", "seen", "told"),
    [LEFT, pytest.param(*CLOSED, marks=UNIX), pytest.param("SIGTERM", *CLOSED[1:], marks=UNIX)],
)
def test_a_signal_in_mid_match_is_seen_at_once_and_leads_back(
    hall: Hall, name: str, seen: str, told: str
) -> None:
    """The others read it, whoever goes reads the way back, and it works."""
    host, ann, bob = at_bids(hall, "--away", "wait")
    ann.process.send_signal(getattr(signal, name))
    host.expect(seen, 3)
    assert ann.done(6) == 130
    assert ann.errors == [told, "tt: Interrupted."]
    again = hall.run("-v", "resume", home=ann.home.name, typed=True)
    again.expect("How many do you take")
    host.expect("Ann is back")
    play(host, again, bob)
    for one in (host, again, bob):
        one.expect("won")
        one.hang_up()
    agree(host, again, bob)


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


BREAKING = [*TT[:3], "-P", str(Path(__file__).with_name("breaking.py")), "once"]
"""The program of machines that all break in the second turn of a match; see `breaking`."""


def test_after_a_second_fall_at_one_entry_all_go_back_and_play_on(hall: Hall) -> None:
    """The room's acceptance 3: `tt resume` meets the fault again; by `--back` the match comes to its end."""
    host = hall.host("tricks", "--seats", "3", "--option", "hands=2", typed=True, program=BREAKING)
    players = [host, *(hall.join(typed=True, program=BREAKING) for _ in range(2))]
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in players:
        one.expect("How many do you take")
    play(*players, hands=2)
    for said, words in (("Something broke here: KeyError", ()), ("It broke again: KeyError", ("--back",))):
        for one in players:
            one.note(said)
            assert one.process.wait(PATIENCE) == 1, one.story()
        players = [
            hall.run("-v", "resume", *words, home=one.home.name, typed=True, program=BREAKING)
            for one in players
        ]
    for one in players:
        one.expect("How many do you take", 60)
    play(*players)
    for one in players:
        one.expect("State of the table")
        one.hang_up()
    agree(*players)
    for one in players:
        [first, last] = one.matches()
        before = Header.of(last.header).before
        assert before is not None
        assert (first.end, before.match) == (None, Header.of(first.header).id)
        assert hall.run("verify", str(last.path), home=one.home.name).done() == 0


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
