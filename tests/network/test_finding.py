"""Tables are found on a network without anybody saying an address: by mDNS, broadcast, IPv6, memory.

All in namespaces that the test makes: nothing is ever announced on the machine's own networks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from .lan import Lan, ip
from .table import TT, Hall, Tt, agree

CLIENT = """
import sys, time
from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf
service, address, act = "_tavolata._udp.local.", sys.argv[1], sys.argv[2]
net = Zeroconf(interfaces=[address])
if act == "lie":
    txt = {"v": "1", "id": "ab" * 16, "name": "Ghost", "game": "zompa", "access": "open", "free": "1"}
    net.register_service(ServiceInfo(service, "Ghost." + service, port=8286, properties=txt,
                         addresses=[bytes(map(int, address.split(".")))], server="ghost.local."))
    print("told", flush=True)
    sys.stdin.read()
else:
    def changed(zeroconf, service_type, name, state_change):
        print(state_change.name, flush=True)
        if state_change.name != "Removed":
            info = zeroconf.get_service_info(service_type, name)
            print(sorted(info.decoded_properties.items()), info.parsed_addresses(), info.port, flush=True)
    browser = ServiceBrowser(net, service, handlers=[changed])
    sys.stdin.read()
net.close()
"""
"""A program of its own that knows zeroconf and nothing of Tavolata."""


@pytest.fixture
def clients() -> Iterator[list[subprocess.Popen[str]]]:
    """Those who use mDNS without `tt`; ended afterwards."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for one in started:
        assert one.stdin is not None
        assert one.stdout is not None
        one.stdin.close()
        one.wait(20)
        one.stdout.close()


def client(lan: Lan, number: int, act: str) -> subprocess.Popen[str]:
    """An independent mDNS client on a machine, looking or lying."""
    words = [*lan.inside(number), sys.executable, "-c", CLIENT, f"10.86.0.{number}", act]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def line(one: subprocess.Popen[str]) -> str:
    """The next line that a client says."""
    assert one.stdout is not None
    return one.stdout.readline()


def until(one: subprocess.Popen[str], said: str) -> None:
    """Read what a client says until this stands in it: a change may be told for each address."""
    while said not in (latest := line(one)):
        assert latest, f"{said} was never said"


def opened(hall: Hall, lan: Lan, number: int, *words: str, typed: bool = False) -> Tt:
    """A table at a machine."""
    host = hall.run("-v", "host", *words, "--as", f"Host{number}", home=f"host{number}",
                    before=lan.inside(number), typed=typed)  # fmt: skip
    host.note("The table is open")
    return host


def looked(hall: Hall, lan: Lan, number: int, home: str | None = None) -> tuple[list[dict[str, Any]], Tt]:
    """What `tt tables` finds at a machine."""
    one = hall.run("--ui", "json", "tables", home=home, before=lan.inside(number))
    assert one.done() == 0, one.story()
    return [json.loads(said) for said in one.lines], one


def sat(hall: Hall, lan: Lan, number: int, *words: str) -> Tt:
    """A guest at a machine, that may or may not know where the table is."""
    return hall.run("-v", "join", *words, "--as", f"Guest{number}", "--bot", "random", home=f"guest{number}",
                    before=lan.inside(number))  # fmt: skip


def examined(hall: Hall, lan: Lan, number: int) -> tuple[int, str]:
    """The exit code and the words of `tt doctor` at a machine."""
    one = hall.run("doctor", before=lan.inside(number))
    return one.done(), "\n".join(one.lines)


def cut_multicast(lan: Lan) -> None:
    """A switch that carries no multicast: no mDNS, and no IPv6 either, but broadcast."""
    ip("-n", lan.hub, "link", "set", "br0", "type", "bridge", "mcast_snooping", "0")
    for number in (1, 2, 3):
        ip("-n", lan.hub, "link", "set", f"p{number}", "type", "bridge_slave", "mcast_flood", "off")


def test_a_stranger_to_the_program_sees_a_table_come_change_and_go(
    hall: Hall, lan: Lan, clients: list[subprocess.Popen[str]]
) -> None:
    """An independent DNS-SD client sees `_tavolata._udp` with its TXT fields, its change and end."""
    clients.append(watcher := client(lan, 2, "look"))
    host = opened(hall, lan, 1, "zompa", "--seats", "4", "--bots", "1", typed=True)
    assert line(watcher) == "Added\n"
    details = line(watcher)
    for said in (
        "access', 'open",
        "free', '3",  # a bot makes room for whoever comes
        "game', 'zompa",
        "name', 'Host1",
        "10.86.0.1",
        "fd86::1",
        "8286",
    ):
        assert said in details
    guest = hall.run("join", "10.86.0.1", "--as", "Guest", typed=True, before=lan.inside(3))
    host.expect("3 of 4 seats taken")
    until(watcher, "('free', '2')")
    guest.type("leave")
    assert guest.done() == 0
    host.type("leave")
    assert host.done() == 0
    until(watcher, "Removed\n")


