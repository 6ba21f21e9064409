"""Updates: what a face of the program is told, one after the other; the one stream behind all faces.

Those that only tell something say with which sentence and which JSON (`Telling`): no face knows them, so
that a new one is a class here and nothing else. The others change what a face waits for.

They are tuples: dataclasses take seven times as long to make, and these are made before the first question.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.statistics import Statistics
from tavolata.asks import Ask
from tavolata.game import Outcome
from tavolata.messages import N_, Event
from tavolata.windows import Window

SPOKE = N_("{name} says: {text}")
SPOKE_TO = N_("{name} to {to}: {text}")


class Saying(NamedTuple):
    """A sentence that tells an update.

    Attributes:
        role: what sort of sentence: "talk", "private", "notice", "wrong" or "hint".
        message: a message id.
        params: what its fields stand for.
        own: whether it repeats what was said here.
    """

    role: str
    message: str
    params: Mapping[str, Any] = MappingProxyType({})
    own: bool = False


@runtime_checkable
class Telling(Protocol):
    """An update that only tells something."""

    def saying(self) -> Saying:
        """The sentence that tells it."""
        ...

    def data(self) -> Mapping[str, Any]:
        """What programs are told beside the sentence, as JSON; its `type` says what it is."""
        ...


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

    def saying(self) -> Saying:
        """See `Telling`."""
        params = {"name": self.name, "to": self.to, "text": self.text}
        if self.to is None:
            return Saying("talk", SPOKE, params, own=self.mine)
        return Saying("private", SPOKE_TO, params, own=self.mine)

    def data(self) -> Mapping[str, Any]:
        """See `Telling`."""
        return {"type": "said", "name": self.name, "to": self.to, "words": self.text, "mine": self.mine}


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

    def saying(self) -> Saying:
        """See `Telling`."""
        return Saying("wrong" if self.wrong else "notice", self.message, self.params)

    def data(self) -> Mapping[str, Any]:
        """See `Telling`."""
        return {"type": "notice", "wrong": self.wrong}


class Hinted(NamedTuple):
    """What helps a newcomer: a message id of the game, and what its fields stand for."""

    message: str
    params: Mapping[str, Any] = MappingProxyType({})

    def saying(self) -> Saying:
        """See `Telling`."""
        return Saying("hint", self.message, self.params)

    def data(self) -> Mapping[str, Any]:
        """See `Telling`."""
        return {"type": "hint"}


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


Happening = Began | Told | Asked | Closed | WindowOpened | WindowClosed | LobbyChanged | Ended | Telling
