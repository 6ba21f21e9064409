"""The battery over whole games: it passes them, and reports what it did."""

from __future__ import annotations

import pytest
from tests.core.games import GAMES, Nod, Race, Shouts, Tricks

from tavolata.testing import USUAL_BOTS, Case, CheckFailed, cases, check_game, checks


@pytest.mark.parametrize("check", checks.ALL, ids=repr)
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_pass(game, check):
    """A game that keeps the contracts passes every check."""
    assert check(game) >= 1
