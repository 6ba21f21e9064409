"""Sealed boxes, which only one peer can open: faces, answers and words for a single seat.

They are PyNaCl's sealed boxes to the mailbox that the peer named with its IN. The place (match, seat, card)
is inside, so a box that is copied to another place opens to nothing. Notes are boxes of a peer to itself.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey, SealedBox
from nacl.secret import SecretBox
from nacl.signing import VerifyKey

from tavolata import _machine
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.match.entries import plain
from tavolata._engine.match.header import Header
from tavolata._engine.match.source import Origin
from tavolata._engine.match.state import pack, unpack
from tavolata.choices import Answer
from tavolata.kinds.fields import flat


def seal(mailbox: PublicKey, data: bytes) -> bytes:
    """Return a sealed box as libsodium's `crypto_box_seal` makes it, which draws a key of its own."""
    key = PrivateKey(_machine.token(PrivateKey.SIZE))
    sender = bytes(key.public_key)
    nonce = blake2b(sender + bytes(mailbox), digest_size=Box.NONCE_SIZE).digest()
    return sender + Box(key, mailbox).encrypt(data, nonce).ciphertext


class SeatSealer:
    """Seals what is for one seat alone, to the mailboxes in the match's origin.

    The box for a seat whose machine isn't in the match is empty, and opens to nothing.
    """

    def __init__(self, header: Header, origin: Origin) -> None:
        self._header = header
        self._origin = origin

    def face(self, seat: int, card: int, face: int) -> bytes:
        return self._sealed(seat, pack([self._header.id, seat, card, face]))

    def answer(self, seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
        """Seal a sealed answer with its nonce to the peer of a seat that may look at it."""
        return self._sealed(seat, _filled(pack([self._header.id, seat, ask, nonce, answer]), answer))

    def hears(self, seat: int) -> bool:
        """Return True if words can be sealed to the peer of this seat: it is in the match."""
        return self._header.keys[seat] in self._origin.mailboxes

    def words(self, seat: int, text: str) -> bytes:
        return self._sealed(seat, _filled(pack([self._header.id, seat, text])))

    def _sealed(self, seat: int, data: bytes) -> bytes:
        return seal(self._mailbox(seat), data) if self.hears(seat) else b""

    def _mailbox(self, seat: int) -> PublicKey:
        return VerifyKey(self._origin.mailboxes[self._header.keys[seat]]).to_curve25519_public_key()


class Keys:
    """The keyring of one peer in one match, which opens the boxes sealed to it; see `ports.Keyring`."""

    def __init__(self, header: Header, me: bytes, secret: MatchSecret) -> None:
        self._header = header
        self._mine = me
        self._box = SealedBox(secret.private_key)

    def face(self, seat: int, card: int, box: bytes) -> int | None:
        """Return the face in a box for this seat; None if the box is another's or does not fit."""
        if self._header.keys[seat] != self._mine:
            return None
        try:
            match, to, what, face = unpack(self._box.decrypt(box))
        except (CryptoError, ValueError, TypeError):
            return None
        return int(face) if [match, to, what] == [self._header.id, seat, card] else None

    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        """Return the nonce and answer in a copy for this seat; None if it's another's or doesn't fit."""
        if self._header.keys[seat] != self._mine:
            return None
        try:
            match, to, what, nonce, answer = unpack(_emptied(self._box.decrypt(copy)))
        except (CryptoError, ValueError, TypeError):
            return None
        return (nonce, plain(answer)) if [match, to, what] == [self._header.id, seat, ask] else None

    def words(self, seat: int, box: bytes) -> str | None:
        """Return the words in a box for this seat; None if the box is another's or does not fit."""
        if self._header.keys[seat] != self._mine:
            return None
        try:
            match, to, text = unpack(_emptied(self._box.decrypt(box)))
        except (CryptoError, ValueError, TypeError):
            return None
        return text if [match, to] == [self._header.id, seat] and type(text) is str else None


_NOTE = 64
"""Answers are padded to a multiple of so many bytes, so that the length does not reveal a short one."""
_TEXT = 384
"""The longest text has room in so many: the length says nothing of how long one is."""


def _filled(data: bytes, answer: Answer = 0) -> bytes:
    to = _TEXT if any(isinstance(part, str) for part in flat(answer)) else _NOTE
    return data + b"\x01" + b"\0" * (-(len(data) + 1) % to)


def _emptied(filled: bytes) -> bytes:
    return filled.rstrip(b"\0")[:-1]


class Notes:
    """The notes that a peer writes to itself in the agreed log, so that it can read them after a crash.

    For example its own sealed answers: no one else can open them, and no other file has to keep them.
    """

    def __init__(self, secret: MatchSecret, match: str) -> None:
        self._box = SecretBox(secret.notes(match))

    def write(self, value: Any, answer: Answer = 0) -> bytes:
        filled = _filled(pack(value), answer)
        return bytes(self._box.encrypt(filled, _machine.token(SecretBox.NONCE_SIZE)))

    def read(self, note: bytes) -> Any:
        """Return the data of one of this peer's notes; None if it is not one."""
        try:
            return unpack(_emptied(self._box.decrypt(note)))
        except (CryptoError, ValueError, TypeError):
            return None
