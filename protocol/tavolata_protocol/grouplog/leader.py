"""The sequencer of one term: sends what was appended, counts who holds it, and says what is final.

One object lives for one term. Which proposal comes next stands in `ordering.py`, changes of membership in
`reconfiguring.py`, transfers to those far behind in `catchup.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tavolata_protocol.entries import Kind, control_body, place, propose
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.catchup import offer_to
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.timing import BATCH, IN_FLIGHT
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire


@dataclass(slots=True)
class Progress:
    """What the sequencer knows of one peer.

    Attributes:
        birth: the copy of the log that this speaks of.
        heard: when it was last heard, in seconds.
        next: the entry to be sent next; everything before is under way, or there.
        match: up to where its log is known to be the same.
        told: the final number it was last told.
        pushed: the first entry that was sent to it in this term; what comes behind was sent as well.
        refused: where it last said to go on from, and since when it says so.
        rewound: when sending last began again after a refusal.
        fetching: the entry that it is catching up to by chunks; 0 when it isn't.
        patience: when an offer is repeated if there was no progress.
        behind: where it last said to go on from, while fetching.
    """

    birth: bytes
    heard: float
    next: int
    match: int = 0
    told: int = 0
    pushed: float = float("inf")
    refused: tuple[int, float] = (-1, 0.0)
    rewound: float = float("-inf")
    fetching: int = 0
    patience: float = 0.0
    behind: int = 0


class Sequencing:
    """Replication and finality while this peer is the sequencer of `desk.term`."""

    def __init__(self, desk: Desk, digests: DigestWatch) -> None:
        self._desk = desk
        self._digests = digests
        self._progress: dict[PeerId, Progress] = {}
        self._parting: dict[PeerId, float] = {}
        self._beat = 0
        self._next_beat = desk.now
        self._recount = True
        self._flushed = (-1, -1, -1)
        self._behind: set[PeerId] = set()
        self._encoded: dict[tuple[int, int, int], bytes] = {}
        desk.away.discard(desk.me)

    # Entries of its own

    def open_term(self) -> None:
        """Rule 5: the empty entry of the new term, before anything else."""
        self.append_control(None)

    def append_control(self, configuration: Configuration | None) -> None:
        """Append an opening (None) or a configuration, signed by this peer and bound to its place."""
        desk, journal = self._desk, self._desk.journal
        assert desk.lineage is not None
        before = desk.configuration
        number = journal.last_number + 1
        kind = Kind.OPENING if configuration is None else Kind.CONFIGURATION
        body = control_body(desk.term, number, configuration)
        proposal = propose(desk.signer, desk.lineage, 0, body, kind)
        desk.append(place(proposal, desk.term, number, journal.chain), checked=True)
        if configuration is not None:
            for peer in set(before.peers) - set(configuration.peers):
                self._parting[peer] = desk.now + desk.timing.parting

    # Hearing

    def progress(self, peer: PeerId) -> Progress:
        """What is known of a peer's present copy, from the beginning of the term on."""
        found, member = self._progress.get(peer), self._desk.configuration.member(peer)
        if found is None or (member is not None and member.birth != found.birth):
            birth = b"" if member is None else member.birth
            found = Progress(birth, self._desk.now, self._desk.journal.last_number + 1)
            self._progress[peer] = found
        return found

    def heard(self, peer: PeerId) -> None:
        """Any message of this term's log came from a peer."""
        if peer in self._desk.configuration:
            self._hear(peer, self.progress(peer))

    def _hear(self, peer: PeerId, progress: Progress) -> None:
        desk = self._desk
        progress.heard = desk.now
        if peer in desk.away:
            desk.away.discard(peer)
            desk.tell(events.PeerBack(peer))
            self._behind.add(peer)

    def parts_with(self, peer: PeerId) -> bool:
        """Whether that peer was just taken out, and is still told so."""
        return peer in self._parting

    def on_appended(self, peer: PeerId, message: wire.Appended) -> None:
        """A peer answered how far its log matches."""
        desk = self._desk
        if (peer not in desk.configuration and peer not in self._parting) or message.term != desk.term:
            return
        progress = self.progress(peer)
        if progress.birth != message.birth:
            return  # another copy of the log than the one that was let in: it has to join
        self._hear(peer, progress)
        self._digests.heard(peer, message.digest_number, message.digest)
        if message.matches:
            match = min(message.number, desk.journal.last_number)
            if match > progress.match:
                progress.match, self._recount = match, True
            if progress.next <= desk.journal.last_number:
                self._behind.add(peer)
            progress.next = max(progress.next, progress.match + 1)
            if progress.match >= progress.fetching:
                progress.fetching = 0
            else:
                self._rewind(peer, progress, progress.match)  # it may not have heard the offer
        else:
            self._rewind(peer, progress, message.number)

    def _rewind(self, peer: PeerId, progress: Progress, number: int) -> None:
        desk, journal = self._desk, self._desk.journal
        if desk.now - progress.rewound < desk.timing.rewind:
            return
        if self._is_under_way(progress, number):
            return
        if progress.fetching:
            if number > progress.behind:
                progress.behind, progress.patience = number, desk.now + 2 * desk.timing.repeat
            if desk.now < progress.patience:
                return
            progress.fetching = 0
        progress.rewound = desk.now
        self._behind.add(peer)
        known = max(progress.match, min(number, journal.last_number))
        progress.next = known + 1
        if known < journal.final and (
            known < journal.base.number or journal.position(journal.final) - journal.position(known) > BATCH
        ):
            progress.fetching, progress.behind = journal.final, number
            progress.patience = desk.now + 2 * desk.timing.repeat
            offer_to(desk, peer, known)

    def _is_under_way(self, progress: Progress, number: int) -> bool:
        """Whether what a peer lacks was sent so recently that a session may still be at it."""
        now = self._desk.now
        if progress.fetching or not progress.pushed <= number + 1 < progress.next:
            return False
        if progress.refused[0] != number:
            progress.refused = (number, now)
        return now - progress.refused[1] < self._desk.timing.patience

    # Finality

    def count(self) -> None:
        """Rules 4 and 10: what a majority of the present configuration holds is final, if of this term."""
        desk, journal = self._desk, self._desk.journal
        if not self._recount and self._flushed[0] == journal.last_number:
            return
        self._recount = False
        voters = desk.configuration.voters
        desk.disk.settle()  # the own copy counts, too
        held = sorted(
            (journal.last_number if peer == desk.me else self.progress(peer).match for peer in voters),
            reverse=True,
        )
        desk.seen = max(desk.seen, min(held[-1], journal.last_number)) if held else desk.seen
        quorum = desk.rules.quorum(len(voters))
        if len(held) < quorum:
            return
        number = held[quorum - 1]
        term = journal.term_at(number)
        if number > journal.final and term is not None and desk.rules.may_finalise(term, desk.term):
            desk.finalise(number)

    # Sending

    def flush(self) -> None:
        """Send new entries, news of finality, and the heartbeat when it is due."""
        desk = self._desk
        beats = desk.now >= self._next_beat
        if beats:
            self._next_beat = desk.now + desk.timing.beat
            self._beat = self._beat % (2**32 - 1) + 1
        news = (desk.journal.last_number, desk.journal.final, desk.journal.configuration_number)
        if not (beats or self._behind or news != self._flushed):
            return
        everybody = beats or news != self._flushed
        self._flushed = news
        peers = (*desk.configuration.peers, *self._parting) if everybody else tuple(self._behind)
        self._behind.clear()
        for peer in dict.fromkeys(peers):
            if peer != desk.me:
                self._serve(peer, self.progress(peer), beats=beats)
        self._encoded.clear()

    def _serve(self, peer: PeerId, progress: Progress, *, beats: bool) -> None:
        desk = self._desk
        if peer not in desk.away and not progress.fetching:
            self._send_entries(peer, progress)
            if progress.told < desk.journal.final and not beats:
                desk.post(peer, self._message(progress.next - 1, (), 0), reliable=True)
                progress.told = desk.journal.final
        if beats:
            desk.post(peer, self._message(progress.next - 1, (), self._beat), reliable=False)
            progress.told = desk.journal.final

    def _send_entries(self, peer: PeerId, progress: Progress) -> None:
        desk, journal = self._desk, self._desk.journal
        floor = journal.position(max(progress.match, journal.base.number))
        while (
            journal.base.number < progress.next <= journal.last_number
            and journal.position(progress.next - 1) - floor < IN_FLIGHT
        ):
            first, size = progress.next, 0
            progress.pushed = min(progress.pushed, first)
            batch: list[bytes] = []
            while (entry := journal.entry(progress.next)) is not None and len(batch) < wire.MAX_ENTRIES:
                size += len(entry.wire)
                if batch and size > BATCH:
                    break
                batch.append(entry.wire)
                progress.next += 1
            desk.post(peer, self._message(first - 1, tuple(batch), 0), reliable=True)
            progress.told = journal.final

    def _message(self, previous: int, entries: tuple[bytes, ...], beat: int) -> bytes:
        """An encoded message; those who are equally far get the same bytes."""
        previous = max(previous, self._desk.journal.base.number)
        key = (previous, len(entries), beat)
        found = self._encoded.get(key)
        if found is None:
            found = self._encoded[key] = wire.encode(self._append(previous, entries, beat))
        return found

    def _append(self, previous: int, entries: tuple[bytes, ...], beat: int) -> wire.Append:
        desk, journal = self._desk, self._desk.journal
        term, chain = journal.term_at(previous), journal.chain_at(previous)
        assert desk.lineage is not None
        assert term is not None
        assert chain is not None
        away = sum(1 << place for place, peer in enumerate(desk.configuration.peers) if peer in desk.away)
        return wire.Append(
            desk.lineage,
            desk.term,
            previous,
            term,
            chain,
            entries,
            journal.final,
            desk.seen,
            beat,
            journal.configuration_number,
            away,
            *(desk.latest_digest() if beat else (0, b"")),
        )

    # Who is there

    def due(self) -> float:
        """When the next heartbeat is due; absence is looked at then, too."""
        return self._next_beat

    def tick(self) -> None:
        """Note who went away; who comes back is noted when it is heard."""
        desk = self._desk
        for peer in desk.configuration.peers:
            if peer == desk.me:
                continue
            progress = self.progress(peer)
            gone = desk.now - progress.heard >= desk.timing.away
            if gone and peer not in desk.away:
                desk.away.add(peer)
                progress.next, progress.fetching = progress.match + 1, 0
                desk.tell(events.PeerAway(peer))
        desk.away &= set(desk.configuration.peers)
        for peer, until in list(self._parting.items()):
            if desk.now >= until or self.progress(peer).match >= desk.journal.configuration_number:
                del self._parting[peer]

    def heard_within(self, seconds: float) -> int:
        """How many voters were heard in the last `seconds`, this peer counted."""
        desk = self._desk
        return sum(
            1
            for peer in desk.configuration.voters
            if peer == desk.me or desk.now - self.progress(peer).heard < seconds
        )

    def forgive(self) -> None:
        """This machine slept: nobody is accused for silence that it didn't listen to."""
        for progress in self._progress.values():
            progress.heard = self._desk.now
