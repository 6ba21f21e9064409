"""Looks: how a face or a thing on a board is shown, in a few characters, in words and in a colour.

A look is for people only. It isn't state, is in no log, and no rule or bot needs it.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Final

from tavolata.errors import PieceError
from tavolata.messages import Text

INKS: Final = ("green", "blue", "red", "black", "white", "yellow")
"""The colours of things; people who see colours otherwise can tell them apart, too."""
SHORT: Final = 3
"""The most cells of a short look."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a face is shown: `Deck("rooms", ROOMS, look=lambda room: Look("5", N_("five coins"), "yellow"))`.

    Attributes:
        short: one to three cells, for small cards and boards.
        text: the whole in words: a message id, or a `Text` with parameters.
        ink: one of green, blue, red, black, white and yellow; None for none.
        sign: a suit or the like in one or two cells, beside `short`.
        title: what stands in the middle of a large card; a message id, or a `Text`.
        tag: what is at its foot; a message id, or a `Text`.

    Raises:
        PieceError: `short` or `sign` doesn't fit, or it is of another colour.
    """

    short: str
    text: str | Text
    ink: str | None = None
    _: KW_ONLY
    sign: str = ""
    title: str | Text = ""
    tag: str | Text = ""

    def __post_init__(self) -> None:
        from rich.cells import cell_len  # noqa: PLC0415 - games are imported without what draws

        if not 0 < cell_len(self.short) <= SHORT:
            raise PieceError(
                f"A short look has 1 to {SHORT} cells, and {self.short!r} has {cell_len(self.short)}."
            )
        if cell_len(self.sign) > SHORT - 1:
            raise PieceError(f"The sign of a look has at most two cells, and {self.sign!r} has more.")
        if self.ink is not None and self.ink not in INKS:
            raise PieceError(f"There is no ink {self.ink!r}; there is {', '.join(INKS)}.")
