"""Whispers outside a match: words for one peer, sealed to a mailbox that its process made when it came in.

The identity key opens nothing: it signs only. So whoever steals it later reads no whisper. The boxes are like
those in a match, but in the place of the match their context has the sender's key.
"""

from __future__ import annotations

from tavolata._engine.dealing.sealing import WORDS, fresh_secrets, opened_words, padded_words
from tavolata_protocol.fair import boxes
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.group import ED25519


class Whispers:
    """This process's mailbox: the point E, 32 bytes, to which others seal words for it."""

    def __init__(self) -> None:
        (self._secret,) = fresh_secrets().nonces(_context(b""), 1, "mailbox")
        self.mailbox = ED25519.multiply_base(self._secret)

    def opened(self, sender: bytes, box: bytes) -> str | None:
        """Return the words in a box from this peer; None if it isn't for this process."""
        return opened_words(_context(sender), 0, self.mailbox, self._secret, box)


def sealed(sender: bytes, mailbox: bytes, text: str) -> bytes | None:
    """Return a box that only the owner of a mailbox can open; None if the mailbox isn't a point."""
    if not ED25519.is_point(mailbox):
        return None
    return boxes.seal(_context(sender), 0, mailbox, padded_words(text), fresh_secrets())


def _context(sender: bytes) -> Context:
    return Context(sender, b"", 0, WORDS, 0, 0)
