"""The commands of a table of peers: one row for each word, which every frontend reads.

A row is a method of `TableCommands`. Its decorator has the word and the help (both message ids), the
conditions under which it may be given, and the function that reads what is typed after the word and returns
the method's arguments. To add a command, add a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MethodType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Protocol,
    Self,
    TypeVar,
    TypeVarTuple,
    cast,
    overload,
)

from tavolata import _machine
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.seating import known_seats, read_bots
from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.table import log_bodies
from tavolata._engine.table.lobby import NAMES_STAY, TAKEN
from tavolata._engine.table.log_bodies import Wish
from tavolata._engine.table.matches import CANT_STOP
from tavolata._engine.table.roster import NO_NAME
from tavolata._engine.table.table_keys import new_code
from tavolata._text import MAX_NAME, composed, is_name, one_line, small_number
from tavolata.errors import MessageError, Refused
from tavolata.messages import N_, NN_
from tavolata.teams import TYPED
from tavolata_protocol.errors import FurtherCopy, LocalError, UnheardCopy
from tavolata_protocol.grouplog import GroupLog
from tavolata_protocol.identity import Acquaintance, PeerId

if TYPE_CHECKING:
    from tavolata._engine.dealing.quorum_watch import QuorumWatch
    from tavolata._engine.plugins.catalogue import LoadedGame
    from tavolata._engine.sessions.knocks import Knocks
    from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
    from tavolata._engine.table.table_state import TableState

GOES_ON = N_("The table is running. No one needs to take over.")
HOST_ONLY = N_("Only the host can do that.")
IN_MATCH = N_("Not while a match is being played.")
NAME_AND_VALUE = N_("Write a house rule as NAME=VALUE, not {words}.")
NO_MATCH = N_("There's no match in progress.")
NO_ONE_AWAY = N_("No one is away.")
NOT_AWAY_YET = N_(
    "We can't reach {names} right now, but they don't count as away yet. Try again in a few seconds."
)
NO_NEW_KEY = N_("No one here has a new key.")
NO_TEAMS = N_("{game} isn't played in teams.")
NOT_WAITED_FOR = N_("The match is starting, but some players aren't ready: {names}.")
NOT_YOURS = N_("Only {name} can do that: you're playing on their computer.")
NO_TEAMS_HERE = N_("There are no teams yet. The host can form them: teams 2.")
NOTHING_NEW = N_("That wouldn't change anything.")
NOBODY_KNOCKS = N_("No one is knocking.")
OPEN_TABLE = N_("The table is open: it has no code.")
WATCHING = N_("You're watching. Only players can do that.")
YOU_GIVE_UP = N_(
    "Leave for good? That ends the match. To leave for now, type quit. To confirm, type leave again."
)
YOU_LEAVE = N_(
    "Leave for good? You can't come back. To leave for now, type quit. To confirm, type leave again."
)
ANY, LOT = N_("any"), N_("lot")
"""The words for no certain team, and for a draw."""

Arguments = TypeVarTuple("Arguments")
Key = TypeVar("Key", bytes, int)
"""What a name stands for: a person, by their key, or a seat."""
Why = tuple[str, Mapping[str, Any]]
"""The reason why something can't be done: a message with its parameters."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """What is typed after a command's word, the table as the player sees it, and the player's language."""

    rest: str
    facts: TableFacts
    say: Callable[[str], str]


