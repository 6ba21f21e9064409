"""What a rule can say and ask: the words of the table.

Every method that brings chance, a face or an answer is awaited: it is a place where the match may
wait, where entries of the log come in and where interjections happen. Everything else is direct.
Here are chance and faces; pieces and events are laid in `laying`, questions asked in `asking`. How an
answer or a face comes about is the business of a *source* (`tavolata._engine.match.source`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tavolata.asking import WAIT, Asking
from tavolata.cards import Card, Hand, Pile
from tavolata.dice import Die
from tavolata.errors import Cheat, PieceError
from tavolata.laying import Tell
from tavolata.options import Options
from tavolata.ring import Seat

if TYPE_CHECKING:
    from tavolata._engine.match.source import Source
    from tavolata.game import Game

O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options, as in tavolata.game
F = TypeVar("F")
_DECK = attrgetter("deck")


class Table(Asking, Generic[O]):
    """The table of one match, as its rules see it.

    Attributes:
        options: the house rules.
        ring: the seats in turn order.
        first_seat: a seat drawn by lot before the match.
        names: the players' names by seat; for messages only, rules don't depend on them.
        turn: how many turns have ended.
    """

    def __init__(
        self,
        seats: int,
        options: O,
        source: Source,
        names: Sequence[str],
        listener: Tell | None,
        pace: float | None,
    ) -> None:
        super().__init__(seats, source, listener, pace)
        self.options = options
        self.first_seat = self.ring[0]
        self.names = tuple(names)
        self.turn = 0
        self._reveal = source.reveal  # bound once: it is called for every card
        self._revealing: list[Card[Any]] = []

    def _attach(self, game: Game[Any]) -> None:
        """Meet the game whose claims are judged here."""
        self._game = game

    async def shuffle(self, *piles: Pile[Any]) -> None:
        """Shuffle a pile; of several, all are put onto the first. Nobody knows its cards any more.

        Raises:
            PieceError: the cards have different backs; nothing was moved.
        """
        first, *rest = piles
        if len(self._decks) > 1:
            decks = {deck for pile in piles for deck in map(_DECK, pile.cards)}
            if len(decks) > 1:
                raise PieceError(
                    f"{first.name} would have cards of {len(decks)} decks; one can tell their backs."
                )
        for pile in rest:
            pile.pass_on(first)
        while not self._source.shuffle(first.cards):
            await WAIT
        if self._claims:  # a handle is another card now: what was said of the old one can't be checked
            mixed = set(first.cards)
            self._claims = [one for one in self._claims if one[0] not in mixed]

    async def mix(self, hand: Hand[Any]) -> None:
        """Mix a hand unseen: its owner still knows its cards, and nobody else which of them is which.

        For games in which it would tell something when a card was drawn that is played later.
        """
        await self.shuffle(hand)
        await self.show(hand, [hand.owner])

    async def turn_up(self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None) -> Card[F]:
        """Take the top card of a pile and show it to everybody.

        Args:
            pile: where it lies.
            onto: where it goes, if not into the rule's hands.
            by: the seat whose hand turns it: at a table it does so with a key, or at the set pace.

        Raises:
            PieceError: the pile is empty.
        """
        if by is not None and self._pace is not None:
            await self.pause(by)
        cards = pile.cards
        card = cards[-1] if cards else pile.top
        while not self._reveal(card):
            await WAIT
        if cards and cards[-1] is card:
            cards.pop()
        else:  # an interjection has moved cards while we waited
            pile.take(card)
        if onto is not None:
            onto.cards.append(card)
        if self._claims:
            self._judge(card)
        return card

    async def reveal(self, cards: Iterable[Card[F]]) -> list[Card[F]]:
        """Show these cards to everybody, where they lie."""
        shown = self._revealing = list(cards)
        for card in shown:
            if not card.is_public:
                while not self._reveal(card):
                    await WAIT
                if self._claims:
                    self._judge(card)
        self._revealing = []
        return shown

    def _judge(self, card: Card[Any]) -> None:
        """A face is public now: was everything true that was said of it?"""
        said = [one for one in self._claims if one[0] is card]
        self._claims = [one for one in self._claims if one[0] is not card]
        for _, seat, claim in said:
            if not getattr(self._game, claim.rule)(card.face, *claim.args):
                raise Cheat(seat, f"Seat {seat + 1} played a card that it may not have played ({card.face}).")

    async def show(self, cards: Iterable[Card[Any]], to: Iterable[Seat]) -> None:
        """Show these cards to some seats only."""
        shown = list(cards)
        await self._show([(card, seat) for seat in to for card in shown])

    async def _show(self, what: list[tuple[Card[Any], Seat]]) -> None:
        self._asks += 1
        while not self._source.show(what, self._asks):
            await WAIT

    async def deal(self, pile: Pile[F], hands: Iterable[Hand[Any]], each: int = 1) -> None:
        """Deal cards one by one from the top, `each` to every hand in this order; owners see theirs.

        Raises:
            PieceError: the pile has too few; nothing was dealt.
        """
        order = list(hands) * each
        if len(order) > len(pile):
            raise PieceError(f"{pile.name} has {len(pile)} cards; {len(order)} can't be dealt.")
        dealt = [(pile.cards[-1 - place], hand) for place, hand in enumerate(order)]
        await self._show([(card, hand.owner) for card, hand in dealt])
        for card, hand in dealt:
            hand.put(pile.take(card))

    async def roll(self, *dice: Die[F]) -> list[F]:
        """Throw dice; what each shows, in their order."""
        return [die.faces[await self.lot(len(die.faces))] for die in dice]

    async def lot(self, sides: int) -> int:
        """A number from 0 to `sides` - 1, each as likely as any other."""
        if sides < 1:
            raise PieceError(f"There is no lot with {sides} sides.")
        while (number := self._source.number(sides)) is None:
            await WAIT
        return number
