"""What is drawn: always within its room, in ASCII where asked, never a symbol or a colour alone."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from rich.cells import cell_len
from tests.core.ui.tui.playing import NAMES

from tavolata import Seat
from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._engine.table.invitations import Invitation
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.art import PIPS
from tavolata._ui.scene.cast import Cast, Draw
from tavolata._ui.scene.faces import card_face, colour_of, letter_of, letters_of
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.scene.say import SceneWords, in_ascii
from tavolata._ui.scene.scene import (
    AwardLine,
    CardFace,
    Cue,
    Decision,
    Decisive,
    Ending,
    Guide,
    Option,
    Panel,
    Scene,
    SceneItem,
    SeatStanding,
    StatisticLine,
    Status,
    StoryLine,
)
from tavolata._ui.tui.drawing.cards import SIZES, HandOfCards
from tavolata._ui.tui.drawing.ending import draw_ending
from tavolata._ui.tui.drawing.frame import NO_HINT, Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE, Glyphs
from tavolata._ui.tui.drawing.items import placed
from tavolata._ui.tui.drawing.lines import news_block
from tavolata._ui.tui.drawing.lobby import draw_invitation, draw_lobby, qr_lines
from tavolata._ui.tui.drawing.markdown import markdown_block
from tavolata._ui.tui.drawing.runs import Block, beside, clipped, flowing, line, padded, width, wrapped
from tavolata._ui.tui.drawing.stage import Rect, stage
from tavolata._ui.tui.drawing.workshop import Pen, Workshop
from tavolata._ui.tui.model.table_model import Note
from tavolata._ui.words import Words
from tavolata.decks import FRENCH_54, ITALIAN_40, ItalianFace, ItalianSuit, Rank
from tavolata.looks import INKS
from tavolata.options import Problem
from tavolata.zones import CardView
from tavolata_conto.rules import Conto
from tavolata_horse_fever.colours import LANES
from tavolata_jumpy_jack.board import HORSES
from tavolata_zompa.rules import Zompa

texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Mn", "Me", "Zl", "Zp")), max_size=80)


def pen(room: int = 80, lang: str = "en", package: str = "", **more: Any) -> Pen:
    return Pen(Words(Translator(lang), package, NAMES), None, more.pop("glyphs", UNICODE), room, **more)


def shown(block: Block) -> str:
    return "\n".join("".join(text for text, _ in row) for row in block.lines)


def card(face: Any, number: int = 0) -> CardView:
    return CardView(number, "deck", face)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("size", SIZES[:-1])
def test_stage_check_15_a_rank_has_as_many_signs_at_every_size(size: tuple[int, int], glyphs: Glyphs) -> None:
    """Seven, nine and ten had six; on the smallest cards the corner alone says the rank."""
    for number in range(1, 11):
        sign = "S" if glyphs is ASCII else "♠"
        card = CardFace(0, "A" if number == 1 else str(number), sign, "black", "a card")
        rows = shown(HandOfCards([card], {}, None, glyphs).draw(size[0], size[1], size[0])).split("\n")
        assert len(rows) == size[1]
        inside, pip = [row[1:-1] for row in rows[1:-1]], PIPS.get(sign, ("",))
        large = sum(
            below[x : x + len(pip[-1])] == pip[-1] and above[x : x + len(pip[0])] == pip[0]
            for above, below in itertools.pairwise(inside)
            for x in range(len(above) if len(pip) > 1 else 0)
        )
        assert "".join(inside).count(sign) + large == number


# -- the ending -------------------------------------------------------------------------------------


def scene_telling(story: str, options: int) -> Scene:
    """A scene of nothing but a sentence and a question with so many choices."""
    choices = tuple(Option(at, f"choice {at}", "") for at in range(1, options + 1))
    kind = "choices" if choices else "wait"
    decision = Decision(kind, "", "Which one?", "Take it", options=choices)
    return Scene(
        "en", "play", None, Status("Game", "", None), "rail", 0, "", (), (), (), decision,
        story=(StoryLine("before"), StoryLine(story)),
    )  # fmt: skip


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("options", [0, 4])
def test_a_long_sentence_can_be_read_whole_at_80x24(options: int, glyphs: Glyphs) -> None:
    """What the line of the story can't hold stands in the decision; without room there, a key is named."""
    long = "The network to Berto's machine is cut; his seat is kept for five minutes, then a bot plays."
    foot = Foot(keys=[("log", "l", "the log")])
    plan = stage(80, 24)
    assert plan is not None
    frame = draw_frame(scene_telling(long, options), plan, glyphs, Translator("en").text, foot)
    rows = shown(frame.block).split("\n")
    assert {len(row) for row in rows} == {80}
    ruled, below = rows[plan.story.y], " ".join("\n".join(rows[plan.decision.y :]).split())
    if not options:
        assert (long in below, " l " in ruled) == (True, False)
    else:
        assert (long in below, "… l " in ruled) == (False, True)
        assert any(spot.thing == ("view", "log") and spot.y == plan.story.y for spot in frame.block.spots)
    short = draw_frame(scene_telling("Nothing much.", 2), plan, glyphs, Translator("en").text, foot)
    assert shown(short.block).count("Nothing much.") == 1


