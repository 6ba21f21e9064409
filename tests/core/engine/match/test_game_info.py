"""Which editions of a game play together, and whose code is another one than the table's."""

from __future__ import annotations

import pytest

from tavolata._engine.match.game_info import DEV, Edition, Editions, as_text

CODE, OTHER, THIRD = (bytes([number]) * 16 for number in (1, 2, 3))
TABLE, ANN, BEA = b"table", b"ann", b"bea"


@pytest.mark.parametrize(
    ("version", "code", "says_facts", "plays"),
    [
        ("1", CODE, False, True),
        ("1", CODE + b"marks", True, True),
        ("2", CODE, True, True),
        ("2", OTHER, False, True),
        ("2", OTHER, True, False),
        ("1", OTHER, False, False),
        (DEV, OTHER, False, False),
    ],
)
def test_which_editions_play_together(version: str, code: bytes, says_facts: bool, plays: bool) -> None:
    """Equal code always; other code of another version by a promise, but not where facts are said."""
    one, other = Edition("1", CODE, False), Edition(version, code, says_facts)
    assert one.plays_with(other) is plays
    assert other.plays_with(one) is plays


def test_what_machines_say_is_kept_until_it_is_the_same() -> None:
    """Only other code counts; who says the table's code again is nobody's stranger."""
    editions = Editions(Edition("1", CODE, False))
    assert not editions.say(ANN, Edition("1", CODE, False))
    assert editions.say(ANN, Edition("1", OTHER, False))
    assert editions.say(BEA, Edition("2", THIRD, False))
    assert editions.codes([TABLE, ANN, BEA]) == (CODE, OTHER, THIRD)
    assert editions.stranger([TABLE, BEA]) is None
    assert editions.stranger([TABLE, BEA, ANN]) == ANN
    editions.unlike = True
    assert editions.stranger([TABLE, BEA, ANN]) is None
    assert not editions.say(ANN, Edition("1", CODE, False))
    assert editions.codes([TABLE, ANN]) == ()


def test_a_fingerprint_is_shown_in_groups() -> None:
    """People compare it by eye; one that nobody said is a question mark."""
    assert as_text(CODE) == "01010101-01010101-01010101-01010101"
    assert as_text(b"") == "?"
