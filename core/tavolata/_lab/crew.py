"""A crew plays the matches of an experiment: this process, others on this machine, or a Dask cluster.

Only names, house rules and seeds travel to the workers, and trials come back. Which of them plays a match has
no effect on the match.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from threading import Lock
from time import monotonic
from typing import Any

from tavolata._engine.match.open_source import BotFault
from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.loader import BrokenPlugin, NoSuchGame
from tavolata._engine.plugins.source_code import files_in, packages_of
from tavolata._lab.helper import Helper, HelperLost, ready, way_to_start
from tavolata._lab.trial import Arm, Trial, try_out
from tavolata.bots import Bot
from tavolata.errors import MessageError, TavolataError
from tavolata.game import Game
from tavolata.messages import N_

ALONE = {"fork": 0.1, "spawn": 0.5}
"""Seconds that this process plays alone, and at least as many must be left: to start others takes as long."""
SHARE = 0.5
"""Seconds that a worker should take for what it is sent at once, so that progress is seen."""
LARGEST = 500
"""The most matches that are sent at once."""
AHEAD = 2
"""So many shares a worker of this machine has: it need not wait for its next one."""

Key = tuple[int, int]
"""A match: the number of its arm, and its number in the arm."""


_ONE_BY_ONE = Lock()


class CrewError(MessageError):
    """The crew is lost, and the matches that were not played yet with it."""


class UnfitWorker(CrewError):
    """A worker can't play the matches, or would play other ones."""


@dataclass(frozen=True)
class Experiment:
    """Everything a worker needs to play any of the matches.

    `game` is its name, or its file, as typed. `code` is the fingerprint of all code that plays them
    (`code_here`), so that no worker plays others. Each arm has this number of matches; `seed` is that of
    match 0. Thinkers think for `think` seconds about a question.
    """

    game: str
    code: bytes
    arms: tuple[Arm, ...]
    matches: int
    seed: int
    think: float

    def keys(self) -> list[Key]:
        """Return all matches; equal numbers are together, so an interrupted run has whole pairs."""
        return [(arm, number) for number in range(self.matches) for arm in range(len(self.arms))]


def code_here(game: type[Game[Any]], bots: Mapping[str, type[Bot]], arms: Sequence[Arm]) -> bytes:
    """Return 16 bytes for the code here that plays these arms: the game, its bots, and Tavolata."""
    seated = {bots[level] for arm in arms for level in arm.levels if level in bots}
    tops = packages_of(game) | {"tavolata"} | {bot.__module__.partition(".")[0] for bot in seated}
    return blake2b(b"".join(_print_of(top) for top in sorted(tops)), digest_size=16).digest()


@cache  # what is changed later is not what this process has loaded
def _print_of(top: str) -> bytes:
    found = blake2b(digest_size=16)
    for path, file in sorted(files_in(top).items()):
        found.update(f"{path}\n".encode() + file.read_bytes().replace(b"\r\n", b"\n"))
    return found.digest()


@cache
def _known(game: str, think: float) -> tuple[type[Game[Any]], Mapping[str, type[Bot]]]:
    catalogue = Catalogue()
    catalogue.seconds = think
    try:
        loaded = catalogue.game(game)
    except (NoSuchGame, BrokenPlugin):
        raise UnfitWorker(
            N_("A worker can't find or use {game}. Install the same packages there as here."), game=game
        ) from None
    return loaded.game, catalogue.bots(loaded.info.name)


def play_share(experiment: Experiment, keys: Sequence[Key]) -> list[Trial]:
    """Play these matches in this process, one after the other, however many threads it has.

    Raise `UnfitWorker` if the game isn't here, or some code isn't the same, `RulesFault` if the rules broke.
    """
    with _ONE_BY_ONE:
        game, bots = _known(experiment.game, experiment.think)
        if code_here(game, bots, experiment.arms) != experiment.code:
            raise UnfitWorker(
                N_(
                    "A worker has different code for {game}, its bots or Tavolata. Install the same "
                    "versions everywhere."
                ),
                game=game.name,
            )
        return [play_one(game, bots, experiment, key) for key in keys]


