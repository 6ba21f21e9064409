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

FADES = 6.0
"""Seconds after which no change is marked any more."""
LINK = re.compile(r" (\d+ ms|\(bot\))(?= )")
"""The time that a packet takes, or what stands in its place beside a name."""
HAND = 18
"""The row at 120x36 in which one's own things begin."""
WORDS = 58
"""The column in which sentences begin beside the board, and"""
PLAYERS = 83
"""that in which the players do."""


def free_port() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def settled(terminal: Terminal) -> list[str]:
    """The rows of the screen when nothing moves there any more, without the times of the connection."""
    seen, deadline = ("", time.monotonic()), time.monotonic() + 60
    while time.monotonic() < min(deadline, seen[1] + FADES):
        terminal.read(0.2)
        rows = LINK.sub(blank, terminal.text())
        seen = seen if rows == seen[0] else (rows, time.monotonic())
    return seen[0].split("\n")


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


OFFERED = "What now|ready to play|play again|wait for me"
"""What the button or its prompt says before and after a match."""


def over(terminal: Terminal) -> bool:
    return bool(re.search("has won| wins", terminal.text()))


def test_two_screens_play_a_match(tmp_path: Path) -> None:
    """Seats and keys in the lobby, a house rule changed, words to one, a match by Enter, and once more."""
    port = free_port()
    with host(tmp_path, port) as one, guest(tmp_path, port) as other:
        one.expect(f"Others join with: tt join 127.0.0.1:{port}")
        other.expect(r"Hanna +hosts +. not ready")
        one.expect("2 of 2 seats taken")
        one.expect(r"key \w{5}-\w{5}-\w{5}-\w{5}, not seen before")
        one.press("2", "enter")
        one.expect("Which house rule")
        one.press("enter")
        one.expect("Fiches each player")
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
            for terminal in (one, other):
                if "⏎" in terminal.text() and not re.search(OFFERED, terminal.text()):
                    terminal.rest()
                    if not re.search(OFFERED, terminal.text()):  # at the end, Enter means the next match
                        terminal.press("enter", rested=True)
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
        other.expect("tt resume")


def test_leaving_for_good_is_asked_twice_on_the_screen(tmp_path: Path) -> None:
    """`q` offers it beside leaving for now; a second question says what it means, and the others read it."""
    port = free_port()
    with host(tmp_path, port, "--start", "full") as one, guest(tmp_path, port) as other:
        other.expect(r"turn \d+")
        other.press("q")
        other.expect("leave for good")
        other.press("3", "enter")
        other.expect("That ends the match")
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
            terminal.expect(r"1\. Hanna: playing")
            terminal.expect(r"2\. Gino: playing")
            assert "not ready" not in terminal.text()


@pytest.mark.parametrize("dealer", ["fair", pytest.param("host", marks=pytest.mark.long)])
def test_stage_check_2_a_table_looks_as_before_after_a_resume(tmp_path: Path, dealer: str) -> None:
    """A machine is killed in mid-match and comes back: board, hand, numbers, charts and story are there."""
    port, size = free_port(), (120, 36)
    words = ("host", "conto", "--seats", "3", "--bots", "easy", "--dealer", dealer, "--start", "full")
    bind = ("--bind", "127.0.0.1", "--port", port, "--as", "Hanna", "--pace", "off")
    with Terminal(*words, *bind, home=tmp_path / "host", size=size) as one:
        one.expect(f"tt join 127.0.0.1:{port}")
        join = ("join", f"127.0.0.1:{port}", "--as", "Gino")
        with Terminal(*join, home=tmp_path / "guest", size=size) as other:
            other.expect(r"turn \d+")

            def played() -> bool:
                for terminal in (one, other):
                    if "⏎" in terminal.text():
                        terminal.press("enter")
                    terminal.read(0.05)
                return "0…" in other.text()  # a chart

            other.until(played, 240.0)
            for _ in range(2):  # nobody answers now
                other.press("\t")
                other.rest()
            before = settled(other)
            os.kill(other.pid, signal.SIGKILL)
            other.done()
        back = ("resume",) if dealer == "fair" else join  # where one machine deals, the others join again
        with Terminal(*back, home=tmp_path / "guest", size=size) as again:
            again.expect("Gino you")
            after = settled(again)
            # between board and players are sentences, and that the link was down is one
            rest = [[(row[:WORDS], row[PLAYERS:]) for row in rows[1:HAND]] for rows in (before, after)]
            assert rest[0] == rest[1]
            cards = [[row[:55] for row in rows[HAND + 1 : HAND + 6]] for rows in (before, after)]
            assert cards[0] == cards[1]
            told = [row[84:] for row in after[HAND + 1 : -1]]
            assert told[0] in [row[84:] for row in before]  # it goes on with news of the connection
