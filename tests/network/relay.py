"""A relay on loopback that brings each datagram a little later: a long line between two machines.

`tc netem` is not to be had everywhere; a thread with two sockets a client is.
"""

from __future__ import annotations

import contextlib
import heapq
import selectors
import socket
import time
from itertools import count
from threading import Thread
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"


class Relay:
    """A UDP port whose datagrams reach another port, and back, `delay` seconds later each way.

    Attributes:
        port: where clients send to.
    """

    def __init__(self, to: int, delay: float) -> None:
        self._to = (HOST, to)
        self._delay = delay
        self._front = self._socket()
        self.port: int = self._front.getsockname()[1]
        self._backs: dict[tuple[str, int], socket.socket] = {}
        self._late: list[tuple[float, int, socket.socket, bytes, tuple[str, int]]] = []
        self._numbers = count()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._front, selectors.EVENT_READ, None)
        self._open = True
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @staticmethod
    def _socket() -> socket.socket:
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        one.bind((HOST, 0))
        one.setblocking(False)
        return one

    def _run(self) -> None:
        while self._open:
            wait = 0.05 if not self._late else max(0.0, min(0.05, self._late[0][0] - time.monotonic()))
            for key, _ in self._selector.select(wait):
                with contextlib.suppress(OSError):
                    self._take(key)
            while self._late and self._late[0][0] <= time.monotonic():
                _, _, sender, data, whom = heapq.heappop(self._late)
                with contextlib.suppress(OSError):
                    sender.sendto(data, whom)

    def _take(self, key: selectors.SelectorKey) -> None:
        """Keep one datagram until it is due."""
        here = key.fileobj
        assert isinstance(here, socket.socket)
        data, whence = here.recvfrom(65536)
        if key.data is not None:  # from the far end, to the client whose socket this is
            self._later(self._front, data, key.data)
            return
        if whence not in self._backs:
            self._backs[whence] = self._socket()
            self._selector.register(self._backs[whence], selectors.EVENT_READ, whence)
        self._later(self._backs[whence], data, self._to)

    def _later(self, sender: socket.socket, data: bytes, whom: tuple[str, int]) -> None:
        heapq.heappush(self._late, (time.monotonic() + self._delay, next(self._numbers), sender, data, whom))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._open = False
        self._thread.join()
        self._selector.close()
        for one in (self._front, *self._backs.values()):
            one.close()
