"""Offence codes: the faults of messages of fair dealing, for programs to compare and to store.

This module has codes and fields only; the messages for people are made elsewhere. A code never changes its
meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, TypedDict


class Item(StrEnum):
    """The thing that a party sends or proves: a field of an offence, and the purpose of a proof."""

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
    """An act of a dishonest peer; the fields that it carries are given in brackets."""

    MALFORMED = "malformed"
    """A message has the wrong type (item)."""
    WRONG_SIZE = "wrong-size"
    """A message has the wrong length (item, given, size)."""
    INVALID_POINT = "invalid-point"
    """A point does not belong to the group (item)."""
    INVALID_SCALAR = "invalid-scalar"
    """A scalar is zero, or not below the order of the group (item)."""
    INVALID_PROOF = "invalid-proof"
    """A proof is wrong (item)."""
    UNRELATED_PROOF = "unrelated-proof"
    """A proof is about the wrong number of values (item)."""
    BROKEN_COMMITMENT = "broken-commitment"
    """An opened value does not fit its commitment (item)."""
    EMPTY_SHARE = "empty-share"
    """A dealing gives a party the share zero."""
    KEY_SHARE_MISMATCH = "key-share-mismatch"
    """A share of a key does not fit its dealing."""
    KEY_SHARE_COUNT = "key-share-count"
    """Shares of a key were sent for the wrong number of parties (given, size)."""
    TRANSCRIPT_MISMATCH = "transcript-mismatch"
    """The party signed another transcript of the keys."""
    UNOPENABLE_BOX = "unopenable-box"
    """The receiver can't open its box."""
    WRONG_OPENING = "wrong-opening"
    """The opening does not fit the seal."""
    INVALID_ANSWER = "invalid-answer"
    """The value in a seal is not an answer to its question."""
    FALSE_COMPLAINT = "false-complaint"
    """A party called a valid thing from a box invalid (item)."""
    OUT_OF_TURN = "out-of-turn"
    """A message came before it was due (item)."""
    MISSING_DECK = "missing-deck"
    """A message came without the deck that it belongs to (item)."""
    REPEATED_PROOF = "repeated-proof"
    """A deck was proven twice."""
    FUTURE_ROUND = "future-round"
    """A message names a round that has not begun."""
    EQUIVOCATION = "equivocation"
    """A leader of the log signed two different histories, or a voter voted twice for a leader."""
    FALSE_ACCUSATION = "false-accusation"
    """A party accused somebody of equivocation without a proof."""
    FALSE_FACT = "false-fact"
    """Something that was said of hidden things is false, as the faces show (fact, value, faces, turn)."""

    # Found only by an auditor, and not by one party's act: an outcome that does not follow from the messages.
    INVALID_JOINT_KEY = "invalid-joint-key"
    """All parties together made an invalid key."""
    MISSING_DEALING = "missing-dealing"
    """The keys lack a party's dealing."""
    UNKNOWN_KEYS = "unknown-keys"
    """Something was dealt under keys that do not exist."""
    UNKNOWN_PARTY = "unknown-party"
    """A share came from an unknown party."""
    UNKNOWN_POINT = "unknown-point"
    """A share is about something that is not a point."""
    UNKNOWN_CARD = "unknown-card"
    """A card does not come from any pile."""
    UNKNOWN_SEAL = "unknown-seal"
    """A seal was opened that does not exist."""
    TOO_FEW_SHARES = "too-few-shares"
    "A card or coin was opened with too few shares."
    WRONG_FACE = "wrong-face"
    """A card was shown with a wrong face."""
    WRONG_LOT = "wrong-lot"
    """A die was recorded with a wrong value."""
    WRONG_ROUNDS = "wrong-rounds"
    """The rounds of a pile do not follow each other."""
    WRONG_PILE = "wrong-pile"
    """A pile is not the result of its shuffles."""
    UNMIXED_PILE = "unmixed-pile"
    """A pile was mixed without any seed."""
    TOO_FEW_SHUFFLES = "too-few-shuffles"
    """A pile was used that fewer than t parties had shuffled."""
    WRONG_VALUE = "wrong-value"
    """A seal was recorded with a wrong value."""


class OffenceFields(TypedDict, total=False):
    """The fields that an offence may carry: the wrong `item`, the number `given`, the expected one (`size`).

    Of words about cards: the name of the `fact`, the `value` that was said and the `faces` that it was said
    of, in the notation of the game, and the `turn`.
    """

    item: Item
    given: int
    size: int
    fact: str
    value: str
    faces: str
    turn: int


@dataclass(frozen=True, slots=True)
class Charge:
    """An offence with its fields, as in `OffenceFields`; a field that it does not carry is None."""

    offence: Offence
    item: Item | None = None
    given: int | None = None
    size: int | None = None
    fact: str | None = None
    value: str | None = None
    faces: str | None = None
    turn: int | None = None

    @property
    def fields(self) -> dict[str, Item | int | str]:
        """The fields of this charge, by name."""
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "offence"}
        return {name: value for name, value in values.items() if value is not None}

    def plain(self) -> dict[str, Any]:
        """Return the charge as plain data, for files and programs."""
        return {"offence": self.offence.value, "fields": self.fields}
