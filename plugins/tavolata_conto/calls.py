"""What may be called after what (rulings 4 to 8 and 13), and why something may not.

All of it is public and pure; the questions are made once for each situation and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from tavolata import N_, Branch, Card, Choice, OneOf, Question, Unavailable, form
from tavolata.decks import FrenchFace
from tavolata_conto.menu import ACE, DISHES, JOKERS, NATURAL, Call, Course, Move, letter

MOST = NATURAL + JOKERS
"""How many cards a course can have: all of a dish and all jokers (13)."""

TWO_ALREADY = N_("There are two courses already.")
VARIETY = N_("Variety, please: the other course already uses {other}.")
TOP = N_("Nothing is hotter than an ace.")
NOT_HIGHER = N_("To spice a course, go above {own}.")
COURSE_FULL = N_("A course can't have more than {most} cards.")
TABLE_FULL = N_("There are only {cards} cards in all the hands together.")
NOTHING_CALLED_YET = N_("Nothing has been called yet.")

MOVES = {
    Move.ORDER: N_("Order one card"),
    Move.SPICE: N_("Spice {course}"),
    Move.UPSIZE: N_("Upsize {course}"),
}
MEANINGS = {
    Move.ORDER: N_("Add a course: one card of a rank that isn't in the call yet. Two courses at most."),
    Move.SPICE: N_("The same number of cards, but a higher rank. The other course doesn't change."),
    Move.UPSIZE: N_("One more card, of any rank but the other course's. The other course doesn't change."),
}
ALL_LAID_DOWN = N_(
    "All hands are shown: if the call is true, you lose this hand; otherwise, the caller does."
)
FIELDS = {"call": N_("You call"), "card": N_("You show")}


class Please(Enum):
    """The one thing to do that is not a call."""

    BILL = N_("Il conto, prego!")


@dataclass(frozen=True)
class Served:
    call: Call
    card: Card[FrenchFace]


@dataclass(frozen=True)
class Step:
    move: Move
    place: int
    dish: int

    def after(self, call: Call) -> Call:
        if self.move is Move.ORDER:
            return call.with_course(self.place, Course(1, self.dish))
        number = call.courses[self.place].number + (self.move is Move.UPSIZE)
        return call.with_course(self.place, Course(number, self.dish))


def steps(call: Call) -> Iterator[Step]:
    """Yield everything that one could want to do, legal or not."""
    for dish in DISHES:
        yield Step(Move.ORDER, len(call.courses), dish)
    for place in range(len(call.courses)):
        for move in (Move.SPICE, Move.UPSIZE):
            for dish in DISHES:
                yield Step(move, place, dish)


def why_never(call: Call, step: Step) -> str | None:
    """Return why this can never be done after that call, whatever the hands; None if it can."""
    if step.move is Move.ORDER and len(call.courses) == 2:
        return TWO_ALREADY  # only one card, and only while there are fewer than two courses (5)
    if step.move is Move.SPICE:  # strictly higher, as many cards (6)
        own = call.courses[step.place].dish
        if own == ACE:
            return TOP
        if step.dish <= own:
            return NOT_HIGHER
    if step.dish in call.dishes[: step.place] + call.dishes[step.place + 1 :]:
        return VARIETY  # (5, 6, 7)
    if step.after(call).courses[step.place].number > MOST:
        return COURSE_FULL
    return None


@lru_cache(maxsize=1 << 9)
def judged(call: Call) -> tuple[tuple[Step, Call, str | None], ...]:
    """Return everything that one could want to do, the call that it makes, and why it can never be done."""
    return tuple((step, step.after(call), why_never(call, step)) for step in steps(call))


@lru_cache(maxsize=1 << 9)
def legal(call: Call, cards: int) -> tuple[Call, ...]:
    """Return every legal call after this one; `cards` counts those in all hands: no call needs more (13)."""
    return tuple(after for _, after, no in judged(call) if no is None and after.total <= cards)


def move_between(before: Call, after: Call) -> Move:
    """Return the move that leads from one call to the next; there is only ever one."""
    if len(after.courses) > len(before.courses):
        return Move.ORDER
    return Move.SPICE if after.total == before.total else Move.UPSIZE


def place_between(before: Call, after: Call) -> int:
    """Return the place of the course that is new or has changed between one call and the next."""
    pairs = enumerate(zip(before.courses, after.courses, strict=False))
    return next((place for place, (old, new) in pairs if old != new), len(before.courses))


def question(call: Call, cards: int, hand: Iterable[Card[FrenchFace]]) -> Branch:
    """Return the question for a call and the card to show with it, or for the bill.

    `cards` counts those in all hands. The claim that one in the hand of the player in turn serves is checked
    (8).
    """
    moves, calls, nos = _moves(call, cards)
    shown = OneOf([Choice(card) for card in hand])
    then: list[Question | None] = [form(Served, labels=FIELDS, call=one, card=shown) for one in calls]
    if call.courses:
        return Branch([*moves, _BILL], [*then, None], nos)
    return Branch(moves, then, [Unavailable(Please.BILL.value, NOTHING_CALLED_YET, values=(Please.BILL,))])


_BILL = Choice(
    Please.BILL, Please.BILL.value, key="b", mood="bold", verb=N_("Ask for the bill"), more=ALL_LAID_DOWN
)


@lru_cache(maxsize=1 << 9)
def _moves(call: Call, cards: int) -> tuple[list[Choice], list[OneOf], list[Unavailable]]:
    """Return the moves that lead to a legal call, the question for each, and why not the others."""
    moves, calls, nos = [], [], []
    groups: dict[tuple[Move, int], list[tuple[Call, str | None]]] = {}
    for step, after, never in judged(call):
        reason = never or (TABLE_FULL if after.total > cards else None)
        groups.setdefault((step.move, step.place), []).append((after, reason))
    for (move, place), ways in groups.items():
        old = call.courses[place] if place < len(call.courses) else None
        label = MOVES[move]
        params = {"course": "" if old is None else str(old)}
        refused: dict[str, list[Call]] = {}
        for after, reason in ways:
            if reason is not None:
                refused.setdefault(reason, []).append(after)
        why = [_no(call, place, reason, afters, cards) for reason, afters in refused.items()]
        legal_ones = [
            Choice(after, "{course}", params={"course": str(after.courses[place])})
            for after, no in ways
            if no is None
        ]
        if legal_ones:
            moves.append(Choice((move, place), label, params=params, verb="{choice}", more=MEANINGS[move]))
            calls.append(OneOf(legal_ones, why))
        else:
            # A person knows that spicing goes up: what is in the way of a higher rank says more.
            most = max(why, key=lambda no: (no.reason != NOT_HIGHER, len(no.values)))
            nos.append(Unavailable(label, most.reason, ((move, place),), {**most.params, **params}))
    return moves, calls, nos


def _no(call: Call, place: int, reason: str, calls: list[Call], cards: int) -> Unavailable:
    others = call.courses[1 - place : 2 - place] if place < 2 else ()
    params = {
        "dishes": [letter(after.dishes[place]) for after in calls],
        "other": letter(others[0].dish) if others else "",
        "own": letter(call.dishes[place]) if place < len(call.courses) else "",
        "most": MOST,
        "cards": cards,
    }
    return Unavailable("{dishes}", reason, tuple(calls), params)
