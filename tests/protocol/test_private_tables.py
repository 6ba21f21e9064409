"""Private tables: who has the code gets in, one try a call; who has not learns nothing to test codes with."""

from __future__ import annotations

import hashlib
import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl import bindings

from tavolata_protocol import cpace
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.codes import make_code
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.cpace import CPaceShare
from tavolata_protocol.errors import HandshakeFailed, WrongPsk
from tavolata_protocol.events import CallFailure, Connected, ConnectFailed, WrongCode
from tavolata_protocol.handshake import (
    Door,
    Initiator,
    LocalPeer,
    Responder,
    answer_hello,
    open_table_psk,
    private_table_psk,
    read_init,
)
from tavolata_protocol.identity import Identity
from tavolata_protocol.messages.handshake import Refusal
from tavolata_protocol.messages.packets import HEADER_SIZE
from tavolata_protocol.noise import KeyPair

from .lossy import STORM, TABLE, Network, Node

CODE, SECRET = "K7F3QX", private_table_psk(bytes(32))


def hosting(network: Network, number: int = 1, code: str = CODE) -> Node:
    return network.node(number, psk=SECRET, table=TABLE, code=code)


def calling(
    network: Network, number: int, host: Node, code: str | None = None, psk: bytes | None = None
) -> Node:
    guest = network.node(number, psk=None, table=b"")
    guest.endpoint.connect(host.address, network.now, psk, code)
    network.run_for(3)
    return guest


def met(host: Node, guest: Node) -> bool:
    return bool(guest.endpoint.peers() and host.endpoint.peers())


def failure(guest: Node) -> CallFailure:
    (failed,) = guest.of(ConnectFailed)
    return failed.reason


def test_the_code_opens_a_private_table() -> None:
    """Who calls with the code has a session, and knows which table it is at."""
    network = Network(1)
    host = hosting(network)
    guest = calling(network, 2, host, CODE)
    assert [event.table for event in guest.of(Connected)] == [TABLE]
    assert host.endpoint.peers() == [guest.endpoint.peer]
    guest.endpoint.send(host.endpoint.peer, b"hello")
    network.run_for(1)
    assert host.messages() == [b"hello"]


def test_the_code_works_in_a_storm() -> None:
    """Lost, doubled and reordered packets cost time and no attempt."""
    for seed in range(10):
        network = Network(seed, STORM)
        host = hosting(network)
        guest = network.node(2, psk=None)
        guest.endpoint.connect(host.address, network.now, None, CODE)
        network.run_until(partial(met, host, guest), 60)
        assert not host.of(WrongCode)


def test_a_wrong_code_is_told_to_both() -> None:
    """The guest hears that its code is wrong, the host that one was tried, and no session comes of it."""
    network = Network(2)
    host = hosting(network)
    guest = calling(network, 2, host, "K7F3QY")
    assert failure(guest) is CallFailure.WRONG_CODE
    assert host.of(WrongCode) == [WrongCode(guest.address, worn=False)]
    assert host.endpoint.peers() == []


def test_without_a_code_one_learns_that_it_takes_one() -> None:
    """A call without a code ends with what the person has to be asked, and where it was."""
    network = Network(3)
    host = hosting(network)
    guest = calling(network, 2, host)
    (failed,) = guest.of(ConnectFailed)
    assert (failed.reason, failed.peer) == (CallFailure.NOT_OPEN, host.endpoint.peer)
    assert (failed.table, failed.profile) == (TABLE, b"node 1")
    assert host.events == []


def test_a_code_is_not_shown_to_a_table_that_asks_for_none() -> None:
    """Whoever has a code is not satisfied with an open table in its place."""
    network = Network(4)
    host = network.node(1)
    assert failure(calling(network, 2, host, CODE)) is CallFailure.NO_CODE


