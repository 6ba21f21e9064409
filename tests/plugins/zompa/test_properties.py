"""What holds in every match of Zompa, whatever the options, the players and the cards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.replaying import replay

from tavolata import Event
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import FACE, INTERJECT, SAY
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata.decks import ITALIAN_40, ItalianRank
from tavolata_zompa.bots import EasyBot, NormalBot
from tavolata_zompa.options import EmptyPot, Neighbour, Talk, ZompaOptions
from tavolata_zompa.rules import Zompa


class Chatterbox(EasyBot):
    """It answers everybody and calls everybody, always."""

    level = "chatterbox"
    answers = 100
    calls = 100


BOTS: tuple[type[Bot], ...] = (RandomBot, EasyBot, NormalBot, Chatterbox)
seeds = st.integers(0, 2**32)
tables = st.lists(st.sampled_from(BOTS), min_size=2, max_size=9)
options = st.builds(
    ZompaOptions,
    fiches=st.integers(1, 6),
    empty_pot=st.sampled_from(EmptyPot),
    talk=st.sampled_from(Talk),
    sevens=st.sampled_from(Neighbour),
    twos=st.sampled_from(Neighbour),
    fives=st.booleans(),
)
plain = st.builds(ZompaOptions, empty_pot=st.sampled_from(EmptyPot), talk=st.sampled_from(Talk))
quick = settings(max_examples=40, deadline=None)


class Watched:
    """A match that is looked at after every turn.

    Attributes:
        kings: how many kings have found an empty centre.
        rounds: at the end of each round: what the centre has, less what it owes, and `kings` then.
    """

    def __init__(self, rules: ZompaOptions, bots: list[type[Bot]], seed: int) -> None:
        self.kings = 0
        self.rounds = [(0, 0)]
        names = tuple(f"P{seat}" for seat in range(len(bots)))
        source = OpenSource(seed, [bot() for bot in bots], lambda _: None)
        self.match = new_match(Zompa, Terms(names, rules), source, self.heard)
        self.match.on_turn = self.looked
        self.match.run()

    def heard(self, event: Event) -> None:
        if event.message == "{seat}: {card}." and event.params["card"].face.rank == ItalianRank.KING:
            game: Any = self.match.game
            self.kings += not game.centre.value

    def looked(self) -> None:
        game: Any = self.match.game
        assert game.fiches.total() + game.centre.value == len(game.fiches) * self.match.terms.options.fiches  # type: ignore[attr-defined] # Zompa's own options
        assert game.fiches.only_holder() is None
        if not game.deck:
            self.rounds.append((game.centre.value - len(game.owed), self.kings))


@quick
@given(options, tables, seeds)
def test_fiches_are_conserved_and_two_live_until_the_end(
    rules: ZompaOptions, bots: list[type[Bot]], seed: int
) -> None:
    """After every card the fiches are as many as at first and several players live; then one has won."""
    match = Watched(rules, bots, seed).match
    game: Any = match.game
    assert match.outcome is not None
    assert match.outcome.winners == (game.fiches.only_holder(),)
    assert game.fiches.total() + game.centre.value == len(bots) * rules.fiches


@quick
@given(plain, tables, seeds)
def test_the_centre_grows_by_four_in_a_round(rules: ZompaOptions, bots: list[type[Bot]], seed: int) -> None:
    """A whole round adds four, one more for each king that finds nothing; who waits for one is a debt."""
    rounds = Watched(rules, bots, seed).rounds
    for (before, kings), (after, more) in pairwise(rounds):
        missed = 0 if rules.empty_pot is EmptyPot.NEXT else more - kings
        assert after - before == 4 + missed


@quick
@given(options, tables, seeds)
def test_ruling_19_a_match_ends_in_time(rules: ZompaOptions, bots: list[type[Bot]], seed: int) -> None:
    """It ends before the close of round number = players with four fiches each, talk or no talk."""
    game: Any = Watched(rules, bots, seed).match.game
    closed = game.round - 1
    assert 4 * closed <= rules.fiches * len(bots) - 2
    if rules.fiches == 4:
        assert closed < len(bots)


@pytest.mark.battery
@quick
@given(options, tables, seeds)
def test_twice_the_same(rules: ZompaOptions, bots: list[type[Bot]], seed: int) -> None:
    """The same seed, options and bots make the same log; its replay ends in the same state."""
    first, second = (play(Zompa, rules, [bot() for bot in bots], seed) for _ in range(2))
    assert first.log == second.log
    again = new_match(Zompa, first.match.terms, LogSource(len(bots), OneDealer()))
    replay(again, first.log)
    assert again.outcome == first.outcome
    assert again.digest() == first.match.digest()


@quick
@given(options, tables, seeds, st.integers(1, 60))
def test_a_match_goes_on_from_any_turn(
    rules: ZompaOptions, bots: list[type[Bot]], seed: int, turns: int
) -> None:
    """Put away as plain data after any turn and laid out again, a match goes on to the same end."""
    log: list[tuple[Any, ...]] = []
    kept: list[tuple[bytes, int]] = []
    names = tuple("P" * len(bots))
    whole = new_match(Zompa, Terms(names, rules), OpenSource(seed, [bot() for bot in bots], log.append))

    def keep() -> None:
        if whole.table.turn == turns:
            kept.append((pack(whole.state()), len(log)))

    whole.on_turn = keep
    whole.run()
    for state, done in kept:
        rest = new_match(Zompa, Terms(names, rules), LogSource(len(bots), OneDealer()))
        rest.load(unpack(state))
        replay(rest, log[done:])
        assert rest.outcome == whole.outcome
        assert rest.digest() == whole.digest()


@quick
@given(options, tables, seeds, st.lists(st.tuples(*[st.integers(0, 10**6)] * 4), max_size=60))
def test_words_at_any_time_break_nothing(
    rules: ZompaOptions, bots: list[type[Bot]], seed: int, words: list[tuple[int, int, int, int]]
) -> None:
    """Talk thrown into a log at any place leaves fiches conserved and the match alive; void if illegal."""
    log = list(play(Zompa, rules, [bot() for bot in bots], seed).log)
    seats = len(bots)
    for place, who, to, what in words:
        late: tuple[Any, ...] = (SAY, who % seats, (to % seats,), "?")
        if what % 3:
            late = (INTERJECT, who % seats, ("speak", "answer")[what % 2], ("seat", to % seats))
        log.insert(1 + place % len(log), late)
    source = LogSource(seats, OneDealer(), log)
    match = new_match(Zompa, Terms(tuple("P" * seats), rules), source)
    match.run()
    game: Any = match.game
    assert game.fiches.total() + game.centre.value == seats * rules.fiches
    assert (game.fiches.only_holder() is not None) == (match.outcome is not None)


@pytest.mark.battery
@pytest.mark.parametrize("talk", list(Talk))
@pytest.mark.parametrize("pot", list(EmptyPot))
@pytest.mark.parametrize("extras", range(9))
def test_every_table_of_options_plays_to_an_end(talk: Talk, pot: EmptyPot, extras: int) -> None:
    """All combinations end with one winner, with silent players and with those who never stop talking."""
    rules = ZompaOptions(
        talk=talk, empty_pot=pot, sevens=list(Neighbour)[extras % 3], twos=list(Neighbour)[extras // 3],
        fives=bool(extras & 1),
    )  # fmt: skip
    for bot in BOTS:
        for seats in (2, 5):
            assert len(play(Zompa, rules, [bot()] * seats, seats).outcome.winners) == 1
    assert play(Zompa, rules, [Chatterbox()] * 20, 1).outcome.winners


def straight_line(seats: int, dealer: int, ranks: list[int]) -> tuple[list[int], int, int]:
    """The usual rules once more, in one breath, over cards that are known: fiches, centre, cards used."""
    fiches, centre, called = [4] * seats, 0, dealer
    for number, rank in enumerate(ranks):
        if number and number % 40 == 0:
            called = dealer = (dealer + 1) % seats
        called = next(seat % seats for seat in range(called + 1, called + seats + 1) if fiches[seat % seats])
        payments = [called, called] if rank == 1 else [called] if rank in (8, 9) else []
        for payer in payments:
            while not fiches[payer]:
                payer = (payer + 1) % seats  # noqa: PLW2901 - another pays in his place
            fiches[payer] -= 1
            if rank == 1:
                centre += 1
            else:
                fiches[(payer - 1 if rank == 8 else payer + 2) % seats] += 1
            if fiches.count(0) == seats - 1:
                return fiches, centre, number + 1
        if rank == 10 and centre:
            centre -= 1
            fiches[called] += 1
    raise AssertionError("the cards are used up and several live")


@quick
@given(st.integers(2, 20), seeds)
def test_a_straight_line_reading_of_the_rules_agrees(seats: int, seed: int) -> None:
    """The rules written a second time, without pieces, end after the same card with the same fiches."""
    played = play(Zompa, ZompaOptions(), [RandomBot()] * seats, seed)
    game: Any = played.match.game
    ranks = [ITALIAN_40.faces[entry[2]].rank for entry in played.log if entry[0] == FACE]
    expected = straight_line(seats, int(played.log[0][2]), ranks)
    assert (game.fiches.values(), game.centre.value, len(ranks)) == expected
