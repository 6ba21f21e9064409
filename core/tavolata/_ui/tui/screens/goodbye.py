"""The goodbye: the questions before a screen is left, for now or for good."""

from __future__ import annotations

from collections.abc import Callable

from tavolata._ui.tui.model.feed import Feed
from tavolata._ui.tui.model.questions import PromptQuestion, Rows, Say, chosen, nothing
from tavolata.messages import N_

LEAVE = N_("Do you want to leave?")
STAY = N_("stay")
GO_AWAY = N_("leave")
STEP_AWAY = N_("leave for now, and come back later")
FOR_GOOD = N_("leave this match for good")


class Goodbye:
    def __init__(
        self,
        feed: Feed,
        say: Say,
        ask: Callable[[PromptQuestion], object],
        leave: Callable[[], object],
    ) -> None:
        self._feed, self._session = feed, feed.session
        self._say = say
        self._ask = ask
        self._leave = leave

    def begin(self) -> None:
        """Ask before leaving, unless no one would lose anything."""
        session, say = self._session, self._say
        message, params = session.how_to_return()
        table = session.table()
        ended = self._feed.model.ended is not None
        alone = ended if table is None else not table.running and not (table.hosts and table.has_company)
        if alone:
            self._leave()
            return
        said = " ".join(filter(None, [say(LEAVE), say(message, params) if message else ""]))
        if session.commands is None or session.commands.for_good() is None:
            self._ask(chosen(said, [(say(STAY), nothing), (say(GO_AWAY), self._leave)]))
            return
        rows: Rows = [(say(STAY), nothing), (say(STEP_AWAY), self._leave)]
        self._ask(chosen(said, [*rows, (say(FOR_GOOD), self._ask_for_good)]))

    def _ask_for_good(self) -> None:
        commands = self._session.commands
        sure = None if commands is None else commands.for_good()
        if sure is None:
            self.begin()
            return
        rows: Rows = [(self._say(STAY), nothing), (self._say(FOR_GOOD), self._for_good)]
        self._ask(chosen(self._say(*sure), rows))

    def _for_good(self) -> None:
        """Leave the match; the screen closes when the session is over, which tells the others first."""
        if self._session.commands is not None:
            self._feed.is_left = True
            self._session.commands.leave()
