"""Record framing of an append-only file: a head with length and checksums, then the body.

A crash may cut the last record short. The head has a checksum of its own, so that a wrong length is not taken
for that. Any other wrong record is damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from zlib import crc32

_LENGTH = Struct("<II")  # of the body, and its checksum
_CHECK = Struct("<I")  # of the eight bytes before
_HEAD_SIZE = _LENGTH.size + _CHECK.size


def framed(body: bytes) -> bytes:
    """The bytes of a record in a file."""
    length = _LENGTH.pack(len(body), crc32(body))
    return length + _CHECK.pack(crc32(length)) + body


def records(data: bytes, at: int = 0) -> Iterator[tuple[int, bytes]]:
    """Each complete record from `at` on, with the position of its end; reading stops at a broken one."""
    while (found := _read(data, at)) is not None:
        at, body = found
        yield at, body


def is_torn(data: bytes, at: int) -> bool:
    """Whether nothing but a record that a crash cut short begins at `at`, where reading stopped."""
    head = data[at : at + _HEAD_SIZE]
    if len(head) < _HEAD_SIZE:
        return True
    size, _ = _LENGTH.unpack_from(head)
    return _is_head(head) and at + _HEAD_SIZE + size > len(data)


def _read(data: bytes, at: int) -> tuple[int, bytes] | None:
    head = data[at : at + _HEAD_SIZE]
    if len(head) < _HEAD_SIZE or not _is_head(head):
        return None
    size, check = _LENGTH.unpack_from(head)
    end = at + _HEAD_SIZE + size
    body = data[at + _HEAD_SIZE : end]
    return None if len(body) < size or crc32(body) != check else (end, body)


def _is_head(head: bytes) -> bool:
    (check,) = _CHECK.unpack_from(head, _LENGTH.size)
    return bool(check == crc32(head[: _LENGTH.size]))
