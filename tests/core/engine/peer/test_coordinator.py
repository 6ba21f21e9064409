"""What the machine in the host's place does: it decides nothing about others."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.peer.links import LooseLink
from tests.core.engine.table.test_table_state import ANN, BOB, HOST, founded, put, start

from tavolata._engine.match.header import IDLE, STAND_AFTER
from tavolata._engine.peer.coordinator import Coordinator
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.table import log_bodies


@pytest.mark.parametrize(("me", "says"), [(HOST, True), (ANN, False)])
def test_only_the_host_decides_about_an_absent_player(me: bytes, says: bool) -> None:
    """While the host is away, the machine in its place proposes no decision, which the table would refuse."""
    state = founded(ANN, BOB, me=me)
    put(state, HOST, log_bodies.POLICY, log_bodies.BLIND, STAND_AFTER, IDLE, False)
    start(state)
    assert state.matches.running is not None
    put(state, HOST, log_bodies.STATUS, BOB, False)
    if me == ANN:
        put(state, ANN, log_bodies.STATUS, HOST, False)
    assert state.matches.coordinator == me
    link = LooseLink()
    presence: Any = None
    coordinator = Coordinator(link, state, PeerSettings("P"), presence)
    coordinator.work()
    link.time = 1000.0
    coordinator.work()
    assert [body[0] for body in link.proposed] == [log_bodies.DECIDE] * says
