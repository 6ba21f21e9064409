"""The check of a match at a table: it is replayed from the signed log, and an auditor checks the dealing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from typing_extensions import override

from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.sealing import MatchBoxes
from tavolata._engine.dealing.witness import Witness
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import NARRATED, MatchEntry
from tavolata._engine.match.header import CONVICTED, LEFT, SILENT, TOGETHER, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import CAUGHT, charge_text
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import UNPROVEN, Ended
from tavolata._engine.review import signed_log
from tavolata._engine.review.file_records import FileRecords
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._engine.review.noted_faces import NotedFaces
from tavolata._engine.review.people import BELIEVES, PeopleRecord
from tavolata._engine.review.signed_log import origin_of
from tavolata._engine.storage.match_file import Kept
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import Heads
from tavolata._engine.table.matches import Matches, PeerPort
from tavolata._engine.table.state_claims import Difference
from tavolata._engine.table.table_state import TableState
from tavolata._engine.table.trust_notice import UNOPENED, who_narrates
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.entries import Entry as SignedEntry
from tavolata_protocol.entries import EntryKind
from tavolata_protocol.errors import ProtocolError
from tavolata_protocol.fair.audit import records
from tavolata_protocol.fair.audit.auditor import Auditor
from tavolata_protocol.fair.beginning import header_hash
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Offence
from tavolata_protocol.identity import PeerId, fingerprint

GOES_ON = N_("This match continues match {match} from the end of a turn; hidden cards were shuffled again.")
NOT_IN = {
    SILENT: N_("Left out: {name}. The others had heard nothing from {name} for a minute."),
    LEFT: N_("Left out: {name}, who had left for good."),
    CONVICTED: N_("Left out: {name}, who cheated."),
}
SUSPENDED = N_("The match is suspended, and no one has lost: the others continued in match "
               "{match}, without {names}.")  # fmt: skip
SIGNED = N_("Signatures: {n} entries by {peers} machines, each chained to the one before.")
BEGUN = N_(
    "Start: {n} computers signed the hash of the terms with IN; the id follows from START, "
    "the terms and the computers' nonces."
)
UNLIKE = N_(
    "The machines stated that they were running different code, so no one was judged for their "
    "statements about cards."
)


NARRATED_SO_OFTEN = N_("Narrations: {n} values, {secret} of them for a single seat.")
ENDS_EARLY = N_("The file ends before its match begins, so there's nothing in it to check.")


class _Looker(PeerPort):
    """A peer that only watches and compares.

    If all dealt together, `auditor` checks the dealing and `people` counts the votes once more; `wrong` has
    the auditor's findings, each with the holders' identities. `next` is the header of the match in which
    others continued from this one. `snapshots` has, by chain hash, the clean snapshots from which they could
    have continued, `numbers` the number of each entry of the log by the chain hash after it. `records` are
    the records of the file.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.records = FileRecords(kept)
        self._before, self._wires = b"", list[bytes]()
        self._turn = (0, -1)
        self.matches: Matches
        self.entries: list[MatchEntry] = []
        self.auditor: Auditor | None = None
        self.people: PeopleRecord | None = None
        self.wrong: list[tuple[Cheat, tuple[bytes, ...]]] = []
        self.end: Ended | None = None
        self.header: Header | None = None
        self.next: Header | None = None
        self.snapshots: dict[bytes, bytes] = {}
        self.numbers: dict[bytes, int] = {}
        self._crews: dict[int, tuple[bytes, ...]] = {}

    @override
    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        """Refuse: no other game comes to the table while a match is played."""
        raise Refused(N_("Not while a match is being played."))

    @override
    def source(self, header: Header, origin: Origin) -> LogSource:
        if header.dealer not in TOGETHER:
            boxes = MatchBoxes(header, origin, b"")
            narrator = () if header.narrator is None else (header.narrator.key, boxes.confide)
            dealing = OneDealer(header.keys, *narrator)
            return LogSource(len(header.names), dealing, stamp=origin.stamp)
        deal = FairDealing(header, origin)
        if self.header is None:  # otherwise it begins after the match that is checked
            self.auditor = Auditor(origin.id, origin.stamp.lineage)
            deal.witness = Witness(self._audit)
            self.records.notes = NotedFaces(deal, self.auditor)
            self.people = PeopleRecord(deal)
        return LogSource(len(header.names), deal, stamp=origin.stamp)

    @override
    def begun(self, header: Header) -> None:
        if self.header is not None:
            self.next = header
            return
        self.header = header
        self.records.begin(header, self._before, self._kept.table, self._wires)

    def _audit(self, record: records.Record) -> None:
        assert self.auditor is not None
        assert self.people is not None
        if isinstance(record, records.Thrown):
            place = record.place
            self.people.thrown(place.about, place.number, place.epoch, record.sides, record.value)
        if isinstance(record, records.KeysMade):
            self._crews[record.place.epoch] = record.ids
        try:
            self.auditor.check(record)
        except Cheat as cheat:  # kept, not raised: the deal would take it for an offence in the step
            self.wrong.append((cheat, self._crews.get(epoch_of(record), ())))

    @override
    def entered(self, header: Header, entry: MatchEntry) -> None:
        self.entries.append(entry)
        if self.matches.match is not None:
            self.records.entered(self.matches.match, entry)

    @override
    def ended(self, header: Header, ended: Ended) -> None:
        self.end = ended
        if self.matches.match is not None:
            self.records.ended(self.matches.match, ended)

    @override
    def voided(self, header: Header, difference: Difference) -> str:
        if self.end is not None:  # the match was over when it was found out
            self.end = self.end._replace(outcome=None, conviction=None)
        self.records.annul()
        return ""

    def final(self, head: bytes, wire: bytes) -> None:
        """Take the next entry of the log, as `Machine` does, and the head before it."""
        if self.header is not None:
            self.records.logged(wire)
            return
        if self.matches.barrier is None:
            self._before, self._wires = head, []
        self._wires.append(wire)

    @property
    def is_dealt(self) -> bool:
        """Return True if the match is on the table, or makes its first keys."""
        barrier = self.matches.barrier
        return self.matches.match is not None or (barrier is not None and barrier.prepared is not None)

    def compare(self) -> None:
        """Note the digest when a turn is over with this entry of the log, as `Machine` does."""
        turn = self.matches.played, self.matches.moment
        if self.matches.match is not None and turn != self._turn:
            self.records.turn(self.matches.digest(), self.matches.match.turns)
        self._turn = turn


