"""What a face of the program is told, one after the other: the one stream behind all faces.

Small frozen data and nothing else may live here, as tuples: dataclasses take seven times as long to
make, and these are made before the first question. Who sits where and what it can do is `sitting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.statistics import Statistics
from tavolata.asks import Ask
from tavolata.game import Outcome
from tavolata.messages import Event
from tavolata.windows import Window


class Began(NamedTuple):
    """A match has begun, or goes on where it was (`again`)."""

    again: bool = False


class Told(NamedTuple):
    """Something happened in the match.

    Attributes:
        event: what.
        seen: what `Match.look` saw at that moment; None if nobody looks.
        again: whether it happened before, and is told to who comes back.
    """

    event: Event
    seen: Any = None
    again: bool = False


class Asked(NamedTuple):
    """A question has been put to a seat; `mine` if a person here is to answer it."""

    ask: Ask
    mine: bool


class Closed(NamedTuple):
    """A question that was put to a person here needs no answer any more (`late`: time ran out)."""

    ask: Ask
    late: bool = False


class WindowOpened(NamedTuple):
    """A moment has begun in which seats may react.

    A face shows what was told before this, says `TableSession.drawn(window.id)` as soon as that can be
    seen, and measures from there. `mine` are the seats of people here that may react or go on.
    """

    window: Window
    mine: tuple[int, ...]


class WindowClosed(NamedTuple):
    """The moment is over; `window.reaction()` says who was fastest."""

    window: Window


class Said(NamedTuple):
    """Somebody spoke.

    Attributes:
        name: who.
        text: what.
        to: the name of the one spoken to, None for all.
        mine: whether it was said here.
    """

    name: str
    text: str
    to: str | None = None
    mine: bool = False


class Notice(NamedTuple):
    """Something happened at the table, outside the rules of the game.

    Attributes:
        message: a message id of the core.
        params: what its fields stand for.
        wrong: whether it is a refusal or a trouble.
        seat: whom of several people here it is for; None for all of them.
    """

    message: str
    params: Mapping[str, Any] = MappingProxyType({})
    wrong: bool = False
    seat: int | None = None


class Hinted(Notice):
    """What helps a newcomer, a message id of the game; a face that knows no hints tells it as a notice."""


class LobbyChanged(NamedTuple):
    """Who sits where, what is agreed, or who is ready has changed; the sitting has it.

    `whole` if somebody wants to see all of it, changed or not.
    """

    whole: bool = False


class Ended(NamedTuple):
    """The match is over.

    Attributes:
        outcome: how it ended; None if it was broken off.
        digest: of the last state, equal on all peers.
        conviction: who was caught cheating, if it ended so.
        statistics: what was done in it.
    """

    outcome: Outcome | None
    digest: bytes
    conviction: Conviction | None = None
    statistics: Statistics | None = None


Happening = Began | Told | Asked | Closed | WindowOpened | WindowClosed | Said | Notice | LobbyChanged | Ended
