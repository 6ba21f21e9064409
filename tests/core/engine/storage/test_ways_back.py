"""The way back to a match, as a machine finds it in its file."""

from __future__ import annotations

from pathlib import Path

from tests.core.test_machine import on
from tests.rehearsals.disk import MemoryDisk

from tavolata._engine.storage.ways_back import WayBack, WayFile
from tavolata._machine import Computer

WAY = WayBack(
    "66858ace-692090a2", "Ann", None, ("0.0.0.0",), 40004, {"0f" * 32: ("10.0.0.1", 60004)}, (49152, "token")
)


def test_a_way_with_a_flipped_bit_leads_back_or_is_none(tmp_path: Path) -> None:
    """Whatever bit it is: what is read has peers and ports, so that a session can begin with it."""
    file = WayFile(tmp_path / f"{'0' * 32}.way")
    file.keep(WAY)
    sound = file.path.read_bytes()
    assert file.read() == WAY
    found = []
    for bit in range(8 * len(sound)):
        spoilt = bytearray(sound)
        spoilt[bit // 8] ^= 1 << bit % 8
        file.path.write_bytes(spoilt)
        found.append(file.read())
    ways = [way for way in found if way is not None]
    assert 0 < len(ways) < len(found)
    ports = [
        port for way in ways
        for port in (way.port, *(port for _, port in way.addresses.values()), *(way.pages or ())[:1])
    ]  # fmt: skip
    peers = [bytes.fromhex(peer) for way in ways for peer in way.addresses]
    assert {len(peer) for peer in peers} == {32}
    assert [port for port in ports if not isinstance(port, int) or port not in range(65536)] == []


def test_a_way_that_the_disk_had_no_room_for_is_written_later(tmp_path: Path) -> None:
    """A disk that was full for a moment costs nothing: the same way is written as soon as there's room."""
    computer = Computer()
    computer.disk = disk = MemoryDisk(lambda: 0.0)
    file = WayFile(tmp_path / f"{'0' * 32}.way")
    with on(computer):
        disk.capacity = 0
        file.keep(WAY)
        assert file.read() is None
        disk.capacity = None
        file.keep(WAY)
        assert file.read() == WAY
