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


def why_not(call: Call, step: Step, cards: int) -> str | None:
    """The reason why this can't be done after that call; None if it can.

    Args:
        call: the last call, or that nothing has been called.
        step: what one would do.
        cards: how many cards there are in all hands.
    """
    if step.move is Move.ORDER and len(call.courses) == 2:
        return TWO_ALREADY  # only one card, and only while there are fewer than two courses (5)
    if step.move is Move.SPICE:  # strictly higher, as many cards (6)
        own = call.courses[step.place].dish
        if own == ACE:
            return TOP
        if step.dish <= own:
            return NOT_HIGHER
    others = call.dishes[: step.place] + call.dishes[step.place + 1 :]
    if step.dish in others:
        return VARIETY
    after = step.after(call)
    if after.courses[step.place].number > MOST:
        return COURSE_FULL
    if after.total > cards:
        return TABLE_FULL
    return None


@lru_cache(maxsize=1 << 16)
def legal(call: Call, cards: int) -> tuple[tuple[Step, Call], ...]:
    """Every legal call after this one, with the step that leads to it."""
    return tuple((step, step.after(call)) for step in steps(call) if why_not(call, step, cards) is None)


@lru_cache(maxsize=1 << 16)
def dishes_to_show(call: Call, cards: int) -> tuple[int, ...]:
    """The dishes of which a card may be shown: those that some legal call has (8)."""
    return tuple(sorted({dish for _, after in legal(call, cards) for dish in after.dishes}))


def move_between(before: Call, after: Call) -> Move:
    """Which move leads from one call to the next; there is only ever one."""
    if len(after.courses) > len(before.courses):
        return Move.ORDER
    return Move.SPICE if after.total == before.total else Move.ABOUND


@lru_cache(maxsize=1 << 14)
def question(call: Call, cards: int, shown: int) -> OneOf:
    """The question what to call: the legal calls that have the dish shown; the others with the reason.

    Args:
        call: the last call.
        cards: how many cards there are in all hands.
        shown: the dish of the card that is shown; a joker is any dish (20).
    """
    choices: list[Choice] = []
    refused: dict[tuple[Move, int, str], list[int]] = {}
    for step in steps(call):
        after = step.after(call)
        reason = why_not(call, step, cards)
        if reason is None and shown not in (JOKER, *after.dishes):
            reason = NOT_SHOWN
        if reason is None:
            choices.append(Choice(after, WHAT, params={"move": step.move, "call": str(after)}))
        else:
            refused.setdefault((step.move, step.place, reason), []).append(step.dish)
    nos = [_no(call, *group, dishes, cards, shown) for group, dishes in refused.items()]
    return OneOf(choices, nos)


def _no(call: Call, move: Move, place: int, reason: str, dishes: list[int], cards: int, shown: int) -> No:
    """Several calls that can't be made for one reason."""
    old = call.courses[place] if place < len(call.courses) else None
    others = call.courses[1 - place : 2 - place] if place < 2 else ()
    params = {
        "move": move,
        "course": "" if old is None else str(old),
        "dishes": [letter(dish) for dish in dishes],
        "other": letter(others[0].dish) if others else "",
        "own": "" if old is None else letter(old.dish),
        "most": MOST,
        "cards": cards,
        "shown": letter(shown) if shown else "",
    }
    values = tuple(Step(move, place, dish).after(call) for dish in dishes)
    return No(NOT_WHAT, reason, params, values)
