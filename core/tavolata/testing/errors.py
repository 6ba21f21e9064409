"""Errors of the test kit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tavolata.testing.cases import Case


class CheckFailed(AssertionError):
    """A game does not pass a check, named once it is known.

    `case` is the match in which it showed; None where no match was needed. `entry` is how many entries the
    log had then; None where that says nothing.
    """

    def __init__(self, sentence: str, *, case: Case | None = None, entry: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.case = case
        self.entry = entry
        self.check = ""

    def __str__(self) -> str:
        lines = [self.sentence if not self.check else f"{self.check}: {self.sentence}"]
        if self.case is not None:
            at = "" if self.entry is None else f", after {self.entry} entries of the log"
            lines.append(f"in {self.case}{at}")
            if self.check:
                lines.append(f"again: {self.case.command(self.check)}")
        return "\n  ".join(lines)


class ScriptError(AssertionError):
    """A rehearsal's script does not fit the rules: it ran dry, or an answer of it was refused."""
