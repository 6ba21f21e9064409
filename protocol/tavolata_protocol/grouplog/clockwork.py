"""Time as the parts see it: when something is due, who is to act on it, and what a gap in time means.

No clock: the time is what the caller says. What is done when something is due stands in the parts.
"""

from __future__ import annotations

from tavolata_protocol.grouplog.deposing import Deposing
from tavolata_protocol.grouplog.joining import Joining
from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.grouplog.roles import ASLEEP, State, Trigger


class Clockwork:
    """All timers of one log."""

    def __init__(self, office: Office, joining: Joining, deposing: Deposing) -> None:
        self._office = office
        self._deposing = deposing
        self._joining = joining

    def due(self) -> float | None:
        """When the next timer is due, in seconds; None for never."""
        office, state = self._office, self._office.desk.state
        if state in ASLEEP:
            return None
        if state is State.PARTED:
            return self._deposing.due()
        times = [office.farewell.due()]
        if office.sequencing is not None:
            times.append(office.sequencing.due())
        else:
            times += [office.proposing.due(), office.catchup.due(), self._joining.due()]
            if state is not State.JOINING:
                times.append(office.elections.due())
        return min([at for at in times if at is not None], default=None)

    def advance(self, now: float) -> None:
        """It is `now`; time never goes back."""
        office, desk = self._office, self._office.desk
        before, desk.now = desk.now, max(desk.now, now)
        if desk.now - before <= desk.timing.late:
            return
        due = self.due()
        if due is not None and desk.now - due > desk.timing.late:
            # This process slept. Silence that it didn't listen to accuses nobody.
            if desk.sequencer is not None:
                office.elections.heard = desk.now
            office.elections.wait()
            if office.sequencing is not None:
                office.sequencing.forgive()

    def tick(self) -> None:
        """Let everybody act whose time has come."""
        office, desk = self._office, self._office.desk
        if desk.state in ASLEEP:
            return
        if desk.state is State.PARTED:
            self._deposing.tick()
            return
        if office.sequencing is not None:
            office.sequencing.tick()
            if office.reconfiguring is not None:
                office.reconfiguring.tend_absent()
            enough = desk.rules.enough_to_stay(len(desk.configuration.voters))
            if office.sequencing.heard_within(desk.timing.step_down) < enough:
                office.leave(Trigger.LOST_TOUCH)
            return
        office.catchup.tick()
        self._joining.tick()
        if desk.state is not State.JOINING:
            office.elections.tick()
