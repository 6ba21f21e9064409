"""A `tt` that says false things of hidden cards, by what it declares or by what it plays.

python tests/network/fibbing.py join ADDRESS ...
python tests/network/fibbing.py --revoke join ADDRESS ...

Everything else is the real program. It says once in a match the value that a fact has for other faces of the
deck; or its bot plays what only a false claim allows, wherever it can.
"""

from __future__ import annotations

import sys
from typing import Any

from tavolata import Ask
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


def revoke() -> None:
    """Have the bots of this process answer against their claims."""
    true = View.allows

    def allows(view: View, ask: Ask, value: object) -> bool:
        return ask.claim is None or not true(view, ask, value)

    View.allows = allows  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    from tavolata._cli import main

    if sys.argv[1] == "--revoke":
        del sys.argv[1]
        revoke()
    else:
        fib()
    Match.check_claim = lambda *_, **__: None  # type: ignore[method-assign]
    sys.exit(main())
