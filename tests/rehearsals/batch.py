"""Many evenings in several processes, and what has met in them.

`python -m tests.rehearsals.batch FOLDER --from SEED --minutes 75` plays evenings until the time is over,
each process its share of the seeds. FOLDER keeps a line for each, so the next call goes on behind the last
seed. `--met` prints what never met.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import msgspec
from tests.rehearsals.family import play
from tests.rehearsals.known import KNOWN
from tests.rehearsals.plan import GAMES, drawn


class Evening(msgspec.Struct):
    """The line of an evening: what took part, what was done in which phase, and what broke."""

    seed: int
    game: str
    features: list[str]
    met: list[tuple[str, str]]
    broken: list[str]
    cpu: float
    matches: int
    finished: int


def played(seed: int) -> Evening:
    """Play the evening of a seed."""
    plan = drawn(seed, KNOWN)
    try:
        report = play(plan)
    except Exception as error:  # noqa: BLE001 - a fault of the rehearsal itself, which must not end the night
        return Evening(seed, plan.game, sorted(plan.features()), [], [f"REHEARSAL {error!r}"], 0.0, 0, 0)
    return Evening(
        seed, plan.game, sorted(plan.features()), sorted(report.met), [str(one) for one in report.broken],
        round(report.cpu, 2), report.matches, report.finished,
    )  # fmt: skip


def lines(folder: Path) -> Iterator[Evening]:
    """Yield all evenings that a folder keeps."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            yield msgspec.json.decode(line, type=Evening)


def _share(folder: str, first: int, step: int, until: float) -> None:
    gc.disable()  # an evening leaves much that waits for itself: it is collected between two
    seed = first
    with (Path(folder) / f"{os.getpid()}-{first}.jsonl").open("ab") as file:
        while time.monotonic() < until:
            evening = played(seed)
            file.write(msgspec.json.encode(evening) + b"\n")
            file.flush()
            if evening.broken:
                print(f"{seed}: {evening.game}: {evening.broken[0][:300]}", flush=True)
            seed += step
            gc.collect()


def never_met(evenings: list[Evening]) -> dict[str, list[str]]:
    """Return the pairs of features, and of feature and deed in a phase, that no evening had."""
    pairs = Counter(pair for one in evenings for pair in combinations(one.features, 2))
    features = sorted({name for one in evenings for name in one.features})
    deeds = sorted({deed for one in evenings for deed in one.met})
    triples = Counter((name, deed) for one in evenings for name in one.features for deed in one.met)
    return {
        "pairs": [f"{a} x {b}" for a, b in combinations(features, 2) if not pairs[a, b] and _can_meet(a, b)],
        "triples": [
            f"{name} x {what} in {phase}" for name in features for what, phase in deeds
            if not triples[name, (what, phase)] and name != what
        ],
    }  # fmt: skip


ALONE = ("dealer ", "away ")


def _can_meet(one: str, other: str) -> bool:
    """Whether an evening could have both: it has one game and one dealer."""
    if one in GAMES and other in GAMES:
        return False
    return not any(one.startswith(kind) and other.startswith(kind) for kind in ALONE)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rehearsals.batch", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--met", action="store_true", help="print what never met")
    said = parser.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    if said.minutes:
        first = max([said.first, *(one.seed + 1 for one in lines(said.folder))])
        until = time.monotonic() + 60 * said.minutes
        context = multiprocessing.get_context("spawn")
        shares = [
            context.Process(target=_share, args=(str(said.folder), first + index, said.processes, until))
            for index in range(said.processes)
        ]
        for share in shares:
            share.start()
        for share in shares:
            share.join()
    evenings = list(lines(said.folder))
    broken = [one for one in evenings if one.broken]
    matches, finished = (sum(getattr(one, name) for one in evenings) for name in ("matches", "finished"))
    print(
        f"{len(evenings)} evenings, {matches} files ({finished} of matches that ended), "
        f"{sum(one.cpu for one in evenings):.0f} s of CPU; {len(broken)} broke something"
    )
    names = [found.partition(":")[0].partition(" (")[0] for one in broken for found in one.broken]
    for name, count in Counter(names).most_common():
        print(f"  {count} x {name}")
    if said.met:
        for kind, names in never_met(evenings).items():
            print(f"{len(names)} {kind} never met:")
            for name in names if kind == "pairs" else names[:40]:
                print(f"  {name}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
