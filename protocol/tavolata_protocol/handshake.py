"""The handshake of two peers as bytes: first a cookie, then Noise, which binds identities and versions.

    initiator                                responder
    HELLO, 1200 bytes   ------------------>  (remembers nothing)
                        <------------------  RETRY: cookie, versions; 64 bytes at most
    INIT: cookie, noise 1  --------------->  `Answer` is made
                        <------------------  RESP: noise 2 with a Welcome
    FIN: noise 3 with a Proof  ----------->  both have keys
                        <------------------  the first sealed packet confirms them

This module makes and checks the messages. Retransmission, counting and timeouts are in `calls.py`, and the
choice between two crossing calls is in `handshakes.py`.

The psk enters with FIN, after the initiator has read the Welcome. The psk of an open table follows from the
table's id. Members of a private table already have its psk. A newcomer agrees on one by CPace with the code:
one point travels as the payload of noise 1, the other in the Welcome.
"""

from __future__ import annotations

import hashlib
import hmac
from copy import copy
from dataclasses import dataclass

from tavolata_protocol import codec
from tavolata_protocol.addresses import Address
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.cpace import POINT_SIZE, SCALAR_SIZE, CPaceShare, session_key
from tavolata_protocol.errors import HandshakeFailed, NoCommonVersion, RemoteError
from tavolata_protocol.identity import Identity, PeerId, verify
from tavolata_protocol.messages.handshake import (
    Fin,
    Hello,
    Init,
    InitiatorProof,
    Refusal,
    Refuse,
    Resp,
    Retry,
    Welcome,
)
from tavolata_protocol.messages.packets import (
    HEADER_SIZE,
    MAX_DATAGRAM,
    OtherWireVersion,
    PacketHeader,
    PacketKind,
    pack_header,
    parse_header,
)
from tavolata_protocol.noise import KeyPair, NoiseHandshake

VERSIONS = bytes((1,))
"""The versions that this program speaks within the wire major version, the best last."""

_CHANNEL = b"tavolata 1"
_INITIATOR = b"tavolata initiator"
_RESPONDER = b"tavolata responder"
_NO_KEYS = KeyPair(bytes(32), bytes(32))  # reading the first message needs none


def open_table_psk(table: bytes) -> bytes:
    """Return the pre-shared key of an open table: a hash of its id, and no secret."""
    return hashlib.blake2s(table, person=b"tv-table").digest()


def private_table_psk(secret: bytes) -> bytes:
    """Return the pre-shared key of a private table, from the secret each member gets when it joins."""
    return hashlib.blake2s(secret, person=b"tv-priv").digest()


def _code_psk(
    share: CPaceShare, secret: bytes, first: tuple[bytes, bytes], second: tuple[bytes, bytes]
) -> bytes:
    return hashlib.blake2s(session_key(share.session, secret, first, second), person=b"tv-code").digest()


@dataclass(frozen=True, slots=True)
class Door:
    """The table that a responder answers for; its id is empty if there isn't one.

    If `private`, joining takes a code, or the table's own key; `code` is the one with which callers may join,
    and `scalar` has 32 fresh random bytes for it. `profile` is for callers; None for the one that everybody
    gets.
    """

    table: bytes = b""
    private: bool = False
    code: bytes = b""
    scalar: bytes = bytes(SCALAR_SIZE)
    profile: bytes | None = None


@dataclass(frozen=True, slots=True)
class LocalPeer:
    """This side of every handshake.

    The Noise key pair `static` and the 8 random bytes of `instance` are new in each run of the program.
    `profile` has opaque bytes about this peer, sent to the other side.
    """

    identity: Identity
    static: KeyPair
    instance: bytes
    profile: bytes = b""
    versions: bytes = VERSIONS


@dataclass(frozen=True, slots=True)
class RemotePeer:
    """The other side, with its proved identity.

    `instance` has 8 bytes that change when its program starts again, `profile` opaque bytes that it sent
    about itself. `table` is the id of its table, if it is a responder and has one.
    """

    peer: PeerId
    instance: bytes
    profile: bytes
    table: bytes = b""
    private: bool = False


@dataclass(frozen=True, slots=True)
class SessionKeys:
    """The result of a handshake: a key for each direction, and the other side's connection id."""

    send_key: bytes
    receive_key: bytes
    connection: int


def hello(nonce: bytes, size: int = MAX_DATAGRAM) -> bytes:
    """Return the HELLO datagram with this nonce of 8 bytes; `size` is at least `MIN_HELLO`."""
    bare = len(codec.encode(Hello(nonce, bytes(256)))) - 256
    padding = bytes(size - HEADER_SIZE - bare)
    # The counter comes back in the answer of a host whose wire version can't read the rest.
    counter = int.from_bytes(nonce, "big")
    return pack_header(PacketKind.HELLO, counter=counter) + codec.encode(Hello(nonce, padding))


