"""Matches over a change of their game: newer rules go on, other code is refused, old files can be watched."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.core.conftest import Site
from tests.core.ui.terminal import TT

from tavolata._engine.storage.match_file import read

FIRST = """
    from tavolata import Game, N_, Outcome, amount, hookimpl

    class Heap(Game):
        name, title, seats = "heap", "Heap", (2, 2)

        def setup(self, t):
            self.laid = []

        async def turn(self, t):
            for seat in t.ring:
                n = await t.ask(seat, amount(1, 9), N_("How many?"))
                self.laid.append(n)
                t.tell(N_("{seat} lays {n}."), seat=seat, n=n)
            if len(self.laid) >= 8:
                return Outcome.by_score(t, [sum(self.laid[0::2]), sum(self.laid[1::2])])

    @hookimpl
    def tavolata_games():
        return [Heap]
"""
SECOND = FIRST.replace("self.laid", "self.heap").replace(
    "def setup", '''rules_id = 2

        def migrate(self, old_rules_id, state):
            if old_rules_id == 1:
                state["game"]["heap"] = state["game"].pop("laid")
                return state

        def setup'''
)  # fmt: skip
UNABLE = SECOND.replace("old_rules_id == 1", "old_rules_id == 0")
WRONG = SECOND.replace('state["game"].pop("laid")', '["seat", 99]')


class Machine:
    """One machine, on which versions of the game are installed one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = Site(folder / "none")

    def install(self, code: str, name: str, version: str = "1.0") -> None:
        self.site = Site(self.folder / name)
        self.site.folder.mkdir()
        self.site.install("heap_game", code, version=version)

    def tt(self, *words: str, typed: str = "") -> tuple[int, str]:
        """Run `tt`; its exit code and all that it said."""
        done = subprocess.run(
            [*TT, *words], input=typed, text=True, encoding="utf-8", stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=60,
            env={
                **os.environ, "PYTHONPATH": str(self.site.folder), "TT_DATA_DIR": str(self.folder / "data"),
                "TT_CACHE_DIR": str(self.folder / "cache"), "TT_LANG": "en", "PYTHONDONTWRITEBYTECODE": "1",
            },
        )  # fmt: skip
        return done.returncode, done.stdout

    @property
    def file(self) -> Path:
        (path,) = (self.folder / "data" / "matches").glob("*.ttm")
        return path


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine on which a match of two turns of the first version was left in the middle of the third."""
    one = Machine(tmp_path)
    one.install(FIRST, "first")
    _, said = one.tt("play", "heap", "--bots", "1", "--as", "Ann", "--seed", "4", typed="9\n8\n7\n")
    assert "Ann lays 7." in said, said
    assert read(one.file).end is None
    return one


@pytest.mark.battery
def test_newer_rules_go_on_with_the_state_that_they_migrate(machine: Machine) -> None:
    """From the end of the last turn to that of the match; then it can be replayed and verified from there."""
    machine.install(SECOND, "second", "2.0")
    before = read(machine.file)
    code, said = machine.tt("resume", typed="6\n5\n4\n3\n")
    assert code == 0, said
    assert "The match began under rules 1." in said
    kept = read(machine.file)
    assert (kept.header["rules_id"], kept.header["version"]) == (2, "2.0")
    assert kept.header["id"] == before.header["id"]
    assert kept.header["code"] != before.header["code"] != b""
    assert kept.start is not None
    heap = kept.start["state"]["game"]["heap"][1:]
    assert len(heap) in (4, 6)
    assert kept.end is not None
    ann = kept.header["names"].index("Ann")
    assert kept.end["outcome"]["scores"][ann] == sum(heap[ann::2]) + sum([6, 5, 4, 3][: (8 - len(heap)) // 2])
    code, said = machine.tt("replay")
    assert code == 0, said
    assert "Ann lays 6." in said
    code, said = machine.tt("verify")
    assert code == 0, said
    assert "The match was played with older rules" in said


@pytest.mark.battery
@pytest.mark.parametrize(
    ("rules", "sentence"),
    [(UNABLE, "can't continue it"), (WRONG, "can't read the result")],
)
def test_what_newer_rules_cannot_take_over_can_be_watched(
    machine: Machine, rules: str, sentence: str
) -> None:
    """The file stays as it is, and what was told is still there."""
    machine.install(rules, "second")
    before = machine.file.read_bytes()
    code, said = machine.tt("resume")
    assert code == 4, said
    assert sentence in " ".join(said.split())
    assert machine.file.read_bytes() == before
    code, said = machine.tt("replay")
    assert code == 0, said
    assert "Ann lays 7." in said
    code, said = machine.tt("verify")
    assert code == 4, said
    assert "The rules weren't checked" in said


@pytest.mark.battery
def test_equal_versions_with_other_code_are_refused_unless_the_player_wants_it(machine: Machine) -> None:
    """The file that differs is named; --unlike goes on, and tells both fingerprints."""
    machine.install(FIRST + "\n    MORE = 1\n", "second")
    for word in ("resume", "replay", "verify"):
        code, said = machine.tt(word)
        assert code == (0 if word == "replay" else 4), said
        assert "they differ in __init__.py" in " ".join(said.split()), said
    code, said = machine.tt("verify", "--unlike")
    assert code == 2, said  # the match is not over
    assert "the end is missing." in " ".join(said.split())
    assert "Nothing is wrong" not in said
    assert "The match started with heap 1.0 (code " in said
    code, said = machine.tt("resume", "--unlike", typed="6\n5\n4\n3\n")
    assert code == 0, said


@pytest.mark.battery
def test_another_version_with_the_same_rules_goes_on(machine: Machine) -> None:
    """The author promises that it plays the same; both versions are told."""
    machine.install(FIRST + "\n    MORE = 1\n", "second", "1.1")
    code, said = machine.tt("resume", typed="6\n5\n4\n3\n")
    assert code == 0, said
    assert "The match started with heap 1.0 (code" in said


@pytest.mark.battery
def test_a_match_that_breaks_each_time_goes_back_a_turn(machine: Machine) -> None:
    """Ann's third answer breaks the rules whenever it's played; before it, she can say something else."""
    fault = FIRST.replace("self.laid.append(n)", "self.laid.append(n)\n                1 / (n - 5)")
    machine.install(fault, "fault")
    ways = [machine.tt("resume", "--unlike", typed=typed) for typed in ("5\n", "", "")]
    assert all("ZeroDivisionError" in said for _, said in ways)
    assert len(ways) == 3
    code, said = machine.tt("resume", "--unlike", "--back", typed="6\n4\n3\n2\n1\n")
    assert "The match continues from the end of its last complete turn." in said
    assert code == 0, said
    assert read(machine.file).end is not None
    code, said = machine.tt("verify", "--unlike")
    assert code == 0, said
