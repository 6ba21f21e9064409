"""Whose session ends where strangers hold too many: at an open table anybody can have one.

Strangers are peers that called and are no members. Which of them goes is said here; members never do.
"""

from __future__ import annotations

from collections.abc import Collection

from tavolata_protocol.addresses import Address
from tavolata_protocol.links import Link

MAX_STRANGERS = 64
"""Sessions with strangers; what each may have waiting is bounded, too (`fragments.MAX_WAITING`)."""
MAX_STRANGERS_A_HOST = 32
"""So many of them at most with one machine."""


def one_too_many(strangers: Collection[Link], newcomer: Address) -> Link | None:
    """The stranger that goes when one more comes from an address: the one not heard of for longest.

    A machine with too many loses one of its own.
    """
    neighbours = [link for link in strangers if link.address[0] == newcomer[0]]
    if len(neighbours) >= MAX_STRANGERS_A_HOST:
        return min(neighbours, key=_last_heard)
    return min(strangers, key=_last_heard) if len(strangers) >= MAX_STRANGERS else None


def _last_heard(link: Link) -> float:
    return link.session.last_heard
