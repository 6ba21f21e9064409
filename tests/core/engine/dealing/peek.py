"""A small game that needs everything of a dealer: lots, hidden hands, seals, hidden piles shuffled again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tavolata import N_, Deck, Game, Hand, Options, Outcome, Pile, Seat, Table, Zone, amount, one_of, option
from tavolata.zones import hand_zone, pile_zone

NINE = Deck("nine", [1, 1, 2, 3, 4, 5, 6, 7, 8])


@dataclass(frozen=True)
class PeekOptions(Options):
    """How long it goes."""

    rounds: int = option(2, low=1, high=5, help=N_("Rounds."))


class Peek(Game[PeekOptions]):
    """Guess what you will win; lay a card; see one of your neighbour's; the highest card takes the round."""

    name, title, seats, options = "peek", N_("Peek"), (2, 8), PeekOptions
    hands: list[Hand[int]]
    deck: Pile[int]
    laid: Pile[int]

    def setup(self, t: Table[PeekOptions]) -> None:
        self.deck, self.laid = t.pile("deck", NINE), t.pile("laid")
        self.hands = t.hands("hand")
        self.won, self.thrown = [0] * len(t.ring), 0

    async def turn(self, t: Table[PeekOptions]) -> Outcome | None:
        for pile in (self.laid, *self.hands):
            pile.move_to(self.deck)
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=1)
        bids = await t.seal_all(dict.fromkeys(t.ring, amount(0, 9)), N_("What will win?"))
        self.thrown += await t.randrange(6)
        await t.show([self.hands[t.first_seat].cards[0]], to=[t.ring.after(t.first_seat)])
        await t.shuffle(self.deck)  # hidden, and not the whole deck
        await t.mix(self.hands[t.first_seat])
        for seat in t.ring:
            other = await t.ask(seat, one_of(["keep", "change"]), N_("Keep your card?"))
            if other == "change" and self.deck:
                self.hands[seat].move_to(self.laid)
                await t.deal(self.deck, [self.hands[seat]])
        shown = await t.reveal([card for hand in self.hands for card in hand])
        await t.reveal(bids.values())
        best = max(card.face for card in shown)
        for seat in t.ring:
            self.won[seat] += 3 * (bids[seat].value == best) + (self.hands[seat].cards[0].face == best)
            t.tell(N_("{seat} has {card}."), seat=seat, card=self.hands[seat].cards[0])
        if t.turn + 1 < t.options.rounds:
            return None
        return Outcome(
            tuple(seat for seat in t.ring if self.won[seat] == max(self.won)), scores=tuple(self.won)
        )

    def zones(self, t: Table[PeekOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.deck, N_("Deck"))
        for hand in self.hands:
            yield hand_zone(hand, N_("Hand"))
