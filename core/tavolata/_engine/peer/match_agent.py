"""This peer's part in the running match: answers of its people and bots, and entries of the host's dealer.

The table state shows what the match needs next. This module remembers what was already proposed, so that
nothing is proposed twice. It also writes the match's file.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from tavolata._engine.dealing.authority import Motion, OwnWord, VoteKind
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.observation import BEAT
from tavolata._engine.dealing.quorum_watch import HEARD, OFFER, QuorumWatch
from tavolata._engine.dealing.sealing import Keys, Notes, SeatSealer
from tavolata._engine.dealing.steps import EQUIVOCATION, PROOFS, SELF, VOTE
from tavolata._engine.match.attention import Attention
from tavolata._engine.match.entries import (
    ANSWER,
    DEAL,
    OPENED,
    SAY,
    SEALED,
    TIMEOUT,
    UNDONE,
    Entry,
    answer_time,
    hearers,
    plain,
)  # fmt: skip
from tavolata._engine.match.header import TOGETHER, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.one_dealer import OneDealer, box_of
from tavolata._engine.match.origin import Origin
from tavolata._engine.match.rules_fault import rules_fault
from tavolata._engine.match.scrutiny import Scrutiny
from tavolata._engine.match.state import pack
from tavolata._engine.match.take_back import needed, standing, word
from tavolata._engine.match.updates import Ended, LobbyChanged, Notice
from tavolata._engine.match.window_timing import WindowTiming
from tavolata._engine.peer.bots_here import Bots
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.taking_part import TakingPart
from tavolata._engine.peer.whispers import Whispers
from tavolata._engine.storage import secret_files
from tavolata._engine.storage.campaign_files import CampaignKeeper, fits_copy
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.storage.match_file import StoreError
from tavolata._engine.storage.void_match import annul, difference_path, write_difference
from tavolata._engine.table import log_bodies
from tavolata._engine.table.gathering import Gathering
from tavolata._engine.table.going_on import CANT_DECIDE, NO_SNAPSHOT
from tavolata._engine.table.heads import NUMBER_SIZE
from tavolata._engine.table.log_bodies import as_said_by
from tavolata._engine.table.matches import PeerPort, TableMatch
from tavolata._engine.table.state_claims import Difference
from tavolata._engine.table.table_state import TableState
from tavolata._trouble import trouble
from tavolata.asks import Ask
from tavolata.assertions import Declaration
from tavolata.choices import Answer
from tavolata.errors import GameError, Refused
from tavolata.game import Game
from tavolata.kinds.one_of import GO
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.dealing.driver import DealingDriver

Propose = Callable[..., bool]

CONFIRMED = 2.0
"""Seconds that the other machines get to claim the state in which a match ended, before this one goes."""
MOST_AFTER = 1000
"""Entries of the log that are kept after a match, in which it may turn out to be void."""

TWO_STORIES = N_(
    "This table tells a match otherwise than this machine knows it: it takes no part in it any more."
)
NOT_TRUE = N_(
    "What {name} has said of hidden cards ({fact}) is not true, as you can see. It is judged when all can "
    "see it, at the end of the match at the latest."
)
CANT_HEAR = N_("{name} can't hear a whisper now.")
LOST_SECRET = N_(
    "This machine has lost its secret of this match: it can open no card in it, and deal none. "
    "So it says that you have stepped away, and the match goes on as for anybody who has."
)
LOOK_AGAIN = 0.05
"""Seconds after which this peer looks again at whether a bot has thought enough."""
YOUR_BOT = N_("You are nudged: in {seconds} seconds a bot answers for you here. Any key stops that.")
YOU_STEP_AWAY = N_("You are nudged: in {seconds} seconds you count as away. Any key stops that.")
COUNTDOWN: float = 20.0
"""Seconds that a person has to press a key after a nudge."""
NOT_ERASED = N_("The secret of this match could not be erased from the disk: {problem}.")


@dataclass
class _Said:
    """The entries that this peer has already proposed for the running match."""

    asks: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    late: set[int] = field(default_factory=set)
    dealt: set[int] = field(default_factory=set)
    since: dict[int, float] = field(default_factory=dict)
    claims: set[int] = field(default_factory=set)
    undone: int = 0
    agreed: set[int] = field(default_factory=set)
    silent: bool = False
    vault: dict[int, tuple[bytes, Answer]] = field(default_factory=dict)


class MatchAgent(PeerPort):
    """The actions of one peer in a match.

    Args:
        library: the game, and those that may come after it.
        me: the own identity.
        settings: how this peer behaves.
        propose: proposes the body of an entry.
        clock: the time.
        tick_in: has the stream go on after so many seconds.
        trip: the measured round trip to a peer, milliseconds.
        head: the number of the last entry acted on, and the chain hash after it; see `fair.steps`.
        heard: when the last authenticated packet of a peer came; None without a session with it.
        table: the table's id.
        relayed: the bodies that a peer has signed and that the leader of the log leaves out.
        voters: the machines of which more than half have to be there for the log to go on.

    Attributes:
        state: the table.
        whispers: this process's mailbox.
        match_file: the file of the running or last match; None if none is kept.
        quorum: for how long this machine has waited for enough others, in a match that all deal together.
    """

    def __init__(
        self,
        library: GameLibrary,
        me: bytes,
        settings: PeerSettings,
        propose: Propose,
        clock: Callable[[], float],
        tick_in: Callable[[float], None],
        trip: Callable[[bytes], int],
        head: Callable[[], bytes],
        heard: Callable[[bytes], float | None],
        table: bytes,
        relayed: Callable[[bytes], Iterable[bytes]],
        voters: Callable[[], Collection[bytes]],
    ) -> None:
        self.state = TableState(library.loaded.game, me=me, local=self, table=table)
        self.whispers = Whispers()
        self._library = library
        self._table = table
        self._me = me
        self._settings = settings
        self._propose = propose
        self._clock = clock
        self._tick_in = tick_in
        self._trip = trip
        self._head = head
        self._heard = heard
        self._relayed = relayed
        self._voters = voters
        self._duty: DealingDriver | None = None
        self.quorum = QuorumWatch(clock())
        self._timing: WindowTiming | None = None
        self._attention, self._attended, self._scrutiny = Attention(), 0, Scrutiny()
        self._said = _Said()
        self._nudged: dict[tuple[int, int], float] = {}
        self._counted: set[int] = set()
        self._dealer: HostDealer | None = None
        self._taking_part = TakingPart(me, propose, clock, tick_in)
        self._keys: Keys | None = None
        self._notes: Notes | None = None
        self._sealer: SeatSealer | None = None
        self._nonce = b""
        self._copy: MatchCopy | None = None
        self._campaigns = CampaignKeeper()
        self.match_file: Path | None = None
        self._digests: dict[int, bytes] = {}
        self._end_at, self._ended = 0, 0.0
        self._after: list[bytes] = []
        self._is_unproven = False
        self._bots = Bots(self.state, library, me, self._sees_hand)
        self._before, self._wires = b"", list[bytes]()
        self._withdrawn: Gathering | None = None
        self._started = b""

    @property
    def is_steward(self) -> bool:
        """Whether this peer is the steward; see `matches.steward`."""
        return self.state.matches.steward == self._me

    # -- what only this machine gives a match (see `matches.PeerPort`) --------------------------------

    @override
    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        return self._library.take(game, rules_id)

    @override
    def source(self, header: Header, origin: Origin) -> LogSource:
        """A source with this peer's keys and, at the host, its dealer."""
        self._said, self._dealer, self._duty = _Said(), None, None
        self._nudged, self._counted = {}, set()
        self._attention, self._attended, self._scrutiny = Attention(), 0, Scrutiny()
        self._keys, self._notes = None, None
        self._bots.sit_down()
        self._sealer = SeatSealer(header, origin)
        self._nonce = origin.nonces.get(self._me, b"")
        self.close()
        self._copy = MatchCopy(header, self._me, self.state.out.append)
        self._copy.begin(self._before, self._table, self._wires)
        self.match_file, self._digests, self._after = self._copy.path, {}, []
        secret = self._secret(header, origin)
        if header.dealer in TOGETHER:
            # A table takes up less memory, and opens sooner, without what only a match of this kind needs.
            from tavolata._engine.dealing.driver import driver_in  # noqa: PLC0415 - see the line above

            self._duty = driver_in(header, origin, self._me, secret, secrets.token_bytes, self._clock())
            self.quorum = QuorumWatch(self._clock())
        elif secret is not None and self.state.roster.host == self._me:
            self._dealer = HostDealer(secret.book(header.id), self._sealer.face, header.keys)
        if secret is not None:
            self._keys, self._notes = Keys(header, self._me, secret), Notes(secret, header.id)
        dealing = self._dealer or OneDealer(header.keys) if self._duty is None else self._duty.deal
        return LogSource(len(header.names), dealing, keys=self._keys, stamp=origin.stamp)

    def _secret(self, header: Header, origin: Origin) -> MatchSecret | None:
        """The secret of this peer in a match; None if it has no seat, or has erased or lost its secret."""
        if self._me not in header.parties:
            return None
        stored = secret_files.load(self._nonce)
        return None if stored is None else MatchSecret(stored, origin.header_hash)

    def final(self, head: bytes, wire: bytes) -> None:
        """The next entry of the agreed log as it was signed, and the head before it: for the file."""
        if self.state.matches.gathering is None:  # this may be the START of the next match
            self._before, self._wires = head, []
        self._wires.append(wire)
        if self._copy is not None:
            self._copy.logged(wire)
        elif len(self._after) < MOST_AFTER:
            self._after.append(wire)

    @override
    def entered(self, header: Header, entry: Entry) -> None:
        """An entry is in the file before it is acted on."""
        if self._copy is not None:
            if (match := self.state.matches.match) is not None:
                self._note_what_happened(match)
            self._copy.entry(entry)

    def _note_what_happened(self, match: Match[LogSource]) -> None:
        """Write the events and convictions since the last entry, and the faces that seats here were shown."""
        if self._copy is not None:
            self._copy.judged(match.source.dealing.judged)
            self._copy.events(match)
            self._copy.seen(match.source.known)

    @override
    def noted(self, match: Match[LogSource], author: bytes, note: bytes) -> None:
        """An own answer under seal, as it was before this process began."""
        if author == self._me and self._notes is not None:
            match self._notes.read(note):
                case [int(seat), int(ask), bytes(nonce), answer]:
                    self._said.asks.add(ask)
                    self._remember(match, seat, ask, nonce, plain(answer))
                case _:
                    pass  # a spoilt note: the answer can't be opened here

    def _remember(self, match: Match[LogSource], seat: int, ask: int, nonce: bytes, answer: Answer) -> None:
        """Know an own answer under seal, to open it later; its seat may look at it."""
        self._said.vault[ask] = (nonce, answer)
        match.source.sealed[seat][ask] = answer

    @override
    def words(self, seat: int, box: bytes) -> str | None:
        """A message to a seat of this peer, or from it."""
        return None if self._keys is None else self._keys.words(seat, box)

    @override
    def whispered(self, box: bytes) -> str | None:
        return self.whispers.opened(box)

    @override
    def ended(self, header: Header, ended: Ended) -> None:
        match = self.state.matches.match
        if match is not None and self._me in header.parties:  # before the file says that it is over
            self._tell(self._campaigns.end(header, match.rules, ended))
        if self._copy is not None:
            if match is not None:
                self._note_what_happened(match)
            self._copy.end(ended, None if self._dealer is None else self._dealer.secret)
        self._is_unproven = bool(ended.unproven)
        if not self._is_unproven:  # else what comes later still counts, and this machine gives what it owes
            self.close()
            self._forget()

    def _tell(self, notice: Notice | None) -> None:
        if notice is not None:
            self.state.out.append(notice)

    def _forget(self) -> None:
        """Erase the secret of the match that is over: from now on nothing of it can be opened here."""
        self._keys = self._notes = None
        if self._duty is not None:
            self._duty.dealer = None
        if not self._nonce:
            return  # this machine had no part in it, and no secret
        try:
            secret_files.erase(self._nonce)
        except OSError as error:
            self.state.out.append(Notice(NOT_ERASED, {"problem": trouble(error)}, wrong=True))

    def turn_over(self, number: int, digest: bytes, over: int) -> None:
        """A turn is over with an entry of the log; its digest goes into the file.

        Args:
            number: the entry.
            digest: the state's digest.
            over: how many turns are over, as players count them.
        """
        self._digests[number] = digest
        if self.state.matches.running is None:
            self._end_at, self._ended = number, self._clock()
            self._tick_in(CONFIRMED + 0.01)
        if self._copy is not None:
            self._copy.turn(digest, over)

    @property
    def is_end_confirmed(self) -> bool:
        """Whether all who played to the end and are here have claimed the state in which it ended.

        They get two seconds for that; it is no condition for anything but going away at once.
        """
        last = self.state.matches.last
        if last is None or self.state.matches.difference is not None or last.match.outcome is None:
            return True
        claimed = self.state.matches.claims.digests.get(self._end_at, {})
        here = {place.peer for place in self.state.roster.with_status(log_bodies.HERE)}
        return (
            not (here & set(last.header.parties)) - claimed.keys() or self._clock() > self._ended + CONFIRMED
        )

    def _claim_end(self) -> None:
        """Claim the state in which a match ended, so that its result is what all machines have."""
        last = self.state.matches.last
        if last is not None and last.match.outcome is not None and self._end_at in self._digests:
            self.claim_state(self._end_at)

    def claim_state(self, number: int) -> None:
        """Claim the own state after an entry of the log, which another machine's contradicts."""
        last, claims = self.state.matches.last, self.state.matches.claims.digests
        if last is None or self._me not in last.header.parties or self._me in claims.get(number, {}):
            return
        if number not in self._said.claims:
            self._said.claims.add(number)
            self._propose(log_bodies.STATE, last.header.id, number, self._digests.get(number, b""))

    def _answer_claims(self) -> None:
        """Claim the own state where another party claimed a different one."""
        if self.state.matches.difference is not None:
            return
        last = int.from_bytes(self._head()[:NUMBER_SIZE], "big")
        for number, claims in self.state.matches.claims.digests.items():
            if number <= last and self._digests.get(number, b"") not in claims.values():
                self.claim_state(number)

    @override
    def voided(self, header: Header, difference: Difference) -> str:
        if self._me in header.parties:
            self._tell(self._campaigns.void(header))
        match, file = self.state.matches.match, self.match_file
        if match is None or file is None:
            return ""
        if self._copy is None:  # the match was over, and had an outcome
            try:
                annul(file, self._after)
            except StoreError as error:
                self.state.out.append(Notice(error.message, error.params, wrong=True))
        path = difference_path(file)
        return str(path) if write_difference(path, match, header, difference, self._me) else ""

    def close(self) -> None:
        """Close the file of the match; one that ended unproven stays so."""
        if self._copy is not None:
            self._copy.close()
            self._copy = None
        if self._is_unproven:
            self._is_unproven = False
            self._forget()

    @property
    def has_part(self) -> bool:
        """Whether this machine plays in a match that can be stopped for today, and has not left it."""
        return self.state.matches.dealing.has_part(self._me)

    def names_of(self, parties: Iterable[int]) -> str:
        """The names of parties of the running match."""
        deal = None if self._duty is None else self._duty.deal
        seats = [] if deal is None else [deal.authority.seat_of(party) for party in parties]
        return ", ".join(deal.header.names[seat] for seat in seats if deal is not None)

    # -- going on without the missing ------------------------------------------------------------

    @property
    def missing(self) -> tuple[bytes, ...]:
        """The parties of the running match that this machine has not heard for a minute."""
        if self._duty is None:
            return ()
        now, authority = self._clock(), self._duty.deal.authority
        ago = self._duty.observation.ago
        return tuple(
            peer for peer in self.state.matches.dealing.remaining
            if peer != self._me and ago(authority.number_of(peer) or 0, now) >= OFFER
        )  # fmt: skip

    def why_not_onward(self) -> str | None:
        """The reason why the person here can't wish to go on without the missing, or take that back."""
        matches, going_on = self.state.matches, self.state.matches.going_on
        wished = self._me in going_on.wishes
        why = None if wished else going_on.why_not(matches.dealing, self._me, self.missing)
        return CANT_DECIDE if why in (None, NO_SNAPSHOT) and not self._can_decide else why

    @property
    def _can_decide(self) -> bool:
        """Whether this machine hears enough of the log's voters for something new to become final."""
        voters = self._voters()
        here = [peer for peer in voters if peer == self._me or self._hears(peer)]
        return 2 * len(here) > len(voters)

    def wish_onward(self) -> None:
        """Wish to go on without the missing, or take that back.

        Raises:
            Refused: it can't be; see `GoingOn`.
        """
        running, matches = self._expect_running(), self.state.matches
        said = matches.going_on.wishes.get(self._me)
        missing = self.missing if said is None else tuple(said)
        if (why := self.why_not_onward()) is not None:
            raise Refused(why)
        self._propose(log_bodies.ONWARD, running.header.id, list(missing), said is None)

    def _invitation(self) -> Gathering | None:
        """The START that this machine answers.

        It is none that names other code than that of this machine, or an earlier or other campaign than its
        copy, nor one that leaves out somebody whom it
        hears.
        """
        matches = self.state.matches
        gathering, running = matches.gathering, matches.running
        if gathering is None:
            return None
        if gathering.header.before is None or running is None:
            header, own = gathering.header, self._library.loaded.info.edition.fingerprint
            if self._me in header.parties and not (header.code_of(self._me) == own and fits_copy(header)):
                return None
            return gathering
        wish = matches.going_on.wishes.get(self._me, frozenset())
        if any(map(self._hears, wish)) and self._withdrawn is not gathering:
            self._withdrawn = gathering
            self._propose(log_bodies.ONWARD, running.header.id, list(wish), False)
        return None if self._withdrawn is gathering else gathering

    def _hears(self, peer: bytes) -> bool:
        """Whether a packet of this peer has come lately."""
        heard = self._heard(peer)
        return heard is not None and self._clock() - heard < HEARD

    def _go_on(self) -> None:
        """Say START for the match that all who are here would go on with: the first of them does."""
        matches = self.state.matches
        header = None if matches.gathering is not None else matches.next_header
        if header is None or header.parties[0] != self._me:
            self._started = b""
            return
        data = pack(header.plain())
        body = pack([data, self.state.roster.leader])
        if body != self._started and self._propose(log_bodies.START, data, self.state.roster.leader):
            self._started = body

    # -- what is to be said now -----------------------------------------------------------------

    def say_of_oneself(self, word: OwnWord) -> None:
        """Say that the own player steps away or leaves for good, in a match that all deal together."""
        running = self.state.matches.running
        if running is None or self._duty is None or not self._duty.deal.me:
            return
        deal = self._duty.deal
        absence = deal.authority.absence_of(deal.me)
        self._play(running.header, (DEAL, deal.me, self._head(), SELF, int(word), absence))

    def vote_to_end(self) -> None:
        """Vote for the end of a match that all deal together, or take the vote back."""
        running = self._expect_running()
        if self._duty is None or self._duty.dealer is None:
            raise Refused(N_("You can't do that now."))
        deal, end = self._duty.deal, Motion(VoteKind.END, 0, 0)
        yes = end not in deal.authority.votes_of(deal.me)
        self._play(running.header, (DEAL, deal.me, self._head(), VOTE, *map(int, end), yes, 0))

    def accuse(self, proof: bytes) -> None:
        """Tell a match that all deal together that the leader of its log equivocated."""
        running = self.state.matches.running
        if running is not None and self._duty is not None and self._duty.dealer is not None:
            self._play(running.header, (DEAL, self._duty.deal.me, self._head(), EQUIVOCATION, proof))

    def work(self) -> None:
        """Propose the entries that the match waits for and this peer can give."""
        self._taking_part.work(self._invitation(), self.state.out)
        self._go_on()
        self._claim_end()
        self._answer_claims()
        running = self.state.matches.running
        if running is None:
            self._open_late()
            return
        self._ask_anew(running.match)
        self._say_what_is_missing(running.header)
        if not self._may_speak():
            return
        self._deal(running)
        self._bots.talk(running.match, self.say, self.interject)
        self._agree_to_undo(running)
        self._attend(running)
        for ask in list(running.match.source.open):
            self._see_to(running, ask)
        for one in list(running.match.source.declaring):
            self._declare(running, one)
        self._race(running)

    def _open_late(self) -> None:
        """Give the shares that would judge a match that ended without them."""
        over, duty = self.state.matches.unproven, self._duty
        if over is not None and duty is not None and duty.dealer is not None and self._may_speak():
            for step in duty.dealer.said():
                if step[0] == PROOFS:
                    self._play(over.header, (DEAL, duty.deal.me, self._head(), *step))

    def _may_speak(self) -> bool:
        """Whether the log tells the story of this match that this machine knows, and to its end."""
        return self._copy is None or not (self._copy.is_behind or self._has_two_stories)

    @property
    def _has_two_stories(self) -> bool:
        """Whether the log tells another story than the file, and no leader is proven to have told both."""
        proven = self._duty is not None and self._duty.deal.has_equivocation
        return self._copy is not None and self._copy.has_two_stories and not proven

    def _say_what_is_missing(self, header: Header) -> None:
        """Tell once why this machine does not take its part in the match."""
        two = self._has_two_stories
        lost = self._keys is None and self._me in header.parties
        if (two or lost) and not self._said.silent:
            self._said.silent = True
            self.state.out.append(Notice(TWO_STORIES if two else LOST_SECRET, wrong=True))

    def _attend(self, running: TableMatch) -> None:
        """Notice what people were told since, so that bots here leave them time to answer."""
        now, source = self._clock(), running.match.source
        people = [seat for seat, bot in enumerate(running.header.bots) if bot is None]
        for entry in source.entries[self._attended : source.at]:
            self._attention.hear(entry, people)
        self._attended = source.at
        if running.match.table._pieces.laid:
            self._attention.look(running.match, people, now)
        mine = [seat for seat in people if running.header.keys[seat] == self._me]
        for said in self._scrutiny.look(running.match, mine):
            told = {"name": running.header.names[said.by], "fact": said.fact.partition(":")[2]}
            self.state.out.append(Notice(NOT_TRUE, told, wrong=True))

    def _play(self, header: Header, entry: Entry, note: bytes = b"") -> None:
        self._propose(log_bodies.PLAY, header.id, entry, note)

    def _deal(self, running: TableMatch) -> None:
        if self._duty is not None:
            self._deal_together(running.header, self._duty)
            return
        want = running.match.source.wants
        if self._dealer is not None and want is not None and want.at not in self._said.dealt:
            self._said.dealt.add(want.at)
            self._play(running.header, self._dealer.entry(want))

    def _deal_together(self, header: Header, duty: DealingDriver) -> None:
        now, authority = self._clock(), duty.deal.authority
        for party in authority.all:
            heard = self._heard(authority.key_of(party))
            if heard is not None:
                duty.observation.hear(party, heard)
        bodies = {party: self._relayed(authority.key_of(party)) for party in authority.all}
        duty.relayed = {party: list(self._entries_in(header, found)) for party, found in bodies.items()}
        if self.has_part:
            ago = {
                party: duty.observation.ago(party, now)
                for party in authority.all
                if not authority.is_gone(party)
            }
            wanted = duty.deal.needed  # a deal's keys may be with fewer than all who are not gone
            self.quorum.look(now, ago, [(ago, authority.threshold), *([] if wanted is None else [wanted])])
        duty.nudged = {ask: duty.nudged.get(ask, now) for ask in self.state.matches.nudged}
        for step in duty.steps(now):
            self._play(header, (DEAL, duty.deal.me, self._head(), *step))
        told = (duty.progress(now), duty.shortage())
        self.state.out += [notice for notice in told if notice is not None]
        if told[1] is not None:
            self.state.out.append(LobbyChanged())  # what can be done about it is another matter now
        self._tick_in(BEAT)

    def _entries_in(self, header: Header, bodies: Iterable[bytes]) -> Iterator[Entry]:
        for body in bodies:
            match log_bodies.read(body):
                case (log_bodies.PLAY, [header.id, entry, _]):
                    yield plain(entry)
                case _:
                    pass  # about something other than this match

    # -- a player who says nothing -------------------------------------------------------------------

    def check_nudge(self, seat: int) -> None:
        """Check that the player of a seat has had a question for long.

        Raises:
            Refused: it has none, or not for long enough.
        """
        running = self._expect_running()
        since = [self._said.since.get(ask.id, self._clock()) for ask in running.match.source.open
                 if int(ask.seat) == seat and ask.box is None]  # fmt: skip
        idle = running.header.idle
        if not since or self._clock() - min(since) < idle:
            raise Refused(N_("Nobody has kept you waiting for so long: {seconds} seconds."), seconds=idle)

    def stirred(self, seats: Collection[int]) -> bool:
        """A person here did something: say so if it was nudged, also if the machine counts as away by that.

        Args:
            seats: the seats of this person.
        """
        matches, mine = self.state.matches, [seat for seat, _ in self._nudged if seat in seats]
        for seat in mine:
            self._propose(*as_said_by(self.state.roster.places[seat].companion, (log_bodies.NUDGE, seat)))
        rested = self._duty is not None and self._duty.rests
        if self._duty is not None:
            self._duty.rests = False
        self._nudged = {key: when for key, when in self._nudged.items() if key[0] not in seats}
        return rested or (bool(mine) and matches.running is not None)

    def _count_down(self, running: TableMatch, ask: Ask, *, bot: bool) -> None:
        """Count down for a person here who was nudged; then the own bot answers, or the person is away."""
        now, key = self._clock(), (int(ask.seat), ask.id)
        policy = self._settings.nudged
        if self.state.roster.companions(self._me) and policy == "out":
            policy = "bot"  # one of several people here, who would all be away
        if ask.id not in self.state.matches.nudged or bot or policy == "wait" or ask.id in self._said.asks:
            self._nudged.pop(key, None)
            return
        idle = now - self._said.since.get(ask.id, now)
        if key not in self._nudged:
            if ask.id in self._counted or idle < running.header.idle:
                return
            self._counted.add(ask.id)
            self._nudged[key] = now + COUNTDOWN
            said = YOUR_BOT if policy == "bot" else YOU_STEP_AWAY
            self.state.out.append(Notice(said, {"seconds": int(COUNTDOWN)}, wrong=True, seat=key[0]))
        if now < self._nudged[key]:
            self._tick_in(self._nudged[key] - now + 0.01)
            return
        if policy == "bot" and not self._sees_hand(key[0]):
            return  # it answers once the cards are open
        del self._nudged[key]
        if policy == "bot" or self._duty is None:
            self.state.out.append(Notice(N_("Your bot has answered for you."), wrong=True, seat=key[0]))
            self._send_answer(running, ask, self._bots.for_person(running.match, ask))
        else:
            self._duty.rests = True
            self.say_of_oneself(OwnWord.OUT)

    def _declare(self, running: TableMatch, one: Declaration) -> None:
        """Declare for a seat that is played here, once this machine sees what it is about."""
        said, seat = self._said, int(one.seat)
        if self.state.matches.player_of(seat) != self._me:
            said.asks.discard(one.id)
        elif one.id not in said.asks and not one.is_said and self._sees_hand(seat):
            self._lend_sight(running.match, seat)
            try:
                entry = running.match.declaration(one)
            except Exception as error:  # noqa: BLE001 - a fact is foreign code; the others see that nothing comes
                fault = rules_fault(error, running.match.rules)
                self.state.out.append(Notice(fault.message, fault.params, wrong=True))
                said.asks.add(one.id)
                return
            if entry is not None:
                said.asks.add(one.id)
                self._play(running.header, entry)

    def _see_to(self, running: TableMatch, ask: Ask) -> None:
        said, now, seat = self._said, self._clock(), int(ask.seat)
        if self.state.matches.player_of(seat) != self._me:
            said.asks.discard(ask.id)  # played for somebody who came back, it may come here again
        since = said.since.get(ask.id)
        if since is None:
            return  # the question is announced first, then answered
        if ask.box is not None:
            if ask.id in said.vault and ask.id not in said.opened:
                said.opened.add(ask.id)
                self._play(running.header, (OPENED, seat, ask.id, *said.vault[ask.id]))
            elif self._keeps_time and self.state.roster.places[seat].stand_in and ask.seconds is not None:
                self._time_out(running.header, ask)  # sealed by the player that has gone: no bot can open it
            return
        own = self._duty is not None and self.state.matches.player_of(seat) == self._me
        if (self._keeps_time or own) and ask.seconds is not None:
            if now >= since + ask.seconds:
                self._time_is_up(running, ask)
                return
            self._tick_in(since + ask.seconds - now + 0.01)
        if self.state.matches.player_of(seat) == self._me:
            self._count_down(running, ask, bot=self._bots.of(seat) is not None)
        if ask.id not in said.asks and (bot := self._bots.of(seat)) is not None and self._sees_hand(seat):
            due = since + self._settings.think
            if self._settings.think and ask.question is GO:
                due = self._attention.holds(due)
            if now < due:
                self._tick_in(due - now + 0.001)
                return
            self._lend_sight(running.match, seat)
            if self._bots.thinks(running.match, bot, ask):
                self._tick_in(LOOK_AGAIN)
            else:
                self._send_answer(running, ask, self._bots.choice(running.match, bot, ask))

    @property
    def _keeps_time(self) -> bool:
        """Whether this peer says for all that time has run out: the steward does, where one peer deals."""
        return self.is_steward and self._duty is None

    def _time_is_up(self, running: TableMatch, ask: Ask) -> None:
        """Say that time has run out: the steward for all; where all deal together, each for its own seats."""
        if self._duty is None:
            self._time_out(running.header, ask)
        elif ask.id not in self._said.asks:
            self._said.late.add(ask.id)
            self._send_answer(running, ask, ask.late)

    def _sees_hand(self, seat: int) -> bool:
        """Whether the cards of a seat that is played here are open here, which takes a moment."""
        return self._duty is None or self._duty.deal.sees_hand(seat)

    def _lend_sight(self, match: Match, seat: int) -> None:
        """A stand-in sees what the host dealt to the seat that it plays."""
        if self._dealer is not None and self.state.roster.places[seat].stand_in:
            match.source.known[seat].update(self._dealer.seen_by(seat))

    def _time_out(self, header: Header, ask: Ask) -> None:
        if ask.id not in self._said.late:
            self._said.late.add(ask.id)
            self._play(header, (TIMEOUT, ask.id))

    # -- windows --------------------------------------------------------------------------------

    @property
    def timing(self) -> WindowTiming | None:
        """This peer in the windows of the match; None before the first match."""
        last = self.state.matches.last
        if last is not None and (self._timing is None or self._timing.match is not last.match):
            say = partial(self._say_in_window, last.header)
            self._timing = WindowTiming(last.match, say, self._clock, self._bots.reflex, self._trip_to)
        return self._timing

    def _say_in_window(self, header: Header, entry: Entry) -> None:
        """Say something in a window; where all deal together, that its time is over is a vote."""
        if entry[0] == TIMEOUT and self._duty is not None:
            self._duty.window_over(entry[1])
            self._tick_in(0)
        else:
            self._play(header, entry)

    def _trip_to(self, seat: int) -> int:
        """The measured round trip to who plays a seat, milliseconds."""
        return self._trip(self.state.matches.player_of(seat) or self.state.roster.places[seat].peer)

    def _race(self, running: TableMatch) -> None:
        timing = self.timing
        if running.match.source.window is None or timing is None:
            return
        mine = self.state.matches.seats_of(self._me)
        bots = [seat for seat in mine if self._bots.of(seat) is not None and self._sees_hand(seat)]
        unseen = not self._settings.think and None not in running.header.bots
        keeps_time = self._keeps_time or (self._duty is not None and bool(mine))
        due = timing.work(mine, bots, keeps_time=keeps_time, at_once=unseen)
        if due is not None:
            self._tick_in(due + 0.001)

    # -- questions ----------------------------------------------------------------------------

    def _ask_anew(self, match: Match[LogSource]) -> None:
        """An answer was taken back: what is open now is asked as if it never had been."""
        if match.undone != self._said.undone:
            self._said.undone = match.undone
            for ask in match.source.open:
                self._said.since.pop(ask.id, None)
                self._said.asks.discard(ask.id)
                self._said.late.discard(ask.id)

    def _agree_to_undo(self, running: TableMatch) -> None:
        """Say yes for the people here whom a bot plays for: bots agree that an answer is taken back."""
        request = standing(running.match) if running.match.undo_request is not None else None
        if request is None:
            self._said.agreed.clear()
            return
        for seat in self.state.matches.seats_of(self._me):
            asked = seat in needed(running.match, request.seat) - request.agreed - self._said.agreed
            if asked and self._bots.of(seat) is not None:
                self._said.agreed.add(seat)
                self._play(running.header, (UNDONE, seat, request.ask, True))

    def take_back(self, seats: tuple[int, ...]) -> None:
        """Take the last answer of the person here back, agree to another's request, or no longer.

        Raises:
            Refused: nothing can be taken back now.
        """
        running = self._expect_running()
        self._play(running.header, word(running.match, seats))

    def new_asks(self) -> list[Ask]:
        """The questions that are open and were not announced yet."""
        running = self.state.matches.running
        if running is None:
            return []
        self._ask_anew(running.match)
        new = [ask for ask in running.match.source.open if ask.id not in self._said.since]
        self._said.since.update({ask.id: self._clock() for ask in new})
        if new:
            self._tick_in(0)  # now they can be answered
        return new

    def owes(self, ask: Ask) -> bool:
        """Whether this peer's player has not answered that question yet."""
        return ask.id not in self._said.asks or ask.id in self._said.late

    def answer(self, ask: Ask, answer: Answer) -> None:
        """Answer for the person here; see `TableSession`."""
        running = self.state.matches.running
        if running is None or not any(ask is one for one in running.match.source.open):
            raise Refused(N_("That question is closed."))
        answer = ask.question.check(answer)
        running.match.check_claim(ask, answer)
        now = self._clock()
        took = (answer_time(self._said.since.get(ask.id, now), now),) if ask.question is not GO else ()
        self._send_answer(running, ask, answer, took)

    def _send_answer(self, running: TableMatch, ask: Ask, answer: Answer, took: tuple[int, ...] = ()) -> None:
        self._said.asks.add(ask.id)
        if not ask.sealed:
            self._play(running.header, (ANSWER, int(ask.seat), ask.id, answer, *took))
            return
        seat = int(ask.seat)
        if self._duty is not None and self._duty.dealer is not None:
            box, nonce = self._duty.dealer.seal(ask, answer)
        else:
            nonce = secrets.token_bytes(32)
            box = box_of(seat, ask.id, nonce, answer)
        self._remember(running.match, seat, ask.id, nonce, answer)
        sealer = self._sealer
        copies = (
            [] if sealer is None else [sealer.answer(mate, ask.id, nonce, answer) for mate in ask.shown_to]
        )
        sealed: Entry = (SEALED, seat, ask.id, box, *([copies] if copies or took else []), *took)
        note = b"" if self._notes is None else self._notes.write([seat, ask.id, nonce, answer])
        self._play(running.header, sealed, note)

    def interject(self, seat: int, name: str, value: Any) -> None:
        """Do what may be done at any time; see `TableSession`."""
        running = self._expect_running()
        self._play(running.header, running.match.interjection(seat, name, value))

    def say(self, text: str, to: Sequence[int], seat: int) -> None:
        """Speak in the match; see `TableSession`."""
        running = self._expect_running()
        header, heard = running.header, hearers(to)
        with suppress(GameError):  # rules that fail do so on all machines alike, at the entry
            if (why := running.match.why_silent(seat, heard)) is not None:
                raise Refused(why.message, **why.params)
        if not heard or self._sealer is None:
            self._play(header, (SAY, seat, heard, text))
            return
        if (deaf := next((one for one in heard if not self._sealer.hears(one)), None)) is not None:
            raise Refused(CANT_HEAR, name=header.names[deaf])
        self._play(header, (SAY, seat, heard, [self._sealer.words(one, text) for one in (*heard, seat)]))

    def _expect_running(self) -> TableMatch:
        running = self.state.matches.running
        if running is None:
            raise Refused(N_("You can't do that now."))
        return running
