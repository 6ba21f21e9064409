"""The link of a machine in a test: over no log and no sockets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from typing_extensions import override

from tavolata._engine.peer.link import TableLink
from tavolata._engine.table.heads import Heads


class LooseLink(TableLink):
    """A link to nobody, by which nothing is heard.

    Attributes:
        time: the time.
        proposed: what was proposed.
    """

    def __init__(self) -> None:  # no log driver
        self.heads = Heads()
        self.time = 0.0
        self.proposed: list[tuple[Any, ...]] = []

    @override
    def now(self) -> float:
        return self.time

    @override
    def tick_in(self, seconds: float) -> None:
        return

    @override
    def propose(self, *body: Any) -> bool:
        self.proposed.append(body)
        return True

    @override
    def trip(self, peer: bytes) -> int:
        return 0

    @override
    def heard(self, peer: bytes) -> float | None:
        return None

    @override
    def note_digest(self, number: int, digest: bytes) -> None:
        return

    @override
    def relayed(self, peer: bytes) -> Sequence[bytes]:
        return ()

    @property
    @override
    def table(self) -> bytes:
        return b"a table".ljust(16, b".")

    @property
    @override
    def voters(self) -> Collection[bytes]:
        return ()
