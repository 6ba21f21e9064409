"""The rules of Liar's Dice, and a bot that counts what it sees and guesses the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tavolata import (
    D6,
    N_,
    NN_,
    Ask,
    Choice,
    Cup,
    Game,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    View,
    Zone,
    one_of,
    option,
)
from tavolata.bots import Bot, Chance
from tavolata.zones import hand_zone, text_zone


@dataclass(frozen=True)
class Bid:
    """A bid: at least so many dice of a number are under all cups together.

    Attributes:
        many: how many.
        number: the number; ones count as every number.
    """

    many: int
    number: int


LIAR = "liar"


@dataclass(frozen=True, kw_only=True)
class LiarsOptions(Options):
    """House rules of Liar's Dice."""

    dice: int = option(5, "How many dice everyone begins with.", low=1, high=6)


def higher(bid: Bid | None, dice: int) -> list[Bid]:
    """The bids that beat one: more dice, or as many of a higher number; nobody bids on ones."""
    low = Bid(1, 1) if bid is None else bid
    return [
        Bid(many, number)
        for many in range(low.many, dice + 1)
        for number in range(2, 7)
        if many > low.many or number > low.number
    ]


class Liars(Game[LiarsOptions]):
    """Bid on the dice under all the cups, or call the last bidder a liar.

    Attributes:
        cups: the dice of each seat.
        box: the dice that are lost.
        bid: the last bid, and `bidder` who made it; None at the beginning of a round.
        mover: whose turn it is.
    """

    name, title, seats, best_with = "liars", N_("Liar's Dice"), (2, 6), 4
    summary = N_("Bid on the dice under all the cups, or call the last bidder a liar.")
    options = LiarsOptions

    cups: list[Cup[int]]
    box: Pile[int]
    bid: Bid | None
    bidder: Seat
    mover: Seat

    def setup(self, t: Table[LiarsOptions]) -> None:
        """Everybody's dice, not shaken yet."""
        self.cups = t.cups("cup", D6, t.options.dice)
        self.box = t.pile("box")
        self.bid = None
        self.bidder = self.mover = t.first_seat

    async def turn(self, t: Table[LiarsOptions]) -> Outcome | None:
        """One bid or call; a round begins with shaking."""
        if self.bid is None:
            await t.shake(*(self.cups[seat] for seat in t.ring.where(self.is_in)))
            t.tell(N_("Everyone shakes their dice."))
        seat = self.mover
        choices = [
            Choice(bid, N_("{n} × {number}"), params={"n": bid.many, "number": bid.number})
            for bid in higher(self.bid, sum(map(len, self.cups)))
        ]
        calls = [] if self.bid is None else [Choice(LIAR, N_("Liar!"))]
        said: Bid | str = await t.ask(
            seat, one_of(choices, *calls), N_("What will you bid?"), N_("{seat} thinks."), seat=seat
        )
        if isinstance(said, Bid):
            self.bid, self.bidder = said, seat
            t.tell(N_("{seat} bids {n} × {number}."), seat=seat, n=said.many, number=said.number)
            self.mover = t.ring.next(seat, self.is_in)
            return None
        return await self.called(t, seat)

    async def called(self, t: Table[LiarsOptions], caller: Seat) -> Outcome | None:
        """All cups are lifted, and the one who was wrong loses a die."""
        assert self.bid is not None  # only a bid can be called
        bid, bidder = self.bid, self.bidder
        t.tell(N_("{seat} calls {to} a liar, and all cups are lifted."), seat=caller, to=bidder)
        for seat in t.ring.where(self.is_in):
            dice = await t.reveal(self.cups[seat])
            t.tell(N_("Under {seat}'s cup: {dice}."), seat=seat, dice=dice)
        found = sum(die.face in (1, bid.number) for cup in self.cups for die in cup)
        t.tell(
            NN_("There's {n}; the bid was {many}.", "There are {n}; the bid was {many}."),
            n=found,
            many=bid.many,
        )
        loser = caller if found >= bid.many else bidder
        self.box.put(self.cups[loser].take_top())
        verdict = N_("the bid holds") if loser == caller else N_("a lie")
        t.tell(N_("{seat} loses a die."), seat=loser, stamp=verdict)
        if not self.is_in(loser):
            t.tell(N_("{seat} has no dice left and is out."), seat=loser, stamp=N_("out"))
        self.bid = None
        self.mover = loser if self.is_in(loser) else t.ring.next(loser, self.is_in)
        left = t.ring.where(self.is_in)
        return Outcome(tuple(left)) if len(left) == 1 else None

    def is_in(self, seat: Seat) -> bool:
        """Whether a seat has dice left."""
        return bool(self.cups[seat])

    def zones(self, t: Table[LiarsOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The cups, and the bid."""
        for seat in t.ring:
            yield hand_zone(self.cups[seat], N_("Dice"))
        if self.bid is not None:
            words = N_("{seat} says: {n} × {number}")
            yield text_zone(
                "bid", N_("Bid"), words, seat=self.bidder, n=self.bid.many, number=self.bid.number
            )


class Counting(Bot):
    """Believes what its own dice and a third of the others make likely."""

    level = "counting"

    def choose(self, view: View[Liars], ask: Ask[Bid | str], chance: Chance) -> Bid | str:
        """The smallest bid that it believes; else it calls."""
        game = view.game
        mine = [view.face(die) for die in game.cups[ask.seat]]
        others = sum(map(len, game.cups)) - len(mine)

        def believed(bid: Bid) -> bool:
            return sum(face in (1, bid.number) for face in mine) + others / 3 >= bid.many

        legal = view.legal(ask)
        if LIAR in legal and game.bid is not None and not believed(game.bid):
            return LIAR
        bids = [bid for bid in legal if isinstance(bid, Bid)]
        if not bids:
            return LIAR
        return max(bids, key=lambda bid: (believed(bid), -bid.many, mine.count(bid.number)))
