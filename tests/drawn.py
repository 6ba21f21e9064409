"""Parts of pages that are drawn from the code: commands from their help, JSON lines from the schema.

python -m tests.drawn      puts them into the pages, and those of the protocol, too
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from tests.core.explore import test_attacks, test_draws, test_people
from tests.proofs import ATTACKS
from tests.protocol import drawn as of_protocol
from tests.protocol.drawn import rewrite
from tests.signatures import stub

import tavolata
from tavolata._cli import app, main
from tavolata._cli.commands import COMMANDS
from tavolata._renamed import GONE, RENAMED
from tavolata._ui.i18n import languages
from tavolata._ui.tui.input.keys import HOME_KEYS, KEYS, NAMED
from tavolata.testing import checks

DOCS = Path(__file__).parents[1] / "docs"
SCHEMA: dict[str, Any] = json.loads((DOCS / "ndjson.schema.json").read_text(encoding="utf-8"))["$defs"]


def _cell(text: str) -> str:
    """Return a text as a cell of a table, where a bar in code can't be escaped for every reader."""
    return re.sub(r" +", " ", text.replace("|", "/").replace("<=x<=", " to ")).strip()


def _help(command: str) -> tuple[str, list[tuple[str, str]]]:
    """The usage of a command, and each argument and option with its meaning, as its help has them."""
    with redirect_stdout(StringIO()) as page:
        assert main([command, "--help", "--lang", "en"]) == 0
    usage, *lines = page.getvalue().splitlines()
    rows: list[tuple[str, str]] = []
    listed = False
    for line in lines:
        if not line.startswith("  "):
            listed = line in {"Arguments:", "Options:"}
        elif listed and line.startswith("   "):
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}".strip())
        elif listed:
            name, _, meaning = line[2:].partition("  ")
            rows.append((name, meaning.strip()))
    return usage.removeprefix("Usage: "), [row for row in rows if row[0] != "-h, --help"]


def commands() -> str:
    """Each command with its arguments and options."""
    parts = []
    for command, (_, text) in COMMANDS.items():
        usage, rows = _help(command)
        parts += [f"### {command}", "", f"`{usage}`: {text[0].lower()}{text[1:]}", ""]
        if rows:
            cells = [f"| `{_cell(name)}` | {_cell(meaning)} |" for name, meaning in rows]
            parts += ["| | |", "|---|---|", *cells, ""]
    return "\n".join(parts).rstrip()


def everywhere() -> str:
    """The options that every command has."""
    cells = [
        f"| `{_cell(f'{name} {value}'.strip())}` | {_cell(text)} |"
        for name, (value, text) in app.OPTIONS.items()
    ]
    return "\n".join(["| | |", "|---|---|", *cells]).replace("{languages}", ", ".join(languages()))


def _fields(shape: dict[str, Any]) -> str:
    needed = shape.get("required", [])
    names = [name for name in shape.get("properties", {}) if name not in {"type", "kind"}]
    return ", ".join(f"`{name}`" if name in needed else f"(`{name}`)" for name in names)


def _lines(shapes: Iterator[tuple[str, dict[str, Any]]], head: str) -> str:
    rows = [f"| `{name}` | {_fields(shape)} | {_cell(shape['description'])} |" for name, shape in shapes]
    return "\n".join([f"| {head} | fields | |", "|---|---|---|", *rows])


def said() -> str:
    """The lines that `tt` writes."""
    typed = ((name, one) for name, one in SCHEMA.items() if "type" in one.get("properties", {}))
    return _lines(typed, "type")


def heard() -> str:
    """The lines that `tt` reads."""
    return _lines(((one["properties"]["type"]["const"], one) for one in SCHEMA["you"]["oneOf"]), "type")


def kinds() -> str:
    """The kinds of questions."""
    named = ("one_of", "some_of", "amount", "text", "form", "branch")
    return _lines(((name, SCHEMA[name]) for name in named), "kind")


def _key(name: str) -> str:
    """A key's name for people, as code."""
    if name.startswith("ctrl+"):
        return f"`Ctrl+{name[5:].upper()}`"
    return f"`{NAMED.get(name) or name.upper() if len(name) > 1 else name}`"


def keys() -> str:
    """The keys at a table that people can change, by their names in `[keys]`."""
    cells = [
        f"| {', '.join(map(_key, key.keys.split(',')))} | `{name}` | {_cell(key.why)} |"
        for name, key in KEYS.items()
    ]
    return "\n".join(["| key | in `[keys]` | |", "|---|---|---|", *cells])


def home_keys() -> str:
    """The keys of the home screen."""
    cells = [f"| `{letter}` | {_cell(key.why)} |" for letter, key in HOME_KEYS.items()]
    return "\n".join(["| key | |", "|---|---|", *cells])


