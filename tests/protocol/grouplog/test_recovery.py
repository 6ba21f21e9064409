"""A store is input: whatever records it holds, it is a log, or it is damaged."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.simulator import TABLE, CheapSigner, World, cheap_verify

from tavolata_protocol import codec
from tavolata_protocol.errors import DamagedStore, MalformedMessage, WrongMoment
from tavolata_protocol.grouplog import GroupLog, storage

READ: Any = codec.reader(storage.Record, 2**24)


def stored() -> list[bytes]:
    """The records of a peer that has led, had to drop entries, and has a snapshot."""
    world = World(3, 3)
    world.gather()
    for number in range(12):
        world.propose(number % 3, b"%d" % number)
    world.run(1.0)
    assert world.compact(0)
    world.split((0,), (1, 2))
    world.propose(0, b"dropped")
    world.run(8.0)
    world.heal()
    world.settle()
    return list(world.peers[0].disk.load())


RECORDS = stored()


def opened(records: list[bytes]) -> GroupLog:
    disk = MemoryStorage()
    for record in records:
        disk.append(record)
    return GroupLog(CheapSigner(0), disk, table=TABLE, chance=random.Random(1), verify=cheap_verify)


def test_the_whole_store_is_a_log() -> None:
    """Nothing is wrong with it before it is spoilt."""
    assert any(isinstance(READ(record), storage.Cut) for record in RECORDS)
    assert opened(RECORDS).commit_index > 12


def test_an_entry_in_the_place_of_a_final_one_is_not_final() -> None:
    """A crash right after a cut leaves the old commit index on disk; a later entry doesn't inherit it."""
    log = opened(RECORDS)
    cut = log.commit_index - 1
    entry = log.entry(log.commit_index)
    assert entry is not None
    later = [storage.Cut(cut), storage.EntryKept(entry.wire)]
    again = opened([*RECORDS, *map(codec.encode, later)])
    assert (again.commit_index, again.last_number) == (cut, cut + 1)


def other_number(data: st.DataObject, record: bytes) -> bytes:
    """The same record with another number in it, if it is a record with numbers."""
    with suppress(MalformedMessage):
        read = READ(record)
        numbers = [field for field in read.__struct_fields__ if isinstance(getattr(read, field), int)]
        if numbers:
            number = data.draw(st.one_of(st.integers(0, 30), st.integers(0, 2**62)))
            changed = {data.draw(st.sampled_from(numbers)): number}
            return codec.encode(msgspec.structs.replace(read, **changed))
    return record


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_spoilt_store_is_a_log_or_is_damaged(data: st.DataObject) -> None:
    """Records left out, doubled, exchanged, or with other numbers: never an error without a name."""
    records = list(RECORDS)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(records) - 1))
        match data.draw(st.integers(0, 4)):
            case 0:
                del records[at]
            case 1:
                records.insert(at, data.draw(st.sampled_from(RECORDS)))
            case 2:
                records[at] = data.draw(st.binary(max_size=80))
            case _:
                records[at] = other_number(data, records[at])
    with suppress(DamagedStore, WrongMoment):
        log = opened(records)
        if not log.is_blank:
            log.resume(1.0)
            log.handle_timer(9.0)
            log.messages_to_send(9.0)


def test_a_deeply_nested_record_is_damage() -> None:
    """Bytes that nest thousands of times exhaust nothing."""
    for wrong in (b"\x91" * 100_000, b"\x81\xa1a" * 50_000, b"\xdd\xff\xff\xff\xff"):
        with pytest.raises(DamagedStore):
            opened([*RECORDS[:3], wrong])
