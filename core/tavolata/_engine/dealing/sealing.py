"""Boxes for one party: faces, answers and words for a single seat, whoever deals.

They are boxes of `fair.boxes` to the mailbox that the party named with its IN. The context of each names the
match, what it holds, its number and its sender, so a box that is copied to another place opens to nothing.
All boxes of a kind have the same length; words have one of three.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import Final

from tavolata import _machine
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.match.entries import plain
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import ROOM
from tavolata._engine.match.source import Origin
from tavolata._engine.match.state import pack, unpack
from tavolata.choices import Answer
from tavolata_protocol.fair import boxes, seals
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.seeds import SEED_SIZE, Secrets

FACE: Final = "face"
ANSWER: Final = "answer"
CONFIDED: Final = "confided"
WORDS: Final = "words"
WORDS_SIZES: Final = (64, 256, 1024)
"""Words are padded to one of these sizes in bytes, so that their length reveals little."""
MOST_WORDS: Final = WORDS_SIZES[-1] - 2
"""The most bytes of words that fit into a box; what is beyond them is cut off."""

_FACE = Struct("<4Q")  # the request for it, the seat, the card, the face
_NOTE = Struct(f"<BHQ{ROOM + seals.OVERHEAD}s")  # kind, seat, question, opening
_OPENING, _COMMITMENT = 1, 2
"""Kinds of notes: with the opening of a seal; with the nonce of a commitment in the same form."""


def fresh_secrets() -> Secrets:
    """Return secrets for boxes alone: nobody needs them again once a box is sealed."""
    return Secrets(_machine.token(SEED_SIZE), _machine.token)


def padded_words(text: str) -> bytes:
    """Return words as they are sealed: their length in 2 bytes, the text, zeros up to a size for words."""
    data = text.encode()[:MOST_WORDS].decode(errors="ignore").encode()
    size = next(size for size in WORDS_SIZES if len(data) <= size - 2)
    return (len(data).to_bytes(2, "little") + data).ljust(size, b"\0")


def opened_words(context: Context, receiver: int, mailbox: bytes, secret: int, box: bytes) -> str | None:
    """Return the `padded_words` in a box for this mailbox; None if it is another's or does not fit."""
    size = len(box) - boxes.OVERHEAD
    found = _opened(context, receiver, mailbox, secret, box, size) if size in WORDS_SIZES else None
    try:
        return None if found is None else found[2 : 2 + int.from_bytes(found[:2], "little")].decode()
    except ValueError:
        return None


def _opened(
    context: Context, receiver: int, mailbox: bytes, secret: int, data: bytes, size: int
) -> bytes | None:
    try:
        return boxes.open_box(context, boxes.read_box(context, receiver, mailbox, data, size), secret)
    except Cheat:
        return None


