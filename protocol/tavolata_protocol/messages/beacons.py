"""Messages on the port of discovery: who is there, and the answer. Shapes only; see `beacons`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import Bytes8, WireMessage

Short = Annotated[str, Meta(max_length=40)]
Small = Annotated[int, Meta(ge=0, le=255)]


class TableQuery(WireMessage, frozen=True, tag=1):
    """Is a table there? Padded, so that nobody gets back more than was sent."""

    nonce: Bytes8
    padding: bytes


class TableReply(WireMessage, frozen=True, tag=2):
    """A table is here: the answer to one `TableQuery`; fields as in `Announcement`."""

    nonce: Bytes8
    table: Annotated[bytes, Meta(min_length=1, max_length=32)]
    name: Short
    game: Short
    port: Annotated[int, Meta(ge=1, le=65535)]
    private: bool
    free: Small
    version: Small
