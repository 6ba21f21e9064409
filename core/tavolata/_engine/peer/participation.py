"""One machine's part in one match: answers of its people and bots, its dealing, its keys and its file.

The table state shows what the match needs next. A participation remembers what was already proposed, so that
nothing is proposed twice. It is made when the match begins, and the next match has another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.quorum_watch import UNPROVEN
from tavolata._engine.dealing.sealing import Keys, SeatSealer
from tavolata._engine.dealing.steps import BEGINNING
from tavolata._engine.match.attention import Attention, Scrutiny
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import (
    ANSWER,
    OPENED,
    SAY,
    SEALED,
    TIMEOUT,
    UNDONE,
    UNOPENED,
    MatchEntry,
    answer_time,
    hearers,
)  # fmt: skip
from tavolata._engine.match.header import TOGETHER, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import BotFault
from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.match.source import Origin
from tavolata._engine.match.take_back import needed, standing, word
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.match.window_timing import WindowTiming
from tavolata._engine.peer.bots_here import Bots
from tavolata._engine.peer.claims import Claims
from tavolata._engine.peer.dealing_part import DealingPart, HostPart
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.sessions.next_step import NUDGE_AFTER
from tavolata._engine.storage import secret_files
from tavolata._engine.storage.fault_report import write_fault
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.storage.match_file import StoreError
from tavolata._engine.storage.void_match import annul, write_difference
from tavolata._engine.table import log_bodies
from tavolata._engine.table.log_bodies import as_said_by
from tavolata._engine.table.state_claims import Difference
from tavolata._engine.table.table_state import TableState
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata.asks import Ask
from tavolata.assertions import Assertion, Declaration
from tavolata.choices import Answer
from tavolata.errors import GameError, MessageError, Refused
from tavolata.kinds.one_of import GO
from tavolata.messages import N_
from tavolata.secret import Narrated

TWO_STORIES = N_(
    "This computer's record of a match differs from the table's, so this computer is no longer taking part."
)
NOT_TRUE = N_(
    "You can see that {name}'s statement ({fact}) is false. It will be judged once everyone can see that."
)
CANT_HEAR = N_("{name} can't hear whispers right now.")
LOST_SECRET = N_(
    "This computer has lost its secret for this match and can't deal or open cards. You count as away."
)
MUTE = N_("Something in Tavolata broke here. Quit, then try again with `tt resume`. Report: {report}")
HELD = N_("This match can't continue from here. Go back a turn (rewind), or stop for today (suspend).")
LOOK_AGAIN = 0.05
"""Seconds after which this peer looks again at whether a bot has thought enough."""
YOUR_BOT = N_("You've been nudged. A bot will answer in {seconds} s unless you press a key.")
YOU_REST = N_("You've been nudged. In {seconds} s, a bot will play for you until you press a key.")
NOT_ERASED = N_("Couldn't erase this match's secret from the disk: {problem}.")


@dataclass
class _Said:
    asks: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    late: set[int] = field(default_factory=set)
    since: dict[int, float] = field(default_factory=dict)
    undone: int = 0
    agreed: set[int] = field(default_factory=set)
    silent: bool = False
    judging: float | None = None
    vault: dict[int, tuple[bytes, Answer]] = field(default_factory=dict)


class _Secret:
    def __init__(self, header: Header, origin: Origin, me: bytes) -> None:
        self.nonce = origin.nonces.get(me, b"")
        self.sealer = SeatSealer(header, origin, me)
        stored = secret_files.load(self.nonce) if me in header.parties else None
        self.of_match = None if stored is None else MatchSecret(stored, origin.header_hash)
        self.keys = None if self.of_match is None else Keys(header, origin, me, self.of_match)

    def erase(self) -> None:
        """Erase it from memory and disk; nothing of the match can be opened here after that.

        Raise `OSError` if it stays on the disk.
        """
        self.of_match = self.keys = None
        if self.nonce:  # without it this machine took no part in the match
            secret_files.erase(self.nonce)


class _Ear:
    """What people of the match heard and saw, so that bots leave them time, and lies are noticed."""

    def __init__(self, header: Header, me: bytes) -> None:
        self._people = [seat for seat, bot in enumerate(header.bots) if bot is None]
        self._mine = [seat for seat in self._people if header.keys[seat] == me]
        self._names = header.names
        self._narrator = header.narrator
        self._attention, self._scrutiny = Attention(), Scrutiny()
        self._heard = 0

    def listen(self, match: Match[LogSource], now: float) -> list[Notice]:
        """Notice what is new; return the notices for this machine's people."""
        source = match.source
        for entry in source.entries[self._heard : source.at]:
            self._attention.hear(entry, self._people)
        self._heard = source.at
        if match.table._pieces.laid:
            self._attention.look(match, self._people, now)
        return [
            Notice(NOT_TRUE, {"name": self._name_of(said), "fact": said.fact.partition(":")[2]}, wrong=True)
            for said in self._scrutiny.look(match, self._mine)
        ]

    def _name_of(self, said: Assertion) -> str:
        narrator = self._narrator if said.seat is None else None
        return self._names[said.by] if narrator is None else narrator.name

    def holds(self, due: float) -> float:
        """Return when a bot may act that would otherwise act at `due`."""
        return self._attention.holds(due)


