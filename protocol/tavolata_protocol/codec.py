"""The codec between bytes and typed messages: msgpack, decoded directly into the message's type.

Only the encoding is here. The message types are in `messages/`, and their meaning is in other modules. For
any bytes, `decode` either returns a valid message or raises `MalformedMessage`. The types bound the size of
a message: every array has a maximum length, and no field can nest as deeply as a whole message. So a decoder
never creates anything unwanted.
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
    """Return a function that decodes at most `size` bytes to a `kind`, checking all types and bounds.

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
    """Decode one message; a kind that is read often has a `reader` of its own.

    Raise `MalformedMessage` for anything that is not exactly one such message.
    """
    return cast("T", _reader(cast("Any", kind), size)(data))
