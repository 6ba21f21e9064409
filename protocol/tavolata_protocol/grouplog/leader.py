"""The leader of one term, which replicates entries, counts their copies, and advances the commit index.

One object lives for one term. `proposals.py` orders the proposals, `configuration_changes.py` changes
the members, and `catchup.py` serves peers that are far behind.
"""

from __future__ import annotations

from dataclasses import dataclass

from tavolata_protocol.entries import EntryKind, control_body, place, propose
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.catchup import offer_to
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.timing import BATCH, IN_FLIGHT
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire


@dataclass(slots=True)
class Progress:
    """The leader's knowledge of one peer.

    Attributes:
        birth: the peer's copy of the log, by its birth.
        heard: when the peer was last heard, in seconds.
        next: the next entry to send; all earlier ones are sent or known to be there.
        match: the last entry up to which its log is known to be equal.
        told: the commit index that it was last told.
        pushed: the first entry that was sent to it in this term; all later ones were sent, too.
        refused: the entry from which it last asked to continue, and since when.
        rewound: when entries were last sent again after a refusal.
        fetching: the entry that it is catching up to by chunks; 0 if it isn't.
        patience: when the offer is repeated without progress.
        behind: the entry from which it last asked to continue, while fetching.
        doubt: the beat with which it was asked for the entry up to which it had matched, and that entry.
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
    doubt: tuple[int, int] = (0, 0)


class Leader:
    """Replication and commits while this peer is the leader of `replica.term`."""

    def __init__(self, replica: Replica, digests: DigestWatch) -> None:
        self._replica = replica
        self._digests = digests
        self._progress: dict[PeerId, Progress] = {}
        self._parting: dict[PeerId, float] = {}
        self._beat = 0
        self._next_beat = replica.now
        self._counted: tuple[int, int] | None = None  # the ends of the log and of its own disk, then
        self._flushed = (-1, -1, -1)
        self._behind: set[PeerId] = set()
        self._encoded: dict[tuple[int, int, int], bytes] = {}
        replica.away.discard(replica.me)

    # Own entries

    def append_control(self, configuration: Configuration | None) -> None:
        """Append an opening (None) or a configuration, signed by this peer and bound to its place."""
        replica, journal = self._replica, self._replica.journal
        before = replica.configuration
        number = journal.last_number + 1
        kind = EntryKind.OPENING if configuration is None else EntryKind.CONFIGURATION
        body = control_body(replica.term, number, configuration)
        proposal = propose(replica.signer, replica.lineage, 0, body, kind)
        replica.append(place(proposal, replica.term, number, journal.chain), checked=True)
        if configuration is not None:
            for peer in before.peers:
                if peer not in configuration.peers:
                    self._parting[peer] = replica.now + replica.timing.parting

    # Received messages

    def progress(self, peer: PeerId) -> Progress:
        """Return the progress of a peer's present copy since the beginning of the term."""
        found, member = self._progress.get(peer), self._replica.configuration.member(peer)
        if found is None or (member is not None and member.birth != found.birth):
            birth = b"" if member is None else member.birth
            found = Progress(birth, self._replica.now, self._replica.journal.last_number + 1)
            self._progress[peer] = found
        return found

    def part_with(self, peer: PeerId, birth: bytes) -> None:
        """Send a peer that was taken out the log for a while, until it knows of its removal."""
        if not self.parts_with(peer):
            self._progress[peer] = Progress(birth, self._replica.now, self._replica.journal.last_number + 1)
        self._parting[peer] = self._replica.now + self._replica.timing.parting

    def heard(self, peer: PeerId) -> None:
        """Note that a message of this term came from a peer."""
        if peer in self._replica.configuration:
            self._hear(peer, self.progress(peer))

    def _hear(self, peer: PeerId, progress: Progress) -> None:
        replica = self._replica
        progress.heard = replica.now
        if peer in replica.away:
            replica.away.discard(peer)
            replica.tell(events.PeerBack(peer))
            self._behind.add(peer)

    def introduce(self, peer: PeerId) -> None:
        """Begin anew with a member that has just been shown the mandate: it took nothing of what came before.

        Waiting for the next heartbeat could take longer than this leader has without a majority.
        """
        progress = self.progress(peer)
        self._hear(peer, progress)
        previous = max(progress.next - 1, self._replica.journal.base.number)
        self._replica.send(peer, self._append(previous, (), self._beat))
        if (begun := self._replica.journal.branch) is not None:  # for a copy in the lineage before it
            self._replica.send(peer, self._append(begun.number - 1, (begun.wire,), 0))

    def has_parted_with(self, peer: PeerId) -> bool:
        """Return True if a peer that was taken out is known to have the log with its removal."""
        progress = self._progress.get(peer)
        return progress is not None and progress.match >= self._replica.journal.configuration_number

    def parts_with(self, peer: PeerId) -> bool:
        """Return True if that peer was just removed, and is still told so."""
        return peer in self._parting

    def on_appended(self, peer: PeerId, message: wire.Appended) -> None:
        """Take a peer's answer how far its log matches."""
        replica = self._replica
        if (peer not in replica.configuration and peer not in self._parting) or message.term != replica.term:
            return
        progress = self.progress(peer)
        if progress.birth != message.birth:
            return  # not the copy of the log that was admitted: it has to join
        self._hear(peer, progress)
        self._digests.heard(peer, message.digest_number, message.digest)
        if message.matches:
            match = min(message.number, replica.journal.last_number)
            if match > progress.match:
                progress.match, self._counted = match, None
            if progress.next <= replica.journal.last_number:
                self._behind.add(peer)
            progress.next = max(progress.next, progress.match + 1)
            if progress.match >= progress.fetching:
                progress.fetching = 0
            else:
                self._rewind(peer, progress, progress.match)  # the offer may be lost
        else:
            if message.beat and message.number < progress.match:
                self._doubt(peer, progress, message)
            self._rewind(peer, progress, message.number)

    def _doubt(self, peer: PeerId, progress: Progress, refusal: wire.Appended) -> None:
        """Ask a peer that refuses what it had acknowledged for just that entry.

        A peer that was restarted may only not know how far its log matches. One that lacks the entry forgot:
        its disk was restored, or lost the end of the log. It counts no more for what it lacks, and gets it.
        """
        beat, match = progress.doubt
        if refusal.beat == beat and refusal.number < match:
            progress.match, self._counted = refusal.number, None
            self._replica.send(peer, wire.Forgot(self._replica.lineage, progress.birth, match))
        elif progress.match >= self._replica.journal.base.number:
            self._beat += 1
            progress.doubt = self._beat, progress.match
            self._replica.send(peer, self._append(progress.match, (), self._beat))

    def _rewind(self, peer: PeerId, progress: Progress, number: int) -> None:
        replica, journal = self._replica, self._replica.journal
        if replica.now - progress.rewound < replica.timing.rewind or self._is_under_way(progress, number):
            return
        if progress.fetching:
            if number > progress.behind:
                progress.behind, progress.patience = number, replica.now + 2 * replica.timing.repeat
            if replica.now < progress.patience:
                return
            progress.fetching = 0
        progress.rewound = replica.now
        self._behind.add(peer)
        known = max(progress.match, min(number, journal.last_number))
        progress.next = known + 1
        if known < journal.commit_index and (
            known < journal.base.number
            or journal.position(journal.commit_index) - journal.position(known) > BATCH
        ):
            progress.fetching, progress.behind = journal.commit_index, number
            progress.patience = replica.now + 2 * replica.timing.repeat
            offer_to(replica, peer, known)

    def _is_under_way(self, progress: Progress, number: int) -> bool:
        """Return True if a peer's missing entries were sent so recently that they may still be under way."""
        now = self._replica.now
        if progress.fetching or not progress.pushed <= number + 1 < progress.next:
            return False
        if progress.refused[0] != number:
            progress.refused = (number, now)
        return now - progress.refused[1] < self._replica.timing.patience

    # Commits

    def advance_commit_index(self) -> None:
        """Make entries of this term final that a majority of the configuration holds (rules 4 and 10)."""
        replica, journal = self._replica, self._replica.journal
        if self._counted == (journal.last_number, replica.synced):
            return
        voters = replica.configuration.voters
        if replica.disk.is_dirty or len(voters) < 2:
            replica.settle()  # what others need not wait for is synced after it was sent
        self._counted = journal.last_number, replica.synced
        held = sorted(
            (replica.synced if peer == replica.me else self.progress(peer).match for peer in voters),
            reverse=True,
        )
        replica.seen = min(held[-1], journal.last_number) if held else replica.seen
        quorum = replica.rules.quorum(len(voters))
        if len(held) < quorum:
            return
        number = held[quorum - 1]
        term = journal.term_at(number)
        if (
            number > journal.commit_index
            and term is not None
            and replica.rules.may_finalise(term, replica.term)
        ):
            replica.finalise(number)

    # Sending

    def flush(self) -> None:
        """Send new entries, a new commit index, and the heartbeat when it is due."""
        replica = self._replica
        beats = replica.now >= self._next_beat
        if beats:
            self._next_beat = replica.now + replica.timing.beat
            self._beat = self._beat % (2**32 - 1) + 1
        news = (
            replica.journal.last_number,
            replica.journal.commit_index,
            replica.journal.configuration_number,
        )
        if not (beats or self._behind or news != self._flushed):
            return
        everybody = beats or news != self._flushed
        self._flushed = news
        peers = (*replica.configuration.peers, *self._parting) if everybody else sorted(self._behind)
        self._behind.clear()
        for peer in dict.fromkeys(peers):
            if peer != replica.me:
                self._serve(peer, self.progress(peer), beats=beats)
        self._encoded.clear()

    def _serve(self, peer: PeerId, progress: Progress, *, beats: bool) -> None:
        replica = self._replica
        if peer not in replica.away and not progress.fetching:
            self._send_entries(peer, progress)
            if progress.told < replica.journal.commit_index and not beats:
                replica.post(peer, self._message(progress.next - 1, (), 0), reliable=True)
                progress.told = replica.journal.commit_index
        if beats:
            replica.post(peer, self._message(progress.next - 1, (), self._beat), reliable=False)
            progress.told = replica.journal.commit_index

    def _send_entries(self, peer: PeerId, progress: Progress) -> None:
        replica, journal = self._replica, self._replica.journal
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
            replica.post(peer, self._message(first - 1, tuple(batch), 0), reliable=True)
            progress.told = journal.commit_index

    def _message(self, previous: int, entries: tuple[bytes, ...], beat: int) -> bytes:
        """Return an encoded message; peers with the same progress get the same bytes."""
        previous = max(previous, self._replica.journal.base.number)
        key = (previous, len(entries), beat)
        found = self._encoded.get(key)
        if found is None:
            found = self._encoded[key] = wire.encode(self._append(previous, entries, beat))
        return found

    def _append(self, previous: int, entries: tuple[bytes, ...], beat: int) -> wire.Append:
        replica, journal = self._replica, self._replica.journal
        term, chain = journal.term_at(previous), journal.chain_at(previous)
        assert term is not None
        assert chain is not None
        away = sum(
            1 << place for place, peer in enumerate(replica.configuration.peers) if peer in replica.away
        )
        return wire.Append(
            replica.lineage,
            replica.term,
            previous,
            term,
            chain,
            entries,
            journal.commit_index,
            replica.seen,
            beat,
            journal.configuration_number,
            away,
            *(replica.latest_digest() if beat else (0, b"")),
        )

    # Presence

    def due(self) -> float:
        """Return when the next heartbeat is due; absence is checked then, too."""
        return self._next_beat

    def tick(self) -> None:
        """Note the peers that went away; a returning peer is noted when it is heard."""
        replica = self._replica
        for peer in replica.configuration.peers:
            if peer == replica.me:
                continue
            progress = self.progress(peer)
            if peer not in replica.away and replica.now - progress.heard >= replica.timing.away:
                replica.away.add(peer)
                progress.next, progress.fetching = progress.match + 1, 0
                replica.tell(events.PeerAway(peer))
        replica.away &= set(replica.configuration.peers)
        for peer, until in list(self._parting.items()):
            progress = self.progress(peer)
            if (
                replica.now >= until
                or min(progress.match, progress.told) >= replica.journal.configuration_number
            ):
                del self._parting[peer]

    def heard_within(self, seconds: float) -> int:
        """Return the number of voters heard in the last `seconds`, including this peer."""
        replica = self._replica
        return sum(
            1
            for peer in replica.configuration.voters
            if peer == replica.me or replica.now - self.progress(peer).heard < seconds
        )

    def forgive(self) -> None:
        """Forget all silence after this machine slept, since it could not hear anybody."""
        for progress in self._progress.values():
            progress.heard = self._replica.now
