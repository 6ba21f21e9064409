"""The handshake as bytes: both sides end with the same keys, and every proof is needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tavolata_protocol import codec
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.errors import HandshakeFailed, MalformedMessage, NoCommonVersion
from tavolata_protocol.handshake import (
    Door,
    Initiator,
    LocalPeer,
    Responder,
    answer_hello,
    open_table_psk,
    read_init,
)
from tavolata_protocol.identity import Identity
from tavolata_protocol.messages.handshake import Init, Refusal, Refuse, Retry
from tavolata_protocol.messages.packets import HEADER_SIZE, MAX_DATAGRAM
from tavolata_protocol.noise import KeyPair

ADDRESS = ("10.0.0.1", 4711)
JAR = CookieJar(bytes(32))
PSK = open_table_psk(b"table")


def local(number: int, versions: bytes = b"\x01") -> LocalPeer:
    return LocalPeer(
        Identity(bytes((number,)) * 32),
        KeyPair.from_private(bytes((number + 1,)) * 32),
        bytes((number,)) * 8,
        b"profile %d" % number,
        versions,
    )


def ephemeral(number: int) -> KeyPair:
    return KeyPair.from_private(bytes((number,)) * 32)


def begin(caller: LocalPeer, callee: LocalPeer) -> tuple[Initiator, Responder]:
    initiator = Initiator(caller, 11, b"nonce123", ephemeral(60))
    retry = answer_hello(initiator.hello()[HEADER_SIZE:], ADDRESS, JAR, callee.versions, 0.0)
    init = initiator.read_retry(retry[HEADER_SIZE:])
    responder = Responder(
        callee, read_init(init[HEADER_SIZE:], ADDRESS, JAR, 1.0), 22, ephemeral(70), Door(b"table")
    )
    return initiator, responder


def test_both_sides_agree() -> None:
    """A whole handshake gives crossed keys, connection ids, proved identities and profiles."""
    initiator, responder = begin(local(1), local(5))
    welcomed = initiator.read_resp(responder.resp[HEADER_SIZE:])
    fin, ours = initiator.write_fin(PSK)
    proved, theirs = responder.read_fin(fin[HEADER_SIZE:], PSK)
    assert (ours.send_key, ours.receive_key) == (theirs.receive_key, theirs.send_key)
    assert ours.send_key != ours.receive_key
    assert (ours.connection, theirs.connection) == (22, 11)
    assert (welcomed.peer, welcomed.profile, welcomed.table) == (
        local(5).identity.peer,
        b"profile 5",
        b"table",
    )
    assert (proved.peer, proved.profile, proved.instance) == (
        local(1).identity.peer,
        b"profile 1",
        b"\x01" * 8,
    )


def test_hello_is_1200_bytes_and_retry_at_most_64() -> None:
    """The first exchange never gives back more than came in, even with the longest list of versions."""
    hello = Initiator(local(1), 11, b"nonce123", ephemeral(60)).hello()
    assert len(hello) == MAX_DATAGRAM
    assert len(answer_hello(hello[HEADER_SIZE:], ADDRESS, JAR, bytes(range(1, 9)), 0.0)) <= 64


def test_another_psk_is_refused_and_the_refusal_is_authentic() -> None:
    """A wrong code fails at FIN; the initiator believes the refusal of its responder and no other."""
    initiator, responder = begin(local(1), local(5))
    initiator.read_resp(responder.resp[HEADER_SIZE:])
    fin, _ = initiator.write_fin(open_table_psk(b"another"))
    with pytest.raises(HandshakeFailed):
        responder.read_fin(fin[HEADER_SIZE:], PSK)
    assert initiator.read_refuse(responder.refuse(Refusal.PROOF)[HEADER_SIZE:]) is Refusal.PROOF
    with pytest.raises(HandshakeFailed):
        initiator.read_refuse(codec.encode(Refuse(Refusal.PROOF, bytes(16))))


def test_best_common_version_is_chosen() -> None:
    """Of the versions both speak the highest is used."""
    initiator = Initiator(local(1, b"\x01\x02\x03"), 11, b"nonce123", ephemeral(60))
    retry = answer_hello(initiator.hello()[HEADER_SIZE:], ADDRESS, JAR, b"\x02\x03\x04", 0.0)
    init = codec.decode(initiator.read_retry(retry[HEADER_SIZE:])[HEADER_SIZE:], Init)
    assert init.chosen == 3
    Responder(local(5, b"\x02\x03\x04"), init, 22, ephemeral(70), Door())


def test_no_common_version_says_so() -> None:
    """Programs without a common version part with the sentence for it."""
    with pytest.raises(NoCommonVersion, match="update"):
        begin(local(1, b"\x01"), local(5, b"\x02"))


def test_downgrade_in_between_is_noticed() -> None:
    """A RETRY that was changed to offer less leads to a refused INIT."""
    callee = local(5, b"\x01\x02")
    initiator = Initiator(local(1, b"\x01\x02"), 11, b"nonce123", ephemeral(60))
    body = answer_hello(initiator.hello()[HEADER_SIZE:], ADDRESS, JAR, callee.versions, 0.0)[HEADER_SIZE:]
    forged = codec.encode(Retry(b"nonce123", codec.decode(body, Retry).cookie, b"\x01"))
    init = codec.decode(initiator.read_retry(forged)[HEADER_SIZE:], Init)
    with pytest.raises(HandshakeFailed, match="lower version"):
        Responder(callee, init, 22, ephemeral(70), Door())


@pytest.mark.parametrize(
    "change", [{"nonce": b"other123"}, {"connection": 12}, {"offered": b"\x01\x02"}, {"noise": bytes(48)}]
)
def test_everything_in_init_is_bound(change: dict[str, Any]) -> None:
    """A changed field of INIT never leads to a session."""
    initiator = Initiator(local(1), 11, b"nonce123", ephemeral(60))
    body = answer_hello(initiator.hello()[HEADER_SIZE:], ADDRESS, JAR, b"\x01", 0.0)[HEADER_SIZE:]
    init = codec.decode(initiator.read_retry(body)[HEADER_SIZE:], Init)
    fields = {name: getattr(init, name) for name in init.__struct_fields__}
    with pytest.raises(HandshakeFailed):
        Responder(local(5), Init(**(fields | change)), 22, ephemeral(70), Door())


def test_somebody_elses_static_key_proves_nothing() -> None:
    """A responder that shows an identity whose signature is over another static key is refused."""
    honest = local(5)
    thief = replace(honest, static=ephemeral(90))
    parrot = Identity(b"\x07" * 32)  # it signs with its own key, but claims the identity of another
    parrot.peer = honest.identity.peer
    initiator, responder = begin(local(1), replace(thief, identity=parrot))
    with pytest.raises(HandshakeFailed, match="does not own"):
        initiator.read_resp(responder.resp[HEADER_SIZE:])


def test_proofs_of_one_handshake_are_worthless_in_another() -> None:
    """RESP and FIN recorded from one handshake do not fit into the next."""
    first, answered = begin(local(1), local(5))
    first.read_resp(answered.resp[HEADER_SIZE:])
    fin, _ = first.write_fin(PSK)
    second = Initiator(local(1), 12, b"nonce456", ephemeral(61))
    retry = answer_hello(second.hello()[HEADER_SIZE:], ADDRESS, JAR, b"\x01", 0.0)
    init = read_init(second.read_retry(retry[HEADER_SIZE:])[HEADER_SIZE:], ADDRESS, JAR, 0.0)
    again = Responder(local(5), init, 23, ephemeral(71), Door(b"table"))
    with pytest.raises(HandshakeFailed):
        second.read_resp(answered.resp[HEADER_SIZE:])
    with pytest.raises(HandshakeFailed):
        again.read_fin(fin[HEADER_SIZE:], PSK)


@pytest.mark.parametrize("body", [b"", b"\x90", b"\xc1", bytes(1186)])
def test_garbage_is_malformed(body: bytes) -> None:
    """Each reading function answers garbage with a RemoteError."""
    with pytest.raises(MalformedMessage):
        answer_hello(body, ADDRESS, JAR, b"\x01", 0.0)
    with pytest.raises(MalformedMessage):
        read_init(body, ADDRESS, JAR, 0.0)
    initiator, responder = begin(local(1), local(5))
    with pytest.raises(MalformedMessage):
        initiator.read_retry(body)
    with pytest.raises(MalformedMessage):
        initiator.read_resp(body)
    with pytest.raises(MalformedMessage):
        responder.read_fin(body, PSK)
