"""The rules of Hearts, and a bot that ducks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tavolata import (
    N_,
    Ask,
    Card,
    Claim,
    Game,
    Hand,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    View,
    Zone,
    claim,
    fact,
    one_of,
    option,
    some_of,
)
from tavolata.bots import Bot, Chance
from tavolata.decks import FRENCH_52, FrenchFace, Rank, Suit
from tavolata.tricks import ace_high, follows, holds, winner
from tavolata.zones import Show, hand_zone, pile_zone, tokens_zone

TWO_OF_CLUBS = FrenchFace(2, Suit.CLUBS)
QUEEN_OF_SPADES = FrenchFace(Rank.QUEEN, Suit.SPADES)
ALL = 26
"""The points of one deal."""


@fact
def may_begin(card: FrenchFace, hand: Sequence[FrenchFace]) -> bool:
    """Whether a card may begin a deal: the two of clubs, if it is in the hand."""
    return card == TWO_OF_CLUBS or TWO_OF_CLUBS not in hand


@fact
def may_lead(card: FrenchFace, hand: Sequence[FrenchFace]) -> bool:
    """Whether a card may be led before hearts are broken: no heart, or there is nothing else."""
    return card.suit is not Suit.HEARTS or all(one.suit is Suit.HEARTS for one in hand)


def price(face: FrenchFace) -> int:
    """The points of a card."""
    return 13 if face == QUEEN_OF_SPADES else int(face.suit is Suit.HEARTS)


@dataclass(frozen=True, kw_only=True)
class HeartsOptions(Options):
    """House rules of Hearts."""

    points: int = option(50, "The match ends when someone has this many points.", low=1, high=100)


class Hearts(Game[HeartsOptions]):
    """Take no hearts and not the queen of spades, or take them all.

    Attributes:
        deck: the cards that nobody has.
        hands: the cards of each seat.
        trick: by seat, the card that lies on the table, in the order of playing.
        taken: the cards that were taken in this deal.
        lead: who leads the next trick.
        broken: whether a heart was played.
        pain: by seat, its points in this deal.
        points: by seat, its points of all deals.
    """

    name, title, seats = "hearts", N_("Hearts"), (4, 4)
    summary = N_("Avoid taking hearts and the queen of spades in your tricks.")
    options = HeartsOptions

    deck: Pile[FrenchFace]
    hands: list[Hand[FrenchFace]]
    trick: Pile[FrenchFace]
    taken: Pile[FrenchFace]
    lead: Seat
    broken: bool
    pain: list[int]
    points: list[int]

    def setup(self, t: Table[HeartsOptions]) -> None:
        """The pack, and no points."""
        self.deck = t.pile("deck", FRENCH_52)
        self.hands = t.hands("hand")
        self.trick = t.pile("trick")
        self.taken = t.pile("taken")
        self.lead = t.first_seat
        self.broken = False
        self.pain = [0] * len(t.ring)
        self.points = [0] * len(t.ring)

    async def turn(self, t: Table[HeartsOptions]) -> Outcome | None:
        """One trick; a deal begins when the hands are empty."""
        first = not self.hands[0]
        if first:
            await self.begin(t)
        played: dict[Seat, Card[FrenchFace]] = {}
        for seat in t.ring.starting(self.lead):
            hand = self.hands[seat]
            card = await t.ask(
                seat,
                one_of(hand.cards),
                N_("Which card will you play?"),
                N_("{seat} chooses a card."),
                claim=self.must(hand, played, first=first),
                seat=seat,
            )
            hand.move_to(self.trick, [card])
            await t.reveal([card])
            t.tell(N_("{seat} plays {card}."), seat=seat, card=card)
            played[seat] = card
            self.broken = self.broken or card.face.suit is Suit.HEARTS
        self.lead = winner(played, played[self.lead].face.suit)
        self.pain[self.lead] += sum(price(card.face) for card in self.trick)
        self.trick.move_to(self.taken)
        t.tell(N_("{seat} takes the trick."), seat=self.lead)
        return None if self.hands[0] else self.count(t)

    async def begin(self, t: Table[HeartsOptions]) -> None:
        """Deal, pass three cards to the left, and find who has the two of clubs."""
        await t.shuffle(self.deck, self.taken)
        await t.deal(self.deck, self.hands, each=13)
        self.broken = False
        passed = await t.ask_all(
            {seat: some_of(self.hands[seat].cards, 3, 3) for seat in t.ring},
            N_("Which three cards will you pass?"),
            N_("Everyone passes three cards."),
        )
        for seat, cards in passed.items():
            to = t.ring.next(seat)
            self.hands[seat].move_to(self.hands[to], cards)
            await t.show(cards, [to])
            t.tell(N_("{seat} passes you {cards}."), seat=seat, cards=cards, only=[to])
        has = await t.declare_all(holds, {seat: self.hands[seat] for seat in t.ring}, TWO_OF_CLUBS)
        self.lead = next(seat for seat in t.ring if has[seat])

    def must(
        self, hand: Hand[FrenchFace], played: dict[Seat, Card[FrenchFace]], *, first: bool
    ) -> Claim | None:
        """What must be true of a card from this hand now."""
        if played:
            return claim(N_("Follow suit."), follows, hand, played[self.lead].face.suit)
        if first:
            return claim(N_("The two of clubs leads."), may_begin, hand)
        return None if self.broken else claim(N_("Hearts haven't been broken yet."), may_lead, hand)

    def count(self, t: Table[HeartsOptions]) -> Outcome | None:
        """Write the deal down; who took all points gives them to the others."""
        if ALL in self.pain:
            t.tell(
                N_("{seat} has shot the moon: the others get the points."), seat=t.ring[self.pain.index(ALL)]
            )
            self.pain = [ALL - one for one in self.pain]
        self.points = [sum(both) for both in zip(self.points, self.pain, strict=True)]
        if max(self.points) < t.options.points:
            self.pain = [0] * len(t.ring)  # they're in `points` now, and a match that ends here adds both
            return None
        return Outcome.by_score(t, self.points, lowest=True)

    def unfinished(self, t: Table[HeartsOptions]) -> Outcome:
        """The points so far, those of this deal among them."""
        return Outcome.by_score(
            t, [sum(both) for both in zip(self.points, self.pain, strict=True)], lowest=True
        )

    def zones(self, t: Table[HeartsOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The trick, the hands and the points."""
        yield pile_zone(self.trick, N_("Trick"))
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))
        points = [(seat, self.points[seat]) for seat in t.ring]
        less = Show(better="less", goal=t.options.points)
        yield tokens_zone("points", N_("Points"), points, show=less)
        yield tokens_zone("deal", N_("This deal"), [(seat, self.pain[seat]) for seat in t.ring])


class Duck(Bot):
    """Plays the highest card that does not take the trick, and gets rid of what hurts."""

    level = "duck"

    def choose(self, view: View[Hearts], ask: Ask, chance: Chance) -> object:
        """A card, or three to pass on."""
        game = view.game

        def face(card: Card[FrenchFace]) -> FrenchFace:
            known = view.face(card)
            assert known is not None  # its own cards
            return known

        def bad(card: Card[FrenchFace]) -> tuple[int, int]:
            return price(face(card)), ace_high(face(card))

        if ask.claim is None and not game.taken and not game.broken:
            return sorted(game.hands[ask.seat], key=bad)[-3:]
        legal: list[Card[FrenchFace]] = list(view.legal(ask))
        if not game.trick:
            return min(legal, key=lambda card: ace_high(face(card)))
        led = game.trick.bottom.face.suit
        if all(face(card).suit is not led for card in legal):
            return max(legal, key=bad)
        top = max(ace_high(card.face) for card in game.trick if card.face.suit is led)
        under = [card for card in legal if ace_high(face(card)) < top]
        return max(under, key=lambda card: ace_high(face(card))) if under else min(legal, key=bad)