def play_one(game: type[Game[Any]], bots: Mapping[str, type[Bot]], experiment: Experiment, key: Key) -> Trial:
    try:
        return try_out(game, bots, experiment.arms, key, experiment.seed)
    except BaseException as error:
        arm = experiment.arms[key[0]]
        again = f" (--bots {','.join(arm.seats(key[1]))} --seed {arm.seed(experiment.seed, key[1])})"
        if isinstance(error, BotFault):
            raise BotFault(error.seat, f"{error}{again}") from error
        if is_rules_fault(error, game):
            fault = rules_fault(error, game)
            fault.params["problem"] = f"{fault.params['problem']}{again}"
            raise fault from error
        raise


class Crew:
    """A crew of this machine: `jobs` processes, this one among them.

    After `alone` seconds others help, if it would play for as long again; None for those of `ALONE`.
    """

    def __init__(self, jobs: int, alone: float | None = None) -> None:
        self._jobs, self._way = jobs, way_to_start()
        self._alone = ALONE[self._way] if alone is None else alone

    def play(
        self, experiment: Experiment, game: type[Game[Any]], bots: Mapping[str, type[Bot]]
    ) -> Iterator[Sequence[Trial]]:
        """Play all matches; a caller that stops asking, or is interrupted, has those that were played.

        Raise `CrewError` if a process died, `RulesFault` if the rules broke, `Unended` if a match didn't
        stop.
        """
        keys, start = deque(experiment.keys()), monotonic()
        done = 0
        while keys:
            seconds = monotonic() - start
            takes_long = seconds >= self._alone and seconds * len(keys) >= self._alone * done
            if self._jobs > 1 and len(keys) > 1 and takes_long:
                yield from self._together(experiment, game, bots, keys, done, start)
            else:
                yield [play_one(game, bots, experiment, keys.popleft())]
                done += 1

    def _together(
        self,
        experiment: Experiment,
        game: type[Game[Any]],
        bots: Mapping[str, type[Bot]],
        keys: deque[Key],
        done: int,
        start: float,
    ) -> Iterator[Sequence[Trial]]:
        """Play the rest with others; this process plays, too, for it would only wait."""
        helpers = list[Helper[Sequence[Key], list[Trial]]]()
        try:
            for _ in range(self._jobs - 1):
                helpers.append(Helper(partial(play_share, experiment), self._way))
            while keys or any(one.open for one in helpers):
                speed = done / max(monotonic() - start, 1e-9)  # of this process
                for one in helpers:
                    # The last match is played here: sent, it would wait until others have played theirs.
                    while len(keys) > 1 and one.open < AHEAD:
                        size = share_size(speed, len(keys), self._jobs)
                        one.send([keys.popleft() for _ in range(size)])
                if keys:
                    yield [play_one(game, bots, experiment, keys.popleft())]
                    done += 1
                for one in ready(helpers, patient=not keys):
                    yield one.take()
        except HelperLost:
            raise CrewError(
                N_("A worker process died. Use `--jobs 1` to play without worker processes.")
            ) from None
        finally:
            for one in helpers:
                one.end()  # what it plays now is not waited for


def share_size(speed: float, left: int, jobs: int) -> int:
    """Return how many of the matches that are left to send at once, at this number played in a second.

    The last shares are small, so that all finish at the same time.
    """
    return max(1, min(LARGEST, round(speed * SHARE), left // (4 * jobs)))


def gather(
    played: Iterator[Sequence[Trial]], of: int, progress: Callable[[int, int, float], object]
) -> tuple[list[Trial], KeyboardInterrupt | TavolataError | None]:
    """Return all trials in the order of their numbers, and what cut them short, such as Ctrl+C.

    `progress` is called about ten times a second at most, with the number of matches that were played, that
    of all, and the seconds that are left.
    """
    trials: list[Trial] = []
    start = told = monotonic()
    cut = None
    try:
        for some in played:
            trials += some
            now = monotonic()
            if now - told >= 0.1:
                told = now
                progress(len(trials), of, (now - start) / len(trials) * (of - len(trials)))
    except (KeyboardInterrupt, TavolataError) as error:
        cut = error
    return sorted(trials, key=lambda one: (one.number, one.arm)), cut
