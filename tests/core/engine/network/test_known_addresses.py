"""Where tables were joined before is remembered, the last one first, whatever is in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavolata._engine.network.known_addresses import MOST, KnownAddress, keep_address, known_addresses


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, in a folder of the test's own that is not there yet."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data" / "known_tables.json"


def test_the_last_address_comes_first_and_each_once(file: Path) -> None:
    """Joining again moves an address to the front, with the host's name of now."""
    assert known_addresses() == []
    for address, name in (("192.0.2.1", "Ann"), ("[fe80::1%eth0]:9", "Bob"), ("192.0.2.1", "Anna")):
        keep_address(address, name)
    assert known_addresses() == [KnownAddress("192.0.2.1", "Anna"), KnownAddress("[fe80::1%eth0]:9", "Bob")]
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_no_more_are_kept_than_can_be_asked(file: Path) -> None:
    """The oldest ones are forgotten."""
    for number in range(MOST + 5):
        keep_address(f"192.0.2.{number}", "Ann")
    assert len(known_addresses()) == MOST
    assert known_addresses()[0].address == f"192.0.2.{MOST + 4}"


@pytest.mark.parametrize("text", ["", "nonsense", "{}", "[1]", '[{"address": "192.0.2.1"}]', "null"])
def test_a_spoilt_file_counts_as_none(file: Path, text: str) -> None:
    """Nothing is said about it, and the next table is kept."""
    file.parent.mkdir()
    file.write_text(text)
    assert known_addresses() == []
    keep_address("192.0.2.7", "Ann")
    assert known_addresses() == [KnownAddress("192.0.2.7", "Ann")]


def test_a_folder_that_cant_be_written_stops_nobody(file: Path) -> None:
    """The address has to be found anew next time, that is all."""
    file.parent.write_text("a file where the folder should be")
    keep_address("192.0.2.7", "Ann")
    assert known_addresses() == []