def answered_hello(datagram: bytes) -> bytes | None:
    """Return the nonce of the HELLO that this datagram answers; None if it answers none.

    With this, a HELLO alone probes an address for a table. It has at least 300 bytes, RETRY has at most 64,
    and a host stores nothing for either: a probe can't amplify traffic or fill memory. The answer of a host
    with another wire version counts too: an attempt to join says what to do.
    """
    try:
        if parse_header(datagram).kind is not PacketKind.RETRY:
            return None
        return codec.decode(datagram[HEADER_SIZE:], Retry).nonce
    except OtherWireVersion as other:
        return other.header.counter.to_bytes(8, "big") if other.header.kind is PacketKind.RETRY else None
    except RemoteError:
        return None


def best_version(ours: bytes, theirs: bytes) -> int:
    """Return the highest version of both lists; raise `NoCommonVersion`."""
    common = set(ours) & set(theirs)
    if not common:
        raise NoCommonVersion("The other side runs another version of the program: update the older one.")
    return max(common)


def _prologue(init_nonce: bytes, connection: int, offered: bytes, chosen: int) -> bytes:
    return b"tavolata 1" + codec.encode((init_nonce, connection, offered, chosen))


def _statement(static: bytes, transcript: bytes) -> bytes:
    # With the transcript signed too, a leaked static key is nobody's identity.
    return static + transcript


def _refusal_tag(chaining_key: bytes, reason: int) -> bytes:
    return hashlib.blake2s(bytes((reason,)), digest_size=16, key=chaining_key, person=b"tv-refus").digest()


class Initiator:
    """The side that calls. Its methods are called in the order in which they are defined.

    `connection` is this side's connection id, for sealed packets. `nonce` has 8 random bytes; the `ephemeral`
    key pair and the `scalar`, 32 random bytes for the code, are fresh. `code` is empty for none.
    """

    def __init__(
        self,
        local: LocalPeer,
        connection: int,
        nonce: bytes,
        ephemeral: KeyPair,
        code: bytes = b"",
        scalar: bytes = bytes(SCALAR_SIZE),
    ) -> None:
        self._local = local
        self._connection = connection
        self._nonce = nonce
        self.echo = int.from_bytes(nonce, "big")
        """The number that an answer of another wire version has to return."""
        self._ephemeral = ephemeral
        self._code = code
        self._scalar = scalar
        self._share: CPaceShare | None = None
        self.code_psk: bytes | None = None
        """The key from the code, once RESP was read; None without a code on both sides."""
        self._noise: NoiseHandshake | None = None
        self._refusal_key = b""
        self._remote_connection = 0

    def hello(self, size: int = MAX_DATAGRAM) -> bytes:
        """Return the HELLO datagram."""
        return hello(self._nonce, size)

    def read_retry(self, body: bytes) -> bytes:
        """Take RETRY; return the INIT datagram. Raise `HandshakeFailed` if it answers another call."""
        retry = codec.decode(body, Retry)
        if retry.nonce != self._nonce:
            raise HandshakeFailed("A cookie for another call.")
        version = best_version(self._local.versions, retry.versions)
        prologue = _prologue(self._nonce, self._connection, self._local.versions, version)
        self._noise = NoiseHandshake(self._local.static, self._ephemeral, prologue)
        init = Init(
            self._nonce,
            retry.cookie,
            self._connection,
            self._local.versions,
            version,
            self._noise.write_1(self._first_point(retry.cookie)),
        )
        return pack_header(PacketKind.INIT) + codec.encode(init)

    def _first_point(self, cookie: bytes) -> bytes:
        if not self._code:
            return b""
        self._share = CPaceShare.make(self._code, _CHANNEL, self._nonce + cookie, self._scalar)
        return self._share.point

    def read_resp(self, body: bytes) -> RemotePeer:
        """Take RESP; return the responder. If this raises, the true RESP may still come."""
        assert self._noise is not None
        noise = copy(self._noise)
        transcript = noise.transcript
        welcome = codec.decode(noise.read_2(codec.decode(body, Resp).noise), Welcome)
        peer = welcome.identity
        if not verify(peer, _RESPONDER, _statement(noise.remote_static, transcript), welcome.signature):
            raise HandshakeFailed("The other side does not own the identity that it shows.")
        if self._share is not None and welcome.share:
            self.code_psk = _code_psk(
                self._share,
                self._share.secret(welcome.share),
                (self._share.point, self._ephemeral.public),
                (welcome.share, noise.remote_ephemeral),
            )
        self._noise = noise
        self._remote_connection = welcome.connection
        self._refusal_key = noise.chaining_key
        return RemotePeer(peer, welcome.instance, welcome.profile, welcome.table, welcome.private)

    def write_fin(self, psk: bytes) -> tuple[bytes, SessionKeys]:
        """Return the FIN datagram, and the keys of the session."""
        assert self._noise is not None
        local, noise = self._local, self._noise
        signature = local.identity.sign(_INITIATOR, _statement(local.static.public, noise.transcript))
        proof = InitiatorProof(local.identity.peer, signature, local.instance, local.profile)
        fin = Fin(noise.write_3(psk, codec.encode(proof)))
        there, back = noise.split()
        datagram = pack_header(PacketKind.FIN, self._remote_connection) + codec.encode(fin)
        return datagram, SessionKeys(there, back, self._remote_connection)

    def read_refuse(self, body: bytes) -> Refusal:
        """Take REFUSE after FIN; return why the responder refuses."""
        refuse = codec.decode(body, Refuse)
        if not hmac.compare_digest(refuse.tag, _refusal_tag(self._refusal_key, refuse.reason)):
            raise HandshakeFailed("A refusal that the responder did not write.")
        return refuse.reason


