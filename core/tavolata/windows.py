"""Windows: moments in which any seat may react. The fastest reaction counts, not the first to arrive.

Times are whole milliseconds from the instant at which the seat's own screen had drawn the card. This module
judges the reactions from entries of the log only, so that all peers come to the same result.
`window_timing` makes those entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from typing_extensions import TypeVar

from tavolata.choices import Answer
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Question
from tavolata.messages import N_
from tavolata.reaction_times import FLOOR, GOES, LONGEST, TimedClaim, earliest
from tavolata.ring import SEATS, Seat

V = TypeVar("V", default=Any)

SUSPICION: Final = 10
"""The points for an impossible claim; a possible claim takes one point off, and NAMED points are reported."""
NAMED: Final = 25


@dataclass(frozen=True, slots=True)
class Reaction(Generic[V]):
    """The fastest reaction in a window.

    Attributes:
        seat: the fastest seat.
        value: its choice.
        milliseconds: the time that counts, with the seat's handicap.
        claimed: the time that it claimed, with the handicap; less than `milliseconds` if that was impossible.
        later: the later reactions in order: seat, choice and the time that counts.
    """

    seat: Seat
    value: V
    milliseconds: int
    claimed: int
    later: tuple[tuple[Seat, V, int], ...] = ()

    @property
    def cut(self) -> bool:
        """True if the claimed time was impossibly short."""
        return self.claimed < self.milliseconds


@dataclass(eq=False, repr=False, slots=True)
class Window:
    """A window that is open at the table now.

    Attributes:
        id: its number in the match, counted with the questions.
        questions: the choices of each seat, in the order that decides between equal times.
        go: the seat whose move ends the window; None if only time does.
        floor: the least time of a reaction, in milliseconds.
        hurry: the least time before the match continues, in milliseconds.
        seconds: the time after which the match continues on its own; None for never.
        you: the prompt for the seats that may react; a message id.
        others: the prompt for the others; a message id.
        goes: the label of the key of `go`; a message id.
        params: the values of the fields of these messages.
        handicaps: by seat, the milliseconds that its reactions count later.
        claims: by seat, its reaction.
    """

    id: int
    questions: Mapping[Seat, Question]
    go: Seat | None
    floor: int = FLOOR
    hurry: int = 0
    seconds: float | None = None
    you: str = ""
    others: str = ""
    goes: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    handicaps: Mapping[Seat, int] = field(default_factory=dict)
    claims: dict[Seat, TimedClaim] = field(default_factory=dict, init=False)
    _over: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if self.go is None and self.seconds is None:
            raise GameError("Nothing would end this window: it has neither a seat that goes on nor a time.")

    # -- reactions --------------------------------------------------------------------------------

    def may(self, seat: int) -> bool:
        """Return True if this seat may still react or continue."""
        return not self._over and seat not in self.claims and (seat in self.questions or seat == self.go)

    def claim(self, seat: Seat, answer: object, milliseconds: object, party: int) -> Answer:
        """Take the reaction of a seat, or its wish to continue; return the answer as the log has it.

        Args:
            seat: the seat.
            answer: its choice, or GOES.
            milliseconds: the time that it claims.
            party: the number of its peer.

        Raises:
            Refused: it may not do that, or it is too late; nothing has changed.
        """
        took = _time(milliseconds)
        if not self.may(seat) or any(party in claim.heard for claim in self.claims.values()):
            raise Refused(N_("It's too late for that."))
        if answer != GOES or type(answer) is not int:
            if seat not in self.questions:
                raise Refused(N_("You can't do that now."))
            answer = self.questions[seat].check(answer)
            if took >= FLOOR:  # a person may be as fast as that; below a floor that was raised, no one lies
                took = max(took, self.floor)
        elif seat != self.go:
            raise Refused(N_("It isn't your move."))
        self.claims[seat] = TimedClaim(answer, took)
        return answer

    def vouch(self, of: Seat, party: int, gap: object, trip: object, *, own: bool) -> None:
        """Take the word of a peer that it has nothing earlier than a claim.

        Args:
            of: the seat of the claim.
            party: the number of the peer.
            gap: the time between drawing the card on its screen and seeing the claim.
            trip: the measured round trip between the two peers.
            own: whether the claim is its own; then the times mean nothing.

        Raises:
            Refused: there is no such claim, or the peer has said this already; nothing has changed.
        """
        claim = self.claims.get(of)
        if claim is None or party in claim.heard or self._over:
            raise Refused(N_("It's too late for that."))
        bound = earliest(_time(gap), _time(trip))
        claim.heard.add(party)
        if not own:
            claim.bounds[party] = bound

    def end(self) -> None:
        """End the window because time has run out; the reactions so far count.

        Raises:
            Refused: nobody has reacted, and the window has no time limit.
        """
        if self._over or not (self.claims or self.seconds is not None):
            raise Refused(N_("There's no time limit for that."))
        self._over = True

    # -- the result ---------------------------------------------------------------------------------

    def least(self, seat: Seat) -> int:
        """Return the least time that counts for the claim of a seat.

        It is the window's own, or the lowest bound of the other peers if that is more. So no single peer can
        slow a seat down if another peer gives a lower bound. With only one other peer, its bound counts.
        """
        claim = self.claims[seat]
        return max(self.hurry if claim.answer == GOES else self.floor, min(claim.bounds.values(), default=0))

    def time(self, seat: Seat) -> int:
        """Return the time that counts for a claim."""
        claim = self.claims[seat]
        return max(claim.milliseconds, self.least(seat)) + self.handicap(seat, claim.answer)

    def handicap(self, seat: int, answer: Answer) -> int:
        """Return the milliseconds that an answer of this seat counts later; continuing is never put off."""
        return 0 if answer == GOES else self.handicaps.get(SEATS[seat], 0)

    def order(self) -> list[Seat]:
        """Return the seats with a claim, the fastest first; at equal times reactions precede continuing."""
        if len(self.claims) < 2:
            return list(self.claims)
        places = {seat: place for place, seat in enumerate(self.questions)}
        return sorted(
            self.claims,
            key=lambda seat: (
                self.time(seat),
                self.claims[seat].answer == GOES,
                places.get(seat, len(places)),
            ),
        )

    def decided(self, awaited: Sequence[int]) -> bool:
        """Return True if the window is over: time is up, or all these peers have nothing earlier to tell."""
        if self._over:
            return True
        if not self.claims:
            return False
        heard = self.claims[self.order()[0]].heard
        self._over = all(party in heard for party in awaited)
        return self._over

    def reaction(self) -> Reaction | None:
        """Return the fastest reaction; None if the match continues without one."""
        order = self.order()
        if not order or self.claims[order[0]].answer == GOES:
            return None
        first, *rest = [seat for seat in order if self.claims[seat].answer != GOES]
        claim = self.claims[first]
        return Reaction(
            first,
            self.questions[first].value_of(claim.answer),
            self.time(first),
            claim.milliseconds + self.handicap(first, claim.answer),
            tuple(
                (one, self.questions[one].value_of(self.claims[one].answer), self.time(one)) for one in rest
            ),
        )


def _time(milliseconds: object) -> int:
    """Return the time, if it is possible.

    Raises:
        Refused: it is not.
    """
    if type(milliseconds) is not int or not 0 <= milliseconds <= LONGEST:
        raise Refused(N_("That isn't a valid reaction time."))
    return milliseconds


class Doubts:
    """Doubts about seats that claim impossibly short times; a rare one may come from an uneven line.

    Attributes:
        points: by seat, its points.
    """

    __slots__ = ("points",)

    def __init__(self) -> None:
        self.points: dict[Seat, int] = {}

    def hasty(self, window: Window) -> list[Seat]:
        """Count the claims of a window that is over; return the seats that should be reported to all."""
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
