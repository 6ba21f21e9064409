"""After a match at a terminal: once more, another game, or home; on a real pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.core.ui.conversation import ROOT, TT

from tavolata._engine.storage.match_file import read

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
PATIENCE = 60.0


class Terminal:
    """`tt` on a pseudo-terminal of its own."""

    def __init__(self, home: Path, *words: str) -> None:
        import pty

        home.mkdir(exist_ok=True)
        self._end, theirs = pty.openpty()
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        folders = {f"TT_{name}_DIR": str(home / name.lower()) for name in ("DATA", "CONFIG", "CACHE")}
        self._process = subprocess.Popen(
            [*TT, *words], cwd=home, stdin=theirs, stdout=theirs, stderr=theirs,
            env={**os.environ, **folders, "TERM": "xterm", "PYTHONPATH": path},
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""
        self._read_to = 0

    def expect(self, pattern: str) -> str:
        """Wait until this is said, behind what was waited for before."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.compile(pattern).search(self.seen, self._read_to)):
            assert time.monotonic() < deadline, self.seen[-2000:]
            if select.select([self._end], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self._end, 65536).decode(errors="replace")
                except OSError as error:  # it has ended, and so has its terminal
                    raise AssertionError(self.seen[-2000:]) from error
        self._read_to = found.end()
        return found[0]

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._end, f"{line}\n".encode())

    def interrupt(self) -> None:
        """What Ctrl+C does."""
        self._process.send_signal(signal.SIGINT)

    def done(self) -> int:
        """Wait for its end; the exit code."""
        try:
            while select.select([self._end], [], [], PATIENCE)[0]:
                if not (more := os.read(self._end, 65536)):
                    break
                self.seen += more.decode(errors="replace")
        except OSError:
            pass  # its end of the terminal is closed
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        os.close(self._end)


def test_q_leaves_after_a_match_as_everywhere(tmp_path: Path) -> None:
    """Only Enter left: "q" was answered with the question once more; words that nothing knows are told."""
    one = Terminal(tmp_path, "play", "zompa", "--seats", "3", "--as", "Ann", "--ui", "plain", "--pace", "off",
                   "--option", "fiches=1", "--seed", "1")  # fmt: skip
    try:
        one.expect("again: play again")
        one.type("zompa")
        one.expect(r"No such command: zompa\. Try: again,")
        one.expect("again: play again")
        one.type("q")
        assert one.done() == 0
    finally:
        one.close()


@pytest.mark.battery
def test_once_more_another_game_or_home(tmp_path: Path) -> None:
    """Again plays the same once more, a game's name plays that with the same people, Enter goes home."""
    one = Terminal(tmp_path, "play", "zompa", "--seats", "3", "--as", "Ann", "--ui", "plain", "--pace", "off",
                   "--option", "fiches=1", "--seed", "1")  # fmt: skip
    try:
        one.expect("Goal: Be the last player with a fiche")
        one.expect("has won")
        one.expect("again: play again")
        one.type("perhaps")
        one.expect("again: play again")
        one.type("watch")
        one.expect("Turn 1 of")
        one.expect("again: play again")
        one.type("history")
        one.expect("Zompa Cavallo! +Ann; bots")
        one.expect("again: play again")
        one.type("keep")
        one.expect(r"Saved in\s+.*\.txt")
        one.expect("again: play again")
        one.type("again")
        one.expect("has won")
        one.expect("again: play again")
        one.type("jumpy-jack")
        one.expect("Which three horses")
        one.type("leave nothing")
        one.type("1 2 3")
        one.expect("And they're off!")
        one.interrupt()
        assert one.done() == 130
    finally:
        one.close()
    (kept,) = tmp_path.glob("zompa-*.txt")
    assert "Ann, Ada, Berto" in kept.read_text(encoding="utf-8").splitlines()
    matches = [read(path) for path in sorted((tmp_path / "data" / "matches").iterdir(), key=os.path.getmtime)]
    assert [match.header["game"] for match in matches] == ["zompa", "zompa", "jumpy-jack"]
    assert [list(match.header["names"]) for match in matches][2] == ["Ann", "Ada", "Berto"]
    assert len({match.header["id"] for match in matches}) == 3
    assert matches[0].header["options"] == matches[1].header["options"]
    assert [match.end is not None for match in matches] == [True, True, False]
    two = Terminal(tmp_path, "play", "zompa", "--seats", "3", "--as", "Ann", "--ui", "plain", "--pace", "off")
    try:
        two.expect("has won")
        assert "Goal:" not in two.seen  # it was finished before
        two.expect(r"Enter: quit.* play that game \(bang,[^\n]*\n  ")  # broken between words
        two.type("")
        assert two.done() == 0
    finally:
        two.close()


