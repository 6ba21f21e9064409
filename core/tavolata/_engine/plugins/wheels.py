"""What wheels and source texts say of their games, read without importing anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from contextlib import suppress
from email.parser import BytesParser
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from zipfile import ZipFile

from tavolata._engine.plugins.checks import NAME
from tavolata._engine.plugins.source_code import fingerprint_of, hash_of, reached
from tavolata.game import is_range_of_seats

MOST_UNPACKED = 64 << 20
"""The bytes that all files of a wheel may have together."""


class DeclaredGame(NamedTuple):
    """A game as its class declares it, in plain words.

    `path` is the file, such as "tavolata_scopa/rules.py", `cls` the name of the class.
    """

    path: str
    cls: str
    name: str
    title: str
    summary: str
    seats: tuple[int, int]
    minutes: int
    api: int


class Wheel(NamedTuple):
    """A wheel with an entry point for Tavolata.

    Attributes:
        requires: what it asks for, as PEP 508 writes it.
        points: the modules of its entry points, by their names.
        sources: the texts of its modules, by path.
        languages: the codes of its rulebooks and catalogues, "en" among them.
    """

    name: str
    version: str
    keywords: tuple[str, ...]
    requires: tuple[str, ...]
    points: Mapping[str, str]
    sources: Mapping[str, bytes]
    languages: tuple[str, ...]

    @property
    def fingerprint(self) -> bytes:
        """Return the fingerprint of all its modules, by which releases are compared."""
        return fingerprint_of({path: hash_of(path, text) for path, text in self.sources.items()})

    def code_of(self, game: DeclaredGame) -> bytes:
        """Return the fingerprint that machines with this wheel compare, if the game comes from it alone."""
        module = game.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        files = reached(self, [module])
        return fingerprint_of({path: hash_of(path, text) for path, text in sorted(files.items())})

    def read(self, path: str) -> bytes | None:
        return self.sources.get(path)

    def below(self, package: str) -> Iterator[str]:
        start = f"{package}/" if package else ""
        yield from (path for path in self.sources if path.startswith(start) and (package or "/" not in path))

    def games(self) -> list[DeclaredGame]:
        return [game for path, text in sorted(self.sources.items()) for game in declared_games(path, text)]


def read_wheel(data: bytes) -> Wheel:
    """Return what a wheel says; raise ValueError if it isn't one, or has no entry point of Tavolata's."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_UNPACKED:
                raise ValueError("its files are too large")  # noqa: TRY301 - one of many reasons
            names = archive.namelist()
            (info,) = {
                name.partition("/")[0] for name in names if name.partition("/")[0].endswith(".dist-info")
            }
            said = BytesParser().parsebytes(archive.read(f"{info}/METADATA"))
            points = ConfigParser(delimiters=("=",), interpolation=None)
            points.read_string(archive.read(f"{info}/entry_points.txt").decode())
            found = dict(points["tavolata"])
            sources = {
                name: archive.read(name)
                for name in sorted(names) if name.endswith(".py") and not name.startswith(info)
            }  # fmt: skip
    except Exception as error:  # a stranger's archive may be damaged in any way, in any compression
        raise ValueError(f"it can't be read: {error}") from error
    keywords = str(said.get("Keywords") or "").replace(",", " ").split()
    return Wheel(
        str(said["Name"]),
        str(said["Version"]),
        tuple(keywords),
        tuple(said.get_all("Requires-Dist") or ()),
        found,
        sources,
        tuple(_languages(names)),
    )


def _languages(names: list[str]) -> list[str]:
    found = set[str]()
    for path in map(PurePosixPath, names):
        if path.suffix == ".po" and len(path.parts) > 3:
            found.add(path.parts[-3])
        elif path.name.startswith("rules.") and path.name.count(".") == 2 and path.suffix == ".md":
            found.add(path.name.split(".")[1])
    return ["en", *sorted(found - {"en"})]


def declared_games(path: str, text: bytes) -> Iterator[DeclaredGame]:
    """Yield the games that the classes of a module declare with constants."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        said = {"summary": "", "minutes": 0, "api": 1, **dict(_constants(node))}
        match said:
            case {
                "name": str(name), "title": str(title), "summary": str(summary), "seats": seats,
                "minutes": int(minutes), "api": int(api),
            } if NAME.fullmatch(name) and is_range_of_seats(seats):  # fmt: skip
                yield DeclaredGame(path, node.name, name, title, summary, seats, minutes, api)
            case _:
                pass


def _constants(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    """Yield the names that the body of a class assigns, each with its value, if it's a constant."""
    for statement in node.body:
        pairs: list[tuple[ast.expr, ast.expr]] = []
        match statement:
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
                pairs = list(zip(names, values, strict=True))
            case ast.Assign([target], value) | ast.AnnAssign(target, _, ast.expr() as value):
                pairs = [(target, value)]
            case _:
                pass
        for target, value in pairs:
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "N_":
                value = value.args[0] if value.args else value  # noqa: PLW2901 - the message in its mark
            if isinstance(target, ast.Name):
                with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                    yield target.id, ast.literal_eval(value)
