"""The sessions of a table's machines among each other."""

from __future__ import annotations

import asyncio

from tests.core.engine.table.test_teams import Here, Sides
from tests.protocol.realnet import gathered

from tavolata._engine.peer.peer_links import PeerLinks
from tavolata._engine.table.table_state import TableState
from tavolata_protocol.addresses import Address


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