@pytest.mark.battery
def test_the_first_line_after_a_match_is_for_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has to be typed twice: the reader of the match hands the line over."""
    monkeypatch.setenv("TT_PLAY_PACE", "off")
    one = Terminal(tmp_path, "--screen-reader")
    try:
        for _ in range(2):
            one.type(one.expect(r"\d+\. Zompa Cavallo!").partition(".")[0])
            one.expect(r"Start or change\? ")
            one.type("")
            if "What's your name" not in one.seen:
                one.expect("What's your name")
                one.type("")
            one.expect("again: play again")
            one.type("")
        leave = one.expect(r"\d+\. Quit\.").partition(".")[0]
        one.expect(r"Which one\?")
        one.type(leave)
        assert one.done() == 0
    finally:
        one.close()


@pytest.mark.battery
def test_one_of_several_matches_is_chosen_to_go_on_with(tmp_path: Path) -> None:
    """On a terminal `tt resume` lists those that wait, and the number says which."""
    folder = {"TT_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
    for seats in ("2", "3"):
        words = ["play", "jumpy-jack", "--seats", seats, "--as", "Ann"]
        subprocess.run([*TT, *words], check=False, input=b"1 2 3\n", capture_output=True,
                       env={**os.environ, **folder})  # fmt: skip
    one = Terminal(tmp_path, "resume", "--ui", "plain")
    try:
        one.expect(r"1\. Jumpy Jack with Ann, Ada, Berto: \d+ turns?, just now")
        one.expect(r"2\. Jumpy Jack with Ann, Ada: \d+ turns?, just now")
        one.expect(r"Which one\? \[1\]")
        one.type("7")
        one.expect("Type a number from 1 to 2")
        one.type("2")
        one.expect("The match continues")
        one.expect("Which horse runs")
        one.interrupt()
        assert one.done() == 130
    finally:
        one.close()
    words = ["resume", "--list", "--ui", "json"]
    listed = subprocess.run([*TT, *words], check=True, capture_output=True, env={**os.environ, **folder})
    assert listed.stdout.count(b'"type": "waiting"') == 2


def test_no_command_lifts_the_curtain(tmp_path: Path) -> None:
    """While others have to look away, neither the question nor a hint on it can be had; Enter lifts it."""
    one = Terminal(
        tmp_path, "play", "jumpy-jack", "--humans", "2", "--seats", "2", "--as", "Ann", "--ui", "plain"
    )
    try:
        one.expect("Everyone else, look away. Ann")
        one.type("/ask")
        one.expect("There's no question for you right now")
        one.type("/hint")
        one.expect("No hint for that|horses")
        assert "Which three horses" not in one.seen
        one.type("")
        one.expect("Which three horses")
        one.interrupt()
        assert one.done() == 130
    finally:
        one.close()


def test_a_form_is_asked_field_by_field_on_a_terminal(tmp_path: Path) -> None:
    """Each field has its own choices, and what can't follow is refused at once."""
    one = Terminal(tmp_path, "play", "horse-fever", "--seats", "3", "--as", "Ann", "--ui", "plain",
                   "--seed", "1")  # fmt: skip
    try:
        one.expect("Ann: Your bet")
        one.expect("Bet on:")
        one.type("13")
        one.expect("Choose a number from 1 to 12")
        one.type("2")
        one.expect("Stake in Danari")
        one.type("ask")
        one.expect("Your bet")
        one.expect("Stake in Danari")  # what was answered stays
        one.type("50")
        one.expect("from 200 to 4000")
        one.type("back")
        one.expect("Bet on:")
        one.type("4")
        one.expect("Stake in Danari")
        one.type("300")
        one.expect("Ann bets")
        one.interrupt()
        one.done()
    finally:
        one.close()


def test_the_board_is_shown_before_a_question_where_it_has_changed(tmp_path: Path) -> None:
    """Whoever chooses on a terminal sees what lies there without asking, and later only what is new of it."""
    one = Terminal(tmp_path, "play", "jumpy-jack", "--seats", "2", "--as", "Ann", "--ui", "plain")
    try:
        one.expect("Ann: Which three horses")
        told = one.seen.partition("Ann: Which three horses")[0]
        one.expect("Pick 3 in order")
        one.type("board")
        one.expect("Track")
        one.expect("Seats|Ann")
        assert "Track" in told
        one.interrupt()
        one.done()
    finally:
        one.close()