def mutants() -> str:
    """The rules of dealing that tests leave out, and what finds each."""
    people = [
        f"| `{one.__name__}` | {_cell((inspect.getdoc(one) or '').partition(chr(10))[0])} | the explorer |"
        for one in test_people.MUTANTS
    ]
    draws = [f"| `{one[0]}` | | `test_without_the_rule_a_bound_is_exceeded` |" for one in test_draws.MUTANTS]
    attacks = [
        f"| `{name}` | | `{getattr(attack, 'func', attack).__name__}` |"
        for name, _, attack in test_attacks.MUTANTS
    ]
    return "\n".join(["| without the rule | | found by |", "|---|---|---|", *people, *draws, *attacks])


def attacks() -> str:
    """The attacks on a fair deal, and what tries them."""
    cells = [f"| {attack} | {', '.join(tests)} |" for attack, tests in ATTACKS.items()]
    return "\n".join(["| attack | test |", "|---|---|", *cells])


def decisions() -> str:
    """The decisions that apply, by number."""
    there = sorted((DOCS / "decisions").glob("0*.md"))
    titles = [path.read_text(encoding="utf-8").partition("\n")[0].partition(": ")[2] for path in there]
    cells = [
        f"| [{path.name[:4]}]({path.name}) | {title} |" for path, title in zip(there, titles, strict=True)
    ]
    return "\n".join(["| | |", "|---|---|", *cells])


def old_names() -> str:
    """The methods and attributes that have another name now."""
    named = [(f"{of}.{old}", f"`{of}.{new}`") for of in RENAMED for old, new in RENAMED[of].items()]
    gone = [(f"{of}.{old}", new) for of in GONE for old, new in GONE[of].items()]
    cells = [f"| `{old}` | {new} |" for old, new in sorted(named + gone)]
    return "\n".join(["| before | after |", "|---|---|", *cells])


def _moved() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Names of `tavolata` that have another name now, and those that only moved, by module."""
    renamed: dict[str, str] = {}
    homes: dict[str, list[str]] = {}
    for old, new in tavolata._NOW.items():
        module, _, name = new.rpartition(".")
        if name == old and module:
            homes.setdefault(module, []).append(old)
        else:
            renamed[old] = new
    return renamed, homes


def moved() -> str:
    """The names of `tavolata` that have another name now."""
    cells = [f"| `{old}` | `{new}` |" for old, new in sorted(_moved()[0].items())]
    return "\n".join(["| before | after |", "|---|---|", *cells])


def modules() -> str:
    """The names that are in a module of their own now."""
    cells = [
        f"| `{module}` | {', '.join(f'`{name}`' for name in sorted(names))} |"
        for module, names in sorted(_moved()[1].items())
    ]
    return "\n".join(["| module | names |", "|---|---|", *cells])


def merged() -> str:
    """The numbers that decisions had, and the one that each is part of now."""
    there = {path.name[:4]: path.name for path in (DOCS / "decisions").glob("0*.md")}
    heirs: dict[str, set[str]] = {}
    for line in (DOCS.parent / "tools" / "old_decisions.txt").read_text(encoding="utf-8").splitlines():
        name, heir = line.split()
        if name[:4] not in there:
            heirs.setdefault(heir, set()).add(name[:4])
    cells = [f"| {', '.join(sorted(old))} | [{heir}]({there[heir]}) |" for heir, old in sorted(heirs.items())]
    return "\n".join(["| number | now part of |", "|---|---|", *cells])


def battery() -> str:
    """The checks of every game, and the first sentence about each."""
    said = {repr(check): (inspect.getdoc(check) or "").partition("\n\n")[0] for check in checks.ALL}
    cells = [f"| `{check}` | {_cell(words.replace(chr(10), ' '))} |" for check, words in said.items()]
    return "\n".join(["| check | passes if |", "|---|---|", *cells])


REFERENCE = sorted((DOCS / "reference").glob("*.md"))


def referred(page: Path) -> list[str]:
    """The modules, classes and functions whose signatures a page of the reference has."""
    return re.findall(r"^<!-- (tavolata\.\S+) -->$", page.read_text(encoding="utf-8"), re.MULTILINE)


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    DOCS / "command-line.md": {"commands": commands, "everywhere": everywhere},
    DOCS / "security-argument.md": {"attacks": attacks, "mutants": mutants},
    DOCS / "decisions" / "README.md": {"decisions": decisions, "merged": merged},
    **{page: {name: partial(stub, name) for name in referred(page)} for page in REFERENCE},
    DOCS / "reference" / "names.md": {"methods": old_names, "moved": moved, "modules": modules},
    DOCS / "testing-games.md": {"checks": battery},
    DOCS / "screen.md": {"keys": keys, "home": home_keys},
    DOCS / "ndjson.md": {"said": said, "heard": heard, "kinds": kinds},
}


if __name__ == "__main__":
    rewrite(PAGES)
    rewrite(of_protocol.PAGES)
