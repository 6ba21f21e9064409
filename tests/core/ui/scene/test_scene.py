"""The table as a scene and its frames: the acceptance checks of the screen, over moments of real matches."""

from __future__ import annotations

import itertools
import json
import re
import sys
import typing
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from rich.cells import cell_len
from tests.commit import a_part
from tests.core.ui.scene.moments import (
    ENOUGH,
    GAMES,
    MIDDLE,
    SIZES,
    UNDECLARED,
    Reel,
    drawn,
    end_of,
    moments,
    plan_for,
    seat,
    text_of,
)
from tests.core.ui.virtual_time import run

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._ui.scene.cast import Cast, CastPart, Draw
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.scene.scene import CardFace, Scene
from tavolata._ui.scene.text import as_data
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.drawing.items import placed
from tavolata._ui.tui.drawing.runs import width
from tavolata._ui.tui.drawing.stage import Rect, TableStage, stage
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.widgets.themes import DARK, role_styles
from tavolata.asks import Ask
from tavolata.zones import CardRow, CardStack, Layout, Zone

pytestmark = pytest.mark.battery

ALL = [*GAMES, *UNDECLARED]
STAKES = ("Stake", "Punta")
UPDATES = 120
"""The updates of a match that are compared with those of the same match without declarations."""
MANY = 200
"""The questions of each game over which the long runs check every frame."""


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.fixture(params=[ENOUGH, pytest.param(MANY, marks=pytest.mark.long)], ids=["some", "many"])
def questions(request: pytest.FixtureRequest) -> int:
    """How many questions of a game are looked at."""
    return int(request.param)


@pytest.fixture(scope="module", params=a_part(ALL, 2))
def reel(request: pytest.FixtureRequest) -> Reel:
    """What is seen of matches of a game: played once, and looked at by several checks."""
    return Reel(request.param)


def asked(scene: Scene) -> bool:
    return bool(scene.decision.options or scene.decision.amount) and not scene.decision.own


def squeezed(text: str) -> str:
    """A text without blanks, which lines break."""
    return "".join(text.split())


def inside(rows: list[str], rect: Rect) -> str:
    """What stands in a rectangle of a screen."""
    return "\n".join(row[rect.x : rect.x + rect.width] for row in rows[rect.y : rect.y + rect.height])


def cast_of(
    seats: int = 4, *, asides: int = 1, own: bool = True, rows: int = 8, draw: Draw = "lanes"
) -> Cast:
    """What a board game may show."""
    cast = Cast(seats=seats, own=own, rehearsed=asides)
    cast.parts["track"] = CastPart("hero.0", "hero", draw, "", rows=rows, least=5, cells=(20, 34))
    for at in range(asides):
        cast.place(f"centre {at}" if at % 2 else f"aside {at}", "centre" if at % 2 else "aside", "words", "")
    return cast


CASTS = [Cast(), *(cast_of(seats, asides=asides, own=own, draw=draw) for seats, own in ((4, True), (2, False))
         for asides in (0, 1, 2, 5, 30) for draw in typing.get_args(Draw)[:6])]  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_checks_1_and_2_what_decides_is_on_view_with_the_question(
    reel: Reel, size: tuple[int, int], questions: int
) -> None:
    """At 80x24 and 60x20 hand, prompt, act, three choices and what the question is about need no key."""
    seen = 0

    def look(scene: Scene, match: int) -> None:
        nonlocal seen
        decision = scene.decision
        if decision.kind not in ("choices", "several", "number", "go") or decision.own:
            return
        seen += 1
        frame, plan = drawn(scene, size), plan_for(scene, size)
        rows = text_of(frame)
        text, asks, own = "\n".join(rows), inside(rows, plan.decision), inside(rows, plan.yours)
        assert squeezed(decision.text) in squeezed(asks), text
        assert squeezed(decision.act)[:30] in squeezed(asks), text
        hand = Counter(
            f"{card.corner}{card.sign}" or card.text.split()[0] for item in scene.yours for card in item.cards
        )
        assert [corner for corner, number in hand.items() if own.count(corner) < number] == [], text
        there = {option.number for option in decision.options}
        spots = {spot.thing[1] + 1 for spot in frame.block.spots if spot.thing[0] == "choice"}
        assert len(spots & there) >= min(3, len(there)), text
        titles = {item.id: item.title for item in (*scene.board, *scene.yours)}
        joined = {value.zone for panel in scene.panels for value in (panel.main, *panel.more) if value}
        for zone in decision.about:
            assert zone in joined or titles[zone][:3] in text, (zone, text)

    reel.look(look, questions=questions)
    assert seen >= (questions if reel.game != "bang" else 0)  # Bang has windows only, which check 12 looks at


