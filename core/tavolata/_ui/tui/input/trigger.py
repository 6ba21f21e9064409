"""The trigger: a press counts only for what was on view when its train of presses began.

Presses of one key less than `TRAIN` apart are one train, auto-repeat included. A meaning counts from `GRACE`
after it was first drawn, because nobody reads faster. So a press that was meant for one thing never does
another. Pure: times are given in seconds.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, NamedTuple

GRACE: Final = 0.4
TRAIN: Final = 0.4


class _Showing(NamedTuple):
    """One meaning of a key, from when it was first drawn until another one takes its place."""

    meaning: object
    since: float


class _Train(NamedTuple):
    """The showing on which a train of presses began, if that counted, and the time of its last press."""

    showing: _Showing | None
    last: float


ALWAYS: Final = _Showing(None, float("-inf"))
"""The showing of a key that has meant the same since the beginning."""


class KeyTrigger:
    """The keys of one screen. A key that `shows` doesn't name has its normal meaning, which is None."""

    def __init__(self) -> None:
        self._showings: dict[str, _Showing] = {}
        self._trains: dict[tuple[str, object], _Train] = {}
        self._at_once: Container[str] = ()

    def shows(self, meanings: Mapping[str, object], at: float, at_once: Container[str] = ()) -> None:
        """Note what is drawn now: by key its meaning. The keys `at_once` are those of an open window."""
        for key in {**self._showings, **meanings}:
            meaning = meanings.get(key)
            if self._showings.get(key, ALWAYS).meaning != meaning:
                self._showings[key] = _Showing(meaning, at)
        self._at_once = at_once

    def press(self, key: str, at: float, place: object = None, grace: float = GRACE) -> bool:
        """Return True if a press counts. Clicks on different places belong to different trains.

        `grace` is the time for which a meaning has to be on view.
        """
        showing = self._showings.get(key, ALWAYS)
        train = self._trains.get((key, place))
        if train is None or at - train.last >= TRAIN:
            train = _Train(showing if at - showing.since >= grace else None, at)
        self._trains[key, place] = train._replace(last=at)
        return key in self._at_once or train.showing is showing
