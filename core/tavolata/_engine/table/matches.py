"""The matches at a table, one after another: their entries, absent and returning players, their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeVar

from tavolata._engine.match.campaign import MATCH_OF
from tavolata._engine.match.dealing import Dealing, OneDealer
from tavolata._engine.match.entries import DEAL, OPENED, SAY, SEAT, UNDONE, MatchEntry, plain
from tavolata._engine.match.game_info import as_text
from tavolata._engine.match.header import HOST, SILENT, Header, Narrator
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import Conviction, charge_text
from tavolata._engine.match.rules_fault import rules_fault
from tavolata._engine.match.source import NOWHERE, Origin
from tavolata._engine.match.state import pack
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.take_back import needed as who_agrees
from tavolata._engine.match.updates import Began, Ended, LobbyChanged, Notice, Told, spoken
from tavolata._engine.match.worlds import new_match
from tavolata._engine.table import log_bodies
from tavolata._engine.table.continuation import NOT_AGREED, Continuation, needed
from tavolata._engine.table.log_bodies import AWAY, HERE, LEFT, Place
from tavolata._engine.table.permissions import BY_SEAT, may_say
from tavolata._engine.table.roster import TableRoster
from tavolata._engine.table.start_barrier import NOT_ASKED_IN, StartBarrier
from tavolata._engine.table.state_claims import Difference, StateClaims
from tavolata._engine.table.table_campaign import TableCampaign
from tavolata._engine.table.trust_notice import NARRATOR_GONE, UNOPENED, who_deals, who_narrates
from tavolata.errors import GameError, MessageError, Refused
from tavolata.game import Game
from tavolata.messages import N_, Event
from tavolata.ring import SEATS

NOTHING_CAME = N_("The match can't start: no answer from {missing}.")
WAITED = N_("The match can't start: no answer from {missing}, and {name} has stopped waiting.")
CHEATED = N_("The match can't start: {name} cheated while dealing. {problem}")
START_AGAIN = N_("The match can't start: the game or its players have changed. Start it again.")
DECIDE = N_(
    "The host can wait for {name} (wait), let the game answer for {name} (blind), or end the match (end)."
)
NO_DEALER = N_("No one else can deal. Wait, or end the match.")
NOT_ALONE = N_("One computer alone can't open cards. Wait for the others, or stop for today (suspend).")
TOGETHER = N_("When everyone deals, no one can decide that alone. To vote to end the match, type: end")
VOID = N_(
    "Void: {name}'s and {other}'s copies of the match differ after log entry {number}. Code: "
    "{code}, {other_code}."
)
VOID_KEPT = N_(
    "Void: {name}'s and {other}'s copies of the match differ at entry {number}. Code: {code}, "
    "{other_code}. See {path}"
)
NOT_ALIKE = N_(
    "The computers' code differs: the match may end up void, and lies about cards will go undetected."
)
LOST = N_(
    "The match is over: too many players have left for good ({names}); what was locked with their "
    "keys can't be opened."
)
REFUSED = N_(
    "The match is over, with no loser: the dice need new keys, and {names} twice refused to make them."
)

CANT_STOP = N_("Only players can stop for today, and only if everyone deals or the match is on one computer.")
CANT_NUDGE = N_("You can only nudge a player who has something to answer and hasn't just been nudged.")
NUDGES = N_("{name} nudges {other}: are you there?")
STOPS = N_("{name} wants to stop for today: {n} of {of} agree.")
STOPS_NOT = N_("{name} would rather play on.")
WOULD_GO_ON = N_(
    "{name} would like to continue without {missing} from turn {turn}: {n} of {of} agree. After "
    "that, any {t} of you together could see hidden cards."
)
WOULD_GO_BACK = N_(
    "{name} would like to go back to the end of turn {turn}, in a new match: {n} of {of} agree (rewind)."
)
WOULD_NOT_GO_BACK = N_("{name} would rather not go back.")
MOVED_ON = N_("The seats have changed since that match, so you can't go back. Start a new match.")
WENT_BACK = N_("{names} continue in a new match from the end of turn {turn}.")
WOULD_UNDO = N_("{name} wants to undo an answer: {n} of {of} agree.")
AGREES = N_("{name} agrees to undo an answer: that makes {n} of {of} (undo).")
WOULD_LEAVE_IT = N_("{name} would rather keep the answer as it is.")
SPEAKS = N_("{name} has reconnected, so no one will continue without {name}.")
WENT_ON = N_(
    "{names} continue without {missing} after turn {turn}. Now any {t} of {n} together "
    "could see hidden cards."
)

NOTHING_DEALT = OneDealer()

T = TypeVar("T")


@dataclass(eq=False)
class TableMatch:
    """A match; `persons` are those at its seats, also after they have left the table."""

    header: Header
    match: Match[LogSource]
    persons: tuple[bytes, ...]


class PeerPort(Protocol):
    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        """Return this machine's rules of a game for the table; raise a `MessageError` without them."""

    def source(self, header: Header, origin: Origin) -> LogSource:
        """Return the source of a match that is to begin: all parties have said IN."""

    def begun(self, header: Header) -> None:
        """Called when that match begins."""

    def entered(self, header: Header, entry: MatchEntry) -> None:
        """Called before the match acts on an entry."""

    def noted(self, match: Match[LogSource], author: bytes, entry: MatchEntry, note: bytes) -> None:
        """Take the note that the author of the match's next entry left for itself."""
        return

    def words(self, sender: bytes, seat: int, box: bytes) -> str | None:
        """Return a peer's message to one seat; None if it's not for this machine."""
        return None

    def whispered(self, sender: bytes, box: bytes) -> str | None:
        """Return a whisper of a peer outside a match; None if it's not for this machine."""
        return None

    def ended(self, header: Header, ended: Ended) -> None:
        """Take the end of a match."""

    def voided(self, header: Header, difference: Difference) -> str:
        """Write down what this machine knows of a void match; return the path, empty if that failed."""


