"""Searching for a good answer: the worlds that a seat imagines are tried out, each played to its end.

Two ways of sharing out the playouts are here. `halved` gives the same worlds and the same futures to all
answers that are left, and keeps the better half of them in each round (sequential halving, Karnin, Koren
and Somekh 2013, with common random numbers). `in_a_tree` remembers what followed in earlier playouts and
tries the promising continuations more often (information set Monte Carlo tree search for a single observer,
Cowling, Powley and Whitehouse 2012). Nothing is read but the view, and worlds imagined from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from statistics import NormalDist
from typing import Any, NamedTuple

from tavolata._engine.match.entries import FACE, NUMBER, SHAKEN, SHOWN, SHUFFLED
from tavolata._engine.match.open_source import Unended
from tavolata._engine.match.replies import Replies
from tavolata._engine.match.unseen import shuffle
from tavolata._players import RandomBot
from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.game import Game
from tavolata.outcome import Outcome
from tavolata.ring import Seat
from tavolata.view import Action, View, World, written

WIDE = 48
"""The most answers that are compared; of more, some are drawn."""
NARROW = 16
"""The most answers of a question inside the tree; behind a wider one playouts begin."""
FAR = 80
"""So many answers a playout goes on where the rules can score an unfinished match; else to the end."""
NARROWS = 0.4
"""The share of the budget for trying every answer once; what was not tried by then is left out."""
ENOUGH = 6
"""In so many worlds both have to be tried before that can be said."""
CLEARLY = 1.5
"""So many standard errors an answer has to be better than the adviser's at least, to be taken instead."""
MISTAKEN = 0.2
"""So often, at most, the best of all others may look so much better where none is."""
OPINION = 3
"""So many times the adviser of a tree is asked: what it says at random is no opinion."""
DEEP = 12
"""The most questions that a tree looks ahead."""
EXPLORES = 0.7
"""The weight of what was tried seldom; worths lie between 0 and 1 there."""
WHOLE = 1000
"""The worth of the best outcome."""
DRAWN = 400
"""The worth of an outcome that nobody wins, where nothing else is counted."""
LUCK = frozenset({FACE, SHOWN, NUMBER, SHUFFLED, SHAKEN})
"""The entries of a log in which chance has a hand."""

Worth = Callable[[Outcome, int], int]


class Weighed(NamedTuple):
    """An answer that was tried out in this many worlds (`visits`); `question.nth` has the value of `number`.

    `worth` is the mean result, from 0 to 1000, `wins` the share of them in which the seat won, from 0 to 1; a
    win that sides share is a part of one.
    """

    number: int
    visits: int
    worth: float
    wins: float


@cache
def _clearly(others: int, worlds: int) -> float:
    """Return how many standard errors better than the adviser's the best of many answers has to be.

    An error that is estimated from few worlds is itself uncertain: the normal quantile becomes Student's, by
    the first term of its expansion (Cornish and Fisher).
    """
    normal = max(CLEARLY, NormalDist().inv_cdf(1 - MISTAKEN / max(1, others)))
    return normal + (normal**3 + normal) / (4 * (worlds - 1))


def clearly_better(one: Weighed, other: Weighed) -> bool:
    """Return True if an answer did better than another by more than chance, each in its own worlds."""
    if min(one.visits, other.visits) < ENOUGH:
        return False
    spread = 0.0
    for weighed in (one, other):
        share = (weighed.worth / WHOLE * weighed.visits + 1) / (weighed.visits + 2)
        spread += share * (1 - share) / weighed.visits
    return one.worth - other.worth > CLEARLY * WHOLE * math.sqrt(spread)


class Thought(NamedTuple):
    """The result of thinking about a question, after this many playouts.

    `weighed` has the answers that were tried, the best first; empty without a choice, and where there was no
    time to try two.
    """

    weighed: tuple[Weighed, ...]
    playouts: int


class End(NamedTuple):
    """The certain result of an answer, after this many answers, this one among them."""

    outcome: Outcome
    answers: int

    def patience(self, seat: int) -> int:
        """Return the rank among equal ends, the greatest first: a win comes soon, anything else late."""
        return -self.answers if won(self.outcome, seat) else self.answers


