"""What stands on a small screen whole: values in columns, choices side by side, a sentence as the hero."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from tests.core.ui.scene.moments import GAMES, UNDECLARED, drawn, end_of, moments, plan_for, text_of

from tavolata import N_, YES_NO, Choice, Game, Hand, Options, Outcome, Seat, Table, Zone, one_of
from tavolata._engine.match.updates import Ended
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.cast import Cast, Draw
from tavolata._ui.scene.decision import make_decision
from tavolata._ui.scene.ending import make_ending
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import (
    CardFace,
    ChoicePlace,
    Decision,
    Lane,
    Option,
    Row,
    Scene,
    SceneItem,
    StoryLine,
    Timeline,
    Value,
)
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.choices import draw_decision
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.items import draw_item, draw_yours
from tavolata._ui.tui.drawing.panels import deeds_of, draw_players
from tavolata._ui.tui.drawing.runs import width
from tavolata._ui.tui.drawing.stage import Rect, stage
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata._ui.tui.model.prompt import PromptQuestion
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.words import Words
from tavolata.decks import FRENCH_52
from tavolata.kinds.some_of import some_of
from tavolata.zones import Layout, counters_zone, hand_zone, text_zone

OFFERS = (
    "ten potatoes",
    "a pound of butter",
    "flour",
    "milk",
    "salt",
    "eggs and all that a cake needs besides",
)


class Market(Game[Options]):
    """Two buy at a market, where nothing lies on the table but a sentence about what was bought last."""

    name, title, seats = "market", N_("Market"), (2, 2)
    bought: str

    def setup(self, t: Table[Options]) -> None:
        self.bought = ""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        choices = [Choice(offer, "{what}", params={"what": offer}) for offer in OFFERS]
        seat = t.first_seat
        self.bought = await t.ask(
            seat, one_of(choices), N_("What will you buy?"), N_("{seat} looks."), seat=seat
        )
        return Outcome((seat,)) if t.turn > 2 else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        if self.bought:
            yield text_zone("bought", N_("Bought"), N_("The last that was bought: {what}"), what=self.bought)


def scenes(monkeypatch: pytest.MonkeyPatch, questions: int) -> list[Scene]:
    """The scenes of a market with a question."""
    monkeypatch.setitem(UNDECLARED, "market", Market)
    found: list[Scene] = []

    def look(_: TableModel, scene: Scene) -> None:
        if scene.decision.options:
            found.append(scene)

    moments("market", look, seats=2, questions=questions)
    return found


def test_a_sentence_that_lies_alone_on_the_table_is_the_hero(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that shows nothing but a text has it in the middle of its board, not among small facts."""
    scene = scenes(monkeypatch, 2)[-1]
    (item,) = scene.board
    assert (item.slot, item.draw) == ("hero.0", "words")
    rows = text_of(drawn(scene, (80, 24)))
    assert rows[1].startswith(" Bought ")
    assert any("The last that was bought" in row for row in rows[2:8])


def test_few_long_choices_leave_the_others_two_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six choices are on view in three rows though one of them is too long; its button says all of it."""
    scene = scenes(monkeypatch, 1)[0]
    rows = text_of(drawn(scene, (80, 24)))
    assert [offer for offer in OFFERS[:5] if not any(offer in row for row in rows)] == []
    assert scene.decision.options[5].verb == f"Choose {OFFERS[5]}"


def test_the_button_names_the_one_of_several_whose_number_is_typed() -> None:
    """Until then it says how many can be taken, because Enter alone takes none."""
    question = PromptQuestion("Which?", some_of("abc", 1, 2), lambda _: None)
    say = SceneWords(Words(Translator("en"), "", ()), None)

    def act() -> str:
        return make_decision(Viewpoint("en", "", (), question=question.begun()), say, (), ()).act

    assert act() == "Choose 1 to 2"
    question.draft.digit("2")
    assert act() == "b"


def test_no_half_fact_stands_in_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that doesn't fit is left out whole, and a shorter one after it stands there."""
    scene = scenes(monkeypatch, 1)[0]
    facts = (("Bang at", "double, sandwich and " + "much else " * 5), ("", "turn 3"))
    scene = replace(scene, status=replace(scene.status, facts=facts))
    row = text_of(drawn(scene, (80, 24)))[0]
    assert "turn 3" in row
    assert "Bang" not in row


