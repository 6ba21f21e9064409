"""The question whether a player whose key is another one than before is who it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tavolata._engine.sessions.session import TableSession
from tavolata._text import Verbatim
from tavolata._ui.yes_no import yes_or_no
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_facts import SeatFacts

REALLY = N_(
    "{name} has another key than last time ({key} now): it may be somebody else. Ask {name}: is that the "
    "new key?"
)
THEIRS = N_("yes, {name} said so: take the new key")
NOT_THEIRS = N_("no, or not asked yet")
LATER = N_("The new key of {name} is not taken; `{command}` asks again.")
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
        if self._open not in facts.taken:
            self._open = None
        for seat in facts.taken if self._open is None else ():
            if seat.has_new_key and (seat.name, seat.key) not in self._met:
                self.ask(seat)
                return

    def ask(self, seat: SeatFacts) -> None:
        """Ask about this player; a request to ask again while the question is open means yes."""
        if self._open is not None and (self._open.name, self._open.key) == (seat.name, seat.key):
            self._take(seat)
            return
        self._open = seat
        self._met.add((seat.name, seat.key))
        said = {"name": Verbatim(seat.name), "key": seat.key}
        self._print(self._say(REALLY, said))
        for answer in (THEIRS, NOT_THEIRS):
            self._offer(self._say(answer, said))

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
            self._print(self._say(LATER, {"name": Verbatim(seat.name), "command": Verbatim(command)}))
            self.look()
        return True

    def _take(self, seat: SeatFacts) -> None:
        self._open = None
        commands = self._session.commands
        if commands is not None:
            commands.confirm(seat)
        self.look()
