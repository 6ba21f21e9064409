"""Every file that is read here is input: whatever it holds, there is a value, or an error with a sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tavolata._cli.invited import _from_file
from tavolata._cli.people_form import last_people, last_plans
from tavolata._cli.settings import read_config
from tavolata._engine.network.known_peers import known_addresses, known_names
from tavolata._engine.plugins.game_file import file_of
from tavolata._engine.plugins.installer import asked_for
from tavolata._engine.storage.campaign_files import load
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.match_file import read
from tavolata._engine.storage.ways_back import way_files
from tavolata._engine.table.table_keys import SecretFile
from tavolata.errors import TavolataError
from tavolata_protocol.errors import ProtocolError


def _log(path: Path) -> list[bytes]:
    """The records of a table's log."""
    file = FileStorage(path)
    try:
        return list(file.load())
    finally:
        file.close()


READERS: dict[str, Callable[[Path], object]] = {
    "known_names.json": lambda _: known_names(),
    "known_tables.json": lambda _: known_addresses(),
    "last_plans.json": lambda _: (last_plans(), last_people()),
    "game-files.json": lambda _: file_of("zompa"),
    "installed.json": lambda _: asked_for(),
    "campaigns/zompa/house.campaign": lambda _: load("zompa", "house"),
    f"identities/0/tables/{bytes(32).hex()}.way": lambda _: [one.read() for one in way_files()],
    "config.toml": lambda path: read_config(str(path)),
    "code": lambda path: _from_file(str(path)),
    "table.key": lambda path: SecretFile(path).read(),
    "match.ttm": read,
    "table.log": _log,
}
CONTENTS: tuple[bytes, ...] = (
    b"", b"\xff\xfe", b"\0" * 99, b"null", b"[]", b"{}", b"[1]", b"1" * 5000, b"1e999", b"[" * 9000,
    b'{"a":' * 9000, b"a = " + b"[" * 9000, b"\x91" * 9000, b"\x81\xa1a" * 9000,
    b"\xdf\xff\xff\xff\xff",
    b'{"people": [[]], "plans": [], "game": {}}', b'{"zompa": 1, "a": "\\u202e\\u001b"}',
    b'{"\\ud800": "00"}',
    b'[{"address": "\\u001b[2J", "name": ["x"]}]', b'{"match": 1, "name": null}',
    *(random.Random(seed).randbytes(1 + seed * 37) for seed in range(12)),
)  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_whatever_a_file_holds_its_reader_has_a_word_for_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nonsense, other encodings and lists in lists: a value, or one of our errors."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    readings = 0
    for content in CONTENTS:
        path.write_bytes(content)
        with suppress(TavolataError, ProtocolError):
            READERS[name](path)
        readings += 1
    assert readings == len(CONTENTS)
