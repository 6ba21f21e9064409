"""What may be called after what (rulings 4 to 8 and 13), and why something may not.

All of it is public and pure; the questions are made once for each situation and kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tavolata import N_, Choice, No, OneOf
from tavolata_conto.menu import ACE, DISHES, JOKER, JOKERS, NATURAL, Call, Course, Move, letter

MOST = NATURAL + JOKERS
"""How many cards a course can have: all of a dish and all jokers (13)."""

TWO_ALREADY = N_("There are two courses already.")
VARIETY = N_("Variety, please: the other course is made of {other}.")
TOP = N_("Nothing is hotter than an ace.")
NOT_HIGHER = N_("Spicing goes up, above {own}.")
COURSE_FULL = N_("A course has no more than {most} cards.")
TABLE_FULL = N_("There are only {cards} cards in all hands.")
NOT_SHOWN = N_("You show {shown}, so it must be in the call.")

WHAT = N_("{move}: {call}")
NOT_WHAT = N_("{move} {course}: {dishes}")
NOT_ORDER = N_("{move}: {dishes}")


@dataclass(frozen=True)
class Step:
    """One move on one course: which, and to which dish."""

    move: Move
    place: int
    dish: int

    def after(self, call: Call) -> Call:
        """The call that this makes of another."""
        if self.move is Move.ORDER:
            return call.with_course(self.place, Course(1, self.dish))
        number = call.courses[self.place].number + (self.move is Move.ABOUND)
        return call.with_course(self.place, Course(number, self.dish))


def steps(call: Call) -> Iterator[Step]:
    """Everything that one could want to do, legal or not."""
    for dish in DISHES:
        yield Step(Move.ORDER, len(call.courses), dish)
    for place in range(len(call.courses)):
        for move in (Move.SPICE, Move.ABOUND):
            for dish in DISHES:
                yield Step(move, place, dish)


def why_never(call: Call, step: Step) -> str | None:
    """The reason why this can't be done after that call, whatever there is in the hands; None if it can."""
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


@lru_cache(maxsize=1 << 12)
def judged(call: Call) -> tuple[tuple[Step, Call, str | None], ...]:
    """Everything that one could want to do, the call that it makes, and why it can never be done."""
    return tuple((step, step.after(call), why_never(call, step)) for step in steps(call))


@lru_cache(maxsize=1 << 12)
def legal(call: Call, cards: int) -> tuple[tuple[Step, Call], ...]:
    """Every legal call after this one, with the step that leads to it.

    Args:
        call: the last call, or that nothing has been called.
        cards: how many cards there are in all hands: no call needs more (13).
    """
    return tuple((step, after) for step, after, no in judged(call) if no is None and after.total <= cards)


@lru_cache(maxsize=1 << 12)
def dishes_to_show(call: Call, cards: int) -> tuple[int, ...]:
    """The dishes of which a card may be shown: those that some legal call has (8)."""
    return tuple(sorted({dish for _, after in legal(call, cards) for dish in after.dishes}))


def move_between(before: Call, after: Call) -> Move:
    """Which move leads from one call to the next; there is only ever one."""
    if len(after.courses) > len(before.courses):
        return Move.ORDER
    return Move.SPICE if after.total == before.total else Move.ABOUND


@lru_cache(maxsize=1 << 11)
def question(call: Call, cards: int, shown: int) -> OneOf:
    """The question what to call: the legal calls that have the dish shown; the others with the reason.

    Args:
        call: the last call.
        cards: how many cards there are in all hands.
        shown: the dish of the card that is shown; a joker is any dish (20).
    """
    choices: list[Choice] = []
    refused: dict[tuple[Move, int, str], list[Call]] = {}
    for step, after, never in judged(call):
        reason = never
        if never is None and after.total > cards:
            reason = TABLE_FULL
        elif never is None and shown not in (JOKER, *after.dishes):
            reason = NOT_SHOWN
        if reason is None:
            choices.append(Choice(after, WHAT, params={"move": step.move, "call": str(after)}))
        else:
            refused.setdefault((step.move, step.place, reason), []).append(after)
    nos = [_no(call, *group, calls, cards, shown) for group, calls in refused.items()]
    return OneOf(choices, nos)


def _no(call: Call, move: Move, place: int, reason: str, calls: list[Call], cards: int, shown: int) -> No:
    """Several calls that can't be made for one reason."""
    old = call.courses[place] if place < len(call.courses) else None
    others = call.courses[1 - place : 2 - place] if place < 2 else ()
    params = {
        "move": move,
        "course": "" if old is None else str(old),
        "dishes": [letter(after.dishes[place]) for after in calls],
        "other": letter(others[0].dish) if others else "",
        "own": "" if old is None else letter(old.dish),
        "most": MOST,
        "cards": cards,
        "shown": letter(shown) if shown else "",
    }
    return No(NOT_ORDER if old is None else NOT_WHAT, reason, params, tuple(calls))
