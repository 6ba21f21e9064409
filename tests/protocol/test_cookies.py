"""Cookies: worth something at one address, for one nonce, for a minute or two."""

from __future__ import annotations

import pytest

from tavolata_protocol.addresses import Address
from tavolata_protocol.cookies import CookieJar

HERE = ("10.0.0.1", 4711)


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
def test_cookie_holds_for_one_address_nonce_and_minute(
    address: Address, nonce: bytes, later: float, good: bool
) -> None:
    """A cookie is worth nothing elsewhere, for another nonce, or two minutes later."""
    jar = CookieJar(bytes(32))
    cookie = jar.bake(HERE, b"nonce", 6000.0)
    assert jar.check(address, nonce, cookie, 6000.0 + later) is good


def test_cookies_of_another_start_are_worthless() -> None:
    """Another secret bakes other cookies."""
    cookie = CookieJar(bytes(32)).bake(HERE, b"nonce", 0.0)
    assert not CookieJar(b"\x01" * 32).check(HERE, b"nonce", cookie, 0.0)
