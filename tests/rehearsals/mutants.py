"""Whether evenings find faults: known mutants of the product, each played until an evening breaks something.

A mutant is a named change of one source file (`changes.py`). It is made in memory, in a process of its own,
where evenings of the general generator are played seed by seed. Without any mutant the same evenings are
played as well: that tells which mutants an evening reaches at all, so that the others needn't play it, and
which faults are there anyway, so that no mutant dies of them. FILE keeps a line for each evening, and the
next call goes on from there; what was played with other sources doesn't count.

    python -m tests.rehearsals.mutants FILE --evenings 60 --minutes 30
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from hashlib import blake2b
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace
from tests.mutation import ROOT, SOURCES
from tests.rehearsals.changes import CHANGES, ENCOUNTERS, Change
from tests.rehearsals.known import KNOWN
from tests.rehearsals.plan import Deed, Plan, drawn

if TYPE_CHECKING:
    from tests.rehearsals.family import Report

LYING = "lying-sync"
"""No change of the product, but disks on which syncs do nothing."""
UNPLAYED = ("mutants.py", "changes.py", "batch.py", "shrink.py")
"""What of the rehearsals doesn't change any evening."""
CPU = 120
"""The most CPU seconds of an evening; one that takes longer goes round in a circle that no loop sees."""
SEARCHED = (*(ROOT / one for one in ("protocol", "core", "plugins")), ROOT)
ROUNDS = (5, 15, 40, 100)
"""After so many evenings it's the next mutant's turn, so that those that die early cost little."""


class Line(msgspec.Struct):
    """An evening with a mutant, or with none: what it broke, and which mutants it reached."""

    sources: str
    mutant: str
    seed: int
    broken: list[str]
    seen: str = ""
    reached: list[str] = []
    cpu: float = 0.0
    acts: list[str] = []
    """After shrinking, what is left of the plan."""


# -- in the process of a mutant -----------------------------------------------------------------------


def probed(source: bytes, changes: Sequence[Change]) -> ast.Module:
    """Return a module that notes by `reached` when it comes to the place of a change."""
    tree = ast.parse(source)
    for change in changes:
        line = change.made(source).line
        block, at = _statement(tree, line)
        if block is not None:
            block.insert(at, ast.parse(f"__reached__({change.name!r})").body[0])
    return ast.fix_missing_locations(tree)


def _statement(tree: ast.Module, line: int) -> tuple[list[ast.stmt] | None, int]:
    """Return the innermost block of a function with a statement on this line, and where that stands."""
    found: tuple[list[ast.stmt] | None, int] = None, 0
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in (inner for function in functions for inner in ast.walk(function)):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            for at, one in enumerate(block if isinstance(block, list) else []):
                if isinstance(one, ast.stmt) and one.lineno <= line <= (one.end_lineno or 0):
                    found = block, at
    return found


def change_imports(mutant: Change | None, reached: set[str]) -> None:
    """Have the product imported with this change; without one, with probes at the places of all."""
    vars(builtins)["__reached__"] = reached.add
    usual = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        changes = CHANGES if mutant is None else (mutant,)
        here = [change for change in changes if str(ROOT / change.path) == self.path]
        if not here:
            return usual(self, fullname)
        source = self.get_data(self.path)
        if mutant is None:
            return compile(probed(source, here), self.path, "exec", dont_inherit=True)
        return compile(mutant.made(source).apply(source), self.path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment] # before anything is imported


def everywhere() -> set[str]:
    """Return the mutants outside functions, which no probe can see."""
    return {
        one.name
        for one in CHANGES
        if _statement(ast.parse(one.source()), one.made(one.source()).line)[0] is None
    }


def planned(name: str, seed: int) -> Plan:
    """Return the plan of an evening with a mutant."""
    return replace(drawn(seed, KNOWN), lying_sync=name == LYING)


def play_seeds(name: str, seeds: Sequence[int]) -> None:
    """Play evenings with a mutant, or with "" none, and print a line of each."""
    reached: set[str] = set()
    change_imports(by_name().get(name), reached)
    from tests.rehearsals.family import play  # only now may the product be imported

    gc.disable()
    for seed in seeds:
        reached.clear()
        signal.setitimer(signal.ITIMER_PROF, CPU)
        plan = planned(name, seed)
        try:
            report = play(plan)
        except Exception as error:  # noqa: BLE001 - a fault of the rehearsal itself, of which no mutant dies
            _print(Line(sources(), name, seed, [], f"REHEARSAL {error!r}"))
            continue
        if any(act.what is Deed.POWER_CUT for act in plan.acts):
            reached.add(LYING)
        _print(_line(name, seed, report, reached))
        gc.collect()


