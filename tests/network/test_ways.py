"""The addresses that a host prints, on all sorts of networks: each of them can be joined."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import pytest

from .lan import Lan, ip
from .table import Hall, Tt

JOIN = re.compile(r"tt join (\S+)")


def opened(hall: Hall, lan: Lan, *words: str) -> Tt:
    """A table at the first machine, which listens at all its addresses."""
    host = hall.run("-v", "host", "tricks", "--seats", "3", "--as", "Host", *words, home="host",
                    before=lan.inside(1), typed=True)  # fmt: skip
    host.note("The table is open")
    host.expect("1 of 3 seats taken")
    return host


def printed(host: Tt) -> list[str]:
    """The addresses that were printed without a label, the first one first."""
    told = [line for line in (*host.errors, *host.lines) if "VPN" not in line]
    return list(dict.fromkeys(found[1] for line in told if (found := JOIN.search(line))))


def joined(hall: Hall, lan: Lan, address: str, number: int = 2) -> bool:
    """Whether a guest gets to the table at this address; it leaves again."""
    guest = hall.run("-v", "join", address, "--as", "Guest", "--watch", home=f"guest{number}",
                     before=lan.inside(number), typed=True)  # fmt: skip
    try:
        guest.expect("Host")
    except AssertionError:
        return False
    guest.type("quit")
    guest.done()
    return True


def vpn(host: str) -> None:
    """A tunnel that has the default route, as for a firm."""
    ip("-n", host, "tuntap", "add", "dev", "tun0", "mode", "tun")
    ip("-n", host, "addr", "add", "10.8.0.2/24", "dev", "tun0")
    ip("-n", host, "link", "set", "tun0", "up")
    ip("-n", host, "route", "add", "default", "dev", "tun0")


def containers(host: str) -> None:
    """Adapters of Docker and VirtualBox, with the default route."""
    for name, address in (("docker0", "172.17.0.1/16"), ("vboxnet0", "192.168.56.1/24")):
        ip("-n", host, "link", "add", "name", name, "type", "bridge")
        ip("-n", host, "addr", "add", address, "dev", name)
        ip("-n", host, "link", "set", name, "up")
    ip("-n", host, "route", "add", "default", "dev", "docker0")


def plug_in(host: str, lan: Lan) -> None:
    """A second card in the same network."""
    ip("-n", lan.hub, "link", "add", "name", "q1", "type", "veth", "peer", "name", "eth1", "netns", host)
    ip("-n", lan.hub, "link", "set", "q1", "master", "br0", "up")
    ip("-n", host, "addr", "add", "10.86.0.51/24", "dev", "eth1")
    ip("-n", host, "addr", "add", "fd86::51/64", "dev", "eth1", "nodad")
    ip("-n", host, "link", "set", "eth1", "up")


def alias(host: str) -> None:
    """A second address of either family on one card."""
    ip("-n", host, "addr", "add", "10.86.0.52/24", "dev", "eth0")
    ip("-n", host, "addr", "add", "fd86::52/64", "dev", "eth0", "nodad")


@pytest.mark.parametrize("lay", [vpn, containers])
def test_the_first_printed_address_is_on_the_lan(hall: Hall, lan: Lan, lay: Callable[[str], None]) -> None:
    """Whatever has the default route, or was made first; a VPN's address is printed with its label."""
    lay(f"{lan.tag}1")
    host = opened(hall, lan)
    assert printed(host) == ["10.86.0.1"], host.story()
    assert [line for line in host.errors if "VPN" in line] == (
        ["Or, for members of the VPN tun0: tt join 10.8.0.2"] if lay is vpn else []
    )
    assert joined(hall, lan, "10.86.0.1")
    doctor = hall.run("doctor", home="host", before=lan.inside(1))
    doctor.done()
    told = [line for line in doctor.lines if "tt join" in line or "Only virtual" in line]
    assert "10.86.0.1 (through eth0)" in told[0], told
    assert any("10.8.0.2" in line and "VPN" in line for line in told) is (lay is vpn)
    assert any("Only virtual machines" in line and "172.17.0.1" in line for line in told) is (
        lay is containers
    )
    host.kill()


@pytest.mark.parametrize("cards", [1, 2])
def test_every_address_of_the_host_can_be_joined(hall: Hall, lan: Lan, cards: int) -> None:
    """Two cards in one network, or two addresses on one card: the answer comes from the one called."""
    one = f"{lan.tag}1"
    alias(one) if cards == 1 else plug_in(one, lan)
    host = opened(hall, lan)
    other = "52" if cards == 1 else "51"
    assert printed(host) == ["10.86.0.1"], host.story()
    for address in ("10.86.0.1", f"10.86.0.{other}", "fd86::1", f"fd86::{other}"):
        assert joined(hall, lan, address), f"{address}\n{host.story()}"
    host.kill()


def test_a_link_local_address_is_joined_without_a_zone(hall: Hall, lan: Lan) -> None:
    """Where nothing but fe80 is there, the printed address works on a guest with another card's name."""
    for number, card in ((1, "eth0"), (2, "card9")):
        machine = f"{lan.tag}{number}"
        ip("-n", machine, "link", "set", "eth0", "down")
        ip("-n", machine, "addr", "flush", "dev", "eth0")
        ip("-n", machine, "link", "set", "eth0", "name", card)
        at_once = f"net.ipv6.conf.{card}.accept_dad=0"  # its address may be used without a wait
        subprocess.run([*lan.inside(number), "sysctl", "-q", "-w", at_once], check=True, timeout=20)
        ip("-n", machine, "link", "set", card, "up")
    host = opened(hall, lan)
    (address,) = printed(host)
    assert address.startswith("fe80::")
    assert "%" not in address
    assert joined(hall, lan, address)
    host.kill()


def test_a_host_without_a_network_says_its_address_when_there_is_one(hall: Hall, lan: Lan) -> None:
    """And again when it changes: what was printed last can be joined, and what came before has gone."""
    one = f"{lan.tag}1"
    ip("-n", one, "link", "set", "eth0", "down")
    ip("-n", one, "addr", "flush", "dev", "eth0")
    host = opened(hall, lan)
    host.note("No network yet. The address will appear once there is one.")
    assert printed(host) == []
    ip("-n", one, "link", "set", "eth0", "up")
    ip("-n", one, "addr", "add", "10.86.0.1/24", "dev", "eth0")
    host.expect("The address has changed. Others join with: tt join 10.86.0.1", 8)
    assert joined(hall, lan, "10.86.0.1")
    ip("-n", one, "addr", "del", "10.86.0.1/24", "dev", "eth0")
    ip("-n", one, "addr", "add", "10.86.0.61/24", "dev", "eth0")
    host.expect("The address has changed. Others join with: tt join 10.86.0.61", 8)
    assert joined(hall, lan, "10.86.0.61")
    tables = hall.run("tables", home="guest3", before=lan.inside(3))
    tables.done()
    assert any("10.86.0.61" in line for line in tables.lines), tables.story()
    assert not any("10.86.0.1 " in line for line in tables.lines), tables.story()
    host.kill()
