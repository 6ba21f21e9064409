"""In every test here the books are balanced after every entry, whoever plays."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource

from . import books


@pytest.fixture(autouse=True)
def _the_books_are_balanced(monkeypatch: pytest.MonkeyPatch) -> None:
    attach, run = OpenSource.attach, Match.run

    def attach_and_check(self: OpenSource, match: Match) -> None:
        record = self._record

        def record_and_check(entry: Any) -> None:
            if match.table._pieces.laid:
                books.check(match.game)
            record(entry)

        self._record = record_and_check
        attach(self, match)

    def run_and_check(self: Match) -> None:
        run(self)
        if self.table._pieces.laid:
            books.check(self.game)

    monkeypatch.setattr(OpenSource, "attach", attach_and_check)
    monkeypatch.setattr(Match, "run", run_and_check)
