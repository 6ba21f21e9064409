"""The open dealer: chance from a seed, the same on every machine and for ever."""

from __future__ import annotations

import gc
import warnings
from typing import Any
from weakref import ref

import pytest
from tests.core.engine.match.races import Race as Windows
from tests.core.games import GAMES, Race, Shouts, Tricks
from tests.core.replaying import replay

from tavolata import Ask, Refused, View
from tavolata._engine.match import open_source
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import (
    ANSWER,
    FACE,
    INTERJECT,
    NUMBER,
    SAY,
    SEAT,
    SHOWN,
    SHUFFLED,
    TIMEOUT,
)
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import BotFault, OpenSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, Chance, Interject, RandomBot, Reflex, Window
from tavolata.errors import GameError
from tavolata.testing import Case, recording

SEED_7_DEALS = [
    (NUMBER, 2, 0),
    (SHUFFLED, 40, b""),
    (SHOWN, 1, (19, 16, 21, 12, 26, 35, 1, 29)),
    (ANSWER, 0, 2, 2),
    (ANSWER, 1, 3, 1),
]
SEED_7_THROWS = [0, 0, 3, 0, 3, 2, 0, 3]


def test_a_seed_means_the_same_match_for_ever() -> None:
    """What seed 7 deals and throws is frozen: a change here makes every saved seed another match."""
    tricks = recording.play(Case(Tricks, 2, {}, 7, (RandomBot,)))
    assert tricks.log[:5] == SEED_7_DEALS
    race = recording.play(Case(Race, 2, {}, 7, (RandomBot,)))
    assert [entry[2] for entry in race.log if entry[0] == NUMBER][:8] == SEED_7_THROWS


def test_only_random_of_the_generator_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but `random()` decides: its sequence alone is the same on every version of Python."""

    class Plain:
        def __init__(self, seed: int) -> None:
            self._state = seed

        def random(self) -> float:
            self._state = (self._state * 1103515245 + 12345) % 2**31
            return self._state / 2**31

    monkeypatch.setattr(open_source, "Random", Plain)
    for rules in GAMES:
        played = play(rules, rules.options(), [RandomBot() for _ in range(rules.seats[0])], 3)
        assert played.outcome is not None


@pytest.mark.parametrize("rules", GAMES)
def test_a_match_that_is_over_is_no_garbage(rules: Any) -> None:
    """A match that was simulated goes when its last user goes; it refers to itself nowhere."""
    gc.disable()
    try:
        played = play(rules, rules.options(), [RandomBot() for _ in range(rules.seats[0])], 1)
        left = ref(played.match)
        del played
        assert left() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("rules", GAMES)
def test_a_log_is_enough(rules: Any) -> None:
    """Whatever is played here can be followed from its log alone, on the general way without short cuts."""
    for seed in range(5):
        played = play(rules, rules.options(), [RandomBot() for _ in range(rules.seats[1])], seed)
        source = LogSource(rules.seats[1], OneDealer())
        match = new_match(rules, Terms(("x",) * rules.seats[1], rules.options()), source)
        replay(match, played.log)
        assert match.digest() == played.match.digest()
        assert source.at == len(source.entries)


def test_every_order_is_as_likely() -> None:
    """Of 6000 shuffles of three cards, each of the six orders comes up about a thousand times."""
    counts: dict[tuple[int, ...], int] = {}
    source = OpenSource(1, [], lambda _: None)
    deck = [_Slot(number) for number in range(3)]
    for _ in range(6000):
        source._faces[:] = [0, 1, 2]
        source.shuffle(deck)  # type: ignore[arg-type]
        counts[tuple(source._faces)] = counts.get(tuple(source._faces), 0) + 1
    assert len(counts) == 6
    assert counts.values()
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize("sides", [(1 << 32) + 1, 1 << 60, 1 << 63])
def test_a_lot_of_many_sides_falls_on_all_of_them(sides: int) -> None:
    """Its first and its last bits are both random."""
    source = OpenSource(1, [], lambda _: None)
    drawn = [source.number(sides) or 0 for _ in range(400)]
    assert 0 <= min(drawn) <= max(drawn) < sides
    assert {number * 4 // sides for number in drawn} == {number % 4 for number in drawn} == {0, 1, 2, 3}


class _Slot:
    """All that a shuffle needs of a card."""

    def __init__(self, number: int) -> None:
        self.id = number


class Wrong(Bot):
    """It answers what is not legal."""

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        return -1


def test_a_bot_that_answers_illegally_is_named() -> None:
    """An illegal answer of a bot ends the match with its seat."""
    with pytest.raises(BotFault, match="The bot at seat 1 gave an illegal answer") as fault:
        play(Race, Race.options(), [Wrong()], 1)
    assert fault.value.seat == 0


class Deaf(RandomBot):
    """It always tries something that its rules refuse."""

    interjects = True

    def interject(self, view: View, standing: Any, chance: Chance) -> Any:
        return Interject("shout", 3) if standing else None


def test_a_refused_interjection_of_a_bot_is_as_if_it_had_not_been() -> None:
    """A bot that is refused stays in the match, and nothing of it is in the log."""
    played = play(Shouts, Shouts.options(), [Deaf(), Deaf()], 1)
    source = LogSource(2, OneDealer())
    replay(match := new_match(Shouts, played.match.terms, source), played.log)
    assert match.digest() == played.match.digest()


def waiting(rules: Any = Shouts, **more: Any) -> tuple[Match, OpenSource, list[Any]]:
    log: list[Any] = []
    source = OpenSource(1, [None, None], log.append, **more)
    match = new_match(rules, Terms(("A", "B"), rules.options(), 0), source, lambda _: None)
    match.run()
    return match, source, log


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ((ANSWER, 1, 1, 0), "That question is closed."),
        ((ANSWER, 0, 2, 0), "That question is closed."),
        ((ANSWER, 0, 1, 1), "Choose a number from 1 to 1."),
        ((TIMEOUT, 1), "There's no time limit for that."),
        ((TIMEOUT, 9), "That question is closed."),
        ((INTERJECT, 0, "whisper", 0), "This game has no such action."),
        ((INTERJECT, 0, "shout", 0), "You can't do that now."),
        ((INTERJECT, 2, "shout", 0), "There's no such seat."),
        ((INTERJECT, -1, "shout", 0), "There's no such seat."),
        ((SAY, "0", (1,), "Hm."), "There's no such seat."),
        ((SAY, 0, (2,), "Hm."), "That isn't a valid message."),
        ((SAY, 0, (1, 1), "Hm."), "That isn't a valid message."),
        ((SAY, 0, (1,), b"Hm."), "That isn't a valid message."),
        ((SEAT, 0, "asleep"), "A seat can't have that status."),
        ((FACE, 0, 0), "That wasn't asked for."),
        ((SHOWN, 0, ()), "That wasn't asked for."),
    ],
)
def test_what_is_not_legal_now_changes_nothing(entry: Any, reason: str) -> None:
    """Each refusal has its reason; state and log stay as they are."""
    match, source, log = waiting()
    before, so_far = match.digest(), list(log)
    with pytest.raises(Refused) as refusal:
        source.feed(entry)
    assert str(refusal.value) == reason
    assert (match.digest(), log) == (before, so_far)


def test_nothing_can_be_done_after_the_end() -> None:
    """When a match is over, words and deeds are refused: nobody would replay them."""
    match, source, _ = waiting()
    while not match.over:
        ask = source.open[0]
        match.feed((ANSWER, int(ask.seat), ask.id, ask.question.answer_at(0)))
    before = match.digest()
    for entry in ((SAY, 0, (1,), "Hm."), (INTERJECT, 0, "shout", 1), (SEAT, 0, "away")):
        with pytest.raises(Refused, match="The match is over"):
            match.feed(entry)
    assert match.digest() == before


def test_what_comes_after_an_answer_comes_after_what_follows_from_it() -> None:
    """A word between an answer and the next step of the match is taken as the log has it: after that step."""
    match, source, log = waiting()
    ask = source.open[0]
    source.feed((ANSWER, 0, ask.id, 0))
    source.feed((SAY, 0, (1,), "Hm."))
    match.run()
    copy = LogSource(2, OneDealer(), log)
    again = new_match(Shouts, match.terms, copy)
    again.run()
    assert (copy.voids, again.digest()) == ({}, match.digest())
    assert [entry[0] for entry in log][-2:] == [FACE, SAY]


def test_bots_that_are_held_answer_when_they_are_let() -> None:
    """With `hold`, a bot's question stays open until somebody lets it answer."""
    log: list[Any] = []
    source = OpenSource(1, [RandomBot(), RandomBot()], log.append, hold=True)
    match = new_match(Shouts, Terms(("A", "B"), Shouts.options(), 0), source)
    match.run()
    assert [ask.seat for ask in source.open] == [match.table.first_seat]
    source.let_bot_answer(source.open[0])
    match.run()
    assert [entry[0] for entry in log] == [NUMBER, SHUFFLED, ANSWER, FACE]


