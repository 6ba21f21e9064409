"""Whole matches in lines and in JSON are today what they were when the golden files were written."""

from __future__ import annotations

import pytest
from tests.core.ui.transcripts import GAMES, GOLDEN, golden


@pytest.mark.battery
@pytest.mark.parametrize("game", GAMES)
def test_transcripts_are_byte_for_byte_the_same(game: str) -> None:
    """After a wanted change write the files anew: `python -m tests.core.ui.transcripts`."""
    assert golden(game) == (GOLDEN / f"{game}.txt").read_text(encoding="utf-8")
