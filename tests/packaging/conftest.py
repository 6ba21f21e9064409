"""What is built once for all packaging tests: the distributions, the dependencies, environments.

Environments are made and filled by the real venv and pip, without a network: what Tavolata depends
on is copied out of the environment that runs the tests, so pip finds every requirement met or says
so.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SECOND_GAME = Path(__file__).parent / "second_game"


class Environment:
    """A virtual environment into which packages are installed with the real pip."""

    def __init__(self, folder: Path, dependencies: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
        self.folder = folder
        self.bin = folder / ("Scripts" if sys.platform == "win32" else "bin")
        self.site = next(folder.rglob("site-packages"))
        (self.site / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")

    def pip(self, *words: object) -> None:
        """Run the real pip on this environment."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "--quiet"]
        run([*pip, "--disable-pip-version-check", *map(str, words)])

    def install(self, *what: object) -> None:
        """Run `pip install` of these in this environment, without a network."""
        self.pip("install", "--no-index", "--no-build-isolation", *what)

    def tt(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the installed `tt` to its end."""
        running = self.start("home", *words)
        try:
            out, err = running.communicate(timeout=120)
        finally:
            running.kill()  # of no effect on one that has ended
        return subprocess.CompletedProcess(words, running.returncode, out, err)

    def start(self, home: str, *words: str) -> subprocess.Popen[str]:
        """Start the installed `tt`, in a folder where nothing of the source can be imported by accident.

        Args:
            home: the folder of a person's own files, below this environment's.
            *words: the command line.
        """
        environ = {**os.environ, "PYTHONPATH": "", "PYTHONUTF8": "1"}
        for name in ("CACHE", "DATA", "CONFIG"):
            environ[f"TT_{name}_DIR"] = str(self.folder / home)
        return subprocess.Popen(
            [str(self.bin / "tt"), *words], cwd=self.folder, env=environ,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip


def run(command: list[str]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def needed_by(wanted: list[str]) -> set[str]:
    """The distributions that these requirements stand for, and all that they depend on here."""
    found: set[str] = set()
    todo, done = [Requirement(one) for one in wanted], set()
    while todo:
        one = todo.pop()
        name = canonicalize_name(one.name)
        if (name, frozenset(one.extras)) in done:
            continue
        done.add((name, frozenset(one.extras)))
        try:
            requirements = map(Requirement, importlib.metadata.requires(name) or [])
        except importlib.metadata.PackageNotFoundError:
            continue  # wanted on other platforms or Pythons only
        found.add(name)
        for next_one in requirements:
            places: list[dict[str, str]] = [{"extra": extra} for extra in ("", *one.extras)]
            if next_one.marker is None or any(next_one.marker.evaluate(dict(place)) for place in places):
                todo.append(next_one)
    return found


@pytest.fixture(scope="session")
def dependencies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that Tavolata and its build need, and nothing else."""
    folder = tmp_path_factory.mktemp("dependencies")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # Not asked of the installed metadata: an editable installation keeps those of the day it was made.
    for name in needed_by([*project["dependencies"], "hatchling", "pip"]):
        for file in importlib.metadata.files(name) or []:
            source = Path(str(file.locate()))
            if ".." in file.parts or file.suffix == ".pyc" or not source.is_file():
                continue
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / file)
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)])
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    """The wheel."""
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def fresh(dependencies: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Environment]:
    """Makes a new environment that has what Tavolata depends on, and not Tavolata."""
    return lambda: Environment(tmp_path_factory.mktemp("environment") / "venv", dependencies)


@pytest.fixture(scope="session")
def installed(wheel: Path, fresh: Callable[[], Environment]) -> Environment:
    """An environment with the wheel, and a stranger's game beside it."""
    environment = fresh()
    environment.install(wheel, SECOND_GAME)
    return environment
