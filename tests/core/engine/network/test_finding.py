"""The search for tables: what is remembered is asked, whatever stands in its file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Self

import pytest

from tavolata._engine.network import finding
from tavolata._engine.network.finding import finder


@pytest.mark.parametrize("odd", ["a..b", "x" * 64 + ":8286", "a:70000", "[::1", "", "\u00e8" * 70])
def test_an_odd_line_among_the_remembered_tables_ends_no_search(
    odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The addresses after it are asked all the same."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    lines = [{"address": odd, "name": "Odd"}, {"address": "127.0.0.1:8299", "name": "Ann"}]
    (tmp_path / "known_tables.json").write_text(json.dumps(lines))
    asked: list[object] = []

    class Search:
        """It notes where it would ask."""

        def __init__(self, _token: object, remembered: list[object]) -> None:
            asked.extend(remembered)

        async def __aenter__(self) -> Self:
            return self

        async def __aexit__(self, *_: object) -> None:
            return

    monkeypatch.setattr(finding, "Search", Search)

    async def main() -> None:
        async with finder():
            assert asked[-1] == ("127.0.0.1", 8299)

    asyncio.run(main())
