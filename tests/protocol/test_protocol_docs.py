"""The pages about the protocol and its log say what the code does, table by table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavolata_protocol.handshake import VERSIONS
from tavolata_protocol.messages.packets import WIRE_MAJOR

from .drawn import DOCS, PAGES, section


@pytest.mark.parametrize(
    ("page", "name"), [(page, name) for page, sections in PAGES.items() for name in sections]
)
def test_each_table_is_drawn_from_the_code(page: Path, name: str) -> None:
    """Whoever changes a message, a bound or a state changes the page: `python -m tests.protocol.drawn`."""
    assert section(page.read_text(encoding="utf-8"), name)[1] == PAGES[page][name]()


def test_it_names_the_versions() -> None:
    """The page is about the versions that the program speaks."""
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert f"wire version {WIRE_MAJOR}, protocol version {max(VERSIONS)}" in page
