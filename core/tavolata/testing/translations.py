"""Translations of a package: which messages it has, and what its catalogues lack.

For the tests of a plugin: `assert mistakes("tavolata_scopa", "it") == []`. As a command it brings
catalogues up to date: `python -m tavolata.testing.translations tavolata_scopa --lang it`, for which
Babel must be installed. Nothing is translated or shown here.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tavolata._engine.plugins.manifest import read_manifest
from tavolata._text import fields
from tavolata._ui.catalogues import parse_po

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

CORE = "tavolata"
NO_BABEL = "Updating translations needs Babel: pip install babel"
KEYWORDS = {"N_": (0,), "_": (0,), "NN_": (0, 1), "option": (1,), "interjection": (0,)}
"""Calls whose literal arguments at these places are messages."""

NOISE = tuple(
    f'"{name}:'.encode()
    for name in (
        "Project-Id-Version", "Report-Msgid-Bugs-To", "POT-Creation-Date", "PO-Revision-Date",
        "Last-Translator", "Language-Team", "Generated-By",
    )
)  # fmt: skip
"""Lines of a catalogue's header that say nothing about its messages."""


class Message(NamedTuple):
    """A message of a package: its id, its second form where it counts, and the file in the package."""

    text: str
    other: str
    where: str


def messages_of(package: str) -> dict[str, Message]:
    """Return the messages in the source of a package, by id, in the order of its files.

    Raises:
        ValueError: something is marked for translation that isn't a literal text.
    """
    folder = _folder(package)
    found: dict[str, Message] = {}
    for file in sorted(folder.rglob("*.py")):
        where = file.relative_to(folder).as_posix()
        for message in _messages_in(file.read_text(encoding="utf-8"), where):
            found.setdefault(message.text, message)
    return found


def translated(package: str, lang: str) -> dict[str, list[str]]:
    """Return the forms of each message that a package's catalogue has in this language."""
    path = _catalogue(package, lang)
    return _forms_in(path.read_text(encoding="utf-8")) if path.exists() else {}


@lru_cache(maxsize=32)
def _forms_in(catalogue: str) -> dict[str, list[str]]:
    return {
        entry["msgid"]: [form for key, form in entry.items() if key.startswith("msgstr")]
        for entry in parse_po(catalogue)
        if entry["msgid"] and "fuzzy" not in entry
    }


def mistakes(package: str, lang: str) -> list[str]:
    """Return what is wrong with a package's catalogue of this language, one sentence each; none is best."""
    own = translated(package, lang)
    known = own if package == CORE else {**translated(CORE, lang), **own}
    messages = messages_of(package)
    said: list[str] = []
    for text, message in messages.items():
        forms = known.get(text)
        if not forms or not all(forms):
            said.append(f"{message.where}: {text!r} has no translation.")
            continue
        allowed = fields(text) | fields(message.other)
        said += [
            f"{message.where}: {form!r} has fields that {text!r} lacks."
            for form in forms
            if fields(form) - allowed
        ]
        if message.other and len(forms) < 2:
            said.append(f"{message.where}: {text!r} counts, and its translation has one form only.")
    said += [f"{text!r} is translated and nobody says it." for text in own if text not in messages]
    return said


def update(package: str, lang: str) -> Path:
    """Bring a package's catalogue up to date, or begin it; new messages are left to translate."""
    from babel.messages.pofile import read_po, write_po

    path = _catalogue(package, lang)
    fresh = _new_catalogue(package, lang)
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=lang, domain=package)
        catalogue.update(fresh, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
    else:
        catalogue = fresh
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=100, include_lineno=False, ignore_obsolete=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Dates and empty names of people would change, or clash in merges, when no message does.
    lines = [line for line in buffer.getvalue().splitlines() if not line.startswith(NOISE)]
    path.write_bytes(b"\n".join(lines).rstrip(b"\n") + b"\n")
    return path


def main(arguments: list[str] | None = None) -> int:
    """Bring catalogues up to date; say what is left to translate. Exit code 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tavolata.testing.translations", description=main.__doc__)
    parser.add_argument("packages", nargs="*", help="packages; without any, Tavolata and its own plugins")
    parser.add_argument("--lang", action="append", help="a language (it); may be repeated; default it")
    given = parser.parse_args(arguments)
    if find_spec("babel") is None:
        print(NO_BABEL, file=sys.stderr)
        return 2
    left: list[str] = []
    for package in given.packages or _bundled():
        for lang in given.lang or ["it"]:
            print(update(package, lang))
            left += [f"{package}, {lang}: {sentence}" for sentence in mistakes(package, lang)]
    print(*left, sep="\n")
    return 1 if left else 0


@lru_cache(maxsize=1024)
def _messages_in(source: str, where: str) -> tuple[Message, ...]:
    return tuple(_marked(ast.parse(source), where))


def _marked(tree: ast.AST, where: str) -> Iterator[Message]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        places = KEYWORDS.get(name, ())
        texts = [node.args[place] for place in places if place < len(node.args)]
        literal = [
            text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)
        ]
        if len(literal) == len(places) > 0 and literal[0]:
            yield Message(literal[0], literal[1] if len(literal) > 1 else "", where)
        elif any(isinstance(text, ast.JoinedStr) for text in texts):
            raise ValueError(
                f"{where}:{node.lineno}: a message is a plain literal with {{fields}}, no f-string"
            )


def _new_catalogue(package: str, lang: str) -> Catalog:
    from babel.messages.catalog import Catalog

    catalogue = Catalog(locale=lang, domain=package, header_comment=f"# {package}", fuzzy=False)
    for message in messages_of(package).values():
        ids = (message.text, message.other) if message.other else message.text
        catalogue.add(ids, locations=[(message.where, 1)])
    return catalogue


def _bundled() -> list[str]:
    return [CORE, *(entry.value for entry in read_manifest().plugins if entry.distribution == CORE)]


def _folder(package: str) -> Path:
    return Path(import_module(package).__path__[0])


def _catalogue(package: str, lang: str) -> Path:
    return _folder(package) / "locale" / lang / "LC_MESSAGES" / f"{package}.po"


if __name__ == "__main__":
    sys.exit(main())
