"""The author's API: one lazy import, the same names for programs and for type checkers."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest

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


def test_importing_the_package_imports_nothing_else() -> None:
    """`import tavolata` brings in none of its modules: that is what keeps `tt --version` quick."""
    code = "import sys, tavolata; print(*(name for name in sys.modules if name.startswith('tavolata')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["tavolata"]
