"""Doctored match files: whatever is changed, moved, doubled or left out, both checkers notice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.review.signed import play
from tests.core.engine.review.test_second_opinion import TOOL, asked

from tavolata._engine.match.header import Header
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._engine.review.noted_faces import NotedFaces
from tavolata._engine.review.table_match import ENDS_EARLY
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import (
    BASE,
    END,
    ENTRY,
    HEADER,
    LOG,
    MAGIC,
    SEEN,
    Kept,
    StoreError,
    read,
)
from tavolata._engine.storage.record_framing import framed, records

pytestmark = pytest.mark.battery

READ = {HEADER, ENTRY, BASE, LOG, SEEN}
"""The kinds that the second opinion reads in this file."""
needs_node = pytest.mark.skipif(
    not (TOOL / "node_modules").is_dir(), reason="it takes npm ci in tools/second-opinion"
)


class Doctored(NamedTuple):
    """A file with one change; `kinds` are those of the records that it touches."""

    name: str
    kinds: set[int]
    bodies: list[bytes]

    @property
    def is_for_both(self) -> bool:
        """Return True if the second opinion has to notice it, without knowing the game.

        Whether an entry of the match, or a note of this machine, is missing follows from the rules; and so
        does the seat for which a face was noted.
        """
        is_missing = self.name.startswith("without") and not self.kinds <= {HEADER, BASE, LOG}
        return self.kinds <= READ and not is_missing and not self.name.endswith("[0][0][0]")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A match of two peers, with sealed answers, lots, cards for all and for one seat."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        world, kept = play(Peek, (1, 2), rounds=1)
    assert world.ended()
    return kept


def bodies_of(kept: Kept) -> list[bytes]:
    return [body for _, body in records(kept.path.read_bytes(), len(MAGIC))]


def doctored(bodies: list[bytes]) -> Iterator[Doctored]:
    """Yield each record left out, doubled, moved behind the next one, and with each of some parts changed."""
    kinds = [unpack(body)[0] for body in bodies]
    for at, body in enumerate(bodies):
        place, kind = f"record {at + 1} of kind {kinds[at]}", kinds[at]
        yield Doctored(f"without {place}", {kind}, bodies[:at] + bodies[at + 1 :])
        yield Doctored(f"{place} twice", {kind}, [*bodies[:at], body, *bodies[at:]])
        if at + 1 < len(bodies) and bodies[at + 1] != body:
            moved = [*bodies[:at], bodies[at + 1], body, *bodies[at + 2 :]]
            yield Doctored(f"{place} behind the next", {kind, kinds[at + 1]}, moved)
        _, value = unpack(body)
        parts = list(leaves(value))
        for path in parts if kind == SEEN else dict.fromkeys((parts[0], parts[len(parts) // 2], parts[-1])):
            changed = pack([kind, with_other(value, path)])
            name = f"{place} changed at {''.join(f'[{one}]' for one in path)}"
            yield Doctored(name, {kind}, [*bodies[:at], changed, *bodies[at + 1 :]])


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each part of plain data that has no parts itself."""
    if isinstance(value, dict | list) and value:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path


def with_other(value: Any, path: tuple[Any, ...]) -> Any:
    """Return plain data with another value at the end of this way."""
    if path:
        key, *rest = path
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[key] = with_other(value[key], tuple(rest))
        return copy
    if isinstance(value, bytes):
        middle = len(value) // 2
        return value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :] if value else b"x"
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    return [0] if isinstance(value, list) else {"x": 0} if isinstance(value, dict) else (value or 0) + 1


def written(bodies: list[bytes], path: Path) -> Path:
    path.write_bytes(MAGIC + b"".join(map(framed, bodies)))
    return path


def is_noticed(path: Path) -> bool:
    """Return True if `tt verify` refuses a file, or says that it's unfinished."""
    try:
        kept = read(path)
        return check(kept, Header.of(kept.header), Peek).is_unfinished
    except (Wrong, StoreError):
        return True


def unnoticed(some: list[Doctored], folder: Path) -> list[str]:
    return [one.name for one in some if not is_noticed(written(one.bodies, folder / "doctored.ttm"))]


