"""What bots foresee of a race: how often each horse comes in first, second, and so on, in many quick races.

A horse's run hangs on the movement cards, the dice and its own lane alone, but for the few cards that
ask who is first or last. So the runs of all lanes are worked out once for a number of imagined races,
and a card that might be played changes the run of its lane only. Pure, but for a bot's own chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from tavolata import Chance
from tavolata_horse_fever.cards.effects import Effects, Moment, worth
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.rules.running import finished, moments_of, sprint, stride
from tavolata_horse_fever.tables import FINISH, HIGHEST

ROUNDS = 9
"""So many rounds are imagined; whoever has not arrived then comes last, which is rare."""

Imagined = tuple[list[tuple[int, ...]], list[frozenset[int]]]
"""A race's movement cards, and the lanes that sprint, round by round."""
Run = tuple[int, int, list[int]]
"""Round of arrival, squares beyond the line (negative, so that the best run is the least), all squares."""

_STEPS = [card.steps for card in MOVEMENT_CARDS]
_POSITIONAL = (Moment.FIRST, Moment.LAST)


def imagine(races: int, chance: Chance) -> list[Imagined]:
    """So many races' cards and dice."""
    return [_one(chance) for _ in range(races)]


def _one(chance: Chance) -> Imagined:
    deck = list(_STEPS)
    for place in range(ROUNDS):
        other = place + chance.below(len(deck) - place)
        deck[place], deck[other] = deck[other], deck[place]
    lanes = len(LANES)
    throws = [chance.below(lanes * lanes) for _ in range(ROUNDS)]
    return deck[:ROUNDS], [frozenset(divmod(throw, lanes)) for throw in throws]


class Outlook:
    """How a race may go.

    Args:
        races: as `imagine` makes them.
        odds: of the stables, by lane.
        lanes: what cards do, by lane, as far as the bot knows.
    """

    def __init__(self, races: list[Imagined], odds: Sequence[int], lanes: Sequence[Effects]) -> None:
        self._races = races
        self.odds = list(odds)
        self.lanes = list(lanes)
        self._runs: list[list[Run]] = []
        self._runs = [self._runs_of(lane, self.odds, self.lanes[lane]) for lane in range(len(LANES))]
        for lane, effects in enumerate(self.lanes):
            if any(effect.when in _POSITIONAL for effect in effects):  # now it is known where the others are
                self._runs[lane] = self._runs_of(lane, self.odds, effects)

    def _runs_of(self, lane: int, odds: Sequence[int], effects: Effects) -> list[Run]:
        row = odds[lane] - HIGHEST
        if not effects:
            return [_plain_run(lane, row, race) for race in self._races]
        others = [runs for other, runs in enumerate(self._runs) if other != lane]
        return [
            _run_with(lane, row, effects, race, [runs[number][2] for runs in others])
            for number, race in enumerate(self._races)
        ]

    def places(self, lane: int = -1, effects: Effects = (), odds: int = 0) -> list[list[int]]:
        """By lane, how often it comes first, second, ...; `lane` with these effects and odds instead."""
        runs, rows, cards = list(self._runs), list(self.odds), list(self.lanes)
        if lane >= 0:
            rows[lane], cards[lane] = odds or rows[lane], effects
            runs[lane] = self._runs_of(lane, rows, effects)
        photo = [-worth(effects, Moment.PHOTO, 0) for effects in cards]
        counts = [[0] * len(LANES) for _ in LANES]
        numbers = range(len(LANES))
        for race in zip(*runs, strict=True):
            order = sorted((race[n][0], race[n][1], photo[n], rows[n], n) for n in numbers)
            for place, one in enumerate(order):
                counts[one[4]][place] += 1
        return counts


def _plain_run(lane: int, row: int, race: Imagined) -> Run:
    square, squares = 0, []
    for number, (steps, sprints) in enumerate(zip(*race, strict=True)):
        square += steps[row]
        if lane in sprints:
            square += 1
        squares.append(square)
        if square >= FINISH:
            return number, FINISH - square, squares
    return ROUNDS, -square, squares


def _run_with(lane: int, row: int, effects: Effects, race: Imagined, others: list[list[int]]) -> Run:
    square, squares, leap = 0, [], sprint(effects)
    for number, (steps, sprints) in enumerate(zip(*race, strict=True)):
        if number:
            there = [run[number - 1] for run in others if len(run) >= number and run[number - 1] < FINISH]
            gone = len(there) < len(others)
            ahead = FINISH if gone else max(there, default=0)
            moments = moments_of(square, max(ahead, square) if not gone else FINISH, min([square, *there]))
        else:
            moments = (Moment.START,)
        square = finished(effects, square + stride(effects, moments, steps[row]))
        if lane in sprints:
            square += leap
        squares.append(square)
        if square >= FINISH:
            return number, FINISH - square, squares
    return ROUNDS, -square, squares