def test_callers_and_called_may_be_told_different_things() -> None:
    """A guest says its name to whom it calls, and to whoever calls it what table it sits at."""
    network = Network(11)
    host, member = hosting(network), hosting(network, 2)
    member.endpoint.introduce(b"a table")
    member.endpoint.connect(host.address, network.now, SECRET)
    network.run_for(1)
    newcomer = calling(network, 3, member, CODE)
    assert [event.profile for event in host.of(Connected)] == [b"node 2"]
    assert [event.profile for event in newcomer.of(Connected)] == [b"a table"]


def test_the_id_of_a_private_table_opens_nothing() -> None:
    """The key that an open table's id gives is no key here."""
    network = Network(5)
    host = hosting(network)
    assert failure(calling(network, 2, host, psk=open_table_psk(TABLE))) is CallFailure.REFUSED
    assert host.of(WrongCode) == []


def test_members_need_no_code_among_themselves() -> None:
    """The table's own key leads to a session, whatever the code is by now."""
    network = Network(6)
    host = hosting(network)
    host.endpoint.listen(SECRET, TABLE, "NEWC0D")
    guest = calling(network, 2, host, psk=SECRET)
    assert guest.endpoint.peers() == [host.endpoint.peer]


def test_three_wrong_codes_a_minute_from_one_machine() -> None:
    """The fourth call within the minute is not looked at, even with the right code; other machines are."""
    network = Network(7)
    host = hosting(network)
    wrong = [failure(calling(network, number, host, "WR0NG0")) for number in (2,)]
    guest = network.nodes[("10.0.0.2", 4711)]
    for _ in range(3):
        guest.events.clear()
        guest.endpoint.connect(host.address, network.now, None, "WR0NG0")
        network.run_for(3)
        wrong.append(failure(guest))
    assert wrong == [CallFailure.WRONG_CODE] * 3 + [CallFailure.WAIT]
    guest.events.clear()
    guest.endpoint.connect(host.address, network.now, None, CODE)
    network.run_for(3)
    assert failure(guest) is CallFailure.WAIT
    assert calling(network, 3, host, CODE).endpoint.peers() == [host.endpoint.peer]
    network.run_for(60)
    guest.events.clear()
    guest.endpoint.connect(host.address, network.now, None, CODE)
    network.run_for(3)
    assert guest.endpoint.peers() == [host.endpoint.peer]


def test_ten_wrong_codes_wear_a_code_out() -> None:
    """After ten from wherever the code opens nothing any more, until there is another one."""
    network = Network(8)
    host = hosting(network)
    for number in range(10):
        calling(network, 10 + number, host, "WR0NG0")
    assert [event.worn for event in host.of(WrongCode)] == [False] * 9 + [True]
    assert failure(calling(network, 40, host, CODE)) is CallFailure.WAIT
    host.endpoint.listen(SECRET, TABLE, "NEWC0D")
    assert failure(calling(network, 41, host, CODE)) is CallFailure.WRONG_CODE
    assert calling(network, 42, host, "NEWC0D").endpoint.peers() == [host.endpoint.peer]


def test_a_call_by_an_old_code_ends_with_the_code() -> None:
    """What was begun before the code changed can't be finished afterwards."""
    network = Network(9)
    host = hosting(network)
    guest = network.node(2, psk=None)
    held: list[bytes] = []
    network.cut = lambda source, target: source == guest.address and bool(guest.sent > 2)
    network.tap = lambda data, source, target: held.append(data) if source == guest.address else None
    guest.endpoint.connect(host.address, network.now, None, CODE)
    network.run_for(1)
    assert len(host.endpoint._handshakes.answers) == 1
    host.endpoint.listen(SECRET, TABLE, "NEWC0D")
    assert host.endpoint._handshakes.answers == {}
    network.cut = lambda source, target: False
    network.inject(held[-1], guest.address, host.address)
    assert host.endpoint.peers() == []


# --- what a transcript tells -----------------------------------------------------------------------

ADDRESS = ("10.0.0.1", 4711)
JAR = CookieJar(bytes(32))


