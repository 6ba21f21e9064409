"""Match files that a command's argument names, and the code by which they were played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tavolata._engine.match.header import Header
from tavolata._engine.storage.match_file import (
    SUFFIX,
    Kept,
    StoreError,
    folder,
    match_files,
    path_of,
    read,
)
from tavolata._machine import disk
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._cli.command_context import CommandContext
    from tavolata._engine.plugins.catalogue import LoadedGame

NUMBERS = frozenset(map(str, range(1, 1000)))
"""What is a number in a list of matches; the ids of matches are longer."""


def match_file(file: str | None, lists: str = "tt history") -> Kept:
    """Return the match file that an argument names, or the file of the last match if it names none.

    `file` is a path, a number in `tt history` (1 for the latest match), an id or the beginning of an id;
    `lists` is the command that lists the possible ids. Raise StoreError if there is no such match file.
    """
    if file is None:
        if not (files := match_files()):
            raise StoreError(N_("No matches yet. Start one with `tt play`."))
        return read(files[0])
    path = Path(file)
    if disk().is_file(path):
        return read(path)
    if file in NUMBERS:
        from tavolata._engine.storage.history import history

        with history() as one:
            ids = [past.id for past in one.matches()]
        if int(file) <= len(ids):
            return read(path_of(ids[-int(file)]))
    if disk().is_file(path_of(file)):
        return read(path_of(file))
    near = disk().find(folder(), f"{file}*{SUFFIX}") if file.isalnum() else []
    if len(near) == 1:
        return read(near[0])
    raise StoreError(
        N_("No match found with the file name or id {file}. See `{command}`."),
        file=file, command=lists,
    )  # fmt: skip


def header_of(kept: Kept) -> Header:
    """Return the terms of a stored match; raise StoreError if none in its file can be understood."""
    try:
        return Header.of(kept.header)
    except (TypeError, KeyError):
        raise StoreError(N_("{path} isn't a match file."), path=kept.path) from None


def check_code_of_match(context: CommandContext, loaded: LoadedGame, header: Header, *, unlike: bool) -> None:
    """Check that the code here is that of a match; if it isn't, and may be `unlike` it, note that.

    Raise OtherRules if it is other code, and may not be.
    """
    from tavolata._engine.plugins.same_code import check_code, other_code

    if not unlike:
        check_code(loaded, header)
    other = other_code(loaded, header)
    if other is not None:
        context.note(context.text(*other))
