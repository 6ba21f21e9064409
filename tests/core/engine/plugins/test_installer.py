"""The installer that put Tavolata where it is, the words that it is given, and what was asked of it."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

from tavolata._engine.plugins import installer
from tavolata._engine.plugins.installer import (
    NotInstalled,
    asked_for,
    forget,
    is_path,
    missing,
    remember,
)
from tavolata._engine.plugins.package_names import wanted

PIPX_OVER_UV = """installing x...
Fatal error from uv prevented installation. Full uv output in file:
    /logs/uv_errors.log
    error: No solution found when resolving dependencies
      cause: Because x was not found, we can conclude.
Error installing x.
"""
"""What pipx says that works with uv; made shorter."""


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("tavolata-hearts", "tavolata-hearts"),
        ("Tt_Games.2", "Tt_Games.2"),
        ("hearts==1.2", "hearts"),
        ("hearts >= 1, < 2", "hearts"),
        ("hearts~=1.0rc1", "hearts"),
        ("hearts==1.*", "hearts"),
    ],
)
def test_a_package_is_named_with_or_without_its_version(word: str, name: str) -> None:
    """The name is what stands before the version."""
    assert wanted(word) == name


@pytest.mark.parametrize(
    "word",
    ["", "-r", "--index-url=http://evil.example", "hearts @ http://evil.example", "hearts==1 --pre",
     "hearts;x", "git+https://evil.example/x", "hearts\n", "hearts==", "hearts[all]", "caffè", "a==1,--pre"],
)  # fmt: skip
def test_what_is_no_package_reaches_no_installer(word: str) -> None:
    """Options, addresses and other words are no names."""
    assert wanted(word) == ""
    assert not is_path(word)


def test_the_installer_is_the_one_that_made_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pipx and uv leave a file in what they made; else it is pip, or uv where there is no pip."""
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert installer.installer().name == "pip"
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "tavolata"))
    (tmp_path / "tavolata").mkdir()
    (tmp_path / "tavolata" / "uv-receipt.toml").touch()
    assert installer.installer().adds == ("/bin/uv", "pip", "install", "--quiet", "--python", sys.executable)
    (tmp_path / "tavolata" / "pipx_metadata.json").touch()
    assert installer.installer().adds == ("/bin/pipx", "inject", "tavolata")
    assert installer.installer().removes == ("/bin/pipx", "uninject", "tavolata")


def test_a_python_of_the_system_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system marks its Python as its own (PEP 668), one sentence says what to do."""
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    with pytest.raises(NotInstalled, match="belongs to the system"):
        installer.installer()


def test_what_was_asked_for_is_kept_until_it_is_removed() -> None:
    """An upgrade that drops a package doesn't make anybody forget it; two spellings are one name."""
    assert asked_for() == {}
    remember("Tavolata_Hearts", "Tavolata_Hearts==1.2")
    remember("pytest", "pytest")
    assert missing() == {"tavolata-hearts": "Tavolata_Hearts==1.2"}
    forget("tavolata.hearts")
    assert asked_for() == {"pytest": "pytest"}


def test_a_damaged_file_asks_for_nothing() -> None:
    """Whatever stands in it, no option reaches an installer by it."""
    remember("pytest", "pytest")
    installer._file().write_text('{"a": "--pre", "-b": "b", "c": 3, "d": "d"}')
    assert asked_for() == {"d": "d"}
    installer._file().write_text("[")
    assert asked_for() == {}


def test_of_what_an_installer_complains_the_error_is_told() -> None:
    """Its last line of error, in one line; else its first."""
    assert installer._problem("WARNING: old\nERROR: no x\nERROR: No match for x\n") == "ERROR: No match for x"
    assert installer._problem("something\nelse") == "something"
    assert installer._problem("") == "?"
    assert installer._problem(PIPX_OVER_UV) == "Because x was not found, we can conclude."


def test_an_installer_that_is_gone_is_a_sentence() -> None:
    """A program that can't be started is no internal error."""
    gone = installer.Installer("pipx", ("/nowhere/pipx",), ("/nowhere/pipx",))
    with pytest.raises(NotInstalled, match="Couldn't install hearts with pipx"):
        gone.install("hearts")
