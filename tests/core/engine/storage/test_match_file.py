"""Match files are input: whatever they hold, a command ends with one sentence that can be shown."""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tavolata._cli import main
from tavolata._disk import Disk
from tavolata._engine.match.entries import ANSWER, FACE, SAY, SHUFFLED, plain
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.storage import match_file
from tavolata._engine.storage.match_file import (
    BASE,
    BOOK,
    ENTRY,
    EVENT,
    HEADER,
    JUDGED,
    LOG,
    MAGIC,
    SEEN,
    TURN,
    MatchFile,
    StoreError,
    is_played,
    match_files,
    read,
)
from tavolata._engine.storage.record_framing import framed, records

CONTO = ("play", "conto", "--seats", "3", "--bot", "easy", "--bots", "2", "--seed", "3", "--as", "Ann")
INTERNAL = 1


def _deep(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


HOSTILE: tuple[Any, ...] = (
    "\x1b[2J\x1b]0;owned\x07", "two\nlines", "\u202etxet", None, -1, 2**63, 10**6, 1.5, True, b"\xff", [], {},
    _deep(20), _deep(400), {"a": _deep(100)}, ["seat", 99], ["data", "os:system", "true"], ["enum", "", ""],
    "x" * 5000,
)  # fmt: skip


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The file of a match that is over."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    assert main([*CONTO, "--ui", "plain"]) == 0
    capsys.readouterr()
    (path,) = match_files()
    return path


def spoilt(values: list[Any], chance: random.Random) -> list[Any]:
    """Values of records with one part replaced, taken away or doubled; any part is as likely as any other."""
    places = list(_places(values, ()))
    *way, last = chance.choice(places)
    changed = unpack(pack(values))
    part = changed
    for step in way:
        part = part[step]
    match chance.randrange(6):
        case 0:
            del part[last]
        case 1 if isinstance(part, list):
            part.insert(last, part[last])
        case _:
            part[last] = chance.choice(HOSTILE)
    return list(changed)


def _places(value: Any, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        yield (*way, step)
        yield from _places(part, (*way, step))


@pytest.mark.battery
@pytest.mark.parametrize("seed", range(0, 60, 20))
def test_a_record_with_a_right_checksum_and_a_wrong_body_is_one_sentence(
    played: Path, seed: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replayed, checked, resumed and listed: no internal error, nothing that moves a cursor."""
    whole = [unpack(body) for _, body in records(played.read_bytes(), len(MAGIC))]
    head, rest = whole[0], whole[1:]
    for number in range(seed, seed + 20):
        chance = random.Random(number)
        cut = rest[: chance.randrange(len(rest))] if number % 2 else rest
        some = chance.sample(range(len(cut)), min(len(cut), 40)) if chance.random() < 0.7 else []
        values = [head, *cut]
        if some:  # spoil one of these
            at = 1 + chance.choice(some)
            values[at : at + 1] = spoilt([values[at]], chance) or [None]
        else:
            values = [*spoilt([head], chance), *cut]
        played.write_bytes(MAGIC + b"".join(framed(pack(value)) for value in values))
        file = str(played)
        for words in (["replay", file], ["verify", file], ["resume", "--list"], ["resume", file]):
            monkeypatch.setattr(sys, "stdin", io.StringIO(""))
            code = main(words)
            out, err = capsys.readouterr()
            assert code != INTERNAL, (number, words, err)
            assert "Traceback" not in err
            shown = [sign for sign in out + err if not sign.isprintable() and sign not in "\n\t"]
            assert shown == [], (number, words)


@pytest.mark.parametrize("name", ["\x1b[31mAnn", "Ann\nBob", "\u202eAnn"])
def test_a_name_that_can_not_be_shown_makes_no_match_file(played: Path, name: str) -> None:
    """Control characters, lines and turns of direction in a header are refused."""
    whole = [unpack(body) for _, body in records(played.read_bytes(), len(MAGIC))]
    assert whole[0][0] == HEADER
    whole[0][1]["names"][0] = name
    played.write_bytes(MAGIC + b"".join(framed(pack(value)) for value in whole))
    with pytest.raises(StoreError, match="isn't a match file"):
        read(played)


def test_a_file_of_another_version_says_so(played: Path) -> None:
    """What was dealt by other rules is not read, and that is one sentence."""
    played.write_bytes(b"tavolata match 1\n" + played.read_bytes()[len(MAGIC) :])
    with pytest.raises(StoreError, match="another version of Tavolata"):
        read(played)


@pytest.mark.parametrize(
    ("kind", "value"),
    [(LOG, "AAAA"), (BASE, ["AAAA", b"AAAA"]), (BASE, [b"AAAA", "AAAA"]), (BOOK, "AAAA"), (TURN, ["AAAA", 1]),
     (SEEN, [[], [[0, 1, 2, "AAAA", b""]], []]), (SEEN, [[], [[0, 1, 2, b"", "AAAA"]], []]),
     (SEEN, [[], [], [[0, [], "AAAA"]]]), (JUDGED, ["AAAA", {}, [], b""]), (JUDGED, [b"", {}, ["AAAA"], b""]),
     (JUDGED, [b"", {}, [], "AAAA"])],
)  # fmt: skip
def test_a_text_in_the_place_of_bytes_is_no_record(played: Path, kind: int, value: Any) -> None:
    """Not even one that could be the bytes in another form: what reads the record wants bytes."""
    played.write_bytes(played.read_bytes() + framed(pack([kind, value])))
    with pytest.raises(StoreError, match="isn't part of a match"):
        read(played)


def test_one_bad_file_hides_no_other(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bare lists leave a file out that can't be read."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    data = played.read_bytes()
    (played.parent / "bad.ttm").write_bytes(data + framed(pack(_deep(300))) + framed(b"\x92\x01"))
    assert main(["resume", "--list"]) == 0
    assert main(["history", "--all"]) == 0
    assert " won." in capsys.readouterr().out


def test_a_file_that_is_gone_when_it_is_looked_at_hides_no_other(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process deletes it just now, or it's a link that leads nowhere; the latest comes first."""
    other = played.with_name("other.ttm")
    other.write_bytes(played.read_bytes())
    os.utime(other, (1, 1))
    find = Disk.find
    gone = played.with_name("gone.ttm")
    monkeypatch.setattr(Disk, "find", lambda *words: [gone, *find(*words)])
    assert match_files() == [played, other]
    assert main(["history", "--all"]) == 0
    assert capsys.readouterr().out.count(" won.") == 2


@pytest.mark.parametrize(
    "entry",
    [(FACE, 3, 39), (ANSWER, 1, 7, (0, (2, 4))), (SHUFFLED, 40, b""), (SAY, 0, (), "Ciao"),
     (ANSWER, 1, 7, {"a": 1}), (ANSWER, 1, 7, True, None, 1.5), (), (99,), ((),), {"a": 1}, 7, _deep(40)],
)  # fmt: skip
def test_an_entry_is_the_same_by_the_quick_decoder_and_by_the_other(
    entry: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both read the entry that was written, with tuples for its lists, or both refuse what is none."""

    def refused(_body: bytes) -> Any:
        raise msgspec.DecodeError

    def found() -> Any:
        try:
            return match_file._entry(pack([ENTRY, entry]))
        except (ValueError, TypeError, LookupError):
            return "no entry"

    quick = found()
    monkeypatch.setattr(match_file, "_quickly", refused)
    assert repr(quick) == repr(found())
    assert quick in (plain(entry) if isinstance(entry, tuple) else "no entry", "no entry")
    assert (quick == "no entry") == (not isinstance(entry, tuple) or entry[:1] in ((), (99,), ((),)))


def test_a_file_that_was_deleted_is_not_made_again(played: Path) -> None:
    """Nobody plays in it, and nobody goes on with it; it stays deleted."""
    kept = read(played)
    played.unlink()
    assert not is_played(played)
    match_file.delete(kept)
    with pytest.raises(StoreError, match="Couldn't read"):
        MatchFile(played, kept)
    assert not played.exists()


def test_a_match_that_has_been_played_on_is_not_deleted(played: Path) -> None:
    """What another window has written since the file was read is not thrown away with the rest."""
    kept = read(played)
    with MatchFile(played, kept) as file:
        file.write(TURN, (b"", 1))
    with pytest.raises(StoreError, match="in another window"):
        match_file.delete(kept)
    match_file.delete(read(played))
    assert not played.exists()


def test_entries_know_what_was_recorded_before_them(tmp_path: Path, played: Path) -> None:
    """By entry, the events and the entries of the agreed log before it, as counted record by record."""
    values: dict[int, Any] = {ENTRY: (FACE, 3, 0), EVENT: ("a", None, {}, None), LOG: b"", TURN: (b"", 1)}
    with MatchFile(tmp_path / "log.ttm") as file:
        file.write(HEADER, read(played).header)
        for kind in (ENTRY, EVENT, EVENT, ENTRY, ENTRY, LOG, EVENT, ENTRY, TURN, LOG, ENTRY):
            file.write(kind, values[kind])
    found = read(tmp_path / "log.ttm")
    assert found.events_before == [0, 2, 2, 3, 3]
    assert found.logged_before == [0, 0, 0, 1, 2]
