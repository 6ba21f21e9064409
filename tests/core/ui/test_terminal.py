"""The screen on real pseudo-terminals: whole matches by keys, sizes that change, signals, a way back."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from tests.core.ui.terminal import PATIENCE, Terminal
from tests.core.ui.tui.model.test_replay_model import played

from tavolata._engine.storage.match_file import SUFFIX, read

pytestmark = pytest.mark.battery

if TYPE_CHECKING:
    from collections.abc import Callable

SHOWN, HIDDEN = b"\x1b[?1049h", b"\x1b[?1049l"


def play(terminal: Terminal, over: str, keys: Callable[[int], tuple[str, ...]], seconds: float) -> None:
    """Press keys until the match is over; where several are to be chosen, one is marked after the other."""
    deadline = time.monotonic() + seconds
    pressed = 0
    while over not in terminal.text():
        assert time.monotonic() < deadline, terminal.text()
        if re.search(r"⏎|❯|(Enter|Invio) =", terminal.text()):  # not ahead: Enter leaves when it is over
            several = re.search(r"\(Space\)|\(Spazio\)", terminal.text())
            terminal.rest()
            if over in terminal.text():
                return
            if several:
                terminal.press(str(1 + pressed % 5), " ", "enter")
            else:
                terminal.press(*keys(pressed), rested=True)
            pressed += 1
            seen, again = len(terminal.raw), time.monotonic() + 2.0
            while len(terminal.raw) == seen and time.monotonic() < again:  # keys that wait unread would
                terminal.read(0.05)  # be read after the end, and begin the next match
        terminal.read(0.05)


def test_a_whole_match_by_keys_alone(tmp_path: Path) -> None:
    """From the command to the shell again: Enter plays Zompa to its end, at sizes that change meanwhile."""
    sizes = [(100, 30), (40, 10), (20, 5), (160, 50), (80, 24)]
    words = ("play", "zompa", "--seats", "2", "--option", "fiches=1", "--seed", "7", "--pace", "key")
    with Terminal(*words, home=tmp_path) as terminal:
        terminal.expect("Zompa Cavallo!")
        for size in sizes:
            terminal.resize(*size)
            terminal.press("enter")
            terminal.read(0.2)
        play(terminal, "What now?", lambda _: ("enter",), 120)
        assert " wins" in terminal.text()
        terminal.rest()
        terminal.press("q")
        assert terminal.done() == 0
        assert terminal.raw.count(SHOWN) == terminal.raw.count(HIDDEN) == 1
        assert b"\x1b[?25h" in terminal.raw[-400:]
        left = terminal.raw.rpartition(b"\x1b[?1049l")[2].decode()
        assert "has won" in left
        assert "Watch the replay with `tt replay`" in left


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize(
    ("game", "seats"),
    [("bang", "2"), ("conto", "3"), ("horse-fever", "2"), ("jumpy-jack", "2"), ("zompa", "4")],
)
def test_every_game_is_played_by_keys_alone(
    game: str, seats: str, size: tuple[int, int], lang: str, tmp_path: Path
) -> None:
    """A whole match of each bundled game, first choice after first choice, now and then another one."""

    def keys(number: int) -> tuple[str, ...]:
        assert "{" not in terminal.text(), terminal.text()  # a field that nobody filled in
        return ("enter",) if number % 7 else ("down", "enter", "right", "enter")

    words = ("--lang", lang, "play", game, "--seats", seats, "--seed", "11")
    config = tmp_path / "config"
    config.mkdir()
    (config / "config.toml").write_text('[screen]\npace = "off"\n')
    over, won = ("What now?", "won|wins") if lang == "en" else ("E adesso?", "vinto|vince")
    with Terminal(*words, home=tmp_path, size=size) as terminal:
        terminal.expect(r"(?i)turno? \d+")
        play(terminal, over, keys, 900)
        assert re.search(won, terminal.text()), terminal.text()


def test_an_interrupted_match_says_how_to_come_back_and_does(tmp_path: Path) -> None:
    """Ctrl+C twice leaves with 130 and the command that goes on; that one shows the match again."""
    with Terminal("play", "zompa", "--seats", "3", "--pace", "key", home=tmp_path) as terminal:
        terminal.expect(r"turn \d+")
        terminal.press("ctrl+c")
        terminal.expect("Ctrl.C to quit")
        terminal.press("ctrl+c")
        assert terminal.done() == 130
        found = terminal.expect(r"tt resume (\w+)")
    with Terminal("resume", found[1], home=tmp_path) as terminal:
        terminal.expect(r"turn \d+")
        terminal.press("q")
        terminal.expect("Do you want to leave")
        terminal.press("2", "enter")
        assert terminal.done() == 0
        terminal.expect("tt resume")


@pytest.mark.parametrize("words", [(), ("play", "conto", "--humans", "2"), ("replay", "conto.ttm")])
def test_ctrl_c_leaves_home_form_and_replay_alike(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first asks; the second ends with 130 and one sentence on the terminal as it was."""
    if "replay" in words:
        monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
        _, path = played("conto")
        words = ("replay", str(path))
    with Terminal(*words, home=tmp_path) as terminal:
        terminal.expect(r"q quit|Begin")
        terminal.press("ctrl+c")
        terminal.expect("Ctrl.C to quit")
        terminal.press("ctrl+c")
        assert terminal.done() == 130
        assert terminal.raw.count(SHOWN) == terminal.raw.count(HIDDEN) == 1
        left = terminal.raw.rpartition(HIDDEN)[2]
        assert b"\x1b[?25h" in left
        assert left.endswith(b"tt: Interrupted.\r\n")


