"""State claims: what machines signed about the state of the running match, to find replicas that differ.

At the end of a match each party claims its state. Until then the digests of the log travel unsigned, and only
between the leader and each follower. Whoever sees two that differ claims its own in the log, and so does
every other party that reads a claim with another one. Two claims that contradict each other are signed by
their authors, and all machines read them at the same entry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MOST: Final = 16
"""The entries about which the claims of a party are kept, so that no liar crowds out what others claim."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two parties of a single match claim different states after one entry of the log.

    `digests` has the claims so far, by party in the order in which they came.
    """

    number: int
    digests: dict[bytes, bytes]


@dataclass(slots=True)
class StateClaims:
    digests: dict[int, dict[bytes, bytes]] = field(default_factory=dict)

    def take(self, party: bytes, number: int, digest: bytes) -> Difference | None:
        """Note a party's claim; return the difference, if it contradicts another party's.

        The party has a seat in the match. `digest` is empty if no turn ended at that entry of the log.
        """
        claims = self.digests.setdefault(number, {})
        claims.setdefault(party, digest)
        others = [at for at, said in self.digests.items() if party in said and at != number]
        if len(others) >= MOST:
            del self.digests[others[0]][party]
            self.digests = {at: said for at, said in self.digests.items() if said}
        return Difference(number, claims) if len(set(claims.values())) > 1 else None
