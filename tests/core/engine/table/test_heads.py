"""Heads of the agreed log: whoever has seen another history than this machine is noticed at its next step."""

from __future__ import annotations

from tavolata._engine.dealing.steps import LOT
from tavolata._engine.match.entries import ANSWER, DEAL
from tavolata._engine.match.state import pack
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import HEAD_SIZE, KEPT, Heads, head

ONE, TWO = bytes([1]) * 32, bytes([2]) * 32


def step(said: bytes) -> bytes:
    """A step of the dealing by one whose log has this head."""
    return pack([log_bodies.PLAY, "0" * 16, [DEAL, 1, said, LOT, 1, 7, b""], b""])


def test_an_equivocation_is_noticed_when_one_meets_the_other() -> None:
    """With one history told to this machine, a step that is signed over another one contradicts it."""
    mine, other = Heads(), Heads()
    for heads, chain in ((mine, ONE), (other, TWO)):
        heads.note(1, bytes(32))
        heads.note(2, chain)
    assert not mine.contradicts(step(mine.last))
    assert not mine.contradicts(step(head(1, bytes(32))))
    assert mine.contradicts(step(other.last))


def test_what_was_not_seen_yet_contradicts_nothing() -> None:
    """A head behind the own log's end, and entries that carry none, say nothing."""
    heads = Heads()
    heads.note(1, ONE)
    assert not heads.contradicts(step(head(9, TWO)))
    assert not heads.contradicts(pack([log_bodies.PLAY, "0" * 16, [ANSWER, 0, 1, 2], b""]))
    assert not heads.contradicts(b"junk")
    assert not heads.contradicts(pack([log_bodies.CHAT, "hello"]))


def test_a_head_is_a_number_and_a_hash() -> None:
    """Forty bytes, of which both parts can be read back."""
    heads = Heads()
    assert len(heads.last) == HEAD_SIZE
    assert heads.number == 0
    heads.note(7, ONE)
    assert (heads.number, heads.chain) == (7, ONE)


def test_the_oldest_heads_and_those_before_a_leap_are_forgotten() -> None:
    """Of the last 4,096 a wrong one is noticed; what lies before them, or before a snapshot, says nothing."""
    heads = Heads()
    for number in range(1, KEPT + 2):
        heads.note(number, ONE)
    assert heads.contradicts(step(head(2, TWO)))
    assert not heads.contradicts(step(head(2, ONE)))
    assert not heads.contradicts(step(head(1, TWO)))
    heads.note(2 * KEPT, ONE)
    assert not heads.contradicts(step(head(KEPT, TWO)))
    assert heads.contradicts(step(head(2 * KEPT, TWO)))
