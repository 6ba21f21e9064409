"""The rules of Bazaar, and a bot that buys what it collects and takes fair offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from tavolata import (
    N_,
    Ask,
    Choice,
    Counter,
    Counters,
    Deck,
    Game,
    Options,
    Outcome,
    Pile,
    Question,
    Refused,
    Seat,
    Table,
    View,
    Zone,
    interjection,
    one_of,
    option,
)
from tavolata.bots import Bot, Chance, Interject
from tavolata.zones import counters_zone, pile_zone, tokens_zone


class Ware(Enum):
    """What is sold."""

    SILK = N_("silk")
    SPICE = N_("spice")
    PEARLS = N_("pearls")
    GOLD = N_("gold")


WARES: Deck[Ware] = Deck("wares", [ware for ware in Ware for _ in range(6)])
WORTH = (0, 1, 3, 6, 10, 15, 21)
"""What so many of one kind are worth in the end."""


@dataclass(frozen=True)
class Offer:
    """An offer: what hangs on it is in it, so nobody takes another one than the one that was seen.

    Attributes:
        by, to: the seats.
        give: what `by` gives.
        want: what `by` wants from `to`.
    """

    by: Seat
    to: Seat
    give: Ware
    want: Ware


@dataclass(frozen=True, kw_only=True)
class BazaarOptions(Options):
    """House rules of Bazaar."""

    money: int = option(20, "What everybody has at the beginning.", low=5, high=50)
    lots: int = option(12, "How many wares come under the hammer.", low=2, high=24)


class Bazaar(Game[BazaarOptions]):
    """Bid for one ware after the other; trade what you have at any time.

    Attributes:
        wares: the wares to come.
        lot: what is under the hammer now.
        purse: the money of each seat.
        bank: where the money goes.
        stock: by seat, how many it has of each ware.
        offers: the open offers.
        bid: the highest bid for the lot.
        bidder: who made it.
    """

    name, title, version, seats, best = "bazaar", N_("Bazaar"), "0.1", (3, 6), 4
    summary = N_("Bid for wares, and trade them whenever you like; many of a kind are worth most.")
    options = BazaarOptions

    wares: Pile[Ware]
    lot: Pile[Ware]
    purse: Counters
    bank: Counter
    stock: list[dict[Ware, int]]
    offers: list[Offer]
    bid: int
    bidder: Seat | None

    def setup(self, t: Table[BazaarOptions]) -> None:
        """Money for all, wares for nobody."""
        self.wares = t.pile("wares", WARES)
        self.lot = t.pile("lot")
        self.purse = t.counters("purse", t.options.money)
        self.bank = t.bank("bank")
        self.stock = [dict.fromkeys(Ware, 0) for _ in t.ring]
        self.offers = []
        self.bid, self.bidder = 0, None

    async def turn(self, t: Table[BazaarOptions]) -> Outcome | None:
        """One lot comes under the hammer."""
        if t.turn == 0:
            await t.shuffle(self.wares)
        opener = t.ring.after(t.first_seat, t.turn)
        card = await t.turn_up(self.wares, onto=self.lot, by=opener)
        t.tell(N_("Under the hammer: {ware}."), ware=card.face)
        await self.auction(t, t.ring.from_(opener))
        if self.bidder is None:
            t.tell(N_("Nobody wants it."))
        else:
            self.purse.pay(self.bidder, self.bid, self.bank)
            self.stock[self.bidder][card.face] += 1
            t.tell(N_("{seat} gets {ware} for {n}."), seat=self.bidder, ware=card.face, n=self.bid)
        return self.ended(t) if t.turn + 1 == t.options.lots else None

    async def auction(self, t: Table[BazaarOptions], bidders: list[Seat]) -> None:
        """Ask around for higher bids until one is left, or nobody."""
        self.bid, self.bidder = 0, None
        while bidders and bidders != [self.bidder]:
            seat = bidders.pop(0)
            most = self.purse[seat].value
            if most <= self.bid:
                continue
            bids = [Choice(n, N_("bid {n}"), params={"n": n}) for n in range(self.bid + 1, most + 1)]
            bid = await t.ask(
                seat,
                one_of([Choice(0, N_("pass")), *bids]),
                N_("Do you bid?"),
                N_("{seat} thinks about a bid."),
                seat=seat,
            )
            if bid:
                self.bid, self.bidder = bid, seat
                bidders.append(seat)
                t.tell(N_("{seat} bids {n}."), seat=seat, n=bid)

    def ended(self, t: Table[BazaarOptions]) -> Outcome:
        """Money and wares count."""
        scores = tuple(self.worth(seat) + self.purse[seat].value for seat in t.ring)
        return Outcome(tuple(seat for seat in t.ring if scores[seat] == max(scores)), scores=scores)

    def worth(self, seat: Seat) -> int:
        """What the wares of a seat are worth."""
        return sum(WORTH[many] for many in self.stock[seat].values())

    def has(self, seat: Seat) -> list[Ware]:
        """The wares of which a seat has some."""
        return [ware for ware, many in self.stock[seat].items() if many]

    @interjection(N_("offer: {value}"))
    def offer(self, t: Table[BazaarOptions], seat: Seat, offer: Offer) -> None:
        """Put an offer on the table."""
        self.offers.append(offer)
        t.tell(
            N_("{seat} offers {to} {give} for {want}."),
            seat=seat,
            to=offer.to,
            give=offer.give,
            want=offer.want,
        )

    @offer.choices
    def may_offer(self, t: Table[BazaarOptions], seat: Seat) -> Question[Offer] | None:
        """Each ware of one's own for each other ware of somebody else."""
        if any(one.by == seat for one in self.offers):
            return None
        could = [
            Offer(seat, to, give, want)
            for to in t.ring
            if to != seat
            for give in self.has(seat)
            for want in self.has(to)
            if give is not want
        ]
        return self.listed(could)

    @interjection(N_("take: {value}"))
    def take(self, t: Table[BazaarOptions], seat: Seat, offer: Offer) -> None:
        """Take an offer that is on the table; the wares change hands at once."""
        if not (self.stock[offer.by][offer.give] and self.stock[seat][offer.want]):
            raise Refused(N_("One of the wares is not there any more."))
        for one, gives, gets in ((offer.by, offer.give, offer.want), (seat, offer.want, offer.give)):
            self.stock[one][gives] -= 1
            self.stock[one][gets] += 1
        self.offers.remove(offer)
        t.tell(N_("{seat} takes it: {give} for {want}."), seat=seat, give=offer.give, want=offer.want)

    @take.choices
    def may_take(self, t: Table[BazaarOptions], seat: Seat) -> Question[Offer] | None:
        """The offers made to this seat."""
        return self.listed([one for one in self.offers if one.to == seat])

    @interjection(N_("take back: {value}"))
    def withdraw(self, t: Table[BazaarOptions], seat: Seat, offer: Offer) -> None:
        """Take one's own offer off the table."""
        self.offers.remove(offer)
        t.tell(N_("{seat} takes the offer back."), seat=seat)

    @withdraw.choices
    def may_withdraw(self, t: Table[BazaarOptions], seat: Seat) -> Question[Offer] | None:
        """One's own offer."""
        return self.listed([one for one in self.offers if one.by == seat])

    def listed(self, offers: list[Offer]) -> Question[Offer] | None:
        """A question for one of these offers, in words."""
        if not offers:
            return None
        words = N_("{by} gives {to} {give} for {want}")
        return one_of([
            Choice(
                one, words, params={"by": one.by, "to": one.to, "give": one.give, "want": one.want}
            )
            for one in offers
        ])  # fmt: skip

    def zones(self, t: Table[BazaarOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The lot, the purses, and what everybody has of each ware."""
        yield pile_zone(self.lot, N_("Under the hammer"))
        yield counters_zone(self.purse, N_("Money"))
        for ware in Ware:
            rows = [(seat, self.stock[seat][ware]) for seat in t.ring]
            yield tokens_zone(f"stock.{ware.name.lower()}", ware.value, rows)


class Collector(Bot):
    """Bids what a ware adds to its stock, and takes each offer that makes it richer."""

    level = "collector"
    interjects = True

    def choose(self, view: View[Bazaar], ask: Ask[int], chance: Chance) -> int:
        """One more than the last bid, as long as the ware is worth more."""
        game = view.game
        has = game.stock[ask.seat][game.lot.top.face]
        gain = WORTH[min(has + 1, len(WORTH) - 1)] - WORTH[has] + chance.below(3)
        return next((bid for bid in view.legal(ask) if 0 < bid <= gain), 0)

    def interject(
        self, view: View[Bazaar], standing: Mapping[str, Question], chance: Chance
    ) -> Interject | None:
        """Take what makes it richer; now and then offer a single piece."""
        assert view.seat is not None
        stock = view.game.stock[view.seat]

        def gain(gives: Ware, gets: Ware) -> int:
            more, fewer = stock[gets], stock[gives]
            return WORTH[more + 1] - WORTH[more] - WORTH[fewer] + WORTH[fewer - 1]

        for name, question in standing.items():
            if name == "withdraw":
                continue
            for number in range(question.count()):
                one: Offer = question.nth(number)
                gives, gets = (one.want, one.give) if name == "take" else (one.give, one.want)
                if gain(gives, gets) > 0 and (name == "take" or chance.percent(2)):
                    return Interject(name, one)
        return None
