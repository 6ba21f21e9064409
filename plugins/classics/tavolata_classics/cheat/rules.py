"""The rules of Cheat, which Italians call Dubito."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tavolata import (
    N_,
    NN_,
    Card,
    Choice,
    Game,
    Hand,
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
    some_of,
    text,
)
from tavolata.decks import FRENCH_52, FrenchFace
from tavolata.zones import Show, hand_zone, pile_zone, text_zone, tokens_zone

MOST: Final = 4
HURRY: Final = 2500
"""The least time to doubt, in milliseconds."""
DOUBT: Final = one_of([Choice(True, N_("I doubt it!"), key="d", mood="bold")])
LAYS = NN_("{seat} lays {n} card: “{n} × {rank}”.", "{seat} lays {n} cards: “{n} × {rank}”.")
DOUBTS = N_("{seat} doubts it. {to} shows {cards}.")


class Rank(Enum):
    """The ranks as they're claimed, from the ace to the king."""

    ACE = N_("ace")
    TWO = N_("two")
    THREE = N_("three")
    FOUR = N_("four")
    FIVE = N_("five")
    SIX = N_("six")
    SEVEN = N_("seven")
    EIGHT = N_("eight")
    NINE = N_("nine")
    TEN = N_("ten")
    JACK = N_("jack")
    QUEEN = N_("queen")
    KING = N_("king")


RANKS: Final = tuple(Rank)


def number(rank: Rank) -> int:
    """Return the number of a rank, as faces have it."""
    return RANKS.index(rank) + 1


class Order(Enum):
    """The rank that has to be claimed."""

    RISING = N_("rising")
    SAME = N_("same")


@dataclass(frozen=True, kw_only=True)
class CheatOptions(Options):
    """What a table agrees on."""

    order: Order = option(
        Order.RISING,
        "Each player claims the next rank, or everyone claims the same one until someone doubts a claim.",
        title=N_("ranks"),
    )
    most: int = option(4, "The most cards you can lay at once.", title=N_("cards at once"), low=1, high=4)


