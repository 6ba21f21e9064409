"""A real `tt` that is talked to in JSON: each line it says is checked against the published schema."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "ndjson.schema.json").read_text(encoding="utf-8"))
TT = [sys.executable, "-W", "default", "-c", "import sys; from tavolata._cli import main; sys.exit(main())"]
PATIENCE = 300.0
"""Seconds after which a process that is still there is ended, and the test with it."""

Json = dict[str, Any]


def closed(schema: Any) -> Any:
    """The schema without room for fields that it does not name: what is said must all be published."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(part) for name, part in schema.items()}
    if "properties" in made and "required" in made:
        made["unevaluatedProperties"] = False
    return made


def _strict() -> Draft202012Validator:
    strict = closed(SCHEMA)
    for kind in (
        "one_of",
        "some_of",
        "amount",
        "text",
        "form",
        "branch",
    ):  # an ask has the fields of its kind, too
        strict["$defs"][kind].pop("unevaluatedProperties")
    return _Remembering(strict)


def _refers(validator: Any, ref: str, part: Any, schema: Any) -> Iterator[ValidationError]:
    """What is wrong with a part: nothing if an equal one was right, as in most lines of a match."""
    known = (ref, json.dumps(part))
    if known not in _RIGHT:
        wrong = list(validator._validate_reference(ref=ref, instance=part))
        yield from wrong
        if not wrong:
            _RIGHT.add(known)


_RIGHT = set[tuple[str, str]]()
_Remembering: Any = extend(Draft202012Validator, {"$ref": _refers})
STRICT: Draft202012Validator = _strict()
YOU = Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/you"})


def checked(text: str) -> Json:
    """The object on a line, if it is as published."""
    line: Json = json.loads(text)
    kinds = [one["$ref"].rpartition("/")[2] for one in SCHEMA["oneOf"]]
    assert line["type"] in kinds, text
    errors = [error.message for error in _strict_for(line["type"]).iter_errors(line)]
    assert not errors, (text, errors)
    return line


@cache
def _strict_for(kind: str) -> Draft202012Validator:
    return STRICT.evolve(schema={**STRICT.schema, "oneOf": [{"$ref": f"#/$defs/{kind}"}]})


@cache
def example_bot() -> ModuleType:
    """The example bot in Python, as a module."""
    spec = importlib.util.spec_from_file_location("example_bot", ROOT / "examples" / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Conversation:
    """One `tt --ui json`, ended with the block.

    Args:
        words: its command line.
        path: folders for PYTHONPATH.
        **environ: more variables.
    """

    def __init__(self, *words: str, path: tuple[Path, ...] = (), **environ: str) -> None:
        places = [*map(str, path), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.process = subprocess.Popen(
            [*TT, "--ui", "json", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(places), **environ},
        )  # fmt: skip
        self._guard = threading.Timer(PATIENCE, self.process.kill)
        self._guard.start()
        self.heard: list[Json] = []
        self.errors = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._guard.cancel()
        self.process.kill()
        self.process.communicate()

    def say(self, line: object) -> None:
        """Say a line: an object, or a text as it is."""
        assert self.process.stdin is not None
        if isinstance(line, dict) and not line.get("wrong"):
            assert YOU.is_valid(line), line
        self.process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        self.process.stdin.flush()

    def lines(self) -> Iterator[Json]:
        """What it says, until it ends."""
        assert self.process.stdout is not None
        for text in self.process.stdout:
            self.heard.append(checked(text))
            yield self.heard[-1]

    def until(self, kind: str) -> Json:
        """The next line of this type."""
        for line in self.lines():
            if line["type"] == kind:
                return line
        raise AssertionError(f"no {kind}: {self.heard[-3:]} {self.done()} {self.errors}")

    def done(self) -> int:
        """Wait for its end; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None
        _, self.errors = self.process.communicate()
        return self.process.returncode
