"""Words for values in the person's language: seats, cards, faces, amounts, yes and no. No layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from tavolata._engine.match.updates import AnswerNumber
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata.boards import Spot
from tavolata.cards import Card
from tavolata.choices import Answer, Choice
from tavolata.cups import DiceDeck
from tavolata.decks import FrenchFace, ItalianFace, Rank, Suit
from tavolata.kinds.fields import flat
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.looks import Look
from tavolata.messages import N_, Event, Text
from tavolata.ring import Seat
from tavolata.view import View
from tavolata.zones import CardView

OF = N_("{rank} of {suit}")
HIDDEN, HIDDEN_DIE = N_("a hidden card"), N_("a hidden die")
AND = N_("{seats} and {last}")
DOTS = "…"
"""What a hidden text is shown as."""
MOST: Final = 6
"""The most members of a list that are named in brief."""
COURT = {1: N_("ace"), 11: N_("jack"), 12: N_("queen"), 13: N_("king")}
ITALIAN_COURT = {1: N_("ace"), 8: N_("fante"), 9: N_("horse"), 10: N_("king")}
ITALIAN_SUITS = {"D": N_("denari"), "C": N_("coppe"), "S": N_("spade"), "B": N_("bastoni")}


class Words:
    """Translates the values and messages of a single match into one language.

    The game's package has the translations. Texts of players that are in `hidden` are shown as dots. In
    `brief`, standard cards are their corners ("K♣"), the things that it names their letters, and a list ends
    with "+3" after six.
    """

    def __init__(
        self,
        translator: Translator,
        package: str,
        names: Sequence[str],
        hidden: Collection[str] = (),
        *,
        brief: Mapping[str, str] | None = None,
    ) -> None:
        self._translator = translator
        self._package = package
        self._names = names
        self._hidden = hidden
        self._brief = brief
        self._lower_names = tuple(name for name in names if name[:1].islower())

    @property
    def lang(self) -> str:
        return self._translator.lang

    def of(self, package: str) -> Words:
        return Words(self._translator, package, self._names, self._hidden, brief=self._brief)

    def in_brief(self, marks: Sequence[str] = (), letters: Mapping[str, str] | None = None) -> Words:
        """Return the same words in brief: seats have marks before their names, and these things letters."""
        names = [f"{mark} {name}" for mark, name in zip(marks, self._names, strict=False)] or self._names
        return Words(self._translator, self._package, names, self._hidden, brief=letters or {})

    def text(self, message: str, params: Any = None, view: View | None = None) -> str:
        """Return a message with its fields in words; `view` decides which hidden faces may be named."""
        said = self._translator.text(message, params, self._package, lambda value: self.describe(value, view))
        if said[:1].islower() and said.endswith((".", "!", "?")) and not said.startswith(self._lower_names):
            return said[0].upper() + said[1:]  # a sentence, whatever its first field is
        return said

    def event(self, event: Event, view: View | None = None) -> str:
        return self.text(event.message, event.params, view)

    def describe(self, value: Any, view: View | None = None) -> str:
        if isinstance(value, Seat):
            return self._names[value] if value < len(self._names) else str(value + 1)
        if isinstance(value, Card):
            face = view.face(value) if view is not None else value.face if value.is_public else None
            return self._face(face, value.deck.look, die=isinstance(value.deck, DiceDeck))
        if isinstance(value, CardView):
            face = value.face if value.face is not None or view is None else view.face_of(value.id)
            return self._face(face, value.look if view is None else view.look_of(value.id), die=value.die)
        if isinstance(value, Look):
            return self.describe(value.text)
        if isinstance(value, bool):
            return self.text(N_("yes") if value else N_("no"))
        if isinstance(value, Verbatim):
            return DOTS if value in self._hidden else value
        if isinstance(value, str):
            if self._brief and value in self._brief:
                return self._brief[value]
            return self._translator.text(value, None, self._package)
        if isinstance(value, Enum):
            return self.describe(value.value)
        if isinstance(value, Text):
            return self.text(value.message, value.params, view)
        if isinstance(value, AnswerNumber):
            return self.answer(value.question, value.question.answer_at(value.number), view)
        if isinstance(value, dict):  # the answer to a form
            return self.describe(list(value.values()), view)
        if isinstance(value, list | tuple):
            said = [self.describe(part, view) for part in value]
            seats = len(said) > 1 and all(isinstance(one, Seat) for one in value)
            if seats and (self._brief is None or len(said) <= MOST):
                return self.text(AND, {"seats": ", ".join(said[:-1]), "last": value[-1]})
            return self._listed(said)
        return self._face(value)

    def _listed(self, said: Sequence[str]) -> str:
        if self._brief is not None and len(said) > MOST:
            return f"{', '.join(said[:MOST])} +{len(said) - MOST}"
        return ", ".join(said) or "–"

    def _face(self, face: Any, look: Callable[[Any], Look] | None = None, *, die: bool = False) -> str:
        if face is None:
            return self.text(HIDDEN_DIE if die else HIDDEN)
        if look is not None:
            return self.describe(look(face))
        if isinstance(face, FrenchFace):
            if face.rank == Rank.JOKER:
                return self.text(Suit.JOKER.value)
            if self._brief is not None:
                return str(face)
            return self._of(COURT.get(face.rank, str(face.rank)), face.suit.value)
        if isinstance(face, ItalianFace):
            if self._brief is not None:
                return str(face)
            return self._of(ITALIAN_COURT.get(face.rank, str(face.rank)), ITALIAN_SUITS[face.suit.value])
        if isinstance(face, Enum):
            return self.describe(face.value)
        said = getattr(face, "text", None)  # a game's own cards may describe themselves
        return self.describe(said) if isinstance(said, Text) else str(face)

    def _of(self, rank: str, suit: str) -> str:
        say = self._translator.text
        return say(OF, {"rank": say(rank), "suit": say(suit)})

    def answer(self, question: Question, answer: Answer, view: View | None = None) -> str:
        """Return an answer, in its index form, in words; the view is that of the seat that answers."""
        parts: Any = answer
        match question.shape():
            case Choices(choices):
                return self._listed([self.choice(choices[place], view) for place in flat(answer)])
            case Fieldset(fields):
                said = (
                    f"{self.text(field.label)}: {self.answer(field.question, part, view)}"
                    for field, part in zip(fields, parts, strict=True)
                )
                return "; ".join(said)
            case Branching(first, then):
                said_first = self.answer(first, parts[0], view)
                rest = then[parts[0]]
                if rest is None or len(parts) < 2:
                    return said_first
                return f"{said_first}: {self.answer(rest, parts[1], view)}"
            case Number() | Writing():
                return self.describe(question.value_of(answer), view)

    def choice(self, choice: Choice, view: View | None = None) -> str:
        if choice.label:
            return self.text(choice.label, {"value": choice.value, **choice.params}, view)
        if isinstance(choice.at, Spot) and choice.at.label:
            return choice.at.label
        return self.describe(choice.value, view)
