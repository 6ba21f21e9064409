"""The trust notice: one sentence for everybody about who deals a match and whom one has to trust."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tavolata._engine.match.header import FAIR, STRICT
from tavolata.messages import N_
from tavolata_protocol.fair.keys import threshold

TRUSTED = N_("The host, {name}, deals the cards and has to be trusted with them.")
ALL_DEAL = N_("All deal together, and nobody has to be trusted; but {t} of the {n} machines, if they "
              "conspired, could see hidden cards.")  # fmt: skip
ALL_OF_ALL_DEAL = N_("All deal together, and nobody has to be trusted: only all {n} machines together could "
                     "see hidden cards.")  # fmt: skip
ALL_WILL_DEAL = N_("All deal together, and nobody has to be trusted.")
ALL_DEAL_STRICTLY = N_("All deal together, and nobody has to be trusted; nobody may be away.")


def who_deals(dealer: str, keys: Sequence[bytes], host: str) -> tuple[str, dict[str, Any]]:
    """The sentence and its parameters.

    Args:
        dealer: the way of dealing, as in `Header`.
        keys: the key of the playing peer, by seat.
        host: the host's name.
    """
    machines = len(set(keys))
    if dealer == FAIR and machines > 1:
        t = threshold(machines)
        return ALL_DEAL if t < machines else ALL_OF_ALL_DEAL, {"t": t, "n": machines}
    told = {FAIR: ALL_WILL_DEAL, STRICT: ALL_DEAL_STRICTLY}.get(dealer, TRUSTED)
    return told, {"name": host}
