"""The commands of the plain frontend, in two languages.

The word of a command is a message id, so it can be typed in English and in the person's language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tavolata._engine.match.match import Match
from tavolata._engine.sessions.guided import hints
from tavolata._engine.sessions.session import TableSession
from tavolata._text import number_within, small_number
from tavolata._ui.answers import choice_lines, parse
from tavolata._ui.i18n import Translator
from tavolata._ui.looking import NOTHING_YET, Looking, find_row
from tavolata._ui.looking import Rows as CommandTable
from tavolata._ui.previews import NOTHING_MORE, Details
from tavolata._ui.scene.text import items_of, lines_of, said_once
from tavolata._ui.standing import Standing, standing_here
from tavolata._ui.table_lines import TableLines
from tavolata._ui.talk import HELP_SAY, NO_MATES, TEAM, TO, addressed, mates
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.errors import Refused
from tavolata.messages import N_, Event
from tavolata.ring import SEATS, Seat
from tavolata.view import View
from tavolata.zones import Rows

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_facts import SeatFacts

HELP_ANSWER = N_("Type a number to answer; if there's nothing to choose, press Enter to continue.")
HELP_LEAVE = N_("Ctrl+C quits; you can continue an unfinished match later.")
STATUS, PLAYERS, BOARD = N_("status"), N_("players"), N_("board")
YOURS, DECISION = N_("yours"), N_("decision")
TURN, TURN_OF = N_("Turn {n}."), N_("Turn {n}, {seats} to act.")
NOT_ASKED = N_("There's no question for you right now. Type ? for help.")
NO_PART = N_("No part called {name}. Try: {known}.")
NO_REASONS = N_("No choices are ruled out here.")
NO_NEWS = N_("Nothing has happened since your last answer.")
THINKS = N_("A thinker is working on it; carry on in the meantime.")
HELP_STANDING = N_("At any time: {word} {number} = {what}")


class Asker(Protocol):
    """The frontend in which commands are typed, as far as they need it."""

    @property
    def match(self) -> Match | None:
        """The match on the table."""

    def seat(self) -> int | None:
        """Return the seat of the person at the keyboard now; None for a spectator."""

    def words(self) -> Words:
        """Return the words of the match on the table, or of the table itself."""

    def open_question(self) -> Ask | None:
        """Return the question that waits for the person at the keyboard."""

    def show_question(self, ask: Ask) -> None:
        """Show a question again."""

    def reasons(self) -> list[str]:
        """Return what can't be chosen now, and why."""

    def details(self) -> Details | None:
        """Return the details of the answers to the open question; None without one."""

    def news(self) -> list[str]:
        """Return the news since the last answer of the person at the keyboard, as sentences."""


