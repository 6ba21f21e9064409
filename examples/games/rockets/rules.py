"""The rules of Rockets, and a bot that plays what it knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from tavolata import (
    N_,
    Ask,
    Card,
    Choice,
    Deck,
    Game,
    Hand,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    Text,
    View,
    Zone,
    fact,
    one_of,
    option,
    text,
)
from tavolata.bots import Bot, Chance
from tavolata.zones import hand_zone, pile_zone, text_zone, tokens_zone


class Colour(Enum):
    """A colour; the screen takes it from the word."""

    RED = N_("red (R)")
    YELLOW = N_("yellow (Y)")
    GREEN = N_("green (G)")
    BLUE = N_("blue (B)")
    WHITE = N_("white (W)")


@dataclass(frozen=True)
class Rocket:
    """A card."""

    colour: Colour
    number: int

    @property
    def text(self) -> Text:
        """What people read on the card."""
        return text(N_("{colour} {n}"), colour=self.colour, n=self.number)


Mark = Colour | int
"""What a hint names: a colour or a number."""
ROCKETS: Deck[Rocket] = Deck(
    "rockets", [Rocket(colour, number) for colour in Colour for number in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)]
)
HINTS, FUSES = 8, 3
NOWHERE: tuple[int, ...] = ()


@dataclass(frozen=True)
class Launch:
    """Play the card at this place of one's hand."""

    place: int


@dataclass(frozen=True)
class Discard:
    """Throw the card at this place away."""

    place: int


@dataclass(frozen=True)
class Hint:
    """Tell somebody which of their cards have this mark."""

    to: Seat
    mark: Mark


@fact
def touched(hand: Sequence[Rocket], mark: Mark) -> tuple[int, ...]:
    """The places of a hand that have a mark; a machine that can see the hand declares them."""
    return tuple(place for place, one in enumerate(hand) if mark in (one.colour, one.number))


@dataclass(frozen=True, kw_only=True)
class RocketsOptions(Options):
    """House rules of Rockets."""

    goal: int = option(15, "Rockets needed to win.", low=1, high=25)


