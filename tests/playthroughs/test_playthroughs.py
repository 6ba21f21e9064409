"""The bundled games: golden playthroughs that people can read, and the battery."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tavolata.testing import checks, replay_playthrough
from tavolata_bang.rules import Bang
from tavolata_conto.rules import Conto
from tavolata_horse_fever.rules import HorseFever
from tavolata_jumpy_jack.rules import JumpyJack
from tavolata_zompa.rules import Zompa

HERE = Path(__file__).parent
GAMES: dict[str, type[Any]] = {
    "bang": Bang,
    "conto": Conto,
    "horse-fever": HorseFever,
    "jumpy-jack": JumpyJack,
    "zompa": Zompa,
}
FILES = sorted(HERE.glob("*/*.txt"))
MATCHES = [1, pytest.param(4, marks=pytest.mark.long)]
FEWER = {checks.save_and_resume_everywhere: 1}
"""Matches of the checks that look at a match from a hundred places."""
QUICK: dict[str, dict[str, Any]] = {
    "bang": {"cap": 120},
    "conto": {"hands": 1},
    "horse-fever": {"turns": 1},
    "jumpy-jack": {"points": 3},
}
"""House rules that make a long game short enough to be resumed after every entry."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_the_rules_play_it_as_it_was_written_down(file: Path) -> None:
    """Each line of a recorded match is what the rules, and the words of its language, still make of it."""
    replay_playthrough(GAMES[file.parent.name], file)


@pytest.mark.battery
@pytest.mark.parametrize("matches", MATCHES, ids=["some", "many"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("check", checks.ALL, ids=repr)
def test_bundled_games_pass_the_battery(check: checks.Check, game: type[Any], matches: int) -> None:
    """Every bundled game passes every check that authors can run; `python -m tavolata.testing` plays more."""
    check(
        game,
        matches=min(FEWER.get(check, matches), check.of(checks.check.MATCHES)),
        options=QUICK.get(game.name),
    )


def test_each_bundled_game_has_playthroughs_in_both_languages() -> None:
    """No game is without a written match in English and one in Italian."""
    told = {(file.parent.name, file.name.split(".")[1]) for file in FILES}
    assert told == {(name, lang) for name in GAMES for lang in ("en", "it")}