class Budget:
    """How long to think: a time in seconds, a number of playouts, or both; 0 for no limit."""

    def __init__(self, seconds: float, playouts: int, clock: Callable[[], float]) -> None:
        self._seconds, self._playouts, self._clock = seconds, playouts, clock
        self._start = clock() if seconds else 0.0
        self._slowest = 0.0
        self.used = 0

    def timed(self, make: Callable[[], World]) -> World:
        """Make a world, and note how long that takes."""
        if not self._seconds:
            return make()
        begun = self._clock()
        world = make()
        self._slowest = max(self._slowest, self._clock() - begun)
        return world

    def has_room(self) -> bool:
        """Return False if another world may not be made in time: it may take twice as long as any before."""
        return not self._seconds or self._clock() - self._start + 2 * self._slowest < self._seconds

    def in_time(self) -> bool:
        """Return False once the time is over; True if only playouts are counted."""
        return not self._seconds or self._clock() - self._start < self._seconds

    def spent(self) -> float:
        """Return the share that is used up; 1 or more when there is nothing left."""
        by_number = self.used / self._playouts if self._playouts else 0.0
        by_time = (self._clock() - self._start) / self._seconds if self._seconds else 0.0
        return max(by_number, by_time)


class _Tally:
    __slots__ = ("by_world", "total", "visits", "wins")

    def __init__(self) -> None:
        self.visits, self.total, self.wins = 0, 0, 0.0
        self.by_world: dict[int, int] = {}

    def add(self, worth: int, wins: float, world: int = 0) -> None:
        self.by_world[world] = worth
        self.visits += 1
        self.total += worth
        self.wins += wins

    @property
    def mean(self) -> float:
        return self.total / self.visits

    def clearly_better(self, other: _Tally, others: int) -> bool:
        """Return True if this did better in the same worlds by more than chance would explain.

        This did best of `others` answers: the best of many is often lucky.
        """
        differences = [
            worth - other.by_world[world] for world, worth in self.by_world.items() if world in other.by_world
        ]
        many = len(differences)
        if many < ENOUGH:
            return False
        mean = sum(differences) / many
        spread = sum((one - mean) ** 2 for one in differences) / (many - 1)
        return mean > _clearly(others, many) * math.sqrt(spread / many)

    def weighed(self, number: int) -> Weighed:
        return Weighed(number, self.visits, self.mean, self.wins / self.visits)


