"""An endpoint: all sessions and handshakes of one local port, without the port.

Datagrams, addresses and times go in. Datagrams, events and the next timer come out. The endpoint passes each
datagram to its session, and begins and ends sessions. Handshakes and sessions have modules of their own.
After every call that may change something, ask for `datagrams_to_send`.
"""

from __future__ import annotations

from collections import ChainMap, deque
from collections.abc import Callable, Iterator

from tavolata_protocol.addresses import Address, Predicate, anyone
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.calls import Call
from tavolata_protocol.errors import HandshakeFailed, NotAuthentic, NotConnected, RemoteError
from tavolata_protocol.events import Connected, Disconnected, DisconnectReason, EndpointEvent, Moved, Received
from tavolata_protocol.handshake import LocalPeer
from tavolata_protocol.handshakes import ALIVE, Handshakes, RandomBytes
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.limits import RateLimit
from tavolata_protocol.links import EndedSession, Farewells, Link, PathState, Routes, one_too_many
from tavolata_protocol.messages.handshake import MAX_PROFILE, MAX_TABLE_ID
from tavolata_protocol.messages.packets import OtherWireVersion, PacketHeader, PacketKind, parse_header
from tavolata_protocol.messages.session import Close, CloseReason, Referral
from tavolata_protocol.noise import PSK_SIZE, KeyPair
from tavolata_protocol.session import PLACE_FRAME, PLACE_PACKET

_SAID: dict[CloseReason, DisconnectReason] = {
    CloseReason.LEFT: DisconnectReason.LEFT,
    CloseReason.REPLACED: DisconnectReason.REPLACED,
    CloseReason.VIOLATION: DisconnectReason.ACCUSED,
    CloseReason.SHUTDOWN: DisconnectReason.SHUTDOWN,
    CloseReason.SILENT: DisconnectReason.FORGOTTEN,
    CloseReason.FULL: DisconnectReason.FULL,
    CloseReason.ELSEWHERE: DisconnectReason.ELSEWHERE,
    CloseReason.LOCKED: DisconnectReason.LOCKED,
    CloseReason.BANNED: DisconnectReason.BANNED,
    CloseReason.PLAYED_ELSEWHERE: DisconnectReason.PLAYED_ELSEWHERE,
}
_SIGN_OF_LIFE = 0.5
"""Seconds in which a run of a program answers before another run with its key takes its place."""


