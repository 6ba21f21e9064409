"""A `tt` that fails on purpose: it dies as by `kill -9` at a chosen message of its own, or it cheats.

python tests/network/faulty.py FAULT host GAME ...

FAULT is one or more, apart by commas: `before KIND` and `after KIND` end the process when it is about to say
its first message of that kind, or has just seen it agreed; the others are in `TRICKS`. Everything else is
the real program.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from functools import wraps
from typing import Final

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.dealer import Dealer, Step
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.entries import ANSWER, DEAL, OPENED, SEALED, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.participation import Participation
from tavolata_protocol.fair import boxes

# That the leader equivocated is said by whoever meets the second log first: see test_equivocation.
STEPS: Final = {
    "agreed keys": steps.KEYS_AGREED,
    "deck": steps.DECK,
    "proof": steps.PROOF,
    "seed": steps.SEED,
    "shares for all": steps.FACES,
    "lot": steps.LOT,
    "shares for one": steps.CARDS,
    "complaint": steps.COMPLAINT,
    "forced seal": steps.FORCE,
    "own word": steps.SELF,
    "vote": steps.VOTE,
}
KINDS: Final = {"seal": SEALED, "opening": OPENED, "answer": ANSWER}


def is_of(entry: MatchEntry, name: str) -> bool:
    """Whether an entry is of the kind of this name."""
    if name in KINDS:
        return bool(entry[0] == KINDS[name])
    return bool(entry[0] == DEAL and entry[3] == STEPS[name])


def die() -> None:
    """End without a word, as a crash or an empty battery does."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def dies_before(name: str) -> None:
    """Die instead of saying the first message of a kind."""
    play = Participation._play

    @wraps(play)
    def mortal(self: Participation, entry: MatchEntry, note: bytes = b"") -> None:
        if is_of(entry, name):
            die()
        play(self, entry, note)

    Participation._play = mortal  # type: ignore[method-assign]


def dies_after(name: str) -> None:
    """Die when the own first message of a kind is agreed, and nothing was done about it yet."""
    entered = Machine.entered

    @wraps(entered)
    def mortal(self: Machine, header: Header, entry: MatchEntry) -> None:
        parties = list(dict.fromkeys(header.keys))
        if is_of(entry, name):
            author = parties[entry[1] - 1] if entry[0] == DEAL else header.keys[entry[1]]
            if author == self._me:
                die()
        entered(self, header, entry)

    Machine.entered = mortal  # type: ignore[method-assign]


def sends_junk_cards() -> None:
    """Its boxes with shares of cards hold junk."""
    make = Dealer._cards

    def junk(self: Dealer, task: Task) -> Step | None:
        step = make(self, task)
        if step is None:
            return None
        deal, parcels = self._deal, []
        keys = deal.rings.done[task.of]
        for receiver, cards, piles, _ in step[2]:
            context = keys.about("box of", [deal.laid.slots[card] for card in cards], self._me)
            to, mailbox = deal.parcels.address(keys, receiver)
            box = boxes.seal(context, to, mailbox, bytes(32 * len(cards) + 64), self._secrets)
            parcels.append((receiver, cards, piles, box))
        return (*step[:2], tuple(parcels))

    Dealer._cards = junk  # type: ignore[method-assign]


def never_shuffles() -> None:
    """It is there, and says all but its decks."""
    said = Dealer.said

    def lazy(self: Dealer, held: Collection[int] = ()) -> Iterator[Step]:
        yield from said(self, {*held, steps.DECK})

    Dealer.said = lazy  # type: ignore[method-assign]


def keeps_seals_shut() -> None:
    """It never opens what it has sealed."""
    play = Participation._play

    def shut(self: Participation, entry: MatchEntry, note: bytes = b"") -> None:
        if entry[0] != OPENED:
            play(self, entry, note)

    Participation._play = shut  # type: ignore[method-assign]


def steps_away() -> None:
    """It says that it steps away once its own first deck is agreed."""
    entered, decks = Machine.entered, []

    @wraps(entered)
    def gone(self: Machine, header: Header, entry: MatchEntry) -> None:
        entered(self, header, entry)
        if is_of(entry, "deck") and list(dict.fromkeys(header.keys))[entry[1] - 1] == self._me:
            decks.append(entry)
            if len(decks) == 1:
                self.say_of_oneself(OwnWord.OUT)

    Machine.entered = gone  # type: ignore[method-assign]


TRICKS: Final[dict[str, Callable[[], None]]] = {
    "junk cards": sends_junk_cards,
    "never shuffles": never_shuffles,
    "keeps seals shut": keeps_seals_shut,
    "steps away": steps_away,
}


def fail(fault: str) -> None:
    """Have this process fail in these ways."""
    for word in filter(None, fault.split(",")):
        moment, _, kind = word.partition(" ")
        if word in TRICKS:
            TRICKS[word]()
        else:
            {"before": dies_before, "after": dies_after}[moment](kind)


if __name__ == "__main__":
    from importlib import import_module

    from tavolata._cli import main

    import_module("hasty").hurry()  # beside this script; as a package's module it has another name
    del sys.path[0]  # games come from where they are installed, as for `table.HASTY`
    fail(sys.argv.pop(1))
    sys.exit(main())
