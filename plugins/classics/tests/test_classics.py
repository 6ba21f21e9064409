"""What holds for every game of the package: the kit, both languages, both rulebooks, a written match."""

from __future__ import annotations

import ast
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import tavolata_classics
from tavolata import Game, Seat
from tavolata._engine.match.match import Match
from tavolata._engine.match.worlds import new_match
from tavolata._engine.plugins.source_code import code_of
from tavolata._ui.i18n import Translator
from tavolata.bots import Bot
from tavolata.testing import USUAL_BOTS, Case, checks, rehearse, replay_playthrough
from tavolata.testing.checks.judging import SilentSource
from tavolata.testing.recording import terms_of
from tavolata.testing.translations import mistakes

HERE = Path(__file__).parent
GAMES: dict[str, type[Game[Any]]] = {game.name: game for game in tavolata_classics.tavolata_games()}
SHORT: dict[str, dict[str, Any]] = {"scala40": {"points": 51}}
"""House rules that make a long game short enough to be resumed after every entry."""
SEARCHES = {"scala40": "melds.py"}
"""A module that searches: how is no part of the rules, so it's counted on its own."""
SEATS: dict[str, int] = {"scala40": 6}
"""The number of players with whom a game is shortest, where all numbers would take too long."""


def bots_of(name: str) -> list[type[Bot]]:
    return [bot for game, bot in tavolata_classics.tavolata_bots() if game == name]


def book(name: str, lang: str) -> str:
    folder = resources.files("tavolata_classics") / name
    return folder.joinpath("rules.it.md" if lang == "it" else "rules.md").read_text(encoding="utf-8")


@pytest.mark.battery
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("check", checks.ALL, ids=repr)
def test_it_passes_the_battery(check: checks.Check, name: str) -> None:
    """Every check that authors can run, with the game's own bots, too."""
    bots = (*USUAL_BOTS, *bots_of(name))
    check(GAMES[name], bots=bots, matches=1, options=SHORT.get(name), seats=SEATS.get(name))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cucu", {"horses": True}),
        ("scala40", {"points": 51}),
        ("settemezzo", {"hands": 3}),
        ("tressette", {"points": 11}),
    ],
)
def test_a_machine_that_declares_nothing_costs_nobody_the_match(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a seat's machine should say something of its cards and doesn't, the rules play to their end."""

    forfeit = Mock(side_effect=AssertionError("A seat forfeits the match."))
    monkeypatch.setattr(GAMES[name], "forfeit", forfeit)
    bots, teams = tuple(bots_of(name)[:1]), 2 if GAMES[name].teams else 0
    case = Case(GAMES[name], 4, options, bots=bots, teams=teams)
    match: Match[Any] = new_match(GAMES[name], terms_of(case), SilentSource(case, 0))
    match.run()
    assert match.outcome is not None
    assert match.conviction is None


def loses_all(game: Any) -> None:
    """Let the first seat be out."""
    match game.name:
        case "cucu":
            game.lives[0].pay(game.lives[0].value, game.grave)
        case "liars":
            game.cups[0].move_to(game.box)
        case "scala40":
            game.out.append([Seat(0)])
        case "settemezzo":
            game.chips[0].pay(game.chips[0].value, game.chips[1])


@pytest.mark.parametrize("name", ["cucu", "liars", "scala40", "settemezzo"])
def test_a_player_who_is_out_wins_no_forfeit(name: str) -> None:
    """If another player leaves, those still in win, and only if none of them is left, the one who's out."""
    played = rehearse(GAMES[name], seats=3, turns=0)
    loses_all(played.game)
    ends = [played.game.forfeit(played.table, gone).winners for gone in ((Seat(1),), (Seat(1), Seat(2)))]
    assert ends == [(2,), (0,)]


@pytest.mark.parametrize("name", GAMES)
def test_a_change_to_another_game_changes_nothing_for_it(name: str) -> None:
    """A game is the modules of its own folder that its rules import, and the package without its hooks."""
    files = code_of(GAMES[name]).files
    assert {f"tavolata_classics/{name}/rules.py", "tavolata_classics/__init__.py"} <= files.keys()
    assert all(re.fullmatch(rf"tavolata_classics/({name}/)?\w+\.py", path) for path in files)


def test_an_italian_player_sees_no_english() -> None:
    """Each sentence, label and face has its Italian in the catalogue of the package."""
    assert mistakes("tavolata_classics", "it") == []


@pytest.mark.parametrize("name", GAMES)
def test_the_rulebooks_have_the_same_chapters(name: str) -> None:
    """Both languages have as many chapters, points and rows, and name every option and every level."""
    shapes = [re.findall(r"^(#+ |- |\d\. |\|)", book(name, lang), re.MULTILINE) for lang in ("en", "it")]
    assert shapes[0] == shapes[1]
    levels = {bot.level for bot in bots_of(name)}
    assert levels == {"easy", "normal", "hard"}
    options = {spec.name for spec in GAMES[name].options.describe()}
    for lang in ("en", "it"):
        assert set(re.findall(r"^- `(\w+)`:", book(name, lang), re.MULTILINE)) == options | levels
        assert re.search("sample|esempio", book(name, lang))


def code_lines(path: Path) -> int:
    """Return the lines of a module that hold code: no blank ones, no imports, comments or docstrings."""
    text = path.read_text(encoding="utf-8")
    left = {number for number, line in enumerate(text.splitlines(), 1) if line.strip().partition("#")[0]}
    for node in ast.walk(ast.parse(text)):
        said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (said or isinstance(node, ast.Import | ast.ImportFrom)):
            left -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(left)


@pytest.mark.parametrize("name", GAMES)
def test_rules_and_bots_stay_short(name: str) -> None:
    """At most 250 lines of `rules.py` and 120 of bots; with boards, tables and words, 250 lines of code.

    Finding all melds in a hand has 82 more: they're compared by bits, so that hands can be imagined quickly.
    """
    folder = Path(tavolata_classics.__file__).parent / name
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in folder.glob("*.py")}
    assert lines["rules.py"] <= 250
    assert lines["bots.py"] <= 120
    search = SEARCHES.get(name)
    own = {path.name: code_lines(path) for path in folder.glob("*.py")}
    whole = sum(own[file] for file in own if file not in ("bots.py", "guide.py", search))
    assert whole <= 250
    assert search is None or own[search] <= 82


