"""What people can do after a match on a terminal: watch it again, keep the result, see the history."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tavolata._cli.command_context import CommandContext
from tavolata._ui.afterwards import Afterwards
from tavolata.errors import MessageError, Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.match.game_info import GameInfo
    from tavolata._engine.review.replay import Replay
    from tavolata._engine.sessions.session import TableSession

LAST = 10
"""The most matches of the game that the history after a match tells."""
BORDER = 8
"""The columns that the edges of a page of the screen take."""
WITH_SEATS = N_("{title}, {low} to {high} players")


def afterwards(context: CommandContext, session: TableSession, games: Iterable[str]) -> Afterwards:
    """What can be done after the matches of a session.

    Args:
        context: the run of `tt`.
        session: the session.
        games: the names of the games that can follow in this process; none where the table says what follows.
    """
    offered = [one for one in context.catalogue.infos() if one.name in set(games)]

    def called(one: GameInfo) -> str:
        title, (low, high) = context.text(one.title, domain=one.package), one.seats
        return context.text(WITH_SEATS, {"title": title, "low": low, "high": high})

    return Afterwards(
        partial(_watch, context, session),
        lambda lines: _keep(session.game, lines),
        lambda: _history(context, session),
        again=bool(offered),
        games={one.name: called(one) for one in offered if one.name != session.game},
    )


async def _watch(context: CommandContext, session: TableSession) -> None:
    """Show the last match of a session from its file.

    Raises:
        MessageError: it is not kept, or its file can't be read.
    """
    from tavolata._cli.match_files import header_of
    from tavolata._engine.review.replay import ALL, Replay
    from tavolata._engine.storage.match_file import read

    if session.match_file is None or session.match is None:
        raise Refused(N_("This match is not kept here, so it can't be shown again."))
    kept = read(session.match_file)
    match = Replay(kept, header_of(kept), session.match.rules)
    eyes = next((seat for seat in (ALL, *session.people, None) if _may_see(match, seat)), None)
    if context.frontend == "tui":
        from tavolata._cli.looks import looks_of
        from tavolata._ui.tui.show import show_replay

        title = context.catalogue.title(session.game, context.text)
        looks, package = looks_of(context), session.package
        await show_replay(match, context.translator, looks, title=title, package=package, seat=eyes, turn=1)
    else:
        from tavolata._ui.plain_replay import PlainReplay

        frontend = PlainReplay(match, context.translator, session.package, context.out)
        frontend.seat = eyes
        frontend.all()


def _may_see(match: Replay, seat: int | None) -> bool:
    with suppress(MessageError):
        match.check_seat(seat)
        return True
    return False


def _keep(game: str, lines: Sequence[str]) -> str:
    """Write the result to a new text file in the folder of the shell, else in that of the person.

    Raises:
        OSError: neither can be written.
    """
    name = f"{game}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.txt"
    text = "\n".join([*lines, ""])
    try:
        path = Path.cwd() / name
        path.write_text(text, encoding="utf-8")
    except OSError:
        path = Path.home() / name
        path.write_text(text, encoding="utf-8")
    return str(path)


def _history(context: CommandContext, session: TableSession) -> list[str]:
    """The last matches of this game, and how those fared who sat at the last one."""
    from tavolata._cli.history import NONE, OPPONENT, match_lines, numbers_of, opponents_in
    from tavolata._engine.storage.history import history

    with history() as one:
        numbers, every = numbers_of(one), [*one.matches()]
    same = [match for match in every if match.game == session.game and match.mine is not None][-LAST:]
    if not same:
        return [context.text(NONE)]
    here = {player.who for match in every[-1:] for player in match.players}
    opponents = [
        context.text(OPPONENT, said) for who, said in opponents_in(context, every) if who in here
    ]  # fmt: skip
    width = shutil.get_terminal_size().columns - BORDER if context.on_terminal else None
    return [*match_lines(context, same, numbers, width), *(["", *opponents] if opponents else [])]