def test_a_turn_that_a_game_tells_itself_is_not_told_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside "Turn 3 of 6" there is no "turn 3"; beside "Turn 30 of 60" there is."""
    scene = scenes(monkeypatch, 1)[0]
    for fact, times in (("3 of 6", 1), ("30 of 60", 2)):
        facts = (("Turn", fact), ("", "turn 3"))
        shown = replace(scene, status=replace(scene.status, facts=facts))
        assert text_of(drawn(shown, (80, 24)))[0].casefold().count("turn 3") == times


HEADS = ("Order of arrival", "Behind", "Odds", "Tokens that are left")


@pytest.mark.parametrize("rows", [8, 9])
def test_titles_of_columns_give_way_to_their_values(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Where columns are too wide, titles stand in two rows or get shorter; no value and no lane is cut."""
    names = ("black", "blue", "green", "red", "yellow", "white")
    beside = ("▒▒▒12", "1:12", "10000")
    lanes = tuple(
        Lane(name, f"{name} ({letter})", letter, "", 0, columns=(str(at), *beside))
        for at, (name, letter) in enumerate(zip(names, "KBGRYW", strict=True))
    )
    item = SceneItem("track", "hero.0", "hero", "lanes", "Track", lanes=lanes, length=20, goal=12,
                     marks={12: "FINISH"}, columns=HEADS)  # fmt: skip
    shop = Workshop(scenes(monkeypatch, 1)[0], UNICODE, Translator("en").text)
    drawn_rows = ["".join(text for text, _ in line) for line in draw_item(item, 54, rows, shop).lines]
    assert len(drawn_rows) == rows
    text = "\n".join(drawn_rows)
    assert "…" not in text
    assert [text.count(value) for value in beside] == [6, 6, 6]
    assert [name for name in names if name not in text] == []
    assert "FINISH" in text
    assert ("arrival" in text) == (rows == 9)


