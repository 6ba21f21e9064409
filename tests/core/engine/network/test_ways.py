"""The ranking of this machine's addresses, with made-up interfaces and kinds."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

import pytest

from tavolata._engine.network.ways import NO_NETWORK, OVER, TUNNEL, Ways, ways
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.identity import Identity
from tavolata_protocol.io import adapters
from tavolata_protocol.io.adapters import Kind, kind_of
from tavolata_protocol.io.interfaces import Interface
from tavolata_protocol.io.udp import UdpDriver


def made(name: str, *addresses: str) -> Interface:
    four = tuple(ipaddress.IPv4Interface(one) for one in addresses if ":" not in one)
    six = tuple(ipaddress.IPv6Interface(one) for one in addresses if ":" in one)
    return Interface(name, 1, four, six)


KINDS = {
    "eth0": Kind.CABLE, "eth1": Kind.CABLE, "wlan0": Kind.WIRELESS, "ap0": Kind.SHARED,
    "tun0": Kind.TUNNEL, "docker0": Kind.VIRTUAL, "eth9": Kind.DOWN,
}  # fmt: skip
ALL = [
    made("docker0", "172.17.0.1/16", "fe80::d/64"),
    made("tun0", "10.8.0.2/24", "fe80::7/64"),
    made("eth9", "192.168.9.9/24"),
    made("ap0", "10.42.0.1/24"),
    made("wlan0", "192.168.1.8/24", "fd12::8/64", "fe80::8/64"),
    made("eth0", "169.254.3.4/16", "192.168.1.5/24", "fe80::5/64"),
]


def kind(interface: Interface) -> Kind:
    return KINDS[interface.name]


def test_cables_come_first_and_tunnels_behind_all_that_neighbours_reach() -> None:
    """Whatever has the default route; what nobody else reaches is last, or left out."""
    found = ways(ALL, inspect=kind, sources=lambda: frozenset({"10.8.0.2"}))
    assert [way.host for way in found] == [
        "192.168.1.5", "192.168.1.8", "10.42.0.1", "fd12::8", "10.8.0.2", "fe80::8", "169.254.3.4", "fe80::5",
        "172.17.0.1",
    ]  # fmt: skip
    assert [way.host for way in found if way.is_virtual] == ["172.17.0.1"]
    assert [way.host for way in found if way.is_tunnel] == ["10.8.0.2"]


def test_the_default_route_decides_between_equals() -> None:
    """Of two cables, the one with it."""
    two = [made("eth0", "10.1.0.1/24"), made("eth1", "10.2.0.1/24")]
    for source in ("10.1.0.1", "10.2.0.1"):
        found = ways(two, inspect=kind, sources=lambda source=source: frozenset({source}))  # type: ignore[misc] # mypy can't infer a default
        assert found[0].host == source


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], []),
        (ALL[:1], []),
        ([ALL[4], ALL[5]], ["192.168.1.5"]),  # one network: one address will do
        ([ALL[1], ALL[5]], ["192.168.1.5", "10.8.0.2"]),
        ([ALL[3], ALL[4]], ["192.168.1.8", "10.42.0.1"]),
        ([made("eth0", "fe80::5/64")], ["fe80::5"]),
    ],
)
def test_what_people_are_told(found: list[Interface], told: list[str]) -> None:
    """The first way, and a second one if it's in another network, each with its sentence."""
    driver = UdpDriver(Endpoint(Identity(bytes(32)), os.urandom, 0.0), ["0.0.0.0", "::"], 9000)
    driver._sockets.interfaces = found
    here = Ways(driver, 8286, kind)
    assert [way.host for way in here.told] == told
    lines = here.lines()
    if not told:
        assert [line.message for line in lines] == [NO_NETWORK]
        assert here.address == ""
    else:
        shown = f"[{told[0]}]:9000" if ":" in told[0] else f"{told[0]}:9000"
        assert here.address == lines[0].params["address"] == shown
        assert [line.message for line in lines[1:]] == [
            TUNNEL if host == "10.8.0.2" else OVER for host in told[1:]
        ]
    assert "172.17.0.1" not in here.shown_hosts


def test_a_table_for_this_machine_alone_says_so() -> None:
    """Bound to loopback, loopback is its way."""
    driver = UdpDriver(Endpoint(Identity(bytes(32)), os.urandom, 0.0), ["127.0.0.1"], 8286)
    assert Ways(driver, 8286).address == "127.0.0.1"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ethernet 2", Kind.CABLE), ("en7", Kind.CABLE), ("Wi-Fi", Kind.WIRELESS), ("wlp3s0", Kind.WIRELESS),
        ("utun4", Kind.TUNNEL), ("tailscale0", Kind.TUNNEL), ("WireGuard Tunnel", Kind.TUNNEL),
        ("vEthernet (WSL)", Kind.VIRTUAL), ("VirtualBox Host-Only Network", Kind.VIRTUAL),
        ("vmnet8", Kind.VIRTUAL), ("br-0123456789ab", Kind.VIRTUAL), ("virbr0", Kind.VIRTUAL),
    ],
)  # fmt: skip
def test_where_the_system_says_nothing_the_name_does(
    monkeypatch: pytest.MonkeyPatch, name: str, expected: Kind
) -> None:
    """As on Windows and macOS."""
    monkeypatch.setattr(adapters, "_SYSTEM", Path("/nowhere"))
    assert kind_of(made(name, "192.168.1.5/24")) is expected


def test_an_address_alone_is_a_tunnel() -> None:
    """Where neither the system nor the name says more."""
    assert kind_of(made("nobody-knows", "10.1.2.3/32")) is Kind.TUNNEL
