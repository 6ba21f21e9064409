"""The commands of one peer at its table: each is checked here and then proposed to the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from secrets import token_bytes
from typing import Any

from typing_extensions import override

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.network.known_peers import KnownPeers
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.stewardship import Stewardship
from tavolata._engine.sessions.table_commands import Decision, TableCommand, TableCommands
from tavolata._engine.table import log_bodies
from tavolata._engine.table.lobby import NAMES_STAY, TAKEN
from tavolata._engine.table.matches import CANT_STOP
from tavolata._engine.table.roster import NO_NAME
from tavolata._engine.table.table_keys import new_code
from tavolata._text import MAX_NAME, is_name
from tavolata.errors import MessageError, Refused
from tavolata.messages import N_, NN_
from tavolata_protocol.errors import LocalError
from tavolata_protocol.identity import Acquaintance, PeerId

NO_NEW_KEY = N_("Nobody here has a new key.")
GOES_ON = N_("The table goes on; nobody has to take it over.")
WATCHING = N_("You are watching; players do that.")
NOT_WAITED_FOR = N_("The match begins although not everybody has said ready: {names}.")
NOT_YOURS = N_("{name}, whose machine you play on, says that for it.")
NO_MATCH = N_("No match is being played.")
IN_MATCH = N_("Not while a match is being played.")
HOST_ONLY = N_("Only the host can do that.")
NOTHING_NEW = N_("That changes nothing.")
YOU_LEAVE = N_(
    "You would leave this match for good and could not come back to it; who only quits can. "
    "Leave once more if you mean it."
)
YOU_GIVE_UP = N_(
    "You would leave this match for good and so give it up: then it is over. Who only quits can come back. "
    "Leave once more if you mean it."
)
NOT_ALONE = N_("Alone nobody can open a card of this match: wait for the others, or stop for today: suspend.")
NO_TEAMS = N_("{game} is not played in teams.")
ALONE = N_("Nobody plays in teams here; the host says how many: teams 2.")
OPEN_TABLE = N_("The table is open: it has no code.")

PLAYERS = frozenset({
    TableCommand.WAIT, TableCommand.BOT, TableCommand.END, TableCommand.SUSPEND, TableCommand.NUDGE,
    TableCommand.WITHOUT,
})  # fmt: skip
"""The commands of players in a running match."""
OWNERS = frozenset({
    TableCommand.WAIT, TableCommand.BOT, TableCommand.END, TableCommand.SUSPEND, TableCommand.WITHOUT,
    TableCommand.ALONE, TableCommand.CONFIRM,
})  # fmt: skip
"""The commands that are a machine's word: its own player gives them, and nobody whom it serves."""
HOSTS = frozenset({
    TableCommand.START, TableCommand.OPTION, TableCommand.GAME, TableCommand.BOTS, TableCommand.TEAMS,
})  # fmt: skip
"""The commands of the host between matches."""
POWERS = frozenset({
    TableCommand.KICK, TableCommand.BAN, TableCommand.UNBAN, TableCommand.LOCK, TableCommand.UNLOCK,
    TableCommand.CODE, TableCommand.HOST,
})  # fmt: skip
"""The commands of the host at any time."""


