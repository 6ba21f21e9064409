"""Every ruling at once: whole matches by all house rules, against a second telling of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Terms
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot
from tavolata_bang.options import BangOptions
from tavolata_bang.rules import Bang

from .referee import told
from .test_properties import matches


@pytest.mark.battery
@settings(max_examples=30, deadline=None)
@given(matches())
def test_the_rules_and_the_referee_agree_after_every_window(
    match: tuple[BangOptions, list[type[Bot]], int],
) -> None:
    """Rulings 1 to 18: stacks card by card, pile, penalty, turn, tribute, who is barred, who wins."""
    options, bots, seed = match
    played = play(Bang, options, [bot() for bot in bots], seed)
    source = LogSource(len(bots), OneDealer())
    follower = new_match(Bang, Terms(tuple(f"P{seat}" for seat in range(len(bots))), options), source)
    follower.run()
    fed = 0
    for number, referee in told(played.log, len(bots), options):
        for entry in played.log[fed:number]:
            follower.feed(entry)
        fed, game = number, _state(follower.game)
        assert game == {
            "stacks": referee.stacks, "pile": referee.pile, "under": referee.under[::-1],
            "owner": referee.owner, "due": referee.due, "barred": sorted(referee.out), "laid": referee.laid,
        }  # fmt: skip
        assert referee.over == (number == len(played.log))
        if not referee.over:
            assert follower.game.layer == referee.turn  # type: ignore[attr-defined]
    assert list(played.outcome.winners) == referee.winners()


def _state(game: Any) -> dict[str, Any]:
    return {
        "stacks": [[card.id for card in stack] for stack in game.stacks],
        "pile": [card.id for card in game.pile],
        "under": [card.id for card in game.under],
        "owner": game.owner,
        "due": game.due,
        "barred": sorted(game.barred),
        "laid": game.laid,
    }
