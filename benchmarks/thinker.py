"""How strong the thinker is: against the best bot that was written for each game, and by its time.

Run `python benchmarks/thinker.py [--seconds 1,0.2] [--matches 40] [--games four,hearts] [--ways]`. A row is
printed when its matches are over; `--within 120` ends it after so many seconds, when each seat had its turn.
`--playouts 600,2000` plays so many worlds a choice instead of thinking for a time, `--opening 2` makes the
first two answers of a match at random, `--first 1000` begins at this seed, and `--rival alpha-beta` has only
this one play against it.
The thinker has one seat, which rotates; the written bot has all others. Each seed is played from every seat.
The interval of points is that of the means of seeds: own points less the mean of the others'. `--together`
seats a thinker everywhere, and the written bot everywhere with the same seeds: for games won together.
`--kept` measures instead how long a thought takes in every installed game (`pip install -e plugins/classics`
for the classics), with as many seats as it can have, up to eight.
Time is time of the processor, so a busy machine changes little.
"""

from __future__ import annotations

import argparse
import gc
import math
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from typing_extensions import override

from tavolata._engine.match.simulate import play
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.thinking import search_bot
from tavolata._engine.thinking.thinker import thinker
from tavolata.asks import Ask
from tavolata.bots import Bot, Chance, RandomBot, SearchBot
from tavolata.game import Game
from tavolata.view import View

FOLDER = Path(__file__).parents[1] / "examples" / "games"
GAMES: dict[str, tuple[int, dict[str, str]]] = {
    "four": (2, {}), "hearts": (4, {"points": "1"}), "rockets": (2, {}), "liars": (2, {}), "robots": (2, {}),
    "heirs": (2, {}), "horse-fever": (2, {}), "jumpy-jack": (2, {}), "conto": (3, {}),
}  # fmt: skip
"""The seats and house rules of each game; Hearts is one deal."""
STRONG = ("hard", "normal", "easy")


class AlphaBeta(Bot):
    """Four in a Row by alpha-beta search of depth 4; the open lines are the worth of a position."""

    level = "alpha-beta"
    depth = 4

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        board, seat = view.game.board, int(ask.seat)
        stones = ("red (R)", "yellow (Y)")
        heights = [sum(board[row, column] is not None for row in range(6)) for column in range(7)]
        cells = [[0] * 7 for _ in range(6)]
        for row in range(6):
            for column in range(7):
                stone = board[row, column]
                if stone is not None:
                    cells[5 - row][column] = 1 if stone == stones[seat] else -1
        legal = list(view.legal(ask))
        best, choices = -math.inf, legal
        for column in sorted(legal, key=lambda one: abs(one - 3)):
            worth = self._try(cells, heights, column, 1, self.depth - 1, -math.inf, math.inf)
            if worth > best:
                best, choices = worth, [column]
            elif worth == best:
                choices.append(column)
        return chance.pick(choices)

    def _try(
        self,
        cells: list[list[int]],
        heights: list[int],
        column: int,
        who: int,
        depth: int,
        low: float,
        high: float,
    ) -> float:
        row = heights[column]
        cells[row][column] = who
        heights[column] += 1
        if _wins(cells, row, column):
            found: float = who * (1000 + depth)
        elif depth == 0 or all(height == 6 for height in heights):
            found = _lines(cells)
        else:
            found = math.inf if who == 1 else -math.inf
            for other in (3, 2, 4, 1, 5, 0, 6):
                if heights[other] < 6:
                    worth = self._try(cells, heights, other, -who, depth - 1, low, high)
                    if who == 1:
                        found = min(found, worth)
                        high = min(high, found)
                    else:
                        found = max(found, worth)
                        low = max(low, found)
                    if low >= high:
                        break
        cells[row][column] = 0
        heights[column] -= 1
        return found


def _wins(cells: list[list[int]], row: int, column: int) -> bool:
    who = cells[row][column]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        run = 1
        for way in (1, -1):
            at = row + way * down, column + way * right
            while 0 <= at[0] < 6 and 0 <= at[1] < 7 and cells[at[0]][at[1]] == who:
                run, at = run + 1, (at[0] + way * down, at[1] + way * right)
        if run >= 4:
            return True
    return False


LINES = [
    [(row + n * down, column + n * right) for n in range(4)]
    for row in range(6) for column in range(7) for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if 0 <= row + 3 * down < 6 and 0 <= column + 3 * right < 7
]  # fmt: skip


