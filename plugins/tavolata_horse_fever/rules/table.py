"""The state of a match: what is on the table, and the questions that the chapters ask about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tavolata import N_, Card, Hand, Pile, Seat, Table, Track
from tavolata_horse_fever.cards.action import ALL_ACTION, PLAIN_ACTION
from tavolata_horse_fever.cards.assistants import ASSISTANT_DECK
from tavolata_horse_fever.cards.characters import DECKS
from tavolata_horse_fever.cards.effects import Effects
from tavolata_horse_fever.cards.faces import ActionCard, Assistant, Character, HorseCard
from tavolata_horse_fever.cards.horses import HORSE_DECK
from tavolata_horse_fever.cards.loans import Loan
from tavolata_horse_fever.cards.movement import MOVEMENT_DECK, MovementCard
from tavolata_horse_fever.cards.objectives import OBJECTIVE_DECK, Objective
from tavolata_horse_fever.colours import LANES, TOKENS, Colour
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.rules.bets import Bet
from tavolata_horse_fever.rules.lanes import lane_effects
from tavolata_horse_fever.rules.ledger import LedgerGame
from tavolata_horse_fever.tables import (
    BET_TOKENS,
    FINISH,
    LAST_SQUARE,
    PRICES,
    TURNS,
    UNIT,
    clamped,
)

T = Table[HorseFeverOptions]


class HorseFeverTable(LedgerGame):
    """The board, the decks, and what is before each player.

    Attributes:
        turn_number: 1 for the first turn; 0 before the preparation.
        results, fortunes: after each turn but the last, the points and the money by seat.
        first: the seat with the First Player card.
        gone: the seats that are out, in the order in which they went.
        odds: the odds of each stable, 2 for 1:2.
        before: the odds before the line-up of this turn.
        shifts: the changes of the odds since then, each a stable and rows up, without those by a Horse.
        bets: the bets of this turn, in the order in which they were laid.
        slipped: by lane, the seats that have slipped a card into it, in their order.
        bought: by seat, its purchases in this phase.
        refused: the offers that were refused in this purchase, each with its seller.
        stirred: the decks under which cards were put since they were shuffled.
        ranking: the horses that have arrived, in their order.
    """

    chapter: int
    turn_number: int = 0
    results: list[tuple[int, ...]]
    fortunes: list[tuple[int, ...]]
    first: Seat
    gone: list[Seat]
    odds: dict[Colour, int]
    before: dict[Colour, int]
    shifts: list[tuple[Colour, int]]
    owners: dict[Colour, Seat | None]
    bets: list[Bet]
    slipped: dict[Colour, list[Seat]]
    bought: list[list[Any]]
    refused: list[tuple[Seat, Any]]
    stirred: list[str]
    loans: list[tuple[Seat, Loan]]
    ranking: list[Colour]

    track: Track
    movement: Pile[MovementCard]
    moved: Pile[MovementCard]
    action: Pile[ActionCard]
    spent: Pile[ActionCard]
    characters: Pile[Character]
    assistant_deck: Pile[Assistant]
    horse_deck: Pile[HorseCard]
    objective_deck: Pile[Objective]
    aside: Pile[Any]
    hands: list[Hand[Any]]
    objectives: list[Hand[Any]]
    assistants: list[Pile[Assistant]]
    horses: list[Pile[HorseCard]]
    character: list[Pile[Character]]
    lanes: dict[Colour, Pile[ActionCard]]
    gates: dict[Colour, Pile[HorseCard]]

    def lay(self, t: T) -> None:
        starred = t.options.starred
        self.track = t.track("track", LAST_SQUARE, list(TOKENS.values()), {FINISH: N_("FINISH")})
        for token in TOKENS.values():
            self.track.put(token, 0)
        self.movement, self.moved = t.pile("movement", MOVEMENT_DECK), t.pile("moved")
        self.action, self.spent = t.pile("action", ALL_ACTION if starred else PLAIN_ACTION), t.pile("spent")
        self.characters = t.pile("characters", DECKS[t.options.printed_cards, starred])
        self.aside = t.pile("aside")
        self.assistant_deck = t.pile("assistants", ASSISTANT_DECK if t.options.board else None)
        self.horse_deck = t.pile("horses", HORSE_DECK if t.options.board else None)
        self.objective_deck = t.pile("objectives", OBJECTIVE_DECK if t.options.board else None)
        self.hands = t.hands("hand")
        self.objectives = t.hands("goals")
        self.assistants = [t.pile(f"assistants.{seat}") for seat in t.ring]
        self.horses = [t.pile(f"horses.{seat}") for seat in t.ring]
        self.character = [t.pile(f"character.{seat}") for seat in t.ring]
        self.lanes = {colour: t.pile(f"lane.{colour.name.lower()}") for colour in LANES}
        self.gates = {colour: t.pile(f"gate.{colour.name.lower()}") for colour in LANES}
        self.chapter = self.turn_number = 0
        self.results, self.fortunes = [], []
        self.first, self.gone = t.first_seat, []
        self.odds, self.before, self.shifts = {}, {}, []
        self.owners = dict.fromkeys(LANES)
        self.bets, self.ranking, self.stirred, self.loans = [], [], [], []
        self.bought, self.refused = [[] for _ in t.ring], []
        self.slipped = {colour: [] for colour in LANES}

    # -- who plays ------------------------------------------------------------------------------

    def is_in(self, seat: Seat) -> bool:
        """Return True if a seat still plays (20)."""
        return seat not in self.gone

    @property
    def players(self) -> list[Seat]:
        """The seats that still play, by number."""
        return [hand.owner for hand in self.hands if self.is_in(hand.owner)]

    @property
    def only_one_left(self) -> bool:
        """Return True if all but one are out, and so the match is won (20)."""
        return len(self.gone) >= len(self.tokens) - 1

    def around(self, t: T, *, backwards: bool = False) -> Iterator[Seat]:
        """Yield the seats that are in: clockwise from the First Player, or backwards to the First Player.

        It ends when only one is left.
        """
        order = t.ring.starting(self.first)
        for seat in reversed(order) if backwards else order:
            if self.only_one_left:
                return
            if self.is_in(seat):
                yield seat

    def last_turn(self, options: HorseFeverOptions) -> int:
        return options.turns or TURNS[len(self.hands)]

    # -- what they have -------------------------------------------------------------------------

    def stables_of(self, seat: Seat) -> list[Colour]:
        return [colour for colour, owner in self.owners.items() if owner == seat]

    def points(self, seat: Seat) -> int:
        """Return a seat's points: tokens, and one for each stable (14)."""
        return self.tokens[seat] + list(self.owners.values()).count(seat)

    def minimum_bet(self, seat: Seat) -> int:
        """Return the least stake of a bet (14)."""
        return max(UNIT, self.points(seat) * UNIT)

    def effects_of(self, seat: Seat) -> Effects:
        cards: list[Card[Any]] = [*self.character[seat], *self.assistants[seat]]
        return tuple(effect for card in cards for effect in card.face.effects)

    def give_loans_back(self, seat: Seat) -> None:
        self.loans = [loan for loan in self.loans if loan[0] != seat]

    def price_of(self, stable: Colour) -> int:
        """Return the price of a stable at its present odds, without discounts."""
        return PRICES[self.odds[stable]]

    @property
    def collections(self) -> tuple[tuple[Pile[Any], Sequence[Pile[Any]]], ...]:
        """The cards that players keep: for each kind its deck, and by seat what is before a player."""
        return (
            (self.objective_deck, self.objectives),
            (self.assistant_deck, self.assistants),
            (self.horse_deck, self.horses),
        )

    # -- stables and horses ---------------------------------------------------------------------

    def shift(self, stable: Colour, rows: int) -> None:
        """Move a stable this many rows up the blackboard, for good (4)."""
        self.odds[stable] = clamped(self.odds[stable] - rows)

    def free_tokens(self, horse: Colour) -> int:
        """Return how many bets may still be laid on a horse (16)."""
        return BET_TOKENS[len(self.hands)] - [bet.horse for bet in self.bets].count(horse)

    def place(self, horse: Colour) -> int:
        return self.ranking.index(horse) + 1

    def squares(self) -> tuple[int, ...]:
        """Return the horses' squares in the order of the lanes; `Track.OFF` for those that have arrived."""
        home, where = self.ranking, self.track.where
        return tuple([Track.OFF if colour in home else where(token) for colour, token in TOKENS.items()])

    def odds_by_lane(self) -> tuple[int, ...]:
        return tuple(self.odds[colour] for colour in LANES)

    def lined_up(self, colour: Colour) -> HorseCard | None:
        gate = self.gates[colour]
        return gate.top.face if gate else None

    def effects_in(self, colour: Colour) -> Effects:
        """Return the effects of the open cards in a lane on its horse (11)."""
        return lane_effects(self.lined_up(colour), [card.face for card in self.lanes[colour]])

    async def put_under(self, t: T, deck: Pile[Any], cards: Pile[Any]) -> None:
        """Put cards under their deck, in an order that no one knows (23)."""
        if cards:
            if cards is not self.aside:
                cards.move_to(self.aside)
            await t.shuffle(self.aside)
            self.aside.move_to(deck, under=True)
            if deck.name not in self.stirred:
                self.stirred.append(deck.name)
