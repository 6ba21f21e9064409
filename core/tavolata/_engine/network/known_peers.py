"""Names and keys of known peers, judged by what was known when the session began.

Fellow players are remembered. A peer met for the first time counts as new for the whole session.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from tavolata import _dirs
from tavolata._engine.network.identities import keep_names, known_names
from tavolata_protocol.identity import SEED_SIZE, Acquaintance, Identity, PeerId


class KnownPeers:
    """The names and keys that this machine knew when this was made, and those it meets."""

    def __init__(self) -> None:
        self._before = known_names()
        self._confirmed: set[tuple[str, PeerId]] = set()

    def judge(self, name: str, peer: PeerId) -> Acquaintance:
        """What a name and a key mean together."""
        if (name.casefold(), peer) in self._confirmed:
            return Acquaintance.KNOWN
        return self._before.judge(name.casefold(), peer)

    def remember(self, name: str, peer: PeerId) -> None:
        """Bind a name to a key from now on, also in place of another: somebody has decided so."""
        self._confirmed.add((name.casefold(), peer))
        self._keep([(name, peer)])

    def played_with(self, people: Iterable[tuple[str, PeerId]]) -> None:
        """Remember those who were not met before; whose key has changed stays as remembered."""
        fresh = [
            (name, peer)
            for name, peer in people
            if self.judge(name, peer) is Acquaintance.FIRST_SEEN and peer not in self._here
        ]
        if fresh:
            self._keep(fresh)

    @cached_property
    def _here(self) -> frozenset[PeerId]:
        """The keys of this machine's own `tt`s, which sit down under any name."""
        seeds = (path.read_bytes() for path in (Path(_dirs.data_dir()) / "identities").glob("*/key"))
        return frozenset(Identity(seed).peer for seed in seeds if len(seed) == SEED_SIZE)

    def _keep(self, people: Iterable[tuple[str, PeerId]]) -> None:
        names = known_names()  # another `tt` may have met somebody meanwhile
        for name, peer in people:
            names.remember(name.casefold(), peer)
        keep_names(names)
