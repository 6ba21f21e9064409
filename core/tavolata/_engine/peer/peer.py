"""A session at a table of peers: the agreed log, the table state, and this peer's part in both.

This module turns the log into one stream of updates, and handles this peer's arrival and departure. See
`session.TableSession`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.updates import Asked, Began, Closed, LobbyChanged, Notice, Update
from tavolata._engine.match.window_timing import TOO_LATE
from tavolata._engine.network.known_peers import KnownPeers
from tavolata._engine.network.log_driver import DriverEvent, LogDriver
from tavolata._engine.network.table_errors import (
    PlayedElsewhere,
    ReplicasDiffer,
    TableLost,
    TableRefused,
    TableRejoined,
)
from tavolata._engine.peer.compaction import Compaction
from tavolata._engine.peer.companions import Companion, Company
from tavolata._engine.peer.connection import Connection, SessionEnd
from tavolata._engine.peer.coordinator import Coordinator
from tavolata._engine.peer.credentials import Credentials
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.host_watch import HostWatch
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_links import PeerLinks
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.presence import Presence
from tavolata._engine.peer.table_news import NO_SEAT, TableNews
from tavolata._engine.peer.table_survey import TableSurvey
from tavolata._engine.peer.tasks import ANYTHING, Job, Wake, wake_of, work
from tavolata._engine.peer.way_keeper import WayKeeper
from tavolata._engine.plugins.loader import BrokenPlugin, NoSuchGame
from tavolata._engine.sessions.commands import TableCommands
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.shared import heard_by
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import NUMBER_SIZE
from tavolata._engine.table.lobby import LOOKS_ON
from tavolata._engine.table.moderation import EXPELLED, SHOWN_OUT
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import MessageError, Refused
from tavolata.messages import N_, Text
from tavolata_protocol.entries import Entry, EntryKind
from tavolata_protocol.grouplog import events as log_events
from tavolata_protocol.identity import PeerId

SUSPENDED: Final = N_(
    "Match suspended; no one has lost. Resume it with `tt resume` when enough of you are back."
)
SAVED: Final = N_("Match saved. Continue it with `tt resume`.")
LEFT_FOR_GOOD: Final = N_("You have left the match for good.")


class PeerSession(TableSession):
    """One peer's place at a table; `host` is where a guest reached the host, `met` the peers known before."""

    __slots__ = ("commands",)  # an attribute, where a session has a property

    def __init__(
        self,
        log_driver: LogDriver,
        me: bytes,
        library: GameLibrary,
        settings: PeerSettings,
        host: tuple[PeerId, tuple[Any, ...]] | None = None,
        met: KnownPeers | None = None,
        keep_name: Callable[[str], object] | None = None,
    ) -> None:
        self._log_driver = log_driver
        self._library = library
        self._settings = settings
        self._met = KnownPeers() if met is None else met
        self._link = TableLink(log_driver)
        self._machine = Machine(library, me, settings, self._link)
        self._connection = Connection(log_driver, self._machine, settings, self._link)
        self.state = self._machine.state
        known = {} if settings.resumes is None else settings.resumes.addresses
        addresses = {PeerId(bytes.fromhex(peer)): tuple(address) for peer, address in known.items()}
        self._connections = PeerLinks(log_driver, self.state, addresses | dict([host] if host else []))
        self._way = WayKeeper(log_driver, self.state, self._connections, settings)
        self._credentials = Credentials(self._link, log_driver, self.state, library, settings, keep_name)
        self._told = TableNews(log_driver, self._machine)
        presence = Presence(self.state, self._link)
        self._coordinator = Coordinator(self._link, self.state, settings, presence)
        self._watch = HostWatch(self._link, self.state)
        self.commands: TableCommands = TableCommands(
            self.state, self._machine, log_driver, self._met, library.look_up, self._coordinator.begin,
            self._link.propose, self._leave, self._connection.suspend, self._credentials.be_called,
            self.state.me,
        )  # fmt: skip
        self._mine: list[Ask] = []
        self._company = Company(self._machine, self._link, settings.waits.unserved)
        self._survey = TableSurvey(
            self._machine, self.commands, self._company.serving, library, self._met, log_driver, settings,
            presence,
        )  # fmt: skip
        self._compaction = Compaction(log_driver, self.state, self._link.heads)
        self._jobs: tuple[Job, ...] = (
            Job(ANYTHING, lambda: self._connection.introduce(self._credentials.say_edition), always=True),
            Job(ANYTHING, self._connections.look_after, always=True),
            Job(Wake.ENTRY | Wake.NET, self._way.work),  # before this machine says anything in a match
            Job(Wake.ENTRY | Wake.TIME, self._credentials.work),
            Job(Wake.ENTRY | Wake.TIME, self._company.attend),
            Job(Wake.ENTRY | Wake.TIME, self._company.watch_drawn),
            Job(Wake.ENTRY | Wake.TIME, self._company.serving.work),
            Job(Wake.MOVE | Wake.ENTRY | Wake.TIME, presence.look),
            Job(Wake.ENTRY | Wake.TIME, self._machine.prepare),
            Job(Wake.MOVE | Wake.ENTRY | Wake.TIME, self._machine.work),
            Job(Wake.TIME, self._told.say_who_is_apart),
            Job(Wake.ENTRY | Wake.TIME, self._coordinator.work),
            Job(Wake.TIME, self._watch.work),
            Job(Wake.MOVE | Wake.ENTRY | Wake.TIME, self._connection.see_whether_to_stop),
        )
        log_driver.tick_in(0)

    # -- what `TableSession` promises ---------------------------------------------------------------

    @property
    @override
    def package(self) -> str:
        return self._library.loaded.info.package

    @property
    @override
    def game(self) -> str:
        return self._library.loaded.info.name

    @property
    @override
    def match(self) -> Match | None:
        return self.state.matches.match

    @property
    @override
    def match_file(self) -> Path | None:
        return self._machine.match_file

    @property
    @override
    def names(self) -> tuple[str, ...]:
        return tuple(place.name for place in self.state.roster.places)

    @property
    @override
    def lately_gone(self) -> tuple[str, ...]:
        return self.state.roster.lately_gone(self._log_driver.now())

    @property
    @override
    def looks(self) -> tuple[tuple[int, int] | None, ...]:
        roster, last = self.state.roster, self.state.matches.last
        if last is None:
            return tuple(map(roster.look_of, range(len(roster.places))))
        played = zip(last.persons, last.header.bots, strict=True)
        return tuple(roster.looks.get(person) if level is None else None for person, level in played)

    @override
    def choose_look(self, seat: int, hue: int, mark: int) -> None:
        self.commands.choose_look(hue, mark)

    @property
    @override
    def attended(self) -> bool:
        return self._settings.level is None

    @property
    @override
    def people(self) -> tuple[int, ...]:
        return self._company.seats_of(self.state.me)

    @override
    def look_back(self, look: Callable[[], object]) -> None:
        self.state.matches.look = lambda: None if self._connection.is_here else look()

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        connection = self._connection
        try:
            async for event in self._log_driver.events():
                self._on(event)
                if not connection.is_here:
                    connection.keep_patience()
                    for notice in connection.who_is_missing():
                        yield notice
                    if connection.is_going:
                        return
                    continue
                for update in self._news():
                    for one in self._company.people:
                        one.tell(update)
                    if (own := self._as_heard(update)) is not None:
                        yield own
                if self._is_done:
                    connection.go_as(SessionEnd.OUT)
                if connection.is_going or self.state.lobby.closed:
                    connection.say_how_it_ended()
                    if not connection.is_going:
                        connection.go_as(SessionEnd.SHOWN_OUT)
                    return
        except (TableRejoined, PlayedElsewhere):
            connection.fall()  # its copy stays, and it comes back with it at once, or is another's
            raise
        except (TableRefused, TableLost, ReplicasDiffer, NoSuchGame, BrokenPlugin):
            connection.go_as(SessionEnd.SHOWN_OUT)
            raise
        except (asyncio.CancelledError, GeneratorExit):
            connection.cut_off()
            raise
        except BaseException:
            connection.fall()
            raise
        finally:
            for one in self._company.people:
                one.close()
            await _undisturbed(connection.go(self._on, self._way.work))

    def _as_heard(self, update: Update) -> Update | None:
        roster = self.state.roster
        return heard_by(
            update, self.state.me, roster.name_of, roster.person_at, self.people, self.commands.ignored
        )

    # -- whom this machine serves ---------------------------------------------------------------------

    @contextlib.contextmanager
    def serve(
        self, tag: bytes, name: str, keep_name: Callable[[str], object], *, watch: bool
    ) -> Iterator[TableSession]:
        """Return the session of a person that this machine serves, until it leaves.

        `tag` has 16 bytes, the same on another evening. Raise `TableLost` if the table is over for this
        machine.
        """
        if self._connection.is_going:
            raise TableLost(N_("The table is closed."))
        one = Companion(
            self, self._company, self.state.me + tag, name, watch=watch, facts=self._survey.facts,
            keep_name=keep_name, still_open=self._still_open,
        )  # fmt: skip
        one.commands = TableCommands(
            self.state, self._machine, self._log_driver, self._met, self._library.look_up,
            self._coordinator.begin, one.propose, lambda _: one.close(), one.close, one.be_called, one.person,
        )  # fmt: skip
        self._company.people.append(one)
        self._nudge()
        try:
            yield one
        finally:
            self._company.people.remove(one)
            if not self._connection.is_going:
                one.leave()
                self._nudge()

    def name_served(self, tag: bytes) -> str:
        """Return the name of the person with this tag, who plays or watches by this machine, or ""."""
        person, roster = self.state.me + tag, self.state.roster
        return roster.name_of(person) if roster.belongs(person) else ""

    @override
    def input_ended(self) -> bool:
        """Leave after the match: after the end of input, the player can't act any more."""
        self._settings.stays = False
        self._log_driver.tick_in(0)
        waits = (
            self.state.roster.host == self.state.me
            and not self.state.matches.running
            and not self._settings.at_once
        )
        return not (waits and self.state.matches.played == 0)

    @override
    def answer(self, ask: Ask, answer: Answer) -> None:
        self._machine.playing.answer(ask, answer)

    @override
    def drawn(self, window: int) -> None:
        self._company.drawn_by(window, self.state.me)

    @override
    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        timing = self._machine.timing
        here = (one for one, _ in self._company.seats_here())
        if timing is None or not self.state.matches.running or seat not in here:
            raise Refused(TOO_LATE)
        timing.react(window, seat, answer, milliseconds)

    @override
    def interject(self, seat: int, name: str, value: Any) -> None:
        self._machine.playing.interject(seat, name, value)

    @override
    def take_back(self, seats: tuple[int, ...] | None = None) -> None:
        self._machine.playing.take_back(self.people if seats is None else seats)

    @override
    def say(self, text: str, to: Sequence[int] = (), seat: int | None = None) -> None:
        self._company.say(text, to, seat, self.state.me, self._link.propose)

    @override
    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        return self._survey.lines()

    @override
    def table(self) -> TableFacts:
        return self._survey.facts(self.state.me)

    @property
    def is_resumable(self) -> bool:
        """Return True if this machine goes, or has gone, and `tt resume` leads back to its match."""
        return self._connection.is_resumable

    @property
    def is_suspended(self) -> bool:
        return self._connection.end is SessionEnd.SUSPENDED

    @property
    def is_needed(self) -> bool:
        """Return True if the match waits while this machine is away, as far as is known here."""
        return self._machine.is_needed

    @override
    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        if self.is_resumable and self._connection.end is not SessionEnd.OUT:
            return (SUSPENDED if self.is_suspended else SAVED), {}
        left = self._connection.end is SessionEnd.LEFT
        return (LEFT_FOR_GOOD, {}) if left else self._survey.how_to_return()

    @override
    def stirred(self) -> None:
        self._company.serving.stirred_at = self._link.now()
        self._company.stirred(self.state.me)

    def called_from_afar(self, host: str) -> None:
        """Report a call from outside this machine's networks, which was not answered."""
        self._told.tell(
            N_("{host} is trying to connect from another network. This table only accepts connections "
                "from its own network."),
            wrong=True, host=host,
        )  # fmt: skip
        self._nudge()

    def note(self, lines: Sequence[Text]) -> None:
        """Report news of this machine to its player, and to nobody else at the table."""
        for line in lines:
            self._told.tell(line.message, own=True, **line.params)
        self._nudge()

    # -- what comes in ------------------------------------------------------------------------

    @property
    def _is_done(self) -> bool:
        """Return True if this peer leaves on its own: the match is over and it was to play no other."""
        over = self.state.matches.played > 0 and not self.state.matches.running
        going = self._connection.is_going
        return not self._settings.stays and over and not going and self._machine.is_end_confirmed

    def _on(self, event: DriverEvent) -> None:
        self._connections.on(event)
        wake = wake_of(event)
        match event:
            case log_events.Final(entry):
                is_left_out = self._connection.falls.leaves_out(entry.number)
                if is_left_out:
                    self._machine.hold()
                self._machine.final(self._link.heads.last, entry.wire)
                if entry.kind is not EntryKind.APPLICATION:
                    self.state.roster.leader = entry.author  # only leaders make entries of these kinds
                elif not is_left_out:
                    with self._connection.falls.noted(entry.number):
                        wake = Wake.MOVE if self._on_entry(entry) else wake
                    self._connection.falls.check(entry)
                self._link.heads.note(entry.number, entry.chain)
                if wake is not Wake.MOVE:
                    self._compaction.after()
            case log_events.SnapshotInstalled(number, data):
                was_here = self._connection.is_here
                self._begin_with(number, data)  # the entries that follow belong to that state
                if was_here and not self._connection.is_going:
                    raise TableLost(N_("You've left. The others are still playing; rejoin with `tt join`."))
            case _:
                self._told.on(event, caught_up=self._connection.is_here, leaving=self._connection.is_going)
        work(self._jobs, wake, lambda: self._connection.is_here and not self._connection.is_going)

    def _begin_with(self, number: int, data: bytes) -> None:
        """Begin with the state of the table after that entry, since the log begins there.

        Raise `TableLost` if this machine can't continue with that state.
        """
        self._machine.close()  # the file of a match that was still being played in its own copy of the log
        try:
            head = table_snapshot.install(self.state, data, self._library.rules)
        except MessageError as error:
            raise TableLost(error.message, **error.params) from error
        self._library.take(self.state.lobby.rules.name)
        self._link.heads.note(number, head[NUMBER_SIZE:])

    def _on_entry(self, entry: Entry) -> bool:
        """Act on an entry; return True if it was a move in a match that runs on, and nothing else."""
        connection, before = self._connection, self._at_stake()
        was, is_play = connection.is_here, log_bodies.is_play(entry.body)
        deals = entry.author in {place.peer for place in self.state.roster.places}
        if deals and self._link.heads.contradicts(entry.body):
            self._told.tell(
                N_("{name}'s log differs from yours. Either {leader} is sending two versions, or {name} "
                   "isn't honest."),
                wrong=True, name=self.state.roster.name_of(entry.author),
                leader=self.state.roster.name_of(self._log_driver.log.leader or b""),
            )  # fmt: skip
        if not is_play:
            self._compaction.before(entry)
        self.state.apply(Stamp(entry.author, entry.chain, entry.lineage), entry.body)
        self._library.take(self.state.lobby.rules.name)
        self._watch.on_entry(entry.author)
        self._see_whether_shown_out(entry)
        self._machine.compare(entry.number)
        if (running := self.state.matches.running) is not None:
            running.persons = tuple(place.person for place in self.state.roster.places)
        if connection.is_here and not was:
            self._arrive()
        if not is_play:
            self._credentials.show()
            self._coordinator.see(entry)
        if was and self.state.matches.difference is not None:
            connection.is_void = True
        return is_play and before[0] is not None and self._at_stake() == before

    def _at_stake(self) -> tuple[object, ...]:
        """Return everything beside the match itself that a move can change, and that some job looks at."""
        matches = self.state.matches
        return matches.running, matches.barrier, matches.has_part, self.state.roster.host

    def _see_whether_shown_out(self, entry: Entry) -> None:
        """Raise `TableLost` if this peer was shown out or expelled, `TableRefused` if it wasn't let in."""
        if self.state.me not in self.state.moderation.shown_out:
            return
        if self._connection.is_here:
            self._log_driver.apart = is_expelled = self.state.me in self.state.moderation.expelled
            raise TableLost(EXPELLED if is_expelled else SHOWN_OUT)
        if entry.author == self.state.me and self._connection.nonce in entry.body:  # that was its own request
            raise TableRefused(self.state.moderation.why_not_enter(self.state.me) or SHOWN_OUT)

    def _arrive(self) -> None:
        """Show the present state after the log was read up to this peer's arrival; a match has its past."""
        past = [*self.state.out]
        begins = max((at for at, one in enumerate(past, 1) if isinstance(one, Began)), default=0)
        self.state.out.clear()
        self.state.out.append(LobbyChanged(whole=True))
        self._told.say_what_was_damaged()
        if (held := self._connection.falls.held) is not None:
            self.state.out.append(held)
        if (running := self.state.matches.running) is not None:
            told = tuple(own for one in past[begins:] if (own := self._as_heard(one)) is not None)
            self.state.out.append(Began(running.match, again=True, past=told))
        if self.state.matches.is_without(self.state.me):
            self.state.out.append(
                Notice(LOOKS_ON, {"name": self.state.roster.name_of(self.state.me)}, wrong=True)
            )
        waits = self.state.me in self.state.lobby.chairs.queue
        if self.state.roster.place_of(self.state.me) is None and not self._settings.watch and not waits:
            raise TableRefused(NO_SEAT)

    def _news(self) -> list[Update]:
        """Return what happened since, and the questions that are new or need no answer any more."""
        timing = self._machine.timing
        news = [] if timing is None else timing.closings()
        news += self.state.out
        self.state.out.clear()
        self.state.roster.note_names(self._log_driver.now())
        began = any(isinstance(one, Began) for one in news)
        if began:
            self._met.played_with((place.name, PeerId(place.peer)) for place in self.state.roster.people())
        here = tuple(seat for seat, _ in self._company.seats_here())
        match = self.state.matches.match
        still = [] if match is None else match.source.open
        gone = [ask for ask in self._mine if ask.seat not in here or ask not in still]
        self._mine = [ask for ask in self._mine if ask not in gone]
        if not began:  # else they were about the match before, and no time ran out
            news += [
                Closed(ask, late=ask.answer is not None or ask.box is not None)
                for ask in gone
                if self._machine.owes(ask)
            ]
        new = self._machine.new_asks()
        for ask in still:
            if ask.seat in here and self._machine.owes(ask) and ask not in self._mine:
                self._mine.append(ask)  # new, or its player has come back to it
                news.append(Asked(ask, mine=True))
            elif ask in new:
                news.append(Asked(ask, mine=False))
        if timing is not None:
            news += timing.opening(here)
        return news

    def _still_open(self) -> list[Update]:
        """Return the open questions and window, for someone who comes to a seat in mid-match."""
        here, match = tuple(seat for seat, _ in self._company.seats_here()), self.state.matches.match
        told: list[Update] = []
        for ask in [] if match is None else match.source.open:
            mine = ask.seat in here and self._machine.owes(ask)
            if mine and ask not in self._mine:
                self._mine.append(ask)  # asked while nobody was there
            told.append(Asked(ask, mine=mine))
        window = None if self._machine.timing is None else self._machine.timing.still_open(here)
        return told if window is None else [*told, window]

    # -- what this peer has to say ---------------------------------------------------------------

    def _nudge(self) -> None:
        self._log_driver.tick_in(0)

    def _leave(self, word: OwnWord) -> None:
        for_good = word is OwnWord.LEFT and self.commands.for_good() is not None
        self._connection.go_as(SessionEnd.LEFT if for_good else SessionEnd.OUT)


async def _undisturbed(leaving: Coroutine[Any, Any, None]) -> None:
    """Leave to the end, even if whoever reads is cancelled meanwhile; a second time ends that, too."""
    going = asyncio.ensure_future(leaving)
    try:
        await asyncio.shield(going)
    except asyncio.CancelledError:
        await going
        raise
