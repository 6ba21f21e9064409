"""Win shares, lengths and speed of matches between bots, by game, level and number of seats, with intervals.

Run: python benchmarks/levels.py [--games N] [--minutes N] [--first SEED] [--only TEXT]

The tables take turns of a few seconds each, those whose name ends in "!" six times as long: so each is played
as often as its bots are quick. All is seeded; seats change with the seed. The last line of a table counts.
Nothing is asserted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

from shares import interval, take_turns

from tavolata import Seat, Table
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata.game import Game
from tavolata.options import Options
from tavolata_bang.bots import EasyBot as BangEasy
from tavolata_bang.bots import HardBot as BangHard
from tavolata_bang.bots import NormalBot as BangNormal
from tavolata_bang.bots import SlowBot as BangSlow
from tavolata_bang.options import BangOptions
from tavolata_bang.rules import Bang
from tavolata_conto.bots import EasyBot as ContoEasy
from tavolata_conto.bots import HardBot as ContoHard
from tavolata_conto.bots import NormalBot as ContoNormal
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto
from tavolata_horse_fever.bots import EasyBot as HorseEasy
from tavolata_horse_fever.bots import HardBot as HorseHard
from tavolata_horse_fever.bots import NormalBot as HorseNormal
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_jumpy_jack.bots import EasyBot as JackEasy
from tavolata_jumpy_jack.bots import HardBot as JackHard
from tavolata_jumpy_jack.bots import NormalBot as JackNormal
from tavolata_jumpy_jack.options import JumpyJackOptions
from tavolata_jumpy_jack.rules import JumpyJack
from tavolata_zompa.bots import EasyBot as ZompaEasy
from tavolata_zompa.bots import NormalBot as ZompaNormal
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import Zompa

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.plugins.horse_fever.simple_bot import SimpleBot

Levels = tuple[type[Bot], ...]
TURN, LONG = 4.0, 24.0
"""Seconds of a table's turn, and of one whose name ends in "!"."""


@dataclass
class Line:
    """A table, and what was counted in its matches.

    Attributes:
        ours: the places in `seats` of the level whose share is counted; none where the bots are equal.
        won: matches that they have won; of a shared one their part.
        lengths: by match, cards, hands, races or turns.
        answers: by match, the entries of its log.
        seconds: what the matches took.
        calls: at Il Conto, all calls.
        wrong: at Il Conto, hands whose asker was wrong.
    """

    name: str
    rules: type[Game[Any]]
    options: Options
    seats: Levels
    ours: range
    games: int = 0
    won: float = 0.0
    lengths: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    seconds: float = 0.0
    calls: int = 0
    wrong: int = 0

    @property
    def turn(self) -> float:
        return LONG if self.name.endswith("!") else TURN

    def play(self, seed: int) -> None:
        """One match, counted."""
        many = len(self.seats)
        order = [(place + seed) % many for place in range(many)]
        source = OpenSource(seed, [self.seats[number]() for number in order])
        names = tuple(f"Seat {seat + 1}" for seat in range(many))
        match = new_match(self.rules, Terms(names, self.options), source)
        if isinstance(match.game, Conto):
            self._count_calls(match.game)
        start = process_time()
        match.run()
        self.seconds += process_time() - start
        source.let_go()
        outcome = match.outcome
        assert outcome is not None
        self.games += 1
        if outcome.winners:
            self.won += sum(order[seat] in self.ours for seat in outcome.winners) / len(outcome.winners)
        self.lengths.append(LENGTH[self.rules](match.game, match))
        self.answers.append(len(source.log))

    def _count_calls(self, game: Conto) -> None:
        """Count calls and wrong askers at the end of each hand."""
        hand_over = game.hand_over

        def counted(t: Table[ContoOptions], winner: Seat, *, clean: bool) -> None:
            self.calls += len(game.calls)
            self.wrong += winner is game.calls[-1][0]
            hand_over(t, winner, clean=clean)

        game.hand_over = counted  # type: ignore[method-assign] # so that the rules need no hook for it

    def told(self) -> str:
        """The figures in a line."""
        length = self.lengths
        spread = f" ± {1.96 * stdev(length) / len(length) ** 0.5:.1f}" if len(length) > 1 else ""
        share = (
            f"{interval(self.won, self.games)} won of {self.games}" if self.ours else f"{self.games} matches"
        )
        figures = [
            self.name,
            share,
            f"length {fmean(length):.1f}{spread}",
            f"{fmean(self.answers):.0f} entries",
            f"{self.games / self.seconds:.3g} matches a second",
        ]
        if isinstance(self.options, BangOptions):
            capped = sum(length >= self.options.cap for length in length)
            figures.append(f"by the cap {100 * capped / self.games:.0f} %")
        if self.rules is Conto:
            hands = sum(length)
            wrong = interval(self.wrong, hands)
            figures.append(f"{self.calls / hands:.1f} calls a hand, the asker was wrong in {wrong}")
        return "; ".join(figures)


