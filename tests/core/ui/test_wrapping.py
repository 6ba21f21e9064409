"""Lines wrapped at the width of a terminal."""

from __future__ import annotations

import io

import pytest

from tavolata._cli.command_context import CommandContext
from tavolata._cli.completions import SHOW, install
from tavolata._cli.lists import in_columns
from tavolata._cli.playing import HISTORY, KEEP, LOOK_BACK, WATCH
from tavolata._cli.rules import show
from tavolata._engine.network.ways import JOIN, MOVED, OVER, TUNNEL
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.markdown import rules_page
from tavolata._ui.tui.drawing.runs import flowed
from tavolata._ui.tui.drawing.runs import wrapped as drawn
from tavolata._ui.wrapping import fitted, paged, wrapped

LINE = "  3. discard the seven of coppe, which nobody at this table can want"


@pytest.mark.parametrize("width", [20, 30, 40, 79, 80])
def test_a_line_is_wrapped_between_words_and_loses_none(width: int) -> None:
    """No row is wider than the terminal; the first keeps its indent, those below stand further in."""
    first, *rows = wrapped(LINE, width).split("\n")
    assert max(map(len, (first, *rows))) <= width
    assert first.startswith("  3. ")
    assert [row for row in rows if not row.startswith("    ")] == []
    assert " ".join((first, *rows)).split() == LINE.split()
    assert bool(rows) is (width < len(LINE))


@pytest.mark.parametrize("width", [0, 5])
def test_a_terminal_without_a_width_wraps_at_twenty(width: int) -> None:
    """Some terminals say that they have no columns; words longer than a row stay whole."""
    assert max(map(len, wrapped(LINE, width).split("\n"))) <= 20
    assert wrapped("a" * 50, width) == "a" * 50


LONGEST = "[2a02:8109:abcd:1234:9c5e:1c2b:8f3d:77a1]:65535"


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("message", [JOIN, OVER, TUNNEL, MOVED])
def test_the_command_that_others_type_is_on_one_line(message: str, width: int, lang: str) -> None:
    """With the longest address that there is, printed and drawn."""
    said = Translator(lang).text(message, {"address": LONGEST, "interface": "wg0"})
    for rows in (
        wrapped(said, width).split("\n"),
        ["".join(text for text, _ in row) for row in drawn(said, "", width)],
        ["".join(text for text, _ in row) for row in flowed([(said, "")], width)],
    ):
        assert max(map(len, rows)) <= width
        assert [row for row in rows if f"tt join {LONGEST}" in row] != []


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_note_is_wrapped_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal no word is cut, and lines stay lines; in a pipe the text stays as it is."""
    monkeypatch.setenv("COLUMNS", "30")
    text = "one two three four five six seven\neight"
    assert fitted(text, Terminal()) == "one two three four five six\n  seven\neight"
    assert fitted(text, io.StringIO()) == text


@pytest.mark.parametrize("lang", ["en", "it"])
def test_what_can_be_done_after_a_match_is_one_line(lang: str) -> None:
    """At a terminal of 80 columns the sentence with its three words is not broken."""
    say = Translator(lang).text
    said = say(LOOK_BACK, {"watch": say(WATCH), "keep": say(KEEP), "history": say(HISTORY)})
    assert wrapped(said, 80) == said


@pytest.mark.parametrize(("read_out", "lines"), [(False, 2), (True, 1)])
def test_the_result_of_a_command_is_broken_between_words(
    monkeypatch: pytest.MonkeyPatch, read_out: bool, lines: int
) -> None:
    """At a terminal no word is cut at its edge; a screen reader gets a sentence whole."""
    out = Terminal()
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stdout", out)
    context = CommandContext({"screen_reader": "yes"} if read_out else {}, {})
    context.out("one two three four five six seven")
    assert len(out.getvalue().splitlines()) == lines


RULES = "\n\n".join(["# A game", *["Deal **three cards** each: **two up**, and **one down**."] * 3])


@pytest.mark.parametrize("dumb", [False, True])
def test_a_page_that_is_laid_out_is_not_broken_again(monkeypatch: pytest.MonkeyPatch, dumb: bool) -> None:
    """Its lines fit, though control sequences make them longer; bare Markdown stays unchanged."""
    out = Terminal()
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "99")
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stdin", Terminal())
    show(RULES, CommandContext({"color": "yes"}, {"TERM": "dumb" if dumb else "xterm"}))
    page = RULES if dumb else rules_page(RULES, 30, color=True, ascii_only=False, styles=True)
    assert out.getvalue() == f"{page}\n"
    assert max(map(len, page.splitlines())) > 30


def test_a_script_for_a_shell_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is copied from a narrow terminal is the script: a blank behind a backslash would end its line."""
    out = Terminal()
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    install(CommandContext({}, {}), SHOW)
    assert "COMP_CWORD=$COMP_CWORD \\\n" in out.getvalue()


@pytest.mark.parametrize("amount", ["200 D", "1100 D,", "12 km", "3 %", "50 €.", "(7 D)"])
def test_a_number_stays_with_its_unit(amount: str) -> None:
    """Wherever a line ends, on the screen, in lines and in a table, an amount is not broken; words are."""
    text = f"a bet to win of {amount} and 3 tokens"
    runs = [("a bet to win of ", "dim"), (f"{amount} and 3 tokens", "")]
    for cells in range(16, 30):
        rows = ["".join(part for part, _ in row) for row in drawn(text, "", cells)]
        flowing = ["".join(part for part, _ in row) for row in flowed(runs, cells)]
        told = wrapped(text, cells).split("\n") if cells >= 20 else [text]
        columns = in_columns([["x", text]], cells + 3)
        for shown in (rows, flowing, told, columns):
            assert any(amount in row for row in shown), shown
            assert " ".join(" ".join(shown).split()).removeprefix("x ") == text


HINT = "Nobody owns a horse. Write which three come in first, and don't let it show: two points for each."


@pytest.mark.parametrize(("width", "rows", "parts"), [(58, 2, 1), (40, 2, 2), (20, 2, 3), (20, 1, 5)])
def test_a_long_hint_is_told_in_parts(width: int, rows: int, parts: int) -> None:
    """Each has so many rows at most and whole sentences where they fit; nothing is lost."""
    found = paged(HINT, width, rows)
    assert " ".join(found) == HINT
    assert len(found) == parts
    assert [part for part in found if len(part) > width * rows] == []
    assert width > 20 or found[0] == "Nobody owns a horse."
