"""The common base of all messages, and their bounded field types.

Nothing that belongs to a single layer is here.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tavolata_protocol.identity import PeerId

U32 = Annotated[int, Meta(ge=0, le=2**32 - 1)]
U62 = Annotated[int, Meta(ge=0, le=2**62)]  # counters: 2**62 is out of reach, and fits msgspec's bounds
Bytes8 = Annotated[bytes, Meta(min_length=8, max_length=8)]
Bytes16 = Annotated[bytes, Meta(min_length=16, max_length=16)]
Bytes32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
Peer32 = Annotated[PeerId, Meta(min_length=32, max_length=32)]
Bytes64 = Annotated[bytes, Meta(min_length=64, max_length=64)]


class WireMessage(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of every message: immutable, and an array on the wire with exactly the declared fields."""
