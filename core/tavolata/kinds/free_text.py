"""A text in the player's own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import override

from tavolata._text import Verbatim
from tavolata.choices import MOST, Answer
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Means, Question, Writing
from tavolata.messages import N_
from tavolata.texts import MOST_BYTES, MOST_SIGNS, is_clean

TOO_LONG: Final = N_("That's too long: use at most {high} characters, or fewer in some alphabets.")


class FreeText(Question[str], name="text"):
    """A text in the player's own words; the answer is the text itself.

    Programs choose among the suggestions, which people don't see. `nth` and `index` number every other text,
    too, above `count()`.

    Attributes:
        longest, shortest: the most and the fewest signs (code points).
        signs: the only signs that it may have; "" for any.
        suggestions: what programs choose from; the first counts when time is up.
    """

    __slots__ = ("longest", "shortest", "signs", "suggestions")

    def __init__(
        self, longest: int, *, shortest: int = 1, signs: str = "", suggestions: Sequence[str]
    ) -> None:
        self.longest = longest
        self.shortest = shortest
        self.signs = signs
        self.suggestions = tuple(map(str, suggestions))
        if not 1 <= shortest <= longest <= MOST_SIGNS:
            raise GameError(f"A text has 1 to {MOST_SIGNS} signs, not {shortest} to {longest}.")
        if not is_clean(signs.replace(" ", "")):
            raise GameError(f"The signs {signs!r} hold one that no text may have.")
        if not 2 <= len(self.suggestions) <= MOST or len(set(self.suggestions)) < len(self.suggestions):
            raise GameError(f"A text needs 2 to {MOST} suggestions for programs, each different.")
        for text in self.suggestions:
            try:
                self.check(text)
            except Refused as refusal:
                raise GameError(f"The suggestion {text!r} is no legal text: {refusal}") from refusal

    @override
    def check(self, answer: object) -> Answer:
        if not isinstance(answer, str) or not answer:
            raise Refused(N_("Write something."))
        if len(answer) < self.shortest:
            raise Refused(N_("Write at least {low} characters."), low=self.shortest)
        if not is_clean(answer):
            raise Refused(N_("Your text contains a character that can't be shown. Leave it out."))
        if len(answer) > self.longest or len(answer.encode()) > MOST_BYTES:
            raise Refused(TOO_LONG, high=self.longest)
        if self.signs and not set(answer) <= {*self.signs}:
            raise Refused(N_("Use these characters only: {signs}"), signs=Verbatim(self.signs))
        return str(answer)

    @override
    def value_of(self, answer: str) -> str:
        return Verbatim(answer)

    @override
    def answer_for(self, value: str, means: Means | None = None) -> Answer:
        return self.check(value)

    @override
    def count(self) -> int:
        return len(self.suggestions)

    @override
    def answer_at(self, number: int) -> Answer:
        """Find a suggestion; of another text the number, less `count()`, holds the bytes behind a 1.

        Raise `IndexError` for a number that no text has.
        """
        if number < 0:
            raise IndexError(number)
        if number < self.count():
            return self.suggestions[number]
        held = number - self.count()
        head, *written = held.to_bytes(held.bit_length() + 7 >> 3, "big") or b"\0"
        try:
            text = self.check(bytes(written).decode())
        except (Refused, UnicodeDecodeError):
            raise IndexError(number) from None
        if head != 1 or text in self.suggestions:
            raise IndexError(number)
        return text

    @override
    def number_of(self, answer: str) -> int:
        if answer in self.suggestions:
            return self.suggestions.index(answer)
        return self.count() + int.from_bytes(b"\1" + answer.encode(), "big")

    @override
    def shape(self) -> Writing:
        return Writing(self.shortest, self.longest, self.signs, self.suggestions)

    @override
    def kept(self) -> tuple[Any, ...]:
        return self.longest, self.shortest, self.signs, self.suggestions

    @classmethod
    @override
    def restored(cls, *kept: Any) -> FreeText:
        longest, shortest, signs, suggestions = kept
        return cls(longest, shortest=shortest, signs=signs, suggestions=suggestions)


def free_text(longest: int, *, shortest: int = 1, signs: str = "", suggestions: Sequence[str]) -> FreeText:
    """Return a question for a text in the player's own words.

    Its value is shown as it was written, never translated. It may be asked with `ask`, `ask_all` and
    `seal_all`, as an interjection and as a field of a form; `react` refuses it, because typing speed would
    decide.

    Args:
        longest: the most signs, at most 120; a text also has at most 200 bytes.
        shortest: the fewest signs.
        signs: the only signs allowed, such as "ABCDEF"; "" for any that can be shown.
        suggestions: 2 to 512 texts that bots choose from, which people don't see. Unless `otherwise` names
            another text, the first counts when time is up.

    Raises:
        GameError: the lengths aren't possible, or a suggestion isn't legal.
    """
    return FreeText(longest, shortest=shortest, signs=signs, suggestions=suggestions)
