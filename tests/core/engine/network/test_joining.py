"""Addresses as people write them, and what a table says of itself to strangers."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import math
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata._engine.match.state import pack, unpack
from tavolata._engine.network.joining import (
    PORT,
    TableAccess,
    TableCard,
    guest_profile,
    open_table,
    resume_table,
    split_address,
    watches,
)
from tavolata._engine.network.table_errors import Unreachable
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.ways_back import WayBack, way_file
from tavolata_protocol.addresses import on_link
from tavolata_protocol.grouplog.storage import recover


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("192.168.1.5", "192.168.1.5", PORT),
        ("192.168.1.5:9000", "192.168.1.5", 9000),
        ("laptop.local:1", "laptop.local", 1),
        ("laptop", "laptop", PORT),
        ("laptop:", "laptop", PORT),
        ("::1", "::1", PORT),
        ("[::1]", "::1", PORT),
        ("[::1]:65535", "::1", 65535),
        ("fe80::1%eth0", "fe80::1%eth0", PORT),
        ("[fe80::1%eth0]:99", "fe80::1%eth0", 99),
        (" 10.0.0.1 ", "10.0.0.1", PORT),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(address: str, host: str, port: int) -> None:
    """Names, IPv4 and IPv6, with and without a port."""
    assert split_address(address) == (host, port)


@pytest.mark.parametrize(
    "address", ["a:0", "a:65536", "a:-1", "a:x", "a:1.5", "a:٣", "a:" + "9" * 5000, "[::1]9", "[::1]:x"]
)
def test_a_port_that_is_none_is_told(address: str) -> None:
    """One short sentence, whatever was typed."""
    with pytest.raises(Unreachable) as caught:
        split_address(address)
    assert len(str(caught.value)) < 200


@given(st.text(max_size=40))
def test_any_words_are_an_address_or_told(words: str) -> None:
    """Nothing that can be typed breaks it."""
    try:
        host, port = split_address(words)
    except Unreachable:
        return
    assert 0 < port < 65536
    assert host in words


def test_a_table_card_comes_back_as_it_was() -> None:
    """What a host says of its table is what a guest reads, as plain lines."""
    card = TableCard("Ann", "zompa", 3, "1.2", "tavolata", b"", "0.9", quiet=True)
    assert TableCard.of(card.packed()) == card
    hostile = TableCard("\x1b[31mAnn\n" * 9, "z" * 99, 3, "1\n2", "evil;\x00rm")
    read = TableCard.of(hostile.packed())
    assert read is not None
    assert all(str(word).isprintable() for word in (read.name, read.game, read.version, read.distribution))
    assert len(read.name) <= 24


@pytest.mark.parametrize("name", ["tavolata", "tavolata-gobbo", "Tt_Games.2", "a", "a" * 60])
def test_the_name_of_a_package_is_taken_from_a_host(name: str) -> None:
    """Names by PEP 508 come through as they are."""
    card = TableCard.of(TableCard("Ann", "zompa", 3, "1.2", name).packed())
    assert card is not None
    assert card.distribution == name


@pytest.mark.parametrize(
    "name",
    ["x --index-url http://evil.example", "-r", "--help", "git+https://evil.example/x", "x;rm", "x\ny", "./x",
     "x y", "x@1", "x>=1", ".x", "x-", "", "a" * 61, "caffè", "x\n"],
)  # fmt: skip
def test_what_is_no_name_of_a_package_is_not_printed_after_pip_install(name: str) -> None:
    """Options, addresses, paths and other commands in place of a name are dropped."""
    card = TableCard.of(TableCard("Ann", "zompa", 3, "1.2", name).packed())
    assert card is not None
    assert card.distribution == ""


@pytest.mark.parametrize(
    "version", ["1.0 --index-url http://evil.example", "1,2", "1;x", "@http://x", "-1", "1" * 41]
)
def test_what_is_no_version_of_a_package_is_not_printed_after_its_name(version: str) -> None:
    """Options and addresses in place of a version are dropped."""
    card = TableCard.of(TableCard("Ann", "zompa", 3, "1.2", "hearts", b"", version).packed())
    assert card is not None
    assert (card.distribution, card.package_version) == ("hearts", "")


@given(st.binary(max_size=60))
def test_any_profile_is_a_card_or_none(profile: bytes) -> None:
    """What answers may be anything."""
    card = TableCard.of(profile)
    assert card is None or isinstance(card.rules_id, int)
    assert watches(profile) in (True, False)


@pytest.mark.parametrize("place", range(11))
@pytest.mark.parametrize(
    "other", [math.inf, math.nan, 1.5, None, -(2**63), 2**64 - 1, "7", b"\xff", [[]], {}]
)
def test_a_card_has_a_field_of_its_type_in_each_place(place: int, other: object) -> None:
    """Anything else there is no card: nobody calls it by numbers that are none."""
    card = TableCard("Ann", "zompa", 3, "1.2", "tavolata", b"", "0.9")
    usual = unpack(card.packed())
    read = TableCard.of(pack([*usual[:place], other, *usual[place + 1 :]]))
    assert (read is None) == (type(other) is not type(usual[place]))


def test_who_only_watches_says_so() -> None:
    """The profile of a guest tells the host whether it needs a seat."""
    assert watches(guest_profile("Wim", watch=True))
    assert not watches(guest_profile("Ann", watch=False))
    assert not watches(pack(["Ann", 1]))
    assert not watches(pack({"watch": True}))


@pytest.mark.battery
def test_who_is_in_a_hurry_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted once more while it closes its sockets, a peer has closed its copy of the table, too."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    seats: list[TableAccess] = []

    async def sit() -> None:
        async with open_table(TableCard("Ann", "zompa", 1, "1.0", "tavolata"), ["127.0.0.1"], 0) as seat:
            seats.append(seat)
            await asyncio.Event().wait()

    async def hurry() -> None:
        session = asyncio.create_task(sit())
        while not seats:  # noqa: ASYNC110 - filled by the other task
            await asyncio.sleep(0)
        session.cancel()
        while not seats[0].log_driver.driver.is_closed:  # noqa: ASYNC110 - the driver is no asyncio object
            await asyncio.sleep(0)
        assert session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await session

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        asyncio.run(hurry())
        seats.clear()
        gc.collect()
    assert [str(one.message) for one in told] == []


def test_a_copy_that_is_kept_aside_leaves_to_the_next_one_what_it_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next copy of this machine signs nothing that the one kept aside may have signed otherwise."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))

    async def part() -> tuple[bytes, bytes | None, int]:
        async with open_table(TableCard("Ann", "zompa", 1, "1.0", "tavolata"), ["127.0.0.1"], 0) as seat:
            seat.log_driver.apart = True
            return seat.table, seat.log_driver.log.lineage, seat.log_driver.log.last_number

    table, lineage, number = asyncio.run(part())
    (kept,) = tmp_path.rglob(f"{table.hex()}.apart")
    with contextlib.closing(FileStorage(kept.with_suffix(".log"))) as storage:
        found = recover(storage)
    assert number > 0
    assert (found.born, found.elsewhere) == (None, {lineage: number})


@pytest.mark.parametrize("anywhere", [True, False])
def test_who_resumes_answers_as_far_as_before(
    anywhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table for players of other networks is still one when it's resumed; no other table becomes one."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("tavolata_protocol.io.interfaces.near", lambda _: on_link(()))
    card = TableCard("Ann", "zompa", 1, "1.0", "tavolata")

    async def come_back() -> tuple[bool, bool]:
        async with open_table(card, ["127.0.0.1"], 0) as seat:
            folder, table = seat.own.folder, seat.table
        file = way_file(folder, table)
        file.keep(WayBack("match", "Ann", None, ("127.0.0.1",), 0, {}, anywhere=anywhere))
        way = file.read()
        assert way is not None
        async with resume_table(file, way, card) as seat:
            endpoint, far = seat.log_driver.driver.endpoint, ("192.0.2.1", 9)
            return endpoint._accept(far), seat.near(far)

    assert asyncio.run(come_back()) == (anywhere, anywhere)