def test_joining_without_an_address_on_a_network_without_a_router(hall: Hall, lan: Lan) -> None:
    """No default route anywhere: the only table is chosen at a terminal, by number, and taken without one."""
    host = opened(hall, lan, 1, "zompa", "--seats", "4", typed=True)
    with ThreadPoolExecutor() as pool:
        doctor = pool.submit(examined, hall, lan, 3)
        guest = sat(hall, lan, 3)
        with terminal(hall, lan, 2, "join", "--as", "Typist") as master:
            said = read_until(master, "Which one?")
            assert "1. Host1 is hosting zompa (free seats: " in said
            os.write(master, b"7\n")
            assert "Type a number from 1 to 1." in read_until(master, "Which one?")
            os.write(master, b"1\n")
            host.expect("3 of 4 seats taken")
        code, said = doctor.result()
    assert code == 0
    assert "No default route" in said
    assert "mDNS works: it found Host1's table (zompa) at 10.86.0.1." in said
    assert "For the others: tt join 10.86.0.3 (through eth0)" in said
    guest.kill()


@pytest.mark.long
def test_three_machines_play_without_anybody_saying_an_address(hall: Hall, lan: Lan) -> None:
    """`tt host` on one, `tt join` on two others: a whole match, with one end and one digest."""
    host = opened(hall, lan, 1, "tricks", "--seats", "3", "--start", "full", "--bot", "random")
    agree(host, sat(hall, lan, 2), sat(hall, lan, 3))


def test_without_multicast_broadcast_finds_the_table(hall: Hall, lan: Lan) -> None:
    """The switch drops all multicast: the table is found all the same, and the doctor says how."""
    cut_multicast(lan)
    host = opened(hall, lan, 1, "zompa", typed=True)
    with ThreadPoolExecutor() as pool:
        doctor = pool.submit(examined, hall, lan, 3)
        [found], _ = looked(hall, lan, 2)
        code, said = doctor.result()
    assert (found["name"], found["rungs"], found["address"]) == ("Host1", ["broadcast"], "10.86.0.1")
    assert code == 0
    assert "mDNS doesn't get through, but broadcast does: it found Host1's table" in said
    host.kill()


def test_ipv6_only(hall: Hall, lan: Lan) -> None:
    """Machines without any IPv4 address find each other and sit down at one table."""
    for number in (1, 2):
        ip("-n", f"{lan.tag}{number}", "-4", "addr", "flush", "dev", "eth0")
    host = opened(hall, lan, 1, "zompa", "--seats", "2", typed=True)
    assert "tt join fd86::1" in host.errors[0]
    guest = sat(hall, lan, 2)
    [found], _ = looked(hall, lan, 2)
    assert found["address"] == "fd86::1"
    assert found["addresses"]
    assert all(not one.startswith("fe80") or one.endswith("%eth0") for one in found["addresses"])
    host.expect("2 of 2 seats taken")
    guest.kill()


def test_two_tables_and_one_that_is_quiet_do_not_disturb_each_other(hall: Hall, lan: Lan) -> None:
    """Two are listed; the third only where it was joined before; without a choice all are named."""
    one, two = (opened(hall, lan, number, "zompa", "--seats", "2", typed=True) for number in (1, 2))
    quiet = opened(hall, lan, 3, "zompa", "--quiet-network", typed=True)
    known = hall.folder / "friend" / "data" / "known_tables.json"
    known.parent.mkdir(parents=True)
    known.write_text(json.dumps([{"address": "10.86.0.3", "name": "Host3"}]))
    undecided = hall.run("join", before=lan.inside(3))
    with ThreadPoolExecutor() as pool:
        friend = pool.submit(looked, hall, lan, 1, "friend")
        found, _ = looked(hall, lan, 1)
        assert sorted(table["name"] for table in found) == ["Host1", "Host2"]
        remembered, _ = friend.result()
    assert sorted(table["name"] for table in remembered) == ["Host1", "Host2", "Host3"]
    assert (remembered[-1]["rungs"], remembered[-1]["free"]) == (["remembered"], None)
    assert undecided.done() == 2
    assert "Which of the 2 tables? tt join 10.86.0.1, tt join 10.86.0.2" in undecided.errors[-1]
    guests = [sat(hall, lan, 3, "10.86.0.1"), sat(hall, lan, 1, "10.86.0.2")]
    one.expect("2 of 2 seats taken")
    two.expect("2 of 2 seats taken")
    for guest, table in zip(guests, ("10.86.0.1", "10.86.0.2"), strict=True):
        assert table in (guest.home / "data" / "known_tables.json").read_text()
    for each in (*guests, quiet):
        each.kill()


