"""Chosen things travel by value: what was chosen is done, or nothing, whatever others chose meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.colours import Colours

from tavolata import Choice, Refused, amount, form, one_of, some_of
from tavolata._engine.match.chosen import GONE, answer_of
from tavolata._engine.match.entries import INTERJECT, NUMBER
from tavolata._engine.match.log_source import LogSource, replay
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.one_dealer import OneDealer
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, Interject
from tavolata.kinds.question import Question
from tavolata.ring import SEATS

TERMS = Terms(("A", "B", "C"), Colours.options(), 0)


@dataclass(frozen=True)
class Offer:
    """What a form makes."""

    give: str
    want: int
    open: bool = True


class Suit(Enum):
    """An enumeration, of which a value may be one."""

    CUPS = 1


def in_one_process(record: Any = lambda _: None, bots: tuple[Bot | None, ...] = (None,) * 3) -> Any:
    """Three people at one source that answers for nobody, up to its first question."""
    match = new_match(Colours, TERMS, OpenSource(1, bots, record), lambda _: None)
    match.run()
    return match


def by_a_log() -> Any:
    """The same three, following a log."""
    match = new_match(Colours, TERMS, LogSource(3, OneDealer(), [(NUMBER, 3, 0)]), lambda _: None)
    match.run()
    return match


def shown(match: Match, seat: int) -> list[Any]:
    """The values that a seat is shown now, in their order."""
    kind: Any = match.standing(seat)["take"]
    return list(kind.values)


@pytest.mark.parametrize("sit", [in_one_process, by_a_log])
def test_who_meant_green_gets_green_although_red_was_taken_before(sit: Any) -> None:
    """Two are shown red, green, blue; the first takes red, and the second, who points at green, gets that."""
    match = sit()
    first, second = shown(match, 0)[0], shown(match, 1)[1]
    assert (first, second) == ("red", "green")
    match.feed(match.interjection(0, "take", first))
    assert shown(match, 1) == ["green", "blue"]
    match.feed(match.interjection(1, "take", second))
    assert match.game.taken == {SEATS[0]: "red", SEATS[1]: "green"}


def test_what_was_taken_by_another_is_refused_in_one_process() -> None:
    """Who chooses what is gone gets nothing, is told why, and may choose again; no entry is written."""
    log: list[Any] = []
    match = in_one_process(log.append)
    match.feed(match.interjection(0, "take", "red"))
    written = len(log)
    with pytest.raises(Refused) as refusal:
        match.feed(match.interjection(1, "take", "red"))
    assert refusal.value.message == GONE
    assert (match.game.taken, len(log)) == ({SEATS[0]: "red"}, written)
    match.feed(match.interjection(1, "take", "blue"))
    assert match.game.taken[SEATS[1]] == "blue"


def test_what_was_taken_by_another_is_void_in_a_log() -> None:
    """In the agreed log the later of two is passed over with its reason, and changes nothing."""
    match = by_a_log()
    for seat in (0, 1):
        match.feed(match.interjection(seat, "take", "red"))
    source: Any = match.source
    assert {number: refusal.message for number, refusal in source.voids.items()} == {2: GONE}
    assert match.game.taken == {SEATS[0]: "red"}


class Late(Bot):
    """It takes whatever stands second when it is asked for the first time."""

    interjects = True

    def choose(self, view: Any, ask: Any, chance: Any) -> Any:
        """It ends the match."""
        return ask.question.nth(1)

    def interject(self, view: Any, standing: Any, chance: Any) -> Any:
        """See `Bot`."""
        left: list[Any] = standing["take"].values if standing else []
        return Interject("take", left[1]) if len(left) > 1 else None


def test_what_a_bot_chooses_is_written_by_value_and_replayed() -> None:
    """A bot's choice stands in the log as the value that it meant, and a replay comes to the same."""
    log: list[Any] = []
    match = in_one_process(log.append, (Late(), Late(), Late()))
    assert [entry[3] for entry in log if entry[0] == INTERJECT] == ["green", "blue"]  # one has to be left
    copy = new_match(Colours, TERMS, LogSource(3, OneDealer()))
    replay(copy, log)
    assert copy.digest() == match.digest()


KINDS: list[tuple[Question, Any]] = [
    (one_of([1, True, "a", None]), True),
    (one_of([1, True, "a", None]), 1),
    (one_of([Choice(SEATS[0]), Choice(SEATS[1])]), SEATS[1]),
    (one_of([(1, 2), [1, 2]]), [1, 2]),
    (one_of([Suit.CUPS]), Suit.CUPS),
    (some_of(["a", "b", "b", "c"], 1, 3), ["b", "b", "c"]),
    (amount(10, 50, 10), 30),
    (form(dict, what=one_of(["a", "b"]), many=some_of([1, 2, 3], 0, 2), much=amount(0, 9)),
     {"what": "b", "many": [3], "much": 9}),
    (form(Offer, give=one_of(["a", "b"]), want=amount(0, 9)), Offer("b", 9)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value"), KINDS)
def test_every_kind_of_question_finds_its_answer_by_value(kind: Question, value: Any) -> None:
    """The plain form of a value leads back to the answer that means it; True and 1 are two values."""
    match = in_one_process()
    answer = match.answer_of(kind, match.chosen(value))
    found = kind.value_of(answer)
    assert (type(found), found) == (type(value), value)


JUNK = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.floats(), st.text(max_size=5),
              st.binary(max_size=5), st.sampled_from(["list", "dict", "seat", "enum"])),
    lambda part: st.one_of(st.lists(part, max_size=4), st.lists(part, max_size=4).map(tuple)), max_leaves=8,
)  # fmt: skip


@given(st.sampled_from([kind for kind, _ in KINDS]), JUNK)
def test_whatever_a_stranger_sends_is_an_answer_or_refused(kind: Question, junk: Any) -> None:
    """Anything at all that comes as a chosen value is refused or means a legal answer; nothing breaks."""
    match = in_one_process()
    try:
        answer = answer_of(kind, junk, match.chosen)
    except Refused:
        return
    assert kind.check(answer) == answer


def test_an_offer_that_is_another_is_refused() -> None:
    """A field that nobody is asked for has to be equal, too."""
    match = in_one_process()
    kind = form(Offer, give=one_of(["a", "b"]), want=amount(0, 9))
    with pytest.raises(Refused, match="can't be chosen any more"):
        match.answer_of(kind, match.chosen(Offer("b", 9, open=False)))
