"""The prompt: the open question with its unfinished answer, or the command palette in front of it.

Questions of the program itself have the same form as a game's. A palette is a list of actions that typed
letters narrow down; decision 0023 explains why this is not Textual's. Pure: keys and clicks are calls, and
a complete answer goes to the question's own function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tavolata._engine.sessions.session import TableSession
from tavolata._ui.answers import bare
from tavolata._ui.scene.viewpoint import Begun
from tavolata._ui.standing import Standing
from tavolata._ui.tui.model.draft import Draft
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.one_of import OneOf
from tavolata.kinds.question import Question
from tavolata.messages import N_
from tavolata.view import View

Rows = list[tuple[str, Callable[[], object]]]
"""Actions to choose from: the label and the function of each."""
Say = Callable[..., str]
"""Translates a message of the program."""


@dataclass(eq=False)
class PromptQuestion:
    """A question in the prompt.

    `done` gets the answer in its index form, and raises `Refused` if it isn't possible. `ask` is the game's
    question, if it is one. For `cursor`, `allows` and `order` see `Draft`. `aims` is set if the person has
    pointed at something since the last hint. `meant` is what Enter means: the person's own moves don't change
    it.
    """

    prompt: str
    kind: Question
    done: Callable[[Any], object]
    ask: Ask | None = None
    cursor: int = 0
    allows: Callable[[Answer], bool] | None = None
    order: Callable[[Sequence[Choice]], Sequence[int]] | None = None
    draft: Draft = field(init=False)
    aims: bool = False
    meant: object = field(default_factory=object)

    def __post_init__(self) -> None:
        why = self.ask.claim.reason if self.ask is not None and self.ask.claim is not None else ""
        self.draft = Draft(self.kind, self.cursor, self.allows, why, self.order)

    def point(self, place: int) -> bool:
        """Move the cursor to this choice; return True if it was on it already."""
        self.aims = True
        return self.draft.point(place)

    @property
    def labels(self) -> tuple[object, ...]:
        """The rows of the program's own question."""
        return tuple(choice.params.get("what") for choice in self.draft.choices)

    def follow(self, before: PromptQuestion) -> None:
        """Stay on the row on which the cursor was; where that is gone, Enter means something new.

        While nobody has pointed at anything, the first row is offered, whichever that is.
        """
        pointed, self.aims = before.labels[before.draft.cursor], before.aims
        if pointed in self.labels and (before.aims or pointed == self.labels[0]):
            self.draft.cursor, self.meant = self.labels.index(pointed), before.meant
            self.draft.typed = before.draft.typed  # a row from 10 on has two digits

    def begun(self) -> Begun:
        draft = self.draft
        fits = [draft.fits(place) for place in range(len(draft.choices))]
        return Begun(
            self.prompt, self.kind, self.ask, draft.fields, draft.given, draft.cursor, draft.marked,
            draft.typed, fits, decides=draft.decides, later=frozenset(card.id for card in draft.later),
            held=None if draft.held is None else draft.held.id, choices=draft.choices,
        )  # fmt: skip


def nothing() -> None:
    """Do nothing: for a row that leaves everything as it is."""


def chosen(prompt: str, rows: Rows, cursor: int = 0, keys: Sequence[str] = ()) -> PromptQuestion:
    """Return a question with these rows as choices; its answer calls the row's function.

    `keys` are the letters of the first rows; "" for none.
    """
    letters = dict(enumerate(keys))
    kind = OneOf([
        Choice(at, "{what}", params={"what": label}, key=letters.get(at, ""))
        for at, (label, _) in enumerate(rows)
    ])  # fmt: skip
    return PromptQuestion(prompt, kind, lambda answer: rows[answer][1](), cursor=cursor)


def interject(session: TableSession, row: Standing, ask: Callable[[PromptQuestion], object]) -> None:
    """Make this interjection; `ask` for its value if that has to be typed."""

    def done(answer: Any) -> None:
        session.interject(row.seat, row.name, row.question.value_of(answer))

    if row.place is None:
        ask(PromptQuestion(row.label, row.question, done))
    else:
        session.interject(row.seat, row.name, row.value)


