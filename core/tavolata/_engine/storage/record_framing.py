"""Record framing of an append-only file: length, checksum, body. Incomplete records are not read."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from zlib import crc32

_HEAD = Struct("<II")


def framed(body: bytes) -> bytes:
    """The bytes of a record in a file."""
    return _HEAD.pack(len(body), crc32(body)) + body


def records(data: bytes, at: int = 0) -> Iterator[tuple[int, bytes]]:
    """Each complete record from `at` on, with the position of its end; reading stops at a broken one."""
    while at + _HEAD.size <= len(data):
        size, check = _HEAD.unpack_from(data, at)
        start, at = at + _HEAD.size, at + _HEAD.size + size
        body = data[start:at]
        if len(body) < size or crc32(body) != check:
            return
        yield at, body
