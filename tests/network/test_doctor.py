"""`tt doctor` on machines where something is in the way, with the system's own firewall and DNS-SD tools."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .lan import Lan
from .table import Hall
from .test_finding import examined, opened

needs_nft = pytest.mark.skipif(shutil.which("nft") is None, reason="nftables' nft is not installed here")
needs_avahi = pytest.mark.skipif(
    not (shutil.which("avahi-browse") and shutil.which("avahi-daemon") and shutil.which("dbus-daemon")),
    reason="Debian's avahi-utils and avahi-daemon are not installed here",
)


def wall(lan: Lan, number: int, hook: str, *rules: str) -> None:
    """Give a machine a firewall with these rules, for what comes in (input) or goes out (output)."""
    chain = ["add", "chain", "inet", "wall", hook, f"{{ type filter hook {hook} priority 0; }}"]
    for words in (
        ["add", "table", "inet", "wall"],
        chain,
        *(["add", "rule", "inet", "wall", hook, *rule.split()] for rule in rules),
    ):
        nft = [*lan.inside(number), "nft", *words]
        subprocess.run(nft, check=True, capture_output=True, timeout=20)


@needs_nft
def test_a_port_that_the_own_firewall_drops(hall: Hall, lan: Lan) -> None:
    """A firewall that drops the port even from this machine is named, with what to do; exit code 5."""
    wall(lan, 1, "input", "udp dport 8286 drop")
    code, said = examined(hall, lan, 1)
    assert code == 5
    assert "problem: A firewall on this computer is blocking UDP port 8286. Allow it, or choose" in said


@pytest.mark.long
@needs_nft
def test_a_port_that_the_hosts_firewall_drops(hall: Hall, lan: Lan) -> None:
    """What a guest can know of it: the table is announced and does not answer, and what that may be."""
    host = opened(hall, lan, 1, "zompa", typed=True)
    wall(lan, 1, "input", "iif eth0 udp dport 8286 drop")
    code, said = examined(hall, lan, 2)
    assert code == 5
    assert "problem: Host1 announced a table at 10.86.0.1, but nothing answers there" in said
    assert "a firewall on that computer is blocking UDP port 8286" in said
    host.kill()


@pytest.mark.long
@needs_nft
def test_a_network_that_this_program_may_not_speak_on(hall: Hall, lan: Lan) -> None:
    """Where the system refuses to send, as a Mac does at first, that is said, and what to allow."""
    wall(lan, 1, "output", "udp dport 8287 reject")
    code, said = examined(hall, lan, 1)
    assert code == 5
    assert "problem: The system blocks this program on the local network. Allow it" in said


@pytest.mark.long
@needs_nft
def test_a_machine_without_multicast(hall: Hall, lan: Lan) -> None:
    """An interface that multicast does not come through is named; tables are found all the same."""
    wall(lan, 1, "input", "ip daddr 224.0.0.0/4 drop", "ip6 daddr ff00::/8 drop")
    host = opened(hall, lan, 2, "zompa", typed=True)
    code, said = examined(hall, lan, 1)
    assert code == 0
    assert "note: No multicast on eth0, so mDNS doesn't work there" in said
    assert "it found Host2's table (zompa) at 10.86.0.2" in said
    host.kill()


@pytest.fixture
def avahi(lan: Lan, tmp_path: Path) -> Iterator[list[str]]:
    """Words that run `avahi-browse` on the second machine, with a bus and a daemon of its own."""
    bus = tmp_path / "bus"
    config = tmp_path / "avahi.conf"
    config.write_text("[server]\nuse-ipv6=no\n[rlimits]\n[publish]\ndisable-publishing=yes\n")
    dbus_config = tmp_path / "dbus.conf"
    dbus_config.write_text(
        '<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" '
        '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">\n'
        f"<busconfig><type>system</type><listen>unix:path={bus}</listen><auth>EXTERNAL</auth>"
        '<policy context="default"><allow user="*"/><allow own="*"/>'
        '<allow send_destination="*"/><allow receive_sender="*"/>'
        "</policy></busconfig>\n"
    )
    environ = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={bus}"}
    # a mount namespace of its own: the daemon's folder in /run is nobody else's
    private = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run && exec "$@"', "sh"]
    daemons = [
        subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={dbus_config}"], env=environ
        )
    ]
    deadline = time.monotonic() + 20
    while not bus.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    words = ["avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "-f", str(config)]
    daemons.append(
        subprocess.Popen([*lan.inside(2), *private, *words], env=environ, stderr=subprocess.DEVNULL)
    )
    try:
        yield [*lan.inside(2), "env", f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={bus}", "avahi-browse"]
    finally:
        for one in reversed(daemons):
            one.terminate()
            one.wait(20)


@needs_avahi
def test_the_standard_tool_lists_a_table(hall: Hall, lan: Lan, avahi: list[str]) -> None:
    """avahi-browse of Debian's avahi-utils sees `_tavolata._udp` with address, port and TXT fields."""
    host = opened(hall, lan, 1, "zompa", "--seats", "4", "--code", typed=True)
    said, deadline = "", time.monotonic() + 30
    while "access=" not in said and time.monotonic() < deadline:
        done = subprocess.run(
            [*avahi, "--resolve", "--parsable", "--terminate", "_tavolata._udp"],
            check=False, capture_output=True, text=True, timeout=30,
        )  # fmt: skip
        said = done.stdout
        time.sleep(0.3)
    found = next(line for line in said.splitlines() if line.startswith("=") and "10.86.0.1" in line)
    for words in (";8286;", '"access=private"', '"game=zompa"', '"name=Host1"', '"free=3"', '"v=2"', '"id='):
        assert words in found, found
    host.kill()
