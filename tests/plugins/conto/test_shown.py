"""What a table shows: zones, hints for the holder, and what nobody gets to see."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata import Card, Seat, Text
from tavolata._ui.answers import Parts, choice_lines, fits_for, has_letter, parse, reason_lines
from tavolata._ui.previews import details
from tavolata._ui.tui.model.draft import Draft
from tavolata.decks import FrenchFace
from tavolata.errors import Refused
from tavolata.testing.playthrough import words_of
from tavolata_conto.guide import ASK_NOW, GO_ON, LIKELY, ONLY_BILL, OWN, RAISING
from tavolata_conto.hints import may_call, my_cards
from tavolata_conto.menu import dish_of

from .table import PLAIN, Dinner, called

HANDS = "W 2 3 4 5 6 | 2 7 8 9 10 J | 2 7 8 9 10 J"


def dishes(dinner: Dinner, seat: int, cards: list[Card[FrenchFace]]) -> list[int]:
    """The dishes of some cards, as their owner sees them."""
    view = dinner.match.views(seat)
    return [dish_of(face) for face in map(view.face, cards) if face is not None]


def test_the_zones_of_a_fresh_table() -> None:
    """Hands, how many cards they have, nothing lost; no call, no shown card, without Saldo no discards."""
    zones = Dinner(PLAIN).match.views(0).zones()
    assert list(zones) == ["hand", "call", "limit", "hand.0", "hand.1", "hand.2", "losses"]
    assert zones["limit"].params == {"n": 18}
    assert zones["hand"].params == {"n": 1, "last": 6, "seat": 2}
    assert zones["losses"].content == ((0, 0), (1, 0), (2, 0))


def test_after_the_bill_it_is_not_said_that_the_next_dealer_has_dealt() -> None:
    """Between two hands, and after the last one, no dealer is named: the next one has dealt nothing."""
    dinner = Dinner(PLAIN, hands=1).tabs([0, 1, 1])
    dinner.call("2", "1 2")
    assert dinner.match.views(None).zones()["hand"].params == {"n": 1, "last": 1, "seat": 2}
    dinner.bill()
    assert dinner.match.views(None).zones()["hand"].params == {"n": 1, "last": 1}


def test_each_seat_sees_its_own_hand_and_what_was_shown() -> None:
    """Of another hand only the shown card has a face, also after it went back; a spectator sees no more."""
    dinner = Dinner(PLAIN)
    dinner.call("2", "1 2").call("2", "2 2")
    for seat, seen in ((0, [6, 1, 0]), (1, [1, 6, 0]), (2, [1, 1, 6]), (None, [1, 1, 0])):
        zones = dinner.match.views(seat).zones()
        assert [sum(card.face is not None for card in zones[f"hand.{s}"].content) for s in range(3)] == seen
    zones = dinner.match.views(None).zones()
    assert [(zones[f"shown.{seat}"].seat, len(zones[f"shown.{seat}"].content)) for seat in (0, 1)] == [
        (0, 1),
        (1, 1),
    ]
    assert zones["call"].params == {"call": "2×2", "seat": 1}
    assert zones["limit"].params == {"n": 18}


def test_the_zones_of_the_house_rules() -> None:
    """Saldi, Omaggi, what lies under the tablecloth face down, and who is out are on view."""
    dinner = Dinner(PLAIN, "2 3 4 5 6 7 | 2 3 4 5 6 7 ; K", saldo=True, omaggi=True).tabs([0, 5, 1])
    dinner.call("2", "1 2").call("2", "1 2 1 A").bill().discard(2, "2 3")
    zones = dinner.match.views(0).zones()
    assert zones["losses"].title == "Saldi"
    assert zones["omaggi"].content == ((0, 0), (1, 0), (2, 1))
    assert [card.face for card in zones["scraps"].content] == [None, None]
    assert zones["gone"].params == {"seats": [1]}
    assert "hand.1" not in zones


def test_the_holder_is_told_what_may_be_called_with_which_card() -> None:
    """Every legal call with the cards of its ranks; what needs a card that is not there is not among them."""
    dinner = Dinner(HANDS).call("2", "1 2")
    calls = may_call(dinner.match.views(1))
    by_name = {str(call): sorted(dishes(dinner, 1, cards)) for call, cards in calls.items()}
    assert by_name["1×2 + 1×8"] == [2, 8]
    assert by_name["2×9"] == [9]
    assert by_name["1×2 + 1×A"] == [2]
    assert "2×A" not in by_name
    assert len(my_cards(dinner.match.views(1))) == 6


def test_shown_cards_are_the_only_faces_in_the_log() -> None:
    """Of a hand that is being played, the log has one public face for each call."""
    dinner = Dinner(PLAIN).call("2", "1 2").call("2", "2 2")
    public = [card for hand in dinner.game.hands for card in hand if card.is_public]
    assert len(public) == 2


def test_the_holder_is_told_which_calls_and_cards_do_not_go() -> None:
    """What the own hand has no card for is in brackets, with the reason below, for its owner alone."""
    dinner = Dinner(HANDS)
    (ask,) = dinner.match.open
    words = words_of(dinner.match.match)

    def lines(seat: int) -> list[str]:
        return choice_lines(ask.question.then[0], words, dinner.match.views(seat), ask, [(0,)])  # type: ignore[attr-defined] # Branch

    assert lines(0)[:8] == [
        "You call:", "  1. 1×2", "  2. 1×3", "  3. 1×4", "  4. 1×5", "  5. 1×6", "  6. (1×7)", "  7. (1×8)",
    ]  # fmt: skip
    assert "  In brackets: You have to show a card whose rank is in your call." in lines(0)
    assert "  1. joker: You have to show a card whose rank is in your call." in lines(0)
    assert not any("You have to show" in line for line in lines(1))
    assert choice_lines(ask.question, words, dinner.match.views(0), ask) == [
        "1. Order one card", "-  Il conto, prego!: Nothing has been called yet.",
    ]  # fmt: skip


def test_a_call_that_the_own_cards_force_is_made_and_not_asked() -> None:
    """Who opens with twos and jokers has one call; only showing a card is left to do."""
    dinner = Dinner("2 2 2 2 W W | A 7 8 9 10 J | A 7 8 9 10 J")
    (ask,) = dinner.match.open
    view = dinner.match.views(0)
    parts = Parts(fits_for(ask, view))
    assert parts.next_field(ask.question)[0] == "You show"
    parts.back(ask.question)
    assert parts.next_field(ask.question)[0] == "You show"
    draft = Draft(ask.question, 0, lambda answer: view.allows(ask, ask.question.value_of(answer)))
    assert draft.field[0] == "You show"
    answer = draft.enter()
    assert answer is not None
    value: Any = ask.question.value_of(answer)
    assert str(value[1].call) == "1×2"


def test_a_call_without_a_card_for_it_is_refused_at_once_and_the_only_card_is_taken_by_enter() -> None:
    """Its number leads to no card to show, so it has the reason; where one card serves, Enter is enough."""
    (ask,) = Dinner(HANDS).match.open
    view = Dinner(HANDS).match.views(0)
    reason = "" if ask.claim is None else ask.claim.reason
    parts = Parts(fits_for(ask, view), reason)
    with pytest.raises(Refused, match="have to show a card whose rank is in your call"):
        parts.answer(ask.question, "6")
    assert parts.answer(ask.question, "1") is None
    assert parts.only(ask.question) == 1
    answer = parts.answer(ask.question, "")
    assert answer is not None
    value: Any = ask.question.value_of(answer)
    assert (str(value[1].call), view.face(value[1].card).rank) == ("1×2", 2)  # type: ignore[union-attr]


def test_the_moves_are_named_with_their_courses() -> None:
    """Each move says its course; the bill comes last, and what can't be done has its reason."""
    dinner = Dinner("A 2 3 4 5 6 | A 2 3 4 5 6 | A 7 8 9 10 J").call("A", "1 A").call("A", "1 A 1 2")
    (ask,) = dinner.match.open
    assert choice_lines(ask.question, words_of(dinner.match.match), dinner.match.views(2), ask) == [
        "1. Upsize 1×A",
        "2. Spice 1×2",
        "3. Upsize 1×2",
        "4. Il conto, prego! (or b)",
        "-  Order one card: There are two courses already.",
        "-  Spice 1×A: Nothing is hotter than an ace.",
    ]


