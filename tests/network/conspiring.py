"""A `tt` whose machine conspires against the dealing: it refuses what it has committed to, and foresees lots.

python tests/network/conspiring.py TRICK host GAME ...

Everything but its trick is the real program; like `hasty`, it loses patience sooner. Those of one table share
the folder CONSPIRACY.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tavolata._engine.dealing import openings, steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.dealer import Step
from tavolata._engine.dealing.driver import DealingDriver
from tavolata._engine.dealing.key_making import EpochKeys
from tavolata_protocol.fair import dice, shares

FLAPS: Final = int(os.environ.get("FLAPS", "60"))
"""How often a machine goes out and comes back before each lot."""
TRIES: Final = 40
"""How many openings a machine refuses at most."""
TURNS: Final = 20
"""For how many turns lots are foreseen; for four seats, and six of each."""
FIRST_KEYS: Final = {
    "hash": steps.KEYS_HASH,
    "part": steps.KEYS_PART,
    "shares": steps.KEYS_SHARES,
    "agreed": steps.KEYS_AGREED,
}

Steps = Callable[[DealingDriver, float], Iterator[Step]]
REAL: Final[Steps] = DealingDriver.steps


def says(driver: DealingDriver, word: OwnWord) -> Step:
    """Return the step by which a machine says something of itself."""
    return (steps.SELF, int(word), driver.deal.authority.absence_of(driver.deal.me))


def names() -> Iterator[tuple[int, int, int]]:
    """Yield the names of lots that are foreseen: turn, seat and number."""
    return ((turn, seat, number) for turn in range(TURNS) for seat in range(4) for number in range(6))


def foresee(driver: DealingDriver, keys: EpochKeys) -> None:
    """Share what this machine knows of all lots to come; whoever is last to do so writes what they are."""
    folder, dealer = Path(os.environ["CONSPIRACY"]), driver.dealer
    assert dealer is not None  # a machine of the match
    ring = dealer._ring(keys)
    contexts = [
        keys.public.context(f"lot of turn {turn}, seat {seat}", number, 0) for turn, seat, number in names()
    ]
    images = shares.own_shares(ring, [dice.point(context) for context in contexts]).images
    (folder / f"{ring.party}.json").write_text(json.dumps([image.hex() for image in images]))
    known = {int(one.stem): json.loads(one.read_text()) for one in folder.glob("?.json")}
    if len(known) < keys.threshold:
        return
    foreseen = {}
    for at, (name, context) in enumerate(zip(names(), contexts, strict=True)):
        said = {number: bytes.fromhex(shared[at]) for number, shared in known.items()}
        opened = openings.combined(keys.public, said)
        foreseen[",".join(map(str, name))] = {
            str(sides): dice.value(context, opened, sides) for sides in (3, 6, 720)
        }
    (folder / "foreseen").write_text(json.dumps(foreseen))


def flaps() -> Steps:
    """Foresee all lots, then go out and come back many times before giving a share of any."""
    gone: dict[tuple[str, int], set[int]] = {}
    held = DealingDriver._held_back

    def owes(self: DealingDriver) -> tuple[str, int] | None:
        lot = self.deal.lots.open
        if lot is None or not any(True for _ in self.deal.lots.owed(self.deal.me)):
            return None
        if not gone:
            foresee(self, lot.opening.keys)
        name = (lot.context.object, lot.context.number)
        return None if len(gone.setdefault(name, set())) >= FLAPS else name

    def held_back(self: DealingDriver, now: float) -> set[int]:
        found = held(self, now)
        return {*found, steps.LOT} if owes(self) else found

    def said(self: DealingDriver, now: float) -> Iterator[Step]:
        name, authority, me = owes(self), self.deal.authority, self.deal.me
        yield from REAL(self, now)
        if name is not None and authority.deals(me) and authority.absence_of(me) not in gone[name]:
            gone[name].add(authority.absence_of(me))
            yield says(self, OwnWord.OUT)

    DealingDriver._held_back = held_back  # type: ignore[method-assign] # a changed program
    return said


def refuses() -> Steps:
    """Go out in place of opening a seed, and come back."""
    tried: list[Step] = []

    def said(self: DealingDriver, now: float) -> Iterator[Step]:
        for step in REAL(self, now):
            if step[0] == steps.SEED and len(tried) < TRIES:
                tried.append(step)
                yield says(self, OwnWord.OUT)
            else:
                yield step

    return said


def keeps_seeds() -> Steps:
    """Be there, and never open a seed."""

    def said(self: DealingDriver, now: float) -> Iterator[Step]:
        yield from (step for step in REAL(self, now) if step[0] != steps.SEED)

    return said


def stops(at: str, word: OwnWord | None) -> Steps:
    """Say this of oneself in place of a step for the first keys, or nothing at all from there on."""
    stopped: list[Step] = []

    def said(self: DealingDriver, now: float) -> Iterator[Step]:
        for step in REAL(self, now):
            if not self.deal.rings.done and FIRST_KEYS[at] <= step[0] <= steps.KEYS_AGREED:
                if word is not None and not stopped:
                    yield says(self, word)
                stopped.append(step)
            else:
                yield step

    return said


def trick(name: str) -> Steps:
    """Return what a machine says for the dealing that plays this trick."""
    word, _, at = name.partition(" ")
    plain = {"flaps": flaps, "refuses": refuses, "keeps": keeps_seeds}
    words = {"out": OwnWord.OUT, "left": OwnWord.LEFT, "silent": None}
    return plain[word]() if word in plain else stops(at, words[word])


if __name__ == "__main__":
    from importlib import import_module

    from tavolata._cli import main

    import_module("hasty").hurry()  # beside this script; as a package's module it has another name
    del sys.path[0]  # games come from where they are installed, as for `table.HASTY`
    DealingDriver.steps = trick(sys.argv.pop(1))  # type: ignore[assignment, method-assign] # a changed program
    sys.exit(main())
