"""The cached index of plugins: never stale after an installation, never in the way when it is damaged."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tavolata import _dirs
from tavolata._engine.plugins import manifest
from tavolata._engine.plugins.manifest import EntryPoint, Manifest, read_manifest

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any


@pytest.fixture
def alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The site is all that there is on the path, and how often it is scanned is counted."""
    monkeypatch.setattr(sys, "path", [str(site.folder), *(p for p in sys.path if "site-packages" not in p)])
    scan = manifest.scan

    def counting() -> Manifest:
        counted.append(1)
        return scan()

    monkeypatch.setattr(manifest, "scan", counting)
    counted.clear()
    return site


counted: list[int] = []


def names() -> list[str]:
    return [entry.name for entry in read_manifest().plugins]


def cache_file() -> Path:
    [file] = Path(_dirs.cache_dir()).glob("plugins-*")
    return file


def test_the_second_run_scans_nothing(alone: Site) -> None:
    """What was found is kept: the second reading comes from the cache and says the same."""
    alone.game("fine_game", "fine")
    first = read_manifest()
    assert EntryPoint("fine_game", "fine_game", "fine_game", "1.0", str(alone.folder)) in first.plugins
    assert read_manifest() == first
    assert len(counted) == 1


def test_installing_and_removing_is_noticed(alone: Site) -> None:
    """A package that comes or goes changes its folder, and the index is made anew."""
    alone.game("fine_game", "fine")
    assert "fine_game" in names()
    alone.game("other_game", "other")
    assert "other_game" in names()
    for path in (alone.folder / "other_game-1.0.dist-info").iterdir():
        path.unlink()
    (alone.folder / "other_game-1.0.dist-info").rmdir()
    assert "other_game" not in names()


def test_an_entry_point_file_that_is_written_anew_is_noticed(alone: Site) -> None:
    """Metadata that changes in place, as some editable installations do, changes the index too."""
    alone.game("fine_game", "fine")
    assert "fine_game" in names()
    listed = alone.folder / "fine_game-1.0.dist-info" / "entry_points.txt"
    listed.write_text("[tavolata]\nrenamed = fine_game\n")
    found = names()
    assert "renamed" in found
    assert "fine_game" not in found


def test_another_path_has_another_index(alone: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of one `sys.path` is not believed for another one."""
    alone.game("fine_game", "fine")
    assert "fine_game" in names()
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(alone.folder)])
    assert "fine_game" not in names()


def test_what_changed_a_moment_ago_is_not_kept(alone: Site) -> None:
    """Within one tick of a file system's clock a second change could hide, so nothing is kept yet."""
    alone.game("fine_game", "fine")
    os.utime(alone.folder, (time.time(), time.time()))
    names()
    names()
    assert len(counted) == 2


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"{}", b'{"made": 1}', b"[" * 10_000, None])
def test_a_damaged_cache_is_made_anew(alone: Site, content: bytes | None) -> None:
    """Whatever lies where the index should, the plugins are found and nobody is told."""
    alone.game("fine_game", "fine")
    names()
    file = cache_file()
    file.write_bytes(file.read_bytes().replace(b'"fine_game"', b"7") if content is None else content)
    assert "fine_game" in names()
    assert "fine_game" in names()
    assert len(counted) == 2


def test_a_cache_that_can_not_be_written_is_done_without(
    alone: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the cache's folder can't be made, every run scans, and that is all."""
    blocked = alone.folder.parent / "a file"
    blocked.write_text("")
    monkeypatch.setenv("TT_CACHE_DIR", str(blocked / "below"))
    alone.game("fine_game", "fine")
    assert "fine_game" in names()


def test_damaged_metadata_of_one_package_is_named_and_the_others_are_found(alone: Site) -> None:
    """A package whose entry points can't be read is reported by name; the rest are found all the same."""
    alone.game("fine_game", "fine")
    alone.install("damaged", "", points="[tavolata]\nno equals sign here\n")
    found = read_manifest()
    assert [entry.name for entry in found.plugins if entry.where == str(alone.folder)] == ["fine_game"]
    assert [name for name, _ in found.damaged] == ["damaged"]


def test_a_fresh_look_never_trusts_the_cache(alone: Site) -> None:
    """`fresh` scans although the cache holds."""
    alone.game("fine_game", "fine")
    names()
    read_manifest(fresh=True)
    assert len(counted) == 2
