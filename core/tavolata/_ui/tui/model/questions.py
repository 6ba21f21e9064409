"""Questions of the program itself, in the same form as a game's: what to do, which bots, leave or stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tavolata._ui.tui.model.draft import Draft
from tavolata.asks import Ask
from tavolata.kinds.kind import Kind


@dataclass
class Question:
    """A question in the prompt.

    Attributes:
        prompt: the question in words.
        kind: the kind of answer.
        done: called with the answer in its index form; raises `Refused` if the answer is not possible.
        ask: the game's question, if it is one.
        cursor: the place of the choice that is first under the cursor.
        draft: the unfinished answer.
    """

    prompt: str
    kind: Kind
    done: Callable[[Any], object]
    ask: Ask | None = None
    cursor: int = 0
    draft: Draft = field(init=False)

    def __post_init__(self) -> None:
        self.draft = Draft(self.kind, self.cursor)
