"""A race whose throws are scripted: horses set where a test wants them, moved as it says.

Only the driving of such a race lives here; what is to be proved stands in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tavolata import Track, Unavailable
from tavolata.testing import rehearse
from tavolata_jumpy_jack.board import HORSES, Course, Horse
from tavolata_jumpy_jack.moves import FREE, Standing
from tavolata_jumpy_jack.rules import JumpyJack

LETTERS = dict(zip("YKRGB", HORSES, strict=True))
NUMBERS = dict(zip("YKRGB", range(5), strict=True))
STANDARD = Course(24, stop=5, double=10, out=15, restart=20)


def order(letters: str) -> list[Horse]:
    """A prediction from letters: "YKR"."""
    return [LETTERS[letter] for letter in letters]


def standing(squares: str = "", podium: str = "") -> Standing:
    """A standing from words: "Y3 K10", and horses on the podium from 1 to 5, "." where none is."""
    at = [0] * 5
    for word in squares.split():
        at[NUMBERS[word[0]]] = int(word[1:])
    places = [FREE] * 5
    for place, letter in enumerate(podium):
        if letter != ".":
            places[place], at[NUMBERS[letter]] = NUMBERS[letter], Track.OFF
    return Standing(tuple(at), tuple(places))


class Course_:  # noqa: N801 - `Course` is the board itself
    """A match in its first race, seat 0 to throw first.

    Args:
        squares, podium: where the horses are; see `standing`.
        seats: how many play.
        orders: what they predict, all by seat that writes; "YKR" where nothing is said.
        teams: how many teams play.
        options: the house rules.
    """

    def __init__(
        self,
        squares: str = "",
        podium: str = "",
        *,
        seats: int = 2,
        orders: Mapping[int, str] | None = None,
        teams: int = 0,
        **options: Any,
    ) -> None:
        self.match = rehearse(
            JumpyJack, seats=seats, options=options, teams=teams, dice=[6, *[1] * (seats - 1)], turns=1
        )
        self.game: JumpyJack = self.match.game
        self._orders = dict(orders or {})
        self._fresh = True
        self.put(squares, podium)

    def put(self, squares: str = "", podium: str = "") -> Course_:
        """Set the horses down between two turns."""
        self.game.place(standing(squares, podium))
        return self

    def predict(self) -> None:
        """Everybody who is asked writes."""
        asked = [int(ask.seat) for ask in self.match.open]
        self.match.play({seat: order(self._orders.get(seat, "YKR")) for seat in asked})

    def throw(self, number: int, *start: int) -> list[str]:
        """The next throw; the letters of the horses that may run. `start`: throws for the start before."""
        dice: Any = self.match._source._dice
        dice += [*start, number]
        if not self._fresh:
            self.match.play_turns(1)
        self._fresh = False
        if len(self.match.open) > 1 or self.match.open[0].sealed:
            self.predict()
        return [letter for letter, horse in LETTERS.items() if horse in self.kind.values]

    @property
    def kind(self) -> Any:
        """The question for a horse that is open."""
        return self.match.open[0].question

    @property
    def mover(self) -> int:
        """Who is asked."""
        return int(self.match.open[0].seat)

    def why_not(self, letter: str) -> Unavailable:
        """Why this horse may not run."""
        others: list[Unavailable] = self.kind.unavailable
        return next(no for no in others if no.label == LETTERS[letter].value)

    def run(self, letter: str) -> Course_:
        """Move this horse by what was thrown."""
        self.match.play(LETTERS[letter])
        return self

    def go(self, moves: str) -> Course_:
        """Throws and horses: "R4 K3"."""
        for move in moves.split():
            self.throw(int(move[1:]))
            self.run(move[0])
        return self

    def at(self, letter: str) -> int:
        """The square of a horse."""
        return self.game.track.where(LETTERS[letter].value)

    @property
    def podium(self) -> str:
        """The horses on the podium from 1 to 5."""
        letters = {horse: letter for letter, horse in LETTERS.items()}
        return "".join("." if horse is None else letters[horse] for horse in self.game.podium)

    @property
    def points(self) -> list[int]:
        """The points of all sides."""
        return self.game.points
