"""The stage: what a rehearsal showed has its place from the first frame on, and nothing moves by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec import structs
from tests.commit import a_part
from tests.core.ui.scene.moments import SIZES, moments, plan_for
from typing_extensions import override

from tavolata import N_, Game, Options, Outcome, Seat, Table, one_of
from tavolata._engine.match.simulation import Simulation
from tavolata._ui.i18n import Translator
from tavolata._ui.scene import rehearsal
from tavolata._ui.scene.cast import Cast
from tavolata._ui.scene.rehearsal import rehearse
from tavolata._ui.scene.scene import Scene, SceneItem
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.items import draw_item, placed
from tavolata._ui.tui.drawing.stage import Rect
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.words import Words
from tavolata.zones import Zone, track_zone
from tavolata_zompa.rules import Zompa

VIEWPOINT = Viewpoint("en", "", ())


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


GAMES = ["bang", "conto", "horse-fever", "jumpy-jack", "zompa", "race", "tricks"]
TOP = UNICODE.round.right_low + UNICODE.double.right_low + UNICODE.heavy.right_low
LEFT = UNICODE.round.left_top + UNICODE.double.left_top + UNICODE.heavy.left_top


def anchors(scene: Scene, item: SceneItem, place: Rect) -> dict[str, int]:
    """By name, the column of each part of an item that has a mark on the floor."""
    say = Translator(scene.lang).text
    bare = structs.replace(item, slot="", about=False)
    block = draw_item(bare, place.width, place.height, Workshop(scene, UNICODE, say))
    rows = ["".join(text for text, _ in line) for line in block.lines]
    if item.draw == "lanes" and len(item.lanes) < len(rows):
        named = {title[:3]: max(row.rfind(" " + title[:3]) for row in rows[:2]) for title in item.columns}
        marks = {mark: rows[-1].find(mark) for mark in item.marks.values() if mark in rows[-1]}
        return {**named, **marks}
    if item.draw == "fan" and item.cards and len(rows) > 3:
        return {"top": max(row.rfind(sign) for row in rows for sign in TOP)}
    if item.draw == "row" and len(rows) > 3:
        return {f"part {at}": x for at, x in enumerate(x for x, sign in enumerate(rows[1]) if sign in LEFT)}
    return {}


def seen_of(game: str, questions: int) -> dict[tuple[Any, ...], set[int]]:
    """By match, size, item and anchor, the columns in which it was in some matches of a game."""
    seen: dict[tuple[Any, ...], set[int]] = defaultdict(set)

    def look(model: TableModel, scene: Scene) -> None:
        match = id(model.match)
        for size in SIZES:
            for place, item in placed(scene.board, plan_for(scene, size)):
                for name, x in anchors(scene, item, place).items():
                    seen[match, size, item.id, name].add(x)

    moments(game, look, questions=questions)
    return seen


@pytest.mark.battery
@pytest.mark.parametrize("questions", [12, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", a_part(GAMES, 2))
def test_stage_check_1_no_anchor_moves(game: str, questions: int) -> None:
    """FINISH, the columns of a track, the top card of a pile and the parts of a call have one place each."""
    seen = seen_of(game, questions)
    assert {anchor: where for anchor, where in seen.items() if len(where) > 1} == {}
    assert seen


def test_stage_check_5_finish_has_one_column_with_and_without_choices() -> None:
    """At 120x36 it's in one column whether there's nothing to choose, one column of choices or two."""
    seen = {where[3]: xs for where, xs in seen_of("horse-fever", 3).items() if where[1] == (120, 36)}
    assert len(seen["FINISH"]) == 1
    assert len(seen["Odd"]) == len(seen["Beh"]) == 1


@pytest.mark.parametrize("game", ["conto", pytest.param("horse-fever", marks=pytest.mark.battery)])
def test_stage_check_2_a_table_that_is_seen_anew_looks_the_same(game: str) -> None:
    """Whoever comes back gets every zone in its place, those too that are gone or haven't come yet."""
    compared = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal compared
        if not compared % 4:
            rehearsal._known.cache_clear()  # another process has rehearsed nothing yet
        fresh = TableModel(model.session, model.translator)
        fresh.rehearse()
        fresh.seen, fresh.before, fresh.marks = model.seen, model.before, model.marks
        there = fresh.scene(VIEWPOINT, model.question())
        assert (there.board, there.cast) == (scene.board, scene.cast)
        compared += 1

    moments(game, lambda model, scene: look(model, scene) if len(model.notes) % 5 == 0 else None, questions=4)
    assert compared > 3


class Broken(Game[Options]):
    """Rules that raise as soon as a bot has chosen the wrong answer."""

    name, title, seats = "broken", "Broken", (2, 4)

    @override
    def setup(self, t: Table[Options]) -> None:
        self.track = t.track("track", 5, ["pawn"])
        self.track.put("pawn", 0)

    @override
    async def turn(self, t: Table[Options]) -> Outcome | None:
        for one in t.ring:
            if await t.ask(one, one_of([0, 1]), N_("Which?")):
                raise ZeroDivisionError
        return None

    @override
    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield track_zone(self.track, N_("Track"))


def test_stage_check_3_a_rehearsal_that_raises_keeps_what_it_has_seen() -> None:
    """Play goes on with the zones after the setup, in places of their own."""
    words = Words(Translator("en"), "", ("Ann", "Berto"))
    cast = rehearse(Simulation(Broken, 2)._match, 0, words, Viewpoint("en", "", ("Ann", "Berto")))
    assert cast.parts["track"].slot == "hero.0"


def test_a_rematch_is_not_rehearsed_again() -> None:
    """Its places are those of the match before; other rules, another seat or language have their own."""
    names = ("Ann", "Berto")

    def cast(lang: str = "en", seat: int | None = 0, **rules: Any) -> Cast:
        simulation = Simulation(Zompa, 2, options=Zompa.options(**rules))
        words = Words(Translator(lang), "tavolata_zompa", names)
        return rehearse(simulation._match, seat, words, Viewpoint(lang, "", names))

    rehearsal._known.cache_clear()
    first, again = cast(), cast()
    assert again == first
    again.place("later", "centre", "words", "")
    next(iter(again.parts.values())).columns["later"] = 9
    assert cast() == first
    assert rehearsal._known.cache_info().misses == 1
    cast("it")
    cast(seat=None)
    cast(seat=1)
    cast(fiches=2)
    assert rehearsal._known.cache_info().misses == 5
