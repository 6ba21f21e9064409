"""Private tables between processes: a code at a prompt, in a file or in a link, never in a list of them."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tavolata_protocol.identity import PeerId, fingerprint

from .table import Hall, Tt, agree
from .test_people import play


def opened(hall: Hall, *words: str, typed: bool = False) -> tuple[Tt, str, str]:
    """A private table, its code as it is said, and its invitation."""
    host = hall.host("tricks", "--code", *words, typed=typed)
    code = host.note(r"its code is ([0-9A-Z]{3}-[0-9A-Z]{3})\.")[1]
    return host, code, host.note(r"(tavolata:\S+)")[1]


def kept(hall: Hall, text: str) -> str:
    path = hall.folder / "code.txt"
    path.write_text(text)
    return str(path)


def wrong(code: str) -> str:
    return ("0" if code[0] != "0" else "1") + code[1:]


def test_a_match_at_a_private_table(hall: Hall) -> None:
    """Three sit down, by a typed code, a file and a pasted link, and play; two of them never met by code."""
    host, code, link = opened(hall, "--seats", "3", typed=True)
    ann = hall.join(typed=True)
    ann.type(code.lower())
    host.expect("Ann sits down")
    bob = hall.run("-v", "join", "--link", "--as", "Bob", typed=True)
    bob.type(link)
    host.expect("Bob sits down")
    host.type("start")
    for one in (host, ann, bob):
        one.expect("How many do you take")
    play(host, ann, bob)
    for one in (host, ann, bob):
        one.expect("won")
        one.hang_up()
    agree(host, ann, bob)
    assert ann.has("Host's table is private")
    assert not list(hall.folder.rglob("*.key"))  # all have left: nobody keeps the secret


@pytest.mark.long
def test_bots_join_by_a_file(hall: Hall) -> None:
    """`--code-file` takes a code or a whole invitation, for who has nobody at the keyboard."""
    host, code, link = opened(hall, "--seats", "3", "--start", "full", "--bot", "random")
    guests = [
        hall.run(
            "-v", "join", f"127.0.0.1:{hall.port}", "--bot", "random", "--code-file", kept(hall, f"{code}\n")
        ),
        hall.run("-v", "join", "--bot", "random", "--code-file", str(_link(hall, link))),
    ]
    agree(host, *guests)


def _link(hall: Hall, link: str) -> Path:
    path = hall.folder / "link.txt"
    path.write_text(link)
    return path


def test_a_wrong_code_is_told_and_ten_change_it(hall: Hall) -> None:
    """A sentence and exit code 6; after three a machine has to wait; after ten the host has a new code."""
    host, code, _ = opened(hall, "--seats", "2", typed=True)
    words = ("--code-file", kept(hall, wrong(code)))
    said = []
    for _ in range(4):
        guest = hall.join(*words, name="Eve")
        assert guest.done() == 6
        said += guest.errors
    assert said[:3] == ["tt: Wrong code. Ask the host for the current one."] * 3
    assert said[3].startswith("tt: Too many wrong codes. Wait a minute")
    for number in range(2, 9):  # other machines of this network, as far as loopback has them
        source = f"127.0.0.{number}"
        _try(hall, source, wrong(code))
    news = host.expect("The code has changed. It's now ([0-9A-Z-]{7})")[1]
    assert news != code
    host.type("seats")
    host.expect(f"its code is {news}")
    assert _try(hall, "127.0.0.20", code) == "WRONG_CODE"
    assert _try(hall, "127.0.0.21", news) == "connected"


def _try(hall: Hall, source: str, code: str) -> str:
    """Call the table from another address of this machine; how that ended."""
    script = """
import asyncio, os, sys
from tavolata_protocol.codes import read_code
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.events import Connected, ConnectFailed
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.udp import UdpDriver
async def main():
    endpoint = Endpoint(Identity(os.urandom(32)), os.urandom, asyncio.get_running_loop().time())
    async with UdpDriver(endpoint, [sys.argv[1]]) as driver:
        now = asyncio.get_running_loop().time()
        endpoint.connect(("127.0.0.1", int(sys.argv[2])), now, code=read_code(sys.argv[3]))
        driver.wake()
        async for event in driver.events():
            if isinstance(event, (Connected, ConnectFailed)):
                print("connected" if isinstance(event, Connected) else event.reason.name)
                return
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", script, source, str(hall.port), code],
        check=True, capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    return done.stdout.strip()


