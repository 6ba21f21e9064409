"""The bots of Jumpy Jack; each is a function of its view."""

from __future__ import annotations

from functools import cache
from math import exp, log
from operator import mul
from typing import ClassVar

from typing_extensions import override

from tavolata import Ask, Branch, OneOf, Seat, View
from tavolata.bots import Bot, Chance
from tavolata_jumpy_jack.board import HORSES, PLACES, Course
from tavolata_jumpy_jack.foresight import (
    KEEN,
    after_next_throw,
    odds,
    promise,
    promises,
    pushes,
    reasons,
)
from tavolata_jumpy_jack.moves import Standing, moved
from tavolata_jumpy_jack.options import JumpyJackOptions
from tavolata_jumpy_jack.orders import ORDERS, Guess, horses_of
from tavolata_jumpy_jack.race import WHICH
from tavolata_jumpy_jack.rules import NO_GUESS, JumpyJack
from tavolata_jumpy_jack.suspicion import LOYAL, Suspicion, best_guess, of_orders, updated

LIKELY = 0.001
"""Orders that are less likely than this are left out of account."""


class EasyBot(Bot):
    """It moves the horses of its own prediction, the first first, and looks at no hedge."""

    level = "easy"

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        game, seat, options, question = view.game, view.seat, view.options, ask.question
        if not isinstance(game, JumpyJack) or seat is None or not isinstance(options, JumpyJackOptions):
            return question.any(chance)
        if isinstance(question, OneOf) and ask.you == WHICH:
            throw = int(ask.params["n"])
            ways = [HORSES.index(horse) for horse in question.values]
            order = self.own_order(view, game, seat)
            if order is None:  # it stands in for somebody, whose paper it may not see
                return question.any(chance)
            return HORSES[self.horse(view, game, ways, throw, order, chance)]
        if isinstance(question, Branch):
            return self.guess(view, game, seat, question, chance)
        return question.any(chance)

    def own_order(self, view: View, game: JumpyJack, seat: Seat) -> tuple[int, ...] | None:
        for writer, paper in game.papers.items():
            if game.side_of(writer) == game.side_of(seat):
                value = view.answer(paper)
                return None if value is None else tuple(map(HORSES.index, value))
        return None

    def horse(
        self, view: View, game: JumpyJack, ways: list[int], throw: int, order: tuple[int, ...], chance: Chance
    ) -> int:
        mine = [horse for horse in order if horse in ways]
        return mine[0] if mine else chance.pick(ways)

    def guess(self, view: View, game: JumpyJack, seat: Seat, question: Branch, chance: Chance) -> Guess:
        return chance.pick(opponents(question)), horses_of(chance.pick(ORDERS))


class NormalBot(EasyBot):
    """It makes the move that is best for its own prediction, and guesses that somebody wrote what came in."""

    level = "normal"

    def horse(
        self, view: View, game: JumpyJack, ways: list[int], throw: int, order: tuple[int, ...], chance: Chance
    ) -> int:
        course = course_of(view, game)
        standing = game.standing
        return max(
            ways, key=lambda horse: promise(order, odds(course, moved(course, standing, horse, throw)))
        )

    def guess(self, view: View, game: JumpyJack, seat: Seat, question: Branch, chance: Chance) -> Guess:
        return chance.pick(opponents(question)), horses_of(game.standing.podium[:PLACES])


class HardBot(NormalBot):
    """It reads the others' predictions from their moves, spoils them, and hides its own.

    So it knows who will push a horse besides itself, and saves its throws for those that nobody else pushes.
    It thinks one throw further: what the next seat will do with each number of the die, as far as it sees
    through that seat's side (docs/decisions/0056).

    Attributes:
        spite: how much the points of opponents count against its own, on average; those of the leader
            of the match count more.
        awe: the points in the match that make an opponent's count e times as much.
        surety: the bonus that a guess must promise: others hide their horses, too.
        secrecy: how much it gives not to be seen through, where guesses are played; more than this costs it
            more races than guesses.
        closer: how many of its moves it looks at closely, the most promising ones.
    """

    level = "hard"
    spite: ClassVar[float] = 1.3
    awe: ClassVar[float] = 8.0
    surety: ClassVar[float] = 0.5
    secrecy: ClassVar[float] = 0.2
    closer: ClassVar[int] = 3

    def __init__(self) -> None:
        self._suspicion = Suspicion()

    def suspect(self, view: View, game: JumpyJack) -> Suspicion:
        """Return the beliefs after the moves so far; where guesses are played, nobody shows a horse so."""
        assert isinstance(view.options, JumpyJackOptions)
        loyal = 0.0 if view.options.guess else LOYAL
        self._suspicion.follow(course_of(view, game), len(game.sides), game.moves, loyal)
        return self._suspicion

    def horse(
        self, view: View, game: JumpyJack, ways: list[int], throw: int, order: tuple[int, ...], chance: Chance
    ) -> int:
        """Return the best horse: own promise, less the others', less what the move gives away."""
        if len(ways) == 1:
            return ways[0]
        course, standing = course_of(view, game), game.standing
        assert view.seat is not None
        me = game.side_of(view.seat)
        suspicion = self.suspect(view, game)
        beliefs, minds = suspicion.beliefs, suspicion.minds
        others = [number for number in range(len(game.sides)) if number != me]
        joint = [sum(beliefs[side][o] for side in others) / len(others) for o in range(len(ORDERS))]
        papers = [(o, len(others) * b) for o, b in zip(ORDERS, joint, strict=True) if b > LIKELY]
        hard = pushes(len(game.sides), [(order, 1.0), *papers])
        feared = [exp(game.points[side] / self.awe) for side in others]
        weights = [fear / sum(feared) for fear in feared]
        rivals = [
            sum(weight * beliefs[side][n] for side, weight in zip(others, weights, strict=True))
            for n in range(len(ORDERS))
        ]
        mine = ORDERS.index(order)

        @cache
        def worth_of(standing: Standing) -> float:
            points = promises(odds(course, standing, hard, KEEN))
            theirs: float = sum(map(mul, rivals, points))
            return points[mine] - self.spite * theirs

        after = {horse: moved(course, standing, horse, throw) for horse in ways}
        lost = dict.fromkeys(ways, 0.0)
        assert isinstance(view.options, JumpyJackOptions)
        if view.options.guess:
            why = reasons(course, standing, throw)
            after_it = {h: of_orders(updated(minds[me], why[h])) for h in ways}
            lost = {h: log(after_it[h][mine] / beliefs[me][mine]) for h in ways}
        ways.sort(key=lambda horse: self.secrecy * lost[horse] - worth_of(after[horse]))
        following = minds[(me + 1) % len(game.sides)]  # sides throw in turn

        def outlook(horse: int) -> float:
            return after_next_throw(course, after[horse], following, worth_of) - self.secrecy * lost[horse]

        return max(ways[: self.closer], key=outlook)

    def guess(self, view: View, game: JumpyJack, seat: Seat, question: Branch, chance: Chance) -> Guess:
        """Return the guess with the highest expected bonus, or none if that is too low."""
        beliefs = self.suspect(view, game).beliefs
        found = [(*best_guess(beliefs[game.side_of(whom)]), whom) for whom in opponents(question)]
        gain, order, whom = max(found, key=lambda one: one[0])
        return (whom, order) if gain > self.surety else NO_GUESS


def opponents(question: Branch) -> list[Seat]:
    return [seat for seat in question.first.values if seat is not None]


def course_of(view: View, game: JumpyJack) -> Course:
    assert isinstance(view.options, JumpyJackOptions)
    return game.course_of(view.options)
