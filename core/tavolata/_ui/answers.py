"""From what a person types to an answer: numbers of choices, amounts, parts of a form. Pure."""

from __future__ import annotations

from tavolata._ui.words import Words
from tavolata.asks import GO, Amount, Answer, Form, Kind, OneOf, SomeOf
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.view import View

NUMBERED = N_("{number}. {choice}")
NOT_NOW = N_("-  {choice}: {reason}")
RANGE = N_("A number from {low} to {high}.")
STEPS = N_("A number from {low} to {high} in steps of {step}.")
SOME = N_("Between {low} and {high} of them, numbers with spaces between.")
EXACTLY = N_("{low} of them, numbers with spaces between.")
PARTS = N_("One answer for each line, with semicolons between.")


def choice_lines(kind: Kind, words: Words, view: View) -> list[str]:
    """The legal answers as numbered lines."""
    if isinstance(kind, OneOf):
        lines = _numbered(kind, words, view)
        for no in kind.not_now:
            choice, reason = (words.text(said, no.params, view) for said in (no.label, no.reason))
            lines.append(words.text(NOT_NOW, {"choice": choice, "reason": reason}))
        return lines
    if isinstance(kind, SomeOf):
        limits = {"low": kind.low, "high": kind.high}
        return [*_numbered(kind, words, view), words.text(EXACTLY if kind.low == kind.high else SOME, limits)]
    if isinstance(kind, Amount):
        limits = {"low": kind.low, "high": kind.high, "step": kind.step}
        return [words.text(RANGE if kind.step == 1 else STEPS, limits)]
    assert isinstance(kind, Form)
    parts = []
    for name, part in kind.fields.items():
        parts.append(f"{words.text(kind.labels.get(name, name))}:")
        parts += [f"  {line}" for line in choice_lines(part, words, view)]
    return [*parts, words.text(PARTS)]


def _numbered(kind: OneOf | SomeOf, words: Words, view: View) -> list[str]:
    return [
        words.text(NUMBERED, {"number": number, "choice": words.choice(choice, view)})
        for number, choice in enumerate(kind.choices, 1)
    ]


def parse(kind: Kind, typed: str) -> Answer:
    """The answer that a line means.

    Raises:
        Refused: it means none; the reason says what does.
    """
    typed = typed.strip()
    if isinstance(kind, Form):
        parts = typed.split(";")
        if len(parts) != len(kind.fields):
            raise Refused(N_("Fill in all {n} fields."), n=len(kind.fields))
        return kind.check(
            tuple(parse(part, word) for part, word in zip(kind.fields.values(), parts, strict=True))
        )
    if not typed and kind.count() == 1:
        return kind.nth(0)
    numbers = [int(word) for word in typed.replace(",", " ").split() if word.isdecimal()]
    if len(numbers) != len(typed.replace(",", " ").split()):
        numbers = []
    if isinstance(kind, SomeOf):
        return (
            kind.check(tuple(number - 1 for number in numbers)) if numbers or not typed else kind.check(None)
        )
    number = numbers[0] if len(numbers) == 1 else None
    if isinstance(kind, OneOf) and number is not None:
        number -= 1
    return kind.check(number)


def is_go(kind: Kind) -> bool:
    """Whether this is a mere key that lets the match go on."""
    return kind is GO