def test_a_question_is_about_zones_that_are_there() -> None:
    """Who opens a hand of Conto is asked about the losses alone: there is no call yet."""
    told: list[tuple[str, ...]] = []

    def look(model: TableModel, scene: Scene) -> None:
        question = model.question()
        if question is not None and question.ask is not None:
            assert question.ask.about == ("losses",)
            told.append(scene.decision.about)

    moments("conto", look, seed=2, questions=0)
    assert set(told) == {("losses",)}


def test_checks_3_and_4_every_zone_and_every_region_keeps_its_rectangle(reel: Reel, questions: int) -> None:
    """In every moment of a match a zone has its slot, and at one size its rectangle; so has every region."""
    slots: dict[tuple[int, str], set[str]] = defaultdict(set)
    places: dict[tuple[int, tuple[int, int], str], set[Rect]] = defaultdict(set)
    plans: dict[tuple[int, tuple[int, int]], list[TableStage]] = defaultdict(list)

    def look(scene: Scene, match: int) -> None:
        for item in scene.board:
            slots[match, item.id].add(item.slot)
        for size in SIZES:
            plan = plan_for(scene, size)
            plans[match, size] += [] if plan in plans[match, size] else [plan]
            for rect, item in placed(scene.board, plan):
                places[match, size, item.id].add(rect)

    reel.look(look, questions=questions)
    assert places
    assert [zone for (_, zone), taken in slots.items() if len(taken) != 1] == []
    assert [zone for (_, size, zone), rects in places.items() if zone and len(rects) != 1] == []
    assert [size for (_, size), seen in plans.items() if len(seen) != 1] == []


@pytest.mark.parametrize("ring", [True, False])
@pytest.mark.parametrize("size", [*SIZES, (200, 60), (81, 25), (140, 40), (119, 36), (79, 23), (60, 40)])
def test_checks_3_and_4_no_two_places_and_no_two_regions_overlap(size: tuple[int, int], ring: bool) -> None:
    """Whatever the cast is, the regions fill the screen, and each cell of the board has one place at most."""
    for cast in CASTS:
        plan = stage(*size, wish=Layout("ring" if ring else "rail"), cast=cast)
        assert plan is not None
        regions = [plan.players, plan.board, plan.strip, plan.story, plan.yours, plan.decision]
        status, keys = Rect(0, 0, plan.width, 1), Rect(0, plan.height - 1, plan.width, 1)
        cells = cells_of([status, *regions, keys])
        assert len(cells) == len(set(cells))
        bar = size[1] - 2 if plan.beside else plan.board.height if plan.players.height else 0
        assert len(cells) == size[0] * size[1] - (0 if plan.chips else bar)
        assert max(cells) < size
        assert min(cells) == (0, 0)
        places = cells_of([*plan.places.values(), plan.earlier])
        assert len(places) == len(set(places))
        low = plan.board.height + plan.strip.height
        assert {0 <= x < size[0] and 0 <= y < low for x, y in places} <= {True}


def cells_of(rects: list[Rect]) -> list[tuple[int, int]]:
    return [(x, y) for one in rects for x in range(one.x, one.x + one.width)
            for y in range(one.y, one.y + one.height)]  # fmt: skip


