"""The keys of this machine, as the log source uses them."""

from __future__ import annotations

from typing import Protocol

from tavolata.choices import Answer


class Keyring(Protocol):
    def face(self, seat: int, card: int, box: bytes) -> int | None:
        return None

    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        """Return the nonce and the answer in a copy for this seat; None if it's not for this machine."""
        return None


class NoKeys(Keyring):
    """The keyring of a machine without a seat."""
