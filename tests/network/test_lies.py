"""A process that says false things about others, at a table of honest ones: nobody is moved by its word."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from . import second_opinion
from .table import TT, Hall
from .test_people import play

pytestmark = pytest.mark.long

LYING = [*TT[:3], "-P", str(Path(__file__).with_name("lying.py"))]
"""The program of a machine that lies; see `lying`. -P: the game comes from where it is installed."""
MOVED = r"is away: |A bot on the machine|left the match|was broken off|cheated|has removed|is the host now"
"""What is said of somebody whom a lie has moved."""


@pytest.mark.parametrize("role", ["guest", "host"])
def test_every_lie_about_others_is_void(hall: Hall, role: str) -> None:
    """A host lies, or a guest and a spectator: all stay and play their own seats, and the files verify."""
    if role == "host":
        liar = hall.host("tricks", "--seats", "3", "--bot", "random", "--start", "full", program=LYING)
        honest = [hall.join(typed=True, program=TT) for _ in range(2)]
    else:
        first = hall.host("tricks", "--seats", "3", typed=True)
        honest = [first, hall.join(typed=True)]
        first.expect("2 of 3 seats taken")
        liar = hall.join("--bot", "random", name="Liar", program=LYING)
        first.expect("3 of 3 seats taken")
        hall.join("--watch", name="Gossip", program=LYING)
        first.expect("Gossip is watching")
        first.type("start")
    for one in honest:
        one.expect("How many do you take", 60)
    time.sleep(20)  # each of the lies, and longer than an absence takes
    assert not any(one.has(MOVED) for one in honest), honest[0].story()
    play(*honest)
    for one in honest:
        one.expect("State of the table", 120)
    assert not any(one.has(MOVED) for one in honest[:1]), honest[0].story()
    ends = [one.end() for one in honest]
    assert ends[0] == ends[1]
    assert ends[0]["outcome"] is not None
    for one in honest:
        file = next((one.home / "data" / "matches").glob("*.ttm"))
        assert hall.run("verify", str(file), home=one.home.name).done() == 0
    assert liar.matches()
    if role == "host":
        second_opinion.hand_over(liar)
