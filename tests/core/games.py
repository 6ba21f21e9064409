"""Small games for the tests of pieces, engine and kit; together they use every word of the table.

Whole games only; the broken ones are in `testing/broken.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

from tavolata import (
    D6,
    N_,
    NN_,
    YES_NO,
    Ballots,
    Card,
    Choice,
    Counter,
    Counters,
    Cup,
    Deck,
    Game,
    Hand,
    Options,
    Outcome,
    Pile,
    Question,
    Refused,
    Seat,
    Secret,
    Table,
    Track,
    Zone,
    amount,
    claim,
    fact,
    form,
    interjection,
    one_of,
    option,
    some_of,
)
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.kinds.one_of import GO
from tavolata.ring import SEATS
from tavolata.zones import counters_zone, hand_zone, pile_zone, track_zone


@dataclass(frozen=True)
class Trick:
    """What is known of a trick that was played."""

    winner: Seat
    cards: tuple[Card[ItalianFace], ...]


@fact
def lays_suit(chosen: ItalianFace | None, _: Sequence[ItalianFace], suit: Enum) -> bool:
    """Whether a card of this suit is laid, or none."""
    return chosen is None or chosen.suit is suit


class Tricks(Game[Options]):
    """Hidden hands, secret bids that stay sealed to the end, cards laid face down with a claim."""

    name, title, seats = "tricks", N_("Tricks"), (2, 4)

    hands: list[Hand[ItalianFace]]
    bids: dict[Seat, Secret[int]]
    deck: Pile[ItalianFace]
    played: Pile[ItalianFace]
    tricks: list[Trick]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.played = t.pile("deck", ITALIAN_40), t.pile("played")
        self.hands = t.hands("hand")
        self.lead = t.first_seat
        self.bids, self.tricks = {}, []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if not self.bids:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands, each=4)
            self.bids = await t.seal_all(dict.fromkeys(t.ring, amount(0, 4)), N_("How many tricks?"))
            return None
        if not self.hands[self.lead]:
            return await self.count(t)
        led: Card[ItalianFace] = await t.ask(
            self.lead,
            one_of(self.hands[self.lead].cards),
            N_("Lead a card."),
            N_("{seat} leads."),
            seat=self.lead,
        )
        self.hands[self.lead].move_to(self.played, [led])
        await t.reveal([led])
        t.tell(N_("{seat} leads {card}."), seat=self.lead, card=led)
        laid = {self.lead: led}
        for seat in t.ring.starting(t.ring.after(self.lead))[:-1]:
            card = await t.ask(
                seat,
                one_of(self.hands[seat].cards, Choice(None, N_("nothing"))),
                N_("Follow suit, or lay nothing."),
                claim=claim(N_("Follow suit."), lays_suit, (), led.face.suit),
            )
            if card is not None:
                self.hands[seat].move_to(self.played, [card])
                laid[seat] = card
            else:
                unwanted = self.hands[seat].bottom
                self.hands[seat].move_to(self.deck, [unwanted])
                await t.show([unwanted], to=[self.lead])
                t.tell(N_("You see {card}."), only=[self.lead], card=unwanted)
        await t.reveal(laid.values())
        self.lead = max(laid, key=lambda seat: laid[seat].face.rank)
        self.tricks.append(Trick(self.lead, tuple(laid.values())))
        t.tell(NN_("{seat} wins {n} card.", "{seat} wins {n} cards."), seat=self.lead, n=len(laid))
        if len(self.tricks) % 2:
            await t.shuffle(self.deck)
        return None

    async def count(self, t: Table[Options]) -> Outcome:
        await t.reveal(self.bids.values())
        won = [sum(trick.winner == seat for trick in self.tricks) for seat in t.ring]
        scores = tuple(won[seat] - abs(won[seat] - self.bids[seat].value) for seat in t.ring)
        return Outcome(tuple(seat for seat in t.ring if scores[seat] == max(scores)), scores=scores)

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.deck, N_("Deck"))
        yield pile_zone(self.played, N_("Played"))
        for hand in self.hands:
            yield hand_zone(hand, N_("Hand"))


class Speed(Enum):
    """How far a throw goes."""

    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True)
class Plan:
    """Which dice are taken, and what is bet."""

    take: list[int]
    bet: int


@dataclass(frozen=True, kw_only=True)
class RaceOptions(Options):
    """House rules of the race."""

    speed: Speed = option(Speed.SLOW, N_("How far a throw goes."))
    turning: bool = option(False, N_("A double turns the direction."))
    goal: int = option(12, N_("The last square."), low=6, high=30)


class Race(Game[RaceOptions]):
    """Dice and decisions: every kind of question, time limits, a track, the ring reversed."""

    name, title, seats, options = "race", N_("Race"), (1, 6), RaceOptions

    track: Track
    stakes: Counters
    pot: Counter

    def setup(self, t: Table[RaceOptions]) -> None:
        self.track = t.track(
            "track", t.options.goal, [f"token {seat}" for seat in t.ring], {3: N_("a bridge")}
        )
        self.stakes, self.pot, self.bank = t.counters("stakes", 5), t.counter("pot"), t.bank("bank")
        for seat in t.ring:
            self.track.put(f"token {seat}", 0)
        self.seat = t.first_seat
        self.thrown: list[int] = []

    async def turn(self, t: Table[RaceOptions]) -> Outcome | None:
        dice = 1 + (t.options.speed is Speed.FAST)
        self.thrown = await t.roll(*[D6] * dice)
        t.tell(N_("{seat} throws {dice}."), seat=self.seat, dice=self.thrown)
        plan = await t.ask(
            self.seat,
            form(
                Plan,
                take=some_of(range(dice), 0, dice),
                bet=amount(0, min(4, self.stakes[self.seat].value), 2),
            ),
            N_("Which dice, and how much?"),
            seconds=10.0,
            otherwise=Plan([], 0),
        )
        self.stakes[self.seat].pay(plan.bet, self.pot)
        self.track.advance(f"token {self.seat}", sum(self.thrown[place] for place in plan.take) or 1)
        if t.options.turning and len(set(self.thrown)) < dice:
            t.ring.reverse()
        if self.track.leaders() and self.track.where(f"token {self.seat}") == t.options.goal:
            self.pot.pay_up_to(99, self.stakes[self.seat])
            return Outcome((self.seat,), scores=tuple(self.stakes.values()))
        votes = await t.ask_all(
            dict.fromkeys(t.ring, YES_NO), N_("A coin for all?"), seconds=5.0, otherwise=False
        )
        if all(votes.values()):
            for seat in t.ring:
                self.bank.pay(1, self.stakes[seat])
        self.seat = t.ring.next(self.seat)
        return None

    def zones(self, t: Table[RaceOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield track_zone(self.track, N_("Track"))
        yield counters_zone(self.stakes, N_("Stakes"))


class Shouts(Game[Options]):
    """Interjections at any time, words that matter, hands on the deck."""

    name, title, seats, listens = "shouts", N_("Shouts"), (2, 5), True

    deck: Pile[ItalianFace]
    open: Pile[ItalianFace]
    points: Counters
    heard_of: dict[Seat, int]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.open = t.pile("deck", ITALIAN_40), t.pile("open")
        self.points, self.store = t.counters("points"), t.counter("store", 500)
        self.seat = t.first_seat
        self.heard_of = dict.fromkeys(t.ring, 0)
        self.shouted: list[Seat] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if not self.open:
            await t.shuffle(self.deck)
        if len(self.open) > 12 or not self.store:
            return Outcome((max(t.ring, key=lambda seat: (self.points[seat].value, -seat)),))
        card = await t.turn_up(self.deck, onto=self.open, by=self.seat)
        self.shouted.clear()
        if card.face.rank > 7:
            take = await t.ask(self.seat, one_of([1, 2, 3]), N_("Take some."))
            self.store.pay_up_to(take, self.points[self.seat])
        self.seat = t.ring.next(self.seat)
        return None

    @interjection(N_("Shout"))
    def shout(self, t: Table[Options], seat: Seat, louder: int) -> None:
        if louder > 2 and not self.points[seat]:
            raise Refused(N_("You have no breath for that, {seat}."), seat=seat)
        self.shouted.append(seat)
        self.points[seat].pay_up_to(1, self.store)
        t.tell(N_("{seat} shouts."), seat=seat)

    @shout.choices
    def _how_loud(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        return None if seat in self.shouted or not self.open else amount(1, 3)

    def heard(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        for seat in to:
            if seat != speaker:
                self.heard_of[seat] += 1
                self.store.pay_up_to(1, self.points[seat])


class Nod(Game[Options]):
    """The smallest game there is: one nods, and that was it."""

    name, title, seats = "nod", N_("Nod"), (1, 2)

    def setup(self, t: Table[Options]) -> None:
        self.who = SEATS[0]

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.ask(self.who, GO, N_("Nod."))
        return Outcome((self.who,))


GAMES = (Tricks, Race, Shouts, Nod)


class Liars(Game[Options]):
    """Cups with hidden dice: bid how many sixes there are, or doubt it; who is wrong loses a die."""

    name, title, seats = "liars", N_("Liars"), (2, 6)

    cups: list[Cup[int]]
    box: Pile[int]

    def setup(self, t: Table[Options]) -> None:
        self.cups, self.box = t.cups("cup", D6, 2), t.pile("box")
        self.bidder = t.first_seat
        self.counted: list[int] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shake(*(self.cups[seat] for seat in t.ring.where(self.plays)))
        bidder, bid = self.bidder, -1
        while True:
            question = amount(max(bid, 0), 3)
            more = await t.ask(bidder, question, N_("How many sixes?"), N_("{seat} bids."), seat=bidder)
            if more == bid:
                break
            bidder, bid = t.ring.next(bidder, self.plays), more
        shown = await t.reveal([die for cup in self.cups for die in cup])
        sixes = sum(die.face == 6 for die in shown)
        loser = bidder if sixes >= bid else t.ring.previous(bidder, self.plays)
        self.box.put(self.cups[loser].take_top())
        t.tell(N_("{seat} loses a die."), seat=loser)
        self.counted.append(sixes)
        self.bidder = t.ring.next(loser, self.plays)
        return Outcome((self.bidder,)) if len(t.ring.where(self.plays)) == 1 else None

    def plays(self, seat: Seat) -> bool:
        """Whether a seat has dice left."""
        return bool(self.cups[seat])

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.box, N_("Box"))
        for cup in self.cups:
            yield hand_zone(cup, N_("Cup"))


class Deed(StrEnum):
    """What a member of a team does on a mission."""

    HELP = "help"
    FAIL = "fail"


class Missions(Game[Options]):
    """Secret votes: all but one go on a mission, and nobody learns who of them let it fail."""

    name, title, seats = "missions", N_("Missions"), (3, 6)

    deeds: Ballots[Deed]

    def setup(self, t: Table[Options]) -> None:
        self.deeds = t.ballots("deeds", tuple(Deed))
        self.stays = t.first_seat
        self.fails: list[int] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        team = t.ring.where(lambda seat: seat != self.stays)
        laid = await t.ballot(self.deeds, team, N_("What would you like to do?"), N_("The team is away."))
        self.fails.append(laid.count(Deed.FAIL))
        t.tell(N_("{n} of the team let it fail."), n=self.fails[-1])
        self.stays = t.ring.after(self.stays)
        return Outcome((self.stays,)) if len(self.fails) == 2 else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        for pack in self.deeds.packs:
            yield hand_zone(pack, N_("Deeds"))


@fact
def ranks(hand: Sequence[ItalianFace]) -> tuple[int, ...]:
    """The ranks of a hand, in its order."""
    return tuple(face.rank for face in hand)


@fact
def is_lowest(chosen: ItalianFace, hand: Sequence[ItalianFace]) -> bool:
    """Whether no card of the hand is lower than the chosen one."""
    return all(chosen.rank <= face.rank for face in hand)


FEW = Deck("few", ITALIAN_40.faces[:10])
"""So few cards that shuffling them together costs little."""


class Counting(Game[Options]):
    """All count in turn; a turn is an answer of each, and after the first seat was drawn nothing is dealt."""

    name, title, seats = "counting", N_("Counting"), (2, 4)

    def setup(self, t: Table[Options]) -> None:
        self.sum = 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        for seat in t.ring:
            many = await t.ask(seat, amount(1, 9), N_("How many?"), N_("{seat} counts."), seat=seat)
            self.sum += many
            t.tell(N_("{seat} says {n}."), seat=seat, n=many)
        return Outcome((SEATS[0],)) if self.sum > 100_000 else None


class Boasts(Game[Options]):
    """Each seat says the ranks of its hand and lays its lowest card face down; then all is shuffled anew."""

    name, title, seats = "boasts", N_("Boasts"), (2, 4)

    deck: Pile[ItalianFace]
    hands: list[Hand[ItalianFace]]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.hands = t.pile("deck", FEW), t.hands("hand")
        self.said: list[tuple[int, ...]] = []
        self.low: list[int] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        for hand in self.hands:
            hand.move_to(self.deck)
        await t.shuffle(self.deck)
        if t.turn == 2:
            return Outcome(tuple(seat for seat in t.ring if self.said[seat] == max(self.said)))
        await t.deal(self.deck, self.hands, each=2)
        of = {seat: self.hands[seat] for seat in t.ring}
        self.said = list((await t.declare_all(ranks, of, otherwise=(0, 0))).values())
        for seat in t.ring:
            lowest = claim(N_("That is not your lowest card."), is_lowest, self.hands[seat])
            card = await t.ask(seat, one_of(self.hands[seat]), N_("Your lowest card?"), claim=lowest)
            self.hands[seat].move_to(self.deck, [card])
        return None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.deck, N_("Deck"))
        for hand in self.hands:
            yield hand_zone(hand, N_("Hand"))


class Promises(Boasts):
    """Each seat seals the lowest card of its hand, and only the judgement at the end opens the seals."""

    name, title = "promises", N_("Promises")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=2)
        lowest = N_("That is not your lowest card.")
        self.sealed = await t.seal_all(
            {seat: one_of(self.hands[seat]) for seat in t.ring},
            N_("Your lowest card?"),
            claim={seat: claim(lowest, is_lowest, self.hands[seat]) for seat in t.ring},
        )
        return Outcome(tuple(t.ring)[-1:])


class Market(Game[Options]):
    """An open floor: whoever likes gives a coin to the next seat, until all are done."""

    name, title, seats = "market", N_("Market"), (2, 4)

    coins: Counters

    def setup(self, t: Table[Options]) -> None:
        self.coins = t.counters("coins", 2)
        self.is_open = False

    async def turn(self, t: Table[Options]) -> Outcome | None:
        self.is_open = True
        await t.open_floor(N_("Trade."), N_("Everyone trades."))
        self.is_open = False
        if t.turn == 0:
            return None
        await t.open_floor(N_("Look around."), until=t.first_seat)
        scores = tuple(counter.value for counter in self.coins)
        return Outcome(tuple(t.ring.where(lambda seat: scores[seat] == max(scores))), scores=scores)

    @interjection(N_("give a coin"))
    def give(self, t: Table[Options], seat: Seat, to: Seat) -> None:
        """Give a coin to the next seat."""
        self.coins[seat].pay(1, self.coins[to])
        t.tell(N_("{seat} gives a coin."), seat=seat)

    @give.choices
    def may_give(self, t: Table[Options], seat: Seat) -> Question[Seat] | None:
        """Who has more than nothing may give while the floor is open."""
        return one_of([t.ring.after(seat)]) if self.is_open and self.coins[seat].value else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield counters_zone(self.coins, N_("Coins"))
