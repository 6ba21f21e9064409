"""The rules of Draughts: English ones, or those of Dama."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from tavolata import (
    N_,
    NN_,
    Choice,
    Game,
    Grid,
    Look,
    Opening,
    Options,
    Outcome,
    Seat,
    Table,
    Zone,
    one_of,
    option,
    text,
)
from tavolata.zones import Layout, Show, grid_zone, text_zone, tokens_zone
from tavolata_classics.draughts.board import SIZE, Cell, Move, is_crowned, moves, start

WHITE, BLACK = (N_("white man (w)"), N_("white king (W)")), (N_("black man (b)"), N_("black king (B)"))
CAPTURES = NN_("{seat} captures {n} piece: {way}.", "{seat} captures {n} pieces: {way}.")
CROWNED = N_("{seat} gets a king.")
REPEATED = 3
"""The match is a draw when a position comes up this often."""


class National(Enum):
    """The rules of a country."""

    ENGLISH = N_("english")
    ITALIAN = N_("italian")


@dataclass(frozen=True, kw_only=True)
class DraughtsOptions(Options):
    """What a table agrees on."""

    rules: National = option(
        National.ENGLISH,
        "English rules, or Italian ones, where you must capture as many as you can and men can't "
        "capture kings.",
        title=N_("rules"),
    )
    quiet: int = option(
        40, ("The match is drawn when both players go this many moves without capturing a piece or "
             "moving a man."),
        title=N_("quiet moves"), low=10, high=60,
    )  # fmt: skip


class Draughts(Game[DraughtsOptions]):
    """Take all the other's men, or leave them without a move.

    Attributes:
        board: the men.
        mover: whose turn it is; seat `first` is side 0 and moves up the board.
        looks: the words of each number of a man; white moves first by Italian rules.
        quiet: the moves since the last capture or move of a man.
        seen: by position and side, how often it has come up since then.
        last: the cells that the last move visited.
        lost: by seat, its men that were taken.
    """

    name = "draughts"
    title = N_("Draughts")
    summary = N_("Capture all of your opponent's pieces, by English or Italian rules.")
    card = Opening(
        goal=N_("Capture all of your opponent's pieces, or block them."),
        turn=N_("Move a man diagonally forward; capture a piece by jumping over it."),
        lose=N_("If you can capture, you have to. If you can't move, you lose."),
    )
    seats = (2, 2)
    minutes = 20
    options = DraughtsOptions
    layout = Layout(decision=4)
    guide = "tavolata_classics.draughts.guide"

    board: Grid
    first: Seat
    mover: Seat
    looks: tuple[str, ...]
    quiet: int
    seen: dict[str, int]
    last: tuple[Cell, ...]
    lost: list[int]

    def setup(self, t: Table[DraughtsOptions]) -> None:
        """Twelve men for each, on the dark squares of three rows."""
        italian = t.options.rules is National.ITALIAN
        squares = [(row, column) for row in range(SIZE) for column in range(SIZE)]
        light = {cell: Look(" ", N_("light")) for cell in squares if sum(cell) % 2 == italian}
        self.board = t.grid("board", SIZE, SIZE, terrain=light)
        self.first = self.mover = t.first_seat
        self.looks = (*WHITE, *BLACK) if italian else (*BLACK, *WHITE)
        for cell, man in start(italian=italian).items():
            self.board.put(cell, self.looks[man])
        self.quiet, self.seen, self.last = 0, {}, ()
        self.lost = [0] * len(t.ring)

    def position(self) -> dict[Cell, int]:
        """Return the position as the moves need it."""
        return {cell: self.looks.index(man) for cell in self.board.cells() if (man := self.board[cell])}

    def side(self, seat: Seat) -> int:
        """Return 0 for the seat that moved first, 1 for the other."""
        return int(seat != self.first)

    def legal(self, *, italian: bool) -> list[Move]:
        """Return the moves of the seat whose turn it is."""
        return moves(self.position(), self.side(self.mover), italian=italian)

    async def turn(self, t: Table[DraughtsOptions]) -> Outcome | None:
        """One move; a seat that has none has lost."""
        seat, found = self.mover, self.legal(italian=t.options.rules is National.ITALIAN)
        other = t.ring.next(seat)
        if not found:
            if any(man // 2 == self.side(seat) for man in self.position().values()):
                t.tell(N_("{seat} can't move, so {to} wins."), seat=seat, to=other, stamp=N_("no moves left"))
            else:
                t.tell(
                    N_("{seat} has lost every piece, so {to} wins."),
                    seat=seat,
                    to=other,
                    stamp=N_("no pieces left"),
                )
            return Outcome((other,), statistics=self.statistics())
        question = one_of([self.choice(move) for move in found])
        prompt = N_("You have to capture. Which way?") if found[0].taken else N_("Which move?")
        path, taken = await t.ask(seat, question, prompt, N_("{seat} thinks."), about=[self.board], seat=seat)
        self.make(t, seat, Move(path, taken))
        self.mover = other
        return self.draw(t)

    def choice(self, move: Move) -> Choice[tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
        """Return a move as a choice, shown on the board where it ends."""
        way = tuple(map(self.board.at, move.path))
        if move.taken:
            words, verb = N_("capture {way}"), N_("Capture {way}")
            return Choice((move.path, move.taken), words, at=way[-1], verb=verb, params={"way": way})
        params = {"start": way[0], "end": way[1]}
        words, verb = N_("{start} to {end}"), N_("Move {start} to {end}")
        return Choice((move.path, ()), words, at=way[1], verb=verb, params=params)

    def make(self, t: Table[DraughtsOptions], seat: Seat, move: Move) -> None:
        """Move the man, take away those it jumped over, and crown it on the far row."""
        before = self.position()
        man, end = before[move.path[0]], move.path[-1]
        way = tuple(map(self.board.at, move.path))
        self.board.take(move.path[0])
        for cell in move.taken:
            self.board.take(cell)
        crowned = is_crowned(man, end)
        self.board.put(end, self.looks[man + crowned])
        self.last = move.path
        if move.taken:
            self.lost[t.ring.next(seat)] += len(move.taken)
            t.tell(CAPTURES, seat=seat, n=len(move.taken), way=way)
        else:
            t.tell(N_("{seat} moves from {start} to {end}."), seat=seat, start=way[0], end=way[1])
        if crowned:
            t.tell(CROWNED, seat=seat, stamp=N_("crowned"))
        if move.taken or not man % 2:  # what was before can't come up again
            self.quiet, self.seen = 0, {}
        else:
            self.quiet += 1

    def draw(self, t: Table[DraughtsOptions]) -> Outcome | None:
        """Nobody wins if a position has come up three times, or if nothing has happened for long."""
        men = sorted(self.position().items())
        key = f"{self.mover}: {' '.join(f'{row}{column}{man}' for (row, column), man in men)}"
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.seen[key] == REPEATED:
            why = text(N_("The same position has come up three times."))
        elif self.quiet == 2 * t.options.quiet:
            why = text(
                N_("Neither player has captured a piece or moved a man in their last {n} moves."),
                n=t.options.quiet,
            )
        else:
            return None
        t.tell(why.message, **why.params)
        return Outcome((), why=why, statistics=self.statistics())

    def statistics(self) -> Mapping[str, tuple[int, ...]]:
        """Return how many men each has taken."""
        return {N_("Pieces captured"): tuple(reversed(self.lost))}

    def unfinished(self, t: Table[DraughtsOptions]) -> Outcome:
        """The more men are worth, the better: a man three, a king five."""
        worth = [0, 0]
        for man in self.position().values():
            worth[man // 2] += 5 if man % 2 else 3
        return Outcome.by_score(t, [worth[self.side(seat)] for seat in t.ring])

    def zones(self, t: Table[DraughtsOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield grid_zone(self.board, N_("Board"), show=Show(role="board"))
        counts = [0, 0]
        for man in self.position().values():
            counts[man // 2] += 1
        yield tokens_zone("men", N_("Men"), [(seat, counts[self.side(seat)]) for seat in t.ring])
        white = t.ring[self.first if t.options.rules is National.ITALIAN else t.ring.next(self.first)]
        yield text_zone("white", N_("White"), "{seat}", show=Show(role="fact"), seat=white)
        if self.last:
            way = tuple(map(self.board.at, self.last))
            yield text_zone("last", N_("Last move"), "{way}", show=Show(role="fact"), way=way)
