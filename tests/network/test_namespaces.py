"""The same match across three network namespaces: three machines with addresses of their own."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

from .lan import Lan, ip
from .table import Hall, Tt, agree

PORT = "8286"


def opened(hall: Hall, lan: Lan, *words: str, bind: str = "0.0.0.0", typed: bool = False) -> Tt:
    """A table at the first machine, at the usual port."""
    host = hall.run("-v", "host", *words, "--bind", bind, "--as", "Host", home="host",
                    before=lan.inside(1), typed=typed)  # fmt: skip
    host.note("The table is open")
    return host


def sat(hall: Hall, lan: Lan, number: int, address: str, *words: str, typed: bool = False) -> Tt:
    """A guest at another machine."""
    return hall.run("-v", "join", address, "--as", f"Guest{number}", *words, home=f"guest{number}",
                    before=lan.inside(number), typed=typed)  # fmt: skip


def test_three_machines_finish_with_one_outcome_and_one_digest(hall: Hall, lan: Lan) -> None:
    """`tt host` on one, `tt tables` and `tt join ADDRESS` on two others: a whole match between machines."""
    host = opened(hall, lan, "zompa", "--seats", "3", "--start", "full", "--bot", "random")
    tables = hall.run("--ui", "json", "tables", before=lan.inside(2))
    assert tables.done() == 0, tables.story()
    (found,) = (json.loads(line) for line in tables.lines)
    assert (found["name"], found["game"], found["address"]) == ("Host", "zompa", "10.86.0.1")
    agree(host, *(sat(hall, lan, number, "10.86.0.1", "--bot", "random") for number in (2, 3)))
    host_key = [(home / "data" / "known_names.json").exists() for home in (host.home, hall.folder / "guest2")]
    assert host_key == [False, True]  # the guests remember the host's key, as ssh does


def test_a_table_over_ipv6(hall: Hall, lan: Lan) -> None:
    """Addresses with colons are bound, told and joined."""
    host = opened(hall, lan, "tricks", "--seats", "2", "--start", "full", "--bot", "random", bind="fd86::1")
    agree(host, sat(hall, lan, 2, f"[fd86::1]:{PORT}", "--bot", "random"))
    assert "tt join fd86::1" in host.errors[0]


@pytest.mark.long
def test_a_cable_is_pulled_and_put_in_again(hall: Hall, lan: Lan) -> None:
    """A guest off the network for six seconds is not heard and heard again, without joining again."""
    host = opened(hall, lan, "tricks", "--seats", "3", typed=True)
    guests = [sat(hall, lan, number, "10.86.0.1", typed=True) for number in (2, 3)]
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, *guests):
        one.expect("How many do you take")
    lan.plug(2, into=False)
    host.expect("Lost contact with Guest2", 10)
    for one in (host, *guests):
        one.type("0", *["1"] * 5)
    lan.plug(2, into=True)
    host.expect("Guest2 has reconnected", 20)
    for one in (host, *guests):
        one.expect("State of the table")
        one.hang_up()
    agree(host, *guests)


@pytest.mark.long
def test_a_host_with_a_new_key_is_not_let_pass(hall: Hall, lan: Lan) -> None:
    """Another key under a known name stops the join with a sentence; --new-key takes it."""
    words = ("tricks", "--seats", "2", "--start", "full", "--bot", "random")
    host = opened(hall, lan, *words)
    agree(host, sat(hall, lan, 2, "10.86.0.1", "--bot", "random"))
    next((host.home / "data" / "identities").glob("*/key")).unlink()
    host = opened(hall, lan, *words)
    stopped = sat(hall, lan, 2, "10.86.0.1", "--bot", "random")
    assert stopped.done() == 6
    assert "Host's key has changed" in stopped.errors[-1]
    agree(host, sat(hall, lan, 2, "10.86.0.1", "--bot", "random", "--new-key"))


def test_two_friends_of_one_name_are_both_known_after_one_question(hall: Hall, lan: Lan) -> None:
    """The second Marco is another than the first, which is said once; neither replaces the other."""
    hosts = []
    for number in (1, 3):
        host = hall.run("-v", "host", "tricks", "--seats", "3", "--as", "Marco", home=f"marco{number}",
                        before=lan.inside(number), typed=True)  # fmt: skip
        host.note("The table is open")
        hosts.append(host)

    def joins(number: int, *words: str) -> Tt:
        guest = sat(hall, lan, 2, f"10.86.0.{number}", *words, typed=True)
        guest.expect("Marco")
        guest.type("quit")
        assert guest.done() == 0, guest.story()
        return guest

    joins(1)
    stopped = sat(hall, lan, 2, "10.86.0.3")
    assert stopped.done() == 6
    assert "You met a different Marco on 20" in stopped.errors[-1]
    joins(3, "--new-key")
    for number in (1, 3, 1, 3):
        joins(number)
    for host in hosts:
        host.kill()


@pytest.mark.parametrize("mover", [2, pytest.param(1, marks=pytest.mark.long)])
def test_a_machine_that_changes_its_address_plays_on(hall: Hall, lan: Lan, mover: int) -> None:
    """A guest, or the host, gets another address in mid-match, as laptops do: it is back by itself."""
    host = opened(hall, lan, "tricks", "--seats", "3", typed=True)
    guests = [sat(hall, lan, number, "10.86.0.1", typed=True) for number in (2, 3)]
    host.expect("3 of 3 seats taken")
    host.type("start")
    everybody = (host, *guests)
    for one in everybody:
        one.expect("How many do you take")
    time.sleep(2)  # all have called all
    machine = f"{lan.tag}{mover}"
    ip("-n", machine, "addr", "del", f"10.86.0.{mover}/24", "dev", "eth0")
    ip("-n", machine, "addr", "add", "10.86.0.77/24", "dev", "eth0")
    ip("-n", machine, "-6", "addr", "flush", "dev", "eth0")
    moved = everybody[mover - 1]
    moved.type("say I am somewhere else")
    for one in everybody:
        if one is not moved:
            one.expect("says: I am somewhere else", 8)
    for one in everybody:
        one.type("0", *["1"] * 5)
    for one in everybody:
        one.expect("State of the table")
        one.hang_up()
    agree(*everybody)
    assert not any(
        one.has("is away|Lost contact") for one in everybody if one is not moved
    )  # it took less than three seconds


@pytest.mark.long
@pytest.mark.parametrize("mover", [2, 1])
def test_a_machine_without_an_address_for_a_while_is_back_with_another(
    hall: Hall, lan: Lan, mover: int
) -> None:
    """It goes on sending when loopback is all it has; nobody has to call for it to be heard again."""
    host = opened(hall, lan, "tricks", "--seats", "3", typed=True)
    guests = [sat(hall, lan, number, "10.86.0.1", typed=True) for number in (2, 3)]
    host.expect("3 of 3 seats taken")
    host.type("start")
    everybody = (host, *guests)
    for one in everybody:
        one.expect("How many do you take")
    machine, moved = f"{lan.tag}{mover}", everybody[mover - 1]
    ip("-n", machine, "addr", "flush", "dev", "eth0")
    moved.type("say I am nowhere")
    guests[1].expect(f"Lost contact with {'Host' if mover == 1 else 'Guest2'}", 20)
    ip("-n", machine, "addr", "add", "10.86.0.77/24", "dev", "eth0")
    for one in everybody:
        one.type("0", *["1"] * 5)
    for one in everybody:
        one.expect("State of the table")
        one.hang_up()
    agree(*everybody)


@pytest.mark.long
@pytest.mark.parametrize("anybody", [False, True])
def test_who_calls_from_another_network(hall: Hall, lan: Lan, anybody: bool) -> None:
    """Behind a router: not answered, and the host is told how; with --any it sits down."""
    one, two, three = (f"{lan.tag}{number}" for number in (1, 2, 3))
    ip("-n", three, "addr", "flush", "dev", "eth0")
    ip("-n", three, "addr", "add", "10.87.0.3/24", "dev", "eth0")
    ip("-n", two, "addr", "add", "10.87.0.2/24", "dev", "eth0")
    subprocess.run([*lan.inside(2), "sysctl", "-q", "-w", "net.ipv4.ip_forward=1"], check=True, timeout=20)
    ip("-n", three, "route", "add", "10.86.0.0/24", "via", "10.87.0.2")
    ip("-n", one, "route", "add", "10.87.0.0/24", "via", "10.86.0.2")
    host = opened(hall, lan, "tricks", "--seats", "2", *(["--any"] if anybody else []), typed=True)
    guest = sat(hall, lan, 3, "10.86.0.1", typed=True)
    if anybody:
        host.expect("2 of 2 seats taken")
    else:
        host.expect("10.87.0.3 is trying to connect from another network")
        assert guest.done() == 5
        assert guest.errors[-1].startswith(
            "tt: No answer from 10.86.0.1, which isn't on this computer's network"
        )
        assert "tt host --any" in guest.errors[-1]
