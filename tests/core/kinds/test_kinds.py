"""Questions of every kind: what is legal, what it means, how it is counted, why it is refused."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import (
    YES_NO,
    Branch,
    Choice,
    Deck,
    Form,
    OneOf,
    Refused,
    SomeOf,
    Unavailable,
    amount,
    form,
    one_of,
    some_of,
)
from tavolata._ui.answers import Parts, choice_lines, parse
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.boards import Grid
from tavolata.bots import Chance
from tavolata.cards import Card
from tavolata.errors import GameError
from tavolata.facts import cards_in
from tavolata.kinds.fields import endings, fields_of, whole
from tavolata.kinds.one_of import GO
from tavolata.ring import SEATS

VALUES = st.lists(
    st.one_of(st.integers(-3, 3), st.booleans(), st.text(max_size=2), st.none()),
    min_size=1, max_size=5, unique_by=repr,
)  # fmt: skip


@st.composite
def amounts(draw: st.DrawFn) -> Any:
    low = draw(st.integers(-5, 5))
    return amount(low, low + draw(st.integers(0, 9)), draw(st.integers(1, 4)))


@st.composite
def somes(draw: st.DrawFn) -> Any:
    values = draw(VALUES)
    high = draw(st.integers(0, len(values) + 2))
    low = draw(st.integers(0, min(high, len(values))))
    return some_of(values, low, high, ordered=draw(st.booleans()))


SIMPLE = st.one_of(VALUES.map(one_of), amounts(), somes())


@st.composite
def branches(draw: st.DrawFn) -> Any:
    different = st.lists(
        st.integers(-3, 3) | st.booleans() | st.none(), min_size=1, max_size=5, unique_by=repr
    )
    choices = [Choice(value) for value in draw(different)]
    then = draw(st.lists(st.none() | SIMPLE, min_size=len(choices), max_size=len(choices)))
    return Branch(choices, then)


FORMS: Any = st.dictionaries(st.sampled_from("abc"), SIMPLE, min_size=1).map(
    lambda fields: Form(dict, fields)
)
KINDS = st.one_of(SIMPLE, branches(), FORMS)
JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-20, 20),
        st.floats(),
        st.text(max_size=3),
        st.binary(max_size=3),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)


@given(KINDS, st.data())
def test_every_counted_answer_is_legal_and_means_something(question: Any, data: st.DataObject) -> None:
    """`nth` numbers the legal answers: each is accepted, and the answer for its value means the same."""
    number = data.draw(st.integers(0, question.count() - 1))
    answer = question.answer_at(number)
    assert question.check(answer) == answer
    value = question.value_of(answer)
    assert same(question.value_of(question.answer_for(value)), value)
    assert same(question.nth(number), value)


@given(KINDS, st.data())
def test_a_value_has_the_number_that_it_is_counted_by(question: Any, data: st.DataObject) -> None:
    """`index` turns `nth` round; where several answers have one value, it finds the first or an equal one."""
    number = data.draw(st.integers(0, question.count() - 1))
    assert question.number_of(question.answer_at(number)) == number
    assert same(question.nth(question.index(question.nth(number))), question.nth(number))
    for none in (-1, question.count()):
        with pytest.raises(IndexError):
            question.nth(none)


@given(KINDS, st.integers())
def test_any_value_is_one_of_them(question: Any, key: int) -> None:
    """A bot that takes any value takes one that is legal."""
    value = question.any(Chance(key))
    assert same(question.nth(question.index(value)), value)


@given(KINDS, JUNK)
def test_what_is_no_value_is_refused_whatever_it_is(question: Any, junk: object) -> None:
    """A bot may give anything for a value: it is one of them, or it is refused with words."""
    with suppress(Refused):
        assert 0 <= question.index(junk) < question.count()


@given(KINDS)
def test_counted_answers_are_all_different(question: Any) -> None:
    """Numbering the answers gives each of them once."""
    answers = [question.answer_at(number) for number in range(min(question.count(), 200))]
    assert len(set(answers)) == len(answers)


@given(KINDS, JUNK)
def test_anything_else_is_refused_with_a_reason(question: Any, junk: object) -> None:
    """Whatever arrives from outside is either a legal answer in its plain form or refused with words."""
    try:
        answer = question.check(junk)
    except Refused as refusal:
        reason = str(refusal)
        assert reason.endswith(".") and "{" not in reason  # noqa: PT018 - it may be raised, or not
    else:
        assert question.check(answer) == answer
        assert any(question.answer_at(number) == answer for number in range(question.count()))


def same(one: Any, other: Any) -> bool:
    """Equal also in type, all the way down: True is not 1 here."""
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and sorted(map(repr, one)) == sorted(map(repr, other))
    return type(one) is type(other) and bool(one == other)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        (one_of("ab"), 2, "Choose a number from 1 to 2."),
        (one_of("ab"), True, "Choose a number from 1 to 2."),
        (some_of("abc", 2, 2), (0,), "Choose exactly 2."),
        (some_of("abc", 1, 2), (), "Choose 1 to 2 of them."),
        (some_of("abc", 1, 2), (1, 1), "Choose numbers from 1 to 3, each only once."),
        (some_of("abc", 1, 2), (3,), "Choose numbers from 1 to 3, each only once."),
        (some_of("abc", 1, 2), 1, "Choose numbers from 1 to 3, each only once."),
        (amount(2, 9), 10, "Enter a number from 2 to 9."),
        (amount(2, 9, 3), 6, "Enter a number from 2 to 8 in steps of 3."),
        (form(dict, a=YES_NO, b=amount(0, 1)), (0,), "Fill in all 2 fields."),
        (form(dict, a=YES_NO, b=amount(0, 1)), (0, 5), "Enter a number from 0 to 1."),
    ],
)
def test_refusals_say_what_would_be_legal(question: Any, answer: Any, reason: str) -> None:
    """The reason of a refusal is a whole sentence with its numbers filled in."""
    with pytest.raises(Refused) as refusal:
        question.check(answer)
    assert str(refusal.value) == reason


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (one_of([1, 2]), True),
        (one_of([SEATS[1]]), 1),
        (some_of("ab", 1, 1), ["c"]),
        (some_of("ab", 1, 1), ["a", "b"]),
        (amount(0, 3), 4),
        (form(dict, a=YES_NO), {}),
        (form(dict, a=YES_NO), {"a": True, "b": 1}),
        (form(dict, a=YES_NO), {"a": 1}),
    ],
)
def test_a_value_that_is_no_answer_is_refused(question: Any, value: Any) -> None:
    """`answer_for` refuses what no legal answer means; True is not 1, and a seat is not a number."""
    with pytest.raises(Refused):
        question.answer_for(value)


def test_equal_choices_can_both_be_taken() -> None:
    """Two choices of one value are two: both can be named."""
    assert some_of([1, 1, 2], 0, 3).answer_for([1, 2, 1]) == (0, 1, 2)


def test_no_question_has_more_choices_than_can_be_listed() -> None:
    """512 choices are asked; more are refused where the question is made."""
    assert one_of(range(512)).count() == some_of(range(512), 1, 1).count() == 512
    for make in (lambda: one_of(range(513)), lambda: some_of(range(513), 1, 1)):
        with pytest.raises(GameError, match="at most 512 choices, not 513"):
            make()


def test_an_empty_choice_has_one_answer() -> None:
    """Some of nothing is nothing."""
    question: SomeOf[int] = some_of([], 0, 3)
    assert (question.count(), question.answer_at(0), question.answer_for([])) == (1, (), ())


@given(st.integers(0, 7), st.data())
def test_combinations_are_numbered_as_they_are_listed(many: int, data: st.DataObject) -> None:
    """The numbering of `some_of` goes by size and then by place."""
    low = data.draw(st.integers(0, many))
    high = data.draw(st.integers(low, many))
    question = some_of(range(many), low, high)
    listed = [places for size in range(low, high + 1) for places in combinations(range(many), size)]
    assert [question.answer_at(number) for number in range(question.count())] == listed
    with pytest.raises(IndexError):
        question.answer_at(len(listed))


def test_a_big_choice_is_numbered_without_listing_it() -> None:
    """The last way to take 50 of 108 is found at once."""
    question = some_of(range(108), 50, 50)
    assert question.count() == comb(108, 50)
    assert question.answer_at(question.count() - 1) == tuple(range(58, 108))


@pytest.mark.parametrize(
    "make",
    [
        lambda: one_of([]),
        lambda: some_of("ab", 3, 4),
        lambda: some_of("ab", 2, 1),
        lambda: some_of("ab", -1, 1),
        lambda: amount(3, 2),
        lambda: amount(0, 3, 0),
        lambda: amount(0, 1 << 64),
        lambda: amount(-(1 << 63) - 1, 0),
        lambda: Form(dict, {}),
    ],
)
def test_a_question_has_an_answer(make: Any) -> None:
    """A question that nobody could answer is an error of the game."""
    with pytest.raises(GameError):
        make()


def test_labels_and_reasons_stay_with_the_choices() -> None:
    """Choices carry labels and things, what is not legal now its reason; bare values become choices."""
    question = OneOf([Choice(1, "one", at="card 1")], [Unavailable("two", "You have no two.")])
    assert (question.choices[0].at, question.unavailable[0].reason, question.values) == (
        "card 1",
        "You have no two.",
        (1,),
    )
    assert one_of([1]).choices == (Choice(1),)
    assert SomeOf([Choice(1)], 0, 5).high == 1
    assert (GO.count(), YES_NO.values) == (1, (True, False))


def test_what_is_tried_in_vain_is_refused_with_its_own_reason() -> None:
    """A value that is listed as not legal now is refused with the reason given there, others as ever."""
    question = OneOf([Choice(1)], [Unavailable("two to {n}", "You have no {n}.", (2, 3), {"n": 3})])
    with pytest.raises(Refused, match=r"^You have no 3\.$"):
        question.answer_for(2)
    with pytest.raises(Refused, match="isn't one of the choices"):
        question.answer_for(2.0)
    with pytest.raises(Refused, match="isn't one of the choices"):
        question.answer_for(True)


def test_cards_in_an_answer_are_found_wherever_they_are() -> None:
    """A claim is about every card that an answer's value names."""
    deck = Deck("numbers", range(4))
    cards = [Card(number, deck, number) for number in range(4)]
    assert cards_in({"a": [cards[2], 5], "b": (cards[0], {"c": cards[1]}), "d": None}) == [
        cards[2],
        cards[0],
        cards[1],
    ]


