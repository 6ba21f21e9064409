"""Announcing by multicast DNS: what was opened is closed, whatever becomes of the interfaces."""

from __future__ import annotations

import asyncio
import gc
import warnings

import pytest
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncZeroconf

from tavolata_protocol.io import mdns


def test_sockets_are_closed_where_the_goodbye_can_not_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interface that is gone when the announcement is withdrawn leaves no socket open."""
    said = AsyncZeroconf.async_unregister_all_services
    failed: list[AsyncZeroconf] = []

    async def once(self: AsyncZeroconf) -> None:
        if not failed:
            failed.append(self)
            raise OSError("Cannot assign requested address")
        await said(self)

    monkeypatch.setattr(AsyncZeroconf, "async_unregister_all_services", once)

    async def scene() -> AsyncZeroconf:
        one = mdns.open_one(IPVersion.V4Only, ["127.0.0.1"])
        assert one is not None
        await one.zeroconf.async_wait_for_start()
        await mdns._close([one])
        assert [wrapped.transport.is_closing() for wrapped in one.zeroconf.engine.senders] == [True]
        return one

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert failed == [asyncio.run(scene())]
        gc.collect()
