"""The rules of Cucù."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    Choice,
    Counter,
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
    fact,
    one_of,
    option,
)
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.decks import ItalianRank as Rank
from tavolata.zones import Show, counters_zone, flow, hand_zone, pile_zone, text_zone

KEEP, SWAP = "keep", "swap"
ANSWERS: Final = one_of([
    Choice(KEEP, N_("Keep it"), key="k", verb=N_("Keep it")),
    Choice(SWAP, N_("Swap it"), key="s", verb=N_("Swap it")),
])  # fmt: skip
SWAPS = N_("{seat} swaps cards with {to}.")
CUCU = N_("Cucù! {to} has a king: {seat} can't swap.")
LOSES = N_("{seat} has the lowest card, {card}, and loses a life.")


@fact
def has(hand: Sequence[ItalianFace], rank: int) -> bool:
    return any(face.rank == rank for face in hand)


@dataclass(frozen=True, kw_only=True)
class CucuOptions(Options):
    """What a table agrees on."""

    lives: int = option(3, "Lives each player starts with.", title=N_("lives"), low=1, high=5)
    kings: bool = option(True, "A king stops the swap: cucù!", title=N_("kings stop"))
    horses: bool = option(False, "A horse sends the swap on to the next player.", title=N_("horses jump"))


class Cucu(Game[CucuOptions]):
    """Don't be left with the lowest card.

    Attributes:
        deck: the cards that nobody has; `used` has those of the hands before.
        hands: one card for each living seat.
        lives: by seat; a seat without lives is out. The lost ones are in the `grave`.
        dealer: who dealt and plays last.
        mover: whose turn it is; None before the cards are dealt.
        out: the seats that are out, the first one out first; those of one hand together.
        lost: by seat, the lives it has lost.
    """

    name = "cucu"
    title = N_("Cucù")
    summary = N_("One card each. Keep it or swap it with your neighbour's: the lowest loses a life.")
    card = Opening(
        goal=N_("Be the last player with a life left."),
        turn=N_("Look at your card, then keep it or swap it with your neighbour's."),
        lose=N_("The lowest card loses a life. A king stops the swap."),
    )
    seats = (3, 12)
    best_with = 6
    minutes = 20
    options = CucuOptions
    first_match: ClassVar[Mapping[str, Any]] = {"lives": 1}
    layout = Layout("ring", decision=3)
    guide = "tavolata_classics.cucu.guide"

    deck: Pile[ItalianFace]
    used: Pile[ItalianFace]
    hands: list[Hand[ItalianFace]]
    lives: Counters
    grave: Counter
    dealer: Seat
    mover: Seat | None
    out: list[tuple[Seat, ...]]
    lost: list[int]

    def setup(self, t: Table[CucuOptions]) -> None:
        self.deck, self.used = t.pile("deck", ITALIAN_40), t.pile("used")
        self.hands = t.hands("hand")
        self.lives, self.grave = t.counters("lives", start=t.options.lives), t.counter("grave")
        self.dealer, self.mover = t.first_seat, None
        self.out, self.lost = [], [0] * len(t.ring)

    async def turn(self, t: Table[CucuOptions]) -> Outcome | None:
        """One player's choice; after the dealer's the cards are shown."""
        if self.mover is None:
            await self.deal(t)
        seat = self.mover
        assert seat is not None  # deal has named one
        answer = await t.ask(
            seat,
            ANSWERS,
            N_("Will you keep your card?"),
            N_("{seat} looks at their card."),
            about=[self.hands[seat]],
            seat=seat,
        )
        if answer == KEEP:
            t.tell(N_("{seat} keeps their card."), seat=seat)
        elif seat == self.dealer:
            await self.draw(t, seat)
        else:
            await self.swap(t, seat)
        self.mover = t.ring.next(seat, self.lives.holds)
        return await self.show(t) if seat == self.dealer else None

    async def deal(self, t: Table[CucuOptions]) -> None:
        """One card each; the player after the dealer begins."""
        living = t.ring.starting(t.ring.next(self.dealer, self.lives.holds), self.lives.holds)
        await t.shuffle(self.deck, self.used)
        await t.deal(self.deck, [self.hands[seat] for seat in living])
        self.mover = living[0]
        t.tell(N_("{seat} deals everyone one card."), seat=self.dealer)

    async def swap(self, t: Table[CucuOptions], seat: Seat) -> None:
        """Swap with the next player, unless there is a king; a horse may send the swap on."""
        to = t.ring.next(seat, self.lives.holds)
        while to != seat:
            if t.options.kings and await t.declare(to, has, self.hands[to], Rank.KING, otherwise=False):
                await t.reveal(self.hands[to])
                t.tell(CUCU, seat=seat, to=to, stamp=N_("cucù!"))
                return
            if not t.options.horses:
                break
            if not await t.declare(to, has, self.hands[to], Rank.HORSE, otherwise=False):
                break
            await t.reveal(self.hands[to])
            t.tell(N_("{to} has a horse: the swap jumps to the next player."), to=to)
            to = t.ring.next(to, self.lives.holds)
        if to == seat:
            t.tell(N_("Everyone else has a horse: {seat} keeps their card."), seat=seat)
            return
        mine, other = self.hands[seat].take_top(), self.hands[to].take_top()
        self.hands[seat].put(other)
        self.hands[to].put(mine)
        await t.show([other], [seat])
        await t.show([mine], [to])
        t.tell(SWAPS, seat=seat, to=to, marks=[flow("seat", "to")])

    async def draw(self, t: Table[CucuOptions], seat: Seat) -> None:
        """The dealer swaps with the deck, unless the card that turns up is a king."""
        card = await t.turn_up(self.deck)
        if t.options.kings and card.face.rank == Rank.KING:
            self.used.put(card)
            t.tell(N_("{seat} turns up {card}: cucù! No swap."), seat=seat, card=card)
            return
        self.hands[seat].move_to(self.used)
        self.hands[seat].put(card)
        t.tell(N_("{seat} takes {card} from the deck."), seat=seat, card=card)

    async def show(self, t: Table[CucuOptions]) -> Outcome | None:
        """The lowest cards cost a life each, but not if that would leave no one."""
        living = t.ring.where(self.lives.holds)
        for seat in living:
            await t.reveal(self.hands[seat])
        ranks = {seat: self.hands[seat].top.face.rank for seat in living}
        losers = [seat for seat in living if ranks[seat] == min(ranks.values())]
        if all(seat in losers and self.lives[seat].value == 1 for seat in living):
            t.tell(N_("Everyone would be out, so the hand doesn't count."))
            losers = []
        gone = []
        for seat in losers:
            self.lives[seat].pay(1, self.grave)
            self.lost[seat] += 1
            t.tell(LOSES, seat=seat, card=self.hands[seat].top)
            if not self.lives.holds(seat):
                gone.append(seat)
                t.tell(N_("{seat} is out."), seat=seat, stamp=N_("out"))
        if gone:
            self.out.append(tuple(gone))
        for hand in self.hands:
            hand.move_to(self.used)
        self.mover, self.dealer = None, t.ring.next(self.dealer, self.lives.holds)
        return self.outcome(t) if self.lives.only_holder() is not None else None

    def outcome(self, t: Table[CucuOptions]) -> Outcome:
        """The last one with lives wins; the others rank by how long they lasted."""
        living = tuple(t.ring.where(self.lives.holds))
        places: dict[Seat, int] = {}
        for group in (living, *reversed(self.out)):
            places |= dict.fromkeys(group, len(places) + 1)
        ranks = tuple(places[seat] for seat in t.ring)
        return Outcome(living, ranks=ranks, statistics={N_("Lives lost"): tuple(self.lost)})

    def forfeit(self, t: Table[CucuOptions], seats: tuple[Seat, ...]) -> Outcome:
        """Of the others, those with lives win, if there are any."""
        left = tuple(seat for seat in t.ring.where(self.lives.holds) if seat not in seats)
        return Outcome(left) if left else super().forfeit(t, seats)

    def unfinished(self, t: Table[CucuOptions]) -> Outcome:
        """The most lives win."""
        return Outcome.by_score(t, self.lives.values())

    def zones(self, t: Table[CucuOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield text_zone("dealer", N_("Dealer"), "{seat}", show=Show(role="fact"), seat=self.dealer)
        yield pile_zone(self.deck, N_("Deck"))
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("Card"))
        yield counters_zone(self.lives, N_("Lives"), show=Show(draw="pips"))
