"""The cipher: the RFC's vector, and nothing of a stranger's bytes raises."""

from __future__ import annotations

import pytest

from tavolata_protocol.aead import TAG_SIZE, seal, unseal

KEY = bytes(range(0x80, 0xA0))
NONCE = bytes.fromhex("070000004041424344454647")
DATA = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
TEXT = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)


def test_vector_of_rfc_8439() -> None:
    """Section 2.8.2 of RFC 8439 is reproduced."""
    sealed = seal(KEY, NONCE, TEXT, DATA)
    assert sealed[:16].hex() == "d31a8d34648e60db7b86afbc53ef7ec2"
    assert sealed[-TAG_SIZE:].hex() == "1ae10b594f09e26a7e902ecbd0600691"
    assert unseal(KEY, NONCE, sealed, DATA) == TEXT


@pytest.mark.parametrize("size", range(40))
def test_anything_else_is_none(size: int) -> None:
    """Cut, empty and wrong ciphertext give None at every length."""
    assert unseal(KEY, NONCE, seal(KEY, NONCE, TEXT, DATA)[:size], DATA) is None
    assert unseal(KEY, NONCE, bytes(size), DATA) is None
