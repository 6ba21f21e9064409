"""The contract of a session: what a frontend can read of a match or a table, and what it can do there.

`LocalSession` implements it for a match in this process, `PeerSession` for a table of peers; wrappers
build on `ForwardingSession`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Update
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from pathlib import Path

    from tavolata._engine.sessions.commands import TableCommands
    from tavolata._engine.sessions.table_facts import TableFacts

NO_ADVICE = N_("A thinker gives advice only in matches on one computer, not at a table.")


class TableSession(Protocol):
    """The place of the people at this machine, in a match or at a table.

    The `game` and its `package` may change between two matches of a table.
    """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def package(self) -> str:
        """The package of the game, whose translations its messages need."""

    @property
    def match(self) -> Match | None:
        """The running or last match; None in the lobby."""

    @property
    def match_file(self) -> Path | None:
        return None

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play here."""

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, the names of everyone who sits here."""

    @property
    def lately_gone(self) -> tuple[str, ...]:
        """The names of those who were here a while ago and have no seat now."""
        return ()

    @property
    def looks(self) -> tuple[tuple[int, int] | None, ...]:
        """By seat, the numbers of the hue and the mark that its player chose."""
        return ()

    def choose_look(self, seat: int, hue: int, mark: int) -> None:
        """Show a player of this machine in another look from now on; raise Refused if it is taken here."""
        return

    @property
    def keys(self) -> Mapping[int, str]:
        """By seat, the key that somebody at this keyboard chose for quick hands."""
        return {}

    @property
    def attended(self) -> bool:
        """True if a person is here who can type; bots may play all seats."""
        return bool(self.people)

    def look_back(self, look: Callable[[], object]) -> None:
        """Look with this at each event of a match that this machine catches up with; see `Began.past`."""
        return

    def updates(self) -> AsyncGenerator[Update, None]:
        """Yield everything that happens until the session is over. The match runs only while this is read."""

    def answer(self, ask: Ask, answer: Answer) -> None:
        """Answer for a seat of this machine; if it raises Refused, the question stays open."""

    def drawn(self, window: int) -> None:
        """Note that the screen shows the event of this window now; times are measured from here."""

    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        """React in a window for a seat of this machine; raise Refused if it is late or may not do that.

        `answer` is a choice of that seat in its index form, or GOES; `milliseconds` count from the drawing of
        the window to the key.
        """

    def interject(self, seat: int, name: str, value: Any) -> None:
        """Make an interjection by its name in `Match.standing`; raise Refused if this seat may not now.

        `value` is the chosen value, not its place in a list, because the list may change.
        """

    def say(self, text: str, to: Sequence[int] = (), seat: int | None = None) -> None:
        """Speak to these seats, or to all; raise Refused if the rules do not allow it."""

    def take_back(self, seats: tuple[int, ...] | None = None) -> None:
        """Take the last answer of a person here back, agree that somebody else does, or no longer.

        It is said for the person of these seats; None for all the people here. Raise Refused if nothing can
        be taken back now.
        """

    def advise(self, ask: Ask) -> None:
        """Have a thinker advise a person here at a question; a hint follows in a while.

        Raise Refused if nobody can advise here or now.
        """
        raise Refused(NO_ADVICE)

    def stirred(self) -> None:
        """Note that a person here did something and so is present. Here it has no effect."""
        return

    def input_ended(self) -> bool:
        """Note that nothing more can be typed; return True if the session can continue without input."""

    def step_away(self) -> None:
        """Leave the table for the people here, for now; no effect if they are leaving already.

        A stream of updates that is closed without this was cut off.
        """
        if self.commands is not None:
            self.commands.quit()

    @property
    def commands(self) -> TableCommands | None:
        """The commands of a table of peers; None for a match in this process."""
        return None

    @property
    def hidden(self) -> frozenset[int]:
        """The seats whose talk isn't heard here, and whose texts are shown as dots."""
        return frozenset() if self.commands is None else self.commands.hidden()

    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Return lines about the table: messages with their parameters; none for a match in this process."""
        return []

    def table(self) -> TableFacts | None:
        """Return the table of peers as data; None for a match in this process."""
        return None

    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        """Return how to come back after leaving now: a message with its parameters."""


def _forwarded(name: str) -> Any:
    return property(attrgetter(f"_whole.{name}"))


class ForwardingSession(TableSession):
    """A wrapper of a session, or of some of its seats: it passes on every call that it doesn't override."""

    def __init__(self, whole: TableSession) -> None:
        self._whole = whole

    game = _forwarded("game")
    package = _forwarded("package")
    match = _forwarded("match")
    match_file = _forwarded("match_file")
    people = _forwarded("people")
    names = _forwarded("names")
    lately_gone = _forwarded("lately_gone")
    looks = _forwarded("looks")
    keys = _forwarded("keys")
    choose_look = _forwarded("choose_look")
    attended = _forwarded("attended")
    look_back = _forwarded("look_back")
    updates = _forwarded("updates")
    drawn = _forwarded("drawn")
    say = _forwarded("say")
    stirred = _forwarded("stirred")
    input_ended = _forwarded("input_ended")
    step_away = _forwarded("step_away")
    commands = _forwarded("commands")
    hidden = _forwarded("hidden")
    lobby = _forwarded("lobby")
    table = _forwarded("table")
    how_to_return = _forwarded("how_to_return")

    @override
    def answer(self, ask: Ask, answer: Answer) -> None:
        self._own(ask.seat)
        self._whole.answer(ask, answer)

    @override
    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        self._own(seat)
        self._whole.react(window, seat, answer, milliseconds)

    @override
    def interject(self, seat: int, name: str, value: Any) -> None:
        self._own(seat)
        self._whole.interject(seat, name, value)

    @override
    def take_back(self, seats: tuple[int, ...] | None = None) -> None:
        for seat in seats or ():
            self._own(seat)
        self._whole.take_back(self.people if seats is None else seats)

    @override
    def advise(self, ask: Ask) -> None:
        self._own(ask.seat)
        self._whole.advise(ask)

    def _own(self, seat: int) -> None:
        if seat not in self.people:
            raise Refused(N_("That question is closed."))
