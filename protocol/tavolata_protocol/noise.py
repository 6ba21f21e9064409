"""The Noise handshake `Noise_XXpsk3_25519_ChaChaPoly_BLAKE2s` (noiseprotocol.org, revision 34) over PyNaCl.

This module has the cryptography of the three messages: no packets, no identities, no clock. The names are
those of the Noise specification. The pre-shared key enters only with the third message, so the payloads of
the first two can be used to agree on it.
"""

from __future__ import annotations

import hashlib
import hmac
from copy import copy
from typing import NamedTuple

from nacl import bindings
from nacl.exceptions import CryptoError

from tavolata_protocol.aead import TAG_SIZE, seal, unseal
from tavolata_protocol.errors import HandshakeFailed, WrongPsk

PROTOCOL_NAME = b"Noise_XXpsk3_25519_ChaChaPoly_BLAKE2s"
DH_SIZE = 32
PSK_SIZE = 32


class KeyPair(NamedTuple):
    """An X25519 key pair, 32 bytes each."""

    private: bytes
    public: bytes

    @classmethod
    def from_private(cls, private: bytes) -> KeyPair:
        """Return the key pair with 32 random bytes as its private key."""
        return cls(private, bindings.crypto_scalarmult_base(private))


def _dh(pair: KeyPair, public: bytes) -> bytes:
    try:
        return bindings.crypto_scalarmult(pair.private, public)
    except CryptoError:  # libsodium refuses points of small order
        raise HandshakeFailed("The other side sent a key that is no key.") from None


def _cut(message: bytes, size: int) -> tuple[bytes, bytes]:
    if len(message) < size:
        raise HandshakeFailed("A handshake message is too short.")
    return message[:size], message[size:]


def _hkdf(chaining_key: bytes, material: bytes, outputs: int) -> list[bytes]:
    secret = hmac.digest(chaining_key, material, "blake2s")
    made = [b""]
    for number in range(1, outputs + 1):
        made.append(hmac.digest(secret, made[-1] + bytes((number,)), "blake2s"))
    return made[1:]


class _SymmetricState:
    """Chaining key, transcript hash and the current cipher key."""

    def __init__(self, prologue: bytes) -> None:
        self.h = hashlib.blake2s(PROTOCOL_NAME).digest()  # the name is longer than a hash
        self.ck = self.h
        self._k = b""
        self._n = 0
        self.mix_hash(prologue)

    def mix_hash(self, data: bytes) -> None:
        self.h = hashlib.blake2s(self.h + data).digest()

    def mix_key(self, material: bytes) -> None:
        self.ck, self._k = _hkdf(self.ck, material, 2)
        self._n = 0

    def mix_ephemeral(self, public: bytes) -> None:
        self.mix_hash(public)
        self.mix_key(public)  # the `e` of every handshake with a psk does this too

    def mix_key_and_hash(self, psk: bytes) -> None:
        self.ck, mixed, self._k = _hkdf(self.ck, psk, 3)
        self._n = 0
        self.mix_hash(mixed)

    def _nonce(self) -> bytes:
        nonce = b"\0\0\0\0" + self._n.to_bytes(8, "little")
        self._n += 1
        return nonce

    def encrypt_and_hash(self, plain: bytes) -> bytes:
        sealed = seal(self._k, self._nonce(), plain, self.h)
        self.mix_hash(sealed)
        return sealed

    def decrypt_and_hash(self, sealed: bytes) -> bytes:
        plain = unseal(self._k, self._nonce(), sealed, self.h)
        if plain is None:
            raise HandshakeFailed("A handshake message does not open with the keys of this table.")
        self.mix_hash(sealed)
        return plain


