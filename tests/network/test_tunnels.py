"""Tables across the internet: two machines that reach each other only through a WireGuard tunnel."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .lan import Lan, ip
from .table import Hall, agree
from .test_namespaces import opened, sat

Tunnel = Callable[[str, str], None]


@pytest.fixture
def tunnel(lan: Lan) -> Iterator[Tunnel]:
    """Digs a tunnel from the first machine to the second, with one address for each and no network."""
    lacking = [program for program in ("wireguard-go", "wg") if shutil.which(program) is None]
    if lacking:
        pytest.skip(
            f"a tunnel takes {' and '.join(lacking)} (Debian's packages wireguard-go, wireguard-tools)"
        )
    with ExitStack() as ends:
        yield lambda here, there: dig(lan, (here, there), ends)


def dig(lan: Lan, inner: tuple[str, str], ends: ExitStack) -> None:
    """Run WireGuard in user space at both ends, which then have these addresses."""
    private = [said("wg", "genkey") for _ in inner]
    public = [said("wg", "pubkey", typed=key) for key in private]
    for number, (near, far) in enumerate((inner, inner[::-1]), start=1):
        name, machine = f"{lan.tag}w{number}", f"{lan.tag}{number}"
        process = subprocess.Popen(
            [*lan.inside(number), "wireguard-go", "-f", name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        ends.callback(process.wait, 10)
        ends.callback(process.terminate)
        deadline = time.monotonic() + 10
        while not Path(f"/var/run/wireguard/{name}.sock").exists():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.skip("wireguard-go can't make an interface here")
            time.sleep(0.02)
        said(*lan.inside(number), "wg", "set", name, "listen-port", "51820", "private-key", "/dev/stdin",
             "peer", public[2 - number], "allowed-ips", far,
             "endpoint", f"10.86.0.{3 - number}:51820", typed=private[number - 1])  # fmt: skip
        ip("-n", machine, "addr", "add", near, "dev", name)
        ip("-n", machine, "link", "set", name, "up")
        ip("-n", machine, "route", "add", far, "dev", name)


def said(*words: str, typed: str = "") -> str:
    """What a command prints; it has to work."""
    done = subprocess.run(words, input=typed, check=True, capture_output=True, text=True, timeout=20)
    return done.stdout.strip()


@pytest.mark.parametrize("inner", [("100.101.1.1", "100.77.2.2"), ("fd66::1", "fd66::2")])
def test_a_match_through_a_tunnel(hall: Hall, lan: Lan, tunnel: Tunnel, inner: tuple[str, str]) -> None:
    """A guest joins by the tunnel's address, which no network holds, without `--any`: both finish."""
    tunnel(*inner)
    bind = "::" if ":" in inner[0] else "0.0.0.0"
    host = opened(hall, lan, "tricks", "--seats", "2", "--start", "full", "--bot", "random", bind=bind)
    guest = sat(hall, lan, 2, inner[0], "--bot", "random")
    agree(host, guest)
    assert not any(one.has("another network") for one in (host, guest))


def test_a_table_behind_a_tunnel_is_found_again(hall: Hall, lan: Lan, tunnel: Tunnel) -> None:
    """Who joined once finds the table by itself, with its name and free seats; no broadcast gets there."""
    tunnel("10.66.0.1", "10.66.0.2")
    host = opened(hall, lan, "tricks", "--seats", "3", bind="10.66.0.1", typed=True)
    assert "tt join 10.66.0.1" in host.errors[0]
    guest = sat(hall, lan, 2, "10.66.0.1", typed=True)
    host.expect("2 of 3 seats taken")
    guest.type("quit")
    assert guest.done() == 0, guest.story()
    tables = hall.run("--ui", "json", "tables", home="guest2", before=lan.inside(2))
    assert tables.done() == 0, tables.story()
    (found,) = (json.loads(line) for line in tables.lines)
    assert (found["name"], found["free"], found["address"]) == ("Host", 2, "10.66.0.1")
    assert found["rungs"] == ["broadcast", "remembered"], found


def test_who_is_at_home_and_who_is_far_need_not_reach_each_other(
    hall: Hall, lan: Lan, tunnel: Tunnel
) -> None:
    """The host has the tunnel and a laptop at home has not: all three finish, by way of the host."""
    tunnel("10.66.0.1", "10.66.0.2")
    ip("-n", f"{lan.tag}3", "route", "add", "blackhole", "10.86.0.2")
    host = opened(hall, lan, "tricks", "--seats", "3", "--start", "full", "--bot", "random")
    guests = [
        sat(hall, lan, 2, "10.66.0.1", "--bot", "random"),
        sat(hall, lan, 3, "10.86.0.1", "--bot", "random"),
    ]
    agree(host, *guests)


def test_a_tunnel_for_the_whole_internet_is_no_neighbourhood(hall: Hall, lan: Lan, tunnel: Tunnel) -> None:
    """Where the default route goes through the tunnel, the internet is behind it: that takes `--any`."""
    tunnel("10.66.0.1", "10.66.0.2")
    ip("-n", f"{lan.tag}1", "route", "add", "default", "dev", f"{lan.tag}w1")
    host = opened(hall, lan, "tricks", "--seats", "2", typed=True)
    sat(hall, lan, 2, "10.66.0.1", typed=True)
    host.expect("10.66.0.2 is trying to connect from another network")