def test_a_king_below_a_called_ace_cannot_be_spiced_because_of_the_ace() -> None:
    """That spicing goes up is known: what is said is why the one higher rank is not to be had."""
    dinner = Dinner("A K 3 4 5 6 | A K 3 4 5 6 | A 7 8 9 10 J").call("A", "1 A").call("A", "1 A 1 K")
    (ask,) = dinner.match.open
    assert reason_lines(ask.question, words_of(dinner.match.match), dinner.match.views(2), ask) == [
        "Order one card: There are two courses already.",
        "Spice 1×A: Nothing is hotter than an ace.",
        "Spice 1×K: Variety, please: the other course already uses A.",
    ]


def test_each_move_says_what_it_means() -> None:
    """Who has not read the rules can hear what spicing is before choosing it."""
    dinner = Dinner("A 2 3 4 5 6 | A 2 3 4 5 6 | A 7 8 9 10 J").call("2", "1 2")
    (ask,) = dinner.match.open
    told = details(dinner.match.match, ask, ask.question, (), words_of(dinner.match.match))
    assert [line.partition(": ")[0] for line in told.lines()] == [
        "Order one card", "Spice 1×2", "Upsize 1×2", "Il conto, prego!",
    ]  # fmt: skip
    assert (
        next(told.lines(2))
        == "Spice 1×2: The same number of cards, but a higher rank. The other course doesn't change."
    )


