"""Matches of random bots, watched for what is odd in them; `remarks` says it.

Each finding has the line of the rules that asks, while the match is played.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from traceback import walk_stack
from typing import Any, Final

from typing_extensions import override

from tavolata._ui.scene.faces import has_letter, short_of
from tavolata.asks import Ask
from tavolata.ballots import Ballots
from tavolata.bots import Bot, Chance, RandomBot
from tavolata.cards import Hand
from tavolata.choices import Choice
from tavolata.cups import Cup
from tavolata.game import Game
from tavolata.kinds.one_of import GO
from tavolata.kinds.question import Choices
from tavolata.looks import Look
from tavolata.outcome import Outcome
from tavolata.ring import Seat
from tavolata.sim import Simulation
from tavolata.source import Dealt
from tavolata.testing.cases import Case, CheckFailed
from tavolata.testing.playthrough import words_of
from tavolata.testing.recording import NotingSource, Recorded, follow, patience
from tavolata.view import View
from tavolata.zones import CardView, Cells, Lanes

Place = tuple[str, int]
"""A file and a line."""
LOOKS: Final = 12
"""The questions of a match at which hands are looked at."""
TRIES: Final = 30
"""The pairs of answers to one question that are tried, if none of them makes a difference."""
AHEAD: Final = 12
"""The questions within which two answers may come to different states."""


@dataclass
class Oddities:
    """Findings of some matches.

    Attributes:
        outcomes: how they ended, each with its seed.
        asked: by match, how often each seat was asked.
        empty: the lines that ask a seat with empty hands again, with how often, and a seed.
        unshuffled: the lines at which a hand has cards that were never shuffled.
        shown: the lines that show a card of a hand to another seat.
        places: by line, the lengths of the lists of values that are places in an attribute, and its name.
        others: the lines that ask for other values.
        lines: by the two prompts of a question, the line that asks it.
        signs: by the title of a grid or a track and by sign, the things drawn with it, each with a seed.
    """

    outcomes: list[tuple[int, Outcome]] = field(default_factory=list)
    asked: list[list[int]] = field(default_factory=list)
    empty: dict[Place, list[int]] = field(default_factory=lambda: defaultdict(list))
    unshuffled: dict[Place, int] = field(default_factory=dict)
    shown: dict[Place, int] = field(default_factory=dict)
    places: dict[Place, dict[str, set[int]]] = field(default_factory=dict)
    others: set[Place] = field(default_factory=set)
    lines: dict[tuple[str, str], Place] = field(default_factory=dict)
    signs: dict[str, dict[str, dict[str, int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(dict))
    )


class _WatchingSource(NotingSource):
    def __init__(self, kept: Recorded, found: Oddities) -> None:
        super().__init__(kept)
        self._case, self._found = kept.case, found
        self.asked = [0] * kept.case.seats
        self._package = kept.case.game.__module__.partition(".")[0]
        self._held: dict[Seat, int] = {}  # by seat, the number of questions it got since it last held a card
        self._looks = 0

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        if ask.question is not GO:
            place = self._place()
            self.asked[ask.seat] += 1
            if place is not None:
                self._found.lines.setdefault((ask.you, ask.others), place)
                self._watch(ask, place)
        super()._bot_answers(bot, ask)

    def _place(self) -> Place | None:
        """Return the line of the rules that asks: the innermost of the game's frames."""
        for frame, line in walk_stack(sys._getframe(1)):
            module = str(frame.f_globals.get("__name__", ""))
            if module.partition(".")[0] == self._package and not module.startswith("tavolata."):
                return frame.f_code.co_filename, line
        return None

    def _watch(self, ask: Ask, place: Place) -> None:
        match, found, seed = self._kept.match, self._found, self._case.seed
        pieces = list(match.table._pieces.named.values())
        hands = [piece for piece in pieces if isinstance(piece, Hand) and not isinstance(piece, Cup)]
        for hand in hands:
            if hand.cards:
                self._held[hand.owner] = 0
        if ask.seat in self._held:
            self._held[ask.seat] += 1
            if self._held[ask.seat] > 2 and any(hand.cards for hand in hands):
                found.empty[place].append(seed)
        self._values(ask, place)
        self._looks += 1
        if self._looks <= LOOKS:
            mixed = {card for faces in self._kept.shuffles.values() for card in faces}
            packs = [pack for one in pieces if isinstance(one, Ballots) for pack in one.packs]
            if any(_is_unshuffled(hand, mixed) for hand in hands if hand not in packs):
                found.unshuffled.setdefault(place, seed)
            self._signs()

    def _signs(self) -> None:
        """Note with which signs things are drawn on grids and tracks."""
        match = self._kept.match
        words = words_of(match)
        for zone in match.view(None).zones().values():
            shape = zone.shape()
            things: Iterable[Any] = ()
            if isinstance(shape, Cells) and shape.cells == "short":
                things = (one for row in shape.rows for cell in row for one in cell)
            elif isinstance(shape, Lanes):  # others get another letter of their name
                things = (one for one in shape.tokens if has_letter(words.describe(one)))
            for one in things:
                if not isinstance(one, CardView | Seat):
                    name = words.describe(one)
                    sign = short_of(words.describe(one.short) if isinstance(one, Look) else name)
                    self._found.signs[words.text(zone.title)][sign].setdefault(name, self._case.seed)

    @override
    def show(self, what: Dealt, number: int) -> bool:
        place = self._place()
        owners = {
            card: piece.owner for piece in self._kept.match.table._pieces.named.values()
            if isinstance(piece, Hand) for card in piece.cards
        }  # fmt: skip
        if place is not None and any(owners.get(card, seat) != seat for card, seat in what):
            self._found.shown.setdefault(place, self._case.seed)
        return super().show(what, number)

    def _values(self, ask: Ask, place: Place) -> None:
        """Note values 0, 1, 2 … that are as many as an attribute of the game has parts."""
        shape = ask.question.shape()
        if not isinstance(shape, Choices) or len(shape.choices) < 2:
            return
        values = [choice.value for choice in shape.choices]
        if any(type(value) is not int for value in values) or values != list(range(len(values))):
            self._found.others.add(place)
            return
        named = self._found.places.setdefault(place, defaultdict(set))
        fits = {
            name for name, value in vars(self._kept.match.game).items()
            if isinstance(value, list) and len(value) == len(values)
        }  # fmt: skip
        if named and not fits & named.keys():
            self._found.others.add(place)
        for name in sorted(fits):
            named[name].add(len(values))


