"""A kind of zone that nothing in Tavolata knows: registered here, and at once told and drawn everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.core.games import Race
from tests.core.ui.scene.moments import text_of

from tavolata import N_, Seat, Zone
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata._ui.descriptions import description
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import zone_data
from tavolata._ui.scene.desk import Desk
from tavolata._ui.scene.ledger import Ledger
from tavolata._ui.scene.make import make_scene
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.layout import layout
from tavolata._ui.words import Words
from tavolata._ui.zone_lines import zone_lines
from tavolata.bots import RandomBot
from tavolata.testing import CheckFailed, check_game
from tavolata.zones import Rows, ZoneShape, zone_kind


def _debts(zone: Zone) -> ZoneShape:
    """Who owes how much to whom."""
    return Rows(tuple((f"{debtor} > {creditor}", much) for debtor, creditor, much in zone.content))


zone_kind("debts", _debts)

DEBTS = Zone("debts", "debts", N_("Debts"), (("Ann", "Bo", 3), ("Bo", "Cy", 12)))


class Debts(Race):
    """A game with such a zone."""

    name = "debts"

    def zones(self, t: Any, viewer: Any) -> Any:
        """One more than it had."""
        yield from super().zones(t, viewer)
        yield DEBTS


class Misspelt(Race):
    """A game with a zone of a kind that there is not."""

    name = "misspelt"

    def zones(self, t: Any, viewer: Any) -> Any:
        """One more than it had."""
        yield replace(DEBTS, kind="debt")


@pytest.fixture
def match() -> Match:
    """A match of that game at its first question."""
    source = OpenSource(3, [None, RandomBot(), RandomBot()], lambda _: None)
    match = new_match(Debts, Terms(("Ann", "Bo", "Cy"), Debts.options()), source, lambda _: None)
    match.run()
    return match


def test_a_new_kind_of_zone_is_shown_by_every_face(match: Match) -> None:
    """Lines, full descriptions, JSON and the screen show it by its shape; none of them knows its kind."""
    view, words = match.view(Seat(0)), Words(Translator("en"), "", ("Ann", "Bo", "Cy"))
    zone = view.zones()["debts"]
    assert zone_lines(zone, words, view) == ["Debts: Ann > Bo 3, Bo > Cy 12"]
    assert description(zone, words, view) == ["Debts:", "  Ann > Bo: 3", "  Bo > Cy: 12"]
    assert json.loads(json.dumps(zone_data(zone, words, view))) == {
        "id": "debts", "kind": "debts", "title": "Debts", "seat": None,
        "content": [{"label": "Ann > Bo", "number": 3}, {"label": "Bo > Cy", "number": 12}],
    }  # fmt: skip
    desk = Desk("en", "Debts", ("Ann", "Bo", "Cy"))
    scene = make_scene(view, view.zones().values(), desk, SceneWords(words, view), Ledger())
    plan = layout(80, 24)
    assert plan is not None
    drawn = text_of(draw_frame(scene, plan, UNICODE, words.text, Foot()))
    assert any("Ann > Bo 3" in line for line in drawn), drawn


def test_the_kit_refuses_a_zone_of_no_kind() -> None:
    """A game with the new kind passes; one whose zone was never registered is told so."""
    check_game(Debts, matches=2, only=["random_playouts"]).expect()
    with pytest.raises(CheckFailed, match="is of no known kind: debt"):
        check_game(Misspelt, matches=2, only=["random_playouts"]).expect()
