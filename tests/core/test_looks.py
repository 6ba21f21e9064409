"""Looks of faces: what people see of a card, and that nothing is asked of a face that may not be known."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

import pytest

from tavolata import N_, Card, Deck, Game, Hand, Look, Options, Outcome, Seat, Table, Text, Zone, one_of, text
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.faces import card_face
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.tui.drawing.cards import HandOfCards
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.words import Words
from tavolata.errors import PieceError
from tavolata.sim import Simulation
from tavolata.zones import CardView, hand_zone


class Beast(Enum):
    """Beasts of a deck."""

    OWL = 1
    CAT = 2
    DOG = 3


def look(beast: Beast) -> Look:
    return Look(
        beast.name[:2], text(N_("{n} yes"), n=beast.value), "red", sign="!", title=N_("yes"), tag=N_("no")
    )


def test_a_look_that_can_not_be_drawn_is_refused() -> None:
    """More than three cells, a wide sign and an unknown colour are errors."""
    for short in ("four", "", "漢字"):
        with pytest.raises(PieceError, match="1 to 3 cells"):
            Look(short, "x")
    with pytest.raises(PieceError, match="at most two cells"):
        Look("a", "x", sign="!!!")
    with pytest.raises(PieceError, match="no ink 'pink'"):
        Look("a", "x", "pink")
    assert Look("漢", Text("x"), "white").short == "漢"


def test_a_card_is_shown_as_its_deck_says() -> None:
    """Corner, sign, colour, title, tag and the words, in the person's language, come from the look."""
    words = Words(Translator("it"), "tavolata", ("Ann",))
    say = SceneWords(words, None)
    known, hidden = CardView(7, "beasts", Beast.OWL, look), CardView(8, "beasts", None, look)
    face = card_face(known, say, None)
    assert (face.corner, face.sign, face.colour, face.text) == ("OW", "!", "red", "1 yes")
    assert (face.title, face.tag) == ("sì", "no")
    assert words.describe(known) == "1 yes"
    back = card_face(hidden, say, None)
    assert (back.corner, back.sign, back.colour, back.text, back.title) == ("", "", "", "", "")
    assert words.describe(hidden) == "una carta coperta"


def test_a_large_card_has_its_title_in_the_middle_and_its_tag_at_the_foot() -> None:
    """What a look says stands on a card that has room for it, and each line is as wide as the card."""
    say = SceneWords(Words(Translator("en"), "tavolata", ()), None)
    face = card_face(CardView(7, "beasts", Beast.OWL, look), say, None)
    block = HandOfCards((face,), {}, None, UNICODE).draw(20, 7)
    rows = ["".join(part for part, _ in line) for line in block.lines]
    assert [row.strip("│ ") for row in rows if row.strip("│ ") in ("yes", "no")] == ["yes", "no"]
    assert len({len(row) for row in rows}) == 1


ASKED: list[Beast] = []


def noting(beast: Beast) -> Look:
    ASKED.append(beast)
    return look(beast)


class Beasts(Game[Options]):
    """Each lays one of two cards."""

    name, title, seats = "beasts", N_("Beasts"), (3, 3)
    hands: list[Hand[Beast]]

    def setup(self, t: Table[Options]) -> None:
        self.pack = t.pile("pack", Deck("beasts", [*Beast] * 2, look=noting))
        self.hands = t.hands("hand")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.pack)
        await t.deal(self.pack, self.hands, each=2)
        seat = t.first_seat
        card: Card[Beast] = await t.ask(
            seat, one_of(self.hands[seat]), N_("Which?"), N_("{seat} thinks."), seat=seat
        )
        await t.reveal([card])
        t.tell(N_("{seat} lays {card}."), seat=seat, card=card)
        return Outcome((seat,))

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_look_is_asked_only_for_faces_that_its_viewer_knows(seat: int | None) -> None:
    """Zones and cards in words ask for one's own two faces, or for none, whatever else lies on the table."""
    match = Simulation(Beasts, 3, seed=4)
    view = match.view(seat)
    words = Words(Translator("en"), "tavolata", ("Ann", "Ben", "Cem"))
    cards: list[Card[Any]] = [card for hand in match.game.hands for card in hand]
    ASKED.clear()
    said = [words.describe(card, view) for zone in view.zones().values() for card in zone.content]
    said += [words.describe(card, view) for card in cards]
    own = [] if seat is None else [view.face(card) for card in match.game.hands[seat]]
    assert own * 2 == ASKED
    assert said.count("a hidden card") == (12 if seat is None else 8)
