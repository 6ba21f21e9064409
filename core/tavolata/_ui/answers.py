"""The parser of typed answers: numbers of choices, amounts, parts of a form. Pure."""

from __future__ import annotations

from itertools import takewhile

from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.kinds.kind import Choices, Field, Fieldset, Kind, Number, choices_of
from tavolata.kinds.one_of import GO
from tavolata.messages import N_
from tavolata.view import View

NUMBERED = N_("{number}. {choice}")
NOT_NOW = N_("-  {choice}: {reason}")
NOT_THIS = N_("{number}. {choice}: {reason}")
RANGE = N_("A number from {low} to {high}.")
STEPS = N_("A number from {low} to {high} in steps of {step}.")
NOTHING_TYPED = N_("Nothing typed means {n}.")
SOME = N_("Between {low} and {high} of them, numbers with spaces between.")
EXACTLY = N_("{low} of them, numbers with spaces between.")
SOME_IN_ORDER = N_("Between {low} and {high} of them in order, numbers with spaces between.")
ALL_IN_ORDER = N_("{low} of them in order, numbers with spaces between.")
BY_ENTER = N_("{act} (Enter)")
PARTS = N_("One answer for each line, with semicolons between.")


def prompt_of(ask: Ask, words: Words, view: View) -> str:
    """The prompt to the seat that is asked; where a key is all that is asked for, what it does, and which."""
    prompt = words.text(ask.you or ask.others, {"seat": ask.seat, **ask.params}, view)
    return words.text(BY_ENTER, {"act": prompt}) if is_go(ask.kind) else prompt


def choice_lines(kind: Kind, words: Words, view: View, ask: Ask | None = None) -> list[str]:
    """The legal answers as numbered lines; a card that its owner may not choose has the reason beside it.

    Args:
        kind: the kind of answer.
        words: the language.
        view: the view of the seat that is asked, which may know more about its own cards.
        ask: the question, if it has rules for cards.
    """
    match kind.shape():
        case Choices() as shape:
            lines = _numbered(kind, shape, words, view, ask)
            for no in shape.not_now:
                choice, reason = (words.text(said, no.params, view) for said in (no.label, no.reason))
                lines.append(words.text(NOT_NOW, {"choice": choice, "reason": reason}))
            return [*lines, *([how_many(shape, words)] if shape.several else [])]
        case Number() as shape:
            lines = [limits(shape, words)]
            return (
                lines if shape.default is None else [*lines, words.text(NOTHING_TYPED, {"n": shape.default})]
            )
        case Fieldset(fields):
            parts = []
            for field in fields:
                parts.append(f"{words.text(field.label)}:")
                parts += [f"  {line}" for line in choice_lines(field.kind, words, view)]
            return [*parts, words.text(PARTS)]


def limits(shape: Number, words: Words) -> str:
    """The allowed numbers."""
    return words.text(RANGE if shape.step == 1 else STEPS, shape._asdict())


def how_many(shape: Choices, words: Words) -> str:
    """How many choices are allowed, and how to type them."""
    some, exactly = (SOME_IN_ORDER, ALL_IN_ORDER) if shape.ordered else (SOME, EXACTLY)
    return words.text(exactly if shape.low == shape.high else some, {"low": shape.low, "high": shape.high})


def not_true(kind: Kind, place: int, view: View | None, ask: Ask | None) -> str | None:
    """The reason why the asked seat may not choose this, judged from its own cards; None if it may."""
    if ask is None or ask.claim is None or view is None or not choices_of(kind) or ask.kind is not kind:
        return None
    chosen = kind.check(kind.answer_from((place,)))
    return None if view.claim_holds(ask, chosen) else ask.claim.reason


def _numbered(kind: Kind, shape: Choices, words: Words, view: View, ask: Ask | None) -> list[str]:
    lines = []
    for place, choice in enumerate(shape.choices):
        said = {"number": place + 1, "choice": words.choice(choice, view)}
        reason = not_true(kind, place, view, ask)
        if reason is None:
            lines.append(words.text(NUMBERED, said))
        else:
            lines.append(words.text(NOT_THIS, {**said, "reason": words.text(reason)}))
    return lines


def parse(kind: Kind, typed: str) -> Answer:
    """The answer that a line stands for.

    Raises:
        Refused: the line is not an answer; the reason says what to type.
    """
    typed = typed.strip()
    shape = kind.shape()
    if isinstance(shape, Fieldset):
        return kind.check(kind.answer_from(_parts(kind, [field.kind for field in shape.fields], typed)))
    if not typed and kind.count() == 1:
        return kind.nth(0)
    words = typed.replace(",", " ").split()
    numbers = [int(word) for word in words if word.isdecimal()]
    given: object = None
    if isinstance(shape, Number):
        given = numbers[0] if len(numbers) == len(words) == 1 else None if typed else shape.default
    elif len(numbers) == len(words):
        given = tuple(number - 1 for number in numbers)
    return kind.check(kind.answer_from(given))


class Parts:
    """The answer to a form, typed field by field.

    Attributes:
        begun: the answers to the first fields.
    """

    def __init__(self) -> None:
        self.begun: list[Answer] = []

    def next_field(self, form: Kind) -> Field:
        """The field that is asked next."""
        shape = form.shape()
        assert isinstance(shape, Fieldset)
        return shape.fields[len(self.begun)]

    def answer(self, form: Kind, typed: str) -> Answer | None:
        """Take the answer to the next field, or to all fields with semicolons between.

        Returns:
            The answer to the form; None while fields are missing.

        Raises:
            Refused: the line is no answer, or no legal answer begins with it; nothing is taken.
        """
        if ";" in typed:
            return parse(form, typed)
        begun = [*self.begun, parse(self.next_field(form).kind, typed)]
        form.check_begun(begun)
        shape = form.shape()
        assert isinstance(shape, Fieldset)
        if len(begun) < len(shape.fields):
            self.begun = begun
            return None
        return form.check(form.answer_from(tuple(begun)))


def _parts(kind: Kind, fields: list[Kind], typed: str) -> tuple[Answer, ...]:
    parts = typed.split(";")
    parts += [""] * sum(map(_needs_no_word, fields[len(parts) :]))
    if len(parts) != len(fields):
        kind.check_begun(
            [parse(part, word) for part, word in zip(fields, takewhile(bool, parts), strict=False)]
        )
        raise Refused(N_("Fill in all {n} fields."), n=len(fields))
    return tuple(parse(part, word) for part, word in zip(fields, parts, strict=True))


def _needs_no_word(kind: Kind) -> bool:
    shape = kind.shape()
    return isinstance(shape, Number) and shape.default is not None


def is_go(kind: Kind) -> bool:
    """Whether the only answer is a key that lets the match go on."""
    return kind is GO
