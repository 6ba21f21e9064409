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
    Seat,
    Table,
    View,
    Zone,
    form,
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
    """An offer: all that hangs on it is in it, so nobody takes another one than was seen.

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

    money: int = option(20, "Money everyone starts with.", low=5, high=50)
    lots: int = option(12, "How many wares are auctioned.", low=2, high=24)
    seconds: int = option(0, "Seconds without activity before trading ends.", low=10, high=300, off=True)


class Bazaar(Game[BazaarOptions]):
    """Bid for one ware after the other; trade what you have before each of them.

    Attributes:
        wares: the wares to come.
        lot: what is under the hammer now.
        purse: the money of each seat.
        bank: where the money goes.
        stock: by seat, how many it has of each ware.
        trading: whether the floor is open.
        offers: the offers on the table.
        bid: the highest bid for the lot.
        bidder: who made it.
    """

    name, title, seats, best_with = "bazaar", N_("Bazaar"), (3, 6), 4
    summary = N_(
        "Bid for wares and trade them between lots. The more of a kind you have, the more they're worth."
    )
    options = BazaarOptions

    wares: Pile[Ware]
    lot: Pile[Ware]
    purse: Counters
    bank: Counter
    stock: list[dict[Ware, int]]
    trading: bool
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
        self.trading, self.offers = False, []
        self.bid, self.bidder = 0, None

    async def turn(self, t: Table[BazaarOptions]) -> Outcome | None:
        """One lot comes under the hammer; then the floor is open for trade."""
        if t.turn == 0:
            await t.shuffle(self.wares)
        opener = t.ring.after(t.first_seat, t.turn)
        card = await t.turn_up(self.wares, onto=self.lot, by=opener)
        t.tell(N_("Under the hammer: {ware}."), ware=card.face)
        await self.auction(t, t.ring.starting(opener))
        if self.bidder is None:
            t.tell(N_("No one wants it."))
        else:
            self.purse.pay(self.bidder, self.bid, self.bank)
            self.stock[self.bidder][card.face] += 1
            t.tell(N_("{seat} gets {ware} for {n}."), seat=self.bidder, ware=card.face, n=self.bid)
        self.trading = True
        await t.open_floor(N_("Trade."), N_("Everyone trades."), seconds=t.options.seconds or None)
        self.trading, self.offers = False, []
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
                N_("Will you bid?"),
                N_("{seat} is thinking about a bid."),
                seat=seat,
            )
            if bid:
                self.bid, self.bidder = bid, seat
                bidders.append(seat)
                t.tell(N_("{seat} bids {n}."), seat=seat, n=bid)

    def ended(self, t: Table[BazaarOptions]) -> Outcome:
        """Money and wares count."""
        return Outcome.by_score(t, [self.worth(seat) + self.purse[seat].value for seat in t.ring])

    def worth(self, seat: Seat) -> int:
        """What the wares of a seat are worth."""
        return sum(WORTH[many] for many in self.stock[seat].values())

    def has(self, seat: Seat) -> list[Ware]:
        """The wares of which a seat has some."""
        return [ware for ware, many in self.stock[seat].items() if many]

    @interjection(N_("make an offer"))
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
        """One ware of one's own for any other, as long as one has no offer on the table."""
        mine = self.has(seat)
        if not self.trading or not mine or any(one.by == seat for one in self.offers):
            return None
        return form(
            Offer,
            labels={"to": N_("To which player?"), "give": N_("You give"), "want": N_("You want")},
            different=N_("You can't swap wares of the same kind."),
            by=one_of([seat]),
            to=one_of([to for to in t.ring if to != seat]),
            give=one_of(mine),
            want=one_of(Ware),
        )

    @interjection(N_("accept: {value}"))
    def take(self, t: Table[BazaarOptions], seat: Seat, offer: Offer) -> None:
        """Take an offer that is on the table; the wares change hands at once."""
        for one, gives, gets in ((offer.by, offer.give, offer.want), (seat, offer.want, offer.give)):
            self.stock[one][gives] -= 1
            self.stock[one][gets] += 1
        self.offers.remove(offer)
        t.tell(N_("{seat} accepts: {give} for {want}."), seat=seat, give=offer.give, want=offer.want)

    @take.choices
    def may_take(self, t: Table[BazaarOptions], seat: Seat) -> Question[Offer] | None:
        """The offers made to this seat, of wares that are there."""
        stock = self.stock
        could = [one for one in self.offers if one.to == seat and stock[one.by][one.give]]
        return self.listed([one for one in could if stock[seat][one.want]])

    @interjection(N_("withdraw: {value}"))
    def withdraw(self, t: Table[BazaarOptions], seat: Seat, offer: Offer) -> None:
        """Take one's own offer off the table."""
        self.offers.remove(offer)
        t.tell(N_("{seat} withdraws the offer."), seat=seat)

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
        stocks = view.game.stock
        stock = stocks[view.seat]

        def gain(gives: Ware, gets: Ware) -> int:
            more, fewer = stock[gets], stock[gives]
            return WORTH[more + 1] - WORTH[more] - WORTH[fewer] + WORTH[fewer - 1]

        for one in listed(standing.get("take")):
            if gain(one.want, one.give) > 0:
                return Interject("take", one)
        for one in listed(standing.get("offer")):
            if stocks[one.to][one.want] and gain(one.give, one.want) > 0 and chance.percent(20):
                return Interject("offer", one)
        return None


def listed(question: Question[Offer] | None) -> list[Offer]:
    """The offers that can be chosen."""
    return [] if question is None else [question.nth(number) for number in range(question.count())]
