"""Fictionary: words and meanings that can be played, points for votes, equal texts, and both languages."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata import FreeText, same_words
from tavolata.bots import Chance
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, rehearse, time_is_up
from tavolata_classics.fictionary.bots import EasyBot, HardBot, NormalBot
from tavolata_classics.fictionary.dictionary import DECOYS, MEANINGS, WORDS, Language
from tavolata_classics.fictionary.rules import LONGEST, Fictionary, FictionaryOptions


@pytest.mark.parametrize("language", Language)
def test_every_meaning_can_be_written_and_none_is_there_twice(language: Language) -> None:
    """Words are enough for the longest match, meanings fit into an answer, and decoys fit no word."""
    meanings, decoys = [*MEANINGS[language].values()], DECOYS[language]
    assert len(WORDS[language]) == len(meanings) >= 20
    assert max(map(len, [*meanings, *decoys])) <= LONGEST
    every = [*meanings, *decoys]
    assert len(every) > 40
    assert not any("'" in one for one in every)
    twice = [(one, two) for n, one in enumerate(every) for two in every[:n] if same_words(one, two)]
    assert twice == []


def table(*answers: Any, **options: Any) -> Rehearsal:
    return rehearse(
        Fictionary,
        seats=["Ann", "Ben", "Cleo"],
        turns=1,
        options={"rounds": 2, **options},
        decks={"pack": ["zirlo" if options else "quoin"]},
        answers=[*answers],
    )


TRUTH = "an outer corner of a wall"


def test_the_sample_round_is_what_the_rules_play() -> None:
    """Ben writes the true meaning with other capitals, Ann finds it and fools Cleo."""
    written = {0: "a corner shop", 1: "An outer corner OF a wall", 2: "a coin"}
    played = table(written, {0: TRUTH, 2: "a corner shop"})
    assert played.game.points == [3, 3, 0]
    assert played.game.found == [1, 1, 0]
    assert played.game.fooled == [1, 0, 0]
    assert "“a corner shop”, by Ann, fools Cleo." in played.said()


def test_equal_meanings_are_one_and_both_authors_score() -> None:
    """Their authors can't vote for it."""
    played = rehearse(
        Fictionary, seats=3, options={"rounds": 1}, decks={"pack": ["quoin"]}, turns=1, answers=None
    )
    played.play({0: "a coin", 1: "A COIN", 2: "a duck"})
    choices = [[ask.question.nth(n) for n in range(ask.question.count())] for ask in played.open]
    assert choices == [["a duck", TRUTH], ["a duck", TRUTH], ["a coin", TRUTH]]
    played.play({0: "a duck", 1: TRUTH, 2: "a coin"})
    assert played.game.points == [1, 2 + 1, 1]


def test_meanings_are_listed_by_the_alphabet_whatever_their_capitals_and_accents() -> None:
    """A keyboard that begins with a capital doesn't set its meanings apart from the true one."""
    played = rehearse(Fictionary, seats=3, decks={"pack": ["quoin"]}, turns=1, answers=None)
    played.play({0: "Zoo", 1: "École", 2: "A coin"})
    assert [*played.game.meanings] == ["A coin", TRUTH, "École", "Zoo"]


def test_if_everyone_knows_the_word_no_one_votes() -> None:
    assert table(dict.fromkeys(range(3), TRUTH)).game.points == [3, 3, 3]


def test_the_words_can_be_italian() -> None:
    """The true meaning is Italian, too, at a table of any language."""
    truth = MEANINGS[Language.ITALIAN]["zirlo"]
    played = table({0: "un filo", 1: truth, 2: "una zuppa"}, {0: truth, 2: truth}, language="it")
    assert played.game.points == [2, 3, 2]


def test_keyboards_and_phones_write_the_same_apostrophe() -> None:
    """A typed apostrophe becomes that of the dictionary: it's no sign of who wrote, and no wrong answer."""
    played = rehearse(
        Fictionary, seats=3, options={"language": "it"}, decks={"pack": ["gnomone"]}, turns=1, answers=None
    )
    played.play({0: "l'asta di una meridiana", 1: "l'ala di un’oca", 2: "l’ala di un'oca"})
    truth = MEANINGS[Language.ITALIAN]["gnomone"]
    assert played.game.meanings == {"l’ala di un’oca": [1, 2], truth: [0]}


def test_a_meaning_is_shown_as_it_was_written_in_any_language() -> None:
    """A meaning that is also a word on the screen isn't translated."""
    written = {0: "Word", 1: "an imp's hat", 2: "a duck"}
    played = table(written, {0: TRUTH, 1: "Word", 2: "an imp’s hat"})
    assert "“Word”, di Ann, inganna Ben." in played.said(lang="it")
    assert "“an imp’s hat”, di Ben, inganna Cleo." in played.said(lang="it")


def test_no_one_sees_a_meaning_before_all_are_written() -> None:
    """After two of three answers, nothing is known of them."""
    played = rehearse(Fictionary, seats=3, decks={"pack": ["quoin"]}, turns=1, answers=None)
    assert [isinstance(ask.question, FreeText) for ask in played.open] == [True] * 3
    assert played.game.meanings == {}


def test_if_time_is_up_everyone_hands_in_another_meaning() -> None:
    """In two rounds, six meanings that nobody had time to write are six different ones."""
    played = rehearse(Fictionary, seats=3, options={"rounds": 2, "seconds": 30}, turns=2, answers=None)
    handed_in: list[str] = []
    for _ in range(2):
        played.play(time_is_up())
        handed_in += [one for one, authors in played.game.meanings.items() if authors]
        played.play({ask.seat: ask.question.nth(0) for ask in played.open})
    assert len({*handed_in}) == len(handed_in) == 6


def test_each_level_beats_the_one_below() -> None:
    """Over 60 matches of four with the seats changing, the better bots win more than half."""
    for better, worse in ((NormalBot(), EasyBot()), (HardBot(), NormalBot())):
        won = 0.0
        for seed in range(60):
            bots = [(better, worse)[(seat + seed) % 2] for seat in range(4)]
            outcome = Simulation(Fictionary, 4, options=FictionaryOptions(), seed=seed).rollout(
                bots, Chance(seed)
            )
            assert outcome is not None
            won += sum((seat + seed) % 2 == 0 for seat in outcome.winners) / len(outcome.winners)
        assert won > 34, (type(better).__name__, won)
