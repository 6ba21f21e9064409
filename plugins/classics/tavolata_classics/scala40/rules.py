"""The rules of Scala 40."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Card,
    Choice,
    Claim,
    Game,
    Hand,
    Layout,
    Outcome,
    Pile,
    Seat,
    Table,
    Zone,
    claim,
    one_of,
)
from tavolata.decks import FRENCH_108, FrenchFace
from tavolata.zones import Show, cards_zone, hand_zone, pile_zone, text_zone, tokens_zone
from tavolata_classics.scala40.facts import LAY, may_act, may_add, may_lay, meld, opening
from tavolata_classics.scala40.melds import FEWEST, fitted, penalty
from tavolata_classics.scala40.options import Scala40Options

EACH: Final = 13
STOCK, DISCARD, NOTHING = "stock", "discard", "nothing"
LAYS = N_("{seat} lays {cards}.")
CLOSES = N_("{seat} closes.")
COUNTS = NN_("{seat} has {n} point left.", "{seat} has {n} points left.")


class Scala40(Game[Scala40Options]):
    """Lay all your cards in sets and runs before the others do.

    Attributes:
        stock: the cards to draw, and `discards` the pile beside it.
        hands: the cards of each seat.
        melds: the melds on the table, and room for more; those with cards come first.
        opened: by seat, whether it has laid its first melds in this deal.
        mover: whose turn it is; `dealer` has dealt.
        recycled: the discards have become the stock once in this deal.
        points: by seat; `out` has the seats that are out, the first one out first.
        closed: by seat, how often it has closed.
    """

    name = "scala40"
    title = N_("Scala 40")
    summary = N_("Lay sets and runs, starting with 40 points, and close before the others do.")
    version = "0.1"
    seats = (2, 6)
    best_with = 4
    options = Scala40Options
    first_match: ClassVar[Mapping[str, Any]] = {"points": 51}
    guide = "tavolata_classics.scala40.guide"
    layout = Layout(decision=5)

    stock: Pile[FrenchFace]
    discards: Pile[FrenchFace]
    hands: list[Hand[FrenchFace]]
    melds: list[Pile[FrenchFace]]
    opened: list[bool]
    mover: Seat
    dealer: Seat
    recycled: bool
    points: list[int]
    out: list[Seat]
    closed: list[int]

    def setup(self, t: Table[Scala40Options]) -> None:
        self.stock, self.discards = t.pile("stock", FRENCH_108), t.pile("discards")
        self.hands = t.hands("hand")
        self.melds = [t.pile(f"meld.{n}") for n in range(len(FRENCH_108) // FEWEST)]
        self.mover = self.dealer = t.first_seat
        self.opened, self.recycled = [False] * len(t.ring), False
        self.points, self.closed, self.out = [0] * len(t.ring), [0] * len(t.ring), []

    def is_in(self, seat: Seat) -> bool:
        return seat not in self.out

    async def turn(self, t: Table[Scala40Options]) -> Outcome | None:
        """Draw, lay what fits, and discard a card; without cards the deal is over."""
        if not any(self.hands):
            await self.deal(t)
        seat, hand = self.mover, self.hands[self.mover]
        if not await self.draw(t, seat):
            t.tell(N_("The stock is used up, and no one has closed."), stamp=N_("no cards left"))
            return await self.count(t, None)
        while isinstance(answer := await self.act(t, seat), str | int):
            await (self.lay(t, seat) if answer == LAY else self.add(t, seat, int(answer)))
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
        t.tell(N_("{seat} deals thirteen cards each."), seat=self.dealer)

    async def draw(self, t: Table[Scala40Options], seat: Seat) -> bool:
        """Take a card of the stock or the discards; return False if there is no card to draw."""
        if not self.stock:
            if self.recycled or len(self.discards) < 2:
                return False
            self.recycled = True
            self.discards.move_to(self.stock, self.discards.cards[:-1])
            await t.shuffle(self.stock)
            t.tell(N_("The discards are shuffled and become the stock."))
        source = STOCK
        if self.discards and (self.opened[seat] or t.options.take):
            top = self.discards.top
            choices = [
                Choice(STOCK, N_("From the stock"), key="s"),
                Choice(DISCARD, N_("Take {card}"), at=top, key="t", params={"card": top}),
            ]
            source = await t.ask(
                seat, one_of(choices), N_("Where do you draw from?"), N_("{seat} draws a card."), seat=seat
            )
        if source == DISCARD:
            t.tell(N_("{seat} takes {card}."), seat=seat, card=self.discards.top)
            self.hands[seat].put(self.discards.take_top())
        else:
            await t.deal(self.stock, [self.hands[seat]])
        return True

    async def act(self, t: Table[Scala40Options], seat: Seat) -> Card[FrenchFace] | str | int:
        """Return the card to discard, or the word or number of something to do before that."""
        hand, more = self.hands[seat], list[Choice[str | int]]()
        if len(hand) > FEWEST:
            more.append(
                Choice(LAY, N_("Lay a meld") if self.opened[seat] else N_("Open"), key="l", mood="bold")
            )
        if self.opened[seat] and len(hand) > 1:
            for number, on_table in enumerate(self.melds):
                if on_table:
                    params = {"cards": [*on_table]}
                    more.append(Choice(number, N_("Add to {cards}"), at=on_table.bottom, params=params))
        choices = [Choice(card, verb=N_("Discard {choice}")) for card in hand]
        least = 0 if self.opened[seat] else t.options.opening
        why = N_("Your melds aren't worth enough to open.") if least else N_("You don't have a meld.")
        must, question = claim(why, may_act, hand, least), one_of(choices, *more)
        you, others = N_("Which card do you discard?"), N_("{seat} thinks.")
        return await t.ask(seat, question, you, others, claim=must, about=[hand], seat=seat)

    async def lay(self, t: Table[Scala40Options], seat: Seat) -> None:
        """The opening lays all melds that the seat's machine finds; later it's one with a chosen card."""
        hand = self.hands[seat]
        cards = [*hand]
        if not self.opened[seat]:
            melds = await t.declare(seat, opening, cards, t.options.opening)
        else:
            must = claim(N_("There's no meld with that card."), may_lay, hand)
            card = await self.choose(t, seat, N_("Which card's meld do you lay?"), must)
            melds = () if isinstance(card, str) else (await t.declare(seat, meld, cards, cards.index(card)),)
        for places in melds:
            pile = next(pile for pile in self.melds if not pile)
            hand.move_to(pile, [cards[place] for place in places])
            await t.reveal(pile)
            t.tell(LAYS, seat=seat, cards=[*pile])
            self.opened[seat] = True

    async def choose(
        self, t: Table[Scala40Options], seat: Seat, you: str, must: Claim, **params: Any
    ) -> Card[FrenchFace] | str:
        """Return a card of the hand of which the claim is true, or nothing."""
        hand = self.hands[seat]
        cards = one_of(hand, Choice(NOTHING, N_("nothing")))
        others = N_("{seat} thinks.")
        return await t.ask(seat, cards, you, others, claim=must, about=[hand], seat=seat, **params)

    async def add(self, t: Table[Scala40Options], seat: Seat, number: int) -> None:
        """A card that fits a meld; if a joker stands for that card, the joker comes to the hand."""
        hand, on_table = self.hands[seat], self.melds[number]
        must = claim(N_("That card doesn't fit."), may_add, on_table)
        card = await self.choose(t, seat, N_("Which card do you add to {cards}?"), must, cards=[*on_table])
        if isinstance(card, str):
            return
        await t.reveal([card])
        before = [*on_table, card]
        order = fitted([one.face for one in on_table], card.face)
        if order is None:  # only an answer that is proven false later
            return
        hand.move_to(on_table, [card])
        t.tell(N_("{seat} adds {card}."), seat=seat, card=card)
        for one in [one for place, one in enumerate(before) if place not in order]:
            on_table.move_to(hand, [one])
            t.tell(N_("{seat} takes the joker."), seat=seat)
        for place in order:  # in the order of the meld
            on_table.move_to(on_table, [before[place]])

    async def count(self, t: Table[Scala40Options], closer: Seat | None) -> Outcome | None:
        """The others' cards count against them; whoever has too many points is out."""
        if closer is not None:
            self.closed[closer] += 1
            t.tell(CLOSES, seat=closer, stamp=N_("closed"))
        players = t.ring.where(self.is_in)
        for seat in players:
            await t.reveal(self.hands[seat])
            left = sum(penalty(card.face) for card in self.hands[seat])
            self.points[seat] += left
            if seat != closer:
                t.tell(COUNTS, seat=seat, n=left)
            self.hands[seat].move_to(self.discards)
        gone = [seat for seat in players if self.points[seat] >= t.options.points]
        if len(gone) == len(players):  # the one with the fewest points stays
            gone.remove(min(gone, key=lambda seat: self.points[seat]))
        for seat in gone:
            t.tell(N_("{seat} is out."), seat=seat, stamp=N_("out"))
        self.out += sorted(gone, key=lambda seat: -self.points[seat])
        if len(players) - len(gone) > 1:
            self.dealer = t.ring.next(self.dealer, self.is_in)
            return None
        return self.outcome(t)

    def outcome(self, t: Table[Scala40Options]) -> Outcome:
        """The last one in wins; the others rank by how long they lasted."""
        order = [*t.ring.where(self.is_in), *reversed(self.out)]
        ranks = tuple(order.index(seat) + 1 for seat in t.ring)
        statistics = {N_("Points"): tuple(self.points), N_("Deals closed"): tuple(self.closed)}
        return Outcome((order[0],), ranks=ranks, statistics=statistics)

    def unfinished(self, t: Table[Scala40Options]) -> Outcome:
        """The fewest points win."""
        return Outcome.by_score(t, self.points, lowest=True)

    def zones(self, t: Table[Scala40Options], viewer: Seat | None) -> Iterable[Zone]:
        for pile in self.melds:
            if pile:
                yield cards_zone(pile.name, "", pile)
        yield pile_zone(self.discards, N_("Discards"))
        yield pile_zone(self.stock, N_("Stock"))
        for seat in t.ring.where(self.is_in):
            yield hand_zone(self.hands[seat], N_("In hand"), order="suit")
        if opened := t.ring.where(self.opened.__getitem__):
            yield text_zone("opened", N_("Opened"), "{seats}", show=Show(role="fact"), seats=opened)
        points = [(seat, self.points[seat]) for seat in t.ring]
        yield tokens_zone("points", N_("Points"), points, show=Show(better="less", goal=t.options.points))
        yield tokens_zone("left", N_("Cards"), [(seat, len(self.hands[seat])) for seat in t.ring])
