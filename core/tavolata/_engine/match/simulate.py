"""Simulation: whole matches in one process, as fast as the engine can play them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import MOST_ANSWERS, CutShort, OpenSource, Unended
from tavolata._engine.match.seating import alternating, teams_for
from tavolata._engine.match.worlds import new_match
from tavolata._players import Bot
from tavolata.errors import GameError
from tavolata.game import Game
from tavolata.messages import N_
from tavolata.options import Options, problems_of, refuse_first
from tavolata.outcome import Outcome

WITH_SEED = N_("{game} with seed {seed} hasn't ended after {n} answers.")


@dataclass(frozen=True, slots=True)
class Played:
    outcome: Outcome
    log: list[MatchEntry]
    match: Match


def play(
    rules: type[Game[Any]],
    options: Options,
    bots: Sequence[Bot | None],
    seed: int,
    teams: int = 0,
    *,
    source: OpenSource | None = None,
) -> Played:
    """Play one match between bots; the same seed gives the same match.

    `teams` alternate around the table; 0 for none. A `source` with this seed and these bots may do more than
    the default. Raise `GameError` if the match stopped without an outcome, `Unended` if it didn't stop,
    `OptionError` if this number can't play by these house rules.
    """
    teams = teams_for(rules, teams, len(bots))
    refuse_first(problems_of(options, len(bots), teams))
    source = source or OpenSource(seed, bots)
    match = new_match(rules, Terms(_NAMES[: len(bots)], options, teams=alternating(teams, len(bots))), source)
    source.cut_short()
    try:
        match.run()
    except CutShort:
        raise Unended(WITH_SEED, game=rules.name, seed=seed, n=MOST_ANSWERS) from None
    finally:
        source.let_go()
    if match.outcome is None or match.conviction is not None:
        raise GameError(str(match.conviction or f"{rules.name} stopped without an outcome."))
    return Played(match.outcome, source.log, match)


_NAMES = tuple(f"Seat {number}" for number in range(1, 65))
