"""The handshakes of an endpoint: calls from other peers, calls of this side, and crossing calls.

Two peers that call each other keep one of the two calls; this module chooses it. It gives the endpoint new
links, failed calls and datagrams to send. It has nothing to do with a session once that is established. The
bytes of a handshake are made in `handshake.py`. Retransmission is in `calls.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace

from tavolata_protocol.addresses import Address, Predicate, is_sendable, machine
from tavolata_protocol.admission import FORGIVEN, LIMITS, Admission, Entrance, source
from tavolata_protocol.calls import EXPECTED, WRONG_FINS, Answer, Call, Stage
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.errors import HandshakeFailed, NoCommonVersion, WrongPsk
from tavolata_protocol.events import CallFailure, ConnectFailed, WrongCode
from tavolata_protocol.handshake import (
    Door,
    Initiator,
    LocalPeer,
    RemotePeer,
    Responder,
    answer_hello,
    answer_other_version,
    open_table_psk,
    read_init,
)
from tavolata_protocol.identity import PeerId
from tavolata_protocol.limits import Attempts, HostLimits, RateLimit, Requests
from tavolata_protocol.links import Link, Routes
from tavolata_protocol.messages.handshake import MIN_HELLO, Refusal
from tavolata_protocol.messages.packets import HEADER_SIZE, PacketHeader, PacketKind
from tavolata_protocol.noise import KeyPair
from tavolata_protocol.paths import Path
from tavolata_protocol.session import KEEPALIVE, SealedSession

RandomBytes = Callable[[int], bytes]
ALIVE = 2 * KEEPALIVE + 1
"""Seconds of silence after which a session may be a dead one."""
_FOR_NEW = LIMITS[Entrance.BEGINNINGS].whole / 2
"""Of the handshakes of a second, those that only sources without an unfinished one may begin."""


class Handshakes:
    """The handshakes in progress.

    `random_bytes` returns that many unpredictable bytes, and `accept` decides whether a source may call. The
    endpoint shares the connection ids in `routes`, and keeps the established sessions, `links`.
    """

    def __init__(
        self,
        local: LocalPeer,
        random_bytes: RandomBytes,
        now: float,
        accept: Predicate,
        routes: Routes,
        links: Mapping[PeerId, Link],
    ) -> None:
        self._local = local
        self._random = random_bytes
        self._accept = accept
        self._routes = routes
        self._links = links
        self._jar = CookieJar(random_bytes(32))
        rate = LIMITS[Entrance.BEGINNINGS]
        self._hellos = Requests(LIMITS[Entrance.HELLOS], now)
        self._handshakes = RateLimit(rate.whole, now)
        self._of_source = HostLimits(rate.source / FORGIVEN, rate.source)
        self._unfinished = Admission[Answer](LIMITS[Entrance.HANDSHAKES])
        self.psk: bytes | None = None
        """The key that callers must share; None answers nobody."""
        self._door = Door()
        self._attempts = Attempts()
        self.calls: dict[Address, Call] = {}
        self.answers: dict[tuple[Address, int], Answer] = {}
        self.outbox: deque[tuple[bytes, Address]] = deque()
        self.events: deque[ConnectFailed | WrongCode] = deque()

    def listen(self, psk: bytes | None, table: bytes, code: str | None) -> None:
        """Answer for this table from now on; calls in progress with another code are forgotten."""
        if code is None or code.encode() != self._door.code:
            self._attempts.renew()
            for answer in [answer for answer in self.answers.values() if answer.responder.code_psk]:
                self._forget(answer)
        self.psk = psk
        self._door = replace(self._door, table=table, private=code is not None, code=(code or "").encode())

    def introduce(self, profile: bytes) -> None:
        """Send callers this profile from now on."""
        self._door = replace(self._door, profile=profile)

    def call(self, address: Address, psk: bytes | None, code: str | None, now: float) -> None:
        """Begin to call an address, unless it is already being called."""
        if address in self.calls:
            return
        if not is_sendable(address):
            self.events.append(ConnectFailed(address, CallFailure.NO_ANSWER))
            return
        connection = self._new_connection()
        secret, scalar = (code or "").encode(), self._random(32) if code else bytes(32)
        initiator = Initiator(self._local, connection, self._random(8), self._new_keys(), secret, scalar)
        call = Call(address, connection, initiator, psk, now, has_code=bool(code))
        self.calls[address] = call
        self._routes[connection] = call
        self._repeat(call, now)

    def hang_up_all(self) -> None:
        """Forget all handshakes in progress."""
        for call in list(self.calls.values()):
            self._hang_up(call)
        for answer in list(self.answers.values()):
            self._forget(answer)

    def next_timer(self) -> float | None:
        """Return when `handle_timer` wants to be called."""
        timers = [call.next_at for call in self.calls.values()]
        timers += [answer.expires for answer in self.answers.values()]
        return min(timers, default=None)

    def handle_timer(self, now: float) -> None:
        """Repeat the packets that are due, and give up calls that had too many tries."""
        for call in [call for call in self.calls.values() if call.next_at <= now]:
            self._repeat(call, now)
        for answer in [answer for answer in self.answers.values() if answer.expires <= now]:
            self._forget(answer)

    # --- calls from other peers ---

    def on_hello(self, _header: PacketHeader, data: bytes, addr: Address, now: float) -> None:
        """Answer with a cookie, and remember nothing; raise `HandshakeFailed` if there's no answer."""
        self._check_open(addr)
        if len(data) < MIN_HELLO:
            raise HandshakeFailed("A call that could make us send more than it brought.")
        if not self._hellos.may_ask(source(addr), now):
            raise HandshakeFailed("More calls than are answered.")
        retry = answer_hello(data[HEADER_SIZE:], addr, self._jar, self._local.versions, now)
        self.outbox.append((retry, addr))

    def on_init(self, _header: PacketHeader, data: bytes, addr: Address, now: float) -> None:
        """Begin to answer a caller that proved its address; raise `HandshakeFailed` if there's no answer."""
        self._check_open(addr)
        init = read_init(data[HEADER_SIZE:], addr, self._jar, now)
        answer = self.answers.get((addr, init.connection))
        if answer is None:
            idle = self._of_source.burst  # a source with no handshake unfinished goes before the others
            if not self._of_source.take_of(self._handshakes, source(addr), now, idle):
                raise HandshakeFailed("More calls than can be answered.")
            connection = self._new_connection()
            door = replace(self._door, scalar=self._random(32)) if self._door.code else self._door
            responder = Responder(self._local, init, connection, self._new_keys(), door)
            answer = Answer(addr, init.connection, connection, responder, now)
            if (gives_way := self._unfinished.enter(answer, source(addr))) is not None:
                self._forget(gives_way)
            self.answers[addr, init.connection] = answer
            self._routes[connection] = answer
        elif not answer.may_tell(now) or not self._handshakes.take(now, spare=_FOR_NEW):
            raise HandshakeFailed("A call that was answered already.")
        answer.told, answer.told_at = answer.told + 1, now
        self.outbox.append((answer.responder.resp, addr))

    def on_fin(self, header: PacketHeader, data: bytes, addr: Address, now: float) -> Link | None:
        """Check the caller's identity; return the new link, or None if another call of its wins.

        Raise `HandshakeFailed` if the call is unknown or doesn't prove what it should.
        """
        answer = self._routes.get(header.connection)
        if not isinstance(answer, Answer) or answer.address != addr or self.psk is None:
            raise HandshakeFailed("A call that nobody began.")
        by_code = answer.responder.code_psk
        if by_code is not None and not self._attempts.may_try(machine(addr), now):
            self._forget(answer)
            self.outbox.append((answer.responder.refuse(Refusal.WAIT), addr))
            raise HandshakeFailed("More wrong codes than are looked at.")
        try:
            remote, secrets = answer.responder.read_fin(data[HEADER_SIZE:], by_code or self.psk)
        except WrongPsk:
            answer.wrong += 1
            if by_code is not None:
                self._attempts.failed(machine(addr), now)
                self.events.append(WrongCode(addr, self._attempts.is_worn))
            if answer.wrong >= WRONG_FINS:
                self._forget(answer)
            self.outbox.append((answer.responder.refuse(Refusal.PROOF), addr))
            raise
        self._forget(answer)
        self._of_source.give(source(addr))
        if not self._wins(answer, remote):
            return None
        session = SealedSession(secrets, now)
        session.ping()  # the first sealed packet tells the caller that it is in
        return Link(remote, Path(addr), answer.connection, session, now, fin=data)

    def on_other_version(self, header: PacketHeader, data: bytes, addr: Address) -> None:
        """Report on both sides that the versions differ, so that nobody waits for nothing."""
        if header.kind is PacketKind.HELLO and len(data) >= MIN_HELLO:
            if self.psk is not None and self._accept(addr):
                self.outbox.append((answer_other_version(header), addr))
        elif header.kind is PacketKind.RETRY:
            call = self.calls.get(addr)
            if call is not None and call.stage is Stage.HELLO and call.initiator.echo == header.counter:
                call.doubt = CallFailure.VERSION

    # --- calls of this side ---

    def on_retry(self, _header: PacketHeader, data: bytes, addr: Address, now: float) -> None:
        """Send INIT with the cookie."""
        call = self._expecting(self.calls.get(addr), PacketKind.RETRY, addr)
        try:
            init = call.initiator.read_retry(data[HEADER_SIZE:])
        except NoCommonVersion:
            call.doubt = CallFailure.VERSION
        else:
            self._send(call, Stage.INIT, init, now)

    def on_resp(self, header: PacketHeader, data: bytes, addr: Address, now: float) -> None:
        """Check the responder's identity, then send FIN, or drop a call that is not needed."""
        call = self._expecting(self._routes.get(header.connection), PacketKind.RESP, addr)
        remote = call.initiator.read_resp(data[HEADER_SIZE:])
        psk = call.psk or call.initiator.code_psk
        if psk is None and remote.table and not remote.private and not call.has_code:
            psk = open_table_psk(remote.table)
        if remote.peer == self._local.identity.peer:
            self._fail(call, CallFailure.SELF, remote)
        elif psk is None:
            self._fail(call, CallFailure.NO_CODE if call.has_code else CallFailure.NOT_OPEN, remote)
        elif self._is_connected(remote, now):
            self._supersede(call, remote)
        else:
            fin, secrets = call.initiator.write_fin(psk)
            session = SealedSession(secrets, now)
            session.begin_with(call.size, now)
            call.remote, call.session = remote, session
            self._send(call, Stage.FIN, fin, now)

    def on_refuse(self, header: PacketHeader, data: bytes, addr: Address, _now: float) -> None:
        """Take the other side's refusal."""
        call = self._expecting(self._routes.get(header.connection), PacketKind.REFUSE, addr)
        reason = call.initiator.read_refuse(data[HEADER_SIZE:])
        wrong = CallFailure.WRONG_CODE if call.initiator.code_psk else CallFailure.REFUSED
        call.doubt = CallFailure.WAIT if reason is Refusal.WAIT else wrong

    def on_first_sealed(
        self, call: Call, header: PacketHeader, data: bytes, addr: Address, now: float
    ) -> Link:
        """Take the first sealed packet of a called peer; return the link that the call becomes."""
        self._expecting(call, PacketKind.SEALED, addr)
        assert call.session is not None
        assert call.remote is not None
        call.session.receive(header, data, now)
        self._hang_up(call)
        return Link(call.remote, Path(call.address), call.connection, call.session, now)

    # --- crossing calls ---

    def _wins(self, answer: Answer, remote: RemotePeer) -> bool:
        """Return True if a finished call from `remote` becomes the session with it.

        Two peers that call each other see the same two calls, and must keep the same one. They keep the call
        of the peer with the smaller id.
        """
        if remote.peer == self._local.identity.peer:
            return False
        link = self._links.get(remote.peer)
        if link is not None and link.remote.instance == remote.instance and answer.began < link.since:
            return False  # begun before our own call got through, so the other side has dropped it
        for call in [call for call in self.calls.values() if call.remote and call.remote.peer == remote.peer]:
            same_run = call.remote is not None and call.remote.instance == remote.instance
            if same_run and self._local.identity.peer < remote.peer:
                return False
            self._supersede(call, remote, answer.address)
        return True

    def _is_connected(self, remote: RemotePeer, now: float) -> bool:
        """Return True if there is a live session with this run of the peer's program."""
        link = self._links.get(remote.peer)
        return (
            link is not None
            and link.remote.instance == remote.instance
            and now - link.session.last_heard < ALIVE
        )

    def _supersede(self, call: Call, remote: RemotePeer, address: Address | None = None) -> None:
        """Drop a call, because another session with the called peer stays.

        If that session began after the call, and at the called address, its `Connected` answers the call too.
        Otherwise the call fails.
        """
        link = self._links.get(remote.peer)
        if address is None and link is not None and link.since >= call.began:
            address = link.address
        if address == call.address:
            self._hang_up(call)
        else:
            self._fail(call, CallFailure.ALREADY_CONNECTED, remote)

    # --- helpers ---

    def _check_open(self, addr: Address) -> None:
        if self.psk is None or not self._accept(addr):
            raise HandshakeFailed("A call that is not answered.")

    def _expecting(self, call: object, kind: PacketKind, addr: Address) -> Call:
        """Return the call that a packet belongs to, if the call waits for this kind of packet."""
        if not isinstance(call, Call) or call.address != addr or kind not in EXPECTED[call.stage]:
            raise HandshakeFailed("An answer to no call.")
        return call

    def _new_connection(self) -> int:
        while True:
            connection = int.from_bytes(self._random(4), "big")
            if connection and connection not in self._routes:
                return connection

    def _new_keys(self) -> KeyPair:
        return KeyPair.from_private(self._random(32))

    def _send(self, call: Call, stage: Stage, datagram: bytes, now: float) -> None:
        call.move_on(stage, datagram, now)
        self._repeat(call, now)

    def _repeat(self, call: Call, now: float) -> None:
        datagram = None if call.doubt else call.repeat(now)
        if datagram is None:
            silence = CallFailure.NARROW if call.is_narrow else CallFailure.NO_ANSWER
            self._fail(call, call.doubt or silence, call.remote)
        else:
            self.outbox.append((datagram, call.address))

    def _fail(self, call: Call, reason: CallFailure, remote: RemotePeer | None) -> None:
        self._hang_up(call)
        known = () if remote is None else (remote.peer, remote.table, remote.profile)
        self.events.append(ConnectFailed(call.address, reason, *known))

    def _hang_up(self, call: Call) -> None:
        self.calls.pop(call.address, None)
        self._routes.pop(call.connection, None)

    def _forget(self, answer: Answer) -> None:
        self._unfinished.leave(answer)
        self.answers.pop((answer.address, answer.remote_connection), None)
        self._routes.pop(answer.connection, None)
