"""Whole matches between processes on loopback: every peer tells the same end, and proves the same state."""

from __future__ import annotations

from . import second_opinion
from .table import Hall, agree


def test_three_processes_finish_with_one_outcome_and_one_digest(hall: Hall) -> None:
    """The match that the README shows, nobody at a keyboard; soon after its end all three are gone."""
    host = hall.host("zompa", "--seats", "3", "--start", "full", "--bot", "random")
    players = [host, *(hall.join("--bot", "random") for _ in range(2))]
    for one in players:
        one.expect("has won")
    assert [one.done(5.0) for one in players] == [0, 0, 0]
    end = agree(*players)
    outcome = end["outcome"]
    assert isinstance(outcome, dict)
    assert len(outcome["winners"]) == 1
    second_opinion.hand_over(host)


def test_processes_of_one_user_take_identities_of_their_own(hall: Hall) -> None:
    """A host and two guests that share all their folders are three peers, with a file each."""
    host = hall.host("tricks", "--seats", "3", "--start", "full", "--bot", "random", home="one")
    guests = [hall.join("--bot", "random", name=name, home="one") for name in ("Ann", "Bob")]
    assert [one.done() for one in (host, *guests)] == [0, 0, 0]
    files = host.matches()
    assert len(files) == 3
    assert len({file.end["digest"] for file in files if file.end}) == 1
    assert len(set(files[0].header["keys"])) == 3
