"""Answers in the making: every legal answer can be pressed, none that is not, and all of it taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import Branch, Card, Choice, Deck, Refused
from tavolata._ui.tui.model.draft import Draft
from tavolata.kinds.amount import Amount, amount
from tavolata.kinds.fields import flat
from tavolata.kinds.form import Form
from tavolata.kinds.one_of import OneOf, one_of
from tavolata.kinds.question import Question
from tavolata.kinds.some_of import SomeOf, some_of

simple = st.one_of(
    st.integers(1, 30).map(lambda n: one_of(range(n))),
    st.tuples(st.integers(1, 12), st.integers(0, 3), st.integers(0, 4)).map(
        lambda t: some_of(range(t[0]), min(t[1], t[0]), max(t[1], t[2]))
    ),
    st.tuples(st.integers(0, 5), st.integers(0, 40), st.integers(1, 3)).map(
        lambda t: amount(t[0], t[0] + t[1], t[2])
    ),
)
questions: Any = st.one_of(simple, st.lists(simple, min_size=1, max_size=3).map(
    lambda parts: Form(dict, {str(number): part for number, part in enumerate(parts)})))  # fmt: skip


def press(draft: Draft, question: Question, answer: Any) -> Any:
    """Answer one field by digits, Space and Enter."""
    if isinstance(question, Amount):
        for digit in str(answer):
            draft.digit(digit)
    elif isinstance(question, SomeOf):
        for place in answer:
            point(draft, place)
            draft.mark()
    else:
        point(draft, answer)
    return draft.enter()


def point(draft: Draft, place: int) -> None:
    draft.move(1)  # what was typed for another choice counts no more
    for digit in str(place + 1):
        draft.digit(digit)


def backwards(choices: Sequence[Choice]) -> tuple[int, ...]:
    """Show the last choice first."""
    return tuple(reversed(range(len(choices))))


@given(st.integers(0, 5), st.integers(1, 30))
def test_what_is_shown_in_another_order_is_the_same_answer(given: int, count: int) -> None:
    """Digits, marks, arrows and taking back count as shown; the answer has the question's places."""
    last = count - 1
    one = Draft(one_of(range(count)), order=backwards)
    point(one, min(given, last))
    assert one.enter() == last - min(given, last)
    some = Draft(Form(dict, {"a": some_of(range(count), 1, count), "b": one_of(range(2))}), order=backwards)
    some.mark()
    assert some.enter() is None
    assert some.given == [(last,)]
    some.undo()
    assert (some.marked, some.choices[some.cursor].value) == ([0], last)
    some.enter()
    assert some.enter() == ((last,), 1)


@given(questions, st.data())
def test_every_legal_answer_can_be_pressed(question: Any, data: Any) -> None:
    """Whatever the question, each of its answers comes out of the keys for it."""
    answer = question.answer_at(data.draw(st.integers(0, question.count() - 1)))
    draft, parts = Draft(question), answer if isinstance(question, Form) else (answer,)
    fields = list(question.fields.values()) if isinstance(question, Form) else [question]
    out = None
    for number, (field, part) in enumerate(zip(fields, parts, strict=True), 1):
        assert out is None
        if isinstance(field, OneOf) and field.count() == 1 and number < len(fields):
            continue  # filled in unasked
        out = press(draft, field, part)
    assert out == answer


@given(
    questions, st.lists(st.sampled_from(["1", "2", "0", "up", "down", "space", "enter", "back"]), max_size=40)
)
def test_no_key_makes_an_illegal_answer_and_all_can_be_taken_back(question: Any, keys: list[str]) -> None:
    """What comes out is legal; while nothing is out, enough Backspaces lead to where it began."""
    draft = Draft(question)
    for key in keys:
        if key in ("up", "down"):
            draft.move(1 if key == "down" else -1)
        elif key == "space":
            draft.mark()
        elif key == "back":
            draft.undo()
        elif key == "enter":
            try:
                out = draft.enter()
            except Refused:
                continue
            if out is not None:
                assert question.check(out) == out
                return
        else:
            draft.digit(key)
    while draft.undo():
        pass
    assert (draft.given, draft.marked, draft.typed) == (Draft(question).given, [], "")
    assert not draft.touched


