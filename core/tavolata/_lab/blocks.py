"""Blocks of a report: tables, bars and curves as plain data, without a form. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Tabulation:
    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Bars:
    """Bars with their intervals.

    `unit` follows each number, such as " %". `mark` is drawn as a line for comparison, with the meaning
    `marked`.
    """

    title: str
    bars: Sequence[Bar]
    unit: str = ""
    mark: float | None = None
    marked: str = ""

    @property
    def top(self) -> float:
        return max([1e-9, *(bar.high for bar in self.bars), *([] if self.mark is None else [self.mark])])


@dataclass(frozen=True)
class Curves:
    """Lines over the course of a match, from its beginning to its end.

    `lines` has, by label, the values at points of equal distance; the values in `scale` are on the scale in
    any case.
    """

    title: str
    lines: Sequence[tuple[str, Sequence[float]]]
    scale: Sequence[float] = ()

    @property
    def reach(self) -> tuple[float, float]:
        """The lowest and the highest value; they differ."""
        values = [*self.scale, *(one for _, line in self.lines for one in line)]
        low, high = min([*values, 0.0]), max([*values, 0.0])
        return low, high if high > low else low + 1


Block = Paragraph | Tabulation | Bars | Curves


@dataclass(frozen=True)
class Chapter:
    title: str
    blocks: Sequence[Block]


def number(value: float) -> str:
    """Write a number with about three digits."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
