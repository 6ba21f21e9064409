"""Replies: what did best in earlier playouts is said again, where the bot that plays on has no opinion.

Most quick bots know a few things, such as to complete a line, and guess at all other questions. In the
playouts of a tree a guess is replaced by the answer that has done best so far after the answer before it
(n-grams of moves: Tak, Winands and Björnsson 2012; the last good reply: Drake 2009). An answer is told apart
by how often it was given before, so that the third stone in a column is not the first. Nothing is known of
the game for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from tavolata._players import Bot, Chance, ChatMessage, Interject, Reflex
from tavolata.asks import Ask
from tavolata.kinds.question import Question
from tavolata.view import View, written
from tavolata.windows import Window

FEW = 16
"""Among so many answers the best is looked for; a guess at a wider question stands."""

Place = tuple[str, Any, int]
"""An answer: the prompt, the value, and how often it was given before in this match."""
_Sums = dict[Place, list[int]]
"""By answer, how often it was given and the sum of the worths."""


class Replies(Bot):
    """A bot that plays as another one (`policy`), and learns what to say where that one guesses.

    An answer for which the policy draws random numbers is a guess. `untried` is the worth of an answer never
    given.
    """

    def __init__(self, policy: Bot, untried: int) -> None:
        self._policy, self._untried = policy, untried
        self.interjects = policy.interjects  # type: ignore[misc] # it is as talkative as that one
        self.interjecting = policy.interjecting  # type: ignore[method-assign] # the same
        self._after: dict[tuple[int, Place | None], _Sums] = {}  # by seat and the answer before
        self._alone: dict[int, _Sums] = {}  # by seat
        self.begin()

    def begin(self) -> None:
        self._times: dict[tuple[str, Any], int] = {}
        self._last: Place | None = None
        self._said: list[tuple[int, Place | None, Place]] = []

    def note(self, view: View, ask: Ask, value: object) -> None:
        name = ask.you, _name(value, view)
        times = self._times.get(name, 0)
        place = *name, times
        self._said.append((int(ask.seat), self._last, place))
        if not ask.sealed:  # nobody can reply to what is under seal
            self._times[name] = times + 1
            self._last = place

    def learn(self, worth: Mapping[int, int]) -> None:
        """End the playout; `worth` is its result, by seat."""
        for seat, last, place in self._said:
            got = worth[seat]
            for known in self._after.setdefault((seat, last), {}), self._alone.setdefault(seat, {}):
                sums = known.get(place)
                if sums is None:
                    known[place] = [1, got]
                else:
                    sums[0] += 1
                    sums[1] += got

    def best(self, view: View, ask: Ask, chance: Chance) -> object | None:
        """Return the legal answer that did best after the answer before, or at all; None without any."""
        seat, you, times = int(ask.seat), ask.you, self._times
        after, alone = self._after.get((seat, self._last), {}), self._alone.get(seat, {})
        found, most = [], -1.0
        for value in view.legal(ask):
            name = _name(value, view)
            place = you, name, times.get((you, name), 0)
            sums = after.get(place) or alone.get(place)
            mean = sums[1] / sums[0] if sums else self._untried
            if mean > most:
                most, found = mean, [value]
            elif mean == most:
                found.append(value)
        return chance.pick(found) if found else None

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        before = chance._state
        value = self._policy.choose(view, ask, chance)
        if chance._state != before and ask.question.count() <= FEW:
            found = self.best(view, ask, chance)
            value = value if found is None else found
        self.note(view, ask, value)
        return value

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        return self._policy.react(view, window, chance)

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        return self._policy.interject(view, standing, chance)


def _name(value: object, view: View) -> Any:
    """Return a name that a value has in every position."""
    return value if isinstance(value, int | str) else written(value, view)