DISHES = Branch(
    [Choice("more"), Choice("bill")],
    [Form(dict, {"dish": one_of("xyz"), "card": one_of([1, 2, 3])}), None],
)


def test_a_branch_leads_to_its_own_fields_and_back() -> None:
    """After a choice its fields are filled in one by one; undo leads back to the choice."""
    draft = Draft(DISHES)
    assert draft.enter() is None
    assert press(draft, draft.now, 2) is None
    assert draft.undo()
    assert (draft.cursor, draft.given) == (2, [(0,)])
    assert draft.undo()
    assert (draft.cursor, draft.touched) == (0, False)
    assert press(draft, draft.now, 1) == (1,)
    assert press(draft, draft.now, 0) is None
    assert press(draft, draft.now, 1) is None
    assert press(draft, draft.now, 2) == (0, (1, 2))


def test_a_field_of_one_choice_is_filled_in_unless_it_is_the_last() -> None:
    """What needs no choosing is not asked, nor taken back; the last field waits for Enter."""
    one = Branch([Choice("more")], [Form(dict, {"dish": one_of("xyz"), "card": one_of([1])})])
    draft = Draft(one)
    assert draft.given == [(0,)]
    assert not draft.touched
    assert not draft.undo()
    assert press(draft, draft.now, 2) is None
    assert draft.undo()
    assert draft.given == [(0,)]
    assert press(draft, draft.now, 1) is None
    assert draft.enter() == (0, (1, 0))


def test_what_the_person_may_not_answer_does_not_fit() -> None:
    """A choice fits if some allowed answer has it; the cursor begins on the first one that fits."""
    draft = Draft(DISHES, 0, lambda answer: answer in ((0, (1, 2)), (1,)), "Not with your cards.")
    assert [draft.fits(place) for place in range(2)] == [True, True]
    draft.enter()
    assert (draft.cursor, [draft.fits(place) for place in range(3)]) == (1, [False, True, False])
    with pytest.raises(Refused, match="Not with your cards"):
        press(draft, draft.now, 0)
    assert press(draft, draft.now, 1) is None
    assert (draft.cursor, [draft.fits(place) for place in range(3)]) == (2, [False, False, True])


def test_what_the_own_cards_force_from_the_start_is_filled_in() -> None:
    """Nobody is asked for the only thing to do; it is not taken back, and the last field waits for Enter."""
    draft = Draft(DISHES, 0, lambda answer: answer in ((0, (1, 1)), (0, (1, 2))))
    assert (draft.given, draft.cursor) == ([(0,), (1,)], 1)
    assert not draft.touched
    assert not draft.undo()
    assert press(draft, draft.now, 2) == (0, (1, 2))


def test_the_cursor_begins_at_a_choice_that_may_be_answered() -> None:
    """Where the first choices can't be taken, Enter would only be refused."""
    draft = Draft(one_of(range(4)), 0, lambda answer: answer in (2, 3), "Not with your cards.")
    assert draft.cursor == 2
    assert draft.enter() == 2


def test_digits_name_choices_beyond_nine() -> None:
    """1 points at the first, 1 and 2 at the twelfth, and a digit that fits nothing begins anew."""
    draft = Draft(one_of(range(12)))
    for digit, cursor in [("1", 0), ("2", 11), ("3", 2), ("0", 2)]:
        draft.digit(digit)
        assert draft.cursor == cursor


def test_an_amount_is_counted_up_and_down_within_its_limits() -> None:
    """Arrows count in steps; an amount with a default needs no digit."""
    draft = Draft(amount(2, 6, 2))
    seen = []
    for _ in range(4):
        draft.move(1)
        seen.append(draft.typed)
    assert seen == ["2", "4", "6", "6"]
    assert Draft(Amount(0, 9, default=4)).enter() == 4
    with pytest.raises(Refused):
        Draft(amount(0, 9)).enter()


