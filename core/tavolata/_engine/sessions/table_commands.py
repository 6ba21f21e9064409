"""The contract of the commands of a table of peers: what a player can do there beside playing.

`PeerCommands` implements it. Frontends turn typed lines, keys and clicks into these calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol

Decision = Literal["wait", "bot"]
"""The decisions about a player who is away."""


class TableCommand(StrEnum):
    """The commands; the value of each is the word that people type."""

    QUIT = "quit"
    LEAVE = "leave"
    CONFIRM = "confirm"
    WAIT = "wait"
    BOT = "bot"
    END = "end"
    NUDGE = "nudge"
    SUSPEND = "suspend"
    WITHOUT = "without"
    ALONE = "alone"
    READY = "ready"
    NAME = "name"
    COLOUR = "colour"
    START = "start"
    OPTION = "option"
    TEAMS = "teams"
    TEAM = "team"
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
    """The commands of one player at a table."""

    def why_not(self, command: TableCommand) -> tuple[str, Mapping[str, Any]] | None:
        """The reason why this can't be done now, as a message with its parameters; None if it can be done."""

    def quit(self) -> None:
        """Leave the table; who plays in a match that all deal together may come back to it."""

    def leave(self) -> None:
        """Leave the table, and the match that all deal together for good."""

    def for_good(self) -> tuple[str, Mapping[str, Any]] | None:
        """What leaving for good means now, as a message; None where it is no more than quitting."""

    def ready(self) -> None:
        """Say that this player is ready, or is no longer ready.

        Raises:
            Refused: not now.
        """

    def rename(self, name: str) -> None:
        """Have this player called otherwise at the table, and from now on.

        Raises:
            Refused: not in a match, it is no name, or somebody else here has it.
        """

    def choose_look(self, hue: int, mark: int) -> None:
        """Have this player shown in another colour and with another mark, by their numbers from 0.

        Raises:
            Refused: somebody else here has both.
        """

    def start(self) -> None:
        """Begin the next match as soon as it can begin.

        Raises:
            Refused: not now, not by this player, or not with so few players.
        """

    def set_option(self, name: str, value: str | int) -> None:
        """Change a house rule.

        Raises:
            Refused: not now, not by this player, or there is no such rule or value.
        """

    def set_teams(self, count: int) -> None:
        """Have the next matches played in so many teams; 0 for none.

        Raises:
            Refused: not now, not by this player, or the game is not played in so many teams.
        """

    def join_team(self, number: int) -> None:
        """Join a team by its number from 0; -1 says that any is welcome.

        Raises:
            Refused: not now, not by one who looks on, or there is no such team.
        """

    def draw_teams(self) -> None:
        """Have the teams drawn by lot; each player may join another one afterwards.

        Raises:
            Refused: not now, not by this player, or nothing is played in teams.
        """

    def choose_game(self, name: str) -> None:
        """Choose another game for the table; it keeps its number of seats if the game allows that.

        Raises:
            Refused: not now, not by this player, or the game can't be played here.
        """

    def seat_bots(self, levels: Sequence[str]) -> None:
        """Seat these bots instead of the present ones.

        Raises:
            Refused: not now, not by this player, or there is no room.
        """

    def end(self) -> None:
        """Vote for the end of the match, or take that back; where one peer deals, its host ends it.

        Raises:
            Refused: not now.
        """

    def nudge(self, seat: int) -> None:
        """Ask whether a player is there who has not answered for long.

        Raises:
            Refused: not now, or that player has not been silent for long enough.
        """

    def suspend(self) -> None:
        """Stop the match for today: at once if too few are heard, else when all who are here would.

        Raises:
            Refused: not now.
        """

    def go_on_without(self) -> None:
        """Wish to go on without the missing in a new match, or take that back; all who are here have to.

        Raises:
            Refused: not now, nobody is missing, or there is no state to go on from.
        """

    def decide(self, what: Decision, seat: int) -> None:
        """Decide what becomes of a seat whose player is away; the host does, where it deals alone.

        Raises:
            Refused: not now, or the match can't go on that way.
        """

    def go_on_alone(self) -> None:
        """Go on without the peers that are gone. If they go on too, there are two tables.

        Raises:
            Refused: the table has a leader.
        """

    def kick(self, name: str) -> None:
        """Show somebody out: a watcher at any time, a player between matches.

        Raises:
            Refused: not now, not by this player, or there is nobody of that name.
        """

    def ban(self, name: str) -> None:
        """Show somebody out for the life of the table; the errors are those of `kick`."""

    def unban(self, name: str) -> None:
        """Let somebody come back who was banned.

        Raises:
            Refused: not by this player, or nobody of that name is banned.
        """

    def lock(self, *, yes: bool) -> None:
        """Let nobody new in, or open the table again.

        Raises:
            Refused: not by this player, or it is so already.
        """

    def mute(self, name: str, *, yes: bool) -> None:
        """Silence what somebody says outside a seat: at the host for all, elsewhere on the own screen.

        Raises:
            Refused: there is nobody of that name.
        """

    def change_code(self) -> None:
        """Make another code for newcomers to a private table.

        Raises:
            Refused: not by this player, or the table is open.
        """

    def hand_over(self, name: str) -> None:
        """Give the host's place to somebody who sits here.

        Raises:
            Refused: not by this player, or nobody of that name sits here.
        """

    def confirm(self, name: str) -> None:
        """Accept the new key of the player of this name.

        Raises:
            Refused: that player has no new key.
        """
