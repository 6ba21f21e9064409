"""The themes: colours that everybody can tell apart."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import pytest
from textual.theme import Theme

from tavolata._ui.tui.widgets.themes import DARK, LIGHT

Triple = tuple[float, float, float]
SIGHTS: Final[dict[str, tuple[Triple, Triple, Triple]]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What becomes of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""
TO_XYZ: Final = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728))
"""From linear red, green and blue to X, Y and Z, each as a share of white."""
CLEAR: Final = 20.0
"""A distance in CIELAB that nobody overlooks; about 2 can just be seen."""


def through(matrix: tuple[Triple, Triple, Triple], values: list[float]) -> list[float]:
    """A matrix times a vector, within 0 and 1."""
    return [min(1.0, max(0.0, sum(a * b for a, b in zip(row, values, strict=True)))) for row in matrix]


def seen(colour: str, sight: str) -> Triple:
    """A colour in CIELAB, as a person of this sight sees it."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    x, y, z = (
        one ** (1 / 3) if one > 216 / 24389 else (24389 / 27 * one + 16) / 116
        for one in through(TO_XYZ, through(SIGHTS[sight], linear))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: str(theme.name))
def test_the_colours_of_things_are_told_apart_by_every_sight(theme: Theme, sight: str) -> None:
    """Whatever the colour blindness, any two colours of things, and the background, differ clearly."""
    colours = {name: code for name, code in theme.variables.items() if name.startswith("thing-")}
    assert len(colours) == 6
    points = {
        name: seen(code, sight) for name, code in {**colours, "background": str(theme.background)}.items()
    }
    apart = {
        (one, other): sum((a - b) ** 2 for a, b in zip(points[one], points[other], strict=True)) ** 0.5
        for one, other in combinations(points, 2)
    }
    assert {pair: gap for pair, gap in apart.items() if gap < CLEAR} == {}


def brightness(colour: str) -> float:
    """How bright a colour is, as WCAG counts it; white has 1."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: str(theme.name))
def test_every_text_can_be_read_on_the_background(theme: Theme) -> None:
    """Whatever is written has a contrast of 4.5 at least, edges and marks have 3."""
    text = {
        name: code for name, code in theme.variables.items() if name.startswith(("thing-", "hue-", "quiet"))
    }
    for name in ("primary", "secondary", "accent", "warning", "error", "success", "foreground"):
        text[name] = str(getattr(theme, name))
    back = brightness(str(theme.background))
    contrast = {}
    for name, code in {**text, "edge": theme.variables["edge"]}.items():
        low, high = sorted((back, brightness(code)))
        contrast[name] = (high + 0.05) / (low + 0.05)
    assert contrast.pop("edge") >= 3
    assert {name: ratio for name, ratio in contrast.items() if ratio < 4.5} == {}


def test_equal_looking_colours_are_found() -> None:
    """The measure itself: a red and a green of equal brightness meet for who can't tell red from green."""
    one, other = (seen(colour, "deuteranopia") for colour in ("#a07020", "#7c8420"))
    usual = [seen(colour, "usual") for colour in ("#a07020", "#7c8420")]
    near = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
    assert near < CLEAR < sum((a - b) ** 2 for a, b in zip(*usual, strict=True)) ** 0.5