def test_one_of_one_needs_no_mark() -> None:
    """Where exactly one is to be taken, Enter takes what is pointed at."""
    draft = Draft(some_of("abc", 1, 1))
    draft.move(1)
    assert draft.enter() == (1,)


@pytest.mark.parametrize("low", [0, 1, 2])
def test_a_number_and_enter_take_that_one_of_several(low: int) -> None:
    """As in every other question, if one is enough; marks come first, and Enter alone takes what's marked."""
    draft = Draft(some_of("abcd", low, 3))
    draft.digit("3")
    if low < 2:
        assert draft.enter() == (2,)
    else:
        with pytest.raises(Refused):
            draft.enter()
    draft.move(-1)
    draft.mark()
    draft.move(1)
    draft.mark()
    draft.digit("4")
    assert draft.enter() == (1, 2)
    alone = Draft(some_of("abcd", 1, 3))
    alone.move(1)
    with pytest.raises(Refused):
        alone.enter()


def test_undo_points_where_the_answer_was() -> None:
    """What is taken back is pointed at again: a choice let go, and the choice of an answered field."""
    draft = Draft(some_of("abcd", 0, 3))
    point(draft, 2)
    draft.mark()
    point(draft, 3)
    draft.move(-2)
    assert (draft.cursor, draft.undo(), draft.cursor, draft.marked) == (1, True, 2, [])
    filled = Draft(
        Form(dict, {"a": one_of("xyz"), "b": some_of("xyz", 0, 2), "c": amount(0, 99), "d": one_of("xyz")})
    )
    for answer in (2, (0, 1), 34):
        press(filled, filled.now, answer)
    point(filled, 1)
    filled.typed = ""
    seen = []
    while filled.undo():
        seen.append((len(filled.given), filled.cursor, list(filled.marked), filled.typed))
    assert seen == [
        (2, 1, [], "34"), (2, 1, [], "3"), (2, 1, [], ""),
        (1, 0, [0, 1], ""), (1, 1, [0], ""), (1, 0, [], ""),
        (0, 2, [], ""),
    ]  # fmt: skip


FEW = Deck("few", "abcd")
CARDS = [Card(number, FEW, face) for number, face in enumerate(FEW.faces)]
ORDERS = Branch(
    [Choice("one"), Choice("two"), Choice("bill")],
    [Form(dict, {"call": one_of("xyz"), "card": one_of(CARDS)}),
     Form(dict, {"call": one_of("uv"), "card": one_of(CARDS)}), None],
)  # fmt: skip


def only(*allowed: tuple[int, ...]) -> Callable[[Any], bool]:
    """Allow these answers, each as its numbers."""
    return lambda answer: tuple(flat(answer)) in allowed


def test_a_held_card_fills_in_what_leads_to_it() -> None:
    """With one call left, Enter sends all of it; with two, what doesn't fit is ruled out; undo lets go."""
    draft = Draft(ORDERS, allows=only((0, 1, 0), (0, 2, 1), (1, 0, 1), (2,)))
    assert draft.later == set(CARDS)
    assert draft.hold(CARDS[0])
    assert draft.given == [(0,), (1,)]
    assert draft.decides
    assert draft.enter() == (0, (1, 0))
    assert draft.undo()
    assert (draft.given, draft.held, draft.touched) == ([], None, False)
    assert draft.hold(CARDS[1])
    assert [draft.fits(place) for place in range(3)] == [True, True, False]
    draft.point(1)
    assert draft.decides  # the call and the card fill themselves
    assert draft.enter() == (1, (0, 1))
    assert not draft.hold(CARDS[2])
    assert draft.held is CARDS[1]
    draft.point(2)
    with pytest.raises(Refused):
        draft.enter()
