"""Bytes to typed messages and back: msgpack with tight limits, then strict validation.

Only encoding lives here: what the messages are stands in `messages/`, what they mean elsewhere. Whatever
the bytes are, `decode` returns a valid message or raises `MalformedMessage`, and nothing else.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgpack
import msgspec

from tavolata_protocol.errors import MalformedMessage

T = TypeVar("T")

# msgspec would otherwise take base64 text where a message says bytes: one value, two encodings.
_NATIVE_TYPES = (bytes,)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one encoded message may hold.

    Attributes:
        size: bytes in all; also the longest text and the longest byte string.
        items: elements of one array (and entries of one map).
    """

    size: int
    items: int


PACKET = Limits(size=1200, items=64)
"""What fits into one datagram."""
MESSAGE = Limits(size=64 * 1024, items=1024)
"""What a session carries as one application message."""


@functools.lru_cache(maxsize=256)
def _holder(kind: object) -> Any:
    # msgspec prepares a Struct once, but a union or a tuple anew at every call, at twenty times the cost.
    return msgspec.defstruct("Holder", [("value", kind)], array_like=True, forbid_unknown_fields=True)


_encoder = msgspec.msgpack.Encoder()


def encode(message: object) -> bytes:
    """Encode a message (a Struct, or a tuple of them) as msgpack."""
    return _encoder.encode(message)


def decode(data: bytes, kind: type[T], limits: Limits = PACKET) -> T:
    """Decode `data` to a `kind`; every field is checked against its declared type and bounds.

    Raises:
        MalformedMessage: for anything that is not exactly one such message within the limits.
    """
    return convert(unpack(data, limits), kind)


def unpack(data: bytes, limits: Limits = PACKET) -> Any:
    """Decode `data` to plain values (arrays become tuples), checking limits only.

    Raises:
        MalformedMessage: for anything that is not exactly one msgpack value within the limits.
    """
    if len(data) > limits.size:
        raise MalformedMessage(f"A message of {len(data)} bytes is longer than the {limits.size} allowed.")
    try:
        return msgpack.unpackb(
            data,
            use_list=False,
            strict_map_key=True,
            max_str_len=limits.size,
            max_bin_len=limits.size,
            max_array_len=limits.items,
            max_map_len=limits.items,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.UnpackException) as error:  # TypeError: an unhashable map key
        raise MalformedMessage(f"Bytes are no message: {error or 'nested too deeply'}.") from None


def convert(value: object, kind: type[T]) -> T:
    """Validate plain values as a `kind`.

    Raises:
        MalformedMessage: when a field has another type, or is out of its bounds.
    """
    try:
        return cast(
            "T", msgspec.convert((value,), _holder(cast("Any", kind)), builtin_types=_NATIVE_TYPES).value
        )
    except (msgspec.ValidationError, TypeError) as error:  # TypeError: an extension value has no place here
        raise MalformedMessage(f"A message has a wrong shape: {error}.") from None
