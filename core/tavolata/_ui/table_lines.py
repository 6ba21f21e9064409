"""A table of peers in lines: its typed commands, the question of a new key, and notes beside names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tavolata._engine.sessions.session import TableSession
from tavolata._engine.table.log_bodies import Light
from tavolata._text import Verbatim
from tavolata._ui.answers import yes_or_no
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts


SEATS = N_("seats")
"""The command that prints the lobby again; the frontend carries it out, not the table."""


class TableLines:
    """The commands that can be typed at a table of peers; none at other tables.

    Args:
        session: the session of a frontend.
        tell: prints the whole lobby.
        say: translates a message.
        ask_key: asks whether a new key is really somebody's; None takes it unasked.
    """

    def __init__(
        self,
        session: TableSession,
        tell: Callable[[], object],
        say: Callable[[str], str],
        ask_key: Callable[[SeatFacts], object] | None = None,
    ) -> None:
        self._session = session
        self._tell = tell
        self._say = say
        self._ask_key = ask_key
        self._asked = ""

    def words(self) -> dict[str, str]:
        """Every command and its description, as message ids; some say that they do nothing now."""
        table = self._session.commands
        if table is None:
            return {}
        rows = {word: "" if row.why_not(table) else row.help for word, row in table.rows.items()}
        return {SEATS: N_("who sits where"), **rows}

    def do(self, word: str, rest: str) -> None:
        """Carry out one of these commands.

        Args:
            word: the command as a message id.
            rest: the rest of the line.

        Raises:
            Refused: the command is not possible now, or the rest of the line makes no sense.
        """
        asked, self._asked = self._asked, ""
        if word == SEATS:
            self._tell()
            return
        table, facts = self._session.commands, self._session.table()
        row = None if table is None else table.rows.get(word)
        if table is None or facts is None or row is None:
            raise Refused(N_("No such command: {word} (? for help)."), word=word)
        row.check(table)
        sure = table.for_good() if row is type(table).leave else None
        if sure is not None and asked != sure[0]:
            self._asked = sure[0]
            raise Refused(sure[0], **sure[1])
        arguments = row.arguments(rest, facts, self._say)
        if row is type(table).confirm and self._ask_key is not None:
            self._ask_key(*arguments)
        else:
            row(table, *arguments)


REALLY = N_(
    "{name} has a different key from last time (now {key}), so it may be someone "
    "else. Ask {name}: is that the new key?"
)
THEIRS = N_("yes, {name} confirmed it: accept the new key")
NOT_THEIRS = N_("no, or not asked yet")
LATER = N_("You haven't accepted {name}'s new key. `{command}` asks again.")
CONFIRM = N_("confirm")


class KeyQuestion:
    def __init__(
        self,
        session: TableSession,
        say: Callable[[str, Mapping[str, Any]], str],
        ask: Callable[[str], object],
        offer: Callable[[str], object],
    ) -> None:
        self._session, self._say = session, say
        self._print, self._offer = ask, offer
        self._met: set[tuple[str, str]] = set()
        self._open: SeatFacts | None = None

    def look(self) -> None:
        """Ask about everyone whose different key is seen for the first time; one after the other."""
        facts = self._session.table()
        if facts is None or self._session.commands is None:
            return
        new = {(seat.name, seat.key): seat for seat in facts.taken if seat.has_new_key}
        self._open = None if self._open is None else new.get((self._open.name, self._open.key))
        for who, seat in new.items() if self._open is None else ():
            if who not in self._met:
                self.ask(seat)
                return

    def ask(self, seat: SeatFacts) -> None:
        """Ask about this player; a request to ask again while the question is open means yes."""
        if self._open is not None and (self._open.name, self._open.key) == (seat.name, seat.key):
            self._take(seat)
            return
        self._open = seat
        self._met.add((seat.name, seat.key))
        said = {"name": seat.name, "key": seat.key}
        self._print(self._say(REALLY, said))
        for answer in (THEIRS, NOT_THEIRS):
            self._offer(f"  {self._say(answer, said)}")

    def hear(self, typed: str) -> bool:
        """Take a line that answers the question; return True if it did.

        Raise `Refused` if the table does not take the key now.
        """
        seat = self._open
        answer = None if seat is None else yes_or_no(typed, lambda message: self._say(message, {}))
        if seat is None or answer is None:
            return False
        if answer:
            self._take(seat)
        else:
            self._open = None
            command = f"{self._say(CONFIRM, {})} {seat.name}"
            self._print(self._say(LATER, {"name": seat.name, "command": Verbatim(command)}))
            self.look()
        return True

    def _take(self, seat: SeatFacts) -> None:
        self._open = None
        commands = self._session.commands
        if commands is not None:
            commands.confirm(seat)
        self.look()


AWAY = N_("(away)")
STAND_IN = N_("(bot for now)")
LIGHTS: Final = {
    Light.ASLEEP: N_("(asleep)"), Light.GONE: N_("(no network)"), Light.UNHEARD: N_("(unreachable)"),
}  # fmt: skip
SLOW: Final = 150
"""The round-trip time in milliseconds above which it is shown beside a name."""


def seat_notes(facts: TableFacts | None, say: Callable[[str], str]) -> dict[int, str]:
    notes: dict[int, str] = {}
    for seat, one in enumerate(facts.taken if facts is not None and facts.running else ()):
        if one.mine and one.state == "away":
            continue  # the table hasn't taken their return yet, but they're looking at this screen
        if one.state in ("away", "stand-in"):
            notes[seat] = say(AWAY if one.state == "away" else STAND_IN)
        elif one.light is not Light.HERE:
            notes[seat] = say(LIGHTS[one.light])
        elif one.trip is not None and one.trip >= SLOW:
            notes[seat] = f"{one.trip} ms"
    return notes
