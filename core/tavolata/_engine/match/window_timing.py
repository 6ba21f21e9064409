"""The timing of one process in a window: the reactions of its people and bots, and its QUIET entries.

Time is measured from the moment at which the frontend says that it has drawn the card. This module
makes the entries; `windows` says what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tavolata._engine.match.entries import QUIET, REACT, TIMEOUT, MatchEntry
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import TimedAnswer, party_of
from tavolata._engine.match.updates import Update, WindowClosed, WindowOpened
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.reaction_times import GOES, GRACE, LONGEST, TimedClaim, earliest
from tavolata.ring import SEATS
from tavolata.windows import Window

PATIENCE: Final = 2.0
"""Seconds that the other peers have to say "nothing earlier from here" after this process has said it."""
BLIND: Final = 1.0
"""Seconds after which a window's time runs even if no frontend has drawn it."""
TOO_LATE = N_("It's too late for that.")


@dataclass(slots=True)
class _Now:
    window: Window
    opened: float
    drawn: float | None = None
    told: bool = False
    claimed: set[int] = field(default_factory=set)
    vouched: set[int] = field(default_factory=set)
    seen: dict[int, int] = field(default_factory=dict)
    plans: dict[int, TimedAnswer | None] = field(default_factory=dict)
    patience: float | None = None
    ended: bool = False
    disturbed: bool = False


