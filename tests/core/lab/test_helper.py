"""Another process that plays: what it finds comes back, and its death never leaves anybody waiting."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from multiprocessing import current_process
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

import pytest

from tavolata._lab.helper import Helper, HelperLost, ready, way_to_start
from tavolata.errors import MessageError

LARGE = 1 << 22
"""Bytes that no pipe holds: who sends them waits until somebody reads."""
DIED = 77
"""The exit code of a process that dies by its work, and not before."""


@pytest.fixture(autouse=True)
def found_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is no copy imports this module to find the work: it looks where this one does."""
    monkeypatch.syspath_prepend(Path(__file__).parents[3])


def double(number: int) -> int:
    """Work that fails at nought."""
    if not number:
        raise MessageError("Nought is {what}.", what="too little")
    return 2 * number


def send_much(size: int) -> bytes:
    """More than a pipe holds."""
    return bytes(size)


def die(_: int) -> int:
    """A process that the system ends."""
    os._exit(DIED)


def die_sending(_: int) -> int:
    """A process that the system ends while it is sending what it has found."""
    pipe: Connection = vars(current_process())["_args"][1]
    os.write(pipe.fileno(), b"\x00\x00\x10\x00half of it")
    os._exit(DIED)


def test_what_is_found_comes_back_in_order_and_so_do_errors() -> None:
    """An error there is raised here, with its sentence, and the next piece of work is done."""
    helper = Helper(double, way_to_start())
    for number in (1, 0, 3):
        helper.send(number)
    assert ready([helper], patient=True) == [helper]
    assert helper.take() == 2
    with pytest.raises(MessageError, match="Nought is too little"):
        helper.take()
    assert helper.take() == 6
    assert helper.open == 0
    assert ready([helper], patient=False) == []
    helper.end()


def test_nobody_waits_for_those_without_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no work is open, nothing will ever be found, however patient the one who asks."""
    monkeypatch.setattr("tavolata._lab.helper.wait", lambda *_: pytest.fail("waits for ever"))
    helper = Helper(double, way_to_start())
    assert ready([helper], patient=True) == []
    helper.end()


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a pipe is no file there")


@pytest.mark.parametrize("work", [die, pytest.param(die_sending, marks=POSIX)])
def test_a_process_that_dies_is_noticed(work: Callable[[int], int]) -> None:
    """Also in the middle of what it sends: nobody waits for the other half."""
    helper = Helper(work, way_to_start())
    helper.send(1)
    assert ready([helper], patient=True) == [helper]
    with pytest.raises(HelperLost):
        helper.take()
    helper.end()
    assert helper._process.exitcode == DIED


def test_a_process_that_is_sending_can_be_ended() -> None:
    """Ctrl+C comes while another process waits for somebody who reads what it sends."""
    helper = Helper(send_much, way_to_start())
    helper.send(LARGE)
    assert ready([helper], patient=True) == [helper]  # it has begun
    helper.end()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is never copied")
def test_a_process_with_threads_is_not_copied() -> None:
    """What another thread has locked would stay locked in the copy."""
    ended = Event()
    other = Thread(target=ended.wait)
    other.start()
    way = way_to_start()
    ended.set()
    other.join()
    assert way == "spawn"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is never copied")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # the threads are those of the tests
def test_a_copy_ends_by_what_the_first_process_would_survive() -> None:
    """A copy does not keep a handler of the first process for the signal that ends it."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        helper = Helper(double, "fork")
        helper.send(1)
        assert helper.take() == 2
        helper.end()
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C isn't a signal there")
def test_ctrl_c_does_not_reach_a_process_that_is_starting() -> None:
    """It comes to all at a terminal, but only the first process acts on it; no other prints a traceback."""
    helper = Helper(double, "spawn")
    try:
        assert helper._process.pid is not None
        os.kill(helper._process.pid, signal.SIGINT)
        helper.send(4)
        assert helper.take() == 8
    finally:
        helper.end()