@dataclass(frozen=True, eq=False, slots=True)
class Command(Generic[*Arguments]):
    """A row of the table: a word that people type, and all that is known of it.

    `word` and `help` are message ids. The first condition in `permission` that is not met is why the command
    can't be given.
    """

    word: str
    help: str
    permission: Sequence[Condition]
    read: Callable[[TypedLine], tuple[*Arguments]]
    body: Callable[[TableCommands, *Arguments], None]

    def why_not(self, table: TableCommands) -> Why | None:
        return next(filter(None, (met(table) for met in self.permission)), None)

    def check(self, table: TableCommands) -> None:
        if (why := self.why_not(table)) is not None:
            raise Refused(why[0], **why[1])

    def arguments(self, rest: str, facts: TableFacts, say: Callable[[str], str]) -> tuple[*Arguments]:
        """Read a typed line; raise Refused if it makes no sense."""
        return self.read(TypedLine(composed(rest), facts, say))

    def __call__(self, table: TableCommands, *arguments: *Arguments) -> None:
        self.check(table)
        self.body(table, *arguments)

    def __set_name__(self, owner: type[TableCommands], name: str) -> None:
        owner.rows[self.word] = self

    @overload
    def __get__(self, table: None, owner: type) -> Self: ...
    @overload
    def __get__(self, table: TableCommands, owner: type) -> Callable[[*Arguments], None]: ...
    def __get__(self, table: TableCommands | None, owner: type) -> Self | Callable[[*Arguments], None]:
        return self if table is None else cast("Callable[[*Arguments], None]", MethodType(self, table))


def command(
    word: str,
    what: str,
    permission: Sequence[Condition],
    read: Callable[[TypedLine], tuple[*Arguments]],
) -> Callable[[Callable[[TableCommands, *Arguments], None]], Command[*Arguments]]:
    return lambda body: Command(word, what, permission, read, body)


# -- who may give it ------------------------------------------------------------------------------------

Condition = Callable[["TableCommands"], Why | None]


def _unless(met: Callable[[TableCommands], object], message: str) -> Condition:
    return lambda table: None if met(table) else (message, {})


def own_player(table: TableCommands) -> Why | None:
    """Only a machine's own player can give this command, nobody else whom the machine serves."""
    state = table.state
    return None if table.person == state.me else (NOT_YOURS, {"name": state.roster.name_of(state.me)})


def leaderless(table: TableCommands) -> Why | None:
    """The log has no leader, and this machine can do without the others."""
    if table.is_orphaned():
        return table.state.matches.why_not_alone()
    return takes_part(table) or (GOES_ON, {})


def decides(table: TableCommands) -> Why | None:
    return table.state.matches.why_no_decision()


def may_go_on(table: TableCommands) -> Why | None:
    why = table.part.why_not_continue()
    return None if why is None else (why, {})


def may_go_back(table: TableCommands) -> Why | None:
    why = table.part.why_not_go_back()
    return None if why is None else (why, {})


def team_game(table: TableCommands) -> Why | None:
    rules = table.state.lobby.rules
    return None if rules.teams is not None else (NO_TEAMS, {"game": rules.title})


ANYBODY: Sequence[Condition] = ()
seated = _unless(lambda table: table.state.roster.place_of(table.person), WATCHING)
playing = _unless(lambda table: table.state.matches.running, NO_MATCH)
between = _unless(lambda table: not table.state.matches.running, IN_MATCH)
host = _unless(lambda table: table.state.roster.host == table.person, HOST_ONLY)
takes_part = _unless(lambda table: seated(table) is None or host(table) is None, WATCHING)
has_part = _unless(lambda table: table.part.has_part, CANT_STOP)
key_changed = _unless(lambda table: table.changed(), NO_NEW_KEY)
someone_knocks = _unless(lambda table: table.part.knocks and table.part.knocks.waiting, NOBODY_KNOCKS)
names_change = _unless(lambda table: not table.state.matches.is_busy, NAMES_STAY)
in_teams = _unless(lambda table: table.state.lobby.teams, NO_TEAMS_HERE)
private = _unless(lambda table: table.state.lobby.keys, OPEN_TABLE)
locked = _unless(lambda table: table.state.moderation.locked, NOTHING_NEW)
unlocked = _unless(lambda table: not table.state.moderation.locked, NOTHING_NEW)
some_banned = _unless(lambda table: table.state.moderation.banned, NOTHING_NEW)
PLAYERS = (takes_part, playing)
OWN_PLAYERS = (own_player, *PLAYERS)
HOSTS = (between, host)


# -- what a line means ----------------------------------------------------------------------------------


