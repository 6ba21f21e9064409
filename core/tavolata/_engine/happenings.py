"""What a face of the program is told, one after the other: the one stream behind all faces.

Small frozen data and nothing else may live here. Who sits where and what it can do is `sitting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tavolata._engine.tally import Statistics
from tavolata.asks import Ask
from tavolata.game import Outcome
from tavolata.messages import Event
from tavolata.windows import Window


@dataclass(frozen=True, slots=True)
class Began:
    """A match has begun, or goes on where it was (`again`)."""

    again: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """Something happened in the match.

    Attributes:
        event: what.
        seen: what `Match.look` saw at that moment; None if nobody looks.
    """

    event: Event
    seen: Any = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question has been put to a seat; `mine` if a person here is to answer it."""

    ask: Ask
    mine: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """A question that was put to a person here needs no answer any more (`late`: time ran out)."""

    ask: Ask
    late: bool = False


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """A moment has begun in which seats may react.

    A face shows what was told before this, says `Sitting.drawn(window.id)` as soon as that can be
    seen, and measures from there. `mine` are the seats of people here that may react or go on.
    """

    window: Window
    mine: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The moment is over; `window.reaction()` says who was fastest."""

    window: Window


@dataclass(frozen=True, slots=True)
class Said:
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


@dataclass(frozen=True, slots=True)
class Notice:
    """Something happened at the table, outside the rules of the game.

    Attributes:
        message: a message id of the core.
        params: what its fields stand for.
        wrong: whether it is a refusal or a trouble.
    """

    message: str
    params: Mapping[str, Any] = field(default_factory=dict)
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Hinted(Notice):
    """What helps a newcomer, a message id of the game; a face that knows no hints tells it as a notice."""


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """Who sits where, what is agreed, or who is ready has changed; the sitting has it.

    `whole` if somebody wants to see all of it, changed or not.
    """

    whole: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over.

    Attributes:
        outcome: how it ended; None if it was broken off.
        digest: of the last state, equal on all peers.
        cheat: what a cheat was caught at, "" as a rule.
        statistics: what was done in it.
    """

    outcome: Outcome | None
    digest: bytes
    cheat: str = ""
    statistics: Statistics | None = None


Happening = Began | Told | Asked | Closed | WindowOpened | WindowClosed | Said | Notice | LobbyChanged | Ended
