"""A crew on a Dask cluster: seeds and house rules go out, trials stream back.

The scheduler gives what a lost worker had to play to another one. Scheduler and workers need the versions of
Tavolata and of the game that are here; see `play_share`.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from time import monotonic, sleep
from typing import Any

from tavolata._lab.crew import (
    SHARE,
    CrewError,
    Experiment,
    Key,
    UnfitWorker,
    play_one,
    play_share,
    share_size,
)
from tavolata._lab.trial import Trial
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata.bots import Bot
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.messages import N_

PATIENCE = 10.0
"""Seconds that a scheduler has for its answer, and a cluster without workers until one is there."""
WHILE = 1.0
"""Seconds after which the workers are counted anew, if none of them has sent anything."""
AHEAD = 3
"""So many shares are sent for each thread of the workers: so none of them waits for its next one."""


class NoDask(MessageError):
    """The packages for clusters are not installed."""


class NoCluster(CrewError):
    """No scheduler answers, or it has no workers."""


class Cluster:
    """A crew of a Dask cluster, by its scheduler's address, such as tcp://192.168.1.5:8786.

    Raise `NoDask` if the extra is missing.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        try:
            import distributed  # noqa: PLC0415 - who plays on one machine need not have it
        except ImportError:
            raise NoDask(N_('`--dask` needs Dask: pip install "tavolata[dask]".')) from None
        self._dask = distributed
        for name in ("asyncio", "distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what went wrong is said once, and by us

    def play(
        self, experiment: Experiment, game: type[Game[Any]], bots: Mapping[str, type[Bot]]
    ) -> Iterator[Sequence[Trial]]:
        """Play all matches; see `Crew.play`.

        Raise `NoCluster` if there's none at this address, or no one in it, `UnfitWorker` if a worker can't
        play these matches, `CrewError` if the cluster died, `RulesFault` if the rules broke.
        """
        client = self._connected()
        try:
            keys, start, done = experiment.keys(), monotonic(), 0
            while done < len(keys) and monotonic() - start < SHARE:  # so the size of a share is known
                yield [play_one(game, bots, experiment, keys[done])]
                done += 1
            if done < len(keys):
                yield from self._together(client, experiment, keys[done:], done / (monotonic() - start))
        finally:
            client.close(timeout=1)  # what it plays still is cancelled by that

    def _connected(self) -> Any:
        try:
            self._dask.comm.get_address_host_port(self._address)  # a client of no address can't be closed
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other versions aren't a reason to stop, nor to say so
                return self._dask.Client(self._address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            problem = trouble(error) if isinstance(error, OSError) else str(error)
            raise NoCluster(
                N_("No Dask scheduler is responding at {address}: {problem}."),
                address=self._address,
                problem=problem,
            ) from None

    def _together(
        self, client: Any, experiment: Experiment, keys: Sequence[Key], speed: float
    ) -> Iterator[Sequence[Trial]]:
        open_, at, seen = set[Any](), 0, monotonic()
        lost = CrewError(N_("Lost contact with the Dask cluster at {address}."), address=self._address)
        while at < len(keys) or open_:
            try:
                threads = sum(client.ncores().values())
            except OSError:
                raise lost from None
            if threads:
                seen = monotonic()
            elif monotonic() - seen > PATIENCE:
                raise NoCluster(N_("The Dask cluster at {address} has no workers."), address=self._address)
            while at < len(keys) and len(open_) < AHEAD * threads:
                share = keys[at : at + share_size(speed, len(keys) - at, threads)]
                # not pure: it is played, and not remembered from another run
                open_.add(client.submit(play_share, experiment, share, pure=False))
                at += len(share)
            if not open_:
                sleep(0.1)  # until a worker comes
                continue
            try:
                done, _ = self._dask.wait(open_, timeout=WHILE, return_when="FIRST_COMPLETED")
                one = next(iter(done))
                found = self._trials(one)
            except TimeoutError:
                continue  # nothing is ready; or its worker is lost with it, and another one plays it again
            except (CancelledError, OSError):
                raise lost from None
            open_.remove(one)
            yield found

    def _trials(self, share: Any) -> Sequence[Trial]:
        error = share.exception(timeout=WHILE)
        if error is None:
            trials: Sequence[Trial] = share.result(timeout=WHILE)
            return trials
        if isinstance(error, MessageError):
            raise error
        problem = one_line(str(error) or type(error).__name__, 300)
        if isinstance(error, self._dask.scheduler.KilledWorker):
            raise CrewError(N_("The Dask workers died one after another, on the same matches."))
        if isinstance(error, ImportError) or "deserialization" in problem:
            raise UnfitWorker(
                N_(
                    "The Dask cluster can't load Tavolata: its scheduler and workers need the "
                    "version installed here."
                )
            )
        raise CrewError(N_("The Dask cluster gave up: {problem}"), problem=problem)
