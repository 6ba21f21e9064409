"""The stacks of Bang: the cards of each player, whose turn it is, what is owed, and who takes the pile.

Every card of the game moves through here or through `rules.Bang.lay`. Numbers in brackets are rulings.
"""

from __future__ import annotations

from tavolata import N_, NN_, FrenchFace, Game, Pile, Seat, Table
from tavolata_bang.options import BangOptions, Barred

DEALS = N_("{seat} shuffles and deals.")
PAID = NN_("The tribute is paid: {n} card for {seat}.", "The tribute is paid: {n} cards for {seat}.")
UNPAID = NN_(
    "Nobody can pay the tribute any more: {n} card for {seat}.",
    "Nobody can pay the tribute any more: {n} cards for {seat}.",
)
LAST = NN_(
    "Nobody has a card left: {n} card for {seat}, who laid the last one.",
    "Nobody has a card left: {n} cards for {seat}, who laid the last one.",
)


class StacksGame(Game[BangOptions]):
    """Players with stacks around a pile.

    Attributes:
        pack: the cards before they are dealt.
        stacks: by seat, face down, the top last; nobody has seen what was not laid yet.
        pile: what was laid in this pile, face up.
        under: penalty cards, face down under the pile.
        layer: who lays the next card.
        last: who has laid the last one.
        owner: who has laid the court card that asks for cards; None if none does.
        due: how many cards it still asks for.
        barred: seats that may not bang until the pile is won, or (by option) any more.
        asked: whether the next card's layer has pressed its key for it already.
    """

    pack: Pile[FrenchFace]
    stacks: list[Pile[FrenchFace]]
    pile: Pile[FrenchFace]
    under: Pile[FrenchFace]
    layer: Seat
    last: Seat
    owner: Seat | None
    due: int
    barred: list[Seat]
    asked: bool

    async def deal(self, t: Table[BangOptions]) -> None:
        """All 54 cards one by one, from the dealer's left; who sits there begins (1)."""
        t.tell(DEALS, seat=t.first_seat)
        await t.shuffle(self.pack)
        receiver = t.first_seat
        while self.pack:
            receiver = t.ring.next(receiver)
            self.stacks[receiver].put(self.pack.take_top())

    def pass_on(self, t: Table[BangOptions], to: Seat) -> None:
        """It is this seat's to lay, or the next one's that has cards (10, 12, 14)."""
        if self.can_lay:
            self.layer = to if self.stacks[to] else t.ring.next(to, where=self.has_cards)

    def has_cards(self, seat: Seat) -> bool:
        """Whether a seat can lay a card."""
        return bool(self.stacks[seat])

    @property
    def can_lay(self) -> bool:
        """Whether anybody has a card."""
        return any(self.stacks)

    def is_paid(self) -> bool:
        """Whether a tribute is complete."""
        return self.owner is not None and self.due == 0

    def take_without_bang(self, t: Table[BangOptions]) -> None:
        """The player whose court card was paid takes the pile (10), with cards left or without (13).

        If nobody can pay any longer, the owner of the tribute takes it, else who laid the last card (15).
        """
        n = len(self.pile) + len(self.under)
        if self.owner is None:
            t.tell(LAST, seat=self.last, n=n)
        else:
            t.tell(PAID if self.due == 0 else UNPAID, seat=self.owner, n=n)
        self.take(t, self.last if self.owner is None else self.owner)

    def take(self, t: Table[BangOptions], seat: Seat) -> None:
        """The whole pile, turned over as it lies, goes under a stack; its owner leads (6, 13)."""
        won = [*self.under, *self.pile]
        stack = self.stacks[seat]
        for card in won:  # the lowest comes to lie on top, and out again first
            stack.put_under(card)
        self.under.cards.clear()
        self.pile.cards.clear()
        self.owner, self.due = None, 0
        self.layer = seat
        self.asked = False
        if t.options.barred is Barred.PILE:
            self.barred.clear()