def check(kept: Kept, header: Header, rules: type[Game[Any]]) -> Findings:
    """Check a match at a table; `header` has its terms as the file's first record has them.

    Raise `Wrong` if something isn't as it should be; the sentence says where, and who did it.
    """
    is_empty = not (kept.end or kept.entries or kept.events or kept.turns)
    if is_empty and not kept.base and not kept.log:
        return _ends_early()
    looker = _Looker(kept)
    state = TableState(rules, me=b"", local=looker, table=kept.table)
    looker.matches = state.matches
    heads = Heads(kept.base)
    authors: Counter[bytes] = Counter()
    strays: list[SignedEntry] = []
    for entry in signed_log.entries(kept, strays):
        authors[entry.author] += 1
        looker.numbers[entry.chain] = entry.number
        looker.final(heads.last, entry.wire)
        heads.note(entry.number, entry.chain)
        if entry.kind is not EntryKind.APPLICATION:
            state.roster.leader = entry.author
            continue
        if looker.header is None and state.matches.barrier is None:
            _lay(state, header, entry.author, entry.body)
        before, last = len(looker.entries), state.matches.last
        state.apply(Stamp(entry.author, entry.chain, entry.lineage), entry.body)
        if looker.next is not None:
            state.matches.last = last  # what follows is the beginning of another match
        if (snapshot := state.matches.continuation.snapshot) is not None:
            looker.snapshots[snapshot.chain] = snapshot.state
        if looker.people is not None and looker.is_dealt:
            said = looker.entries[-1] if len(looker.entries) > before else None
            match = state.matches.match
            stands = match is not None and len(looker.entries) - 1 not in match.source.voids
            looker.people.follow(entry.number, entry.author, said, stands=stands)
        if looker.wrong:
            raise _wrong(header, entry.number, *looker.wrong[0])
        if looker.next is None:
            looker.compare()
        looker.records.check()
        if looker.next is not None:
            break
    if looker.header is None and is_empty:
        return _ends_early()
    strays = [one for one in strays if one.author in header.keys]  # anyone may say anything; parties deal
    if strays and not _two_were_told(state):  # else honest peers may have signed entries of the other log
        raise Wrong(
            N_("Entry {number} of the log, by {who}, was made for another log."),
            number=strays[0].number, who=fingerprint(strays[0].author),
        )  # fmt: skip
    return _compared(kept, header, state, looker, authors)