class Rockets(Game[RocketsOptions]):
    """Together, launch rockets 1 to 5 of each colour, without seeing your own cards.

    Attributes:
        deck: the cards to come.
        hands: the cards of each seat, seen by all others.
        flown: by colour, the highest rocket launched.
        thrown: the cards that are gone.
        known: by card, the marks that it was said to have.
        clues: hints left.
        fuses: mistakes left.
        last: once the deck is empty, how many turns are left.
        mover: whose turn it is.
    """

    name, title, seats, best_with = "rockets", N_("Rockets"), (2, 5), 3
    summary = N_("Launch rockets together: you see everyone's cards but your own.")
    options = RocketsOptions

    deck: Pile[Rocket]
    hands: list[Hand[Rocket]]
    flown: dict[Colour, int]
    thrown: Pile[Rocket]
    known: dict[Card[Rocket], tuple[Mark, ...]]
    clues: int
    fuses: int
    last: int
    mover: Seat

    def setup(self, t: Table[RocketsOptions]) -> None:
        """A full box of hints and fuses."""
        self.deck = t.pile("deck", ROCKETS)
        self.hands = t.hands("hand")
        self.flown = dict.fromkeys(Colour, 0)
        self.thrown = t.pile("thrown")
        self.known = {}
        self.clues, self.fuses = HINTS, FUSES
        self.last = len(t.ring)
        self.mover = t.first_seat

    async def turn(self, t: Table[RocketsOptions]) -> Outcome | None:
        """One launch, discard or hint."""
        if t.turn == 0:
            await t.shuffle(self.deck)
            for _ in range(5 if len(t.ring) < 4 else 4):
                for seat in t.ring:
                    await self.draw(t, seat)
        seat = self.mover
        if not self.deck:
            self.last -= 1
        done = await t.ask(
            seat,
            one_of(self.choices(t, seat)),
            N_("What would you like to do?"),
            N_("{seat} thinks."),
            otherwise=Discard(0),
            seat=seat,
        )
        if isinstance(done, Hint):
            self.clues -= 1
            places = await t.declare(seat, touched, self.hands[done.to], done.mark, otherwise=NOWHERE)
            for place in places:
                card = self.hands[done.to].cards[place]
                self.known[card] = (*self.known.get(card, ()), done.mark)
            t.tell(
                N_("{seat} gives {to} a hint: {mark} at {places}."),
                seat=seat,
                to=done.to,
                mark=done.mark,
                places=[place + 1 for place in places],
            )
        else:
            await self.lay(t, seat, done)
        self.mover = t.ring.next(seat)
        score = sum(self.flown.values())
        if self.fuses and self.last and score < 25:
            return None
        won = self.fuses and score >= t.options.goal
        t.tell(N_("Rockets in the sky: {n}."), n=score)
        return Outcome(tuple(t.ring) if won else (), scores=(score,) * len(t.ring))

    def choices(self, t: Table[RocketsOptions], seat: Seat) -> list[Choice[Launch | Discard | Hint]]:
        """All that a seat may do now."""
        found: list[Choice[Launch | Discard | Hint]] = []
        for place, _ in enumerate(self.hands[seat]):
            found.append(Choice(Launch(place), N_("launch card {n}"), params={"n": place + 1}))
            found.append(Choice(Discard(place), N_("discard card {n}"), params={"n": place + 1}))
        if self.clues:
            marks: list[Mark] = [*Colour, 1, 2, 3, 4, 5]
            for to in t.ring:
                if to != seat:
                    words = N_("hint to {to}: {mark}")
                    found += [Choice(Hint(to, one), words, params={"to": to, "mark": one}) for one in marks]
        return found

    async def lay(self, t: Table[RocketsOptions], seat: Seat, done: Launch | Discard) -> None:
        """A card leaves a hand, and a new one comes."""
        card = self.hands[seat].take_at(done.place)
        self.known.pop(card, None)
        self.thrown.put(card)
        await t.reveal([card])
        rocket = card.face
        if isinstance(done, Discard):
            self.clues = min(HINTS, self.clues + 1)
            t.tell(N_("{seat} discards {card}."), seat=seat, card=card)
        elif rocket.number == self.flown[rocket.colour] + 1:
            self.flown[rocket.colour] += 1
            t.tell(N_("{seat} launches {card}."), seat=seat, card=card)
        else:
            self.fuses -= 1
            t.tell(N_("{seat} launches {card}, and it bursts."), seat=seat, card=card)
        if self.deck:
            await self.draw(t, seat)

    async def draw(self, t: Table[RocketsOptions], seat: Seat) -> None:
        """A card that all others see."""
        card = self.deck.take_top()
        await t.show([card], [other for other in t.ring if other != seat])
        self.hands[seat].put(card)

    def zones(self, t: Table[RocketsOptions], viewer: Seat | None) -> Iterable[Zone]:
        """What flew, the hands as each sees them, and what was said of them."""
        yield tokens_zone("flown", N_("In the sky"), self.flown.items())
        words = N_("hints: {hints}, fuses: {fuses}, cards to come: {n}")
        yield text_zone("left", N_("Left"), words, hints=self.clues, fuses=self.fuses, n=len(self.deck))
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("Cards"), order="kept")
            rows = [
                (place + 1, text(N_("{marks}"), marks=list(self.known[card])))
                for place, card in enumerate(self.hands[seat])
                if card in self.known
            ]
            yield tokens_zone(f"known.{seat}", N_("Known"), rows)
        yield pile_zone(self.thrown, N_("Thrown"))


class Keen(Bot):
    """Launches what it knows to fly, tells the next who could launch something, else discards the unknown."""

    level = "keen"

    def choose(self, view: View[Rockets], ask: Ask, chance: Chance) -> object:
        """It looks at the hints first, then at the others' hands."""
        game = view.game
        mine = game.hands[ask.seat].cards

        def flies(number: int, colour: Colour) -> bool:
            return game.flown[colour] + 1 == number

        for place, card in enumerate(mine):
            marks = game.known.get(card, ())
            colours = [one for one in marks if isinstance(one, Colour)] or list(Colour)
            numbers = [one for one in marks if isinstance(one, int)]
            if numbers and all(flies(numbers[0], colour) for colour in colours):
                return Launch(place)
        if game.clues:
            for to in view.ring.starting(view.ring.next(ask.seat)):
                for card in game.hands[to] if to != ask.seat else ():
                    rocket, marks = view.face(card), game.known.get(card, ())
                    if rocket is not None and flies(rocket.number, rocket.colour):
                        for mark in (rocket.number, rocket.colour):
                            if mark not in marks:
                                return Hint(to, mark)
        unknown = [place for place, card in enumerate(mine) if card not in game.known]
        return Discard(unknown[0] if unknown else 0)
