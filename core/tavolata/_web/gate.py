"""Access control for the pages of a table: tokens, cookies, and the origin of a request. Pure.

A browser presents one of two secrets. The token of the invitation is the same for all newcomers and
gives each browser one seat. The token of a seat is stored in a cookie. Without a token, access is denied.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from tavolata import _machine

SEATS = 24
"""The most browsers that can have a seat or look on; each is a person whom this machine serves."""


def new_token() -> str:
    """Return 128 random bits in 22 characters, so that the QR code of a link stays small."""
    return base64.urlsafe_b64encode(_machine.token(16)).rstrip(b"=").decode()


def is_token(given: str) -> bool:
    """Return True if this may be a token; a browser may send any bytes as one."""
    return re.fullmatch(r"[A-Za-z0-9_-]{22}", given, re.ASCII) is not None


def matches(given: str, token: str) -> bool:
    """Return True if `given` is the token, compared in constant time."""
    return is_token(given) and hmac.compare_digest(given.encode(), token.encode())


def seat_key(token: str) -> str:
    """Return the key under which a seat is stored; a reader of the key can't take the seat."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def web_link(host: str, port: int, token: str) -> str:
    """Return the link for newcomers: mostly 53 characters at most, as many as a small QR code holds."""
    return f"{bare_link(host, port)}/?s={token}"


def bare_link(host: str, port: int) -> str:
    """Return the address of the pages, from which a browser knocks."""
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{port}"


def is_own_name(header: str, port: int, names: Collection[str]) -> bool:
    """Return True if the `Host` of a request is an IP address or a name of this machine, with our port.

    A foreign site can point its own name at this machine (DNS rebinding), but its name is no IP address.
    `names` are in lower case.
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
    """Return True if a request comes from a page of this server, according to its `Origin`."""
    return origin is not None and origin.lower() == f"http://{header}".lower()


def spoken_language(accepted: str, known: Collection[str], usual: str) -> str:
    """Return the first known language of an `Accept-Language`, such as `it-IT,it;q=0.9`; else `usual`."""
    weighed = []
    for place, one in enumerate(accepted.split(",")):
        name, _, quality = one.strip().partition(";q=")
        try:
            weighed.append((-float(quality or 1), place, name.partition("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(weighed) if name in known), usual)