def _lines(cells: list[list[int]]) -> float:
    """How many more stones lie in lines that are still open to the first player than to the second."""
    worth = 0
    for line in LINES:
        owners = [cells[row][column] for row, column in line]
        if -1 not in owners:
            worth += sum(owners) ** 2
        elif 1 not in owners:
            worth -= sum(owners) ** 2
    return worth


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %."""
    z, share = 1.96, wins / matches
    middle = share + z * z / (2 * matches)
    reach = z * math.sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    return (middle - reach) / (1 + z * z / matches), (middle + reach) / (1 + z * z / matches)


def spread(values: Sequence[float]) -> str:
    """The mean of some values with its interval, 95 %."""
    many = len(values)
    if many < 2:
        return f"{sum(values):+.2f}"
    mean = sum(values) / many
    reach = 1.96 * math.sqrt(sum((one - mean) ** 2 for one in values) / (many - 1) / many)
    return f"{mean:+.2f} ± {reach:.2f} of {many} seeds"


def together(
    name: str, rules: type[Game[Any]], mine: type[Bot], theirs: type[Bot], seeds: range, said: str
) -> None:
    """Play these seeds with either bot at all seats, and print what the points of the first are more."""
    seats, options = GAMES[name]
    rules_of_house = rules.options.parse({**dict(rules.local), **options})
    sums: dict[type[Bot], list[float]] = {mine: [], theirs: []}
    for seed in seeds:
        for bot, scores in sums.items():
            points = play(rules, rules_of_house, [bot() for _ in range(seats)], seed).outcome.scores
            assert points is not None
            scores.append(sum(points) / seats)
    differences = [one - other for one, other in zip(*sums.values(), strict=True)]
    means = " : ".join(f"{sum(scores) / len(scores):.1f}" for scores in sums.values())
    print(
        f"| {name} | {seats} | {said} | {theirs.level}, all seats | {means}; {spread(differences)} |",
        flush=True,
    )


class Timed(list[float]):
    """The times of some thoughts: at the 1st, 2nd, 3rd, 5th, 8th… question of each match."""

    def bot(self, made: type[Bot], written: type[Bot]) -> type[Bot]:
        """A bot that thinks at these questions, and answers the others as the written one."""
        times = self

        class Watched(made):  # type: ignore[misc, valid-type]
            def __init__(self) -> None:
                self.asked, self.next, self.after = 0, 1, 2

            @override
            def choose(self, view: View, ask: Ask, chance: Chance) -> object:
                self.asked += 1
                if self.asked < self.next or ask.question.count() < 2:
                    return written().choose(view, ask, chance)
                self.next, self.after = self.after, self.next + self.after
                gc.collect()  # as there before each thought
                begun = process_time()
                answer = super().choose(view, ask, chance)
                times.append(process_time() - begun)
                return answer

        return Watched


def kept(catalogue: Catalogue, seconds: float, matches: int) -> None:
    """Print how long the thinker thinks about a question of each installed game."""
    print(f"| game | seats | thoughts | median, of {seconds:g} s | longest |")
    print("| --- | --- | --- | --- | --- |", flush=True)
    for name, loaded in catalogue.games().items():
        rules, written = loaded.game, catalogue.written_bots(name)
        best = next((written[level] for level in STRONG if level in written), next(iter(written.values())))
        seats, times = min(rules.seats[1], 8), Timed()
        mine = times.bot(thinker(written, seconds), best)
        for seed in range(matches):
            players: list[Bot] = [mine(), *(best() for _ in range(seats - 1))]
            play(rules, rules.options.parse(rules.local), players, seed)
        if times:
            middle, longest = sorted(times)[len(times) // 2], max(times)
            print(
                f"| {name} | {seats} | {len(times)} | {middle / seconds:.0%} | {longest / seconds:.0%} |",
                flush=True,
            )
        else:
            print(f"| {name} | {seats} | 0 | – | – |", flush=True)


def opened(bot: type[Bot], answers: int) -> type[Bot]:
    """The same bot, but the first answers of a match are random: the same ones with the same seed."""

    class Opened(bot):  # type: ignore[misc, valid-type]
        @override
        def choose(self, view: View, ask: Ask, chance: Chance) -> object:
            if ask.id <= answers:
                return RandomBot().choose(view, ask, chance)
            return super().choose(view, ask, chance)

    return Opened


def row(
    name: str,
    rules: type[Game[Any]],
    mine: type[Bot],
    theirs: type[Bot],
    first: int,
    most: int,
    within: float,
    said: str,
) -> None:
    """Play these matches from a seed on, or as many as there is time for, and print a row of the table."""
    seats, options = GAMES[name]
    rules_of_house = rules.options.parse({**dict(rules.local), **options})
    wins = points = others = 0.0
    start, spent, matches = perf_counter(), process_time(), 0
    leads: list[float] = []
    for number in range(most):
        seat = number % seats
        if seat == 0 and number and perf_counter() - start > within * number / (number + seats):
            break
        matches += 1
        players = [mine() if one == seat else theirs() for one in range(seats)]
        outcome = play(rules, rules_of_house, players, first + number // seats).outcome
        winners: Sequence[int] = outcome.winners
        wins += 1 / len(winners) if seat in winners else 0.5 * (not winners and seats == 2)
        if outcome.scores is not None:
            mean = (sum(outcome.scores) - outcome.scores[seat]) / (seats - 1)
            points += outcome.scores[seat]
            others += mean
            leads.append(outcome.scores[seat] - mean)
    low, high = interval(wins, matches)
    of_seeds = [sum(leads[at : at + seats]) / seats for at in range(0, len(leads) - seats + 1, seats)]
    means = f"{points / matches:.2f} : {others / matches:.2f}; {spread(of_seeds)}" if of_seeds else "–"
    print(
        f"| {name} | {seats} | {said} | {theirs.level} | {matches} | {100 * wins / matches:.0f} % "
        f"({100 * low:.0f} to {100 * high:.0f}) | {100 / seats:.0f} % | {means} | "
        f"{(process_time() - spent) / matches:.1f} |",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", default="1")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--within", type=float, default=math.inf)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--playouts", default="")
    parser.add_argument("--opening", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rival", default="")
    parser.add_argument("--together", action="store_true", help="a thinker at all seats, and the other bot")
    parser.add_argument("--ways", action="store_true", help="compare tree and flat, without an adviser")
    parser.add_argument("--kept", action="store_true", help="measure how long a thought takes in every game")
    given = parser.parse_args()
    gc.set_threshold(10_000)  # as in the process where thinkers think
    search_bot.monotonic = process_time  # type: ignore[attr-defined] # a busy machine shall think as long
    catalogue = Catalogue()
    if given.kept:
        kept(catalogue, float(given.seconds.split(",")[0]), given.matches)
        return
    print("| game | seats | thinks | against | matches | wins | fair | points | seconds a match |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for name in given.games.split(","):
        word = str(FOLDER / name / "rules.py") if (FOLDER / name).is_dir() else name
        rules = catalogue.game(word).game
        written = catalogue.written_bots(rules.name)
        best = next((written[level] for level in STRONG if level in written), next(iter(written.values())))
        budgets: list[tuple[float, int]] = [(float(one), 0) for one in given.seconds.split(",")]
        if given.playouts:
            budgets = [(1, int(one)) for one in given.playouts.split(",")]
        for seconds, playouts in budgets:
            made = type("Made", (thinker(written, seconds),), {"playouts": playouts})
            thinks = f"{playouts} playouts" if playouts else f"{seconds:g} s"
            ways: list[tuple[str, dict[str, Any]]] = [("", {})]
            if given.ways:
                quick = made.policy if issubclass(made, SearchBot) else RandomBot()
                ways = [
                    (f", {kind}, {who}{', advised' if advised else ''}",
                     {"looks_ahead": kind == "tree", "policy": policy,
                      **({} if advised else {"adviser": None})})
                    for who, policy in (("random", RandomBot()), (quick.level, quick))
                    for kind, advised in (("flat", False), ("tree", False), ("flat", True))
                ]  # fmt: skip
            for said, changes in ways:
                mine = type("Mine", (made,), changes)
                rivals: list[type[Bot]] = [best, AlphaBeta] if name == "four" and not given.ways else [best]
                if given.together:
                    seeds = range(given.first, given.first + given.matches)
                    together(name, rules, mine, best, seeds, thinks + said)
                    continue
                for rival in rivals:
                    if given.rival in ("", rival.level):
                        pair = opened(mine, given.opening), opened(rival, given.opening)
                        row(name, rules, *pair, given.first, given.matches, given.within, thinks + said)


if __name__ == "__main__":
    main()