def local(number: int) -> LocalPeer:
    seed = bytes((number,)) * 32
    return LocalPeer(Identity(seed), KeyPair.from_private(hashlib.sha256(seed).digest()), seed[:8], b"who")


def begun(guess: str, door: Door) -> tuple[Initiator, Responder, list[bytes]]:
    """A guest that guesses a code calls a host; everything that the host said."""
    guest = Initiator(
        local(1), 7, b"nonce123", KeyPair.from_private(b"\x03" * 32), guess.encode(), b"\x09" * 32
    )
    retry = answer_hello(guest.hello()[HEADER_SIZE:], ADDRESS, JAR, b"\x01", 0.0)
    init = read_init(guest.read_retry(retry[HEADER_SIZE:])[HEADER_SIZE:], ADDRESS, JAR, 0.0)
    host = Responder(local(2), init, 22, KeyPair.from_private(b"\x04" * 32), door)
    guest.read_resp(host.resp[HEADER_SIZE:])
    return guest, host, [retry, host.resp, host.refuse(Refusal.PROOF)]


def clamped(logarithm: int) -> bytes | None:
    """X25519's form of a scalar, or of its negative (the same to it); None for the quarter that has none."""
    for wanted in (logarithm, -logarithm % cpace._ORDER):
        for turns in range(4, 9):
            number = wanted + turns * cpace._ORDER
            if number % 8 == 0 and 1 << 254 <= number < 1 << 255:
                return number.to_bytes(32, "little")
    return None


def test_every_code_explains_what_a_guest_without_it_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """One transcript, byte for byte, for every code: so nothing in it tells the codes apart.

    Here, and only here, the logarithms of the generators are known. With them, for any other code, the host's
    random number is computed with which a host of *that* code would have said exactly the same: the very
    point, hence the very RESP and REFUSE. Without a logarithm nobody can do as much, let alone more. (Where
    X25519's clamping leaves no such number, which is one code in four, only a logarithm could show it.)
    """
    base = bindings.crypto_scalarmult_base

    def logarithm(code: bytes) -> int:
        digest = hashlib.sha512(b"log" + code).digest()
        return int.from_bytes(digest, "little") % cpace._ORDER

    def known(code: bytes, channel: bytes, session: bytes) -> bytes:
        scalar = logarithm(code).to_bytes(32, "little")
        point = bindings.crypto_scalarmult_ed25519_base_noclamp(scalar)
        return bindings.crypto_sign_ed25519_pk_to_curve25519(point)

    assert base(bytes(32))  # the curve is there
    monkeypatch.setattr(cpace, "generator", known)
    mine = b"\x11" * 31 + b"\x51"
    number = int.from_bytes(bytes((mine[0] & 248,)) + mine[1:31] + bytes((mine[31] & 127 | 64,)), "little")
    _, true_host, said = begun("WR0NG0", Door(TABLE, True, CODE.encode(), mine))
    point = CPaceShare.make(CODE.encode(), b"", b"", mine).point
    chance, fits = random.Random(1), 0
    for _ in range(40):
        other = make_code(chance.randbytes(4)).encode()
        scalar = clamped(
            number * logarithm(CODE.encode()) * pow(logarithm(other), -1, cpace._ORDER) % cpace._ORDER
        )
        if scalar is None:
            continue
        fits += 1
        assert CPaceShare.make(other, b"", b"", scalar).point == point
        _, host, would_say = begun("WR0NG0", Door(TABLE, True, other, scalar))
        assert would_say == said
        assert host.code_psk != true_host.code_psk  # yet each of them would end with a key of its own
    assert fits > 20


