"""Who is answered without being told: the own networks as they are, loopback, and nobody from elsewhere."""

from __future__ import annotations

import asyncio
import ipaddress

import pytest

from tavolata_protocol.addresses import Address
from tavolata_protocol.io import interfaces
from tavolata_protocol.io.interfaces import MOST_TOLD, Interface, Nearby, near, source_to


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> list[Interface]:
    """The interfaces that the machine seems to have; may change while a test runs."""
    there = [Interface("eth0", 2, (ipaddress.IPv4Interface("192.168.1.7/24"),))]
    monkeypatch.setattr(interfaces, "interfaces", lambda: there)
    monkeypatch.setattr(interfaces, "LOOK_AGAIN", 0.0)
    return there


def test_own_networks_are_near_as_they_come_and_go(networks: list[Interface]) -> None:
    """A machine on the same network is answered, also on one that was joined a moment ago."""

    async def main() -> None:
        near = Nearby()
        assert near(("192.168.1.200", 1))
        assert near(("127.0.0.1", 1))
        assert not near(("10.9.9.9", 1))
        networks.append(Interface("wlan0", 3, (ipaddress.IPv4Interface("10.9.9.1/24"),)))
        assert near(("10.9.9.9", 1))

    asyncio.run(main())


def test_who_is_far_is_told_once_and_few_are(networks: list[Interface]) -> None:
    """Each machine from elsewhere is named once, and not more than a few."""
    told = list[str]()

    async def main() -> None:
        near = Nearby()
        near.on_far = told.append
        for number in range(20):
            assert not near((f"203.0.113.{number % 5}", number))

    asyncio.run(main())
    assert told == [f"203.0.113.{number}" for number in range(MOST_TOLD)]


def test_everybody_when_told_so(networks: list[Interface]) -> None:
    """`--any` answers all."""
    near = Nearby()
    near.everybody = True
    assert near(("203.0.113.1", 1))


WIRELESS = Interface(
    "wlan0", 2, (ipaddress.IPv4Interface("192.168.1.7/24"),), (ipaddress.IPv6Interface("fd12::7/128"),)
)
WIREGUARD = Interface(
    "wg0", 5, (ipaddress.IPv4Interface("10.66.0.1/32"),), (ipaddress.IPv6Interface("fe80::1/64"),)
)
TAILSCALE = Interface(
    "tailscale0",
    6,
    (ipaddress.IPv4Interface("100.101.1.2/32"),),
    (ipaddress.IPv6Interface("fd7a:115c:a1e0::2/128"),),
)
CABLE = Interface("eth0", 3, (ipaddress.IPv4Interface("172.16.0.5/24"),))
FAR = ("192.0.2.1", "2001:db8::1")
SPLIT = {
    "10.66.0.0/24": "10.66.0.1", "100.64.0.0/10": "100.101.1.2", "fd7a:115c:a1e0::/48": "fd7a:115c:a1e0::2",
    "fd00::/8": "fd12::7", "10.0.0.0/8": "172.16.0.5", "0.0.0.0/0": "192.168.1.7",
}  # fmt: skip
ALL_THROUGH_WIREGUARD = {"192.168.1.0/24": "192.168.1.7", "0.0.0.0/0": "10.66.0.1"}


@pytest.mark.parametrize(
    ("routes", "host", "accepted"),
    [
        (SPLIT, "10.66.0.2", True),
        (SPLIT, "100.77.3.4", True),
        (SPLIT, "fd7a:115c:a1e0::9", True),
        (SPLIT, "10.1.2.3", False),  # behind a router on the cable's network
        (SPLIT, "fd99::1", False),  # behind the router at home, though this address is alone, too
        (SPLIT, "203.0.113.1", False),
        (SPLIT, "2001:db8::9", False),  # no route
        ({"0.0.0.0/0": "192.168.1.7"}, "100.77.3.4", False),  # a provider's customer, no tunnel
        (ALL_THROUGH_WIREGUARD, "192.168.1.9", True),
        (ALL_THROUGH_WIREGUARD, "203.0.113.1", False),
        (ALL_THROUGH_WIREGUARD, "10.66.0.2", False),  # a VPN for the whole internet can't be told from it
    ],
)
def test_who_comes_through_a_tunnel_is_near(
    monkeypatch: pytest.MonkeyPatch, routes: dict[str, str], host: str, accepted: bool
) -> None:
    """Near is whom the routes give to an interface without a network, unless it has the default route."""

    def source_to(to: Address) -> str:
        ip = ipaddress.ip_address(to[0])
        fitting = [one for one in map(ipaddress.ip_network, routes) if ip in one]
        return routes[str(max(fitting, key=lambda one: one.prefixlen))] if fitting else ""

    monkeypatch.setattr(interfaces, "source_to", source_to)
    monkeypatch.setattr(interfaces, "default_sources", lambda: frozenset(source_to((far, 9)) for far in FAR))
    assert near([WIRELESS, WIREGUARD, TAILSCALE, CABLE])((host, 1)) is accepted


def test_the_system_says_from_where_it_sends() -> None:
    """To loopback, it is loopback."""
    assert source_to(("127.0.0.1", 9)) == "127.0.0.1"
