"""The rules of Zompa Cavallo, in the order of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass
from tavolata.asks import *
from tavolata.decks import ITALIAN_40, ItalianRank as Rank
from tavolata.game import Game, Outcome
from tavolata.options import Options, option
from tavolata.messages import N_


@dataclass(frozen=True, kw_only=True)
class ZompaOptions(Options):
    fiches: int = option(4, "h")

class Zompa(Game[ZompaOptions]):
    name, title, seats, options = "zompa", N_("Zompa Cavallo!"), (2, 20), ZompaOptions

    def setup(self, t):
        self.deck = t.pile("deck", ITALIAN_40)
        self.discard = t.pile("discard")
        self.pot = t.counter("pot")
        self.fiches = t.counters("fiches", t.options.fiches)
        self.dealer = self.called = t.first_seat
        self.fresh = True

    async def turn(self, t):
        if self.fresh or not self.deck:
            if not self.fresh: self.dealer = t.ring.next(self.dealer)
            self.called = self.dealer
            self.fresh = False
            await t.shuffle(self.deck, self.discard)
        card = await t.turn_up(self.deck, onto=self.discard, by=self.dealer)
        who = self.called = t.ring.next(self.called, where=self.fiches.holds)
        match card.face.rank:
            case Rank.ACE:
                return self.ace(t, who)
            case Rank.FANTE:
                return self.pay(t, who, self.fiches[t.ring.after(who, -1)])
            case Rank.HORSE:
                return self.pay(t, who, self.fiches[t.ring.after(who, 2)])
            case Rank.KING:
                self.pot.pay_up_to(1, self.fiches[who])
        return None
    def pay(self, t, who, to):
        self.fiches[who].pay(1, to)
        winner = self.fiches.only_holder()
        return None if winner is None else Outcome((winner,))
    def ace(self, t, who):
        return self.pay(t, who, self.pot) or self.pay(t, who if self.fiches.holds(who) else t.ring.next(who, where=self.fiches.holds), self.pot)
