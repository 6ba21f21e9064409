"""The table as a scene and its frames: the acceptance checks of the screen, over moments of real matches."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len
from tests.core.ui.scene.moments import GAMES, SIZES, UNDECLARED, drawn, moments, plan_of, text_of

from tavolata._ui.scene.desk import Desk
from tavolata._ui.scene.identity import MARKS, looks_of, short_names
from tavolata._ui.scene.scene import CardFace, Scene, as_data
from tavolata._ui.tui.drawing.layout import board_places
from tavolata._ui.tui.drawing.runs import width
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.zones import CardRow, CardStack

pytestmark = pytest.mark.battery

ALL = [*GAMES, *UNDECLARED]
STAKES = ("Stake", "Punta")


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def asked(scene: Scene) -> bool:
    return bool(scene.decision.options or scene.decision.amount) and not scene.decision.own


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
@pytest.mark.parametrize("game", ALL)
def test_checks_1_and_2_what_decides_is_on_view_with_the_question(game: str, size: tuple[int, int]) -> None:
    """At 80x24 and 60x20 hand, prompt, three choices and what the question is about need no key."""
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        if not asked(scene):
            return
        seen += 1
        frame = drawn(scene, size)
        rows = text_of(frame)
        text = "\n".join(rows)
        first = scene.decision.text.split()[0]
        assert first in text, text
        for item in scene.yours:
            for card in item.cards:
                shown = f"{card.corner}{card.sign}" or card.text.split()[0]
                assert shown in text, (shown, text)
        there = {option.number for option in scene.decision.options}
        spots = {spot.thing[1] + 1 for spot in frame.block.spots if spot.thing[0] == "choice"}
        assert len(spots & there) >= min(3, len(there)), text
        for zone in scene.decision.about:
            titles = [item.title for item in scene.board if item.id == zone]
            assert [title for title in titles if title[:4] not in text] == [], (zone, text)

    moments(game, look)
    assert seen >= 2 or game in ("bang", "zompa")


@pytest.mark.parametrize("game", ALL)
def test_check_3_a_zone_never_leaves_its_place(game: str) -> None:
    """A zone keeps its slot for the whole match, and the slot its rectangle at one size."""
    slots: dict[str, set[str]] = defaultdict(set)
    wide: set[bool] = set()

    def look(model: TableModel, scene: Scene) -> None:
        for item in scene.board:
            slots[item.id].add(item.slot)
        if any(item.slot == "hero.0" for item in scene.board):
            wide.add(any(item.slot == "hero.0" and item.draw in ("lanes", "grid") for item in scene.board))

    moments(game, look)
    assert slots
    assert [zone for zone, taken in slots.items() if len(taken) > 1] == []
    assert len({one for taken in slots.values() for one in taken}) == len(slots)
    assert len(wide) == 1
    for size in SIZES:
        plan = plan_of(size)
        places = board_places(plan.board.width, plan.board.height, wide=wide == {True})
        rects = [*places.slots.values(), *places.cells]
        cells = [(x, y) for one in rects for x in range(one.x, one.x + one.width)
                 for y in range(one.y, one.y + one.height)]  # fmt: skip
        assert len(cells) == len(set(cells))  # no two places overlap


@pytest.mark.parametrize("size", [*SIZES, (81, 25), (140, 40), (200, 60), (119, 36)])
def test_check_4_every_region_has_its_rectangle(size: tuple[int, int]) -> None:
    """The regions of a size depend on nothing else, fill the screen, and don't overlap."""
    plan = plan_of(size)
    regions = [plan.status, plan.players, plan.board, plan.story, plan.yours, plan.decision, plan.keys]
    cells = [(x, y) for one in regions for x in range(one.x, one.x + one.width)
             for y in range(one.y, one.y + one.height)]  # fmt: skip
    assert len(cells) == len(set(cells))
    bar = size[1] - 2 if plan.beside else plan.board.height
    assert len(cells) == size[0] * size[1] - (0 if plan.chips else bar)
    assert max(cells) < size
    assert min(cells) == (0, 0)


