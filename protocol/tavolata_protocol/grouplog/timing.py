"""Durations of the agreed log, in seconds, and bounds on the data in flight."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata_protocol.messages.entries import Role

WAITING_PROPOSALS = 16
"""Maximum number of one author's proposals that wait at the leader or are under way to it."""
BATCH = 16 * 1024
"""Maximum bytes of entries in one message with several entries; a peer further behind fetches chunks."""
QUOTAS = {Role.VOTER: (128 * 1024, 8 * 1024 * 1024), Role.LEARNER: (1024, 48 * 1024)}
"""Bytes a second, and at once, that a leader takes of one member's proposals; the rest has to wait."""
IN_FLIGHT = 64 * 1024
"""Maximum bytes of entries under way to one peer, and of proposals under way to the leader."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations in seconds; PROTOCOL's values are the defaults.

    Attributes:
        beat: interval between the leader's heartbeats.
        away: silence after which a peer counts as away.
        step_down: window in which a leader must hear a majority of voters, or half if it may drop one.
        silence: minimum silence before the leader is suspected.
        rank: extra election delay per rank among the voters, to stagger their candidacies.
        jitter: maximum random extra election delay.
        probe: time to wait for answers to `Probe`; minimum time between `ShowVotes` to one peer.
        election: timeout of a round of votes.
        repeat: time before an unanswered request is resent.
        rewind: minimum time between resends to one peer after rejections.
        patience: time from a rejection until entries in transit (the session retransmits them) count as lost.
        fetch: time before missing chunks are requested again.
        takeover: leader silence after which a player may take over alone.
        late: timer lateness that means that this machine was asleep.
        parting: time limit for sending the log to a removed peer, so that it learns of its removal.
        proof: maximum time between resends of an equivocation proof.
        forgotten: silence after which a learner is removed, freeing its place.
        unsigned: delay of a signed commit after which the leader counts as silent.
        asking: minimum time before a peer may ask to join with a different birth.
        renewal: minimum time between a leader's re-elections due to a voter's higher term.
        relay: time before an omitted proposal is relayed, and again before the leader counts as silent.
    """

    beat: float = 0.5
    away: float = 3.0
    step_down: float = 2.0
    silence: float = 1.5
    rank: float = 0.15
    jitter: float = 0.15
    probe: float = 0.15
    election: float = 0.5
    repeat: float = 1.0
    rewind: float = 0.05
    patience: float = 0.25
    fetch: float = 0.4
    takeover: float = 5.0
    late: float = 1.0
    parting: float = 10.0
    proof: float = 10.0
    forgotten: float = 60.0
    unsigned: float = 3.0
    asking: float = 3.0
    renewal: float = 5.0
    relay: float = 5.0