class NoiseHandshake:
    """One side of the handshake.

    The initiator calls `write_1`, `read_2`, `write_3`. The responder calls `read_1`, `write_2`, `read_3`.
    Then both call `split`. Reading raises `HandshakeFailed` for bytes that are not the expected message, and
    then changes nothing, so injected bytes don't end the handshake. The other side's keys are in
    `remote_ephemeral` and `remote_static`, once they have come.
    """

    def __init__(self, static: KeyPair, ephemeral: KeyPair, prologue: bytes) -> None:
        self._static = static
        self._ephemeral = ephemeral
        self._symmetric = _SymmetricState(prologue)
        self.remote_ephemeral = b""
        self.remote_static = b""

    @property
    def transcript(self) -> bytes:
        """The hash of all messages so far."""
        return self._symmetric.h

    @property
    def chaining_key(self) -> bytes:
        """A secret of both sides; after message 2 it depends on both ephemeral keys and one static key."""
        return self._symmetric.ck

    def write_1(self, payload: bytes) -> bytes:
        """Message 1: `e`."""
        self._symmetric.mix_ephemeral(self._ephemeral.public)
        return self._ephemeral.public + self._symmetric.encrypt_and_hash(payload)

    def read_1(self, message: bytes) -> bytes:
        """Message 1; return its payload."""
        symmetric = copy(self._symmetric)
        ephemeral, rest = _cut(message, DH_SIZE)
        symmetric.mix_ephemeral(ephemeral)
        payload = symmetric.decrypt_and_hash(rest)
        self._symmetric, self.remote_ephemeral = symmetric, ephemeral
        return payload

    def write_2(self, payload: bytes) -> bytes:
        """Message 2: `e, ee, s, es`; raise `HandshakeFailed` if the initiator's key is invalid."""
        symmetric = copy(self._symmetric)
        symmetric.mix_ephemeral(self._ephemeral.public)
        symmetric.mix_key(_dh(self._ephemeral, self.remote_ephemeral))
        static = symmetric.encrypt_and_hash(self._static.public)
        symmetric.mix_key(_dh(self._static, self.remote_ephemeral))
        self._symmetric = symmetric
        return self._ephemeral.public + static + symmetric.encrypt_and_hash(payload)

    def read_2(self, message: bytes) -> bytes:
        """Message 2; return its payload and sets `remote_static`."""
        symmetric = copy(self._symmetric)
        ephemeral, rest = _cut(message, DH_SIZE)
        sealed_static, rest = _cut(rest, DH_SIZE + TAG_SIZE)
        symmetric.mix_ephemeral(ephemeral)
        symmetric.mix_key(_dh(self._ephemeral, ephemeral))
        static = symmetric.decrypt_and_hash(sealed_static)
        symmetric.mix_key(_dh(self._ephemeral, static))
        payload = symmetric.decrypt_and_hash(rest)
        self._symmetric, self.remote_ephemeral, self.remote_static = symmetric, ephemeral, static
        return payload

    def write_3(self, psk: bytes, payload: bytes) -> bytes:
        """Message 3: `s, se, psk`."""
        static = self._symmetric.encrypt_and_hash(self._static.public)
        self._symmetric.mix_key(_dh(self._static, self.remote_ephemeral))
        self._symmetric.mix_key_and_hash(psk)
        return static + self._symmetric.encrypt_and_hash(payload)

    def read_3(self, psk: bytes, message: bytes) -> bytes:
        """Message 3; return its payload.

        Raise `WrongPsk` if the initiator wrote it, but with another psk, `HandshakeFailed` if it did not
        write it.
        """
        symmetric = copy(self._symmetric)
        sealed_static, rest = _cut(message, DH_SIZE + TAG_SIZE)
        static = symmetric.decrypt_and_hash(sealed_static)
        symmetric.mix_key(_dh(self._ephemeral, static))
        symmetric.mix_key_and_hash(psk)
        try:
            payload = symmetric.decrypt_and_hash(rest)
        except HandshakeFailed:
            raise WrongPsk("The other side shares another key: another table, or a wrong code.") from None
        self._symmetric, self.remote_static = symmetric, static
        return payload

    def split(self) -> tuple[bytes, bytes]:
        """Return the keys, once message 3 is written or read: from initiator to responder, and back."""
        there, back = _hkdf(self._symmetric.ck, b"", 2)
        return there, back
