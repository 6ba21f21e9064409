"""A window: a moment in which any seat may react, and the fastest reaction counts, not the first to arrive.

Times are whole milliseconds, each from the instant at which the seat's own screen had drawn what
there is to react to. What is said in a window is judged here, from what the log has and from
nothing else, so that all peers judge alike. Who says it, and when, is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tavolata.choices import Answer
from tavolata.errors import GameError, Refused
from tavolata.kinds.kind import Kind
from tavolata.messages import N_
from tavolata.reaction_times import FLOOR, GOES, LONGEST, TimedClaim, earliest
from tavolata.ring import Seat

SUSPICION: Final = 10
"""What a claim that can't be counts against a seat, up to NAMED; each that can be takes one off."""
NAMED: Final = 25


@dataclass(frozen=True, slots=True)
class Reaction:
    """Who was fastest in a window.

    Attributes:
        seat: who.
        value: what it chose.
        milliseconds: the time that counts.
        claimed: the time that it said; less than what counts if it was cut.
        later: who else reacted, each with what it chose and the time that counts, in order.
    """

    seat: Seat
    value: Any
    milliseconds: int
    claimed: int
    later: tuple[tuple[Seat, Any, int], ...] = ()

    @property
    def cut(self) -> bool:
        """Whether less was claimed than can have been."""
        return self.claimed < self.milliseconds


class Window:
    """A window that is open at the table now.

    Attributes:
        id: its number in the match, counted with the questions.
        kinds: what each seat may choose, in the order that decides between equal times.
        go: the seat whose move ends the window; None if time alone does.
        floor: the least that a reaction takes, milliseconds.
        hurry: the least that passes before the match goes on, milliseconds.
        seconds: when the match goes on by itself; None never.
        you: what a seat reads that may react, a message id; `others` what the rest reads.
        goes: what the key of `go` does, a message id.
        params: what the fields of these stand for.
        claims: what was said so far, by seat.
    """

    __slots__ = (
        "_over",
        "claims",
        "floor",
        "go",
        "goes",
        "hurry",
        "id",
        "kinds",
        "others",
        "params",
        "seconds",
        "you",
    )

    def __init__(
        self,
        number: int,
        kinds: Mapping[Seat, Kind],
        go: Seat | None,
        *,
        floor: int = FLOOR,
        hurry: int = 0,
        seconds: float | None = None,
        you: str = "",
        others: str = "",
        goes: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> None:
        if go is None and seconds is None:
            raise GameError("Nothing would end this window: it has neither a seat that goes on nor a time.")
        self.id = number
        self.kinds = dict(kinds)
        self.go = go
        self.floor = floor
        self.hurry = hurry
        self.seconds = seconds
        self.you = you
        self.others = others
        self.goes = goes
        self.params = params or {}
        self.claims: dict[Seat, TimedClaim] = {}
        self._over = False

    # -- what is said -----------------------------------------------------------------------------

    def may(self, seat: int) -> bool:
        """Whether this seat can still say something."""
        return not self._over and seat not in self.claims and (seat in self.kinds or seat == self.go)

    def claim(self, seat: Seat, answer: object, milliseconds: object, party: int) -> Answer:
        """A seat says that it has reacted, or goes on; the answer as it stands in the log.

        Args:
            seat: who.
            answer: its choice, or GOES.
            milliseconds: what it says it took.
            party: the number of its peer.

        Raises:
            Refused: it can't say that, or not any more; nothing has changed.
        """
        took = _time(milliseconds)
        if not self.may(seat) or any(party in claim.heard for claim in self.claims.values()):
            raise Refused(N_("It is too late for that."))
        if answer != GOES or type(answer) is not int:
            if seat not in self.kinds:
                raise Refused(N_("You can't do that now."))
            answer = self.kinds[seat].check(answer)
        elif seat != self.go:
            raise Refused(N_("It is not your move."))
        self.claims[seat] = TimedClaim(answer, took)
        return answer

    def vouch(self, of: Seat, party: int, gap: object, trip: object, *, own: bool) -> None:
        """A peer says of a claim: nothing earlier from here.

        Args:
            of: whose claim.
            party: the number of the peer that speaks.
            gap: how long after its own screen had drawn the card it saw the claim.
            trip: how long messages between the two take there and back, as measured.
            own: whether the claim is its own; then the times say nothing.

        Raises:
            Refused: there is no such claim, or it was said already; nothing has changed.
        """
        claim = self.claims.get(of)
        if claim is None or party in claim.heard or self._over:
            raise Refused(N_("It is too late for that."))
        bound = earliest(_time(gap), _time(trip))
        claim.heard.add(party)
        if not own:
            claim.bounds[party] = bound

    def end(self) -> None:
        """Time has run out: what was said counts.

        Raises:
            Refused: nothing was said, and the window has no time.
        """
        if self._over or not (self.claims or self.seconds is not None):
            raise Refused(N_("There is no time limit for that."))
        self._over = True

    # -- how it stands ------------------------------------------------------------------------------

    def least(self, seat: Seat) -> int:
        """The least that counts for the claim of a seat."""
        claim = self.claims[seat]
        return claim.least(self.hurry if claim.answer == GOES else self.floor)

    def time(self, seat: Seat) -> int:
        """The time that counts for a claim."""
        return max(self.claims[seat].milliseconds, self.least(seat))

    def order(self) -> list[Seat]:
        """Who has said something, the fastest first; who goes on comes after who reacts at the same time."""
        places = {seat: place for place, seat in enumerate(self.kinds)}
        return sorted(
            self.claims,
            key=lambda seat: (
                self.time(seat),
                self.claims[seat].answer == GOES,
                places.get(seat, len(places)),
            ),
        )

    def decided(self, awaited: Sequence[int]) -> bool:
        """Whether it is over: time is up, or all these peers have nothing earlier than the fastest."""
        if self._over:
            return True
        if not self.claims:
            return False
        heard = self.claims[self.order()[0]].heard
        self._over = all(party in heard for party in awaited)
        return self._over

    def reaction(self) -> Reaction | None:
        """Who was fastest; None if the match goes on."""
        reacted = [seat for seat in self.order() if self.claims[seat].answer != GOES]
        if not reacted or self.claims[self.order()[0]].answer == GOES:
            return None
        first, *rest = reacted
        claim = self.claims[first]
        return Reaction(
            first,
            self.kinds[first].value_of(claim.answer),
            self.time(first),
            claim.milliseconds,
            tuple((one, self.kinds[one].value_of(self.claims[one].answer), self.time(one)) for one in rest),
        )


def _time(milliseconds: object) -> int:
    """What was said, if it can be a time.

    Raises:
        Refused: it can't.
    """
    if type(milliseconds) is not int or not 0 <= milliseconds <= LONGEST:
        raise Refused(N_("No reaction takes that long."))
    return milliseconds


class Doubts:
    """How often each seat has claimed to be faster than can be; once in a while is an uneven line.

    Attributes:
        points: by seat, what counts against it now.
    """

    __slots__ = ("points",)

    def __init__(self) -> None:
        self.points: dict[Seat, int] = {}

    def hasty(self, window: Window) -> list[Seat]:
        """Take in the claims of a window that is over; who did it so often that all are to know."""
        named = []
        for seat, claim in window.claims.items():
            if claim.answer == GOES:
                continue
            if claim.milliseconds < window.least(seat):
                self.points[seat] = self.points.get(seat, 0) + SUSPICION
            elif self.points.get(seat):
                self.points[seat] -= 1
            if self.points.get(seat, 0) >= NAMED:
                self.points[seat] = 0
                named.append(seat)
        return named
