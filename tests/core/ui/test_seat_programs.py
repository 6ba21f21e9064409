"""Programs in seats: real processes in two languages, and what is said of those that play badly."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.core.ui.conversation import ROOT, TT, Conversation, checked, example_bot

from tavolata._ui.seat_programs import name_of, words_of

PYTHON = f'"{sys.executable}" "{ROOT / "examples" / "bot.py"}"'
NODE = shutil.which("node")
PLAY = ("play", "--humans", "0")
LISTENER = """
import json, runpy, sys
bot = runpy.run_path({bot!r})
for text in sys.stdin:
    print(text, end="", file=open({log!r}, "a", encoding="utf-8"))
    line = json.loads(text)
    if line["type"] == "ask":
        bot["say"](type="answer", id=line["id"], answer=bot["legal"](line))
"""


def tt(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run `tt` with nothing to type at it."""
    return subprocess.run(
        [*TT, "--ui", "plain", *words],
        capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ}, check=False, timeout=60,
    )  # fmt: skip


def script(tmp_path: Path, code: str) -> str:
    """The command line of a program with this code."""
    path = tmp_path / "program.py"
    path.write_text(code, encoding="utf-8")
    return f'"{sys.executable}" "{path}"'


@pytest.mark.parametrize("game", ["conto", pytest.param("jumpy-jack", marks=pytest.mark.battery)])
def test_the_bot_in_python_plays_a_whole_match(game: str) -> None:
    """The example with nothing but the standard library plays two seats against a bot, to the end."""
    done = tt(
        "play", game, "--humans", "0", "--seats", "3", "--seat-program", PYTHON, "--seat-program", PYTHON
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "won" in done.stdout.splitlines()[-1]
    assert "bot.py 2" in done.stdout


@pytest.mark.battery
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_bot_in_another_language_plays_a_whole_match() -> None:
    """The example in JavaScript plays with the one in Python and a bot."""
    node = f'"{NODE}" "{ROOT / "examples" / "bot.js"}"'
    done = tt(
        "play", "conto", "--humans", "0", "--seats", "3", "--seat-program", PYTHON, "--seat-program", node
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "bot.js" in done.stdout


@pytest.mark.battery
def test_a_program_hears_its_own_seat_only(tmp_path: Path) -> None:
    """What reaches a program's stdin is as published; no face of another's hand is in it."""
    log = tmp_path / "heard.jsonl"
    program = script(tmp_path, LISTENER.format(bot=str(ROOT / "examples" / "bot.py"), log=str(log)))
    done = tt(
        "play", "conto", "--humans", "0", "--seats", "3", "--seat-program", program, "--seat-program", PYTHON
    )
    assert done.returncode == 0, done.stderr
    heard = [checked(text) for text in log.read_text(encoding="utf-8").splitlines()]
    assert [heard[0]["type"], heard[-1]["type"]] == ["hello", "end"]
    asked = [line for line in heard if line["type"] == "ask"]
    assert {line["seat"] for line in asked} == {0}
    assert not any(line["message"] == "Turn up the next card" for line in asked)  # pressed for it
    public: set[int] = set()
    for line in heard:
        if line["type"] == "event":
            public |= set(map(int, re.findall(r'"card": (\d+)', json.dumps(line["params"]))))
        if line["type"] == "full":
            assert (line["seat"], line["you"]) == (0, [0])
            hands = {zone["seat"]: zone["content"] for zone in line["zones"] if zone["title"] == "Hand"
                     and zone["kind"] == "hand"}  # fmt: skip
            own, others = hands[0], hands[1] + hands[2]
            assert own
            assert all(card["face"] for card in own)
            assert others
            assert all(not card["face"] or card["card"] in public for card in others)


READ = "import sys\nfor line in sys.stdin:\n    if '\"ask\"' in line:\n        "
FAULTS = {
    "it dies": (
        READ + "raise SystemExit('I have had enough')",
        "ended in the middle.*: I have had enough",
    ),
    "it ends": (READ + "raise SystemExit(3)", "ended in the middle.*: exit code 3"),
    "it plays illegally": (
        READ + 'print(\'{"type":"answer","id":1,"answer":[0,0,0]}\', flush=True)',
        "gave an illegal answer: Choose numbers",
    ),
    "it answers another question": (
        READ + 'print(\'{"type":"answer","id":5,"answer":1}\', flush=True)',
        "gave an illegal answer: No question with the id 5",
    ),
    "it babbles": (READ + "print('hello', flush=True)", "gave an illegal answer: That isn't a JSON object"),
    "it never ends a line": (
        READ + "print('x' * 2_000_000, flush=True)",
        "a line of more than 1048576 bytes",
    ),
    "it is slow": (READ + "import time; time.sleep(60)", "didn't answer within 1 seconds"),
}


@pytest.mark.battery
@pytest.mark.parametrize("what", FAULTS)
def test_a_program_that_plays_badly_is_named(what: str, tmp_path: Path) -> None:
    """Whatever it does wrong ends the match with one sentence and exit code 8; no process is left."""
    code, sentence = FAULTS[what]
    program = script(tmp_path, code)
    done = tt(
        "play", "jumpy-jack", "--humans", "0", "--seats", "2", "--seat-program", program,
        "--program-seconds", "1" if what == "it is slow" else "30",
    )  # fmt: skip
    assert done.returncode == 8, done.stderr
    (line,) = done.stderr.splitlines()
    assert re.match(r"tt: (Couldn't start )?program.py's program \(", line)
    assert re.search(sentence, line), line
    if Path("/proc").is_dir():
        time.sleep(0.1)
        left = [one for one in Path("/proc").glob("[0-9]*/cmdline") if str(tmp_path) in _text(one)]
        assert left == []


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def test_a_program_that_is_not_there_is_told() -> None:
    """A command that can't be started, or can't be understood, is one sentence, too."""
    said = {
        "no-such-program-anywhere --x": "no such file", '"': "No closing quotation", "": "no command given",
    }  # fmt: skip
    for command, why in said.items():
        done = tt("play", "jumpy-jack", "--humans", "0", "--seats", "2", "--seat-program", command)
        assert done.returncode == 8
        assert done.stderr.count("\n") == 1
        assert "Couldn't start" in done.stderr
        assert why in done.stderr


@pytest.mark.battery
def test_a_match_goes_on_when_the_program_is_mended(tmp_path: Path) -> None:
    """The match that a program broke is kept, says that it needs one, and is resumed with another."""
    home = {"TT_DATA_DIR": str(tmp_path / "data")}
    broken = script(tmp_path, READ + "raise SystemExit('bug')")
    words = ["play", "jumpy-jack", "--humans", "0", "--seats", "2", "--seed", "3"]
    assert tt(*words, "--seat-program", broken, **home).returncode == 8
    without = tt("resume", **home)
    assert without.returncode == 2
    assert "Add --seat-program exactly that many times" in without.stderr
    done = tt("resume", "--seat-program", PYTHON, **home)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The match continues." in done.stdout


@pytest.mark.battery
def test_programs_and_people_sit_together(tmp_path: Path) -> None:
    """A person plays by JSON with a program at the same table; each is asked its own questions."""
    legal = example_bot().legal
    words = ["play", "jumpy-jack", "--option", "points=3", "--seats", "2", "--as", "Ann", "--seed", "2"]
    with Conversation(*words, "--seat-program", PYTHON) as talk:
        for line in talk.lines():
            if line["type"] == "ask":
                assert line["seat"] == 0
                talk.say({"type": "answer", "id": line["id"], "answer": legal(line)})
            if line["type"] == "end":
                break
        assert talk.done() == 0, talk.errors
    assert any(line["type"] == "waiting" and line["seat"] == 1 for line in talk.heard)
    assert min(talk.heard[-1]["statistics"]["answers"]) > 1


def test_how_a_program_is_called() -> None:
    """A player that is a program has the name of its script, or of the program."""
    assert name_of(f'python3 -u "{ROOT / "examples" / "bot.py"}"') == "bot.py"
    assert name_of("/usr/games/gnugo --mode x") == "gnugo"
    assert name_of('"') == "program"
    assert name_of("") == "program"
    if os.name == "posix":
        assert words_of("a 'b c' d") == ["a", "b c", "d"]
    assert json.dumps(words_of('x "y z"')) == '["x", "y z"]'
