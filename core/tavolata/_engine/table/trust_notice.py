"""The trust notice: one sentence for everybody about who deals a match and whom one has to trust."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from tavolata._engine.match.header import FAIR, STRICT, TOGETHER
from tavolata.messages import N_
from tavolata_protocol.fair.keys import threshold

TRUSTED = N_("{name} deals and could see every card.")
ALL_DEAL = N_("All machines deal together, so no single one has to be trusted. But any {t} of the {n} "
              "together could see hidden cards.")  # fmt: skip
BOTH_DEAL = N_("Both machines deal together, so you don't have to trust either: only both together "
               "could see hidden cards.")  # fmt: skip
ONE_MACHINE = N_("All seats are on {name}'s computer, whose owner could see all hands.")
ONE_ADDRESS = N_("All seats share one address. If it's one computer, its owner could see all hands.")
ONE_ADDRESS_REACHES = N_(
    "Everyone deals together, but {k} of the {n} keys are at {name}'s address, and {t} are "
    "enough to open hidden cards. If it's one computer, its owner could see all hands."
)
ALL_WILL_DEAL = N_("All machines deal together, so no single one has to be trusted.")
ALL_DEAL_STRICTLY = N_(
    "All machines deal together, so no single one has to be trusted. Everyone must stay connected."
)


NARRATES = N_("{name}'s machine narrates: it knows every role.")
NARRATES_AND_PLAYS = N_("{name}'s machine narrates: it knows every role, and {name} is playing.")

NARRATOR_GONE = N_("Only {name}'s machine can narrate, so the match is waiting for it.")
UNOPENED = N_("{name}'s machine narrated but revealed nothing at the end. The match has no result.")
HAS_NARRATED = N_("{name}'s machine narrated: it knew every role.")


def who_narrates(name: str, *, plays: bool) -> tuple[str, dict[str, Any]]:
    """Return the sentence for a game with a narrator, and its parameters."""
    return NARRATES_AND_PLAYS if plays else NARRATES, {"name": name}


def who_deals(
    dealer: str,
    keys: Sequence[bytes],
    host: tuple[bytes, str],
    owners: Mapping[bytes, str],
    *,
    serves: bool = False,
) -> tuple[str, dict[str, Any]]:
    """Return the sentence and its parameters. Peers that share an address count as one machine.

    `keys` are those of the playing peers, by seat, `host` its key and name. `owners` has, by peer, the name
    of the first player on its machine; a missing peer has its own. `serves`: the host's machine serves people
    in browsers.
    """
    peers = sorted(set(keys))
    if serves and peers == [host[0]]:
        return ONE_MACHINE, {"name": host[1]}
    if dealer in TOGETHER and len(peers) > 1:
        held = Counter(owners.get(peer, peer) for peer in peers).most_common()
        (name, most), n = held[0], len(peers)
        if len(held) == 1:
            return ONE_ADDRESS, {}  # of one computer, or of a router or tunnel before several
        t = n if dealer == STRICT else threshold(n)
        if most >= t:
            return ONE_ADDRESS_REACHES, {"name": name, "k": most, "n": n, "t": t}
        if dealer == FAIR:
            enough = 1 + next(at for at, sum_ in enumerate(accumulate(k for _, k in held)) if sum_ >= t)
            # of three machines or more, it never takes all: t keys are two thirds of them
            return (ALL_DEAL, {"t": enough, "n": len(held)}) if enough < len(held) else (BOTH_DEAL, {})
    return {FAIR: ALL_WILL_DEAL, STRICT: ALL_DEAL_STRICTLY}.get(dealer, TRUSTED), {"name": host[1]}
