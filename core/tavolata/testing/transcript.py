"""A process of its own that plays cases and writes down all that can be compared, for `fresh_process`.

Reads a list of cases from stdin and writes for each a list of lines, both as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from typing import Any

from tavolata._engine.match.entries import NAMES
from tavolata._streams import kept_apart
from tavolata.testing.cases import Case, CheckFailed
from tavolata.testing.recording import Recorded, play


def class_of(name: str, file: str | None = None) -> Any:
    """Return the class `module:name`; from its file if the module isn't on the path (as in test runners).

    Raises:
        ImportError: there is no such module.
        AttributeError: it has no such class.
    """
    module, _, path = name.partition(":")
    found: Any
    try:
        found = import_module(module)
    except ImportError:
        spec = spec_from_file_location(module, file) if file is not None else None
        if spec is None or spec.loader is None:
            raise
        found = sys.modules[module] = module_from_spec(spec)
        spec.loader.exec_module(found)
    return attrgetter(path)(found)


def transcript(case: Case) -> list[str]:
    """Entries, events and digests of a case, a line each; a failure is a line, too."""
    kept = Recorded(case)
    try:
        play(case, into=kept)
    except CheckFailed as failure:
        return [*_lines(kept), failure.sentence]
    return _lines(kept)


def _lines(kept: Recorded) -> list[str]:
    lines = [f"entry {NAMES[kind]} {rest}" for kind, *rest in kept.log]
    lines += [f"event {event}" for _, event in kept.events]
    return lines + [f"turn {turn.digest.hex()}" for turn in kept.turns]


def main() -> None:
    """Play what stdin says; what a game prints goes to stderr."""
    with kept_apart() as (cases, answer):
        json.dump(list(_played(json.load(cases))), answer)


def _played(wanted: list[dict[str, Any]]) -> Iterator[list[str]]:
    for plain in wanted:
        files = plain["files"]
        game, *bots = (
            class_of(name, files.get(name.partition(":")[0])) for name in (plain["game"], *plain["bots"])
        )
        seats, options, seed = plain["seats"], plain["options"], plain["seed"]
        case = Case(game, seats, options, seed, tuple(bots), plain["teams"], plain["called"])
        yield transcript(case)


if __name__ == "__main__":
    main()
