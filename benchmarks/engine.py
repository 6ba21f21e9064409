"""A benchmark of the engine, as ratios to a function that plays Zompa without any engine.

    python benchmarks/engine.py

One run prints games, entries and decisions per second of Zompa at several sizes of table, and their
ratio to `straight_zompa`; decisions per second of Leduc poker; and microseconds per entry for replaying a
log from memory and from a file. Nothing is asserted; the goals are in README.md.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import leduc
import straight_zompa
from ratio import fastest

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Terms
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata._engine.storage import match_file
from tavolata.bots import RandomBot
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import Zompa

GAMES = 40  # in each of many rounds; short rounds are more likely to fall into quiet moments
LOG = 10_000
SEATS_OF_LOG = 20  # where games are longest


def zompa(seats: int) -> float:
    """Measure one size of table, both ways from the same seeds; return games per second without engine."""
    options, bots = ZompaOptions(), [RandomBot()] * seats
    entries = 0

    def straight() -> int:
        for seed in range(GAMES):
            straight_zompa.play(seats, seed)
        return GAMES

    def engine() -> int:
        nonlocal entries
        entries = sum(len(play(Zompa, options, bots, seed).log) for seed in range(GAMES))
        return GAMES

    each = fastest({"straight": straight, "engine": engine})
    print(
        f"Zompa, {seats:>2} seats: straight line {1 / each['straight']:>7,.0f} games/s,",
        f"engine {1 / each['engine']:>7,.0f} games/s ({entries / GAMES / each['engine']:,.0f} entries/s),",
        f"ratio {each['straight'] / each['engine']:.2f}",
    )
    return 1 / each["straight"]


def zompa_with_decisions() -> None:
    """Measure Zompa with the five, on which everybody may bet; random bots make sealed bets at once."""
    options, bots = ZompaOptions(fives=True), [RandomBot()] * 6
    games = decisions = 0

    def engine() -> int:
        nonlocal games, decisions
        games = GAMES
        decisions = sum(play(Zompa, options, bots, seed).match.table._asks for seed in range(GAMES))
        return decisions

    each = fastest({"engine": engine})
    print(
        f"Zompa, 6 seats with bets: {1 / each['engine']:,.0f} decisions/s,",
        f"{decisions / games:.0f} in a game, the cards between them included",
    )


def leduc_poker(straight: float) -> None:
    """Measure a small game of many decisions."""
    bots = [leduc.Caller(), leduc.Caller()]

    def run() -> int:
        played = (play(leduc.Leduc, leduc.LeducOptions(hands=200), bots, seed) for seed in range(1))
        return sum(one.match.table._asks for one in played)

    each = fastest({"leduc": run})
    there = 14_500 / straight / each["leduc"]
    print(
        f"Leduc: {1 / each['leduc']:,.0f} decisions/s, view and validation included;",
        f"{there:,.0f} where the straight line plays 14,500 games/s",
    )


def replays() -> None:
    """Measure the replay of 10,000 entries from as many matches as needed, from memory and from files."""
    logs: list[list[MatchEntry]] = []
    while sum(len(log) for log in logs) < LOG:
        logs.append(play(Zompa, ZompaOptions(), [RandomBot()] * SEATS_OF_LOG, len(logs)).log)
    entries = sum(len(log) for log in logs)
    terms = Terms(tuple(f"Seat {number}" for number in range(SEATS_OF_LOG)), ZompaOptions())
    rules, bots = (Zompa.name, "0.1.0", Zompa.rules_id), ("random",) * SEATS_OF_LOG
    header = Header("0" * 16, *rules, terms.options.plain(), terms.names, bots)

    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}{match_file.SUFFIX}" for number in range(len(logs))]
        for path, log in zip(paths, logs, strict=True):
            with match_file.MatchFile(path) as file:
                file.write(match_file.HEADER, header.plain())
                for entry in log:
                    file.entry(entry)

        def memory() -> int:
            for log in logs:
                new_match(Zompa, terms, LogSource(SEATS_OF_LOG, OneDealer(), log)).run()
            return entries

        def files() -> int:
            for path in paths:
                source = LogSource(SEATS_OF_LOG, OneDealer(), match_file.read(path).entries)
                new_match(Zompa, terms, source).run()
            return entries

        each = fastest({"memory": memory, "file": files})
    print(
        f"Replay of {entries:,} entries: {each['memory'] * 1e6:.2f} us an entry from memory,",
        f"{each['file'] * 1e6:.2f} us from the file (signatures are not checked)",
    )


if __name__ == "__main__":
    straight = {seats: zompa(seats) for seats in (2, 4, 6, 10)}
    zompa_with_decisions()
    leduc_poker(straight[6])
    replays()
