"""A crew plays the matches of an experiment: this process, others on this machine, or a Dask cluster.

Only names, house rules and seeds travel to the workers, and trials come back. Which of them plays a match has
no effect on the match.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any

from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.source_code import code_of
from tavolata._lab.trial import Arm, Trial, try_out
from tavolata.bots import Bot
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.messages import N_

ALONE = 2.0
"""Seconds that this process plays alone: to start others would take as long."""
SHARE = 0.5
"""Seconds that a worker should take for what it is sent at once, so that progress is seen."""
LARGEST = 500
"""The most matches that are sent at once."""

Key = tuple[int, int]
"""A match: the number of its arm, and its number in the arm."""


class CrewError(MessageError):
    """The matches can't be played by this crew."""


@dataclass(frozen=True)
class Experiment:
    """All that a worker has to know to play any of the matches.

    Attributes:
        game: the name of the game, or its file, as typed.
        code: the fingerprint of its code, so that no worker plays another game of this name.
        arms: the arms.
        matches: how many matches each arm has.
        seed: the seed of match 0.
    """

    game: str
    code: bytes
    arms: tuple[Arm, ...]
    matches: int
    seed: int

    def keys(self) -> list[Key]:
        """All matches; those of one number stand together, so that what is cut short has whole pairs."""
        return [(arm, number) for number in range(self.matches) for arm in range(len(self.arms))]


@cache
def _known(game: str) -> tuple[type[Game[Any]], Mapping[str, type[Bot]], bytes]:
    catalogue = Catalogue()
    loaded = catalogue.game(game)
    return loaded.game, catalogue.bots(loaded.info.name), code_of(loaded.game).fingerprint


def play_share(experiment: Experiment, keys: Sequence[Key]) -> list[Trial]:
    """Play these matches in this process.

    Raises:
        CrewError: the game is not the same here.
        RulesFault: the rules broke.
    """
    game, bots, code = _known(experiment.game)
    if code != experiment.code:
        raise CrewError(
            N_("A worker has other code of {game}: install the same version there."), game=game.name
        )
    return [play_one(game, bots, experiment, key) for key in keys]


def play_one(game: type[Game[Any]], bots: Mapping[str, type[Bot]], experiment: Experiment, key: Key) -> Trial:
    """Play one match; see `play_share`."""
    try:
        return try_out(game, bots, experiment.arms, key, experiment.seed)
    except Exception as error:
        if is_rules_fault(error, game):
            raise rules_fault(error, game) from error
        raise


class Crew:
    """A crew of this machine.

    Args:
        jobs: how many processes play; 1 for this one alone.
        alone: seconds after which others help.
    """

    def __init__(self, jobs: int, alone: float = ALONE) -> None:
        self._jobs, self._alone = jobs, alone

    def play(
        self, experiment: Experiment, game: type[Game[Any]], bots: Mapping[str, type[Bot]]
    ) -> Iterator[Sequence[Trial]]:
        """Play all matches; who asks for no more, or is interrupted, has those that were played.

        Raises:
            CrewError: a process died.
            RulesFault: the rules broke.
        """
        keys, start = experiment.keys(), monotonic()
        done = 0
        while done < len(keys) and (self._jobs < 2 or monotonic() - start < self._alone):
            yield [play_one(game, bots, experiment, keys[done])]
            done += 1
        if done < len(keys):
            size = share_size(done, monotonic() - start, len(keys) - done, self._jobs)
            yield from self._together(experiment, keys[done:], size)

    def _together(self, experiment: Experiment, keys: Sequence[Key], size: int) -> Iterator[Sequence[Trial]]:
        context = multiprocessing.get_context("spawn")  # the same on every system, and no thread is copied
        pool = ProcessPoolExecutor(self._jobs, context, _ignore_interrupts)
        try:
            open_, at = set[Future[list[Trial]]](), 0
            while at < len(keys) or open_:
                while at < len(keys) and len(open_) < 2 * self._jobs:
                    open_.add(pool.submit(play_share, experiment, keys[at : at + size]))
                    at += size
                done, open_ = wait(open_, return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        except BrokenProcessPool:
            raise CrewError(N_("A process that played matches has died; `--jobs 1` plays without.")) from None
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()  # what they play now is not waited for
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def share_size(done: int, seconds: float, left: int, jobs: int) -> int:
    """How many matches to send at once, if so many took so many seconds."""
    speed = done / max(seconds, 1e-9)
    return max(1, min(LARGEST, round(speed * SHARE), -(-left // (2 * jobs))))


def _ignore_interrupts() -> None:
    """Ctrl+C reaches all processes of a terminal; only the first one acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


Progress = Callable[[int, int, float], object]
"""Is told how many matches were played, of how many, and the seconds that are left."""


def gather(played: Iterator[Sequence[Trial]], of: int, progress: Progress) -> tuple[list[Trial], bool]:
    """All trials in the order of their numbers, and whether Ctrl+C has cut them short.

    Args:
        played: the trials as they come.
        of: how many there are.
        progress: is told about ten times a second at most.
    """
    trials: list[Trial] = []
    start = told = monotonic()
    whole = True
    try:
        for some in played:
            trials += some
            now = monotonic()
            if now - told >= 0.1:
                told = now
                progress(len(trials), of, (now - start) / len(trials) * (of - len(trials)))
    except KeyboardInterrupt:
        whole = False
    return sorted(trials, key=lambda one: (one.number, one.arm)), not whole
