"""The author's API: one lazy import, the same names for programs and for type checkers."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest
from tests import frozen_api

import tavolata

SOURCE = ast.parse(Path(tavolata.__file__).read_text(encoding="utf-8"))


def typed_names() -> dict[str, str]:
    """What type checkers see: name -> module."""
    return {
        alias.asname or alias.name: node.module or ""
        for block in SOURCE.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_programs_and_type_checkers_see_the_same_names() -> None:
    """The table of homes, the imports for type checkers and `__all__` name the same things."""
    assert typed_names() == tavolata._HOME
    assert sorted(tavolata.__all__) == sorted(tavolata._HOME)


@pytest.mark.parametrize("name", tavolata._HOME)
def test_every_public_name_is_there_and_is_its_modules_own(name: str) -> None:
    """Each name of `__all__` can be had, and is what its home module calls by that name."""
    assert getattr(tavolata, name) is getattr(import_module(tavolata._HOME[name]), name)


def test_a_name_that_is_not_there_is_an_ordinary_error() -> None:
    """A misspelled import fails as it does everywhere; the version of the API is there."""
    assert tavolata.API == 1
    with pytest.raises(ImportError, match="Gaem"):
        exec("from tavolata import Gaem", {})
    assert "Game" in dir(tavolata)


@pytest.mark.parametrize("name", tavolata._NOW)
def test_an_old_name_says_what_is_used_now(name: str) -> None:
    """The import of an old name fails, and a new name that is told can be imported."""
    with pytest.raises(ImportError, match=f"tavolata has no {name}: use ") as refused:
        exec(f"from tavolata import {name}", {})
    new = str(refused.value).partition(": use ")[2].split()[0].partition("(")[0].rstrip(".")
    if new.startswith("tavolata."):
        assert resolve_name(new) is not None


def test_api_1_is_frozen() -> None:
    """No public word is gone or means something else, and each new one is recorded."""
    now, recorded = frozen_api.lines(), frozen_api.read()
    assert len(recorded) > 500
    gone = frozen_api.lost(recorded, now)
    assert not gone, frozen_api.FROZEN.format(lost="\n  ".join(gone), file=frozen_api.FILE.name)
    new = [line for line in now if line not in recorded]
    assert not new, frozen_api.ADDED.format(new="\n  ".join(new))


WORD = "m.f: def(a: int, b: str='x', *, c: bool=False) -> int"


@pytest.mark.parametrize(
    ("old", "new", "stays"),
    [
        (WORD, WORD, True),
        (WORD, "m.f: def(a: int, b: str='x', d: int=0, *, c: bool=False) -> int", True),
        (WORD, "m.f: def(a: int, b: str='x', *, c: bool=False, d: int=0) -> int", True),
        (WORD, "m.f: def(a: int, b: str='x', *, c: bool=False, d: int) -> int", False),
        (WORD, "m.f: def(a: int, b: str='x', d: int, *, c: bool=False) -> int", False),
        (WORD, "m.f: def(a: int, d: int=0, b: str='x', *, c: bool=False) -> int", False),
        (WORD, "m.f: def(a: int, b: str='y', *, c: bool=False) -> int", False),
        (WORD, "m.f: def(a: int, b: str='x', *, c: bool=True) -> int", False),
        (WORD, "m.f: def(a: int, b: str='x') -> int", False),
        (WORD, "m.f: def(a: int, b: str, *, c: bool=False) -> int", False),
        (WORD, "m.f: def(a: int, b: str='x', *, c: bool=False) -> str", False),
        (WORD, "m.f: async def(a: int, b: str='x', *, c: bool=False) -> int", False),
        (WORD, "m.g: def(a: int, b: str='x', *, c: bool=False) -> int", False),
        ("m.A.b: int = 3", "m.A.b: int = 4", False),
        ("m.X = Literal['a', 'b']", "m.X = Literal['a', 'c', 'b']", True),
        ("m.X = Literal['a', 'b']", "m.X = Literal['a', 'c']", False),
        ("m.f: def() -> int  # provisional", "m.g: def() -> int", True),
    ],
)
def test_what_a_frozen_word_may_become(old: str, new: str, stays: bool) -> None:
    """What was written for the old word is right for the new one; nothing else is the same word."""
    assert (frozen_api.lost([old], [new]) == []) is stays


def test_importing_the_package_imports_nothing_else() -> None:
    """`import tavolata` brings in none of its modules: that is what keeps `tt --version` quick."""
    code = "import sys, tavolata; print(*(name for name in sys.modules if name.startswith('tavolata')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["tavolata"]
