"""The score: who has lost how often, who is out, and who has won the match (rulings 15, 19, 21)."""

from __future__ import annotations

from tavolata import N_, Award, Counter, Counters, Game, Outcome, Seat, Table
from tavolata_conto.options import ContoOptions

CLEAN = 3
"""The fewest hands that make a clean tab."""
EXTRA_HANDS = 3
"""After so many extra hands a tie is a shared win (15)."""


class ScoringGame(Game[ContoOptions]):
    """A table that keeps a tab for each guest.

    Attributes:
        kitchen: the source of losses and gifts.
        losses: how many hands each seat has lost; with the option saldo, its Saldi.
        omaggi: how often each seat was right about the bill, where that counts.
        hand_size: how many cards each player is dealt.
        hand: number of the hand, 0 before the first.
        tied: the seats that play extra hands; none before there is a tie.
        extra_hands: how many extra hands have been begun.
        gone: the seats that are out, the first one first.
    """

    kitchen: Counter
    losses: Counters
    omaggi: Counters
    hand_size: int
    hand: int
    tied: list[Seat]
    extra_hands: int
    gone: list[Seat]

    def open_tabs(self, t: Table[ContoOptions]) -> None:
        self.kitchen = t.bank("kitchen")
        self.losses = t.counters("losses")
        self.omaggi = t.counters("omaggi")
        self.hand_size = t.options.cards
        self.hand = self.extra_hands = 0
        self.tied, self.gone = [], []

    def is_in(self, seat: Seat) -> bool:
        """Return True if this seat still plays (19)."""
        return seat not in self.gone

    def tell_of_loss(self, t: Table[ContoOptions], loser: Seat) -> None:
        """With as many Saldi as a hand has cards, the loser of a hand is out (19)."""
        if not t.options.saldo:
            return
        t.tell(N_("One more Saldo on {seat}'s tab: {n} now."), seat=loser, n=self.losses[loser].value)
        if self.losses[loser].value >= self.hand_size:
            self.gone.append(loser)
            t.tell(N_("{seat} has no cards left to pay with, and washes the dishes."), seat=loser)

    def thank(self, t: Table[ContoOptions], asker: Seat) -> None:
        """A player who was right about the bill gets one Omaggio more (21)."""
        if t.options.omaggi:
            self.kitchen.pay(1, self.omaggi[asker])
            t.tell(
                N_("With the compliments of the house: an Omaggio for {seat}, {n} of {target}."),
                seat=asker, n=self.omaggi[asker].value, target=t.options.target,
            )  # fmt: skip

    def result(self, t: Table[ContoOptions]) -> Outcome | None:
        """Return any outcome after this hand; the rules that end the match at once come first."""
        if t.options.omaggi:
            rich = [seat for seat in t.ring if self.omaggi[seat].value >= t.options.target]
            if rich:
                t.tell(N_("{seat} has {n} Omaggi, dines for free and wins the match."),
                       seat=rich[0], n=t.options.target)  # fmt: skip
                return self._outcome(t, rich)
        still = t.ring.where(self.is_in)
        if len(still) == 1:
            t.tell(
                N_("{seat} is the last one with anything on their plate, and wins the match."), seat=still[0]
            )
            return self._outcome(t, still)
        limit = t.options.hand_limit(len(t.ring))
        return self._at_closing_time(t) if limit and self.hand >= limit else None

    def _at_closing_time(self, t: Table[ContoOptions]) -> Outcome | None:
        """Fewest losses win; those who are tied play up to three hands more, in which all take part (15).

        What the others lose then decides nothing, and who has fallen behind stays behind.
        """
        among = self.tied or list(t.ring)
        best = min(map(self.losses.holds, among))
        leaders = [seat for seat in among if self.losses.holds(seat) == best]
        if len(leaders) == 1:
            t.tell(N_("Closing time. {seat} has lost the fewest hands and wins the match."), seat=leaders[0])
            return self._outcome(t, leaders)
        if self.extra_hands == EXTRA_HANDS:
            t.tell(N_("It really is closing time. {seats} share the win, and a taxi."), seats=leaders)
            return self._outcome(t, leaders)
        self.tied = leaders
        self.extra_hands += 1
        t.tell(N_("A tie between {seats}: extra hand {n} of up to {most}."),
               seats=leaders, n=self.extra_hands, most=EXTRA_HANDS)  # fmt: skip
        return None

    def _outcome(self, t: Table[ContoOptions], winners: list[Seat]) -> Outcome:
        """Winners first; then who has lost less; of those who are out, who held out longer."""

        def place(seat: Seat) -> tuple[bool, int, int]:
            held_out = -self.gone.index(seat) if seat in self.gone else -len(t.ring)
            return (seat not in winners, self.losses.holds(seat), held_out)

        order = sorted(map(place, t.ring))
        clean = [seat for seat in t.ring if not self.losses.holds(seat)]
        awards: tuple[Award, ...] = ()
        if len(clean) == 1 and self.hand >= CLEAN:
            awards = (Award(N_("clean tab"), clean[0], why=N_("{n} hands, and none lost"), n=self.hand),)
        return Outcome(
            tuple(sorted(winners)),
            ranks=tuple(1 if seat in winners else order.index(place(seat)) + 1 for seat in t.ring),
            awards=awards,
        )