def test_an_ask_knows_the_value_of_its_answer() -> None:
    """`value` is what the rule gets."""
    ask = Ask(1, SEATS[0], one_of("ab"))
    ask.answer = 1
    assert ask.value == "b"


PODIUM = some_of("abcd", 2, 3, ordered=True)


def test_an_order_is_kept_as_it_was_chosen() -> None:
    """Where the order counts, each order is an answer of its own, once; nothing can be chosen twice."""
    found = [PODIUM.answer_at(number) for number in range(PODIUM.count())]
    assert found == [*permutations(range(4), 2), *permutations(range(4), 3)]
    assert PODIUM.value_of((2, 0)) == ["c", "a"]
    assert PODIUM.check([2, 0]) == (2, 0)
    assert PODIUM.answer_for("dab") == (3, 0, 1)
    assert parse(PODIUM, "4 1") == (3, 0)
    with pytest.raises(Refused, match="each only once"):
        PODIUM.check((1, 1))


MENU = Branch(
    [Choice("soup"), Choice("fish"), Choice("none")],
    [amount(1, 3), Form(dict, {"how": one_of(["fried", "raw"]), "with": one_of("xyz")}), None],
    [Unavailable("meat", "The butcher is shut.", values=("meat",))],
)


def test_a_branch_is_answered_by_a_choice_and_what_follows_it() -> None:
    """Each choice with each answer to its own question is legal, once; values pair in the same way."""
    found = [MENU.answer_at(number) for number in range(MENU.count())]
    assert found == [*((0, n) for n in (1, 2, 3)), *((1, pair) for pair in product(range(2), range(3))), (2,)]
    values: list[Any] = [MENU.value_of(answer) for answer in found]  # type: ignore[arg-type] # of a branch
    assert [MENU.answer_for(value) for value in values] == found
    assert MENU.value_of((1, (0, 2))) == ("fish", {"how": "fried", "with": "z"})
    assert MENU.value_of((2,)) == ("none",)
    with pytest.raises(IndexError):
        MENU.answer_at(10)


