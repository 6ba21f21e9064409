"""What can be reckoned: which calls are legal, when a bill is true, how likely that is."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tavolata.decks import FRENCH_108, JOKER
from tavolata_conto.bill import Bill
from tavolata_conto.calls import MOST, judged, legal, move_between, place_between, question, steps, why_never
from tavolata_conto.menu import ACE, DISHES, NOTHING_CALLED, Call, Course, Move, dish_of
from tavolata_conto.odds import Seen, chance_of

COURSES = st.builds(Course, st.integers(1, MOST), st.sampled_from(DISHES))
CALLS = st.lists(COURSES, max_size=2, unique_by=lambda course: course.dish).map(
    lambda some: Call(tuple(some))
)
FACES = st.lists(st.sampled_from(FRENCH_108.faces), max_size=30)


def allowed(before: Call, after: Call, cards: int) -> bool:
    """Rulings 4 to 7 and 13 as sentences about two calls, in other words than the rules'."""
    old, new = before.courses, after.courses
    if len(set(after.dishes)) < len(new) or after.total > cards or max(c.number for c in new) > 12:
        return False
    if len(new) == len(old) + 1:
        return len(new) <= 2 and new[:-1] == old and new[-1].number == 1
    changed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if len(new) != len(old) or len(changed) > 1:
        return False
    if not changed:
        return False
    ((a, b),) = changed
    return b.number == a.number + 1 or (b.number == a.number and b.dish > a.dish)


@given(CALLS, st.integers(2, 60))
def test_rulings_4_5_6_7_13_legal_calls_are_these_and_no_others(before: Call, cards: int) -> None:
    """Of all calls of one or two courses, exactly those that the rulings allow are legal, each once."""
    offered = legal(before, cards)
    assert len(set(offered)) == len(offered)
    numbers = sorted({1, *(c.number + more for c in before.courses for more in (-1, 0, 1, 2))} - {0, -1})
    every = [Course(n, dish) for n, dish in product(numbers, DISHES)]
    firsts = {Call((one,)) for one in every}
    near = list(before.courses)
    seconds = {Call(pair) for a in near for b in every for pair in ((a, b), (b, a))}
    assert set(offered) == {call for call in firsts | seconds if allowed(before, call, cards)}


@given(CALLS, st.integers(2, 60))
def test_the_question_has_each_legal_call_once_and_the_others_with_a_reason(before: Call, cards: int) -> None:
    """Each legal call stands under its move; every other step has a reason, for itself or its whole move."""
    if not legal(before, cards):
        return
    kind = question(before, cards, [object()])  # type: ignore[list-item] # any card
    forms = [
        (move, form) for move, form in zip(kind.first.values, kind.then, strict=True) if form is not None
    ]
    offered: Any = {move: form.fields["call"] for move, form in forms}  # type: ignore[attr-defined] # Form
    made = [call for one in offered.values() for call in one.values]
    assert sorted(map(str, made)) == sorted(map(str, legal(before, cards)))
    refused = [value for one in offered.values() for no in one.unavailable for value in no.values]
    whole = {value for no in kind.first.unavailable for value in no.values}
    assert len(made) + len(refused) == sum((step.move, step.place) not in whole for step in steps(before))


@given(CALLS)
def test_every_step_is_told_apart_by_its_calls(before: Call) -> None:
    """From two calls alone one can tell whether it was ordered, spiced or upsized."""
    for step, after, no in judged(before):
        if no is None:
            assert (move_between(before, after), place_between(before, after)) == (step.move, step.place)


@given(CALLS)
def test_ruling_6_spicing_goes_up_and_aces_are_the_end(before: Call) -> None:
    """A spice keeps the number and ends above its dish; an ace has none."""
    for step in steps(before):
        if step.move is Move.SPICE and why_never(before, step) is None:
            old, new = before.courses[step.place], step.after(before).courses[step.place]
            assert new.number == old.number
            assert ACE >= new.dish > old.dish


@given(CALLS.filter(lambda call: call != NOTHING_CALLED), FACES)
def test_ruling_14_the_formula_is_what_jokers_can_do(call: Call, faces: list[object]) -> None:
    """A call is true exactly when some way of naming the jokers makes enough cards of each dish."""
    dishes = [dish_of(face) for face in faces]  # type: ignore[arg-type] # faces of the French deck
    jokers = dishes.count(0)
    ways = range(jokers + 1)
    possible = any(
        all(
            dishes.count(course.dish) + named >= course.number
            for course, named in zip(call.courses, (first, jokers - first), strict=False)
        )
        for first in ways
    )
    bill = Bill.of(call, faces)  # type: ignore[arg-type] # as above
    assert bill.is_true == possible
    assert bill.jokers_used == min(jokers, bill.missing)
    assert (bill.jokers_used == 0) == ((bill.missing == 0) or not jokers)


def test_the_pack_is_what_the_odds_reckon_with() -> None:
    """Ruling 1: 108 cards, eight of each dish and four jokers."""
    dishes = [dish_of(FRENCH_108.faces[number]) for number in FRENCH_108.cards]
    assert len(dishes) == 108
    assert {dishes.count(dish) for dish in DISHES} == {8}
    assert [FRENCH_108.faces[n] for n in FRENCH_108.cards].count(JOKER) == 4


def test_ruling_3_the_order_of_ranks() -> None:
    """Two is lowest, then upwards to ten, jack, queen, king, ace."""
    from tavolata_conto.menu import letter

    assert " ".join(letter(dish) for dish in DISHES) == "2 3 4 5 6 7 8 9 10 J Q K A"


def test_the_odds_of_one_card() -> None:
    """One ace among k unseen cards of 108, counted by hand: no ace and no joker is the one way to miss."""
    for drawn in (1, 6, 18, 48):
        miss = comb(108 - 12, drawn) * 1000 // comb(108, drawn)
        assert abs(1000 - miss - chance_of(1, 8, 0, 0, 0, 4, drawn, 108)) <= 1


@given(CALLS.filter(lambda call: call != NOTHING_CALLED), st.integers(0, 42))
def test_odds_fall_when_a_call_grows(call: Call, hidden: int) -> None:
    """A bigger course is never likelier, and all odds lie between none and sure."""
    nothing = Seen((0,) * 15, (0,) * 15, hidden)
    first = call.courses[0]
    bigger = call.with_course(0, Course(first.number + 1, first.dish))
    assert 0 <= nothing.truth(bigger) <= nothing.truth(call) <= 1000
