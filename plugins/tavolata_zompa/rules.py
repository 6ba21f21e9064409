"""The rules of Zompa Cavallo, in the order of the rulebook. Numbers in brackets are rulings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, ClassVar

from tavolata import (
    N_,
    NN_,
    Choice,
    Counter,
    Counters,
    Game,
    Layout,
    Opening,
    Outcome,
    Pile,
    Question,
    Seat,
    Table,
    Zone,
    interjection,
    one_of,
)
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.decks import ItalianRank as Rank
from tavolata.zones import Show, calls, counter_zone, counters_zone, flow, pile_zone, text_zone
from tavolata_zompa.options import EmptyPot, Neighbour, Talk, ZompaOptions

# Every card is compared with these, and a name of this module is found sooner than one of another.
ACE, TWO, FIVE, SEVEN, FANTE, HORSE = Rank.ACE, Rank.TWO, Rank.FIVE, Rank.SEVEN, Rank.FANTE, Rank.HORSE
OFF = Neighbour.OFF

SECONDS_TO_BET = 20

# What is said most. It is marked once here, because a mark is a call.
CALLS = N_("{seat}: {card}.")
TAKES_BACK = N_("The fante takes a fiche from {seat} back to {to}.")
JUMPS = N_("Zompa, cavallo! A fiche jumps from {seat} to {to}.")
TAKES = N_("{seat} takes a fiche from the centre.")
USED_UP = NN_("The pack has run out. There's {n} fiche in the centre.",
              "The pack has run out. There are {n} fiches in the centre.")  # fmt: skip
SELF = N_("{seat} pays a fiche to {seat}. Nothing moves.")
RISEN = N_("{seat} is back from the dead!")
WAITED = N_("{to} was still owed this fiche for a king: thank you, {seat}.")
PAYS_IN = NN_("{seat} puts a fiche in the centre.", "{seat} puts {n} fiches in the centre.")
DIES = N_("{seat} is out of fiches, and dead. Rest in peace, for a while.")
WINS = N_("{to} is dead too, and {seat} is the last one alive. Zompa!")
LURES = (
    N_("“Psst, {to}! Have you got the time?” That was {seat}, who has plenty of it."),
    N_("“{to}, is that your horse outside?” asks {seat} from beyond the grave."),
    N_("“{to}! You're sitting in my chair,” says a voice. It's {seat}."),
    N_("“{to}, quick: what is seven times eight?” whispers {seat}."),
    N_("“Did you leave the gas on, {to}?” asks {seat}, who has no such worries any more."),
    N_("“{to}, your aunt is here too, and says hello.” {seat} waits for an answer."),
    N_("“Many happy returns, {to}!” says {seat}. It's nobody's birthday."),
    N_("“{to}, would you pass me the nuts?” The cold hand is {seat}'s."),
    N_("“I know the next card, {to}. Ask me,” says {seat}."),
    N_("“Boo, {to}!” It's only {seat}."),
    N_("“{to}, there's a fiche on your nose,” says {seat}, who'd know what to do with it."),
    N_("“It's so quiet here, {to}. Say something nice,” sighs {seat}."),
)
"""What a dead player is heard to say to a living one, where talk is by choice."""
SLIPS = (
    N_("“Who said that?” {seat} has talked to the dead: a fiche for {to}."),
    N_("“Not now,” says {seat}, to a dead player. A fiche for {to}."),
    N_("{seat} answered without thinking. {to} holds out a hand: one fiche, please."),
    N_("{seat} has talked to the dead! That costs a fiche, and {to} takes it."),
)
"""What is told of a living player who has answered."""


CALLED = (calls("seat"),)
GIVEN = (flow("seat", "to"),)
JUMPED = (flow("seat", "to", over=1),)
"""What a screen points out: who is called, and from whom to whom a fiche goes."""

MOST_ROWS = 200
"""The most rows of a series."""


class Bet(Enum):
    """What the next card can be called in a bet."""

    ACE = N_("ace")
    FANTE = N_("fante")
    HORSE = N_("horse")
    KING = N_("king")
    OTHER = N_("any other card")
    NONE = N_("no bet")


BET = one_of([
    Choice(Bet.NONE, Bet.NONE.value, verb=N_("Bet nothing")),  # what Enter does unless somebody wants more
    *(Choice(bet, bet.value, verb=N_("Bet on {choice}")) for bet in Bet if bet is not Bet.NONE),
])  # fmt: skip
_BETS = {Rank.ACE: Bet.ACE, Rank.FANTE: Bet.FANTE, Rank.HORSE: Bet.HORSE, Rank.KING: Bet.KING}


def bet_on(rank: int) -> Bet:
    return _BETS.get(rank, Bet.OTHER)


class Zompa(Game[ZompaOptions]):
    """Zompa Cavallo: be the last one with a fiche.

    Attributes:
        deck: the cards that are still to be turned in this round.
        fiches: how many each seat has; a seat with none is dead (12).
        owed: seats to which the next fiches for the centre go, the oldest debt first (9).
        dealer: the seat that deals, and so may talk freely (15).
        called: the seat whose name the dealer called last.
        round: the number of the round, 0 before the first.
        bets: the bets on the next card, in calling order (18).
        addressed: since the last card, whom each dead player has spoken to (14).
        deaths: by seat, how often it has died.
        course: by round, the fiches of each seat at its beginning.
        exchanges: since the last card, between whom a fiche was paid for words: (payer, receiver).
    """

    name = "zompa"
    title = N_("Zompa Cavallo!")
    summary = N_("Fiches fly around the table; be the last player with any left. The dead come back.")
    card = Opening(
        goal=N_("Be the last player with a fiche."),
        turn=N_("The dealer turns a card and calls a name. Aces, fanti, horses and kings move fiches."),
        lose=N_("Without a fiche you're dead, until one comes your way."),
    )
    seats = (2, 20)
    best_with = 6
    minutes = 10
    options = ZompaOptions
    first_match: ClassVar[Mapping[str, Any]] = {"fiches": 2}
    layout = Layout("ring", decision=3, clockwise=False)  # to the right (1)
    guide = "tavolata_zompa.guide"
    local: ClassVar[Mapping[str, Any]] = {"talk": "offer"}
    listens = True

    deck: Pile[ItalianFace]
    discard: Pile[ItalianFace]
    fiches: Counters
    centre: Counter
    owed: list[Seat]
    dealer: Seat
    called: Seat
    round: int
    bets: dict[Seat, Bet]
    addressed: dict[Seat, Seat]
    exchanges: list[tuple[Seat, Seat]]
    deaths: list[int]
    course: list[tuple[int, ...]]

    def setup(self, t: Table[ZompaOptions]) -> None:
        """Fiches for all, the pack beside the first dealer, drawn by lot (1); he plays too (2)."""
        self.deck = t.pile("deck")
        self.discard = t.pile("discard", ITALIAN_40)
        self.centre = t.counter("centre")
        self.fiches = t.counters("fiches", start=t.options.fiches)
        self.dealer = self.called = t.first_seat
        self.round = 0
        self.deaths, self.course = [0] * len(t.ring), []
        self.owed, self.bets, self.addressed, self.exchanges = [], {}, {}, []

    async def turn(self, t: Table[ZompaOptions]) -> Outcome | None:
        """The dealer turns a card and calls the next living player's name (3); the card says the rest."""
        if not self.deck.cards:
            await self.new_round(t)
        card = await t.turn_up(self.deck, onto=self.discard, by=self.dealer)
        if self.addressed or self.exchanges:  # what was said before this card is forgotten (14)
            self.addressed.clear()
            self.exchanges.clear()
        if self.bets:
            t.tell(N_("The bets are on this card: {card}."), card=card)
            if outcome := self.settle_bets(t, card.face.rank):
                return outcome
        called = self.called = t.ring.next(self.called, self.fiches.holds)
        t.tell(CALLS, card=card, seat=called, marks=CALLED)
        rank = card.face.rank
        if rank == ACE:
            return self.ace(t, called)
        if rank > SEVEN:  # a figure: fante (6), horse (7) or king (9)
            if rank == FANTE:
                return self.fante(t, called)
            return self.horse(t, called) if rank == HORSE else self.king(t, called)
        if rank == SEVEN and t.options.sevens is not OFF:
            return self.seven(t, called)
        if rank == TWO and t.options.twos is not OFF:
            return self.two(t, called)
        if rank == FIVE and t.options.fives:
            await self.five(t, called)
        return None  # any other card does nothing (10)

    async def new_round(self, t: Table[ZompaOptions]) -> None:
        """With the last card the round is over, and only then (11).

        The next seat deals, alive or dead; all 40 cards are shuffled again; the centre stays as it is.
        """
        if self.round:
            t.tell(USED_UP, n=self.centre.value)
            self.dealer = t.ring.next(self.dealer)
        t.tell(N_("Round {number}: {seat} shuffles and deals."), number=self.round + 1, seat=self.dealer)
        self.round += 1
        self.course.append(tuple(self.fiches.values()))
        self.called = self.dealer  # so the first call goes to the first living player after him (3)
        await t.shuffle(self.deck, self.discard)

    def ace(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """Two fiches into the centre; what the called player hasn't got, the next living one pays (4)."""
        if self.fiches.holds(called) > 1 and not self.owed:
            return self.pay_in(t, called, 2)
        if outcome := self.pay_in(t, called):
            return outcome
        second = called if self.fiches.holds(called) else t.ring.next(called, where=self.fiches.holds)
        return self.pay_in(t, second)

    def fante(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """One fiche to the seat just before, living or dead (6)."""
        return self.give(t, called, t.ring.after(called, -1), TAKES_BACK)

    def horse(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """One fiche jumps over a seat to the second one after, living or dead (7)."""
        return self.give(t, called, t.ring.after(called, 2), JUMPS)

    def king(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """One fiche from the centre (9); if it is empty, what the table has agreed on."""
        if self.centre.value:
            self.centre.pay(1, self.fiches[called])
            t.tell(TAKES, seat=called)
        elif t.options.empty_pot is EmptyPot.NEXT:
            self.owed.append(called)
            t.tell(N_("The centre is empty: the next fiche paid in goes to {seat}."), seat=called)
        elif t.options.empty_pot is EmptyPot.DEALER and self.fiches.holds(self.dealer):
            return self.give(
                t, self.dealer, called, N_("The centre is empty, so the dealer, {seat}, pays {to}.")
            )
        else:
            t.tell(N_("The centre is empty. Long live King {seat}, all the same."), seat=called)
        return None

    # -- fiches ------------------------------------------------------------------------------------

    def give(self, t: Table[ZompaOptions], payer: Seat, to: Seat, why: str) -> Outcome | None:
        """One fiche from player to player, told by the message `why` (fields `seat` and `to`).

        A dead receiver is alive at once (8). Who would have to pay himself keeps his fiche (7).
        """
        if payer is to:
            t.tell(SELF, seat=payer)
            return None
        holds = self.fiches.holds
        self.fiches.move(payer, to)
        t.tell(why, seat=payer, to=to, marks=JUMPED if why is JUMPS else GIVEN)
        if holds(to) == 1:  # so he had none
            t.tell(RISEN, seat=to, stamp=N_("back"))
        return None if holds(payer) else self.death(t, payer)

    def pay_in(self, t: Table[ZompaOptions], payer: Seat, n: int = 1) -> Outcome | None:
        """Fiches into the centre; the first goes to a king that is waiting for it (9)."""
        if self.owed:
            return self.give(t, payer, self.owed.pop(0), WAITED)
        self.fiches.pay(payer, n, self.centre)
        t.tell(PAYS_IN, seat=payer, n=n)
        return None if self.fiches.holds(payer) else self.death(t, payer)

    def death(self, t: Table[ZompaOptions], payer: Seat) -> Outcome | None:
        """Without fiches a player is dead at once (12); the last one alive has won (13).

        Only a death makes the living fewer: so to look here is to look after each fiche (5).
        """
        self.deaths[payer] += 1
        winner = self.fiches.only_holder()
        if winner is None:
            t.tell(DIES, seat=payer, stamp=N_("dead"))
            return None
        t.tell(WINS, seat=winner, to=payer, stamp=N_("Zompa!"))
        course = (*self.course[1 - MOST_ROWS :], tuple(self.fiches.values()))
        return Outcome(
            (winner,), statistics={N_("Deaths"): tuple(self.deaths)}, series={N_("Fiches"): course}
        )

    # -- talking with the dead ---------------------------------------------------------------------

    @interjection(N_("Speak to {value}"))
    def speak(self, t: Table[ZompaOptions], seat: Seat, to: Seat) -> None:
        """A dead player, the dealer too, addresses one living player, once per card (14, 15)."""
        self.addressed[seat] = to
        t.tell(self._one_of(LURES), seat=seat, to=to)

    @speak.choices
    def _to_whom(self, t: Table[ZompaOptions], seat: Seat) -> Question[Seat] | None:
        if t.options.talk is not Talk.OFFER or not self._may_address(seat):
            return None
        living = [one for one in t.ring.where(self.fiches.holds) if one != self.dealer]
        return one_of(living) if living else None

    @interjection(N_("Answer {value}, who is dead: that costs a fiche"))
    def answer(self, t: Table[ZompaOptions], seat: Seat, dead: Seat) -> None:
        """A player that a dead player addresses may answer, and so pays, or keep silent (14)."""
        self._exchange(t, seat, dead)

    @answer.choices
    def _whom(self, t: Table[ZompaOptions], seat: Seat) -> Question[Seat] | None:
        if t.options.talk is not Talk.OFFER:
            return None
        callers = self.callers_of(seat)
        return one_of(callers) if callers else None

    def heard(self, t: Table[ZompaOptions], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        """Words of one player to another, with free chat (17): the living pay, first or not (14)."""
        if t.options.talk is not Talk.CHAT or len(to) != 1:
            return
        if self._costs(speaker, to[0]):
            self._exchange(t, speaker, to[0])
        elif self._may_address(speaker) and to[0] != self.dealer and self.fiches.holds(to[0]):
            self.addressed[speaker] = to[0]

    def callers_of(self, seat: Seat) -> list[Seat]:
        """Return the dead who have addressed this player, if an answer would cost a fiche."""
        return [dead for dead, to in self.addressed.items() if to == seat and self._costs(seat, dead)]

    def _may_address(self, seat: Seat) -> bool:
        return not self.fiches.holds(seat) and seat not in self.addressed

    def _costs(self, speaker: Seat, to: Seat) -> bool:
        """Return True if these words cost a fiche: living to dead (16), not the dealer's (15), once (14)."""
        return (
            speaker != self.dealer
            and bool(self.fiches.holds(speaker))
            and not self.fiches.holds(to)
            and (speaker, to) not in self.exchanges
            and (to, speaker) not in self.exchanges
        )

    def _exchange(self, t: Table[ZompaOptions], speaker: Seat, dead: Seat) -> None:
        """One fiche per exchange, be it the last one (14, 16)."""
        self.exchanges.append((speaker, dead))
        self.give(t, speaker, dead, self._one_of(SLIPS))

    def _one_of(self, sentences: tuple[str, ...]) -> str:
        """Return a sentence that is different after the next card: chance is for the cards."""
        return sentences[(self.round + len(self.deck) + len(self.exchanges)) % len(sentences)]

    # -- the optional cards ------------------------------------------------------------------------

    def seven(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """Each living player gives one fiche to the next living one, the called player first (18).

        All but the first have received before they give, so they end with what they had. Only a called
        player with a single fiche dies of it: the last fiche goes past him, to the first who received.
        """
        if self.fiches.holds(called) > 1:
            return None
        why = N_("The seven goes round, and {seat}'s only fiche ends up with {to}.")
        return self.give(t, called, self._neighbour(t, called, t.options.sevens), why)

    def two(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """Each dead player takes one fiche from the next living one, in calling order (18).

        "Living" is meant at that moment: who has just risen can be robbed by the next dead player.
        """
        why = N_("{to} reaches out from the grave and takes a fiche from {seat}.")
        for dead in [seat for seat in t.ring.starting(called) if not self.fiches.holds(seat)]:
            if outcome := self.give(t, self._neighbour(t, dead, t.options.twos), dead, why):
                return outcome
        return None

    def _neighbour(self, t: Table[ZompaOptions], seat: Seat, side: Neighbour) -> Seat:
        find = t.ring.next if side is Neighbour.FOLLOWING else t.ring.previous
        return find(seat, where=self.fiches.holds)

    async def five(self, t: Table[ZompaOptions], called: Seat) -> None:
        """Each living player may bet one fiche, in secret, on what the next card will be.

        All bets are opened together before that card is turned. Nobody puts the fiche down yet.
        """
        living = t.ring.starting(called, where=self.fiches.holds)
        placed = await t.ask_all(
            dict.fromkeys(living, BET),
            N_("Bet a fiche on the next card? Whoever is wrong pays whoever is right."),
            N_("Betting is open."),
            seconds=SECONDS_TO_BET, otherwise=Bet.NONE,
        )  # fmt: skip
        self.bets = {seat: bet for seat, bet in placed.items() if bet is not Bet.NONE}
        for seat, bet in self.bets.items():
            t.tell(N_("{seat} bets a fiche on “{bet}”."), seat=seat, bet=bet)

    def settle_bets(self, t: Table[ZompaOptions], rank: int) -> Outcome | None:
        """The card is here: each one who was wrong pays a fiche, before the card does anything.

        The fiches go to those who were right, one each in turn; if nobody was, to the centre. A
        loser who has nothing any more (he may have talked) pays nothing.
        """
        bets, self.bets = self.bets, {}
        right = [seat for seat, bet in bets.items() if bet is bet_on(rank)]
        wrong = [seat for seat in bets if seat not in right and self.fiches.holds(seat)]
        why = N_("{to} guessed right and {seat} didn't: a fiche for {to}.")
        for number, loser in enumerate(wrong):
            outcome = self.give(t, loser, right[number % len(right)], why) if right else self.pay_in(t, loser)
            if outcome:
                return outcome
        return None

    # -- looking -----------------------------------------------------------------------------------

    def zones(self, t: Table[ZompaOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.deck, N_("Pack"), show=Show(role="aside"))
        turned = tuple(self.discard.cards[-1:]) if self.round else ()  # the new pack lies open for nobody
        yield Zone(self.discard.name, "pile", N_("Turned"), turned, show=Show(role="hero"))
        yield counter_zone(self.centre, N_("Centre"))
        yield counters_zone(self.fiches, N_("Fiches"))
        yield text_zone("dealer", N_("Dealer"), "{seat}", seat=self.dealer)
        if self.round and self.discard:
            yield text_zone("called", N_("Called"), "{seat}", seat=self.called)
        if dead := [seat for seat in t.ring if not self.fiches.holds(seat)]:
            yield text_zone("dead", N_("Dead"), "{seats}", show=Show(role="aside"), seats=dead)
        if self.owed:
            yield text_zone("owed", N_("Gets the next fiche for the centre"), "{seat}", seat=self.owed[0])