def play_plan(name: str, packed: bytes) -> None:
    """Play the evening of a plan with a mutant, and print its line."""
    change_imports(by_name()[name], set())
    from tests.rehearsals.family import play  # only now may the product be imported

    plan = Plan.of(packed)
    _print(_line(name, plan.seed, play(plan), set()))


def play_test(name: str) -> None:
    """Call the test of one of `ENCOUNTERS` with that mutant, and print a line: a failure is a fault."""
    import pytest

    change, test = next(one for one in ENCOUNTERS if one[0].name == name)
    change_imports(change, set())
    with redirect_stdout(io.StringIO()) as said:
        code = pytest.main(["-p", "no:cacheprovider", str(Path(__file__).with_name(test).relative_to(ROOT))])
    broken = ["a test failed"] if code == pytest.ExitCode.TESTS_FAILED else []
    _print(Line(sources(), name, 0, broken, said.getvalue()[-400:]))


def shrink_seed(name: str, seed: int, fault: str, most: int) -> None:
    """Look for the smallest plan that breaks this with a mutant, and print the line of its evening."""
    change_imports(by_name().get(name), set())
    from tests.rehearsals.family import play  # only now may the product be imported
    from tests.rehearsals.shrink import same_fault, shrink

    report = play(planned(name, seed))
    report.broken.sort(key=lambda one: same_fault(one) != fault)
    small = shrink(report, most)
    line = _line(name, seed, small.report, set())
    line.acts = [act.what.value for act in small.plan.acts]
    line.seen = small.plan.packed().decode()
    _print(line)


def _line(name: str, seed: int, report: Report, reached: set[str]) -> Line:
    from tests.rehearsals.shrink import same_fault  # only now may the product be imported

    faults = list(dict.fromkeys(map(same_fault, report.broken)))
    seen = str(report.broken[0])[:400] if report.broken else ""
    return Line(sources(), name, seed, faults, seen, sorted(reached), round(report.cpu, 2))


def _print(line: Line) -> None:
    print(msgspec.json.encode(line).decode(), flush=True)


# -- in the process that has them played ----------------------------------------------------------------


@cache
def by_name() -> dict[str, Change]:
    return {one.name: one for one in CHANGES}


def crossing_of(name: str) -> str:
    return "" if name == LYING else by_name()[name].crossing


