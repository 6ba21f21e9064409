"""The rules of Clockwork, and a bot that tries its plans out before it chooses one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, permutations, takewhile

from tavolata import (
    N_,
    Ask,
    Card,
    Deck,
    Game,
    Grid,
    Hand,
    Look,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    View,
    Zone,
    option,
    some_of,
)
from tavolata.bots import Bot, Chance
from tavolata.zones import grid_zone, hand_zone, tokens_zone

Cell = tuple[int, int]
SIZE = 8
PLAN = 3
"""So many cards a robot runs in a round."""
WAYS: tuple[Cell, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
ARROWS = ("^", ">", "v", "<")
FLAGS: tuple[Cell, ...] = ((1, 6), (6, 5), (4, 1))
"""The flags, in the order in which they are reached."""
STARTS: tuple[Cell, ...] = ((7, 0), (7, 2), (7, 4), (7, 6))


class Step(Enum):
    """What a card makes a robot do."""

    ONE = N_("1 ahead")
    TWO = N_("2 ahead")
    THREE = N_("3 ahead")
    BACK = N_("back")
    LEFT = N_("turn left")
    RIGHT = N_("turn right")
    ABOUT = N_("about turn")


AHEAD = {Step.ONE: 1, Step.TWO: 2, Step.THREE: 3, Step.BACK: -1}
TURNS = {Step.LEFT: -1, Step.RIGHT: 1, Step.ABOUT: 2}
MANY = {Step.ONE: 10, Step.TWO: 8, Step.THREE: 4, Step.BACK: 4, Step.LEFT: 8, Step.RIGHT: 8, Step.ABOUT: 4}
SHORT = dict(zip(Step, ("+1", "+2", "+3", "-1", "<", ">", "<>"), strict=True))


def look(step: Step) -> Look:
    """A card as the screen shows it: in a few signs, in words, and steps back in red."""
    return Look(SHORT[step], step.value, "red" if step is Step.BACK else None, title=step.value)


CARDS: Deck[Step] = Deck("clockwork", [step for step, many in MANY.items() for _ in range(many)], look=look)


@dataclass(frozen=True)
class Robot:
    """Where a robot stands, which way it looks (0 up, then clockwise), and how many flags it has."""

    cell: Cell
    way: int = 0
    flags: int = 0


@dataclass(frozen=True, kw_only=True)
class ClockworkOptions(Options):
    """House rules of Clockwork."""

    flags: int = option(3, "How many flags a robot has to reach, in order.", low=1, high=3)
    rounds: int = option(20, "The match ends after this many rounds.", low=1, high=60)


def onward(board: Grid, robot: Robot, step: Step, taken: Sequence[Cell]) -> Robot:
    """The robot after one card; walls and other robots stop it.

    Args:
        board: the board.
        robot: the robot.
        step: the card.
        taken: where the other robots stand.
    """
    if step in TURNS:
        return Robot(robot.cell, (robot.way + TURNS[step]) % 4, robot.flags)
    way = robot.way if AHEAD[step] > 0 else (robot.way + 2) % 4
    free = takewhile(lambda cell: cell not in taken, board.ray(robot.cell, WAYS[way]))
    cell = [robot.cell, *islice(free, abs(AHEAD[step]))][-1]
    at_flag = robot.flags < len(FLAGS) and FLAGS[robot.flags] == cell
    return Robot(cell, robot.way, robot.flags + at_flag)


def sign(seat: int, robot: Robot) -> str:
    """A robot as it stands on the board: its seat's number and an arrow."""
    return f"{seat + 1}{ARROWS[robot.way]}"


