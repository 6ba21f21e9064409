"""What is drawn: always within its room, in ASCII where asked, never a symbol or a colour alone."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.ui.tui.playing import NAMES, session

from tavolata import FRENCH_54, ITALIAN_40, Seat
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.table.invitations import Invitation
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.board import draw_board
from tavolata._ui.tui.drawing.cards import draw_cards, draw_pile
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE, in_ascii
from tavolata._ui.tui.drawing.lines import news_block
from tavolata._ui.tui.drawing.lobby import draw_lobby
from tavolata._ui.tui.drawing.markdown import markdown_block
from tavolata._ui.tui.drawing.marks import COLOURS, colour_of, letter_of, letters_of
from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.roster import Players
from tavolata._ui.tui.drawing.runs import Block, beside, clipped, flowing, line, padded, width, wrapped
from tavolata._ui.tui.drawing.zones import draw_zone
from tavolata._ui.tui.model.table_model import Note
from tavolata._ui.tui.widgets.themes import ROLES
from tavolata._ui.words import Words
from tavolata.messages import N_
from tavolata.zones import CardView, Zone
from tavolata_zompa.rules import Zompa

GAMES = ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"]
texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Mn", "Me", "Zl", "Zp")), max_size=80)


def pen(room: int = 80, lang: str = "en", package: str = "", **more: Any) -> Pen:
    return Pen(Words(Translator(lang), package, NAMES), None, more.pop("glyphs", UNICODE), room, **more)


def shown(block: Block) -> str:
    return "\n".join("".join(text for text, _ in row) for row in block.lines)


def card(face: Any, number: int = 0) -> CardView:
    return CardView(number, "deck", face)


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
@pytest.mark.parametrize(("game", "package"), [("horse-fever", "tavolata_horse_fever"),
                                               ("jumpy-jack", "tavolata_jumpy_jack")])  # fmt: skip
def test_no_two_horses_have_one_letter(game: str, package: str, lang: str) -> None:
    """Each horse of the bundled races has its colour, and a letter of its own in every language."""
    track = next(zone for zone in zones_of(game, 2).values() if zone.kind == "track")
    tokens = [token for _, _, on in track.content for token in on]
    words = [Words(Translator(lang), package, ()).describe(token) for token in tokens]
    letters = [letter_of(word) for word in words]
    assert len(set(letters)) == len(tokens) >= 5
    for letter, word in zip(letters, words, strict=True):
        assert f"({letter})" in word
    assert len({colour_of(token) for token in tokens} & set(COLOURS)) == len(tokens)


@given(st.lists(texts, unique=True, max_size=20))
def test_marks_are_always_different(words: list[str]) -> None:
    """Whatever things are called, each gets a mark of one cell that no other has."""
    marks = letters_of(words)
    assert len(set(marks)) == len(words)


def test_what_has_no_colour_in_its_name_has_none() -> None:
    """Only a thing whose English words begin with a colour is coloured; numbers and seats never."""
    assert colour_of("red (R)") == "red"
    assert colour_of("redoubt") == ""
    assert colour_of(Seat(1)) == colour_of(None) == colour_of("tired red") == ""


# -- cards ------------------------------------------------------------------------------------------


@pytest.mark.battery
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("lang", ["en", "it"])
def test_every_card_shows_rank_and_suit(lang: str, glyphs: Any) -> None:
    """Each face of both packs looks different from all others, and in ASCII has a letter for its suit."""
    for deck in (FRENCH_54, ITALIAN_40):
        faces = [pen(lang=lang, glyphs=glyphs).card_face(card(face))[0] for face in deck.faces]
        assert len(set(faces)) == len(deck.faces)
        assert faces
        assert all(len(face) >= 2 for face in faces)
        if glyphs is ASCII:
            assert all(face.isascii() and face.isalnum() for face in faces)


def test_the_backs_of_others_are_counted_not_shown() -> None:
    """A hand of which nothing is known is one line, however many cards it has."""
    block = draw_cards([card(None, number) for number in range(30)], pen())
    assert block.height == 1
    assert "30 cards" in shown(block)


def test_a_pile_fans_out_what_lies_open() -> None:
    """Of open cards the last few can be read, the top one last; a hidden card ends the fan."""
    faces = list(ITALIAN_40.faces)
    pile = [card(face, number) for number, face in enumerate(faces)]
    assert [word for word in ("7B", "FB", "CB", "RB") if word in shown(draw_pile(pile, pen()))] == [
        "7B", "FB", "CB", "RB",
    ]  # fmt: skip
    assert "6B" not in shown(draw_pile(pile, pen()))
    assert "FB" not in shown(draw_pile([*pile[:-2], card(None, 38), pile[-1]], pen()))


# -- boards -----------------------------------------------------------------------------------------


@cache
def zones_of(game: str, at_event: int = 40) -> dict[str, Zone]:
    """The table of a game in the middle of a match between bots, as the first seat sees it."""
    found: dict[str, Zone] = {}

    async def play() -> None:
        at = session(game, 4, humans=0, seed=99)
        match = at.match
        looks: list[dict[str, Zone]] = []
        match.look = lambda: looks.append(match.view(0).zones())
        async for _ in at.updates():
            if len(looks) > at_event:
                break
        found.update(looks[min(at_event, len(looks) - 1)])

    asyncio.run(play())
    return found


@pytest.mark.battery
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("game", GAMES)
def test_every_board_fits_every_width(game: str, glyphs: Any) -> None:
    """No line of a board is wider than its room, and only roles that have a look are used."""
    zones = zones_of(game)
    package = "tavolata_" + game.replace("-", "_")
    for lang in ("en", "it"):
        for room in (17, 38, 77, 157):
            for height in (3, 14, 40):
                drawing = pen(room, lang, package, glyphs=glyphs)
                players = Players(NAMES[:4], frozenset([0]), frozenset([1]))
                block = draw_board(zones.values(), players, drawing, height)
                assert block.width <= room, shown(block)
                assert {role for row in block.lines for _, role in row} <= {"", *ROLES}


def test_zones_of_every_kind_are_drawn() -> None:
    """Also those that no bundled game has: grids, empty ones, numbers by anything."""
    grid = Zone("g", "grid", N_("Board"), ((1, None, card(ITALIAN_40.faces[0])), (None, "red (R)", 2)))
    assert "AD" in shown(draw_zone(grid, pen()))
    assert draw_zone(grid, pen(8)).width <= 8
    for kind, content in [("pile", ()), ("hand", ()), ("tokens", ()), ("text", "{n}"), ("counter", 3)]:
        assert shown(draw_zone(Zone("z", kind, N_("Thing"), content, None, {"n": 5}), pen()))


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
        rules=Zompa, seats=0, taken=nobody, watchers=nobody, options={}, levels=(), running=no, played=0,
        hosts=no, seated=no, ready=no, by_itself=no, dealt=("", {}), invitation=Invitation(), games=dict,
    )  # fmt: skip
    assert shown(draw_lobby(facts, pen())) == (
        "Nothing is known of the table yet: what was said there is on its way."
    )


# -- the news ---------------------------------------------------------------------------------------


def test_a_hint_is_read_from_its_beginning() -> None:
    """A hint among the last lines is whole where there is room; else it begins, and says how it goes on."""
    hint = Note("(Hint: " + "word " * 20 + "end)", "hint")
    notes = [Note("long ago"), Note("before"), hint, Note("after")]

    def lines(count: int, most: int) -> list[str]:
        return shown(news_block(notes[:count], 30, 3, most, "More: l")).split("\n")

    assert (lines(3, 9)[0][:6], lines(3, 9)[-1][-4:]) == ("(Hint:", "end)")
    assert (lines(4, 9)[0][:6], lines(4, 9)[-1]) == ("(Hint:", "after")
    assert (lines(3, 4)[0][:6], lines(3, 4)[-1], len(lines(3, 4))) == ("(Hint:", "More: l", 4)
    assert lines(2, 9) == ["long ago", "before"]
