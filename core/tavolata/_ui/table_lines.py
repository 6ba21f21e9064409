"""The typed commands for a table of peers, and the calls that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tavolata._engine.match.seating import read_bots
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_commands import Decision, TableCommand, TableCommands
from tavolata._text import one_line
from tavolata._ui.talk import begins_with
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.teams import TYPED

if TYPE_CHECKING:
    from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts

SEATS = N_("seats")
"""The command that prints the lobby again; the frontend carries it out, not the table."""
ANY, LOT = N_("any"), N_("lot")
"""The words for no certain team, and for a draw."""
NAME_AND_VALUE = N_("A house rule is said as NAME=VALUE, not {words}.")
_WORDS: Mapping[TableCommand, tuple[str, str]] = {
    TableCommand.QUIT: (N_("quit"), N_("leave the table; you may come back to a match that goes on")),
    TableCommand.LEAVE: (N_("leave"), N_("leave the table and the match for good; asked twice")),
    TableCommand.CONFIRM: (
        N_("confirm"),
        N_("say whether the new key of a player is really theirs: confirm NAME"),
    ),
    TableCommand.WAIT: (N_("wait"), N_("wait for the player who is away: wait NAME")),
    TableCommand.BOT: (N_("bot"), N_("let a bot of the host play for a player who is away: bot NAME")),
    TableCommand.END: (N_("end"), N_("vote for the end of the match; say it again to take that back")),
    TableCommand.NUDGE: (N_("nudge"), N_("ask a player who says nothing for long: nudge NAME")),
    TableCommand.SUSPEND: (
        N_("suspend"),
        N_("stop the match for today: `tt resume` goes on with it; nobody loses"),
    ),
    TableCommand.WITHOUT: (
        N_("without"),
        N_("go on without the missing in a new match, if all who are here say so"),
    ),
    TableCommand.ALONE: (
        N_("alone"),
        N_("go on without those who are gone: if they go on, too, it is apart"),
    ),
    TableCommand.READY: (N_("ready"), N_("say that you are ready")),
    TableCommand.NAME: (N_("name"), N_("be called otherwise, from now on: name NEW")),
    TableCommand.COLOUR: (N_("colour"), N_("be shown with another colour and mark, each 1 to 8: colour 3 5")),
    TableCommand.START: (N_("start"), N_("begin the match")),
    TableCommand.OPTION: (N_("option"), N_("change a house rule: option NAME=VALUE")),
    TableCommand.TEAMS: (N_("teams"), N_("play in teams: teams 2, or teams 0 for none")),
    TableCommand.TEAM: (N_("team"), N_("join a team: team red, or team any; the host may draw: team lot")),
    TableCommand.GAME: (N_("game"), N_("play another game at this table: game NAME")),
    TableCommand.BOTS: (N_("bots"), N_("seat bots of yours: bots easy,hard, or bots 0 for none")),
    TableCommand.KICK: (N_("kick"), N_("show somebody out: kick NAME")),
    TableCommand.BAN: (N_("ban"), N_("show somebody out for good: ban NAME")),
    TableCommand.UNBAN: (N_("unban"), N_("let somebody come back: unban NAME")),
    TableCommand.LOCK: (N_("lock"), N_("let nobody new in")),
    TableCommand.UNLOCK: (N_("unlock"), N_("let newcomers in again")),
    TableCommand.MUTE: (N_("mute"), N_("silence somebody's talk, for all if you are the host: mute NAME")),
    TableCommand.UNMUTE: (N_("unmute"), N_("hear somebody again: unmute NAME")),
    TableCommand.CODE: (N_("code"), N_("make another code for newcomers")),
    TableCommand.HOST: (N_("host"), N_("give the table to somebody who sits here: host NAME")),
}
DECISIONS: Mapping[TableCommand, Decision] = {
    TableCommand.WAIT: "wait",
    TableCommand.BOT: "bot",
}


class TableLines:
    """The commands that can be typed at a table of peers; none at other tables.

    `tell` prints the whole lobby. `ask_key` asks if a new key is really someone's; None takes it unasked.
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
        """Return every command and its description, as message ids; some do nothing now, and say so."""
        commands = self._session.commands
        if commands is None:
            return {}
        said = {word: what if commands.why_not(one) is None else "" for one, (word, what) in _WORDS.items()}
        return {SEATS: N_("who sits where"), **said}

    def do(self, word: str, rest: str) -> None:
        """Carry out one of these commands, a message id, with the rest of the line.

        Raise `Refused` if the command is not possible now, or the rest of the line makes no sense.
        """
        asked, self._asked = self._asked, ""
        if word == SEATS:
            self._tell()
            return
        commands, facts = self._session.commands, self._session.table()
        if commands is None or facts is None:
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=word)
        command = TableCommand(word)
        if (why := commands.why_not(command)) is not None:
            raise Refused(why[0], **why[1])
        why = commands.for_good() if command is TableCommand.LEAVE else None
        if why is not None and asked != why[0]:
            self._asked = why[0]
            raise Refused(why[0], **why[1])
        if command is TableCommand.CONFIRM and self._ask_key is not None:
            self._ask_key(_new_key(rest, facts))
            return
        _meant(command, rest, facts, self._say)(commands)


def _name_and_words(rest: str, names: Sequence[str]) -> tuple[str, str]:
    """Split a line into the name at its beginning and the words after it; raise `Refused` without one."""
    if (found := begins_with(rest, names)) is not None:
        return found
    if not names:
        raise Refused(N_("Nobody else sits here."))
    raise Refused(N_("Say who: {names}."), names=", ".join(names))


