"""A way to a host's port that does something to the datagrams on it."""

from __future__ import annotations

import heapq
import select
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread
from typing import TypeAlias

Fate: TypeAlias = Callable[[bytes], Iterable[tuple[float, bytes]]]
"""What becomes of a datagram: what arrives in its place, each after so many seconds."""

BUFFER = 65536


@contextmanager
def bad_way(port: int, fate: Fate) -> Iterator[int]:
    """One guest's way to the host at `port` and back; the port where it begins."""
    stop, numbers = Event(), count()
    near, far = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    near.bind(("127.0.0.1", 0))
    guest: list[tuple[str, int]] = []
    under_way: list[tuple[float, int, bool, bytes]] = []

    def carry() -> None:
        while not stop.is_set():
            wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else 0.1
            ready, _, _ = select.select([near, far], [], [], min(wait, 0.1))
            for one in ready:
                data, source = one.recvfrom(BUFFER)
                if one is near:
                    guest[:] = [source]
                for late, copy in fate(data) if data else ():
                    heapq.heappush(under_way, (time.monotonic() + late, next(numbers), one is near, copy))
            while under_way and under_way[0][0] <= time.monotonic():
                _, _, inwards, data = heapq.heappop(under_way)
                if inwards:
                    far.sendto(data, ("127.0.0.1", port))
                elif guest:
                    near.sendto(data, guest[0])

    thread = Thread(target=carry, daemon=True)
    thread.start()
    try:
        yield near.getsockname()[1]
    finally:
        stop.set()
        thread.join()
        near.close()
        far.close()