def test_the_place_of_hints_is_not_empty_between_them() -> None:
    """Without a hint it tells what was before the story's line, the newest first; so does a folded hint."""
    plan = stage(80, 24, guided=True)
    assert plan is not None
    told = tuple(StoryLine(f"Number {number}.") for number in range(6))
    scene = structs.replace(scene_telling("", 2), story=told)

    def place(guide: Guide | None) -> list[str]:
        frame = draw_frame(structs.replace(scene, guide=guide), plan, UNICODE, Translator("en").text, Foot())
        rows = shown(frame.block).split("\n")[plan.guide.y : plan.guide.y + plan.guide.height]
        return [row.strip(" ─") for row in rows]

    assert place(None) == ["story", "Number 4.", "Number 3.", "Number 2."]
    assert place(Guide("Read.", "2 of 3"))[1:] == ["Read.", "", ""]
    folded = Guide("Read.", "2 of 3", folded=True)
    assert place(folded) == ["story", "Number 4.", "Number 3.", "Number 2."]
    long = " ".join(["word"] * 30)
    scene = structs.replace(scene, story=(*told[:3], StoryLine(long), told[-1]))
    assert " ".join(place(None)[1:]) == f"{long} Number 2."
    scene = structs.replace(scene, story=(told[0], StoryLine(f"{long} {long} {long}"), told[-1]))
    assert place(None)[-2].endswith("word …")
    assert place(None)[-1] == "Number 0."


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_moment_of_the_story_has_two_rows_of_80_at_most(size: tuple[int, int]) -> None:
    """What is longer ends in dots, so that others have room beside it; the log has all of it."""
    plan = stage(*size)
    assert plan is not None
    scene = structs.replace(scene_telling("", 0), story=(StoryLine("word " * 90), StoryLine("Done.")))
    frame = draw_frame(scene, plan, UNICODE, Translator("en").text, Foot())
    assert 25 < shown(frame.block).count("word") <= 30
    assert "word …" in shown(frame.block)


@pytest.mark.parametrize("size", [(120, 36), (160, 50)])
def test_the_place_of_hints_says_what_it_is_for_beside_a_whole_story(size: tuple[int, int]) -> None:
    """On a large screen a folded hint keeps its first line there; before the first one it says what comes."""
    plan = stage(*size, guided=True)
    assert plan is not None

    def place(guide: Guide | None) -> list[str]:
        scene = structs.replace(scene_telling("", 2), guide=guide)
        frame = draw_frame(scene, plan, UNICODE, Translator("en").text, Foot())
        rows = shown(frame.block).split("\n")[plan.guide.y : plan.guide.y + 2]
        return [row[: plan.guide.width].strip(" ─") for row in rows]

    assert place(None) == ["guide", NO_HINT]
    assert place(Guide("Read.\nTwice.", "2 of 3", folded=True)) == ["guide · 2 of 3", "Read."]
    assert place(Guide("Read.", "2 of 3"))[1:] == ["Read."]


