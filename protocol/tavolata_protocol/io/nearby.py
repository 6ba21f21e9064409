"""Nearby sources, which a table answers by default: on this machine's networks, or behind its tunnels."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tavolata_protocol.addresses import Address, Predicate, on_link
from tavolata_protocol.io.interfaces import Interface, interfaces, source_to, way_out

LOOK_AGAIN = 2.0
"""Seconds after which the interfaces are read again; a laptop may change networks during a game."""
MOST_TOLD = 3
"""The most distant machines that are reported, so that nobody can fill a screen."""


def near(found: Sequence[Interface]) -> Predicate:
    """Accept who is on the networks of these interfaces, and who is reached through a tunnel.

    A tunnel (WireGuard, Tailscale) often has an address alone. Then no network says who is at the other ends,
    but the routes do. An interface with a default route is no tunnel: the whole internet is behind it.
    """
    linked = on_link([network for one in found for network in one.networks])
    out = {way_out(4), way_out(6)}
    tunnels = {
        host for one in found if one.has_no_network and out.isdisjoint(one.hosts) for host in one.hosts
    }

    def judge(address: Address) -> bool:
        return linked(address) or (bool(tunnels) and source_to(address[0]) in tunnels)

    return judge


class Nearby:
    """Decides whether a source is nearby; see `Endpoint`'s `accept`.

    Attributes:
        everybody: whether every source is accepted, wherever it is.
        on_far: called with a machine the first time that it is not answered.
    """

    def __init__(self) -> None:
        self.everybody = False
        self.on_far: Callable[[str], None] = lambda _: None
        self._near: Predicate = on_link(())
        self._seen_at = float("-inf")
        self._told: set[str] = set()

    def __call__(self, address: Address) -> bool:
        """Whether to answer this source."""
        if self.everybody or self._is_near(address):
            return True
        if address[0] not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(address[0])
            self.on_far(address[0])
        return False

    def _is_near(self, address: Address) -> bool:
        now = time.monotonic()
        if now - self._seen_at >= LOOK_AGAIN:
            self._seen_at = now
            self._near = near(interfaces())
        return self._near(address)
