"""Checks of saving and resuming a match after any entry."""

from __future__ import annotations

from typing import Any

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.worlds import new_match
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow, play, run, same, terms_of

EFFORT = 6_000
"""Roughly how many entries are replayed: a short match is stopped after each entry, a long one less often."""
FEWEST = 6
"""The fewest places at which a match is stopped."""
SNAPSHOTS = 24


@each(share=20)
def save_and_resume_everywhere(case: Case) -> None:
    """Check that a match that is stopped after any entry and resumed continues as if nothing had happened."""
    snapshots: dict[int, bytes] = {}

    def keep(kept: Recorded) -> None:
        turn = len(kept.turns)
        if turn <= SNAPSHOTS or not turn % (1 + turn // SNAPSHOTS):
            snapshots[turn] = pack([kept.match.state(), kept.source.save()])

    whole = play(case, keep)
    places = max(FEWEST, EFFORT // len(whole.log))
    for at in _spread(len(whole.log), places):
        _resume(whole, at)
    _replay(whole)
    for turn in _spread(len(snapshots), min(places, SNAPSHOTS)):
        number = list(snapshots)[turn]
        _from_snapshot(whole, number, snapshots[number])


@each(share=25)
def state_is_plain_data(case: Case) -> None:
    """Check that the state can be saved and loaded without a change: no sets, no floats, nothing shared."""

    def look(kept: Recorded) -> None:
        with blamed(kept):
            nothing_is_shared(kept)
            written = pack(kept.match.state())
            copy = new_match(case.game, terms_of(case), OpenSource(0, [None] * case.seats, lambda _: None))
            copy.load(unpack(written))
            again = pack(copy.state())
        if again != written:
            part = _different(unpack(written), unpack(again))
            raise kept.failure(f"{part} comes back different from a snapshot.")

    play(case, look)


def nothing_is_shared(kept: Recorded) -> None:
    """Raise `CheckFailed` if a list or dict belongs to two attributes: loading would make two of it."""
    seen: dict[int, str] = {}

    def visit(value: Any, where: str) -> None:
        if isinstance(value, list | dict):
            if id(value) in seen:
                raise kept.failure(
                    f"{seen[id(value)]} and {where} are one and the same {type(value).__name__}."
                )
            seen[id(value)] = where
        parts = (
            value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        )
        for part in parts:
            visit(part, where)

    for name, value in vars(kept.match.game).items():
        visit(value, f"{kept.case.game.__name__}.{name}")


def _spread(count: int, most: int) -> list[int]:
    return list(range(count)) if count <= most else [number * count // most for number in range(most)]


def _resume(whole: Recorded, at: int) -> None:
    again = Recorded(whole.case, log=whole.log[:at])
    source = ResumeSource(whole.case.seed, whole.case.players(), again.record, whole.log[:at])
    follow(again, source)
    same(whole, again, f"Stopped after entry {at} and resumed, the match goes on differently")


def _replay(whole: Recorded) -> None:
    again = Recorded(whole.case, log=whole.log)
    source = LogSource(whole.case.seats, OneDealer(), whole.log)
    follow(again, source)
    if source.voids:
        number, reason = next(iter(source.voids.items()))
        raise whole.failure(f"Replayed, entry {number + 1} of the log does not fit: {reason}.", number)
    same(whole, again, "Replayed from its log, the match goes differently")


def _from_snapshot(whole: Recorded, turn: int, written: bytes) -> None:
    at = whole.turns[turn - 1]
    again = Recorded(whole.case, log=whole.log[: at.entries], turns=whole.turns[:turn])
    again.events = whole.events[: at.events]
    source = NotingSource(again)
    match = again.match = new_match(whole.case.game, terms_of(whole.case), source, again.tell)
    match.on_turn = again.turn_ended
    with blamed(again):
        state, secrets = unpack(written)
        match.load(state)
        source.load(secrets)
    if match.digest() != at.digest:
        raise whole.failure(f"The snapshot of turn {turn} is another state.", at.entries)
    run(again)
    same(whole, again, f"Resumed from the snapshot of turn {turn}, the match goes on differently")


def _different(these: dict[str, Any], those: dict[str, Any]) -> str:
    for name, value in these["game"].items():
        if those["game"].get(name) != value:
            return f"The attribute {name}"
    return next((f"The part {name!r}" for name in these if these[name] != those.get(name)), "Something")
