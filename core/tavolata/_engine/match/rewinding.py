"""A match that goes back and on: one process deals it from a seed, and plays it again from its answers.

The answers are stored by value, so that rules that have changed meanwhile can be given them, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from tavolata._engine.match.interjections import GONE
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.simulation import dealt
from tavolata._players import Bot, Chance
from tavolata.asks import Ask
from tavolata.cards import Card, Pile
from tavolata.choices import MOST, Answer
from tavolata.counters import Counter, Counters
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.kinds.question import Question
from tavolata.messages import Event
from tavolata.options import Options
from tavolata.ring import SEATS, Seat
from tavolata.secret import Secret
from tavolata.view import Action, View, written
from tavolata.zones import Zone


class Move(NamedTuple):
    """An answer of a seat: its value in words, and its plain form for questions with very many answers.

    `value` is None if the seat lets a window pass. `name` is the interjection; "" for an answer.
    """

    seat: int
    value: str | None
    plain: Answer | None
    name: str = ""


class RewindingMatch:
    """A match between bots and whoever answers for a seat.

    Attributes:
        moves: all answers that were given; a new one in the middle drops those that came after.
        at: how many of them have been played.
        events: all events so far, the private ones among them.
        before: by name, the attributes of the game before the last answer, in words.
        zones_before: by viewer, the zones before the last answer.
    """

    def __init__(
        self, game: type[Game[Any]], options: Options, bots: Sequence[Bot], seed: int, teams: int
    ) -> None:
        self._game, self._options, self._bots, self._seed, self._teams = game, options, bots, seed, teams
        self.moves: tuple[Move, ...] = ()
        self._begin()

    def _begin(self) -> None:
        self.at = 0
        self.events: list[Event] = []
        self.before: dict[str, str] = {}
        self.zones_before: Mapping[int | None, Mapping[str, Zone]] = {}
        seats = len(self._bots)
        source = OpenSource(self._seed, [None] * seats)
        self._played = dealt(self._game, seats, self._options, source, self._teams, self.events.append)

    @property
    def match(self) -> Match[OpenSource]:
        return self._played._match

    @property
    def open(self) -> tuple[Ask[Any], ...]:
        return self._played.open

    # -- moving -----------------------------------------------------------------------------------

    def go(self, at: int) -> bool:
        """Go to the place after this many answers; return False if one before it isn't possible.

        If the rules raise, `at` is the place before.
        """
        self._begin()
        while self.at < at:
            found = self._known()
            if found is None:
                return False
            self._step(found, looks=self.at + 1 == at)
        return True

    def on(self) -> bool:
        """Play the next of `moves`, or let a bot answer if that isn't possible. Return False at the end."""
        if not self.open:
            return False
        found = self._known()
        if found is not None:
            self._step(found)
            return True
        ask, chance = self.open[0], Chance((self._seed << 32) + self.at)
        if self.match.source.window is not None:
            self.answer(ask, ask.question.any(chance) if chance.percent(15) else None)
        else:
            self.answer(ask, self._bots[ask.seat].choose(self.match.view(ask.seat), ask, chance))
        return True

    def answer(self, ask: Ask[Any], value: Any) -> None:
        """Give an answer that was not given before; raise `Refused` if it isn't legal."""
        if value is None:
            self._add(Action(ask.seat, None), Move(int(ask.seat), None, None))
        else:
            self._say(ask.seat, ask.question, value)

    def interject(self, seat: int, name: str, value: Any) -> None:
        """Make an interjection that was not made before; raise `Refused` if it isn't legal."""
        question = self.match.standing(seat).get(name)
        if question is None:
            raise Refused(GONE)
        self._say(SEATS[seat], question, value, name)

    def _say(self, seat: Seat, question: Question, value: Any, name: str = "") -> None:
        plain = question.answer_for(value)
        value = question.value_of(plain)  # of several cards, in the order of the question
        move = Move(int(seat), written(value, self.match.view(seat)), plain, name)
        self._add(Action(seat, value, name), move)

    def _add(self, action: Action, move: Move) -> None:
        moves = self.moves[: self.at]
        self._step(action)
        self.moves = (*moves, move)

    def _step(self, action: Action, *, looks: bool = True) -> None:
        """Play an answer or an interjection; `looks` keeps how everything was before it."""
        if looks:
            self.before = dict(self.attributes())
            seats = (None, *SEATS[: len(self._bots)])
            self.zones_before = {seat: self.match.view(seat).zones() for seat in seats}
        self._played.step(action)
        self.at += 1

    def _known(self) -> Action | None:
        """Return the next of `moves` with a value of now; None if it isn't possible, or there's none."""
        move = self.moves[self.at] if self.at < len(self.moves) else None
        if move is None:
            return None
        ask = next((one for one in self.open if one.seat == move.seat), None)
        asked = None if ask is None else ask.question
        question = self.match.standing(move.seat).get(move.name) if move.name else asked
        if question is None:
            return None
        seat = SEATS[move.seat]
        if move.value is None:
            return Action(seat, None) if self.match.source.window is not None else None
        view = self.match.view(seat)
        for value in _values(question, move):
            if written(value, view) == move.value and (move.name or (ask and view.allows(ask, value))):
                return Action(seat, value, move.name)
        return None

    # -- looking inside ---------------------------------------------------------------------------

    def open_view(self, seat: int | None) -> View[Any]:
        """Return the view of a seat, with all cards and answers open to it."""
        source = self.match.source
        sealed = {number: one for answers in source.sealed.values() for number, one in answers.items()}
        view: View[Any] = self.match.view(seat)
        return replace(view, _known=dict(enumerate(source.faces())), _sealed=sealed)

    def attributes(self) -> list[tuple[str, str]]:
        """Return the attributes of the game, with all that is hidden in them, in words."""
        faces = self.match.source.faces()
        return [(name, self._inside(value, faces)) for name, value in vars(self.match.game).items()]

    def _inside(self, value: Any, faces: Sequence[int]) -> str:
        if isinstance(value, Card):
            return written(value.deck.faces[faces[value.id]])
        if isinstance(value, Pile):
            return f"{len(value.cards)}: {', '.join(self._inside(card, faces) for card in value.cards)}"
        if isinstance(value, Counter | Counters):
            return str(value.value if isinstance(value, Counter) else value.values())
        if isinstance(value, Secret):
            answer = self.match.source.sealed[value.seat].get(value.id, value._ask.answer)
            return "?" if answer is None else self._inside(value.question.value_of(answer), faces)
        if isinstance(value, Mapping):
            parts = (f"{self._inside(key, faces)}: {self._inside(one, faces)}" for key, one in value.items())
            return ", ".join(parts)
        if isinstance(value, list | tuple):
            return f"[{', '.join(self._inside(one, faces) for one in value)}]"
        return self.match.terms.names[value] if isinstance(value, Seat) else written(value)


def _values(question: Question, move: Move) -> Iterator[Any]:
    """Yield the values that the move may mean: the one in plain form, then all unless there are very many."""
    with suppress(Refused):
        yield question.value_of(question.check(move.plain))
    if question.count() <= MOST:
        yield from (question.nth(number) for number in range(question.count()))
