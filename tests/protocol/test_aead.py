"""The cipher: the RFC's vector, Wycheproof's, and nothing of a stranger's bytes raises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

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


def test_keys_and_nonces_have_their_length() -> None:
    """What C would read beyond the end of is refused."""
    for key, nonce in ((KEY[1:], NONCE), (KEY, NONCE[1:]), (KEY + b"k", NONCE), (b"", b"")):
        with pytest.raises(ValueError, match="32 bytes"):
            seal(key, nonce, TEXT, DATA)
        with pytest.raises(ValueError, match="32 bytes"):
            unseal(key, nonce, TEXT, DATA)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=12, max_size=12), st.binary(), st.binary())
def test_it_is_what_the_library_itself_does(key: bytes, nonce: bytes, plain: bytes, data: bytes) -> None:
    """PyNaCl's public functions give the same bytes, and open them."""
    sealed = seal(key, nonce, plain, data)
    assert sealed == bindings.crypto_aead_chacha20poly1305_ietf_encrypt(plain, data, nonce, key)
    assert unseal(key, nonce, sealed, data) == plain
    assert unseal(key, nonce, sealed, data + b"!") is None


WYCHEPROOF = Path(__file__).with_name("vectors") / "wycheproof-chacha20-poly1305.json"
"""A selection; source and licence stand in it."""


@pytest.mark.parametrize("case", json.loads(WYCHEPROOF.read_text())["tests"], ids=lambda case: case["tcId"])
def test_vectors_of_wycheproof(case: dict[str, Any]) -> None:
    """Edge cases of the arithmetic are right both ways; a changed tag opens nothing."""
    key, nonce, data, text, sealed, tag = (
        bytes.fromhex(case[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
    )
    if case["result"] == "valid":
        assert seal(key, nonce, text, data) == sealed + tag
        assert unseal(key, nonce, sealed + tag, data) == text
    else:
        assert unseal(key, nonce, sealed + tag, data) is None


@pytest.mark.parametrize("size", range(40))
def test_anything_else_is_none(size: int) -> None:
    """Cut, empty and wrong ciphertext give None at every length."""
    assert unseal(KEY, NONCE, seal(KEY, NONCE, TEXT, DATA)[:size], DATA) is None
    assert unseal(KEY, NONCE, bytes(size), DATA) is None
