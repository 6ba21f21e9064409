"""The drawing of the home screen: what a tile says of its game."""

from __future__ import annotations

import pytest
from tests.core.ui.scene.moments import GAMES

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import GameChoices
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.home import draw_home
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.model.home_model import GameFacts, HomeFacts, HomeModel
from tavolata._ui.words import Words


def nothing(name: str) -> GameChoices:
    raise AssertionError(name)


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_tile_says_all_of_its_game_at_80x24(lang: str) -> None:
    """In tiles of five rows numbers stand in the lower edge, and no sentence is cut."""
    games = []
    for name in GAMES:
        found = Catalogue().game(name)
        words = Words(Translator(lang), found.info.package, ())
        games.append(GameFacts(name, words.text(found.game.title), (2, 8), words.text(found.game.summary)))
    model = HomeModel(HomeFacts(games, [], nothing, dict, "Ann", lang, ("en", "it"), []))
    model.records = {"conto": (5, 2)}
    pen = Pen(Words(Translator(lang), "", ()), None, UNICODE, 78)
    for rows, numbers_inside in ((17, False), (30, True)):
        drawn = draw_home(model, pen, rows, key="", form=False)
        lines = ["".join(text for text, _ in line) for line in drawn.block.lines]
        assert {len(line) for line in lines} == {78}
        assert "…" not in "".join(lines)
        (numbers, *_) = [line for line in lines if "2" in line and "5" in line and "8" in line]
        assert numbers.startswith("┃") is numbers_inside


@pytest.mark.parametrize("waiting", [1, 2, 3])
def test_a_match_that_waits_has_the_whole_line(waiting: int) -> None:
    """One match alone is told up to the edge, two share the line, and of more their number is told."""
    said = "Zompa with Ada, Berto, Carla and Dino: 12 turns, just now"
    facts = [GameFacts("zompa", "Zompa", (2, 20), "")]
    told = [(str(at), said) for at in range(waiting)]
    model = HomeModel(HomeFacts(facts, told, nothing, dict, "Ann", "en", ("en",), []))
    pen = Pen(Words(Translator("en"), "", ()), None, UNICODE, 72)
    block = draw_home(model, pen, 17, key="", form=False).block
    (row,) = (text for line in block.lines if "▸ Zompa" in (text := "".join(part for part, _ in line)))
    assert (said in row) is (waiting == 1)
    assert row.count("▸") == min(waiting, 2)
    assert ("and 1 more" in row) is (waiting == 3)
    assert len(row) == 72


@pytest.mark.parametrize(("room", "rows", "lines"), [(58, 17, 6), (78, 21, 4)])
def test_no_part_of_the_form_is_cut_on_a_narrow_screen(room: int, rows: int, lines: int) -> None:
    """At 60x20 what is too long for its line goes on below, where games leave rows."""
    found = Catalogue().game("zompa")
    options = found.game.options
    can = GameChoices("zompa", (2, 20), 4, ("normal",), True, options=options, package="tavolata_zompa")
    facts = GameFacts("zompa", "Zompa", (2, 20), "")
    model = HomeModel(HomeFacts([facts], [], lambda _: can, dict, "Ann", "it", ("it",), []))
    model.put(can.plan())
    pen = Pen(Words(Translator("it"), "", ()), None, UNICODE, room)
    block = draw_home(model, pen, rows, key="").block
    drawn = ["".join(text for text, _ in line) for line in block.lines]
    form = drawn[next(at for at, row in enumerate(drawn) if row.startswith("─ Zompa")) :]
    assert len(form) == lines
    assert "2 persone qui" in form[-1]
    people = [spot for spot in block.spots if spot.thing == ("people", "")]
    assert [drawn[spot.y][spot.x :].strip().startswith("○ 2") for spot in people] == [True]
