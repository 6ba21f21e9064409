"""Reading something from a web address: the package index, or a newer list of games."""

from __future__ import annotations

import http.client
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tavolata._trouble import trouble
from tavolata.errors import MessageError
from tavolata.messages import N_

PATIENCE: Final = 30
"""The seconds until a server that says nothing counts as silent."""
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class NotFetched(MessageError):
    """An address couldn't be read. `missing` says that the server knows of nothing there."""

    missing = False


def fetch(url: str, *, most: int, accept: str = "*/*") -> bytes:
    """Return what is at an address, up to `most` bytes; raise NotFetched."""
    _refuse_unsafe(url)
    try:
        with urlopen(Request(url, headers={"Accept": accept}), timeout=PATIENCE) as answer:  # noqa: S310 - https
            _refuse_unsafe(answer.geturl())
            data: bytes = answer.read(most + 1)
    except HTTPError as error:
        error.close()
        failed = NotFetched(
            N_("Couldn't read {url}: {problem}."), url=url, problem=f"{error.code} {error.reason}"
        )
        failed.missing = error.code in (404, 410)
        raise failed from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        cause = error.reason if isinstance(error, URLError) else error
        problem = trouble(cause) if isinstance(cause, OSError) else str(cause)
        raise NotFetched(N_("Couldn't read {url}: {problem}."), url=url, problem=problem) from error
    if len(data) > most:
        raise NotFetched(N_("{url} is too large."), url=url)
    return data


def _refuse_unsafe(url: str) -> None:
    """Raise NotFetched for an address that isn't https, unless it's one of this machine."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise NotFetched(N_("{url} must start with https://."), url=url)