def nothing(_: TypedLine) -> tuple[()]:
    return ()


def told_apart(people: Mapping[Key, str]) -> dict[Key, str]:
    """Return the names of people, with numbers for equal ones: two Anns can be banned."""
    folded = [name.casefold() for name in people.values()]
    return {
        person: name if folded.count(folded[at]) == 1 else f"{name} ({folded[: at + 1].count(folded[at])})"
        for at, (person, name) in enumerate(people.items())
    }


def _who(typed: TypedLine, people: Mapping[Key, str]) -> tuple[Key]:
    """Return the person whose name is all that's typed: the beginning of one may be someone else's."""
    wanted, named = _folded(typed), told_apart(people)
    if (found := next((one for one, name in named.items() if name.casefold() == wanted), None)) is not None:
        return (found,)
    if not people:
        raise Refused(N_("No one else is here."))
    raise Refused(N_("Who? {names}"), names=", ".join(named.values()))


def _others(typed: TypedLine) -> dict[bytes, str]:
    return {seat.person: seat.name for seat in typed.facts.taken if not seat.mine and seat.person}


def somebody_seated(typed: TypedLine) -> tuple[bytes]:
    return _who(typed, _others(typed))


def somebody(typed: TypedLine) -> tuple[bytes]:
    return _who(typed, {**_others(typed), **typed.facts.watchers})


def somebody_banned(typed: TypedLine) -> tuple[bytes]:
    return _who(typed, typed.facts.banned)


def seat_of_other(typed: TypedLine) -> tuple[int]:
    return _who(typed, {at: seat.name for at, seat in enumerate(typed.facts.taken) if not seat.mine})


def seat_away(typed: TypedLine) -> tuple[int]:
    """Return the seat that is named, or the only one whose player is away."""
    return _absent(typed, {at: seat for at, seat in enumerate(typed.facts.taken) if seat.state == "away"})


def seat_absent(typed: TypedLine) -> tuple[int]:
    """Return as above the seat of a player who is away, or whose phone is asleep or has no network."""
    lights = (log_bodies.Light.ASLEEP, log_bodies.Light.GONE)
    return _absent(typed, {
        at: seat for at, seat in enumerate(typed.facts.taken) if seat.state == "away" or seat.light in lights
    })  # fmt: skip


def _absent(typed: TypedLine, absent: Mapping[int, SeatFacts]) -> tuple[int]:
    if not absent:
        unheard = [seat.name for seat in typed.facts.taken if seat.light is log_bodies.Light.UNHEARD]
        raise Refused(NOT_AWAY_YET, names=", ".join(unheard)) if unheard else Refused(NO_ONE_AWAY)
    wanted = _folded(typed)
    found = [at for at, seat in absent.items() if wanted in ("", seat.name.casefold())]
    if len(found) == 1:
        return (found[0],)
    names = ", ".join(seat.name for seat in absent.values())
    raise Refused(N_("Who? Away: {names}"), names=names)


def seat_with_new_key(typed: TypedLine) -> tuple[SeatFacts]:
    """Return the named player with a new key, or the only one."""
    changed = [seat for seat in typed.facts.taken if seat.has_new_key]
    if not changed:
        raise Refused(N_("No one here has a changed key."))
    wanted = _folded(typed)
    if not wanted and len(changed) == 1:
        return (changed[0],)
    found = next((one for one in changed if one.name.casefold() == wanted), None)
    if found is None:
        names = ", ".join(one.name for one in changed)
        raise Refused(N_("Whose new key have you checked? {names}"), names=names)
    return (found,)


def _folded(typed: TypedLine) -> str:
    return " ".join(typed.rest.removeprefix("@").split()).casefold()


def new_name(typed: TypedLine) -> tuple[str]:
    name = " ".join(typed.rest.split())
    if not name:
        raise Refused(N_("Which name? For example: name Ann."))
    return (name,)


