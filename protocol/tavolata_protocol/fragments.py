"""Fragmentation of reliable messages into frames, and their reassembly in order.

A message has at most 64 fragments and 64 KiB. The messages that wait on either side (to be acknowledged, or
for earlier messages) have at most 256 KiB for each peer. This module knows no packets, losses or times.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from tavolata_protocol import codec
from tavolata_protocol.aead import TAG_SIZE
from tavolata_protocol.errors import MessageTooLong, ProtocolViolation
from tavolata_protocol.messages.packets import HEADER_SIZE
from tavolata_protocol.messages.session import FRAGMENT_SIZE, MAX_CUT, MAX_MESSAGE, Part, Slice, Whole
from tavolata_protocol.path_size import SIZES

MAX_WAITING = 256 * 1024
MESSAGE_COST = 64
"""Bytes counted for each waiting message besides its own, so that empty messages are not free."""


PIECE_SIZE = SIZES[-1] - HEADER_SIZE - TAG_SIZE - 24
"""Bytes of a frame in one piece: with its own head it fits into the smallest packet."""


@dataclass(slots=True, eq=False)
class Outgoing:
    """A reliable message on its way; `left` fragments of it are not acknowledged."""

    cost: int
    left: int
    started: bool = False


@dataclass(slots=True, eq=False)
class Fragment:
    """One frame of an outgoing message; its bytes are the same at every sending.

    `carrier` is the counter of the last packet that carried it; -1 before the first. It is `acked` if any
    packet that carried it was acknowledged, or its pieces go instead.
    """

    frame: bytes
    message: Outgoing
    carrier: int = -1
    acked: bool = False


class Outbox:
    """Reliable messages of one session that are not acknowledged, in order."""

    def __init__(self) -> None:
        self._next_number = 0
        self._fresh: deque[Fragment] = deque()
        self._lost: deque[Fragment] = deque()
        self._unacked: deque[Outgoing] = deque()
        self._span = 0
        self._cuts = 0
        self.waiting = 0
        """Bytes (with costs) that are not acknowledged."""

    def add(self, message: bytes) -> None:
        """Queue a message; raise `MessageTooLong` over 64 KiB."""
        if len(message) > MAX_MESSAGE:
            raise MessageTooLong(
                f"A message of {len(message)} bytes is too long: send it in pieces of at most {MAX_MESSAGE}."
            )
        number = self._next_number
        self._next_number += 1
        if len(message) <= FRAGMENT_SIZE:
            frames = [codec.encode(Whole(number, message))]
        else:
            chunks = [message[at : at + FRAGMENT_SIZE] for at in range(0, len(message), FRAGMENT_SIZE)]
            frames = [
                codec.encode(Part(number, index, len(chunks), chunk)) for index, chunk in enumerate(chunks)
            ]
        outgoing = Outgoing(len(message) + MESSAGE_COST, len(frames))
        self.waiting += outgoing.cost
        self._unacked.append(outgoing)
        self._fresh.extend(Fragment(frame, outgoing) for frame in frames)

    def next(self, room: int, limit: int) -> Fragment | None:
        """Take the next fragment to send, lost ones first; None if there isn't one that fits.

        `room` is in bytes that are left in this packet; a frame with more bytes than `limit`, the most on
        this path, is cut.
        """
        if not self.has_next():
            return None
        queue = self._lost or self._fresh
        if len(queue[0].frame) > limit:
            self._cut(queue)
        if len(queue[0].frame) > room:
            return None
        message = queue[0].message
        if not message.started:
            message.started = True
            self._span += message.cost
        return queue.popleft()

    def _cut(self, queue: deque[Fragment]) -> None:
        """Replace the first fragment by pieces for any path; its own arrival counts no more."""
        whole = queue.popleft()
        whole.acked = True
        pieces = [whole.frame[at : at + PIECE_SIZE] for at in range(0, len(whole.frame), PIECE_SIZE)]
        number, self._cuts = self._cuts, self._cuts + 1
        whole.message.left += len(pieces) - 1
        queue.extendleft(
            Fragment(codec.encode(Slice(number, index, len(pieces), piece)), whole.message)
            for index, piece in reversed(list(enumerate(pieces)))
        )

    def has_next(self) -> bool:
        """Return True if `next` would return a fragment for an empty packet."""
        lost = self._lost
        while lost and lost[0].acked:
            lost.popleft()
        if lost or not self._fresh:
            return bool(lost)
        message = self._fresh[0].message
        # What the receiver has to keep is between the oldest unacknowledged and the newest started message.
        return message.started or self._span + message.cost <= MAX_WAITING

    def put_back(self, fragment: Fragment) -> None:
        """Queue a fragment again, because its packet is lost."""
        self._lost.append(fragment)

    def acknowledge(self, fragment: Fragment) -> None:
        """Take the acknowledgement of a packet that carried this fragment."""
        if fragment.acked:
            return
        fragment.acked = True
        fragment.message.left -= 1
        unacked = self._unacked
        while unacked and not unacked[0].left:
            done = unacked.popleft()
            self._span -= done.cost
            self.waiting -= done.cost


class SliceInbox:
    """Puts frames together that came in pieces, each once."""

    def __init__(self) -> None:
        self._open: dict[int, list[bytes | None]] = {}
        self._done: set[int] = set()
        self._floor = 0

    def take(self, piece: Slice) -> bytes | None:
        """Take a piece; return the frame's bytes when all have come.

        Raise `ProtocolViolation` if the pieces don't fit together, or too many frames are incomplete.
        """
        number = piece.number
        if number < self._floor or number in self._done:
            return None
        if number > self._floor + 2 * MAX_CUT or piece.index >= piece.count:
            raise ProtocolViolation("A piece of a frame that can't be due.")
        pieces = self._open.setdefault(number, [None] * piece.count)
        if len(pieces) != piece.count:
            raise ProtocolViolation("Pieces of one frame disagree about their count.")
        if len(self._open) > MAX_CUT:
            raise ProtocolViolation(f"More than {MAX_CUT} frames are incomplete.")
        pieces[piece.index] = piece.body
        if None in pieces:
            return None
        del self._open[number]
        self._done.add(number)
        while self._floor in self._done:
            self._done.remove(self._floor)
            self._floor += 1
        return b"".join(one for one in pieces if one)


class Inbox:
    """Reassembles a peer's reliable messages and delivers them in order, each once."""

    def __init__(self) -> None:
        self._expected = 0
        self._whole: dict[int, bytes] = {}
        self._partial: dict[int, list[bytes | None]] = {}
        self._waiting = 0

    def whole(self, frame: Whole) -> list[bytes]:
        """Take a message in one piece; return the messages that can be delivered now.

        Raise `ProtocolViolation` if it came in pieces, too, or too much is stored already.
        """
        number = frame.number
        if number < self._expected or number in self._whole:
            return []
        if number in self._partial:
            raise ProtocolViolation("One message came both whole and in pieces.")
        if number == self._expected and not self._whole:
            self._expected += 1
            return [frame.body]
        self._keep(len(frame.body) + MESSAGE_COST)
        self._whole[number] = frame.body
        return self._deliver()

    def part(self, frame: Part) -> list[bytes]:
        """Take a fragment; return the messages that can be delivered now.

        Raise `ProtocolViolation` if it doesn't fit the others, or too much is stored already.
        """
        number, index = frame.number, frame.index
        if number < self._expected or number in self._whole:
            return []
        if index >= frame.count or (index < frame.count - 1 and len(frame.body) != FRAGMENT_SIZE):
            raise ProtocolViolation("A fragment of a wrong length or place.")
        pieces = self._partial.get(number)
        if pieces is None:
            self._keep(MESSAGE_COST)
            pieces = self._partial[number] = [None] * frame.count
        if len(pieces) != frame.count:
            raise ProtocolViolation("Fragments of one message disagree about their count.")
        if pieces[index] is not None:
            return []
        self._keep(len(frame.body))
        pieces[index] = frame.body
        if None in pieces:
            return []
        del self._partial[number]
        self._whole[number] = b"".join(piece for piece in pieces if piece)
        return self._deliver()

    def _keep(self, cost: int) -> None:
        self._waiting += cost
        if self._waiting > MAX_WAITING:
            raise ProtocolViolation(f"More than {MAX_WAITING} bytes wait for an earlier message.")

    def _deliver(self) -> list[bytes]:
        ready = []
        while (message := self._whole.pop(self._expected, None)) is not None:
            self._expected += 1
            self._waiting -= len(message) + MESSAGE_COST
            ready.append(message)
        return ready
