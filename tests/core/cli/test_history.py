"""The history in lines: a match is told with its awards, in the person's language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tavolata._cli.command_context import CommandContext
from tavolata._cli.history import _show_matches, _show_opponents, _show_ratings, match_lines
from tavolata._engine.storage.history import ME, PastMatch, Player


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "Ann won. Ann: clean tab."), ("it", "Vittoria di Ann. Ann: conto pulito.")]
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


@pytest.mark.parametrize(
    ("lang", "bots"),
    [
        ("en", "bots (normal): 2 matches together, you won 1, they won 1."),
        ("it", "bot (normale): 2 partite insieme; vittorie tue: 1, sue: 1."),
    ],
)
def test_the_bots_of_a_level_are_one_opponent(
    lang: str, bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three of them in a match are one match against them, and none of their names stands for them."""

    def match(number: int, winner: int) -> PastMatch:
        names = (("Ann", ME, None), *((name, "bot:normal", "normal") for name in ("Ada", "Ivo", "Ugo")))
        players = tuple(
            Player(name, who, level, seat == winner) for seat, (name, who, level) in enumerate(names)
        )
        ended = datetime(2026, 1, number, tzinfo=UTC)
        return PastMatch(str(number), "conto", "open", ended, 7, True, False, None, {}, players, {}, None)

    _show_opponents(CommandContext({"lang": lang}, {}), [match(1, 0), match(2, 3)])
    assert capsys.readouterr().out.splitlines() == [bots]


def a_match() -> PastMatch:
    names = (("Ann", ME, None), *((name, "bot:normal", "normal") for name in ("Ada", "Ivo", "Ugo")))
    players = tuple(Player(name, who, level, name == "Ivo") for name, who, level in names)
    ended = datetime(2026, 1, 2, 12, tzinfo=UTC)
    return PastMatch("1", "conto", "open", ended, 7, True, False, None, {}, players, {}, None)


def test_bots_of_one_level_stand_together_and_a_match_is_heard_as_a_sentence() -> None:
    """At 80 columns a match of five has two lines, not six; a screen reader gets no table."""
    seen = match_lines(CommandContext({"lang": "en"}, {}), [a_match()], {"1": 3}, 80)
    assert len(seen) <= 3
    assert "Ann; bots (normal): Ada," in seen[1]
    heard = CommandContext({"lang": "en", "screen_reader": "yes"}, {})
    (line,) = match_lines(heard, [a_match()], {"1": 3}, 80)
    assert line.startswith("3. ")
    assert line.endswith(", Il Conto, Prego!: Ivo won. Ann; bots (normal): Ada, Ivo, Ugo.")


def test_a_rating_names_the_game_by_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    """The number stands beside whose it is."""
    _show_ratings(CommandContext({"lang": "en"}, {}), [a_match()])
    assert "Il Conto, Prego!: bots (normal) 1138 (1 match)" in capsys.readouterr().out
