"""A `tt` that narrates one thing falsely.

python tests/network/bending.py host werewolf ...

To the first seat that visits somebody it tells another dream than the true one. Everything else is the real
program.
"""

from __future__ import annotations

import sys
from typing import Any

from typing_extensions import override

from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.peer import participation
from tavolata.assertions import Narration


class BendingDealer(HostDealer):
    """A dealer that bends the first thing that it tells of a night."""

    _bent = 0

    @override
    def work_out(self, one: Narration) -> Any:
        true = super().work_out(one)
        if one.fact.__name__ != "seen" or self._bent not in (0, one.id):
            return true
        self._bent = one.id
        return next(other for other in type(true) if other is not true)


if __name__ == "__main__":
    from tavolata._cli import main

    vars(participation)["HostDealer"] = BendingDealer
    sys.exit(main())