@pytest.mark.parametrize("rows", range(1, 12))
def test_an_empty_item_is_drawn_in_any_room(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Nothing is in a zone yet, and its title alone is too wide: each kind of item still has its lines."""
    shop = Workshop(scenes(monkeypatch, 1)[0], UNICODE, Translator("en").text)
    for draw in get_args(Draw):
        item = SceneItem("nights", "board.0", "", draw, "Your nights: each visit, and what you saw")
        for cells in (8, 24, 60):
            block = draw_item(item, cells, rows, shop)
            assert max(map(width, block.lines)) <= cells, (draw, cells)


def test_the_columns_of_choices_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first lane with one of two choices turns nothing round; lanes side by side have no such columns."""
    scene = scenes(monkeypatch, 1)[0]
    lanes = tuple(Lane(name, name, name[0].upper(), "", 0) for name in ("black", "green", "white"))
    item = SceneItem("track", "hero.0", "hero", "lanes", "Track", lanes=lanes, length=9, goal=5)
    offers = [("black", "to place"), ("green", "to win"), ("green", "to place"), ("white", "to win")]
    options = tuple(
        Option(number, f"{thing} {side}", "", at=ChoicePlace("track", thing=thing, column=side))
        for number, (thing, side) in enumerate(offers, 1)
    )
    scene = replace(scene, board=(item,), decision=replace(scene.decision, options=options))
    shop = Workshop(scene, UNICODE, Translator("en").text)
    head, black, *_ = ("".join(text for text, _ in line) for line in draw_item(item, 60, 4, shop).lines)
    assert head.index("to win") < head.index("to place")
    assert black.index("1", 20) >= head.index("to place")
    pairs = "\n".join("".join(text for text, _ in line) for line in draw_item(item, 60, 3, shop).lines)
    assert "to " not in pairs
    assert "…" not in pairs


@pytest.mark.parametrize("rows", [1, 3, 8])
def test_a_hand_without_cards_is_no_empty_box(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Before cards are dealt a sentence says that nothing lies there; what else is one's own still stands."""
    hand = SceneItem("hand", "yours.0", "yours", "hand", "Hand")
    vow = SceneItem("vow", "yours.1", "yours", "words", "Vow", text="three tricks")
    shop = Workshop(scenes(monkeypatch, 1)[0], UNICODE, Translator("en").text)

    def told(*items: SceneItem) -> str:
        block = draw_yours(items, Rect(0, 0, 60, rows), shop, titled=rows > 3)
        return "\n".join("".join(text for text, _ in line) for line in block.lines)

    assert "nothing in front of you" in told(hand)
    assert "…" not in told(hand)
    assert "╭" not in told(hand)
    assert "three tricks" in told(hand, vow)


def test_who_looks_on_is_not_told_that_nothing_is_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a replay and for spectators the place of one's own things stays blank."""
    scene = scenes(monkeypatch, 1)[0]
    for seat in (0, None):
        shop = Workshop(replace(scene, seat=seat), UNICODE, Translator("en").text)
        hand = SceneItem("hand", "yours.0", "yours", "hand", "Hand")
        for items in ([], [hand]):
            block = draw_yours(items, Rect(0, 0, 60, 3), shop, titled=False)
            text = "".join(text for line in block.lines for text, _ in line)
            assert ("nothing in front of you" in text) is (seat is not None)


def test_a_note_that_has_no_room_below_a_timeline_says_that_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a small screen the keys of a replay are told as far as they fit, and an ellipsis says so."""
    line = Timeline(3, 9, ())
    note = " ".join(f"key{number} does that." for number in range(12))
    decision = Decision("replay", "turn 1", "Ann plays. " * 9, "Play", note=note, timeline=line)
    shop = Workshop(replace(scenes(monkeypatch, 1)[0], decision=decision), UNICODE, Translator("en").text)
    for height, whole in ((7, False), (12, True)):
        block, *_ = draw_decision(Rect(0, 0, 60, height), shop, key="", why_key="x")
        text = " ".join("".join(text for text, _ in line) for line in block.lines).rstrip()
        assert text.endswith("that." if whole else "…")


def test_a_ring_whose_players_hold_nothing_gives_its_rows_to_the_hero() -> None:
    """In Zompa all that is one's own is a number on the ring: at 80x24 its card has room for its name."""
    frames: list[str] = []

    def look(model: TableModel, scene: Scene) -> None:
        assert scene.cast is not None
        assert not scene.cast.own
        frames.append("\n".join(text_of(drawn(scene, (80, 24)))))

    moments("zompa", look, questions=6)
    assert any("═══╗" in frame and " of " in frame for frame in frames), frames[-1]
    ring = Layout("ring")
    for own, rows in ((True, 3), (False, 0)):
        plan = stage(80, 24, wish=ring, cast=Cast(own=own))
        assert plan is not None
        assert plan.yours.height == rows


def test_what_nobody_did_is_no_line_of_an_ending() -> None:
    """A statistic without a single number is left out; with one it has all seats."""
    rows = {"Fastest bang, ms": (None, None), "Steps": (4, None)}
    ended = Ended(Outcome((Seat(0),), statistics=rows), b"")
    say = SceneWords(Words(Translator("en"), "", ("Ann", "Bo")), None)
    (line,) = make_ending(ended, [None, None], {}, say).statistics
    assert (line.title, line.values) == ("Steps", ("4", "–"))


BETS = [
    ("white (W) to win, 200 D", ["Points 2  Stables green (G)", "Character Cranéo Cervantes",
                                 "Bets white (W) to win, 200 D"]),
    ("yellow (Y) to place, 12000 D", ["Points 2  Stables green (G)", "Character Cranéo Cervantes",
                                     "yellow (Y) to place, 12000 D"]),
    ("yellow (Y) to place, 200 D, white (W) to win, 300 D",
     ["2  Cranéo Cervantes  green (G)", "yellow (Y) to place, 200 D,", "white (W) to win, 300 D"]),
]  # fmt: skip


@pytest.mark.parametrize(("bet", "told"), BETS)
def test_what_is_known_of_another_player_is_told_whole(bet: str, told: list[str]) -> None:
    """In four rows short things share one, and a long one loses its title or goes on in the next."""
    scene = end_of("bang", 4)
    more = [("points", "Points", "2"), ("character", "Character", "Cranéo Cervantes"),
            ("stables", "Stables", "green (G)"), ("bets", "Bets", bet)]  # fmt: skip
    values = tuple(Value(zone, title, "words", text) for zone, title, text in more)
    panels = tuple(replace(panel, more=values, series=()) for panel in scene.panels)
    shop = Workshop(replace(scene, panels=panels, end=None), UNICODE, Translator("en").text)
    block = draw_players(Rect(0, 0, 34, 17), shop, chips=False)
    rows = ["".join(text for text, _ in line) for line in block.lines]
    assert [row[2:].rstrip() for row in rows[2:5]] == told


def test_a_label_is_cut_before_it_vanishes() -> None:
    """In two rows that are too few for whole titles each value has the beginning of its own."""
    scene = end_of("bang", 4)
    more = (
        Value("stables", "Stables", "words", "green (G)"),
        Value("hand", "Action cards", "cards", "2", 2),
        Value("points", "Points", "number", "12"),
        Value("name", "Character", "words", "Cranio"),
    )
    panels = tuple(replace(panel, more=more, series=()) for panel in scene.panels)
    shop = Workshop(replace(scene, panels=panels, end=None), UNICODE, Translator("en").text)
    block = draw_players(Rect(0, 0, 34, 13), shop, chips=False)
    rows = ["".join(text for text, _ in line)[2:].rstrip() for line in block.lines[2:4]]
    assert rows == ["Sta. green (G)  Act. ▒2  Poi. 12", "Cha. Cranio"]


def test_what_is_known_of_a_player_ends_in_dots_where_it_is_cut() -> None:
    """A text that needs more rows than a panel has says so."""
    scene = end_of("bang", 4)
    more = (Value("rows", "cartelle", "words", " ".join(map(str, range(10, 90)))),)
    panels = tuple(replace(panel, more=more, series=()) for panel in scene.panels)
    shop = Workshop(replace(scene, panels=panels, end=None), UNICODE, Translator("en").text)
    block = draw_players(Rect(0, 0, 34, 17), shop, chips=False)
    assert "".join(text for text, _ in block.lines[4]).rstrip().endswith("…")


def test_what_a_player_did_last_is_read_rather_than_how() -> None:
    """A sentence that a panel would cut begins behind its colon, if the rest is whole then."""
    scene = end_of("bang", 4)
    name = scene.panels[0].name
    for done, row in (
        ("wants a bigger plate: calls 3×A + 4×9 and shows 9♦.", "calls 3×A + 4×9 and shows 9♦."),
        ("lays: the 2♥.", "lays: the 2♥."),
        ("says: " + "no " * 20, "says: no no no no no no no no n…"),
    ):
        story = (StoryLine(f"{name} {done}", seat=scene.panels[0].seat),)
        shop = Workshop(replace(scene, story=story, end=None), UNICODE, Translator("en").text)
        (line,) = deeds_of(scene.panels[0], 32, 1, shop)
        assert "".join(text for text, _ in line).strip() == row


def test_a_horse_stands_on_its_square_with_its_letter_for_a_saddle() -> None:
    """Body and legs are whole from the first square to the last, and a short way that it ran shows."""
    for square, was in ((0, None), (0, 1), (1, 0), (5, 3), (9, 8), (None, 9)):
        lane = Lane("red (R)", "red (R)", "R", "red", square, was=was, columns=("12",))
        item = SceneItem(
            "track",
            "hero.0",
            "hero",
            "lanes",
            "Track",
            lanes=(lane,) * 3,
            length=9,
            goal=9,
            columns=("Odds",),
        )
        shop = Workshop(end_of("bang", 2), UNICODE, Translator("en").text)
        rows = ["".join(text for text, _ in line) for line in draw_item(item, 60, 8, shop).lines]
        begin, body = rows[0].index("0"), next(row for row in rows if "red" in row)
        legs = rows[rows.index(body) + 1]
        assert body.split()[-1] == "12"
        if square is not None:
            at = begin + square * ((rows[0].index("9") - begin) // 9)
            assert body[at - 3 : at + 4] == "▗▄▄R▟▀▘"
            assert legs[at - 2 : at + 3].replace("╍", "").strip() in ("▞▚ ▞▚", "▞▚", "▞▚ ▞")
        assert ("╍" in legs) == (was is not None)


def test_a_click_on_a_horse_or_on_its_squares_points_at_its_choice() -> None:
    """Both rows of a lane belong to it, as the target lies on the lower one."""
    lane = Lane("red (R)", "red (R)", "R", "red", 2)
    item = SceneItem("track", "hero.0", "hero", "lanes", "Track", lanes=(lane,) * 3, length=9)
    option = Option(1, "red", "", at=ChoicePlace("track", thing=lane.thing, square=4))
    scene = replace(end_of("bang", 2), end=None, decision=Decision("choices", "", "", options=(option,)))
    block = draw_item(item, 60, 8, Workshop(scene, UNICODE, Translator("en").text))
    rows = ["".join(text for text, _ in line) for line in block.lines]
    assert [spot.height for spot in block.spots] == [2] * 3
    assert "▗▄▄R▟▀▘" in rows[block.spots[0].y]
    assert "◇" in rows[block.spots[0].y + 1]


def test_the_label_of_one_line_is_cut_before_its_value() -> None:
    """A sentence beside its title is whole as long as three letters of the title have room."""
    shop = Workshop(end_of("bang", 2), UNICODE, Translator("en").text)
    item = SceneItem("owed", "aside.0", "aside", "words", "Gets the next fiche", text="Berto and Carla")
    for cells, label in ((40, "Gets the next fiche"), (26, "Get.")):
        (line,) = draw_item(item, cells, 1, shop).lines
        assert "".join(text for text, _ in line).split("  ")[0].strip() == f"{label} Berto and Carla"


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_players_leave_no_rows_that_one_of_them_could_use(seats: int) -> None:
    """What is left after equal panels goes to the first of them, the viewer's among these."""
    scene = end_of("bang", seats)
    cards = tuple(CardFace(at, text=f"picture{at}") for at in range(9))
    value = Value("owned", "Cards", "cards", str(len(cards)), 0, cards=cards)
    panels = tuple(replace(panel, more=(value,), series=()) for panel in scene.panels)
    shop = Workshop(replace(scene, panels=panels, end=None), UNICODE, Translator("en").text)
    block = draw_players(Rect(0, 0, 34, 17), shop, chips=False)
    rows = ["".join(text for text, _ in line).strip() for line in block.lines]
    assert [row for row in rows if not row] == []


@pytest.mark.parametrize(("count", "more"), [(9, []), (12, ["+3"])])
def test_cards_with_long_names_have_all_the_rows_of_a_panel(count: int, more: list[str]) -> None:
    """Nine pictures are whole in three rows; of twelve the last place says how many have no room."""
    scene = end_of("bang", 4)
    names = [f"picture{at:x}" for at in range(count)]
    cards = tuple(CardFace(at, text=name) for at, name in enumerate(names))
    value = Value("owned", "Cards", "cards", str(count), 0, cards=cards)
    panels = tuple(replace(panel, more=(value,), series=()) for panel in scene.panels)
    shop = Workshop(replace(scene, panels=panels, end=None), UNICODE, Translator("en").text)
    block = draw_players(Rect(0, 0, 34, 17), shop, chips=False)
    rows = ["".join(text for text, _ in line)[2:] for line in block.lines[2:5]]
    assert " ".join(rows).split() == [*names[:9], *more]


def test_who_holds_hidden_cards_is_told_how_many_however_little_room_there_is() -> None:
    """In a row that is too short for all known cards dots stand for them, after the number of hidden ones."""
    scene = end_of("bang", 4)
    shown = CardFace(1, "9", "♦", "red", "9 of diamonds")
    known = CardFace(2, "10", "♣", "black", "10 of clubs")
    more = (
        Value("shown", "Shown", "cards", "", cards=(shown,)),
        Value("hand", "Hand", "cards", "", number=4, cards=(known,)),
    )
    panels = tuple(replace(panel, more=more, main=None, name="Carla") for panel in scene.panels)
    shop = Workshop(replace(scene, panels=panels, end=None), UNICODE, Translator("en").text)

    def row(cells: int) -> str:
        return "".join(text for text, _ in draw_players(Rect(0, 0, cells, 5), shop, chips=False).lines[1])

    assert "▒4 10♣  9♦" in row(24)
    assert "Carla ▒4… 9♦" in row(19).replace("  ", " ")


def test_all_choices_are_on_view_before_the_line_about_impossible_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of thirteen ranks the ace is not put on a second page by a line that the keys say, too."""
    scene = scenes(monkeypatch, 1)[0]
    first = scene.decision.options[0]

    def rows(texts: list[str]) -> str:
        options = tuple(replace(first, number=at, text=text, more="") for at, text in enumerate(texts, 1))
        decision = replace(
            scene.decision, options=options, pointed=0, kind="one", cannot=(("K", "no"),), note=""
        )
        shop = Workshop(replace(scene, decision=decision), UNICODE, Translator("en").text)
        block, *_ = draw_decision(Rect(0, 0, 60, 6), shop, key="Enter", why_key="x")
        return "\n".join("".join(text for text, _ in line) for line in block.lines)

    few, all_of_them = rows(["1×2", "1×3"]), rows([f"1×{rank}" for rank in (*range(2, 11), *"JQKAXYZ")])
    many = rows([f"a very long choice of some words, number {n}" for n in range(20)])
    assert "why not" in few
    assert "1×Z" in all_of_them
    assert "tells" not in all_of_them
    assert "PgUp and PgDn" in many
    assert "…" not in many  # what does not fit beside the page is left out whole


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_stage_check_22_all_charts_have_one_scale_and_say_so(size: tuple[int, int]) -> None:
    """One low and one high for every seat: who had 2 all along isn't drawn as high as who had 8."""
    scene = end_of("bang", 3)
    assert scene.end is not None
    courses = ((8, 8, 8, 8), (2, 2, 2, 2), (0, 4, 4, 4))
    panels = tuple(replace(panel, series=course) for panel, course in zip(scene.panels, courses, strict=True))
    rows = "\n".join(text_of(drawn(replace(scene, panels=panels), size)))
    assert "0…8" in rows
    two = "░" in rows  # charts of two rows, in which 4 of 8 is a whole one
    for sign, times in (("█", True), ("▂", not two), ("▄", True), ("▇", False)):
        assert (sign in rows) == times, rows


@pytest.mark.parametrize(("said", "whole"), [(20, True), (90, False)])
def test_what_a_choice_means_is_whole_or_says_that_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, said: int, whole: bool
) -> None:
    """Beside few cards a long sentence has the room that they leave; one that is still cut ends in dots."""
    hand = SceneItem("hand", "yours.0", "yours", "hand", "Hand", cards=(CardFace(0, "7", "♥", "red", "7"),))
    scene = scenes(monkeypatch, 1)[0]
    option = replace(scene.decision.options[0], more="word " * said + "end")
    scene = replace(scene, decision=replace(scene.decision, options=(option,), pointed=0))
    shop = Workshop(scene, UNICODE, Translator("en").text)
    block = draw_yours((hand,), Rect(0, 0, 80, 3), shop, titled=False)
    rows = ["".join(text for text, _ in line) for line in block.lines]
    text = "\n".join(rows)
    assert ("end" in text, "…" in text) == (whole, not whole), text
    assert {len(row) for row in rows} == {80}


@pytest.mark.parametrize("size", range(3, 12))
def test_what_a_choice_means_is_cut_with_dots_once(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """However long the words are, a cut sentence ends in one sign, not in two after half a word."""
    hand = SceneItem("hand", "yours.0", "yours", "hand", "Hand", cards=(CardFace(0, "7", "♥", "red", "7"),))
    scene = scenes(monkeypatch, 1)[0]
    option = replace(scene.decision.options[0], more=("w" * size + " ") * 90)
    scene = replace(scene, decision=replace(scene.decision, options=(option,), pointed=0))
    block = draw_yours(
        (hand,), Rect(0, 0, 80, 3), Workshop(scene, UNICODE, Translator("en").text), titled=False
    )
    assert "".join(text for line in block.lines for text, _ in line).count("…") == 1


def test_a_sentence_that_is_cut_in_two_rows_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list with more than its place holds ends in dots; one that's whole doesn't."""
    shop = Workshop(scenes(monkeypatch, 1)[0], UNICODE, Translator("en").text)
    for many, is_cut in ((6, False), (20, True)):
        item = SceneItem("cards", "aside.0", "aside", "words", "Ann", text=", ".join(["lantern"] * many))
        lines = ["".join(text for text, _ in line) for line in draw_item(item, 34, 2, shop).lines]
        assert "".join(lines[:2]).count("lantern") == (6 if is_cut else many), lines
        assert lines[1].endswith("…") == is_cut


@pytest.mark.parametrize("asides", [1, 2])
def test_a_long_row_uses_the_room_beside_it_where_nothing_ever_comes(
    monkeypatch: pytest.MonkeyPatch, asides: int
) -> None:
    """At 80x24 the places of a race are told whole, by letters if another fact may come beside them."""
    things = ("blue (B)", "green (G)", "red (R)")
    lanes = tuple(Lane(name, name, name[0], "", 0) for name in things)
    track = SceneItem("track", "hero.0", "hero", "lanes", "Track", lanes=lanes, length=9)
    ranks = tuple(Row(name, str(at), "") for at, name in enumerate(things, 1))
    arrivals = SceneItem("ranking", "aside.0", "aside", "rows", "Places", rows=ranks)
    cast = Cast(own=True, rehearsed=asides)
    for zone, role in [("track", "hero"), ("ranking", "aside"), ("other", "aside")][: 1 + asides]:
        cast.place(zone, role, "lanes" if role == "hero" else "rows", "")
    scene = replace(scenes(monkeypatch, 1)[0], board=(track, arrivals), cast=cast)
    told = "\n".join(text_of(drawn(scene, (80, 24))))
    assert ("red (R) 3" in told, "Places B 1 G 2 R 3" in told) == (asides == 1, asides == 2)


def test_no_dots_stand_for_blank_cells_of_a_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the last column of lanes is blank beyond the room, nothing says that something is cut."""
    lanes = tuple(Lane(name, name, name[0], "", 0, columns=("1", "")) for name in ("black", "red"))
    item = SceneItem("track", "hero.0", "hero", "lanes", "Track", lanes=lanes, length=9, goal=5,
                     columns=("Arrival", "Behind"))  # fmt: skip
    shop = Workshop(scenes(monkeypatch, 1)[0], UNICODE, Translator("en").text)
    for cells in range(20, 34):
        rows = ["".join(text for text, _ in row) for row in draw_item(item, cells, 4, shop).lines[1:]]
        assert not [row for row in rows if "…" in row], rows


def test_each_of_two_hands_is_named() -> None:
    """Above two hands stand both titles, as they lie, and no number of cards, which would be of one."""
    shop = Workshop(end_of("bang", 2), UNICODE, Translator("en").text)
    face = (CardFace(1, "7", "♥", "red", "7"),)
    hands = [
        SceneItem(title, f"yours.{at}", "yours", "hand", title, cards=face, count=1)
        for at, title in enumerate(("Goals", "Horses"))
    ]
    own = draw_yours(hands, Rect(0, 0, 60, 8), shop, titled=True)
    assert "".join(text for text, _ in own.lines[0]).strip() == "Goals · Horses"


def test_hidden_dice_are_called_dice() -> None:
    """What is one's own under a cup is counted as dice."""
    shop = Workshop(end_of("bang", 2), UNICODE, Translator("en").text)
    seen = tuple(CardFace(at, str(at), "", "", str(at)) for at in range(1, 6))
    cup = SceneItem("cup", "yours.0", "yours", "hand", "Cup", count=5, dice=True, cards=seen)
    own = draw_yours([cup], Rect(0, 0, 60, 8), shop, titled=True)
    text = "\n".join("".join(text for text, _ in line) for line in own.lines)
    assert "5 dice" in text
    assert "card" not in text


class Keepers(Game[Options]):
    """Everybody turns up cards before themselves, and sits around the table."""

    name, title, seats = "keepers", "Keepers", (2, 10)
    layout = Layout(seating="ring")
    kept: Sequence[Hand[Any]]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.kept = t.pile("deck", FRENCH_52), t.hands("kept")
        self.coins = t.counters("coins", 5)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if t.turn == 0:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.kept, each=3)
            await t.reveal(card for hand in self.kept for card in hand)
        await t.ask(t.first_seat, YES_NO, N_("Take a card?"), N_("{seat} thinks."), seat=t.first_seat)
        return Outcome((t.first_seat,)) if t.turn > 2 else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield counters_zone(self.coins, N_("Coins"))
        for seat in t.ring:
            yield hand_zone(self.kept[seat], N_("Kept"))


@pytest.mark.parametrize("seats", [4, 6, 10])
@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
def test_a_ring_of_players_shows_everybodys_cards(
    monkeypatch: pytest.MonkeyPatch, seats: int, size: tuple[int, int]
) -> None:
    """Each player's open cards and number are in their box around the board, one's own included."""
    monkeypatch.setitem(UNDECLARED, "keepers", Keepers)
    found: list[Scene] = []

    def look(_: TableModel, scene: Scene) -> None:
        if scene.decision.options:
            found.append(scene)

    moments("keepers", look, seats=seats, questions=1)
    rows = text_of(drawn(found[0], size))
    plan = plan_for(found[0], size)
    board = " ".join(rows[plan.board.y : plan.board.y + plan.board.height])
    for panel in found[0].panels:
        (value,) = panel.more
        assert len(value.cards) == 3, panel
        cards = " ".join(f"{card.corner}{card.sign}" for card in value.cards)
        assert cards in board
    assert board.count(" 5 ") == seats


def test_a_note_in_a_ring_hides_no_number_of_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a note, too, the last place in a box says how many of a player's cards have no room."""
    monkeypatch.setitem(UNDECLARED, "keepers", Keepers)
    found: list[Scene] = []
    moments("keepers", lambda _, scene: found.append(scene), questions=1)
    cards = tuple(CardFace(at, text=f"picture{at}") for at in range(9))
    value = Value("kept", "Kept", "cards", "9", 0, cards=cards)
    panels = tuple(replace(panel, more=(value,), note="is away") for panel in found[-1].panels)
    text = "\n".join(text_of(drawn(replace(found[-1], panels=panels), (160, 50))))
    assert text.count("+5") == len(panels), text


@pytest.mark.battery
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_while_nothing_is_asked_earlier_sentences_fill_the_decision(size: tuple[int, int]) -> None:
    """The one before the newest is first; the newest is there only where its own line can't hold it."""
    seen: list[Scene] = []

    def look(model: TableModel, scene: Scene) -> None:
        if scene.decision.kind == "wait" and len(scene.story) > 8:
            seen.append(scene)

    moments("zompa", look, seats=6, questions=4)
    compared = 0
    for scene in seen[::5]:
        rows, plan = text_of(drawn(scene, size)), plan_for(scene, size)
        below = rows[plan.decision.y + 1 : plan.height - 1]
        before, newest = (one.text for one in scene.story[-2:])
        if len(newest) < 40:
            assert before[:24] in below[1], rows
            assert sum(not row.strip() for row in below) < 3, rows  # a sentence of three lines may not fit
            compared += 1
    assert compared > 5


def test_a_pile_says_its_number_in_large_digits_without_moving_its_cards() -> None:
    """A number of one digit and one of two are in the same place, beside the same top card."""
    tops, numbers, counts = set[int](), set[int](), set[int]()

    def look(model: TableModel, scene: Scene) -> None:
        pile = next((one for one in scene.board if one.id == "pile"), None)
        if pile is None or not pile.cards or scene.cue is not None or scene.end is not None:
            return
        plan = plan_for(scene, (120, 36))
        rows = [row[: plan.hero.width] for row in text_of(drawn(scene, (120, 36)))[2 : plan.yours.y]]
        tops.add(max(row.rfind(sign) for row in rows[:1] for sign in "╮╗"))
        numbers.add(next(row.index(" card") for row in rows if " card" in row))
        counts.add(pile.count)

    moments("bang", look, seats=3, questions=25)
    assert len(tops) == len(numbers) == 1
    assert min(counts) < 10 <= max(counts)


@pytest.mark.parametrize("size", [(120, 36), (160, 50)])
def test_a_large_board_tells_what_was_before_the_story(size: tuple[int, int]) -> None:
    """Beside a pile are the sentences for which the story has no room, and none is on view twice."""
    found: list[Scene] = []
    moments("bang", lambda _, scene: found.append(scene), seats=3, questions=1)
    told = tuple(StoryLine(f"Number {number}.") for number in range(10, 160))
    scene = replace(found[-1], story=told)
    rows, plan = text_of(drawn(scene, size)), plan_for(scene, size)
    board = "\n".join(row[: plan.board.width] for row in rows)
    before, story = (
        [int(number) for number in re.findall(r"Number (\d+)", text)] for text in (board, "\n".join(rows))
    )
    assert len(before) == plan.earlier.height - 1 > 15  # below its title
    assert before == [*range(before[0], before[-1] + 1)]
    assert sorted(story) == [*range(before[0], 160)]


def test_a_box_on_the_ring_says_what_its_player_did_last() -> None:
    """Without the name, which is above it; where no row is free it's beside the coins, or nowhere."""
    found: list[Scene] = []
    moments("zompa", lambda _, scene: found.append(scene), seats=6, questions=1)
    told = StoryLine("Ann: one.", seat=0), StoryLine("Berto gives a coin to everybody.", seat=1)
    scene = replace(found[-1], story=told)
    for size, free in (((120, 36), True), ((80, 24), False)):
        rows, board = text_of(drawn(scene, size)), plan_for(scene, size).board
        text = "\n".join(row[: board.width] for row in rows[: board.height])
        assert (" one." in text, " gives a" in text, "Ann:" in text) == (True, free, False)


def test_charts_of_all_players_have_one_height() -> None:
    """Where not all panels have the same rows, the row more is for words: one scale is one height."""
    found: list[Scene] = []
    moments("zompa", lambda _, scene: found.append(scene), seats=6, questions=25)
    scene, size = next(one for one in reversed(found) if one.end is None), (120, 36)
    plan = plan_for(scene, size).players
    rows = [row[plan.x + 2 :] for row in text_of(drawn(scene, size))[plan.y : plan.y + plan.height]]
    assert sum(any(sign in row for sign in "▁▂▃▄▅▆▇█░") for row in rows) == 6


@pytest.mark.parametrize("clockwise", [True, False])
def test_a_ring_is_seated_in_the_direction_of_play(clockwise: bool) -> None:
    """With four players the next one sits at the viewer's left, or right; arrows run the same way."""
    found: list[Scene] = []
    moments("zompa", lambda _, scene: found.append(scene), seats=4, questions=1)
    scene = replace(found[-1], clockwise=clockwise)
    rows = text_of(drawn(scene, (80, 24)))
    names = [panel.name for panel in scene.panels]
    boxes = [re.compile(rf" {name} [─━]") for name in names]
    places = [(y, box.search(row)) for box in boxes for y, row in enumerate(rows) if box.search(row)]
    (y0, x0), (y1, x1), (y2, x2), (y3, x3) = [(y, box.start()) for y, box in places if box is not None]
    assert y0 == y1 > y2 == y3
    assert (x1 < x0, x3 > x2) == (clockwise, clockwise)
    arrows = [row for row in rows if "──▸" in row or "◂──" in row]
    assert ["──▸" in row for row in arrows] == ([True, False] if clockwise else [False, True])


@pytest.mark.parametrize("cells", [26, 40, 60])
def test_cards_side_by_side_stay_where_they_are_while_others_come(cells: int) -> None:
    """The first of up to five cards has the size and the place that it has among five."""
    shop = Workshop(end_of("bang", 2), UNICODE, Translator("en").text)
    faces = tuple(CardFace(at, str(at + 2), "♥", "red", "a card") for at in range(5))
    places: list[list[int]] = []
    for number in range(1, 6):
        shown = faces[:number]
        item = SceneItem("row", "hero.0", "centre", "hand", "", count=number, cards=shown, widths=(5,))
        lines = ["".join(text for text, _ in line) for line in draw_item(item, cells, 9, shop).lines]
        assert {len(lines)} == {9}
        tops = max(lines, key=lambda row: row.count("╭"))
        places.append([x for x, sign in enumerate(tops) if sign == "╭"])
    assert places == [places[-1][:number] for number in range(1, 6)]
    assert len(places[-1]) == 5


ROOM: dict[tuple[int, int], tuple[int, int, int]] = {
    (60, 20): (1, 20, 40), (80, 24): (2, 14, 65), (120, 36): (4, 12, 65), (160, 50): (4, 12, 65),
}  # fmt: skip
"""By size: blank rows at most, cells of the board that say something at least, lines at most, in percent."""
BLANK = {
    ("zompa", 60): 3, ("bang", 60): 2, ("jumpy-jack", 60): 2, ("race", 60): 4, ("race", 80): 3,
    ("race", 160): 10, ("tricks", 60): 3, ("tricks", 80): 3, ("tricks", 120): 8, ("tricks", 160): 13,
}  # fmt: skip
"""Rows of a place that is free now: a pile grows there, or a story that has just begun."""
SAYS = {
    ("zompa", 60): 10, ("zompa", 80): 9, ("zompa", 120): 10, ("zompa", 160): 8, ("bang", 60): 12,
    ("bang", 80): 13, ("bang", 160): 3, ("conto", 60): 17, ("jumpy-jack", 160): 5, ("horse-fever", 160): 6,
    ("race", 120): 7, ("race", 160): 3, ("tricks", 60): 12, ("tricks", 120): 7, ("tricks", 160): 3,
}  # fmt: skip
"""One card or one track is all that's on the board, however large it's drawn."""


@pytest.mark.long
@pytest.mark.parametrize("game", [*GAMES, *UNDECLARED])
def test_stage_check_18_room_is_used(game: str) -> None:
    """The medians of a match; half-blocks draw figures, so they say something. Exceptions have a reason."""
    found: dict[tuple[int, int], list[tuple[int, float, float]]] = {size: [] for size in ROOM}
    count = 0

    def share(cells: str, lines: bool) -> float:
        drawn = sum("─" <= cell <= "╿" or cell in "░▒▓" for cell in cells)
        there = sum(cell != " " for cell in cells)
        return 100 * drawn / max(1, there) if lines else 100 * (there - drawn) / max(1, len(cells))

    def look(_: TableModel, scene: Scene) -> None:
        nonlocal count
        count += 1
        for size in ROOM if count % 7 == 0 else ():
            rows, board = text_of(drawn(scene, size)), plan_for(scene, size).board
            blank = sum(not row.strip(" │") for row in rows)
            part = "".join(
                row[board.x :][: board.width].ljust(board.width) for row in rows[board.y :][: board.height]
            )
            found[size].append((blank, share(part, lines=False), share("".join(rows), lines=True)))

    moments(game, look, questions=60)
    for size, (most, least, lines) in ROOM.items():
        blank, says, drawn_lines = map(median, zip(*found[size], strict=True))
        assert blank <= BLANK.get((game, size[0]), most), (size, blank)
        assert says >= SAYS.get((game, size[0]), least), (size, says)
        assert drawn_lines <= lines, (size, drawn_lines)
