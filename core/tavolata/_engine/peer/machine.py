"""One machine's state beyond a match: the table, its games, its mailbox, and its way into the next match.

It makes a `Participation` for each match.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from typing_extensions import override

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.quorum_watch import HEARD, QuorumWatch
from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Origin
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.match.window_timing import WindowTiming
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.participation import Participation
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.taking_part import TakingPart
from tavolata._engine.peer.whispers import Whispers
from tavolata._engine.sessions.knocks import Knocks
from tavolata._engine.storage.campaign_files import CampaignKeeper, fits_copy
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.table import log_bodies
from tavolata._engine.table.continuation import CANT_DECIDE, NO_SNAPSHOT
from tavolata._engine.table.log_bodies import Wish
from tavolata._engine.table.matches import PeerPort
from tavolata._engine.table.start_barrier import StartBarrier
from tavolata._engine.table.state_claims import Difference
from tavolata._engine.table.table_state import TableState
from tavolata.asks import Ask
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.messages import N_

NOT_NOW = N_("You can't do that now.")


class Machine(PeerPort):
    """One machine at a table; `part` is its part in the running or last match, None before the first."""

    def __init__(self, library: GameLibrary, me: bytes, settings: PeerSettings, link: TableLink) -> None:
        self.state = TableState(library.loaded.game, me=me, local=self, table=link.table)
        self.whispers = Whispers()
        self.part: Participation | None = None
        self._library = library
        self._me = me
        self._settings = settings
        self._link = link
        self._taking_part = TakingPart(me, link)
        self._campaigns = CampaignKeeper()
        self._before, self._wires = b"", list[bytes]()
        self._withdrawn: StartBarrier | None = None
        self._next: Participation | None = None
        self._started = b""
        self._goes_back = settings.goes_back
        self._turn = (0, -1)
        self._no_quorum_needed = QuorumWatch(link.now())

    # -- what only this machine gives a match (see `matches.PeerPort`) --------------------------------

    @override
    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        return self._library.rules(game, rules_id)

    @override
    def source(self, header: Header, origin: Origin) -> LogSource:
        self._next = Participation(header, origin, self._link, self.state, self._settings, self._library)
        return self._next.source

    @override
    def begun(self, header: Header) -> None:
        assert self._next is not None  # it made the source of this match
        self.close()
        copy = MatchCopy(header, self._me, self.state.out.append)
        copy.begin(header, self._before, self._link.table, self._wires)
        self._next.begin(copy)
        self.part, self._next = self._next, None

    def final(self, head: bytes, wire: bytes) -> None:
        """Keep the next entry of the agreed log as it was signed, and the head before it, for the file."""
        if self.state.matches.barrier is None:  # this may be the START of the next match
            self._before, self._wires = head, []
        self._wires.append(wire)
        if self.part is not None:
            self.part.logged(wire)

    def compare(self, number: int) -> None:
        """Compare this machine's state with the others' when a turn is over with this entry of the log."""
        matches = self.state.matches
        turn = matches.played, matches.moment  # a match may begin in any turn
        if matches.match is not None and turn != self._turn:
            digest = matches.digest()
            self._link.note_digest(number, digest)
            self.playing.turn_over(number, digest, matches.match.turns)
        self._turn = turn

    @override
    def entered(self, header: Header, entry: MatchEntry) -> None:
        self.playing.entered(entry)

    @override
    def noted(self, match: Match[LogSource], author: bytes, entry: MatchEntry, note: bytes) -> None:
        self.playing.noted(match, author, entry, note)

    @override
    def words(self, sender: bytes, seat: int, box: bytes) -> str | None:
        return self.playing.words(sender, seat, box)

    @override
    def whispered(self, sender: bytes, box: bytes) -> str | None:
        return self.whispers.opened(sender, box)

    @override
    def ended(self, header: Header, ended: Ended) -> None:
        match = self.state.matches.match
        if match is not None and self._me in header.parties:  # before the file says that it is over
            self._tell(self._campaigns.end(header, match.rules, ended))
        self.playing.ended(ended)

    @override
    def voided(self, header: Header, difference: Difference) -> str:
        if self._me in header.parties:
            self._tell(self._campaigns.void(header))
        return self.playing.voided(header, difference)

    def _tell(self, notice: Notice | None) -> None:
        if notice is not None:
            self.state.out.append(notice)

    def close(self) -> None:
        if self.part is not None:
            self.part.close()

    # -- its part in the match ---------------------------------------------------------------------

    @property
    def playing(self) -> Participation:
        """Its part in the running or last match; raise `Refused` if none has begun here."""
        if self.part is None:
            raise Refused(NOT_NOW)
        return self.part

    @property
    def match_file(self) -> Path | None:
        return None if self.part is None else self.part.path

    @property
    def timing(self) -> WindowTiming | None:
        return None if self.part is None else self.part.timing

    @property
    def quorum(self) -> QuorumWatch:
        """How long this machine has waited for enough others, in a match that all deal together."""
        return self._no_quorum_needed if self.part is None else self.part.own.quorum

    @property
    def knocks(self) -> Knocks | None:
        return self._settings.knocks

    @property
    def has_part(self) -> bool:
        return self.state.matches.has_part

    @property
    def cant_say_goodbye(self) -> bool:
        """Return True if it can't tell the others of its match that its player steps away.

        A narrator's goodbye would end the match: without it, all wait until it is back.
        """
        narrator = self.state.matches.narrator
        if narrator is not None and narrator.key == self._me:
            return True
        return self.has_part and (bool(self.quorum.missing) or (self.part is not None and self.part.is_mute))

    @property
    def is_needed(self) -> bool:
        """Return True if its match waits for it when it's away, as far as is known here."""
        waits = self.part is not None and self.part.own.is_needed
        return self.has_part and (waits or self.cant_say_goodbye)

    @property
    def is_end_confirmed(self) -> bool:
        return self.part is None or self.part.claims.is_end_confirmed

    def new_asks(self) -> list[Ask]:
        return [] if self.part is None else self.part.new_asks()

    def owes(self, ask: Ask) -> bool:
        return self.part is not None and self.part.owes(ask)

    def say_of_oneself(self, word: OwnWord) -> None:
        """Announce that this machine's player steps away or leaves for good, where all deal together."""
        if self.part is not None:
            self.part.say_of_oneself(word)

    def stirred(self, seats: Collection[int]) -> bool:
        return self.part is not None and self.part.stirred(seats)

    def prepare(self) -> None:
        """Propose the entries that the next match waits for and this peer can give."""
        barrier = self._invitation()
        self._taking_part.work(barrier, self.state.out)
        if self._next is not None and barrier is not None and barrier.prepared is not None:
            self._next.prepare(barrier.prepared)
        self._go_on()

    def work(self) -> None:
        """Propose the entries that the running match waits for and this peer can give."""
        if self.part is not None:
            self.part.work()

    def hold(self) -> None:
        """Take no more entries of the running match, for acting on the next one has failed here."""
        self.state.matches.hold()
        if self.part is not None:
            self.part.hold()

    # -- going on without the missing, or going back ---------------------------------------------

    @property
    def _missing(self) -> tuple[bytes, ...]:
        """The parties of the running match that this machine has not heard for a minute."""
        return () if self.part is None else self.part.own.missing

    def why_not_continue(self) -> str | None:
        """Return why the person here can't wish to continue without the missing, or withdraw that wish."""
        matches, continuation = self.state.matches, self.state.matches.continuation
        wished = continuation.wishes.get(self._me)
        why = None if wished else continuation.why_not(matches.dealing, self._me, self._missing)
        return CANT_DECIDE if why in (None, NO_SNAPSHOT) and not self._can_decide else why

    @property
    def _can_decide(self) -> bool:
        """Return True if this machine hears enough of the log's voters for something new to become final."""
        voters = self._link.voters
        here = [peer for peer in voters if peer == self._me or self._hears(peer)]
        return 2 * len(here) > len(voters)

    def why_not_go_back(self) -> str | None:
        """Return why the person here can't wish that everyone goes back, or withdraw that wish."""
        matches = self.state.matches
        return NOT_NOW if matches.standing is None else matches.why_not_back(self._me)

    @property
    def back_to(self) -> int | None:
        """The turn to whose end everyone could go back, where the match broke or someone else wishes that."""
        matches = self.state.matches
        snapshot, wishes = matches.continuation.snapshot, matches.continuation.wishes
        broke = matches.is_held or (matches.running is None and matches.standing is not None)
        is_wished = any(not missing for missing in wishes.values()) or self.state.wishes.of(Wish.BACK)
        if self._me in wishes or not (broke or is_wished) or self.why_not_go_back() is not None:
            return None
        return None if snapshot is None else snapshot.turns

    def wish_to_go_back(self) -> None:
        """Wish that everyone goes back to the last clean turn, or withdraw that; raise `Refused` if not."""
        standing, wishes = self.state.matches.standing, self.state.matches.continuation.wishes
        why = self.why_not_go_back()
        if standing is None or why is not None:
            raise Refused(why or NOT_NOW)
        self._link.propose(log_bodies.ONWARD, standing.header.id, [], wishes.get(self._me) != frozenset())

    def wish_continuation(self) -> None:
        """Wish to continue without the missing, or withdraw that; raise `Refused` as in `Continuation`."""
        running, matches = self.state.matches.running, self.state.matches
        said = matches.continuation.wishes.get(self._me)
        missing = tuple(said) if said else self._missing
        if running is None:
            raise Refused(NOT_NOW)
        if (why := self.why_not_continue()) is not None:
            raise Refused(why)
        self._link.propose(log_bodies.ONWARD, running.header.id, list(missing), not said)

    def _invitation(self) -> StartBarrier | None:
        """The START that this machine answers.

        It ignores one that names code other than its own, or an earlier or other campaign than its copy, or
        that leaves out someone that it hears.
        """
        matches = self.state.matches
        barrier, standing = matches.barrier, matches.standing
        if barrier is None:
            return None
        if barrier.header.before is None or standing is None:
            header, own = barrier.header, self._library.loaded.info.edition.fingerprint
            if self._me in header.parties and not (header.code_of(self._me) == own and fits_copy(header)):
                return None
            return barrier
        wish = matches.continuation.wishes.get(self._me, frozenset())
        if any(map(self._hears, wish)) and self._withdrawn is not barrier:
            self._withdrawn = barrier
            self._link.propose(log_bodies.ONWARD, standing.header.id, list(wish), False)
        return None if self._withdrawn is barrier else barrier

    def _hears(self, peer: bytes) -> bool:
        heard = self._link.heard(peer)
        return heard is not None and self._link.now() - heard < HEARD

    def _go_on(self) -> None:
        """Send START for the match that all who are here would continue with: the first of them does."""
        matches = self.state.matches
        if self._goes_back and matches.is_held and self.why_not_go_back() is None:
            self._goes_back = False
            self.wish_to_go_back()
        header = None if matches.barrier is not None else matches.next_header
        if header is None or header.parties[0] != self._me:
            self._started = b""
            return
        data = pack(header.plain())
        body = pack([data, self.state.roster.leader])
        if body != self._started and self._link.propose(log_bodies.START, data, self.state.roster.leader):
            self._started = body
