"""Whom one has met, and where tables were joined before, is remembered, whatever is in the files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tavolata._engine.network.identities import OwnIdentity
from tavolata._engine.network.known_peers import (
    MOST_ADDRESSES,
    KnownAddress,
    KnownPeers,
    keep_address,
    keep_names,
    known_addresses,
    known_names,
)
from tavolata_protocol.identity import Acquaintance, Identity


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own that is not there yet."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def file(home: Path) -> Path:
    """The file of the addresses."""
    return home / "known_tables.json"


def test_the_last_address_comes_first_and_each_once(file: Path) -> None:
    """Joining again moves an address to the front, with the host's name of now."""
    assert known_addresses() == []
    for address, name in (("192.0.2.1", "Ann"), ("[fe80::1%eth0]:9", "Bob"), ("192.0.2.1", "Anna")):
        keep_address(address, name)
    assert known_addresses() == [KnownAddress("192.0.2.1", "Anna"), KnownAddress("[fe80::1%eth0]:9", "Bob")]
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_no_more_are_kept_than_can_be_asked(file: Path) -> None:
    """The oldest ones are forgotten."""
    for number in range(MOST_ADDRESSES + 5):
        keep_address(f"192.0.2.{number}", "Ann")
    assert len(known_addresses()) == MOST_ADDRESSES
    assert known_addresses()[0].address == f"192.0.2.{MOST_ADDRESSES + 4}"


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


def test_whom_one_has_met_is_remembered(home: Path) -> None:
    """Names and keys come back from the file; a file that is spoilt counts as nobody met."""
    own = OwnIdentity()
    names = known_names()
    names.remember("ann", own.identity.peer)
    keep_names(names)
    assert known_names().snapshot() == {"ann": {own.identity.peer: 0.0}}
    path = home / "known_names.json"
    key = "00" * 32
    for spoilt in (
        "", "[]", '{"ann": 7}', '{"ann": "xyz"}', '{"ann": "00"}', "[" * 100_000, '{"ann": {"00": 1}}',
        f'{{"ann": {{"{key}": -1}}}}', f'{{"ann": {{"{key}": 1e300}}}}', f'{{"ann": {{"{key}": NaN}}}}',
    ):  # fmt: skip
        path.write_text(spoilt)
        assert known_names().snapshot() == {}
    own.close()


def test_a_value_that_can_not_be_read_costs_nothing_but_itself(home: Path, file: Path) -> None:
    """Whoever else is in the file is still known, and stays in it when somebody new is met."""
    ann, ben = Identity(bytes(32)).peer, Identity(bytes(31) + b"1").peer
    key = bytes(ann).hex()
    home.mkdir()
    for spoilt in ('"ben": 7', '"ben": {"xyz": 1}', '"ben": {"00": 1}', f'"ben": {{"{key}": "long ago"}}'):
        (home / "known_names.json").write_text(f'{{{spoilt}, "ann": {{"zz": 2, "{key}": 1}}}}')
        assert known_names().snapshot() == {"ann": {ann: 1}}
        KnownPeers().remember("Cleo", ben)
        assert KnownPeers().judge("Ann", ben) is Acquaintance.CHANGED_KEY
    file.write_text('[7, {"address": "192.0.2.1", "name": "Ann"}, {"name": "Ben"}]')
    assert known_addresses() == [KnownAddress("192.0.2.1", "Ann")]


def test_who_was_played_with_is_known_the_next_time() -> None:
    """First seen all evening, known the next; another key by that name is said so, until confirmed."""
    ann, other = Identity(bytes(32)).peer, Identity(bytes(31) + b"1").peer
    evening = KnownPeers()
    assert evening.judge("Ann", ann) is Acquaintance.FIRST_SEEN
    evening.played_with([("Ann", ann)])
    assert evening.judge("Ann", ann) is Acquaintance.FIRST_SEEN
    later = KnownPeers()
    assert later.judge("ANN", ann) is Acquaintance.KNOWN
    assert later.judge("Ann", other) is Acquaintance.CHANGED_KEY
    later.played_with([("Ann", other)])
    assert KnownPeers().judge("Ann", other) is Acquaintance.CHANGED_KEY
    later.remember("Ann", other)
    assert later.judge("Ann", other) is Acquaintance.KNOWN
    for peer in (ann, other):  # two Anns, both known from now on
        assert KnownPeers().judge("Ann", peer) is Acquaintance.KNOWN
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", KnownPeers().met_on("ann"))


def test_another_process_of_this_machine_is_nobody_to_remember() -> None:
    """Whoever tries two `tt`s at home under changing names meets nobody."""
    own = OwnIdentity()
    KnownPeers().played_with([("Guest", own.identity.peer)])
    assert KnownPeers().judge("Guest", own.identity.peer) is Acquaintance.FIRST_SEEN
    own.close()


def test_a_key_that_cant_be_read_holds_nobody_up(home: Path) -> None:
    """Another identity's file may be broken: people are remembered all the same."""
    (home / "identities" / "3" / "key").mkdir(parents=True)
    ann = Identity(bytes(32)).peer
    KnownPeers().played_with([("Ann", ann)])
    assert KnownPeers().judge("Ann", ann) is Acquaintance.KNOWN
