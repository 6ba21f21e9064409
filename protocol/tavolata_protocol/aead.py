"""ChaCha20-Poly1305-IETF over PyNaCl: the one place where ciphertext of strangers meets the library."""

from __future__ import annotations

from nacl import bindings
from nacl.exceptions import CryptoError

TAG_SIZE = 16


def seal(key: bytes, nonce: bytes, plain: bytes, data: bytes) -> bytes:
    """Encrypt `plain` and bind `data` to it: key 32 bytes, nonce 12, never the same twice under one key."""
    return bindings.crypto_aead_chacha20poly1305_ietf_encrypt(plain, data, nonce, key)


def unseal(key: bytes, nonce: bytes, sealed: bytes, data: bytes) -> bytes | None:
    """The plaintext, or None when these bytes were not sealed with this key, nonce and data."""
    if len(sealed) < TAG_SIZE:
        return None  # PyNaCl computes a negative size and raises ValueError
    try:
        return bindings.crypto_aead_chacha20poly1305_ietf_decrypt(sealed, data, nonce, key)
    except CryptoError:
        return None