@pytest.mark.parametrize("answer", [(0,), (0, 9), (2, 1), (3,), (), 1, None, (1, (0,)), (1, 0), ("fish",)])
def test_a_branch_refuses_what_does_not_follow(answer: object) -> None:
    """Too little, too much, and an answer to another choice's question are refused."""
    with pytest.raises(Refused):
        MENU.check(answer)


def test_a_branch_says_why_a_choice_is_not_legal() -> None:
    """A choice that is not legal now is refused with its reason."""
    with pytest.raises(Refused, match="butcher"):
        MENU.answer_for(("meat",))
    with pytest.raises(GameError, match="for each choice"):
        Branch([Choice(1)], [])


@pytest.mark.parametrize("value", [1, "a", (1, "a"), [1], {"a": [1]}, None, SEATS[1]], ids=repr)
def test_a_branch_has_no_two_choices_of_one_value(value: Any) -> None:
    """Else a bot could never take the second one; True, 1 and seat 1 are three values."""
    with pytest.raises(GameError, match="choices of different values"):
        Branch([Choice(value, "one"), Choice("b"), Choice(value, "other")], [None, None, amount(1, 3)])
    other = Branch([Choice(True), Choice(1), Choice(SEATS[1])], [None, amount(1, 3), amount(4, 6)])
    assert [other.index(one) for one in ((True,), (1, 1), (SEATS[1], 4))] == [0, 1, 4]


