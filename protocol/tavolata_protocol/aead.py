"""Authenticated encryption with libsodium's ChaCha20-Poly1305-IETF.

No other module gives ciphertext from strangers to libsodium. Every datagram passes through here. PyNaCl's
own functions format eight error messages at every call, which takes four times as long as the cipher. So
this module calls libsodium through PyNaCl's compiled module, and checks the lengths that C does not check.
"""

from __future__ import annotations

from nacl._sodium import ffi, lib

KEY_SIZE = 32
NONCE_SIZE = 12
TAG_SIZE = 16


def seal(key: bytes, nonce: bytes, plain: bytes, data: bytes) -> bytes:
    """Encrypt `plain` and authenticate `data` with it.

    The key has 32 bytes. The nonce has 12, and is never used twice with one key.
    """
    _check(key, nonce)
    sealed = bytearray(len(plain) + TAG_SIZE)
    lib.crypto_aead_chacha20poly1305_ietf_encrypt(
        ffi.from_buffer(sealed), ffi.NULL, plain, len(plain), data, len(data), ffi.NULL, nonce, key
    )
    return bytes(sealed)


def unseal(key: bytes, nonce: bytes, sealed: bytes, data: bytes) -> bytes | None:
    """Return the plaintext, or None if these bytes were not sealed with this key, nonce and data."""
    _check(key, nonce)
    if len(sealed) < TAG_SIZE:
        return None
    plain = bytearray(len(sealed) - TAG_SIZE)
    failed = lib.crypto_aead_chacha20poly1305_ietf_decrypt(
        ffi.from_buffer(plain), ffi.NULL, ffi.NULL, sealed, len(sealed), data, len(data), nonce, key
    )
    return None if failed else bytes(plain)


def _check(key: bytes, nonce: bytes) -> None:
    if len(key) != KEY_SIZE or len(nonce) != NONCE_SIZE:
        raise ValueError(f"A key has {KEY_SIZE} bytes and a nonce {NONCE_SIZE}.")