class Cheat(Game[CheatOptions]):
    """Get rid of your cards, whatever they are, and catch the others doing it.

    Attributes:
        deck: the cards before they're dealt.
        hands: the cards of each seat.
        pile: the cards laid so far, face down; `laid` has the last ones.
        rank: the rank that was claimed last; None at the beginning and, with the same rank, after a doubt.
        mover: whose turn it is.
        lied: by seat, how often it was caught.
        wrong: by seat, how often it doubted the truth.
    """

    name = "cheat"
    title = N_("Cheat")
    summary = N_(
        "Lay cards face down and name their rank, truthfully or not. Doubt the others at the right moment."
    )
    card = Opening(
        goal=N_("Be the first to get rid of all your cards."),
        turn=N_("Lay cards face down and announce their rank, truthfully or not."),
        lose=N_("The pile goes to you if someone doubts your lie, or to them if they doubt the truth."),
    )
    seats = (3, 8)
    best_with = 4
    minutes = 20
    options = CheatOptions
    guide = "tavolata_classics.cheat.guide"
    layout = Layout("ring", decision=4)

    deck: Pile[FrenchFace]
    hands: list[Hand[FrenchFace]]
    pile: Pile[FrenchFace]
    laid: list[Card[FrenchFace]]
    rank: Rank | None
    mover: Seat
    lied: list[int]
    wrong: list[int]

    def setup(self, t: Table[CheatOptions]) -> None:
        self.deck = t.pile("deck", FRENCH_52)
        self.hands = t.hands("hand")
        self.pile, self.laid, self.rank = t.pile("pile"), [], None
        self.mover = t.first_seat
        self.lied, self.wrong = [0] * len(t.ring), [0] * len(t.ring)

    async def turn(self, t: Table[CheatOptions]) -> Outcome | None:
        """Some cards, face down, and a claim about them that anyone may doubt."""
        if t.turn == 0:
            await self.deal(t)
        seat = self.mover
        rank = await self.named(t, seat)
        self.laid = await t.ask(
            seat,
            some_of(self.hands[seat], 1, t.options.most),
            N_("Your claim: {rank}. Which cards will you lay?"),
            N_("{seat} chooses cards to lay. Claim: {rank}."),
            verb=N_("Lay them"),
            about=[self.hands[seat]],
            seat=seat,
            rank=rank,
        )
        self.hands[seat].move_to(self.pile, self.laid)
        self.rank, self.mover = rank, t.ring.after(seat)
        t.tell(LAYS, seat=seat, n=len(self.laid), rank=rank)
        first = await t.react(
            {other: DOUBT for other in t.ring.starting(self.mover) if other != seat},
            N_("Do you believe it?"),
            N_("Does anyone doubt it?"),
            go=self.mover,
            goes=N_("Believe it"),
            hurry=HURRY,
        )
        if first is not None:
            await self.doubted(t, seat, first.seat, rank)
        return None if self.hands[seat] else self.outcome(t, seat)

    async def deal(self, t: Table[CheatOptions]) -> None:
        """All cards are dealt; the first players may get one more."""
        await t.shuffle(self.deck)
        hands = [self.hands[seat] for seat in t.ring.starting(self.mover)]
        await t.deal(self.deck, hands, each=len(self.deck) // len(hands))
        await t.deal(self.deck, hands[: len(self.deck)])

    async def named(self, t: Table[CheatOptions], seat: Seat) -> Rank:
        """Return the rank that this seat has to claim: the next one, the same, or one of its choice."""
        if t.options.order is Order.RISING:
            return RANKS[0] if self.rank is None else RANKS[number(self.rank) % len(RANKS)]
        if self.rank is not None:
            return self.rank
        return await t.ask(
            seat,
            one_of(RANKS),
            N_("Which rank will you claim?"),
            N_("{seat} chooses a rank."),
            verb=N_("Claim {choice}"),
            seat=seat,
        )

    async def doubted(self, t: Table[CheatOptions], liar: Seat, doubter: Seat, rank: Rank) -> None:
        """The last cards are shown, and the player who is wrong takes the pile."""
        await t.reveal(self.laid)
        t.tell(DOUBTS, seat=doubter, to=liar, cards=[*self.laid])
        true = all(card.face.rank == number(rank) for card in self.laid)
        if true:
            self.wrong[doubter] += 1
            t.tell(N_("It was true: {seat} takes the pile."), seat=doubter, stamp=N_("true"))
        else:
            self.lied[liar] += 1
            t.tell(N_("It was a lie: {seat} takes the pile."), seat=liar, stamp=N_("a lie"))
        taker = doubter if true else liar
        self.laid = []
        self.pile.move_to(self.hands[taker])
        await t.mix(self.hands[taker])
        if t.options.order is Order.SAME:
            self.rank, self.mover = None, liar if true else doubter

    def outcome(self, t: Table[CheatOptions], winner: Seat) -> Outcome:
        """The first player without cards wins; the others rank by the cards they have left."""
        left = [len(hand) for hand in self.hands]
        return Outcome.by_score(
            t,
            left,
            lowest=True,
            why=text(N_("{seat} is out of cards."), seat=winner),
            statistics={N_("Lies caught"): tuple(self.lied), N_("False doubts"): tuple(self.wrong)},
        )

    def unfinished(self, t: Table[CheatOptions]) -> Outcome:
        """The fewest cards win."""
        return Outcome.by_score(t, [len(hand) for hand in self.hands], lowest=True)

    def zones(self, t: Table[CheatOptions], viewer: Seat | None) -> Iterable[Zone]:
        if self.rank is not None and self.laid:
            yield text_zone(
                "claim", N_("Claim"), "{n} × {rank}", show=Show(role="hero"), n=len(self.laid), rank=self.rank
            )
        yield pile_zone(self.pile, N_("Pile"))
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))
        left = [(seat, len(self.hands[seat])) for seat in t.ring]
        yield tokens_zone("left", N_("Cards"), left, show=Show(better="less"))
