"""The sessions of a table's machines among each other."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from tests.core.engine.table.test_teams import Here, Sides
from tests.protocol.realnet import gathered

from tavolata._engine.network.joining import guest_profile
from tavolata._engine.peer.peer_links import PeerLinks
from tavolata._engine.table.table_state import TableState
from tavolata_protocol.addresses import Address
from tavolata_protocol.events import Connected, Disconnected, DisconnectReason
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages.entries import Member, Role


def test_a_member_is_called_as_soon_as_its_address_is_known() -> None:
    """Nothing could be called before; a match may be over before the next call is due."""

    async def main() -> None:
        async with gathered(2, 1, direct=True) as group:
            caller, other = sorted(group.seats, key=lambda one: one.id)
            endpoint, called = caller.wire.driver.endpoint, list[Address]()
            host, port = endpoint.path(other.id).address[:2]

            def connect(address: Address, now: float, psk: bytes | None = None) -> None:
                called.append(address)

            endpoint.connect = connect  # type: ignore[method-assign, assignment]  # to see who is called
            state = TableState(Sides, me=bytes(caller.id), local=Here(bytes(caller.id)))
            connections = PeerLinks(caller.wire, state, {})
            endpoint.disconnect(other.id)
            connections.look_after()
            assert called == []
            state.roster.addresses[other.id] = (host, port)
            connections.look_after()
            connections.look_after()
            assert called == [(host, port)]

    asyncio.run(main())


def test_a_stranger_that_goes_leaves_nothing_behind() -> None:
    """Anyone at an open table may come again and again, each time with another key."""
    me, member, stranger = (PeerId(bytes([number]) * 32) for number in range(3))
    members = Configuration(tuple(Member(peer, bytes(8), Role.VOTER) for peer in (me, member)))
    log_driver = cast("Any", SimpleNamespace(log=SimpleNamespace(configuration=members)))
    links = PeerLinks(log_driver, TableState(Sides, me=bytes(me), local=Here(bytes(me))), {})
    for peer in (member, stranger):
        links.on(Connected(peer, ("192.0.2.1", 1), guest_profile("Ada", watch=True), b""))
        links.on(Disconnected(peer, DisconnectReason.LEFT))
    assert set(links.addresses) == links._watchers == {member}


def test_a_session_ends_by_silence_and_not_by_the_leaders_word() -> None:
    """Otherwise a lying leader could keep two machines apart, by calling one of them absent."""
    me, other = (PeerId(bytes([number]) * 32) for number in range(2))
    heard, ended, ticks = [0.0], list[PeerId](), list[float]()
    endpoint = SimpleNamespace(
        peers=lambda: [other],
        path=lambda peer: SimpleNamespace(last_heard=heard[0]),
        disconnect=ended.append,
    )
    now = [0.0]
    log_driver = SimpleNamespace(
        now=lambda: now[0], tick_in=ticks.append, log=SimpleNamespace(away={other}),
        driver=SimpleNamespace(endpoint=endpoint),
    )  # fmt: skip
    state = TableState(Sides, me=bytes(me), local=Here(bytes(me)))
    links = PeerLinks(cast("Any", log_driver), state, {})
    for second in range(60):
        now[0] = float(second)
        heard[0] = now[0] - second % 5
        links._doubt([other])
    assert ended == []
    now[0] += ticks[-1]
    links._doubt([other])
    assert ended == [other]
