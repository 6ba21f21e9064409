"""Identities, and the judgement about names."""

from __future__ import annotations

import pytest

from tavolata_protocol.identity import (
    Acquaintance,
    Identity,
    KnownNames,
    PeerId,
    fingerprint,
    verify,
)

ONE, TWO = Identity(bytes(32)), Identity(b"\x01" * 32)


def test_seed_gives_the_same_identity() -> None:
    """The same seed is the same peer, and the key is that of RFC 8032's construction."""
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    assert Identity(seed).peer.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_wrong_seed_is_refused() -> None:
    """A seed of another length is a mistake of the caller."""
    with pytest.raises(ValueError, match="32 bytes"):
        Identity(b"short")


def test_signature_holds_for_its_purpose_peer_and_text_only() -> None:
    """A signature proves one text of one peer for one purpose."""
    signature = ONE.sign(b"purpose", b"text")
    assert verify(ONE.peer, b"purpose", b"text", signature)
    assert not verify(TWO.peer, b"purpose", b"text", signature)
    assert not verify(ONE.peer, b"other", b"text", signature)
    assert not verify(ONE.peer, b"purpose", b"texT", signature)
    assert not verify(ONE.peer, b"purposet", b"ext", signature)


@pytest.mark.parametrize(
    ("peer", "signature"), [(b"", bytes(64)), (bytes(32), b""), (b"\xff" * 32, bytes(64))]
)
def test_nonsense_verifies_as_false(peer: bytes, signature: bytes) -> None:
    """Keys and signatures of any shape give False, never an exception."""
    assert not verify(PeerId(peer), b"purpose", b"text", signature)


def test_names_are_judged_as_ssh_does() -> None:
    """First seen, then known, then a changed key that stays until a person decides."""
    names = KnownNames()
    assert names.judge("anna", ONE.peer) is Acquaintance.FIRST_SEEN
    names.remember("anna", ONE.peer)
    assert names.judge("anna", ONE.peer) is Acquaintance.KNOWN
    assert names.judge("anna", TWO.peer) is Acquaintance.CHANGED_KEY
    assert names.snapshot() == {"anna": {ONE.peer: 0.0}}
    names.remember("anna", TWO.peer)
    for peer in (ONE.peer, TWO.peer):  # two of that name
        assert names.judge("anna", peer) is Acquaintance.KNOWN


def test_fingerprints_are_readable_and_differ() -> None:
    """Four groups of five Crockford characters, stable, and different for different keys."""
    text = fingerprint(ONE.peer)
    assert [len(group) for group in text.split("-")] == [5, 5, 5, 5]
    assert not set(text) & set("ilou")
    assert text == fingerprint(ONE.peer) != fingerprint(TWO.peer)
