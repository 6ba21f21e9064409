"""What of a stranger's text is shown: nothing that moves a cursor, on all machines the same."""

from __future__ import annotations

import io

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol.printable import admit, still

HOSTILE = st.text(
    st.sampled_from("aé\u0301\u200d\u202e\ud800\x1b[]\x07\x9b\n\r\t\u2028\U000e0041\ufe0f👩👧🏽\ue000\ufffe ")
    | st.characters(),
    max_size=400,
)


@given(HOSTILE)
def test_whatever_comes_stays_on_its_line(text: str) -> None:
    """No cursor leaves the line, no mode and no title changes; what was admitted is admitted as it is."""
    line = admit(text, 60)
    assert len(line) <= 60
    assert admit(line, 60) == line
    line.encode()
    screen = pyte.Screen(200, 4)
    before = set(screen.mode)
    pyte.Stream(screen).feed(line)
    assert screen.cursor.y == 0
    assert set(screen.mode) == before
    assert screen.title == ""


@given(HOSTILE)
def test_what_leaves_moves_no_cursor(text: str) -> None:
    """Lines stay lines; nothing else of a control remains."""
    shown = still(text)
    assert shown.count("\n") == text.count("\n")
    assert not any((sign < " " and sign != "\n") or "\x7f" <= sign <= "\x9f" for sign in shown)
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann\x1b[2J", "Ann [2J"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 3),
        ("\u202eevil", "evil"),
        ("half \ud800 a sign", "half a sign"),
        ("tag\U000e0041s and \ue000 private", "tag s and private"),
        ("👩\u200d👧 and 👩🏽\u200d🚀", "👩\u200d👧 and 👩🏽\u200d🚀"),
        ("a\u200db", "a b"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("\u3164", ""),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    """Letters with their marks and joined pictures, and nothing unseen."""
    assert admit(text, 60) == shown


def test_a_cut_splits_no_picture_and_no_letter() -> None:
    """The last sign is an ellipsis after a whole sign."""
    assert admit("ab👩\u200d👧 cd", 5) == "ab…"
    assert admit("abe\u0301cd", 4) == "ab…"
    assert admit("x" * (1 << 20), 10) == "x" * 9 + "…"


def test_text_of_a_megabyte_is_judged_at_once() -> None:
    """Towers of marks and joiners cost no more than other text."""
    out = io.StringIO()
    out.write(admit(("a" + "\u0301" * 9 + "\u200d") * 100_000, 400))
    assert len(out.getvalue()) <= 400