def unnoticed_by_the_other(some: list[Doctored], folder: Path) -> list[str]:
    """Return what the second opinion takes for right, in one run over all files."""
    paths = {written(one.bodies, folder / f"{at}.ttm"): one for at, one in enumerate(some)}
    said = asked(*paths, written(some[0].bodies, folder / "last.ttm")).stderr
    refused = set(re.findall(r" in (\S+\.ttm)$", said, re.MULTILINE))
    return [one.name for path, one in paths.items() if str(path) not in refused]


def test_doctored_files_are_noticed(kept: Kept, tmp_path: Path) -> None:
    """Some of each kind; `tt verify` refuses them, or says where they are unfinished."""
    every = list(doctored(bodies_of(kept)))
    faces = [one for one in every if SEEN in one.kinds]
    some = [*every[:12], *every[12:-6:9], *every[-6:], *faces[::3]]
    assert {kind for one in some for kind in one.kinds} >= {HEADER, ENTRY, END, BASE, LOG, SEEN}
    assert len(every) > 450
    assert unnoticed(some, tmp_path) == []


def test_a_file_cut_anywhere_is_unfinished_or_none(kept: Kept, tmp_path: Path) -> None:
    """As far as it goes it is right, and how far that is it says: never that nothing is wrong."""
    bodies = bodies_of(kept)
    for end in range(1, len(bodies), 11):
        path = written(bodies[:end], tmp_path / "cut.ttm")
        cut = read(path)
        if len(cut.log) < 1:  # not even START
            assert is_noticed(path)
            continue
        found = check(cut, Header.of(cut.header), Peek)
        assert found.is_unfinished
        if len(cut.log) < 11:  # START, two IN, and two steps each for the first keys but for the last one
            assert ENDS_EARLY in dict(found.told)
            continue
        sentence = "Correct up to entry {number} of the log; the end is missing."
        assert dict(found.told)[sentence] == {"number": len(cut.log)}


@needs_node
def test_doctored_files_are_noticed_by_the_second_opinion(kept: Kept, tmp_path: Path) -> None:
    """What it says it has read it has checked: some of each kind."""
    every = [one for one in doctored(bodies_of(kept)) if one.is_for_both]
    faces = [one for one in every if SEEN in one.kinds]
    assert unnoticed_by_the_other([*every[::40], *faces[::9]], tmp_path) == []


@needs_node
def test_the_second_opinion_says_what_it_reads(kept: Kept, tmp_path: Path) -> None:
    """By kinds, with how many there are; a file without an end is unfinished, exit 2."""
    bodies = bodies_of(kept)
    kinds = [unpack(body)[0] for body in bodies]
    said = asked(kept.path)
    assert (said.returncode, said.stderr) == (0, "")
    read, unread = said.stdout.splitlines()[0].split(". Not read: ")
    for kind in set(kinds):
        assert f"{kind} ({kinds.count(kind)})" in (read if kind in READ else unread)
    assert f"Faces that this machine noted: {len(kept.seen)}, each proven" in said.stdout
    cut = asked(written(bodies[:-1], tmp_path / "cut.ttm"))
    assert (cut.returncode, cut.stderr) == (2, "")
    assert f"Right as far as entry {len(kept.log)} of this log; the end is missing." in cut.stdout


@pytest.mark.long
def test_all_doctored_files_are_noticed(kept: Kept, tmp_path: Path) -> None:
    """Each record left out, doubled, moved and changed."""
    assert unnoticed(list(doctored(bodies_of(kept))), tmp_path) == []


@pytest.mark.long
@needs_node
def test_all_doctored_files_are_noticed_by_the_second_opinion(kept: Kept, tmp_path: Path) -> None:
    """Each record of a kind that it reads, left out, doubled, moved and changed."""
    some = [one for one in doctored(bodies_of(kept)) if one.is_for_both]
    assert unnoticed_by_the_other(some, tmp_path) == []


def test_faces_that_one_peer_dealt_are_believed_and_named_so() -> None:
    """They have no shares beside them; a file that brings some for them is wrong."""
    notes, found = NotedFaces(None, None), Findings()
    notes.take(9, [[0, 3, 7, 0], [0, 4, 1, 0]], [], [])
    notes.tell(found)
    assert found.told == [("Assumption: this machine's own notes are right (faces: {n}).", {"n": 2})]
    with pytest.raises(Wrong):
        notes.take(10, [[0, 3, 7, 0]], [[1, 0, 0, b"", bytes(64)]], [])
