"""Messages on the discovery port: the query and the reply. Shapes only; see `beacons`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import Bytes8, WireMessage

Short = Annotated[str, Meta(max_length=40)]
Small = Annotated[int, Meta(ge=0, le=255)]


class TableQuery(WireMessage, frozen=True, tag=1):
    """A search for tables, padded so that no reply is longer than it."""

    nonce: Bytes8
    padding: bytes


class TableReply(WireMessage, frozen=True, tag=2):
    """A host's answer to one `TableQuery`, with the fields of `Announcement`."""

    nonce: Bytes8
    table: Annotated[bytes, Meta(min_length=1, max_length=32)]
    name: Short
    game: Short
    port: Annotated[int, Meta(ge=1, le=65535)]
    private: bool
    free: Small
    version: Small
