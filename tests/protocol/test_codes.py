"""Codes as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol.codes import ALPHABET, LENGTH, make_code, read_code, show_code


@given(st.binary(min_size=4, max_size=4))
def test_a_code_is_read_as_it_is_shown(random: bytes) -> None:
    """Any code is read back, in both spellings and cases."""
    code = make_code(random)
    assert len(code) == LENGTH
    assert read_code(code) == read_code(show_code(code)) == read_code(code.lower()) == code


def test_every_code_is_possible() -> None:
    """Thirty bits of the random bytes are used, each of them."""
    codes = {make_code((1 << bit).to_bytes(4, "big")) for bit in range(30)}
    assert len(codes) == 30
    assert len(set(ALPHABET)) == 32


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (" k7f 3qx\n", "K7F3QX"),
        ("oil-OIL", "011011"),
        ("K7F3Q", None),
        ("K7F3QXX", None),
        ("K7F3QU", None),
        ("K7F3Q!", None),
        ("", None),
        ("ＫＫＫＫＫＫ", None),
        ("ßßßßßß", None),
    ],
)
def test_what_is_meant(typed: str, code: str | None) -> None:
    """What people mix up is taken as meant; anything else is no code."""
    assert read_code(typed) == code


@given(st.text(max_size=12))
def test_any_text_is_a_code_or_none(text: str) -> None:
    """Nothing typed breaks it."""
    code = read_code(text)
    assert code is None or (len(code) == LENGTH and set(code) <= set(ALPHABET))
