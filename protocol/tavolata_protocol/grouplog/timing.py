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
        beat: between two heartbeats of the leader.
        away: silence after which a seat is shown as away.
        step_down: the window in which a leader must have heard half of the voters.
        silence: the least silence of the leader that is suspicious.
        rank: added for each rank among the voters, so that they don't all stand for election at once.
        jitter: the most that is added by chance.
        probe: how long other peers are given to say that they hear the leader.
        election: how long a round of votes lasts before it is given up.
        repeat: after which an unanswered request is sent again.
        rewind: the least between two resends after refusals of one peer.
        patience: how long what was sent may be under way (a session sends it again) before it counts as lost.
        fetch: after which missing chunks are asked for again.
        takeover: silence after which a player may take over alone.
        late: lateness of its own timers that shows that this machine slept.
        parting: how long a removed peer is still told of its removal.
        proof: the most between two times that a proof is shown.
        forgotten: silence after which a learner is taken out, so that its place is free for others.
        unsigned: how long a leader may leave what is final unsigned before it counts as silent.
        asking: the least between two births with which one peer wants to be let in.
        renewal: the least between two elections that a leader holds because a voter is in a higher term.
        relay: how long a leader may leave a proposal out, before it is sent to all and once it was passed on.
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
