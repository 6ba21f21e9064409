"""The rules of Scala 40."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Choice,
    Layout,
    Opening,
    Outcome,
    Pile,
    Seat,
    Table,
    Zone,
    one_of,
)
from tavolata.decks import FRENCH_108, FrenchFace
from tavolata.zones import Show, cards_zone, hand_zone, pile_zone, text_zone, tokens_zone
from tavolata_classics.scala40.laying import PICK, Laying
from tavolata_classics.scala40.melds import FEWEST, penalty
from tavolata_classics.scala40.options import Scala40Options

EACH: Final = 13
STOCK, DISCARD = "stock", "discard"
CLOSES = N_("{seat} goes out.")
COUNTS = NN_("{seat} is left with {n} point.", "{seat} is left with {n} points.")


class Scala40(Laying):
    """Lay all your cards in sets and runs before the others do.

    Attributes:
        stock: the cards to draw, and `discards` the pile beside it.
        dealer: who has dealt.
        recycled: the discards have become the stock once in this deal.
        points: by seat; `out` has the seats that are out, the first one out first.
        closed: by seat, how often it has closed.
    """

    name = "scala40"
    title = N_("Scala 40")
    summary = N_("Lay down sets and runs, with at least 40 points to open, and go out before the others do.")
    card = Opening(
        goal=N_("Get rid of your cards in sets and runs before the others do."),
        turn=N_("Draw, lay any melds, and discard. Your first melds must reach the opening minimum."),
        lose=N_("Cards left in your hand count against you, and too many points knock you out."),
    )
    seats = (2, 6)
    best_with = 4
    minutes = 45
    options = Scala40Options
    first_match: ClassVar[Mapping[str, Any]] = {"points": 51}
    guide = "tavolata_classics.scala40.guide"
    layout = Layout(decision=5)

    stock: Pile[FrenchFace]
    discards: Pile[FrenchFace]
    dealer: Seat
    recycled: bool
    points: list[int]
    out: list[list[Seat]]
    closed: list[int]

    def setup(self, t: Table[Scala40Options]) -> None:
        self.stock, self.discards = t.pile("stock", FRENCH_108), t.pile("discards")
        self.hands = t.hands("hand")
        self.melds = [t.pile(f"meld.{n}") for n in range(len(FRENCH_108) // FEWEST)]
        self.mover = self.dealer = t.first_seat
        self.opened, self.recycled = [False] * len(t.ring), False
        self.points, self.closed, self.out = [0] * len(t.ring), [0] * len(t.ring), []

    def is_in(self, seat: Seat) -> bool:
        return all(seat not in group for group in self.out)

    async def turn(self, t: Table[Scala40Options]) -> Outcome | None:
        """Draw, lay what fits, and discard a card; without cards the deal is over."""
        if not any(self.hands):
            await self.deal(t)
        seat, hand = self.mover, self.hands[self.mover]
        if not await self.draw(t, seat):
            t.tell(N_("The stock is used up, and no one has gone out."), stamp=N_("no cards left"))
            return await self.count(t, None)
        while isinstance(answer := await self.act(t), str | int):
            if isinstance(answer, int):
                await self.add(t, answer)
            else:
                await self.lay(t, pick=answer == PICK)
        hand.move_to(self.discards, [answer])
        await t.reveal([answer])
        t.tell(N_("{seat} discards {card}."), seat=seat, card=answer)
        self.mover = t.ring.next(seat, self.is_in)
        return None if hand else await self.count(t, seat)

    async def deal(self, t: Table[Scala40Options]) -> None:
        """Thirteen cards each, and one beside the stock."""
        await t.shuffle(self.stock, self.discards, *self.melds)
        players = t.ring.starting(t.ring.next(self.dealer, self.is_in), self.is_in)
        await t.deal(self.stock, [self.hands[seat] for seat in players], each=EACH)
        await t.turn_up(self.stock, onto=self.discards)
        self.mover, self.recycled = players[0], False
        self.opened = [False] * len(t.ring)
        t.tell(N_("{seat} deals everyone thirteen cards."), seat=self.dealer)

    async def draw(self, t: Table[Scala40Options], seat: Seat) -> bool:
        """Take a card of the stock or the discards; return False if there is no card to draw."""
        if not self.stock:
            if self.recycled or len(self.discards) < 2:
                return False
            self.recycled = True
            self.discards.move_to(self.stock, self.discards.cards[:-1])
            await t.shuffle(self.stock)
            t.tell(N_("The discards are shuffled and become the stock."))
        top, take = self.discards.top, N_("Take {card}")
        if self.opened[seat] or t.options.take:
            stock = Choice(STOCK, N_("From the stock"), key="s", verb=N_("Draw from the stock"))
            discard = Choice(DISCARD, take, at=top, key="t", verb=take, params={"card": top})
            you, others = N_("Where will you draw from?"), N_("{seat} draws a card.")
            if await t.ask(seat, one_of([stock, discard]), you, others, seat=seat) == DISCARD:
                t.tell(N_("{seat} takes {card}."), seat=seat, card=top)
                self.discards.move_to(self.hands[seat], [top])
                return True
        await t.deal(self.stock, [self.hands[seat]])
        return True

    async def count(self, t: Table[Scala40Options], closer: Seat | None) -> Outcome | None:
        """The others' cards count against them; whoever has too many points is out."""
        if closer is not None:
            self.closed[closer] += 1
            t.tell(CLOSES, seat=closer, stamp=N_("went out"))
        players = t.ring.where(self.is_in)
        for seat in players:
            await t.reveal(self.hands[seat])
            left = sum(penalty(card.face) for card in self.hands[seat])
            self.points[seat] += left
            if seat != closer:
                t.tell(COUNTS, seat=seat, n=left)
            self.hands[seat].move_to(self.discards)
        gone = [seat for seat in players if self.points[seat] >= t.options.points]
        if len(gone) == len(players):  # the one with the fewest points stays, or all who have as few
            least = min(self.points[seat] for seat in players)
            gone = [seat for seat in players if self.points[seat] > least]
        for seat in gone:
            t.tell(N_("{seat} is out."), seat=seat, stamp=N_("out"))
        for points in sorted({self.points[seat] for seat in gone}, reverse=True):
            self.out.append([seat for seat in gone if self.points[seat] == points])
        if len(players) - len(gone) > 1:
            self.dealer = t.ring.next(self.dealer, self.is_in)
            return None
        return self.outcome(t)

    def outcome(self, t: Table[Scala40Options]) -> Outcome:
        """The last one in wins; the others rank by how long they lasted, and in one deal by their points."""
        groups = [t.ring.where(self.is_in), *reversed(self.out)]
        ranks = {seat: 1 + sum(map(len, groups[:at])) for at, group in enumerate(groups) for seat in group}
        statistics = {N_("Points"): tuple(self.points), N_("Deals won"): tuple(self.closed)}
        return Outcome((groups[0][0],), ranks=tuple(ranks[one] for one in t.ring), statistics=statistics)

    def forfeit(self, t: Table[Scala40Options], seats: tuple[Seat, ...]) -> Outcome:
        """Of the others, those still in win, if there are any."""
        left = tuple(seat for seat in t.ring.where(self.is_in) if seat not in seats)
        return Outcome(left) if left else super().forfeit(t, seats)

    def unfinished(self, t: Table[Scala40Options]) -> Outcome:
        """The fewest points win."""
        return Outcome.by_score(t, self.points, lowest=True)

    def zones(self, t: Table[Scala40Options], viewer: Seat | None) -> Iterable[Zone]:
        for pile in filter(None, self.melds):
            yield cards_zone(pile.name, "", pile, show=Show(role="aside"))
        yield pile_zone(self.discards, N_("Discards"))
        yield pile_zone(self.stock, N_("Stock"))
        for seat in t.ring.where(self.is_in):
            yield hand_zone(self.hands[seat], N_("In hand"), order="suit")
        if opened := t.ring.where(self.opened.__getitem__):
            yield text_zone("opened", N_("Opened"), "{seats}", show=Show(role="fact"), seats=opened)
        points = [(seat, self.points[seat]) for seat in t.ring]
        yield tokens_zone("points", N_("Points"), points, show=Show(better="less", goal=t.options.points))
        yield tokens_zone("left", N_("Cards"), [(seat, len(self.hands[seat])) for seat in t.ring])