def hue_and_mark(typed: TypedLine) -> tuple[int, int]:
    """Return two numbers from 0, which are typed from 1."""
    match typed.rest.split():
        case [hue, mark] if {hue, mark} <= set("12345678"):
            return int(hue) - 1, int(mark) - 1
        case _:
            raise Refused(N_("Give a colour and a mark, each from 1 to 8. Example: colour 3 5."))


def name_and_value(typed: TypedLine) -> tuple[str, str]:
    name, equals, value = typed.rest.partition("=")
    if not equals:
        raise Refused(NAME_AND_VALUE, words=one_line(typed.rest, 60))
    return name.strip(), value.strip()


def count_of_teams(typed: TypedLine) -> tuple[int]:
    if not typed.rest.isdecimal():
        raise Refused(N_("How many teams? For example: teams 2."))
    return (small_number(typed.rest),)


def team(typed: TypedLine) -> tuple[int | None]:
    """Return a team's number for its word, in English or in the person's language; None for a draw."""
    word, say, count = typed.rest.casefold(), typed.say, typed.facts.teams
    if word in (LOT, say(LOT)):
        return (None,)
    if word in (ANY, say(ANY)):
        return (-1,)
    said = say(TYPED).split()[:count]
    for words in (said, TYPED.split()[:count]):
        if word in words:
            return (words.index(word),)
    raise Refused(N_("Which team? {names}"), names=", ".join([*said, say(ANY), say(LOT)]))


def letters(typed: TypedLine) -> tuple[str]:
    """Return the letters that a browser shows, or those of the only one that knocks."""
    knocks = typed.facts.knocks
    return (knocks[0].letters if not typed.rest and len(knocks) == 1 else typed.rest,)


def game(typed: TypedLine) -> tuple[str]:
    if not typed.rest:
        raise Refused(N_("Which game? For example: game zompa. See `tt games`."))
    return (typed.rest.lower(),)


def bot_levels(typed: TypedLine) -> tuple[Sequence[str]]:
    return (read_bots(typed.rest or "0", typed.facts.levels),)


# -- what is needed of the machine ----------------------------------------------------------------------


class MatchPart(Protocol):
    def vote_to_end(self) -> None: ...
    def stop_waiting(self) -> None: ...
    def check_nudge(self, seat: int) -> None: ...


class MachinePart(Protocol):
    @property
    def knocks(self) -> Knocks | None: ...
    @property
    def playing(self) -> MatchPart: ...
    @property
    def has_part(self) -> bool: ...
    @property
    def quorum(self) -> QuorumWatch: ...
    def why_not_continue(self) -> str | None: ...
    def wish_continuation(self) -> None: ...
    def why_not_go_back(self) -> str | None: ...
    def wish_to_go_back(self) -> None: ...


class Log(Protocol):
    @property
    def log(self) -> GroupLog: ...
    def now(self) -> float: ...
    def tick_in(self, seconds: float) -> None: ...
    def take_over(self) -> None: ...


class Acquaintances(Protocol):
    def judge(self, name: str, peer: PeerId) -> Acquaintance: ...
    def remember(self, name: str, peer: PeerId) -> None: ...


# -- the table of commands ------------------------------------------------------------------------------