def test_a_branch_is_typed_in_one_line_or_step_by_step() -> None:
    """A line with semicolons is the whole answer; a line that only chooses leads to what follows."""
    assert parse(MENU, "2; 1; 3") == (1, (0, 2))
    assert parse(MENU, "3") == (2,)
    parts = Parts()
    assert parts.answer(MENU, "2") is None
    assert parts.next_field(MENU)[0] == "how"
    assert parts.answer(MENU, "1") is None
    assert parts.answer(MENU, "3") == (1, (0, 2))
    assert Parts().answer(MENU, "3") == (2,)
    assert Parts().answer(MENU, "2; 1; 3") == (1, (0, 2))
    with pytest.raises(Refused):
        parse(MENU, "2")


def test_the_fields_of_a_branch_depend_on_the_choice() -> None:
    """After a choice its own fields follow; with all of them given, they make the answer."""
    assert [label for label, _ in fields_of(MENU, [])] == [""]
    assert [label for label, _ in fields_of(MENU, [(1,)])] == ["", "how", "with"]
    assert whole(MENU, [(1,), (0,), (2,)]) == (1, (0, 2))
    assert whole(MENU, [(2,)]) == (2,)
    fish = endings(MENU, [(1,)])
    assert fish is not None
    assert list(fish) == [(1, pair) for pair in product(range(2), range(3))]
    assert endings(MENU, []) is None  # the soup asks for a number


def _legal(answer: tuple[int, ...]) -> bool:
    a, b, c = answer
    return len({"xyz"[a], "xyz"[b], (1, "z")[c]}) == 3


def test_an_amount_may_say_what_nothing_typed_means() -> None:
    """The default is a legal answer, is offered with the limits, and counts for an empty part of a form."""
    stake = amount(100, 500, 100, default=200)
    assert parse(stake, "") == 200
    assert parse(stake, " 300 ") == 300
    assert parse(form(dict, horse=one_of("ab"), stake=stake), "2") == (1, 200)
    assert parse(form(dict, horse=one_of("ab"), stake=stake), "2;") == (1, 200)
    words: Any = Words(Translator(), "tavolata", ())
    assert choice_lines(stake, words, None)[-1] == "Press Enter for 200."  # type: ignore[arg-type]
    for typed in ("", "2; 1; 1"):
        with pytest.raises(Refused):
            parse(form(dict, horse=one_of("ab"), stake=stake), typed)
    with pytest.raises(Refused):
        parse(amount(100, 500, 100), "")
    for default in (50, 150, 600):
        with pytest.raises(GameError):
            amount(100, 500, 100, default=default)


@dataclass(frozen=True)
class Raise:
    """A raise over a bid that was seen."""

    over: int
    by: int


RAISE = form(Raise, over=one_of([20]), by=amount(1, 5))


def test_the_value_of_a_form_is_what_it_makes() -> None:
    """A form gives the object that its maker makes, and finds the answer of such an object again."""
    assert RAISE.nth(2) == Raise(20, 3)
    assert RAISE.index(Raise(20, 3)) == 2
    for wrong in (Raise(19, 3), {"over": 20, "by": 3}, None):
        with pytest.raises(Refused):
            RAISE.index(wrong)
    total = form(lambda a, b: a + b, a=amount(0, 3), b=amount(0, 30, 10))
    assert total.index(32) == total.number_of((2, 30))


def test_a_field_of_one_choice_is_filled_in_unasked() -> None:
    """Neither in one line nor step by step is a person asked what has one answer."""
    assert parse(RAISE, "3") == parse(RAISE, "1; 3") == (0, 3)
    parts = Parts()
    assert parts.next_field(RAISE)[0] == "by"
    assert parts.answer(RAISE, "3") == (0, 3)
    parts.back(RAISE)
    assert parts.next_field(RAISE)[0] == "by"
    fixed = form(Raise, over=one_of([20]), by=one_of([1]))
    assert parse(fixed, "") == (0, 0)
    with pytest.raises(Refused, match="2 answers on one line"):
        parse(RAISE, "1; 2; 3")


THREE = [one_of("abc"), one_of("bca"), one_of("ab")]
DIFFERENT: Any = form(dict, different="Three different ones, please.", x=THREE[0], y=THREE[1], z=THREE[2])