class Endpoint:
    """Sessions with many peers over one port.

    Args:
        random_bytes: a function that returns that many unpredictable bytes.
        now: the time; any clock that never goes back, the same in every call.
        psk, table, code: the table that callers can join; see `listen`.
        profile: up to 512 opaque bytes about this peer, sent to the other side of every session.
        accept: decides whether a source may call; see `addresses.on_link`.
    """

    def __init__(
        self,
        identity: Identity,
        random_bytes: RandomBytes,
        now: float,
        *,
        psk: bytes | None = None,
        table: bytes = b"",
        code: str | None = None,
        profile: bytes = b"",
        accept: Predicate = anyone,
    ) -> None:
        _check_profile(profile)
        self._now = now
        self._random = random_bytes
        self._accept = accept
        self._links: dict[PeerId, Link] = {}
        self._twins: dict[PeerId, Link] = {}
        self._by_connection: Routes = {}
        self._farewells = Farewells(self._by_connection)
        self._dirty: dict[PeerId, Link] = {}
        self._outbox: deque[tuple[bytes, Address]] = deque()
        self._events: deque[EndpointEvent] = deque()
        self._elsewhere = RateLimit(LIMITS[Entrance.PLACES].whole, now)
        self._closed = False
        self.peer = identity.peer
        """This side's own id."""
        self.discarded = 0
        """Datagrams that were dropped as malformed, forged, repeated or out of place."""
        self.is_member: Callable[[PeerId], bool] = lambda _: False
        """Whether a peer is a member; a member's session never ends to make room (see `session_limits`)."""
        local = LocalPeer(identity, KeyPair.from_private(random_bytes(32)), random_bytes(8), profile)
        self._handshakes = board = Handshakes(
            local, random_bytes, now, accept, self._by_connection, ChainMap(self._twins, self._links)
        )
        self._on_packet: dict[PacketKind, Callable[[PacketHeader, bytes, Address, float], None]] = {
            PacketKind.HELLO: board.on_hello,
            PacketKind.RETRY: board.on_retry,
            PacketKind.INIT: board.on_init,
            PacketKind.RESP: board.on_resp,
            PacketKind.REFUSE: board.on_refuse,
            PacketKind.FIN: self._on_fin,
            PacketKind.SEALED: self._on_sealed,
        }
        self.listen(psk, table, code)

    # --- calls of the user ---

    def listen(self, psk: bytes | None, table: bytes = b"", code: str | None = None) -> None:
        """Answer callers that share `psk`, 32 bytes, from now on; with None, answer no call.

        The table's id, up to 32 bytes, is sent to callers. The `code` of a private table (see `codes`) also
        lets in callers who don't share `psk`. Raise `ValueError` for a key or an id of another size.
        """
        _check_psk(psk)
        if len(table) > MAX_TABLE_ID:
            raise ValueError(f"A table id holds at most {MAX_TABLE_ID} bytes, not {len(table)}.")
        self._handshakes.listen(psk, table, code)

    def introduce(self, profile: bytes) -> None:
        """Send callers this profile from now on; peers that this side calls still get the first profile."""
        _check_profile(profile)
        self._handshakes.introduce(profile)

    def connect(
        self, address: Address, now: float, psk: bytes | None = None, code: str | None = None
    ) -> None:
        """Call an address; `Connected` or `ConnectFailed` with this address follows.

        The address is numeric, as the event loop gives it. A second call to an address that is being called
        changes nothing. A call to an impossible address, such as one with port 99999, fails at once as if
        nobody answered. `psk` has 32 bytes; None for the key that the code (as `codes.read_code` gives it)
        stands for, or for that of any open table there.
        """
        self._tick(now)
        _check_psk(psk)
        if not self._closed:
            self._handshakes.call(address, psk, code, now)

    def send(self, peer: PeerId, message: bytes, *, reliable: bool = True) -> None:
        """Queue a message; raise `NotConnected`, `MessageTooLong` or `QueueFull` if nothing was queued.

        Reliable messages (up to 64 KiB) arrive in order. Loose ones (up to 1100 bytes) may be lost.
        """
        link = self._link(peer)
        link.session.send(message, reliable=reliable)
        self._dirty[peer] = link

    def ping(self, peer: PeerId) -> None:
        """Ask the peer for a sign of life, and measure the round trip; raise `NotConnected`."""
        link = self._link(peer)
        link.session.ping()
        self._dirty[peer] = link

    def disconnect(
        self, peer: PeerId, reason: CloseReason = CloseReason.LEFT, referral: Referral | None = None
    ) -> None:
        """End a session at once, and report the reason to the other side; raise `NotConnected` without one.

        With `CloseReason.ELSEWHERE`, `referral` is the peer that the other side should ask instead.
        """
        self._end(self._link(peer), Close(reason, referral), DisconnectReason.LOCAL)

    def close(self, now: float) -> None:
        """End all sessions; send `datagrams_to_send` once more, and don't use the endpoint afterwards."""
        self._tick(now)
        for link in list(self._links.values()):
            self._end(link, Close(CloseReason.SHUTDOWN), DisconnectReason.LOCAL)
        self._handshakes.hang_up_all()
        self._twins.clear()
        self._by_connection.clear()
        self._farewells = Farewells(self._by_connection)
        self._closed = True

    def peers(self) -> list[PeerId]:
        """Return the peers that there is a session with, the oldest session first."""
        return list(self._links)

    def path(self, peer: PeerId) -> PathState:
        """Return how a peer is reached; raise `NotConnected`."""
        return self._link(peer).path()

    def round_trip(self, peer: PeerId) -> tuple[float, float] | None:
        """Return the smoothed round trip to a peer and its variation, seconds; None without a session."""
        link = self._links.get(peer)
        return None if link is None else (link.session.rtt.srtt, link.session.rtt.rttvar)

    # --- datagrams and timers ---

    def receive_datagram(self, data: bytes, addr: Address, now: float) -> None:
        """Take a datagram from anyone; this never raises, whatever the datagram holds."""
        self._tick(now)
        if self._closed:
            return
        try:
            header = parse_header(data)
            self._on_packet[header.kind](header, data, addr, now)
        except OtherWireVersion as error:
            self.discarded += 1
            self._handshakes.on_other_version(error.header, data, addr)
        except RemoteError:
            self.discarded += 1

    def datagrams_to_send(self, now: float) -> Iterator[tuple[bytes, Address]]:
        """Return the datagrams to send, each sealed only when asked for, so that the first leaves early."""
        self._tick(now)
        for outbox in (self._outbox, self._handshakes.outbox):
            while outbox:
                yield outbox.popleft()
        for peer in tuple(self._dirty):
            link = self._dirty.pop(peer)
            address = link.address
            for packet in link.session.packets_to_send(now):
                yield packet, address
            link.timer = link.session.next_timer()

    def next_timer(self) -> float | None:
        """Return when `handle_timer` wants to be called; None for never."""
        timers = [link.timer for link in self._links.values()] + [*map(self._judged_at, self._twins.values())]
        others = (self._handshakes.next_timer(), self._farewells.next_timer())
        return min((*timers, *(timer for timer in others if timer is not None)), default=None)

    def handle_timer(self, now: float) -> None:
        """Do the work that is due: repeat, probe, give up."""
        self._tick(now)
        self._handshakes.handle_timer(now)
        self._farewells.handle_timer(now)
        for twin in [twin for twin in self._twins.values() if self._judged_at(twin) <= now]:
            self._judge(twin)
        for link in [link for link in self._links.values() if link.timer <= now]:
            if link.session.is_dead(now):
                self._drop(link, DisconnectReason.SILENT)
                self._farewells.remember(link, Close(CloseReason.SILENT), self._now)
                continue
            link.session.handle_timer(now)
            self._dirty[link.remote.peer] = link

    def next_event(self) -> EndpointEvent | None:
        """Return the oldest event that was not taken yet."""
        early = self._handshakes.events
        while early:
            self._events.append(early.popleft())
        return self._events.popleft() if self._events else None

    # --- packets of sessions ---

    def _on_fin(self, header: PacketHeader, data: bytes, addr: Address, now: float) -> None:
        known = self._by_connection.get(header.connection)
        if isinstance(known, Link):  # a repeated FIN, perhaps: our first sealed packet was lost
            if known.address != addr or not known.wants_sign(data, now):
                raise HandshakeFailed("A FIN that is forged, or has been answered.")
            known.session.ping()
            self._dirty[known.remote.peer] = known
            return
        link = self._handshakes.on_fin(header, data, addr, now)
        if link is not None:
            self._establish(link)

    def _on_sealed(self, header: PacketHeader, data: bytes, addr: Address, now: float) -> None:
        target = self._by_connection.get(header.connection)
        if isinstance(target, Link):
            try:
                target.session.receive(header, data, now)
            except NotAuthentic:
                raise
            except RemoteError:
                self._end(target, Close(CloseReason.VIOLATION), DisconnectReason.VIOLATION)
                raise
            if addr == target.address:
                self._at_home(target, now)
            else:
                self._from_elsewhere(target, addr, len(data), now)
            self._collect(target)
        elif isinstance(target, Call):
            link = self._handshakes.on_first_sealed(target, header, data, addr, now)
            self._establish(link)
        elif isinstance(target, EndedSession):
            target.link.session.authenticate(header, data)
            self._say_leaving_part(target, addr, len(data), now)
        else:
            raise NotAuthentic("A packet of no session.")

    def _at_home(self, link: Link, now: float) -> None:
        """Answer a packet that came from the peer's own address: the peer has not moved."""
        session = link.session
        if session.is_newest:
            link.way.challenge(link.address, now, self._random)
        if session.asked is not None:
            self._outbox.append((session.place(session.asked, None, now), link.address))
        session.asked = session.proved = None

    def _from_elsewhere(self, link: Link, addr: Address, size: int, now: float) -> None:
        """Ask at the new address whether the peer has moved: a packet of it came from there.

        Anybody may have forwarded the packet from anywhere. So at most one answer goes there, and it is no
        longer than the packet. The number of such answers is limited. They go only to addresses from which
        a call would be answered.
        """
        session = link.session
        asked, proved = session.asked, session.proved
        session.asked = session.proved = None
        if not self._accept(addr):
            return
        if proved is not None and link.way.prove(addr, proved):
            self._events.append(Moved(link.remote.peer, addr))
            session.ping()
        if size < PLACE_PACKET:
            return
        asks = session.is_newest and (asked is None or size >= PLACE_PACKET + PLACE_FRAME)
        question = link.way.challenge(addr, now, self._random) if asks else None
        if (asked is not None or question is not None) and self._elsewhere.take(now):
            self._outbox.append((session.place(asked, question, now), addr))

    def _say_leaving_part(self, ended: EndedSession, addr: Address, size: int, now: float) -> None:
        """Answer an authentic packet of an ended session; the peer slept, and may have a new address."""
        room = None
        if addr != ended.link.address:
            if not (self._accept(addr) and self._elsewhere.take(now)):
                return
            room = size
        farewell = ended.farewell(now, room)
        if farewell is not None:
            self._outbox.append((farewell, addr))

    def _collect(self, link: Link) -> None:
        peer, session = link.remote.peer, link.session
        while session.deliveries:
            self._events.append(Received(peer, session.deliveries.popleft()))
        if session.closed is not None:
            self._drop(link, _SAID[session.closed.reason], session.closed.referral)
        else:
            self._dirty[peer] = link

    # --- sessions begin and end ---

    def _establish(self, link: Link) -> None:
        """Begin a session; if another run of that program seems alive, see first whether it answers."""
        peer = link.remote.peer
        old = self._links.get(peer)
        if (
            old is not None
            and old.remote.instance != link.remote.instance
            and self._now - old.session.last_heard < ALIVE
        ):
            self._twins[peer] = link
            self.ping(peer)
        else:
            self._begin(link)

    def _judged_at(self, twin: Link) -> float:
        """Return when the other run of a program has had its time to answer."""
        old = self._links.get(twin.remote.peer)
        return twin.since + max(_SIGN_OF_LIFE, 0.0 if old is None else 4 * old.session.rtt.srtt)

    def _judge(self, twin: Link) -> None:
        """Replace a run of a program that is gone; one that answers stays, since a clone would vote twice."""
        del self._twins[twin.remote.peer]
        old = self._links.get(twin.remote.peer)
        if old is None or old.session.last_heard <= twin.since:
            self._begin(twin)
        else:
            self._bid_farewell(twin, Close(CloseReason.PLAYED_ELSEWHERE))

    def _begin(self, link: Link) -> None:
        remote = link.remote
        old = self._links.get(remote.peer)
        if old is not None:
            self._end(old, Close(CloseReason.REPLACED), DisconnectReason.REPLACED)
        if not (link.initiator or self.is_member(remote.peer)):
            self._make_room(link)
        self._links[remote.peer] = link
        self._by_connection[link.connection] = link
        self._events.append(Connected(remote.peer, link.address, remote.profile, remote.table))
        self._collect(link)

    def _bid_farewell(self, link: Link, close: Close) -> None:
        self._outbox.append((link.session.close(close, self._now), link.address))
        self._farewells.remember(link, close, self._now)

    def _end(self, link: Link, close: Close, reason: DisconnectReason) -> None:
        self._drop(link, reason)
        self._bid_farewell(link, close)

    def _make_room(self, newcomer: Link) -> None:
        """If there are too many strangers, end and forget the session of the one that was silent longest."""
        strangers = [
            link for peer, link in self._links.items() if not (link.initiator or self.is_member(peer))
        ]
        gone = one_too_many(strangers, newcomer.address)
        if gone is not None:
            self._outbox.append((gone.session.close(Close(CloseReason.SILENT), self._now), gone.address))
            self._drop(gone, DisconnectReason.SILENT)

    def _drop(self, link: Link, reason: DisconnectReason, referral: Referral | None = None) -> None:
        peer = link.remote.peer
        self._links.pop(peer, None)
        self._dirty.pop(peer, None)
        self._by_connection.pop(link.connection, None)
        self._events.append(Disconnected(peer, reason, referral))

    def _link(self, peer: PeerId) -> Link:
        link = self._links.get(peer)
        if link is None:
            raise NotConnected("There is no session with this peer.")
        return link

    def _tick(self, now: float) -> None:
        self._now = max(self._now, now)


def _check_profile(profile: bytes) -> None:
    if len(profile) > MAX_PROFILE:
        raise ValueError(f"A profile holds at most {MAX_PROFILE} bytes, not {len(profile)}.")


def _check_psk(psk: bytes | None) -> None:
    if psk is not None and len(psk) != PSK_SIZE:
        raise ValueError(f"A pre-shared key has {PSK_SIZE} bytes, not {len(psk)}.")
