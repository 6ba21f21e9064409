"""House rules in words: as their games name them, in the player's language, in the home and in the lobby."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.core.ui.scene.moments import GAMES
from tests.core.ui.tui.screens.test_hosting import table

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import GameChoices, MatchPlan, rule_line
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.home import draw_home
from tavolata._ui.tui.drawing.lobby import draw_lobby
from tavolata._ui.tui.drawing.runs import Block
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.model.home_model import GameFacts, HomeFacts, HomeModel
from tavolata._ui.words import Words
from tavolata.options import OptionSpec

ITALIAN = Translator("it")


def words(name: str) -> Words:
    """The Italian words of a game."""
    return Words(ITALIAN, Catalogue().game(name).info.package, ())


def shown(block: Block) -> str:
    return "\n".join("".join(text for text, _ in line) for line in block.lines)


LINES = {
    ("bang", "preset", "family"): "motivi per fare bang: famiglia",
    ("bang", "double", "preset"): "coppia: in base ai motivi",
    ("bang", "double", "on"): "coppia: acceso",
    ("bang", "double", "off"): "coppia: spento",
    ("bang", "cap", "off"): "limite di carte: spento",
    ("bang", "handicap", ""): "svantaggio in ms: –",
    ("conto", "omaggi", "yes"): "omaggi: sì",
    ("horse-fever", "mode", "board"): "gioco: da tavolo",
    ("jumpy-jack", "board", "long"): "tabellone: lungo",
    ("zompa", "sevens", "off"): "sette: spento",
}


@pytest.mark.parametrize("said", LINES)
def test_a_house_rule_and_its_value_are_in_the_players_language(said: tuple[str, str, str]) -> None:
    """The name that its game gives it, and the value's word, are those of the catalogue."""
    game, name, value = said
    (spec,) = (one for one in Catalogue().game(game).game.options.describe() if one.name == name)
    assert rule_line(spec, spec.read(value), words(game).text) == LINES[said]


@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_of_the_bundled_games_has_a_name(game: str) -> None:
    """None is named by the word that is typed where its game could say it better."""
    specs = Catalogue().game(game).game.options.describe()
    assert specs
    assert [spec.name for spec in specs if not spec.title] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "it"])
def test_no_two_house_rules_of_a_game_have_one_name(game: str, lang: str) -> None:
    """In Italian Bang had two rules "jolly": which card asks for one card, and whether one is banged at."""
    found = Catalogue().game(game)
    say = Words(Translator(lang), found.info.package, ()).text
    names = [say(spec.title) for spec in found.game.options.describe()]
    assert sorted(set(names)) == sorted(names)


def test_a_house_rule_without_a_name_is_called_what_is_typed() -> None:
    """A game that says no name loses nothing."""

    assert rule_line(OptionSpec("rooms", int, 4), 4, str) == "rooms: 4"


def test_home_and_lobby_name_the_rules_as_the_game_does() -> None:
    """The words that are typed stand in neither."""
    rules = Catalogue().game("zompa").game
    can = GameChoices("zompa", (3, 8), 4, ("easy",), options=rules.options, package="tavolata_zompa")
    facts_of = GameFacts("zompa", "Zompa", (3, 8), "")
    home = HomeModel(HomeFacts([facts_of], [], lambda _: can, dict, "Ann", "it", ("it",), []))
    home.put(MatchPlan("zompa", others=("easy",) * 3, rules={"talk": "offer"}))
    pen = Pen(Words(ITALIAN, "", ()), None, UNICODE, 100)
    assert "dialogo coi morti: a scelta" in shown(draw_home(home, pen, 24, key="").block)
    facts = replace(table("waits", running=False), options=rules.options().plain())
    lobby = shown(draw_lobby(facts, replace(pen, words=words("zompa")), 60))
    assert "dialogo coi morti: in chat" in lobby
    assert "empty_pot" not in lobby
