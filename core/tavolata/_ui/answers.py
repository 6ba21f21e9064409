"""Typed answers: the lines that say what can be answered, and the parser. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from tavolata._text import Verbatim, small_number
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.boards import Spot
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.kinds.fields import (
    Fits,
    chosen,
    endings,
    fields_of,
    filled,
    fits_by,
    flat,
    is_forced,
    only_choice,
    whole,
)
from tavolata.kinds.one_of import GO
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing, has_text
from tavolata.messages import N_, NN_
from tavolata.texts import tidied
from tavolata.view import View

NUMBERED = N_("{number}. {choice}")
KEYED = N_("{number}. {choice} (or {key})")
NOT_NOW = N_("-  {choice}: {reason}")
NOT_THIS = N_("{number}. {choice}: {reason}")
NOT_THESE = N_("{number}. ({choice})")
IN_BRACKETS = N_("In brackets: {reason}")
BY_ENTER_ALONE = N_("Press Enter to take the only available choice.")
CANT = NN_("{n} unavailable (x: why not)", "{n} unavailable (x: why not)")
FEW = 4
"""So many choices over the most are listed, too: a hand of thirteen cards is heard whole."""
AND_MORE = NN_(
    "{n} more choice: type it in words, or type all to list it.",
    "{n} more choices: type one in words, or type all to list them.",
)
WHY_NOT = N_("{choice}: {reason}")
OWN_WORDS = N_("In your own words, {low} to {high} characters.")
OWN_SIGNS = N_("{low} to {high} of these characters: {signs}")
TO_COMMAND = N_("Whatever you type is your answer. For a command, type a slash first: /help")
RANGE = N_("A number from {low} to {high}.")
STEPS = N_("A number from {low} to {high} in steps of {step}.")
NOTHING_TYPED = N_("Press Enter for {n}.")
SOME = N_("Pick {low} to {high}: type their numbers, separated by spaces.")
EXACTLY = N_("Pick {low}: type their numbers, separated by spaces.")
SOME_IN_ORDER = N_("Pick {low} to {high} in order: type their numbers, separated by spaces.")
ALL_IN_ORDER = N_("Pick {low} in order: type their numbers, separated by spaces.")
BY_ENTER = N_("{act} (Enter)")
ENTER_ALONE = N_("Nothing to choose. Press Enter to continue.")
PARTS = N_("{n} answers on one line, separated by semicolons.")
IN_ROUND_BRACKETS = re.compile(r"\s*\([^()]*\)")
"""What a choice says in brackets, such as the letter of a colour; the others tell it well enough."""


def prompt_of(ask: Ask, words: Words, view: View) -> str:
    """Return the prompt to the seat that is asked; for a mere key, what it does, and which."""
    prompt = words.text(ask.you or ask.others, {"seat": ask.seat, **ask.params}, view)
    if not is_go(ask.question):
        return prompt
    by_key = words.text(BY_ENTER, {"act": words.text(ask.verb) if ask.verb else prompt})
    return f"{prompt} {by_key}" if ask.verb else by_key


def choice_lines(
    question: Question,
    words: Words,
    view: View,
    ask: Ask | None = None,
    given: Sequence[Any] = (),
    skipped: int = 0,
    *,
    why: bool = True,
    most: int | None = None,
) -> list[str]:
    """Return the legal answers as numbered lines, and what the asked seat may not choose.

    For `given` and `skipped` see `fitting`. With `why` an impossible choice has a line, with its reason;
    otherwise it is counted. If there are clearly more choices than `most`, the first and the last have lines;
    None for all.
    """
    match question.shape():
        case Choices() as shape:
            fit = fitting(ask, view, given, skipped)
            lines = _numbered(shape, words, view, ask, fit, why=why)
            if most is not None and (left := len(lines) - most) > FEW:
                lines[most - 1 : -1] = [words.text(AND_MORE, {"n": left})]
            if not why and (n := len(_unfit(shape, fit)) + len(shape.unavailable)):
                lines.append(words.text(CANT, {"n": n}))
            for no in shape.unavailable if why else ():
                choice, reason = (words.text(said, no.params, view) for said in (no.label, no.reason))
                lines.append(words.text(NOT_NOW, {"choice": choice, "reason": reason}))
            return [*lines, *([how_many(shape, words)] if shape.several else [])]
        case Number() as shape:
            lines = [limits(shape, words)]
            return (
                lines if shape.default is None else [*lines, words.text(NOTHING_TYPED, {"n": shape.default})]
            )
        case Writing() as shape:
            return [own_words(shape, words)]
        case Fieldset(fields):
            parts = []
            for number, field in enumerate(fields):
                parts.append(f"{words.text(field.label)}:")
                lines = choice_lines(
                    field.question, words, view, ask, given, skipped + number, why=why, most=most
                )
                parts += [f"  {line}" for line in lines]
            return [*parts, words.text(PARTS, {"n": len(fields)})]
        case Branching(first):
            return choice_lines(first, words, view, ask, given, skipped, why=why, most=most)


def reason_lines(
    question: Question,
    words: Words,
    view: View,
    ask: Ask | None = None,
    given: Sequence[Any] = (),
    skipped: int = 0,
) -> list[str]:
    """Return what can't be chosen now, with its reason; see `choice_lines`."""
    match question.shape():
        case Choices() as shape:
            unfit = sorted(_unfit(shape, fitting(ask, view, given, skipped)))
            lines = []
            if unfit and ask is not None and ask.claim is not None:
                labels = ", ".join(words.choice(shape.choices[place], view) for place in unfit)
                lines.append(words.text(WHY_NOT, {"choice": labels, "reason": words.text(ask.claim.reason)}))
            for no in shape.unavailable:
                choice, reason = (words.text(said, no.params, view) for said in (no.label, no.reason))
                lines.append(words.text(WHY_NOT, {"choice": choice, "reason": reason}))
            return lines
        case Fieldset(fields):
            parts = [
                reason_lines(field.question, words, view, ask, given, skipped + number)
                for number, field in enumerate(fields)
            ]
            return [line for part in parts for line in part]
        case Branching(first):
            return reason_lines(first, words, view, ask, given, skipped)
        case Number() | Writing():
            return []