def test_a_false_host_tests_one_code_a_call() -> None:
    """FIN opens for the one code that the false host had put in, and for no other that it tries later.

    The same attack on a handshake that takes the code itself for a key finds it in no time: so it can work.
    """
    candidates = [make_code(random.Random(2).randbytes(4)), "K7F3QY", CODE, "AAAAAA"]
    guest, false_host, _ = begun(CODE, Door(TABLE, True, b"AAAAAA", b"\x21" * 32))
    assert guest.code_psk is not None
    fin, _ = guest.write_fin(guest.code_psk)
    for candidate in candidates:
        # whatever it holds: its own scalar, both points, the candidate
        point = CPaceShare.make(candidate.encode(), b"tavolata 1", b"", b"\x21" * 32).point
        for key in (false_host.code_psk, open_table_psk(candidate.encode()), hashlib.sha256(point).digest()):
            assert key is not None
            with pytest.raises(WrongPsk):
                false_host.read_fin(fin[HEADER_SIZE:], key)

    naive, prey, _ = begun("", Door())
    fin, _ = naive.write_fin(open_table_psk(CODE.encode()))  # the code as a key, without CPace
    opened = []
    for candidate in candidates:
        try:
            prey.read_fin(fin[HEADER_SIZE:], open_table_psk(candidate.encode()))
        except HandshakeFailed:
            continue
        opened.append(candidate)
    assert opened == [CODE]


def test_one_in_between_gets_no_key() -> None:
    """Who passes the points on between two handshakes of its own has a key with neither side."""
    guest = Initiator(
        local(1), 7, b"nonce123", KeyPair.from_private(b"\x03" * 32), CODE.encode(), b"\x09" * 32
    )
    retry = answer_hello(guest.hello()[HEADER_SIZE:], ADDRESS, JAR, b"\x01", 0.0)
    init = read_init(guest.read_retry(retry[HEADER_SIZE:])[HEADER_SIZE:], ADDRESS, JAR, 0.0)
    middle = Responder(
        local(3), init, 22, KeyPair.from_private(b"\x05" * 32), Door(TABLE, True, b"AAAAAA", b"\x06" * 32)
    )
    guest.read_resp(middle.resp[HEADER_SIZE:])
    assert guest.code_psk is not None
    fin, _ = guest.write_fin(guest.code_psk)
    honest = Responder(
        local(2), init, 22, KeyPair.from_private(b"\x04" * 32), Door(TABLE, True, CODE.encode(), b"\x08" * 32)
    )
    assert honest.code_psk is not None
    with pytest.raises(HandshakeFailed):
        honest.read_fin(fin[HEADER_SIZE:], honest.code_psk)
    assert middle.code_psk is not None
    with pytest.raises(WrongPsk):
        middle.read_fin(fin[HEADER_SIZE:], middle.code_psk)


@settings(max_examples=60)
@given(st.binary(max_size=40))
def test_any_bytes_for_a_point_end_in_one_error(point: bytes) -> None:
    """Whatever a caller sends as its point, the answer is a handshake that fails, at once or at FIN."""
    guest = Initiator(local(1), 7, b"nonce123", KeyPair.from_private(b"\x03" * 32), b"AAAAAA", b"\x09" * 32)
    retry = answer_hello(guest.hello()[HEADER_SIZE:], ADDRESS, JAR, b"\x01", 0.0)
    guest._first_point = lambda cookie: point  # type: ignore[method-assign]
    init = read_init(guest.read_retry(retry[HEADER_SIZE:])[HEADER_SIZE:], ADDRESS, JAR, 0.0)
    try:
        host = Responder(
            local(2),
            init,
            22,
            KeyPair.from_private(b"\x04" * 32),
            Door(TABLE, True, CODE.encode(), b"\x08" * 32),
        )
    except HandshakeFailed:
        return
    guest.read_resp(host.resp[HEADER_SIZE:])
    assert point == b"" or len(point) == 32


def test_waiting_answers_are_forgotten() -> None:
    """A caller that never finishes leaves nothing behind."""
    network = Network(10)
    host = hosting(network)
    calling(network, 2, host)
    network.run_for(LIMITS[Entrance.HANDSHAKES].proof + 1)
    assert host.endpoint._handshakes.answers == {}
