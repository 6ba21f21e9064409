"""ChaCha20-Poly1305-IETF of libsodium: the one place where ciphertext of strangers meets the library.

PyNaCl's own functions word eight sentences of possible complaint at every call, which takes four times as
long as the cipher does, and every datagram passes here. So libsodium is called through PyNaCl's compiled
module, and the lengths that C does not check are checked here.
"""

from __future__ import annotations

from nacl._sodium import ffi, lib

KEY_SIZE = 32
NONCE_SIZE = 12
TAG_SIZE = 16


def seal(key: bytes, nonce: bytes, plain: bytes, data: bytes) -> bytes:
    """Encrypt `plain` and bind `data` to it: key 32 bytes, nonce 12, never the same twice under one key."""
    _check(key, nonce)
    sealed = bytearray(len(plain) + TAG_SIZE)
    lib.crypto_aead_chacha20poly1305_ietf_encrypt(
        ffi.from_buffer(sealed), ffi.NULL, plain, len(plain), data, len(data), ffi.NULL, nonce, key
    )
    return bytes(sealed)


def unseal(key: bytes, nonce: bytes, sealed: bytes, data: bytes) -> bytes | None:
    """The plaintext, or None when these bytes were not sealed with this key, nonce and data."""
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
