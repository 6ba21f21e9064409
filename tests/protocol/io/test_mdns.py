"""Announcing by multicast DNS: what was opened is closed, whatever becomes of the interfaces."""

from __future__ import annotations

import asyncio
import gc
import warnings
from dataclasses import replace
from ipaddress import IPv4Interface
from typing import Any

import pytest
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from tavolata_protocol.announcements import Announcement
from tavolata_protocol.io import mdns
from tavolata_protocol.io.interfaces import Interface


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


@pytest.mark.battery
def test_sockets_are_closed_where_the_goodbye_is_cut_short() -> None:
    """Whoever is cancelled while the goodbye is said, and said again, leaves no socket open."""

    async def scene() -> AsyncZeroconf:
        announcer = mdns.MdnsAnnouncer(Announcement(bytes(16), "Ann", "zompa", 4000))
        local = Interface("lo", 1, ipv4=(IPv4Interface("127.0.0.1/8"),))
        await announcer.follow([local], ["127.0.0.1"])
        one = announcer._open[IPVersion.V4Only]
        closing = asyncio.create_task(announcer.close())
        for _ in range(3):  # the goodbye is said after the first of them, and twice more in 250 ms
            await asyncio.sleep(0)
        assert not one.zeroconf.registry.async_get_service_infos()
        closing.cancel()
        assert isinstance((await asyncio.gather(closing, return_exceptions=True))[0], asyncio.CancelledError)
        assert [wrapped.transport.is_closing() for wrapped in one.zeroconf.engine.senders] == [True]
        return one

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asyncio.run(scene()).zeroconf.done
        gc.collect()


@pytest.mark.parametrize("fails", ["opening", "announcing"])
def test_what_failed_is_tried_again_while_the_interfaces_stay_the_same(
    fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each look until it's announced, and then never again; what others see isn't told twice, either."""
    opened: list[AsyncZeroconf] = []
    announced: list[AsyncZeroconf] = []
    opening, registering = mdns.open_one, AsyncZeroconf.async_register_service
    failures = iter([True, True])

    def open_one(version: IPVersion, choice: mdns.Choice) -> AsyncZeroconf | None:
        if fails == "opening" and next(failures, False):
            return None
        one = opening(version, choice)
        opened.extend([one] if one else [])
        return one

    async def register(self: AsyncZeroconf, *args: Any, **named: Any) -> Any:
        if fails == "announcing" and next(failures, False):
            raise OSError("Network is unreachable")
        announced.append(self)
        return await registering(self, *args, **named)

    async def update(self: AsyncZeroconf, info: object) -> None:
        raise AssertionError("it was announced, and nothing has changed")

    monkeypatch.setattr(mdns, "open_one", open_one)
    monkeypatch.setattr(AsyncZeroconf, "async_register_service", register)
    monkeypatch.setattr(AsyncZeroconf, "async_update_service", update)

    async def scene() -> None:
        announcer = mdns.MdnsAnnouncer(Announcement(bytes(16), "Ann", "zompa", 4000))
        local = Interface("lo", 1, ipv4=(IPv4Interface("127.0.0.1/8"),))
        for tried in range(5):
            await announcer.follow([local], ["127.0.0.1"])
            assert len(announced) == (tried > 1)
            assert announced == list(announcer._open.values())
        await announcer.close()
        assert {one.zeroconf.done for one in opened} == {True}

    asyncio.run(scene())


@pytest.mark.battery
def test_a_new_announcement_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Free seats change without new interfaces; a failed update is told by a new opening."""
    told: list[dict[bytes, bytes | None]] = []
    updating = AsyncZeroconf.async_update_service

    async def update(self: AsyncZeroconf, info: AsyncServiceInfo) -> Any:
        told.append(info.properties)
        if len(told) == 2:
            raise OSError("Network is unreachable")
        return await updating(self, info)

    monkeypatch.setattr(AsyncZeroconf, "async_update_service", update)

    async def scene() -> None:
        said = Announcement(bytes(16), "Ann", "zompa", 4000, free=3)
        announcer = mdns.MdnsAnnouncer(said)
        local = Interface("lo", 1, ipv4=(IPv4Interface("127.0.0.1/8"),))
        await announcer.follow([local], ["127.0.0.1"])
        first = announcer._open[IPVersion.V4Only]
        for free in (2, 1):
            await announcer.update(replace(said, free=free))
            await announcer.follow([local], ["127.0.0.1"])
        assert len(told) == 2
        again = announcer._open[IPVersion.V4Only]
        assert first.zeroconf.done
        assert again is not first
        (info,) = again.zeroconf.registry.async_get_service_infos()
        assert info.properties == told[-1] != told[0]
        await announcer.close()

    asyncio.run(scene())


@pytest.mark.parametrize("steps", [2, 3, 4])
def test_sockets_are_closed_where_a_close_is_cancelled_before_the_announcement_began(steps: int) -> None:
    """A cancelled close leaves no socket open, also when the announcement had not yet begun."""

    async def scene() -> AsyncZeroconf:
        one = mdns.open_one(IPVersion.V4Only, ["127.0.0.1"])
        assert one is not None
        closing = asyncio.create_task(mdns._close([one]))
        for _ in range(steps):
            await asyncio.sleep(0)
        assert not one.zeroconf.started
        closing.cancel()
        assert isinstance((await asyncio.gather(closing, return_exceptions=True))[0], asyncio.CancelledError)
        return one

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asyncio.run(scene()).zeroconf.done
        gc.collect()
