"""The agreed log over real sealed sessions: both layers together, on a network that exists only here."""

from __future__ import annotations

import random

from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.lossy import STORM, Network, Weather

from tavolata_protocol.entries import EntryKind
from tavolata_protocol.events import Received
from tavolata_protocol.grouplog import GroupLog, events
from tavolata_protocol.identity import Identity

STEP = 0.005


class Table:
    """Peers with an endpoint and a log each; the first founds the table."""

    def __init__(self, seed: int, size: int) -> None:
        self.network = Network(seed)
        identities = [Identity(bytes((number + 1,)) * 32) for number in range(size)]
        self.nodes = [self.network.node(n + 1, identity=identity) for n, identity in enumerate(identities)]
        self.bodies: list[list[bytes]] = [[] for _ in identities]
        self.sent = 0
        self._read = [0] * size
        for number, node in enumerate(self.nodes):
            for other in self.nodes[:number]:
                node.endpoint.connect(other.address, self.network.now)
                self.network.run_for(0.05)
        self.logs = [
            GroupLog(identity, MemoryStorage(), table=b"table", chance=random.Random(seed))
            for identity in identities
        ]
        self.logs[0].create(self.network.now)
        for log in self.logs[1:]:
            log.join(identities[0].peer, self.network.now)
        self.run(0.8 * size)

    def run(self, seconds: float) -> None:
        until = self.network.now + seconds
        while self.network.now < until:
            self.network.run_for(STEP)
            for number in range(len(self.nodes)):
                self._turn(number)

    def _turn(self, number: int) -> None:
        node, log, now = self.nodes[number], self.logs[number], self.network.now
        for event in node.events[self._read[number] :]:
            if isinstance(event, Received):
                log.receive(event.peer, event.message, now)
        self._read[number] = len(node.events)
        due = log.next_timer()
        if due is not None and due <= now:
            log.handle_timer(now)
        for peer, message, reliable in log.messages_to_send(now):
            self.sent += 1
            node.endpoint.send(peer, message, reliable=reliable)
        while (happened := log.next_event()) is not None:
            if isinstance(happened, events.JoinRequested):
                log.add_learner(happened.peer)
                log.promote(happened.peer)
            elif isinstance(happened, events.Final) and happened.entry.kind is EntryKind.APPLICATION:
                self.bodies[number].append(happened.entry.body)


def play(weather: Weather, actions: int) -> Table:
    table = Table(1, 4)
    assert len(table.logs[0].configuration.voters) == 4
    table.network.weather, table.sent = weather, 0
    for number in range(actions):
        table.logs[number % 4].propose(b"%d" % number)
        table.run(0.05)
    return table


def test_an_action_in_calm_takes_as_few_messages_as_a_star_needs() -> None:
    """Four peers: a proposal, three appends, three answers, three news of finality, and heartbeats."""
    table = play(Weather(), 40)
    table.run(0.2)
    assert [len(bodies) for bodies in table.bodies] == [40] * 4
    assert table.sent / 40 < 12


def test_actions_come_out_everywhere_in_a_storm() -> None:
    """Loss 30 %, reordering 30 %, duplicates, jitter 80 ms: all actions, one order, few messages."""
    table = play(STORM, 60)
    for _ in range(100):
        if all(len(bodies) == 60 for bodies in table.bodies):
            break
        table.run(0.2)
    assert sorted(table.bodies[0], key=int) == [b"%d" % number for number in range(60)]
    assert table.bodies
    assert all(bodies == table.bodies[0] for bodies in table.bodies)
    assert len({log.chain_at(log.commit_index) for log in table.logs}) == 1
    assert table.sent / 60 < 3 * 12