class WindowTiming:
    """One process in the windows of a single match.

    `say` takes an entry of this process. `clock` is monotonic, in seconds. `plan` gives the reaction of a
    seat's bot, and is called once for each window and seat. `trip` is the measured round trip to the peer of
    a seat, in milliseconds.
    """

    def __init__(
        self,
        match: Match,
        say: Callable[[MatchEntry], object],
        clock: Callable[[], float],
        plan: Callable[[Window, int], TimedAnswer | None],
        trip: Callable[[int], int] = lambda _: 0,
    ) -> None:
        self.match = match
        self._say = say
        self._clock = clock
        self._plan = plan
        self._trip = trip
        self._now: _Now | None = None
        self._closed: list[Window] = []

    # -- the frontend -------------------------------------------------------------------------

    def closings(self) -> list[Update]:
        """Return the windows closed since the last call: told before all that has followed from them."""
        self._look()
        closed: list[Update] = [WindowClosed(window) for window in self._closed]
        self._closed.clear()
        return closed

    def opening(self, people: Sequence[int]) -> list[Update]:
        """Return the window that has opened since the last call, if any: told after all that led to it."""
        now = self._look()
        if now is None or now.told:
            return []
        now.told = True
        return [WindowOpened(now.window, tuple(seat for seat in people if now.window.may(seat)))]

    def still_open(self, people: Sequence[int]) -> WindowOpened | None:
        """Return the open window that was told of, for people who come back meanwhile.

        A seat that has reacted, or whose bot has, can do nothing more in it.
        """
        now = self._look()
        if now is None or not now.told:
            return None
        may = (seat for seat in people if now.window.may(seat) and seat not in now.claimed)
        return WindowOpened(now.window, tuple(may))

    def _look(self) -> _Now | None:
        was, window = self._now, None if self.match.over else self.match.source.window
        if was is not None and was.window is not window:
            if was.told:
                self._closed.append(was.window)
            self._now = None
        if window is not None and self._now is None:
            self._now = _Now(window, self._clock())
        return self._now

    def drawn(self, window: int) -> None:
        """Measure time from now on: the frontend has drawn the card of the window."""
        now = self._now
        if now is not None and now.window.id == window and now.drawn is None:
            now.drawn = self._clock()

    def disturbed(self) -> None:
        """Note delays on the way, so the times of arrival mean nothing in this window."""
        if self._now is not None:
            self._now.disturbed = True

    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        """Take a person's key; raise `Refused` if it's too late, or this seat may not do that."""
        now = self._now
        if now is None or now.window.id != window or not now.window.may(seat) or seat in now.claimed:
            raise Refused(TOO_LATE)
        if answer == GOES and seat != now.window.go:
            raise Refused(N_("It isn't your move."))
        if answer != GOES:
            if seat not in now.window.questions:
                raise Refused(N_("You can't do that now."))
            answer = now.window.questions[SEATS[seat]].check(answer)
        self._claim(now, seat, answer, milliseconds)

    def _claim(self, now: _Now, seat: int, answer: Answer, milliseconds: int) -> None:
        now.claimed.add(seat)
        self._say((REACT, seat, now.window.id, answer, max(0, milliseconds)))

    # -- what is due ----------------------------------------------------------------------------------

    def work(
        self, seats: Sequence[int], bots: Sequence[int], *, keeps_time: bool, at_once: bool = False
    ) -> float | None:
        """Send the entries that are due; return the seconds until the next one, None if there isn't one.

        This process answers for `seats`, of which bots play `bots`. With `keeps_time` it ends a window when
        its time has run out; with `at_once` no one watches, so reactions needn't take their time.
        """
        now, time = self._look(), self._clock()
        if now is None:
            return None
        elapsed = LONGEST if at_once else None if now.drawn is None else int((time - now.drawn) * 1000)
        due: list[float] = []
        if elapsed is not None:
            for seat in bots:
                self._let_bot(now, seat, elapsed, due)
            for of, claim in list(now.window.claims.items()):
                self._vouch(now, int(of), claim, seats, bots, elapsed, due)
        if keeps_time:
            self._keep_time(now, time, due)
        return min(due, default=None)

    def _let_bot(self, now: _Now, seat: int, elapsed: int, due: list[float]) -> None:
        window, party = now.window, party_of(seat, self.match.terms.parties)
        if not window.may(seat) or seat in now.claimed:
            return
        if any(party in claim.heard for claim in window.claims.values()):
            return  # it has been said from here that nothing more comes
        if seat not in now.plans:
            now.plans[seat] = self._plan(window, seat)
        plan = now.plans[seat]
        if plan is None:
            return
        if plan[1] <= elapsed:
            self._claim(now, seat, *plan)
        else:
            due.append((plan[1] - elapsed) / 1000)

    def _vouch(
        self, now: _Now, of: int, claim: TimedClaim, seats: Sequence[int], bots: Sequence[int], elapsed: int,
        due: list[float],
    ) -> None:  # fmt: skip
        """Say that nothing earlier than a claim comes from here, once this is certain."""
        window, parties = now.window, self.match.terms.parties
        if not seats or of in now.vouched:
            return
        speaker = self._speaker(seats)
        if party_of(speaker, parties) in claim.heard:
            return
        own = of in seats
        gap = now.seen.setdefault(of, 0 if now.disturbed or elapsed == LONGEST else elapsed)
        trip = 0 if own else self._trip(of)
        least = window.hurry if claim.answer == GOES else window.floor
        until = max(claim.milliseconds, least, 0 if own else earliest(gap, trip))
        if claim.answer != GOES:
            until += GRACE + window.handicap(of, claim.answer)
        waits = any(self._may_still(now, seat, until, bots) for seat in seats)
        if waits and elapsed < until:
            due.append((until - elapsed) / 1000)
            return
        now.vouched.add(of)
        self._say((QUIET, speaker, window.id, of, 0 if own else gap, trip))

    def _may_still(self, now: _Now, seat: int, until: int, bots: Sequence[int]) -> bool:
        if not now.window.may(seat) or seat in now.claimed:
            return False
        if seat not in bots:
            return True
        plan = now.plans.get(seat)
        return plan is not None and plan[1] <= until

    def _speaker(self, seats: Sequence[int]) -> int:
        """Return the seat in whose name this process speaks: preferably one with its player present."""
        return next((seat for seat in seats if self.match.status[seat] == "here"), seats[0])

    def _keep_time(self, now: _Now, time: float, due: list[float]) -> None:
        window = now.window
        if now.ended:
            return
        if window.claims:
            if now.patience is None and (now.vouched or time > now.opened + BLIND):
                now.patience = time
            if now.patience is None:
                due.append(BLIND)
                return
            end = now.patience + PATIENCE
        elif window.seconds is not None:
            end = (now.opened + BLIND if now.drawn is None else now.drawn) + window.seconds
        else:
            return
        if time >= end:
            now.ended = True
            self._say((TIMEOUT, window.id))
        else:
            due.append(end - time)