LENGTH: dict[type[Game[Any]], Callable[[Any, Match], int]] = {
    Bang: lambda game, _: game.laid,
    Conto: lambda game, _: game.hand,
    HorseFever: lambda _, match: match.turns,
    JumpyJack: lambda game, _: game.race,
    Zompa: lambda game, _: 40 * game.round - len(game.deck),
}


def among(
    rules: type[Game[Any]], options: Options, one: type[Bot], other: type[Bot], many: int, how: str = ""
) -> Line:
    """One bot among weaker ones."""
    name = f"{rules.name}{how.rstrip('!')}: 1 {one.level} among {many - 1} {other.level}"
    return Line(name + "!" * how.endswith("!"), rules, options, (one, *[other] * (many - 1)), range(1))


def halves(
    rules: type[Game[Any]], options: Options, one: type[Bot], other: type[Bot], many: int, how: str = ""
) -> Line:
    """As many bots of one level as of another."""
    half = many // 2
    name = f"{rules.name}{how.rstrip('!')}: {half} {one.level} against {half} {other.level}"
    return Line(name + "!" * how.endswith("!"), rules, options, (one, other) * half, range(0, many, 2))


def equal(rules: type[Game[Any]], options: Options, bot: type[Bot], many: int) -> Line:
    """Bots of one level only: how long a match is."""
    return Line(f"{rules.name}: {many} {bot.level}", rules, options, (bot,) * many, range(0))


def lines() -> Iterator[Line]:
    """Every game, level and usual number of seats."""
    for mode in Mode:
        horses = HorseFeverOptions(mode=mode)
        how = f", {mode.value}"
        yield halves(HorseFever, horses, HorseHard, HorseNormal, 4, how + "!")
        for many in (2, 6):
            yield halves(HorseFever, horses, HorseHard, HorseNormal, many, how)
            yield halves(HorseFever, horses, HorseNormal, SimpleBot, many, how)
        yield among(HorseFever, horses, HorseHard, HorseNormal, 3, how)
        yield among(HorseFever, horses, HorseNormal, SimpleBot, 3, how)
        yield halves(HorseFever, horses, HorseNormal, HorseEasy, 4, how)
        yield halves(HorseFever, horses, HorseEasy, RandomBot, 4, how)
    for guess, how in ((False, ""), (True, ", guessing")):
        jumps = JumpyJackOptions(guess=guess)
        yield among(JumpyJack, jumps, JackHard, JackNormal, 4, how or "!")
        yield among(JumpyJack, jumps, JackHard, JackNormal, 2, how)
        yield among(JumpyJack, jumps, JackNormal, JackEasy, 2, how)
        yield among(JumpyJack, jumps, JackNormal, JackEasy, 4, how)
    jumps = JumpyJackOptions()
    yield among(JumpyJack, jumps, JackHard, JackNormal, 6)
    yield among(JumpyJack, jumps, JackNormal, JackEasy, 6)
    yield among(JumpyJack, jumps, JackEasy, RandomBot, 4)
    meals = ContoOptions()
    yield among(Conto, meals, ContoHard, ContoNormal, 4, "!")
    for many in (3, 5, 8):
        yield among(Conto, meals, ContoHard, ContoNormal, many)
    for many in (3, 4, 5):
        yield among(Conto, meals, ContoNormal, ContoEasy, many)
    yield among(Conto, meals, ContoEasy, RandomBot, 4)
    for many in (3, 4, 5, 8):
        yield equal(Conto, meals, ContoNormal, many)
    for many in (3, 4, 5, 8):
        yield equal(Conto, meals, ContoHard, many)
    yield equal(Conto, meals, ContoEasy, 4)
    bangs = BangOptions()
    for weaker, stronger in ((BangSlow, BangEasy), (BangEasy, BangNormal), (BangNormal, BangHard)):
        for many in (2, 3, 4, 6):
            yield among(Bang, bangs, stronger, weaker, many)
    for many in (2, 3, 4, 6):
        for bot in (BangSlow, BangEasy, BangNormal, BangHard):
            yield equal(Bang, bangs, bot, many)
    for many in (2, 6):
        yield among(Zompa, ZompaOptions(), ZompaNormal, ZompaEasy, many)
        yield among(Zompa, ZompaOptions(fives=True), ZompaNormal, ZompaEasy, many, ", bets")
    for many in (2, 6, 10):
        yield equal(Zompa, ZompaOptions(), ZompaNormal, many)
    yield equal(Zompa, ZompaOptions(), ZompaEasy, 6)


if __name__ == "__main__":
    take_turns(__doc__, lines(), 50)
