"""The history in lines: a match is told with its awards, in the person's language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tavolata._cli.command_context import CommandContext
from tavolata._cli.history import _show_matches
from tavolata._engine.storage.history import ME, PastMatch, Player


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "Ann won. Ann: clean tab."), ("it", "Ha vinto Ann. Ann: conto pulito.")]
)
def test_awards_stand_beside_the_result(lang: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The game's words, translated; an award that says nothing without its numbers is left out."""
    players = (
        Player("Ann", ME, None, True, awards=("clean tab",)),
        Player("Ada", "bot:easy", "easy", False, awards=("{n} of a kind",)),
    )
    match = PastMatch(
        "0123456789abcdef",
        "conto",
        "open",
        datetime(2026, 1, 2, tzinfo=UTC),
        7,
        True,
        False,
        None,
        {},
        players,
        {},
        None,
    )
    _show_matches(CommandContext({"lang": lang}, {}), [match], {match.id: 1})
    out = " ".join(capsys.readouterr().out.split())
    assert line in out
    assert "of a kind" not in out
    assert match.id not in out
