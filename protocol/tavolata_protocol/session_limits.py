"""Limits on sessions with strangers, because anybody can have a session at an open table.

Strangers are peers that called and are no members. This module chooses the stranger whose session ends when
there are too many. A member's session never ends for that reason.
"""

from __future__ import annotations

from collections.abc import Collection

from tavolata_protocol.addresses import Address, machine
from tavolata_protocol.links import Link

MAX_STRANGERS = 64
"""The most sessions with strangers; the bytes waiting in each are also bounded (`fragments.MAX_WAITING`)."""
MAX_STRANGERS_A_HOST = 32
"""The most sessions with strangers on one machine."""


def one_too_many(strangers: Collection[Link], newcomer: Address) -> Link | None:
    """The stranger whose session ends when another comes from an address; None if there is room.

    It is the one not heard from for the longest time. If the newcomer's machine has too many sessions, one of
    that machine's own ends.
    """
    host = machine(newcomer)
    neighbours = [link for link in strangers if machine(link.address) == host]
    if len(neighbours) >= MAX_STRANGERS_A_HOST:
        return min(neighbours, key=_last_heard)
    return min(strangers, key=_last_heard) if len(strangers) >= MAX_STRANGERS else None


def _last_heard(link: Link) -> float:
    return link.session.last_heard