@dataclass(eq=False)
class TableCommands:
    """The commands of one person at a table of peers: each is checked here and then proposed to the log.

    `person` gives the commands. `look_up` finds a game that could be played here, `begin` has a match begin
    as soon as it can, `go` has this person leave, with a word about the match. `ignored` are the people whose
    talk this person doesn't hear, and whose texts they don't see. `rows` has all commands by their words, in
    the order of the help.
    """

    state: TableState
    part: MachinePart
    log: Log
    known: Acquaintances
    look_up: Callable[[str], LoadedGame]
    begin: Callable[[], None]
    propose: Callable[..., bool]
    go: Callable[[OwnWord], None]
    stop: Callable[[], None]
    be_called: Callable[[str], None]
    person: bytes
    ignored: set[bytes] = field(default_factory=set)
    rows: ClassVar[dict[str, Command[*tuple[Any, ...]]]] = {}

    def for_good(self) -> Why | None:
        """Return what leaving for good means now, as a message; None where it is no more than quitting."""
        dealing = self.state.matches.dealing
        if not dealing.is_fair or not self.part.has_part or self.person != self.state.me:
            return None
        return (YOU_GIVE_UP if len(dealing.remaining) == 2 else YOU_LEAVE), {}

    def hidden(self) -> frozenset[int]:
        """Return the seats in the match of the people in `ignored`, even if they have left the table."""
        last = self.state.matches.last
        persons = () if last is None else last.persons
        return frozenset(seat for seat, person in enumerate(persons) if person in self.ignored)

    def is_orphaned(self) -> bool:
        """Return True if there isn't a leader, and the player may continue alone."""
        return self.log.log.may_take_over(self.log.now())

    def changed(self) -> list[str]:
        """Return the names of the people who had another key when they were met before."""
        return [
            place.name
            for place in self.state.roster.people()
            if self.known.judge(place.name, PeerId(place.peer)) is Acquaintance.CHANGED_KEY
        ]

    # -- at any time ------------------------------------------------------------------------------

    @command(N_("quit"), N_("leave for now; you can come back while the match continues"), ANYBODY, nothing)
    def quit(self) -> None:
        self.go(OwnWord.OUT)
        self.log.tick_in(0)

    @command(N_("leave"), N_("leave the table and the match for good (asks twice)"), ANYBODY, nothing)
    def leave(self) -> None:
        self.go(OwnWord.LEFT)
        self.log.tick_in(0)

    @command(
        N_("confirm"), N_("confirm a player's new key: confirm NAME"),
        (own_player, key_changed), seat_with_new_key,
    )  # fmt: skip
    def confirm(self, seat: SeatFacts) -> None:
        place = next((place for place in self.state.roster.people() if place.person == seat.person), None)
        if place is None or place.name != seat.name or seat.name not in self.changed():
            raise Refused(NO_NEW_KEY)
        self.known.remember(seat.name, PeerId(place.peer))
        self.state.out.append(LobbyChanged(whole=True))
        self.log.tick_in(0)

    # -- in a match -------------------------------------------------------------------------------

    @command(
        N_("wait"),
        N_("wait for someone who's away or asleep: wait NAME"),
        PLAYERS,
        seat_absent,
    )
    def wait(self, seat: int) -> None:
        asleep = self.state.roster.places[seat].status == log_bodies.HERE
        if why := seated(self) if asleep else own_player(self) or decides(self):
            raise Refused(why[0], **why[1])
        if asleep:
            self.propose(log_bodies.WISH, int(Wish.WAIT), seat, True)
        else:
            self.propose(log_bodies.DECIDE, log_bodies.WAIT, seat)

    @command(
        N_("blind"), N_("use default answers for an absent player: blind NAME"),
        (*OWN_PLAYERS, decides), seat_away,
    )  # fmt: skip
    def blind(self, seat: int) -> None:
        if why := self.state.matches.why_no_decision(self.state.roster.places[seat]):
            raise Refused(why[0], **why[1])
        self.propose(log_bodies.DECIDE, log_bodies.BLIND, seat)

    @command(N_("end"), N_("vote to end the match; repeat to withdraw your vote"), PLAYERS, nothing)
    def end(self) -> None:
        if self.person != self.state.me and self.state.matches.dealing.is_fair:
            self._wish(Wish.END)
            return
        if why := own_player(self):
            raise Refused(why[0], **why[1])
        if self.state.matches.dealing.is_fair:
            self.part.playing.vote_to_end()
            return
        running = self.state.matches.running
        if running is not None and running.header.narrator is not None and running.match.is_judging:
            self.part.playing.stop_waiting()
            return
        places = self.state.roster.places
        seat = next((seat for seat, place in enumerate(places) if place.status != log_bodies.HERE), None)
        if seat is None:
            raise Refused(NO_ONE_AWAY)
        self.propose(log_bodies.DECIDE, log_bodies.END, seat)

    @command(N_("nudge"), N_("prompt a player who's been silent: nudge NAME"), PLAYERS, seat_of_other)
    def nudge(self, seat: int) -> None:
        self.part.playing.check_nudge(seat)
        self.propose(log_bodies.NUDGE, seat)

    @command(
        N_("suspend"), N_("stop for today and continue with `tt resume`; no one loses"),
        (*PLAYERS, has_part), nothing,
    )  # fmt: skip
    def suspend(self) -> None:
        """Stop the match: at once if too few are heard, otherwise once everyone here agrees."""
        if self.person != self.state.me:
            self._wish(Wish.STOP)
        elif self.part.quorum.may_stop:
            self.stop()
            self.log.tick_in(0)
        else:
            self.propose(log_bodies.SUSPEND, self.state.me not in self.state.matches.stopping)

    @command(
        N_("without"), N_("continue without the absent players, if everyone agrees"),
        (*PLAYERS, may_go_on), nothing,
    )  # fmt: skip
    def go_on_without(self) -> None:
        if self.person != self.state.me:
            self._wish(Wish.WITHOUT)
        else:
            self.part.wish_continuation()

    @command(
        N_("rewind"), N_("go back to the last turn that hid nothing, if all agree"),
        (seated, may_go_back), nothing,
    )  # fmt: skip
    def go_back(self) -> None:
        if self.person != self.state.me:
            self._wish(Wish.BACK)
        else:
            self.part.wish_to_go_back()

    def _wish(self, wish: Wish) -> None:
        """Wish for something, or take that back: this person's machine has the vote."""
        self.propose(log_bodies.WISH, int(wish), -1, self.person not in self.state.wishes.of(wish))

    @command(N_("continue"), N_("play on even though others want to stop for today"), PLAYERS, nothing)
    def play_on(self) -> None:
        if self.person == self.state.me and self.state.me in self.state.matches.stopping:
            self.propose(log_bodies.SUSPEND, False)
        elif not self.state.wishes.of(Wish.STOP) or seated(self):
            raise Refused(NOTHING_NEW)
        else:
            self.propose(log_bodies.WISH, int(Wish.STOP), -1, False)

    @command(
        N_("alone"), N_("continue on your own, separately from the others"),
        (own_player, leaderless), nothing,
    )  # fmt: skip
    def go_on_alone(self) -> None:
        try:
            self.log.take_over()
        except (FurtherCopy, UnheardCopy) as error:
            told = (
                N_("{name}'s copy of the table is further along. Let {name} take over.")
                if isinstance(error, FurtherCopy)
                else N_(
                    "We don't know yet how far along {name}'s copy of the table is. Try again in a "
                    "few seconds."
                )
            )
            raise Refused(told, name=self.state.roster.name_of(error.peer)) from error
        except LocalError as error:
            raise Refused(GOES_ON) from error

    @command(
        N_("substitute"), N_("let a bot play for an absent phone player: substitute NAME"),
        OWN_PLAYERS, seat_of_other,
    )  # fmt: skip
    def substitute(self, seat: int) -> None:
        place = self.state.roster.places[seat]
        light = self.state.roster.lights.get(place.person, log_bodies.Light.HERE)
        if place.peer != self.state.me or not place.companion or light is log_bodies.Light.HERE:
            raise Refused(
                N_("A bot can only play for an absent player who joined by phone through this laptop.")
            )
        self.propose(*log_bodies.as_said_by(place.companion, (log_bodies.LEAVE,)))

    def show_light(self, light: log_bodies.Light) -> bool:
        """Announce how this person's page is seen; return False while that's impossible."""
        return self.propose(log_bodies.LIGHT, int(light))

    # -- in the lobby -----------------------------------------------------------------------------

    @command(N_("ready"), N_("ready to play"), (seated, between), nothing)
    def ready(self) -> None:
        place = self.state.roster.place_of(self.person)
        self.propose(log_bodies.READY, not (place is not None and place.ready))

    @command(N_("name"), N_("change your name: name NEW"), (names_change,), new_name)
    def rename(self, name: str) -> None:
        roster, name = self.state.roster, composed(name)
        if not is_name(name):
            raise Refused(NO_NAME, n=MAX_NAME)
        if name == roster.name_of(self.person):
            raise Refused(NOTHING_NEW)
        if roster.is_taken(name, self.person):
            raise Refused(TAKEN, name=name)
        if self.propose(log_bodies.RENAME, name):
            self.be_called(name)

    @command(
        N_("colour"), N_("change your colour and mark, each 1 to 8: colour 3 5"),
        ANYBODY, hue_and_mark,
    )  # fmt: skip
    def choose_look(self, hue: int, mark: int) -> None:
        """Show this player in another colour and with another mark, by their numbers from 0."""
        self.propose(log_bodies.LOOK, hue, mark)

    @command(N_("start"), N_("start the match"), HOSTS, nothing)
    def start(self) -> None:
        rules = self.state.lobby.rules
        here = self.state.roster.here
        if not self.state.lobby.has_enough:
            raise Refused(N_("{game} needs at least {low} players."), game=rules.title, low=rules.seats[0])
        self.state.lobby.terms()  # refused with the reason why nothing can begin
        self.begin()
        waiting = tuple(place.name for place in here if not place.ready and place.person != self.person)
        if waiting:
            self.state.out.append(Notice(NOT_WAITED_FOR, {"names": waiting}, to=self.person))
        self.log.tick_in(0)

    @command(N_("option"), N_("change a house rule: option NAME=VALUE"), HOSTS, name_and_value)
    def set_option(self, name: str, value: str | int) -> None:
        lobby = self.state.lobby
        seats = known_seats(lobby.rules, lobby.seats)
        options = lobby.rules.options.parse({**lobby.options, name: value}, seats)
        self.propose(log_bodies.SET, options.plain())

    @command(
        N_("teams"), N_("play in teams: teams 2, or teams 0 for none"), (*HOSTS, team_game), count_of_teams
    )
    def set_teams(self, count: int) -> None:
        teams = self.state.lobby.rules.teams
        counts = (0, *(() if teams is None else teams.counts))
        if count not in counts:
            raise Refused(N_("The number of teams can be {counts}."), counts=", ".join(map(str, counts)))
        self.propose(log_bodies.TEAMS, count)

    @command(
        N_("team"), N_("join a team: team red, team any; draw lots as host: team lot"),
        (takes_part, between, in_teams), team,
    )  # fmt: skip
    def join_team(self, number: int | None) -> None:
        """Join a team by its number from 0, or any (-1); None has the teams of all drawn by lot."""
        if why := host(self) if number is None else seated(self):
            raise Refused(why[0], **why[1])
        if number is not None:
            self.propose(log_bodies.TEAM, number)
        else:
            self.propose(log_bodies.TEAM_LOT, _machine.token(16))

    @command(N_("game"), N_("play another game at this table: game NAME"), HOSTS, game)
    def choose_game(self, name: str) -> None:
        """Choose another game; a limit of its seats stays, as far as that game allows it."""
        try:
            rules = self.look_up(name).game
        except MessageError as error:
            raise Refused(error.message, **error.params) from error
        (low, high), lobby = rules.seats, self.state.lobby
        grows = lobby.seats == lobby.rules.seats[1]
        seats = high if grows else min(high, max(low, lobby.seats))
        self.propose(log_bodies.GAME, rules.name, rules.rules_id, seats, rules.options().plain())

    @command(N_("bots"), N_("seat your bots: bots easy,hard, or bots 0 for none"), HOSTS, bot_levels)
    def seat_bots(self, levels: Sequence[str]) -> None:
        state = self.state
        mine = {state.me} - state.roster.watchers.keys()  # a host may only watch
        people = {place.person for place in state.roster.here if place.own} | mine
        free = state.lobby.seats - len(people)
        if len(levels) > free:
            if len(state.roster.places) >= state.lobby.seats:
                raise Refused(
                    N_("All {n} seats are taken. Bots can only take free ones."), n=state.lobby.seats
                )
            raise Refused(NN_("There's room for {n} bot.", "There's room for {n} bots."), n=free)
        self.propose(log_bodies.BOTS, list(levels))

    # -- people and the door ----------------------------------------------------------------------

    @command(
        N_("admit"), N_("let in the TV or phone with these letters: admit WXPD"),
        (own_player, someone_knocks), letters,
    )  # fmt: skip
    def admit(self, shown: str) -> None:
        self._answer_knock(shown, yes=True)

    @command(
        N_("reject"), N_("turn away the TV or phone with these letters: reject WXPD"),
        (own_player, someone_knocks), letters,
    )  # fmt: skip
    def reject(self, shown: str) -> None:
        self._answer_knock(shown, yes=False)

    def _answer_knock(self, shown: str, *, yes: bool) -> None:
        knocks = self.part.knocks
        if knocks is None or not knocks.answer(shown, yes=yes):
            raise Refused(NOBODY_KNOCKS)
        self.state.out.append(LobbyChanged())
        self.log.tick_in(0)

    @command(N_("kick"), N_("remove a player: kick NAME"), (host,), somebody)
    def kick(self, person: bytes) -> None:
        self.propose(log_bodies.KICK, self._other(person))

    @command(N_("ban"), N_("remove a player for good: ban NAME"), (host,), somebody)
    def ban(self, person: bytes) -> None:
        self.propose(log_bodies.BAN, self._other(person), True)

    @command(N_("unban"), N_("let someone come back: unban NAME"), (host, some_banned), somebody_banned)
    def unban(self, person: bytes) -> None:
        banned = self.state.moderation.banned
        if person not in banned:
            raise Refused(N_("Banned: {names}."), names=", ".join(told_apart(banned).values()))
        self.propose(log_bodies.BAN, person, False)

    @command(N_("lock"), N_("lock the table"), (host, unlocked), nothing)
    def lock(self) -> None:
        self.propose(log_bodies.LOCK, True)

    @command(N_("unlock"), N_("unlock the table"), (host, locked), nothing)
    def unlock(self) -> None:
        self.propose(log_bodies.LOCK, False)

    @command(
        N_("mute"),
        N_("mute someone just for you (as host, for all): mute NAME"),
        ANYBODY,
        somebody,
    )
    def mute(self, person: bytes) -> None:
        self._silence(self._other(person), yes=True)

    @command(N_("unmute"), N_("unmute someone: unmute NAME"), ANYBODY, somebody)
    def unmute(self, person: bytes) -> None:
        self._silence(self._other(person), yes=False)

    def _silence(self, peer: bytes, *, yes: bool) -> None:
        """Silence someone's talk outside a seat, or hear it again: the host for all, others here.

        Texts belong to the match, so nobody can silence them for others: they're hidden here.
        """
        if host(self) is None:
            self.propose(log_bodies.MUTE, peer, yes)
            (self.ignored.add if yes else self.ignored.discard)(peer)
        elif (peer in self.ignored) is yes:
            raise Refused(NOTHING_NEW)
        else:
            (self.ignored.add if yes else self.ignored.discard)(peer)
            said = N_("You've muted {name}.") if yes else N_("You've unmuted {name}.")
            self.state.out.append(Notice(said, {"name": self.state.roster.name_of(peer)}, to=self.person))
            self.log.tick_in(0)

    @command(N_("code"), N_("change the code for newcomers"), (host, private), nothing)
    def change_code(self) -> None:
        self.propose(log_bodies.CODE, new_code())

    @command(N_("host"), N_("make someone here the host: host NAME"), (host,), somebody_seated)
    def hand_over(self, person: bytes) -> None:
        self.propose(log_bodies.HEIR, self._other(person))

    def _other(self, person: bytes) -> bytes:
        if person == self.person or not self.state.roster.belongs(person):
            raise Refused(N_("No one else here has that name."))
        return person
