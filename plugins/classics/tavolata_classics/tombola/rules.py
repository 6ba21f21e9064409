"""The rules of Tombola."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tavolata import (
    N_,
    NN_,
    Choice,
    Counter,
    Counters,
    Deck,
    Game,
    Layout,
    Look,
    Opening,
    Options,
    Outcome,
    Pile,
    Question,
    Refused,
    Seat,
    Table,
    Zone,
    interjection,
    one_of,
    option,
    text,
)
from tavolata.zones import Show, counter_zone, counters_zone, text_zone, tokens_zone
from tavolata_classics.tombola.cartelle import (
    NUMBERS,
    PLACES,
    SERIALS,
    TABELLONE,
    Cartella,
    Prize,
    cartella,
    marked,
    missing,
)

BAG = Deck("numbers", range(1, NUMBERS + 1))
PRICE = 10
CHIPS = 100
"""What each player begins with."""
SHARES: Mapping[Prize, int] = {Prize.AMBO: 10, Prize.TERNO: 15, Prize.QUATERNA: 20, Prize.CINQUINA: 25}
"""The hundredths of the pot; the tombola takes the rest."""
TOMBOLA_OF_TWO = 20
"""The hundredths of the tombola where a tombolino follows."""
DRAWN = N_("{seat} draws {number}.")
TAKES = NN_("{seat} takes {n} chip for the {prize}.", "{seat} takes {n} chips for the {prize}.")
LAST_SHOWN = FEW = 6


@dataclass(frozen=True, kw_only=True)
class TombolaOptions(Options):
    """What a table agrees on."""

    cartelle: int = option(2, "Cartelle each player buys.", title=N_("cartelle"), low=1, high=3)
    rounds: int = option(1, "Number of rounds, each with a new caller.", title=N_("rounds"), low=1, high=3)
    calls: bool = option(True, "You have to notice and call your prizes yourself.", title=N_("players call"))
    tombolino: bool = option(
        False, "The next full cartella after the tombola wins a prize.", title=N_("tombolino")
    )


class Tombola(Game[TombolaOptions]):
    """Mark the numbers that are drawn, and call your prizes in time.

    Attributes:
        bag: the numbers that are still to be drawn, and `drawn` the others.
        chips: by seat; `pot` has those still to be won, `stake` what it held at the beginning.
        caller: who draws the numbers.
        cartelle: by seat, its cartelle, which everybody may see.
        closed: how many numbers were drawn when the tombola was paid; a cartella full by then gets no more.
        prize: the next one that can be called; None before the first number of a round.
        called: who has called it since the last number.
        rounds: how many rounds have begun.
        won: by seat, its prizes.
    """

    name = "tombola"
    title = N_("Tombola")
    summary = N_("Mark the numbers as they're drawn, and call ambo, terno and tombola in time.")
    card = Opening(
        goal=N_("Win chips for two to five numbers in one row, and the most for a full cartella."),
        turn=N_("Watch the numbers. When you have a prize, call it before the next number is drawn."),
        lose=N_("If you don't call in time, someone else may win the prize."),
    )
    seats = (2, 24)
    best_with = 6
    minutes = 30
    options = TombolaOptions
    first_match: ClassVar[Mapping[str, Any]] = {"cartelle": 1}
    layout = Layout(decision=3)
    guide = "tavolata_classics.tombola.guide"

    bag: Pile[int]
    drawn: Pile[int]
    chips: Counters
    pot: Counter
    stake: int
    caller: Seat
    cartelle: list[list[Cartella]]
    closed: int
    prize: Prize | None
    called: list[Seat]
    rounds: int
    won: list[int]

    def setup(self, t: Table[TombolaOptions]) -> None:
        self.bag, self.drawn = t.pile("bag"), t.pile("drawn", BAG)
        self.chips, self.pot = t.counters("chips", start=CHIPS), t.counter("pot")
        self.cartelle = [[] for _ in t.ring]
        self.caller, self.prize, self.called = t.first_seat, None, []
        self.rounds, self.stake, self.closed, self.won = 0, 0, 0, [0] * len(t.ring)

    async def turn(self, t: Table[TombolaOptions]) -> Outcome | None:
        """One number; prizes that were called before it are paid first."""
        if self.prize is None:
            await self.begin(t)
        await t.pause(self.caller, N_("Draw a number") if self.bag else N_("Split the pot"))
        if draws := bool(self.bag) and not self.called:
            card = await t.turn_up(self.bag, onto=self.drawn)
            t.tell(DRAWN, seat=self.caller, number=card.face)
        if not t.options.calls:
            self.called = [seat for seat in t.ring if self.has_prize(seat)]
        if self.called:
            self.pay(t)
        elif not draws:  # everyone has had time to call after the last number
            self.split(t)
        return self.outcome(t) if self.prize is None and self.rounds == t.options.rounds else None

    async def begin(self, t: Table[TombolaOptions]) -> None:
        """Everyone pays for new cartelle, and all numbers are in the bag."""
        self.rounds += 1
        self.caller = t.ring.after(t.first_seat, self.rounds - 1)
        await t.shuffle(self.bag, self.drawn)
        for seat in t.ring:
            self.chips[seat].pay(PRICE * t.options.cartelle, self.pot)
            self.cartelle[seat] = [
                cartella(await t.randrange(PLACES), await t.randrange(SERIALS))
                for _ in range(t.options.cartelle)
            ]
        self.prize, self.stake, self.closed = Prize.AMBO, self.pot.value, 0
        bought = N_("Everyone buys cartelle; the pot holds {n} chips. {seat} draws.")
        t.tell(bought, n=self.stake, seat=self.caller)

    def lacks(self, seat: Seat) -> int:
        """Return how many numbers a seat's best cartella lacks for the next prize; 90 if all are full."""
        drawn = [card.face for card in self.drawn]
        assert self.prize is not None  # it's asked during a round only
        before = drawn[: self.closed]
        full = [one for one in self.cartelle[seat] if not missing(one, before, self.prize)]
        return min(
            (missing(one, drawn, self.prize) for one in self.cartelle[seat] if one not in full),
            default=NUMBERS,
        )

    def has_prize(self, seat: Seat) -> bool:
        """Return True if a seat may call the next prize."""
        return self.prize is not None and self.lacks(seat) == 0

    @interjection(N_("Call {value}"))
    def call(self, t: Table[TombolaOptions], seat: Seat, prize: Prize) -> None:
        """Anyone who has the prize may call it until the next number is drawn."""
        if not self.has_prize(seat):
            raise Refused(N_("You don't have that yet."))
        self.called.append(seat)
        t.tell(N_("{seat} calls: {prize}!"), seat=seat, prize=prize, stamp=prize.value)

    @call.choices
    def may_call(self, t: Table[TombolaOptions], seat: Seat) -> Question[Prize] | None:
        if self.prize is None or seat in self.called or not t.options.calls:
            return None
        return one_of([Choice(self.prize, self.prize.value)])

    def pay(self, t: Table[TombolaOptions]) -> None:
        """Everyone who has called shares the prize; what can't be shared stays in the pot."""
        prize = self.prize
        assert prize is not None  # someone has called it
        last = Prize.TOMBOLINO if t.options.tombolino else Prize.TOMBOLA
        value = self.pot.value
        if prize is not last:
            value = self.stake * SHARES.get(prize, TOMBOLA_OF_TWO) // 100
        for seat in self.called:
            self.pot.pay(value // len(self.called), self.chips[seat])
            self.won[seat] += 1
            t.tell(TAKES, seat=seat, n=value // len(self.called), prize=prize)
        self.called = []
        order = list(Prize)
        self.prize = None if prize is last else order[order.index(prize) + 1]
        if prize is Prize.TOMBOLA:
            self.closed = len(self.drawn)
        if self.prize is not None:
            t.tell(N_("Next: {prize}."), prize=self.prize)

    def split(self, t: Table[TombolaOptions]) -> None:
        """All numbers are drawn and no one has called: everyone gets the same."""
        share = self.pot.value // len(t.ring)
        for seat in t.ring:
            self.pot.pay(share, self.chips[seat])
        t.tell(N_("All the numbers have been drawn. Everyone gets {n} chips from the pot."), n=share)
        self.prize = None

    def outcome(self, t: Table[TombolaOptions]) -> Outcome:
        """The most chips win."""
        return Outcome.by_score(t, self.chips.values(), statistics={N_("Prizes"): tuple(self.won)})

    def unfinished(self, t: Table[TombolaOptions]) -> Outcome:
        """The chips so far."""
        return self.outcome(t)

    def zones(self, t: Table[TombolaOptions], viewer: Seat | None) -> Iterable[Zone]:
        last = [card.face for card in self.drawn][-LAST_SHOWN:] if self.prize is not None else []
        if last:
            yield text_zone("number", N_("Drawn"), "{numbers}", show=Show(role="fact"), numbers=last[::-1])
        if self.prize is not None:
            yield text_zone("prize", N_("To win"), "{prize}", show=Show(role="fact"), prize=self.prize)
            if not t.options.calls:  # otherwise it would give away a prize nobody has called
                lacking = [(seat, n if (n := self.lacks(seat)) < NUMBERS else "–") for seat in t.ring]
                yield tokens_zone("lacks", N_("Missing"), lacking, show=Show(better="less"))
        yield counter_zone(self.pot, N_("Pot"))
        yield counters_zone(self.chips, N_("Chips"))
        if self.prize is not None:
            drawn = [card.face for card in self.drawn]
            rows = self.lines(viewer) if viewer is not None else TABELLONE
            places = tuple(tuple(self.place(number, drawn) for number in row) for row in rows)
            params = {"terrain": tuple((None,) * len(row) for row in rows), "hexagonal": False, "labels": ""}
            name = "tabellone" if viewer is None else "cartelle"
            title = N_("Tabellone") if viewer is None else N_("Your cartelle")
            yield Zone(name, "grid", title, places, None, params, Show(role="board"))
            for seat in t.ring if viewer is None and len(t.ring) <= FEW else ():  # who share a keyboard
                rows_of = {"rows": marked(self.cartelle[seat], drawn)}
                yield Zone(f"cartelle.{seat}", "text", N_("cartelle"), "{rows}", seat, rows_of)

    def lines(self, seat: Seat) -> list[tuple[int, ...]]:
        """Return the rows of a seat's cartelle, with one without places between."""
        return [row for one in self.cartelle[seat] for row in ((), *one)][1:]

    @staticmethod
    def place(number: int, drawn: list[int]) -> tuple[object, ...]:
        """Return what's in a place of a cartella: nothing, a number, or a number with a mark."""
        if number in drawn:
            return (Look(f"{number}*", text(N_("{n}, drawn"), n=number), "red"),)
        return (str(number),) if number else ()
