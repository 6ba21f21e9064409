"""Imagined deals of the Action cards that a seat does not see, each in some of the imagined races.

A deal gives every such card a face that it may have and, if it is still in a hand, the lane where its player
would slip it. A face is in one place only, and what the seat sees itself is in no other place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from typing_extensions import override

from tavolata import Seat, View
from tavolata_horse_fever.appraisal import POSITIONAL, Appraiser, Rumour, helps, lane_with
from tavolata_horse_fever.cards.action import ALL_ACTION, PLAIN_ACTION
from tavolata_horse_fever.cards.faces import ActionCard
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.foresight import ALL, RACES, Lane, mixed, places
from tavolata_horse_fever.rules.bets import Bet, Side
from tavolata_horse_fever.tables import BET_TOKENS

DEALS = 32
"""The number of imagined deals. Each of them holds in as many of the imagined races."""
HOLDS = [((1 << RACES // DEALS) - 1) << number * (RACES // DEALS) for number in range(DEALS)]
"""By deal, the races in which it holds."""
STRIDES = (1, 13, 5, 11, 7, 3, 9, 15)
"""Odd numbers: by one of them, the faces of a card go round all deals, from the best to the worst."""
FOR = {1: 1.0, 0: 0.4, -1: 0.04}
"""How likely a player slips a card that helps, does neither, or hinders, behind a horse of its own bets."""
AGAINST = {1: 0.08, 0: 0.8, -1: 1.0}
"""The same behind any other horse."""
SECOND_TARGET = 5
"""In so many of sixteen cases a card that hinders goes behind the second best horse of others."""
TRIED = 3
"""The horses on which a bet is thought through: those that promise most at the first glance."""

HELPING = frozenset(card.number for card in ALL_ACTION.faces if helps(card) > 0)
"""The numbers of the cards that help a horse."""

Cards = dict[tuple[int, ...], int]
"""By the numbers of the cards in one lane, in order, the races in which they lie there."""


class CardReader(Appraiser):
    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._lanes: dict[tuple[int, tuple[int, ...]], Lane] = {}

    @cached_property
    def slipped(self) -> list[tuple[Colour, Seat]]:
        """Return the lanes and players of the cards in lanes that the seat does not know."""
        game = self.game
        return [
            (colour, seat)
            for colour in LANES
            for card, seat in zip(game.lanes[colour], game.slipped[colour], strict=False)
            if self.view.face(card) is None
        ]

    @cached_property
    def held(self) -> list[Seat]:
        """Return the other players, each as often as it has Action cards in hand."""
        return [seat for seat in self.view.ring if seat != self.seat for _ in self.game.hands[seat]]

    @cached_property
    def known(self) -> dict[Colour, list[int]]:
        lanes = {colour: map(self.view.face, self.game.lanes[colour]) for colour in LANES}
        return {
            colour: [face.number for face in faces if face is not None] for colour, faces in lanes.items()
        }

    @cached_property
    def deals(self) -> list[list[ActionCard]]:
        """Return, by deal, the faces of the unknown cards: those in lanes first, then those in hands."""
        seen = {number for numbers in self.known.values() for number in numbers}
        seen.update(card.number for card in self.hand())
        deck = ALL_ACTION if self.options.starred else PLAIN_ACTION
        faces = [card for card in deck.faces if card.number not in seen]
        backed = {(bet.horse, bet.seat) for bet in self.game.bets}
        likely = [
            [(FOR if one in backed else AGAINST)[helps(face)] for face in faces] for one in self.slipped
        ]
        likely += [[1.0] * len(faces) for _ in self.held]
        return [_drawn(faces, likely, number) for number in range(DEALS)]

    def lay(self, *more: Bet) -> dict[Colour, Cards]:
        """Return the cards in all lanes, when some more bets are laid.

        Players help the best horse that they have bet on, and hinder the best ones of the others.
        """
        backed: dict[Seat, list[Colour]] = {}
        for bet in [*self.game.bets, *more]:
            backed.setdefault(bet.seat, []).append(bet.horse)
        every = [horse for horses in backed.values() for horse in horses]
        open_ = [colour for colour in self.best if every.count(colour) < BET_TOKENS[len(self.view.ring)]]
        aims: dict[Seat, tuple[Colour, list[Colour]]] = {}
        for seat in sorted(set(self.held)):
            own = backed.get(seat) or open_[:1] or self.best[:1]
            free = [colour for colour in self.best if colour not in own]
            targets = [colour for colour in free if colour in every][:2] or free[:1]
            aims[seat] = min(own, key=self.game.odds.__getitem__), targets
        found: dict[Colour, Cards] = {colour: {} for colour in LANES}
        lay = [colour for colour, _ in self.slipped]
        where = dict.fromkeys([*lay, *(lane for own, others in aims.values() for lane in (own, *others))])
        for number, (faces, races) in enumerate(zip(self.deals, HOLDS, strict=True)):
            lanes: dict[Colour, list[int]] = {colour: [] for colour in where}
            for colour, face in zip(lay, faces, strict=False):
                lanes[colour].append(face.number)
            for place, (seat, face) in enumerate(zip(self.held, faces[len(lay) :], strict=False)):
                own_best, targets = aims[seat]
                second = (number * 7 + place * 11) % 16 < SECOND_TARGET
                good = face.number in HELPING
                lanes[own_best if good else targets[-1 if second else 0]].append(face.number)
            for colour, cards in lanes.items():
                key = tuple(sorted([*self.known[colour], *_alone(cards)]))
                found[colour][key] = found[colour].get(key, 0) | races
        for colour in LANES:
            if colour not in where:  # there is no card in it that the seat does not know
                found[colour][tuple(sorted(self.known[colour]))] = ALL
        return found

    @cached_property
    def laid(self) -> dict[Colour, Cards]:
        return self.lay()

    @override
    def lane(
        self,
        colour: Colour,
        *more: ActionCard,
        rumour: Rumour | None = None,
        cards: Cards | None = None,
    ) -> Lane:
        """Return how the horse of a lane may fare, with some more own cards.

        `rumour` is not used, for the deals have others' cards. Without `cards`, it has those of the
        bets that are laid.
        """
        own, number = [card.number for card in more], LANES.index(colour)
        parts: dict[Lane, int] = {}
        for key, races in (self.laid[colour] if cards is None else cards).items():
            one = self._lane_with(number, tuple(sorted({*key, *own})) if own else key)
            parts[one] = parts.get(one, 0) | races
        if len(parts) == 1:
            return next(iter(parts))
        return mixed((races, one) for one, races in parts.items())

    def _lane_with(self, number: int, cards: tuple[int, ...]) -> Lane:
        one = self._lanes.get((number, cards))
        if one is None:
            horse = self.game.lined_up(LANES[number])
            one = lane_with(number, cards, horse, self.rows, self.options.removal_first)
            self._lanes[number, cards] = one
        return one

    @override
    def promises(self, bets: Sequence[Bet]) -> list[float]:
        """Return the chance to win with each of these bets, with its own cards where they help most.

        Bets on horses that promise little at the first glance get none.
        """
        found = places(self.lanes)
        gains: dict[Colour, float] = {}
        for bet in bets:
            gains[bet.horse] = max(gains.get(bet.horse, 0.0), self.gain(bet, found))
        tried = sorted(gains, key=gains.__getitem__, reverse=True)[:TRIED]
        tables = {horse: self.with_own_cards(horse) for horse in tried}
        return [self.promise(tables[bet.horse], [bet]) if bet.horse in tables else 0.0 for bet in bets]

    def with_own_cards(self, horse: Colour) -> list[Lane]:
        bet = Bet(self.seat, horse, Side.WIN, self.game.minimum_bet(self.seat))
        hand = self.hand()
        laid = self.lay(bet) if self.held else self.laid
        rivals = [colour for colour in self.best if colour is not horse][:2]
        put: dict[Colour, list[ActionCard]] = {colour: [] for colour in LANES}
        lanes = {
            colour: self.lane(colour, cards=laid[colour])
            if laid[colour] != self.laid[colour]
            else self.lanes[number]
            for number, colour in enumerate(LANES)
        }
        for card in hand:
            good = helps(card)
            ways = {
                colour: self.lane(colour, *put[colour], card, cards=laid[colour])
                for colour in ([horse] if good > 0 else rivals if good < 0 else [horse, *rivals])
            }
            best = horse
            if good <= 0:
                worths = {
                    way: self.promise([*{**lanes, way: one}.values()], [bet]) for way, one in ways.items()
                }
                best = max(worths, key=worths.__getitem__)
            put[best].append(card)
            lanes[best] = ways[best]
        return [lanes[colour] for colour in LANES]


def _alone(cards: list[int]) -> list[int]:
    """Return the unknown cards of a lane. One that asks who is first or last counts alone, for it is slow."""
    for card in cards:
        if card in POSITIONAL:
            return [card]
    return cards


def _drawn(faces: list[ActionCard], likely: list[list[float]], number: int) -> list[ActionCard]:
    left, drawn = list(range(len(faces))), list[ActionCard]()
    for card, weights in enumerate(likely[: len(faces)]):  # a table set up by hand may have fewer faces
        turn = (number * STRIDES[card % len(STRIDES)] + card * 5) % DEALS
        rest = (turn + 0.5) / DEALS * sum([weights[face] for face in left])
        for face in left:
            rest -= weights[face]
            if rest <= 0:
                break
        left.remove(face)
        drawn.append(faces[face])
    return drawn
