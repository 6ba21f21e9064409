"""Simulated statistics of Il Conto, Prego!: hands and matches between bots of different levels.

    python benchmarks/conto.py [matches]

Each pairing is two bots against two, from fixed seeds. It prints the turns and calls of a hand, the
number of cards in the last call, the share of true bills, the hands of a match and the share of losses;
with Saldo also when players are put out. Nothing is asserted.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata_conto.bots import EasyBot, HardBot, NormalBot
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto

LEVELS: dict[str, type[Bot]] = {"random": RandomBot, "easy": EasyBot, "normal": NormalBot, "hard": HardBot}
PAIRINGS = [(one, other) for place, one in enumerate(LEVELS) for other in list(LEVELS)[place:]]
RULES = {"plain": ContoOptions(), "saldo": ContoOptions(saldo=True)}


@dataclass
class Figures:
    """The statistics of some matches."""

    matches: int = 0
    hands: int = 0
    calls: int = 0
    named: int = 0
    true: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    out_in_hand: list[int] = field(default_factory=list)

    def line(self) -> str:
        """The figures in a line."""
        hands = self.hands
        shares = ", ".join(f"{level} {100 * n / hands:.0f} %" for level, n in sorted(self.lost.items()))
        out = f", out in hand {sum(self.out_in_hand) / len(self.out_in_hand):.1f}" if self.out_in_hand else ""
        return (
            f"{hands / self.matches:5.1f} hands, {self.calls / hands:4.1f} calls a hand, "
            f"{self.named / hands:3.1f} cards in the last, bills true {100 * self.true / hands:3.0f} %, "
            f"lost by {shares}{out}"
        )


def simulate(pairing: tuple[str, str], options: ContoOptions, matches: int) -> Figures:
    """Play matches of two against two."""
    figures = Figures()
    for seed in range(matches):
        levels = [pairing[(place + seed) % 2] for place in range(4)]
        source = OpenSource(seed, [LEVELS[level]() for level in levels], lambda _: None)
        match = new_match(Conto, Terms(("A", "B", "C", "D"), options), source)
        game = match.game
        assert isinstance(game, Conto)
        watch(game, figures)
        match.run()
        figures.matches += 1
        figures.hands += game.hand
        for level, counter in zip(levels, game.losses, strict=True):
            figures.lost[level] += counter.value
    return figures


def watch(game: Conto, figures: Figures) -> None:
    """Record the statistics of each hand at its end."""
    hand_over, lose = game.hand_over, game.lose

    def noted(t: object, winner: object, *, clean: bool) -> None:
        caller, call = game.calls[-1]
        figures.calls += len(game.calls)
        figures.named += call.total
        figures.true += winner is caller
        hand_over(t, winner, clean=clean)  # type: ignore[arg-type] # handed through

    def out(t: object, loser: object) -> None:
        before = len(game.gone)
        lose(t, loser)  # type: ignore[arg-type] # handed through
        figures.out_in_hand += [game.hand] * (len(game.gone) - before)

    game.hand_over, game.lose = noted, out  # type: ignore[method-assign] # to look on


def main() -> None:
    """Print a line for each pairing and rule."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for rule, options in RULES.items():
        for one, other in PAIRINGS:
            print(
                f"{rule:6} {one + ' - ' + other:16}",
                simulate((one, other), options, matches).line(),
                flush=True,
            )


if __name__ == "__main__":
    main()
