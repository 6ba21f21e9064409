"""A table of real processes whose path drops long packets."""

from __future__ import annotations

import shutil

import pytest

from .lan import Lan
from .table import PATIENCE, Hall
from .test_doctor import wall
from .test_finding import examined, opened

pytestmark = pytest.mark.skipif(shutil.which("nft") is None, reason="nftables' nft is not installed here")


def test_a_match_over_a_path_that_never_carried_long_packets(hall: Hall, lan: Lan) -> None:
    """The guest joins with shorter packets, a match is played to its end; `tt doctor` tells of the path."""
    wall(lan, 2, "output", "meta length > 620 drop")
    wall(lan, 2, "input", "meta length > 620 drop")
    host = opened(hall, lan, 1, "tricks", "--seats", "2", "--start", "full", "--bot", "random")
    code, said = examined(hall, lan, 2)
    assert code == 0
    assert "get lost on the way to Host1's table at 10.86.0.1" in said
    guest = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", "--bot", "random", before=lan.inside(2))
    assert [one.done(3 * PATIENCE) for one in (guest, host)] == [0, 0]
    assert guest.end() == host.end()