def _is_unshuffled(hand: Hand[Any], mixed: set[int]) -> bool:
    return any(
        card.is_public and card.id not in mixed and len(set(map(str, card.deck.faces))) > 1
        for card in hand.cards
    )


def watch(cases: Sequence[Case]) -> Oddities:
    """Play these cases, and return what was found; failures are left to the checks."""
    found = Oddities()
    for case in cases:
        kept = Recorded(case)
        source = _WatchingSource(kept, found)
        try:
            with patience(kept):
                follow(kept, source)
        except CheckFailed:
            continue
        if kept.match.outcome is not None:
            found.outcomes.append((case.seed, kept.match.outcome))
            found.asked.append(source.asked)
    return found


# -- answers without effect ----------------------------------------------------------------------------


def idle_questions(game: type[Game[Any]], seats: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield the prompts of questions of which no two answers came to different states, in all tries."""
    tries: Counter[tuple[str, str]] = Counter()
    settled: set[tuple[str, str]] = set()
    for number in range(10):
        if number > 3 and all(many >= TRIES or prompt in settled for prompt, many in tries.items()):
            break
        chance = Chance(seed + number)
        world = Simulation(game, seats, seed=seed + number)
        for _ in range(200):
            ask = next(iter(world.open), None)
            if ask is None:
                break
            prompt, count = (ask.you, ask.others), ask.question.count()
            if (
                ask.question is not GO
                and not ask.sealed
                and count > 1
                and prompt not in settled
                and tries[prompt] < TRIES
            ):
                tries[prompt] += 1
                if _differ(world, ask, chance):
                    settled.add(prompt)
            _answer(world, chance.bits())
    yield from (prompt for prompt, many in tries.items() if many >= TRIES and prompt not in settled)


def _differ(world: Simulation[Any], ask: Ask, chance: Chance) -> bool:
    """Return True if two legal answers come to different states within some questions."""
    view, count = world.view(ask.seat), ask.question.count()
    drawn = [ask.question.nth(chance.below(count)) for _ in range(8)]
    legal = [value for value in drawn if view.holds(ask, value)]
    other = next((value for value in legal[1:] if value != legal[0]), None)
    if other is None:
        return True  # there is nothing to compare
    these, those, key = world.clone(), world.clone(), chance.bits()
    these.step(legal[0])
    those.step(other)
    for number in range(AHEAD):
        if these.digest() != those.digest() or these.outcome != those.outcome:
            return True
        one, two = (next(iter(each.open), None) for each in (these, those))
        if one is None or two is None:
            return one is not two
        if one.question.count() != two.question.count() or one.you != two.you:
            return True
        _answer(these, key + number)
        _answer(those, key + number)
    return False


def _answer(world: Simulation[Any], key: int) -> None:
    world.rollout(RandomBot(), Chance(key), steps=1)


# -- passing ---------------------------------------------------------------------------------------------


class Passer(RandomBot):
    """A bot that passes wherever it can."""

    level = "passer"

    @override
    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        shape = ask.question.shape()
        if isinstance(shape, Choices):
            passing = [()] if shape.several else [one.value for one in shape.choices if _passes(one)]
            for value in passing:
                if view.allows(ask, value):
                    return value
        return super().choose(view, ask, chance)


def _passes(choice: Choice) -> bool:
    said = f"{choice.label} {getattr(choice.value, 'name', choice.value)}".lower()
    return choice.value is None or choice.value is False or "pass" in said.replace(".", " ").split()


def all_pass(case: Case, most: int) -> bool:
    """Return True if a match in which everybody passes ends within `most` entries."""
    kept = _Short(replace(case, bots=(Passer,)), most)
    try:
        with patience(kept):
            follow(kept, NotingSource(kept))
    except CheckFailed:  # if it's short, the checks say what is wrong
        return len(kept.log) <= most
    return True


class _Short(Recorded):
    def __init__(self, case: Case, most: int) -> None:
        super().__init__(case)
        self._most = most

    @override
    def record(self, entry: Any) -> None:
        super().record(entry)
        if len(self.log) > self._most:
            raise CheckFailed("No end.", case=self.case)


def beyond_chance(wins: Mapping[int, int], seats: int) -> int | None:
    """Return a seat that has far more of these than chance gives it, or none at all; None without one."""
    total = sum(wins.values())
    for seat in range(seats):
        many = wins.get(seat, 0)
        if min(_at_least(many, total, seats), _at_most(many, total, seats)) * seats < RARE:
            return seat
    return None


RARE: Final = 1e-5
"""The probability below which something counts as no chance."""


def _mass(many: int, total: int, seats: int) -> float:
    return comb(total, many) * (1 / seats) ** many * (1 - 1 / seats) ** (total - many)


def _at_least(many: int, total: int, seats: int) -> float:
    return sum(_mass(one, total, seats) for one in range(many, total + 1))


def _at_most(many: int, total: int, seats: int) -> float:
    return sum(_mass(one, total, seats) for one in range(many + 1))