class PeerCommands(TableCommands):
    """The commands; see `TableCommands`.

    Args:
        agent: this machine.
        library: the game, and those that may come after it.
        known: whom this machine knew before.
        log_driver: the log.
        stewardship: begins matches.
        propose: proposes the body of an entry.
        leave: has this peer go, with its word about the match.
        stop: has this peer suspend the match.
        be_called: keeps the player's new name for later tables.
        person: who gives the commands; empty for the machine's own player.
    """

    def __init__(
        self,
        agent: Machine,
        library: GameLibrary,
        known: KnownPeers,
        log_driver: LogDriver,
        stewardship: Stewardship,
        propose: Callable[..., bool],
        leave: Callable[[OwnWord], None],
        stop: Callable[[], None],
        be_called: Callable[[str], None],
        person: bytes = b"",
    ) -> None:
        self._person = person or agent.state.me
        self._agent = agent
        self._state = agent.state
        self._library = library
        self._known = known
        self._log_driver = log_driver
        self._stewardship = stewardship
        self._propose = propose
        self._leave = leave
        self._stop = stop
        self._be_called = be_called
        self.ignored: set[bytes] = set()
        """The peers whose talk this screen does not show."""

    # -- what can be done -----------------------------------------------------------------------

    def is_orphaned(self) -> bool:
        """Whether there is no leader, and the player may go on alone."""
        return self._log_driver.log.may_take_over(self._log_driver.now())

    @override
    def why_not(self, command: TableCommand) -> tuple[str, Mapping[str, Any]] | None:
        state = self._state
        if command in (TableCommand.QUIT, TableCommand.LEAVE):
            return None
        if command in OWNERS and self._person != state.me:
            return NOT_YOURS, {"name": state.roster.name_of(state.me)}
        if command is TableCommand.CONFIRM:
            return None if self.changed() else (NO_NEW_KEY, {})
        if command is TableCommand.ALONE and self.is_orphaned():
            return (NOT_ALONE, {}) if state.matches.dealing.is_fair else None
        if command in POWERS:
            return self._why_no_power(command)
        if command in (TableCommand.MUTE, TableCommand.UNMUTE, TableCommand.COLOUR):
            return None
        if command is TableCommand.NAME:
            return (NAMES_STAY, {}) if state.matches.is_busy else None
        if state.roster.place_of(self._person) is None:
            return WATCHING, {}
        if command is TableCommand.ALONE:
            return GOES_ON, {}
        if command in PLAYERS:
            if not state.matches.running:
                return NO_MATCH, {}
            if command is TableCommand.SUSPEND:
                return None if self._agent.has_part else (CANT_STOP, {})
            if command is TableCommand.WITHOUT:
                why = self._agent.why_not_onward()
                return None if why is None else (why, {})
            free = command in (TableCommand.END, TableCommand.NUDGE)
            return None if free else state.matches.why_no_decision()
        if state.matches.running:
            return IN_MATCH, {}
        if command in HOSTS and state.roster.host != self._person:
            return HOST_ONLY, {}
        if command is TableCommand.TEAMS and state.lobby.rules.teams is None:
            return NO_TEAMS, {"game": state.lobby.rules.title}
        return (ALONE, {}) if command is TableCommand.TEAM and not state.lobby.teams else None

    def _why_no_power(self, command: TableCommand) -> tuple[str, Mapping[str, Any]] | None:
        state = self._state
        if state.roster.host != self._person:
            return HOST_ONLY, {}
        if command is TableCommand.CODE:
            return None if state.lobby.keys is not None else (OPEN_TABLE, {})
        idle = {
            TableCommand.LOCK: state.moderation.locked,
            TableCommand.UNLOCK: not state.moderation.locked,
            TableCommand.UNBAN: not state.moderation.banned,
        }
        return (NOTHING_NEW, {}) if idle.get(command) else None

    def _check(self, command: TableCommand) -> None:
        if (why := self.why_not(command)) is not None:
            raise Refused(why[0], **why[1])

    def changed(self) -> list[str]:
        """The names of the people who had another key when they were met before."""
        return [
            place.name
            for place in self._state.roster.people()
            if self._known.judge(place.name, PeerId(place.peer)) is Acquaintance.CHANGED_KEY
        ]

    # -- doing it -------------------------------------------------------------------------------

    @override
    def quit(self) -> None:
        self._leave(OwnWord.OUT)
        self._log_driver.tick_in(0)

    @override
    def leave(self) -> None:
        self._leave(OwnWord.LEFT)
        self._log_driver.tick_in(0)

    @override
    def for_good(self) -> tuple[str, Mapping[str, Any]] | None:
        dealing = self._state.matches.dealing
        if not dealing.is_fair or not self._agent.has_part or self._person != self._state.me:
            return None
        return (YOU_GIVE_UP if len(dealing.remaining) == 2 else YOU_LEAVE), {}

    @override
    def ready(self) -> None:
        self._check(TableCommand.READY)
        place = self._state.roster.place_of(self._person)
        self._propose(log_bodies.READY, not (place is not None and place.ready))

    @override
    def rename(self, name: str) -> None:
        self._check(TableCommand.NAME)
        roster = self._state.roster
        if not is_name(name):
            raise Refused(NO_NAME, n=MAX_NAME)
        if name == roster.name_of(self._person):
            raise Refused(NOTHING_NEW)
        if roster.is_taken(name, self._person):
            raise Refused(TAKEN, name=name)
        if self._propose(log_bodies.RENAME, name):
            self._be_called(name)

    @override
    def choose_look(self, hue: int, mark: int) -> None:
        self._check(TableCommand.COLOUR)
        self._propose(log_bodies.LOOK, hue, mark)

    @override
    def start(self) -> None:
        self._check(TableCommand.START)
        rules = self._state.lobby.rules
        low, _ = rules.seats
        here = self._state.roster.with_status(log_bodies.HERE)
        if len(here) < low:
            raise Refused(N_("{game} needs {low} players at least."), game=rules.title, low=low)
        self._state.lobby.terms()  # refused with the reason why nothing can begin
        self._stewardship.begin()
        waiting = tuple(place.name for place in here if not place.ready and place.person != self._person)
        if waiting:
            self._state.out.append(Notice(NOT_WAITED_FOR, {"names": waiting}, to=self._person))
        self._log_driver.tick_in(0)

    @override
    def set_option(self, name: str, value: str | int) -> None:
        self._check(TableCommand.OPTION)
        lobby = self._state.lobby
        options = lobby.rules.options.parse({**lobby.options, name: value}, lobby.seats)
        self._propose(log_bodies.SET, options.plain())

    @override
    def set_teams(self, count: int) -> None:
        self._check(TableCommand.TEAMS)
        teams = self._state.lobby.rules.teams
        counts = (0, *(() if teams is None else teams.counts))
        if count not in counts:
            raise Refused(N_("Teams can be {counts}."), counts=", ".join(map(str, counts)))
        self._propose(log_bodies.TEAMS, count)

    @override
    def join_team(self, number: int) -> None:
        self._check(TableCommand.TEAM)
        self._propose(log_bodies.TEAM, number)

    @override
    def draw_teams(self) -> None:
        self._check(TableCommand.TEAM)
        if self._state.roster.host != self._person:
            raise Refused(HOST_ONLY)
        self._propose(log_bodies.TEAM_LOT, token_bytes(16))

    @override
    def choose_game(self, name: str) -> None:
        self._check(TableCommand.GAME)
        try:
            game = self._library.look_up(name).game
        except MessageError as error:
            raise Refused(error.message, **error.params) from error
        low, high = game.seats
        seats = min(high, max(low, self._state.lobby.seats))
        self._propose(log_bodies.GAME, game.name, game.rules_id, seats, game.options().plain())

    @override
    def seat_bots(self, levels: Sequence[str]) -> None:
        self._check(TableCommand.BOTS)
        state = self._state
        people = {place.person for place in state.roster.with_status(log_bodies.HERE)} | {state.me}
        free = state.lobby.seats - len(people)
        if len(levels) > free:
            if len(state.roster.places) >= state.lobby.seats:
                raise Refused(
                    N_("All {n} seats are taken; a bot takes none but a free one."), n=state.lobby.seats
                )
            raise Refused(NN_("There is room for {n} bot.", "There is room for {n} bots."), n=free)
        self._propose(log_bodies.BOTS, list(levels))

    @override
    def end(self) -> None:
        self._check(TableCommand.END)
        if self._state.matches.dealing.is_fair:
            self._agent.playing.vote_to_end()
            return
        places = self._state.roster.places
        seat = next((seat for seat, place in enumerate(places) if place.status != log_bodies.HERE), None)
        if seat is None:
            raise Refused(N_("Everybody is here and plays."))
        self._propose(log_bodies.DECIDE, log_bodies.END, seat)

    @override
    def nudge(self, seat: int) -> None:
        self._check(TableCommand.NUDGE)
        self._agent.playing.check_nudge(seat)
        self._propose(log_bodies.NUDGE, seat)

    @override
    def suspend(self) -> None:
        self._check(TableCommand.SUSPEND)
        if self._agent.quorum.may_stop:
            self._stop()
            self._log_driver.tick_in(0)
        else:
            self._propose(log_bodies.SUSPEND, self._state.me not in self._state.matches.stopping)

    @override
    def go_on_without(self) -> None:
        self._check(TableCommand.WITHOUT)
        self._agent.wish_onward()

    @override
    def decide(self, what: Decision, seat: int) -> None:
        self._check(TableCommand(what))
        place = self._state.roster.places[seat]
        if what == log_bodies.BOT and (why := self._state.matches.why_no_decision(place)):
            raise Refused(why[0], **why[1])
        self._propose(log_bodies.DECIDE, what, seat)

    @override
    def kick(self, name: str) -> None:
        self._check(TableCommand.KICK)
        self._propose(log_bodies.KICK, self._other(name))

    @override
    def ban(self, name: str) -> None:
        self._check(TableCommand.BAN)
        self._propose(log_bodies.BAN, self._other(name), True)

    @override
    def unban(self, name: str) -> None:
        self._check(TableCommand.UNBAN)
        banned = self._state.moderation.banned
        peer = next((peer for peer, one in banned.items() if one == name), None)
        if peer is None:
            raise Refused(N_("Banned are: {names}."), names=", ".join(banned.values()))
        self._propose(log_bodies.BAN, peer, False)

    @override
    def lock(self, *, yes: bool) -> None:
        self._check(TableCommand.LOCK if yes else TableCommand.UNLOCK)
        self._propose(log_bodies.LOCK, yes)

    @override
    def mute(self, name: str, *, yes: bool) -> None:
        peer, state = self._other(name), self._state
        if state.roster.host == self._person:
            self._propose(log_bodies.MUTE, peer, yes)
        elif (peer in self.ignored) is yes:
            raise Refused(NOTHING_NEW)
        else:
            (self.ignored.add if yes else self.ignored.discard)(peer)
            said = N_("You don't hear {name} any more.") if yes else N_("You hear {name} again.")
            state.out.append(Notice(said, {"name": name}, to=self._person))
            self._log_driver.tick_in(0)

    @override
    def change_code(self) -> None:
        self._check(TableCommand.CODE)
        self._propose(log_bodies.CODE, new_code())

    @override
    def hand_over(self, name: str) -> None:
        self._check(TableCommand.HOST)
        self._propose(log_bodies.HEIR, self._other(name))

    def _other(self, name: str) -> bytes:
        """The person of this name, who is another one."""
        roster = self._state.roster
        people = [*(place.person for place in roster.places), *roster.watchers]
        found = next((one for one in people if roster.name_of(one) == name), self._person)
        if found == self._person:
            raise Refused(N_("Nobody else of that name is at the table."))
        return found

    @override
    def go_on_alone(self) -> None:
        self._check(TableCommand.ALONE)
        try:
            self._log_driver.log.take_over(self._log_driver.now())
        except LocalError as error:
            raise Refused(GOES_ON) from error
        self._log_driver.pump()

    @override
    def confirm(self, name: str) -> None:
        self._check(TableCommand.CONFIRM)
        place = next((place for place in self._state.roster.people() if place.name == name), None)
        if place is None or name not in self.changed():
            raise Refused(NO_NEW_KEY)
        self._known.remember(name, PeerId(place.peer))
        self._state.out.append(LobbyChanged(whole=True))
        self._log_driver.tick_in(0)
