"""From what a person types to an answer: numbers of choices, amounts, parts of a form. Pure."""

from __future__ import annotations

from itertools import takewhile

from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.choices import Answer, Kind
from tavolata.errors import Refused
from tavolata.forms import Form
from tavolata.kinds import GO, Amount, OneOf, SomeOf
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
PARTS = N_("One answer for each line, with semicolons between.")


def choice_lines(kind: Kind, words: Words, view: View, ask: Ask | None = None) -> list[str]:
    """The legal answers as numbered lines; of cards that their owner may not choose, the reason.

    Args:
        kind: what is asked.
        words: the language.
        view: of the seat that is asked; what it alone knows decides on its own cards.
        ask: the question, where it says something of cards.
    """
    if isinstance(kind, OneOf):
        lines = _numbered(kind, words, view, ask)
        for no in kind.not_now:
            choice, reason = (words.text(said, no.params, view) for said in (no.label, no.reason))
            lines.append(words.text(NOT_NOW, {"choice": choice, "reason": reason}))
        return lines
    if isinstance(kind, SomeOf):
        limits = {"low": kind.low, "high": kind.high}
        return [*_numbered(kind, words, view), words.text(EXACTLY if kind.low == kind.high else SOME, limits)]
    if isinstance(kind, Amount):
        limits = {"low": kind.low, "high": kind.high, "step": kind.step}
        lines = [words.text(RANGE if kind.step == 1 else STEPS, limits)]
        return lines if kind.default is None else [*lines, words.text(NOTHING_TYPED, {"n": kind.default})]
    assert isinstance(kind, Form)
    parts = []
    for name, part in kind.fields.items():
        parts.append(f"{words.text(kind.labels.get(name, name))}:")
        parts += [f"  {line}" for line in choice_lines(part, words, view)]
    return [*parts, words.text(PARTS)]


def _numbered(kind: OneOf | SomeOf, words: Words, view: View, ask: Ask | None = None) -> list[str]:
    lines = []
    for number, choice in enumerate(kind.choices, 1):
        said = {"number": number, "choice": words.choice(choice, view)}
        if ask is not None and ask.claim is not None and not view.claim_holds(ask, number - 1):
            lines.append(words.text(NOT_THIS, {**said, "reason": words.text(ask.claim.reason)}))
        else:
            lines.append(words.text(NUMBERED, said))
    return lines


def parse(kind: Kind, typed: str) -> Answer:
    """The answer that a line means.

    Raises:
        Refused: it means none; the reason says what does.
    """
    typed = typed.strip()
    if isinstance(kind, Form):
        parts = typed.split(";")
        parts += [""] * sum(map(_needs_no_word, list(kind.fields.values())[len(parts) :]))
        if len(parts) != len(kind.fields):
            begun = zip(kind.fields.values(), takewhile(bool, parts), strict=False)
            kind.check_begun([parse(part, word) for part, word in begun])
            raise Refused(N_("Fill in all {n} fields."), n=len(kind.fields))
        return kind.check(
            tuple(parse(part, word) for part, word in zip(kind.fields.values(), parts, strict=True))
        )
    if not typed and kind.count() == 1:
        return kind.nth(0)
    if not typed and isinstance(kind, Amount) and kind.default is not None:
        return kind.check(kind.default)
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


def _needs_no_word(kind: Kind) -> bool:
    return isinstance(kind, Amount) and kind.default is not None


def is_go(kind: Kind) -> bool:
    """Whether this is a mere key that lets the match go on."""
    return kind is GO
