"""What players do with their cards before they discard: they lay melds, and add to those on the table."""

from __future__ import annotations

from typing import Any, TypeVar

from tavolata import N_, Card, Choice, Claim, Game, Hand, Pile, Question, Seat, Table, claim, one_of, some_of
from tavolata.decks import FrenchFace
from tavolata_classics.scala40.facts import LAY, found, may_act, may_add, may_lay
from tavolata_classics.scala40.melds import FEWEST, best, fitted
from tavolata_classics.scala40.options import Scala40Options

PICK, NOTHING = "pick", "nothing"
V = TypeVar("V")
LAYS = N_("{seat} lays {cards}.")


class Laying(Game[Scala40Options]):
    """The hands and the melds on the table.

    Attributes:
        hands: the cards of each seat.
        melds: the melds on the table, and room for more; those with cards come first.
        mover: whose turn it is.
        opened: by seat, whether it has laid its first melds in this deal.
    """

    hands: list[Hand[FrenchFace]]
    melds: list[Pile[FrenchFace]]
    mover: Seat
    opened: list[bool]

    async def act(self, t: Table[Scala40Options]) -> Card[FrenchFace] | str | int:
        """Return the card to discard, or the word or number of something to do before that."""
        hand, opened, least = self.hands[self.mover], self.opened[self.mover], self.least(t)
        more = list[Choice[str | int]]()
        if len(hand) > FEWEST:
            lay = N_("Lay all melds") if opened else N_("Open with all melds")
            pick = N_("Pick cards to lay")
            more.append(Choice(LAY, lay, key="l", mood="bold", verb=lay))
            more.append(Choice(PICK, pick, key="p", verb=pick))
        for number, meld in enumerate(self.melds):
            if meld and opened and len(hand) > 1:
                add = N_("Add to {cards}")
                more.append(Choice(number, add, at=meld.bottom, verb=add, params={"cards": [*meld]}))
        why = N_("Your melds aren't worth enough to open.") if least else N_("You don't have a meld.")
        must, verb = claim(why, may_act, hand, least), N_("Discard {choice}")
        return await self.ask(t, one_of(hand, *more), N_("Which card will you discard?"), must, verb=verb)

    def least(self, t: Table[Scala40Options]) -> int:
        """Return the points that the mover's melds need now."""
        return 0 if self.opened[self.mover] else t.options.opening

    async def ask(self, t: Table[Scala40Options], what: Question[V], you: str, must: Claim, **more: Any) -> V:
        """Return the mover's answer about its hand, of which the claim is true."""
        more |= {"claim": must, "about": [self.hands[self.mover]], "seat": self.mover}
        return await t.ask(self.mover, what, you, N_("{seat} thinks."), **more)

    async def lay(self, t: Table[Scala40Options], *, pick: bool) -> None:
        """Lay the melds of the cards that the player picks, or all that the seat's machine finds."""
        hand, least = self.hands[self.mover], self.least(t)
        cards = [*hand]
        if pick:
            must = claim(N_("These cards don't form melds or aren't worth enough."), may_lay, (), least)
            question, lay = some_of(hand, 0, len(hand) - 1), N_("Lay them")
            cards = await self.ask(t, question, N_("Which cards will you lay down?"), must, verb=lay)
            await t.reveal(cards)
            melds = best(tuple(card.face for card in cards), whole=True)
        else:
            melds = await t.declare(self.mover, found, cards, least, otherwise=())
            if not melds:  # nobody could say it, so all look
                melds = found([card.face for card in await t.reveal(cards)], least)
        for places in melds:
            pile = next(pile for pile in self.melds if not pile)
            hand.move_to(pile, [cards[place] for place in places])
            await t.reveal(pile)
            t.tell(LAYS, seat=self.mover, cards=[*pile])
            self.opened[self.mover] = True

    async def add(self, t: Table[Scala40Options], number: int) -> None:
        """A card that fits a meld; if a joker stands for that card, the joker comes to the hand."""
        hand, meld = self.hands[self.mover], self.melds[number]
        must = claim(N_("That card doesn't fit."), may_add, meld)
        question = one_of(hand, Choice(NOTHING, N_("nothing")))
        card = await self.ask(t, question, N_("Which card will you add to {cards}?"), must, cards=[*meld])
        if isinstance(card, str):
            return
        await t.reveal([card])
        order = fitted([one.face for one in meld], card.face)
        if order is None:  # only an answer that is proven false later
            return
        hand.move_to(meld, [card])
        t.tell(N_("{seat} adds {card}."), seat=self.mover, card=card)
        before = [*meld]
        meld.move_to(meld, [before[place] for place in order])
        if len(order) < len(before):  # a joker is left over, below the others
            meld.move_to(hand, [meld.bottom])
            t.tell(N_("{seat} takes the joker."), seat=self.mover)
