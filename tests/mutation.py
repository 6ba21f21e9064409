"""A mutation campaign: small faults put into the source one by one, each of which some test should notice.

A mutant is one changed expression or statement. It is written into a copy of the tree, never into the tree
itself, and the tests that reach its line are run there. Which tests those are is found out once, by a run
under coverage, and kept in a file. The same commit, seed and sample give the same mutants.

    python -m tests.mutation --package tavolata_protocol --sample 300 --seed 1 --jobs 1
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import Queue
from typing import Any, Final, NamedTuple

import pytest
from coverage import Coverage

ROOT = Path(__file__).parents[1]
SOURCES = {"tavolata_protocol": "protocol", "tavolata": "core"}
SUITES = {"tavolata_protocol": ["tests/protocol"], "tavolata": ["tests/core", "tests/plugins"]}
QUICK = "not long and not battery"
BUDGET: Final = 20.0
"""Seconds of tests, as the run under coverage measured them, that one mutant is given."""
PATIENCE: Final = 30.0
"""Seconds that a mutant may take in addition to five times as long as its tests take."""


# -- what is changed ------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """One change of one source file; `start` and `end` are offsets in its bytes.

    `statement` is the line where the statement begins that is changed or that has the changed part, `last`
    the last line of what is changed.
    """

    path: str
    line: int
    statement: int
    last: int
    start: int
    end: int
    operator: str
    text: str

    def apply(self, source: bytes) -> bytes:
        """The source with the change."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def describe(self, source: bytes) -> str:
        """Where it is, what was there and what is there now, in one line."""
        was = " ".join(source[self.start : self.end].decode().split())
        return f"{self.path}:{self.line} {self.operator}: {was[:90]} -> {self.text[:90]}"


COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)


