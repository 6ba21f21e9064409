"""What is in the wheel and in the sdist, and that each way to install gives a working `tt`."""

from __future__ import annotations

import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]
VERSION = PROJECT["version"]
PACKAGES = {
    package.name: package
    for root in ("protocol", "core", "plugins")
    for package in (ROOT / root).iterdir()
    if (package / "__init__.py").exists()
}


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_has_exactly_our_packages_at_its_top(wheel: Path) -> None:
    """The source roots are folders, not packages: `import core` can't work from an installed Tavolata."""
    assert {name.partition("/")[0] for name in names_in(wheel)} == {
        *PACKAGES,
        f"tavolata-{VERSION}.dist-info",
    }


def test_the_wheel_has_every_file_of_every_package(wheel: Path) -> None:
    """Modules, py.typed, catalogues and texts of rules: whatever a package's folder has is in the wheel."""
    expected = {
        file.relative_to(package.parent).as_posix()
        for package in PACKAGES.values()
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    names = names_in(wheel)
    assert expected - names == set()
    for package in PACKAGES:
        assert f"{package}/py.typed" in names
    assert "tavolata/locale/it/LC_MESSAGES/tavolata.po" in names


def test_the_wheel_has_no_tests_and_no_leftovers(wheel: Path) -> None:
    """What people install has no tests, bytecode or caches."""
    assert [name for name in names_in(wheel) if "test_" in name or "__pycache__" in name] == []


def test_the_entry_points_are_those_of_the_bundled_games(wheel: Path) -> None:
    """Each folder under plugins is one entry point of the group that every plugin uses."""
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"tavolata-{VERSION}.dist-info/entry_points.txt").decode()
    listed = text.partition("[tavolata]")[2].strip().splitlines()
    games = [name for name, path in PACKAGES.items() if path.parent.name == "plugins"]
    assert sorted(line.partition("=")[2].strip() for line in listed) == sorted(games)


def test_the_version_is_one(wheel: Path) -> None:
    """What `tt --version` says is what the package is called."""
    namespace: dict[str, Any] = {}
    exec((ROOT / "core/tavolata/_version.py").read_text(encoding="utf-8"), namespace)
    assert namespace["__version__"] == VERSION
    assert wheel.name.startswith(f"tavolata-{VERSION}-py3-none-any")


def test_the_sdist_can_be_tested(built: Path) -> None:
    """Whoever packages Tavolata finds its tests, docs and licence in the sdist."""
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"tests/packaging/test_distributions.py", "LICENSE", "README.md", "tox.ini"} <= names


def bundled_and_works(environment: Environment) -> None:
    assert environment.tt("--version").stdout == f"tavolata {VERSION}\n"
    games = environment.tt("games")
    assert (games.returncode, games.stderr) == (0, "")
    listed = [line.partition(" ")[0] for line in games.stdout.splitlines()]
    names = [
        name.removeprefix("tavolata_").replace("_", "-") for name in PACKAGES if name != "tavolata_protocol"
    ]
    assert set(names) - {"tavolata"} <= set(listed)
    assert "Uso: tt COMANDO" in environment.tt("--lang", "it").stdout


def test_the_wheel_installs_and_works(installed: Environment) -> None:
    """From the wheel `tt` runs, lists every bundled game and speaks Italian."""
    bundled_and_works(installed)


def test_without_the_extra_for_browsers_nothing_is_hosted_for_them(installed: Environment) -> None:
    """The plain wheel needs nothing of it: `--web` says what to install, before a table is open."""
    hosted = installed.tt("host", "zompa", "--web")
    assert hosted.returncode == 2
    assert hosted.stderr == (
        'tt: Playing in a browser requires aiohttp, which isn\'t installed: pip install "tavolata[web]", '
        "or just aiohttp.\n"
    )
    extra = set(PROJECT["optional-dependencies"]["web"])
    assert extra.isdisjoint(PROJECT["dependencies"])
    assert extra == set(GROUPS["web"])  # what is tested is what is installed


@pytest.mark.parametrize("way", ["sdist", "editable"])
def test_other_ways_to_install_work_too(way: str, built: Path, fresh: Callable[[], Environment]) -> None:
    """From the sdist and as an editable installation `tt` does the same."""
    environment = fresh()
    [sdist] = built.glob("*.tar.gz")
    environment.install(*(["--editable", ROOT] if way == "editable" else [sdist]))
    bundled_and_works(environment)
    if way == "editable":
        [path] = environment.site.glob("_tavolata.pth")
        assert str(ROOT / "core") in path.read_text(encoding="utf-8")