def test_places_of_a_board_name_choices() -> None:
    """What lies on a board is typed by the label of its place too, alone, of several and in a form."""
    board = Grid("board", 3, 4)
    cells = one_of([Choice(cell, at=board.at(cell)) for cell in [(0, 0), (2, 3)]])
    assert parse(cells, "3d") == parse(cells, " 3D ") == parse(cells, "2") == 1
    assert parse(some_of([Choice(one, at=board.column(one)) for one in range(4)], 2, 3), "d, b") == (1, 3)
    assert parse(form(dict, cell=cells, many=amount(1, 9)), "3d; 4") == (1, 4)
    for typed in ("2b", "3", "d"):
        with pytest.raises(Refused):
            parse(cells, typed)
    twice = one_of([Choice(one, at=board.at((0, 0))) for one in "ab"])
    with pytest.raises(Refused):
        parse(twice, "1a")
    numbers = Grid("board", 3, 3, labels="A1")
    assert parse(one_of([Choice(one, at=numbers.column(one)) for one in (1, 0)]), "1") == 0, "a number is one"


def test_fields_that_must_differ_are_counted_without_equal_ones() -> None:
    """What has equal fields is refused with the reason of the rules, and has no number."""
    values = [DIFFERENT.nth(number) for number in range(DIFFERENT.count())]
    every = product("abc", "bca", "ab")
    assert [tuple(value.values()) for value in values] == [one for one in every if len(set(one)) == 3]
    assert [DIFFERENT.index(value) for value in values] == list(range(DIFFERENT.count()))
    with pytest.raises(Refused, match="Three different ones"):
        DIFFERENT.index({"x": "a", "y": "b", "z": "a"})
    with pytest.raises(Refused, match="Three different ones"):
        parse(DIFFERENT, "1; 1; 1")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: form(dict, different="No.", x=one_of("a"), y=one_of("a")), "no answer"),
        (lambda: form(dict, different="No.", x=amount(0, 400), y=amount(0, 400)), "at most"),
        (lambda: form(dict, different="No.", x=amount(0, 600), y=one_of("a")), "at most"),
        (lambda: form(dict, labels={"y": "why"}, x=YES_NO), "labels"),
    ],
)
def test_a_form_that_can_not_be_is_refused_when_it_is_made(make: Any, reason: str) -> None:
    """Fields that can't differ, too many of them to list, a label of nothing."""
    with pytest.raises(GameError, match=reason):
        make()


def in_parts(question: Any, begun: tuple[int, ...] = ()) -> list[int]:
    """The numbers of all answers that begin so, found part by part."""
    found: list[int] = []
    for part in question.parts(begun):
        found += in_parts(question, part.begun) if part.number is None else [part.number]
    return found


BIG = [
    amount(0, 1000, 1),
    some_of(range(12), 0, 12),
    some_of(range(7), 2, 4, ordered=True),
    form(Raise, over=one_of(range(40)), by=amount(1, 600)),
    form(dict, a=some_of(range(5), 1, 3), b=some_of(range(5), 0, 2), c=YES_NO),
    form(dict, different="No.", x=one_of(range(9)), y=one_of(range(9)), z=one_of(range(9))),
    Branch([Choice("less"), Choice("more")], [None, form(dict, a=amount(0, 300), b=amount(0, 3))]),
]


@pytest.mark.parametrize("question", [*BIG, RAISE, DIFFERENT, MENU], ids=lambda one: type(one).__name__)
def test_part_by_part_each_answer_is_found_once(question: Any) -> None:
    """However a question is parted, its parts lead to each answer once, and are at most 513 at a time."""
    assert sorted(in_parts(question)) == list(range(question.count()))
    assert len(question.parts()) <= 513
    whole = next(part for part in question.parts() if part.number is not None or part)
    while whole.number is None:
        whole = question.parts(whole.begun)[0]
    assert not question.parts(whole.begun)


def test_a_huge_question_is_answered_part_by_part() -> None:
    """Of 2 to the power of 200 answers one is found by some parts, without counting them all up."""
    question = some_of(range(200), 0, 200)
    assert question.count() == 2**200
    begun: tuple[int, ...] = ()
    for place in (3, 50, 199):
        part = next(one for one in question.parts(begun) if one.value == place)
        begun = part.begun
    done = question.parts(begun)[-1]
    assert done.number is not None
    assert question.nth(done.number) == [3, 50, 199]


def test_any_answer_may_be_any_however_many_there_are() -> None:
    """Of 2**100 forms, each of the twenty fields gets each of its values, the last ones, too."""
    names = [f"field{place}" for place in range(20)]
    question: Any = Form(dict, {name: amount(0, 31) for name in names})
    chance = Chance(1)
    values = [question.any(chance) for _ in range(400)]
    assert {len({value[name] for value in values}) for name in names} == {32}
