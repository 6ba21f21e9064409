"""The trust notice: one sentence for everybody about who deals a match and whom one has to trust."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tavolata._engine.match.header import FAIR, STRICT, TOGETHER
from tavolata.messages import N_
from tavolata_protocol.fair.keys import threshold

TRUSTED = N_("The host, {name}, deals the cards and has to be trusted with them.")
ALL_DEAL = N_("All deal together, and nobody alone has to be trusted; but {t} of the {n} machines, if they "
              "conspired, could see hidden cards.")  # fmt: skip
ALL_OF_ALL_DEAL = N_("All deal together, and nobody alone has to be trusted: only all {n} machines together "
                     "could see hidden cards.")  # fmt: skip
ONE_MACHINE = N_("All seats are played on {name}'s machine: who has it could see all hands.")
ONE_MACHINE_REACHES = N_("All deal together, but {name}'s machine holds {k} of the {n} keys, and {t} open "
                         "hidden cards: who has that machine could see all hands.")  # fmt: skip
ALL_WILL_DEAL = N_("All deal together, and nobody alone has to be trusted.")
ALL_DEAL_STRICTLY = N_("All deal together, and nobody alone has to be trusted; nobody may be away.")


def who_deals(
    dealer: str, keys: Sequence[bytes], host: tuple[bytes, str], beside: Collection[bytes] = ()
) -> tuple[str, dict[str, Any]]:
    """The sentence and its parameters.

    Args:
        dealer: the way of dealing, as in `Header`.
        keys: the key of the playing peer, by seat.
        host: the host's key and name.
        beside: the keys of the peers that play on the host's machine, in browsers or otherwise.
    """
    (key, name), peers = host, set(keys)
    on_host = peers & {key, *beside}
    if dealer in TOGETHER and len(peers) > 1:
        n = len(peers)
        if len(on_host) == n:
            return ONE_MACHINE, {"name": name}
        t = n if dealer == STRICT else threshold(n)
        if len(on_host) >= t:
            return ONE_MACHINE_REACHES, {"name": name, "k": len(on_host), "n": n, "t": t}
        if dealer == FAIR:
            return ALL_DEAL if t < n else ALL_OF_ALL_DEAL, {"t": t, "n": n}
    told = {FAIR: ALL_WILL_DEAL, STRICT: ALL_DEAL_STRICTLY}.get(dealer, TRUSTED)
    return told, {"name": name}
