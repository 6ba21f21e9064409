"""The rules of Zompa Cavallo, in the order of the rulebook.

Numbers in brackets are rulings. The optional cards are in `extras`, talking in `talk`, and how a
fiche moves, kills and ends the match in `fiches`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from tavolata import (
    ITALIAN_40,
    N_,
    NN_,
    ItalianFace,
    Outcome,
    Pile,
    Seat,
    Table,
    Zone,
    counter_zone,
    counters_zone,
    pile_zone,
    text_zone,
)
from tavolata import ItalianRank as Rank
from tavolata_zompa.extras import ExtraCards
from tavolata_zompa.options import EmptyPot, ZompaOptions
from tavolata_zompa.talk import TalkingGame

# What is said most; marked once here, for a mark is a call.
CALLS = N_("{seat}: {card}.")
FANTE = N_("The fante takes a fiche from {seat} back to {to}.")
HORSE = N_("Zompa, cavallo! A fiche jumps from {seat} to {to}.")
KING = N_("{seat} takes a fiche from the centre.")


class Zompa(TalkingGame, ExtraCards):
    """Zompa Cavallo: be the last one with a fiche.

    Attributes:
        deck: what is still to be turned in this round.
        discard: what has been turned.
        called: whose name the dealer called last.
        round: number of the round, 0 before the first.
    """

    name = "zompa"
    title = N_("Zompa Cavallo!")
    summary = N_("Fiches run around the table; whoever holds the last ones wins. The dead come back.")
    version = "1.0"
    seats = (2, 20)
    best = 6
    options = ZompaOptions
    first_match: ClassVar[Mapping[str, Any]] = {"fiches": 2}
    guide = "tavolata_zompa.guide"

    deck: Pile[ItalianFace]
    discard: Pile[ItalianFace]
    called: Seat
    round: int

    def setup(self, t: Table[ZompaOptions]) -> None:
        """Fiches for all, the pack beside the first dealer, drawn by lot (1); he plays too (2)."""
        self.deck = t.pile("deck")
        self.discard = t.pile("discard", ITALIAN_40)
        self.centre = t.counter("centre")
        self.fiches = t.counters("fiches", start=t.options.fiches)
        self.dealer = self.called = t.first_seat
        self.round = 0
        self.extras = t.options.sevens or t.options.twos or t.options.fives
        self.owed, self.bets, self.addressed, self.exchanges = [], {}, {}, []

    async def turn(self, t: Table[ZompaOptions]) -> Outcome | None:
        """The dealer turns a card and calls the next living player's name (3); the card says the rest."""
        if not self.deck.cards:
            await self.new_round(t)
        card = await t.turn_up(self.deck, onto=self.discard, by=self.dealer)
        if self.addressed or self.exchanges:
            self.silence()
        if self.bets and (outcome := self.settle_bets(t, card.face.rank)):
            return outcome
        called = self.called = t.ring.next(self.called, self.fiches.holds)
        t.tell(CALLS, card=card, seat=called)
        match card.face.rank:
            case Rank.ACE:
                return self.ace(t, called)
            case Rank.FANTE:
                return self.fante(t, called)
            case Rank.HORSE:
                return self.horse(t, called)
            case Rank.KING:
                return self.king(t, called)
            case rank if self.extras:
                return await self.extra_card(t, rank, called)
        return None  # any other card does nothing (10)

    async def new_round(self, t: Table[ZompaOptions]) -> None:
        """With the last card the round is over, and only then (11).

        The next seat deals, alive or dead; all 40 cards are shuffled anew; the centre stays as it is.
        """
        if self.round:
            t.tell(
                NN_("The pack is used up, with {n} fiche in the centre.",
                    "The pack is used up, with {n} fiches in the centre."),
                n=self.centre.value,
            )  # fmt: skip
            self.dealer = t.ring.next(self.dealer)
        self.round += 1
        self.called = self.dealer  # so the first call goes to the first living player after him (3)
        t.tell(N_("Round {number}: {seat} shuffles and deals."), number=self.round, seat=self.dealer)
        await t.shuffle(self.deck, self.discard)

    def ace(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """Two fiches into the centre; what the called player hasn't got, the next living one pays (4)."""
        if outcome := self.pay_in(t, called):
            return outcome
        second = called if self.fiches.holds(called) else t.ring.next(called, where=self.fiches.holds)
        return self.pay_in(t, second)

    def fante(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """One fiche to the seat just before, living or dead (6)."""
        return self.give(t, called, t.ring.after(called, -1), FANTE)

    def horse(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """One fiche jumps over a seat to the second one after, living or dead (7)."""
        return self.give(t, called, t.ring.after(called, 2), HORSE)

    def king(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """One fiche from the centre (9); if it is empty, what the table has agreed on."""
        if self.centre.value:
            self.centre.pay(1, self.fiches[called])
            t.tell(KING, seat=called)
        elif t.options.empty_pot is EmptyPot.NEXT:
            self.owed.append(called)
            t.tell(N_("The centre is empty: the next fiche that comes in belongs to {seat}."), seat=called)
        elif t.options.empty_pot is EmptyPot.DEALER and self.fiches.holds(self.dealer):
            return self.give(
                t, self.dealer, called, N_("The centre is empty: {seat} deals, so {seat} pays {to}.")
            )
        else:
            t.tell(N_("The centre is empty. Long live king {seat}, all the same."), seat=called)
        return None

    def zones(self, t: Table[ZompaOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The pack, the card that was turned, the centre, everybody's fiches, and who is who."""
        yield pile_zone(self.deck, N_("Pack"))
        yield Zone(self.discard.name, "pile", N_("Turned"), tuple(self.discard.cards[-1:]))
        yield counter_zone(self.centre, N_("Centre"))
        yield counters_zone(self.fiches, N_("Fiches"))
        yield text_zone("dealer", N_("Dealer"), "{seat}", seat=self.dealer)
        if self.discard:
            yield text_zone("called", N_("Called"), "{seat}", seat=self.called)
        if dead := [seat for seat in t.ring if not self.fiches.holds(seat)]:
            yield text_zone("dead", N_("Dead"), "{seats}", seats=dead)
        if self.owed:
            yield text_zone("owed", N_("The next fiche for the centre goes to"), "{seat}", seat=self.owed[0])
