"""A kind of zone that nothing in Tavolata knows: told and drawn everywhere, refused if its shape is new."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.core.games import Race
from tests.core.ui.scene.moments import text_of
from tests.core.ui.transcripts import Hands
from tests.core.ui.virtual_time import run

from tavolata import N_, Seat, Zone
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.match.worlds import new_match
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._ui.scene.cast import Cast
from tavolata._ui.scene.items import item_of
from tavolata._ui.scene.make import make_scene
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.text import description, item_data, lines_of
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.words import Words
from tavolata.bots import RandomBot
from tavolata.errors import GameError
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


class Fan(NamedTuple):
    """What is no shape of a zone."""

    cards: tuple[Any, ...]


zone_kind("fan", lambda zone: Fan(zone.content))  # type: ignore[arg-type, return-value]  # that's the fault
NO_SHAPE = "The zone 'debts' can't be shown: the kind 'fan' makes it a Fan, which is no shape of a zone."


class Fans(Race):
    """A game with a zone of a shape that there is not."""

    name = "fans"

    def zones(self, t: Any, viewer: Any) -> Any:
        """One more than it had."""
        yield from super().zones(t, viewer)
        yield replace(DEBTS, kind="fan")


class Misspelt(Race):
    """A game with a zone of a kind that there is not."""

    name = "misspelt"

    def zones(self, t: Any, viewer: Any) -> Any:
        """One more than it had."""
        yield replace(DEBTS, kind="debt")


def at_a_match(game: type[Race]) -> Match:
    """A match at its first question."""
    source = OpenSource(3, [None, RandomBot(), RandomBot()], lambda _: None)
    match = new_match(game, Terms(("Ann", "Bo", "Cy"), game.options()), source, lambda _: None)
    match.run()
    return match


def test_a_new_kind_of_zone_is_shown_by_every_frontend() -> None:
    """Lines, full descriptions, JSON and the screen show it by its shape; none of them knows its kind."""
    match = at_a_match(Debts)
    view, words = match.view(Seat(0)), Words(Translator("en"), "", ("Ann", "Bo", "Cy"))
    item = item_of(view.zones()["debts"], SceneWords(words, view))
    assert lines_of(item) == ["Debts: Ann > Bo 3, Bo > Cy 12"]
    assert description(item) == ["Debts:", "  Ann > Bo: 3", "  Bo > Cy: 12"]
    assert json.loads(json.dumps(item_data(item))) == {
        "id": "debts", "kind": "debts", "title": "Debts", "seat": None,
        "content": [{"label": "Ann > Bo", "number": 3}, {"label": "Bo > Cy", "number": 12}],
    }  # fmt: skip
    viewpoint = Viewpoint("en", "Debts", ("Ann", "Bo", "Cy"))
    scene = make_scene(view, view.zones().values(), viewpoint, SceneWords(words, view), Cast())
    assert scene.cast is not None
    plan = stage(80, 24, cast=scene.cast)
    assert plan is not None
    drawn = text_of(draw_frame(scene, plan, UNICODE, words.text, Foot()))
    assert any("Ann > Bo 3" in line for line in drawn), drawn


def test_the_kit_refuses_a_zone_of_no_kind() -> None:
    """A game with the new kind passes; one whose zone was never registered is told so."""
    check_game(Debts, matches=2, only=["random_playouts"]).expect()
    with pytest.raises(CheckFailed, match="is of no known kind: debt"):
        check_game(Misspelt, matches=2, only=["random_playouts"]).expect()


def test_a_zone_without_a_shape_is_refused_by_the_kit() -> None:
    """One sentence says which zone and which class."""
    with pytest.raises(CheckFailed) as failed:
        check_game(Fans, matches=2, only=["random_playouts"]).expect()
    assert failed.value.sentence == NO_SHAPE


@pytest.mark.parametrize("frontend", [Plain, Ndjson])
def test_a_zone_without_a_shape_ends_a_match_with_a_sentence(
    frontend: type[LineFrontend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the fault of the rules, whichever frontend has to show it first."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    said = list[str]()
    header = Header(
        id="0" * 16, game="fans", version="1", rules_id=Fans.rules_id, options=Fans.options().plain(),
        names=("Ann", "Bo", "Cy"), bots=(None, "random", "random"), seed=1, pace=None,
    )  # fmt: skip
    at = LocalSession(header, Fans, "", [None, RandomBot(), RandomBot()])
    hands = Hands(on_terminal=True)
    with pytest.raises(GameError) as refused:
        run(frontend(at, Translator("en"), said.append, hands).run())
    assert is_rules_fault(refused.value, Fans)
    assert str(rules_fault(refused.value, Fans)).endswith(NO_SHAPE)


def test_no_scene_is_made_of_a_zone_without_a_shape() -> None:
    """The screen and a page fail with the same sentence."""
    view, words = at_a_match(Fans).view(Seat(0)), Words(Translator("en"), "", ("Ann", "Bo", "Cy"))
    with pytest.raises(GameError, match=re.escape(NO_SHAPE)):
        make_scene(
            view, view.zones().values(), Viewpoint("en", "Fans", ("Ann",)), SceneWords(words, view), Cast()
        )
