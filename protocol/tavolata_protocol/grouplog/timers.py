"""Timers of all parts of the log, and the detection of a sleeping machine.

There is no clock: the caller gives the time. The parts do the work that is due.
"""

from __future__ import annotations

from tavolata_protocol.grouplog.exclusion import Exclusion
from tavolata_protocol.grouplog.join_requests import JoinRequests
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.recollection import Recollection
from tavolata_protocol.grouplog.roles import ASLEEP, State, Trigger


class Timers:
    """All timers of one log."""

    def __init__(
        self,
        leadership: Leadership,
        join_requests: JoinRequests,
        exclusion: Exclusion,
        recollection: Recollection,
    ) -> None:
        self._leadership = leadership
        self._exclusion = exclusion
        self._recollection = recollection
        self._join_requests = join_requests

    def due(self) -> float | None:
        """Return when the next timer is due, in seconds; None for never."""
        leadership, state = self._leadership, self._leadership.replica.state
        if state in ASLEEP:
            return None
        times = [self._exclusion.due(), self._recollection.due(), leadership.leaving.due()]
        if leadership.leading is not None:
            times.append(leadership.leading.leader.due())
        else:
            times += [leadership.proposer.due(), leadership.relay.due()]
            times += [leadership.catchup.due(), self._join_requests.due()]
            if state is not State.JOINING:
                times.append(leadership.elections.due())
        return min([at for at in times if at is not None], default=None)

    def advance(self, now: float) -> None:
        """Set the time to `now`; time never goes back."""
        leadership, replica = self._leadership, self._leadership.replica
        before, replica.now = replica.now, max(replica.now, now)
        if replica.now - before <= replica.timing.late:
            return
        due = self.due()
        if due is not None and replica.now - due > replica.timing.late:
            leadership.forgive()

    def tick(self) -> None:
        """Let all parts act that have work due."""
        leadership, replica = self._leadership, self._leadership.replica
        if replica.state in ASLEEP:
            return
        self._exclusion.tick()
        self._recollection.tick()
        if (leading := leadership.leading) is not None:
            leading.leader.tick()
            leading.changes.tend_absent()
            enough = replica.rules.enough_to_stay if leading.changes.may_drop_one() else replica.rules.quorum
            if leading.leader.heard_within(replica.timing.step_down) < enough(
                len(replica.configuration.voters)
            ):
                leadership.step_down(Trigger.LOST_TOUCH)
            return
        leadership.catchup.tick()
        self._join_requests.tick()
        if replica.state is not State.JOINING:
            leadership.elections.tick()
