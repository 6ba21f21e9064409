"""A `tt` that says false things of hidden cards: each first fact of a match that it declares is false.

python tests/network/fibbing.py join ADDRESS ...

Everything else is the real program. It says the value that the fact has for other faces of the deck.
"""

from __future__ import annotations

import sys
from typing import Any

from tavolata._engine.match.match import Match
from tavolata.assertions import UNSAID, Declaration
from tavolata.bots import Chance
from tavolata.view import View


def fib() -> None:
    """Have this process lie once."""
    true, chance, told = View.worked_out, Chance(1), set[int]()

    def worked_out(view: View, one: Declaration) -> Any:
        value = true(view, one)
        for _ in range(100):
            false = one.work_out(lambda card: chance.pick(card.deck.faces), lambda _: value)
            if value is not UNSAID and not told and false != value:
                told.add(one.id)
                return false
        return value

    View.worked_out = worked_out  # type: ignore[method-assign, assignment]
    Match.check_claim = lambda *_, **__: None  # type: ignore[method-assign]


if __name__ == "__main__":
    from tavolata._cli import main

    fib()
    sys.exit(main())
