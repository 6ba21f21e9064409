"""Hands as they are drawn: sorted for anyone who knows all cards, and in their places for all others."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Literal

import pytest

from tavolata import Card, Game, Options, Outcome, Seat, Table, Zone, one_of
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.items import in_order, shown_order
from tavolata._ui.scene.text import item_data, items_of, lines_of
from tavolata._ui.tui.model.draft import Draft
from tavolata._ui.words import Words
from tavolata.decks import FRENCH_52
from tavolata.testing import Rehearsal, rehearse
from tavolata.zones import hand_zone


class Held(Game[Options]):
    """Four cards each."""

    name, title, seats = "held", "Held", (2, 2)
    order: Literal["rank", "suit", "kept"] = "rank"

    def setup(self, t: Table[Options]) -> None:
        """A pack and hands."""
        self.pack, self.hands = t.pile("pack", FRENCH_52), t.hands("hand")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Deal, and wait."""
        await t.shuffle(self.pack)
        await t.deal(self.pack, self.hands, each=4)
        await t.open_floor(until=t.ring[0])
        return Outcome(())

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        """The hands."""
        for hand in self.hands:
            yield hand_zone(hand, "Hand", order=type(self).order)


def dealt(order: str) -> Rehearsal:
    """The game with hands in this order."""
    rules = type("Ordered", (Held,), {"order": order, "__module__": __name__})
    decks = {"pack": "K♥ 2♣ 3♠ 4♣ 2♥ 5♣ A♠ 6♣"}
    return rehearse(rules, seats=2, decks=decks, answers=None)


@pytest.mark.parametrize(
    ("order", "shown"), [("rank", "A♠ 2♥ 3♠ K♥"), ("suit", None), ("kept", "K♥ 3♠ 2♥ A♠")]
)
def test_a_hand_is_sorted_for_who_knows_it(order: str, shown: str | None) -> None:
    """Rank first, or the order of the deck, or as it lies; the JSON of the zone keeps the cards' places."""
    match = dealt(order)
    words = Words(Translator("en"), "tavolata", ["Ann", "Bo"])
    item = items_of(match.views(0), words)[0]
    faces = [str(card.face) for card in item.shape.cards]  # type: ignore[union-attr]  # a row
    deck = sorted(faces, key=[str(one) for one in FRENCH_52.faces].index)
    assert faces == (deck if shown is None else shown.split())
    names = [words.describe(card) for card in item.shape.cards]  # type: ignore[union-attr]  # a row
    assert lines_of(item) == [f"Hand of Ann: {', '.join(names)}"]
    kept = [card["text"] for card in item_data(item)["content"]]
    assert kept == [words.describe(card) for card in match.views(0).zones()["hand.0"].content]
    assert [str(card.face) for card in match.views(0).zones()["hand.0"].content] == ["K♥", "3♠", "2♥", "A♠"]


def test_a_hand_that_one_does_not_know_stays_as_it_lies() -> None:
    """Its order would say something about its cards."""
    match = dealt("rank")
    ids = [card.id for card in match.views(0).zones()["hand.0"].content]
    shown = items_of(match.views(1), Words(Translator("en"), "tavolata", ["Ann", "Bo"]))[0].shape
    assert [card.id for card in shown.cards] == ids  # type: ignore[union-attr]  # a row


def test_a_hand_drawn_as_it_was_stays_sorted_after_its_cards_are_mixed() -> None:
    """A verdict is drawn over the hand as it was, though the rules have taken the cards up since."""
    match = dealt("rank")
    before = match.views(0).zones()["hand.0"]
    shown = in_order(before, match.views(1))  # this view knows none of the cards any more
    assert [str(card.face) for card in shown.cards] == ["A♠", "2♥", "3♠", "K♥"]  # type: ignore[union-attr]


@pytest.mark.parametrize(("order", "shown"), [("rank", "A♠ 2♥ 3♠ K♥"), ("kept", "K♥ 3♠ 2♥ A♠")])
def test_choices_of_cards_follow_the_hand(order: str, shown: str) -> None:
    """The first number is the first card's; other choices stay in their places, and answers are the same."""
    view = dealt(order).views(0)
    ids = [card.id for card in view.zones()["hand.0"].content]
    hand = [Card(number, FRENCH_52, view.face_of(number)) for number in ids]
    values: list[Any] = [*hand[:2], "pass", *hand[2:]]
    question = one_of(values)
    draft = Draft(question, order=partial(shown_order, view))

    def name(value: Any) -> str:
        return value if isinstance(value, str) else str(view.face(value))

    one, two, *rest = shown.split()
    named = [name(choice.value) for choice in draft.choices]
    assert named == [one, two, "pass", *rest]
    for number, expected in enumerate(named, 1):
        draft.move(1)
        draft.digit(str(number))
        answer = draft.enter()
        assert isinstance(answer, int)
        assert name(values[answer]) == expected


def test_numbers_stay_while_cards_come() -> None:
    """A number typed after a card has come means the card it meant before, even if the hand is drawn anew."""
    match = dealt("rank")
    view, game = match.views(0), match.match.game
    assert isinstance(game, Held)
    values = game.hands[0].cards[:]
    draft = Draft(one_of(values), order=partial(shown_order, view))
    before = [str(view.face(choice.value)) for choice in draft.choices]
    assert before == ["A♠", "2♥", "3♠", "K♥"]
    game.hands[0].cards.append(game.pack.cards.pop())  # face down: the hand is no longer sorted
    assert shown_order(view, one_of(values).choices) == (0, 1, 2, 3)
    assert [str(view.face(card)) for card in values] != before
    draft.digit("3")
    answer = draft.enter()
    assert isinstance(answer, int)
    assert str(view.face(values[answer])) == "3♠"
