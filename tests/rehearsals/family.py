"""An evening from its plan: each machine runs the real program, from `tt host` to `tt verify`."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from time import process_time
from typing import Any, cast

from msgspec.structs import replace
from tests.core.ui.conversation import checked
from tests.network.equivocating import TwoFacedSession
from tests.rehearsals.disk import Died, MemoryDisk
from tests.rehearsals.flips import flip, passes_flipped
from tests.rehearsals.laptops import EPOCH, Laptop, Power, here
from tests.rehearsals.loop import Hung
from tests.rehearsals.people import AtLines, AtScreen, Person, Phone, Ways
from tests.rehearsals.plan import OF_HOSTS, OF_PHONES, Act, Deed, Face, Moment, Plan, Seat
from tests.rehearsals.secrecy import leak
from tests.rehearsals.sessions import SESSIONS
from tests.rehearsals.vows import Output, Vows, lie
from tests.rehearsals.world import World, begun

from tavolata import _dirs
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.match.campaign import new_campaign
from tavolata._engine.match.header import WAIT, Header
from tavolata._engine.match.match import Match
from tavolata._engine.network.joining import TableAccess, TableCard, join_table, open_table, resume_table
from tavolata._engine.network.table_errors import (
    HasLeft,
    NothingKept,
    TableLost,
    TableRefused,
    TableRejoined,
    Unreachable,
)
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.review.table_match import ENDS_EARLY
from tavolata._engine.review.verify import check
from tavolata._engine.storage import match_file
from tavolata._engine.storage.ways_back import WayBack, WayFile, way_files
from tavolata._engine.table.table_keys import new_keys
from tavolata._machine import disk
from tavolata._ui.i18n import Translator
from tavolata._web.seats import PAGE_FAILED, WebAccess
from tavolata.asks import Ask
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata_protocol.addresses import Address
from tavolata_protocol.entries import Entry
from tavolata_protocol.grouplog import GroupLog, State
from tavolata_protocol.io.interfaces import spoken
from tavolata_protocol.messages import log as wire

PORT = 8286
FILES = Path(__file__).parents[2] / "examples" / "games"
SHOWN_BY = {
    wire.Join: Moment.JOINS, wire.Vote: Moment.STANDS, wire.Voted: Moment.VOTES,
    wire.FetchChunks: Moment.LEARNS, wire.Offer: Moment.TEACHES, wire.HandOver: Moment.HANDS_OVER,
}  # fmt: skip
NAMES = ("Host", "Ann", "Bob", "Cy", "Dot", "Eve")
HEALING = 300.0
"""Seconds after healing in which every match must end, be suspended, or say what is missing."""
STANDSTILL = 90.0
"""Seconds without a move after which a match stands still."""
MOST_IN_A_SECOND = 4000
"""Entries of the log that a machine may take in a second, far more than people and dealing need."""
LOBBY_PATIENCE = 60.0
"""Seconds until people start a match without waiting for someone who is missing."""
USUAL, NARROW = 1500, 1000
"""The MTU of a way, and of one that has become narrow, in bytes with headers."""
SOON = 30.0
"""Seconds in which machines that reach each other find out who is there, and go on."""
LATELY = 10
"""Seconds in which a machine gets what is final on another one."""
SCHEMA_EVERY = 16
"""So many lines are shown until one of an NDJSON face is compared with the published schema."""
ASKED = 20.0
"""Seconds within which everybody sees a question that waits for their answer."""
AGREED = 15.0
"""Seconds within which a match begins that all who are to play it have agreed on."""
EVERY = 8
"""The digests of replicas are compared at every so many entries, since a digest costs more than a move."""


@cache
def catalogue() -> Catalogue:
    """Return the games of this Python and the examples, found once for all evenings on no table's machine."""
    nowhere = Laptop("nowhere", "", random.Random(0), MemoryDisk(lambda: EPOCH), lambda: 0.0)
    known = Catalogue()
    nowhere.within(known.games)
    for rules in sorted(FILES.glob("*/rules.py")):
        nowhere.within(known.game, str(rules))
    return known


def library(game: str) -> GameLibrary:
    known = catalogue()
    return GameLibrary(game, lambda name: (known.game(name), known.bots(name)), known.games)


@dataclass(frozen=True)
class Broken:
    """A property that did not hold: its name, whose machine, and what was seen."""

    name: str
    who: str
    seen: str

    def __str__(self) -> str:
        return f"{self.name} ({self.who}): {self.seen}"


@dataclass
class Report:
    """How an evening went."""

    plan: Plan
    broken: list[Broken] = field(default_factory=list)
    story: list[tuple[float, str]] = field(default_factory=list)
    ends: dict[str, str] = field(default_factory=dict)
    """By machine, how its last session ended."""
    trace: str = ""
    cpu: float = 0.0
    seconds: float = 0.0
    """Of table time."""
    steps: int = 0
    datagrams: int = 0
    matches: int = 0
    """The matches of which a file was left, and how many of them are over: `finished`."""
    finished: int = 0
    met: set[tuple[str, str]] = field(default_factory=set)
    """Each deed with the phase in which it was done."""


