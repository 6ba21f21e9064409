"""Hindsight: what a thinker would have done at each decision of a match, from what its seat could know then.

What was played takes the place of the thinker's adviser: it is tried in the same worlds as everything else to
the end, and another answer only counts as missed if it does clearly better there. This module shows nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from typing_extensions import override

from tavolata._engine.match.entries import ANSWER, SEALED, UNDONE
from tavolata._engine.match.search import Weighed
from tavolata._engine.match.sight import sight
from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._engine.thinking.worker import think
from tavolata._players import Bot, Chance
from tavolata.asks import Ask
from tavolata.view import View

if TYPE_CHECKING:
    from tavolata._engine.review.replay import Replay


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A question that a seat answered itself, and could have answered differently.

    `entries` counts those of the match before the answer, `turn` from 1; `ask` and `played` are numbers.
    """

    entries: int
    seat: int
    ask: int
    turn: int
    played: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """A thinker's verdict of a decision.

    `best` has the answers that it tried, the best first, which it would have given. `played` is None if there
    was no time to try it; `missed` is set if another answer was clearly better.
    """

    decision: PastDecision
    best: Sequence[Weighed]
    played: Weighed | None
    missed: bool

    @property
    def before(self) -> float:
        """The chance to win before the answer, if the best one is given; from 0 to 1."""
        return self.best[0].wins

    @property
    def after(self) -> float:
        return self.before if self.played is None else self.played.wins

    @property
    def loss(self) -> float:
        """The chance that was given away; 0 where nothing was clearly better."""
        return max(0.0, self.before - self.after) if self.missed else 0.0

    @property
    def rank(self) -> tuple[float, float]:
        """How much was missed, for sorting: chance to win first, then place and points."""
        worth = self.best[0].worth - self.played.worth if self.missed and self.played else 0.0
        return self.loss, worth


class _Played(Bot):
    """A bot that says what was played."""

    def __init__(self, number: int) -> None:
        self._number = number

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        return ask.question.nth(self._number)


class Hindsight:
    """The decisions of some seats in a match, in its order, and a thinker's verdict of each.

    The replay moves while this works. The cards of the seats have to be visible to this machine.
    """

    def __init__(self, replay: Replay, seats: Collection[int]) -> None:
        self._replay = replay
        self.decisions = list(_decisions(replay, seats))
        replay.rewind()

    def stand_before(self, decision: PastDecision) -> tuple[View, Ask]:
        """Go forward to a decision; return its seat's view then, and the question.

        Decisions come in order.
        """
        self._replay.feed(decision.entries)
        match = self._replay.match
        return match.view(decision.seat), next(one for one in match.source.open if one.id == decision.ask)

    def judge(
        self, decision: PastDecision, thinker: type[Bot], seconds: float, playouts: int = 0
    ) -> Verdict | None:
        """Think about the decision at which the match is; see `stand_before`.

        If `playouts` isn't 0, that many worlds are tried and no clock is read. Return None if there was no
        time to try anything. Raise any exception of the rules, or of a bot of the game.
        """
        match = self._replay.match
        bot = thinker()
        assert isinstance(bot, SearchBot)
        bot.playouts, bot.adviser = playouts, _Played(decision.played)
        bot.looks_ahead = all(card.is_public for card in match.table._pieces.cards)
        _, thought = think(sight(match, decision.seat), decision.ask, bot, seconds, decision.ask)
        best: Sequence[Weighed] = thought.weighed
        if not best:
            return None
        played = next((one for one in best if one.number == decision.played and one.visits), None)
        return Verdict(decision, best, played, missed=played is not None and best[0] is not played)


def _decisions(replay: Replay, seats: Collection[int]) -> Iterator[PastDecision]:
    """Follow the match entry by entry, and yield what these seats decided and did not take back."""
    found: list[tuple[int, Ask, int]] = []
    replay.rewind()
    match, entries = replay.match, replay.kept.entries
    for number, entry in enumerate(entries):
        asked: Ask | None = None
        if entry[0] in (ANSWER, SEALED) and entry[1] in seats:
            asked = next((one for one in match.source.open if one.id == entry[2]), None)
            if asked is not None and not _is_choice(match.view(entry[1]), asked):
                asked = None
        turn, undone, request = match.turns + 1, match.undone, match.undo_request
        replay.feed(number + 1)
        if match.undone > undone:  # by a last yes, or because the last one to say it has left
            back = entry[2] if entry[0] == UNDONE or request is None else request.ask
            found = [one for one in found if one[1].id < back]
        elif asked is not None and replay.is_own(number):
            found.append((number, asked, turn))
    for number, ask, turn in found:
        answer = match.source.sealed[ask.seat].get(ask.id) if ask.answer is None else ask.answer
        if answer is not None:
            question = ask.question
            yield PastDecision(number, int(ask.seat), ask.id, turn, question.index(question.value_of(answer)))


def _is_choice(view: View, ask: Ask) -> bool:
    question = ask.question
    legal = (number for number in range(question.count()) if view.holds(ask, question.nth(number)))
    return len(list(islice(legal, 2))) > 1