def _note(seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
    kind = _COMMITMENT if len(nonce) == seals.NONCE_SIZE else _OPENING
    opening = seals.opening_of(pack(answer), nonce, ROOM) if kind == _COMMITMENT else nonce
    return _NOTE.pack(kind, seat, ask, opening)


class MatchBoxes:
    """The contexts and mailboxes of a match, as a machine uses them."""

    def __init__(self, header: Header, origin: Origin, me: bytes) -> None:
        self._origin = origin
        self._seats = header.keys
        self._me = me
        self._narrator = b"" if header.narrator is None else header.narrator.key
        self._numbers = header.numbers

    def _context(self, what: str, number: int, sender: bytes) -> Context:
        party = self._numbers.get(sender, 0)
        return Context(self._origin.id, self._origin.stamp.lineage, 0, what, number, party)

    def confide(self, sender: bytes, to: bytes, seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
        """Return the box of a narrator to a peer, or of a peer to the narrator.

        All of it follows from its nonce and content, so anyone who knows these can make it again and compare.
        """
        if to not in self._origin.mailboxes:
            return b""
        seed = blake2b(nonce, digest_size=SEED_SIZE, person=b"tt confided").digest()
        return boxes.seal(
            self._context(CONFIDED, ask, sender), self._numbers[to], self._origin.mailboxes[to],
            _note(seat, ask, nonce, answer), Secrets(seed, bytes),
        )  # fmt: skip


class SeatSealer(MatchBoxes):
    """Seals what is for one seat alone, to the mailboxes in the match's origin.

    The box for a seat whose machine isn't in the match is empty, and opens to nothing.
    """

    def __init__(self, header: Header, origin: Origin, me: bytes) -> None:
        super().__init__(header, origin, me)
        self._secrets = fresh_secrets()

    def face(self, request: int, seat: int, card: int, face: int) -> bytes:
        return self._sealed(FACE, request, self._seats[seat], _FACE.pack(request, seat, card, face))

    def note(self, seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
        """Seal an answer that was sealed here to this peer itself, so that it can open it after a crash."""
        return self._sealed(ANSWER, ask, self._me, _note(seat, ask, nonce, answer))

    def answer(self, seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
        """Seal a sealed answer to the peer of a seat that may look at it."""
        return self._sealed(ANSWER, ask, self._seats[seat], _note(seat, ask, nonce, answer))

    def hears(self, seat: int) -> bool:
        """Return True if words can be sealed to the peer of this seat: it is in the match."""
        return self._seats[seat] in self._origin.mailboxes

    def words(self, seat: int, text: str) -> bytes:
        return self._sealed(WORDS, seat, self._seats[seat], padded_words(text))

    def _sealed(self, what: str, number: int, to: bytes, data: bytes) -> bytes:
        if to not in self._origin.mailboxes:
            return b""
        context = self._context(what, number, self._me)
        return boxes.seal(context, self._numbers[to], self._origin.mailboxes[to], data, self._secrets)


class Keys(MatchBoxes):
    """The keyring of one peer in one match, which opens the boxes sealed to it; see `Keyring`."""

    def __init__(self, header: Header, origin: Origin, me: bytes, secret: MatchSecret) -> None:
        super().__init__(header, origin, me)
        self._secret = secret.mailbox_secret

    def face(self, sender: bytes, request: int, seat: int, card: int, box: bytes) -> int | None:
        if not self._is_mine(seat):
            return None
        data = _opened(self._context(FACE, request, sender), *self._mine, box, _FACE.size)
        *place, face = [0] if data is None else _FACE.unpack(data)
        return face if place == [request, seat, card] else None

    def answer(self, sender: bytes, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        return self._answer(sender, seat, ask, copy) if self._is_mine(seat) else None

    def told(self, sender: bytes, seat: int, ask: int, box: bytes) -> tuple[bytes, Answer] | None:
        return self._answer(sender, seat, ask, box, CONFIDED) if self._is_mine(seat) else None

    def confided(self, sender: bytes, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        return self._answer(sender, seat, ask, copy, CONFIDED) if self._me == self._narrator else None

    def note(self, seat: int, ask: int, note: bytes) -> tuple[bytes, Answer] | None:
        """Return the nonce and answer in a note of this peer to itself; None if it's junk."""
        return self._answer(self._me, seat, ask, note) if self._me in self._origin.mailboxes else None

    def _answer(
        self, sender: bytes, seat: int, ask: int, box: bytes, what: str = ANSWER
    ) -> tuple[bytes, Answer] | None:
        data = _opened(self._context(what, ask, sender), *self._mine, box, _NOTE.size)
        if data is None:
            return None
        kind, to, about, opening = _NOTE.unpack(data)
        try:
            answer = plain(unpack(seals.value_in(opening)))
        except (ValueError, TypeError):
            return None
        nonce = opening if kind == _OPENING else opening[-seals.NONCE_SIZE :]
        return (nonce, answer) if (to, about) == (seat, ask) else None

    def words(self, sender: bytes, seat: int, box: bytes) -> str | None:
        """Return the words in a box for this seat; None if the box is another's or does not fit."""
        if not self._is_mine(seat):
            return None
        return opened_words(self._context(WORDS, seat, sender), *self._mine, box)

    def _is_mine(self, seat: int) -> bool:
        return self._seats[seat] == self._me and self._me in self._origin.mailboxes

    @property
    def _mine(self) -> tuple[int, bytes, int]:
        return self._numbers[self._me], self._origin.mailboxes[self._me], self._secret
