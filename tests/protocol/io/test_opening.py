"""Sockets: any free port where none is asked for."""

from __future__ import annotations

import ctypes
import socket
import sys
from typing import Any

import pytest

from tavolata_protocol.io.opening import open_plain, open_shared, open_socket


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_plain_socket_gets_any_free_port(family: socket.AddressFamily, host: str) -> None:
    """Two of them are open at once, at ports that the system chose, above the reserved ones."""
    found = [open_plain(family, host) for _ in range(2)]
    ports = [one.getsockname()[1] for one in found if one is not None]
    for one in found:
        if one is not None:
            one.close()
    if not ports:
        pytest.skip(f"this machine has no {host}")
    assert len(set(ports)) == 2
    assert min(ports) >= 1024


def test_a_plain_socket_that_can_not_be_is_none() -> None:
    """Another machine's address is no error, because every interface is tried."""
    assert open_plain(socket.AF_INET, "192.0.2.1") is None


class Winsock:
    """Windows' library of sockets: the calls of WSAIoctl that reach it."""

    def __init__(self, answer: int) -> None:
        self.answer = answer
        self.calls: list[tuple[int, int, int, int]] = []

    def WSAIoctl(self, sock: Any, code: Any, given: Any, size: int, *rest: Any) -> int:
        """The call in C, which has nine arguments."""
        out, room, written, overlapped, done = rest
        assert (out, room, overlapped, done) == (None, 0, None, None)
        assert isinstance(written._obj, ctypes.c_ulong)
        self.calls.append((sock.value, code.value, given._obj.value, size))
        return self.answer


@pytest.mark.parametrize("answer", [0, -1])
def test_windows_reports_no_icmp_answers(answer: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every socket is told so, before anything reads it; where the system knows no such option, it opens."""
    library = Winsock(answer)
    monkeypatch.setattr(ctypes, "WinDLL", {"ws2_32": library}.__getitem__, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    opened = [
        open_socket("127.0.0.1", 0),
        open_plain(socket.AF_INET, "127.0.0.1"),
        open_shared(socket.AF_INET, "127.0.0.1", 0),
    ]
    monkeypatch.undo()
    numbers = []
    for sock in opened:
        assert sock is not None
        numbers.append(sock.fileno())
        sock.close()
    resets = (0x80000000 | 0x18000000 | 12, 0x80000000 | 0x18000000 | 15)  # IOC_IN | IOC_VENDOR
    assert library.calls == [(number, code, 0, 4) for number in numbers for code in resets]


def test_elsewhere_no_such_option_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other systems have no Winsock."""
    library = Winsock(0)
    monkeypatch.setattr(ctypes, "WinDLL", {"ws2_32": library}.__getitem__, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    open_socket("127.0.0.1", 0).close()
    assert library.calls == []
