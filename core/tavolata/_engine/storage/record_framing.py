"""Record framing of an append-only file: a head with length and checksums, then the body.

A crash may cut the last record short. The head has a checksum of its own, so that a wrong length is not taken
for that. Any other wrong record is damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from zlib import crc32

_LENGTH = Struct("<II")  # of the body, and its checksum
_HEAD = Struct("<III")  # both, and the checksum of these eight bytes


def framed(body: bytes) -> bytes:
    size, check = len(body), crc32(body)
    return _HEAD.pack(size, check, crc32(_LENGTH.pack(size, check))) + body


# Most of the time in which a match file is read goes by here, so this is one loop without calls.
def records(data: bytes, at: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield each complete record from `at` on, with the position of its end; stop at a broken one."""
    length, head, unpack = _LENGTH.size, _HEAD.size, _HEAD.unpack_from
    end = len(data)
    last = end - head
    while at <= last:
        size, check, check_of_head = unpack(data, at)
        if check_of_head != crc32(data[at : at + length]):
            return
        begin = at + head
        at = begin + size
        if at > end:
            return
        body = data[begin:at]
        if crc32(body) != check:
            return
        yield at, body


def is_torn(data: bytes, at: int) -> bool:
    """Return True if nothing but a record that a crash cut short begins at `at`, where reading stopped."""
    head = data[at : at + _HEAD.size]
    if len(head) < _HEAD.size:
        return True
    size, _, check_of_head = _HEAD.unpack(head)
    return bool(check_of_head == crc32(head[: _LENGTH.size]) and at + _HEAD.size + size > len(data))