@dataclass(frozen=True)
class WorldSearch:
    """A search for the answer to one question.

    `policy` plays on in the imagined worlds; an outcome is worth 0 to 1000 to a seat. The adviser's answer
    is taken unless another one does clearly better; None for no one's.
    """

    view: View
    ask: Ask
    policy: Any
    worth: Worth
    chance: Any
    budget: Budget
    adviser: Any = None

    @property
    def _seat(self) -> Seat:
        return self.ask.seat

    def _won(self, outcome: Outcome) -> float:
        return won(outcome, self._seat, self.view._side)

    def is_open(self) -> bool:
        """Return True if no card is hidden: then a tree sees what will be done."""
        return all(card.is_public for card in self.view._cards)

    # -- candidates -------------------------------------------------------------------------------

    def candidates(self) -> list[int]:
        """Return the numbers of the answers to compare, the adviser's first: all, or of very many some.

        Those are what the policy would say, the first and the last, and some that are drawn.
        """
        question, allows = self.ask.question, self.view.holds
        many = question.count()
        if many <= WIDE:
            every = [number for number in range(many) if allows(self.ask, question.nth(number))]
            if len(every) > 1 and (said := self._advice()) in every:
                every.remove(said)
                every.insert(0, said)
            return every
        found: dict[int, None] = {}

        def take(number: int) -> None:
            if number not in found and allows(self.ask, question.nth(number)):
                found[number] = None

        if (said := self._advice()) is not None:
            take(said)
        for _ in range(4):
            take(question.index(self.policy.choose(self.view, self.ask, self.chance)))
        take(0)
        take(many - 1)
        for _ in range(8 * WIDE):
            if len(found) >= WIDE:
                break
            take(self.chance.below(many))
        return list(found)

    def _advice(self) -> int | None:
        if self.adviser is None:
            return None
        return self.ask.question.index(self.adviser.choose(self.view, self.ask, self.chance))

    def _insists(self, number: int) -> bool:
        """Return True if the adviser says this each time it is asked, as far as there is time for that."""
        for _ in range(OPINION - 1):
            if self.budget.spent() >= NARROWS:
                break
            if self._advice() != number:
                return False
        return self.adviser is not None

    # -- playouts ---------------------------------------------------------------------------------

    def _imagine(self, key: int) -> World:
        return self.budget.timed(lambda: self.view.imagine(type(self.chance)(key)))

    def _answer(self, world: World, number: int, replies: Replies | None = None) -> None:
        ask = next(one for one in world.open if one.seat == self._seat)
        value = ask.question.nth(number)
        if replies is not None:
            replies.note(world.view(self._seat), ask, value)
        world.step(Action(self._seat, value))

    def _play_on(self, world: World, key: int, policy: Any) -> Outcome | None:
        """Return the outcome; None if the playout was cut short and the rules can't score it."""
        self.budget.used += 1
        found: Outcome | None = world.outcome
        if found is None:
            steps = FAR if world.unfinished() is not None else None
            chance = type(self.chance)(key)
            if steps is None and type(policy) is RandomBot and type(world.game).playout is not Game.playout:
                with suppress(Unended):
                    found = world.playout(chance)
                return found
            found = world.rollout(policy, chance, steps=steps, patient=self.budget.in_time)
            found = found or world.unfinished()
        return found

    # -- ways -------------------------------------------------------------------------------------

    def halved(self) -> Thought:
        """Compare all answers in the same worlds, and leave out the worse half in each round.

        The adviser's answer is never left out, and wins unless the best of the others is clearly better in
        the worlds in which both were tried.
        """
        left = self.candidates()
        if len(left) < 2:
            return Thought(tuple(Weighed(number, 0, 0, 0) for number in left), 0)
        tallies = {number: _Tally() for number in left}
        advised = left[0] if self.adviser is not None else None
        gone: list[int] = []
        begin = 0 if advised is None else 1
        rest = left[begin:]
        shuffle(rest, self.chance)  # so that none is left out for its place
        left[begin:] = rest
        self._try_all(left, tallies, NARROWS)
        left = [number for number in left if tallies[number].visits]  # the others would take too long
        if not left or (advised is not None and advised not in left):
            return Thought((), self.budget.used)  # nothing could be compared
        rounds = max(1, math.ceil(math.log2(len(left))))
        for this in range(1, rounds + 1):
            for _ in self._until(this / rounds):
                self._try_all(left, tallies)
            left.sort(key=lambda number: -tallies[number].mean)
            keep = max(2, (len(left) + 1) // 2) if this < rounds else len(left)
            kept = [number for place, number in enumerate(left) if place < keep or number == advised]
            gone[:0] = [number for number in left if number not in kept]
            left = kept
        others = len(left) + len(gone) - 1
        if advised is not None and not tallies[left[0]].clearly_better(tallies[advised], others):
            left.remove(advised)
            left.insert(0, advised)
        return Thought(tuple(tallies[n].weighed(n) for n in (*left, *gone)), self.budget.used)

    def _until(self, share: float) -> Iterator[int]:
        """Yield until this share of the budget is used up, at least once if there's something left."""
        for number in count():
            spent = self.budget.spent()
            if spent >= share and (number or spent >= 1):
                return
            if number and not self.budget.has_room():
                return
            yield number

    def _try_all(self, left: list[int], tallies: dict[int, _Tally], share: float = 1.0) -> None:
        """Try these answers in one world, until a share of the budget is used up.

        They have the same future, as far as it is not their doing.
        """
        key, future = self.chance.bits(), self.chance.bits()
        world = self._imagine(key)
        for number in left:
            if self.budget.spent() >= share and self.budget.used > 1:
                return
            one = world if number == left[-1] else world.clone()
            self._answer(one, number)
            outcome = self._play_on(one, future, self.policy)
            if outcome is None:
                continue
            tallies[number].add(self.worth(outcome, self._seat), self._won(outcome), key)

    def in_a_tree(self) -> Thought:
        """Remember what followed in earlier playouts, and try what was promising more often.

        Where chance had no hand in it, an end that was met is known for sure, and so is what leads to it
        (Winands, Björnsson and Saito 2008); and in playouts what did best is said again (`replies`).
        """
        first = self.candidates()
        if len(first) < 2:
            return Thought(tuple(Weighed(number, 0, 0, 0) for number in first), 0)
        root, insists = _Node(), self._insists(first[0])
        replies: Replies | None = Replies(self.policy, WHOLE)
        tallies = {number: _Tally() for number in first}
        for _ in self._until(1):
            sure = self.worth(root.best(self.worth, self._seat).outcome, self._seat) if root.sure else 0
            if sure >= WHOLE or len(root.sure) == len(first):
                break
            world = self._imagine(self.chance.bits())
            luck = _luck(world)
            number = root.pick(first, self.chance, first[0])
            way: list[tuple[_Node, Any, int]] = [(root, number, self._seat)]
            if replies is not None:
                replies.begin()
            self._answer(world, number, replies)
            self._walk(world, root.child(number), way, replies)
            if world.outcome is not None and _luck(world) == luck:
                self._prove(way, world.outcome)
            outcome = self._play_on(world, self.chance.bits(), replies or self.policy)
            if outcome is None:
                for node, key, _ in way:
                    node.learn(key, DRAWN)  # the others get their turn
                continue
            worths = {int(seat): self.worth(outcome, seat) for seat in self.view.ring}
            for node, key, seat in way:
                node.learn(key, worths[seat])
            if replies is not None and _luck(world) == luck:
                replies.learn(worths)
            else:
                replies = None  # what did best depends on luck here: the policy's guess is as good
            tallies[number].add(worths[self._seat], self._won(outcome))
        return Thought(tuple(self._ordered(first, tallies, root, insists)), self.budget.used)

    def _ordered(
        self, first: list[int], tallies: Mapping[int, _Tally], root: _Node, insists: bool
    ) -> list[Weighed]:
        """Return the answers' results, the best first; the adviser can insist on one, as in `halved`."""
        tried = {number: tallies[number].weighed(number) for number in first if tallies[number].visits}
        for number, (outcome, _) in root.sure.items():
            worth, wins = self.worth(outcome, self._seat), self._won(outcome)
            tried[number] = Weighed(number, tallies[number].visits, worth, wins)
        unsure = sorted((n for n in tried if n not in root.sure), key=lambda n: -tried[n].visits)
        sure = sorted(
            root.sure,
            key=lambda n: (
                -tried[n].worth,
                -root.sure[n].patience(self._seat),
                n != first[0],
                -tried[n].visits,
            ),
        )
        least = tried[unsure[0]].worth if unsure else -1.0
        good = [number for number in sure if tried[number].worth >= least]
        stands = insists and not good and first[0] in unsure
        if stands and not clearly_better(tried[unsure[0]], tried[first[0]]):
            unsure.remove(first[0])
            unsure.insert(0, first[0])
        return [tried[number] for number in (*good, *unsure, *sure[len(good) :])]

    def _prove(self, way: list[tuple[_Node, Any, int]], outcome: Outcome) -> None:
        """Note that a way leads to this outcome for sure, and what follows for where it came from."""
        end = End(outcome, 0)
        for node, key, seat in reversed(way):
            node.sure[key] = End(end.outcome, end.answers + 1)
            end = node.best(self.worth, seat)
            if self.worth(end.outcome, seat) < WHOLE and len(node.sure) < node.width:
                return

    def _walk(
        self, world: World, node: _Node, way: list[tuple[_Node, Any, int]], replies: Replies | None
    ) -> None:
        """Go down the tree in this world, and add the first thing that was never tried there."""
        while world.outcome is None and len(way) < DEEP:
            asks = world.open
            if len(asks) != 1 or asks[0].question.count() > NARROW:
                return  # who answers at the same time as others must not see what they answer
            actions = world.legal()
            if not actions or actions[-1].value is None:
                return  # a window: a race, and no turn
            ask, view = asks[0], world.view(asks[0].seat)
            by_key = {_key(number, one.value, view): one for number, one in enumerate(actions)}
            said = None if node.tried else self.policy.choose(view, ask, self.chance)
            prior = next((key for key, one in by_key.items() if one.value == said), None)
            key = node.pick(list(by_key), self.chance, prior)
            is_new = key not in node.tried
            way.append((node, key, int(ask.seat)))
            if replies is not None:
                replies.note(view, ask, by_key[key].value)
            world.step(by_key[key])
            if is_new:
                return
            node = node.child(key)


def _luck(world: Any) -> int:
    """Count the chance entries in a world, and in its match before."""
    return sum(entry[0] in LUCK for entry in world._match.source.log)


def _key(number: int, value: object, view: View) -> Any:
    """Return a name for an action in every world: the face of a card, not its handle, or its number."""
    if isinstance(value, Card):
        return written(value, view)
    return number if isinstance(value, int | str) or value is None else written(value, view)


class _Node:
    """A place in the tree: what was tried there, as far as the observer can tell the places apart."""

    __slots__ = ("_children", "_offered", "sure", "tried", "width")

    def __init__(self) -> None:
        self.tried: dict[Any, list[int]] = {}  # by key: visits and the sum of the worths
        self.sure: dict[Any, End] = {}  # by key: what it leads to, where that is known
        self.width = 0  # how much can be done here
        self._offered: dict[Any, int] = {}
        self._children: dict[Any, _Node] = {}

    def pick(self, keys: list[Any], chance: Any, prior: Any) -> Any:
        """Pick one of `keys`: something never tried (`prior` first), otherwise the best upper bound."""
        self.width = len(keys)
        keys = [key for key in keys if key not in self.sure] or keys
        for key in keys:
            self._offered[key] = self._offered.get(key, 0) + 1
        fresh = [key for key in keys if key not in self.tried]
        if fresh:
            return prior if prior in fresh else chance.pick(fresh)

        def bound(key: Any) -> float:
            visits, total = self.tried[key]
            return total / (WHOLE * visits) + EXPLORES * math.sqrt(math.log(self._offered[key]) / visits)

        return max(keys, key=bound)

    def best(self, worth: Worth, seat: int) -> End:
        return max(self.sure.values(), key=lambda one: (worth(one.outcome, seat), one.patience(seat)))

    def learn(self, key: Any, worth: int) -> None:
        sums = self.tried.setdefault(key, [0, 0])
        sums[0] += 1
        sums[1] += worth

    def child(self, key: Any) -> _Node:
        if key not in self._children:
            self._children[key] = _Node()
        return self._children[key]


def won(outcome: Outcome, seat: int, side: int = 1) -> float:
    """Return how much of a win it is: 1, a part of one where teams of `side` seats share it, or 0."""
    return side / len(outcome.winners) if seat in outcome.winners else 0.0


def better(outcome: Outcome, points: Sequence[float], side: int = 1) -> int:
    """Return 1 if more points are better, and -1 if fewer are, as far as an outcome shows.

    In teams of `side` seats it goes by the winners' mean: one of them may have the most where few win.
    """
    best = [points[one] for one in outcome.winners] or [max(points)]
    if side > 1:
        return -1 if sum(best) * len(points) < sum(points) * len(best) else 1
    return -1 if max(best) == min(points) != max(points) else 1


def usual_worth(outcome: Outcome, seat: int, side: int = 1) -> int:
    """Return what an outcome is worth to a seat, from 0 to 1000: a win first, then place, then lead.

    Teams have `side` seats.
    """
    wins, points = won(outcome, seat, side), outcome.scores
    if points is None:
        ranks = outcome.ranks
        if ranks is None or len(ranks) < 2:
            return DRAWN + int((WHOLE - DRAWN) * wins) if wins or not outcome.winners else 0
        behind = sum(one > ranks[seat] for one in ranks) / (len(ranks) - 1)
        return int(800 * wins + 200 * behind)
    if len(set(points)) == 1 and len(points) > 1 and len(outcome.winners) in (0, len(points)):
        got = max(0, points[seat])  # all play together
        return int(500 * (1.0 if outcome.winners else 0.0) + 500 * got / (got + 20))
    sign = better(outcome, points, side)
    others = [one for number, one in enumerate(points) if number != seat] or [points[seat]]
    lead = sign * (points[seat] - sum(others) / len(others))
    scale = 1 + sum(map(abs, points)) / len(points)
    behind = sum(sign * one < sign * points[seat] for one in others) / len(others)
    return int(300 * wins + 100 * behind + 300 * (1 + lead / (abs(lead) + scale)))
