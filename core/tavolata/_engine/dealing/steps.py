"""The steps of a deal: entries `(DEAL, party, head, step, ...)`, and the tasks that parties owe.

`head` is the number and the chain hash of the last entry that the author had of the agreed log. So everybody
signs with every step which log it follows, and a leader that equivocates is detected. This module holds only
the shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.state import pack
from tavolata._engine.table.heads import HEAD_SIZE

KEYS_HASH: Final = 1
"""`(epoch, hash)`: the hash of the author's part of a new key."""
KEYS_PART: Final = 2
"""`(epoch, part)`: the author's part of a new key."""
KEYS_SHARES: Final = 3
"""`(epoch, boxes)`: a boxed key share for each of the holders; the author's own place is empty."""
KEYS_AGREED: Final = 4
"""`(epoch, transcript)`: the shares that the author received fit, and this is the transcript of all parts."""
DECK: Final = 6
"""`(pile, round, deck)`: the cards, encrypted again and in another order; see `fair.chain`."""
PROOF: Final = 7
"""`(pile, round, proof)`: the proof that the author's deck is such a shuffle."""
SEED: Final = 8
"""`(pile, round, draw, seed)`: the author's seed of the last permutation, after all proofs."""
FACES: Final = 9
"""`(epoch, at, cards, shares)`: shares of cards that everybody may see; `at` is the number of the want."""
LOT: Final = 10
"""`(epoch, at, share)`: a share of the lot that is wanted; `at` is the number of the want."""
CARDS: Final = 11
"""`(epoch, parcels)`: shares of cards for single parties; of a sender's shares of one card, the first stand.
Each parcel is `(receiver, cards, piles, box)`; `piles` has the number of the pile that each card is from, for
a card that was shuffled since is another."""
COMPLAINT: Final = 12
"""`(hash, evidence)`: the box of this hash, sent to the author, holds no shares that fit, of cards or of a
key; the evidence opens it. A hash that no standing box has convicts nobody."""
FORCE: Final = 13
"""`(epoch, ask, share)`: a share that opens the seal of a party that has left."""
EQUIVOCATION: Final = 14
"""`(proof,)`: two contradictory commits or votes that one peer signed; see `equivocation`."""
SELF: Final = 15
"""`(word, absence)`: the author's word about itself, and its absence number; see `authority.OwnWord`."""
VOTE: Final = 16
"""`(kind, target, about, yes, seconds)`: a vote about another; see `authority.Motion`."""
PROOFS: Final = 17
"""`(epoch, at, names, shares)`: shares that open for all what something was said of, to judge it; `at` is the
number of the want, and the names are those of the ciphertexts and points in contexts."""
DONE: Final = 18
"""`(at,)`: the author has opened what it can to judge the match that is over, and waits for the others no
longer; `at` is the number of the want, 0 for a seal."""

OF_KEYS: Final = (KEYS_HASH, KEYS_PART, KEYS_SHARES, KEYS_AGREED)
OF_PILES: Final = (DECK, PROOF, SEED)
OF_OPENINGS: Final = (FACES, LOT, PROOFS)

BEGINNING: Final = {*OF_KEYS, COMPLAINT, EQUIVOCATION, SELF}
"""The steps with which all who are in a match make its first keys; nothing else counts before it begins."""

SHAPES: Final[dict[int, tuple[type, ...]]] = {
    KEYS_HASH: (int, bytes),
    KEYS_PART: (int, bytes),
    KEYS_SHARES: (int, tuple),
    KEYS_AGREED: (int, bytes),
    DECK: (int, int, bytes),
    PROOF: (int, int, bytes),
    SEED: (int, int, int, bytes),
    FACES: (int, int, tuple, bytes),
    LOT: (int, int, bytes),
    CARDS: (int, tuple),
    COMPLAINT: (bytes, bytes),
    FORCE: (int, int, bytes),
    EQUIVOCATION: (bytes,),
    SELF: (int, int),
    VOTE: (int, int, int, bool, int),
    PROOFS: (int, int, tuple, bytes),
    DONE: (int,),
}
"""By step, the types of the parts that follow its number."""


def fits(entry: tuple[Any, ...]) -> bool:
    """Return True if this entry is a step with parts of the right types."""
    if [type(part) for part in entry[1:4]] != [int, bytes, int] or len(entry[2]) != HEAD_SIZE:
        return False
    return tuple(type(part) for part in entry[4:]) == SHAPES.get(entry[3])


def is_parcel(one: object) -> bool:
    return (
        type(one) is tuple
        and [type(part) for part in one] == [int, tuple, tuple, bytes]
        and all(type(number) is int for number in (*one[1], *one[2]))
        and len(set(one[1])) == len(one[1])
    )


def meets(entry: tuple[Any, ...], task: Task) -> bool:
    """Return True if this entry, which is not in the log yet, is the step that a task asks for."""
    if not entry or entry[0] != DEAL or not fits(entry) or entry[3:5] != (task.step, task.of):
        return False
    said = entry[5:]
    if task.step == CARDS:
        return any(to == one[0] and set(cards) & set(one[1]) for to, cards in task.what
                   for one in said[0] if is_parcel(one))  # fmt: skip
    return said[: len(task.about)] == task.about


@dataclass(frozen=True, slots=True)
class Task:
    """A step that a party owes now.

    `of` is the epoch or pile that it belongs to; 0 without one. `what` is its subject: a round, cards,
    receivers with cards, or a question, depending on the step.
    """

    step: int
    of: int = 0
    what: tuple[Any, ...] = ()

    @property
    def about(self) -> tuple[Any, ...]:
        """`what` as the step says it: cards and names are a tuple of their own."""
        return (self.what[0], self.what[1:]) if self.step in (FACES, PROOFS) else self.what

    @property
    def number(self) -> int:
        """A number that stands for this task in votes, 56 bits of its hash."""
        packed = pack([self.step, self.of, self.what])
        return int.from_bytes(blake2b(packed, digest_size=7, person=b"tavolata task").digest(), "little")
