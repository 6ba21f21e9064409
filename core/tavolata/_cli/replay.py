"""`tt replay`: a match from its file, forward, back and from any seat that may see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tavolata._cli import words
from tavolata._cli.failures import FINISHED, WRONG, UsageError
from tavolata._cli.session import Session
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.match.header import Header
    from tavolata._engine.storage.match_file import Kept

ONLY_TOLD = N_("What was told is all that can be shown of this match: {reason}")


def replay(
    session: Session,
    file: Annotated[
        str | None,
        words.argument(
            metavar="[FILE|ID]", help=N_("A match file, or the id of a match; else the last one.")
        ),
    ] = None,
    *,
    seat: Annotated[
        str, words.option(help=N_("From whose seat: a name, a number, or all for all hands at once."))
    ] = "",
    turn: Annotated[int | None, words.option(help=N_("Begin at this turn."), min=1)] = None,
) -> int:
    """Watch a match again, turn by turn."""
    from tavolata._cli.resume import header_of
    from tavolata._engine.match.header import OtherRules
    from tavolata._engine.plugins.catalogue import NoSuchGame
    from tavolata._engine.review.replay import Replay
    from tavolata._ui.plain_replay import PlainReplay

    kept = match_file(file)
    header = header_of(kept)
    try:
        loaded = session.catalogue.game(header.game)
        match = Replay(kept, header, loaded.game)
    except (OtherRules, NoSuchGame) as error:
        if not kept.events:
            raise
        _tell_events(session, kept, header, session.text(error.message, error.params))
        return FINISHED
    face = PlainReplay(match, session.translator, loaded.package, session.out)
    try:
        face.sit(seat)
    except Refused as refusal:
        raise UsageError(refusal.message, **refusal.params) from refusal
    if session.face == "json":
        from tavolata._cli.playing import speak_utf8
        from tavolata._ui.json_replay import told
        from tavolata._ui.ndjson import line_of

        speak_utf8()
        for line in told(match, session.translator, loaded.package, face.seat, turn or 1):
            session.out(line_of(line))
    elif not session.on_terminal:
        face.all(turn or 1)
    else:
        if turn is not None:
            match.go(match.step_of_turn(turn))
        face.run(_typed())
    return FINISHED if match.broken_at is None else WRONG


def _typed() -> Iterator[str]:
    """What is typed, line by line; Ctrl+D leaves."""
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            return
        yield line


def match_file(file: str | None, lists: str = "tt history") -> Kept:
    """The match file that is meant: a path, an id or how one begins; the last match if none is named.

    Args:
        file: the words for it.
        lists: the command that lists those that can be meant.

    Raises:
        StoreError: there is no such file, or it is none of ours.
    """
    from tavolata._engine.storage.match_file import SUFFIX, StoreError, folder, match_files, path_of, read

    if file is None:
        if not (files := match_files()):
            raise StoreError(N_("No match has been played here yet; `tt play` begins one."))
        return read(files[0])
    path = Path(file)
    if path.is_file():
        return read(path)
    if path_of(file).is_file():
        return read(path_of(file))
    near = sorted(folder().glob(f"{file}*{SUFFIX}")) if file.isalnum() else []
    if len(near) == 1:
        return read(near[0])
    raise StoreError(
        N_("There is no match file {file}, and no match of that id; `{command}` lists them."),
        file=file, command=lists,
    )  # fmt: skip


def _tell_events(session: Session, kept: Kept, header: Header, reason: str) -> None:
    """What was recorded of a match whose rules are not installed here: lines, and nothing else."""
    from tavolata._engine.storage.recorded import told_events
    from tavolata._ui.words import Words

    session.note(session.text(ONLY_TOLD, {"reason": reason}))
    package = next((one.package for one in session.catalogue.games().values() if one.name == header.game), "")
    words = Words(session.translator, package, header.names)
    for event in told_events(kept.events, package):
        if event.to is None:
            session.out(words.event(event))
