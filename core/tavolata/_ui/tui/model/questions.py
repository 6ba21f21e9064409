"""Questions of the program itself, in the same form as a game's: what to do, which bots, leave or stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavolata._ui.scene.viewpoint import Begun
from tavolata._ui.tui.model.draft import Draft
from tavolata.asks import Ask
from tavolata.choices import Answer, Choice
from tavolata.kinds.one_of import OneOf
from tavolata.kinds.question import Question

Rows = list[tuple[str, Callable[[], object]]]
"""Actions to choose from: the label and the function of each."""
Say = Callable[..., str]
"""Translates a message of the program."""


@dataclass
class PromptQuestion:
    """A question in the prompt.

    `done` gets the answer in its index form, and raises `Refused` if it isn't possible. `ask` is the game's
    question, if it is one. For `cursor` and `allows` see `Draft`.
    """

    prompt: str
    kind: Question
    done: Callable[[Any], object]
    ask: Ask | None = None
    cursor: int = 0
    allows: Callable[[Answer], bool] | None = None
    draft: Draft = field(init=False)

    def __post_init__(self) -> None:
        why = self.ask.claim.reason if self.ask is not None and self.ask.claim is not None else ""
        self.draft = Draft(self.kind, self.cursor, self.allows, why)

    def begun(self) -> Begun:
        draft = self.draft
        fits = [draft.fits(place) for place in range(len(draft.choices))]
        return Begun(
            self.prompt, self.kind, self.ask, draft.fields, draft.given, draft.cursor, draft.marked,
            draft.typed, fits,
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
