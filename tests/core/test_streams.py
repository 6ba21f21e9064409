"""Our own lines stay whole, whatever a game prints, starts or reads: real processes, a noisy game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

NOISE = """\
import os
import subprocess
import sys

from tavolata import YES_NO, Game, N_, Outcome


def noise(what):
    print("PRINTED", what)
    os.write(1, f"RAW {{what}}\\n".encode())
    subprocess.run([sys.executable, "-c", "print('CHILD')"], check=True)
    try:
        said = input()
    except EOFError:
        said = "nothing"
    print("READ", said)


noise("import")


class Noisy(Game):
    name, title, summary, seats = "noisy", N_("Noisy"), N_("It talks."), (1, 2)

    def setup(self, t):
        noise("setup")

    async def turn(self, t):
        {turn}
        t.tell(N_("A turn."))
        return Outcome.by_score(t, [0] * len(t.ring))
"""
ASKS = "noise('turn') if await t.ask(t.ring[0], YES_NO, N_('Noise?'), N_('Quiet.')) else None"


def tt(folder: Path, turn: str, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run `tt` in a process of its own, beside the game."""
    (folder / "noisy.py").write_text(NOISE.format(turn=turn), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "tavolata", *words], cwd=folder, input=typed, capture_output=True,
        encoding="utf-8", timeout=300, check=False, env={**os.environ, "TT_LANG": "en"},
    )  # fmt: skip


def test_every_line_for_a_program_is_json(tmp_path: Path) -> None:
    """Acceptance 5: `hello` first, no line of the game's, and no line of the program's goes to the game."""
    answer = json.dumps({"type": "answer", "id": 1, "answer": 0})
    ran = tt(tmp_path, ASKS, "play", "./noisy.py", "--ui", "json", "--seats", "1", typed=f"{answer}\n")
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 0, ran.stderr
    assert told[0]["type"] == "hello"
    assert told[-1]["type"] == "end"
    assert not [one for one in told if one["type"] == "error"]
    for said in ("PRINTED", "RAW"):
        assert {f"{said} import", f"{said} setup", f"{said} turn"} <= set(ran.stderr.splitlines())
    assert ran.stderr.count("CHILD") == ran.stderr.count("READ nothing") >= 3


@pytest.mark.parametrize("words", [("--ui", "json"), ()])
def test_a_simulation_prints_its_result_alone(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Also where other processes play, which have our descriptors."""
    ran = tt(
        tmp_path, "pass", *words, "simulate", "./noisy.py", "--games", "4", "--jobs", "2", "--seats", "1"
    )
    assert ran.returncode == 0, ran.stderr
    assert not [word for word in ("PRINTED", "RAW", "CHILD", "READ") if word in ran.stdout]
    assert "RAW setup" in ran.stderr
    assert ran.stdout.strip()
    if words:
        assert [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.battery
def test_what_a_check_finds_is_not_mixed_with_prints(tmp_path: Path) -> None:
    """`tt check` has a line for each check, and the second process that it compares with works."""
    ran = tt(tmp_path, "pass", "check", "./noisy.py", "--matches", "1")
    assert ran.stdout
    for line in ran.stdout.splitlines():
        assert line.startswith(("ok", "FAIL", "remark", " ")), line
    assert "Internal error" not in ran.stderr
    assert "JSONDecodeError" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("ends", ["SystemExit(3)", "GeneratorExit()", "ValueError('x')"])
def test_a_game_that_ends_the_program_breaks_its_match_alone(tmp_path: Path, ends: str) -> None:
    """One sentence with file and line, in the program's stream, too; the exit code of broken rules."""
    ran = tt(tmp_path, f"raise {ends}", "play", "./noisy.py", "--ui", "json", "--seats", "1")
    assert ran.returncode == 4, ran.stderr
    last = ran.stderr.splitlines()[-1]
    assert last.startswith("tt: Error in the rules of noisy, in noisy.py, line 29:"), ran.stderr
    assert ends.partition("(")[0] in last
    assert [json.loads(line) for line in ran.stdout.splitlines()]
