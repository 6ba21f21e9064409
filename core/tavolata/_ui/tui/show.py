"""The entry point of the full screen, which `tt` calls; it imports the rest of the package."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tavolata._engine.sessions.session import TableSession
from tavolata._tasks import at_end_by_system, cancel
from tavolata._ui.endings import ending_lines
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import AGAIN, Afterwards
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.screens.frame import Frame, Left, Looks
from tavolata._ui.tui.screens.table_app import TableApp
from tavolata.errors import MessageError

if TYPE_CHECKING:
    from tavolata._engine.review.replay import Replay
    from tavolata._ui.people_here import Person
    from tavolata._ui.tui.model.director import Director
    from tavolata._ui.tui.model.home_model import HomeFacts
    from tavolata._ui.tui.screens.home_app import Search


class Interrupted(KeyboardInterrupt):
    """The person pressed Ctrl+C; any other `KeyboardInterrupt` of a screen is a signal of the system."""


async def show_table(
    session: TableSession,
    translator: Translator,
    looks: Looks,
    *,
    title: str,
    rules: Callable[[], str],
    after: Afterwards | None = None,
    is_new: Callable[[str], bool] = lambda _: False,
    past: Callable[[], Replay | None] = lambda: None,
) -> tuple[str, list[str]]:
    """Show a session until it is left; return what follows, and the last result as lines.

    `is_new` returns True for a game of which the person has never finished a match, `past` what was played of
    a match that is resumed. What follows is `AGAIN`,
    the name of a game, or "" for nothing. The match may be watched again in between.
    Raise `KeyboardInterrupt` if the person interrupted it, `TavolataError` if the session failed or could not
    begin.
    """
    feed = Feed(session, translator, looks.pace)
    screen = partial(
        TableApp, feed, translator, looks, title=title, rules=rules, after=after, is_new=is_new, past=past
    )
    follower = asyncio.create_task(feed.follow())
    try:
        left = await run_screen(screen(), feed)
        while left.watch and after is not None:
            app = screen()
            app.prompt.trouble = await _watched(after, feed.director, translator)
            left = await run_screen(app, feed)
        session.step_away()
    except Interrupted:
        session.step_away()
        raise
    finally:
        await cancel(follower)
    ended = feed.model.ended
    lines = [] if ended is None else ending_lines(ended, feed.model.words())
    return AGAIN if left.again else left.game, lines


async def _watched(after: Afterwards, director: Director, translator: Translator) -> str:
    """Show the match again until it's left or the table continues; return why it can't be shown, or ""."""
    watching = asyncio.create_task(_say_trouble(after, translator))
    on = asyncio.create_task(director.goes_on())
    await asyncio.wait({watching, on}, return_when=asyncio.FIRST_COMPLETED)
    on.cancel()
    watching.cancel()
    said = (await asyncio.gather(watching, on, return_exceptions=True))[0]
    if isinstance(said, BaseException) and not isinstance(said, asyncio.CancelledError):
        raise said
    return said if isinstance(said, str) else ""


async def _say_trouble(after: Afterwards, translator: Translator) -> str | KeyboardInterrupt:
    try:
        await after.watch()
    except KeyboardInterrupt as interrupt:  # raised in a task it would end the loop, with a traceback
        return interrupt
    except MessageError as error:
        return translator.text(error.message, error.params)
    return ""


async def show_replay(
    replay: Replay,
    translator: Translator,
    looks: Looks,
    *,
    title: str,
    package: str,
    seat: int | None,
    turn: int | None,
) -> list[str]:
    """Show a match from its file; return how it ended as lines, if its end was shown.

    `seat` is None for a spectator, `ALL` for all hands. `turn` counts from 1; None is the one that decided
    the match. Raise `KeyboardInterrupt` if the person interrupted it, `Refused` if the cards of that seat may
    not be seen.
    """
    from tavolata._ui.tui.screens.replay_app import ReplayApp  # noqa: PLC0415 - a table starts faster without it

    app = ReplayApp(replay, translator, looks, title=title, package=package)
    app.model.watch(seat)
    if turn is None:
        app.model.to_decisive()
    elif turn > 1:
        app.model.to_turn(turn)
    await run_screen(app)
    ended = app.model.ended()
    return [] if ended is None else ending_lines(ended, app.model.words)


async def show_home(translator: Translator, looks: Looks, facts: HomeFacts, search: Search) -> Left:
    """Show the home screen; return the person's choice, or raise `KeyboardInterrupt` on Ctrl+C."""
    from tavolata._ui.tui.screens.home_app import HomeApp  # noqa: PLC0415 - a table starts faster without it

    return await run_screen(HomeApp(translator, looks, facts, search))


async def show_people(
    translator: Translator,
    looks: Looks,
    title: str,
    people: Sequence[Person],
    keep: Callable[[Sequence[Person]], object],
) -> list[Person] | None:
    """Show the form of several people at this keyboard; return them, or None if it is left.

    `keep` keeps what has been typed into a form that is left, by Ctrl+C (`KeyboardInterrupt`), too.
    """
    from tavolata._ui.tui.screens.people_app import PeopleApp  # noqa: PLC0415 - a table starts faster without it

    app = PeopleApp(translator, looks, title, people)
    try:
        await run_screen(app)
    finally:
        if not app.complete and app.people != list(people):
            keep([one if one.name.strip() else first for one, first in zip(app.people, people, strict=True)])
    return app.people if app.complete else None


async def run_screen(app: Frame, feed: Feed | None = None) -> Left:
    """Run a screen until it is left, and restore the terminal however it ends.

    Raise `CancelledError` if this task was cancelled, for example by Ctrl+C from outside, `KeyboardInterrupt`
    if the person interrupted it, `TavolataError` if what the screen shows (`feed`) has failed.
    """
    running = asyncio.create_task(app.run_async())
    with at_end_by_system(partial(app.exit, Left(stopped=True))):
        try:
            left = await asyncio.shield(running) or Left()
        except asyncio.CancelledError:
            app.exit(Left(interrupted=True))
            await running
            raise
    failure = app.failure or (None if feed is None else feed.failure)
    if failure is not None:
        raise failure
    if left.interrupted:
        raise Interrupted
    if left.stopped:
        raise KeyboardInterrupt
    return left
