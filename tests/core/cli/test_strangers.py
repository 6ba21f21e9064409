"""What a stranger's code may do to `tt`: whatever it raises is a sentence, and Ctrl+C stays the person's."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tavolata._cli import main

from .test_cli import tt

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any

GAME = """
from tavolata import Game

class Odd(BaseException):
    pass

class Made(Game):
    name = "made"
    title = "Made"
    seats = (2, 4)

    def setup(self, t):
        {setup}

    async def turn(self, t):
        {turn}
"""


@pytest.mark.battery
@pytest.mark.parametrize("where", ["setup", "turn"])
@pytest.mark.parametrize("what", ["Odd(3)", "GeneratorExit", "SystemExit(3)"])
def test_rules_that_raise_no_exception_are_a_sentence(where: str, what: str, tmp_path: Path) -> None:
    """A `BaseException` of a game's rules ends the match with a sentence, not with a traceback."""
    file = tmp_path / "made_here.py"
    rules = {"setup": "pass", "turn": "pass", where: f"raise {what}"}
    file.write_text(GAME.format(**rules), encoding="utf-8")
    done = tt("play", str(file), "--seats", "2", "--ui", "plain", TT_DATA_DIR=str(tmp_path / "data"))
    assert "Traceback" not in done.stderr
    named = what.replace("(", ": ").rstrip(")")
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 4
    assert last.startswith("tt: Error in the rules of made, in ")
    assert last.endswith(named)
    checked = tt("verify", TT_DATA_DIR=str(tmp_path / "data"))
    assert "Internal error" not in checked.stderr or what == "Odd(3)"


def test_rules_that_leave_an_experiment_are_named(tmp_path: Path) -> None:
    """`tt simulate` says where the rules raised SystemExit."""
    file = tmp_path / "made_there.py"
    file.write_text(GAME.format(setup="pass", turn="raise SystemExit(3)"), encoding="utf-8")
    done = tt("simulate", str(file), "--games", "1", "--jobs", "1")
    assert done.returncode == 4
    assert "made_there.py, line 16: SystemExit: 3 (--bots " in done.stderr.splitlines()[-1]


@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to one process alone there")
def test_ctrl_c_while_a_game_is_imported_interrupts(tmp_path: Path) -> None:
    """An interrupt by the person is none of the game's file: `tt` ends as ever."""
    file = tmp_path / "slow.py"
    file.write_text("print('here', flush=True)\nimport time\ntime.sleep(60)\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "tavolata", "check", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stderr.readline() == "here\n"  # stdout is for `tt` alone
        running.send_signal(signal.SIGINT)
        assert (running.wait(30), running.stderr.read()) == (130, "tt: Interrupted.\n")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_after_a_plugin_ctrl_c_is_as_before(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    """The handler of Ctrl+C is put back, whatever the plugin raised."""
    site.install("broken", "raise KeyboardInterrupt")
    before = signal.getsignal(signal.SIGINT)
    assert main(["plugins"]) == 0
    assert "broken (broken 1.0) can't be imported: KeyboardInterrupt." in capsys.readouterr().out
    assert signal.getsignal(signal.SIGINT) is before


COMMANDS = """
    import sys
    from tavolata import hookimpl
    import typer

    def leave(how: str) -> None:
        sys.exit({"number": 3, "nothing": None, "word": "Too late"}[how])

    @hookimpl
    def tavolata_commands(app: typer.Typer) -> None:
        app.command()(leave)
    """


@pytest.mark.parametrize(
    ("how", "code", "said"), [("number", 3, ""), ("nothing", 0, ""), ("word", 1, "Too late\n")]
)
def test_a_plugins_command_may_end_by_sys_exit(
    how: str, code: int, said: str, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its exit code is the one that Python would make of it."""
    site.install("leaver", COMMANDS)
    assert main(["leave", how]) == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("words", [["--help"], ["play", "--help"], ["review", "--help", "--lang", "it"]])
def test_without_docstrings_the_pages_say_the_same(words: list[str]) -> None:
    """Under PYTHONOPTIMIZE=2 there are no docstrings; no text for people is one."""
    usual = tt(*words)
    assert usual.returncode == 0
    assert tt(*words, PYTHONOPTIMIZE="2").stdout == usual.stdout
