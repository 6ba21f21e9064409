"""Packet protection: one key for each direction, renewed hourly, and no packet opened twice.

The cipher is ChaCha20-Poly1305-IETF. The nonce is the connection id and the counter, as they stand in the
header. The associated data is the whole header. This module does not read the contents of packets.
"""

from __future__ import annotations

import hashlib

from tavolata_protocol.aead import TAG_SIZE, seal, unseal
from tavolata_protocol.errors import NotAuthentic
from tavolata_protocol.messages.packets import (
    HEADER_SIZE,
    MAX_DATAGRAM,
    PacketHeader,
    PacketKind,
    pack_header,
)

ROOM = MAX_DATAGRAM - HEADER_SIZE - TAG_SIZE
"""Bytes of plaintext that one packet can hold."""
REKEY_AFTER = 3600.0
REPLAY_WINDOW = 1024
_NONCE = slice(2, HEADER_SIZE)


def next_key(key: bytes) -> bytes:
    """Return the key after `key`; `key` can't be computed from it, so old traffic stays closed."""
    return hashlib.blake2b(key, digest_size=32, person=b"tavolata-rekey").digest()


class Sealer:
    """Seals what is sent in one direction with a key of 32 bytes; each call uses a new counter.

    `connection` is the receiver's connection id; `now` is when the key came into use.
    """

    def __init__(self, key: bytes, connection: int, now: float) -> None:
        self._key = key
        self._connection = connection
        self._phase = 0
        self._renew_at = now + REKEY_AFTER
        self.counter = 0

    def seal(self, plain: bytes, now: float) -> bytes:
        """Return the whole datagram; its counter is the value of `self.counter` before the call."""
        if now >= self._renew_at:
            self._key, self._phase = next_key(self._key), self._phase ^ 1
            self._renew_at = now + REKEY_AFTER
        header = pack_header(PacketKind.SEALED, self._connection, self.counter, self._phase)
        self.counter += 1
        return header + seal(self._key, header[_NONCE], plain, header)


class ReplayWindow:
    """The record of which of the last 1024 counters were seen; an older counter counts as seen."""

    def __init__(self) -> None:
        self.largest = -1
        self._seen = 0  # bit n: counter `largest - n`

    def is_new(self, counter: int) -> bool:
        """Return True if a packet with this counter has not been opened yet."""
        age = self.largest - counter
        return age < 0 or (age < REPLAY_WINDOW and not self._seen >> age & 1)

    def mark(self, counter: int) -> None:
        """Remember a counter; call this only for an authentic packet."""
        age = self.largest - counter
        if age >= 0:
            self._seen |= 1 << age
            return
        shift = -age
        self._seen = (self._seen << shift | 1) & _WINDOW_MASK if shift < REPLAY_WINDOW else 1
        self.largest = counter


_WINDOW_MASK = (1 << REPLAY_WINDOW) - 1


class Opener:
    """Opens the packets of one direction.

    The other side renews its key when it wants to. A packet with the other key phase is tried with the
    previous key if its counter is from before the change, and with the next key otherwise.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._before: bytes | None = None
        self._phase = 0
        self._phase_start = 0
        self._window = ReplayWindow()

    def is_newest(self, header: PacketHeader) -> bool:
        """Return True if a packet, if it is authentic, was sealed after all the packets opened so far."""
        return header.counter > self._window.largest

    @property
    def is_used(self) -> bool:
        """True if any packet was opened."""
        return self._window.largest >= 0

    def open(self, header: PacketHeader, datagram: bytes) -> bytes:
        """Return the plaintext; raise `NotAuthentic`, changing nothing, if forged, damaged or repeated."""
        counter = header.counter
        if not self._window.is_new(counter):
            raise NotAuthentic("A packet came twice.")
        if header.phase == self._phase:
            plain = _decrypt(datagram, self._key)
        elif counter < self._phase_start:
            plain = _decrypt(datagram, self._before or self._key)
        else:
            after = next_key(self._key)
            plain = _decrypt(datagram, after)
            self._before, self._key = self._key, after
            self._phase, self._phase_start = header.phase, counter
        self._window.mark(counter)
        return plain


def _decrypt(datagram: bytes, key: bytes) -> bytes:
    header = datagram[:HEADER_SIZE]
    plain = unseal(key, header[_NONCE], datagram[HEADER_SIZE:], header)
    if plain is None:
        raise NotAuthentic("A packet that the peer did not seal.")
    return plain
