"""What always holds in Bang, whoever plays, by whichever house rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import FACE
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Terms
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata.decks import FRENCH_54, FrenchFace
from tavolata.options import problems_of
from tavolata.testing.cases import values_of
from tavolata_bang.bots import EasyBot, HardBot, NormalBot
from tavolata_bang.options import BangOptions, Jolly
from tavolata_bang.patterns import Pattern, reason
from tavolata_bang.rules import COURT, Bang

from .table import CARDS, conserved

BOTS: list[type[Bot]] = [RandomBot, EasyBot, NormalBot, HardBot]


@st.composite
def matches(draw: st.DrawFn) -> tuple[BangOptions, list[type[Bot]], int]:
    """House rules of all sorts, two to eight bots, a seed."""
    said: dict[str, Any] = {
        spec.name: draw(st.sampled_from(values_of(spec)), label=spec.name) for spec in BangOptions.describe()
    }
    said["cap"] = draw(st.integers(50, 300), label="cap")
    bots = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=8), label="bots")
    rules = BangOptions.parse(said)
    assume(not problems_of(rules, len(bots), 0))
    return rules, bots, draw(st.integers(0, 2**32), label="seed")


@pytest.mark.battery
@settings(max_examples=25, deadline=None)
@given(matches())
def test_after_every_entry_all_54_cards_are_there(match: tuple[BangOptions, list[type[Bot]], int]) -> None:
    """Each in one place; who is to lay has a card; only what was laid is open; a tribute owes what it may."""
    options, bots, seed = match
    log = play(Bang, options, [bot() for bot in bots], seed).log
    source = LogSource(len(bots), OneDealer())
    follower = new_match(Bang, Terms(tuple(f"P{seat}" for seat in range(len(bots))), options), source)
    follower.run()
    shown: set[int] = set()
    for entry in log:
        if entry[0] == FACE:
            shown.add(entry[1])
        follower.feed(entry)
        game: Any = follower.game
        if not follower.table._pieces.laid:
            continue
        conserved(game)
        assert not [card for card in game.pile if not card.is_public]
        if not game.pack:
            assert not [
                card for stack in game.stacks for card in stack if card.is_public != (card.id in shown)
            ]
            assert not game.can_lay or game.stacks[game.layer]
        assert 0 <= game.due <= 4
        assert (game.due == 0) or game.owner is not None
    assert not source.voids
    assert follower.outcome is not None
    assert sum(follower.outcome.scores or ()) <= CARDS


@pytest.mark.battery
@settings(max_examples=25, deadline=None)
@given(matches())
def test_a_match_is_replayed_to_the_same_end(match: tuple[BangOptions, list[type[Bot]], int]) -> None:
    """The log alone brings the match back, reaction for reaction (ruling 18)."""
    options, bots, seed = match
    played = play(Bang, options, [bot() for bot in bots], seed)
    source = LogSource(len(bots), OneDealer(), played.log)
    again = new_match(Bang, Terms(tuple(f"P{seat}" for seat in range(len(bots))), options), source)
    again.run()
    assert (again.outcome, again.digest()) == (played.outcome, played.match.digest())


CARDS_UP = st.lists(st.sampled_from(FRENCH_54.faces), max_size=12)


@given(CARDS_UP)
def test_patterns_look_at_ranks_from_the_top(cards: list[FrenchFace]) -> None:
    """Each pattern against its sentence in the rulings, said in another way than the rules say it."""
    ranks = [card.rank for card in reversed(cards)]

    def at(place: int) -> int:
        return ranks[place] if place < len(ranks) else -1

    two = {at(0), at(1)}
    assert Pattern.DOUBLE.shown_by(cards) == (len(cards) > 1 and at(0) == at(1))
    assert Pattern.SANDWICH.shown_by(cards) == (len(cards) > 2 and at(0) == at(2))
    assert Pattern.BIGMAC.shown_by(cards) == (len(cards) > 3 and at(0) == at(3))
    assert Pattern.TOP_BOTTOM.shown_by(cards) == (len(cards) > 2 and ranks[0] == ranks[-1])
    assert Pattern.TEN.shown_by(cards) == (
        two in ({2, 8}, {3, 7}, {4, 6}) or (len(cards) > 1 and at(0) == at(1) == 5)
    )
    assert Pattern.MARRIAGE.shown_by(cards) == (two == {12, 13})
    assert Pattern.DIVORCE.shown_by(cards) == ({at(0), at(2)} == {12, 13})
    assert Pattern.ANY_JACK.shown_by(cards) == (at(0) == 11)
    assert Pattern.ANY_JOKER.shown_by(cards) == (at(0) == 0)
    low, high = [*range(1, 14)], [*range(2, 14), 1]
    for pattern, length in ((Pattern.RUN3, 3), (Pattern.RUN4, 4)):
        rows = [row[place : place + length] for row in (low, high) for place in range(14 - length)]
        assert pattern.shown_by(cards) == (len(cards) >= length and any(
            ranks[:length] in (row, row[::-1]) for row in rows
        ))  # fmt: skip
    top = cards[-4:]
    assert Pattern.FLUSH4.shown_by(cards) == (
        len(top) == 4 and len({one.suit for one in top}) == 1 and top[0].rank > 0
    )


@given(CARDS_UP, st.lists(st.sampled_from(Pattern), unique=True))
def test_only_agreed_reasons_count(cards: list[FrenchFace], agreed: list[Pattern]) -> None:
    """A bang is right exactly if one of the table's reasons is there."""
    found = reason(cards, agreed)
    assert (found is not None) == any(pattern.shown_by(cards) for pattern in agreed)
    assert found is None or found in agreed


def test_each_reason_can_be_switched_by_itself() -> None:
    """A reason that is on is there whatever the preset, one that is off is not; presets are as agreed."""
    presets = {
        "classic": "double sandwich",
        "family": "double sandwich top_bottom",
        "slapjack": "double sandwich any_jack",
        "full": "double sandwich top_bottom ten marriage",
    }
    for preset, names in presets.items():
        usual = {Pattern[name.upper()] for name in names.split()}
        assert set(BangOptions.parse({"preset": preset}).patterns) == usual
        for pattern in Pattern:
            for word, expected in (("on", usual | {pattern}), ("off", usual - {pattern})):
                options = BangOptions.parse({"preset": preset, pattern.name.lower(): word})
                assert set(options.patterns) == expected


@pytest.mark.parametrize("pattern", Pattern)
def test_a_reason_is_said_in_one_place(pattern: Pattern) -> None:
    """Its line in the table is all: its option, its sentence, its time for bots and its look come from it."""
    help_of = {spec.name: spec.help for spec in BangOptions.describe()}
    assert help_of[pattern.name.lower()] == pattern.looks
    assert BangOptions.parse({pattern.name.lower(): "on"}).patterns.count(pattern) == 1
    assert type(pattern.harder) is int
    assert not pattern.shown_by([])


def test_the_joker_asks_by_default() -> None:
    """The literal reading is the usual one: joker 1, queen 2, king 3, ace 4."""
    assert BangOptions().jolly is Jolly.JOKER
    assert COURT[BangOptions().jolly] == {0: 1, 12: 2, 13: 3, 1: 4}
