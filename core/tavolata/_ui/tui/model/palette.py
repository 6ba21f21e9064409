"""The command palette: a list of actions that typed letters narrow down.

Pure. Decision 0018 explains why this is not Textual's palette.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tavolata._ui.answers import bare
from tavolata._ui.tui.model.questions import PromptQuestion
from tavolata.choices import Choice
from tavolata.kinds.one_of import OneOf
from tavolata.messages import N_

FIND = N_("Find: {typed}_")
BEGIN = N_("Find: _ (type what you look for: a choice, a command, a rule, a thing on the table, a player)")
NOTHING = N_("nothing is called so")


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """An action that can be found by typing: by its name, or by the words in `more`.

    `do` may raise `Refused`.
    """

    what: str
    do: Callable[[], object]
    more: str = ""


class Palette:
    """The palette with the letters typed so far; the most likely items come first."""

    def __init__(self, items: Sequence[PaletteItem], say: Callable[..., str]) -> None:
        self._items = items
        self._say = say
        self.typed = ""
        self.question = self._asked()

    def hear(self, key: str, character: str) -> bool:
        """Handle a key that changes the typed letters; return False for any other key."""
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
        self.typed = typed
        self.question = self._asked()

    def found(self) -> list[PaletteItem]:
        """Return the items that contain all typed words; those that begin with them come first."""
        wanted = bare(self.typed).split()
        texts = [(one, bare(f"{one.what} {one.more}")) for one in self._items]
        there = [(one, text) for one, text in texts if all(word in text for word in wanted)]
        return [one for one, text in sorted(there, key=lambda pair: -_begun(wanted, pair[1]))]

    def _asked(self) -> PromptQuestion:
        found = self.found() or [PaletteItem(self._say(NOTHING), lambda: None)]
        kind = OneOf([Choice(at, "{what}", params={"what": one.what}) for at, one in enumerate(found)])
        prompt = self._say(FIND, {"typed": self.typed}) if self.typed else self._say(BEGIN)
        return PromptQuestion(prompt, kind, lambda answer: found[answer].do())


def _begun(wanted: Sequence[str], text: str) -> int:
    """Count the words that begin a word of the text; more if the text begins with the first."""
    begins = sum(f" {word}" in f" {text}" for word in wanted)
    return begins + (bool(wanted) and text.startswith(wanted[0]))