@pytest.mark.parametrize("size", [(120, 36), (160, 50)])
def test_check_5_a_large_screen_is_used(reel: Reel, size: tuple[int, int], questions: int) -> None:
    """In the middle of matches the hero is the largest item, and the screen isn't empty."""
    seen: dict[int, list[Scene]] = defaultdict(list)

    def look(scene: Scene, match: int) -> None:
        there = placed(scene.board, plan_for(scene, size))
        areas = {item.slot: rect.width * rect.height for rect, item in there if item.id}
        assert "hero.0" not in areas or areas.pop("hero.0") > max([0, *areas.values()])
        if scene.end is None:
            seen[match].append(scene)

    reel.look(look, questions=max(MIDDLE, questions))
    middle = [scene for scenes in seen.values() for scene in scenes[len(scenes) // 3 : len(scenes) * 2 // 3]]
    shown = [text_of(drawn(scene, size)) for scene in middle[:: 1 + len(middle) // 20]]
    shares = [sum(sign != " " for row in rows for sign in row) / (size[0] * size[1]) for rows in shown]
    assert len(shares) > 9
    least = 0.08 if reel.game in UNDECLARED else 0.18 if reel.game == "bang" else 0.21  # Bang is one pile
    assert sum(shares) / len(shares) >= least, shares


@pytest.mark.parametrize(
    ("game", "width", "small"), [("bang", 73, 54), ("conto", 76, 32), ("tricks", 67, 32)]
)
def test_a_hero_that_lies_alone_has_all_of_a_large_board(game: str, width: int, small: int) -> None:
    """With nothing beside it the hero has a large board, but for what a pile leaves; and else its part."""
    seen: set[int] = set()

    def look(model: TableModel, scene: Scene) -> None:
        for size in [(160, 50), (80, 24)]:
            for rect, item in placed(scene.board, plan_for(scene, size)):
                if item.slot == "hero.0":
                    seen.add(rect.width)

    moments(game, look, questions=4)
    assert seen == {width, small}


def test_an_empty_place_is_outlined() -> None:
    """A pile without cards has the outline of a card, and a call that is over those of both courses."""
    outlined: dict[str, set[int]] = defaultdict(set)

    def look(model: TableModel, scene: Scene) -> None:
        hero = next((item for item in scene.board if item.slot == "hero.0"), None)
        if hero is None or scene.end is not None or hero.cards or hero.row:
            return
        board = inside(text_of(drawn(scene, (160, 50))), plan_for(scene, (160, 50)).board)
        assert hero.title in board
        outlined[hero.id].add(board.count(UNICODE.dotted.right_low))
        assert "empty" in board or "no call yet" in board

    moments("bang", look)
    moments("conto", look)
    assert outlined == {"pile": {1}, "call": {2}}


def test_the_lanes_of_a_track_keep_the_order_in_which_its_tokens_were_set_up() -> None:
    """Horses stand in one order all match long: the order in which the questions name them, not A to Z."""
    orders: set[tuple[str, ...]] = set()

    def look(model: TableModel, scene: Scene) -> None:
        orders.update(tuple(lane.thing for lane in item.lanes) for item in scene.board if item.lanes)

    moments("jumpy-jack", look)
    assert orders == {("yellow (Y)", "black (K)", "red (R)", "green (G)", "blue (B)")}


def test_horses_that_line_up_for_a_race_leave_no_trail() -> None:
    """Who writes for the next race sees horses behind the line, none that seems to have run from there."""
    trails: list[int | None] = []

    def look(model: TableModel, scene: Scene) -> None:
        for item in scene.board:
            if item.lanes and model.before and all(lane.square == 0 for lane in item.lanes):
                trails.extend(lane.was for lane in item.lanes)

    moments("jumpy-jack", look, questions=20)
    assert trails
    assert set(trails) == {None}


def test_the_columns_of_choices_on_lanes_are_said_in_the_language_of_the_table() -> None:
    """In Italian nobody bets "to win"."""
    columns: set[str] = set()

    def look(model: TableModel, scene: Scene) -> None:
        columns.update(option.at.column for option in scene.decision.options if option.at)

    moments("horse-fever", look, lang="it")
    assert {"vincente", "piazzato"} <= columns
    assert not {"to win", "to place"} & columns


@pytest.mark.parametrize("size", [(80, 24)])
def test_check_6_a_bet_is_laid_with_the_odds_in_sight(size: tuple[int, int]) -> None:
    """While a bet is asked, odds and tokens of six horses, one's money and the stake are on view."""
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        track = next((item for item in scene.board if item.draw == "lanes"), None)
        entries = scene.decision.entries
        if not asked(scene) or not entries or entries[-1].label[:5] not in STAKES:
            return
        seen += 1
        assert track is not None
        rows = text_of(drawn(scene, size))
        assert len(track.lanes) == 6
        assert len(track.columns) >= 2
        assert [head for head in track.columns if head[:3] not in "".join(rows)] == []  # or "Tok."
        for lane in track.lanes:
            board = (row.partition("│▌")[0] for row in rows)
            row = next(row for row in board if lane.text.split(" (")[0] in row and lane.letter in row)
            assert [value for value in lane.columns[-2:] if value not in row] == [], rows
        mine = next(panel for panel in scene.panels if panel.seat == 0)
        assert mine.main is not None
        assert any(mine.main.text in row and mine.name in row for row in rows)
        assert any(stake in row for row in rows for stake in STAKES)

    moments("horse-fever", look)
    moments("horse-fever", look, lang="it")
    assert seen


def test_a_form_says_what_it_would_do_before_it_is_sent() -> None:
    """A stake that is being typed says what it leaves, and what it pays if the bet is won."""
    told: list[tuple[int, Scene]] = []

    def look(model: TableModel, scene: Scene) -> None:
        question = model.question()
        if question is None or question.ask is None or len(question.draft.fields) != 2 or told:
            return
        assert not scene.decision.preview
        question.draft.enter()
        own = next(panel for panel in scene.panels if panel.seat == 0).main
        assert own is not None
        assert own.number is not None
        question.draft.typed = "500"
        told.append((own.number, model.scene(Viewpoint("en", "", ()), question)))

    moments("horse-fever", look)
    ((money, scene),) = told
    assert f"{money - 500} D" in scene.decision.preview[0]
    assert scene.decision.preview[0] in "\n".join(text_of(drawn(scene, (80, 24))))


def test_check_7_impossible_choices_take_no_room(questions: int) -> None:
    """In Conto hand and call stay whatever can't be called; the reasons come with a key."""
    seen, called = 0, set[str]()

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        if scene.decision.cannot:
            seen += 1
            rows = text_of(drawn(scene, (80, 24)))
            on_view = all(option.text in "\n".join(rows) for option in scene.decision.options)
            assert on_view or any("why not, and why" in row for row in rows)
            hand = next(item for item in scene.yours if item.draw == "hand")
            text = "\n".join(rows)
            assert [card for card in hand.cards if f"{card.corner}{card.sign}" not in text] == []
            calls = [item for item in scene.board if item.slot == "hero.0"]
            called.update(item.title for item in calls)
            assert [item.title for item in calls if item.title not in text] == []
            why = "\n".join(text_of(drawn(scene, (80, 24), why=True)))
            choice, reason = scene.decision.cannot[0]
            assert squeezed(f"{choice}: {reason}")[:60] in squeezed(why), why

    moments("conto", look, questions=questions)
    assert seen
    assert len(called) == 1


def test_a_card_before_a_player_is_counted_once() -> None:
    """In Conto a card that was shown lies before its player, or is in the hand, and never both."""
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        for panel in scene.panels:
            values = [value for value in panel.more if value.draw == "cards"]
            shown = [card.card for value in values for card in value.cards]
            assert len(shown) == len(set(shown))
            seen += len(values) > 1
            assert sum(len(value.cards) + (value.number or 0) for value in values) in (0, 6)

    moments("conto", look)
    assert seen


def test_a_bill_marks_the_cards_that_count_and_no_hidden_one() -> None:
    """In Conto the cards that a bill counts are marked, all of them open, and the verdict has as many."""
    counted = []

    def look(model: TableModel, scene: Scene) -> None:
        values = [value for panel in scene.panels for value in panel.more]
        held = [card for value in values for card in value.cards]
        held += [card for item in scene.yours for card in item.cards]
        faces = [card for card in held if card.counted]
        assert [card for card in faces if not card.text] == []
        if any(mark.kind == "counted" for mark in model.marks):
            assert scene.cue is not None
            counted.append(
                (len({card.card for card in faces}), sum(len(one.cards) for one in scene.cue.tallies))
            )

    moments("conto", look, questions=60)
    assert counted
    for number, told in counted:
        assert number == told


def test_what_a_count_comes_to_is_told_once_it_is_counted() -> None:
    """While the cards of a bill are counted one by one, its sentence is not in the story yet."""
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        verdict = model.verdicts.now
        if verdict is not None and any(mark.kind == "counted" for mark in model.marks):
            seen += 1
            model.verdicts.now = replace(verdict, step="tally", counted=1)
            counting = model.scene(Viewpoint("en", "", ()), None)
            model.write("Ann: Oh no!", "talk", message="{name}: {words}")
            *rest, talk = model.scene(Viewpoint("en", "", ()), None).story
            model.notes.pop()
            model.verdicts.now = verdict
            assert "On the table:" in scene.story[-1].text
            assert counting.story == scene.story[:-1]
            assert (tuple(rest)[-20:], talk.text) == (counting.story[-20:], "Ann: Oh no!")

    moments("conto", look, questions=40)
    assert seen


def test_what_goes_from_seat_to_seat_is_drawn_on_its_way() -> None:
    """In Zompa who is called stands out, and a fiche has dots between its giver and its receiver."""
    states: set[str] = set()
    plain = dotted = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal plain, dotted
        states.update(panel.state for panel in scene.panels)
        if scene.flows and scene.end is None:
            flow = scene.flows[0]
            said = "\n".join(text_of(drawn(scene, (120, 36))))
            assert f"{flow.n} ──▸" in said
            assert f"{flow.n} ◂──" in said
            still = "\n".join(text_of(drawn(structs.replace(scene, flows=()), (120, 36))))
            dotted += said.count("·") > still.count("·")
            small = "\n".join(text_of(drawn(scene, (80, 24))))
            assert not re.search(r"\w·|·\w", said + small)  # "Turned·" looked like a word
            assert not re.search(r"from (\d+) to \1 ", said + small)
            plain += 1

    moments("zompa", look, seats=6, questions=60)
    assert "called" in states
    assert plain
    assert dotted


def test_the_names_of_the_dead_go_on_where_nothing_stands_beside_them() -> None:
    """At 120x36 cells are free on the board; "Berto, Carla, Dino and …" was cut."""
    whole = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal whole
        dead = next((item for item in scene.board if item.id == "dead" and item.text.count(",") == 2), None)
        if dead is not None and scene.end is None and len(dead.text) < 36:
            whole += 1
            frame = drawn(scene, (120, 36))
            ((rect, _),) = [one for one in placed(scene.board, plan_for(scene, (120, 36))) if one[1] is dead]
            rows = text_of(frame)[1 + rect.y : 1 + rect.y + rect.height]
            said = " ".join(row[rect.x : rect.x + rect.width].strip() for row in rows)
            assert f"Dead {dead.text}" in said, rows

    moments("zompa", look, seats=6, questions=60, whole=True)
    assert whole


@pytest.mark.parametrize("lang", ["en", "it"])
def test_check_14_the_button_says_what_it_does(reel: Reel, lang: str, questions: int) -> None:
    """Every question has a verb on its button, and no button is "Press Enter" or the like."""
    acts = set()

    def look(scene: Scene, match: int) -> None:
        if scene.decision.kind in ("choices", "several", "number", "go"):
            acts.add(scene.decision.act)

    reel.look(look, lang=lang, questions=questions)
    assert "" not in acts
    assert not [act for act in acts if "Enter" in act or "Invio" in act]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_check_15_every_seat_is_told_by_its_mark(reel: Reel, size: tuple[int, int], questions: int) -> None:
    """A seat's mark and name stand in its panel, its mark before what it did and at the end."""
    told = ends = 0
    before: object = None

    def look(scene: Scene, match: int) -> None:
        nonlocal told, ends, before
        if (now := (scene.panels, scene.story[-1:], scene.end)) == before:
            return  # what is looked for here is drawn as a moment ago
        before = now
        rows = text_of(drawn(scene, size))
        text = "\n".join(rows)
        assert len({(panel.hue, panel.mark) for panel in scene.panels}) == len(scene.panels)
        for panel in scene.panels:
            assert f"{panel.mark} {panel.name}" in text, text
        marks = {panel.seat: panel.mark for panel in scene.panels}
        for line in scene.story[-1:]:
            if line.seat is not None:
                told += 1
                mark = f"{marks[line.seat]} "
                assert ("" if mark in line.text else mark) + line.text[:16] in text, text
        if scene.end is not None:
            ends += 1
            plan = plan_for(scene, size)
            board = inside(rows, plan.board)
            for place in scene.end.order:
                assert marks[place.seat] in board

    reel.look(look, questions=questions, whole=True)  # no end of a match of Bang is among the first 200
    assert told
    assert ends or questions == ENOUGH


@pytest.mark.parametrize(
    "sizes", [SIZES, *(pytest.param([size], marks=pytest.mark.long) for size in SIZES)], ids=str
)
def test_check_15_twenty_seats_are_distinct_without_colour(sizes: list[tuple[int, int]]) -> None:
    """Mark and short name tell twenty seats of a real match apart; hue and mark tell sixty-four."""
    assert len(set(looks_of([None] * 64))) == 64
    assert not set(MARKS) & set("♠♥♦♣★")
    assert {cell_len(mark) for mark in MARKS} == {1}
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        text = "\n".join(text_of(drawn(scene, sizes[seen % len(sizes)])))
        seen += 1
        names = {panel.seat: f"{panel.mark}{panel.short}" for panel in scene.panels}
        assert len(set(names.values())) == 20
        squeezed_text = text.replace(" ", "")
        assert [name for name in names.values() if name not in squeezed_text] == [], text

    moments("zompa", look, seats=20, questions=4)
    assert seen > 100 * len(sizes)


def test_the_sentence_that_decided_a_match_is_ascii_where_all_must_be() -> None:
    """An ending repeats it from the story, which has its signs in every letter there is."""
    scene = end_of("zompa", lang="it", ascii_only=True)
    assert scene.end is not None
    assert scene.end.decisive is not None
    assert scene.end.decisive.text.isascii()
    assert not end_of("zompa", lang="it").end.decisive.text.isascii()  # type: ignore[union-attr]


@pytest.mark.parametrize("game", a_part(ALL, 2))
def test_check_16_an_ending_tells_of_everybody(game: str) -> None:
    """The end has every seat's place, score and course, the awards, no raw figures."""
    for lang, seats in (("en", 4), ("it", 3)):
        scene = end_of(game, seats, lang)
        assert scene.end is not None
        assert sorted(place.seat for place in scene.end.order) == list(range(seats))
        names = {panel.seat: panel.name for panel in scene.panels}
        for size in [(80, 24), (120, 36)]:
            frame = drawn(scene, size)
            rows, plan = text_of(frame), plan_for(scene, size)
            board, text = inside(rows, plan.board), "\n".join(rows)
            for place in scene.end.order:
                assert names[place.seat] in board, text
                assert place.text in board, text
            for award in scene.end.awards:
                assert squeezed(award.title) in squeezed(text), text
            if any(len(panel.series) > 2 and any(panel.series) for panel in scene.panels):
                assert set("▁▂▃▄▅▆▇█") & set(text), text
            assert not [word for word in ("root", "digest", "Questions answered") if word in text]


@pytest.mark.parametrize("plain", [False, True])
def test_check_20_without_colour_four_states_have_four_looks(*, plain: bool) -> None:
    """Pointed at, asked, new and impossible differ by signs or reversing alone."""
    styles = role_styles(DARK, color=False)
    assert {style.color for style in styles.values()} | {style.bgcolor for style in styles.values()} == {None}
    looks: dict[str, set[tuple[str, bool | None]]] = defaultdict(set)
    glyphs = ASCII if plain else UNICODE
    pointed, other = glyphs.heavy, glyphs.dotted
    assert len({pointed, other, glyphs.double, glyphs.round}) == 4

    def look(model: TableModel, scene: Scene) -> None:
        options = scene.decision.options
        frame = drawn(scene, (80, 24), ascii_only=plain)
        for row in frame.block.lines:
            for text, role in row:
                style = styles[role] if role else None
                if role == "cursor":
                    looks["pointed"].add(("cursor", style.reverse if style else None))
                elif role.endswith("-here"):
                    looks["asked"].add(("name", style.reverse if style else None))
                for what, box in {"new": glyphs.double, "cannot": glyphs.dotted}.items():
                    if box.across * 3 in text:
                        looks[what].add((box.across, style.reverse if style else None))
        text = "\n".join(text_of(frame))
        if options and not scene.decision.own:
            assert glyphs.cursor in text or glyphs.heavy.left_top in text

    moments("conto", look, questions=40)
    assert looks["pointed"] == {("cursor", True)}
    assert looks["asked"] == {("name", True)}
    assert {sign for sign, _ in looks["new"]} == {glyphs.double.across}
    assert {sign for sign, _ in looks["cannot"]} == {glyphs.dotted.across}


@pytest.mark.parametrize("game", a_part(ALL, 2))
def test_check_18_a_scene_holds_only_what_its_viewer_knows(game: str) -> None:
    """No face, text, number or mark of a scene comes from a card that its viewer has not seen."""
    seen = marked = 0

    def cards(value: Any) -> list[CardFace]:
        if isinstance(value, CardFace):
            return [value]
        parts = value if isinstance(value, tuple) else (
            [getattr(value, name) for name in value.__slots__] if hasattr(value, "__slots__") else []
        )  # fmt: skip
        return [card for part in parts for card in cards(part)]

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen, marked
        assert model.match is not None
        view = model.match.view(scene.seat)
        seen_then = {  # the scene may be that of a moment ago, before the cards were shuffled
            card.id
            for zone in model.zones().values()
            for card in getattr(zone.shape(), "cards", ())
            if card.face is not None
        }
        for card in cards((scene.board, scene.yours, scene.panels)):
            seen += 1
            if card.text:
                assert card.card in seen_then or view.face_of(card.card) is not None
            else:
                assert not card.counted  # a mark on a back would tell what it is
        for panel in scene.panels:
            for value in (panel.main, *panel.more):
                if value is not None and value.delta is not None:
                    marked += 1
                    assert value.number is not None
        for zone in view.zones().values():
            shape = zone.shape()
            if isinstance(shape, CardRow | CardStack) and zone.seat not in (None, scene.seat):
                assert zone.id not in {item.id for item in scene.yours}

    moments(game, look)
    assert seen or game in ("horse-fever", "jumpy-jack", "race")
    assert marked or game in ("bang", "tricks")


def known(game: str, seats: int) -> list[tuple[bytes, list[dict[str, Zone]]]]:
    """Of a match of bots: after each update its digest, and the zones as every viewer sees them."""

    async def play() -> list[tuple[bytes, list[dict[str, Zone]]]]:
        at, told = seat(game, seats, humans=0), []
        async for _ in at.updates():
            views = [at.match.view(viewer) for viewer in (None, *range(seats))]
            zones = [{zone.id: replace(zone, show=None) for zone in view.zones().values()} for view in views]
            told.append((at.match.digest(), zones))
            if len(told) == UPDATES:
                break
        return told

    return run(play())


@pytest.mark.parametrize("game", a_part(GAMES, 2))
def test_check_27_declaring_changes_nothing_that_may_be_known(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same match of a game that says nothing of how it is shown: each digest and each view is equal."""
    declared = known(game, 3)
    rules = Catalogue().game(game).game
    zones, said = rules.zones, set[str]()

    def bare(self: Any, t: Any, viewer: Any) -> list[Zone]:
        there = list(zones(self, t, viewer))
        said.update("show" for zone in there if zone.show is not None)
        return [replace(zone, show=None) for zone in there]

    def asked(*given: Any, verb: str = "", about: Any = (), **more: Any) -> Ask[Any]:
        said.update(["verb"] * bool(verb) + ["about"] * bool(about))
        return Ask(*given, **more)

    monkeypatch.setattr(rules, "zones", bare)
    monkeypatch.setattr(rules, "layout", Layout())
    monkeypatch.setattr("tavolata.table.Ask", asked)
    plain = known(game, 3)
    assert "show" in said
    assert len(declared) == len(plain) > 3
    assert [at for at, (one, other) in enumerate(zip(declared, plain, strict=True)) if one != other] == []


@pytest.mark.parametrize("lang", ["en", "it"])
def test_check_19_every_frame_has_exactly_its_cells(reel: Reel, lang: str, questions: int) -> None:
    """At every size a frame has its width and height, only known roles, and in ASCII nothing else."""
    count = 0

    def look(scene: Scene, match: int) -> None:
        nonlocal count
        count += 1
        if count % 4 and questions == ENOUGH:
            return
        size, ascii_only = SIZES[count // 4 % len(SIZES)], lang == "it"
        frame = drawn(scene, size, ascii_only=ascii_only)
        assert len(frame.block.lines) == size[1]
        assert {width(row) for row in frame.block.lines} == {size[0]}, text_of(frame)
        assert 0 <= frame.cursor[0] < size[0]
        assert 0 <= frame.cursor[1] < size[1]
        if ascii_only:
            bad = [row for row in text_of(frame) if not row.replace("…", "").isascii()]
            assert bad == []

    reel.look(look, lang=lang, questions=questions)
    assert count > 10


CALLS = {"horse-fever": 60_000, "conto": 70_000, "jumpy-jack": 80_000, "zompa": 40_000}
"""The most calls that a scene with the most seats and its frame may take, on every machine alike."""


@pytest.mark.parametrize(
    ("game", "seats"), [("horse-fever", 6), ("conto", 8), ("jumpy-jack", 16), ("zompa", 20)]
)
def test_check_26_a_scene_is_small_and_made_with_little_work(game: str, seats: int) -> None:
    """With the most seats a scene as JSON has less than 32 KB, and scene and frame at 120x36 are few calls.

    The number of calls is the same on every machine; the time is a figure of the benchmarks.
    """
    sizes: list[int] = []
    calls: list[int] = []

    def look(model: TableModel, scene: Scene) -> None:
        sent = structs.replace(scene, cast=None)
        sizes.append(len(json.dumps(as_data(sent), ensure_ascii=False, separators=(",", ":")).encode()))
        if len(sizes) in (5, 25, 45):
            question, made = model.question(), itertools.count()
            sys.setprofile(lambda *_: next(made))
            try:
                drawn(model.scene(Viewpoint("en", game, ()), question), (120, 36))
            finally:
                sys.setprofile(None)
            calls.append(next(made) // 2)  # a call, and its return

    moments(game, look, seats=seats, questions=6)
    assert 0 < max(sizes) <= 32 * 1024
    assert 0 < sorted(calls)[len(calls) // 2] <= CALLS[game], calls


def test_all_cards_of_a_new_hand_are_new() -> None:
    """Also one whose handle was in the hand before: since the shuffle it stands for another card."""
    news: list[set[bool]] = []

    def look(model: TableModel, scene: Scene) -> None:
        hand = next((item.cards for item in scene.yours if item.draw == "hand"), ())
        if hand and "sets the table" in scene.story[-1].text:
            news.append({card.new for card in hand})

    moments("conto", look, questions=60)
    assert {True} in news
    assert {True, False} not in news
