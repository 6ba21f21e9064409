"""Help for newcomers to Bang: it explains what was, and never says what there is to bang at."""

from __future__ import annotations

import pytest

from tavolata import Event
from tavolata.testing import Rehearsal, goes_on, reacts, rehearse
from tavolata_bang.options import Barred
from tavolata_bang.patterns import Pattern
from tavolata_bang.rules import DEALS, FOR, LAYS, OWES, PAID, RIGHT, WRONG, Bang

from .table import table


def told(match: Rehearsal, message: str, last: bool = True) -> list[str]:
    """The hints on the last event of a kind."""
    events: list[Event] = [event for event in match.events if event.message == message]
    return [str(hint.message) for hint in match.game.hints(match.views(0), events[-1 if last else 0])]


def test_the_deal_says_what_it_is_all_about() -> None:
    """The aim, and the reasons that this table has agreed on."""
    match = rehearse(Bang, seats=2, options={"preset": "full"}, turns=1)
    (hint,) = match.game.hints(match.views(0), next(one for one in match.events if one.message == DEALS))
    assert "Win all the cards" in hint.message
    assert hint.params["reasons"] == ("double", "sandwich", "top and bottom", "ten", "marriage")


def test_a_reason_is_named_only_when_it_is_too_late() -> None:
    """Two sevens lie there: nothing is said of them before the next card is laid."""
    match = table("7 5", "7 3", rest=0).play(goes_on(1))
    assert told(match, LAYS) == []
    match.play(goes_on(1))
    (hint,) = told(match, LAYS)
    assert hint.startswith("No one banged, but there was a reason")


def test_what_happens_is_explained() -> None:
    """A right bang, a wrong one, a tribute and its end."""
    match = table("7 5", "7 3", rest=0).play(goes_on(1), reacts(0, 300))
    assert told(match, RIGHT) == [Pattern.DOUBLE.looks]
    match = table("Q 4", "3 5 6", "", rest=0).play(reacts(2, 300))
    assert told(match, WRONG)[0].startswith("Reasons to bang here")
    assert told(match, OWES)[0].startswith("A court card")
    match.play(goes_on(2))
    assert told(match, PAID)[0].startswith("The player who laid the court card")


@pytest.mark.parametrize("barred", Barred)
def test_only_who_may_bang_without_cards_is_encouraged_to(barred: Barred) -> None:
    """A wrong bang without cards is followed by the hint on winning some back only if it bars nobody."""
    match = table("Q 4", "3 5 6", "", rest=0, barred=barred.value).play(reacts(2, 300))
    hints = told(match, FOR[barred])
    assert [hint.startswith("Without cards you can still bang") for hint in hints] == (
        [True] if barred is Barred.NEVER else []
    )


@pytest.mark.parametrize("pattern", Pattern)
def test_each_reason_is_described(pattern: Pattern) -> None:
    """No reason is without its sentence."""
    assert pattern.looks.endswith(".")


def test_who_leads_is_told_how() -> None:
    """At the key that begins a pile; and after a wrong bang, where the pile goes on."""
    match = rehearse(Bang, seats=2, turns=1, pauses=True, decks={"pack": [["2", "3"]]})
    for begins in ("You begin a pile", "Play resumes where it left off"):
        (ask,) = match.open
        (hint,) = match.game.hints(match.views(ask.seat), ask)
        assert hint.message.startswith(begins)
        match.play(goes_on(1), *([reacts(0, 300)] if not match.game.pile else []))
