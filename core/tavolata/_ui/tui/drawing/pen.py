"""What every drawing needs at hand: the words, the viewer, the signs, the room, and what is pointed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tavolata._ui.tui.drawing.glyphs import Glyphs, in_ascii
from tavolata._ui.tui.drawing.runs import Line, line
from tavolata._ui.words import Words
from tavolata.decks import FrenchFace, ItalianFace, Rank
from tavolata.view import View
from tavolata.zones import CardView

FRENCH_RED = frozenset({"diamonds", "hearts"})
ITALIAN = {"D": "yellow", "C": "red", "S": "blue", "B": "green"}
"""The colours of the Italian suits, beside their letters."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How to draw for one viewer.

    Attributes:
        words: the language.
        view: what the viewer may know; None where there is no match.
        glyphs: the signs.
        room: how many cells are there, from left to right.
        flat: whether height is scarce: cards in one line.
        pointed: numbers of cards that could be chosen now.
        taken: numbers of those that are chosen, though not sent.
        cursor: the number of the card that is pointed at.
    """

    words: Words
    view: View | None
    glyphs: Glyphs
    room: int
    flat: bool = False
    pointed: frozenset[int] = frozenset()
    taken: frozenset[int] = frozenset()
    cursor: int | None = None

    def say(self, message: str, params: Any = None) -> str:
        """A message in words; in ASCII, where nothing else may be drawn."""
        return self._plain(self.words.text(message, params, self.view))

    def name(self, value: Any) -> str:
        """A value in words."""
        return self._plain(self.words.describe(value, self.view))

    def _plain(self, text: str) -> str:
        return text if self.glyphs.suits else in_ascii(text)

    def line(self, text: str, role: str = "") -> Line:
        """A line of text."""
        return line(self._plain(text), role)

    def card_face(self, card: CardView) -> tuple[str, str]:
        """What a card shows in a few letters, and the role of its colour; ("", "") from behind."""
        face = card.face
        if face is None and self.view is not None:
            face = self.view.face_of(card.id)
        if face is None:
            return "", "back"
        if isinstance(face, FrenchFace):
            if face.rank == Rank.JOKER:
                return self._plain(self.words.text("joker"))[:5].capitalize(), "face"
            suit = face.suit.value
            red = "red" if suit in FRENCH_RED else "face"
            if self.glyphs.suits:
                return str(face), red
            return str(face)[:-1] + self._plain(self.words.text(suit))[:1].upper(), red
        if isinstance(face, ItalianFace):
            return str(face), ITALIAN[face.suit.value]
        return self._plain(self.words.describe(card, self.view)), "face"
