"""One more shape of a zone or of a question: the type checker names each place that has to know it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNIONS = {"core/tavolata/zones.py": "ZoneShape", "core/tavolata/kinds/question.py": "Shape"}
"""By file, the union of the shapes in it."""


def members(file: str, union: str) -> set[str]:
    """Return the names of the classes in a union."""
    for node in ast.parse((ROOT / file).read_bytes()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == union:
            return {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
    raise LookupError(union)


def places(shapes: set[str]) -> Iterator[tuple[str, range]]:
    """Yield each function of core that tells all of these shapes apart: its file and its lines."""
    for path in sorted((ROOT / "core").rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_bytes())):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            told = {
                name.id
                for pattern in ast.walk(function) if isinstance(pattern, ast.MatchClass)
                for name in ast.walk(pattern.cls) if isinstance(name, ast.Name)
            }  # fmt: skip
            if told >= shapes:
                lines = range(function.lineno, 1 + (function.end_lineno or 0))
                yield path.relative_to(ROOT).as_posix(), lines


@pytest.mark.long
@pytest.mark.parametrize(("file", "union"), UNIONS.items(), ids=UNIONS.values())
def test_each_place_that_tells_shapes_apart_has_to_know_a_new_one(
    file: str, union: str, tmp_path: Path
) -> None:
    """A shape that is added to the union is an error of types in every one of them."""
    for folder in ("core", "protocol"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    source = (tmp_path / file).read_text("utf-8")
    line = re.search(rf"^{union} = .+$", source, re.MULTILINE)
    assert line is not None
    novelty = "class Novelty(NamedTuple):\n    novel: int\n\n\n"
    (tmp_path / file).write_text(
        source.replace(line[0], f"{novelty}{line[0]} | Novelty"), "utf-8", newline="\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "core", "protocol"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [
        (error[1].replace("\\", "/"), int(error[2]))
        for error in re.finditer(r"^(\S+\.py):(\d+): error:", told.stdout, re.MULTILINE)
    ]
    known = [*places(members(file, union))]
    assert len(known) > 3, known
    missed = [
        (path, lines) for path, lines in known
        if not any(path == where and number in lines for where, number in found)
    ]  # fmt: skip
    assert not missed, told.stdout