def limits(shape: Number, words: Words) -> str:
    return words.text(RANGE if shape.step == 1 else STEPS, shape._asdict())


def own_words(shape: Writing, words: Words) -> str:
    said = {"low": shape.low, "high": shape.high, "signs": Verbatim(shape.signs)}
    return words.text(OWN_SIGNS if shape.signs else OWN_WORDS, said)


def how_many(shape: Choices, words: Words) -> str:
    some, exactly = (SOME_IN_ORDER, ALL_IN_ORDER) if shape.ordered else (SOME, EXACTLY)
    return words.text(exactly if shape.low == shape.high else some, {"low": shape.low, "high": shape.high})


def fitting(
    ask: Ask | None, view: View | None, given: Sequence[Any] = (), skipped: int = 0
) -> set[int] | None:
    """Return the places of the choices with an allowed answer; None if nothing forbids any of them.

    The own cards of the asked seat decide. `given` are the answers to the first fields (see
    `tavolata.kinds.fields`), `skipped` the number of fields after those that are not answered yet.
    """
    if ask is None or ask.claim is None or view is None:
        return None
    answers = endings(ask.question, given)
    if answers is None:
        return None
    return {
        list(flat(one))[len(given) + skipped]
        for one in answers
        if view.holds(ask, ask.question.value_of(one))
    }


def fits_for(ask: Ask, view: View) -> Fits | None:
    if ask.claim is None:
        return None
    return fits_by(ask.question, lambda answer: view.holds(ask, ask.question.value_of(answer)))


def _unfit(shape: Choices, fit: set[int] | None) -> set[int]:
    """Return the places of the choices with which no answer is allowed."""
    return set() if fit is None else set(range(len(shape.choices))) - fit