def _team(word: str, facts: TableFacts, say: Callable[[str], str]) -> Callable[[TableCommands], object]:
    """Return the call for the word of a team, in English or in the person's language."""
    if word in (LOT, say(LOT)):
        return lambda table: table.draw_teams()
    if word in (ANY, say(ANY)):
        return lambda table: table.join_team(-1)
    for words in (said := say(TYPED).split()[: facts.teams], TYPED.split()[: facts.teams]):
        if word in words:
            return lambda table: table.join_team(words.index(word))
    raise Refused(N_("Say which team: {names}."), names=", ".join([*said, say(ANY), say(LOT)]))


def _meant(
    command: TableCommand, rest: str, facts: TableFacts, say: Callable[[str], str]
) -> Callable[[TableCommands], object]:
    """Return the call that a line stands for; raise `Refused` if the rest of it makes no sense."""
    match command:
        case TableCommand.QUIT:
            return lambda table: table.quit()
        case TableCommand.LEAVE:
            return lambda table: table.leave()
        case TableCommand.READY:
            return lambda table: table.ready()
        case TableCommand.NAME:
            name = " ".join(rest.split())
            if not name:
                raise Refused(N_("Say how you want to be called: name NEW."))
            return lambda table: table.rename(name)
        case TableCommand.COLOUR:
            numbers = [int(one) for one in rest.split() if one in set("12345678")]
            if len(numbers) != 2 or len(rest.split()) != 2:
                raise Refused(N_("Say a colour and a mark by their numbers, 1 to 8: colour 3 5."))
            hue, mark = numbers
            return lambda table: table.choose_look(hue - 1, mark - 1)
        case TableCommand.START:
            return lambda table: table.start()
        case TableCommand.ALONE:
            return lambda table: table.go_on_alone()
        case TableCommand.OPTION:
            name, equals, value = rest.partition("=")
            if not equals:
                raise Refused(NAME_AND_VALUE, words=one_line(rest, 60))
            return lambda table: table.set_option(name.strip(), value.strip())
        case TableCommand.TEAMS:
            if not rest.isdecimal():
                raise Refused(N_("Say how many teams, as in: teams 2."))
            return lambda table: table.set_teams(int(rest))
        case TableCommand.TEAM:
            return _team(rest.casefold(), facts, say)
        case TableCommand.GAME:
            if not rest:
                raise Refused(N_("Say which game, as in: game zompa. `tt games` lists them."))
            return lambda table: table.choose_game(rest.lower())
        case TableCommand.BOTS:
            levels = read_bots(rest or "0", facts.levels)
            return lambda table: table.seat_bots(levels)
        case TableCommand.LOCK | TableCommand.UNLOCK:
            return lambda table: table.lock(yes=command is TableCommand.LOCK)
        case TableCommand.CODE:
            return lambda table: table.change_code()
        case TableCommand.UNBAN:
            freed, _ = _name_and_words(rest, facts.banned)
            return lambda table: table.unban(freed)
        case TableCommand.HOST:
            heir, _ = _name_and_words(rest, [seat.name for seat in facts.taken if not seat.mine])
            return lambda table: table.hand_over(heir)
        case TableCommand.KICK | TableCommand.BAN | TableCommand.MUTE | TableCommand.UNMUTE:
            other, _ = _name_and_words(
                rest, [*(seat.name for seat in facts.taken if not seat.mine), *facts.watchers]
            )
            return {
                TableCommand.KICK: lambda table: table.kick(other),
                TableCommand.BAN: lambda table: table.ban(other),
                TableCommand.MUTE: lambda table: table.mute(other, yes=True),
                TableCommand.UNMUTE: lambda table: table.mute(other, yes=False),
            }[command]
        case TableCommand.CONFIRM:
            whose = _new_key(rest, facts)
            return lambda table: table.confirm(whose.name)
        case TableCommand.NUDGE:
            names = [seat.name for seat in facts.taken if not seat.mine]
            silent, _ = _name_and_words(rest, names)
            place = next(at for at, seat in enumerate(facts.taken) if seat.name == silent)
            return lambda table: table.nudge(place)
        case TableCommand.SUSPEND:
            return lambda table: table.suspend()
        case TableCommand.WITHOUT:
            return lambda table: table.go_on_without()
        case TableCommand.END:
            return lambda table: table.end()
        case TableCommand.WAIT | TableCommand.BOT:
            seat = _away(rest, facts)
            return lambda table: table.decide(DECISIONS[command], seat)


def _new_key(name: str, facts: TableFacts) -> SeatFacts:
    """Return the named player with a new key, or the only one; raise `Refused` without one."""
    changed = [seat for seat in facts.taken if seat.has_new_key]
    if not changed:
        raise Refused(N_("Nobody here has another key than before."))
    wanted = _plain(name)
    if not wanted and len(changed) == 1:
        return changed[0]
    found = next((one for one in changed if one.name.casefold() == wanted), None)
    if found is None:
        names = ", ".join(one.name for one in changed)
        raise Refused(N_("Say whose new key is really theirs: {names}."), names=names)
    return found


def _away(name: str, facts: TableFacts) -> int:
    """Return the seat that is named, or the only seat with an absent player."""
    absent: dict[int, SeatFacts] = {
        at: seat for at, seat in enumerate(facts.taken) if seat.state in ("away", "stand-in")
    }
    if not absent:
        raise Refused(N_("Everybody is here and plays."))
    wanted = _plain(name)
    found = [at for at, seat in absent.items() if seat.name.casefold() == wanted] or [
        at for at, seat in absent.items() if seat.name.casefold().startswith(wanted)
    ]
    if len(found) == 1:
        return found[0]
    names = ", ".join(seat.name for seat in absent.values())
    raise Refused(N_("Say who of those who are away: {names}."), names=names)


def _plain(name: str) -> str:
    return name.removeprefix("@").casefold()