@pytest.mark.parametrize("game", GAMES)
def test_check_5_a_large_screen_is_used(game: str) -> None:
    """In mid-game a quarter of all cells is not blank on the average, and the hero is the largest item."""
    sizes = [(120, 36), (160, 50)]
    shares: dict[tuple[int, int], list[float]] = {size: [] for size in sizes}

    count = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal count
        count += 1
        for size in sizes if count % 4 == 0 else []:
            rows = text_of(drawn(scene, size))
            share = sum(sign != " " for row in rows for sign in row) / (size[0] * size[1])
            shares[size].append(share)
            plan = plan_of(size)
            hero = next((item for item in scene.board if item.slot == "hero.0"), None)
            wide = hero is not None and hero.draw in ("lanes", "grid")
            places = board_places(plan.board.width, plan.board.height, wide=wide)
            areas = {slot: rect.width * rect.height for slot, rect in places.slots.items()}
            assert hero is None or areas.pop("hero.0") > max([0, *areas.values()])

    moments(game, look, questions=60)
    for size in sizes:
        half = shares[size][len(shares[size]) // 2 :]
        assert len(half) > 5
        assert sum(half) / len(half) >= 0.25, (size, sum(half) / len(half))


def test_the_lanes_of_a_track_keep_the_order_in_which_its_tokens_were_set_up() -> None:
    """Horses stand in one order all match long: the order in which the questions name them, not A to Z."""
    orders: set[tuple[str, ...]] = set()

    def look(model: TableModel, scene: Scene) -> None:
        orders.update(tuple(lane.thing for lane in item.lanes) for item in scene.board if item.lanes)

    moments("jumpy-jack", look)
    assert orders == {("yellow (Y)", "black (K)", "red (R)", "green (G)", "blue (B)")}


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
        assert [head for head in track.columns if head not in "".join(rows)] == []
        for lane in track.lanes:
            row = next(row for row in rows if lane.text.split(" (")[0] in row and lane.letter in row)
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
        told.append((own.number, model.scene(Desk("en", "", ()), question)))

    moments("horse-fever", look)
    ((money, scene),) = told
    assert f"{money - 500} D" in scene.decision.preview[0]
    assert scene.decision.preview[0] in "\n".join(text_of(drawn(scene, (80, 24))))


def test_check_7_impossible_choices_take_no_room() -> None:
    """In Conto the hand stays whatever can't be called; the reasons come with a key."""
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        if scene.decision.cannot:
            seen += 1
            rows = text_of(drawn(scene, (80, 24)))
            assert any("tells what can't be now, and why" in row for row in rows)
            hand = next(item for item in scene.yours if item.draw == "hand")
            text = "\n".join(rows)
            assert [card for card in hand.cards if f"{card.corner}{card.sign}" not in text] == []

    moments("conto", look)
    assert seen


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
    """In Conto the cards that a bill counts are marked, all of them open, and the call says how many."""
    counted = []

    def look(model: TableModel, scene: Scene) -> None:
        values = [value for panel in scene.panels for value in panel.more]
        held = [card for value in values for card in value.cards]
        held += [card for item in scene.yours for card in item.cards]
        faces = [card for card in held if card.counted]
        assert [card for card in faces if not card.text] == []
        if model.marks:
            notes = [item.note for item in scene.board if item.emphasis == 2]
            counted.append((len(faces), notes))

    moments("conto", look, questions=60)
    assert counted
    for number, notes in counted:
        assert number
        assert any(str(number) in note for note in notes)


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
            still = "\n".join(text_of(drawn(replace(scene, flows=()), (120, 36))))
            dotted += said.count("·") > still.count("·")
            plain += 1

    moments("zompa", look, seats=6, questions=60)
    assert "called" in states
    assert plain
    assert dotted


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("game", GAMES)
def test_check_14_the_button_says_what_it_does(game: str, lang: str) -> None:
    """Every question has a verb on its button, and no button is "Press Enter" or the like."""
    acts = set()

    def look(model: TableModel, scene: Scene) -> None:
        if scene.decision.kind in ("choices", "several", "number", "go"):
            acts.add(scene.decision.act)

    moments(game, look, lang=lang)
    assert "" not in acts
    assert not [act for act in acts if "Enter" in act or "Invio" in act]


def test_check_15_twenty_seats_are_distinct_without_colour() -> None:
    """Mark and short name tell twenty seats apart; hue and mark tell sixty-four."""
    names = [
        f"{first}{last}" for first in ("Ann", "Ber", "Car", "Din") for last in ("a", "ina", "o", "ux", "y")
    ]
    shorts = short_names(names)
    assert len({(mark, shorts[seat]) for seat, (_, mark) in enumerate(looks_of([None] * 20))}) == 20
    assert len(set(looks_of([None] * 64))) == 64
    assert not set(MARKS) & set("♠♥♦♣★")
    assert {cell_len(mark) for mark in MARKS} == {1}


@pytest.mark.parametrize("game", ALL)
def test_check_18_a_scene_holds_only_what_its_viewer_knows(game: str) -> None:
    """No face, text or number of a scene comes from a card that its viewer has not seen."""
    seen = 0

    def cards(value: Any) -> list[CardFace]:
        if isinstance(value, CardFace):
            return [value]
        parts = value if isinstance(value, tuple) else (
            [getattr(value, name) for name in value.__slots__] if hasattr(value, "__slots__") else []
        )  # fmt: skip
        return [card for part in parts for card in cards(part)]

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        assert model.match is not None
        view = model.match.view(scene.seat)
        for card in cards((scene.board, scene.yours, scene.panels)):
            seen += 1
            if card.text:
                assert view.face_of(card.card) is not None
        for zone in view.zones().values():
            shape = zone.shape()
            if isinstance(shape, CardRow | CardStack) and zone.seat not in (None, scene.seat):
                assert zone.id not in {item.id for item in scene.yours}

    moments(game, look)
    assert seen or game in ("horse-fever", "jumpy-jack", "race")


@pytest.mark.parametrize(
    ("lang", "ascii_only"),
    [
        ("en", False),
        ("it", True),
        *(pytest.param(*one, marks=pytest.mark.long) for one in [("en", True), ("it", False)]),
    ],
)
@pytest.mark.parametrize("game", ALL)
def test_check_19_every_frame_has_exactly_its_cells(game: str, lang: str, ascii_only: bool) -> None:
    """At every size a frame has its width and height, only known roles, and in ASCII nothing else."""
    count = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal count
        size = SIZES[count % len(SIZES)]
        count += 1
        frame = drawn(scene, size, ascii_only=ascii_only)
        assert len(frame.block.lines) == size[1]
        assert {width(row) for row in frame.block.lines} == {size[0]}, text_of(frame)
        assert 0 <= frame.cursor[0] < size[0]
        assert 0 <= frame.cursor[1] < size[1]
        if ascii_only:
            bad = [row for row in text_of(frame) if not row.replace("…", "").isascii()]
            assert bad == []

    moments(game, look, lang=lang, ascii_only=ascii_only, questions=8)
    assert count > 5


@pytest.mark.parametrize("game", ["horse-fever", "conto"])
def test_check_26_the_json_of_a_scene_is_small(game: str) -> None:
    """A scene as JSON has less than 32,000 characters; its time is a figure of the benchmarks."""
    sizes: list[int] = []

    def look(model: TableModel, scene: Scene) -> None:
        again = model.scene(_desk(scene), model.question())
        sizes.append(len(json.dumps(as_data(again))))

    moments(game, look, questions=10)
    assert 0 < max(sizes) < 32_000


def _desk(scene: Scene) -> Desk:
    return Desk(scene.lang, scene.status.title, ())
