"""The rules of Il Conto, Prego!, in the order of the rulebook.

Numbers in brackets are rulings. What may be called is in `calls`, the bill in `bill`, dealing and
the house rules of a deal in `deal`, losing and winning in `score`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, ClassVar

from tavolata import (
    N_,
    Card,
    Choice,
    Claim,
    FrenchFace,
    No,
    OneOf,
    Outcome,
    Seat,
    Table,
    Zone,
    counters_zone,
    hand_zone,
    pile_zone,
    text_zone,
)
from tavolata.zones import Show
from tavolata_conto.bill import Bill
from tavolata_conto.calls import dishes_to_show, move_between, question
from tavolata_conto.deal import DealingGame
from tavolata_conto.menu import JOKER, NOTHING_CALLED, Call, Move, dish_of
from tavolata_conto.options import ContoOptions

SAID = {
    Move.ORDER: N_("{seat} orders: {call}, and shows {card}."),
    Move.SPICE: N_("{seat} reaches for the chilli: {call}, and shows {card}."),
    Move.ABOUND: N_("{seat} wants a bigger plate: {call}, and shows {card}."),
}
SHOW = N_("Show a card of what you are going to call, or ask for the bill.")
OPEN = N_("You open: show a card of what you are going to order.")
STUDIES = N_("{seat} studies the menu.")
CALL = N_("And what do you call with it?")
CALLING = N_("{seat} waves to the waiter.")
FOUND = N_("Called: {call}. On the table: {found}; jokers: {n}.")
NO_SUCH_DISH = N_("No call that you may make now has that card in it.")


class Please(Enum):
    """The one thing to do that is not a call."""

    BILL = N_("Il conto, prego!")


class Conto(DealingGame):
    """Il Conto, Prego!: call ever more dishes, and don't be the one who pays."""

    name = "conto"
    title = N_("Il Conto, Prego!")
    summary = N_("Call more dishes than there are, and doubt in time: liar's dice with two packs of cards.")
    version = "1.0"
    seats = (3, 8)
    best = 5
    options = ContoOptions
    first_match: ClassVar[Mapping[str, Any]] = {"hands": 3}
    guide = "tavolata_conto.guide"

    def setup(self, t: Table[ContoOptions]) -> None:
        """Give everybody an empty tab, and lay out 108 cards (1)."""
        self.open_tabs(t)
        self.lay_cards(t)

    async def turn(self, t: Table[ContoOptions]) -> Outcome | None:
        """The player in turn calls dishes, or asks for the bill; nobody may pass (10)."""
        if not self.dealt:
            await self.new_hand(t)
        seat = self.at
        self.shown.pop(seat, None)  # the card goes back into the hand; everybody has seen it (9)
        card = await self.choose(t, seat)
        if card is None:
            return await self.bill(t, seat)
        await self.call(t, seat, card)
        self.at = t.ring.next(seat, where=self.is_in)
        return None

    # -- calling ------------------------------------------------------------------------------

    @property
    def last_call(self) -> Call:
        """The last call of this hand."""
        return self.calls[-1][1] if self.calls else NOTHING_CALLED

    async def choose(self, t: Table[ContoOptions], seat: Seat) -> Card[FrenchFace] | None:
        """A card to show, or None: the bill.

        A call needs a natural card of a called dish, and that card is shown (8). So the card comes
        first, and the call is then made of what it is. Whether the card serves is checked by its
        owner's machine at once and by all when it is shown; a player without one has only the bill
        left, and asks for it without a word about the reason (10).

        The opener always has one (12): a hand without Saldo has more cards than there are jokers,
        and with Saldo a joker serves (20).
        """
        dishes = dishes_to_show(self.last_call, self.cards)
        kind = self.choices(seat, dishes)
        claim = Claim("may_show", (dishes, t.options.saldo), NO_SUCH_DISH)
        asked, verb = SHOW if self.calls else OPEN, N_("Show {choice}")
        answer = await t.ask(
            seat, kind, asked, STUDIES, seat=seat, claim=claim, verb=verb, about=("call", "losses")
        )
        return None if answer is Please.BILL else answer

    def choices(self, seat: Seat, dishes: tuple[int, ...]) -> OneOf:
        """The cards of the hand, if any call is left; and the bill, if there is anything to doubt (11)."""
        cards = [Choice(card) for card in self.hands[seat]] if dishes else []
        bill = Choice(Please.BILL, Please.BILL.value, key="b", mood="bold", verb=N_("Ask for the bill"))
        if not self.calls:
            return OneOf(cards, [No(bill.label, N_("Nothing has been called yet."), values=(Please.BILL,))])
        if not dishes:
            return OneOf([bill], [No(N_("call"), N_("No call is left: the menu is at its end."))])
        return OneOf([*cards, bill])

    def may_show(self, face: FrenchFace, dishes: tuple[int, ...], joker: bool) -> bool:
        """Whether such a card may be shown: one of these dishes (8), with Saldo also a joker (20)."""
        dish = dish_of(face)
        return joker if dish == JOKER else dish in dishes

    async def call(self, t: Table[ContoOptions], seat: Seat, card: Card[FrenchFace]) -> None:
        """Show the card; order (5), spice (6) or abound (7): dishes with their numbers, true or not (26)."""
        await t.reveal([card])
        self.shown[seat] = card
        before = self.last_call
        calls = question(before, self.cards, dish_of(card.face))
        after = await t.ask(seat, calls, CALL, CALLING, seat=seat, verb=N_("Call {choice}"), about=("call",))
        self.calls.append((seat, after))
        t.tell(SAID[move_between(before, after)], seat=seat, call=str(after), card=card)

    # -- the bill -----------------------------------------------------------------------------

    async def bill(self, t: Table[ContoOptions], asker: Seat) -> Outcome | None:
        """All hands are shown. If the call is true, the asker has lost, else the caller (14)."""
        caller, call = self.calls[-1]
        t.tell(N_("{seat} snaps two fingers: “Il conto, prego!”"), seat=asker)
        for seat in t.ring.from_(self.at, where=self.is_in):
            cards = await t.reveal(self.hands[seat])
            t.tell(N_("{seat} lays down {cards}."), seat=seat, cards=cards)
        bill = Bill.of(call, [card.face for hand in self.hands for card in hand])
        found = " + ".join(map(str, bill.found))
        t.tell(FOUND, call=str(call), found=found, n=bill.jokers)
        winner, loser = (caller, asker) if bill.is_true else (asker, caller)
        if bill.is_true:
            t.tell(N_("Everything is there! {seat} pays, {to} pockets the tip."), seat=asker, to=caller)
        else:
            t.tell(N_("That was never cooked! {seat} pays, {to} knew it."), seat=caller, to=asker)
            self.thank(t, asker)
        self.lose(t, loser)
        self.hand_over(t, winner, clean=bill.jokers_used == 0)
        return self.result(t)

    # -- what lies on the table -----------------------------------------------------------------

    def zones(self, t: Table[ContoOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The call, who made it and the card shown with it, all hands, and everybody's tab."""
        fact, hero = Show(role="fact"), Show(role="hero", always=True)
        dealt = N_("{n}, dealt by {seat}")
        yield text_zone("hand", N_("Hand"), dealt, show=fact, n=self.hand, seat=self.dealer)
        if self.calls:
            seat, call = self.calls[-1]
            yield text_zone(
                "call",
                N_("On the table"),
                N_("{call}, called by {seat}"),
                show=hero,
                call=str(call),
                seat=seat,
            )
            yield text_zone("limit", N_("Cards in all hands"), "{n}", show=Show(role="aside"), n=self.cards)
        for seat, card in self.shown.items():
            yield Zone(f"shown.{seat}", "hand", N_("Shown"), (card,), seat)
        for seat in t.ring.those(self.is_in):
            yield hand_zone(self.hands[seat], N_("Hand"), seat)
        yield pile_zone(self.scraps, N_("Under the tablecloth"), show=Show(role="aside"))
        title = N_("Saldi") if t.options.saldo else N_("Hands lost")
        yield counters_zone(self.losses, title, show=Show(better="less"))
        if t.options.omaggi:
            yield counters_zone(self.omaggi, N_("Omaggi"))
        if self.gone:
            yield text_zone("gone", N_("Out"), "{seats}", seats=self.gone)