class Matches:
    """The match on the table, and the peers that act in it.

    Attributes:
        barrier: the pending START.
        dealer: where one machine deals alone, the narrator, or the host that sent START, whoever hosts now.
        expected: the header of a match that continues one that was never here, for a review.
        last: the match on the table, running or over; None before the first of a game.
        stopping: the parties that would stop the running match for today.
        nudged: the open questions with a nudged player who hasn't responded since.
        expelled: the peers that cheated in the dealing of this match.
        stamp: the place in the agreed log of the entry that is acted on now.
        look: looks at each event of the next match, until somebody else does; see `Match.look`.
        is_held: the running match takes no entry here: acting on one failed, and everyone is to go back.
    """

    def __init__(self, roster: TableRoster, local: PeerPort, table: bytes) -> None:
        self._roster = roster
        self._local = local
        self._table = table
        self.barrier: StartBarrier | None = None
        self.dealer = b""
        self._out = roster.out
        self.continuation = Continuation()
        self.expected: Header | None = None
        self.last: TableMatch | None = None
        self.played = 0
        self.stopping: set[bytes] = set()
        self.nudged: set[int] = set()
        self.campaign = TableCampaign()
        self.expelled: set[bytes] = set()
        self.claims = StateClaims()
        self.difference: Difference | None = None
        self.stamp = NOWHERE
        self.look: Callable[[], object] | None = None
        self.is_held = False

    # -- queries ------------------------------------------------------------------------------

    @property
    def running(self) -> TableMatch | None:
        return None if self.last is None or self.last.match.over else self.last

    @property
    def standing(self) -> TableMatch | None:
        """The match from which everyone could go back: the running one, or the last, if its rules broke."""
        return self.last if self.last is not None and self.last.match.fault is not None else self.running

    @property
    def unproven(self) -> TableMatch | None:
        """The match that is over and would still be judged, if shares came that some have not given."""
        return self.last if self.last and self.last.match.is_unproven and not self.difference else None

    @property
    def is_busy(self) -> bool:
        return self.running is not None or self.barrier is not None

    @property
    def match(self) -> Match[LogSource] | None:
        return None if self.last is None else self.last.match

    @property
    def moment(self) -> int:
        """A number that changes when digests should be compared.

        That is at the end of each turn and of the match, and when an answer was taken back.
        """
        match = self.match
        return -1 if match is None else match.table.turn + (match.over << 20) + (match.undone << 21)

    def digest(self) -> bytes:
        """Return the digest of the match that all peers compare; empty where the game's state has none."""
        try:
            return b"" if self.last is None else self.last.match.digest()
        except GameError:
            return b""

    @property
    def coordinator(self) -> bytes:
        """The peer that begins matches: the host, or the first present peer while the host is away.

        In a match that one peer deals it also says when time has run out.
        """
        roster = self._roster
        host = roster.place_of(roster.host)
        if host is None or host.status == HERE:
            return roster.host
        return next((place.peer for place in roster.here), roster.host)

    @property
    def has_part(self) -> bool:
        """True if this peer plays in a match that can be stopped for today, and has not left it."""
        return self.dealing.has_part(self._roster.me)

    def player_of(self, seat: int) -> bytes | None:
        """Return the peer that plays a seat now; None if no peer does."""
        running = self.running
        if running is not None and self.dealing.is_fair:
            return self.dealing.player_of(running.match, seat)
        return None if self.state_of(seat) == "blind" else self._roster.places[seat].peer

    def seats_of(self, peer: bytes) -> list[int]:
        return [seat for seat in range(len(self._roster.places)) if self.player_of(seat) == peer]

    @property
    def dealing(self) -> Dealing:
        """The dealing of the running match; between matches nothing is dealt."""
        running = self.running
        return NOTHING_DEALT if running is None else running.match.source.dealing

    def state_of(self, seat: int) -> str:
        match = self.match
        if match is None or match.over or not 0 <= seat < len(match.status):
            return "here"
        return match.status[seat]

    @property
    def narrator(self) -> Narrator | None:
        """The machine that narrates the running match, if it has one."""
        return None if self.running is None else self.running.header.narrator

    def why_not_alone(self) -> tuple[str, dict[str, Any]] | None:
        """Return why this machine can't continue the match without the others; None if it can."""
        narrator = self.narrator
        if narrator is not None and narrator.key != self._roster.me:
            return NARRATOR_GONE, {"name": narrator.name}
        return (NOT_ALONE, {}) if self.dealing.is_fair else None

    def why_no_decision(self, place: Place | None = None) -> tuple[str, dict[str, Any]] | None:
        """Return why the host can't say what becomes of this place, or of any; None if it can."""
        if self.dealing.is_fair:
            return TOGETHER, {}
        last = self.last
        if place is not None and last and last.header.dealer == HOST and place.peer == self.dealer:
            return NO_DEALER, {}
        return None

    # -- the match ----------------------------------------------------------------------------

    def reset(self, played: int) -> None:
        self.last, self.barrier, self.played = None, None, played
        self.continuation = Continuation()
        self.claims, self.difference = StateClaims(), None
        self.expelled.clear()
        self._forget_wishes()

    def _forget_wishes(self) -> None:
        """Forget wishes, nudges and a failure here, which last no longer than their match."""
        self.stopping.clear()
        self.nudged.clear()
        self.is_held = False

    def gather(self, rules: type[Game[Any]], header: Header, data: bytes) -> None:
        """Let the parties of a match say IN, on terms that fit this table; `data` are the packed terms."""
        self.barrier = StartBarrier(rules, header, data, self.stamp, self._table)
        self.dealer = self.stamp.author if header.narrator is None else header.narrator.key
        self._out.append(LobbyChanged())

    def say_in(self, peer: bytes, header: bytes, nonce: bytes, mailbox: bytes) -> None:
        """Take a party's IN; with the last one the match begins."""
        barrier = self.barrier
        if barrier is None:
            raise Refused(NOT_ASKED_IN)
        origin = barrier.take(self.stamp, header, nonce, mailbox)
        if origin is not None:
            barrier.header = replace(barrier.header, id=origin.id.hex())
            self._prepare(barrier, origin)

    def _prepare(self, barrier: StartBarrier, origin: Origin) -> None:
        source = self._local.source(barrier.header, origin)

        def told(event: Event) -> None:
            if barrier.prepared is not None:
                self._out.append(Told(event, barrier.prepared.glance()))

        def make() -> Match[LogSource]:
            return new_match(barrier.rules, barrier.header.terms(barrier.rules), source, told)

        match, _ = self._tried(barrier.rules, make)
        if match is None:
            self.drop_barrier()
            return
        barrier.prepared = match
        self._begin_if_ready(barrier, match)

    def _begin_if_ready(self, barrier: StartBarrier, match: Match[LogSource]) -> None:
        """Begin the match if nobody owes anything more; let its START fall if somebody won't give it."""
        dealing = match.source.dealing
        if dealing.is_refused and (cheats := dealing.convicted()):
            peer, charge = next(iter(cheats.items()))
            self._fall(barrier, CHEATED, name=self._roster.name_of(peer), problem=charge_text(charge))
        elif dealing.is_refused:
            self._fall(barrier, NOTHING_CAME)
        elif not barrier.missing:
            self.barrier = None
            if barrier.header.before is not None:
                self._leave_for(barrier.header)
            self._begin(barrier.header, match)

    def fall(self, peer: bytes, header: bytes) -> None:
        """Let the START fall: a party has waited long enough for the others."""
        barrier = self.barrier
        if barrier is None or peer not in barrier.parties or header != barrier.header_hash:
            raise Refused(NOT_ASKED_IN)
        self._fall(barrier, WAITED, name=self._roster.name_of(peer))

    def _fall(self, barrier: StartBarrier, message: str, **params: Any) -> None:
        """Let the START fall; those missing are not ready until somebody presses it there."""
        missing = ", ".join(self._roster.name_of(peer) for peer in barrier.missing)
        self._out.append(Notice(message, {"missing": missing, **params}, wrong=True))
        for place in self._roster.places:
            if place.peer in barrier.missing:
                place.ready = False
        self.drop_barrier()

    def suspend(self, peer: bytes, yes: bool) -> None:
        """Take a party's wish to stop the running match for today, or its end.

        Raise `Refused` if it doesn't take part in such a match.
        """
        present = self.dealing.present
        if peer not in present or (peer in self.stopping) is yes:
            raise Refused(CANT_STOP)
        (self.stopping.add if yes else self.stopping.discard)(peer)
        said = {"name": self._roster.name_of(peer), "n": len(self.stopping), "of": len(present)}
        self._out.append(Notice(STOPS if yes else STOPS_NOT, said))
        self._out.append(LobbyChanged())

    def nudge(self, peer: bytes, seat: int) -> None:
        """Ask a player with a question to answer to respond, or note the response.

        It's a line of talk. The machine that was nudged decides how to react, and the others vote about it by
        what they have seen themselves. Raise `Refused` if the author has no seat and isn't the host, who may
        narrate, or if the seat has nothing to answer.
        """
        running, roster = self.running, self._roster
        takes_part = peer == roster.host or roster.place_of(peer) is not None
        if running is None or not takes_part or not 0 <= seat < len(roster.places):
            raise Refused(CANT_NUDGE)
        open_ = running.match.source.open
        asks = {ask.id for ask in open_ if int(ask.seat) == seat and ask.box is None}
        place = roster.places[seat]
        name = place.name
        mine = place.person == peer if peer.startswith(place.peer) else self.player_of(seat) == peer
        if (asks <= self.nudged) is not mine or not asks:
            raise Refused(CANT_NUDGE)
        if mine:
            self.nudged -= asks
            self._out.append(Notice(N_("{name} is here and thinking."), {"name": name}))
        else:
            self.nudged |= asks
            self._out.append(Notice(NUDGES, {"name": roster.name_of(peer), "other": name}))

    @property
    def nudged_seats(self) -> frozenset[int]:
        """The seats with a question that were nudged and haven't responded since."""
        asks = () if self.running is None else self.running.match.source.open
        return frozenset(int(ask.seat) for ask in asks if ask.id in self.nudged)

    def say_continuation(self, peer: bytes, match_id: str, missing: list[Any], yes: bool) -> None:
        """Take a party's wish to continue without the missing or to go back, in a new match, or its end.

        Raise `Refused` if it doesn't take part in the match, or this can't be.
        """
        standing = self.standing
        if standing is None or match_id != standing.header.id or (missing and standing.match.over):
            raise Refused(NOT_AGREED)
        if yes and not missing and (why := self.why_not_back(peer)) is not None:
            raise Refused(why)
        dealing = standing.match.source.dealing
        named = self.continuation.say(dealing, peer, missing, yes=yes)
        names = ", ".join(map(self._roster.name_of, sorted(named, key=standing.header.keys.index)))
        said: dict[str, Any] = {"name": self._roster.name_of(peer), "missing": names}
        if not yes:
            unwilling = (
                N_("{name} would rather not continue without {missing}.") if named else WOULD_NOT_GO_BACK
            )
            self._out.append(Notice(unwilling, said))
            self._stay()
        elif self.continuation.snapshot is not None:
            rest = len(dealing.remaining) - len(named)
            agreeing = sum(one == named for one in self.continuation.wishes.values())
            said |= {"turn": self.continuation.snapshot.turns, "n": agreeing, "of": rest}
            would = WOULD_GO_ON if named else WOULD_GO_BACK
            self._out.append(Notice(would, {**said, "t": needed(standing.header, rest)}))
        self._out.append(LobbyChanged())

    def why_not_back(self, peer: bytes) -> str | None:
        """Return why a party can't wish that everyone goes back; None if it can."""
        standing = self.standing
        if standing is None:
            return NOT_AGREED
        header = standing.header
        if standing.match.over and not self._roster.sits_as(header.keys, header.names, header.bots):
            return MOVED_ON
        return self.continuation.why_not_back(standing.match.source.dealing, peer)

    def heard(self, peer: bytes) -> None:
        """Note that a peer has said something: it isn't missing."""
        if self.continuation.leaves_out(peer) or peer in self._silent:
            self._out.append(Notice(SPEAKS, {"name": self._roster.name_of(peer)}))
            self._stay()

    def is_without(self, peer: bytes) -> bool:
        """Return True if the running match continues without this peer, which has a seat in it."""
        return self.running is not None and peer in self.running.header.absent

    @property
    def _silent(self) -> frozenset[bytes]:
        """The peers that the present START leaves out since nobody hears them."""
        header = None if self.barrier is None else self.barrier.header
        if header is None or header.before is None:
            return frozenset()
        return frozenset(header.keys[seat] for seat, why in header.before.absent if why == SILENT)

    def _stay(self) -> None:
        self.continuation.wishes.clear()
        if self.barrier is not None and self.barrier.header.before is not None:
            self.barrier = None
            self._out.append(LobbyChanged())

    @property
    def next_header(self) -> Header | None:
        """The header of the match that all who are here would continue with; None if they have not agreed."""
        standing = self.standing
        if standing is None or not standing.match.source.dealing.is_fair:
            return self.expected
        header = self.continuation.agreed(standing.header, standing.match.source.dealing)
        return None if header is None or self.why_not_back(header.parties[0]) == MOVED_ON else header

    def go_on(self, peer: bytes, data: bytes, rules: type[Game[Any]]) -> None:
        """START a match that continues without the missing; its header follows from the log.

        Raise `Refused` if those who would be in it have not agreed, or on something else.
        """
        header = self.next_header
        fits = header is not None and peer in header.parties and pack(header.plain()) == data
        if self.barrier is not None or header is None or not fits:
            raise Refused(NOT_AGREED)
        self.gather(rules, header, data)

    @property
    def is_suspended(self) -> bool:
        """True if all who are present would stop the running match for today."""
        return bool(self.stopping) and self.stopping >= set(self.dealing.present)

    def hold(self) -> None:
        """Take no more entries of the running match: acting on the next one fails."""
        self.is_held = self.running is not None
        self._out.append(LobbyChanged())

    def drop_barrier(self) -> None:
        """Let the pending START fall; the caller says why."""
        self.barrier = None
        self.continuation.wishes.clear()
        self._out.append(LobbyChanged())

    def _leave_for(self, header: Header) -> None:
        """Suspend the match on the table, since those who are here continue in a new one."""
        running = self.running
        if running is not None:
            running.match.break_off()
            self._end(running, suspended=True)
        self._roster.seat_as(header.keys, header.absent)

    def _went_on(self, header: Header, absent: Iterable[int]) -> Notice:
        snapshot, n = self.continuation.snapshot, len(header.parties)
        turns = 0 if snapshot is None else snapshot.turns
        names = ", ".join(map(self._roster.name_of, header.parties))
        missing = ", ".join(header.names[seat] for seat in absent)
        told = {"names": names, "missing": missing, "turn": turns, "n": n, "t": needed(header, n)}
        return Notice(WENT_ON if missing else WENT_BACK, told, wrong=True)

    def _begin(self, header: Header, match: Match[LogSource]) -> None:
        self._local.begun(header)
        self.last = TableMatch(header, match, tuple(place.person for place in self._roster.places))
        match.look = self.look
        self.played += 1
        said: list[Notice] = []
        if header.before is not None:
            said.append(self._went_on(header, (seat for seat, _ in header.before.absent)))
        roster = self._roster
        serves = bool(roster.companions(self.dealer))
        if len(header.parties) > 1 or roster.watchers or serves:  # otherwise nobody has to trust anybody
            host = self.dealer, roster.name_of(self.dealer)
            if header.narrator is None:
                told = who_deals(header.dealer, header.parties, host, roster.owners, serves=serves)
            else:
                told = who_narrates(header.narrator.name, plays=bool(header.narrator_seats))
            said.append(Notice(*told))
        if header.codes:
            said.append(Notice(NOT_ALIKE, wrong=True))
        if header.campaign is not None:
            number = header.campaign.matches + 1
            said.append(Notice(MATCH_OF, {"name": header.campaign.name, "n": number}))
        self.expelled.clear()
        self.claims, self.difference = StateClaims(), None
        self._out += [Began(match), *said]
        self.continuation.begin(header, match)
        self._guarded(self.last, match.run)

    def play(self, peer: bytes, match_id: str, entry: list[Any], note: bytes) -> None:
        barrier, prepared = self.barrier, None if self.barrier is None else self.barrier.prepared
        if barrier is not None and prepared is not None and match_id == barrier.header.id:
            prepared.source.prepare(plain(entry), self.stamp)
            self._begin_if_ready(barrier, prepared)
            return
        running = self.running or (self.unproven if entry[:1] in ([DEAL], [OPENED]) else None)
        if self.is_held:
            return
        if running is not None and match_id == running.header.id and self._may(running, peer, entry):
            said = plain(entry)
            if note:
                self._local.noted(running.match, peer, said, note)
            self._feed(running, peer, said)

    def _may(self, running: TableMatch, peer: bytes, entry: list[Any]) -> bool:
        return peer not in self.expelled and may_say(
            entry,
            party=running.header.numbers.get(peer),
            seats=self.seats_of(peer),
            coordinator=peer == self.coordinator,
            host=peer == self.dealer,
        )

    def _feed(self, running: TableMatch, peer: bytes | None, entry: MatchEntry) -> None:
        match, header = running.match, running.header
        source = match.source
        mine = peer == self._roster.me
        heard = partial(self._local.words, peer or b"")
        said = spoken(entry, header.names, heard, mine=mine) if entry[0] == SAY else None
        if entry[0] == SAY and said is None:
            return
        self._local.entered(header, entry)
        number, before, undone = len(source.entries), len(self._out), match.undone
        self._guarded(running, lambda: match.feed(entry, self.stamp))
        if match.undone != undone:
            self.continuation.go_back(match)
        self._tell_people(running)
        self._look_for_cheats(running)
        self._look_whether_it_goes_on(running)
        refusal = source.voids.get(number)
        if refusal is not None and peer is not None and entry[0] != DEAL:
            self._roster.tell_refusal(peer, refusal, entry[1] if entry[0] in BY_SEAT else None)
        elif entry[0] == UNDONE:
            self._tell_undo_request(running, entry, before)
        elif said is not None:
            self._out.insert(before, said)  # a message comes before its effects

    def _tell_undo_request(self, fed: TableMatch, entry: MatchEntry, before: int) -> None:
        _, seat, _, yes = entry
        request = fed.match.undo_request
        people = who_agrees(fed.match, seat)
        said: dict[str, Any] = {"name": fed.header.names[seat], "of": len(people)}
        said["n"] = len(people if request is None else request.agreed & people)
        message = WOULD_LEAVE_IT if not yes else WOULD_UNDO if request and request.seat == seat else AGREES
        self._out.insert(before, Notice(message, said))

    def _look_for_cheats(self, fed: TableMatch) -> None:
        convicted = fed.match.source.dealing.convicted()
        new = {peer: charge for peer, charge in convicted.items() if peer not in self.expelled}
        self.expelled |= new.keys()
        for peer, charge in new.items():
            self._out.append(
                Notice(N_("{name} cheated while dealing and is out of the match. {problem}"),
                       {"name": self._roster.name_of(peer), "problem": charge_text(charge)}, wrong=True)
            )  # fmt: skip
            for place in self._roster.places:
                if place.peer == peer:
                    place.status = LEFT
        if self._roster.host in new:
            self._roster.pass_on()

    def _tell_people(self, fed: TableMatch) -> None:
        news = fed.match.source.dealing.news(self._roster.me)
        self._out.extend(news)
        if news:
            self._out.append(LobbyChanged())

    def _look_whether_it_goes_on(self, fed: TableMatch) -> None:
        """End the match if enough want it, if all but one are gone, or if too few are left to deal.

        Someone who was convicted is the cause of that, and forfeits it with all who have left it.
        """
        dealing = fed.match.source.dealing
        if not self.running or not (dealing.is_lost or dealing.is_ended):
            return
        remaining, cheats = dealing.remaining, dealing.convicted()
        gone = tuple(SEATS[seat] for seat, key in enumerate(fed.header.keys) if key not in remaining)
        withheld = [fed.header.keys[seat] for seat in dealing.withholding]
        fled = len(remaining) <= 1 and any(key not in remaining for key in withheld)
        spoilt = dealing.is_lost and any(key in cheats for key in withheld)  # with junk instead of shares
        if fed.header.narrator is not None:
            self._out.append(Notice(UNOPENED, {"name": fed.header.narrator.name}, wrong=True))
            self.break_off()
        elif fed.match.is_judging and not (fled or spoilt):
            self._guarded(fed, fed.match.let_stand)  # who has opened what was its own may go
        elif dealing.refusing and len(remaining) > 1:
            names = ", ".join(map(fed.header.name_of, dealing.refusing))
            self._out.append(Notice(REFUSED, {"names": names}, wrong=True))
            self.break_off()
        elif cheats and dealing.is_lost:
            peer, charge = next(iter(cheats.items()))
            guilty = Conviction(fed.header.keys.index(peer), charge)
            self._guarded(fed, lambda: fed.match.convict(guilty, gone))
        elif len(remaining) <= 1:
            self._guarded(fed, lambda: fed.match.forfeit(gone))
        elif dealing.is_ended:
            self._guarded(fed, fed.match.end_early)
        else:
            names = ", ".join(fed.header.names[seat] for seat in gone)
            self._out.append(Notice(LOST, {"names": names}, wrong=True))
            self.break_off()

    def _guarded(self, last: TableMatch, act: Callable[[], object]) -> None:
        """Run the rules of the match on the table; if they fail, it ends on every peer."""
        stood = self.unproven is not None
        _, fault = self._tried(last.match.rules, act)
        if fault is not None:
            last.match.break_off(fault)
        if last.match.over and not (stood and self.unproven):
            self._end(last)

    def _tried(self, rules: type[Game[Any]], act: Callable[[], T]) -> tuple[T | None, MessageError | None]:
        try:
            return act(), None
        except Exception as error:  # noqa: BLE001 - rules are foreign code; the table survives their faults
            fault = rules_fault(error, rules)
            self._out.append(Notice(fault.message, fault.params, wrong=True))
            return None, fault

    def claim_state(self, peer: bytes, match_id: str, number: int, digest: bytes) -> None:
        """Take a party's claim of its state; two claims that contradict each other make the match void."""
        last = self.last
        if last is None or last.header.id != match_id or self.difference is not None:
            return
        if peer not in last.header.parties or peer in self.expelled:
            return
        self.difference = self.claims.take(peer, number, digest)
        if self.difference is None:
            return
        (one, digest), *others = self.difference.digests.items()
        other = next(party for party, claimed in others if claimed != digest)
        params = {"name": last.header.name_of(one), "other": last.header.name_of(other), "number": number,
                  "code": as_text(last.header.code_of(one)),
                  "other_code": as_text(last.header.code_of(other))}  # fmt: skip
        if self.campaign.of_table is not None and last.header.campaign is not None:
            self.campaign.of_table = last.header.campaign  # what it has left counts no more
        path = self._local.voided(last.header, self.difference)
        if path:
            self._out.append(Notice(VOID_KEPT, {**params, "path": path}, wrong=True))
        else:
            self._out.append(Notice(VOID, params, wrong=True))
        if self.running is None:  # how it ended counts no more
            self._out.append(Ended(None, self.digest()))
        self.break_off()

    def break_off(self) -> None:
        running = self.running
        if running is not None:
            running.match.break_off()
            self._end(running)

    def _end(self, over: TableMatch, *, suspended: bool = False) -> None:
        if self.barrier is not None:
            self.drop_barrier()
        self._forget_wishes()
        match, header, source = over.match, over.header, over.match.source
        done = (entry for number, entry in enumerate(source.entries) if number not in source.voids)
        statistics = StatisticsBuilder(len(header.names), done).statistics(match.turns)
        ended = Ended(
            match.outcome, self.digest(), match.conviction, statistics, suspended, header.seats_not_in,
            source.dealing.withholding if match.is_unproven else (),
        )  # fmt: skip
        self.campaign.end(header, match.rules, ended)
        self._local.ended(header, ended)
        self._out.append(ended)

    # -- absent and returning players -----------------------------------------------------------

    def gone(self, place: Place, status: str) -> None:
        """Note that a player is silent, or left the table in the middle of a match."""
        place.status = status
        if self.running and not self.dealing.is_fair:
            place.decided = False
            self._seat_status(place, AWAY)
            if self.why_no_decision(place) is None:
                self._out.append(Notice(DECIDE, {"name": place.name}, wrong=True))
            else:
                self._out.append(Notice(NO_DEALER, wrong=True))

    def back(self, place: Place) -> None:
        """Note that a player arrives or has reconnected; an expelled one stays out until the match ends."""
        if self.running and place.peer in self.expelled:
            return
        self.stopping.clear()  # who comes back comes to play
        together = self.dealing.is_fair
        if place.status != HERE:
            said = N_("{name} has reconnected.") if together else N_("{name} is back.")
            self._out.append(Notice(said, {"name": place.name}))
        place.status, place.decided = HERE, False
        if not together:
            self._seat_status(place, HERE)

    def _seat_status(self, place: Place, status: str) -> None:
        seat = next((seat for seat, one in enumerate(self._roster.places) if one is place), -1)
        running = self.running
        if running is not None and running.match.status[seat] != status:
            self._feed(running, None, (SEAT, seat, status))

    def decide(self, peer: bytes, what: str, seat: int) -> None:
        """Let the host, which deals, decide about the seat of an absent player: wait, blind or end."""
        roster, running = self._roster, self.running
        if self.dealing.is_fair:
            raise Refused(TOGETHER)
        if peer != roster.host or running is None or not 0 <= seat < len(roster.places):
            raise Refused(N_("Only the host of a running match can decide that."))
        place = roster.places[seat]
        if place.status == HERE:
            raise Refused(N_("{name} is here and playing, so there's nothing to decide."), name=place.name)
        by = {"name": roster.name_of(peer), "other": place.name}
        if what == log_bodies.BLIND and place.peer == self.dealer:
            raise Refused(NO_DEALER)
        place.decided = True
        if what == log_bodies.BLIND:
            self._out.append(Notice(N_("{name} lets the game answer for {other}."), by))
            self._seat_status(place, log_bodies.BLIND)
        elif what == log_bodies.WAIT:
            self._out.append(Notice(N_("{name} decides to wait for {other}."), by))
            self._seat_status(place, AWAY)
        elif what == log_bodies.END:
            self._out.append(Notice(N_("{name} ends the match."), by))
            self._guarded(running, running.match.end_early)
        self._out.append(LobbyChanged())
