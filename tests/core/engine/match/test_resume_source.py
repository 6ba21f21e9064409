"""Taking up a match of people and bots: after every entry, and only by its own log."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.games import Race, Shouts, Tricks

from tavolata._engine.match.entries import ANSWER, FACE, INTERJECT, NUMBER, SAY, TIMEOUT
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Chance, RandomBot
from tavolata.errors import Diverged, Refused
from tavolata.testing import Case, Meddler
from tavolata.testing.recording import Recorded, play

SEATS = 3


def players() -> list[Any]:
    """A person at seat 0, meddling bots at the others."""
    return [None, Meddler(), Meddler()]


class Person:
    """Does at each wait what hangs on nothing but how long the log is, so that it can be done again."""

    def __init__(self, match: Match, log: list[Any]) -> None:
        self.match, self.log = match, log

    def play(self) -> None:
        for _ in range(3000):
            if self.match.over:
                return
            self.step()
        raise AssertionError("the match has no end")

    def step(self) -> None:
        source: Any = self.match.source
        chance = Chance(len(self.log) * 31 + 7)
        ask = next(ask for ask in source.open if ask.answer is None)
        standing = self.match.standing(0)
        try:
            if standing and chance.percent(30):
                self.match.feed((INTERJECT, 0, "shout", 1 + chance.below(3)))
            elif self.match.game.listens and chance.percent(10):
                self.match.feed((SAY, 0, (chance.below(SEATS),), "Hm."))
            elif ask.seat != 0:
                source.let_bot_answer(ask)
                self.match.run()
            elif ask.seconds is not None and chance.percent(20):
                self.match.feed((TIMEOUT, ask.id))
            else:
                self.answer(ask, chance)
        except Refused:
            self.answer(ask, chance) if ask.seat == 0 else source.let_bot_answer(ask)
            self.match.run()

    def answer(self, ask: Any, chance: Chance) -> None:
        for number in range(ask.question.count()):
            try:
                self.match.feed((ANSWER, 0, ask.id, ask.question.answer_at(number)))
            except Refused:
                continue
            return


def begin(game: Any, source: OpenSource, told: list[Any]) -> Match:
    match = new_match(game, Terms(("A", "B", "C"), game.options(), 0), source, told.append)
    match.run()
    return match


@pytest.mark.parametrize("hold", [False, True])
@pytest.mark.parametrize("game", [Tricks, Race, Shouts])
def test_a_match_of_people_is_taken_up_after_every_entry(game: Any, hold: bool) -> None:
    """Wherever the process ended, what is played on is what would have been played."""
    log: list[Any] = []
    told: list[Any] = []
    match = begin(game, OpenSource(5, players(), log.append, hold=hold), told)
    Person(match, log).play()
    for at in range(1, len(log)):
        again: list[Any] = log[:at]
        told_again: list[Any] = []
        source = ResumeSource(5, players(), again.append, log[:at], hold=hold)
        resumed = begin(game, source, told_again)
        assert not source.replaying
        Person(resumed, again).play()
        assert again == log, f"after {at}"
        assert (resumed.digest(), told_again) == (match.digest(), told)


def test_a_match_that_was_taken_up_is_copied_with_what_people_had_said() -> None:
    """Its log has their interjections and words, too: whoever imagines a world follows them."""
    log: list[Any] = []
    bots = [None, RandomBot(), RandomBot()]
    match = begin(Shouts, OpenSource(5, bots, log.append, hold=True), [])
    person = Person(match, log)
    while not {INTERJECT, SAY} <= {entry[0] for entry in log}:
        person.step()
    resumed = begin(Shouts, ResumeSource(5, bots, lambda _: None, log, hold=True), [])
    assert resumed.source.log == log
    assert resumed.view(1).imagine(Chance(1)).digest() == match.digest()


def test_a_log_of_another_seed_is_refused() -> None:
    """A file that does not belong to its seed is found at the first entry that differs."""
    whole = play(Case(Shouts, 2, {}, 1))
    source = ResumeSource(2, list(whole.case.players()), lambda _: None, whole.log)
    with pytest.raises(Diverged, match=r"Entry \d+ of the file is not what its seed and rules give"):
        new_match(Shouts, Terms(("A", "B"), Shouts.options()), source).run()


def test_an_answer_to_no_question_is_refused() -> None:
    """A file whose answers fit no question is found, too."""
    whole = play(Case(Race, 2, {}, 1))
    at = next(number for number, entry in enumerate(whole.log) if entry[0] == ANSWER)
    kind, seat, number, answer = whole.log[at]
    log = [*whole.log[:at], (kind, seat, number + 1, answer), *whole.log[at + 1 :]]
    source = ResumeSource(1, list(whole.case.players()), lambda _: None, log)
    with pytest.raises(Diverged, match="answers a question that was not asked there"):
        new_match(Race, Terms(("A", "B"), Race.options()), source).run()


@pytest.mark.parametrize("kind", [FACE, NUMBER])
def test_a_log_that_was_tampered_with_is_refused(kind: int) -> None:
    """A face or a throw that was changed in the file is not what the seed gives."""
    whole = play(Case(Shouts if kind == FACE else Race, 2, {}, 1))
    at = max(number for number, entry in enumerate(whole.log) if entry[0] == kind)
    *rest, value = whole.log[at]
    log = [*whole.log[:at], (*rest, value ^ 1), *whole.log[at + 1 :]]
    kept = Recorded(whole.case)
    source = ResumeSource(1, list(whole.case.players()), kept.record, log)
    with pytest.raises(Diverged, match=f"Entry {at + 1} of the file"):
        new_match(whole.case.game, Terms(("A", "B"), whole.case.game.options()), source).run()
