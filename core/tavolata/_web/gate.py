"""Who is let in to the pages of a table: tokens, cookies, and where a request says it comes from. Pure.

A browser brings one of two secrets: the token of the invitation, which is the same for all newcomers and
gives a seat once, or the token of its seat, in a cookie. Whoever has neither learns nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Collection
from urllib.parse import urlsplit

SEATS = 24
"""Browsers that can have a seat; each may cost this machine a process."""
LARGEST = 500
"""Columns or rows of a terminal in a browser."""


def new_token() -> str:
    """128 bits of chance in 22 signs, which keep the QR code of a link small."""
    return secrets.token_urlsafe(16)


def matches(given: str, token: str) -> bool:
    """Whether that is the token; how long it takes to see says nothing."""
    return hmac.compare_digest(given.encode(), token.encode())


def seat_key(token: str) -> str:
    """What a seat is kept under: who reads it can't take the seat."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def web_link(host: str, port: int, token: str) -> str:
    """The address that a newcomer opens."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/?seat={token}"


def is_own_name(header: str, port: int, names: Collection[str]) -> bool:
    """Whether the `Host` of a request is this server under a number or a name that this machine has.

    A page of somebody else can have its name lead here (DNS rebinding), but it can't have a number as name.

    Args:
        header: the `Host` of the request.
        port: the own port.
        names: names of this machine, in small letters.
    """
    try:
        parts = urlsplit(f"//{header}")
        host, given = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return False
    if (given or 80) != port or parts.netloc != header or "@" in header:
        return False
    if host in names:
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_own_page(origin: str | None, header: str) -> bool:
    """Whether a request comes from a page of this server, as its `Origin` says."""
    return origin is not None and origin.lower() == f"http://{header}".lower()


def size_of(width: object, height: object) -> tuple[int, int]:
    """Columns and rows that a browser asks for, within reason; 80x24 for what is no number."""

    def cells(given: object, usual: int) -> int:
        try:
            return min(LARGEST, max(1, int(str(given))))
        except ValueError:
            return usual

    return cells(width, 80), cells(height, 24)


def spoken_language(accepted: str, known: Collection[str], usual: str) -> str:
    """The first language of an `Accept-Language` that the program speaks.

    Args:
        accepted: the header, such as `it-IT,it;q=0.9,en;q=0.8`.
        known: the languages that the program speaks.
        usual: what is spoken otherwise.
    """
    weighed = []
    for place, one in enumerate(accepted.split(",")):
        name, _, quality = one.strip().partition(";q=")
        try:
            weighed.append((-float(quality or 1), place, name.partition("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(weighed) if name in known), usual)