def test_a_long_sentence_takes_the_rows_of_the_story_where_there_are_more() -> None:
    """At 100x30 it is broken between words, and what happened before gives way."""
    plan = stage(100, 30)
    assert plan is not None
    long = "word " * 30 + "end"
    frame = draw_frame(scene_telling(long, 4), plan, UNICODE, Translator("en").text, Foot())
    rows = shown(frame.block).split("\n")[plan.story.y : plan.story.y + plan.story.height]
    assert " ".join(" ".join(rows).replace("─", " ").split()) == long


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_no_seat_and_no_award_of_an_ending_is_cut_off(seats: int) -> None:
    """Beside a column of players at 80x24, all places and awards are drawn in words that end."""
    panels = tuple(
        Panel(seat, name, name[:2], "bot", MARKS[mark], hue)
        for (seat, name), (hue, mark) in zip(enumerate(NAMES[:seats]), looks_of([None] * seats), strict=True)
    )
    order = tuple(SeatStanding(seat + 1, seat, str(30 - seat), seat == 0) for seat in range(seats))
    awards = tuple(AwardLine(f"prize {seat}", seat, "never far from where it began") for seat in range(seats))
    status, decision = Status("Game", "", None), Decision("choices", "", "", "")
    end = Ending("Ann has won.", order, awards)
    scene = Scene("en", "end", None, status, "rail", 0, "", panels, (), (), decision, end=end)
    shop = Workshop(scene, UNICODE, Translator("en").text)
    drawn, more = draw_ending(Rect(0, 0, 54, 9), shop)
    text = shown(drawn) + shown(Block(tuple(more)))
    assert drawn.height <= 9
    assert "…" not in text
    assert [name for name in NAMES[:seats] if name not in text] == []
    assert text.count("never far from where it began") == seats
    assert len(more) <= 4


def test_statistics_and_what_decided_it_stand_below_the_podium() -> None:
    """Each statistic is a row of marks and numbers; many seats take more rows, and nothing is cut off."""
    panels = tuple(
        Panel(seat, NAMES[0], "An", "bot", MARKS[mark], hue)
        for seat, (hue, mark) in enumerate(looks_of([None] * 20))
    )
    order = tuple(SeatStanding(seat + 1, seat, str(seat), seat == 0) for seat in range(3))
    numbers = tuple(StatisticLine(title, tuple(map(str, range(100, 120)))) for title in ("Deaths", "Rides"))
    status, decision = Status("Game", "", None), Decision("choices", "", "", "")
    told = Decisive(7, "Bo gave up.", Cue("mark"))
    end = Ending("Ann has won.", order, (AwardLine("wet feet", 2),), numbers, decisive=told)
    scene = Scene("en", "end", None, status, "rail", 0, "", panels, (), (), decision, end=end)
    drawn, more = draw_ending(Rect(0, 0, 54, 30), Workshop(scene, UNICODE, Translator("en").text))
    text = shown(drawn)
    assert more == []
    assert text.index("Bo gave up.") < text.index("wet feet")  # what decided comes before what else was
    fled = structs.replace(told, text="Bo fled " + "the rain and " * 6 + "the wind.")
    long = structs.replace(scene, end=structs.replace(end, decisive=fled))
    drawn, _ = draw_ending(Rect(0, 0, 54, 6), Workshop(long, UNICODE, Translator("en").text))
    assert "rain" not in shown(drawn)  # half a sentence
    assert "wet feet" in shown(drawn)
    for title in ("Deaths", "Rides"):
        row = text.index(title)
        assert [str(number) for number in range(100, 120) if str(number) not in text[row:]] == []


# -- lines ------------------------------------------------------------------------------------------


@given(texts, st.integers(2, 60), st.sampled_from(["", "  ", "    "]))
def test_wrapped_lines_fit_and_lose_no_word(text: str, cells: int, hang: str) -> None:
    """No line is longer than its room, and put together again they say the same."""
    rows = wrapped(text, "", cells, hang)
    assert rows
    assert all(width(row) <= cells for row in rows)
    joined = "".join(run for row in rows for run, _ in row)
    assert joined.replace(" ", "") == text.replace(" ", "")


@given(texts, st.integers(1, 40))
def test_clipped_and_padded_lines_have_their_width(text: str, cells: int) -> None:
    """A line that is cut fits, and one that is padded is exactly as wide as it should be."""
    assert width(clipped(line(text), cells)) <= cells
    assert width(padded(line(text), cells)) in (cells, cells - 1)  # half of a wide sign can't be shown


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 3)), min_size=1, max_size=9), st.integers(9, 30))
def test_blocks_flow_within_the_room(sizes: list[tuple[int, int]], room: int) -> None:
    """Blocks stand side by side as far as they fit, and none is lost."""
    blocks = [Block(tuple(line("x" * w) for _ in range(h))) for w, h in sizes]
    whole = flowing(blocks, room, gap=2)
    assert whole.width <= room
    assert shown(whole).count("x") == sum(w * h for w, h in sizes)
    assert beside([]).height == 0