FIND = N_("Find: {typed}_")
BEGIN = N_("Find: _ (type a choice, a command, a rule, something on the table or a player)")
NOTHING = N_("no results")
MINUTES = re.compile(r"(\d+) (min)")
"""A length as people type it; it's one word for the search."""
NO_WAY = N_("You can't choose that card here.")


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """An action that can be found by typing: by its name, or by the words in `more`.

    `do` may raise `Refused`. `fits` judges each typed number; without it, numbers are part of the words.
    """

    what: str
    do: Callable[[], object]
    more: str = ""
    fits: Callable[[str], bool] | None = None

    def has(self, word: str, text: str) -> bool:
        """Return True if a typed word finds it, `text` being its own words."""
        return word in text if self.fits is None or not word[0].isdecimal() else self.fits(word)


class Palette:
    """The palette with the letters typed so far; the most likely items come first."""

    def __init__(self, items: Sequence[PaletteItem], say: Say, begin: str) -> None:
        self._items, self._say, self._begin = items, say, begin
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
        wanted = MINUTES.sub(r"\1\2", bare(self.typed)).split()
        texts = [(one, bare(f"{one.what} {one.more}")) for one in self._items]
        there = [(one, text) for one, text in texts if all(one.has(word, text) for word in wanted)]
        return [one for one, text in sorted(there, key=lambda pair: -_begun(wanted, pair[1]))]

    def _asked(self) -> PromptQuestion:
        found = self.found() or [PaletteItem(self._say(NOTHING), nothing)]
        prompt = self._say(FIND, {"typed": self.typed}) if self.typed else self._say(self._begin)
        return chosen(prompt, [(one.what, one.do) for one in found])


def _begun(wanted: Sequence[str], text: str) -> int:
    """Count the words that begin a word of the text; more if the text begins with the first."""
    begins = sum(f" {word}" in f" {text}" for word in wanted)
    return begins + (bool(wanted) and text.startswith(wanted[0]))


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

    def open(self, items: Sequence[PaletteItem], begin: str) -> None:
        """Open the palette; `begin` says what can be typed."""
        self.trouble, self.palette = "", Palette(items, self._words().text, begin)

    def clear(self) -> None:
        self.trouble, self.palette = "", None

    def refuse(self, refusal: Refused) -> None:
        self.trouble = self._words().text(refusal.message, refusal.params)

    def hear(self, key: str, character: str) -> bool:
        """Handle a key of the open palette; return False for keys that keep their normal meaning."""
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
            question.aims = True
            across = -1 if question.draft.number else self.columns
            question.draft.move({"left": -1, "right": 1, "up": -across, "down": across}[where])

    def enter(self) -> None:
        question, palette = self.shown, self.palette
        self.clear()
        if question is not None:
            try:
                answer = question.draft.enter()
                if answer is not None and palette is None:
                    self._sent(question, answer)
                elif answer is not None:
                    question.done(answer)  # an item of the palette: it isn't the session's question
            except Refused as refusal:
                self.refuse(refusal)

    def point(self, place: int) -> None:
        """Move the cursor to a choice, and select it if several can be; if it's there already, send it."""
        question, self.trouble = self.shown, ""
        if question is None:
            return
        again = question.point(place)
        if question.draft.several:
            question.draft.mark()
        elif again:
            self.enter()

    def hold(self, card: int) -> None:
        """Hold a card of a later field, by the number of its handle."""
        question, self.trouble = self.shown, ""
        if question is not None:
            question.aims = True
            found = next((one for one in question.draft.later if one.id == card), None)
            if found is not None and not question.draft.hold(found):
                self.trouble = self._words().text(NO_WAY)

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
            raise Refused(N_("That question is closed."))
        question.draft.point(place)
        if question.draft.several:
            question.draft.mark()
        else:
            self.enter()