def test_a_killed_host_and_a_false_announcement_are_not_listed(
    hall: Hall, lan: Lan, clients: list[subprocess.Popen[str]]
) -> None:
    """Announced is not alive: who does not answer is not listed, but named with what may be the matter."""
    clients.append(liar := client(lan, 3, "lie"))
    assert line(liar) == "told\n"
    opened(hall, lan, 1, "zompa", typed=True).kill()
    found, one = looked(hall, lan, 2)
    assert found == []
    assert one.has("Ghost announced a table at 10.86.0.3, but nothing answers there")
    assert not one.has("Host1")


def test_four_thousand_lies_are_few_lines(hall: Hall, lan: Lan, clients: list[subprocess.Popen[str]]) -> None:
    """Acceptance 8: at most 33; they hide no table, see `tests/protocol/io/test_discovery.py`."""
    lies = [f"10.86.0.{100 + number}" for number in range(64)]
    for address in lies:
        ip("-n", f"{lan.tag}2", "addr", "add", f"{address}/24", "dev", "eth0")
    words = [*lan.inside(2), sys.executable, "-m", "tests.network.lying_about_tables", "1334", *lies]
    liar = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    clients.append(liar)
    until(liar, "listening")
    looking = hall.run("tables", home="guest3", before=lan.inside(3))
    looking.done()
    until(liar, "4002")
    told = [*looking.lines, *looking.errors]
    assert len(told) <= 33, looking.story()
    assert not any("is hosting zompa" in line for line in told), looking.story()


@pytest.mark.long
def test_a_table_that_is_gone_disappears_from_the_list(hall: Hall, lan: Lan) -> None:
    """`tt tables --watch` says that a killed host's table is no more, though nobody withdrew it."""
    host = opened(hall, lan, 1, "zompa", typed=True)
    watch = hall.run("tables", "--watch", before=lan.inside(2))
    watch.expect(r"Host1 is hosting zompa \(free seats: 19\)\. tt join 10.86.0.1")
    host.kill()
    watch.expect("Host1's table .zompa. has closed", 15)
    watch.interrupt()
    assert watch.done() == 130


def test_a_dropped_port_a_busy_port_and_no_network_are_named(hall: Hall, lan: Lan) -> None:
    """`tt doctor` says of each what is wrong and what to do, and exits with 5."""
    host = opened(hall, lan, 1, "zompa", typed=True)
    one, three = f"{lan.tag}1", f"{lan.tag}3"
    ip("-n", one, "rule", "add", "pref", "10", "lookup", "local")
    ip("-n", one, "rule", "del", "pref", "0")
    dropped_port = ("iif", "eth0", "ipproto", "udp", "dport", "8286", "blackhole")
    ip("-n", one, "rule", "add", "pref", "1", *dropped_port)
    ip("-n", one, "-6", "addr", "flush", "dev", "eth0")
    ip("-n", three, "addr", "flush", "dev", "eth0")
    guest = hall.run("join", before=lan.inside(3))
    with ThreadPoolExecutor() as pool:
        busy, dropped, alone = pool.map(lambda number: examined(hall, lan, number), (1, 2, 3))
    assert (busy[0], dropped[0], alone[0]) == (5, 5, 5)
    assert "problem: UDP port 8286 is in use" in busy[1]
    assert "problem: Host1 announced a table at 10.86.0.1, but nothing answers there" in dropped[1]
    assert "a firewall on that computer is blocking UDP port 8286" in dropped[1]
    assert "problem: This computer isn't on a network" in alone[1]
    assert guest.done() == 5
    assert "No table found. Ask the host for the address" in guest.errors[-1]
    host.kill()


@contextmanager
def terminal(hall: Hall, lan: Lan, number: int, *words: str) -> Iterator[int]:
    """A `tt` at a terminal on a machine; the other end of it."""
    master, slave = os.openpty()
    command = [*lan.inside(number), *TT, "--ui", "plain", *words]
    folders = {f"TT_{kind}_DIR": str(hall.folder / "typist" / kind) for kind in ("DATA", "CONFIG", "CACHE")}
    environ = {**os.environ, **folders, "TERM": "xterm", "LANG": "C.UTF-8"}
    one = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environ, start_new_session=True
    )
    os.close(slave)
    try:
        yield master
    finally:
        one.kill()
        one.wait()
        os.close(master)


def read_until(master: int, words: str) -> str:
    """What is said on a terminal until these words have come."""
    said = ""
    while words not in said:
        said += os.read(master, 1024).decode()
    return said
