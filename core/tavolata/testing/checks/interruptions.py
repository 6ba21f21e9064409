"""A check of interruptions at every point where a match waits, by random legal and illegal entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, INTERJECT, QUIET, REACT, SAY, TIMEOUT, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata.bots import Chance
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.game import Game, interjections
from tavolata.kinds.question import Question
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS
from tavolata.testing.cases import Case
from tavolata.testing.checks.cards import places_of
from tavolata.testing.checks.check import each
from tavolata.testing.checks.saving import nothing_is_shared
from tavolata.testing.recording import Recorded, blamed, follow, run, told
from tavolata.windows import Window

MOST_WAITS = 250
"""The number of waits after which this check ends a match."""
MOST_ANSWERS = 1000
"""The number of answers that are drawn, and then taken in their order, until one is legal."""
MOST_REFUSED = 10
"""The number of illegal answers to one question that are tried: each compares the whole match."""

NONSENSE: tuple[object, ...] = (-1, 10**9, "0", None, (), (0, 0), [[]], True, 0.5, {"a": 0})
"""Answers that come from broken or hostile programs."""


@each(share=50)
def interruption_fuzz(case: Case) -> None:
    """Whatever seats do while the match waits: a refused entry changes nothing, and all machines agree."""
    _Fuzz(case).play()


class _Fuzz:
    """One match in which seats interrupt, talk, make mistakes and cheat at random; and a replica of it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.chance = Chance(case.seed * 977 + 5)
        self.kept = Recorded(case)
        self.source = OpenSource(case.seed, [None] * case.seats, self.kept.record)
        self.copy = Recorded(case)
        self.replica = LogSource(case.seats, OneDealer())

    def play(self) -> None:
        follow(self.kept, self.source, pace=0)
        follow(self.copy, self.replica, pace=0)
        for _ in range(MOST_WAITS):
            self._compare()
            if self.kept.match.over:
                return
            for entry in self._nonsense():
                self._try(entry, refused=True)
            if self._meddle():
                continue
            if (window := self.source.window) is not None:
                self._race(window)
            else:
                self._answer()

    # -- what is tried --------------------------------------------------------------------------

    def _hearers(self) -> tuple[int, ...]:
        one, other = (self.chance.below(self.case.seats + 1) for _ in range(2))
        return tuple(sorted({one, other} - {self.case.seats}))

    def _meddle(self) -> bool:
        """Sometimes interject or speak; return True if something was done."""
        match, chance = self.kept.match, self.chance
        rules = self.kept.case.game
        if (rules.listens or rules.may_talk is not Game.may_talk) and chance.percent(12):
            return self._try((SAY, self._seat(), self._hearers(), "Hm."))
        standing = [
            (seat, name, question) for seat, name, question in _all_standing(match) if chance.percent(60)
        ]
        if not standing or chance.percent(40):
            return False
        seat, name, question = chance.pick(standing)
        value = question.value_of(question.answer_at(chance.below(question.count())))
        return self._try(match.interjection(seat, name, value))

    def _answer(self) -> None:
        asks = [ask for ask in self.source.open if ask.answer is None]
        if not asks:
            raise self.kept.failure("The match waits, and nobody is asked anything.")
        ask = self.chance.pick(asks)
        if ask.seconds is not None and self.chance.percent(20):
            self._try((TIMEOUT, ask.id))
            return
        count = ask.question.count()
        drawn, view, refused = min(count, MOST_ANSWERS), self.kept.match.view(ask.seat), 0
        for number in chain((self.chance.below(count) for _ in range(drawn)), range(drawn)):
            if refused >= MOST_REFUSED and not view.holds(ask, ask.question.nth(number)):
                continue
            if self._try((ANSWER, int(ask.seat), ask.id, ask.question.answer_at(number))):
                return
            refused += 1
        raise self.kept.failure(f"Seat {ask.seat} can't answer {ask.you!r} at all.")

    def _race(self, window: Window) -> None:
        """Let a seat react or continue, or decide or end the window."""
        chance = self.chance
        fast = [seat for seat in range(self.case.seats) if window.may(seat)]
        if fast and (not window.claims or chance.percent(60)):
            seat = chance.pick(fast)
            self._try((REACT, seat, window.id, self._reflex(window, seat), chance.below(2000)))
        elif window.claims and chance.percent(80):
            self._try((QUIET, self._seat(), window.id, int(window.order()[0]), 0, 0))
        elif not self._try((TIMEOUT, window.id)) and not fast:
            raise self.kept.failure("Nothing can be done in a window, and nothing ends it.")

    def _reflex(self, window: Window, seat: int) -> Answer:
        question = window.questions.get(SEATS[seat])
        if question is None or (seat == window.go and self.chance.percent(40)):
            return GOES
        return question.answer_at(self.chance.below(question.count()))

    def _false_reflexes(self, window: Window) -> Iterator[MatchEntry]:
        seat = self._seat()
        yield (REACT, seat, window.id + 1, GOES, 500)
        yield (REACT, self.case.seats, window.id, GOES, 500)
        for nonsense in (-1, True, 0.5, "0", None, 10**9):
            yield (REACT, seat, window.id, 0, nonsense)
        if seat != window.go:
            yield (REACT, seat, window.id, GOES, 500)
        if seat not in window.claims:
            yield (QUIET, seat, window.id, seat, 0, 0)
        for claimed in window.claims:
            yield (REACT, int(claimed), window.id, 0, 1)
            yield (QUIET, seat, window.id, int(claimed), -1, 0)
        if not window.claims and window.seconds is None:
            yield (TIMEOUT, window.id)

    def _nonsense(self) -> Iterator[MatchEntry]:
        match, chance, seat = self.kept.match, self.chance, self._seat()
        yield (INTERJECT, seat, "there is no such thing", 0)
        yield (ANSWER, seat, 10**6, 0)
        yield (TIMEOUT, 10**6)
        if (window := self.source.window) is not None:
            yield from self._false_reflexes(window)
        for ask in self.source.open[:2]:
            if ask.answer is None and self.case.seats > 1:
                yield (ANSWER, (ask.seat + 1) % self.case.seats, ask.id, ask.question.answer_at(0))
                yield (ANSWER, int(ask.seat), ask.id, self._refused_by(ask.question.check))
        standing = match.standing(seat)
        for name in interjections(self.case.game):
            question = standing.get(name)
            illegal = 0 if question is None else self._refused_by(partial(match.answer_of, question))
            yield (INTERJECT, seat, name, illegal)
        yield (SAY, self.case.seats + chance.below(3), (), "Hm.")

    def _refused_by(self, check: Callable[[object], object]) -> object:
        for _ in range(30):
            answer = self.chance.pick(NONSENSE)
            try:
                check(answer)
            except Refused:
                return answer
        return "nothing like an answer"

    def _seat(self) -> int:
        return self.chance.below(self.case.seats)

    # -- what must hold -------------------------------------------------------------------------

    def _try(self, entry: MatchEntry, *, refused: bool = False) -> bool:
        """Try an entry; return True if it was accepted.

        Raise `CheckFailed` if it was refused but changed something, or was accepted although `refused`.
        """
        before = self._digest()
        log, events = len(self.kept.log), len(self.kept.events)
        try:
            with blamed(self.kept, but=Refused):
                self.source.feed(entry)
        except Refused as refusal:
            what = f"{told([entry], 0)} is refused ({refusal}), but it"
            if self._digest() != before:
                raise self.kept.failure(f"{what} has changed the state.") from refusal
            if len(self.kept.log) != log or len(self.kept.events) != events:
                raise self.kept.failure(f"{what} was told or written down.") from refusal
            return False
        if refused:
            raise self.kept.failure(f"{told([entry], 0)} is accepted.")
        run(self.kept)
        return True

    def _compare(self) -> None:
        """Check that the state is whole, that reading does not change it, and that the replica agrees."""
        with blamed(self.kept):
            before = self.kept.match.digest()
            nothing_is_shared(self.kept)
            for _ in _all_standing(self.kept.match):
                pass
            for seat in range(self.case.seats):
                self.kept.match.why_silent(seat, self._hearers())
        places_of(self.kept)
        if self._digest() != before:
            raise self.kept.failure("Asking what may be done or said at any time changes the state.")
        for entry in self.kept.log[len(self.copy.log) :]:
            self.copy.log.append(entry)
            self.replica.feed(entry)
            run(self.copy)
        if self.replica.voids:
            number, reason = next(iter(self.replica.voids.items()))
            raise self.kept.failure(f"On another machine entry {number + 1} does not fit: {reason}.")
        if self.copy.match.digest() != before:
            raise self.kept.failure("Another machine that follows the log has another state.")
        if [event for _, event in self.copy.events] != [event for _, event in self.kept.events]:
            raise self.kept.failure("Another machine that follows the log is told something else.")

    def _digest(self) -> bytes:
        with blamed(self.kept):
            return self.kept.match.digest()


def _all_standing(match: Match) -> Iterator[tuple[int, str, Question]]:
    for seat in range(len(match.status)):
        for name, question in match.standing(seat).items():
            yield seat, name, question