@pytest.mark.parametrize("file", sorted(HERE.glob("*.txt")), ids=lambda file: file.stem)
def test_the_rules_play_it_as_it_was_written_down(file: Path) -> None:
    """Each line of a recorded match is what the rules, and the words of its language, still make of it."""
    replay_playthrough(GAMES[file.stem.partition(".")[0]], file)


def test_each_game_has_a_written_match() -> None:
    """No game is without one in English and one in Italian."""
    assert {file.stem for file in HERE.glob("*.txt")} == {
        f"{name}.{lang}" for name in GAMES for lang in ("en", "it")
    }


@pytest.mark.parametrize("name", GAMES)
def test_each_game_opens_with_a_card_and_says_its_minutes(name: str) -> None:
    """The three sentences have room in Italian, too, and the minutes are those of the rulebooks."""
    card = GAMES[name].card
    assert card is not None
    italian = Translator("it")
    for said in (card.goal, card.turn, card.lose):
        assert len(italian.text(said, {}, "tavolata_classics")) <= 90, said
    for lang, words in (("en", "About"), ("it", "Circa")):
        assert re.search(rf"{words}\s{GAMES[name].minutes}\s", book(name, lang))


def test_the_list_of_published_games_has_them() -> None:
    """`tt install` knows the package by each of its games, and `tt games --more` what they are."""
    rows = json.loads((resources.files("tavolata._cli") / "games.json").read_text(encoding="utf-8"))["games"]
    listed = {row["name"]: row for row in rows if row["package"] == "tavolata-classics"}
    assert listed.keys() == GAMES.keys()
    for name, game in GAMES.items():
        row = listed[name]
        listed_as = (row["title"], row["summary"], tuple(row["players"]), row["minutes"])
        assert listed_as == (game.title, game.summary, game.seats, game.minutes)
