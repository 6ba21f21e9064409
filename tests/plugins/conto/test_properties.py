"""What holds in every match of Il Conto, Prego!, whoever plays and whatever the house rules."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import RandomBot
from tavolata_conto.calls import legal
from tavolata_conto.menu import NOTHING_CALLED
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto

RULES = list(product((False, True), repeat=3))
OPTIONS = st.builds(
    ContoOptions, cards=st.sampled_from((5, 6)), hands=st.integers(0, 4), oste=st.booleans(),
    saldo=st.booleans(), omaggi=st.booleans(), target=st.integers(1, 4),
)  # fmt: skip


def played(seats: int, options: ContoOptions, seed: int, look: Any = None) -> Match:
    """A match between those who answer anything."""
    source = OpenSource(seed, [RandomBot() for _ in range(seats)], lambda _: None)
    match = new_match(Conto, Terms(tuple("ABCDEFGH"[:seats]), options), source)
    if look is not None:
        match.on_turn = lambda: look(match.game)
    match.run()
    return match


@pytest.mark.battery
@pytest.mark.parametrize(("oste", "saldo", "omaggi"), RULES)
def test_every_combination_of_house_rules_comes_to_an_end(oste: bool, saldo: bool, omaggi: bool) -> None:
    """Alone or together, with hands counted or not, at small and big tables, somebody wins."""
    for seats, hands in ((3, 0), (8, 3)):
        outcome = played(seats, ContoOptions(oste=oste, saldo=saldo, omaggi=omaggi, hands=hands), 1).outcome
        assert outcome is not None
        assert outcome.winners


@pytest.mark.battery
@settings(max_examples=15, deadline=None)
@given(st.integers(3, 8), OPTIONS, st.integers(0, 10**6))
def test_what_always_holds(seats: int, options: ContoOptions, seed: int) -> None:
    """All 108 cards are somewhere, each call is legal after the one before, and each hand has one loser."""
    size = options.cards

    def look(game: Any) -> None:
        assert sum(map(len, [game.pack, game.scraps, *game.hands])) == 108
        assert sum(game.losses.values()) == game.hand - game.dealt
        before = NOTHING_CALLED
        for _, call in game.calls:
            assert call in legal(before, game.cards)
            before = call
        for seat, card in game.shown.items():
            assert card in game.hands[seat]
            assert card.is_public
        if game.dealt and options.saldo:
            for seat, hand in enumerate(game.hands):
                paid = size - game.losses[seat].value
                assert len(hand) in ((paid, paid + 1) if options.oste else (paid,))
        elif game.dealt:
            assert {len(hand) for hand in game.hands} <= {size, size + options.oste}

    match = played(seats, options, seed, look)
    outcome, game = match.outcome, match.game
    assert outcome is not None
    assert isinstance(game, Conto)
    assert outcome.ranks is not None
    assert [seat for seat, place in enumerate(outcome.ranks) if place == 1] == list(outcome.winners)
    assert not any(game.is_in(seat) for seat in game.gone)
    assert all(game.is_in(seat) for seat in outcome.winners)
