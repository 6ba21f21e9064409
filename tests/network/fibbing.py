"""A `tt` that says false things of hidden cards, by what it declares or by what it plays.

python tests/network/fibbing.py join ADDRESS ...
python tests/network/fibbing.py --revoke join ADDRESS ...

Everything else is the real program. It says once in a match the value that a fact has for other faces of the
deck; or its bot plays what only a false claim allows, wherever it can.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any

from typing_extensions import override

from tavolata import Ask
from tavolata._engine.match.match import Match
from tavolata._engine.peer import peer
from tavolata._engine.peer.peer import PeerSession
from tavolata.assertions import UNSAID, Declaration
from tavolata.bots import Chance
from tavolata.view import View
from tavolata_protocol.entries import Entry


class FalseView(View):
    """What a seat may know, for somebody who lies about it; the views of a match share `told`, the lies."""

    def __init__(self, true: View, told: set[int]) -> None:
        super().__init__(*(getattr(true, one.name) for one in fields(View) if one.init))
        self.true = true
        self.told = told
        self.chance = Chance(1)


class FibbingView(FalseView):
    """One that declares something false once."""

    @override
    def worked_out(self, one: Declaration) -> Any:
        value = super().worked_out(one)
        for _ in range(100):
            false = one.work_out(lambda card: self.chance.pick(card.deck.faces), lambda _: value)
            if value is not UNSAID and not self.told and false != value:
                self.told.add(one.id)
                return false
        return value


class RevokingView(FalseView):
    """One that allows what only a false claim allows."""

    @override
    def holds(self, ask: Ask, value: object) -> bool:
        return ask.claim is None or not super().holds(ask, value)


class FibbingSession(PeerSession):
    """A session whose matches are seen through false views and take every claim."""

    __slots__ = ()
    sight: type[FalseView] = FibbingView
    _false: Match | None = None

    @override
    def _on_entry(self, entry: Entry) -> bool:
        is_move = super()._on_entry(entry)
        if self.match is not None and self.match is not self._false:
            self._false = self.match
            self._falsify(self.match)
        return is_move

    def _falsify(self, match: Match) -> None:
        true, told = match.view, set[int]()
        views: dict[int | None, FalseView] = {}

        def view(seat: int | None) -> View:
            seen = true(seat)
            if seat not in views or views[seat].true is not seen:  # a match makes its views anew after BACK
                views[seat] = self.sight(seen, told)
            return views[seat]

        match.view = view  # type: ignore[method-assign]
        match.check_claim = lambda *_, **__: None  # type: ignore[method-assign]


if __name__ == "__main__":
    from tavolata._cli import main

    if sys.argv[1] == "--revoke":
        del sys.argv[1]
        FibbingSession.sight = RevokingView
    peer.PeerSession = FibbingSession  # type: ignore[misc]
    sys.exit(main())
