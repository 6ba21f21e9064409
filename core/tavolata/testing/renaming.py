"""Renamed words in the source of a game: found in its syntax tree, replaced in its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from sys import maxsize
from typing import NamedTuple

from tavolata._renamed import GONE, RENAMED, UNTAKEN

TABLE = re.compile(r"\bTable\b")
PIECES = {**RENAMED["Pile"], **RENAMED["Ring"]}


class Renaming(NamedTuple):
    """A name in a source, and its new one.

    Attributes:
        line: the number of its line, from 1.
        column: how many bytes of UTF-8 precede it in that line.
        old: the name; "" if something is only added there.
        new: its successor, or in words what has its place.
        cut: how many bytes are deleted there instead of the name, if nothing in the file has its place.
    """

    line: int
    column: int
    old: str
    new: str
    cut: int = 0


class _Scope(NamedTuple):
    """What the names around a node stand for.

    Attributes:
        games: by class that is a game, its renamed attributes.
        own: those of the class around the node.
        tables: by parameter, whether it is a table.
    """

    games: dict[str, Mapping[str, str]]
    own: Mapping[str, str]
    tables: Mapping[str, bool]


def renamed(source: str) -> tuple[str, list[Renaming]]:
    """Return a source with the new names and the same layout, and what has changed.

    Names of tables are renamed on parameters that are annotated as a `Table`, or called `t`; names of piles
    and rings on everything but `self`; class attributes in classes that derive from `Game` or have `seats`.

    Raises:
        SyntaxError: it isn't Python.
    """
    found = sorted(_found(ast.parse(source), _Scope({"Game": {}}, {}, {})))
    lines = source.encode().splitlines(keepends=True)
    for line, column, old, new, cut in reversed(found):
        text, instead = lines[line - 1], b"" if cut else new.encode()
        lines[line - 1] = text[:column] + instead + text[column + (cut or len(old.encode())) :]
    return b"".join(lines).decode(), [one for one in found if one.old]


def _found(node: ast.AST, scope: _Scope) -> Iterator[Renaming]:
    match node:
        case ast.ClassDef(name, bases):
            games = [scope.games[base] for base in map(_name, bases) if base in scope.games]
            assigned = list(_assigned(node))
            is_game = bool(games) or any(one.id == "seats" for one in assigned)
            own = {old: new for game in games for old, new in game.items()}
            for one in assigned if is_game else ():
                if new := RENAMED["Game"].get(one.id):
                    yield Renaming(one.lineno, one.col_offset, one.id, new)
                    own[one.id] = new
            if is_game:
                scope.games[name] = own
                yield from _dropped(node)
            scope = scope._replace(own=own)
        case ast.FunctionDef(args=given) | ast.AsyncFunctionDef(args=given) | ast.Lambda(given):
            parameters = (*given.posonlyargs, *given.args, *given.kwonlyargs)
            scope = scope._replace(tables={**scope.tables, **{one.arg: _is_table(one) for one in parameters}})
        case ast.Call(ast.Attribute(attr=old), [*_, last], []) if "(" in PIECES.get(old, ""):
            more = PIECES[old].partition("(")[2].rstrip(")")
            yield Renaming(last.end_lineno or 0, last.end_col_offset or 0, "", f", {more}")
        case ast.Call(ast.Attribute(ast.Name(table), method)) if (
            scope.tables.get(table) and method in UNTAKEN
        ):
            yield from _untaken(node, UNTAKEN[method])
        case ast.Attribute(on, old):
            if new := _news(on, scope).get(old):
                column = (node.end_col_offset or 0) - len(old.encode())
                yield Renaming(node.end_lineno or 0, column, old, new.partition("(")[0])
        case _:
            pass
    for child in ast.iter_child_nodes(node):
        yield from _found(child, scope)


def _news(on: ast.expr, scope: _Scope) -> Mapping[str, str]:
    """Return the new names of what has these attributes."""
    match on:
        case ast.Name("self" | "cls"):
            return scope.own
        case ast.Name(name) if name in scope.games:
            return scope.games[name]
        case ast.Name(name) if scope.tables.get(name):
            return RENAMED["Table"]
        case _:
            return PIECES


def _is_table(one: ast.arg) -> bool:
    return one.arg == "t" or bool(one.annotation and TABLE.search(ast.unparse(one.annotation)))


def _name(base: ast.expr) -> str:
    """Return the last name of a base class: `Game` of `tavolata.Game[Options]`."""
    match base:
        case ast.Subscript(value):
            return _name(value)
        case ast.Attribute(attr=name) | ast.Name(name):
            return name
        case _:
            return ""


def _dropped(node: ast.ClassDef) -> Iterator[Renaming]:
    """Yield the attributes of a game that were dropped: texts in a line of their own, or in a tuple."""
    news = GONE["Game"]
    for statement in node.body:
        line, end = statement.lineno, statement.end_lineno
        match statement:
            case ast.Assign([ast.Name(old)], ast.Constant(str())) | ast.AnnAssign(
                ast.Name(old), _, ast.Constant(str())
            ) if old in news:
                alone = sum(one.lineno <= line <= (one.end_lineno or 0) for one in node.body) == 1
                if line == end and alone and len(node.body) > 1:
                    yield Renaming(line, 0, old, news[old], cut=maxsize)
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values) > 1:
                for at, (name, value) in enumerate(zip(names, values, strict=True)):
                    match name, value:
                        case ast.Name(old), ast.Constant(str()) if line == end and old in news:
                            (column, cut), (its, also) = _part(names, at), _part(values, at)
                            yield Renaming(line, column, old, news[old], cut)
                            yield Renaming(line, its, "", "", also)
                        case _:
                            pass
            case _:
                pass


def _untaken(call: ast.Call, argument: str) -> Iterator[Renaming]:
    """Yield an argument that is taken no more, unless it may be a field of the message."""
    parts: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    for at, one in enumerate(parts):
        line, end = one.lineno, one.end_lineno or 0
        if not isinstance(one, ast.keyword) or one.arg != argument or line != end:
            continue
        if f"{{{argument}}}" in ast.unparse(call):
            continue
        before, after = parts[at - 1] if at else None, parts[at + 1] if at + 1 < len(parts) else None
        if before is not None and before.end_lineno == line:
            column = before.end_col_offset or 0
            yield Renaming(line, column, argument, "gone", (one.end_col_offset or 0) - column)
        elif after is not None and after.lineno == line:
            yield Renaming(line, one.col_offset, argument, "gone", after.col_offset - one.col_offset)
        elif before is None and after is None and call.lineno == call.end_lineno:
            yield Renaming(line, one.col_offset, argument, "gone", (one.end_col_offset or 0) - one.col_offset)
        elif line not in (call.lineno, call.end_lineno):
            yield Renaming(line, 0, argument, "gone", maxsize)


def _part(elements: Sequence[ast.expr], at: int) -> tuple[int, int]:
    """Return the column of an element in a tuple, and how many bytes it has with one comma."""
    if at + 1 < len(elements):
        return elements[at].col_offset, elements[at + 1].col_offset - elements[at].col_offset
    begin = elements[at - 1].end_col_offset or 0
    return begin, (elements[at].end_col_offset or 0) - begin


def _assigned(node: ast.ClassDef) -> Iterator[ast.Name]:
    """Yield the names that the body of a class assigns, also those in tuples."""
    for statement in node.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(one, ast.Name):
                    yield one
