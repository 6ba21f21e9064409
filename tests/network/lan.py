"""Machines of a test's own on a network of its own: Linux network namespaces on one bridge."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest


def ip(*words: str) -> None:
    """Run `ip`; it has to work."""
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=20)


class Lan:
    """Namespaces on one bridge, which has a namespace of its own: nothing of the machine's is touched."""

    def __init__(self, tag: str) -> None:
        self.hub = f"{tag}hub"
        self.tag = tag
        self.names: list[str] = []

    def lay(self, machines: int) -> None:
        """Make them, the hub is there; 10.86.0.1 is the first."""
        self.names.append(self.hub)
        ip("-n", self.hub, "link", "add", "name", "br0", "type", "bridge")
        ip("-n", self.hub, "link", "set", "br0", "up")
        for _ in range(machines):
            self.add()

    def add(self) -> None:
        """One machine more, with the next address."""
        number = len(self.names)  # the hub is the first of them
        name, plug = f"{self.tag}{number}", f"p{number}"
        ip("netns", "add", name)
        self.names.append(name)
        veth = ("type", "veth", "peer", "name", "eth0", "netns", name)
        ip("-n", self.hub, "link", "add", "name", plug, *veth)
        ip("-n", self.hub, "link", "set", plug, "master", "br0", "up")
        ip("-n", name, "addr", "add", f"10.86.0.{number}/24", "dev", "eth0")
        ip("-n", name, "addr", "add", f"fd86::{number}/64", "dev", "eth0", "nodad")
        for link in ("lo", "eth0"):
            ip("-n", name, "link", "set", link, "up")

    def inside(self, number: int) -> tuple[str, ...]:
        """The words that run a command on a machine."""
        return ("ip", "netns", "exec", f"{self.tag}{number}")

    def plug(self, number: int, *, into: bool) -> None:
        """Pull a machine's cable out, or put it in."""
        ip("-n", self.hub, "link", "set", f"p{number}", "up" if into else "down")

    def clear(self) -> None:
        """Remove them."""
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True, timeout=20)


@pytest.fixture
def lan() -> Iterator[Lan]:
    """Three machines on a bridge."""
    if sys.platform != "linux":
        pytest.skip("network namespaces are Linux's")
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces take root and the command ip")
    made = Lan(f"tt{os.getpid() % 100000}n")
    try:
        try:
            ip("netns", "add", made.hub)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"ip netns does not work here: {error.stderr.strip()}")
        made.lay(3)
        yield made
    finally:
        made.clear()
