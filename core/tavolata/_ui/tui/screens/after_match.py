"""The acts below the podium: play again, watch again, another game, keep the result, history, leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tavolata._trouble import trouble
from tavolata._ui.afterwards import KEPT, NOT_WRITTEN, Afterwards
from tavolata._ui.tui.model.questions import PromptQuestion, Say, chosen
from tavolata._ui.tui.screens.frame import Left
from tavolata._ui.tui.screens.goodbye import GO_AWAY
from tavolata._ui.tui.screens.hosting import ANOTHER, BEGIN_AGAIN, DONE, WHICH_GAME
from tavolata.messages import N_

WATCH = N_("watch it again")
OTHER_GAME = N_("another game with these players")
KEEP = N_("keep the result as a text")
HISTORY = N_("your history with these players")
LOBBY = N_("to the lobby")


class Act(NamedTuple):
    """Something to do after a match.

    Attributes:
        label: what it is, in words.
        do: does it.
        key: a letter that does it at once; "" for none.
    """

    label: str
    do: Callable[[], object]
    key: str = ""


class AfterMatch:
    """The acts of one screen after a match.

    Args:
        after: what can be done; None if there is no more than to leave.
        say: translates a message.
        result: the result in words.
        ask: asks a question of the program.
        tell: shows a sentence above the question.
        show: shows the history, or the table again.
        leave: leaves the screen in this way.

    Attributes:
        in_lobby: whether people went on from the podium to the lobby of their table.
        past: the lines of the history, when it was asked for.
    """

    def __init__(
        self,
        after: Afterwards | None,
        say: Say,
        result: Callable[[], list[str]],
        ask: Callable[[PromptQuestion], object],
        tell: Callable[[str], object],
        show: Callable[[], object],
        leave: Callable[[Left], object],
    ) -> None:
        self._after = after
        self._say = say
        self._result = result
        self._ask = ask
        self._tell = tell
        self._show = show
        self._leave = leave
        self.in_lobby = False
        self.past: list[str] = []

    @property
    def may_play_again(self) -> bool:
        """Whether another match like this one can follow in this process."""
        return self._after is not None and self._after.again

    def acts(self) -> list[Act]:
        """The acts after a match of this process, the usual one first."""
        say, after = self._say, self._after
        again = [Act(say(BEGIN_AGAIN), self.play_again, "a")] if self.may_play_again else []
        games = after is not None and bool(after.games)
        another = [Act(say(OTHER_GAME), self._ask_game, "g")] if games else []
        return [*again, *self._looking_back(another), Act(say(GO_AWAY), lambda: self._leave(Left()), "q")]

    def acts_at_table(
        self, first: list[tuple[str, Callable[[], object]]], leave: Callable[[], object]
    ) -> list[Act]:
        """The acts after a match of a table of peers: what its lobby offers first, and where that is."""
        say, games = self._say, {self._say(ANOTHER)}
        usual = [Act(label, do) for label, do in first[:1]]
        another = [Act(label, do, "g") for label, do in first[1:] if label in games]
        lobby = Act(say(LOBBY), self._to_lobby, "b")
        return [*usual, *self._looking_back(another), lobby, Act(say(GO_AWAY), leave, "q")]

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
        """Leave the screen for another match like this one."""
        self._leave(Left(again=True))

    def _to_lobby(self) -> None:
        self.in_lobby = True

    def _ask_game(self) -> None:
        """Ask for the next game."""
        games = {} if self._after is None else self._after.games
        rows = [(label, lambda name=name: self._leave(Left(game=name))) for name, label in games.items()]
        self._ask(chosen(self._say(WHICH_GAME), [*rows, (self._say(DONE), lambda: None)]))

    def _keep(self) -> None:
        assert self._after is not None
        try:
            self._tell(self._say(KEPT, {"path": self._after.keep(self._result())}))
        except OSError as error:
            self._tell(self._say(NOT_WRITTEN, {"problem": trouble(error)}))

    def _look_up(self) -> None:
        assert self._after is not None
        self.past = self._after.history()
        self._show()
