"""What does not work is said in one sentence, with its own exit code."""

from __future__ import annotations

import shutil
import socket
import time
from pathlib import Path

import pytest

from tavolata._cli import main

from .conftest import install
from .table import Hall, Tt, free_port

Capture = pytest.CaptureFixture[str]


def refused(one: Tt, code: int, sentence: str) -> None:
    """It ended with this code, and its narration is one sentence."""
    assert one.done() == code, one.story()
    assert len(one.errors) == 1, one.story()
    assert one.lines == []
    assert sentence in one.errors[0], one.story()


def told(words: list[str], code: int, sentence: str, capsys: Capture) -> None:
    """The same for a command that ends in this process."""
    assert main(words) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert sentence in said.err


def test_nobody_there(hall: Hall) -> None:
    """An address where nothing listens is given up within ten seconds or so."""
    began = time.monotonic()
    refused(hall.run("join", f"127.0.0.1:{free_port()}"), 5, "No answer from 127.0.0.1")
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1:99999", "99999 isn't a port"),
        ("127.0.0.1:zero", "zero isn't a port"),
        ("127.0.0.1:" + "9" * 5000, "isn't a port"),
        ("[::1]8286", "isn't an address"),
        (":8286", "No computer called"),
        ("a" * 70, "No computer called aaa"),
        ("no such host", "No computer called no such host"),
        ("zompa", "zompa is a game, not an address. Run `tt join` on its own"),
    ],
)
def test_an_address_that_is_none(address: str, sentence: str, capsys: Capture) -> None:
    """Wrong words for an address are told at once."""
    told(["join", address], 5, sentence, capsys)


def test_a_busy_port(capsys: Capture) -> None:
    """The port is named, and what to do."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        words = ["host", "zompa", "--bind", "127.0.0.1", "--port", str(port)]
        told(words, 5, f"Port {port} is in use", capsys)


def test_an_address_of_another_machine(capsys: Capture) -> None:
    """Who listens at an address that is not this machine's is told so."""
    for address in ("192.0.2.7", "nonsense"):
        told(["host", "zompa", "--bind", address], 5, f"Couldn't listen on {address}", capsys)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("host", "zompa", "--seats", "1"), "zompa is for 2 to 20 players, not 1."),
        (("host", "zompa", "--seats", "99"), "zompa is for 2 to 20 players, not 99."),
        (("host", "zompa", "--option", "wings=7"), "wings"),
        (("host", "zompa", "--option", "fiches"), "NAME=VALUE"),
        (("host", "zompa", "--start", "maybe"), "--start can be full or ask"),
        (("host", "zompa", "--away", "bot"), "--away can be blind or wait, not bot"),
        (("host", "zompa", "--nudged", "out"), "--nudged can be bot, rest or wait, not out"),
        (("host", "zompa", "--bot", "random"), "Add --start full"),
        (("host", "zompa", "--seats", "3", "--bots", "3"), "leave no free seat"),
        (("host", "zompa", "--bots", "clever"), "no clever bot"),
        (("host", "zompa", "--port", "0"), "--port"),
        (("host", "zompa", "--wings"), "--wings"),
    ],
)
def test_words_that_do_not_fit(words: tuple[str, ...], sentence: str, capsys: Capture) -> None:
    """A mistake on the command line is told before any socket is opened."""
    told(list(words), 2, sentence, capsys)


def test_a_full_table(hall: Hall) -> None:
    """Who comes too late waits for a seat; a bot is told so, in the lobby and in the middle of a match."""
    host = hall.host("tricks", "--seats", "2", typed=True)
    hall.join(typed=True)
    host.expect("2 of 2 seats taken")
    late = hall.join(typed=True)
    late.expect("will play as soon as a seat is free")
    refused(hall.join("--bot", "random"), 6, "The table is full, or a match is in progress")
    host.type("start")
    host.expect("How many do you take")
    refused(hall.join("--bot", "random"), 6, "The table is full, or a match is in progress")


def test_two_who_want_the_last_seat(hall: Hall) -> None:
    """Of two who come at once for one seat, one gets it and the other waits for the next."""
    host = hall.host("tricks", "--seats", "2", typed=True)
    both = [hall.join(typed=True), hall.join(typed=True)]
    host.expect("2 of 2 seats taken")
    host.expect("will play as soon as a seat is free")
    for one in both:
        one.expect("2 of 2 seats taken")


def test_a_game_that_is_not_installed(hall: Hall) -> None:
    """The guest is told which package to install."""
    hall.host("tricks", "--seats", "2", typed=True)
    one = hall.join(path=())
    refused(
        one,
        3,
        "Host says it's in the package "
        '"sealed_tricks==1.0". If you trust that, run tt install "sealed_tricks==1.0"',
    )


