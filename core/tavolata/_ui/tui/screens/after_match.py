"""The acts below the podium: play again, watch again, another game, keep the result, history, leave.

Leaving asks first, during a match too: for now, or for good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tavolata._engine.match.updates import Ended
from tavolata._trouble import trouble
from tavolata._ui.endings import kept_lines
from tavolata._ui.match_plan import KEPT, NOT_WRITTEN, Afterwards
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.model.prompt import PromptQuestion, Rows, Say, chosen, nothing
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.frame import Frame, Left
from tavolata._ui.tui.screens.pages import Pages
from tavolata._ui.tui.screens.surroundings import Surroundings
from tavolata.messages import N_

LEAVE = N_("Do you want to leave?")
STAY = N_("stay")
GO_AWAY = N_("quit")
STEP_AWAY = N_("leave for now")
FOR_GOOD = N_("leave for good")


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


WATCH = N_("watch the replay")
OTHER_GAME = N_("another game, same players")
KEEP = N_("save the result as text")
HISTORY = N_("your history with these players")
BEGIN_AGAIN = N_("play again")
ANOTHER = N_("play another game")
WHICH_GAME = N_("Which game?")
DONE = N_("leave it as is")
LOBBY = N_("to the lobby")
BOARD = N_("see the final board")
RESULT = N_("see the result")


class Act(NamedTuple):
    """Something to do after a match; `key` is a letter that does it at once, "" for none."""

    label: str
    do: Callable[[], object]
    key: str = ""


class AfterMatch:
    """The acts of one screen after a match. `after` is None if leaving is the only one."""

    def __init__(
        self,
        frame: Frame,
        model: TableModel,
        after: Afterwards | None,
        surroundings: Surroundings,
        pages: Pages,
        ask: Callable[[PromptQuestion], object],
    ) -> None:
        self._frame, self._say, self._leave = frame, frame.say, frame.exit
        self._model = model
        self._after = after
        self._surroundings = surroundings
        self._pages = pages
        self._ask = ask
        self._gone_from: Ended | None = None
        self._board_of: Ended | None = None

    @property
    def sees_board(self) -> bool:
        """Return True if people look at the final board instead of the podium."""
        return self._board_of is not None and self._board_of is self._model.ended

    @property
    def in_lobby(self) -> bool:
        """Return True if people left the podium for the lobby of their table."""
        return self._gone_from is not None and self._gone_from is self._model.ended

    @property
    def _may_play_again(self) -> bool:
        """Return True if another match like this one can follow in this process."""
        return self._after is not None and self._after.again

    def acts(self) -> list[Act]:
        """Return the acts after a match of this process, the default one first."""
        say, after = self._say, self._after
        again = [Act(say(BEGIN_AGAIN), self.play_again, "a")] if self._may_play_again else []
        games = after is not None and bool(after.games)
        another = [Act(say(OTHER_GAME), self._ask_game, "g")] if games else []
        leave = Act(say(GO_AWAY), lambda: self._leave(Left()), "q")
        return self._with_board([*again, *self._looking_back(another), leave])

    def acts_at_table(self, first: Rows, leave: Callable[[], object]) -> list[Act]:
        """Return the acts after a match of a table of peers: its lobby's first ones, and the way there."""
        say = self._say
        usual = [Act(label, do) for label, do in first[:1]]
        another = [Act(label, do, "g") for label, do in first[1:] if label == say(ANOTHER)]
        lobby = Act(say(LOBBY), self._to_lobby, "b")
        return self._with_board([*usual, *self._looking_back(another), lobby, Act(say(GO_AWAY), leave, "q")])

    def _with_board(self, acts: list[Act]) -> list[Act]:
        """Return the acts with the key to the final board, or back, behind the default one."""
        board = Act(self._say(RESULT if self.sees_board else BOARD), self._turn_board, "f")
        return [*acts[:1], board, *acts[1:]]

    def _looking_back(self, another: list[Act]) -> list[Act]:
        if self._after is None:
            return another
        say = self._say
        return [
            Act(say(WATCH), lambda: self._leave(Left(watch=True)), "v"),
            *another,
            Act(say(KEEP), self._keep, "s"),
            Act(say(HISTORY), self._look_up, "h"),
        ]

    def play_again(self) -> None:
        """Leave the screen for another match like this one, if the match is over and there can be one."""
        if self._model.ended is not None and self._may_play_again:
            self._leave(Left(again=True))

    def _turn_board(self) -> None:
        """Show the final board in place of the podium, or the podium again."""
        self._board_of = None if self.sees_board else self._model.ended

    def _to_lobby(self) -> None:
        self._gone_from = self._model.ended

    def _ask_game(self) -> None:
        games = {} if self._after is None else self._after.games
        rows = [(label, lambda name=name: self._leave(Left(game=name))) for name, label in games.items()]
        self._ask(chosen(self._say(WHICH_GAME), [*rows, (self._say(DONE), nothing)]))

    def _keep(self) -> None:
        model = self._model
        assert self._after is not None
        assert model.ended is not None
        names = () if model.match is None else model.match.terms.names
        lines = kept_lines(self._surroundings.title, names, model.ended, model.words())
        try:
            said = self._say(KEPT, {"path": self._after.keep(lines)})
        except OSError as error:
            said = self._say(NOT_WRITTEN, {"problem": trouble(error)})
        self._frame.prompt.trouble = said

    def _look_up(self) -> None:
        assert self._after is not None
        self._pages.show_lines("history", self._after.history())