def _ends_early() -> Findings:
    """Return what there is to say of a file that ends before its match began, as after a power cut."""
    found = Findings()
    found.leave_off(ENDS_EARLY)
    return found


def check_signatures(kept: Kept, header: Header, found: Findings) -> None:
    """Check the signed log and the beginning of a match at a table, without its rules.

    Add everything right to `found`. Raise `Wrong` if something isn't as it should be; the sentence says
    where.
    """
    authors = Counter(entry.author for entry in signed_log.entries(kept, []))
    try:
        origin = origin_of(kept, header, Game)
    except ProtocolError:
        origin = None
    terms = header_hash(pack(replace(header, id="").plain()))
    if origin is None or origin.id.hex() != header.id or origin.header_hash != terms:
        raise Wrong(N_("The signed log doesn't begin with the match that the file names."))
    found.tell(SIGNED, n=sum(authors.values()), peers=len(authors))
    found.tell(BEGUN, n=len(header.parties))
    _tell_before(header, found)


def _two_were_told(state: TableState) -> bool:
    """Return True if a peer was convicted of having signed two logs, or two votes."""
    return state.matches.match is not None and state.matches.match.source.dealing.has_equivocation


def _lay(state: TableState, header: Header, host: bytes, body: bytes) -> None:
    """Seat everyone as they sat when the match began."""
    begun = log_bodies.read(body)
    if begun is None or begun[0] != log_bodies.START or begun[1][0] != pack(replace(header, id="").plain()):
        raise Wrong(N_("The signed log doesn't begin with the match that the file names."))
    state.roster.leader = begun[1][1]
    state.lobby.lay(header, host)


def epoch_of(record: records.Record) -> int:
    if isinstance(record, records.Shown):
        return record.epoch
    if isinstance(record, records.FacesSeen):
        return record.slots[0].epoch
    return (record.sealed if isinstance(record, records.Opened) else record).place.epoch


def _wrong(header: Header, number: int, cheat: Cheat, holders: tuple[bytes, ...]) -> Wrong:
    problem = charge_text(cheat.charge)
    if not 0 < cheat.party <= len(holders):
        return Wrong(N_("Entry {number} of the log: {problem}"), number=number, problem=problem)
    return Wrong(
        N_("Entry {number} of the log: an offence by {name}'s machine. {problem}"),
        number=number, problem=problem, name=name_of(header, holders[cheat.party - 1]),
    )  # fmt: skip


def _tell_before(header: Header, found: Findings) -> None:
    """Name the match that this one continues, and the players missing from it, as its terms say."""
    if header.before is not None:
        found.tell(GOES_ON, match=header.before.match)
        for seat, why in header.before.absent:
            found.tell(NOT_IN[why], name=header.names[seat])


def name_of(header: Header, key: bytes) -> str:
    """Return the name of a peer: that of its first seat, or its fingerprint."""
    return header.name_of(key) if key in header.keys else fingerprint(PeerId(key))


