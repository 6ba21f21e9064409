"""The comparison of two playings of one match: it finds the first entry, event or turn that differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tavolata._engine.match.entries import NAMES, Entry
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import digest
from tavolata.testing.recording import Recorded


def same(one: Recorded, other: Recorded, what: str, *, logs: bool = True, private: bool = True) -> None:
    """Compare two playings of one match.

    Args:
        one: the first playing, whose entries are counted.
        other: the second playing.
        what: the beginning of the error's sentence: how the two playings differ in kind.
        logs: whether the logs must be equal, too.
        private: whether events for single seats must be equal, too.

    Raises:
        CheckFailed: they differ; the sentence says where they differ first.
    """
    if logs and (at := first_difference(one.log, other.log)) is not None:
        first, second = told(one.log, at), told(other.log, at)
        raise one.failure(f"{what}: entry {at + 1} is {first} in one and {second} in the other.", at)
    these, those = _events(one, private), _events(other, private)
    if (at := first_difference(these, those)) is not None:
        raise one.failure(
            f"{what}: event {at + 1} is {_nth(these, at)} in one and {_nth(those, at)} in the other.",
            entry_of_event(one, at),
        )
    turns, others = [turn.digest for turn in one.turns], [turn.digest for turn in other.turns]
    if (at := first_difference(turns, others)) is not None:
        entries = one.turns[min(at, len(turns) - 1)].entries if turns else 0
        raise one.failure(f"{what}: the state at the end of turn {at + 1} differs.", entries)
    if one.match.outcome != other.match.outcome or one.match.conviction != other.match.conviction:
        raise one.failure(
            f"{what}: it ends with {one.match.outcome or one.match.conviction} in one "
            f"and with {other.match.outcome or other.match.conviction} in the other."
        )


def first_difference(these: Sequence[Any], those: Sequence[Any]) -> int | None:
    """Return the first place at which two lists differ, None if they are equal."""
    if list(these) == list(those):
        return None
    pairs = zip(these, those, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(these), len(those)))


def told(log: Sequence[Entry], at: int) -> str:
    """An entry as text for people."""
    if at >= len(log):
        return "missing"
    kind, *rest = log[at]
    return f"{NAMES[kind]}{tuple(rest)}"


def public_digest(match: Match) -> bytes:
    """Digest a state without the boxes of sealed answers, because the open dealer has no boxes."""
    state = match.state()
    state["secrets"] = [[*rest, None, answer] for *rest, _, answer in state["secrets"]]
    return digest(state)


def _events(kept: Recorded, private: bool) -> list[list[Any]]:
    return [event for _, event in kept.events if private or event[-1] is None]


def entry_of_event(kept: Recorded, event: int) -> int:
    """Return how many entries there were before an event; all if there is no such event."""
    return kept.events[event][0] if event < len(kept.events) else len(kept.log)


def _nth(values: Sequence[Any], at: int) -> str:
    return repr(values[at][:3:2]) if at < len(values) else "missing"
