"""What `tt play` and `tt resume` share: a match of this process, from its header to its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tavolata._cli.playing import show
from tavolata._cli.session import Session
from tavolata.messages import N_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tavolata._engine.header import Header
    from tavolata._engine.plugins import LoadedGame
    from tavolata._engine.sitting import Sitting
    from tavolata._engine.store import Kept

FIRST_TIME = N_(
    "Your first match? `tt play {game} --guided` is short and explains; `tt rules {game}` has all the rules."
)
THINKING = 0.8
"""Seconds that a bot takes when people watch at a terminal; a pipe need not wait."""


def run_match(
    session: Session,
    loaded: LoadedGame,
    header: Header,
    kept: Kept | None = None,
    *,
    programs: Sequence[str] = (),
    program_seconds: float = 10.0,
    guided: bool = False,
) -> int:
    """Play a match, or go on with one; the exit code.

    Args:
        session: the run of `tt`.
        loaded: the game.
        header: the terms.
        kept: the file of a match that is taken up again.
        programs: command lines, one for each seat of a program.
        program_seconds: how long a program may take for an answer.
        guided: whether the game's hints are shown.
    """
    from tavolata._engine.guided import Guided
    from tavolata._engine.local import LocalSitting
    from tavolata._engine.seating import PROGRAM, known_level
    from tavolata._ui.seat_programs import programs_seated

    known = session.catalogue.bots(header.game)
    bots: list[Any] = [
        None if level in (None, PROGRAM) else known[known_level(level, known)]() for level in header.bots
    ]
    seats = [seat for seat, level in enumerate(header.bots) if level == PROGRAM]
    players = {seat: (header.names[seat], command) for seat, command in zip(seats, programs, strict=True)}
    think = THINKING if session.on_terminal and header.pace is not None else 0.0

    def sit_down() -> LocalSitting:
        return LocalSitting(header, loaded.game, loaded.package, bots, think=think, kept=kept)

    def told(sitting: Sitting) -> Sitting:
        return Guided(sitting) if guided else sitting

    async def main() -> int:
        if not players:
            return await show(session, told(sit_down()))
        async with programs_seated(sit_down, players, session.translator, program_seconds, think) as rest:
            return await show(session, told(rest))

    return asyncio.run(main())


def offer_guide(session: Session, loaded: LoadedGame) -> None:
    """Tell who has never finished a match of a game that it can be learnt by playing."""
    from tavolata._engine.history import history

    with history() as one:
        if not one.has_played(loaded.name):
            session.note(session.text(FIRST_TIME, {"game": loaded.name}))
