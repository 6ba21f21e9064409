"""Addresses: who is a neighbour."""

from __future__ import annotations

import pytest

from tavolata_protocol.addresses import anyone, is_sendable, on_link, show

HERE = ("10.0.0.1", 4711)


@pytest.mark.parametrize(
    ("host", "accepted"),
    [
        ("192.168.1.77", True),
        ("192.168.2.77", False),
        ("127.0.0.1", True),
        ("::1", True),
        ("fe80::1", True),
        ("fe80::1%eth0", True),
        ("169.254.3.4", True),
        ("fd00:1::5", True),
        ("2001:db8::1", False),
        ("::ffff:192.168.1.9", True),
        ("8.8.8.8", False),
        ("no address", False),
    ],
)
def test_on_link_accepts_neighbours_only(host: str, accepted: bool) -> None:
    """Loopback, link-local and the interfaces' networks are neighbours; anything else is not."""
    assert on_link(["192.168.1.5/24", "fd00:1::/64"])((host, 1)) is accepted


def test_anyone_accepts_and_addresses_are_shown() -> None:
    """`--any` accepts everyone; addresses are shown as people write them."""
    assert anyone(("8.8.8.8", 1))
    assert show(HERE) == "10.0.0.1:4711"
    assert show(("fe80::1", 5, 0, 2)) == "[fe80::1]:5"


@pytest.mark.parametrize(
    ("host", "port", "sendable"),
    [
        ("192.168.1.5", 1, True),
        ("fe80::1%eth0", 65535, True),
        ("192.168.1.5", 0, False),
        ("192.168.1.5", 65536, False),
        ("example.org", 4711, False),
        ("", 4711, False),
    ],
)
def test_only_a_numeric_address_with_a_port_can_be_sent_to(host: str, port: int, sendable: bool) -> None:
    """A name would be looked up while everybody waits, and a socket raises for ports that are none."""
    assert is_sendable((host, port)) is sendable
