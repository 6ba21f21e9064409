"""Links of invitations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata._engine.table.invitations import Invitation, read_invitation
from tavolata_protocol.codes import make_code
from tavolata_protocol.identity import PeerId, fingerprint


@given(
    st.sampled_from(["192.168.1.5", "10.0.0.1:9000", "[fe80::1%eth0]:8286", "fd86::1", "laptop.local"]),
    st.binary(min_size=4, max_size=4) | st.none(),
    st.binary(min_size=32, max_size=32) | st.none(),
)
def test_a_link_is_read_as_it_was_made(address: str, random: bytes | None, key: bytes | None) -> None:
    """Address, code and fingerprint come back, whichever of the last two are there."""
    code = "" if random is None else make_code(random)
    one = Invitation(address, code, "" if key is None else fingerprint(PeerId(key)))
    assert read_invitation(f" {one.link()}\n") == one
    assert " " not in one.link()


def test_a_code_alone_is_an_invitation_too() -> None:
    """At the same prompt one may type the code that was read aloud."""
    assert read_invitation("k7f-3qx") == Invitation(code="K7F3QX")


@pytest.mark.parametrize(
    "text",
    [
        "", "tavolata:", "tavolata:/K7F3QX", "tavolata:a/K7F3Q", "tavolata:a/K7F3QX/key",
        "tavolata:a/K7F3QX/00000-00000-00000-00000/more", "http://a/K7F3QX", "K7F3QX K7F3QX",
    ],
)  # fmt: skip
def test_what_is_no_invitation(text: str) -> None:
    """Anything else is none."""
    assert read_invitation(text) is None


@given(st.text(max_size=60))
def test_any_text_is_an_invitation_or_none(text: str) -> None:
    """Nothing that can be pasted breaks it."""
    for words in (text, f"tavolata:{text}"):
        found = read_invitation(words)
        assert found is None or found.address or found.code
