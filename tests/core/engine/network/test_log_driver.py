"""The driver of the agreed log: when what a peer proposes leaves."""

from __future__ import annotations

import asyncio

from tests.protocol.realnet import gathered

from tavolata_protocol.addresses import Address


def test_a_lone_proposal_leaves_at_once() -> None:
    """A guest's proposal is sent before the call returns; what follows while it waits goes together."""

    async def main() -> None:
        async with gathered(2, 1, direct=True) as group:
            wire, sent = group.seats[1].wire, list[bytes]()
            sockets = wire.driver._sockets
            real = sockets.send

            def send(data: bytes, address: Address) -> None:
                sent.append(data)
                real(data, address)

            sockets.send = send  # type: ignore[method-assign]  # to count
            await group.until(lambda: not wire.log.pending, 20)
            sent.clear()
            wire.propose(b"alone")
            assert len(sent) == 1
            wire.propose(b"second")
            wire.propose(b"third")
            assert len(sent) == 1
            await group.until(lambda: not wire.log.pending, 20)
            assert group.seats[1].bodies == group.seats[0].bodies == [b"alone", b"second", b"third"]

    asyncio.run(main())


def test_who_leaves_waits_for_its_last_word_while_somebody_is_heard() -> None:
    """A proposal is final before the goodbye goes on; with nobody there it goes on at once."""

    async def main() -> None:
        async with gathered(2, 1, direct=True) as group:
            wire = group.seats[1].wire
            await group.until(lambda: not wire.log.pending, 20)
            wire.propose(b"goodbye")
            await wire.see_final(20)
            assert not wire.log.pending
            await group.seats[0].wire.close()
            wire.propose(b"to nobody")
            await asyncio.wait_for(wire.see_final(60), 20)
            assert wire.log.pending

    asyncio.run(main())