def _numbered(
    shape: Choices, words: Words, view: View, ask: Ask | None, fit: set[int] | None, *, why: bool
) -> list[str]:
    """Put the reason beside the one choice that doesn't fit; of several, put all in brackets."""
    unfit = _unfit(shape, fit)
    reason = "" if ask is None or ask.claim is None else words.text(ask.claim.reason)
    lines = []
    for place, choice in enumerate(shape.choices):
        if place in unfit and not why:
            continue
        said = {
            "number": place + 1, "choice": words.choice(choice, view), "reason": reason, "key": choice.key,
        }  # fmt: skip
        usual = KEYED if choice.key else NUMBERED
        message = usual if place not in unfit else NOT_THIS if len(unfit) == 1 else NOT_THESE
        lines.append(words.text(message, said))
    return lines if len(unfit) < 2 or not why else [*lines, words.text(IN_BRACKETS, {"reason": reason})]


def parse(question: Question, typed: str) -> Answer:
    """Return the answer that a line means: choices are typed as numbers, letters, or places on a board.

    Raise `Refused` if the line isn't an answer; the reason says what to type.
    """
    typed = typed.strip()
    shape = question.shape()
    match shape:
        case Writing():
            return question.check(question.answer_from(tidied(typed)))
        case Fieldset(fields):
            return question.check(question.answer_from(_parts([field.question for field in fields], typed)))
        case Branching(first, after):
            word, _, rest = typed.partition(";")
            place: Any = parse(first, word)
            then = after[place]
            return question.check(
                question.answer_from((place, parse(then, rest)) if then is not None else (place,))
            )
        case Choices() | Number():
            return _numbers(question, shape, typed)
        case _ as never:
            assert_never(never)


def _numbers(question: Question, shape: Choices | Number, typed: str) -> Answer:
    if not typed and question.count() == 1:
        return question.answer_at(0)
    if is_go(question) and typed != "1":
        raise Refused(ENTER_ALONE)
    words = typed.replace(",", " ").split()
    places = _by_label(shape) if isinstance(shape, Choices) else {}
    words = [places.get(word.casefold(), word) for word in words]
    most = shape.high if isinstance(shape, Number) else len(shape.choices)
    numbers = [small_number(word, most) for word in words if word.isdecimal()]
    given: object = None
    if isinstance(shape, Number):
        given = numbers[0] if len(numbers) == len(words) == 1 else None if typed else shape.default
    elif len(numbers) == len(words):
        given = tuple(number - 1 for number in numbers)
    return question.check(question.answer_from(given))


def by_words(question: Question, typed: str, words: Words, view: View) -> str:
    """Return the numbers of the choices with these names or beginnings; the line itself if one is missing.

    Words in brackets needn't be typed. Several choices have commas between, or spaces if a word of each is
    enough.
    """
    shape, wanted = question.shape(), " ".join(typed.casefold().split())
    if isinstance(shape, Branching):
        shape = shape.first.shape()
    if not isinstance(shape, Choices) or not wanted or wanted.isdecimal():
        return typed
    said = [words.choice(choice, view).casefold() for choice in shape.choices]
    names = [wanted]
    if shape.several:
        names = [one.strip() for one in wanted.split(",")] if "," in wanted else wanted.split()
    found = [name if name.isdecimal() else _called(name, said) for name in names]
    return typed if None in found else " ".join(map(str, found))


def _called(name: str, said: Sequence[str]) -> str | None:
    """Return the number of the one text that is so, or begins so; None if none or several do."""
    bare = [IN_ROUND_BRACKETS.sub("", one) for one in said]
    for texts in (said, bare):
        for found in (
            [place for place, one in enumerate(texts, 1) if one == name],
            [place for place, one in enumerate(texts, 1) if name and one.startswith(name)],
        ):
            if len(found) == 1:
                return str(found[0])
    return None


