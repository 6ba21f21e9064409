"""Two full screens at one table: lobby, talk, a match, and a machine that dies."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from tests.core.ui.terminal import Terminal


def free_port() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def host(home: Path, port: str, *words: str) -> Terminal:
    command = (
        "host",
        "zompa",
        "--seats",
        "2",
        "--bind",
        "127.0.0.1",
        "--port",
        port,
        "--as",
        "Hanna",
        *words,
    )
    return Terminal(*command, home=home / "host", size=(100, 40))


def guest(home: Path, port: str, *words: str) -> Terminal:
    return Terminal("join", f"127.0.0.1:{port}", "--as", "Gino", *words, home=home / "guest")


def over(terminal: Terminal) -> bool:
    return bool(re.search("has won| wins", terminal.text()))


def test_two_screens_play_a_match(tmp_path: Path) -> None:
    """Seats and keys in the lobby, a house rule changed, words to one, a match by Enter, and once more."""
    port = free_port()
    with host(tmp_path, port) as one, guest(tmp_path, port) as other:
        one.expect(f"Others join with: tt join 127.0.0.1:{port}")
        other.expect(r"Hanna +hosts +. not ready")
        one.expect("2 of 2 seats taken")
        one.expect(r"key \w{5}-\w{5}-\w{5}-\w{5}, met for the first")
        one.press("2", "enter")
        one.expect("Which house rule")
        one.press("enter")
        one.expect("How many fiches")
        one.press("1", "enter")
        other.expect("fiches: 1")
        other.press("enter")
        one.expect(r"Gino +ready")
        other.press("t", "/to hanna psst", "enter")
        one.expect("Gino to Hanna: psst")
        one.press("1", "enter")
        for _ in range(400):
            if over(one) and over(other):
                break
            for terminal in (one, other):  # an Enter at the end already means the next match
                terminal.press(
                    "enter"
                ) if "⏎" in terminal.text() and "What now?" not in terminal.text() else None
                terminal.read(0.05)
        one.expect("has won| wins")
        one.expect("⏎ play again")
        other.expect("⏎ ready to play")
        time.sleep(1.6)  # a key that comes at once was meant for a card
        other.press("v")
        other.expect(r"turn \d+ of")
        other.press("q")
        other.expect("watch the replay")
        time.sleep(1.6)  # as above: the end is on view again
        other.press("b")
        other.expect("2 of 2 seats taken")
        time.sleep(0.6)  # until now q meant what stood beside it at the end
        other.press("q")
        assert other.done() == 0
        one.expect("Gino has left the table")
        one.press("q")
        assert one.done() == 0


def test_a_host_that_dies_is_said_on_the_screen(tmp_path: Path) -> None:
    """The other screen stays usable: it says that nothing is heard, and leaves when it is told to."""
    port = free_port()
    with host(tmp_path, port, "--start", "full") as one, guest(tmp_path, port) as other:
        other.expect(r"turn \d+")
        os.kill(one.pid, signal.SIGKILL)
        one.done()
        other.resize(60, 20)
        other.expect("Hanna is away|Lost contact with Hanna|who are gone")
        other.press("q")
        other.expect("Do you want to leave")
        other.press("2", "enter")
        assert other.done() == 0
        other.expect("tt join")


def test_leaving_for_good_is_asked_twice_on_the_screen(tmp_path: Path) -> None:
    """`q` offers it beside leaving for now; a second question says what it means, and the others read it."""
    port = free_port()
    with host(tmp_path, port, "--start", "full") as one, guest(tmp_path, port) as other:
        other.expect(r"turn \d+")
        other.press("q")
        other.expect("leave for good")
        other.press("3", "enter")
        other.expect("gives it up")
        other.press("2", "enter")
        assert other.done() == 0
        other.expect("You have left the match for good")
        one.expect("Gino has left the (match|table)")  # the line above the acts has the newest alone
        one.expect("Hanna (has won|wins)")


def test_s_tells_the_seats_of_a_running_match(tmp_path: Path) -> None:
    """Both hear who sits where; whoever plays is not said to be not ready yet."""
    port = free_port()
    with host(tmp_path, port, "--start", "full") as one, guest(tmp_path, port) as other:
        for terminal in (one, other):
            terminal.expect(r"turn \d+")
            terminal.press("s")
            terminal.expect(r"1\. Hanna: plays")
            terminal.expect(r"2\. Gino: plays")
            assert "not ready" not in terminal.text()
