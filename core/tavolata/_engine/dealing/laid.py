"""The cards of a match as everybody knows them: a public face, a ciphertext of a shuffled pile, or a die.

A die that was shaken is a point of its own, of which nobody knows more than how to open it together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._engine.match.source import sides_of
from tavolata._engine.match.state import pack
from tavolata.cards import Card, Deck
from tavolata_protocol.fair import deck as fair_deck
from tavolata_protocol.fair import dice, shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.keys import PublicKeys


@dataclass(frozen=True, slots=True)
class CardSlot:
    """A hidden card, encrypted under the keys of `epoch`.

    It has a place in the shuffle of the number `pile`; both together identify one ciphertext of the match.
    `thing` is the ciphertext, which can be opened; `faces` are the points of its deck's faces.
    """

    epoch: int
    pile: int
    place: int
    thing: shares.PileSlot
    faces: fair_deck.Faces

    @property
    def name(self) -> str:
        return f"card {self.place} of pile {self.pile}"

    def plain(self, *, shown: bool) -> list[Any]:
        """Return epoch, pile, place, kind of deck if its face was shown, ciphertext."""
        spec = self.faces.spec if shown else b""
        return [self.epoch, self.pile, self.place, spec, self.thing.point + self.thing.mask]

    def face(self, opened: bytes) -> int | None:
        """Return the number of its face, from what t parties opened; None if it isn't a face of its deck."""
        return self.faces.number(self.thing.card, opened)


@dataclass(frozen=True, slots=True)
class DieSlot:
    """A hidden die, shaken under the keys of `epoch`.

    It has a place among the dice of the shake of the number `pile`, which is called `shake`. `thing` is its
    point, which can be opened, with a context; `sides` has, by side, the number of its face.
    """

    epoch: int
    pile: int
    place: int
    thing: shares.Openable
    context: Context
    sides: tuple[int, ...]
    shake: str

    @property
    def name(self) -> str:
        return f"die {self.place} of {self.shake}"

    def plain(self, *, shown: bool) -> list[Any]:
        """Return epoch, shake, place, the face of each side if its own was shown, the shake's name."""
        return [self.epoch, self.pile, self.place, list(self.sides) if shown else [], self.shake.encode()]

    def side(self, opened: bytes) -> int:
        return dice.value(self.context, opened, len(self.sides))

    def face(self, opened: bytes) -> int:
        return self.sides[self.side(opened)]


Slot = CardSlot | DieSlot
"""What is hidden: a card or a die."""


class LaidDeck:
    """All cards of one deck on the table, in the order in which they were laid.

    `number` is the deck's in the match, in the order in which decks were laid. `printed` has the face number
    of each of its cards before any shuffle. `spec` is the deck's name and number, as they are hashed, `faces`
    the points of its faces.
    """

    def __init__(self, deck: Deck[Any], number: int) -> None:
        self.cards: list[int] = []
        self.printed: list[int] = []
        self.spec = pack([deck.name, number])
        self.faces = fair_deck.Faces(self.spec, len(deck.faces))


class Laid:
    """Every card of the match.

    By card: `shown` has the face number of each public card, `slots` the ciphertext of each hidden card, or
    the point of each hidden die. `kept` has, by number, those of cards that were shuffled or shaken since
    something was said of them.
    """

    def __init__(self) -> None:
        self._kinds: dict[Deck[Any], LaidDeck] = {}
        self._kind_of: dict[int, LaidDeck] = {}
        self.shown: dict[int, int] = {}
        self.slots: dict[int, Slot] = {}
        self.kept: dict[int, Slot] = {}

    def lay(self, cards: list[Card[Any]]) -> None:
        for card, number in zip(cards, cards[0].deck.cards if cards else (), strict=True):
            if card.deck not in self._kinds:
                self._kinds[card.deck] = LaidDeck(card.deck, len(self._kinds))
            kind = self._kind_of[card.id] = self._kinds[card.deck]
            kind.cards.append(card.id)
            kind.printed.append(number)
            self.shown[card.id] = number

    def kind_of(self, card: int) -> LaidDeck:
        return self._kind_of[card]

    def is_whole(self, cards: Iterable[int]) -> bool:
        """Return True if these are all the cards of one deck: then it does not matter where each card was."""
        mine = set(cards)
        return bool(mine) and mine == set(self._kind_of[min(mine)].cards)

    def epoch_of(self, cards: tuple[int, ...]) -> int | None:
        """Return the epoch of the keys under which these cards must be shuffled; None if any keys will do.

        A deck stays under the keys of one epoch as long as one of its cards is hidden under them. In one
        shuffled pile, cards under different keys could be told apart.
        """
        rest = set(self._kind_of[cards[0]].cards) - set(cards)
        bound = rest if self.is_whole(cards) else rest | set(cards)
        return next((self.slots[card].epoch for card in sorted(bound) if card in self.slots), None)

    def before_shuffle(self, cards: tuple[int, ...]) -> tuple[int | shares.PileSlot, ...]:
        """Return what a shuffle of these cards begins with: the numbers of known faces, and ciphertexts."""
        if self.is_whole(cards):
            return tuple(self._kind_of[cards[0]].printed)
        return tuple(self.shown[card] if card in self.shown else self._ciphertext(card) for card in cards)

    def pile(self, cards: tuple[int, ...], joint: bytes) -> fair_deck.Deck:
        """Return the ciphertexts that a shuffle of these cards begins with, under the public key `joint`."""
        known, start = self._kind_of[cards[0]].faces.known, self.before_shuffle(cards)
        return tuple(known(one, joint) if isinstance(one, int) else one.card for one in start)

    def _ciphertext(self, card: int) -> shares.PileSlot:
        slot = self.slots[card]
        assert isinstance(slot, CardSlot)  # the table lets no die be shuffled
        return slot.thing

    def shuffled(
        self, cards: tuple[int, ...], epoch: int, pile: int, things: tuple[shares.PileSlot, ...]
    ) -> None:
        """Note that these cards are now the ciphertexts of a shuffled pile, in this order."""
        for place, (card, thing) in enumerate(zip(cards, things, strict=True)):
            self.shown.pop(card, None)
            self.slots[card] = CardSlot(epoch, pile, place, thing, self._kind_of[card].faces)

    def shaken(
        self, thrown: Sequence[Card[Any]], epoch: int, keys: PublicKeys, number: int, shake: str
    ) -> None:
        """Note that these dice were thrown: each has a point of its own now.

        `number` counts the shakes of the match, and the rules alone name the `shake`.
        """
        for place, die in enumerate(thrown):
            self.shown.pop(die.id, None)
            context = keys.context(shake, place, 0)
            point = dice.point(context)
            self.slots[die.id] = DieSlot(epoch, number, place, point, context, sides_of(die), shake)

    def keep(self, cards: Mapping[int, int]) -> None:
        """Keep what cards are that must be shuffled or shaken, by card under this number."""
        self.kept |= {number: self.slots[card] for card, number in cards.items()}

    def turned_up(self, card: int, face: int) -> None:
        self.shown[card] = face
        self.slots.pop(card, None)
