"""The rules of Sette e mezzo. Points are counted in halves, so that seven and a half is 15."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Choice,
    Counters,
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
    amount,
    fact,
    one_of,
    option,
)
from tavolata.decks import ITALIAN_40, ItalianFace, ItalianRank, ItalianSuit
from tavolata.zones import Show, counters_zone, flow, hand_zone, text_zone, tokens_zone

GOAL: Final = 15
MATTA: Final = ItalianFace(ItalianRank.KING, ItalianSuit.DENARI)
CHIPS: Final = 100
"""What each player begins with."""
CARD, STAY = "card", "stay"
ANOTHER = one_of([
    Choice(CARD, N_("Another card"), key="c", verb=N_("Another card")),
    Choice(STAY, N_("Stay"), key="s", verb=N_("Stay")),
])  # fmt: skip
DRAWS = N_("{seat} draws {card}.")
BUST = N_("{seat} goes bust with {points}.")
LOSES = NN_("{seat} pays {to} {n} chip.", "{seat} pays {to} {n} chips.")


def total(faces: Sequence[ItalianFace], matta: bool) -> int:
    """Return the best value of these cards in half points: figures are halves, and the matta is wild."""
    wild = matta and MATTA in faces
    others = [face for face in faces if not (wild and face == MATTA)]
    points = sum(1 if face.rank > ItalianRank.SEVEN else 2 * face.rank for face in others)
    if not wild:
        return points
    return max(
        (points + one for one in (1, 2, 4, 6, 8, 10, 12, 14) if points + one <= GOAL), default=points + 1
    )


@fact
def is_bust(hand: Sequence[ItalianFace], matta: bool) -> bool:
    return total(hand, matta) > GOAL


def written(halves: int) -> str:
    """Return half points as people write them."""
    whole = str(halves // 2) if halves > 1 else ""
    return whole + "½" * (halves % 2)


@dataclass(frozen=True, kw_only=True)
class SettemezzoOptions(Options):
    """What a table agrees on."""

    hands: int = option(10, "Number of hands in the match.", title=N_("hands"), low=1, high=30)
    most: int = option(10, "The highest stake.", title=N_("highest stake"), low=1, high=20)
    matta: bool = option(True, "The king of denari is worth whatever helps you most.", title=N_("matta"))
    double: bool = option(
        True, "Seven and a half with two cards wins double.", title=N_("double for two cards")
    )


class Settemezzo(Game[SettemezzoOptions]):
    """Come closer to seven and a half than the bank, and don't go over.

    Attributes:
        deck: the cards that nobody has; `used` has those of hands that are over.
        hands: the cards of each seat; the first is face down until the bank has played.
        chips: by seat.
        banker: who holds the bank.
        stakes: by seat, the stake of those who are still in.
        natural: the first seat still in that has made seven and a half with two cards in this hand, if any.
        played: how many hands have begun.
        made: by seat, how often it has made seven and a half.
    """

    name = "settemezzo"
    title = N_("Sette e mezzo")
    summary = N_("Stake chips against the bank and draw towards seven and a half, but don't go over.")
    card = Opening(
        goal=N_("Win chips from the bank by getting closer to 7½."),
        turn=N_("Stake chips on your first card, then draw cards or stay."),
        lose=N_("Go over 7½ and you're bust: you lose your stake. The bank wins ties."),
    )
    seats = (2, 8)
    best_with = 4
    minutes = 20
    options = SettemezzoOptions
    first_match: ClassVar[Mapping[str, Any]] = {"hands": 3}
    layout = Layout(decision=4)
    guide = "tavolata_classics.settemezzo.guide"

    deck: Pile[ItalianFace]
    used: Pile[ItalianFace]
    hands: list[Hand[ItalianFace]]
    chips: Counters
    banker: Seat
    stakes: dict[Seat, int]
    natural: Seat | None
    played: int
    made: list[int]

    def setup(self, t: Table[SettemezzoOptions]) -> None:
        self.deck, self.used = t.pile("deck", ITALIAN_40), t.pile("used")
        self.hands = t.hands("hand")
        self.chips = t.counters("chips", start=CHIPS)
        self.banker, self.stakes, self.natural = t.first_seat, {}, None
        self.played, self.made = 0, [0] * len(t.ring)

    async def turn(self, t: Table[SettemezzoOptions]) -> Outcome | None:
        """One hand: a card each, stakes, more cards, and the bank against all who are left."""
        await self.deal(t)
        for seat in t.ring.starting(t.ring.after(self.banker), self.stakes.__contains__):
            if not await self.draws(t, seat):
                self.pay(t, seat, self.banker, self.stakes.pop(seat))
        if self.stakes:
            await self.bank(t)
        for hand in self.hands:
            await t.reveal(hand)
            hand.move_to(self.used)
        self.pass_bank(t)
        left = t.ring.where(self.chips.holds)
        return self.outcome(t) if self.played == t.options.hands or len(left) == 1 else None

    async def deal(self, t: Table[SettemezzoOptions]) -> None:
        """One card each, face down; then everyone but the banker stakes chips on it."""
        self.played += 1
        self.natural = None
        t.tell(N_("Hand {n}: {seat} holds the bank."), n=self.played, seat=self.banker)
        await t.shuffle(self.deck, self.used)
        players = t.ring.starting(t.ring.after(self.banker), self.chips.holds)
        await t.deal(self.deck, [self.hands[seat] for seat in players])
        players.remove(self.banker)
        limits = {seat: min(t.options.most, self.chips[seat].value) for seat in players}
        self.stakes = await t.ask_all(
            {seat: amount(1, limit, default=min(limit, 2)) for seat, limit in limits.items()},
            N_("How many chips will you stake?"),
            N_("Everyone places a stake."),
            verb=N_("Stake {choice}"),
            about=[self.hands[seat] for seat in players],
        )

    async def draws(self, t: Table[SettemezzoOptions], seat: Seat) -> bool:
        """Let a seat draw cards until it stays; return False if it goes bust."""
        hand, you, others = self.hands[seat], N_("Another card, or stay?"), N_("{seat} thinks.")
        while await t.ask(seat, ANOTHER, you, others, otherwise=STAY, about=[hand], seat=seat) == CARD:
            card = await t.turn_up(self.deck, onto=hand)
            t.tell(DRAWS, seat=seat, card=card)
            if await t.declare(seat, is_bust, hand, t.options.matta, otherwise=True):
                await t.reveal(hand)
                points = self.points(t, seat)
                if points > GOAL:  # silence only opens the hand
                    t.tell(BUST, seat=seat, points=written(points))
                    return False
        t.tell(N_("{seat} stays."), seat=seat)
        return True

    async def bank(self, t: Table[SettemezzoOptions]) -> None:
        """The banker plays with open cards; then all others are compared, and a tie is the bank's."""
        banker = self.banker
        await t.reveal(self.hands[banker])
        t.tell(
            N_("{seat} shows {card} and plays the bank's hand."), seat=banker, card=self.hands[banker].bottom
        )
        safe = await self.draws(t, banker)
        best = self.points(t, banker) if safe else 0
        self.made[banker] += best == GOAL
        for seat in list(self.stakes):
            await t.reveal(self.hands[seat])
            points, stake = self.points(t, seat), self.stakes[seat]
            stamp = N_("seven and a half!") if points == GOAL > best else ""
            t.tell(N_("{seat} has {points}."), seat=seat, points=written(points), stamp=stamp)
            natural = points == GOAL and len(self.hands[seat]) == 2
            self.made[seat] += points == GOAL
            if points > best:
                self.pay(t, banker, seat, stake * (1 + (natural and t.options.double)))
            else:
                self.pay(t, seat, banker, stake)
            if (
                natural and self.natural is None and self.chips.holds(seat)
            ):  # a player who's out holds no bank
                self.natural = seat
        self.stakes = {}

    def points(self, t: Table[SettemezzoOptions], seat: Seat) -> int:
        """Return the half points of a hand that everybody sees."""
        return total([card.face for card in self.hands[seat]], t.options.matta)

    def pay(self, t: Table[SettemezzoOptions], payer: Seat, to: Seat, chips: int) -> None:
        """Pay as much as there is: a bank may run out of chips."""
        paid = self.chips[payer].pay_up_to(chips, self.chips[to])
        t.tell(LOSES, seat=payer, to=to, n=paid, marks=[flow("seat", "to")])

    def pass_bank(self, t: Table[SettemezzoOptions]) -> None:
        """Seven and a half with two cards takes the bank; a bank without chips goes to the next player."""
        taker = self.natural
        if taker is None and not self.chips.holds(self.banker):
            t.tell(N_("The bank is broke."), stamp=N_("broke"))
            taker = t.ring.next(self.banker, self.chips.holds)
        if taker is not None and self.played < t.options.hands:
            self.banker = taker
            t.tell(N_("{seat} takes the bank."), seat=taker)

    def outcome(self, t: Table[SettemezzoOptions]) -> Outcome:
        """The most chips win."""
        made = {N_("Seven and a half"): tuple(self.made)}
        return Outcome.by_score(t, self.chips.values(), statistics=made)

    def forfeit(self, t: Table[SettemezzoOptions], seats: tuple[Seat, ...]) -> Outcome:
        """Of the others, those with chips win, if there are any."""
        left = tuple(seat for seat in t.ring.where(self.chips.holds) if seat not in seats)
        return Outcome(left) if left else super().forfeit(t, seats)

    def unfinished(self, t: Table[SettemezzoOptions]) -> Outcome:
        """The chips so far."""
        return self.outcome(t)

    def zones(self, t: Table[SettemezzoOptions], viewer: Seat | None) -> Iterable[Zone]:
        fact = Show(role="fact")
        yield text_zone("bank", N_("Bank"), "{seat}", show=fact, seat=self.banker)
        yield text_zone(
            "played", N_("Hand"), N_("{n} of {last}"), show=fact, n=self.played, last=t.options.hands
        )
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("Cards"), order="kept")
        yield counters_zone(self.chips, N_("Chips"))
        if self.stakes:
            yield tokens_zone("stakes", N_("Stake"), self.stakes.items())
