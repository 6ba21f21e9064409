"""Noise: equal to the noiseprotocol package, byte by byte, in both roles."""

from __future__ import annotations

import pytest
from noise.connection import Keypair, NoiseConnection

from tavolata_protocol.errors import HandshakeFailed, WrongPsk
from tavolata_protocol.noise import PROTOCOL_NAME, KeyPair, NoiseHandshake

# The oracle warns about chosen ephemeral keys, which is what makes its bytes comparable.
pytestmark = pytest.mark.filterwarnings("ignore:One of ephemeral keypairs")

PSK = bytes(range(32))
PROLOGUE = b"versions"


def keys(number: int) -> KeyPair:
    return KeyPair.from_private(bytes((number,)) * 32)


def oracle(static: KeyPair, ephemeral: KeyPair, *, initiator: bool) -> NoiseConnection:
    connection = NoiseConnection.from_name(PROTOCOL_NAME)
    connection.set_psks(PSK)
    connection.set_prologue(PROLOGUE)
    connection.set_keypair_from_private_bytes(Keypair.STATIC, static.private)
    connection.set_keypair_from_private_bytes(Keypair.EPHEMERAL, ephemeral.private)
    connection.set_as_initiator() if initiator else connection.set_as_responder()
    connection.start_handshake()
    return connection


def test_initiator_equals_the_oracle() -> None:
    """Our initiator and theirs write the same messages to their responder, and derive its keys."""
    ours = NoiseHandshake(keys(1), keys(2), PROLOGUE)
    theirs = oracle(keys(1), keys(2), initiator=True)
    responder = oracle(keys(3), keys(4), initiator=False)
    first = ours.write_1(b"one")
    assert first == bytes(theirs.write_message(b"one"))
    assert responder.read_message(first) == b"one"
    second = bytes(responder.write_message(b"two"))
    theirs.read_message(second)
    assert ours.read_2(second) == b"two"
    assert ours.remote_static == keys(3).public
    third = ours.write_3(PSK, b"three")
    assert third == bytes(theirs.write_message(b"three"))
    assert responder.read_message(third) == b"three"
    there, back = ours.split()
    assert ours.transcript == responder.get_handshake_hash()
    assert there == responder.noise_protocol.cipher_state_decrypt.k
    assert back == responder.noise_protocol.cipher_state_encrypt.k


def test_responder_equals_the_oracle() -> None:
    """Our responder and theirs answer their initiator with the same bytes, and derive its keys."""
    ours = NoiseHandshake(keys(3), keys(4), PROLOGUE)
    theirs = oracle(keys(3), keys(4), initiator=False)
    initiator = oracle(keys(1), keys(2), initiator=True)
    first = bytes(initiator.write_message(b""))
    theirs.read_message(first)
    assert ours.read_1(first) == b""
    second = ours.write_2(b"two")
    assert second == bytes(theirs.write_message(b"two"))
    assert initiator.read_message(second) == b"two"
    third = bytes(initiator.write_message(b"three"))
    assert ours.read_3(PSK, third) == b"three"
    assert ours.remote_static == keys(1).public
    there, back = ours.split()
    assert ours.transcript == initiator.get_handshake_hash()
    assert there == initiator.noise_protocol.cipher_state_encrypt.k
    assert back == initiator.noise_protocol.cipher_state_decrypt.k


def flow() -> tuple[NoiseHandshake, NoiseHandshake, list[bytes]]:
    one, two = NoiseHandshake(keys(1), keys(2), PROLOGUE), NoiseHandshake(keys(3), keys(4), PROLOGUE)
    messages = [one.write_1(b"a")]
    two.read_1(messages[0])
    messages.append(two.write_2(b"b"))
    one.read_2(messages[1])
    messages.append(one.write_3(PSK, b"c"))
    return one, two, messages


def test_another_psk_fails_at_the_third_message() -> None:
    """Two sides with different pre-shared keys never finish."""
    _, two, messages = flow()
    with pytest.raises(WrongPsk):
        two.read_3(bytes(32), messages[2])


def test_another_prologue_fails_at_the_first_message() -> None:
    """Two sides that saw different versions never finish."""
    _, _, messages = flow()
    with pytest.raises(HandshakeFailed):
        NoiseHandshake(keys(3), keys(4), b"other").read_1(messages[0])


def replay(wrong: bytes, number: int) -> None:
    """Run the flow with message `number` exchanged for `wrong`."""
    one, two = NoiseHandshake(keys(1), keys(2), PROLOGUE), NoiseHandshake(keys(3), keys(4), PROLOGUE)
    first = one.write_1(b"a")
    two.read_1(wrong if number == 0 else first)
    second = two.write_2(b"b")
    one.read_2(wrong if number == 1 else second)
    third = one.write_3(PSK, b"c")
    two.read_3(PSK, wrong if number == 2 else third)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_cut_or_flipped_message_fails(number: int) -> None:
    """Each truncation and each flipped byte of each message ends the handshake with HandshakeFailed."""
    message = flow()[2][number]
    damaged = [message[:size] for size in range(len(message))]
    damaged += [
        message[:place] + bytes((message[place] ^ 1,)) + message[place + 1 :] for place in range(len(message))
    ]
    for wrong in damaged:
        with pytest.raises(HandshakeFailed):
            replay(wrong, number)


def test_keys_of_small_order_are_refused() -> None:
    """A peer that sends a point of small order as its key is refused, not computed with."""
    two = NoiseHandshake(keys(3), keys(4), PROLOGUE)
    one = NoiseHandshake(keys(1), KeyPair(keys(2).private, bytes(32)), PROLOGUE)
    two.read_1(one.write_1(b""))
    with pytest.raises(HandshakeFailed):
        two.write_2(b"")


def test_wrong_messages_in_between_end_nothing() -> None:
    """After garbage at every step the true message is still read, and both derive the same keys."""
    one, two = NoiseHandshake(keys(1), keys(2), PROLOGUE), NoiseHandshake(keys(3), keys(4), PROLOGUE)
    garbage = bytes(200)
    first = one.write_1(b"a")
    for wrong in (garbage, first[:-1]):
        with pytest.raises(HandshakeFailed):
            two.read_1(wrong)
    two.read_1(first)
    second = two.write_2(b"b")
    for wrong in (garbage, first, second[:-1]):
        with pytest.raises(HandshakeFailed):
            one.read_2(wrong)
    one.read_2(second)
    third = one.write_3(PSK, b"c")
    for wrong in (garbage, second, third[:-1]):
        with pytest.raises(HandshakeFailed):
            two.read_3(PSK, wrong)
    assert two.read_3(PSK, third) == b"c"
    assert (one.split(), one.transcript) == (two.split(), two.transcript)
