"""The page about the protocol says what the code does, table by table."""

from __future__ import annotations

import pytest

from tavolata_protocol.handshake import VERSIONS
from tavolata_protocol.messages.packets import WIRE_MAJOR

from .drawn import PAGE, SECTIONS, section


@pytest.mark.parametrize("name", SECTIONS)
def test_each_table_is_drawn_from_the_code(name: str) -> None:
    """Whoever changes a message, a bound or a duration changes the page: `python -m tests.protocol.drawn`."""
    assert section(PAGE.read_text(encoding="utf-8"), name)[1] == SECTIONS[name]()


def test_it_names_the_versions() -> None:
    """The page is about the versions that the program speaks."""
    page = PAGE.read_text(encoding="utf-8")
    assert f"wire version {WIRE_MAJOR}, protocol version {max(VERSIONS)}" in page
