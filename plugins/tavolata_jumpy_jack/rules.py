"""The rules of Jumpy Jack, in the order of the rulebook.

Numbers in brackets are rulings. How horses move is in `race` and `moves`, what an order is worth in
`orders`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from tavolata import N_, NN_, Layout, Opening, Outcome, Seat, Secret, Table, Teams, Zone, one_of
from tavolata.zones import Show, text_zone, tokens_zone, track_zone
from tavolata_jumpy_jack.board import HORSES, PLACES
from tavolata_jumpy_jack.options import JumpyJackOptions, Start, Writer
from tavolata_jumpy_jack.orders import ORDER, ORDERS, Guess, Order, bonus, guess_of, horses_of, worth
from tavolata_jumpy_jack.race import RaceGame

Side = tuple[Seat, ...]
"""The seats that write one prediction and share its points: a team, or one seat alone."""
NO_GUESS = (None,)
SAW_THROUGH = NN_(
    "{seats} saw through {others}: {n} more point.", "{seats} saw through {others}: {n} more points."
)
WHO_WRITES = N_("Who on your team writes the prediction?")


class JumpyJack(RaceGame):
    """Jumpy Jack: foresee which three horses come in, and see to it.

    Attributes:
        sides: each has one prediction and shares its points.
        points: the points of each side; a wrong guess can make them negative.
        race: the number of the race, 0 before the first.
        racing: a race is being run.
        writers: by the seat that writes in this race, the side that may see the prediction.
        papers: the sealed predictions of the race, by the seat that wrote.
        results: after each race, the points by seat.
    """

    name = "jumpy-jack"
    title = N_("Jumpy Jack")
    summary = N_("Five horses, and everyone rides them all. Predict the top three and keep a straight face.")
    card = Opening(
        goal=N_("Predict the first three horses, in secret."),
        turn=N_("Throw the die and move any horse exactly that many squares."),
        lose=N_("Each horse in the right place scores; two horses sharing a square block any behind them."),
    )
    rules_id = 2
    seats = (2, 16)
    best_with = 4
    minutes = 20
    options = JumpyJackOptions
    first_match: ClassVar[Mapping[str, Any]] = {"board": "short", "points": 6}
    teams = Teams(counts=(2, 3, 4, 5, 6, 7, 8), size=(2, 8))
    layout = Layout(palette="pieces")
    guide = "tavolata_jumpy_jack.guide"

    sides: tuple[Side, ...]
    points: list[int]
    race: int
    racing: bool
    writers: dict[Seat, Side]
    papers: dict[Seat, Secret[Order]]
    results: list[tuple[int, ...]]

    def setup(self, t: Table[JumpyJackOptions]) -> None:
        """Lay the board; the players ride alone or in teams that sit alternately (18, 19)."""
        self.lay_the_course(t)
        self.sides = t.teams
        self.points = [0] * len(self.sides)
        self.mover = t.first_seat
        self.race, self.racing, self.writers, self.papers = 0, False, {}, {}
        self.results = []

    async def turn(self, t: Table[JumpyJackOptions]) -> Outcome | None:
        """Throw and move; begin a race before its first throw, and count its points after its last one."""
        if not self.racing:
            await self.begin(t)
        await self.throw_and_move(t)
        over = self.standing.over
        self.mover = t.ring.next(self.mover)  # and begins the next race, too, if this one is over (15)
        return await self.end(t) if over else None

    # -- before the race ----------------------------------------------------------------------

    async def begin(self, t: Table[JumpyJackOptions]) -> None:
        """Let all write their predictions; then the highest throw begins the first race (13, 15)."""
        self.race += 1
        self.papers = {}
        self.line_up()
        t.tell(N_("Race {number}: the horses are lined up."), number=self.race)
        await self.predict(t)
        if self.race == 1 or t.options.start is Start.THROW:
            self.mover = await self.highest_throw(t)
        t.tell(N_("{seat} begins. And they're off!"), seat=self.mover)
        self.racing = True

    async def predict(self, t: Table[JumpyJackOptions]) -> None:
        """Seal a prediction of each side: three different horses, seen by that side only (13, 18).

        The prediction of a writer who is late is drawn by lot; where several are late, they get the same.
        """
        await self.choose_writers(t)
        late = horses_of(ORDERS[await t.randrange(len(ORDERS))])
        self.papers = await t.seal_all(
            dict.fromkeys(self.writers, ORDER),
            N_("Which three horses will be first, second and third?"),
            N_("Predictions are being written behind cupped hands."),
            seconds=t.options.seconds, otherwise=late, shown_to=self.writers,
            verb=N_("Write it down"),
        )  # fmt: skip

    async def choose_writers(self, t: Table[JumpyJackOptions]) -> None:
        """In each team its players write in turn, or the first one says who writes (18)."""
        sides = [led_by(side, self.race - 1) for side in self.sides]
        if t.options.writer is Writer.CHOSEN:
            asked = {side[0]: one_of(side) for side in self.sides if len(side) > 1}
            others, verb = N_("Teams choose who writes."), N_("Let {choice} write")
            chosen = await t.ask_all(asked, WHO_WRITES, others, verb=verb) if asked else {}
            sides = [led_by(side, side.index(chosen.get(side[0], side[0]))) for side in self.sides]
        self.writers = {side[0]: side for side in sides}

    # -- after the race -----------------------------------------------------------------------

    async def end(self, t: Table[JumpyJackOptions]) -> Outcome | None:
        """Take guesses, show all predictions, and pay for both; enough and most points win (14, 16, 17)."""
        self.racing = False
        t.tell(N_("The race is over: {horses}."), horses=self.podium[:PLACES],
               stamp=N_("the podium"))  # fmt: skip
        guesses = await self.guess(t) if t.options.guess else {}
        await t.reveal([*self.papers.values(), *guesses.values()])
        orders = {seat: paper.value for seat, paper in self.papers.items()}
        for seat, order in orders.items():
            self.pay(t, seat, order)
            if self.papers[seat].is_late:  # or has written just that by chance
                t.tell(N_("That's the random order given to anyone who ran out of time."))
        for seat, guess in guesses.items():
            self.pay_guess(t, seat, guess.value, orders)
        self.results.append(tuple(self.points[self.side_of(seat)] for seat in t.ring))
        return self.decide(t)

    async def guess(self, t: Table[JumpyJackOptions]) -> dict[Seat, Secret[Guess]]:
        """Seal a guess of each side: one opponent and the whole prediction of that one (17)."""
        writers = self.writers
        kinds = {
            seat: guess_of(tuple(other for who, other in writers.items() if who != seat)) for seat in writers
        }
        return await t.seal_all(
            kinds,
            N_("Whose prediction can you guess? Three points if every place is right, minus one if none "
                "is."),
            N_("Guesses are being written down."),
            seconds=t.options.seconds, otherwise=NO_GUESS, shown_to=writers, verb=N_("Write it down"),
        )  # fmt: skip

    def pay(self, t: Table[JumpyJackOptions], seat: Seat, order: Order) -> None:
        """Pay the points for a prediction (14)."""
        podium = [horse for horse in self.podium[:PLACES] if horse is not None]
        won = worth(order, podium)
        self.points[self.side_of(seat)] += won
        t.tell(
            NN_("{seats} wrote {order}: {n} point.", "{seats} wrote {order}: {n} points."),
            seats=self.sides[self.side_of(seat)], order=order, n=won,
        )  # fmt: skip
        if won == worth(order, order):
            t.tell(N_("All three! That's a Jumpy Jack."))

    def pay_guess(
        self, t: Table[JumpyJackOptions], seat: Seat, guess: Guess, orders: Mapping[Seat, Order]
    ) -> None:
        """Pay the points for a guess, or take one point (17)."""
        if guess == NO_GUESS:
            return
        whom, order = guess
        won = bonus(order, orders[whom])
        self.points[self.side_of(seat)] += won
        seats, others = self.sides[self.side_of(seat)], self.sides[self.side_of(whom)]
        if won > 0:
            t.tell(SAW_THROUGH, seats=seats, others=others, n=won)
        else:
            t.tell(N_("{seats} misread {others} completely: minus one point."), seats=seats, others=others)

    def side_of(self, seat: Seat) -> int:
        return seat % len(self.sides)  # seats alternate by team (18)

    def decide(self, t: Table[JumpyJackOptions]) -> Outcome | None:
        """The outcome if the side with the most points has enough; if several have as many, None (16)."""
        best = max(self.points)
        if best < t.options.points:
            return None
        if self.points.count(best) > 1:
            t.tell(N_("A tie on {n} points: one more race for everyone."), n=best)
            return None
        winners = self.sides[self.points.index(best)]
        t.tell(N_("The match goes to {seats}, with {n} points."), seats=winners, n=best)
        course = ((0,) * len(t.ring), *self.results)  # before the first race all had nothing
        return Outcome(winners, scores=self.results[-1], series={N_("Points"): course[-200:]})

    # -- what people see ----------------------------------------------------------------------

    def zones(self, t: Table[JumpyJackOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield track_zone(self.track, N_("Track"))
        places = [(horse, self.podium.index(horse) + 1 if horse in self.podium else "–") for horse in HORSES]
        yield tokens_zone("podium", N_("Podium"), places)
        yield tokens_zone(
            "points",
            N_("Points"),
            zip(self.sides, self.points, strict=True),
            show=Show(goal=t.options.points),
        )
        if self.race:
            yield text_zone("race", N_("Race"), "{number}", number=self.race)
        if self.racing:
            yield text_zone("mover", N_("Rider"), "{seat}", seat=self.mover)
        for writer, paper in self.papers.items():
            if viewer is not None and self.side_of(viewer) == self.side_of(writer):
                own = Show(role="yours")
                yield text_zone("prediction", N_("Your prediction"), "{order}", show=own, order=paper)


def led_by(side: Side, place: int) -> Side:
    """Return the side, beginning with the seat at this place; places go round."""
    first = place % len(side)
    return side[first:] + side[:first]
