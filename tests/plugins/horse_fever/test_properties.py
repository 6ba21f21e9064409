"""What holds in every match and every race of Horse Fever, whatever is dealt, thrown and chosen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tavolata import Track
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata_horse_fever.bots import EasyBot, NormalBot
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.lanes import lane_effects, remaining
from tavolata_horse_fever.rules.running import arrived, moved, sprinted
from tavolata_horse_fever.tables import FINISH, LAST_SQUARE

from . import books

modes = st.sampled_from([(Mode.FAMILY, False), (Mode.BOARD, False), (Mode.BOARD, True)])
options = st.builds(
    lambda mode, **others: HorseFeverOptions(mode=mode[0], starred=mode[1], **others),
    mode=modes,
    printed_cards=st.booleans(),
    removal_first=st.booleans(),
    turns=st.sampled_from([0, 1, 2]),
)
tables = st.lists(st.sampled_from([RandomBot, RandomBot, EasyBot, NormalBot]), min_size=2, max_size=6)
lanes = st.permutations(ACTION_CARDS).flatmap(
    lambda cards: st.lists(st.integers(0, 6), min_size=len(cards), max_size=len(cards)).map(
        lambda where: [
            [card for card, at in zip(cards, where, strict=True) if at == lane] for lane in range(6)
        ]
    )
)
horses = st.permutations([*HORSES, *[None] * 4]).map(lambda cards: cards[:6])
odds = st.lists(st.integers(2, 7), min_size=6, max_size=6)
dice = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=60, max_size=60)


@pytest.mark.battery
@settings(max_examples=150, deadline=None)
@given(lanes, horses, odds, st.permutations(MOVEMENT_CARDS), dice)
def test_every_race_ends_and_no_horse_goes_back(
    cards: Any, gates: Any, rows: list[int], deck: Any, throws: Any
) -> None:
    """With any cards in any lanes all six arrive, within the movement deck, on squares that can be drawn."""
    effects = [lane_effects(horse, remaining(lane)) for horse, lane in zip(gates, cards, strict=True)]
    squares: tuple[int, ...] = (0,) * 6
    ranking: list[int] = []
    for number, (card, throw) in enumerate(zip(deck, throws, strict=False)):
        ran = moved(squares, rows, effects, card.steps, start=number == 0)
        after = sprinted(ran, effects, throw)
        for was, between, is_ in zip(squares, ran, after, strict=True):
            assert (was == between == is_ == Track.OFF) or was <= between <= is_ <= LAST_SQUARE
        groups = arrived(after, rows, effects)
        ranking += [lane for group in groups for lane in group]
        assert [len({rows[lane] for lane in group}) for group in groups] == [1] * len(groups)
        squares = tuple(Track.OFF if lane in ranking else square for lane, square in enumerate(after))
        assert squares
        assert all(square < FINISH for square in squares)
        if len(ranking) == 6:
            break
    assert sorted(ranking) == list(range(6))


@pytest.mark.battery
@settings(max_examples=40, deadline=None)
@given(tables, options, st.integers(0, 2**32))
@example([*[RandomBot] * 4, NormalBot, RandomBot], HorseFeverOptions(mode=Mode.BOARD, starred=True), 205)
def test_every_match_ends_after_its_turns(bots: list[type[Bot]], rules: HorseFeverOptions, seed: int) -> None:
    """No purse is ever below zero, every flow has its name, and the last turn is the last at the latest."""
    match = played(bots, rules, seed)
    game: Any = match.game
    last = game.last_turn(match.table.options)
    assert game.turn_number <= last + 1
    if len(game.gone) < len(bots) - 1:
        assert game.turn_number == last + 1


def played(bots: list[type[Bot]], rules: HorseFeverOptions, seed: int) -> Match:
    """Play a match, looking at its books at every entry (see conftest), and at its cards at every turn."""
    source = OpenSource(seed, [bot() for bot in bots], lambda _: None)
    match = new_match(HorseFever, Terms(("A", "B", "C", "D", "E", "F")[: len(bots)], rules), source)
    game: Any = match.game

    def look() -> None:
        books.check(game)
        lying = [card for pile in match.table._pieces.named.values() for card in getattr(pile, "cards", ())]
        assert sorted(card.id for card in lying) == list(range(len(match.table._pieces.cards)))
        assert not game.aside
        assert game.odds
        assert all(2 <= row <= 7 for row in game.odds.values())
        for colour in LANES:
            assert game.owners[colour] not in game.gone
            assert game.free_tokens(colour) >= 0
        if game.chapter == 0 and game.turn_number:
            assert not any(game.lanes.values())
            assert not any(game.gates.values())
            assert not any(game.hands)

    match.on_turn = look
    match.run()
    assert match.outcome is not None
    outcome = match.outcome
    assert len(outcome.winners) == 1 or len(game.gone) == len(bots)
    assert not set(outcome.winners) & set(game.gone)
    assert outcome.ranks is not None
    first = [seat for seat in range(len(bots)) if outcome.ranks[seat] == 1]
    assert first == sorted(outcome.winners) or not outcome.winners
    return match


@pytest.mark.long
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("seats", range(2, 7))
def test_thousands_of_matches(mode: Mode, seats: int) -> None:
    """All seat counts and all options, with bots of all kinds: every match ends, its books are balanced."""
    kinds: list[type[Bot]] = [RandomBot, EasyBot, RandomBot, NormalBot]
    for seed in range(500):
        bots = [kinds[(seed + seat) % (4 if seed % 5 == 0 else 3)] for seat in range(seats)]
        rules = HorseFeverOptions(
            mode=mode,
            starred=mode is Mode.BOARD and bool(seed & 1),
            printed_cards=bool(seed & 2),
            removal_first=bool(seed & 4),
        )
        played(bots, rules, seed)
