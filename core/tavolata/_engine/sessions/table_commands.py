"""What a player can say to a table of peers beside playing: the commands, as typed calls.

The contract alone lives here; `peer` fulfils it. What a face reads or points at, it turns into these calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol

Decision = Literal["wait", "bot", "end"]
"""What can be decided about a player who is away."""


class TableCommand(StrEnum):
    """The commands; the value is the word by which lines call it."""

    LEAVE = "leave"
    CONFIRM = "confirm"
    WAIT = "wait"
    BOT = "bot"
    END = "end"
    ALONE = "alone"
    READY = "ready"
    START = "start"
    OPTION = "option"
    GAME = "game"
    BOTS = "bots"
    KICK = "kick"
    BAN = "ban"
    UNBAN = "unban"
    LOCK = "lock"
    UNLOCK = "unlock"
    MUTE = "mute"
    UNMUTE = "unmute"
    CODE = "code"
    HOST = "host"


class TableCommands(Protocol):
    """The commands of one player at a table; what can't be done now is refused with its reason."""

    def why_not(self, command: TableCommand) -> tuple[str, Mapping[str, Any]] | None:
        """Why this can't be done now, a message with its parameters; None if it can."""

    def leave(self) -> None:
        """Leave the table."""

    def ready(self) -> None:
        """Be ready, or not any more.

        Raises:
            Refused: not now.
        """

    def start(self) -> None:
        """Begin the match, the first or another one, as soon as it can be.

        Raises:
            Refused: not now, not by this player, or with too few.
        """

    def set_option(self, name: str, value: str | int) -> None:
        """Change a house rule.

        Raises:
            Refused: not now, not by this player, or there is no such rule or value.
        """

    def choose_game(self, name: str) -> None:
        """Put another game on the table, with as many seats as before where it has them.

        Raises:
            Refused: not now, not by this player, or it can't be played here.
        """

    def seat_bots(self, levels: Sequence[str]) -> None:
        """Have these bots sit here, and no others.

        Raises:
            Refused: not now, not by this player, or there is no room.
        """

    def decide(self, what: Decision, seat: int) -> None:
        """Say what becomes of a seat whose player is away.

        Raises:
            Refused: not now, or that does not help.
        """

    def go_on_alone(self) -> None:
        """Go on without those who are gone: if they go on, too, it is apart.

        Raises:
            Refused: somebody leads the table.
        """

    def kick(self, name: str) -> None:
        """Show somebody out: a watcher at any time, a player between matches.

        Raises:
            Refused: not now, not by this player, or there is nobody of that name.
        """
        ...

    def ban(self, name: str) -> None:
        """Show somebody out for the life of the table; the errors are those of `kick`."""
        ...

    def unban(self, name: str) -> None:
        """Let somebody come back who was banned.

        Raises:
            Refused: not by this player, or nobody of that name is banned.
        """
        ...

    def lock(self, *, yes: bool) -> None:
        """Let nobody new in, or open the table again.

        Raises:
            Refused: not by this player, or it is so already.
        """
        ...

    def mute(self, name: str, *, yes: bool) -> None:
        """Silence what somebody says outside a seat: at the host for all, elsewhere on the own screen.

        Raises:
            Refused: there is nobody of that name.
        """
        ...

    def change_code(self) -> None:
        """Make another code for newcomers to a private table.

        Raises:
            Refused: not by this player, or the table is open.
        """
        ...

    def hand_over(self, name: str) -> None:
        """Give the host's place to somebody who sits here.

        Raises:
            Refused: not by this player, or nobody of that name sits here.
        """
        ...

    def confirm(self, name: str) -> None:
        """Take the new key of the player of this name for theirs.

        Raises:
            Refused: that player has no new key.
        """
