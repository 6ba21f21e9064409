"""Messages on the discovery port: the query and the reply. Shapes only; see `beacons`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolata_protocol.messages.base import Bytes8, WireMessage

Short = Annotated[str, Meta(max_length=40)]
Small = Annotated[int, Meta(ge=0, le=255)]


class TableQuery(WireMessage, frozen=True, tag=1):
    """Asks whether a table is there. It is padded, so that no reply is longer."""

    nonce: Bytes8
    padding: bytes


class TableReply(WireMessage, frozen=True, tag=2):
    """The answer to one `TableQuery`: a table is here. The fields are those of `Announcement`."""

    nonce: Bytes8
    table: Annotated[bytes, Meta(min_length=1, max_length=32)]
    name: Short
    game: Short
    port: Annotated[int, Meta(ge=1, le=65535)]
    private: bool
    free: Small
    version: Small
