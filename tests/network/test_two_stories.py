"""An orderer that lies, among real peers: its own signatures convict it, and the match goes on without it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tavolata._engine.fair import steps

from .table import PATIENCE, Hall, agree

LIAR = Path(__file__).with_name("two_stories.py")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("step", [steps.DECK, pytest.param(steps.CARDS, marks=pytest.mark.long)])
@pytest.mark.parametrize("peers", [3, pytest.param(4, marks=pytest.mark.long)])
def test_the_match_goes_on_without_an_orderer_that_tells_two_stories(
    hall: Hall, peers: int, step: int
) -> None:
    """The host tells one guest another story: all others name it, end alike, and their files prove it."""
    hall.path = (*hall.path, ROOT)
    liar = [sys.executable, "-W", "default", str(LIAR), str(step), "Ann"]
    words = ("--start", "full", "--bot", "random", "--option", "hands=2", "--away", "bot")
    host = hall.host("tricks", "--seats", str(peers), *words, name="Liar", program=liar)
    rest = [hall.join("--bot", "random", name=name) for name in ("Ann", "Bob", "Cy")[: peers - 1]]
    for player in rest:
        player.done(PATIENCE * peers)
    assert any(player.has("Liar ordered the game, told two stories") for player in rest)
    agree(*rest)
    for player in rest:
        check = hall.run("verify", home=player.home.name)
        assert check.done() == 0, check.story()
        assert check.has("Caught in the match: Liar"), check.story()
        assert check.has("Nothing is wrong with this match"), check.story()
    host.kill()
