"""The characters for drawing tables, in two sets: Unicode characters of common fonts, and ASCII."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tavolata._ui.scene.identity import MARKS, PLAIN_MARKS
from tavolata._ui.tui.drawing.runs import Line, width


@dataclass(frozen=True, slots=True)
class BoxSigns:
    left_top: str
    right_top: str
    left_low: str
    right_low: str
    across: str
    side: str

    def top(self, inner: int) -> str:
        """Return the first line of a box that is `inner` cells wide inside."""
        return self.left_top + self.across * inner + self.right_top

    def around(self, rows: Iterable[Line], inner: int, role: str, head: Line = ()) -> list[Line]:
        """Put a box around rows of `inner` cells, with `head` at the left of its upper edge."""
        side = (self.side, role)
        top = self.across * (inner - width(head)) + self.right_top
        low = self.left_low + self.across * inner + self.right_low
        boxed = ((side, *row, side) for row in rows)
        return [((self.left_top, role), *head, (top, role)), *boxed, ((low, role),)]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters.

    Attributes:
        round, heavy, double, dotted: boxes: normal, pointed at, new or taken, not possible.
        across, down: lines between regions.
        bar: the edge of a player's panel.
        back: the back of a card.
        coin: one unit of a small amount.
        cursor: the mark of the choice under the cursor.
        on, off: the mark of a choice that is selected or not, if several can be.
        lane: the lane behind a token, before it, and the way that it has just run.
        target: the square on which a choice would put a token.
        full, empty: the parts of a bar and of pips.
        up, down_by: the marks of a number that has grown or shrunk.
        spark: the heights of a line of numbers.
        enter: the answer key on the act button.
        arrows: the way to the left and to the right.
        horse: the token of a lane of two rows: before its letter, behind it, and the legs below.
        shade: what is below the line of a chart.
        times: the sign between a number and what is counted.
        marks: by the mark of a seat, what is drawn for it.
        suits: whether a suit may be shown by its symbol.
        joints: where the lines of a grid meet.
    """

    round: BoxSigns
    heavy: BoxSigns
    double: BoxSigns
    dotted: BoxSigns
    across: str
    down: str
    bar: str
    back: str
    coin: str
    cursor: str
    on: str
    off: str
    lane: tuple[str, str, str]
    target: str
    full: str
    empty: str
    up: str
    down_by: str
    spark: str
    dot: str
    ellipsis: str
    enter: str
    star: str
    arrows: tuple[str, str]
    times: str
    horse: tuple[str, str, str]
    shade: str
    marks: dict[str, str]
    suits: bool
    joints: dict[tuple[bool, bool, bool, bool], str]


def _joints(signs: str) -> dict[tuple[bool, bool, bool, bool], str]:
    """Return the sign for each way lines can meet: up, down, left, right."""
    return {
        tuple(way in ways for way in "udlr"): sign  # type: ignore[misc]  # of four
        for ways, sign in zip(
            ("udlr", "ulr", "dlr", "udr", "udl", "dr", "dl", "ur", "ul"), signs, strict=True
        )
    }


UNICODE: Final = Glyphs(
    BoxSigns(*"╭╮╰╯─│"), BoxSigns(*"┏┓┗┛━┃"), BoxSigns(*"╔╗╚╝═║"), BoxSigns(*"┌┐└┘╌╎"),
    "─", "│", "▌", "▒", "●", "❯", "✓", "○",
    ("━", "·", "╍"), "◇", "▰", "▱", "+", "−", "▁▂▃▄▅▆▇█", "·", "…", "⏎", "★", ("◂──", "──▸"), "×",
    ("▗▄▄", "▟▀▘", "▞▚ ▞▚"), "░",
    {mark: mark for mark in MARKS}, suits=True, joints=_joints("┼┴┬├┤╭╮╰╯"),
)  # fmt: skip
ASCII: Final = Glyphs(
    BoxSigns(*"++++-|"), BoxSigns(*"#####"+"#"), BoxSigns(*"=====\""), BoxSigns(*"....::"),
    "-", "|", "|", "#", "*", ">", "x",
    "o", ("=", ".", "~"), "?", "#", ".", "+", "-", "._-=#", "-", "~", ">", "*", ("<--", "-->"), "x",
    ("~__", "_/^", "/| /|"), ":",
    dict(zip(MARKS, PLAIN_MARKS, strict=True)), suits=False, joints=_joints("+" * 9),
)  # fmt: skip
