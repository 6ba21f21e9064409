"""A seeded network in virtual time for tests: it loses, doubles, delays and reorders datagrams.

Endpoints are attached under an address; `run_until` moves the time from event to event. The same seed gives
the same run. Nothing sleeps and no socket is opened.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar, Unpack

from tavolata_protocol.addresses import Address, Predicate
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.events import (
    Connected,
    ConnectFailed,
    Disconnected,
    EndpointEvent,
    Moved,
    Received,
    WrongCode,
)
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity

TABLE = b"the table of the tests"
PSK = open_table_psk(TABLE)

E = TypeVar("E", Connected, Received, Disconnected, ConnectFailed, Moved, WrongCode)


class Options(TypedDict, total=False):
    """The options of an endpoint."""

    psk: bytes | None
    table: bytes
    code: str | None
    profile: bytes
    accept: Predicate


@dataclass(frozen=True)
class Weather:
    """What the network does to datagrams: probabilities, and seconds."""

    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    jitter: float = 0.0
    delay: float = 0.001


CALM = Weather()
STORM = Weather(loss=0.3, duplicate=0.1, reorder=0.3, jitter=0.08, delay=0.005)


@dataclass
class Node:
    """An endpoint with its address, and everything that it said."""

    endpoint: Endpoint
    address: Address
    events: list[EndpointEvent] = field(default_factory=list)
    sent: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def messages(self) -> list[bytes]:
        return [event.message for event in self.of(Received)]


class Network:
    """The wire between nodes."""

    def __init__(self, seed: int, weather: Weather = CALM) -> None:
        self.random = random.Random(seed)
        self.weather = weather
        self.now = 1000.0
        self.nodes: dict[Address, Node] = {}
        self.cut: Callable[[Address, Address], bool] = lambda source, target: False
        self.tap: Callable[[bytes, Address, Address], None] = lambda data, source, target: None
        self._queue: list[tuple[float, int, bytes, Address, Address]] = []
        self._count = 0

    def node(self, number: int, *, identity: Identity | None = None, **options: Unpack[Options]) -> Node:
        """A new endpoint at 10.0.0.`number`; answering calls for the open table unless told otherwise."""
        settings: Options = {"psk": PSK, "table": TABLE, "profile": b"node %d" % number}
        settings.update(options)
        endpoint = Endpoint(
            identity or Identity(self.random.randbytes(32)),
            self.random.randbytes,
            self.now,
            **settings,
        )
        return self.attach(endpoint, (f"10.0.0.{number}", 4711))

    def attach(self, endpoint: Endpoint, address: Address) -> Node:
        node = self.nodes[address] = Node(endpoint, address)
        return node

    def pair(self, **options: Unpack[Options]) -> tuple[Node, Node]:
        """Two nodes with a session."""
        one, two = self.node(1, **options), self.node(2, **options)
        one.endpoint.connect(two.address, self.now)
        self.run_until(lambda: bool(one.endpoint.peers() and two.endpoint.peers()), 60)
        return one, two

    def inject(self, data: bytes, source: Address, target: Address) -> None:
        """Hand a datagram over at once, as it is."""
        node = self.nodes[target]
        node.received_bytes += len(data)
        node.endpoint.receive_datagram(data, source, self.now)
        self._pump(node)

    def run_until(self, done: Callable[[], bool], seconds: float) -> None:
        """Let time pass until `done`; fails after that many virtual seconds."""
        end = self.now + seconds
        for node in self.nodes.values():
            self._pump(node)
        while not done():
            assert self._step(end), f"not done within {seconds} virtual seconds"

    def run_for(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        for node in self.nodes.values():
            self._pump(node)
        while self._step(end):
            pass
        self.now = end

    def _step(self, end: float) -> bool:
        due: list[tuple[float, int, Node | None]] = []
        if self._queue:
            due.append((self._queue[0][0], 0, None))
        for node in self.nodes.values():
            timer = node.endpoint.next_timer()
            if timer is not None:
                due.append((timer, 1, node))
        if not due:
            return False
        when, _, first = min(due, key=lambda one: one[:2])
        if when > end:
            return False
        self.now = max(self.now, when)
        if first is not None:
            first.endpoint.handle_timer(self.now)
            self._pump(first)
            return True
        _, _, data, source, target = heapq.heappop(self._queue)
        receiver = self.nodes.get(target)
        if receiver is not None and not self.cut(source, target):
            receiver.received_bytes += len(data)
            receiver.endpoint.receive_datagram(data, source, self.now)
            self._pump(receiver)
        return True

    def _pump(self, node: Node) -> None:
        for data, target in node.endpoint.datagrams_to_send(self.now):
            node.sent += 1
            node.sent_bytes += len(data)
            self.tap(data, node.address, target)
            self._carry(data, node.address, target)
        while (event := node.endpoint.next_event()) is not None:
            node.events.append(event)

    def _carry(self, data: bytes, source: Address, target: Address) -> None:
        weather, chance = self.weather, self.random.random
        copies = 2 if chance() < weather.duplicate else 1
        for _ in range(copies):
            if chance() < weather.loss:
                continue
            delay = weather.delay + weather.jitter * chance()
            if chance() < weather.reorder:
                delay += weather.jitter * chance()
            self._count += 1
            heapq.heappush(self._queue, (self.now + delay, self._count, data, source, target))
