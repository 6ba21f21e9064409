"""The context of every drawing function: language, viewer, characters, room and cursor."""

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
"""The colours of the Italian suits, which are shown in addition to their letters."""


@dataclass(frozen=True, slots=True)
class Pen:
    """The drawing context for one viewer.

    Attributes:
        words: the language.
        view: the knowledge of the viewer; None if there is no match.
        glyphs: the characters to draw with.
        room: the available width in cells.
        flat: whether cards are drawn in one line because height is scarce.
        pointed: the numbers of the cards that can be chosen now.
        taken: the numbers of the cards that are selected but not sent.
        cursor: the number of the card under the cursor.
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
        """A message in words; in ASCII if only ASCII may be drawn."""
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
        """The face of a card in a few letters, and the role of its colour; ("", "") if it is hidden."""
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
