"""Addresses, cookies and rates: the small judgements about strangers."""

from __future__ import annotations

import pytest

from tavolata_protocol.addresses import anyone, on_link, show
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.limits import RateLimit

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
def test_on_link_accepts_neighbours_only(host, accepted):
    """Loopback, link-local and the interfaces' networks are neighbours; anything else is not."""
    assert on_link(["192.168.1.5/24", "fd00:1::/64"])((host, 1)) is accepted


def test_anyone_accepts_and_addresses_are_shown():
    """`--any` accepts everyone; addresses are shown as people write them."""
    assert anyone(("8.8.8.8", 1))
    assert show(HERE) == "10.0.0.1:4711"
    assert show(("fe80::1", 5, 0, 2)) == "[fe80::1]:5"


@pytest.mark.parametrize(
    ("address", "nonce", "later", "good"),
    [
        (HERE, b"nonce", 0, True),
        (HERE, b"nonce", 59, True),
        (HERE, b"nonce", 121, False),
        (HERE, b"other", 0, False),
        (("10.0.0.1", 4712), b"nonce", 0, False),
        (("10.0.0.2", 4711), b"nonce", 0, False),
        (("10.0.0.1", 4711, 0, 3), b"nonce", 0, False),
    ],
)
def test_cookie_holds_for_one_address_nonce_and_minute(address, nonce, later, good):
    """A cookie is worth nothing elsewhere, for another nonce, or two minutes later."""
    jar = CookieJar(bytes(32))
    cookie = jar.bake(HERE, b"nonce", 6000.0)
    assert jar.check(address, nonce, cookie, 6000.0 + later) is good


def test_cookies_of_another_start_are_worthless():
    """Another secret bakes other cookies."""
    cookie = CookieJar(bytes(32)).bake(HERE, b"nonce", 0.0)
    assert not CookieJar(b"\x01" * 32).check(HERE, b"nonce", cookie, 0.0)


def test_rate_limit_allows_its_rate_and_refills():
    """Fifty at once, none more, and one more each fiftieth of a second."""
    limit = RateLimit(50, 0.0)
    assert sum(limit.take(0.0) for _ in range(80)) == 50
    assert sum(limit.take(0.1) for _ in range(80)) == 5
    assert sum(limit.take(60.0) for _ in range(80)) == 50