def test_nobody_to_ask(hall: Hall) -> None:
    """A bot without a code, and a pipe without a line, are told how a code is given: exit code 6."""
    opened(hall, "--seats", "2", typed=True)
    for words in (("--bot", "random"), ()):
        guest = hall.join(*words, name="Eve")
        assert guest.done() == 6
        assert "private. Type its code when asked, or read it from a file" in guest.errors[-1]


def test_a_link_is_no_word_of_a_command(hall: Hall) -> None:
    """A link with a code is refused there, with what to do instead; one of an open table is not."""
    _, code, link = opened(hall, "--seats", "2", typed=True)
    guest = hall.run("join", link)
    assert guest.done() == 2
    assert "tt join --link and paste it there" in guest.errors[0]
    assert code.replace("-", "") not in "".join(guest.errors)
    guest = hall.run("join", "tavolata:nonsense/1/2/3")
    assert guest.done() == 2
    assert "isn't an invitation" in guest.errors[0]


def test_an_invitation_names_the_hosts_key(hall: Hall) -> None:
    """Where somebody else answers than who invited, the guest stops, though the code may be right."""
    _, _, link = opened(hall, "--seats", "2", typed=True)
    other = fingerprint(PeerId(bytes(32)))
    guest = hall.run("join", "--code-file", kept(hall, re.sub(r"[^/]+$", other, link)))
    assert guest.done() == 6
    assert f"but the invitation says {other}" in guest.errors[-1]


@pytest.mark.long
def test_guests_know_each_other_when_the_host_is_killed(hall: Hall) -> None:
    """At a private table, too, another leads when the host dies: its guests have sessions of their own."""
    host, code, _ = opened(hall, "--seats", "3", typed=True)
    guests = [hall.join(typed=True), hall.join(typed=True)]
    for one in guests:
        one.type(code)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, *guests):
        one.expect("How many do you take")
    time.sleep(1.0)
    host.kill()
    for one in guests:
        one.expect("now leads the table")
    guests[0].type("say still here")
    guests[1].expect("Ann says: still here")


def test_a_member_comes_back_without_the_code(hall: Hall) -> None:
    """Killed and joined again, a player needs no code, though it has changed by now."""
    host, code, _ = opened(hall, "--seats", "2", typed=True)
    ann = hall.join(typed=True)
    ann.type(code)
    host.expect("2 of 2 seats taken")
    host.type("start")
    ann.expect("How many do you take")
    ann.kill()
    again = hall.join(name="Ann", typed=True)
    again.expect("The match continues")
    again.expect("How many do you take")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("hello", "contains neither a code nor an invitation"), (None, "Couldn't read the code from")],
)
def test_a_file_that_holds_no_code(hall: Hall, text: str | None, sentence: str) -> None:
    """Told before anybody is called."""
    path = kept(hall, text) if text is not None else str(hall.folder / "nothing")
    guest = hall.run("join", "127.0.0.1", "--code-file", path)
    assert guest.done() == 2
    assert sentence in guest.errors[0]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_a_wrong_code_is_asked_again_at_a_terminal(hall: Hall, tmp_path: Path) -> None:
    """Whoever mistypes it hears so and types it again, and sits down with the right one."""
    from tests.core.ui.terminal import Terminal

    host = hall.host("zompa", "--code", "--seats", "2", typed=True)
    code = host.note(r"its code is ([0-9A-Z]{3}-[0-9A-Z]{3})\.")[1]
    words = ("join", f"127.0.0.1:{hall.port}", "--as", "Eve", "--ui", "plain")
    with Terminal(*words, home=tmp_path / "eve") as guest:
        guest.expect("Table code:")
        guest.press(*wrong(code), "enter")
        guest.expect("Wrong code")
        guest.expect(r"Wrong code[^:]*Table code:")
        guest.press(*code, "enter")
        host.expect("Eve sits down")