def test_lines_name_what_can_be_chosen_and_tell_the_reasons_when_asked() -> None:
    """What can't be is counted, its reasons come apart; the bill is asked for by its number or its letter."""
    dinner = Dinner("A 2 3 4 5 6 | A 2 3 4 5 6 | A 7 8 9 10 J").call("A", "1 A").call("A", "1 A 1 2")
    (ask,) = dinner.match.open
    words, view = words_of(dinner.match.match), dinner.match.views(2)
    assert choice_lines(ask.question, words, view, ask, why=False) == [
        "1. Upsize 1×A", "2. Spice 1×2", "3. Upsize 1×2", "4. Il conto, prego! (or b)",
        "2 unavailable (x: why not)",
    ]  # fmt: skip
    assert reason_lines(ask.question, words, view, ask) == [
        "Order one card: There are two courses already.", "Spice 1×A: Nothing is hotter than an ace.",
    ]  # fmt: skip
    assert parse(ask.question, "B") == parse(ask.question, "4")
    assert has_letter(ask.question, "b")
    assert not has_letter(ask.question, "x")
    (first,) = Dinner(HANDS).match.open
    held = Dinner(HANDS).match.views(0)
    fields = choice_lines(first.question.then[0], words, held, first, [(0,)], why=False)  # type: ignore[attr-defined] # Branch
    assert not [line for line in fields if "1×7" in line or "In brackets" in line]
    assert any(
        line.startswith("1×7, 1×8") and line.endswith("You have to show a card whose rank is in your call.")
        for line in reason_lines(first.question.then[0], words, held, first, [(0,)])  # type: ignore[attr-defined] # Branch
    )


def test_a_newcomer_is_told_what_can_be_done_and_how_likely_the_call_is() -> None:
    """The own hand makes a call sure; without a card for a higher one, only the bill is left."""
    dinner = Dinner("2 3 4 5 6 7 | 2 2 8 9 10 J | 2 7 8 9 10 J")
    dinner.call("2", "1 2")

    def told() -> dict[str, Text]:
        found = {
            one.message: one for one in dinner.match.game.hints(dinner.match.views(1), dinner.match.open[0])
        }
        assert [one.message for one in found.values() if one.holds is not None and not one.holds()] == []
        return found

    now = told()
    assert (now[LIKELY].params["n"], now[OWN].params["n"], now[OWN].params["jokers"]) == (100, 2, 0)
    assert {GO_ON, RAISING} < now.keys()
    dinner.game.calls.append((Seat(0), called("12 A 6 Q")))
    now = told()
    assert ONLY_BILL in now
    assert not {GO_ON, ASK_NOW, RAISING} & now.keys()
