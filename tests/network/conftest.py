"""The hall where tables are opened, and the game that is played with hidden hands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import second_opinion
from .lan import lan
from .table import Hall, Tt, two_hands

EVERY_TIME = frozenset({
    "test_classics.py", "test_failover.py", "test_matches.py", "test_programs.py", "test_refusals.py",
    "test_sealed_papers.py", "test_spectator.py",
})  # fmt: skip
"""The rest of these tests of real processes take turns, as batteries do."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark those that take turns."""
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.name not in EVERY_TIME:
            item.add_marker(pytest.mark.battery)


__all__ = ["lan"]  # a fixture for all tests here


def install(site: Path, module: str, source: Path, version: str = "1.0") -> Path:
    """Put a package and its metadata into a folder, as pip does."""
    package = site / module
    package.mkdir(parents=True)
    shutil.copy(source, package / "__init__.py")
    info = site / f"{module}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[tavolata]\n{module} = {module}\n")
    return site


@pytest.fixture(scope="session")
def sealed_tricks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game of hidden hands is installed."""
    site = tmp_path_factory.mktemp("site")
    return install(site, "sealed_tricks", Path(__file__).with_name("sealed_tricks.py"))


@pytest.fixture
def hall(tmp_path: Path, sealed_tricks: Path) -> Iterator[Hall]:
    """A place for tables, empty again afterwards."""
    place = Hall(tmp_path, (sealed_tricks,))
    yield place
    place.close()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, sealed_tricks: Path) -> Iterator[list[Tt]]:
    """What all machines dealt together, see `two_hands`; every test that asks looks at one match."""
    with two_hands(tmp_path_factory.mktemp("hall"), sealed_tricks) as players:
        yield players


TOLD = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin the session's collection of match files, in the process that starts the workers."""
    if not hasattr(config, "workerinput"):
        second_opinion.begin()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Have the collected files read by the second opinion."""
    if not hasattr(session.config, "workerinput"):
        session.config.stash[TOLD] = second_opinion.end(session)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the second opinion says, if any of it ran."""
    if told := terminalreporter.config.stash.get(TOLD, ""):
        terminalreporter.line(told)
