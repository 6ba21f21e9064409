"""The commands of a table as people type them; see `TableCommands`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tavolata._engine.sessions.session import TableSession
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_facts import SeatFacts

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
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=word)
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