# -- colours and letters --------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize(
    ("package", "horses"), [("tavolata_horse_fever", LANES), ("tavolata_jumpy_jack", HORSES)]
)
def test_no_two_horses_have_one_letter(package: str, horses: Any, lang: str) -> None:
    """Each horse of the bundled races has its colour, and a letter of its own in every language."""
    words = [Words(Translator(lang), package, ()).describe(horse) for horse in horses]
    letters = [letter_of(word) for word in words]
    assert len(set(letters)) == len(horses) >= 5
    for letter, word in zip(letters, words, strict=True):
        assert f"({letter})" in word
    assert len({colour_of(horse) for horse in horses} & set(INKS)) == len(horses)


@given(st.lists(texts, unique=True, max_size=20))
def test_marks_are_always_different(words: list[str]) -> None:
    """Whatever things are called, each gets a mark of one cell that no other has."""
    marks = letters_of(words)
    assert len(set(marks)) == len(words)


def test_marks_of_dozens_of_things_still_differ() -> None:
    """Forty pawns of one name and a number each, as a track may have: letters, digits, then numbers."""
    marks = letters_of([f"pawn {number}" for number in range(120)])
    assert len(set(marks)) == 120
    assert max(map(len, marks)) == 2


def test_what_has_no_colour_in_its_name_has_none() -> None:
    """Only a thing whose English words begin with a colour is coloured; numbers and seats never."""
    assert colour_of("red (R)") == "red"
    assert colour_of("redoubt") == ""
    assert colour_of(Seat(1)) == colour_of(None) == colour_of("tired red") == ""


# -- cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("lang", ["en", "it"])
def test_every_card_shows_rank_and_suit(lang: str, glyphs: Any) -> None:
    """Each face of both packs looks different from all others, and in ASCII has a letter for its suit."""
    say = SceneWords(Words(Translator(lang), "", NAMES), None, plain=glyphs is ASCII)
    for deck in (FRENCH_54, ITALIAN_40):
        cards = [card_face(card(face), say, None) for face in deck.faces]
        faces = [one.corner + one.sign for one in cards]
        assert len(set(faces)) == len(set(deck.faces))
        assert min(map(len, faces)) >= 2
        if glyphs is ASCII:
            assert "".join(faces).isascii()


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("rows", [7, 5, 3, 1])
@pytest.mark.parametrize("count", [1, 6, 14, 30])
def test_a_hand_is_legible_in_every_room(count: int, rows: int, glyphs: Any) -> None:
    """Apart, lapped, small or flat: every corner of a hand can be read, and it fits its room."""
    say = SceneWords(Words(Translator("en"), "", NAMES), None)
    faces = [card_face(card(face, at), say, None) for at, face in enumerate(FRENCH_54.faces[:count])]
    for cells in (48, 75, 150):
        for pointed in (None, 0, count - 1):
            block = HandOfCards(faces, {}, pointed, glyphs).draw(cells, rows)
            assert block.width <= cells
            assert [one.corner + one.sign for one in faces if one.corner + one.sign not in shown(block)] == []


@pytest.mark.parametrize("rows", [1, 2])
def test_a_hand_that_is_cut_says_how_many_cards_are_not_on_view(rows: int) -> None:
    """The cards on view and the number at the end make up the hand, in the rows there are."""
    say = SceneWords(Words(Translator("en"), "", NAMES), None)
    faces = [card_face(card(face, at), say, None) for at, face in enumerate(FRENCH_54.faces[:30])]
    hand = HandOfCards(faces, {}, None, UNICODE)
    assert hand.draw(48, rows).height > rows
    block = hand.cut(48, rows)
    assert block.height <= rows
    *seen, more = shown(block).split()
    assert len(seen) + int(more) == 30
    assert more.startswith("+")


def test_no_number_is_cut_where_a_card_covers_another() -> None:
    """Stage's check 20: covered cards have their corner above, and nothing at their foot."""
    say = SceneWords(Words(Translator("en"), "", NAMES), None)
    tens = [face for face in FRENCH_54.faces if face.rank == Rank.TEN]
    faces = [card_face(card(face, at), say, None) for at, face in enumerate(tens)]
    for cells in (20, 22, 25):
        rows = shown(HandOfCards(faces, {}, None, UNICODE).draw(cells, 7, 7, stack=True)).split("\n")
        assert rows[0].count("10") == len(tens)
        assert rows[-1].count("1") == rows[-1].count("10") == 1


