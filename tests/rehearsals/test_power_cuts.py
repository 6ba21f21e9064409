"""What the program says is kept is there after a power cut, wherever the cut falls and whatever it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import header_of, key_of
from tests.rehearsals.disk import MemoryDisk

from tavolata import _dirs
from tavolata._disk import Disk
from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.header import Header
from tavolata._engine.network.identities import OwnIdentity
from tavolata._engine.storage import campaign_files, secret_files
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.storage.match_file import HEADER, MatchFile, match_files, path_of, read
from tavolata._engine.storage.ways_back import WayBack, way_file, way_files
from tavolata._engine.table.table_keys import SecretFile
from tavolata._machine import MACHINE, Computer

pytestmark = pytest.mark.battery

SEEDS = range(40)


class Simulated(Computer):
    def __init__(self, disk: Disk) -> None:
        self.disk = disk


@contextmanager
def machine(disk: MemoryDisk) -> Iterator[MemoryDisk]:
    """Run what follows on a machine with this disk."""
    before = MACHINE.set(Simulated(disk))
    try:
        yield disk
    finally:
        MACHINE.reset(before)


def after_power_cuts(do: Callable[[], object]) -> Iterator[None]:
    """Do something on new machines, and go on with each after a power cut of its own."""
    for seed in SEEDS:
        with machine(MemoryDisk(lambda: 1000.0)) as disk:
            do()
        with machine(disk.power_cut(Random(seed))):
            yield


def folder() -> Path:
    return Path(_dirs.data_dir()) / "identities" / "0"


def log() -> FileStorage:
    return FileStorage(folder() / "tables" / "00.log")


def test_the_agreed_log_keeps_each_record_that_was_synced() -> None:
    """Who forgets a vote might vote twice; what came after the sync may be there in part."""

    def do() -> None:
        storage = log()
        for record in (b"one", b"two"):
            storage.append(record)
        storage.sync()
        storage.append(b"three")
        storage.flush()

    found = set()
    for _ in after_power_cuts(do):
        with closing(log()) as storage:
            found.add(tuple(storage.load()))
    assert found == {(b"one", b"two"), (b"one", b"two", b"three")}


def test_a_compacted_log_is_compacted() -> None:
    """What follows it is in the new file, so the old one must not come back."""

    def do() -> None:
        storage = log()
        storage.append(b"one")
        storage.sync()
        assert storage.replace([b"all"])
        storage.append(b"next")
        storage.sync()

    for _ in after_power_cuts(do):
        with closing(log()) as storage:
            assert list(storage.load()) == [b"all", b"next"]


def test_a_synced_match_file_is_there() -> None:
    """Its name, too."""
    header = Header("a" * 16, "zompa", "1", 1, {}, ("Anna", "Bob"), (None, None), seed=7)

    def do() -> None:
        file = MatchFile(path_of("a"))
        file.write(HEADER, header.plain())
        file.sync()

    for _ in after_power_cuts(do):
        assert read(path_of("a")).header["id"] == header.id


def test_the_beginning_of_a_match_at_a_table_is_there() -> None:
    """Without it `tt resume` would offer nothing; what follows is in the agreed log."""
    header = header_of(Peek, (1, 2))

    def do() -> None:
        copy = MatchCopy(header, key_of(1), lambda problem: pytest.fail(str(problem)))
        copy.begin(header, bytes(40), b"table", [b"start", b"in"])
        copy.logged(b"more")

    for _ in after_power_cuts(do):
        [path] = match_files()
        assert read(path).log[:2] == [b"start", b"in"]


def test_a_secret_and_the_identity_are_there() -> None:
    """Without them this machine could not open its part of the cards, nor be itself again."""
    seeds = []

    def do() -> None:
        with closing(OwnIdentity()) as own:
            seeds.append(own.seed)
        secret_files.store(b"n" * 16, b"s" * 32)

    for _ in after_power_cuts(do):
        assert secret_files.load(b"n" * 16) == b"s" * 32
        with closing(OwnIdentity()) as own:
            assert own.seed == seeds[-1]


def test_an_erased_secret_is_gone() -> None:
    """Not only its name."""

    def do() -> None:
        secret_files.store(b"n" * 16, b"s" * 32)
        secret_files.erase(b"n" * 16)

    for _ in after_power_cuts(do):
        assert secret_files.load(b"n" * 16) is None


def test_a_campaign_is_there() -> None:
    """What a match leaves is kept before its file says that it's over."""
    campaign = Campaign("summer").after("a" * 16, ("Anna", "Bob"), b"won")

    for _ in after_power_cuts(lambda: campaign_files.keep("zompa", campaign)):
        assert campaign_files.load("zompa", "summer") == campaign


@pytest.mark.parametrize("private", [False, True])
def test_the_way_back_to_a_match_is_there(private: bool) -> None:
    """With the secret of a private table, without which nobody comes back."""
    way = WayBack("match", "Anna", None, ("127.0.0.1",), 8286, {})

    def do() -> None:
        log().close()
        if private:
            SecretFile(way_file(folder(), b"\0").secret).keep(b"k" * 32)
        else:
            way_file(folder(), b"\0").keep(way)

    for _ in after_power_cuts(do):
        if private:
            assert SecretFile(way_file(folder(), b"\0").secret).read() == b"k" * 32
        else:
            assert [file.read() for file in way_files()] == [way]
