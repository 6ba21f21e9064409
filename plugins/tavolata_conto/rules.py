"""The rules of Il Conto, Prego!, in the order of the rulebook.

Numbers in brackets are rulings. What may be called is in `calls`, the bill in `bill`, dealing and
the house rules of a deal in `deal`, losing and winning in `score`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from tavolata import N_, Opening, Outcome, Seat, Table, Zone, claim, fact
from tavolata.decks import FrenchFace
from tavolata.zones import Show, cards_zone, counted, counters_zone, hand_zone, pile_zone, text_zone
from tavolata_conto.bill import Bill
from tavolata_conto.calls import Please, legal, question
from tavolata_conto.deal import DealingGame
from tavolata_conto.menu import JOKER, NOTHING_CALLED, Call, Course, Move, dish_of, letter
from tavolata_conto.options import ContoOptions

SAID = {
    Move.ORDER: N_("{seat} orders: calls {call} and shows {card}."),
    Move.SPICE: N_("{seat} reaches for the chilli: calls {call} and shows {card}."),
    Move.UPSIZE: N_("{seat} wants a bigger plate: calls {call} and shows {card}."),
}
CALL = N_("What will you call? Or will you ask for the bill?")
OPEN = N_("You open. What will you order?")
STUDIES = N_("{seat} studies the menu.")
FOUND = N_("Called: {call}. On the table: {found}; jokers: {n}.")
ALL_THERE = N_("It's all there! {seat} pays, and {to} pockets the tip.")
NEVER_COOKED = N_("That was never cooked! {to} knew it, and {seat} pays.")
MUST_SHOW = N_("You have to show a card whose rank is in your call.")


@fact
def may_show(answer: Any, _: Sequence[FrenchFace], joker: bool) -> bool:
    """Return True if such a card may be shown: one of a called dish (8), with Saldo also a joker (20)."""
    if answer[0] is Please.BILL:
        return True
    dish = dish_of(answer[1].card)
    return joker if dish == JOKER else dish in answer[1].call.dishes


class Conto(DealingGame):
    """Il Conto, Prego!: call ever more dishes, and don't be the one who pays."""

    name = "conto"
    title = N_("Il Conto, Prego!")
    summary = N_("Order more than the kitchen has, and call the others' bluff in time. Two packs of cards.")
    card = Opening(
        goal=N_("Lose the fewest hands."),
        turn=N_("Go higher than the last call and show a card, or doubt it: il conto, prego!"),
        lose=N_("If the hands hold everything in the call, the doubter pays; if not, the caller does."),
    )
    seats = (3, 8)
    best_with = 5
    minutes = 30
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
        if not await self.call(t, seat):
            return await self.bill(t, seat)
        self.at = t.ring.next(seat, where=self.is_in)
        return None

    # -- calling ------------------------------------------------------------------------------

    @property
    def last_call(self) -> Call:
        return self.calls[-1][1] if self.calls else NOTHING_CALLED

    async def call(self, t: Table[ContoOptions], seat: Seat) -> bool:
        """Order (5), spice (6) or upsize (7), and show a card; return False for the bill (11).

        Call and card are one answer, which the player can take back until it is sent. The call may be
        false in all but the card shown (26). That the card is of a called dish is checked by its owner's
        machine at once, and by all when it is shown (8). A player without such a card has only the bill
        left, and asks for it without a word about the reason; if no call is left for anybody, the bill is
        not even asked for (10).

        The opener always has a card (12): a hand without Saldo has more cards than there are jokers, and
        with Saldo a joker serves (20).
        A seat that nobody plays opens with the dish of its first card.
        """
        before = self.last_call
        if not legal(before, self.cards):
            return False
        asked = CALL if self.calls else OPEN
        answer = await t.ask(
            seat,
            question(before, self.cards, self.hands[seat]),
            asked,
            STUDIES,
            otherwise=(Please.BILL,) if self.calls else None,
            seat=seat,
            claim=claim(MUST_SHOW, may_show, (), t.options.saldo),
            verb=N_("Show {choice}"),
            about=("call", "losses") if self.calls else ("losses",),
        )
        if answer[0] is Please.BILL:
            return False
        (move, _), served = answer
        call, hand = served.call, iter(self.hands[seat])
        (card,) = await t.reveal([served.card])
        while (dish := dish_of(card.face)) == JOKER and not t.options.saldo:
            (card,) = await t.reveal([next(hand)])  # nobody plays the opener, so nobody chose the card
        if not self.calls and dish not in (*call.dishes, JOKER):
            call = before.with_course(0, Course(1, dish))
        self.calls.append((seat, call))
        self.shown[seat] = card
        t.tell(SAID[move], seat=seat, call=str(call), card=card)
        return True

    # -- the bill -----------------------------------------------------------------------------

    async def bill(self, t: Table[ContoOptions], asker: Seat) -> Outcome | None:
        """All hands are shown. If the call is true, the asker has lost, otherwise the caller (14)."""
        caller, call = self.calls[-1]
        t.tell(N_("{seat} snaps their fingers: “Il conto, prego!”"), seat=asker)
        for seat in t.ring.starting(self.at, where=self.is_in):
            cards = await t.reveal(self.hands[seat])
            t.tell(N_("{seat} lays down {cards}."), seat=seat, cards=cards)
        bill = Bill.of(call, [card.face for hand in self.hands for card in hand])
        found = " + ".join(map(str, bill.found))
        laid = [card for seat in t.ring.starting(self.at, where=self.is_in) for card in self.hands[seat]]
        jokers, marks = [card for card in laid if dish_of(card.face) == JOKER], []
        for one in call.courses:  # jokers stand for what is missing, the rest for nothing
            cards = [card for card in laid if dish_of(card.face) == one.dish]
            missing = max(0, one.number - len(cards))
            marks.append(counted([*cards, *jokers[:missing]], str(one), one.number))
            jokers = jokers[missing:]
        marks += [counted(jokers, "Jk")] * bool(jokers)
        t.tell(FOUND, call=str(call), found=found, n=bill.jokers, marks=marks)
        winner, loser = (caller, asker) if bill.is_true else (asker, caller)
        self.kitchen.pay(1, self.losses[loser])
        if bill.is_true:
            t.tell(ALL_THERE, seat=asker, to=caller, stamp=N_("it's all there"))
        else:
            t.tell(NEVER_COOKED, seat=caller, to=asker, stamp=N_("never cooked"))
            self.thank(t, asker)
        self.tell_of_loss(t, loser)
        self.hand_over(t, winner, clean=bill.jokers_used == 0)
        return self.result(t)

    # -- what lies on the table -----------------------------------------------------------------

    def zones(self, t: Table[ContoOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The call, who made it and the card shown with it, all hands, and everybody's tab."""
        fact, hero = Show(role="fact"), Show(role="hero")
        if self.hand:
            last = t.options.hand_limit(len(t.ring))
            said: dict[str, Any] = {"n": self.hand}
            counted_out = self.hand <= last  # else nobody knows how long it takes, or it decides a tie
            if counted_out:
                said["last"] = last
            if self.dealt:
                said["seat"] = self.dealer
                dealt = N_("{n} of {last}, dealt by {seat}") if counted_out else N_("{n}, dealt by {seat}")
            else:  # after the bill the dealer is the next one
                dealt = N_("{n} of {last}") if counted_out else "{n}"
            yield text_zone("hand", N_("Hand"), dealt, show=fact, **said)
        if self.calls:
            seat, call = self.calls[-1]
            yield text_zone(
                "call",
                N_("On the table"),
                N_("{call}, called by {seat}"),
                show=replace(hero, row=tuple((one.number, letter(one.dish)) for one in call.courses)),
                call=str(call),
                seat=seat,
            )
        elif self.dealt:  # so that the last call of the hand before is on view no more
            yield text_zone("call", N_("On the table"), N_("no call yet"), show=hero)
        if self.cards:
            yield text_zone("limit", N_("Cards in all hands"), "{n}", show=Show(role="aside"), n=self.cards)
        for seat, card in self.shown.items():
            yield cards_zone(f"shown.{seat}", N_("Shown"), [card], seat=seat)
        for seat in t.ring.where(self.is_in):
            yield hand_zone(self.hands[seat], N_("Hand"))
        if t.options.saldo or t.options.omaggi:  # else nobody discards
            yield pile_zone(self.scraps, N_("Under the tablecloth"), show=Show(role="aside"))
        title = N_("Saldi") if t.options.saldo else N_("Hands lost")
        yield counters_zone(self.losses, title, show=Show(better="less"))
        if t.options.omaggi:
            yield counters_zone(self.omaggi, N_("Omaggi"))
        if self.gone:
            yield text_zone("gone", N_("Out"), "{seats}", seats=self.gone)
