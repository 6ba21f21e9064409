"""The findings of a check of a match: sentences about what is right, or an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tavolata._engine.match.header import Header
from tavolata.errors import MessageError


class Wrong(MessageError):
    """A match was not played as its file says, or the file was changed; the sentence says where."""


@dataclass
class Findings:
    """The results of a check.

    `told` has sentences in the order of checking. `next` is the header of the match in which those who were
    there continued. `snapshots` has, by chain hash of the log, the packed states from which they could have
    continued. `without` is the reason why the rules couldn't be followed. `is_unfinished` is True if
    everything in the file is right, but its end is missing.
    """

    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    next: Header | None = None
    snapshots: Mapping[bytes, bytes] = field(default_factory=dict)
    without: MessageError | None = None
    is_unfinished: bool = False

    def tell(self, message: str, **params: Any) -> None:
        self.told.append((message, params))

    def leave_off(self, message: str, **params: Any) -> None:
        """Add a sentence that says that the file ends before its match."""
        self.tell(message, **params)
        self.is_unfinished = True
