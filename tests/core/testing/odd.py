"""Games that pass the kit and are odd in one way each, and one that isn't."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tavolata import N_, Choice, Deck, Game, Options, Outcome, Seat, Table, Zone, amount, one_of, option
from tavolata.zones import Show, counters_zone, grid_zone, text_zone, tokens_zone, track_zone


class Letter(Enum):
    """A face."""

    A, B, C = N_("letter a"), N_("letter b"), N_("letter c")


LETTERS = Deck("letters", [*Letter] * 4)


class Even(Game[Any]):
    """Everybody takes points in turn; the most win, and nothing about it is odd."""

    name, title, seats = "even", N_("Even"), (3, 3)

    def setup(self, t: Table[Any]) -> None:
        self.points, self.bank = t.counters("points"), t.bank("bank")
        self.deck, self.hands = t.pile("deck", LETTERS), t.hands("hand")
        self.heap = [1, 2, 3, 4, 5, 6]

    async def turn(self, t: Table[Any]) -> Outcome | None:
        if t.turn == 0:
            await self.deal(t)
        seat = t.ring.after(t.first_seat, t.turn)
        await self.play(t, seat)
        return self.end(t) if t.turn == 5 else None

    async def deal(self, t: Table[Any]) -> None:
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=2)

    async def play(self, t: Table[Any], seat: Seat) -> None:
        self.bank.pay(await t.ask(seat, amount(1, 6), N_("How many?")), self.points[seat])

    def end(self, t: Table[Any]) -> Outcome:
        return Outcome.by_score(t, self.points.values())

    def zones(self, t: Table[Any], viewer: Seat | None) -> Iterable[Zone]:
        yield counters_zone(self.points, N_("Points"))


@dataclass(frozen=True, kw_only=True)
class Unread(Options):
    """Options of which one changes nothing."""

    wild: bool = option(False, N_("Wild cards."))


class HasAnUnreadOption(Even):
    """Nothing reads its option."""

    options = Unread


class BreaksTiesBySeat(Even):
    """Of equal scores the first wins."""

    def end(self, t: Table[Any]) -> Outcome:
        return Outcome((t.ring[0],), scores=(3, 3, 1))


class LetsTheFewestWin(Even):
    """The worst score wins, which may be a mistake."""

    def end(self, t: Table[Any]) -> Outcome:
        points = self.points.values()
        return Outcome(tuple(seat for seat in t.ring if points[seat] == min(points)), scores=tuple(points))


class FavoursASeat(Even):
    """The last seat always wins."""

    def end(self, t: Table[Any]) -> Outcome:
        return Outcome((t.ring[2],))


class ForgetsASeat(Even):
    """One seat is never asked."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        if seat != 1:
            await super().play(t, seat)


class AsksOneSeatMore(Even):
    """The last seat is asked for more than the others in every match."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        await super().play(t, seat)
        if t.turn < 2:
            await super().play(t, t.ring[2])


class HoldsAndLoses(Even):
    """Its first seat has held cards, plays them, and is asked all the same."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        await t.ask(t.ring[0], one_of([1, 2]), N_("And you?"))
        if self.hands[0].cards:
            self.hands[0].move_to(self.deck)
        await super().play(t, seat)


class DealsUnshuffled(Even):
    """Everybody knows what was dealt."""

    async def deal(self, t: Table[Any]) -> None:
        self.deck.move_to(self.hands[0], self.deck.cards[:2])


class ShowsAHand(Even):
    """A hand is shown to its neighbour."""

    async def deal(self, t: Table[Any]) -> None:
        await super().deal(t)
        await t.show(self.hands[0], [t.ring[1]])


class AsksForNothing(Even):
    """It throws an answer away."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        await t.ask(seat, one_of([1, 2, 3]), N_("Why?"))
        await super().play(t, seat)


class OffersPlaces(Even):
    """Its values are places in a list that changes."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        at = await t.ask(seat, one_of(list(range(len(self.heap)))), N_("Which?"))
        self.bank.pay(self.heap.pop(at) if len(self.heap) > 2 else 1, self.points[seat])


class ReadsNames(Even):
    """It counts the players by their names."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        self.bank.pay(len(t.names), self.points[seat])
        await super().play(t, seat)


class ReadsNamesOnPurpose(Even):
    """It says why it's meant."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        # tt: ok their number is all that is read
        self.bank.pay(len(t.names), self.points[seat])
        await super().play(t, seat)


class PassesForever(Even):
    """It ends after six moves, and passing is none."""

    async def turn(self, t: Table[Any]) -> Outcome | None:
        seat = t.ring.after(t.first_seat, t.turn)
        moved = await t.ask(seat, one_of([Choice(None, N_("Pass")), Choice(2, N_("Take"))]), N_("Well?"))
        self.bank.pay(moved or 0, self.points[seat])
        return self.end(t) if sum(self.points.values()) > 10 else None


class MisspellsAWord(Even):
    """Nothing reads its minutes, nor its hints; what it reads itself may be called anything."""

    minuts, turns = 5, 6

    def hint(self, t: Table[Any], viewer: Seat) -> list[str]:
        return []

    def end(self, t: Table[Any]) -> Outcome:
        assert self.turns == t.turn + 1
        return super().end(t)


class DrawsNumbersInARow(Even):
    """Only a text can have a row of parts."""

    def zones(self, t: Table[Any], viewer: Seat | None) -> Iterable[Zone]:
        yield tokens_zone("heap", N_("Heap"), [("a", 1)], show=Show(draw="row"))
        yield text_zone("coins", N_("Coins"), N_("Coins"), show=Show(draw="row", row=((1, "4"),)))


class SaysItBare(Even):
    """What it asks and says can be read in English only."""

    async def play(self, t: Table[Any], seat: Seat) -> None:
        many = await t.ask(seat, amount(1, 6), "How many?" if t.turn else "How many first?")
        self.bank.pay(many, self.points[seat])
        await t.ask(seat, one_of([Choice(1, "Aye"), Choice(2, "{value}")]), N_("Well?"))
        t.tell("{seat} takes {n}.", seat=seat, n=many, stamp="well taken")


class DrawsTwoAlike(Even):
    """Two of its pieces have one letter, and so have two of its runners; seats have signs of their own."""

    def setup(self, t: Table[Any]) -> None:
        super().setup(t)
        self.board = t.grid("board", 2, 4)
        for at, piece in enumerate((N_("red (R)"), N_("ruby (R)"), N_("green (G)"))):
            self.board.put((0, at), piece)
        for at in t.ring:
            self.board.put((1, at), at)
        self.track = t.track("track", 6, ("brown (B)", "black (B)", "brass", "bronze"))

    def zones(self, t: Table[Any], viewer: Seat | None) -> Iterable[Zone]:
        yield grid_zone(self.board, N_("Board"))
        yield track_zone(self.track, N_("Track"))
