"""An endpoint: all sessions and handshakes of one local port, without the port.

Datagrams, addresses and times go in; datagrams, events and the next timer come out. Here it is decided to
whom a datagram belongs and which of two sessions with one peer stays; the handshake, its repetition, and
sessions have modules of their own. After every call that may change something, ask for `datagrams_to_send`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from tavolata_protocol.addresses import Address, Predicate, anyone
from tavolata_protocol.calls import EXPECTED, MAX_ANSWERS, Answer, Call, Stage
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.errors import (
    HandshakeFailed,
    NoCommonVersion,
    NotAuthentic,
    NotConnected,
    RemoteError,
)
from tavolata_protocol.events import (
    CallFailure,
    Connected,
    ConnectFailed,
    Disconnected,
    DisconnectReason,
    Event,
    Received,
)
from tavolata_protocol.handshake import (
    Initiator,
    Local,
    Remote,
    Responder,
    Secrets,
    answer_hello,
    open_table_psk,
    read_init,
)
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.limits import HANDSHAKES_PER_SECOND, RateLimit
from tavolata_protocol.messages.handshake import Refusal
from tavolata_protocol.messages.packets import HEADER_SIZE, MAX_DATAGRAM, Header, PacketKind, parse_header
from tavolata_protocol.messages.session import CloseReason
from tavolata_protocol.noise import KeyPair
from tavolata_protocol.session import IDLE_TIMEOUT, KEEPALIVE, Session

RandomBytes = Callable[[int], bytes]

_ALIVE = 2 * KEEPALIVE + 1
_LINGER = 3.0
_FAREWELLS = 8

_SAID: dict[CloseReason, DisconnectReason] = {
    CloseReason.LEFT: DisconnectReason.LEFT,
    CloseReason.REPLACED: DisconnectReason.REPLACED,
    CloseReason.VIOLATION: DisconnectReason.ACCUSED,
    CloseReason.SHUTDOWN: DisconnectReason.SHUTDOWN,
}


@dataclass(frozen=True, slots=True)
class PathState:
    """How a peer is reached.

    Attributes:
        address: where it is.
        srtt: smoothed round-trip time, seconds; 0.1 before the first measurement.
        rttvar: its variation, seconds.
        last_heard: when an authentic packet of the peer came last.
        unacknowledged: bytes of reliable messages that the peer has not acknowledged.
    """

    address: Address
    srtt: float
    rttvar: float
    last_heard: float
    unacknowledged: int


class _Link:
    """A session with its peer and place."""

    __slots__ = ("address", "connection", "remote", "session", "since", "timer")

    def __init__(
        self, remote: Remote, address: Address, connection: int, session: Session, now: float
    ) -> None:
        self.remote = remote
        self.address = address
        self.connection = connection
        self.session = session
        self.since = now
        self.timer = session.next_timer()


class _Ended:
    """A session that this side ended: whoever still writes to it is told again, for a while."""

    __slots__ = ("farewells", "link", "reason", "text", "until")

    def __init__(self, link: _Link, reason: CloseReason, text: str, now: float) -> None:
        self.link = link
        self.reason = reason
        self.text = text
        self.until = now + _LINGER
        self.farewells = _FAREWELLS


class Endpoint:
    """Sessions with many peers over one port.

    Args:
        identity: who this peer is.
        random_bytes: gives that many unpredictable bytes.
        now: the time; any clock that never goes back, the same in every call.
        psk: key that callers must share; None answers no calls (see `listen`).
        table: id of an open table, told to callers.
        profile: up to 512 opaque bytes about this peer that the other side of every session gets.
        accept: which sources may call at all; see `addresses.on_link`.
        keepalive: seconds of quiet after which a session pings.
        idle_timeout: seconds of silence after which a session is over.
    """

    def __init__(
        self,
        identity: Identity,
        random_bytes: RandomBytes,
        now: float,
        *,
        psk: bytes | None = None,
        table: bytes = b"",
        profile: bytes = b"",
        accept: Predicate = anyone,
        keepalive: float = KEEPALIVE,
        idle_timeout: float = IDLE_TIMEOUT,
    ) -> None:
        self._random = random_bytes
        self._local = Local(identity, KeyPair.from_private(random_bytes(32)), random_bytes(8), profile)
        self._psk = psk
        self._table = table
        self._accept = accept
        self._keepalive = keepalive
        self._idle_timeout = idle_timeout
        self._jar = CookieJar(random_bytes(32))
        self._handshakes = RateLimit(HANDSHAKES_PER_SECOND, now)
        self._now = now
        self._calls: dict[Address, Call] = {}
        self._answers: dict[tuple[Address, int], Answer] = {}
        self._links: dict[PeerId, _Link] = {}
        self._by_connection: dict[int, Call | Answer | _Link | _Ended] = {}
        self._dirty: dict[PeerId, _Link] = {}
        self._outbox: deque[tuple[bytes, Address]] = deque()
        self._events: deque[Event] = deque()
        self._closed = False
        self._on_packet: dict[PacketKind, Callable[[Header, bytes, Address, float], None]] = {
            PacketKind.HELLO: self._on_hello,
            PacketKind.RETRY: self._on_retry,
            PacketKind.INIT: self._on_init,
            PacketKind.RESP: self._on_resp,
            PacketKind.FIN: self._on_fin,
            PacketKind.REFUSE: self._on_refuse,
            PacketKind.SEALED: self._on_sealed,
        }
        self.discarded = 0
        """Datagrams that were dropped as malformed, forged, repeated or out of place."""

    # --- what the user asks for ---

    @property
    def peer(self) -> PeerId:
        """This side's own id."""
        return self._local.identity.peer

    def listen(self, psk: bytes | None, table: bytes = b"") -> None:
        """Answer calls that share `psk` from now on (None: none), and tell callers the open table's id."""
        self._psk, self._table = psk, table

    def connect(self, address: Address, now: float, psk: bytes | None = None) -> None:
        """Call an address; `Connected` or `ConnectFailed` with this address follows.

        Args:
            address: numeric, as the event loop gives it. Calling one that is being called changes nothing.
            now: the time.
            psk: the key to share; None for whatever open table is there.
        """
        self._tick(now)
        if address in self._calls or self._closed:
            return
        connection = self._new_connection()
        initiator = Initiator(
            self._local, connection, self._random(8), KeyPair.from_private(self._random(32))
        )
        call = Call(address, connection, initiator, psk, now)
        call.move_on(Stage.HELLO, initiator.hello(), now)
        self._calls[address] = call
        self._by_connection[connection] = call
        self._repeat(call, now)

    def send(self, peer: PeerId, message: bytes, *, reliable: bool = True) -> None:
        """Queue a message: reliable ones (64 KiB) arrive in order, loose ones (1100 bytes) perhaps.

        Raises:
            NotConnected, MessageTooLong, QueueFull: nothing was queued.
        """
        link = self._link(peer)
        link.session.send(message, reliable=reliable)
        self._dirty[peer] = link

    def ping(self, peer: PeerId) -> None:
        """Make the peer show that it lives, and measure the round trip; raises `NotConnected`."""
        link = self._link(peer)
        link.session.ping()
        self._dirty[peer] = link

    def disconnect(self, peer: PeerId, reason: str = "") -> None:
        """End a session at once; `reason` is a text for the other side. Raises `NotConnected`."""
        self._end(self._link(peer), CloseReason.LEFT, DisconnectReason.LOCAL, reason)

    def close(self, now: float) -> None:
        """End everything; send what `datagrams_to_send` gives once more, then the endpoint is of no use."""
        self._tick(now)
        for link in list(self._links.values()):
            self._end(link, CloseReason.SHUTDOWN, DisconnectReason.LOCAL, "")
        self._calls.clear()
        self._answers.clear()
        self._by_connection.clear()
        self._closed = True

    def peers(self) -> list[PeerId]:
        """Everyone there is a session with, the oldest first."""
        return list(self._links)

    def path(self, peer: PeerId) -> PathState:
        """How a peer is reached; raises `NotConnected`."""
        link = self._link(peer)
        session = link.session
        return PathState(
            link.address, session.srtt, session.rttvar, session.last_heard, session.unacknowledged
        )

    # --- the seam to sockets and clock ---

    def receive_datagram(self, data: bytes, addr: Address, now: float) -> None:
        """Take a datagram from anyone; whatever it holds, nothing is raised."""
        self._tick(now)
        if self._closed:
            return
        try:
            header = parse_header(data)
            self._on_packet[header.kind](header, data, addr, now)
        except RemoteError:
            self.discarded += 1

    def datagrams_to_send(self, now: float) -> list[tuple[bytes, Address]]:
        """What should leave now."""
        self._tick(now)
        datagrams = list(self._outbox)
        self._outbox.clear()
        for link in self._dirty.values():
            address = link.address
            datagrams += [(packet, address) for packet in link.session.packets_to_send(now)]
            link.timer = link.session.next_timer()
        self._dirty.clear()
        return datagrams

    def next_timer(self) -> float | None:
        """When `handle_timer` wants to be called; None for never."""
        timers = [link.timer for link in self._links.values()]
        timers += [call.next_at for call in self._calls.values()]
        timers += [answer.expires for answer in self._answers.values()]
        return min(timers, default=None)

    def handle_timer(self, now: float) -> None:
        """Do what is due: repeat, probe, give up."""
        self._tick(now)
        for call in [call for call in self._calls.values() if call.next_at <= now]:
            self._repeat(call, now)
        for answer in [answer for answer in self._answers.values() if answer.expires <= now]:
            self._forget(answer)
        for peer, link in list(self._links.items()):
            if link.timer > now:
                continue
            if link.session.is_dead(now):
                self._drop(link, DisconnectReason.SILENT, "")
                continue
            link.session.handle_timer(now)
            self._dirty[peer] = link

    def next_event(self) -> Event | None:
        """The oldest event not taken yet."""
        return self._events.popleft() if self._events else None

    # --- packets of strangers ---

    def _on_hello(self, _header: Header, data: bytes, addr: Address, now: float) -> None:
        if self._psk is None or len(data) != MAX_DATAGRAM or not self._accept(addr):
            raise HandshakeFailed("A call that is not answered.")
        self._outbox.append(
            (answer_hello(data[HEADER_SIZE:], addr, self._jar, self._local.versions, now), addr)
        )

    def _on_init(self, _header: Header, data: bytes, addr: Address, now: float) -> None:
        if self._psk is None or not self._accept(addr):
            raise HandshakeFailed("A call that is not answered.")
        init = read_init(data[HEADER_SIZE:], addr, self._jar, now)
        answer = self._answers.get((addr, init.connection))
        if answer is None:
            if len(self._answers) >= MAX_ANSWERS or not self._handshakes.take(now):
                raise HandshakeFailed("More calls than can be answered.")
            connection = self._new_connection()
            ephemeral = KeyPair.from_private(self._random(32))
            responder = Responder(self._local, init, connection, ephemeral, self._table)
            answer = Answer(addr, init.connection, connection, responder, now)
            self._answers[addr, init.connection] = answer
            self._by_connection[connection] = answer
        self._outbox.append((answer.responder.resp, addr))

    def _on_fin(self, header: Header, data: bytes, addr: Address, now: float) -> None:
        answer = self._by_connection.get(header.connection)
        if isinstance(answer, _Link):  # a repeated FIN: our first sealed packet was lost
            if answer.address == addr:
                answer.session.ping()
                self._dirty[answer.remote.peer] = answer
            return
        if not isinstance(answer, Answer) or answer.address != addr or self._psk is None:
            raise HandshakeFailed("A call that nobody began.")
        self._forget(answer)
        try:
            remote, secrets = answer.responder.read_fin(data[HEADER_SIZE:], self._psk)
        except HandshakeFailed:
            self._outbox.append((answer.responder.refuse(Refusal.PROOF), addr))
            raise
        if self._wins(answer, remote):
            session = self._session(secrets, now)
            session.ping()  # the first sealed packet tells the caller that it is in
            self._establish(
                _Link(remote, addr, answer.connection, session, now), secrets.version, initiator=False
            )

    # --- packets for our own calls ---

    def _on_retry(self, _header: Header, data: bytes, addr: Address, now: float) -> None:
        call = self._call(self._calls.get(addr), PacketKind.RETRY, addr)
        try:
            call.move_on(Stage.INIT, call.initiator.read_retry(data[HEADER_SIZE:]), now)
        except NoCommonVersion:
            self._fail(call, CallFailure.VERSION)
            return
        self._repeat(call, now)

    def _on_resp(self, header: Header, data: bytes, addr: Address, now: float) -> None:
        call = self._call(self._by_connection.get(header.connection), PacketKind.RESP, addr)
        try:
            remote = call.initiator.read_resp(data[HEADER_SIZE:])
        except HandshakeFailed:
            self._fail(call, CallFailure.FORGED)
            raise
        psk = call.psk or (open_table_psk(remote.table) if remote.table else None)
        if remote.peer == self.peer:
            self._fail(call, CallFailure.SELF, remote.peer)
        elif psk is None:
            self._fail(call, CallFailure.NOT_OPEN, remote.peer)
        elif self._is_connected(remote, now):
            self._superseded(call, remote.peer)
        else:
            fin, secrets = call.initiator.write_fin(psk)
            call.remote, call.version = remote, secrets.version
            call.session = self._session(secrets, now)
            call.move_on(Stage.FIN, fin, now)
            self._repeat(call, now)

    def _on_refuse(self, header: Header, data: bytes, addr: Address, _now: float) -> None:
        call = self._call(self._by_connection.get(header.connection), PacketKind.REFUSE, addr)
        call.initiator.read_refuse(data[HEADER_SIZE:])
        self._fail(call, CallFailure.REFUSED, call.remote.peer if call.remote else None)

    # --- sealed packets ---

    def _on_sealed(self, header: Header, data: bytes, addr: Address, now: float) -> None:
        target = self._by_connection.get(header.connection)
        if isinstance(target, Call):
            target = self._confirm(self._call(target, PacketKind.SEALED, addr), header, data, now)
        elif isinstance(target, _Link):
            try:
                target.session.receive(header, data, now)
            except NotAuthentic:
                raise
            except RemoteError as error:
                self._end(target, CloseReason.VIOLATION, DisconnectReason.VIOLATION, str(error))
                raise
        elif isinstance(target, _Ended):
            self._remind(target, header, data, now)
            return
        if not isinstance(target, _Link):
            raise HandshakeFailed("A packet of no session.")
        self._collect(target)

    def _collect(self, link: _Link) -> None:
        peer, session = link.remote.peer, link.session
        while session.deliveries:
            message, reliable = session.deliveries.popleft()
            self._events.append(Received(peer, message, reliable))
        if session.closed is not None:
            self._drop(link, _SAID[session.closed.reason], session.closed.text)
        else:
            self._dirty[peer] = link

    def _confirm(self, call: Call, header: Header, data: bytes, now: float) -> _Link:
        """The first sealed packet of a called peer: the call becomes a session."""
        assert call.session is not None
        assert call.remote is not None
        call.session.receive(header, data, now)
        self._hang_up(call)
        link = _Link(call.remote, call.address, call.connection, call.session, now)
        self._establish(link, call.version, initiator=True)
        return link

    def _remind(self, ended: _Ended, header: Header, data: bytes, now: float) -> None:
        if now >= ended.until or not ended.farewells:
            del self._by_connection[header.connection]
            return
        ended.link.session.receive(header, data, now)
        ended.farewells -= 1
        farewell = ended.link.session.close(ended.reason, ended.text, now)
        self._outbox.append((farewell, ended.link.address))

    # --- which session stays ---

    def _wins(self, answer: Answer, remote: Remote) -> bool:
        """Whether a finished call of `remote` becomes the session with it.

        Two peers that call each other see the same two calls, and must keep the same one: the smaller id's.
        """
        if remote.peer == self.peer:
            return False
        link = self._links.get(remote.peer)
        if link is not None and link.remote.instance == remote.instance and answer.began < link.since:
            return False  # begun before our own call got through, so the other side has dropped it
        for call in list(self._calls.values()):
            if call.remote is not None and call.remote.peer == remote.peer:
                if call.remote.instance == remote.instance and self.peer < remote.peer:
                    return False
                self._superseded(call, remote.peer)
        return True

    def _is_connected(self, remote: Remote, now: float) -> bool:
        link = self._links.get(remote.peer)
        return (
            link is not None
            and link.remote.instance == remote.instance
            and now - link.session.last_heard < _ALIVE
        )

    def _establish(self, link: _Link, version: int, *, initiator: bool) -> None:
        peer = link.remote.peer
        old = self._links.get(peer)
        if old is not None:
            self._end(old, CloseReason.REPLACED, DisconnectReason.REPLACED, "")
        self._links[peer] = link
        self._by_connection[link.connection] = link
        self._dirty[peer] = link
        self._events.append(
            Connected(peer, link.address, link.remote.profile, link.remote.table, initiator, version)
        )

    # --- small things ---

    def _tick(self, now: float) -> None:
        self._now = max(self._now, now)

    def _link(self, peer: PeerId) -> _Link:
        link = self._links.get(peer)
        if link is None:
            raise NotConnected("There is no session with this peer.")
        return link

    def _session(self, secrets: Secrets, now: float) -> Session:
        return Session(secrets, now, keepalive=self._keepalive, idle_timeout=self._idle_timeout)

    def _new_connection(self) -> int:
        while True:
            connection = int.from_bytes(self._random(4), "big")
            if connection and connection not in self._by_connection:
                return connection

    def _call(self, call: object, kind: PacketKind, addr: Address) -> Call:
        """The call that a packet belongs to, if it is one that it waits for."""
        if not isinstance(call, Call) or call.address != addr or kind not in EXPECTED[call.stage]:
            raise HandshakeFailed("An answer to no call.")
        return call

    def _repeat(self, call: Call, now: float) -> None:
        datagram = call.repeat(now)
        if datagram is None:
            self._fail(call, CallFailure.NO_ANSWER)
        else:
            self._outbox.append((datagram, call.address))

    def _fail(self, call: Call, reason: CallFailure, peer: PeerId | None = None) -> None:
        self._hang_up(call)
        self._events.append(ConnectFailed(call.address, reason, peer))

    def _superseded(self, call: Call, peer: PeerId) -> None:
        """Another session with the called peer stays; its `Connected` may have answered this call already."""
        link = self._links.get(peer)
        if link is not None and (link.since < call.began or link.address != call.address):
            self._fail(call, CallFailure.ALREADY_CONNECTED, peer)
        else:
            self._hang_up(call)

    def _hang_up(self, call: Call) -> None:
        self._calls.pop(call.address, None)
        self._by_connection.pop(call.connection, None)

    def _forget(self, answer: Answer) -> None:
        self._answers.pop((answer.address, answer.remote_connection), None)
        self._by_connection.pop(answer.connection, None)

    def _drop(self, link: _Link, reason: DisconnectReason, text: str) -> None:
        peer = link.remote.peer
        self._links.pop(peer, None)
        self._dirty.pop(peer, None)
        self._by_connection.pop(link.connection, None)
        self._events.append(Disconnected(peer, reason, text))

    def _end(self, link: _Link, said: CloseReason, reason: DisconnectReason, text: str) -> None:
        """End a session from this side, and tell the other."""
        self._outbox.append((link.session.close(said, text, self._now), link.address))
        self._drop(link, reason, text)
        self._by_connection[link.connection] = _Ended(link, said, text, self._now)