class Participation:
    """One machine's part in one match; `path` is None if no file is stored."""

    def __init__(
        self,
        header: Header,
        origin: Origin,
        link: TableLink,
        state: TableState,
        settings: PeerSettings,
        library: GameLibrary,
    ) -> None:
        self._header = header
        self._link = link
        self._state = state
        self._settings = settings
        self._copy: MatchCopy
        self.path: Path | None = None
        self._secret = _Secret(header, origin, state.me)
        self.own = self._dealing_part(origin)
        self.claims = Claims(state, link, settings.waits.confirmation)
        self._bots = Bots(state, library, self.own.sees_hand)
        self._ear = _Ear(header, state.me)
        self._said = _Said()
        self._nudged: dict[tuple[int, int], float] = {}
        self._counted: set[int] = set()
        self._timing: WindowTiming | None = None
        self._is_unproven = False
        self._fault: MessageError | None = None
        self._is_held = False
        self.source = LogSource(
            len(header.names), self.own.dealing, keys=self._secret.keys, stamp=origin.stamp
        )  # fmt: skip

    def prepare(self, match: Match[LogSource]) -> None:
        """Propose the entries that the match needs to begin, and this peer can give."""
        if not self.is_mute:
            with self._wall():
                for entry in self.own.due(match):
                    if entry[3] in BEGINNING:
                        self._play(entry)

    def begin(self, copy: MatchCopy) -> None:
        """Begin the match, which `copy` is to hold."""
        self._copy, self.path = copy, copy.path
        copy.look = self.own.look

    def _dealing_part(self, origin: Origin) -> DealingPart:
        header, secret = self._header, self._secret
        if header.dealer in TOGETHER:
            # A table takes up less memory, and opens sooner, without what only a match of this kind needs.
            from tavolata._engine.peer.fair_part import FairPart  # noqa: PLC0415 - see the line above

            return FairPart(header, origin, secret.of_match, self._state, self._link, self._settings.waits)
        narrator = () if header.narrator is None else (header.narrator.key, secret.sealer.confide)
        if secret.of_match is not None and self._state.matches.dealer == self._state.me:
            book = secret.of_match.book(header.id)
            return HostPart(HostDealer(book, secret.sealer.face, header.keys, *narrator))
        return DealingPart(OneDealer(header.keys, *narrator))

    # -- what comes from the log -----------------------------------------------------------------

    def logged(self, wire: bytes) -> None:
        """Keep the next entry of the agreed log as it was signed."""
        self._copy.logged(wire)

    def entered(self, entry: MatchEntry) -> None:
        """Write an entry to the file before it is acted on."""
        if (match := self._state.matches.match) is not None:
            self._copy.entered(match, entry)

    def noted(self, match: Match[LogSource], author: bytes, entry: MatchEntry, note: bytes) -> None:
        """Take an answer of this machine under seal, as it was before this process began."""
        if author != self._state.me or self._secret.keys is None or entry[0] != SEALED:
            return
        _, seat, ask, *_ = entry
        found = self._secret.keys.note(seat, ask, note)
        if found is not None:  # a spoilt note opens nothing
            self._said.asks.add(ask)
            self._remember(match, seat, ask, *found)

    def _remember(self, match: Match[LogSource], seat: int, ask: int, nonce: bytes, answer: Answer) -> None:
        """Remember this machine's answer under seal, to open it later; its seat may look at it."""
        self._said.vault[ask] = (nonce, answer)
        match.source.sealed[seat][ask] = answer

    def words(self, sender: bytes, seat: int, box: bytes) -> str | None:
        keys = self._secret.keys
        return None if keys is None else keys.words(sender, seat, box)

    def ended(self, ended: Ended) -> None:
        """Note that the match is over; it may end once more, if shares come that would judge it."""
        if (match := self._state.matches.match) is not None:
            self._copy.ended(match, ended, self.own.book)
        self._is_unproven = bool(ended.unproven)
        if not self._is_unproven:  # else what comes later still counts, and this machine gives what it owes
            self._forget()

    def _tell(self, message: str, params: Mapping[str, Any], seat: int | None = None) -> None:
        self._state.out.append(Notice(message, params, wrong=True, seat=seat))

    def _forget(self) -> None:
        """Erase the secret of the match that is over: from now on nothing of it can be opened here."""
        self.own.forget()
        try:
            self._secret.erase()
        except OSError as error:
            self._tell(NOT_ERASED, {"problem": trouble(error)})

    def turn_over(self, number: int, digest: bytes, over: int) -> None:
        """Write a digest at the end of a turn; `over` counts turns as players do, `number` is the entry."""
        self.claims.turn_over(number, digest)
        self._copy.turn(digest, over)

    def voided(self, header: Header, difference: Difference) -> str:
        """Write down what this machine knows of the void match; return the path, empty if that failed."""
        match = self._state.matches.match
        if match is None or self.path is None:
            return ""
        if self._is_unproven:  # nothing will judge it any more
            self.close()
        if self._copy.is_closed:  # the match was over, and had an outcome
            try:
                annul(self.path, self._copy.after)
            except StoreError as error:
                self._tell(error.message, error.params)
        path = write_difference(self.path, match, header, difference, self._state.me)
        return "" if path is None else str(path)

    def close(self) -> None:
        """Close the file of the match; one that ended unproven stays so."""
        self._copy.close()
        if self._is_unproven:
            self._is_unproven = False
            self._forget()

    # -- a fault in what this machine would say -----------------------------------------------------

    @property
    def is_mute(self) -> bool:
        """Return True if this machine says nothing more in this match, after a fault."""
        return self._fault is not None or self._is_held

    def hold(self) -> None:
        """Leave the file of a match that takes no more entries as a killed process leaves it."""
        self._is_held = True
        self._copy.close()

    @contextmanager
    def _wall(self, *passes: type[Exception]) -> Iterator[None]:
        """Make this machine mute at a fault; it still follows the match and serves its people.

        Faults of the disk and of the bot that is this machine's player come through, and so do `passes`.
        """
        try:
            yield
        except Exception as error:
            if isinstance(error, (BotFault, StoreError, OSError, *passes)):
                raise
            report = None if self.path is None else write_fault(self.path, error)
            match = self._state.matches.match
            if match is not None and is_rules_fault(error, match.rules):
                self._fault = rules_fault(error, match.rules)
            else:
                told = str(report or one_line(f"{type(error).__name__}: {error}"))
                self._fault = MessageError(MUTE, report=told)
            self._tell(self._fault.message, self._fault.params)

    # -- what is to be said now -----------------------------------------------------------------

    def say_of_oneself(self, said: OwnWord) -> None:
        if self._state.matches.running is not None and not self.is_mute:
            for entry in self.own.word(said):
                self._play(entry)

    def vote_to_end(self) -> None:
        self._expect_running()
        self._play(self.own.vote_to_end())

    def accuse(self, proof: bytes) -> None:
        if self._state.matches.running is not None:
            for entry in self.own.accusation(proof):
                self._play(entry)

    def work(self) -> None:
        """Propose the entries that the match waits for and this peer can give."""
        if not self.is_mute:
            with self._wall():
                self._work()

    def _work(self) -> None:
        self.claims.work()
        running = self._state.matches.running
        if running is None:
            unproven = self._state.matches.unproven
            if unproven is not None and self._may_speak():
                for entry in self.own.late():
                    self._play(entry)
                for ask in unproven.match.source.open:
                    self._see_to_sealed(ask)
            return
        self._ask_anew(running.match)
        self._say_what_is_missing()
        if not self._may_speak():
            return
        for entry in self.own.due(running.match):
            self._play(entry)
        self._bots.talk(running.match, self.say, self.interject)
        self._agree_to_undo(running.match)
        self._state.out += self._ear.listen(running.match, self._link.now())
        for ask in list(running.match.source.open):
            self._see_to(running.match, ask)
        for one in list(running.match.source.declaring):
            self._declare(running.match, one)
        self._race(running.match)
        self._look_at_narrator(running.match)

    def _look_at_narrator(self, match: Match[LogSource]) -> None:
        """After a minute, wait no longer for a narrator that is here and opens nothing.

        If it's gone, wait until someone else gives up; its file may bring it back.
        """
        narrator, now = self._header.narrator, self._link.now()
        heard = narrator is not None and self._state.roster.is_here(narrator.key)
        if narrator is None or not match.is_judging or not (heard or match.source.dealing.unopened):
            self._said.judging = None
            return
        since = self._said.judging = now if self._said.judging is None else self._said.judging
        if now < since + UNPROVEN:
            self._link.tick_in(since + UNPROVEN - now + 0.01)
            return
        self._said.judging = now
        self.stop_waiting()

    def stop_waiting(self) -> None:
        """Wait no longer for the narrator to open what it narrated."""
        match = self._expect_running()
        seat = next((seat for seat, key in enumerate(self._header.keys) if key == self._state.me), None)
        if not match.is_judging or seat is None:
            raise Refused(N_("You can't do that now."))
        self._play((UNOPENED, seat, match.awaits))

    def _may_speak(self) -> bool:
        """Return True if the log agrees with this machine's story of the match, to its end."""
        return self._copy.is_closed or not (self._copy.is_behind or self._has_two_stories)

    @property
    def _has_two_stories(self) -> bool:
        """Return True if log and file tell different stories, and no leader is proven to have told both."""
        return self._copy.has_two_stories and not self.own.dealing.has_equivocation

    def _say_what_is_missing(self) -> None:
        """Report once why this machine does not take its part in the match."""
        two = not self._copy.is_closed and self._has_two_stories
        lost = self._secret.keys is None and self._state.me in self._header.parties
        if (two or lost) and not self._said.silent:
            self._said.silent = True
            self._tell(TWO_STORIES if two else LOST_SECRET, {})

    def _play(self, entry: MatchEntry, note: bytes = b"") -> None:
        if not self.is_mute:
            self._link.propose(log_bodies.PLAY, self._header.id, entry, note)

    # -- a player who says nothing -------------------------------------------------------------------

    def check_nudge(self, seat: int) -> None:
        """Raise `Refused` unless the player of a seat has had a question for long enough."""
        since = [self._said.since.get(ask.id, self._link.now()) for ask in self._expect_running().source.open
                 if int(ask.seat) == seat and ask.box is None]  # fmt: skip
        least = min(NUDGE_AFTER, self._header.idle)
        if not since or self._link.now() - min(since) < least:
            raise Refused(N_("You can nudge someone after {seconds} seconds of waiting."), seconds=least)

    def stirred(self, seats: Collection[int]) -> bool:
        """Note that the person at these seats is active; after a nudge, announce it."""
        mine = self._state.matches.nudged_seats & set(seats)
        for seat in sorted(mine):
            person = self._state.roster.places[seat].companion
            self._link.propose(*as_said_by(person, (log_bodies.NUDGE, seat)))
        rested = not self._bots.resting.isdisjoint(seats)
        self._bots.resting.difference_update(seats)
        self._nudged = {key: when for key, when in self._nudged.items() if key[0] not in seats}
        return rested or bool(mine)

    def _count_down(self, match: Match[LogSource], ask: Ask, *, bot: bool) -> None:
        """Count down for a person here who was nudged; then this machine's bot answers, or plays on."""
        now, key = self._link.now(), (int(ask.seat), ask.id)
        policy = self._settings.nudged
        if ask.id not in self._state.matches.nudged or bot or policy == "wait" or ask.id in self._said.asks:
            self._nudged.pop(key, None)
            return
        idle = now - self._said.since.get(ask.id, now)
        if key not in self._nudged:
            if ask.id in self._counted or idle < self._header.idle:
                return
            self._counted.add(ask.id)
            self._nudged[key] = now + self._settings.waits.countdown
            said = YOUR_BOT if policy == "bot" else YOU_REST
            self._tell(said, {"seconds": int(self._settings.waits.countdown)}, key[0])
        if now < self._nudged[key]:
            self._link.tick_in(self._nudged[key] - now + 0.01)
            return
        if not self.own.sees_hand(key[0]):
            return  # it answers once the cards are open
        del self._nudged[key]
        if policy == "rest":
            self._bots.resting.add(key[0])
        self._tell(N_("Your bot has answered for you."), {}, key[0])
        self._said.late.add(ask.id)  # so the question is closed on the screen, too
        self._send_answer(match, ask, self._bots.for_person(match, ask))

    def _declare(self, match: Match[LogSource], one: Declaration) -> None:
        """Declare for a seat that is played here, once this machine sees the hidden things in question."""
        said, seat = self._said, int(one.seat)
        if self._state.matches.player_of(seat) != self._state.me:
            said.asks.discard(one.id)
        elif one.id not in said.asks and not one.is_said and self.own.sees_hand(seat):
            try:
                entry = match.declaration(one)
            except Exception as error:  # noqa: BLE001 - a fact is foreign code; the others see that nothing comes
                fault = rules_fault(error, match.rules)
                self._tell(fault.message, fault.params)
                said.asks.add(one.id)
                return
            if entry is not None:
                said.asks.add(one.id)
                self._play(entry)

    def _see_to(self, match: Match[LogSource], ask: Ask) -> None:
        said, now, seat = self._said, self._link.now(), int(ask.seat)
        is_own = self._state.matches.player_of(seat) == self._state.me
        if not is_own:
            said.asks.discard(ask.id)
        since = said.since.get(ask.id)
        if since is None:
            return  # the question is announced first, then answered
        if ask.box is not None:
            self._see_to_sealed(ask)
            return
        if ask.seconds is not None and (is_own if self.own.keeps_own_time else self._keeps_time):
            if now >= since + ask.seconds:
                self._time_is_up(match, ask)
                return
            self._link.tick_in(since + ask.seconds - now + 0.01)
        if is_own:
            self._count_down(match, ask, bot=self._bots.of(seat) is not None)
        if ask.id not in said.asks and (bot := self._bots.of(seat)) is not None and self.own.sees_hand(seat):
            due = since + self._settings.think
            if self._settings.think and ask.question is GO:
                due = self._ear.holds(due)
            if now < due:
                self._link.tick_in(due - now + 0.001)
                return
            if self._bots.thinks(match, bot, ask):
                self._link.tick_in(LOOK_AGAIN)
            else:
                if seat in self._bots.resting:
                    said.late.add(ask.id)  # so the question is closed on the screen, too
                self._send_answer(match, ask, self._bots.choice(match, bot, ask))

    def _see_to_sealed(self, ask: Ask) -> None:
        said, seat = self._said, int(ask.seat)
        opening = said.vault.get(ask.id) or self.own.opening(ask)
        if opening is not None and ask.id not in said.opened:
            said.opened.add(ask.id)
            self._play((OPENED, seat, ask.id, *opening))

    @property
    def _keeps_time(self) -> bool:
        """Return True if this peer says for all that time is up: the coordinator does, with one dealer."""
        return self._state.matches.coordinator == self._state.me and not self.own.keeps_own_time

    def _time_is_up(self, match: Match[LogSource], ask: Ask) -> None:
        if self.own.keeps_own_time and ask.id not in self._said.asks:
            self._said.late.add(ask.id)
            self._send_answer(match, ask, ask.late)
        elif not self.own.keeps_own_time and ask.id not in self._said.late:
            self._said.late.add(ask.id)
            self._play((TIMEOUT, ask.id))

    # -- windows --------------------------------------------------------------------------------

    @property
    def timing(self) -> WindowTiming | None:
        last = self._state.matches.last
        if last is None:
            return None
        if self._timing is None:
            self._timing = WindowTiming(
                last.match, self._say_in_window, self._link.now, self._bots.reflex, self._trip_to
            )
        return self._timing

    def _say_in_window(self, entry: MatchEntry) -> None:
        """Propose an entry in a window; where all deal together, the end of its time is a vote."""
        if entry[0] != TIMEOUT or not self.own.window_over(entry[1]):
            self._play(entry)

    def _trip_to(self, seat: int) -> int:
        """Return the measured round trip to the player of a seat, milliseconds."""
        return self._link.trip(self._state.matches.player_of(seat) or self._state.roster.places[seat].peer)

    def _race(self, match: Match[LogSource]) -> None:
        timing = self.timing
        if match.source.window is None or timing is None:
            return
        mine = self._state.matches.seats_of(self._state.me)
        bots = [seat for seat in mine if self._bots.of(seat) is not None and self.own.sees_hand(seat)]
        unseen = not self._settings.think and None not in self._header.bots
        keeps_time = bool(mine) if self.own.keeps_own_time else self._keeps_time
        due = timing.work(mine, bots, keeps_time=keeps_time, at_once=unseen)
        if due is not None:
            self._link.tick_in(due + 0.001)

    # -- questions ----------------------------------------------------------------------------

    def _ask_anew(self, match: Match[LogSource]) -> None:
        """Ask the open questions as if for the first time, after an answer was taken back."""
        if match.undone != self._said.undone:
            self._said.undone = match.undone
            for ask in match.source.open:
                self._said.since.pop(ask.id, None)
                self._said.asks.discard(ask.id)
                self._said.late.discard(ask.id)

    def _agree_to_undo(self, match: Match[LogSource]) -> None:
        """Agree to take-backs for the people here whom a bot plays for: bots always agree."""
        request = standing(match) if match.undo_request is not None else None
        if request is None:
            self._said.agreed.clear()
            return
        for seat in self._state.matches.seats_of(self._state.me):
            asked = seat in needed(match, request.seat) - request.agreed - self._said.agreed
            if asked and self._bots.of(seat) is not None:
                self._said.agreed.add(seat)
                self._play((UNDONE, seat, request.ask, True))

    def take_back(self, seats: tuple[int, ...]) -> None:
        """Take back the person's last answer, or agree to another's request, or withdraw either."""
        self._play(word(self._expect_running(), seats))

    def new_asks(self) -> list[Ask]:
        """Return the open questions that weren't announced yet."""
        running = self._state.matches.running
        if running is None or self._is_held:
            return []
        self._ask_anew(running.match)
        new = [ask for ask in running.match.source.open if ask.id not in self._said.since]
        self._said.since.update({ask.id: self._link.now() for ask in new})
        if new:
            self._link.tick_in(0)  # now they can be answered
        return [ask for ask in new if not isinstance(ask.question, Narrated)]

    def owes(self, ask: Ask) -> bool:
        if isinstance(ask.question, Narrated):
            return False  # its narrator opens it
        owed = ask.id not in self._said.asks or ask.id in self._said.late
        return owed and not self._is_held

    def answer(self, ask: Ask, answer: Answer) -> None:
        running = self._state.matches.running
        if running is None or ask not in running.match.source.open:
            raise Refused(N_("That question is closed."))
        match, answer = self._expect_running(), ask.question.check(answer)
        match.check_claim(ask, answer)
        now = self._link.now()
        took = (answer_time(self._said.since.get(ask.id, now), now),) if ask.question is not GO else ()
        with self._wall(Refused):
            self._send_answer(match, ask, answer, took)

    def _send_answer(
        self, match: Match[LogSource], ask: Ask, answer: Answer, took: tuple[int, ...] = ()
    ) -> None:
        seat = int(ask.seat)
        box, nonce = self.own.seal(ask, answer) if ask.sealed else (b"", b"")  # it may be too long for that
        self._said.asks.add(ask.id)
        if not ask.sealed:
            self._play((ANSWER, seat, ask.id, answer, *took))
            return
        self._remember(match, seat, ask.id, nonce, answer)
        sealer = self._secret.sealer
        copies = [sealer.answer(mate, ask.id, nonce, answer) for mate in ask.shown_to]
        if (narrator := self._header.narrator) is not None:
            copies.append(sealer.confide(self._state.me, narrator.key, seat, ask.id, nonce, answer))
        sealed: MatchEntry = (SEALED, seat, ask.id, box, *([copies] if copies or took else []), *took)
        self._play(sealed, sealer.note(seat, ask.id, nonce, answer))

    def interject(self, seat: int, name: str, value: Any) -> None:
        self._play(self._expect_running().interjection(seat, name, value))

    def say(self, text: str, to: Sequence[int], seat: int) -> None:
        match, heard, sealer = self._expect_running(), hearers(to), self._secret.sealer
        with suppress(GameError):  # rules that fail do so on all machines alike, at the entry
            if (why := match.why_silent(seat, heard)) is not None:
                raise Refused(why.message, **why.params)
        if not heard:
            self._play((SAY, seat, heard, text))
            return
        if (deaf := next((one for one in heard if not sealer.hears(one)), None)) is not None:
            raise Refused(CANT_HEAR, name=self._header.names[deaf])
        self._play((SAY, seat, heard, [sealer.words(one, text) for one in (*heard, seat)]))

    def _expect_running(self) -> Match[LogSource]:
        """Return the match; raise `Refused` if it is over, or this machine says nothing in it."""
        running = self._state.matches.running
        if running is None:
            raise Refused(N_("You can't do that now."))
        if self._is_held:
            raise Refused(HELD)
        if self._fault is not None:
            raise Refused(self._fault.message, **self._fault.params)
        return running.match
