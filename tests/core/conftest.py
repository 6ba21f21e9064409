"""A folder into which tests install plugins, as pip leaves them: modules and their metadata."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

GAME = """
from tavolata import Game, Outcome, hookimpl

class Made(Game):
    name = {name!r}
    title = "Made for a test"
    seats = (2, 4)
    {more}

    def setup(self, t):
        pass

    async def turn(self, t):
        return Outcome(winners=())

@hookimpl
def tavolata_games():
    return [Made]
"""


class Site:
    """A folder on `sys.path` in which packages are installed by writing them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, module: str, code: str, *, version: str = "1.0", points: str | None = None) -> Path:
        """Write the package `module` and its metadata; its one entry point unless `points` says otherwise."""
        package = self.folder / module
        package.mkdir()
        (package / "__init__.py").write_text(textwrap.dedent(code), encoding="utf-8")
        info = self.folder / f"{module}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: {version}\n")
        listed = f"[tavolata]\n{module} = {module}\n" if points is None else points
        (info / "entry_points.txt").write_text(listed)
        self.age()
        return package

    def game(self, module: str, name: str, more: str = "") -> Path:
        """Install a plugin with one game of this name."""
        return self.install(module, GAME.format(name=name, more=more))

    def age(self) -> None:
        """Let what was just written look a minute old, so that what is found in it may be kept."""
        for path in [*self.folder.rglob("*"), self.folder]:
            at = path.stat().st_mtime
            if at > time.time() - 30:
                os.utime(path, (at - 60, at - 60))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A new site folder, first on the path; the cache of the index is empty, too."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setenv("TT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(
        sys, "dont_write_bytecode", True
    )  # an edited module must not be read from its old bytecode
    before = set(sys.modules)
    yield Site(folder)
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(folder) in str(sys.modules[name].__file__):
            del sys.modules[name]
