"""`tt play`: who sits at the keyboard."""

from __future__ import annotations

import pytest

from tavolata._engine.storage.match_file import match_files, read

from .test_cli import tt


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("--as Ann,Ben", ["Ann", "Ben"]),
        ("--as Ben,Ann --bots 2", ["Ben", "Ann"]),
        ("--as Ann,Ben,Cleo --humans 3", ["Ann", "Ben", "Cleo"]),
        ("--as Ann --humans 2", ["Ann", "Ann 2"]),
        ("--as Ann,Ben --bot random", ["Ann", "Ben"]),
    ],
)
def test_as_names_everybody_at_one_keyboard(words: str, names: list[str]) -> None:
    """`--as Ann,Ben` seats two people of these names, and `--humans` need not be said."""
    done = tt("play", "zompa", "--seed", "1", "--ui", "plain", *words.split())
    assert done.returncode == 7, done.stderr
    header = read(match_files()[0]).header
    assert list(header["names"][: len(names)]) == names
    assert list(header["bots"]).count(None) == len(names) - ("--bot" in words.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--as Ann,Ann", "Two people at one keyboard need two names, not Ann, Ann."),
        ("--as Ann,", "A name needs at least one letter."),
        ("--as Ann,Ben --humans 3", "--as names 2 people, and --humans says 3; one of them is enough."),
        ("--as Ann,Ben --bots 4 --seats 5", "2 players and 4 bots don't make 5 seats."),
        ("--humans 0", "Somebody has to sit down"),
    ],
)
def test_names_that_fit_nothing_are_refused_with_the_reason(words: str, said: str) -> None:
    """One sentence says what contradicts what, and nothing is played."""
    before = match_files()
    done = tt("play", "zompa", "--seed", "1", "--ui", "plain", *words.split())
    assert said in done.stderr
    assert done.returncode == 2
    assert match_files() == before
