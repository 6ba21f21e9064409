"""The time that bots leave to people who were spoken to."""

from __future__ import annotations

import pytest
from tests.core.colours import Colours

from tavolata._engine.match.attention import LONGEST_READ, TO_ANSWER, TO_READ, Attention
from tavolata._engine.match.entries import ANSWER, SAY
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.messages import Event
from tavolata.options import Options

PEOPLE = (0,)


def told(events: int) -> Match:
    """A match that is not laid yet, of which so much was told."""
    match = new_match(Colours, Terms(("A", "B"), Options()), OpenSource(0, [None, None], lambda _: None))
    match.told.extend([Event("Something.", {})] * events)
    return match


def test_words_to_a_person_call_for_an_answer() -> None:
    """Bots wait after a bot's words to a person, once these are read; not after other words."""
    for entry, held in (
        ((SAY, 1, (0,), "Psst"), True),
        ((SAY, 1, (2,), "Psst"), False),
        ((SAY, 1, (), "Psst"), False),
        ((SAY, 0, (0,), "Psst"), False),
        ((ANSWER, 1, 0, 0), False),
    ):
        attention = Attention()
        attention.hear(entry, PEOPLE)
        attention.look(told(2), PEOPLE, 10.0)
        assert (attention.until == 10.0 + 2 * TO_READ + TO_ANSWER) is held
        attention.look(told(2), PEOPLE, 11.0)
        assert attention.until < 11.0 + 2 * TO_READ + TO_ANSWER


def test_what_a_person_can_newly_do_calls_for_an_answer() -> None:
    """A first look and a new choice hold the bots; the same or fewer choices don't, and none ends it."""
    match = new_match(Colours, Terms(("A", "B"), Options()), OpenSource(0, [None, None], lambda _: None))
    match.run()
    attention = Attention()
    attention.look(match, PEOPLE, 10.0)
    assert attention.until == 10.0 + TO_ANSWER
    attention.look(match, PEOPLE, 12.0)
    assert attention.until == 10.0 + TO_ANSWER
    match.feed(match.interjection(1, "take", "red"))
    attention.look(match, PEOPLE, 13.0)
    assert attention.until == 10.0 + TO_ANSWER
    match.feed(match.interjection(0, "take", "blue"))
    assert not match.standing(0)
    attention.look(match, PEOPLE, 13.5)
    assert attention.until == 13.5


def test_what_is_told_can_be_read_before_a_bot_goes_on() -> None:
    """Each new event holds the bots for a while, several for longer, but never for very long."""
    match = new_match(Colours, Terms(("A", "B"), Options()), OpenSource(0, [None, None], lambda _: None))
    attention = Attention()
    match.told.clear()
    for events, held in ((1, TO_READ), (0, TO_READ), (2, 3 * TO_READ), (50, LONGEST_READ)):
        match.told.extend([Event("Something.", {})] * events)
        attention.look(match, (), 10.0)
        assert attention.holds(0.0) == pytest.approx(10.0 + held)
    assert attention.holds(99.0) == 99.0