def _by_label(shape: Choices) -> dict[str, str]:
    """Return a choice's number by its letter or the label of its place, unless the label is a number."""
    labels = [
        (one.key or (one.at.label if isinstance(one.at, Spot) else "")).casefold() for one in shape.choices
    ]
    return {
        label: str(place + 1) for place, label in enumerate(labels)
        if label and not label.isdecimal() and labels.count(label) == 1
    }  # fmt: skip


def has_letter(question: Question, letter: str) -> bool:
    shape = question.shape()
    if isinstance(shape, Branching):
        return has_letter(shape.first, letter)
    return isinstance(shape, Choices) and letter.casefold() in {
        one.key.casefold() for one in shape.choices if one.key
    }


class Parts:
    """The answer to a question of several fields, typed field by field.

    `fits` says which choices the person may take (None for all; see `tavolata.kinds.fields`), and `why` why
    not the others. `given` are the answers to the first fields.
    """

    def __init__(self, fits: Fits | None = None, why: str = "") -> None:
        self._fits = fits
        self._why = why
        self.given: list[Any] = []

    def next_field(self, question: Question) -> tuple[str, Question]:
        self.given = filled(question, self.given, self._fits)
        return fields_of(question, self.given)[len(self.given)]

    def back(self, question: Question) -> None:
        """Forget the last answer that was not filled in unasked."""
        while self.given:
            was_chosen = chosen(question, self.given, self._fits)[-1]
            self.given.pop()
            if was_chosen:
                return

    def is_begun(self, question: Question) -> bool:
        """Return True if the person has chosen one of the given answers."""
        return any(chosen(question, self.given, self._fits))

    def only(self, question: Question) -> int | None:
        """Return the place of the only choice of the next field that leads to an answer."""
        _, now = self.next_field(question)
        return only_choice(now, self.given, self._fits)

    def answer(self, question: Question, typed: str) -> Answer | None:
        """Take the answer to the next field, or to all fields with semicolons between.

        An empty line takes the only choice that leads to an answer. Return the whole answer; None while
        fields are missing. Raise `Refused`, taking nothing, if the line isn't an answer, or leads to none.
        """
        if ";" in typed and not has_text(question):
            return parse(question, typed)
        _, now = self.next_field(question)
        only = None if typed else self.only(question)
        shape = now.shape()
        answer: Any = parse(now, typed) if only is None else now.check(now.answer_from((only,)))
        is_choice = isinstance(shape, Choices) and not shape.several
        if is_choice and self._fits is not None and not self._fits(self.given, answer):
            raise Refused(self._why)
        given = [*self.given, (answer,) if is_choice else answer]
        if len(given) == len(fields_of(question, given)):
            return whole(question, given)
        self.given = given
        return None


def _parts(fields: list[Question], typed: str) -> tuple[Answer, ...]:
    parts = typed.split(";")
    asked = [place for place, field in enumerate(fields) if not is_forced(field)]
    if len(parts) > len(asked):  # also those fields that are filled in unasked
        asked = list(range(len(fields)))
    parts += [""] * sum(_needs_no_word(fields[place]) for place in asked[len(parts) :])
    if len(parts) != len(asked):
        raise Refused(PARTS, n=len(asked))
    word = dict(zip(asked, parts, strict=True))
    return tuple(parse(field, word.get(place, "")) for place, field in enumerate(fields))


def _needs_no_word(question: Question) -> bool:
    shape = question.shape()
    return is_forced(question) or (isinstance(shape, Number) and shape.default is not None)


def is_go(question: Question) -> bool:
    return question is GO


YES, NO = N_("yes"), N_("no")


def yes_or_no(typed: str, say: Callable[[str], str]) -> bool | None:
    """Return what a line means that is yes or no, or begins so, with accents or without; None if neither."""
    begun = bare(typed.strip())
    for answer, message in ((True, YES), (False, NO)):
        if begun and any(bare(word).startswith(begun) for word in (message, say(message))):
            return answer
    return None


def bare(words: str) -> str:
    apart = unicodedata.normalize("NFKD", words.casefold())
    return "".join(one for one in apart if not unicodedata.combining(one))
