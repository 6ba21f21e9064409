"""Tables of real processes whose path drops long packets, from the start or in mid-session."""

from __future__ import annotations

import shutil

import pytest

from .lan import Lan
from .table import PATIENCE, Hall
from .test_doctor import wall
from .test_finding import examined, opened

pytestmark = pytest.mark.skipif(shutil.which("nft") is None, reason="nftables' nft is not installed here")


@pytest.mark.parametrize("most", [pytest.param(1000, marks=pytest.mark.long), 620])
def test_a_match_over_a_path_that_never_carried_long_packets(hall: Hall, lan: Lan, most: int) -> None:
    """The guest joins with shorter packets, a match is played to its end; `tt doctor` tells of the path."""
    wall(lan, 2, "output", f"meta length > {most} drop")
    wall(lan, 2, "input", f"meta length > {most} drop")
    host = opened(hall, lan, 1, "tricks", "--seats", "2", "--start", "full", "--bot", "random")
    code, said = examined(hall, lan, 2)
    assert code == 0
    assert "get lost on the way to Host1's table at 10.86.0.1" in said
    guest = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", "--bot", "random", before=lan.inside(2))
    assert [one.done(3 * PATIENCE) for one in (guest, host)] == [0, 0]
    assert guest.end() == host.end()


@pytest.mark.long
def test_a_match_goes_on_when_the_path_begins_to_drop_long_packets(hall: Hall, lan: Lan) -> None:
    """In the middle of a match all packets above 1000 bytes are lost; it ends all the same, on both alike."""
    host = opened(hall, lan, 1, "tricks", "--seats", "2", "--start", "full", "--bot", "random",
                  "--option", "hands=12")  # fmt: skip
    guest = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", "--bot", "random", before=lan.inside(2))
    guest.expect("has taken 1 trick", 3 * PATIENCE)
    wall(lan, 2, "output", "meta length > 1000 drop")
    wall(lan, 2, "input", "meta length > 1000 drop")
    assert [one.done(6 * PATIENCE) for one in (guest, host)] == [0, 0]
    assert guest.end() == host.end()


@pytest.mark.long
def test_a_path_for_tiny_packets_only_is_named(hall: Hall, lan: Lan) -> None:
    """Where nothing of more than 330 bytes gets through, `tt join` says that, not that nobody is there."""
    for hook in ("input", "output"):
        wall(lan, 2, hook, "udp length > 310 drop")
    host = opened(hall, lan, 1, "tricks", typed=True)
    guest = hall.run("join", "10.86.0.1", "--as", "Ann", before=lan.inside(2))
    assert guest.done() == 6
    guest.note("is dropping packets of more than a few hundred bytes")
    host.kill()