def test_a_title_with_a_word_that_is_too_long_is_left_out_of_a_card() -> None:
    """A word is never broken on a card: where it does not fit, the corners alone say which card it is."""

    def drawn(wide: int, high: int) -> str:
        face = CardFace(1, "+1", text="avanti di 1", title="avanti di 1")
        return shown(HandOfCards([face], {}, None, UNICODE).draw(wide, high))

    assert "avanti" in drawn(9, 7)
    assert "avan" not in drawn(7, 5)
    assert "+1" in drawn(7, 5)


def test_a_card_that_can_be_chosen_is_marked_without_colour() -> None:
    """Pointed at, taken, impossible and new cards have four different edges."""
    say = SceneWords(Words(Translator("en"), "", NAMES), None)
    face = card_face(card(FRENCH_54.faces[6]), say, None)
    edges = set()
    for pointed, option, new in [
        (0, Option(1, "", ""), False), (None, Option(1, "", "", order=1), False),
        (None, Option(1, "", "", can=False), False), (None, Option(1, "", ""), False),
    ]:  # fmt: skip
        hand = HandOfCards([structs.replace(face, new=new)], {0: option}, pointed, UNICODE)
        edges.add(shown(hand.draw(20, 5))[0])
    assert len(edges) == 4


# -- rules ------------------------------------------------------------------------------------------


@given(st.integers(10, 120))
def test_rules_fit_the_side_of_the_table(room: int) -> None:
    """The text of the rules is wrapped to its room; headings are set off, marks are gone."""
    text = """# Title

One *word* and `code`, [a link](x.md).

- item one
  goes on
1. number

| a | b |
|---|---|
| c | d |
"""
    block = markdown_block(text, room)
    assert block.width <= room
    assert not {"*", "`", "|", "["} & set(shown(block))
    assert ("Title", "title") in [run for row in block.lines for run in row]


@given(texts)
def test_ascii_is_ascii(text: str) -> None:
    """Whatever a text has in it, nothing but ASCII is left."""
    assert in_ascii(text).isascii()


# -- the lobby --------------------------------------------------------------------------------------


def test_a_table_that_is_not_known_yet_has_no_seats_to_count() -> None:
    """Whoever joins over a slow line is told that it goes on, not that nobody could sit there."""
    nobody, no = (), False
    facts = TableFacts(
        rules=Zompa, seats=0, taken=nobody, watchers={}, options={}, levels=(), running=no, played=0,
        hosts=no, seated=no, ready=no, by_itself=no, dealt=("", {}), invitation=Invitation(), games=dict,
    )  # fmt: skip
    assert shown(draw_lobby(facts, pen(), 9)) == ("Catching up with the table…")


# -- the news ---------------------------------------------------------------------------------------


def test_a_hint_is_read_from_its_beginning() -> None:
    """A hint among the last lines is whole where there is room; else it begins, and says how it goes on."""
    hint = Note("(Hint: " + "word " * 20 + "end)", "hint")
    notes = [Note("long ago"), Note("before"), hint, Note("after")]

    def lines(count: int, most: int) -> list[str]:
        return shown(news_block(notes[:count], pen(30), 3, most, "More: l")).split("\n")

    assert (lines(3, 9)[0][:6], lines(3, 9)[-1][-4:]) == ("(Hint:", "end)")
    assert (lines(4, 9)[0][:6], lines(4, 9)[-1]) == ("(Hint:", "after")
    assert (lines(3, 4)[0][:6], lines(3, 4)[-1], len(lines(3, 4))) == ("(Hint:", "More: l", 4)
    assert lines(2, 9) == ["long ago", "before"]


