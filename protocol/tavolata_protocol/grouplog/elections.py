"""Finding a new sequencer: suspicion, indirect probes, pre-votes, votes.

Rule 5 and the clock that starts it. What the winner does stands in `sequencing.py`; that a term changed, and
what follows from it, in `log.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.roles import State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire

HELPERS = 2
"""How many other voters are asked whether they hear the sequencer."""


class Elections:
    """The clock of a peer that isn't the sequencer, and its part in votes, its own and others'."""

    def __init__(
        self, desk: Desk, win: Callable[[], None], enter_term: Callable[[int, PeerId | None], None]
    ) -> None:
        self._desk = desk
        self._win = win
        self._enter_term = enter_term
        self._granted: set[PeerId] = set()
        self._probed: set[PeerId] = set()
        self._round_trips: dict[PeerId, tuple[float, float]] = {}
        self._told_takeover = False
        self.heard = desk.now
        self.deadline = desk.now

    # The clock

    def note_round_trip(self, peer: PeerId, smoothed: float, variation: float) -> None:
        """What a session measured, in seconds."""
        self._round_trips[peer] = (smoothed, variation)

    @property
    def patience(self) -> float:
        """The silence of the sequencer, in seconds, that is suspicious on this link."""
        desk = self._desk
        smoothed, variation = self._round_trips.get(desk.sequencer or desk.me, (0.0, 0.0))
        return max(desk.timing.silence, 8 * (smoothed + 4 * variation))

    def wait(self, base: float | None = None) -> None:
        """Suspect nobody before `base` seconds (the patience of the link) and the own share have passed."""
        desk = self._desk
        rank = desk.configuration.rank(desk.me)
        base = self.patience if base is None else base
        self.deadline = desk.now + base + rank * desk.timing.rank + desk.chance.random() * desk.timing.jitter

    def hear(self) -> None:
        """The sequencer was heard."""
        desk = self._desk
        self.heard = desk.now
        self._told_takeover = False
        self.wait()
        if desk.sequencer in desk.away and desk.sequencer is not None:
            desk.away.discard(desk.sequencer)
            desk.tell(events.PeerBack(desk.sequencer))

    @property
    def hears_sequencer(self) -> bool:
        """Whether the sequencer was heard recently enough to refuse a change."""
        desk = self._desk
        if desk.state is State.SEQUENCING:
            return True
        return desk.sequencer is not None and desk.now - self.heard < desk.timing.silence

    def due(self) -> float:
        """When something is to be done next."""
        desk, soonest = self._desk, self.deadline
        if desk.sequencer is not None and desk.sequencer not in desk.away:
            soonest = min(soonest, self.heard + desk.timing.away)
        if self.heard + desk.timing.takeover < soonest and not self._told_takeover and desk.is_voter:
            soonest = self.heard + desk.timing.takeover
        return soonest

    def tick(self) -> None:
        """Go one step further when the deadline of the present one has passed."""
        desk = self._desk
        silent = desk.now - self.heard
        if desk.sequencer is not None and silent >= desk.timing.away and desk.sequencer not in desk.away:
            desk.away.add(desk.sequencer)
            desk.tell(events.PeerAway(desk.sequencer))
        if silent >= desk.timing.takeover and not self._told_takeover and desk.is_voter:
            self._told_takeover = True
            desk.tell(events.TakeoverPossible())
        if desk.now < self.deadline:
            return
        if not desk.is_voter:
            self.wait()
        elif desk.state is State.FOLLOWING:
            desk.turn(Trigger.SILENCE)
            self._probe()
        elif desk.state is State.PROBING:
            desk.turn(Trigger.NOBODY_HEARS_IT)
            self._canvass()
        elif desk.state in (State.CANVASSING, State.STANDING):
            desk.turn(Trigger.GAVE_UP)
            self.wait(desk.timing.jitter)

    # Suspicion

    def _probe(self) -> None:
        desk = self._desk
        assert desk.lineage is not None
        others = [peer for peer in desk.configuration.voters if peer not in (desk.me, desk.sequencer)]
        self.deadline = desk.now + desk.timing.probe
        if desk.sequencer is None or not others:
            self.deadline = desk.now
            self.tick()
            return
        self._probed.clear()
        for _ in range(min(HELPERS, len(others))):
            helper = others.pop(int(desk.chance.random() * len(others)))
            self._probed.add(helper)
            desk.send(helper, wire.Probe(desk.lineage, desk.term, desk.sequencer), reliable=False)

    def on_probe(self, peer: PeerId, message: wire.Probe) -> None:
        """Another peer suspects the sequencer: say whether it is heard here."""
        desk = self._desk
        heard = message.term <= desk.term and self.hears_sequencer
        desk.send(peer, wire.Probed(message.lineage, desk.term, heard), reliable=False)

    def on_probed(self, peer: PeerId, message: wire.Probed) -> None:
        """One that was asked still hears the sequencer, or not."""
        if message.heard and peer in self._probed and self._desk.state is State.PROBING:
            self._desk.turn(Trigger.SOMEBODY_HEARS_IT)
            self.wait()

    # Asking for votes

    def _canvass(self) -> None:
        desk = self._desk
        assert desk.lineage is not None
        self._granted = {desk.me}
        self.deadline = desk.now + desk.timing.canvass
        for peer in desk.configuration.voters:
            desk.send(peer, wire.PreVote(desk.lineage, desk.term + 1, *desk.last), reliable=False)
        self._count(Trigger.WOULD_WIN)

    def stand(self, *, handover: bool = False) -> None:
        """Ask for votes in a new term; the state says that it is time to."""
        desk = self._desk
        assert desk.lineage is not None
        self._enter_term(desk.term + 1, desk.me)
        self._granted = {desk.me}
        self.deadline = desk.now + desk.timing.canvass
        for peer in desk.configuration.voters:
            desk.send(peer, wire.Vote(desk.lineage, desk.term, *desk.last, handover), reliable=False)
        self._count(Trigger.WON)

    def on_pre_voted(self, peer: PeerId, message: wire.PreVoted) -> None:
        """An answer to the canvass."""
        desk = self._desk
        if desk.state is State.CANVASSING and message.granted and message.term == desk.term + 1:
            self._grant(peer, message.birth, Trigger.WOULD_WIN)

    def on_voted(self, peer: PeerId, message: wire.Voted) -> None:
        """An answer to the vote."""
        if self._desk.state is State.STANDING and message.granted and message.term == self._desk.term:
            self._grant(peer, message.birth, Trigger.WON)

    def _grant(self, peer: PeerId, birth: bytes, aim: Trigger) -> None:
        if self._desk.configuration.is_voter(peer, birth):  # rule 12: a lost copy's vote counts no more
            self._granted.add(peer)
            self._count(aim)

    def _count(self, aim: Trigger) -> None:
        desk = self._desk
        if len(self._granted) < desk.rules.quorum(len(desk.configuration.voters)):
            return
        desk.turn(aim)
        if aim is Trigger.WON:
            self._win()
        else:
            self.stand()

    # Voting

    def on_pre_vote(self, peer: PeerId, message: wire.PreVote, *, may_stand: bool) -> None:
        """Would this peer vote for that one?"""
        desk = self._desk
        granted = (
            may_stand
            and message.term > desk.term
            and not (self.hears_sequencer and peer != desk.sequencer)
            and desk.rules.is_up_to_date((message.last_term, message.last_number), desk.last)
        )
        term = message.term if granted else desk.term
        desk.send(peer, wire.PreVoted(message.lineage, term, desk.birth, granted), reliable=False)

    def ignores(self, peer: PeerId, message: wire.Vote) -> bool:
        """Whether a vote is asked for although the sequencer is heard here: then even its term is ignored."""
        return self.hears_sequencer and not message.handover and peer != self._desk.sequencer

    def on_vote(self, peer: PeerId, message: wire.Vote) -> None:
        """Vote, or not; the term of the message is entered by now if it was higher."""
        desk = self._desk
        granted = (
            message.term == desk.term
            and desk.state is State.FOLLOWING
            and desk.rules.may_vote(desk.voted_for, peer)
            and desk.rules.is_up_to_date((message.last_term, message.last_number), desk.last)
        )
        if granted and desk.voted_for is None:
            self._enter_term(desk.term, peer)
        if granted:
            self.wait()
        desk.send(peer, wire.Voted(message.lineage, desk.term, desk.birth, granted), reliable=False)