@cache
def sources() -> str:
    """Return a digest of the product and of the rehearsals, but for the list of mutants."""
    digest = blake2b(digest_size=8)
    folders = [*(ROOT / one for one in SOURCES.values()), ROOT / "plugins", Path(__file__).parent]
    for file in sorted(path for folder in folders for path in folder.rglob("*.py")):
        if file.name not in UNPLAYED and not file.name.startswith("test_"):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def run(call: str, seconds: float | None = None) -> Iterator[Line]:
    """Call one of the functions above in a fresh process; yield the lines that it prints."""
    own = {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(map(str, SEARCHED))}
    words = [sys.executable, "-c", f"from tests.rehearsals import mutants; mutants.{call}"]
    until = None if seconds is None else time.monotonic() + seconds
    with subprocess.Popen(words, cwd=ROOT, env=os.environ | own, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                yield msgspec.json.decode(line, type=Line)
                if until is not None and time.monotonic() > until:
                    break
        finally:
            process.kill()


class Campaign:
    """The evenings that were played, in a file."""

    def __init__(self, file: Path, first: int, evenings: int, until: float) -> None:
        self._file = file
        self._first = first
        self._evenings = evenings
        self._until = until
        self._lines: dict[tuple[str, int], Line] = {}
        self._always = everywhere()
        for line in file.read_bytes().splitlines() if file.exists() else []:
            one = msgspec.json.decode(line, type=Line)
            if one.sources == sources() and not one.acts:
                self._lines[one.mutant, one.seed] = one

    def note(self, line: Line) -> None:
        with self._file.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
        if not line.acts:
            self._lines[line.mutant, line.seed] = line

    def play(self, name: str, seeds: Sequence[int]) -> None:
        """Play these evenings with a mutant until one kills it."""
        todo = [seed for seed in seeds if (name, seed) not in self._lines]
        while todo and time.monotonic() < self._until:
            played = 0
            for line in run(f"play_seeds({name!r}, {todo})", self._until - time.monotonic()):
                self.note(line)
                played += 1
                if name and self.faults(name, line.seed):
                    return
            if played == 0:
                self.note(Line(sources(), name, todo[0], ["the process ended"]))
                if name:
                    return
                played = 1
            todo = todo[played:]

    def faults(self, name: str, seed: int) -> list[str]:
        """Return what this evening broke with a mutant, and doesn't break without."""
        line, usual = self._lines.get((name, seed)), self._lines.get(("", seed))
        if line is None or usual is None:
            return []
        return [fault for fault in line.broken if fault not in usual.broken]

    def reaches(self, name: str, seed: int) -> bool:
        """Return True if an evening may be another one with this mutant."""
        needs = by_name()[name].needs if name != LYING else frozenset()
        if needs and not needs & drawn(seed, KNOWN).features():
            return False
        return name in self._always or name in self._lines["", seed].reached

    def death(self, name: str) -> Line | None:
        """Return the first evening that killed a mutant; None while it lives."""
        dead = (line for (who, seed), line in self._lines.items() if who == name and self.faults(who, seed))
        return min(dead, key=lambda line: line.seed, default=None)

    def tries(self, names: Sequence[str]) -> None:
        """Play until all are dead, all evenings are played, or the time is over."""
        for last in dict.fromkeys(min(one, self._evenings) for one in (*ROUNDS, self._evenings)):
            seeds = range(self._first, self._first + last)
            self.tries_seeds(names, seeds)

    def tries_seeds(self, names: Sequence[str], seeds: Sequence[int]) -> None:
        """Play these evenings with each that is not dead yet."""
        self.play("", seeds)
        for name in names:
            if self.death(name) is None:
                usual = [seed for seed in seeds if ("", seed) in self._lines]
                self.play(name, [seed for seed in usual if self.reaches(name, seed)])
                if (dead := self.death(name)) is not None:
                    print(f"{name}: dies in evening {dead.seed}: {dead.seen[:200]}", flush=True)

    def table(self, names: Sequence[str]) -> Iterator[str]:
        """Yield by mutant after how many evenings it died, and of what."""
        usual = sorted(seed for name, seed in self._lines if not name)
        for name in names:
            dead = self.death(name)
            through = [seed for seed in usual if self.reaches(name, seed)]
            played = [seed for seed in through if (name, seed) in self._lines]
            cpu = sum(line.cpu for (who, _), line in self._lines.items() if who == name)
            if dead is not None:
                fault = self.faults(name, dead.seed)[0]
                what = f"dead in evening {dead.seed - self._first + 1}: {fault[:120]}"
            else:
                seen = len(usual) if len(played) == len(through) else len(played)
                what = f"lives after {seen} evenings; {len(played)} of them reached it"
            yield f"{crossing_of(name):28} {name}: {what} ({cpu:.0f} s)"

    def shrink(self, name: str, most: int) -> None:
        """Shrink the plan that killed a mutant, and see that its evening holds without."""
        dead = self.death(name)
        if dead is None:
            return
        for line in run(f"shrink_seed({name!r}, {dead.seed}, {self.faults(name, dead.seed)[0]!r}, {most})"):
            self.note(line)
            plan = Plan.of(line.seen.encode())
            print(f"{name}: {line.acts} with {len(plan.seats)} machines\n{line.seen}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rehearsals.mutants", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--evenings", type=int, default=60, help="how many for each mutant at most")
    parser.add_argument(
        "--seeds", help="only these, as in 4,7,30: a death there is one within as many evenings"
    )
    parser.add_argument("--minutes", type=float, default=0.0, help="no evening is begun after that")
    parser.add_argument("--only", default="", help="mutants whose name or crossing contains this")
    parser.add_argument("--shrink", type=int, default=0, metavar="EVENINGS",
                        help="shrink the plans of the dead, with so many evenings each at most")  # fmt: skip
    said = parser.parse_args()
    every = [*(one.name for one in CHANGES), LYING]
    names = [one for one in every if said.only in one or said.only in crossing_of(one)]
    campaign = Campaign(said.file, said.first, said.evenings, time.monotonic() + 60 * said.minutes)
    if said.seeds:
        campaign.tries_seeds(names, [*map(int, said.seeds.split(","))])
    else:
        campaign.tries(names)
    if said.shrink:
        for name in names:
            campaign.shrink(name, said.shrink)
    lines = [*campaign.table(names)]
    print(*lines, sep="\n")
    print(f"{sum(': dead' in line for line in lines)} of {len(lines)} are dead")
    return 0


if __name__ == "__main__":
    sys.exit(main())
