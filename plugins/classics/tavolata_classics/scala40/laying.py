"""What players do with their cards before they discard: they lay melds, and add to those on the table."""

from __future__ import annotations

from typing import Any, TypeVar

from tavolata import N_, Card, Choice, Claim, Game, Hand, Pile, Question, Seat, Table, claim, one_of, some_of
from tavolata.decks import FrenchFace
from tavolata_classics.scala40.facts import LAY, found, may_act, may_add, may_lay
from tavolata_classics.scala40.melds import FEWEST, fitted, split
from tavolata_classics.scala40.options import Scala40Options

PICK, NOTHING = "pick", "nothing"
V = TypeVar("V")
LAYS = N_("{seat} lays {cards}.")


class Laying(Game[Scala40Options]):
    """The hands and the melds on the table.

    Attributes:
        hands: the cards of each seat.
        melds: the melds on the table, and room for more; those with cards come first.
        opened: by seat, whether it has laid its first melds in this deal.
    """

    hands: list[Hand[FrenchFace]]
    melds: list[Pile[FrenchFace]]
    opened: list[bool]

    async def act(self, t: Table[Scala40Options], seat: Seat) -> Card[FrenchFace] | str | int:
        """Return the card to discard, or the word or number of something to do before that."""
        hand, more = self.hands[seat], list[Choice[str | int]]()
        if len(hand) > FEWEST:
            lay = N_("Lay all melds") if self.opened[seat] else N_("Open with all melds")
            more.append(Choice(LAY, lay, key="l", mood="bold", verb=lay))
            more.append(Choice(PICK, N_("Pick cards to lay"), key="p", verb=N_("Pick cards to lay")))
        if self.opened[seat] and len(hand) > 1:
            for number, on_table in enumerate(self.melds):
                if on_table:
                    params, add = {"cards": [*on_table]}, N_("Add to {cards}")
                    more.append(Choice(number, add, at=on_table.bottom, verb=add, params=params))
        least = self.least(t, seat)
        why = N_("Your melds aren't worth enough to open.") if least else N_("You don't have a meld.")
        question = one_of([Choice(card, verb=N_("Discard {choice}")) for card in hand], *more)
        return await self.ask(
            t, seat, question, N_("Which card do you discard?"), claim(why, may_act, hand, least)
        )

    def least(self, t: Table[Scala40Options], seat: Seat) -> int:
        """Return the points that a seat's melds need now."""
        return 0 if self.opened[seat] else t.options.opening

    async def ask(
        self, t: Table[Scala40Options], seat: Seat, question: Question[V], you: str, must: Claim, **more: Any
    ) -> V:
        """Return an answer about the hand of which the claim is true."""
        hand, others = self.hands[seat], N_("{seat} thinks.")
        return await t.ask(seat, question, you, others, claim=must, about=[hand], seat=seat, **more)

    async def lay(self, t: Table[Scala40Options], seat: Seat, *, pick: bool) -> None:
        """Lay the melds of the cards that the player picks, or all that the seat's machine finds."""
        hand, least = self.hands[seat], self.least(t, seat)
        cards = [*hand]
        if pick:
            must = claim(N_("These cards aren't melds, or not worth enough."), may_lay, (), least)
            question, lay = some_of(hand, 0, len(hand) - 1), N_("Lay them")
            cards = await self.ask(t, seat, question, N_("Which cards do you lay?"), must, verb=lay)
            await t.reveal(cards)
            melds = tuple(split([card.face for card in cards]))
        else:
            melds = await t.declare(seat, found, cards, least)
        for places in melds:
            pile = next(pile for pile in self.melds if not pile)
            hand.move_to(pile, [cards[place] for place in places])
            await t.reveal(pile)
            t.tell(LAYS, seat=seat, cards=[*pile])
            self.opened[seat] = True

    async def add(self, t: Table[Scala40Options], seat: Seat, number: int) -> None:
        """A card that fits a meld; if a joker stands for that card, the joker comes to the hand."""
        hand, on_table = self.hands[seat], self.melds[number]
        must = claim(N_("That card doesn't fit."), may_add, on_table)
        question = one_of(hand, Choice(NOTHING, N_("nothing")))
        you = N_("Which card do you add to {cards}?")
        card = await self.ask(t, seat, question, you, must, cards=[*on_table])
        if isinstance(card, str):
            return
        await t.reveal([card])
        before = [*on_table, card]
        order = fitted([one.face for one in on_table], card.face)
        if order is None:  # only an answer that is proven false later
            return
        hand.move_to(on_table, [card])
        t.tell(N_("{seat} adds {card}."), seat=seat, card=card)
        for one in [one for place, one in enumerate(before) if place not in order]:
            on_table.move_to(hand, [one])
            t.tell(N_("{seat} takes the joker."), seat=seat)
        for place in order:  # in the order of the meld
            on_table.move_to(on_table, [before[place]])
