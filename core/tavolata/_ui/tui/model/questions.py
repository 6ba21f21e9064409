"""Questions of the program itself, put like those of a game: what to do, which bots, leave or stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tavolata._ui.tui.model.draft import Draft
from tavolata.asks import Ask
from tavolata.kinds.kind import Kind


@dataclass
class Question:
    """What stands in the prompt now.

    Attributes:
        prompt: what is asked, in words.
        kind: what can be answered.
        done: called with the answer in its index form; raises `Refused` if it can't be.
        ask: the question of the game, if it is one.
        cursor: the place of the choice that is pointed at first.
        draft: the answer in the making.
    """

    prompt: str
    kind: Kind
    done: Callable[[Any], object]
    ask: Ask | None = None
    cursor: int = 0
    draft: Draft = field(init=False)

    def __post_init__(self) -> None:
        self.draft = Draft(self.kind, self.cursor)
