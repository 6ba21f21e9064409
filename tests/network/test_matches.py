"""Whole matches between processes on loopback: every peer tells the same end, and proves the same state."""

from __future__ import annotations

import pytest

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


@pytest.mark.long
@pytest.mark.parametrize("peers", [2, 5, 8])
def test_a_table_of_any_size_agrees(hall: Hall, peers: int) -> None:
    """Two peers, of which neither can be outvoted, five, and eight."""
    words = ("--start", "full", "--bot", "random", "--option", "fiches=2")
    host = hall.host("zompa", "--seats", str(peers), *words)
    agree(host, *(hall.join("--bot", "random") for _ in range(peers - 1)))


def test_the_host_brings_bots_and_everybody_is_told_whom_to_trust(hall: Hall) -> None:
    """`--bots 2`: the host plays three seats of four; lobby and match file say who deals and sees what."""
    host = hall.host("tricks", "--seats", "4", "--bots", "2", "--start", "full", "--bot", "random")
    guest = hall.join("--bot", "random")
    agree(host, guest)
    for one in (host, guest):
        assert one.has(r"Host's bot \(random\)")
        assert one.has("A bot's cards are visible to the machine that runs it")
        assert one.has("All seats share one address. If it's one computer, its owner could see all hands")
        header = one.matches()[0].header
        assert header["dealer"] == "fair"
        assert header["seed"] is None
    second_opinion.hand_over(host)


def test_a_host_that_deals_says_so(hall: Hall) -> None:
    """With `--dealer host` everybody is told in lobby and match whom to trust."""
    words = ("--seats", "2", "--start", "full", "--bot", "random", "--dealer", "host")
    host = hall.host("tricks", *words)
    guest = hall.join("--bot", "random")
    agree(host, guest)
    for one in (host, guest):
        assert one.has(r"Host \(the host\) deals and could see every card")
        assert one.matches()[0].header["dealer"] == "host"


@pytest.mark.long
def test_three_tables_at_once_on_one_machine(hall: Hall) -> None:
    """Tables at different ports of one machine know nothing of each other."""
    tables = []
    for _ in range(3):
        host = hall.host("tricks", "--seats", "2", "--start", "full", "--bot", "random")
        tables.append((host, hall.join("--bot", "random")))
    ends = [agree(*table) for table in tables]
    assert len({end["digest"] for end in ends}) == 3


def test_processes_of_one_user_take_identities_of_their_own(hall: Hall) -> None:
    """A host and two guests that share all their folders are three peers, with a file each."""
    host = hall.host("tricks", "--seats", "3", "--start", "full", "--bot", "random", home="one")
    guests = [hall.join("--bot", "random", name=name, home="one") for name in ("Ann", "Bob")]
    assert [one.done() for one in (host, *guests)] == [0, 0, 0]
    files = host.matches()
    assert len(files) == 3
    assert len({file.end["digest"] for file in files if file.end}) == 1
    assert len(set(files[0].header["keys"])) == 3


def test_rules_that_break_end_the_match_and_not_the_table(hall: Hall) -> None:
    """A fault of a game is told in one sentence by every peer, and the match is broken off."""
    host = hall.host("tricks", "--seats", "2", "--start", "full", "--bot", "random", "--option", "broken=yes")
    guest = hall.join("--bot", "random")
    end = agree(host, guest, code=4)
    assert end["outcome"] is None
    assert all(one.has("Error in the rules of tricks.*a fault of the rules") for one in (host, guest))
