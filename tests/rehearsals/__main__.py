"""`python -m tests.rehearsals SEED`: play an evening again. See `docs/testing.md`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.rehearsals.family import Report, play
from tests.rehearsals.known import KNOWN
from tests.rehearsals.plan import Plan, drawn
from tests.rehearsals.shrink import shrink


def line_of(report: Report) -> str:
    """Return an evening in one line."""
    plan = report.plan
    return (
        f"{plan.seed}: {plan.game} {len(plan.seats)}+{sum(one.phones for one in plan.seats)} "
        f"{[act.what.value for act in plan.acts]}: {report.cpu:.2f} s, "
        f"{report.seconds:.0f} s at the table, "
        f"{report.steps} callbacks, {report.datagrams} datagrams, "
        f"{report.finished} of {report.matches} files over, "
        f"trace {report.trace[:8]}"
    )


HASH_SEEDS = ("0", "1")


def traces(plan: str) -> list[str]:
    """Return the trace of an evening from each of two fresh processes, with different hash seeds."""
    words = [sys.executable, "-m", "tests.rehearsals", plan, "--trace"]
    processes = [
        subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": hash_seed}
        )
        for hash_seed in HASH_SEEDS
    ]
    return [process.communicate()[0].rpartition("trace ")[2].strip() for process in processes]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rehearsals", description=__doc__)
    parser.add_argument("seed", help="a seed, FIRST-LAST, or the file of a plan")
    parser.add_argument("--say", action="store_true", help="print the evening as a story")
    parser.add_argument("--plan", action="store_true", help="print the plan")
    parser.add_argument("--trace", action="store_true", help="print the trace alone")
    parser.add_argument(
        "--twice", action="store_true", help="compare the traces of two processes with different hash seeds"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="look for the smallest plan that breaks the same"
    )
    said = parser.parse_args()

    def hear(at: float, line: str) -> None:
        if said.say:
            print(f"{at:9.3f} {line[:300]}")

    failed = 0
    if Path(said.seed).is_file():
        evenings = {said.seed: Plan.of(Path(said.seed).read_bytes())}
    else:
        first, _, last = said.seed.partition("-")
        evenings = {str(seed): drawn(seed, KNOWN) for seed in range(int(first), int(last or first) + 1)}
    for name, plan in evenings.items():
        if said.twice:
            first, second = traces(name)
            equal = first == second != ""
            print(f"{name}: {first} {'==' if equal else '!='} {second}", flush=True)
            failed += not equal
            continue
        if said.plan:
            print(plan.packed().decode())
        report = play(plan, hear)
        if said.trace:
            print(f"{plan.seed}: trace {report.trace}", flush=True)
            continue
        print(line_of(report), flush=True)
        if not report.matches or report.finished < report.matches:
            print("    ends:", {who: end[:90] for who, end in report.ends.items()})
        for one in report.broken:
            print("   ", str(one)[:600], flush=True)
        failed += bool(report.broken)
        if said.shrink and report.broken:
            small = shrink(report)
            print(f"    smallest, after {small.evenings} evenings: {small.report.broken[0]}")
            print(small.plan.packed().decode())
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
