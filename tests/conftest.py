"""What every test gets: folders of its own and an environment that says nothing about language or colour.

Only what keeps tests apart from the machine they run on may live here.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from tests.commit import pytest_addoption, pytest_collection_modifyitems, pytest_ignore_collect
from typing_extensions import override

from tavolata._machine import MACHINE, Computer
from tavolata._ui import streams

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_ignore_collect"]

settings.register_profile("untimed", deadline=None)  # nothing here fails because a machine is busy
settings.load_profile("untimed")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script's background job ignores Ctrl+C, and so would every program that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What is imported by now stays: looking through it for garbage took a sixth of the tests' time."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Workers have the priority of the process that starts them."""
    if config.getoption("--low-priority") and not hasattr(config, "workerinput") and sys.platform != "win32":
        os.nice(10)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: tests of other processes wait for them."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def hears_hangups() -> Iterator[None]:
    """A closed terminal is heard here and in the programs of this test, even if `nohup` started the tests."""
    number = getattr(signal, "SIGHUP", None)
    before = None if number is None else signal.signal(number, signal.SIG_DFL)
    yield
    if number is not None:
        signal.signal(number, before)


LEANINGS = ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "PAGER", "COLUMNS", "LINES")


@pytest.fixture(autouse=True)
def _apart_from_this_machine(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in [*LEANINGS, *(name for name in os.environ if name.startswith("TT_"))]:
        monkeypatch.delenv(name, raising=False)
    home = _home(request.config, tmp_path_factory)
    for folder in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"TT_{folder}_DIR", str(home / folder.lower()))
    monkeypatch.setattr(streams, "_here", [])  # no test reads on where another stopped


_HOME = pytest.StashKey[Path]()


def _home(config: pytest.Config, factory: pytest.TempPathFactory) -> Path:
    if _HOME not in config.stash:
        config.stash[_HOME] = factory.mktemp("home")
    return config.stash[_HOME]


class KnownComputer(Computer):
    """This machine, with the same "randomness" in every run of a test: what failed once fails again.

    Args:
        test: the test's name, so that two tests don't walk the same way.
    """

    def __init__(self, test: str) -> None:
        self._numbers = count()
        self._test = test.encode()

    @override
    def token(self, size: int) -> bytes:
        """The next `size` bytes."""
        blocks = iter(lambda: blake2b(self._test, salt=next(self._numbers).to_bytes(16, "big")).digest(), b"")
        out = b""
        while len(out) < size:
            out += next(blocks)
        return out[:size]


@pytest.fixture(autouse=True)
def _without_luck(request: pytest.FixtureRequest) -> Iterator[None]:
    before = MACHINE.set(KnownComputer(request.node.nodeid))
    yield
    MACHINE.reset(before)
