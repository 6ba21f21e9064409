"""The rules of Mercante in fiera."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Branch,
    Card,
    Choice,
    Counter,
    Counters,
    Game,
    Layout,
    Opening,
    Outcome,
    Pile,
    Seat,
    Table,
    Zone,
    amount,
    form,
    one_of,
)
from tavolata.zones import Show, cards_zone, counter_zone, counters_zone, flow, pile_zone, text_zone
from tavolata_classics.mercante.options import MercanteOptions
from tavolata_classics.mercante.pictures import MERCHANT, PACK, Picture, shares

CHIPS: Final = 60
"""The chips that each player begins with."""
ENTRY: Final = 10
LOTS: Final = 4
"""The most lots that the merchant sells."""
FAIRS: Final = (12, 4)
"""The cards left to turn when players may sell to each other."""
NOTHING, SELL = "nothing", "sell"
LABELS: Final = {"card": N_("card"), "least": N_("at least")}
GONE = N_("The merchant turns up {card}: {seat} loses it.")
BUYS = NN_("{seat} buys {cards} for {n} chip.", "{seat} buys {cards} for {n} chips.")
WINS = NN_("{card} wins {n} chip for {seat}.", "{card} wins {n} chips for {seat}.")


@dataclass(frozen=True)
class Offer:
    """A card for sale, and the least that it may cost."""

    card: Card[Picture]
    least: int


class Mercante(Game[MercanteOptions]):
    """Own the cards that the merchant never turns up.

    Attributes:
        pack: the cards that no one owns; `stall` has those for sale.
        owned: by seat, its cards, which everybody sees.
        lost: the cards that have lost.
        merchant: the cards to be turned, `turned` those that were, `hidden` those with the prizes.
        chips: by seat; the prizes come out of the `pot`.
        won: by seat, the prizes it has won.
        traded: by seat, the cards it has bought.
    """

    name = "mercante"
    title = N_("Mercante in fiera")
    summary = N_("Buy cards at auction and sell them in time: the ones that are never turned up win the pot.")
    card = Opening(
        goal=N_("Win the most chips: pictures that are never turned up win the pot."),
        turn=N_("Bid for cards at auction, and sell yours in time."),
        lose=N_("When the merchant turns up your picture, your card is lost."),
    )
    seats = (3, 12)
    best_with = 6
    minutes = 40
    options = MercanteOptions
    first_match: ClassVar[Mapping[str, Any]] = {"fairs": False}
    guide = "tavolata_classics.mercante.guide"
    layout = Layout(decision=4)

    pack: Pile[Picture]
    stall: Pile[Picture]
    owned: list[Pile[Picture]]
    lost: Pile[Picture]
    merchant: Pile[Picture]
    turned: Pile[Picture]
    hidden: Pile[Picture]
    chips: Counters
    pot: Counter
    won: list[int]
    traded: list[int]

    def setup(self, t: Table[MercanteOptions]) -> None:
        self.pack, self.merchant = t.pile("pack", PACK), t.pile("merchant", MERCHANT)
        self.stall = t.pile("stall")
        self.owned = [t.pile(f"owned.{seat}") for seat in t.ring]
        self.lost, self.turned, self.hidden = t.pile("lost"), t.pile("turned"), t.pile("hidden")
        self.chips, self.pot = t.counters("chips", start=CHIPS), t.counter("pot")
        self.won, self.traded = [0] * len(t.ring), [0] * len(t.ring)

    async def turn(self, t: Table[MercanteOptions]) -> Outcome | None:
        """The cards are dealt and sold at first; then each turn is one card of the merchant's."""
        if t.turn == 0:
            await self.prepare(t)
            return None
        card = await t.turn_up(self.merchant, onto=self.turned, by=t.first_seat, verb=N_("Turn a card"))
        self.lose(t, card.face)
        if t.options.fairs and len(self.merchant) in FAIRS:
            await self.fair(t)
        return None if self.merchant else await self.award(t)

    async def prepare(self, t: Table[MercanteOptions]) -> None:
        """Everyone pays and gets cards; the merchant hides the prizes and sells what is left."""
        await t.shuffle(self.pack)
        await t.shuffle(self.merchant)
        for seat in t.ring:
            self.chips[seat].pay(ENTRY, self.pot)
        sold = LOTS if t.options.auctions else 0
        each = (len(self.pack) - sold) // len(t.ring)
        for seat in t.ring.starting(t.first_seat):
            for _ in range(each):
                await t.turn_up(self.pack, onto=self.owned[seat])
            t.tell(N_("{seat} gets {cards}."), seat=seat, cards=[*self.owned[seat]])
        for _ in range(t.options.prizes):
            self.hidden.put(self.merchant.take_top())
        lots = min(LOTS, len(self.pack)) if t.options.auctions else 0
        for lot in range(lots, 0, -1):
            size = -(-len(self.pack) // lot)
            for _ in range(size):
                await t.turn_up(self.pack, onto=self.stall)
            buyer = await self.sell(t, [*self.stall], None, 1)
            self.stall.move_to(self.lost if buyer is None else self.owned[buyer])
        self.pack.move_to(self.lost)

    async def sell(
        self, t: Table[MercanteOptions], cards: Sequence[Card[Picture]], seller: Seat | None, least: int
    ) -> Seat | None:
        """Everyone else bids in secret, and the highest bid buys; return its seat."""
        bidders = [
            seat
            for seat in t.ring.starting(t.first_seat)
            if seat != seller and self.chips[seat].value >= least
        ]
        bids = (
            await t.ask_all(
                {seat: amount(0, self.chips[seat].value) for seat in bidders},
                N_("For sale: {cards}, minimum bid {least}. What will you bid? (0 to pass)"),
                N_("For sale: {cards}. Everyone bids in secret."),
                verb=N_("Offer {choice}"),
                about=["chips"],
                cards=[*cards],
                least=least,
            )
            if bidders
            else {}
        )
        highest = max(bids.values(), default=0)
        if highest < least:
            t.tell(N_("No one buys {cards}."), cards=[*cards])
            return None
        buyer = next(seat for seat in bidders if bids[seat] == highest)
        self.chips[buyer].pay(highest, self.pot if seller is None else self.chips[seller])
        self.traded[buyer] += len(cards)
        marks = [] if seller is None else [flow(buyer, seller)]
        t.tell(BUYS, seat=buyer, cards=[*cards], n=highest, marks=marks)
        return buyer

    async def fair(self, t: Table[MercanteOptions]) -> None:
        """Everyone may offer one card; the offers are sold one after the other."""
        t.tell(N_("The fair is open."))
        sellers = [seat for seat in t.ring.starting(t.first_seat) if self.owned[seat]]
        nothing = Choice(NOTHING, N_("Sell nothing"), verb=N_("Sell nothing"))
        sell = Choice(SELL, N_("Sell a card"), verb=N_("Sell a card"))
        questions = {
            seat: Branch(
                [nothing, sell],
                [None, form(Offer, labels=LABELS, card=one_of(self.owned[seat]), least=amount(1, 2 * CHIPS))],
            )
            for seat in sellers
        }
        offers = (
            await t.ask_all(
                questions, N_("Do you want to sell a card?"), N_("Everyone's deciding what to sell.")
            )
            if sellers
            else {}
        )
        for seat, offer in offers.items():
            if offer[0] == SELL:
                t.tell(N_("{seat} offers {card}."), seat=seat, card=offer[1].card)
                buyer = await self.sell(t, [offer[1].card], seat, offer[1].least)
                if buyer is not None:
                    self.owned[seat].move_to(self.owned[buyer], [offer[1].card])

    def owner(self, t: Table[MercanteOptions], picture: Picture) -> tuple[Seat | None, Card[Picture] | None]:
        """Return who owns a picture, and its card; a card that no one bought has no owner."""
        for seat in t.ring:
            for card in self.owned[seat]:
                if card.face is picture:
                    return seat, card
        return None, None

    def lose(self, t: Table[MercanteOptions], picture: Picture) -> None:
        """The card with this picture has lost."""
        seat, card = self.owner(t, picture)
        if seat is None or card is None:
            t.tell(N_("The merchant turns up {card}, which no one has."), card=picture)
            return
        self.owned[seat].move_to(self.lost, [card])
        t.tell(GONE, seat=seat, card=picture)

    async def award(self, t: Table[MercanteOptions]) -> Outcome:
        """The hidden cards are turned up, the lowest prize first; the most chips win."""
        for value in reversed(shares(self.pot.value, t.options.prizes)):
            await t.pause(t.first_seat, N_("Turn a card"))
            card = await t.turn_up(self.hidden, onto=self.turned)
            seat, _ = self.owner(t, card.face)
            if seat is None:
                t.tell(N_("{card} wins, but no one has it."), card=card.face)
                continue
            self.pot.pay(value, self.chips[seat])
            self.won[seat] += 1
            t.tell(WINS, seat=seat, card=card.face, n=value, stamp=N_("a winner"))
        return self.unfinished(t)

    def unfinished(self, t: Table[MercanteOptions]) -> Outcome:
        """The most chips win."""
        statistics = {N_("Prizes"): tuple(self.won), N_("Cards bought"): tuple(self.traded)}
        return Outcome.by_score(t, self.chips.values(), statistics=statistics)

    def zones(self, t: Table[MercanteOptions], viewer: Seat | None) -> Iterable[Zone]:
        if self.stall or self.turned:  # one after the other, so they have the same place
            shown = [*self.stall] or [self.turned.top]
            title = N_("For sale") if self.stall else N_("Turned")
            yield cards_zone("last", title, shown, show=Show(role="hero"))
        if len(self.hidden) == t.options.prizes:  # later the pot holds less than they share
            values = shares(self.pot.value, t.options.prizes)
            yield text_zone("prizes", N_("Prizes"), "{numbers}", show=Show(role="fact"), numbers=values)
        yield pile_zone(self.merchant, N_("To turn"))
        for seat in t.ring:
            if viewer is None and self.owned[seat]:  # a television has more room on the board
                cards, aside = [card.face for card in self.owned[seat]], Show(role="aside")
                yield text_zone(f"cards.{seat}", "{seat}", "{cards}", show=aside, seat=seat, cards=cards)
            elif viewer is not None:
                yield cards_zone(self.owned[seat].name, N_("Cards"), self.owned[seat], seat=seat)
        yield counter_zone(self.pot, N_("Pot"), show=Show(role="aside"))
        yield counters_zone(self.chips, N_("Chips"))
