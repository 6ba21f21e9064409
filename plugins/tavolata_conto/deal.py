"""The deal: the dealer, and how many cards each player gets and discards (rulings 2, 17 to 25)."""

from __future__ import annotations

from tavolata import N_, NN_, Card, Hand, Pile, Seat, Table, some_of
from tavolata.decks import FRENCH_108, FrenchFace
from tavolata_conto.menu import Call
from tavolata_conto.options import ContoOptions
from tavolata_conto.score import ScoringGame

DEAL = N_("Shuffle and deal")
DISCARD = N_("What doesn't go with your dish? Discard it, face down.")
DISCARDING = N_("Some push food around their plates and slip cards under the tablecloth.")
SLIPS = NN_("{seat} slips {n} card under the tablecloth.", "{seat} slips {n} cards under the tablecloth.")


class DealingGame(ScoringGame):
    """A table with cards.

    Attributes:
        scraps: cards discarded face down in this hand; no part of the bill (19).
        dealer: the seat that deals this hand, or the next one while none is being played.
        at: the seat in turn.
        bonus: the seat with a card more in the next hand (16).
        shown: the card that each seat has before it, until its next turn (9).
        calls: the calls in this hand, the last one last.
        dealt: a hand is being played.
    """

    pack: Pile[FrenchFace]
    hands: list[Hand[FrenchFace]]
    scraps: Pile[FrenchFace]
    dealer: Seat
    at: Seat
    bonus: Seat | None
    shown: dict[Seat, Card[FrenchFace]]
    calls: list[tuple[Seat, Call]]
    dealt: bool

    def lay_cards(self, t: Table[ContoOptions]) -> None:
        """Two packs with four jokers (1); the first dealer is drawn by lot (2)."""
        self.pack = t.pile("pack", FRENCH_108)
        self.scraps = t.pile("scraps")
        self.hands = t.hands("hand")
        self.dealer = self.at = t.first_seat
        self.bonus = None
        self.shown, self.calls, self.dealt = {}, [], False

    async def new_hand(self, t: Table[ContoOptions]) -> None:
        """All cards are shuffled and dealt; left of the dealer opens, so the Oste acts last (2, 18)."""
        await t.pause(self.dealer, DEAL)
        self.hand += 1
        self.calls.clear()
        t.tell(N_("Hand {n}: {seat} sets the table and deals."), n=self.hand, seat=self.dealer)
        await t.shuffle(self.pack, self.scraps, *self.hands)
        self.at = t.ring.next(self.dealer, where=self.is_in)
        await self._deal(t, t.ring.starting(self.at, where=self.is_in))
        self.dealt = True

    async def _deal(self, t: Table[ContoOptions], guests: list[Seat]) -> None:
        """The hand, the Oste's card more, a card for each Omaggio; then all discard at once (23).

        If the gifts exhaust the pack, what is left is drawn, one each in turn (24).
        """
        order = guests * self.hand_size
        if self.bonus is not None:
            order.append(self.bonus)
            t.tell(N_("{seat} needed no joker and, as the Oste, gets an extra card."), seat=self.bonus)
        self.bonus = None  # it stays for this hand only (17)
        gifts = [seat for n in range(t.options.target) for seat in guests if self.omaggi.holds(seat) > n]
        gifts = gifts[: len(self.pack) - len(order)]
        await t.deal(self.pack, [self.hands[seat] for seat in order + gifts])
        await self._discard(t, {seat: gifts.count(seat) + self._saldi(t, seat) for seat in guests})

    def _saldi(self, t: Table[ContoOptions], seat: Seat) -> int:
        return self.losses[seat].value if t.options.saldo else 0

    async def _discard(self, t: Table[ContoOptions], owed: dict[Seat, int]) -> None:
        """As many as each owes, of one's choice, face down and all at the same time (19, 21, 23)."""
        kinds = {seat: some_of(self.hands[seat], n, n) for seat, n in owed.items() if n}
        if not kinds:
            return
        chosen = await t.ask_all(kinds, DISCARD, DISCARDING, verb=N_("Discard these cards"))
        for seat, cards in chosen.items():
            self.hands[seat].move_to(self.scraps, cards)
            t.tell(SLIPS, seat=seat, n=len(cards))

    @property
    def cards(self) -> int:
        """How many cards there are in all hands: no call needs more (13)."""
        return sum(map(len, self.hands))

    def hand_over(self, t: Table[ContoOptions], winner: Seat, *, clean: bool) -> None:
        """Who deals next: the next seat that is still in (2, 25); with the Oste, who won the dispute (16)."""
        self.dealt = False
        self.shown.clear()
        if not t.options.oste:
            self.dealer = t.ring.next(self.dealer, where=self.is_in)
            return
        self.dealer = winner
        self.bonus = winner if clean else None
        t.tell(N_("{seat} is now the Oste and deals."), seat=winner)
