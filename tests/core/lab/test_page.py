"""A report as a file of HTML."""

from __future__ import annotations

import re

from tavolata._lab.blocks import Bar, Bars, Chapter, Curves
from tavolata._lab.page import page


def test_a_bar_has_its_name() -> None:
    """Whose share a bar is stands before it."""
    bars = Bars("Wins", [Bar("Ann & Ben", 40.0, 30.0, 50.0)], " %")
    assert ">Ann &amp; Ben</text>" in page("Report", [Chapter("One", [bars])], "en")


def test_nothing_of_a_bar_below_zero_lies_over_its_name() -> None:
    """A level that nearly always loses may have fewer than no points; bars begin at zero all the same."""
    drawn = page("Report", [Chapter("One", [Bars("Ratings", [Bar("weak", -300, -500, -100)])])], "en")
    places = [float(one) for one in re.findall(r' x[12]?="([\d.-]+)"', drawn)]
    assert places
    assert min(places) >= 20 + 12 * len("weak") - 8


def test_a_course_without_a_difference_has_a_scale() -> None:
    """Nobody has ever scored: the scale goes from 0 to 1, and can be drawn."""
    flat = Curves("Scores", [("Ann", (0.0, 0.0))])
    assert flat.reach == (0.0, 1.0)
    assert "<polyline" in page("Report", [Chapter("One", [flat])], "en")
