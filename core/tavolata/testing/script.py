"""The words of a rehearsal's script: answers, interjections, words of players, and names of cards.

`rehearsal` acts on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.cards import Card, Deck
from tavolata.choices import Answer, Choice
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.ring import SEATS
from tavolata.testing.cases import ScriptError
from tavolata.view import View


@dataclass(frozen=True)
class Answers:
    """This seat answers: for questions that are put to several at once, one after the other."""

    seat: int
    value: Any


@dataclass(frozen=True)
class Does:
    """This seat does what may be done at any time, by the name of the interjection."""

    seat: int
    name: str
    value: Any = True


@dataclass(frozen=True)
class Says:
    """This seat speaks: to one seat, to several, or to all ()."""

    seat: int
    text: str
    to: int | tuple[int, ...] = ()


@dataclass(frozen=True)
class TimeIsUp:
    """Time has run out for the open questions, or for that of this seat."""

    seat: int | None = None


@dataclass(frozen=True)
class Refuses:
    """This item is refused, for a reason that contains these words; nothing changes."""

    item: Any
    reason: str = ""


@dataclass(frozen=True)
class GoesOn:
    """The match goes on past so many pauses (`pauses=True`), such as hands on the deck, windows, floors."""

    pauses: int = 1


@dataclass(frozen=True)
class Reacts:
    """This seat reacts in the open window, after this many milliseconds; with `GOES` it continues."""

    seat: int
    milliseconds: int
    value: Any = True


@dataclass(frozen=True)
class Race:
    """Seats react in the same window."""

    reactions: tuple[Reacts, ...]


# A script reads like sentences with these words.
answers, does, says, time_is_up = Answers, Does, Says, TimeIsUp
refuses, goes_on, reacts = Refuses, GoesOn, Reacts


def race(*reactions: Reacts) -> Race:
    """Let these seats react in the same window; whoever is fastest counts, wherever it is here."""
    return Race(reactions)


# -- values as one writes them ------------------------------------------------------------------


def answer_of(question: Question, value: Any, view: View, words: Words) -> Answer:
    """Return the answer that a script's value means.

    A seat may be written as a number, a card as the name of its face as the seat that is asked
    sees it, and a choice as its label, with its fields filled in or not.

    Raises:
        Refused: no legal answer means that.
    """
    return question.answer_for(value, lambda choice, meant: _means(choice, meant, view, words))


def _means(choice: Choice, value: Any, view: View, words: Words) -> bool:
    one = choice.value
    if isinstance(one, Card):
        face = view.face(one)
        return face is not None and (face == value or (isinstance(value, str) and _same(str(face), value)))
    if type(value) is int:
        return one in SEATS and one == value and not isinstance(one, bool)
    if not isinstance(value, str) or not choice.label:
        return False
    return _same(choice.label, value) or _same(words.choice(choice, view), value)


def _same(one: str, other: str) -> bool:
    return one.replace(" ", "").casefold() == other.replace(" ", "").casefold()


def arrange(cards: Sequence[Card[Any]], faces: Sequence[int], script: Sequence[Any], where: str) -> list[int]:
    """Face numbers for cards from bottom to top, so that they leave the top as the script says.

    Args:
        cards: the cards that are shuffled, all of one deck.
        faces: the face numbers that are among them.
        script: faces, or their names (or beginnings of names: `"C"` is any face that begins so).
        where: the pile, for the error.

    Raises:
        ScriptError: a face is not, or not so often, among the cards.
    """
    deck: Deck[Any] = cards[0].deck
    left = list(faces)
    order: list[int] = []
    for wanted in script:
        found = _find(deck, left, wanted)
        if found is None:
            raise ScriptError(f"There is no {wanted!r} left in {where} to be card {len(order) + 1}.")
        left.remove(found)
        order.append(found)
    return [*left, *reversed(order)]


def _find(deck: Deck[Any], left: Sequence[int], wanted: Any) -> int | None:
    found = [face for face in left if deck.faces[face] == wanted]
    if not found and isinstance(wanted, str):
        word = wanted.replace(" ", "").casefold()
        names = {face: str(deck.faces[face]).replace(" ", "").casefold() for face in left}
        begun = [face for face, name in names.items() if name.startswith(word)]
        found = [face for face in begun if names[face] == word] or begun
    return next(iter(found), None)


def waiting_for(asks: Sequence[Ask], view: Callable[[int], View], words: Words) -> str:
    """Return the open questions, for an error: who is asked what, and what could be answered."""
    return "; ".join(
        f"seat {ask.seat} is asked {words.text(ask.you or ask.others, ask.params, view(ask.seat))!r} "
        f"({legal(ask.question, view(ask.seat), words)})"
        for ask in asks
    )


def legal(question: Question, view: View, words: Words) -> str:
    """Return what can be answered, in a few words."""
    match question.shape():
        case Choices(choices, several=False):
            return "one of " + _named(choices, view, words)
        case Choices(choices, low, high):
            return f"{low} to {high} of {_named(choices, view, words)}"
        case Number(low, high, step):
            return f"{low} to {high} in steps of {step}"
        case Writing(low, high):
            return f"a text of {low} to {high} characters"
        case Branching(first, then):
            parts = [f"({legal(part, view, words)})" for part in then if part]
            return " ".join([legal(first, view, words), *parts])
        case Fieldset(fields):
            return "; ".join(f"{field.name}: {legal(field.question, view, words)}" for field in fields)


def _named(choices: Sequence[Choice], view: View, words: Words, most: int = 12) -> str:
    names = [
        words.choice(one, view) if one.label
        else str(one.value if not isinstance(one.value, Card) else view.face(one.value))
        for one in choices[:most]
    ]  # fmt: skip
    return ", ".join([*names, "..."] if len(choices) > most else names)
