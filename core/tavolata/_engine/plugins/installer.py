"""The installer that put Tavolata where it is, and what was installed by it for the sake of games.

Games are packages like any other, so the program that installed Tavolata installs them beside it: pip, pipx
(`pipx inject`), or uv. What people asked for is stored in a file in the data folder. An upgrade may make the
environment again without it, as uv's does; then `missing` lists it.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from tavolata import _dirs
from tavolata._engine.plugins.manifest import EntryPoint, scan
from tavolata._engine.plugins.package_names import is_distribution, wanted
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata.errors import MessageError
from tavolata.messages import N_


class NotInstalled(MessageError):
    """The installer could not do what was asked of it; nothing has changed."""


def is_path(word: str) -> bool:
    """Return True if a word names a folder or a file of a package rather than a package by its name."""
    return (os.sep in word or "/" in word or word.endswith((".whl", ".tar.gz"))) and Path(word).exists()


@dataclass(frozen=True)
class Installer:
    """A program that installs packages into this environment: "pip", "pipx" or "uv".

    `adds` and `removes` are its words to install and to remove a package, without the package.
    """

    name: str
    adds: tuple[str, ...]
    removes: tuple[str, ...]

    def install(self, what: str) -> None:
        """Install a package, by name or by path; raise `NotInstalled` if that fails."""
        self._run(self.adds, what, N_("Couldn't install {what} with {name}: {problem}"))

    def uninstall(self, name: str) -> None:
        """Remove a package; raise `NotInstalled` if that fails."""
        self._run(self.removes, name, N_("Couldn't uninstall {what} with {name}: {problem}"))

    def _run(self, words: tuple[str, ...], what: str, message: str) -> None:
        try:
            done = subprocess.run(  # noqa: S603 - an installer by its path, and a word that was checked
                [*words, what], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                errors="replace",
            )  # fmt: skip
        except OSError as error:
            raise NotInstalled(message, what=what, name=self.name, problem=trouble(error)) from error
        importlib.invalidate_caches()
        if done.returncode:
            raise NotInstalled(
                message, what=what, name=self.name, problem=_problem(done.stderr or done.stdout)
            )


def installer() -> Installer:
    """Return the installer of this program's environment; raise `NotInstalled` if none may change it."""
    prefix, python, uv = Path(sys.prefix), sys.executable, shutil.which("uv")
    by_uv = ("--quiet", "--python", python)
    if (prefix / "pipx_metadata.json").is_file() and (pipx := shutil.which("pipx")):
        return Installer("pipx", (pipx, "inject", prefix.name), (pipx, "uninject", prefix.name))
    if uv and ((prefix / "uv-receipt.toml").is_file() or util.find_spec("pip") is None):
        return Installer("uv", (uv, "pip", "install", *by_uv), (uv, "pip", "uninstall", *by_uv))
    if sys.prefix == sys.base_prefix and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").is_file():
        raise NotInstalled(
            N_("This Python belongs to the system, which doesn't let programs add packages. "
               "Install Tavolata with pipx or uv, or in a virtual environment; then you can "
               "add games.")
        )  # fmt: skip
    if util.find_spec("pip") is None:
        raise NotInstalled(N_("Installing a package needs pip or uv, and neither is installed."))
    pip = (python, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    return Installer("pip", (*pip, "install"), (*pip, "uninstall", "--yes"))


def plugins_of(name: str) -> list[EntryPoint]:
    return [entry for entry in scan().plugins if normal(entry.distribution) == normal(name)]


def is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def normal(name: str) -> str:
    """Write a package name as PEP 503 does, so that two spellings of the same name are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


# -- what was asked for -----------------------------------------------------------------------------


def asked_for() -> dict[str, str]:
    """Return the packages installed for the sake of games: by normal name, the words that installed them."""
    try:
        kept = stored(_file()).items()
        return {normal(name): word for name, word in kept if is_distribution(name) and _can_ask(word)}
    except AttributeError:
        return {}


def remember(name: str, word: str) -> None:
    keep(_file(), {**asked_for(), normal(name): word})


def forget(name: str) -> None:
    keep(_file(), {one: word for one, word in asked_for().items() if one != normal(name)})


def missing() -> dict[str, str]:
    """Return the packages that were asked for and aren't installed, as in `asked_for`."""
    return {name: word for name, word in asked_for().items() if not is_installed(name)}


def _can_ask(word: object) -> bool:
    return isinstance(word, str) and (bool(wanted(word)) or is_path(word))


def _file() -> Path:
    return Path(_dirs.data_dir()) / "installed.json"


_CAUSES = ("cause: ", "╰─▶ ")
"""What uv writes before its reason, by itself and when pipx works with it."""


def _problem(said: str) -> str:
    """Return the line of an installer's complaint that says what is wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    causes = [line.removeprefix(sign) for line in lines for sign in _CAUSES if line.startswith(sign)]
    errors = [line for line in lines if line.lower().startswith(("error", "× ", "fatal"))]
    return one_line(([*lines[:1], *errors, *causes] or ["?"])[-1], 200)
