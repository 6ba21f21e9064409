"""The records of a match file, whatever they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tavolata._engine.match.entries import plain
from tavolata._engine.match.state import unpack
from tavolata._engine.storage.match_file import ENTRY, MAGIC
from tavolata._engine.storage.record_framing import records


def records_of(data: bytes) -> Iterator[tuple[int, Any]]:
    """The end, the kind and the value of each complete record of a match file; entries are tuples."""
    for end, body in records(data, len(MAGIC)):
        kind, value = unpack(body)
        yield end, [kind, plain(value) if kind == ENTRY else value]
