"""Leduc poker for two: a small game of many decisions, to measure what a decision costs.

Six cards (two suits of J, Q, K), one each in hand, a round of betting, a public card, another
round. A pair with the public card wins, else the higher rank.
"""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import (
    Ask,
    Choice,
    Deck,
    Game,
    Hand,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    View,
    one_of,
    option,
)
from tavolata.bots import Bot, Chance

LEDUC = Deck("leduc", [11, 11, 12, 12, 13, 13])
FOLD, CALL, RAISE = 0, 1, 2
OPEN = one_of([Choice(CALL, "call"), Choice(RAISE, "raise")])
FACING = one_of([Choice(FOLD, "fold"), Choice(CALL, "call"), Choice(RAISE, "raise")])
CAPPED = one_of([Choice(FOLD, "fold"), Choice(CALL, "call")])
STAKES = (2, 4)


@dataclass(frozen=True, kw_only=True)
class LeducOptions(Options):
    """How long a match is."""

    hands: int = option(100, "Hands in a match.", low=1)


class Leduc(Game[LeducOptions]):
    """Leduc poker, a number of hands; the bank balances both purses."""

    name = "leduc"
    title = "Leduc"
    seats = (2, 2)
    options = LeducOptions

    deck: Pile[int]
    board: Pile[int]
    hands: list[Hand[int]]

    def setup(self, t: Table[LeducOptions]) -> None:
        """Six cards, two purses."""
        self.deck = t.pile("deck", LEDUC)
        self.board = t.pile("board")
        self.hands = t.hands("hand")
        self.won = [0, 0]
        self.paid = [1, 1]
        self.leads = t.first_seat

    async def turn(self, t: Table[LeducOptions]) -> Outcome | None:
        """One hand."""
        self.paid[:] = 1, 1
        await t.shuffle(self.deck, self.board, *self.hands)
        await t.deal(self.deck, self.hands)
        loser = await self.betting(t, 0)
        if loser is None:
            await t.turn_up(self.deck, onto=self.board)
            loser = await self.betting(t, 1)
        if loser is None:
            loser = await self.showdown(t)
        if loser is not None:
            self.won[loser] -= self.paid[loser]
            self.won[1 - loser] += self.paid[loser]
        self.leads = t.ring.next(self.leads)
        if t.turn + 1 < t.options.hands:
            return None
        return Outcome(
            tuple(seat for seat in t.ring if self.won[seat] == max(self.won)), scores=tuple(self.won)
        )

    async def betting(self, t: Table[LeducOptions], street: int) -> Seat | None:
        """Both bet in turn, two raises at most; the seat that folded, if one did."""
        paid, player, raises, calls = self.paid, self.leads, 0, 0
        while True:
            question = OPEN if paid[0] == paid[1] else FACING if raises < 2 else CAPPED
            said = await t.ask(player, question, "Your bet.", "A bet is due.")
            if said == FOLD:
                return player
            other = 1 - player
            if said == RAISE and raises < 2:
                paid[player] = paid[other] + STAKES[street]
                raises += 1
            else:
                calls += 1
                paid[player] = paid[other]
                if raises or calls == 2:
                    return None
            player = t.ring[other]

    async def showdown(self, t: Table[LeducOptions]) -> Seat | None:
        """Both hands are shown; the seat that lost, None if they are equal."""
        first, second = await t.reveal([self.hands[0].top, self.hands[1].top])
        board = self.board.top.face
        strength = [20 * (card.face == board) + card.face for card in (first, second)]
        return None if strength[0] == strength[1] else t.ring[strength.index(min(strength))]


class Caller(Bot):
    """Looks at its card and the board, raises with a king or a pair, calls as a rule."""

    level = "caller"

    def choose(self, view: View[Leduc], ask: Ask, chance: Chance) -> object:
        """A bet from what may be seen."""
        game = view.game
        mine = view.face(game.hands[view.seat].cards[-1])  # type: ignore[index]  # a bot has a seat
        board = game.board.cards
        strong = mine == 13 or (board and board[-1].face == mine)
        return RAISE if strong and ask.question is not CAPPED else CALL
