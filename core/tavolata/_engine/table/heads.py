"""Heads of the agreed log: the number of an entry and the chain hash after it, 40 bytes.

Every step of dealing together contains the head that its author followed, and is signed with it. So an
equivocating leader is detected as soon as its two logs meet.
"""

from __future__ import annotations

from typing import Final

from tavolata._engine.match.entries import DEAL
from tavolata._engine.table import log_bodies

KEPT: Final = 4096
"""The number of remembered heads; no message refers to older ones."""
NUMBER_SIZE: Final = 8
CHAIN_SIZE: Final = 32
HEAD_SIZE: Final = NUMBER_SIZE + CHAIN_SIZE


def head(number: int, chain: bytes) -> bytes:
    return number.to_bytes(NUMBER_SIZE, "big") + chain


class Heads:
    def __init__(self, last: bytes = bytes(HEAD_SIZE)) -> None:
        self.last = last
        self._seen = bytearray()
        """The chain hashes of the last numbers, each at its number modulo `KEPT`: smaller than objects."""
        self._first = self.number + 1

    @property
    def number(self) -> int:
        return int.from_bytes(self.last[:NUMBER_SIZE], "big")

    @property
    def chain(self) -> bytes:
        return self.last[NUMBER_SIZE:]

    def note(self, number: int, chain: bytes) -> None:
        self._first = number if number != self.number + 1 else max(self._first, number - KEPT + 1)
        self.last = head(number, chain)
        self._seen = self._seen or bytearray(KEPT * CHAIN_SIZE)
        at = number % KEPT * CHAIN_SIZE
        self._seen[at : at + CHAIN_SIZE] = chain

    def contradicts(self, body: bytes) -> bool:
        """Return True if the author of an entry has seen a different log from this machine."""
        entry = log_bodies.read(body)
        if entry is None or entry[0] != log_bodies.PLAY:
            return False
        step = entry[1][1]
        if len(step) < 3 or step[0] != DEAL or type(step[2]) is not bytes:
            return False
        number = int.from_bytes(step[2][:NUMBER_SIZE], "big")
        at = number % KEPT * CHAIN_SIZE
        known = self._first <= number <= self.number
        return known and self._seen[at : at + CHAIN_SIZE] != step[2][NUMBER_SIZE:]
