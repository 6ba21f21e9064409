"""Who is answered without being told: the own networks as they are, loopback, and nobody from elsewhere."""

from __future__ import annotations

import ipaddress

import pytest

from tavolata_protocol.io import nearby
from tavolata_protocol.io.interfaces import Interface
from tavolata_protocol.io.nearby import MOST_TOLD, Nearby


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> list[Interface]:
    """The interfaces that the machine seems to have; may change while a test runs."""
    there = [Interface("eth0", 2, (ipaddress.IPv4Interface("192.168.1.7/24"),))]
    monkeypatch.setattr(nearby, "interfaces", lambda: there)
    monkeypatch.setattr(nearby, "LOOK_AGAIN", 0.0)
    return there


def test_own_networks_are_near_as_they_come_and_go(networks: list[Interface]) -> None:
    """A machine on the same network is answered, also on one that was joined a moment ago."""
    near = Nearby()
    assert near(("192.168.1.200", 1))
    assert near(("127.0.0.1", 1))
    assert not near(("10.9.9.9", 1))
    networks.append(Interface("wlan0", 3, (ipaddress.IPv4Interface("10.9.9.1/24"),)))
    assert near(("10.9.9.9", 1))


def test_who_is_far_is_told_once_and_few_are(networks: list[Interface]) -> None:
    """Each machine from elsewhere is named once, and not more than a few."""
    near, told = Nearby(), list[str]()
    near.on_far = told.append
    for number in range(20):
        assert not near((f"203.0.113.{number % 5}", number))
    assert told == [f"203.0.113.{number}" for number in range(MOST_TOLD)]


def test_everybody_when_told_so(networks: list[Interface]) -> None:
    """`--any` answers all."""
    near = Nearby()
    near.everybody = True
    assert near(("203.0.113.1", 1))
