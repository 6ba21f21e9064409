"""Offence codes: what can be wrong with a message of fair dealing, for programs to compare and to keep.

Codes and fields only; who tells a person puts them into words. A code never changes its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypedDict


class Item(StrEnum):
    """What a party sends or proves, as an offence's field; also the purpose that a proof is bound to."""

    BOX = "box"
    COMMITMENT = "commitment"
    DEALING = "dealing"
    DECK = "deck"
    KEY = "key"
    KEY_SHARE = "key-share"
    MAILBOX = "mailbox"
    OPENED_BOX = "opened-box"
    OPENING = "opening"
    SEAL = "seal"
    SEED = "seed"
    SHARE = "share"
    SHUFFLE = "shuffle"
    SHUFFLE_PROOF = "shuffle-proof"
    SHUFFLED_DECK = "shuffled-deck"


class Offence(StrEnum):
    """What somebody did that no honest peer does; the fields that it carries are named in brackets."""

    MALFORMED = "malformed"
    """A message is not of its type (item)."""
    WRONG_SIZE = "wrong-size"
    """A message has another length than its layout (item, given, size)."""
    INVALID_POINT = "invalid-point"
    """A point is none of the group (item)."""
    INVALID_SCALAR = "invalid-scalar"
    """A scalar is zero, or not below the order of the group (item)."""
    INVALID_PROOF = "invalid-proof"
    """A proof does not hold (item)."""
    UNRELATED_PROOF = "unrelated-proof"
    """A proof is about another number of values (item)."""
    BROKEN_COMMITMENT = "broken-commitment"
    """Something was opened that is not what was committed to (item)."""
    EMPTY_SHARE = "empty-share"
    """A dealing gives a party a share of nothing."""
    KEY_SHARE_MISMATCH = "key-share-mismatch"
    """A share of a key does not fit its dealing."""
    KEY_SHARE_COUNT = "key-share-count"
    """Shares of a key were sent for another number of parties (given, size)."""
    TRANSCRIPT_MISMATCH = "transcript-mismatch"
    """The transcript of the keys that was signed is another one."""
    UNOPENABLE_BOX = "unopenable-box"
    """A box can't be opened by whom it is for."""
    WRONG_OPENING = "wrong-opening"
    """A seal does not hold what it is opened to."""
    INVALID_ANSWER = "invalid-answer"
    """A seal holds what is no answer to its question."""
    FALSE_COMPLAINT = "false-complaint"
    """Something good that was sent in a box was called bad (item)."""
    OUT_OF_TURN = "out-of-turn"
    """Something was said before it was due (item)."""
    MISSING_DECK = "missing-deck"
    """Something came without the deck that it belongs to (item)."""
    REPEATED_PROOF = "repeated-proof"
    """A deck was proven twice."""
    FUTURE_ROUND = "future-round"
    """A round was named that has not begun."""
    OMISSION = "omission"
    """A party that is there does not do its part of the dealing."""
    EQUIVOCATION = "equivocation"
    """Who ordered the log signed two of them."""
    FALSE_ACCUSATION = "false-accusation"
    """Somebody was accused of equivocation, without a proof."""
    FALSE_CLAIM = "false-claim"
    """What was claimed of a hidden card is false, as its face shows (card)."""

    # What only an auditor finds, of no single party: an outcome that does not follow from what was said.
    INVALID_JOINT_KEY = "invalid-joint-key"
    """All parties together made a key that is none."""
    MISSING_DEALING = "missing-dealing"
    """Keys lack somebody's dealing."""
    UNKNOWN_KEYS = "unknown-keys"
    """Something was dealt under keys that were not made."""
    UNKNOWN_PARTY = "unknown-party"
    """A share came from nobody."""
    UNKNOWN_POINT = "unknown-point"
    """A share is of what is no point."""
    UNKNOWN_CARD = "unknown-card"
    """A card came out of no pile."""
    UNKNOWN_SEAL = "unknown-seal"
    """Something was opened that was not sealed."""
    TOO_FEW_SHARES = "too-few-shares"
    """Something was opened with too few shares."""
    WRONG_FACE = "wrong-face"
    """A card was shown as another one."""
    WRONG_LOT = "wrong-lot"
    """A die showed something else."""
    WRONG_ROUNDS = "wrong-rounds"
    """The rounds of a pile do not follow each other."""
    WRONG_PILE = "wrong-pile"
    """A pile is not what its shuffles come to."""
    UNMIXED_PILE = "unmixed-pile"
    """A pile was mixed with nobody's seed."""
    WRONG_VALUE = "wrong-value"
    """A seal held something else."""


class OffenceFields(TypedDict, total=False):
    """The fields that an offence may carry.

    Attributes:
        item: what it is about.
        given: how many there were.
        size: how many there have to be.
        card: the face of a card, as its game writes it.
    """

    item: Item
    given: int
    size: int
    card: str


@dataclass(frozen=True, slots=True)
class Charge:
    """An offence with its fields; None for those that it does not carry.

    Attributes:
        offence: the code.
        item, given, size, card: as in `OffenceFields`.
    """

    offence: Offence
    item: Item | None = None
    given: int | None = None
    size: int | None = None
    card: str | None = None

    @property
    def fields(self) -> dict[str, Item | int | str]:
        """The fields that it carries, by name."""
        values = {"item": self.item, "given": self.given, "size": self.size, "card": self.card}
        return {name: value for name, value in values.items() if value is not None}

    def plain(self) -> dict[str, Any]:
        """The charge as plain data, for files and programs."""
        return {"offence": self.offence.value, "fields": self.fields}
