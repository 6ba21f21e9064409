"""The verdicts of a match: what its events count and stamp, and sudden changes where nothing is stamped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tavolata._ui.scene.make import by_seat
from tavolata._ui.scene.viewpoint import Ruling, Turning, lies
from tavolata.messages import Event
from tavolata.zones import Rows, Show, Zone

FIRST: Final = 4
"""The change of a match from which a larger one than ever before is a verdict."""


def numbers_of(zones: Iterable[Zone], seats: int) -> tuple[Show, dict[int, int]]:
    """Return the main number of each seat, with how it's shown; without numbers none."""
    for zone in zones:
        shape = zone.shape()
        numbers = by_seat(shape.rows, seats) if isinstance(shape, Rows) else None
        if numbers is not None and all(type(number) is int for number in numbers.values()):
            return zone.show or Show(), numbers
    return Show(), {}


class Verdicts:
    """The verdicts of a match.

    `declared` says that the game stamps its verdicts itself. `now` is on the board until its hero changes;
    every event replaces it, if only by a dim one. `series` has, by seat, the main number after each turn.
    """

    def __init__(self) -> None:
        self.declared = False
        self.now: Ruling | None = None
        self.series: dict[int, dict[int, int]] = {}
        self._zones: Mapping[str, Zone] = {}
        self._numbers: dict[int, int] = {}
        self._last: Mapping[int, int] = {}
        self._better = "more"
        self._largest = self._changes = 0
        self._ahead: int | None = None
        self._turning: Turning | None = None

    def count(self, zones: Iterable[Zone], seats: int, turn: int) -> None:
        """Note the main numbers in a turn."""
        for seat, number in numbers_of(zones, seats)[1].items():
            self.series.setdefault(seat, {})[turn] = number

    def decisive(self, winners: Sequence[int], scores: Sequence[int] | None) -> Turning | None:
        """Return the ruling from which the only winner was ahead for good; None without one.

        Main numbers that differ from the scores decided nothing.
        """
        counts = scores is None or list(scores) == [self._numbers.get(seat) for seat in range(len(scores))]
        return self._turning if counts and [self._ahead] == list(winners) else None

    def end(self, winners: Sequence[int]) -> None:
        """Note the end of a match: in one that stamps nothing it's a verdict on its only winner."""
        if self.declared or len(winners) != 1:
            return
        (seat,) = winners
        delta = self._last.get(seat, 0)
        self.now = Ruling("", seat, self._numbers.get(seat), delta, self._better, (), self._zones)

    def note(
        self, event: Event, zones: Mapping[str, Zone], seats: int, hero: str, turn: int = 0, line: str = ""
    ) -> None:
        """Note an event with the zones after it; `hero` is the id of the board's largest zone, or ""."""
        show, numbers = numbers_of(zones.values(), seats)
        marks = tuple(mark for mark in event.marks if mark.kind == "counted")
        self.declared |= bool(event.stamp)
        self._better = show.better
        changes = {
            seat: number - self._numbers[seat]
            for seat, number in numbers.items()
            if seat in self._numbers and number != self._numbers[seat]
        }
        bears = event.params.get("seat") if event.stamp else self._surprise(show, numbers, changes)
        seat = None if bears is None else int(bears)
        self._last = changes or self._last
        before, now = self._zones.get(hero), zones.get(hero)
        if event.stamp or marks or seat is not None:
            counted = marks or (self.now.marks if self.now is not None and not self.now.is_over else ())
            held = before if lies(before) and not lies(now) else now
            delta = 0 if seat is None else self._last.get(seat, 0)
            number = None if seat is None else numbers.get(seat)
            self.now = Ruling(
                event.stamp, seat, number, delta, show.better, counted, zones, hero, held,
                is_over=bool(event.stamp) or not marks, step="mark" if event.stamp or not marks else "tally",
            )  # fmt: skip
        elif self.now is not None:
            step = "mark" if self.now.is_over else "tally"  # its last one, also if it was cut short
            number = (
                None if self.now.seat is None else numbers.get(self.now.seat)
            )  # a prize is paid after its call
            kept = replace(self.now, is_dim=True, step=step, number=number, counted=None)
            self.now = kept if hero and self.now.lasts(zones) else None
        sign = 1 if show.better == "more" else -1
        best = max((sign * number for number in numbers.values()), default=0)
        first = [seat for seat, number in numbers.items() if sign * number == best]
        ahead = first[0] if len(first) == 1 else None
        if ahead != self._ahead:
            self._ahead, self._turning = ahead, None
        fresh = self.now is not None and self.now.is_over and not self.now.is_dim
        if self.now is not None and fresh and seat is not None and self._turning is None:
            helps = (seat == ahead) == ((self.now.delta > 0) == (show.better == "more"))
            self._turning = Turning(turn, line, self.now) if helps or not self.now.delta else None
        self._zones, self._numbers = zones, numbers

    def _surprise(self, show: Show, numbers: Mapping[int, int], changes: Mapping[int, int]) -> int | None:
        """Return the seat whose number has reached nought or its goal, or changed more than any before."""
        self._changes += bool(changes)
        most = max(changes, key=lambda seat: abs(changes[seat]), default=None)
        size = 0 if most is None else abs(changes[most])
        record, self._largest = size > self._largest, max(size, self._largest)
        if self.declared:
            return None
        ends = (0, show.goal)
        reached = next((seat for seat in changes if numbers[seat] in ends), None)
        return reached if reached is not None else most if record and self._changes >= FIRST else None