def test_a_broken_match_stays_broken() -> None:
    """After an error in a rule a match can't be run on by mistake."""

    class Breaks(Shouts):
        async def turn(self, t: Any) -> None:
            raise ZeroDivisionError

    match = new_match(
        Breaks, Terms(("A", "B"), Breaks.options()), OpenSource(1, [None, None], lambda _: None)
    )
    with pytest.raises(ZeroDivisionError):
        match.run()
    with pytest.raises(GameError, match="broke off at an earlier error"):
        match.run()


def test_a_match_can_be_broken_off() -> None:
    """A table may end a match without an outcome; nothing goes on then."""
    match, _, log = waiting()
    match.break_off()
    so_far = list(log)
    match.run()
    assert (match.over, match.outcome, log) == (True, None, so_far)


@pytest.mark.battery
def test_looking_at_a_match_needs_no_play() -> None:
    """A match that was made and never run leaves nothing behind that Python warns of."""
    with warnings.catch_warnings(record=True) as told:
        new_match(Shouts, Terms(("A", "B"), Shouts.options()), OpenSource(1, [None, None], lambda _: None))
        gc.collect()
    assert told == []


def test_no_two_seats_of_a_window_share_their_random_numbers() -> None:
    """What one seat draws first, no other draws later: neighbours did, and at Bang the middle one lost."""
    drawn: list[tuple[int, ...]] = []

    class Draws(RandomBot):
        def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
            drawn.append(tuple(chance.bits() for _ in range(4)))
            return None

    play(Windows, Windows.options(), [Draws() for _ in range(8)], 1)
    assert len(drawn) == 24
    assert len({number for numbers in drawn for number in numbers}) == 4 * 24