def test_a_lobby_shows_the_house_rules_that_can_be_set_and_what_keeps_it_from_starting() -> None:
    """An option that is not offered is not shown; a problem is a line of its own, in a warning's colour."""
    taken = (SeatFacts(Verbatim("Ann"), "waits", "", "Ann", True, "key", "known", None),)
    facts = TableFacts(
        rules=Conto, seats=4, taken=taken, watchers={}, options=Conto.options().plain(), levels=("easy",),
        running=False, played=0, hosts=True, seated=True, ready=False, by_itself=False,
        dealt=("All deal together.", {}), invitation=Invitation("192.168.1.5", "JMHW0H"), games=dict,
        problems=(Problem("cards", "{n} cards are too few.", n=5),),
    )  # fmt: skip
    for rows in (18, 60):  # in short, and the whole page
        block = draw_lobby(facts, replace(pen(), room=77), rows)
        said = shown(block)
        assert ("hands" in said, "target" in said, "cards =" in said) == (True, False, False)
        assert ("5 cards are too few.", "wrong") in [
            (text.strip(), role) for line in block.lines for text, role in line
        ]
    sweet = replace(facts, options={**facts.options, "omaggi": True}, seats=6)
    assert [spec.name for spec in sweet.offered] == [spec.name for spec in Conto.options.describe()]


def test_a_lobby_has_seats_address_and_qr_code_in_view_at_80x24() -> None:
    """Beside the seats with their marks stands the QR code; a free seat says which key puts a bot there."""
    taken = (SeatFacts(Verbatim("Ann"), "waits", "", "Ann", True, "key", "known", None),)
    facts = TableFacts(
        rules=Zompa, seats=3, taken=taken, watchers={}, options=Zompa.options().plain(), levels=("easy",),
        running=False, played=0, hosts=True, seated=True, ready=False, by_itself=False,
        dealt=("All deal together.", {}), invitation=Invitation("192.168.1.5"), games=dict,
        web="http://192.168.1.5:8286/",
    )  # fmt: skip
    block = draw_lobby(facts, replace(pen(), room=77), 18, [(("Bo: hello", "talk"),)], "b")
    rows = shown(block).split("\n")
    assert (block.width, block.height) == (77, 18)
    assert "● Ann" in rows[2]
    assert rows[2].index("not ready") > rows[2].index("the host")
    assert "free: b puts a bot here" in shown(block)
    assert "tt join 192.168.1.5" in shown(block)
    assert "Bo: hello" in shown(block)
    assert "…" not in rows[-2]
    for high in (12, 40):  # in short, and whole
        told = replace(facts, web="")
        assert "Bo: hello" in shown(
            draw_lobby(told, replace(pen(), room=77), high, [(("Bo: hello", "talk"),)])
        )
    free = replace(facts, watchers={bytes([number]): Verbatim(f"Watcher {number}") for number in range(9)})
    fitting = shown(draw_lobby(free, replace(pen(), room=77), 18, [(("Bo: hello", "talk"),)], "b"))
    assert "b puts a bot here × 2" in fitting  # where rules have no room, free seats are one panel
    free = replace(free, web="")
    fitting = shown(draw_lobby(free, replace(pen(), room=77), 18, [(("Bo: hello", "talk"),)], "b"))
    assert "Watcher 8" in fitting
    assert "…" not in "".join(fitting.split("\n")[3:])
    crowd = replace(facts, watchers={bytes([number]): Verbatim(f"Watcher {number}") for number in range(60)})
    more = shown(draw_lobby(crowd, replace(pen(), room=77), 18, [(("Bo: hello", "talk"),)], "b")).split("\n")
    assert "…" in more[-2]  # it goes on; the key for the seats tells all
    code = qr_lines(facts.web, ascii_only=False, border=1)
    assert [row[0] for row in code] == [run for row in block.lines for run in row if run[1] == "qr"]
    assert len(code) <= 18


@pytest.mark.parametrize("room", [57, 77, 100, 150])
def test_nobody_reads_half_an_invitation(room: int) -> None:
    """However long the address is, the command is on one line; so is a link, or it isn't there."""
    taken = (SeatFacts(Verbatim("Ann"), "waits", "", "Ann", True, "key", "known", None),)
    address = "[2a02:8109:abcd:1234:9c5e:1c2b:8f3d:77a1]:65535"
    invitation = Invitation(address, "JMHW0H", "0a1b2-3c4d5-6e7f8-9a0bc")
    facts = TableFacts(
        rules=Zompa, seats=3, taken=taken, watchers={}, options=Zompa.options().plain(), levels=("easy",),
        running=False, played=0, hosts=True, seated=True, ready=False, by_itself=False,
        dealt=("All deal together.", {}), invitation=invitation, games=dict, web="http://192.168.1.5:8286/",
    )  # fmt: skip
    for rows in (18, 40, 60):
        assert f"tt join {address}" in shown(draw_lobby(facts, replace(pen(), room=room), rows))
    page = shown(draw_invitation(facts, replace(pen(), room=room), with_qr=True))
    assert f"tt join {address}" in page
    assert (invitation.link() in page, "tavolata:" in page) == (room > 87, room > 87)


