"""A session of two peers: sealed datagrams that carry reliable messages in order, or loose messages.

Sans-io: bytes and times go in, bytes and messages come out. A session knows neither addresses nor the peer's
identity. It connects its parts, which have modules of their own: `packets`, `receipts`, `flight`, `fragments`
and `pacing`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from tavolata_protocol import codec
from tavolata_protocol.aead import TAG_SIZE
from tavolata_protocol.errors import MessageTooLong, QueueFull
from tavolata_protocol.flight import MAX_WINDOW, Flight
from tavolata_protocol.fragments import Fragment, Inbox, Outbox, SliceInbox
from tavolata_protocol.handshake import SessionKeys
from tavolata_protocol.messages.packets import HEADER_SIZE, PacketHeader
from tavolata_protocol.messages.session import (
    MAX_DATAGRAM_MESSAGE,
    MAX_FRAMES,
    Ack,
    Challenge,
    Close,
    CloseReason,
    Frame,
    Loose,
    Packet,
    Pad,
    Part,
    Ping,
    Proved,
    Slice,
    Whole,
)
from tavolata_protocol.pacing import Pacer, RttEstimator
from tavolata_protocol.packets import Opener, Sealer
from tavolata_protocol.receipts import Receipts

KEEPALIVE = 5.0
IDLE_TIMEOUT = 90.0
MAX_QUEUED = 4 * 1024 * 1024
_MAX_LOOSE = 64
_MAX_PINGED = 2 * MAX_WINDOW
_read: Callable[[bytes], Packet] = codec.reader(Packet)
_read_cut: Callable[[bytes], Whole | Part] = codec.reader(Whole | Part)


class SealedSession:
    """One side of a session, after the handshake.

    It pings after `KEEPALIVE` seconds without sending anything to be acknowledged, and is over after
    `IDLE_TIMEOUT` seconds without hearing anything.
    """

    def __init__(self, secrets: SessionKeys, now: float) -> None:
        self._sealer = Sealer(secrets.send_key, secrets.connection, now)
        self._opener = Opener(secrets.receive_key)
        self._receipts = Receipts()
        self._flight = Flight()
        self._outbox = Outbox()
        self._inbox = Inbox()
        self._pieces = SliceInbox()
        self._pacer = Pacer(now)
        self._loose: deque[bytes] = deque()
        self._probing = False
        self._ping = False
        self._small_ping = False
        self._asked_at = now
        self.asked: bytes | None = None
        """The token that the other side wants back from the address it was sent to; of several, the last."""
        self.proved: bytes | None = None
        """The token that came back; of several, the last."""
        self.is_newest = False
        """Whether the packet that was received last is the newest of all."""
        self.deliveries: deque[bytes] = deque()
        """Received messages that were not taken yet."""
        self.closed: Close | None = None
        """The other side's close frame, if it ended the session."""
        self.last_heard = now
        """When the last authentic packet came."""

    @property
    def rtt(self) -> RttEstimator:
        """What was measured of the round trip."""
        return self._flight.rtt

    def begin_with(self, size: int, now: float) -> None:
        """Begin with smaller packets: the handshake had no answer to longer ones."""
        self._flight.path.begin(size, now)

    @property
    def unacknowledged(self) -> int:
        """Bytes of reliable messages that the other side has not acknowledged."""
        return self._outbox.waiting

    @property
    def is_heard(self) -> bool:
        """True if a sealed packet has come."""
        return self._opener.is_used

    def send(self, message: bytes, *, reliable: bool) -> None:
        """Queue a message; raise `QueueFull` if 4 MiB wait to be acknowledged.

        Raise `MessageTooLong` for over 64 KiB, or over 1100 bytes if it is not reliable.
        """
        if reliable:
            if self._outbox.waiting + len(message) > MAX_QUEUED:
                raise QueueFull("The other side is too slow, or gone: nothing more can be queued for it.")
            self._outbox.add(message)
            return
        if len(message) > MAX_DATAGRAM_MESSAGE:
            raise MessageTooLong(
                f"A loose message holds at most {MAX_DATAGRAM_MESSAGE} bytes, not {len(message)}."
            )
        if len(self._loose) >= _MAX_LOOSE:
            self._loose.popleft()  # may be lost, so the oldest is
        self._loose.append(codec.encode(Loose(message)))

    def ping(self) -> None:
        """Ask for an acknowledgement, for a fresh round trip and sign of life."""
        if self._flight.in_flight < _MAX_PINGED:  # else the peer is gone, or asked often enough
            self._ping = True

    def close(self, close: Close, now: float) -> bytes:
        """Return the last packet of this side; it can be repeated to a peer that did not get it."""
        return self._sealer.seal(codec.encode((close,)), now)

    def place(self, asked: bytes | None, question: bytes | None, now: float) -> bytes:
        """Return a packet for path validation: it returns a token, or asks for one, or both.

        It has `PLACE_PACKET` bytes with one token, and `PLACE_FRAME` more with two.
        """
        frames: list[Proved | Challenge] = []
        if asked is not None:
            frames.append(Proved(asked))
        if question is not None:
            frames.append(Challenge(question))
        return self._sealer.seal(codec.encode(tuple(frames)), now)

    def receive(self, header: PacketHeader, datagram: bytes, now: float) -> None:
        """Take a sealed packet; the results are in `deliveries` and `closed`.

        Raises:
            NotAuthentic: the packet is forged or repeated; nothing has changed.
            MalformedMessage, ProtocolViolation: the peer itself misbehaves; close the session.
        """
        self.is_newest = self._opener.is_newest(header)
        plain = self._opener.open(header, datagram)
        self.last_heard = now
        frames = _read(plain)
        asks = at_once = False
        for frame in frames:
            kind = type(frame)
            self._take(frame, now)
            asks = asks or kind in _ASKING
            at_once = at_once or kind is Ping
        self._receipts.note(header.counter, now, asks=asks, at_once=at_once)

    def authenticate(self, header: PacketHeader, datagram: bytes) -> None:
        """Check only that a packet is the other side's, after the session's end; raise `NotAuthentic`."""
        self._opener.open(header, datagram)

    def forget(self) -> None:
        """Drop everything that waits to be sent or taken, because the session is over."""
        self._flight, self._outbox, self._inbox, self._pieces = Flight(), Outbox(), Inbox(), SliceInbox()
        self._loose.clear()
        self.deliveries.clear()

    def packets_to_send(self, now: float) -> Iterator[bytes]:
        """Yield the datagrams to send now."""
        while (plain := self._next_packet(now)) is not None:
            yield self._sealer.seal(plain, now)

    def next_timer(self) -> float:
        """Return when `handle_timer` wants to be called."""
        timers = [self.last_heard + IDLE_TIMEOUT, self._asked_at + KEEPALIVE]
        if self._receipts.due_at is not None:
            timers.append(self._receipts.due_at)
        if (raise_at := self._flight.path.raise_at) is not None:
            timers.append(raise_at)
        flight = self._flight.next_timer()
        if flight is not None:
            timers.append(flight)
        if self._outbox.has_next() and self._flight.has_room():
            timers.append(self._pacer.ready_at(self._flight.window, self.rtt.srtt))
        return min(timers)

    def handle_timer(self, now: float) -> None:
        """Handle losses, probes and keep-alive; then ask for `packets_to_send`."""
        self._find_losses(now)
        probe_at = self._flight.probe_at()
        if probe_at is not None and probe_at <= now:
            self._small_ping = self._flight.is_large  # it gets through a path that drops large packets
            self._flight.probed()
            self._probing = True
        if self._asked_at + KEEPALIVE <= now:
            self._ping = True

    def is_dead(self, now: float) -> bool:
        """Return True if nothing was heard for the idle timeout."""
        return self.last_heard + IDLE_TIMEOUT <= now

    def _next_packet(self, now: float) -> bytes | None:
        receipts = self._receipts
        carries = self._probing or (self._outbox.has_next() and self._has_room(now))
        ask = carries or self._ping
        ack_due = receipts.due_at is not None and receipts.due_at <= now
        if not (ask or self._loose or ack_due):
            return self._next_sounding(now)
        room = self._room
        frames: list[bytes] = []
        if receipts.owed():
            frames.append(codec.encode(receipts.frame(now)))
            room -= len(frames[0])
        while self._loose and len(self._loose[0]) > self._room:
            self._loose.popleft()  # too long for this path; it may be lost
        while self._loose and len(self._loose[0]) <= room and len(frames) < MAX_FRAMES - 1:
            frames.append(self._loose.popleft())
            room -= len(frames[-1])
        if ask:
            self._fill(frames, room, now, carries=carries)
        return _join(frames) if frames else None

    @property
    def _room(self) -> int:
        """The bytes of frames that a packet holds now."""
        return self._flight.path.size - HEADER_SIZE - TAG_SIZE - 4  # the array's head, and a Ping

    def _next_sounding(self, now: float) -> bytes | None:
        """Return a packet that only asks which sizes the path carries; None if none is due."""
        path = self._flight.path
        if self._small_ping:
            self._small_ping = False
            frame = _PING
        elif path.raise_at is not None and path.raise_at <= now:
            size = path.above
            frame = codec.encode(Pad(bytes(size - HEADER_SIZE - TAG_SIZE - _PAD_COST)))
            path.probed(now)
        else:
            return None
        self._flight.sent(self._sealer.counter, now, [], len(frame) + HEADER_SIZE + TAG_SIZE + 1)
        self._asked_at = now
        return _join([frame])

    def _has_room(self, now: float) -> bool:
        """Return True if window and pacing allow one more packet that asks for an acknowledgement."""
        flight = self._flight
        return flight.has_room() and self._pacer.is_ready(now, flight.window, flight.rtt.srtt)

    def _fill(self, frames: list[bytes], room: int, now: float, *, carries: bool) -> None:
        carried: list[Fragment] = []
        if carries:
            if self._probing and not self._outbox.has_next():
                for fragment in self._flight.oldest():
                    self._outbox.put_back(fragment)
            while (
                len(frames) < MAX_FRAMES - 1
                and (fragment_next := self._outbox.next(room, self._room)) is not None
            ):
                carried.append(fragment_next)
                frames.append(fragment_next.frame)
                room -= len(fragment_next.frame)
        if self._ping or (self._probing and not carried):
            # A lone frame is repeated, so that a challenge in return is no longer than this packet.
            missing = PLACE_FRAME - sum(map(len, frames))
            frames.extend([_PING] * max(1, -(-missing // len(_PING))))
            self._ping = False
        elif not carried:
            return  # the acknowledgement took the room: the next packet has it
        self._probing = False
        self._flight.sent(self._sealer.counter, now, carried, _BARE + sum(map(len, frames)))
        self._pacer.sent()
        self._asked_at = now

    def _find_losses(self, now: float) -> None:
        for fragment in self._flight.lost(now):
            self._outbox.put_back(fragment)

    def _take(self, frame: Frame, now: float) -> None:
        match frame:
            case Ack():
                for fragment in self._flight.acknowledged(frame, self._sealer.counter, now):
                    self._outbox.acknowledge(fragment)
                self._find_losses(now)
            case Whole():
                self.deliveries.extend(self._inbox.whole(frame))
            case Part():
                self.deliveries.extend(self._inbox.part(frame))
            case Slice():
                if (whole := self._pieces.take(frame)) is not None:
                    self._take(_read_cut(whole), now)
            case Loose(body=body):
                self.deliveries.append(body)
            case Challenge(token=token):
                self.asked = token
            case Proved(token=token):
                self.proved = token
            case Close():
                self.closed = frame
            case Ping() | Pad():
                pass  # the acknowledgement is the answer


_ASKING = frozenset((Whole, Part, Ping, Slice, Pad))
_PING = codec.encode(Ping())
_BARE = HEADER_SIZE + TAG_SIZE + 1
_PAD_COST = 6  # heads of the array, the frame and its bytes
PLACE_FRAME = len(codec.encode(Challenge(bytes(8))))
"""Bytes of a `Challenge`, and of a `Proved`."""
PLACE_PACKET = _BARE + PLACE_FRAME
"""Bytes of a packet with one of them."""
BARE_CLOSE = _BARE + len(codec.encode(Close(CloseReason.LEFT)))
"""Bytes of a packet that ends a session without a referral."""


def _join(frames: list[bytes]) -> bytes:
    """Return a msgpack array of already encoded frames."""
    count = len(frames)
    head = bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")
    return head + b"".join(frames)
