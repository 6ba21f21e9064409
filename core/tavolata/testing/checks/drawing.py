"""The check that every face can draw a game."""

from __future__ import annotations

from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each


@each(share=10)
def drawn_everywhere(case: Case) -> None:
    """Plain text, JSON, the screen at 80×24 and 120×36 and a phone's page can draw it for each viewer."""
    from tavolata.testing.checks.faces import draw_everywhere  # noqa: PLC0415 - nothing else here wants a screen

    draw_everywhere(case)