class Evening:
    """Plays a plan. `hear` gets a line of the story, for `--say`."""

    def __init__(self, plan: Plan, hear: Callable[[float, str], object] = lambda at, line: None) -> None:
        self.plan = plan
        self.world = World(plan.seed)
        self.report = Report(plan)
        self._listener = hear
        self._output = Output(sys.stdout, self.break_)
        self._vows = Vows(plan, self.break_, lambda: self.world.loop.clock)
        self._vows.when_sent = self._sent
        self._liar = self._vows.liar = "" if plan.lie is None else NAMES[plan.liar]
        """The machine of which nothing is asked."""
        self._tasks: dict[str, asyncio.Task[str]] = {}
        self._people: dict[str, list[Person]] = {}
        self._sessions: dict[str, PeerSession] = {}
        self._phone_comes: dict[str, Callable[[], None]] = {}
        """By machine, how one more person with a telephone comes to it."""
        self._digests: dict[tuple[int, bytes], tuple[str, bytes]] = {}
        self._lines = 0
        self._told: dict[str, tuple[str, int]] = {}
        """By machine, its match and how many sentences it has told of it."""
        self._stories: dict[tuple[str, int, bytes], tuple[str, str]] = {}
        self._applied: Counter[str] = Counter()
        self._in_second: Counter[tuple[str, int]] = Counter()
        """By machine and second, how many entries of the log it has taken."""
        self._moved_at: dict[str, float] = {}
        self._away_since: dict[str, float] = {}
        """By machine that counts as away though it is there, since when."""
        self._hampered: dict[str, float] = {}
        """By machine, when it was last off, asleep or cut off from another one."""
        self._heights: dict[str, deque[int]] = {}
        """By machine that leads, how many entries were final there in each of the last seconds."""
        self._away: dict[tuple[str, int], float] = {}
        """By machine and party, since when that counts as away there, although it is there."""
        self._waits: dict[tuple[str, str], float] = {}
        """By machine and what should not last, since when that is so."""
        self._dead_phones: set[str] = set()
        self._began: asyncio.Event | None = None
        self._spoilt: dict[int, Deed] = {}
        """What has happened to the files of machines when they come back."""
        self._has_flipped: set[str] = set()
        self._moments: set[Moment] = set()
        self._is_healed = False
        self._keeps_names = not {Deed.RENAME, Deed.PHONE_RENAMES} & {
            *(act.what for act in plan.acts), *(one for seat in plan.seats for one in seat.habits)
        }  # fmt: skip
        """Whether everybody sits under their first name."""
        self._goes_back = False
        """Everyone who resumes says `tt resume --back`."""

    # -- what is told -----------------------------------------------------------------------------

    def say(self, line: str) -> None:
        self.report.story.append((self.world.loop.clock, line))
        self._hear(self.world.loop.clock, line)

    def _hear(self, at: float, line: str) -> None:
        self._output.listens = True
        self._listener(at, line)
        self._output.listens = False

    def break_(self, name: str, who: str, seen: str) -> None:
        found = Broken(name, who, seen)
        if who == self._liar:
            self.say(f"the liar: {found}")
        elif found not in self.report.broken:
            self.report.broken.append(found)
            self.say(f"BROKEN {found}")

    def _shown(self, computer: str, who: str, text: str) -> None:
        self.world.trace.add(self.world.loop.clock, "shown", f"{computer} {who}", text.encode())
        self._hear(self.world.loop.clock, f"  {who} sees {text}")
        self._vows.shows(computer, text)
        if PAGE_FAILED in text:
            self.break_("no page fails", computer, f"{who}: {text[:80]}")
        seat = self.plan.seats[NAMES.index(computer)]
        self._lines += 1
        if who == computer and seat.face in (None, Face.JSON) and self._lines % SCHEMA_EVERY == 0:
            try:
                checked(text)
            except AssertionError as unlike:
                self.break_("a line is as published", who, str(unlike)[:300])

    # -- programs ---------------------------------------------------------------------------------

    def _begin(self, name: str, program: Callable[[Laptop], Coroutine[Any, Any, str]]) -> None:
        computer = self.world.computers[name]
        self._tasks[name] = computer.run(self._kept(computer, program(computer)))

    async def _kept(self, computer: Laptop, program: Coroutine[Any, Any, str]) -> str:
        """Run a program as the command line does: a `MessageError` is a sentence, anything else a fault."""
        try:
            end = await program
        except TableRejoined as moved:
            self.say(f"{computer.name} follows to {moved.address}")
            index = NAMES.index(computer.name)
            return await self._kept(computer, self._guest(computer, index, moved.address, moved.key))
        except MessageError as error:
            end = Translator("en").text(error.message, error.params)
        except Died:
            end = "died"
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            end = f"{type(error).__name__}: {error}"
            if computer.power is Power.ON:  # else it is closed at the end, in the middle of something
                self.break_("only a MessageError leaves a session", computer.name, frames(error))
        self.report.ends[computer.name] = end
        self.say(f"{computer.name}'s program ends: {end}")
        return end

    def _settings(self, index: int) -> PeerSettings:
        plan, seat = self.plan, self.plan.seats[index]
        settings = PeerSettings(
            NAMES[index], level=seat.level, watch=seat.watches, nudged=plan.nudged, stays=seat.level is None
        )
        if index == 0:
            loaded = catalogue().game(plan.game)
            settings.found = (plan.players, loaded.game.options.parse(plan.options).plain(), plan.dealer)
            settings.bots, settings.teams, settings.at_once = plan.bots, plan.teams, True
            settings.away, settings.idle = plan.away, plan.idle
            settings.stand_after, settings.fixed = plan.stand_after, plan.fixed
            if plan.campaign:
                settings.campaign = new_campaign(loaded.game, plan.campaign)
        return settings

    def _phone_called(self, keeper: str, number: int) -> str:
        """Return what somebody at a phone of this machine is called."""
        return f"{keeper}'s {number}"

    def _language(self, _who: str) -> str:
        """Return the language that somebody reads."""
        return "en"

    async def _host(self, computer: Laptop) -> str:
        settings = self._settings(0)
        settings.keys = new_keys() if self.plan.private else None
        self._code = "" if settings.keys is None else settings.keys.code
        settings.address = computer.host
        loaded = catalogue().game(self.plan.game)
        card = TableCard.of_game(settings.name, loaded, quiet=settings.quiet)
        async with open_table(card, ["0.0.0.0"], PORT, settings.keys) as access:
            return await self._sit(computer, 0, access, self.plan.game, settings)

    async def _guest(self, computer: Laptop, index: int, address: str, key: str = "") -> str:
        from tavolata._engine.table.invitations import Invitation

        settings = self._settings(index)
        settings.found, settings.address = None, address
        invitation = Invitation(key=key) if key else Invitation(code=self._code)
        watch = settings.watch
        async with join_table(address, settings.name, watch=watch, invitation=invitation) as (access, card):
            settings.quiet = card.quiet
            return await self._sit(computer, index, access, card.game, settings)

    async def _back(self, computer: Laptop, index: int) -> str:
        """Resume as `tt resume` does: the newest match that waits."""
        self._vows.returns(computer.name)
        waiting = list(self._waiting())
        if not waiting:
            self._vows.offers_nothing(computer.name)
            return "nothing to resume"
        file, way = waiting[0]
        if not disk().is_file(file.log):
            return await self._join_again(computer, index, way)
        settings = PeerSettings(
            way.name, level=way.level, resumes=way, stays=way.level is None, goes_back=self._goes_back
        )
        settings.quiet = way.quiet
        game = Header.of(match_file.read(match_file.path_of(way.match)).header).game
        card = TableCard.of_game(way.name, catalogue().game(game), quiet=way.quiet)
        with contextlib.suppress(NothingKept, HasLeft):
            async with resume_table(file, way, card) as access:
                settings.address = computer.host
                try:
                    return await self._sit(computer, index, access, game, settings)
                except TableLost as lost:
                    is_alone = not access.log_driver.log._replica.has_followed
                    if type(lost) is TableLost and is_alone and not access.log_driver.apart:
                        told = Translator("en").text(lost.message, lost.params)
                        self.break_("who resumes waits for the others", computer.name, told)
                    raise
        return await self._join_again(computer, index, way)

    async def _join_again(self, computer: Laptop, index: int, way: WayBack) -> str:
        for address in way.addresses.values():
            with contextlib.suppress(Unreachable):
                return await self._guest(computer, index, spoken(cast("Address", tuple(address)), PORT))
        return "no other players of that table are known"

    @staticmethod
    def _waiting() -> Iterator[tuple[WayFile, WayBack]]:
        """Yield the matches that `tt resume` offers on this machine."""
        for file in way_files():
            way = file.read()
            if way is not None and disk().is_file(match_file.path_of(way.match)):
                try:
                    kept = match_file.read(match_file.path_of(way.match))
                except match_file.StoreError:
                    continue  # a power cut took its beginning
                if kept.end is None:
                    yield file, way

    async def _sit(
        self, computer: Laptop, index: int, access: TableAccess, game: str, settings: PeerSettings
    ) -> str:
        lie = self.plan.lie if index == self.plan.liar else None
        session = SESSIONS[lie](
            self._compare,
            access.log_driver,
            access.own.identity.peer,
            library(game),
            settings,
            access.host,
            access.met,
        )
        if isinstance(session, TwoFacedSession):
            session.step = self.world.stream("lie").choice((steps.DECK, steps.CARDS))
            session.victim = NAMES[(index + 1) % len(self.plan.seats)]
        self._sessions[computer.name] = session
        self._hampered[computer.name] = self._moved_at[computer.name] = self.world.loop.clock
        self._vows.begins(computer.name, access.log_driver)
        seat = self.plan.seats[index]
        ways = Ways(seat.pace, seat.habits)

        def shown(who: str, text: str) -> None:
            self._shown(computer.name, who, text)

        person = self._person(session, settings.name, seat, ways, shown)
        person.more = self.plan.more
        people: list[Person] = [person]
        self._people[computer.name] = people
        phones: list[asyncio.Task[None]] = []

        def phone_comes() -> None:
            phone = self._phone(session, people, settings.name, len(phones), ways, shown)
            phones.append(computer.run(phone))

        self._phone_comes[computer.name] = phone_comes
        for _ in range(seat.phones):
            phone_comes()
        try:
            await person.play()
        finally:
            for phone in phones:
                phone.cancel()
        message, params = session.how_to_return()
        return Translator("en").text(message, params)

    def _person(
        self, session: PeerSession, name: str, seat: Seat, ways: Ways, shown: Callable[[str, str], object]
    ) -> AtLines | AtScreen:
        """Return whoever sits at a laptop."""
        chance, face = self.world.stream(f"person {name}"), seat.face or Face.JSON
        if face is Face.SCREEN:
            return AtScreen(name, chance, ways, shown, session)
        return AtLines(name, chance, ways, shown, session, face, self._language(name))

    async def _phone(
        self, session: PeerSession, people: list[Person], keeper: str, number: int, ways: Ways,
        shown: Callable[[str, str], object],
    ) -> None:  # fmt: skip
        name, stream = self._phone_called(keeper, number), self.world.stream(f"phone {keeper}'s {number}")
        access = WebAccess(
            lambda: keeper, lambda _: self.plan.game,
            lambda tag, called, watch, keep: session.serve(tag, called, keep, watch=watch),
            lambda _: "", served=session.name_served,
        )  # fmt: skip
        file = Path(_dirs.data_dir()) / "browsers" / f"{keeper} {number}"
        phone = Phone(name, stream, ways, shown, file, access, self._language(name))
        if name in self._dead_phones:
            return
        phone.more = self.plan.more
        people.append(phone)
        await asyncio.sleep(0.2)
        await phone.play()

    def _compare(self, session: PeerSession, entry: Entry, is_play: bool) -> None:
        """Replicas at the same entry agree on their state; deeds that wait for this entry are done."""
        matches = session.state.matches
        computer = here()
        assert computer is not None
        self._applied[computer.name] += 1
        second = computer.name, int(self.world.loop.clock)
        self._in_second[second] += 1
        if self._in_second[second] > MOST_IN_A_SECOND:
            self.break_(
                "nothing goes round in a circle", computer.name, f"more than {MOST_IN_A_SECOND} entries"
            )
            raise Hung  # out of the callback that never ends
        self._vows.entry(computer.name, session)
        if is_play:
            self._moved_at[computer.name] = self.world.loop.clock
        for act in self.plan.acts:
            if (
                not self._is_healed
                and act.entry == self._applied[computer.name]
                and NAMES[act.who] == computer.name
            ):
                self.world.context.run(self._later, act.at, self._act, act)
        self._look_at_phones(computer.name, session)
        if matches.last is None:
            return
        if matches.running is None:
            self._reached(computer.name, Moment.ENDS)
        if self._began is not None and not self._began.is_set():
            self._began.set()
        match: Match[Any] = matches.last.match
        self._compare_story(computer.name, matches.last.header.id, match, entry)
        if entry.number % EVERY or computer.name == self._liar:
            return
        if matches.running is not None:
            self._look_for_leaks(computer.name, session, match)
        state = matches.digest() + repr(sorted(ask.id for ask in match.source.open)).encode()
        first = self._digests.setdefault((entry.number, entry.chain), (computer.name, state))
        if first[1] != state:
            self.break_(
                "replicas agree", computer.name, f"another state than {first[0]} after entry {entry.number}"
            )

    def _look_at_phones(self, name: str, session: PeerSession) -> None:
        """Note the moments of somebody at a telephone."""
        phones = self._people.get(name, [])[1:]
        if not phones or self._moments.issuperset(OF_PHONES[1:]):
            return
        if session.state.matches.barrier is not None:
            self._reached(name, Moment.BEGINS)
        running = session.state.matches.running
        asked = () if running is None else (ask.seat for ask in running.match.source.open if ask.box is None)
        if {seat for person in phones for seat in person.seats}.intersection(asked):
            self._reached(name, Moment.ASKS)

    def _compare_story(self, name: str, match_id: str, match: Match[Any], entry: Entry) -> None:
        """Replicas tell the same sentences after the same entry."""
        count = len(match.events)
        known, before = self._told.get(name, ("", 0))
        self._told[name] = match_id, count
        if known != match_id or count <= before or name == self._liar:
            return  # it began with this entry, maybe in the middle; or something was taken back
        told = repr([(one.message, one.params, one.to) for one in match.events[before:]])
        first = self._stories.setdefault((match_id, entry.number, entry.chain), (name, told))
        if first[1] != told:
            self.break_("replicas tell one story", name, f"not {first[0]}'s after entry {entry.number}")

    def _look_for_leaks(self, name: str, session: PeerSession, match: Match[Any]) -> None:
        """No face shows, or hints at, what only other seats may know."""
        names, keeps_names = match.terms.names, self._keeps_names
        for person in self._people.get(name, ()):
            own = person.seats if isinstance(person, Phone) else session.people
            named = [seat for seat, called in enumerate(names) if called == person.name]
            seats = frozenset(named if keeps_names else own)
            if seen := leak(person, seats, match):
                self.break_("no face shows what only others may know", f"{name}: {person.name}", seen)

    # -- what people see at any time ----------------------------------------------------------------

    def _look_around(self) -> None:
        """See once a second what people see, and how machines count each other."""
        self._see_faces()
        self._see_machines()
        self._see_who_is_away()

    def _see_faces(self) -> None:
        """Each face plays its person's seat and asks what waits for them; what is agreed on is done."""
        now, lasts = self.world.loop.clock, dict[tuple[str, str], tuple[str, float]]()
        for name, session in self._sessions.items():
            running = session.state.matches.running
            if running is None or name == self._liar or not self._is_there(name):
                continue
            for person in self._people[name]:
                self._look_at_seats(name, person, running.header)
                for ask in self.world.computers[name].within(self._unread, session, person):
                    lasts[name, f"{person.name} {running.header.id} {ask.id}"] = (
                        "who is asked sees the question", ASKED
                    )  # fmt: skip
            if self.world.computers[name].within(self._could_go_on, session):
                lasts[name, f"without {running.header.id}"] = "what all agree on is done", AGREED
        self._waits = {what: self._waits.get(what, now) for what in lasts}
        for (name, seen), since in self._waits.items():
            broken, patience = lasts[name, seen]
            if now - since > patience:
                self.break_(broken, name, seen)

    def _look_at_seats(self, name: str, person: Person, header: Header) -> None:
        """Whoever keeps their name finds it at their seat, or with a number behind it."""
        names = [header.names[seat] for seat in person.seats if self._keeps_names]
        others = [one for one in names if one != person.name and not one.startswith(f"{person.name} ")]
        if others:
            self.break_("everybody plays their own seat", f"{name}: {person.name}", repr(others))

    @staticmethod
    def _unread(session: PeerSession, person: Person) -> list[Ask]:
        """Return the questions that wait for this person, and that their face doesn't show."""
        machine, match = session._machine, session.state.matches.match
        if match is None or machine.part is None or machine.part.is_mute or not session._connection.is_here:
            return []
        if isinstance(person, Phone) and not person.has_come and not machine._can_decide:
            return []  # nobody can come to the table until enough machines are there
        mine = set(person.seats) - machine.part._bots.resting
        return [
            ask for ask in match.source.open
            if ask.seat in mine and ask.box is None and machine.owes(ask) and not person.is_asked(ask)
        ]  # fmt: skip

    def _could_go_on(self, session: PeerSession) -> bool:
        """Whether all who are to play a new match have agreed and reach each other, and none is announced."""
        matches = session.state.matches
        if matches.barrier is not None or matches.next_header is None or not session._machine._can_decide:
            return False
        machines = {one.state.me: name for name, one in self._sessions.items()}
        agreed = [machines.get(key, "") for key in matches.continuation.wishes]
        if self._liar in agreed or not all(name and self._is_there(name) for name in agreed):
            return False
        return not any(self.world.network.link(one, other).cuts for one in agreed for other in agreed)

    # -- acts -------------------------------------------------------------------------------------

    def _sent(self, name: str, message: wire.LogMessage) -> None:
        moment = SHOWN_BY.get(type(message))
        if moment is not None:
            self._reached(name, moment)

    def _reached(self, name: str, moment: Moment) -> None:
        """Do what waits for this moment, the first time that it comes for any machine."""
        if moment in self._moments or self._is_healed:
            return
        self._moments.add(moment)
        for act in self.plan.acts:
            if act.moment is moment:
                self.world.context.run(self._later, act.at, self._act, replace(act, who=NAMES.index(name)))

    def _turn_off(self, computer: Laptop, seconds: float, index: int) -> None:
        if computer.power is not Power.OFF:
            computer.turn_off()
            if seconds:
                self._later(seconds, self._restart, index)

    def _died(self, computer: Laptop, act: Act) -> None:
        self.say(f"{computer.name} dies at a datagram")
        if act.seconds:
            self.world.context.run(self._later, act.seconds, self._restart, act.who)

    def _restart(self, index: int) -> None:
        name = NAMES[index]
        if self.world.computers[name].power is Power.OFF:
            self.say(f"{name} comes back")
            computer = self.world.computer(name)
            spoilt = self._spoilt.pop(index, None)
            if spoilt is Deed.FLIPPED_BIT:
                self._has_flipped.add(name)
                self.say(f"a bit has flipped in {computer.within(flip, self.world.stream('flipped file'))}")
            elif spoilt is Deed.CLEARED:
                computer.within(_clear_cache)
            self._reached(name, Moment.RETURNS)
            self._begin(name, lambda computer: self._back(computer, index))

    def _later(self, seconds: float, what: Callable[..., object], *args: Any) -> None:
        self.world.loop.call_later(seconds, what, *args)

    def _act(self, act: Act) -> None:
        name = NAMES[act.who]
        computer, network = self.world.computers[name], self.world.network
        phase = self._phase(name) if act.moment is None else act.moment.value
        self.report.met.add((act.what.value, phase))
        self.say(f"{act.what.value} at {name} ({act.seconds} s), while {phase}")
        others = [one for one in self.world.computers if one != name]
        match act.what:
            case Deed.KILL | Deed.POWER_CUT if act.datagram and computer.power is Power.ON:
                computer.dies_at_datagram, computer.loses_power = act.datagram, act.what is Deed.POWER_CUT
                computer.when_dead = partial(self._died, computer, act)
            case Deed.KILL:
                self._turn_off(computer, act.seconds, act.who)
            case Deed.FLIPPED_BIT | Deed.CLEARED:
                self._spoilt[act.who] = act.what
                self._turn_off(computer, act.seconds, act.who)
            case Deed.POWER_CUT:
                computer.loses_power = True
                self._turn_off(computer, act.seconds, act.who)
            case Deed.CRASH_ALL:
                for index, one in enumerate(NAMES[: len(self.plan.seats)]):
                    self._turn_off(self.world.computers[one], 5.0 + index, index)
            case Deed.SLEEP if computer.power is Power.ON:
                computer.power = Power.ASLEEP
                self._later(act.seconds, self._wake, computer)
            case Deed.FLAP:
                for number in range(4):
                    self._later(number * act.seconds / 4, self._cut, name, others, act.seconds / 8)
            case Deed.CUT:
                self._cut(name, others, act.seconds)
            case Deed.ONE_WAY:
                for one in others:
                    network.link(name, one).cuts += 1
                    self._later(act.seconds, self._mend, name, one)
            case Deed.SPLIT:
                half = [*self.world.computers][: max(1, len(self.world.computers) // 2)]
                for one in half:
                    self._cut(
                        one, [other for other in self.world.computers if other not in half], act.seconds
                    )
            case Deed.REBIND:
                network.rebind(computer, 1000)
                if act.seconds:
                    self._later(act.seconds, network.rebind, computer, 0)
            case Deed.MOVE | Deed.CABLE if computer.power in (Power.ON, Power.ASLEEP):
                old = computer.hosts[-1]
                new = f"10.0.0.{act.who + 101}" if act.what is Deed.MOVE else f"10.0.1.{act.who + 1}"
                network.move(computer, (new,) if act.what is Deed.MOVE else (new, old))
                if act.seconds:
                    self._later(act.seconds, self._move_back, computer, old)
            case Deed.NARROW:
                for one in others:
                    network.link(name, one).mtu = NARROW
                    self._later(act.seconds, self._widen, name, one)
            case Deed.CLOCK:
                computer.set_clock(act.seconds * 1000 - 20000)
            case Deed.FULL_DISK:
                computer.disk.capacity = 0
                self._later(act.seconds, self._empty, computer)
            case Deed.BAD_SYNC:
                first = computer.disk.syncs
                computer.disk.bad_syncs = range(first, first + 1 + int(act.seconds))
            case Deed.LIE:
                if computer.power is Power.ON and not self._tasks[name].done():
                    self._vows.lies(name)
                    computer.within(lie, self._sessions[name])
            case Deed.PHONE_GOES | Deed.PHONE_LEAVES | Deed.PHONE_RENAMES:
                for person in self._people.get(name, [])[1:]:
                    computer.within(person.do, act.what)
            case Deed.PHONE_DIES:
                for person in self._people.get(name, [])[1:][-1:]:
                    self._dead_phones.add(person.name)
                    computer.within(person.do, act.what)
            case Deed.PHONE_SLEEPS:
                for person in self._people.get(name, [])[1:]:
                    assert isinstance(person, Phone)
                    computer.within(person.put_away, act.seconds)
            case Deed.PHONE_COMES:
                if computer.power is Power.ON and not self._tasks[name].done() and name in self._phone_comes:
                    computer.within(self._phone_comes[name])
            case _:
                for one in self._people if act.what in OF_HOSTS else [name]:
                    for person in self._people.get(one, [])[:1]:
                        if self.world.computers[one].power is Power.ON:
                            self.world.computers[one].within(person.do, act.what)

    def _phase(self, name: str) -> str:
        """Return what happens at the table now, as this machine sees it."""
        session = self._sessions.get(name)
        if self.world.computers[name].power is not Power.ON or session is None or self._tasks[name].done():
            return "away"
        matches = session.state.matches
        if matches.last is None or not matches.running:
            return "the lobby" if matches.last is None else "the end"
        match = matches.last.match
        if match.source.window is not None:
            return "a window"
        return "a question" if match.source.open else "dealing"

    @staticmethod
    def _empty(computer: Laptop) -> None:
        computer.disk.capacity = None

    def _move_back(self, computer: Laptop, host: str) -> None:
        if computer is self.world.computers[computer.name]:
            self.world.network.move(computer, (host,))

    def _widen(self, source: str, target: str) -> None:
        self.world.network.link(source, target).mtu = USUAL

    def _wake(self, computer: Laptop) -> None:
        if computer.power is Power.ASLEEP:
            self.world.loop.wake(computer)

    def _cut(self, name: str, others: list[str], seconds: float) -> None:
        for one in others:
            for pair in ((name, one), (one, name)):
                self.world.network.link(*pair).cuts += 1
                self._later(seconds, self._mend, *pair)

    def _mend(self, source: str, target: str) -> None:
        link = self.world.network.link(source, target)
        link.cuts = max(0, link.cuts - 1)

    # -- the evening ------------------------------------------------------------------------------

    async def _main(self) -> None:
        plan, loop = self.plan, self.world.loop
        self._began = asyncio.Event()
        self._code = ""
        for index in range(len(plan.seats)):
            self.world.computer(NAMES[index]).disk.lying_sync = plan.lying_sync
        self._begin(NAMES[0], self._host)
        for index in range(1, len(plan.seats)):
            if not plan.seats[index].joins_at:
                await asyncio.sleep(0.3)
                self._join(index)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(30):
                await self._began.wait()
        for index, seat in enumerate(plan.seats):
            if seat.joins_at:
                self._later(seat.joins_at, self._join, index)
        for act in plan.acts:
            if not act.entry and act.moment is None:
                self._later(act.at, self._act, act)
        self._begin_anyway()
        last = max((act.at + act.seconds for act in plan.acts), default=0.0)
        last = max([last, *(seat.joins_at for seat in plan.seats)])
        until = loop.clock + plan.limit
        while loop.clock < until and (loop.clock < last + 10 or not self._is_over()):
            await asyncio.sleep(1.0)
            self._look_around()
        await self._heal()

    def _join(self, index: int) -> None:
        if self.world.computers[NAMES[index]].power is Power.ON and NAMES[index] not in self._tasks:
            self._begin(NAMES[index], lambda computer: self._come(computer, index))

    async def _come(self, computer: Laptop, index: int) -> str:
        """Join the host's table; if that doesn't work, try it twice more, as people do."""
        for patience in (10.0, 30.0):
            with contextlib.suppress(Unreachable, TableRefused):
                return await self._guest(computer, index, "10.0.0.1")
            self.say(f"{computer.name} will try it again")
            await asyncio.sleep(patience)
        return await self._guest(computer, index, "10.0.0.1")

    def _begin_anyway(self) -> None:
        """If no match has begun because someone is missing, start it with those who are there."""
        if self._began is None or self._began.is_set() or self._is_healed:
            return
        for name, people in self._people.items():
            if self._is_there(name):
                for person in people:
                    self.world.computers[name].within(person.play_again, self.plan.game)
        self._later(LOBBY_PATIENCE, self._begin_anyway)

    def _is_over(self) -> bool:
        return all(
            name not in self._tasks or self._tasks[name].done() or computer.power is Power.OFF
            for name, computer in self.world.computers.items()
        )

    async def _heal(self) -> None:
        """No loss, no cuts, nobody asleep; each machine with something to resume resumes; all are prompt."""
        self._is_healed = self.plan.heals
        if self.plan.heals:
            self.say("the world heals")
            self.world.network.heal()
        for index, (name, computer) in enumerate([*self.world.computers.items()]):
            self._wake(computer)
            self._empty(computer)
            computer.disk.bad_syncs = range(0)
            if computer.power is Power.OFF:
                if index not in self.plan.lost:
                    self._restart(index)
            elif name in self._tasks and self._tasks[name].done():
                computer.within(self._resume_if_waiting, name, index)
        until = self.world.loop.clock + HEALING
        while not self._is_over() and self.world.loop.clock < until:
            for people in self._people.values():
                for person in people:
                    person.ways = Ways((0.1, 0.5), {})
            await asyncio.sleep(1.0)
            self._look_around()
        self._see_what_stands_still()
        for name, deed in ((name, deed) for deed in (Deed.SUSPEND, Deed.QUIT) for name in self._people):
            if not self._tasks[name].done() and self.world.computers[name].power is Power.ON:
                for person in self._people[name][:1]:
                    self.world.computers[name].within(person.do, deed)
                await asyncio.sleep(15.0)
        for name, task in self._tasks.items():
            if not task.done() and self.world.computers[name].power is Power.ON:
                self.break_("each match ends, is suspended, or says what works", name, self._last_seen(name))

    def _may_be_kept_apart(self, session: PeerSession, parties: list[str | None]) -> bool:
        """Whether a liar may hold up the match: until convicted (docs/fairness.md), or where few are left."""
        liars = {self._liar, *self._vows.lied} - {""}
        if not liars:
            return False
        keys = {one.state.me for machine, one in self._sessions.items() if machine in liars}
        enough = len({one for one in parties if one not in liars}) > 1 and self.plan.dealer != "strict"
        return not (enough and keys & {*session.state.matches.dealing.convicted()})

    def _see_who_is_away(self) -> None:
        """A machine that is there and can hear most of the table counts as here."""
        clock = self.world.loop.clock
        for name in self._sessions:
            if not self._counts_as_away(name):
                self._away_since.pop(name, None)
            elif clock - self._away_since.setdefault(name, clock) > SOON:
                self._away_since[name] = float("inf")
                self.break_("who is back counts as here", name, self._last_seen(name))

    def _counts_as_away(self, name: str) -> bool:
        """Whether a match counts a machine as away that could say that it is here."""
        session = self._sessions[name]
        part, driver, matches = session._machine.part, session._log_driver, session.state.matches
        if not self._is_there(name) or matches.running is None or part is None or part.is_mute:
            return False
        deal = matches.dealing
        if not isinstance(deal, FairDealing) or not deal.me or deal.authority.deals(deal.me):
            return False
        lasts = not deal.authority.is_gone(deal.me) and part._secret.keys is not None and part._may_speak()
        if not lasts or session._connection.is_going or driver.log.leader is None:
            return False
        voters = {*driver.log.configuration.voters}
        near = {one.state.me for other, one in self._sessions.items() if self._meet(name, other)}
        return len(near & {*deal.header.parties}) > 1 and 2 * len(near & voters) > len(voters)

    def _meet(self, name: str, other: str) -> bool:
        """Whether nothing keeps a machine that is on from hearing another one."""
        ways = [self.world.network.link(*pair) for pair in ((name, other), (other, name))]
        return self._is_there(other) and not any(way.cuts or way.mtu <= NARROW for way in ways)

    def _see_machines(self) -> None:
        """Whoever is there counts as there, and nobody waits for the others."""
        there = {name for name in self._sessions if self._is_there(name)}
        for name in self._sessions:
            pairs = [pair for one in there - {name} for pair in ((name, one), (one, name))]
            ways = [self.world.network.link(*pair) for pair in pairs]
            is_full = self.world.computers[name].disk.capacity is not None
            if name not in there or is_full or any(way.cuts or way.mtu < USUAL for way in ways):
                self._hampered[name] = self.world.loop.clock
        if self._liar or self._vows.lied:
            return  # some may have convicted whoever the others follow
        well = {name: one for name, one in self._sessions.items() if self._is_well(name)}
        logs = {name: one._log_driver.log for name, one in well.items()}
        leaders = [name for name, log in logs.items() if log.state is State.LEADER]
        self._heights = {one: self._heights.get(one, deque(maxlen=LATELY)) for one in leaders}
        for one in leaders:
            self._heights[one].append(logs[one].commit_index)
        for name, session in well.items():
            self._see_whether_it_keeps_up(name, session, logs)
            self._see_who_counts_as_away(name, session)

    def _is_well(self, name: str | None) -> bool:
        """Whether a machine has been there for a while, and reached all others that were."""
        return name in self._sessions and self._hampered[name] < self.world.loop.clock - SOON

    def _see_whether_it_keeps_up(self, name: str, session: PeerSession, logs: Mapping[str, GroupLog]) -> None:
        """Whoever is there, and belongs to the table, gets what its leader has."""
        for leader, before in self._heights.items():
            is_led = logs[leader].lineage == logs[name].lineage
            is_member = session.state.me in logs[leader].configuration.peers
            if is_led and is_member and len(before) == LATELY and logs[name].commit_index < before[0]:
                self.break_("who is there keeps up", name, f"it has less than {leader}, who leads")

    def _see_who_counts_as_away(self, name: str, session: PeerSession) -> None:
        """Whoever is there isn't away for long, and no dealing waits for who is, if enough are there."""
        matches, log = session.state.matches, session._log_driver.log
        deal, now = matches.dealing, self.world.loop.clock
        if not isinstance(deal, FairDealing) or matches.last is None:
            return
        machines = {bytes(one.state.me): machine for machine, one in self._sessions.items()}
        well = {key for key, machine in machines.items() if self._is_well(machine)}
        if 2 * len(well.intersection(log.configuration.voters)) <= len(log.configuration.voters):
            return  # nothing that anybody says is final
        authority, match = deal.authority, matches.last.match
        keys = {one: authority.key_of(one) for one in authority.rest if not authority.is_willing(one)}
        out = {one for one in keys if authority.is_away(one) or authority.is_aside(one)}
        for one, key in keys.items():
            if (
                one not in out
                or key not in well
                or not self._has_match(machines[key], matches.last.header.id)
            ):
                self._away.pop((name, one), None)
            elif now - self._away.setdefault((name, one), now) > SOON:
                self.break_("whoever is there isn't away", name, machines[key])
        here = {one for one in keys if one not in out and not authority.is_barred(one)}
        if deal.needed is None or match.source.open or match.is_judging or now - self._moved_at[name] < SOON:
            return
        holders, least = deal.needed
        if len(here.intersection(holders)) >= least and well.issuperset(
            keys[one] for one in keys.keys() - out
        ):
            away = [machines.get(keys[one], "") for one in sorted(out)]
            self.break_("no dealing waits for who is away", name, f"{away}: {self._last_seen(name)}")

    def _has_match(self, name: str, match: str) -> bool:
        running = self._sessions[name].state.matches.running
        return running is not None and running.header.id == match

    def _see_what_stands_still(self) -> None:
        """Where every machine of a match is there, and everybody is prompt, the match goes on."""
        for name, session in self._sessions.items():
            matches = session.state.matches
            if not self._is_there(name) or matches.last is None or not matches.running:
                continue
            machines = {one.state.me: machine for machine, one in self._sessions.items()}
            dealing = matches.dealing
            keys = dealing.remaining if dealing.is_fair else matches.last.header.keys
            parties = [machines.get(key) for key in dict.fromkeys(keys)]
            missing = [one for one in parties if one is None or not self._is_there(one)]
            if not self._can_do_without(session, missing) or self._may_be_kept_apart(session, parties):
                continue
            if self.world.loop.clock - self._moved_at.get(name, 0.0) > STANDSTILL:
                asked = [matches.last.header.names[ask.seat] for ask in matches.last.match.source.open]
                self.break_(
                    "a match goes on where all are there",
                    name,
                    f"{asked or 'nobody'} asked: {self._last_seen(name)}",
                )

    def _is_there(self, name: str) -> bool:
        return not self._tasks[name].done() and self.world.computers[name].power is Power.ON

    def _can_do_without(self, session: PeerSession, missing: list[str | None]) -> bool:
        """Whether a match goes on though these are missing, by its own terms and as the log can."""
        deal = session.state.matches.dealing
        if not missing:
            return True
        lost = {NAMES[index] for index in self.plan.lost}
        if not isinstance(deal, FairDealing) or not lost.issuperset(missing):
            return False
        authority, voters = deal.authority, session._log_driver.log.configuration.voters
        if deal.needed is not None:  # older keys can take more machines than there are now
            holders, least = deal.needed
            machines = {one.state.me: machine for machine, one in self._sessions.items()}
            able = [machines.get(authority.key_of(one)) for one in holders if not authority.is_gone(one)]
            if sum(one is not None and one not in missing for one in able) < least:
                return False
        here = authority.remaining - len(missing)
        log_goes_on = 2 * (len(voters) - len(missing)) > len(voters)
        enough = authority.can_vote and here >= authority.threshold and log_goes_on
        return enough and deal.header.policy != WAIT

    def _resume_if_waiting(self, name: str, index: int) -> None:
        if any(True for _ in self._waiting()):
            self.say(f"{name} resumes")
            self._begin(name, lambda computer: self._back(computer, index))

    def _last_seen(self, name: str) -> str:
        return " | ".join(
            text[:160] for person in self._people.get(name, [])[:1] for text in [*person.seen][-3:]
        )

    def _check_reports(self, name: str, computer: Laptop) -> None:
        """No machine met a fault in what it would say, after which it falls silent and writes a report."""
        for report in computer.within(lambda: disk().find(match_file.folder(), "*-fault.txt")):
            told = computer.within(lambda path: disk().read(path), report).decode().splitlines()
            self.break_("no machine falls silent", name, " in ".join([told[-1], *told[-3:-2]]))

    def _check_files(self) -> None:
        """Each file passes `tt verify`, and all tell the same end."""
        outcomes: dict[str, dict[str, str]] = {}
        sound: list[tuple[str, Path]] = []
        for name in [*self.world.computers]:
            if self.world.computers[name].power is Power.OFF:
                self.world.computer(name)  # it died late; its disk is read all the same
        for name, computer in self.world.computers.items():
            self._check_reports(name, computer)
            computer.within(self._vows.check_files, name)
            for file, found in computer.within(_match_files):
                self.report.matches += 1
                header = Header.of(found.header)
                if found.end is not None:
                    self.report.finished += 1
                    if name != self._liar:
                        outcomes.setdefault(header.id, {})[name] = repr(found.end["outcome"])
                try:
                    right = computer.within(check, found, header, _rules(header.game))
                    if ENDS_EARLY not in dict(right.told):  # of such a file nothing can be checked
                        sound.append((name, file))
                    if right.is_unfinished is not (found.end is None):
                        self.break_("tt verify", name, f"unfinished: {right.told[-2:]} ({file.name})")
                except MessageError as error:
                    if name in self._has_flipped:
                        continue
                    told = Translator("en").text(error.message, error.params)
                    self.break_("tt verify", name, f"{type(error).__name__}: {told} ({file.name})")
                except Exception as error:  # noqa: BLE001 - that is what is looked for
                    self.break_("tt verify", name, frames(error))
        if sound:
            self._check_flipped(*self.world.stream("flip").choice(sound))
        for match, ends in outcomes.items():
            if len(set(ends.values())) > 1:
                self.break_("honest machines store the same outcome", "all", f"{match}: {ends}")

    def _check_flipped(self, name: str, file: Path) -> None:
        """A copy of a sound file with one bit changed isn't sound."""
        chance = self.world.stream("flipped bit")
        passes = self.world.computers[name].within(passes_flipped, file, chance, _rules)
        if passes:
            self.break_("tt verify finds a flipped bit", name, f"{passes} ({file.name})")

    def play(self) -> Report:
        """Play the evening; return how it went."""
        begin, report, world = process_time(), self.report, self.world
        world.network.usual = {
            "loss": self.plan.loss, "repeat": self.plan.repeat, "damage": self.plan.damage,
        }  # fmt: skip
        with contextlib.redirect_stdout(self._output), begun(world, cheap=not self.plan.real):
            try:
                world.loop.run_until_complete(self._main())
            except Hung as hung:
                self.break_("nothing goes round in a circle", "all", str(hung))
            for fault in world.faults:
                error = fault.get("exception")
                seen = str(fault.get("message")) if error is None else frames(error)
                self.break_("no task and no callback fails", fault["machine"], seen)
            self._check_files()
            report.trace = world.trace.hexdigest()
        report.cpu, report.seconds = process_time() - begin, world.loop.clock
        report.steps, report.datagrams = world.loop.steps, world.network.count
        return report


def _rules(game: str) -> type[Game[Any]]:
    return catalogue().game(game).game


def _match_files() -> list[tuple[Path, match_file.Kept]]:
    """Return this machine's match files, without those of which a power cut took the beginning."""
    found = []
    for path in match_file.match_files():
        with contextlib.suppress(match_file.StoreError):
            found.append((path, match_file.read(path)))
    return found


def _clear_cache() -> None:
    """Remove what this machine has noted of its copies of logs; without that, it asks the others."""
    for path in disk().find(Path(_dirs.cache_dir()) / "witness", "*"):
        disk().remove(path)


def frames(error: BaseException) -> str:
    """Return an error with the places in the product where it came by: what two faults have in common."""
    places = [
        f"{Path(one.filename).name}:{one.name}"
        for one in traceback.extract_tb(error.__traceback__)
        if "tavolata" in one.filename and "tests" not in one.filename
    ]
    return f"{type(error).__name__}: {error} in {' > '.join(places[-4:])}"


def play(plan: Plan, hear: Callable[[float, str], object] = lambda at, line: None) -> Report:
    """Play an evening."""
    return Evening(plan, hear).play()
