"""The prompt: the open question with its unfinished answer, or the command palette in front of it.

Pure. Keys and clicks are calls. A complete answer goes to the question's own function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tavolata._ui.tui.model.palette import Palette, PaletteItem
from tavolata._ui.tui.model.questions import PromptQuestion
from tavolata._ui.words import Words
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.view import View


class Prompt:
    """The prompt of a screen.

    `sent` gets a question and its complete answer; it raises `Refused` if that isn't possible. `trouble` is
    an error to show with the question, or "". `page` counts the choices shown at once.
    """

    def __init__(
        self,
        question: Callable[[], PromptQuestion | None],
        words: Callable[[], Words],
        sent: Callable[[PromptQuestion, Any], object],
    ) -> None:
        self.question = question
        self._words = words
        self._sent = sent
        self.palette: Palette | None = None
        self.trouble = ""
        self.columns = self.page = 1

    @property
    def shown(self) -> PromptQuestion | None:
        """The question to draw: the palette's, otherwise the open one."""
        return self.question() if self.palette is None else self.palette.question

    def open(self, items: Sequence[PaletteItem]) -> None:
        self.trouble, self.palette = "", Palette(items, self._words().text)

    def clear(self) -> None:
        self.trouble, self.palette = "", None

    def refuse(self, refusal: Refused) -> None:
        self.trouble = self._words().text(refusal.message, refusal.params)

    def hear(self, key: str, character: str) -> bool:
        """Handle a key of the open palette; return False for keys that keep their usual meaning."""
        palette = self.palette
        assert palette is not None
        if key in ("up", "down", "left", "right"):
            self.step(key)
        elif key == "enter":
            self.enter()
        elif key in ("escape", "ctrl+p") or (key == "backspace" and not palette.typed):
            self.palette = None
        else:
            return palette.hear(key, character)
        return True

    def step(self, where: str) -> None:
        question, self.trouble = self.shown, ""
        if question is not None:
            across = -1 if question.draft.number else self.columns
            question.draft.move({"left": -1, "right": 1, "up": -across, "down": across}[where])

    def enter(self) -> None:
        question, done = self.shown, self._sent if self.palette is None else _done
        self.clear()
        if question is not None:
            try:
                answer = question.draft.enter()
                if answer is not None:
                    done(question, answer)
            except Refused as refusal:
                self.refuse(refusal)

    def point(self, place: int) -> None:
        """Move the cursor to a choice, and select it if several can be; if it's there already, send it."""
        question, self.trouble = self.shown, ""
        if question is None:
            return
        again = question.draft.point(place)
        if question.draft.several:
            question.draft.mark()
        elif again:
            self.enter()

    def undo(self) -> None:
        question = self.question()
        if question is not None and question.draft.undo():
            self.trouble = ""

    def choices(self, view: View | None) -> list[PaletteItem]:
        question, words = self.question(), self._words()
        return [] if question is None else [
            PaletteItem(words.choice(choice, view), partial(self._choose, question, place), str(place + 1))
            for place, choice in enumerate(question.draft.choices)
        ]  # fmt: skip

    def _choose(self, question: PromptQuestion, place: int) -> None:
        """Choose from the question behind the palette; raise `Refused` if it's closed by now."""
        if self.question() is not question:
            raise Refused(N_("That is not asked any more."))
        question.draft.point(place)
        if question.draft.several:
            question.draft.mark()
        else:
            self.enter()


def _done(question: PromptQuestion, answer: Any) -> None:
    """Carry out an item of the palette: its question isn't the session's."""
    question.done(answer)