@pytest.mark.parametrize(("people", "seats"), [(4, 5), (6, 8), (12, 12), (3, 20)])
def test_a_full_lobby_still_tells_its_code(people: int, seats: int) -> None:
    """However many sit there, the address, the code and the newest words are in view; keys make way first."""
    taken = tuple(
        SeatFacts(
            Verbatim(f"Player {at}"), "waits", "", f"Player {at}", at == 0, "fcf3w-6fhrv-h4z7a", "known", 20
        )
        for at in range(people)
    )
    facts = TableFacts(
        rules=Zompa, seats=seats, taken=taken, watchers={}, options=Zompa.options().plain(), levels=("easy",),
        running=False, played=0, hosts=True, seated=True, ready=False, by_itself=False,
        dealt=("All deal together.", {}), invitation=Invitation("192.168.1.5", "JMHW0H"), games=dict,
    )  # fmt: skip
    news = [((f"news {at}", "talk"),) for at in range(3)]
    said = shown(draw_lobby(facts, replace(pen(), room=50), 14, news, "b"))
    assert len(said.split("\n")) <= 14
    for told in ("tt join 192.168.1.5", "JMH-W0H", *(["news 2"] if people < 12 else [])):
        assert told in said, said
    assert [at for at in range(min(people, 10)) if f"Player {at}" not in said] == []


@pytest.mark.parametrize("size", [(120, 36), (160, 50)])
def test_later_piles_move_no_earlier_one(size: tuple[int, int]) -> None:
    """Whatever comes to a board keeps its place, however many come after it, and is counted."""
    few: list[Draw] = ["fan", "words", "backs", "coins", "rows", "backs", "hand"]
    many: list[Draw] = ["words"] * 12
    kept: dict[str, Rect] = {}
    cast, items = Cast(), list[SceneItem]()
    for number, draw in enumerate([*few, *many]):
        role = "hero" if not number else "centre" if draw == "coins" else "aside"
        part = cast.place(str(number), role, draw, "")
        items.append(SceneItem(str(number), part.slot, role, draw, ""))
        plan = stage(*size, cast=cast)
        assert plan is not None
        there = placed(items, plan)
        shown = {item.id: rect for rect, item in there if item.id}
        hidden = sum(int(item.title[1:]) for _, item in there if item.title.startswith("+"))
        assert len(shown) + hidden == number + 1
        if not hidden:
            assert kept.items() <= shown.items()
            kept = shown
    assert len(kept) > 4


@pytest.mark.parametrize("size", [(7, 5), (9, 7), (13, 9)])
@pytest.mark.parametrize(
    "group",
    [
        ["K♣", "Q♥", "J♠"],
        [str(ItalianFace(rank, ItalianSuit.DENARI)) for rank in (8, 9, 10)],
        ["AS", "AD", "AC", "AB"],
    ],
    ids=["french", "italian", "suits"],
)
def test_stage_check_15_courts_and_suits_differ_without_colour(
    group: list[str], size: tuple[int, int]
) -> None:
    """Between two pictures 6 cells differ on a small card, 12 on a larger one, apart from the corners."""
    wide, high = size
    cards = [CardFace(at, name[:1], name[1:], "", name) for at, name in enumerate(group)]
    drawn = [HandOfCards([card], {}, None, UNICODE).draw(wide, high, wide) for card in cards]
    pictures = [["".join(text for text, _ in row)[1:-1] for row in block.lines[1:-1]] for block in drawn]
    for one, other in itertools.combinations(pictures, 2):
        differ = sum(a != b for a, b in zip("".join(one), "".join(other), strict=True))
        assert differ >= (6 if size == (7, 5) else 12), "\n".join([*one, *other])
    assert {cell_len(sign) for picture in pictures for row in picture for sign in row} == {1}


def test_a_court_has_letters_where_only_ascii_is_drawn() -> None:
    """Corner and sign stand for the picture."""
    king = HandOfCards([CardFace(1, "K", "S", "", "king")], {}, None, ASCII).draw(7, 5, 7)
    text = "\n".join("".join(text for text, _ in row) for row in king.lines)
    assert text.isascii()
    assert text.count("K") == 3