class Commands:
    """The commands that can be typed in a frontend.

    `out` prints a line. `rules` gives a chapter of the rules by its title, or the titles of all; None if
    there aren't any. For `ask_key` see `TableLines`.
    """

    def __init__(
        self,
        frontend: Asker,
        session: TableSession,
        translator: Translator,
        out: Callable[[str], object],
        rules: Callable[[str], Sequence[str]] | None = None,
        ask_key: Callable[[SeatFacts], object] | None = None,
    ) -> None:
        self._frontend = frontend
        self._session = session
        self._say = translator.text
        self._out = out
        self._listed: list[Standing] = []
        self._offered: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._lines = TableLines(session, self.tell_lobby, translator.text, ask_key)
        self._looking = Looking(self._view, frontend.words, out)
        self._table: CommandTable = {
            **self._looking.rows,
            "board": (self.board, self._looking.rows["board"][1]),
            N_("look"): (self._look, N_("everything, part by part; look PART shows one")),
            N_("say"): (self._speak, N_("speak")),
            TO: (self.whisper, N_("speak to one player or several: to NAME NAME WORDS")),
            TEAM: (self._team, N_("speak to your teammates: team WORDS")),
            N_("what"): (
                lambda _: self._tell(frontend.news() or [self._say(NO_NEWS)]),
                N_("show what's happened since your last answer"),
            ),
            N_("do"): (self._do, N_("do something the game allows at any time")),
            N_("undo"): (
                lambda _: session.take_back(),
                N_("undo your last answer; at a table, everyone else must agree"),
            ),
            N_("ask"): (lambda _: frontend.show_question(self._asked()), N_("show the question again")),
            N_("x"): (
                lambda _: self._tell(frontend.reasons() or [self._say(NO_REASONS)]),
                N_("show what's not allowed, and why"),
            ),
            N_("more"): (
                self._more,
                N_("show details of the choices; more NUMBER for just one"),
            ),
            N_("hint"): (lambda _: self._hint(), N_("what to do here, and why")),
            N_("advice"): (lambda _: self._advice(), N_("a thinker's advice, with reasons")),
        }
        if rules is not None:
            read = rules
            said = N_("list the chapters of the rules; rules NAME shows one")
            self._table[N_("rules")] = (lambda rest: self._tell(read(rest)), said)

    def do(self, typed: str) -> bool:
        """Carry out a command; return False if the line is not one. A line with a slash is always one.

        Raise Refused if there is no such command, or it is not possible now.
        """
        word, _, rest = typed.removeprefix("/").partition(" ")
        if word in ("?", "help", self._say(N_("help"))):
            self._tell(self.help())
            return True
        if (name := find_row(self._table, word, self._say)) is not None:
            self._table[name][0](rest.strip())
            return True
        if (name := find_row(self._lines.words(), word, self._say)) is not None:
            self._lines.do(name, rest.strip())
            return True
        if typed.startswith("/"):
            raise Refused(N_("No such command: {word} (? for help)."), word=word)
        return False

    def table_words(self) -> dict[str, str]:
        return self._lines.words()

    def help(self) -> list[str]:
        """Return the commands that can be typed now, one per line."""
        lines = [self._say(HELP_ANSWER)]
        rows = {name: what for name, (_, what) in self._table.items()}
        rows |= {name: what for name, what in self._lines.words().items() if what}
        match = self._frontend.match
        if match is not None and not mates(match, self._frontend.seat()):
            rows.pop(TEAM, None)
        for name, what in rows.items():
            if what:
                lines.append(f"  {self._say(name)}: {self._say(what)}")
        lines.append(self._say(HELP_SAY))
        if self._session.commands is None:
            lines.append(self._say(HELP_LEAVE))
        for number, what in enumerate(self._list_standing(), 1):
            said = {"word": self._say(N_("do")), "number": number, "what": what}
            lines.append(self._say(HELP_STANDING, said))
        return lines

    # -- looking ------------------------------------------------------------------------------

    def _view(self) -> View | None:
        match = self._frontend.match
        return None if match is None else match.view(self._frontend.seat())

    def board(self, zone: str = "") -> None:
        """Print the table, or everything in one zone; without a match, the lobby.

        Raise Refused if there is no such zone.
        """
        if self._frontend.match is not None:
            self._looking.board(zone)
        else:
            self.tell_lobby()

    def tell_lobby(self) -> None:
        for message, params in self._session.lobby() or [(NOTHING_YET, {})]:
            self._out(self._say(message, params))

    def _look(self, part: str) -> None:
        """Print the table part by part, or one part: where the match is, the others, the board, one's own.

        Raise Refused if there is no such part.
        """
        view = self._view()
        if view is None:
            self.tell_lobby()
            return
        parts: dict[str, Callable[[View], object]] = {
            STATUS: self._tell_status,
            PLAYERS: lambda view: self._tell_zones(view, PLAYERS),
            BOARD: lambda view: self._tell_zones(view, BOARD),
            YOURS: lambda view: self._tell_zones(view, YOURS),
            DECISION: self._tell_decision,
        }
        wanted = part.casefold()
        chosen = [
            name for name in parts if name.startswith(wanted) or self._say(name).casefold().startswith(wanted)
        ]
        if not chosen:
            raise Refused(NO_PART, name=part, known=", ".join(map(self._say, parts)))
        for name in chosen:
            parts[name](view)

    def _tell_status(self, view: View) -> None:
        match = self._frontend.match
        assert match is not None
        asked = sorted({ask.seat for ask in match.source.open})
        said = {"n": match.game.turns_begun(match.table), "seats": tuple(SEATS[seat] for seat in asked)}
        self._out(self._frontend.words().text(TURN_OF if asked else TURN, said, view))

    def _tell_zones(self, view: View, part: str) -> None:
        for item in said_once(items_of(view, self._frontend.words()), view.seat):
            seat, shape = item.zone.seat, item.shape
            of_seats = isinstance(shape, Rows) and all(isinstance(label, Seat) for label, _ in shape.rows)
            own = seat is not None and seat == view.seat
            if part == (YOURS if own else PLAYERS if of_seats or seat is not None else BOARD):
                self._tell(lines_of(item))

    def _tell_decision(self, _: View) -> None:
        ask = self._frontend.open_question()
        if ask is None:
            self._out(self._say(NOT_ASKED))
        else:
            self._frontend.show_question(ask)

    def _asked(self) -> Ask:
        ask = self._frontend.open_question()
        if ask is None:
            raise Refused(NOT_ASKED)
        return ask

    def _hint(self) -> None:
        """Print the game's hint for a newcomer about the question, otherwise about the last event."""
        match, seat, view = self._frontend.match, self._frontend.seat(), self._view()
        about: Ask | Event | None = self._frontend.open_question()
        if about is None and view is not None and view.events:
            about = view.events[-1]
        said = [] if match is None or about is None else hints(match, seat, about)
        if not said:
            raise Refused(N_("No hint for that. `tt rules` has all the rules."))
        for one in said:
            self._out(self._frontend.words().text(one.message, one.params, view))

    def _advice(self) -> None:
        """Have a thinker advise; its hint comes when it has thought."""
        self._session.advise(self._asked())
        self._out(self._say(THINKS))

    def _tell(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._out(line)

    # -- doing --------------------------------------------------------------------------------

    def _standing(self) -> list[Standing]:
        one = self._frontend
        return standing_here(one.match, self._session.people, one.seat(), one.words())

    def tell_offers(self) -> None:
        """Print what can be done out of turn now and could not before, each with its number for `do`."""
        rows = self._standing()
        fresh = {self._line(row): number for number, row in enumerate(rows, 1)}
        new = fresh.keys() - self._offered
        if new:  # the numbers that were told hold until there are others, which are told, too
            for line, number in fresh.items():
                if line in new or self._numbers.get(line) != number:
                    said = {"word": self._say(N_("do")), "number": number, "what": line}
                    self._out(self._say(HELP_STANDING, said))
            self._listed, self._numbers = rows, fresh
        self._offered = set(fresh)

    def _list_standing(self) -> list[str]:
        """Return the possible interjections, one per line; `do` with a number now refers to this list."""
        self._listed = self._standing()
        lines = [self._line(row) for row in self._listed]
        self._numbers = {line: number for number, line in enumerate(lines, 1)}
        return lines

    def _line(self, row: Standing) -> str:
        match = self._frontend.match
        if row.place is not None or match is None:
            return row.label
        return " ".join([row.label, *choice_lines(row.question, self._frontend.words(), match.view(None))])

    def _do(self, rest: str) -> None:
        number, _, more = rest.partition(" ")
        if not number:
            for at, line in enumerate(self._list_standing(), 1):
                self._out(f"  {at}. {line}")
        rows = [row for row in self._listed if self._frontend.seat() in (None, row.seat)] or self._standing()
        if not rows:
            raise Refused(N_("There's nothing you can do out of turn right now."))
        if not number:
            return
        chosen = number_within(number, 1, len(rows))
        if chosen is None:
            raise Refused(N_("Choose a number from 1 to {n}."), n=len(rows))
        row = rows[chosen - 1]
        value = row.value if row.place is not None else row.question.value_of(parse(row.question, more))
        self._session.interject(row.seat, row.name, value)

    def _speak(self, rest: str) -> None:
        if rest.startswith("@"):
            self.whisper(rest)
        else:
            self._say_to(rest, ())

    def whisper(self, rest: str) -> None:
        """Speak to the players whose names a line begins with.

        Raise Refused if there is no player of that name, or the words can't be sent.
        """
        to, words = addressed(rest, self._session.names, self._session.lately_gone)
        self._say_to(words, to)

    def _team(self, words: str) -> None:
        match, seat = self._frontend.match, self._frontend.seat()
        if match is None or match.over:
            self._lines.do(TEAM, words)
            return
        if not (own := mates(match, seat)):
            raise Refused(NO_MATES)
        self._say_to(words, own)

    def _more(self, rest: str) -> None:
        found = self._frontend.details()
        if found is None:
            raise Refused(NOT_ASKED)
        lines = list(found.lines(small_number(rest, 10**9) if rest.isdecimal() else None))
        if not lines:
            raise Refused(NOTHING_MORE)
        self._tell(lines)

    def _say_to(self, words: str, to: Sequence[int]) -> None:
        if not words.strip():
            raise Refused(HELP_SAY)
        self._session.say(words.strip(), to, self._frontend.seat())
