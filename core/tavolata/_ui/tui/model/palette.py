"""The command palette: what there is to do, narrowed down letter by letter, until one of it is done.

Pure. Why this is not Textual's palette: decision 0018.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tavolata._ui.tui.model.questions import Question
from tavolata.choices import Choice
from tavolata.kinds.one_of import OneOf
from tavolata.messages import N_

FIND = N_("Find: {typed}_")
BEGIN = N_("Find: _ (type what you look for: a choice, a command, a rule, a thing on the table, a player)")
NOTHING = N_("nothing is called so")


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """Something that can be found by typing.

    Attributes:
        what: what it is called, in words.
        do: does it; may raise `Refused`.
        more: other words that it is found by.
    """

    what: str
    do: Callable[[], object]
    more: str = ""


class Palette:
    """What can be found, and what is found by the letters typed so far.

    Args:
        items: all there is, the most likely first.
        say: puts a message of the program into words.

    Attributes:
        typed: the letters.
        question: what is found, to be pointed at.
    """

    def __init__(self, items: Sequence[PaletteItem], say: Callable[..., str]) -> None:
        self._items = items
        self._say = say
        self.typed = ""
        self.question = self._asked()

    def hear(self, key: str, character: str) -> bool:
        """A key that narrows or widens what is found; False if it means something else."""
        if key == "ctrl+u":
            self.type("")
        elif key == "backspace" and self.typed:
            self.type(self.typed[:-1])
        elif len(character) == 1 and character.isprintable():
            self.type(self.typed + character)
        else:
            return False
        return True

    def type(self, typed: str) -> None:
        """These are the letters now."""
        self.typed = typed
        self.question = self._asked()

    def found(self) -> list[PaletteItem]:
        """What has all the words typed in it, at the beginning of words first, else in its own order."""
        wanted = _bare(self.typed).split()
        texts = [(one, _bare(f"{one.what} {one.more}")) for one in self._items]
        there = [(one, text) for one, text in texts if all(word in text for word in wanted)]
        return [one for one, text in sorted(there, key=lambda pair: -_begun(wanted, pair[1]))]

    def _asked(self) -> Question:
        found = self.found() or [PaletteItem(self._say(NOTHING), lambda: None)]
        kind = OneOf([Choice(at, "{what}", params={"what": one.what}) for at, one in enumerate(found)])
        prompt = self._say(FIND, {"typed": self.typed}) if self.typed else self._say(BEGIN)
        return Question(prompt, kind, lambda answer: found[answer].do())


def _begun(wanted: Sequence[str], text: str) -> int:
    """How many of the words begin a word of the text; more if the text begins with the first."""
    begins = sum(f" {word}" in f" {text}" for word in wanted)
    return begins + (bool(wanted) and text.startswith(wanted[0]))


def _bare(words: str) -> str:
    """Small letters without accents, as people type them in haste."""
    apart = unicodedata.normalize("NFKD", words.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