def answer_hello(body: bytes, address: Address, jar: CookieJar, versions: bytes, now: float) -> bytes:
    """Return the RETRY datagram for a HELLO; nothing is remembered."""
    hello = codec.decode(body, Hello)
    retry = Retry(hello.nonce, jar.bake(address, hello.nonce, now), versions)
    return pack_header(PacketKind.RETRY) + codec.encode(retry)


def answer_other_version(header: PacketHeader) -> bytes:
    """Return the bare RETRY header for a HELLO of another wire version; its version byte is the answer."""
    return pack_header(PacketKind.RETRY, counter=header.counter)


def read_init(body: bytes, address: Address, jar: CookieJar, now: float) -> Init:
    """Decode an INIT and check its cookie and Noise's first message, which costs no Diffie-Hellman.

    Only an INIT that passes is worth an answer, and counts against the limits on answers. Raise
    `HandshakeFailed` if the cookie is wrong, or Noise's message isn't one.
    """
    init = codec.decode(body, Init)
    if not jar.check(address, init.nonce, init.cookie, now):
        raise HandshakeFailed("An old cookie, or one of another address.")
    prologue = _prologue(init.nonce, init.connection, init.offered, init.chosen)
    NoiseHandshake(_NO_KEYS, _NO_KEYS, prologue).read_1(init.noise)
    return init


class Responder:
    """The side that is called, made from an INIT that `read_init` accepted.

    `connection` is this side's connection id, for FIN and sealed packets; the `ephemeral` key pair is fresh.
    `code_psk` is the key from the code; None if the initiator has no code, or none is asked for. Raise
    `HandshakeFailed` if INIT is wrong, or chose a version that is not the best of both sides.
    """

    def __init__(self, local: LocalPeer, init: Init, connection: int, ephemeral: KeyPair, door: Door) -> None:
        if init.chosen != best_version(local.versions, init.offered):
            raise HandshakeFailed("Somebody in between chose a lower version than both sides speak.")
        self._remote_connection = init.connection
        prologue = _prologue(init.nonce, init.connection, init.offered, init.chosen)
        self._noise = noise = NoiseHandshake(local.static, ephemeral, prologue)
        point = noise.read_1(init.noise)
        self.code_psk: bytes | None = None
        share = b""
        if door.code and point:
            if len(point) != POINT_SIZE:
                raise HandshakeFailed("A point of another length than points have.")
            mine = CPaceShare.make(door.code, _CHANNEL, init.nonce + init.cookie, door.scalar)
            share = mine.point
            first, second = (point, noise.remote_ephemeral), (share, ephemeral.public)
            self.code_psk = _code_psk(mine, mine.secret(point), first, second)
        signature = local.identity.sign(_RESPONDER, _statement(local.static.public, noise.transcript))
        welcome = Welcome(
            local.identity.peer,
            signature,
            local.instance,
            local.profile if door.profile is None else door.profile,
            connection,
            door.table,
            door.private,
            share,
        )
        resp = Resp(noise.write_2(codec.encode(welcome)))
        self.resp = pack_header(PacketKind.RESP, init.connection) + codec.encode(resp)
        """The RESP datagram; the same one answers a repeated INIT."""
        self._refusal_key = noise.chaining_key

    def read_fin(self, body: bytes, psk: bytes) -> tuple[RemotePeer, SessionKeys]:
        """Take FIN; return the initiator and the keys of the session.

        Raises:
            WrongPsk: the initiator has another pre-shared key.
            HandshakeFailed, MalformedMessage: not the initiator's FIN; the true one may still come.
        """
        transcript = self._noise.transcript
        proof = codec.decode(self._noise.read_3(psk, codec.decode(body, Fin).noise), InitiatorProof)
        peer = proof.identity
        if not verify(peer, _INITIATOR, _statement(self._noise.remote_static, transcript), proof.signature):
            raise HandshakeFailed("The other side does not own the identity that it shows.")
        there, back = self._noise.split()
        keys = SessionKeys(back, there, self._remote_connection)
        return RemotePeer(peer, proof.instance, proof.profile), keys

    def refuse(self, reason: Refusal) -> bytes:
        """Return the REFUSE datagram."""
        refuse = Refuse(reason, _refusal_tag(self._refusal_key, reason))
        return pack_header(PacketKind.REFUSE, self._remote_connection) + codec.encode(refuse)
