"""A match of Horse Fever that begins where a test wants it: odds, characters, cards and money as it says.

Only the setting up and driving of such a match lives here; what is to be proved stands in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavolata import Card, Event, Seat
from tavolata.ring import SEATS
from tavolata.testing import rehearse
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.cards.objectives import OBJECTIVES
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.rules import HorseFever, race
from tavolata_horse_fever.rules.bets import Bet, Side
from tavolata_horse_fever.rules.ending import LAY_OPEN, goals
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.match import BOARD_GAME, FAMILY_GAME
from tavolata_horse_fever.rules.payments import payments

K, B, G, R, Y, W = LANES
LETTERS = dict(zip("KBGRYW", LANES, strict=True))
CARDS = {card.number: card for card in MOVEMENT_CARDS}
FLAT = (101, 102, 103, 100, 99, 98, 83, 94)
"""Movement cards by number: horses at 1:4 and 1:5 (green and red) run two squares in each round."""
WIN, PLACE = Side.WIN, Side.PLACE


@dataclass
class Ride:
    """What a race was like, horse by horse: squares of each movement card, of each sprint, the order."""

    runs: dict[Colour, list[int]] = field(default_factory=lambda: {colour: [] for colour in LANES})
    sprints: dict[Colour, list[int]] = field(default_factory=lambda: {colour: [] for colour in LANES})
    ranking: list[Colour] = field(default_factory=list)


class Paddock:
    """A match past its preparation.

    Args:
        seats: how many play.
        odds: letters of the lanes from 1:2 to 1:7; as on the track from left to right by default.
        characters: beginnings of their names by seat; the first ones that own no stable by default.
        board: whether it is the Board Game.
        starred: whether its starred cards play along; characters without a stable are starred.
        first: who has the First Player card.
        seed: of all that is not said.
        options: other house rules.
    """

    def __init__(
        self,
        seats: int = 3,
        odds: str = "KBGRYW",
        *,
        characters: Sequence[str] = (),
        board: bool = False,
        starred: bool = False,
        first: int = 0,
        seed: int = 0,
        **options: Any,
    ) -> None:
        usual = ["Cranio", "Steve", "Viktor", "César", "Cranéo", "Sigvard"]
        usual = [one for one in usual if not any(name.startswith(one) for name in characters)]
        names = [*characters, *usual][:seats]
        left, lots = list(LANES), []
        for letter in odds:
            lots.append(left.index(LETTERS[letter]))
            left.pop(lots[-1])
        self.match = rehearse(
            HorseFever, seats=seats, first=first, seed=seed, turns=1, lots=lots,
            decks={"characters": _dealt(names, first)},
            options={"mode": "board" if board else "family", "starred": starred, **options},
        )  # fmt: skip
        self.game: HorseFever = self.match.game
        self.table: Any = self.match.table
        self.source: Any = self.match._source
        self.source._lots_end = False
        self.source._dice = []
        self.chapters = BOARD_GAME if board else FAMILY_GAME

    # -- setting up -------------------------------------------------------------------------------

    def card(self, name: str) -> Card[Any]:
        """The card whose face has a name that begins so, wherever it lies; rather one that nobody holds."""
        faces = self.source._faces
        called = {card: str(card.deck.faces[faces[card.id]]) for card in self.table._pieces.cards}
        found = [card for card, its in called.items() if its.startswith(name)]
        exact = [card for card in found if called[card] == name]
        held = [card for hand in self.game.objectives for card in hand]
        return next((card for card in exact or found if card not in held), (exact or found)[0])

    def move(self, name: str, to: Any) -> Card[Any]:
        """Take a card from where it lies to a pile."""
        card = self.card(name)
        for pile in self.table._pieces.named.values():
            if card in getattr(pile, "cards", []):
                pile.take(card)
        to.put(card)
        return card

    def behind(self, lane: Colour, *names: str) -> Paddock:
        """Action cards, face down behind a horse."""
        for name in names:
            card = self.move(name, self.game.lanes[lane])
            card._face = self._hidden
        return self

    @property
    def _hidden(self) -> Any:
        from tavolata.cards import HIDDEN

        return HIDDEN

    def deck(self, *names: str) -> Paddock:
        """Cards that lie on top of their decks, the first one uppermost."""
        for name in reversed(names):
            kind = self.card(name).deck.name
            decks = {
                "assistant": self.game.assistant_deck,
                "horse": self.game.horse_deck,
                "objective": self.game.objective_deck,
            }
            self.move(name, decks[kind])
        return self

    def owns(self, seat: int, *stables: Colour) -> Paddock:
        """Stables of a seat."""
        for stable in stables:
            self.game.owners[stable] = SEATS[seat]
        return self

    def has(self, seat: int, *names: str) -> Paddock:
        """Assistants, Horses and Objectives that a seat has bought before."""
        for name in names:
            card = self.card(name)
            kind = card.deck.name
            piles: dict[str, Any] = {
                "assistant": self.game.assistants,
                "horse": self.game.horses,
                "objective": self.game.objectives,
            }
            self.move(name, piles[kind][seat])
            if kind != "objective":
                card._face = card.deck.faces[self.source._faces[card.id]]
            else:
                card._face = self._hidden
                self.source.known[seat][card.id] = self.source._faces[card.id]
        return self

    def lines_up(self, lane: Colour, name: str) -> Paddock:
        """A Horse in the lane of a stable, without what it does when it is lined up."""
        card = self.move(name, self.game.gates[lane])
        card._face = card.deck.faces[self.source._faces[card.id]]
        return self

    def bets(self, seat: int, horse: Colour, side: Side = WIN, stake: int = 100) -> Paddock:
        """A bet that is laid."""
        self.game.pay(SEATS[seat], stake, Flow.STAKE)
        self.game.bets.append(Bet(SEATS[seat], horse, side, stake))
        return self

    def money(self, *amounts: int) -> Paddock:
        """What each has in hand, as if it had begun so."""
        for seat, amount in enumerate(amounts):
            now = self.game.money[seat].value
            self.game.money[seat].pay(now, self.game.bank)
            self.game.bank.pay(amount, self.game.money[seat])
            self.game.money_books[Flow.START][seat] += amount - now
        return self

    def tokens(self, *amounts: int) -> Paddock:
        """How many point tokens each has, as if it had begun so."""
        for seat, amount in enumerate(amounts):
            self.game.point_books[Flow.START][seat] += amount - self.game.tokens[seat]
            self.game.tokens[seat] = amount
        return self

    def odds(self, **rows: int) -> Paddock:
        """Odds by the letters of lanes, from before this turn on."""
        for letter, row in rows.items():
            self.game.odds[LETTERS[letter]] = self.game.before[LETTERS[letter]] = row
        return self

    def arrived(self, letters: str) -> Paddock:
        """A race that is over."""
        self.game.ranking = [LETTERS[letter] for letter in letters]
        return self

    # -- playing ----------------------------------------------------------------------------------

    def play(self, chapter: Any, *answers: Any, dice: Sequence[Colour] = ()) -> Paddock:
        """Play one chapter with these answers."""
        self.start(chapter, dice=dice)
        self.match.play(*answers)
        return self

    def start(self, chapter: Any, *, dice: Sequence[Colour] = ()) -> Paddock:
        """Begin a chapter, up to its first question."""
        assert not self.match.open, "another chapter is still being played"
        self.game.chapter = self.chapters.index(chapter)
        self.source._dice = list(dice) or None
        self.match.play_turns(1)
        return self

    def race(self, cards: Sequence[int] = FLAT, dice: Sequence[Colour] = (), *answers: Any) -> Ride:
        """Reveal and run the race with these movement cards first; after these dice only white sprints."""
        self.play(race.reveal)
        before = len(self.match.events)
        self.source._decks["movement"] = [[CARDS[card] for card in cards]]
        self.play(race.race, *answers, dice=[*dice, *[W] * 60])
        self.source._decks["movement"] = []
        return ride(self.match.events[before:], self.game)

    def pay_out(self, letters: str) -> Paddock:
        """Turn the cards over, let the horses arrive in this order, and make the payments."""
        return self.play(race.reveal).arrived(letters).play(payments)

    def finish(self) -> Paddock:
        """The end of the last turn; nobody bids in an auction, and all lay open what they have reached."""
        self.game.turn_number = self.game.last_turn(self.table.options)
        self.start(self.chapters[-1])
        while self.match.open:
            (ask,) = self.match.open
            self.match.play(self.reached(ask.seat) if ask.you == LAY_OPEN else False)
        return self

    def reached(self, seat: Seat) -> list[Card[Any]]:
        """The Objectives that a seat has reached, each once."""
        view = self.match.views(seat)
        aims = {view.face(card): card for card in self.game.objectives[seat]}
        return [card for aim, card in aims.items() if aim and OBJECTIVES.index(aim) in goals(self.game, seat)]

    def refusing(self, value: Any) -> str:
        """Why something is not among the choices that are open."""
        reason: str = next(no.reason for no in self.kind.unavailable if value in no.values)
        return reason

    # -- what came of it ----------------------------------------------------------------------------

    @property
    def purse(self) -> list[int]:
        """What each has in hand."""
        return self.game.money.values()

    @property
    def points(self) -> list[int]:
        """The points of each."""
        return [self.game.points(seat) for seat in self.table.ring]

    def asked(self) -> list[int]:
        """Who is asked now."""
        return [int(ask.seat) for ask in self.match.open]

    @property
    def kind(self) -> Any:
        """The question that is open."""
        (ask,) = self.match.open
        return ask.question


def ride(events: Sequence[Event], game: HorseFever) -> Ride:
    """The race that these events tell."""
    found = Ride(ranking=list(game.ranking))
    for event in events:
        about: Mapping[str, Any] = event.params
        if event.message in (race.MOVES, race.CROSSES):
            found.runs[about["horse"]].append(about["n"])
        elif event.message == race.STANDS:
            found.runs[about["horse"]].append(0)
        elif event.message in (race.SPRINTS, race.SPRINTS_HOME):
            found.sprints[about["horse"]].append(about["n"])
        elif event.message == race.NO_SPRINT:
            found.sprints[about["horse"]].append(0)
    return found


def _dealt(names: Sequence[str], first: int) -> list[str]:
    """Names of characters in the order in which they are drawn, from the First Player on."""
    return [names[(first + place) % len(names)] for place in range(len(names))]
