"""The rules of Liar's Dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tavolata import (
    D6,
    N_,
    NN_,
    Choice,
    Cup,
    Game,
    Layout,
    Opening,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    Zone,
    one_of,
    option,
)
from tavolata.zones import Show, hand_zone, text_zone, tokens_zone

LIAR, EXACT = "liar", "exact"
ONE, SIX = 1, 6
CALLED = N_("{seat} calls {to} a liar, and all cups are lifted.")
COUNTS = NN_("{n} die matches; the bid was {many}.", "{n} dice match; the bid was {many}.")


@dataclass(frozen=True)
class Bid:
    """A bid: under all cups together, at least this many dice show the number."""

    many: int
    number: int


@dataclass(frozen=True, kw_only=True)
class LiarsOptions(Options):
    """What a table agrees on."""

    dice: int = option(5, "Dice each player starts with.", title=N_("dice"), low=1, high=6)
    wild: bool = option(True, "Ones count as any number, and you can't bid on them.", title=N_("wild ones"))
    exact: bool = option(
        False,
        "You can also say that a bid is exactly right. If it is, you get a die back.",
        title=N_("exactly"),
    )


class Liars(Game[LiarsOptions]):
    """Bid on the dice under all cups, or call the last bidder a liar.

    Attributes:
        cups: the dice of each seat.
        box: the dice that are out of the match.
        bid: the last bid, and `bidder` its author; None at the beginning of a round.
        mover: whose turn it is.
        out: the seats without dice, the first one out first.
        caught: by seat, how often it was caught with a false bid.
        course: the dice of each seat, round by round.
    """

    name = "liars"
    rules_id = 2
    title = N_("Liar's Dice")
    summary = N_("Bid on the dice under all the cups, or call the last bidder a liar.")
    card = Opening(
        goal=N_("Be the last player with dice."),
        turn=N_("Bid more dice or a higher number than the last bid, or call it a lie."),
        lose=N_("If the bid was too high, the bidder loses a die; otherwise, the caller does."),
    )
    seats = (2, 8)
    best_with = 5
    minutes = 25
    options = LiarsOptions
    first_match: ClassVar[Mapping[str, Any]] = {"dice": 2}
    layout = Layout("ring")
    guide = "tavolata_classics.liars.guide"

    cups: list[Cup[int]]
    box: Pile[int]
    bid: Bid | None
    bidder: Seat
    mover: Seat
    out: list[Seat]
    caught: list[int]
    course: list[tuple[int, ...]]

    def setup(self, t: Table[LiarsOptions]) -> None:
        self.cups = t.cups("cup", D6, t.options.dice)
        self.box = t.pile("box")
        self.bid = None
        self.bidder = self.mover = t.first_seat
        self.out, self.caught, self.course = [], [0] * len(t.ring), []

    async def turn(self, t: Table[LiarsOptions]) -> Outcome | None:
        """One bid or call; a round begins with shaking."""
        if self.bid is None:
            self.course.append(tuple(map(len, self.cups)))
            await t.shake(*(self.cups[seat] for seat in t.ring.where(self.is_in)))
            t.tell(N_("Everyone shakes their dice. {seat} begins."), seat=self.mover)
        seat, calls = self.mover, []
        if self.bid is not None:
            calls.append(Choice(LIAR, N_("Liar!"), key="l", mood="bold", verb=N_("Liar!")))
            if t.options.exact:
                verb = N_("Exactly!")
                calls.append(Choice(EXACT, N_("Exactly!"), key="e", mood="bold", verb=verb))
        bids = [
            Choice(bid, N_("{n} × {number}"), params={"n": bid.many, "number": bid.number})
            for bid in self.higher(wild=t.options.wild)
        ]
        # Calls are in sight beside the lowest bid, which is what silence says.
        choices: list[Choice[Bid | str]] = [*bids[:1], *calls, *bids[1:]]
        said: Bid | str = await t.ask(
            seat,
            one_of(choices),
            N_("What will you bid?"),
            N_("{seat} thinks."),
            verb=N_("Bid {choice}"),
            about=[*self.cups],
            seat=seat,
        )
        if isinstance(said, Bid):
            self.bid, self.bidder = said, seat
            t.tell(N_("{seat} bids {n} × {number}."), seat=seat, n=said.many, number=said.number)
            self.mover = t.ring.next(seat, self.is_in)
            return None
        return await self.called(t, seat, exact=said == EXACT)

    def higher(self, *, wild: bool) -> list[Bid]:
        """Return the bids that beat the last one: more dice, or as many with a higher face."""
        dice, last = sum(map(len, self.cups)), self.bid or Bid(1, 0)
        return [
            Bid(many, number)
            for many in range(last.many, dice + 1)
            for number in range(ONE + wild, SIX + 1)
            if many > last.many or number > last.number
        ]

    async def called(self, t: Table[LiarsOptions], caller: Seat, *, exact: bool) -> Outcome | None:
        """All cups are lifted, and the player who is wrong loses a die."""
        assert self.bid is not None  # only a bid can be called
        bid, bidder = self.bid, self.bidder
        words = N_("{seat} says that {to}'s bid is exactly right.") if exact else CALLED
        t.tell(words, seat=caller, to=bidder)
        for seat in t.ring.where(self.is_in):
            dice = await t.reveal(self.cups[seat])
            t.tell(N_("Under {seat}'s cup: {dice}."), seat=seat, dice=dice)
        found = self.count(bid.number, wild=t.options.wild)
        t.tell(COUNTS, n=found, many=bid.many)
        self.bid, self.mover = None, caller
        if exact and found == bid.many:
            if len(self.cups[caller]) < t.options.dice:
                self.box.move_to(self.cups[caller], [self.box.top])
                t.tell(N_("Exactly right: {seat} gets a die back."), seat=caller)
            else:
                t.tell(N_("Exactly right, but {seat} already has a full set of dice."), seat=caller)
            return None
        if exact or found >= bid.many:
            return self.loses(t, caller, N_("not exactly") if exact else N_("the bid holds"))
        self.caught[bidder] += 1
        return self.loses(t, bidder, N_("a lie"))

    def count(self, number: int, *, wild: bool) -> int:
        """Return how many dice count for a bid on this number."""
        return sum(die.face == number or (wild and die.face == ONE) for cup in self.cups for die in cup)

    def loses(self, t: Table[LiarsOptions], loser: Seat, stamp: str) -> Outcome | None:
        """The loser begins the next round; without dice it's the next player, until one is left."""
        self.box.put(self.cups[loser].take_top())
        t.tell(N_("{seat} loses a die."), seat=loser, stamp=stamp)
        self.mover = loser
        if self.is_in(loser):
            return None
        self.out.append(loser)
        t.tell(N_("{seat} has no dice left and is out."), seat=loser, stamp=N_("out"))
        self.mover = t.ring.next(loser, self.is_in)
        return self.outcome(t) if len(t.ring.where(self.is_in)) == 1 else None

    def outcome(self, t: Table[LiarsOptions]) -> Outcome:
        """The last one with dice wins; the others rank by how long they lasted."""
        (winner,) = t.ring.where(self.is_in)
        last_first = [winner, *reversed(self.out)]
        course = (*self.course, tuple(map(len, self.cups)))
        return Outcome(
            (winner,),
            ranks=tuple(last_first.index(seat) + 1 for seat in t.ring),
            statistics={N_("Times caught lying"): tuple(self.caught)},
            series={N_("Dice"): course[-200:]},
        )

    def forfeit(self, t: Table[LiarsOptions], seats: tuple[Seat, ...]) -> Outcome:
        """Of the others, those with dice win, if there are any."""
        left = tuple(seat for seat in t.ring.where(self.is_in) if seat not in seats)
        return Outcome(left) if left else super().forfeit(t, seats)

    def is_in(self, seat: Seat) -> bool:
        """Return True if a seat has dice left."""
        return bool(self.cups[seat])

    def zones(self, t: Table[LiarsOptions], viewer: Seat | None) -> Iterable[Zone]:
        bid = self.bid
        if bid is not None:
            yield text_zone(
                "bid", N_("Bid"), N_("{seat}: {n} × {number}"), show=Show(role="hero"),
                seat=self.bidder, n=bid.many, number=bid.number,
            )  # fmt: skip
        for seat in t.ring:
            yield hand_zone(self.cups[seat], N_("Dice"))
        yield tokens_zone("left", N_("Dice left"), [(seat, len(self.cups[seat])) for seat in t.ring])
