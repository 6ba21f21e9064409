"""A check of facts: what is said of hidden things is judged by them alone, and every lie finds its author."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.asks import Ask
from tavolata.assertions import Declaration, Narration
from tavolata.bots import Bot, Chance
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import MOST_ENTRIES, Recorded, play, terms_of

MOST_LIES = 8
"""So many lies are told of one match, spread over it."""
_TRIES = 40


@each(share=10)
def facts_judged(case: Case) -> None:
    """Check that a truth convicts nobody, and a lie its seat, at the end or where rules break."""
    kept = play(case)
    if kept.match.conviction is not None:
        raise kept.failure(
            f"An honest seat is convicted, so a fact is no pure function: {kept.match.conviction}"
        )
    said = sorted(kept.said)
    for number in said[:: 1 + len(said) // MOST_LIES]:
        _lie(kept, number)
    for seat in sorted(set(kept.said.values()))[:1]:
        _again(kept, SilentSource(kept.case, seat), f"Nobody declares for seat {seat}: that breaks the match")


@each(share=10)
def narrated(case: Case) -> None:
    """Check that a narration follows from its opened parts, and another value convicts the narrator."""
    kept = play(case)
    if kept.match.conviction is not None:
        raise kept.failure(f"An honest narrator is convicted: {kept.match.conviction}")
    for number in kept.narrated[:: 1 + len(kept.narrated) // MOST_LIES]:
        source, who = LyingSource(kept.case, number), f"The narrator lies at number {number}"
        found = _again(kept, source, f"{who}: that breaks the match, and convicts nobody")
        if source.has_lied and (found is None or found.seat is not None):
            raise kept.failure(f"{who}: {found or 'nobody'} is convicted.")


def _lie(kept: Recorded, number: int) -> None:
    """Play the match again with one fact made false, and look who is convicted."""
    source, who = LyingSource(kept.case, number), f"Seat {kept.said[number]} lies at question {number}"
    found = _again(kept, source, f"{who}: that breaks the match, and convicts nobody")
    if source.has_lied and (found is None or found.seat != kept.said[number]):
        raise kept.failure(f"{who}: {'nobody' if found is None else f'seat {found.seat}'} is convicted.")


def _again(kept: Recorded, source: OpenSource, breaks: str) -> Conviction | None:
    """Play the match again over a source; return its conviction. `breaks` begins the error if rules break."""
    match: Match[Any] = new_match(kept.case.game, terms_of(kept.case), source)
    try:
        match.run()
    except Exception as error:
        raise kept.failure(f"{breaks}: {error!r}") from error
    return match.conviction


class SilentSource(OpenSource):
    """A source in which nobody can declare for one seat: what is `otherwise` counts."""

    def __init__(self, case: Case, seat: int) -> None:
        super().__init__(case.seed, case.players())
        self._seat = seat
        self._waits = 0

    @override
    def declare(self, what: list[Declaration]) -> bool:
        self._waits += 1
        if self._waits > MOST_ENTRIES:
            raise RuntimeError("there is no end")
        for one in what:
            if int(one.seat) == self._seat:
                one.say(one.otherwise, None)
        return super().declare([one for one in what if not one.is_said])


class LyingSource(OpenSource):
    """A source that plays a case as it was played up to a fact, and makes that false if it can be.

    `number` is that of the question or declaration that says the fact.
    """

    def __init__(self, case: Case, number: int) -> None:
        super().__init__(case.seed, case.players(), self._count)
        self._number = number
        self._other = Chance(case.seed)
        self.has_lied = False

    def _count(self, _entry: object) -> None:
        if len(self._log) > MOST_ENTRIES:
            raise RuntimeError("there is no end")

    @override
    def work_out(self, one: Declaration | Narration) -> Any:
        """Return the true value, or at the chosen place one that the fact has for other faces of the deck."""
        true = super().work_out(one)
        if one.id != self._number:
            return true
        for _ in range(_TRIES):
            false = one.work_out(
                lambda card: self._other.pick(card.deck.faces),
                lambda secret: secret.question.nth(self._other.below(secret.question.count())),
            )
            if false != true:
                self.has_lied = True
                return false
        return true

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        false = self._false_answer(ask) if ask.id == self._number else None
        if false is None:
            super()._bot_answers(bot, ask)
            return
        self.has_lied = True
        self._record((ANSWER, ask.seat, ask.id, false))
        ask.answered(false, 0)

    def _false_answer(self, ask: Ask) -> Any:
        """Return an answer that the claim forbids, as the seat itself sees; None if there isn't one."""
        view, question = self._match.view(ask.seat), ask.question
        for number in range(min(question.count(), 512)):
            answer = question.answer_at(number)
            if not ask.is_late(answer) and not view.holds(ask, question.value_of(answer)):
                return answer
        return None