def _compared(
    kept: Kept, header: Header, state: TableState, looker: _Looker, authors: Counter[bytes]
) -> Findings:
    """Return the findings; raise `Wrong` if the rest of the file differs from the signed log."""
    match = state.matches.match
    if match is None:
        raise Wrong(N_("The signed log doesn't begin with the match that the file names."))
    looker.records.check_end()
    if kept.book is not None and header.dealer in TOGETHER:
        raise Wrong(N_("No single machine dealt this match, but the file has a dealer's seed."))
    found = _told(header, state, match, looker, authors, len(kept.turns))
    if kept.end is None:
        found.leave_off(N_("Correct up to entry {number} of the log; the end is missing."),
                        number=max(looker.numbers.values()))  # fmt: skip
    return found


def _told(
    header: Header, state: TableState, match: Match[LogSource], looker: _Looker, authors: Counter[bytes],
    turns: int,
) -> Findings:  # fmt: skip
    found = Findings(next=looker.next, snapshots=looker.snapshots)
    found.tell(SIGNED, n=sum(authors.values()), peers=len(authors))
    if header.codes:
        found.tell(UNLIKE)
    if looker.auditor is not None:
        found.tell(BEGUN, n=len(header.parties))
        _tell_before(header, found)
        counts = looker.auditor.counts
        found.tell(N_("Keys made: {n}, each by everyone present."), n=counts[records.KeysMade])
        found.tell(N_("Piles shuffled: {n}; every shuffle is proven."), n=counts[records.PileMade])
        found.tell(
            N_("Cards shown to all: {cards}; lots and dice: {lots}; shares given for them: {shares}."),
            cards=counts[records.Shown], lots=counts[records.Thrown], shares=counts[records.SharesGiven],
        )  # fmt: skip
        found.tell(
            N_("Sealed answers: {n} ({opened} opened); sealed parcels for individual players: {boxes}."),
            n=counts[records.Sealed], opened=counts[records.Opened], boxes=counts[records.Boxed],
        )  # fmt: skip
    elif header.narrator is not None:
        plays = bool(header.narrator_seats)
        message, params = who_narrates(header.narrator.name, plays=plays)
        found.tell(message, **params)
        told = Counter(entry[1] is None for entry in looker.entries if entry[0] == NARRATED)
        found.tell(NARRATED_SO_OFTEN, n=told.total(), secret=told[False])
        if match.source.dealing.is_ended:
            found.tell(UNOPENED, name=header.narrator.name)
    else:
        found.tell(N_("{name} dealt alone, so you have to trust {name}'s deal."),
                   name=name_of(header, state.matches.dealer))  # fmt: skip
    if looker.people is not None:
        looker.people.tell(found)
    if match.undone:
        found.tell(N_("Undone answers: {n}, each with the agreement of all the other human players."),
                   n=match.undone)  # fmt: skip
    found.tell(N_("Rules: {n} entries replayed, and the table compared with the file {turns} times."),
               n=len(looker.entries), turns=turns)  # fmt: skip
    for one in match.source.dealing.judged:
        found.tell(CAUGHT, name=name_of(header, one.party), problem=charge_text(one.charge))
        numbers = tuple(str(looker.numbers[chain]) for chain in one.entries)
        found.tell(N_("The verdict rests on entries {entries} of the log and {n} bytes of evidence."),
                   entries=numbers, n=len(one.evidence))  # fmt: skip
    guilty = match.conviction
    if guilty is not None and guilty.charge.offence in (Offence.FALSE_FACT, Offence.WRONG_OPENING):
        named = {} if guilty.seat is None else {"name": header.names[guilty.seat]}
        found.tell(guilty.text.message, **{**guilty.text.params, **named})
    if looker.end is not None and looker.end.unproven:
        found.tell(UNPROVEN, seats=", ".join(header.names[seat] for seat in looker.end.unproven))
    if state.matches.difference is not None:
        found.tell(N_("The match is void: two machines disagreed about its state."))
    if looker.next is not None and looker.next.before is not None:
        absent = ", ".join(looker.next.names[seat] for seat, _ in looker.next.before.absent)
        found.tell(SUSPENDED, match=looker.next.id, names=absent)
    looker.records.notes.tell(found)
    if looker.people is not None:
        found.tell(BELIEVES)
    return found