@pytest.mark.usefixtures("hears_hangups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_terminal_that_can_be_used(number: int, tmp_path: Path) -> None:
    """`kill` ends the screen, and the terminal is as it was: its own lines, and the cursor."""
    with Terminal("play", "zompa", "--seats", "3", "--pace", "key", home=tmp_path) as terminal:
        terminal.expect(r"turn \d+")
        os.kill(terminal.pid, number)
        assert terminal.done() != 0
        assert terminal.raw.count(HIDDEN) == 1


def test_a_stop_from_outside_leaves_one_reader_and_a_terminal_that_can_be_used(tmp_path: Path) -> None:
    """After two stops the screen has no more threads than before, hears keys, and gives the terminal back."""
    with Terminal("play", "zompa", "--seats", "3", "--pace", "key", home=tmp_path) as terminal:
        before = terminal.modes()
        terminal.expect(r"turn \d+")
        terminal.press("t", "one")
        terminal.expect("one")
        threads, raw, shown = terminal.threads(), terminal.modes(), terminal.raw.count(SHOWN)
        for word in (" two", " three"):
            os.kill(terminal.pid, signal.SIGSTOP)
            os.waitpid(terminal.pid, os.WUNTRACED)
            shown += 1
            os.kill(terminal.pid, signal.SIGCONT)
            terminal.until(lambda: terminal.raw.count(SHOWN) == shown)  # noqa: B023 - it is called at once
            terminal.until(lambda: terminal.modes() == raw)  # until then the terminal echoes
            terminal.press(word)
            terminal.expect(word)
            assert terminal.threads() <= threads
        terminal.expect("one two three")
        terminal.press("esc")
        terminal.expect(" l log")  # there may be no room for all keys
        terminal.press("q")
        terminal.expect("Do you want to leave")
        terminal.press("2", "enter")
        assert terminal.done() == 0
        assert terminal.raw.count(SHOWN) == terminal.raw.count(HIDDEN) == 3
        assert terminal.modes() == before


SHELL = """
import os, signal, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if not job:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    os.tcsetpgrp(0, os.getpgrp())
    whole = termios.ICANON | termios.ECHO
    print("job stopped", termios.tcgetattr(0)[3] & whole == whole, flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
"""
"""A shell with one job in a process group of its own: a stopped one goes on with Enter."""


def test_stage_check_12_ctrl_z_stops_the_job_and_fg_draws_all_of_it(tmp_path: Path) -> None:
    """The terminal is as it was while the job is stopped; then the whole frame is there, and keys work."""
    with Terminal("play", "conto", "--seats", "3", "--seed", "7", home=tmp_path, shell=SHELL) as terminal:
        terminal.expect("yours")
        terminal.press("ctrl+z")
        terminal.expect("job stopped True")
        assert b"job stopped" in terminal.raw.rpartition(HIDDEN)[2]
        terminal.screen.reset()
        terminal.press("enter")
        terminal.expect(r"(?s)\A Il Conto, Prego!.*players.*● Ada you.*\? help")
        terminal.press("q")
        terminal.expect("Do you want to leave")
        terminal.press("2", "enter")
        assert terminal.done() == 0


def test_a_dumb_terminal_gets_lines(tmp_path: Path) -> None:
    """Where TERM is dumb nothing is drawn over, whatever was asked for."""
    words = ("play", "zompa", "--seats", "2", "--ui", "tui", "--pace", "key")
    with Terminal(*words, home=tmp_path, environ={"TERM": "dumb"}) as terminal:
        terminal.expect("Round 1")
        assert b"\x1b[" not in terminal.raw


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    """Without a place for its file no match begins, and no screen is left behind."""
    (tmp_path / "data").write_text("in the way")
    with Terminal("play", "zompa", home=tmp_path) as terminal:
        assert terminal.done() == 2
        assert "tt: " in terminal.text()
        assert "Traceback" not in terminal.text()


def test_home_leads_to_a_match_and_back(tmp_path: Path) -> None:
    """`tt` alone: choose a game, play it; leave it; home is there again, with the match that waits."""
    with Terminal(home=tmp_path) as terminal:
        terminal.expect("waiting +no match")
        found = terminal.expect(r"(\d) Zompa")
        terminal.press(found[1])
        terminal.expect("─ Zompa")
        terminal.press("enter")
        terminal.expect(r"turn \d+")
        terminal.press("q")
        terminal.expect("Do you want to leave")
        terminal.press("2", "enter")
        terminal.expect("waiting +. Zompa")
        terminal.press("q")
        assert terminal.done() == 0


def test_a_terminal_that_does_not_read_holds_up_nothing_but_itself(tmp_path: Path) -> None:
    """Keys are acted on while nobody reads the terminal; when it reads again, the screen is whole."""
    with Terminal(
        "play", "zompa", "--seats", "3", "--pace", "key", home=tmp_path, size=(160, 50)
    ) as terminal:
        terminal.expect(r"turn \d+")
        (file,) = (tmp_path / "data").rglob(f"*{SUFFIX}")
        terminal.stop_reading()
        for number in range(40):  # each draws the whole screen anew
            terminal.resize(160 - number % 3, 40)
            time.sleep(0.03)
        terminal.press("t", "Hello?", "enter")
        deadline = time.monotonic() + PATIENCE
        while not any("Hello?" in repr(entry) for entry in read(file).entries):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        terminal.resize(80, 24)
        terminal.go_on_reading()
        terminal.expect(r"(?s)\A Zompa Cavallo!.*turn \d+.*\? help")
        terminal.press("q")
        terminal.expect("Do you want to leave")
        terminal.press("2", "enter")
        assert terminal.done() == 0
