"""The steps of dealing together, as entries `(DEAL, party, head, step, ...)`, and what a party owes.

`head` is the author's number and chain hash of the agreed log where it stood: everybody signs at every
step which log it follows, so that a leader that equivocates is found out. Shapes only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tavolata._engine.table.heads import HEAD_SIZE

HELLO: Final = 0
"""`(mailbox,)`: a key and its proof, for one that came too late to have one with the keys."""
KEYS_HASH: Final = 1
"""`(epoch, hash)`: the hash of its part of a new key."""
KEYS_PART: Final = 2
"""`(epoch, part)`: its part of a new key."""
KEYS_SHARES: Final = 3
"""`(epoch, boxes)`: a key share for each of the crew, in boxes; its own place is empty."""
KEYS_AGREED: Final = 4
"""`(epoch, transcript)`: its own shares are right, and this is what everybody said."""
KEYS_COMPLAINT: Final = 5
"""`(epoch, accused, evidence)`: the accused's box holds no share that fits; the evidence opens it."""
DECK: Final = 6
"""`(pile, round, deck)`: the cards, encrypted anew and in another order; see `fair.chain`."""
PROOF: Final = 7
"""`(pile, round, proof)`: that its deck is nothing else than that."""
SEED: Final = 8
"""`(pile, round, seed)`: its seed of the last permutation, after all proofs."""
FACES: Final = 9
"""`(epoch, at, cards, shares)`: shares of cards that everybody may see; `at` says which want they meet."""
LOT: Final = 10
"""`(epoch, at, share)`: a share of a number by lot."""
CARDS: Final = 11
"""`(epoch, parcels)`: shares of cards for single parties; each `(receiver, cards, piles, box)`, with the
number of the pile that each card came from: a card that was shuffled since is another one."""
COMPLAINT: Final = 12
"""`(accused, cards, piles, evidence)`: the accused's box with these cards holds no shares that fit."""
FORCE: Final = 13
"""`(epoch, ask, share)`: a share that opens the seal of somebody who is gone."""
WITHOUT: Final = 14
"""`(party,)`: that party has not done its part for long; go on without it."""
EQUIVOCATION: Final = 15
"""`(proof,)`: two commits that one leader signed and that contradict each other; see `equivocation`."""

SHAPES: Final[dict[int, tuple[type, ...]]] = {
    HELLO: (bytes,),
    KEYS_HASH: (int, bytes),
    KEYS_PART: (int, bytes),
    KEYS_SHARES: (int, tuple),
    KEYS_AGREED: (int, bytes),
    KEYS_COMPLAINT: (int, int, bytes),
    DECK: (int, int, bytes),
    PROOF: (int, int, bytes),
    SEED: (int, int, bytes),
    FACES: (int, int, tuple, bytes),
    LOT: (int, int, bytes),
    CARDS: (int, tuple),
    COMPLAINT: (int, tuple, tuple, bytes),
    FORCE: (int, int, bytes),
    WITHOUT: (int,),
    EQUIVOCATION: (bytes,),
}
"""What follows a step's number, by step."""


def fits(entry: tuple[Any, ...]) -> bool:
    """Whether this is a step: its parts are of the right types."""
    if [type(part) for part in entry[1:4]] != [int, bytes, int] or len(entry[2]) != HEAD_SIZE:
        return False
    return tuple(type(part) for part in entry[4:]) == SHAPES.get(entry[3])


@dataclass(frozen=True, slots=True)
class Task:
    """What a party owes now.

    Attributes:
        step: the step.
        of: the epoch or pile that it belongs to; 0 where there is none.
        what: what it is about, as its step needs it: a round, cards, receivers with cards, a question.
    """

    step: int
    of: int = 0
    what: tuple[Any, ...] = ()