class Clockwork(Game[ClockworkOptions]):
    """Plan three cards in order, all at once; then watch what comes of it.

    Attributes:
        deck: the cards that nobody has.
        used: the cards that were run or left over.
        hands: the cards of each seat.
        robots: by seat, its robot.
        board: the robots, on a ground with the flags.
        first: the seat whose robot moves first in each step; it passes on.
    """

    name, title, seats, best_with = "robots", N_("Clockwork"), (2, 4), 3
    summary = N_("Everyone picks three cards in secret; then the robots carry them out, come what may.")
    options = ClockworkOptions

    deck: Pile[Step]
    used: Pile[Step]
    hands: list[Hand[Step]]
    robots: list[Robot]
    board: Grid
    first: Seat

    def setup(self, t: Table[ClockworkOptions]) -> None:
        """Robots on the lowest row, flags on the board."""
        self.deck = t.pile("deck", CARDS)
        self.used = t.pile("used")
        self.hands = t.hands("hand")
        self.robots = [Robot(STARTS[seat]) for seat in t.ring]
        flags = {cell: f"F{n}" for n, cell in enumerate(FLAGS, 1)}
        self.board = t.grid("board", SIZE, SIZE, terrain=flags, labels="")
        self.first = t.first_seat
        for seat, robot in enumerate(self.robots):
            self.board.put(robot.cell, sign(seat, robot))

    async def turn(self, t: Table[ClockworkOptions]) -> Outcome | None:
        """One round: deal, plan, run."""
        await t.shuffle(self.deck, self.used)
        await t.deal(self.deck, self.hands, each=5)
        plans = await t.ask_all(
            {seat: some_of(self.hands[seat].cards, PLAN, PLAN, ordered=True) for seat in t.ring},
            N_("Choose three cards, in order."),
            N_("Everyone plans."),
        )
        for place in range(PLAN):
            cards = {seat: plans[seat][place] for seat in t.ring.starting(self.first)}
            await t.reveal(cards.values())
            for seat, card in cards.items():
                if self.run(t, seat, card):
                    return self.ended(t)
        for hand in self.hands:
            hand.move_to(self.used)
        self.first = t.ring.next(self.first)
        return self.ended(t) if t.turn + 1 == t.options.rounds else None

    def run(self, t: Table[ClockworkOptions], seat: Seat, card: Card[Step]) -> bool:
        """Run one card; whether the robot has all flags now."""
        before = self.robots[seat]
        taken = [robot.cell for one, robot in enumerate(self.robots) if one != seat]
        after = self.robots[seat] = onward(self.board, before, card.face, taken)
        self.board.take(before.cell)
        self.board.put(after.cell, sign(seat, after))
        t.tell(N_("{seat}: {card}."), seat=seat, card=card)
        if after.flags > before.flags:
            t.tell(N_("{seat} reaches flag {n}."), seat=seat, n=after.flags)
        return after.flags >= t.options.flags

    def ended(self, t: Table[ClockworkOptions]) -> Outcome:
        """Who has the most flags wins."""
        return Outcome.by_score(t, [robot.flags for robot in self.robots])

    def zones(self, t: Table[ClockworkOptions], viewer: Seat | None) -> Iterable[Zone]:
        """Board, flags and hands."""
        yield grid_zone(self.board, N_("Board"))
        yield tokens_zone("flags", N_("Flags"), [(seat, self.robots[seat].flags) for seat in t.ring])
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))


class Planner(Bot):
    """Tries all its plans as if nobody else moved, and takes the one that ends nearest to its flag."""

    level = "planner"

    def choose(self, view: View[Clockwork], ask: Ask[list[Card[Step]]], chance: Chance) -> list[Card[Step]]:
        """The plan with the most flags, and of these the nearest to the next."""
        game = view.game
        taken = [robot.cell for seat, robot in enumerate(game.robots) if seat != ask.seat]

        def worth(plan: Iterable[Card[Step]]) -> tuple[int, int]:
            robot = game.robots[ask.seat]
            for card in plan:
                step = view.face(card)
                assert step is not None  # these are the cards of its own hand
                robot = onward(game.board, robot, step, taken)
            goal = FLAGS[min(robot.flags, len(FLAGS) - 1)]
            return robot.flags, -abs(goal[0] - robot.cell[0]) - abs(goal[1] - robot.cell[1])

        return list(max(permutations(game.hands[ask.seat].cards, PLAN), key=worth))
