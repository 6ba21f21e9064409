"""The rules of Bang, in the order of the rulebook. Numbers in brackets are rulings.

What a pile has to look like is in `patterns`; what a table may agree on is in `options`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from tavolata import (
    N_,
    NN_,
    Choice,
    Game,
    Layout,
    Opening,
    Outcome,
    Pile,
    Reaction,
    Seat,
    Table,
    Zone,
    one_of,
)
from tavolata.decks import FRENCH_54, FrenchFace, Rank
from tavolata.zones import Show, pile_zone, text_zone, tokens_zone
from tavolata_bang.options import BangOptions, Barred, Jolly
from tavolata_bang.patterns import reason

LAY = N_("Lay a card")
BANG = one_of([Choice(True, N_("bang"))])
"""All that can be done in a window."""
JUDGED = 3
"""Seconds in which one can still bang where nobody can lay another card (15)."""

# What is said most. It is marked once here, because a mark is a call.
DEALS = N_("{seat} shuffles and deals.")
PAID = NN_("The tribute is paid: {n} card for {seat}.", "The tribute is paid: {n} cards for {seat}.")
UNPAID = NN_(
    "No one can pay the tribute any more: {n} card for {seat}.",
    "No one can pay the tribute any more: {n} cards for {seat}.",
)
LAST = NN_(
    "No one has any cards left: {n} card for {seat}, who laid the last one.",
    "No one has any cards left: {n} cards for {seat}, who laid the last one.",
)
LAYS = N_("{seat} lays the {card}.")
OWES = NN_("{seat} owes {n} card for the {card}.", "{seat} owes {n} cards for the {card}.")
RIGHT = NN_(
    "Bang! {seat} was first, in {ms} ms: {why}. {n} card for {seat}.",
    "Bang! {seat} was first, in {ms} ms: {why}. {n} cards for {seat}.",
)
WRONG = N_("{seat} bangs after {ms} ms, for no reason.")
BARRED = N_("{seat} has nothing to pay with and can't bang until the pile is won.")
OUT = N_("{seat} has nothing to pay with and can't bang any more.")
FREE = N_("{seat} has nothing to pay with.")
FOR = {Barred.PILE: BARRED, Barred.GOOD: OUT, Barred.NEVER: FREE}
"""What is told of a wrong bang without cards."""
CAPPED = N_("{n} cards have been laid, so the match is over. The pile is nobody's; most cards wins.")
LATER = N_("{seat} was {ms} ms behind.")
CUT = N_("{seat} claimed {claimed} ms, which isn't possible: it counts as {ms} ms.")

COURT = {
    Jolly.JOKER: {Rank.JOKER: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4},
    Jolly.JACK: {Rank.JACK: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4},
    Jolly.BOTH: {Rank.JOKER: 1, Rank.JACK: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4},
}
"""How many cards a court card asks for, by reading of the jolly and by rank."""


class Bang(Game[BangOptions]):
    """Bang: win all 54 cards, by court cards or by banging first.

    Attributes:
        stacks: by seat, face down, the top last; no one has seen what was not laid yet.
        pile: the cards that were laid in this pile, face up.
        under: penalty cards, face down under the pile.
        layer: the seat that lays the next card.
        last: the seat that has laid the last one.
        owner: the seat that has laid the court card that asks for cards.
        due: how many cards it still asks for.
        barred: seats that may not bang until the pile is won, or (by option) any more.
        asked: the next card's layer has pressed its key for it already.
        laid: how many cards were laid in the match.
        fastest: by seat, the milliseconds of its fastest right bang; None without one.
    """

    name = "bang"
    title = N_("Bang")
    summary = N_("Lay cards in turn, and bang before the others do when the pile gives you a reason.")
    card = Opening(
        goal=N_("Win all the cards."),
        turn=N_("Lay your top card on the pile. When the pile gives you a reason, bang before the others."),
        lose=N_("A wrong bang costs cards; a player without cards is skipped."),
    )
    seats = (2, 8)
    best_with = 3
    minutes = 10
    options = BangOptions
    first_match: ClassVar[Mapping[str, Any]] = {"cap": 150, "hurry": 1200}
    layout = Layout(decision=4)
    guide = "tavolata_bang.guide"

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
    laid: int
    fastest: list[int | None]

    def setup(self, t: Table[BangOptions]) -> None:
        """The pack before the dealer, drawn by lot."""
        self.pack = t.pile("pack", FRENCH_54)
        self.stacks = [t.pile(f"stack.{seat}") for seat in t.ring]
        self.pile = t.pile("pile")
        self.under = t.pile("under")
        self.layer = self.last = t.ring.next(t.first_seat)
        self.owner, self.due = None, 0
        self.barred = []
        self.laid = 0
        self.fastest = [None for _ in t.ring]
        self.asked = False

    async def turn(self, t: Table[BangOptions]) -> Outcome | None:
        """A pile, from its first card to whoever takes it."""
        if self.pack:
            await self.deal(t)
        while True:
            await self.lay(t)
            reaction = await self.wait_for_bangs(t)
            self.asked = reaction is None
            if reaction is not None and self.bang(t, reaction):
                break
            if self.is_paid() or not self.can_lay:
                self.take_without_bang(t)
                break
            if self.is_enough(t):
                break
        return self.end(t)

    async def deal(self, t: Table[BangOptions]) -> None:
        """All 54 cards one by one, from the dealer's left; who sits there begins (1)."""
        t.tell(DEALS, seat=t.first_seat)
        await t.shuffle(self.pack)
        receiver = t.first_seat
        while self.pack:
            receiver = t.ring.next(receiver)
            self.stacks[receiver].put(self.pack.take_top())

    # -- laying -----------------------------------------------------------------------------------

    async def lay(self, t: Table[BangOptions]) -> None:
        """A card from the top of the layer's stack, face up; it may begin, pay or end a tribute."""
        by = None if self.asked else self.layer
        layer = self.last = self.layer
        card = await t.turn_up(self.stacks[layer], onto=self.pile, by=by, verb=LAY)
        self.laid += 1
        t.tell(LAYS, seat=layer, card=card)
        asks = COURT[t.options.jolly].get(card.face.rank)
        if asks is not None:  # it ends the tribute that it may have been part of (10)
            self.owner, self.due = layer, asks
        elif self.owner is not None:
            self.due -= 1
            self.pass_on(t, layer)
            return
        self.pass_on(t, t.ring.next(layer))
        if asks is not None and self.can_lay:
            t.tell(OWES, card=card, seat=self.layer, n=asks)

    # -- banging ----------------------------------------------------------------------------------

    async def wait_for_bangs(self, t: Table[BangOptions]) -> Reaction | None:
        """The window between a card and the next one (5); of equal times the next after the layer wins (17).

        Where the tribute is complete, it comes before the pile is taken (11).
        """
        may = t.ring.starting(t.ring.next(self.last), where=lambda seat: seat not in self.barred)
        paid = self.is_paid()
        return await t.react(
            dict.fromkeys(may, BANG),
            go=self.owner if paid else self.layer if self.can_lay else None,
            goes=N_("take the pile") if paid else N_("lay the next card"),
            seconds=None if paid or self.can_lay else JUDGED,
            hurry=t.options.hurry, floor=t.options.floor, handicaps=t.options.handicaps(),
        )  # fmt: skip

    def bang(self, t: Table[BangOptions], first: Reaction) -> bool:
        """The first bang decides, others are void (5); whether it was right."""
        why = reason([card.face for card in self.pile], t.options.patterns)
        if why is None:
            t.tell(WRONG, seat=first.seat, ms=first.milliseconds)
        else:
            n = len(self.pile) + len(self.under)
            before = self.fastest[first.seat]
            self.fastest[first.seat] = min(first.milliseconds, before or first.milliseconds)
            self.take(t, first.seat)
            t.tell(RIGHT, seat=first.seat, ms=first.milliseconds, why=why, n=n, stamp=why.value)
        for seat, _, milliseconds in first.later:
            t.tell(LATER, seat=seat, ms=milliseconds - first.milliseconds)
        if first.cut:
            t.tell(CUT, seat=first.seat, claimed=first.claimed, ms=first.milliseconds)
        if why is None:
            self.punish(t, first.seat)
        return why is not None

    def punish(self, t: Table[BangOptions], seat: Seat) -> None:
        """Cards from the top of the stack, face down under the pile; nothing else changes (7).

        Who has none may not bang until the pile is won, or any more, or may all the same (8).
        """
        stack = self.stacks[seat]
        if not stack:
            if t.options.barred is not Barred.NEVER:
                self.barred.append(seat)
            t.tell(FOR[t.options.barred], seat=seat)
            return
        n = min(t.options.penalty, len(stack))
        for _ in range(n):
            self.under.put_under(stack.take_top())
        t.tell(
            NN_("{seat} puts {n} card under the pile.", "{seat} puts {n} cards under the pile."),
            seat=seat, n=n, stamp=N_("nothing there"),
        )  # fmt: skip
        if self.can_lay and not self.stacks[self.layer]:
            self.pass_on(t, t.ring.next(self.layer))  # the payer has run out (12)

    def is_enough(self, t: Table[BangOptions]) -> bool:
        return 0 < t.options.cap <= self.laid

    def end(self, t: Table[BangOptions]) -> Outcome | None:
        """Who holds all 54 cards has won (15); after too many cards, who holds most."""
        cards = tuple(len(stack) for stack in self.stacks)
        most = max(cards)
        if most == len(FRENCH_54):
            t.tell(N_("{seat} holds all {n} cards."), seat=t.ring[cards.index(most)], n=most)
        elif self.is_enough(t):
            t.tell(CAPPED, n=self.laid)
        else:
            return None
        return Outcome.by_score(t, cards, statistics={N_("Fastest bang, ms"): tuple(self.fastest)})

    # -- stacks -----------------------------------------------------------------------------------

    def pass_on(self, t: Table[BangOptions], to: Seat) -> None:
        """It is this seat's to lay, or the next one's that has cards (10, 12, 14)."""
        if self.can_lay:
            self.layer = to if self.stacks[to] else t.ring.next(to, where=self.has_cards)

    def has_cards(self, seat: Seat) -> bool:
        return bool(self.stacks[seat])

    @property
    def can_lay(self) -> bool:
        return any(self.stacks)

    def is_paid(self) -> bool:
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
        for card in won:  # the lowest comes to be on top, and out again first
            stack.put_under(card)
        self.under.cards.clear()
        self.pile.cards.clear()
        self.owner, self.due = None, 0
        self.layer = seat
        self.asked = False
        if t.options.barred is Barred.PILE:
            self.barred.clear()

    # -- looking ----------------------------------------------------------------------------------

    def zones(self, t: Table[BangOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.pile, N_("Pile"), show=Show(role="hero"))
        if self.under:
            yield text_zone("penalty", N_("Penalty"), N_("{n} under the pile"), n=len(self.under))
        rows = [(seat, len(self.stacks[seat])) for seat in t.ring]
        yield tokens_zone("stacks", N_("Cards"), rows, show=Show(draw="stack", goal=len(FRENCH_54)))
        if self.owner is not None and self.due:
            yield text_zone("tribute", N_("Tribute"), N_("{n} for {seat}"), n=self.due, seat=self.owner)
        elif self.owner is not None:
            yield text_zone("tribute", N_("Tribute"), N_("paid to {seat}"), seat=self.owner)
        yield text_zone(
            "reasons",
            N_("Bang on"),
            N_("{reasons}"),
            reasons=tuple(one.value for one in t.options.patterns),
        )
        if self.barred:
            yield text_zone("barred", N_("Can't bang"), N_("{seats}"), seats=tuple(self.barred))
