"""Bytes to typed messages and back: msgpack, decoded straight into what its type allows.

Only encoding lives here: what the messages are stands in `messages/`, what they mean elsewhere. Whatever
the bytes are, `decode` returns a valid message or raises `MalformedMessage`, and nothing else. How much one
may hold is said by the types: every array of theirs is bounded, and no field holds another message's worth of
nesting, so that a decoder never makes anything that is not wanted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import msgspec

from tavolata_protocol.errors import MalformedMessage

T = TypeVar("T")

PACKET = 1200
"""Bytes that fit into one datagram."""
MESSAGE = 64 * 1024
"""Bytes that a session carries as one application message."""

_encoder = msgspec.msgpack.Encoder()


def encode(message: object) -> bytes:
    """Encode a message (a Struct, or a tuple of them) as msgpack."""
    return _encoder.encode(message)


def reader(kind: object, size: int = PACKET) -> Callable[[bytes], Any]:
    """What decodes at most `size` bytes to a `kind`, checking every field against its type and bounds.

    It raises `MalformedMessage` for anything that is not exactly one such message.
    """
    convert = msgspec.msgpack.Decoder(cast("Any", kind)).decode

    def read(data: bytes) -> Any:
        if len(data) > size:
            raise MalformedMessage(f"A message of {len(data)} bytes is longer than the {size} allowed.")
        try:
            return convert(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise MalformedMessage(f"Bytes are no message: {error}.") from None

    return read


_reader = functools.cache(reader)


def decode(data: bytes, kind: type[T], size: int = PACKET) -> T:
    """Decode once; what is read often has a `reader` of its own.

    Raises:
        MalformedMessage: for anything that is not exactly one such message.
    """
    return cast("T", _reader(cast("Any", kind), size)(data))
