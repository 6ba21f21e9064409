"""The probability that a call is true, for a player who sees some of the cards. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

from tavolata import View
from tavolata.decks import FrenchFace
from tavolata_conto.menu import JOKER, JOKERS, NATURAL, Call, dish_of
from tavolata_conto.rules import Conto

PACK = 108
SURE = 1000
"""Odds are counted in thousandths, in whole numbers: equal on every machine."""


@dataclass(frozen=True)
class Seen:
    """One player's knowledge of a hand that is being played.

    By dish, with jokers at place 0, `counts` has the cards in the hands for sure, and `aside` those in no
    hand: one's own discards. `hidden` is how many cards of the hands are not known.
    """

    counts: tuple[int, ...]
    aside: tuple[int, ...]
    hidden: int

    def truth(self, call: Call) -> int:
        """Return how likely this call is true, in thousandths."""
        counts, aside, jokers = self.counts, self.aside, self.counts[JOKER]
        need = other = some = more = 0
        for course in call.courses:
            dish, have = course.dish, counts[course.dish]
            left = NATURAL - have - aside[dish]
            missing = course.number - have if course.number > have else 0
            if missing > need:  # what is symmetric is reckoned once
                need, other, some, more = missing, need, left, some
            else:
                other, more = missing, left
        if need + other <= jokers:
            return SURE
        return chance_of(
            need, some, other, more, jokers, JOKERS - jokers - aside[JOKER], self.hidden, self.unseen
        )

    @cached_property
    def unseen(self) -> int:
        """How many cards are not known: those hidden in hands, and the pack."""
        return PACK - sum(self.counts) - sum(self.aside)


@lru_cache(maxsize=1 << 16)
def chance_of(
    need: int, left: int, need_2: int, left_2: int, jokers: int, jokers_left: int, drawn: int, unseen: int
) -> int:
    """Return in how many of a thousand deals the unseen cards make up for what is needed.

    Of the two dishes called, `need` and `need_2` cards are missing, and `left` and `left_2` are among the
    unseen. There are `jokers` for sure, and `jokers_left` among the unseen. Of the `unseen` cards, `drawn`
    are in hands.
    """
    if need + need_2 <= jokers:
        return SURE
    others = unseen - left - left_2 - jokers_left
    good = 0
    for a in range(min(left, drawn) + 1):
        for b in range(min(left_2, drawn - a) + 1):
            missing = max(0, need - a) + max(0, need_2 - b) - jokers
            if missing <= jokers_left:
                ways = _with_jokers(max(0, missing), jokers_left, drawn - a - b, others)
                good += comb(left, a) * comb(left_2, b) * ways
    return SURE * good // comb(unseen, drawn)


@lru_cache(maxsize=1 << 16)
def _with_jokers(fewest: int, jokers: int, drawn: int, others: int) -> int:
    """Count the ways to draw from jokers and others, with at least `fewest` jokers."""
    return sum(comb(jokers, j) * comb(others, drawn - j) for j in range(fewest, min(jokers, drawn) + 1))


def seen_by(view: View[Conto], *, counting: bool = True) -> Seen:
    """Return the owner's knowledge: its hand, its discards and, if it counts, the cards shown.

    This sees the faces of one seat and is for that seat alone.
    """
    game = view.game
    hands = [
        view.face(card) if counting or hand.owner == view.seat else None
        for hand in game.hands
        for card in hand
    ]
    return _seen(hands, map(view.face, game.scraps))


def known_to_all(view: View[Conto]) -> Seen:
    game = view.game
    return _seen([card.face if card.is_public else None for hand in game.hands for card in hand], ())


def _seen(hands: list[FrenchFace | None], aside: Iterable[FrenchFace | None]) -> Seen:
    counts, out = [0] * 15, [0] * 15
    for face in hands:
        if face is not None:
            counts[dish_of(face)] += 1
    for face in aside:
        if face is not None:
            out[dish_of(face)] += 1
    return Seen(tuple(counts), tuple(out), hands.count(None))