def test_another_rules_id(hall: Hall, sealed_tricks: Path, tmp_path: Path) -> None:
    """Rules that would play differently don't meet; both versions are named."""
    other = tmp_path / "other"
    install(other, "sealed_tricks", Path(__file__).with_name("sealed_tricks.py"), version="2.0")
    source = other / "sealed_tricks" / "__init__.py"
    source.write_text(
        source.read_text().replace('    name = "tricks"\n', '    name = "tricks"\n    rules_id = 77\n')
    )
    hall.host("tricks", "--seats", "2", typed=True)
    refused(hall.join(path=(other,)), 6, "Host is hosting tricks with different rules")
    shutil.rmtree(other)


def test_the_same_rules_by_other_code(hall: Hall, tmp_path: Path) -> None:
    """Equal version and rules are not enough: the file is named; --unlike of both plays and judges nobody."""
    other = install(tmp_path / "other", "sealed_tricks", Path(__file__).with_name("sealed_tricks.py"))
    with (other / "sealed_tricks" / "__init__.py").open("a") as source:
        source.write("# one line more\n")
    words = ("--bot", "random")
    host = hall.host("tricks", "--seats", "2", "--start", "full", "--unlike", *words)
    refused(hall.join(*words, path=(other,)), 6, "this table's tricks 1.0: they differ in __init__.py.")
    guest = hall.join("--unlike", *words, path=(other,))
    assert (guest.done(), host.done()) == (0, 0), guest.story()
    assert guest.end() == host.end()
    assert host.has("'s tricks code differs"), host.story()
    assert len(set(guest.matches()[-1].header["codes"])) == 2


FILE = """
from tavolata import Game, Outcome, amount
from parts import MOST

class Guess(Game):
    name, title, seats = "guess", "Guess", (2, 2)

    def setup(self, t):
        self.said = []

    async def turn(self, t):
        self.said = list((await t.ask_all({seat: amount(1, MOST) for seat in t.ring}, "A number")).values())
        return Outcome((t.ring[sum(self.said) % 2],))
"""


def test_a_game_from_a_file_at_a_table(hall: Hall, tmp_path: Path) -> None:
    """Equal files play together from any folder, each machine its own; a changed neighbour is refused."""
    for folder, most in (("a", 5), ("b", 5), ("c", 6)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "guess.py").write_text(FILE)
        (tmp_path / folder / "parts.py").write_text(f"MOST = {most}\n")
    words = ("--bot", "random")
    host = hall.host(str(tmp_path / "a" / "guess.py"), "--seats", "2", "--start", "full", *words)
    refused(hall.join(*words), 3, "guess, which isn't installed here. Ask")
    changed = hall.join(*words, "--game", str(tmp_path / "c" / "guess.py"))
    refused(changed, 6, "Your guess dev doesn't match this table's guess dev: they differ in parts.py.")
    unlike = hall.join("--unlike", *words, "--game", str(tmp_path / "c" / "guess.py"))
    refused(unlike, 6, "Its host would have to run `tt host --unlike`")
    guest = hall.join(*words, "--game", str(tmp_path / "b" / "guess.py"))
    assert (guest.done(), host.done()) == (0, 0), guest.story()
    assert host.end() == guest.end()
    assert guest.matches()[-1].header["version"] == "dev"


def test_rules_that_break_at_a_table(hall: Hall, tmp_path: Path) -> None:
    """Both processes name game, file and line, each its own file, and end with 4."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "guess.py").write_text(FILE.replace("sum(self.said) % 2", "1 // 0"))
        (tmp_path / folder / "parts.py").write_text("MOST = 5\n")
    words = ("--bot", "random")
    host = hall.host(str(tmp_path / "a" / "guess.py"), "--seats", "2", "--start", "full", *words)
    guest = hall.join(*words, "--game", str(tmp_path / "b" / "guess.py"))
    assert (guest.done(), host.done()) == (4, 4), guest.story()
    for one, folder in ((host, "a"), (guest, "b")):
        assert one.has(rf"rules of guess, in .*{folder}/guess\.py, line 13: ZeroDivisionError"), one.story()


def test_a_bot_that_the_game_does_not_have(hall: Hall) -> None:
    """An unknown level is a mistake on the command line, and the table is not disturbed."""
    host = hall.host("tricks", "--seats", "2", typed=True)
    refused(hall.join("--bot", "genius"), 2, "no genius bot")
    assert not host.has("sits down.*Ann")


def test_a_match_of_a_table_is_not_resumed_without_a_copy_of_its_log(hall: Hall) -> None:
    """`tt resume` says how one comes back to a table instead of failing at its file."""
    host = hall.host("tricks", "--seats", "2", typed=True, home="Host")
    guest = hall.join(typed=True)
    host.expect("2 of 2 seats taken")
    host.type("start")
    guest.expect("How many do you take")
    guest.kill()
    for way in (guest.home / "data").glob("identities/*/tables/*.way"):
        way.unlink()
    refused(hall.run("resume", home="Ann"), 2, "No saved matches")
    name = next((guest.home / "data" / "matches").glob("*.ttm")).stem
    refused(hall.run("resume", name, home="Ann"), 2, "was played at a table")