class Finder(ast.NodeVisitor):
    """All mutants of one module: of what runs, not of types, decorators, docstrings and assertions."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._at = 1
        self.found: list[Mutant] = []
        self.visit(ast.parse(source))

    def _add(self, node: ast.expr | ast.stmt, operator: str, new: ast.AST | str) -> None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        text = new if isinstance(new, str) else f"({ast.unparse(new)})"
        self.found.append(
            Mutant(self._path, node.lineno, self._at, node.end_lineno, start, end, operator, text)
        )

    def generic_visit(self, node: ast.AST) -> None:
        """Visit the statements of a block and the parts of an expression, but no types and decorators."""
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_comment"}:
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.stmt):
                    self._statement(part)
                if isinstance(part, ast.AST):
                    self.visit(part)

    def _statement(self, node: ast.stmt) -> None:
        self._at = node.lineno
        is_call = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
        keeps = isinstance(node, ast.Assign) and not any(isinstance(one, ast.Name) for one in node.targets)
        if is_call or keeps or isinstance(node, ast.AugAssign | ast.Delete):
            self._add(node, "deleted statement", "pass")
        elif isinstance(node, ast.Raise):
            self._add(node, "removed raise", "pass")
        elif isinstance(node, ast.Return) and node.value is not None and not is_none(node.value):
            self._add(node, "returned nothing", "return None")
        elif isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], LEAVES):
            self._add(node, "removed guard", "pass")

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion says what is so anyway."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Before Python 3.12 the places of what is in it are wrong."""

    def visit_If(self, node: ast.If) -> None:
        """A condition the other way round; what only type checkers read is left out."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """As `if`."""
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """As `if`."""
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """As `if`."""
        for one in node.ifs:
            self._negate(one)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        if not isinstance(test, ast.Compare | ast.Constant):  # a comparison has a mutant of its own
            self._add(test, "negated", ast.UnaryOp(ast.Not(), test))

    def visit_Compare(self, node: ast.Compare) -> None:
        """The nearest other comparison."""
        for at, one in enumerate(node.ops):
            ops = [*node.ops[:at], COMPARISONS[type(one)](), *node.ops[at + 1 :]]
            self._add(node, "compared otherwise", ast.Compare(node.left, ops, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`and` for `or`."""
        op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._add(node, "and for or", ast.BoolOp(op, node.values))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """The other direction of arithmetic; not where a type is put together."""
        op = ARITHMETIC.get(type(node.op))
        if op is not None:
            self._add(node, "reckoned otherwise", ast.BinOp(node.left, op(), node.right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A number one off, True for False."""
        if isinstance(node.value, bool):
            self._add(node, "changed constant", str(not node.value))
        elif isinstance(node.value, int | float):
            step = 1 if (node.lineno + node.col_offset) % 2 else -1
            self._add(node, "changed constant", f"({node.value + step!r})")

    def visit_Call(self, node: ast.Call) -> None:
        """The first two arguments the other way round, where their order can matter."""
        two = [] if ast.unparse(node.func) in {"max", "min"} else node.args[:2]
        if len(two) == 2 and not any(isinstance(one, ast.Starred) for one in two):
            args = [two[1], two[0], *node.args[2:]]
            self._add(node, "swapped arguments", ast.Call(node.func, args, node.keywords))
        self.generic_visit(node)


def is_none(node: ast.expr) -> bool:
    """Whether an expression is `None`."""
    return isinstance(node, ast.Constant) and node.value is None


def mutants_of(root: Path, package: str, within: str = "") -> list[Mutant]:
    """All mutants of a package, or of the modules whose path contains some text."""
    found: list[Mutant] = []
    for path in sorted((root / SOURCES[package] / package).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if within in name:
            found += Finder(name, path.read_bytes()).found
    return found


def sample_of(root: Path, every: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many of them that Python takes, drawn by a seed."""
    drawn = random.Random(seed).sample(every, len(every))
    fine = (one for one in drawn if compiles(one.apply((root / one.path).read_bytes())))
    return list(islice(fine, size))


def compiles(source: bytes) -> bool:
    """Whether Python takes it."""
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


# -- which tests reach a line -----------------------------------------------------------------------


class Watch:
    """A plugin of pytest: coverage of each test on its own, and how long it took."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / f"watch-{os.getpid()}"
        self._coverage = Coverage(
            data_file=str(self._file), config_file=False, source_pkgs=list(SOURCES), messages=False
        )
        self._coverage.start()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test."""
        name = item.nodeid.partition("[")[0]
        self._coverage.switch_context(name)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            self._seconds[name] += time.monotonic() - began
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails anyway notices nothing."""
        if report.failed:
            self._failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        """Keep what was seen; later than this, a worker is not waited for."""
        self._coverage.stop()
        with warnings.catch_warnings(action="ignore"):  # a package may not be imported by these tests at all
            data, reached = self._coverage.get_data(), {}
        for path in data.measured_files():
            lines = {line: [one for one in who if one] for line, who in data.contexts_by_lineno(path).items()}
            reached[path] = lines
        told = {"reached": reached, "seconds": self._seconds, "failed": sorted(self._failed)}
        self._file.with_suffix(".json").write_text(json.dumps(told))


def pytest_configure(config: pytest.Config) -> None:
    """Watch, in a process that runs tests."""
    folder = os.environ.get("TAVOLATA_WATCH")
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if folder is not None and runs_tests:
        config.pluginmanager.register(Watch(Path(folder)))


@dataclass
class Reach:
    """Which tests reach which line, and how long each takes.

    Attributes:
        lines: by path and line, the tests.
        seconds: by test.
    """

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    @classmethod
    def of(cls, file: Path, root: Path, tests: list[str], jobs: int) -> Reach:
        """What a file holds; if it is not there, the quick tests are run for it under coverage."""
        if not file.exists():
            file.write_text(json.dumps(watched(root, tests, jobs)))
        told = json.loads(file.read_text())
        lines = {path: {int(at): who for at, who in of.items()} for path, of in told["lines"].items()}
        return cls(lines, told["seconds"])

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests to run: those of the mirrored folder first, then quick ones, up to the budget.

        What runs on import alone is everybody's who reaches the module, or every test's; what never runs is
        nobody's.
        """
        module = self.lines.get(mutant.path, {})
        span = [mutant.statement, *range(mutant.line, mutant.last + 1)]
        runs = [line for line in span if line in module]
        reach = {one for line in runs for one in module[line]}
        if runs and not reach:
            reach = {one for who in module.values() for one in who} or set(self.seconds)
        chosen: list[str] = []
        left = BUDGET
        for one in sorted(reach, key=lambda one: (-nearness(mutant.path, one), self.seconds[one], one)):
            left -= self.seconds[one]
            if left >= 0 or not chosen:
                chosen.append(one)
        return chosen


def nearness(path: str, test: str) -> int:
    """How much of a module's path a test's path has, too: tests mirror the source."""
    words = {one.lstrip("_").removesuffix(".py") for one in path.split("/")}
    own = {one.removeprefix("test_").removesuffix(".py") for one in test.partition("::")[0].split("/")}
    return len(words & own)


def watched(root: Path, tests: list[str], jobs: int) -> dict[str, Any]:
    """Run the quick ones of these tests, each under coverage of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*tests, "-q", "-p", "tests.mutation", "-m", QUICK, "-n", str(jobs), "--dist", "worksteal"]
        run(root, words, None, TAVOLATA_WATCH=folder)
        seconds: dict[str, float] = defaultdict(float)
        lines: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        failed: set[str] = set()
        for file in Path(folder).glob("*.json"):
            told = json.loads(file.read_text())
            for test, took in told["seconds"].items():
                seconds[test] += took
            failed.update(told["failed"])
            for path, reached in told["reached"].items():
                name = Path(path).resolve().relative_to(root.resolve()).as_posix()
                for line, who in reached.items():
                    lines[name][line].update(who)
    if failed:
        print("Tests that fail without a mutant notice none:", *sorted(failed), sep="\n  ")
    plain = {path: {at: sorted(who - failed) for at, who in of.items()} for path, of in lines.items()}
    return {"lines": plain, "seconds": seconds}


# -- running --------------------------------------------------------------------------------------


def run(root: Path, words: list[str], seconds: float | None, **more: str) -> int | None:
    """Run pytest in a copy of the tree; its exit code, None if it took too long."""
    sources = [str(root / one) for one in ("protocol", "core", "plugins")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sources, str(root)]), **more}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=root, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)  # with what it has started
        process.wait()


def copy_of(root: Path, into: Path) -> Path:
    """A copy of what is under version control."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (root / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, into / name)
    return into


def put(file: Path, source: bytes) -> None:
    """Write a source file, and forget what was compiled of it: within a second Python would not notice."""
    file.write_bytes(source)
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


def try_out(mutant: Mutant, reach: Reach, root: Path) -> str:
    """What becomes of a mutant: killed, survived, timeout or unreached."""
    tests = reach.tests(mutant)
    if not tests:
        return "unreached"
    file = root / mutant.path
    source = file.read_bytes()
    put(file, mutant.apply(source))
    try:
        expected = min(BUDGET, sum(reach.seconds[one] for one in tests))
        code = run(root, ["-x", "-q", "-m", QUICK, *tests], PATIENCE + 5 * expected)
    finally:
        put(file, source)
    if code is None:
        return "timeout"
    assert code != pytest.ExitCode.NO_TESTS_COLLECTED, mutant
    return "killed" if code else "survived"


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=str(__doc__).partition(".")[0]
    )
    parser.add_argument("--package", choices=SOURCES, default="tavolata_protocol", help="what is changed")
    parser.add_argument("--within", default="", help="only modules whose path contains this")
    parser.add_argument("--sample", type=int, default=100, help="how many mutants are tried")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--minutes", type=float, default=600, help="no mutant is begun after that")
    parser.add_argument("--tests", nargs="+", help="the tests that may notice; by default all of the package")
    parser.add_argument("--reach", type=Path, help="a file for which test reaches which line; made if it is"
                        " not there, by default .mutation-PACKAGE.json")  # fmt: skip
    return parser.parse_args()


def main() -> None:
    """Try a sample of mutants and print a table of those that nobody noticed."""
    said = arguments()
    until = time.monotonic() + 60 * said.minutes
    results: dict[Mutant, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for number in range(said.jobs):
            copies.put(copy_of(ROOT, Path(folder) / str(number)))
        root = copies.queue[0]
        file = said.reach or ROOT / f".mutation-{said.package}.json"
        reach = Reach.of(file, root, said.tests or SUITES[said.package], said.jobs)
        every = mutants_of(root, said.package, said.within)
        sample = sample_of(root, every, said.sample, said.seed)

        def one(mutant: Mutant) -> None:
            if time.monotonic() > until:
                return
            copy = copies.get()
            try:
                result = results[mutant] = try_out(mutant, reach, copy)
                print(f"{result:9} {mutant.describe((copy / mutant.path).read_bytes())}", flush=True)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(said.jobs) as pool:
            list(pool.map(one, sample))
    counts = Counter(results.values())
    told = ", ".join(f"{counts[one]} {one}" for one in ("killed", "survived", "timeout", "unreached"))
    print(f"\n{said.package}: {len(results)} of {len(every)} mutants, seed {said.seed}: {told}")


if __name__ == "__main__":
    main()
