"""Convictions, and the one table that turns codes of offences into sentences.

Files and programs keep the code and its fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tavolata._text import fields
from tavolata.errors import TavolataError
from tavolata.messages import N_, Text
from tavolata.ring import SEATS
from tavolata_protocol.fair.offences import Charge, Item, Offence

MESSAGES: Final[dict[Offence, str]] = {
    Offence.MALFORMED: N_("It sent {item} that can't be read."),
    Offence.WRONG_SIZE: N_("It sent {item} of {given} bytes instead of {size}."),
    Offence.INVALID_POINT: N_("It sent {item} with an invalid point."),
    Offence.INVALID_SCALAR: N_("It sent {item} with an invalid scalar."),
    Offence.INVALID_PROOF: N_("Its proof of {item} is invalid."),
    Offence.UNRELATED_PROOF: N_("Its proof of {item} is for something else."),
    Offence.BROKEN_COMMITMENT: N_("It opened {item} that isn't the one it had committed to."),
    Offence.EMPTY_SHARE: N_("It dealt someone an empty share."),
    Offence.KEY_SHARE_MISMATCH: N_("It sent a key share that doesn't match its dealing."),
    Offence.KEY_SHARE_COUNT: N_("It sent {given} key shares instead of {size}."),
    Offence.TRANSCRIPT_MISMATCH: N_("It signed a different record of how the keys were made."),
    Offence.UNOPENABLE_BOX: N_("It sent a box that the recipient can't open."),
    Offence.WRONG_OPENING: N_("The value it revealed isn't the one it had sealed."),
    Offence.INVALID_ANSWER: N_("It sealed something that isn't an answer."),
    Offence.FALSE_COMPLAINT: N_("It rejected {item} that was valid."),
    Offence.OUT_OF_TURN: N_("It sent {item} out of turn."),
    Offence.MISSING_DECK: N_("It sent {item} without the deck it belongs to."),
    Offence.REPEATED_PROOF: N_("It sent two proofs for the same deck."),
    Offence.FUTURE_ROUND: N_("It named a round that hasn't begun."),
    Offence.EQUIVOCATION: N_("It signed two different logs, or voted twice for a leader of the table."),
    Offence.FALSE_ACCUSATION: N_("It accused another machine of signing two logs, without proof."),
    Offence.FALSE_FACT: N_("Its statement in turn {turn} is false: “{fact}” isn't {value} for {faces}."),
    Offence.INVALID_JOINT_KEY: N_("Together, the machines made an invalid key."),
    Offence.MISSING_DEALING: N_("Someone's part of the keys is missing."),
    Offence.UNKNOWN_KEYS: N_("Something was dealt using keys that were never made."),
    Offence.UNKNOWN_PARTY: N_("A share came from an unknown sender."),
    Offence.UNKNOWN_POINT: N_("A share is for an invalid point."),
    Offence.UNKNOWN_CARD: N_("A card didn't come from any pile."),
    Offence.UNKNOWN_SEAL: N_("Something was opened that was never sealed."),
    Offence.TOO_FEW_SHARES: N_("A card or coin was opened with too few shares."),
    Offence.WRONG_FACE: N_("A card was shown as a different one."),
    Offence.WRONG_LOT: N_("A die was recorded with the wrong value."),
    Offence.WRONG_ROUNDS: N_("A pile's shuffle rounds are out of order."),
    Offence.WRONG_PILE: N_("A pile doesn't match its shuffles."),
    Offence.UNMIXED_PILE: N_("A pile was shuffled without anyone's seed."),
    Offence.TOO_FEW_SHUFFLES: N_("A pile was shuffled by too few machines."),
    Offence.WRONG_VALUE: N_("A seal was recorded with the wrong value."),
}
"""By offence, its message, whose fields are those that the offence carries."""

ITEMS: Final[dict[Item, str]] = {
    Item.BOX: N_("a box"),
    Item.COMMITMENT: N_("a commitment"),
    Item.DEALING: N_("a dealing"),
    Item.DECK: N_("a deck"),
    Item.KEY: N_("a key"),
    Item.KEY_SHARE: N_("a key share"),
    Item.MAILBOX: N_("a mailbox"),
    Item.OPENED_BOX: N_("an opened box"),
    Item.OPENING: N_("an opening"),
    Item.SEAL: N_("a seal"),
    Item.SEED: N_("a seed"),
    Item.SHARE: N_("a share"),
    Item.SHUFFLE: N_("a shuffle"),
    Item.SHUFFLE_PROOF: N_("a shuffle proof"),
    Item.SHUFFLED_DECK: N_("a shuffled deck"),
}
"""By item, the words for it."""

CAUGHT: Final = N_("{name}'s machine was convicted in this match. {problem}")
"""The message of a conviction."""
NARRATOR: Final = N_("The narrator's machine was convicted in this match. {problem}")
"""The message of a conviction of a machine without a seat."""


class Caught(TavolataError):
    """The narrator's machine did something for which it is convicted at once."""

    def __init__(self, charge: Charge) -> None:
        super().__init__(f"The narrator: {charge_text(charge)}")
        self.charge = charge


def charge_text(charge: Charge) -> Text:
    params = {name: Text(ITEMS[one]) if isinstance(one, Item) else one for name, one in charge.fields.items()}
    return Text(MESSAGES[charge.offence], params)


@dataclass(frozen=True, slots=True)
class Conviction:
    """The verdict of a match on one of its machines.

    `seat` is the first of its seats; None for a narrator without one.
    """

    seat: int | None
    charge: Charge

    @property
    def text(self) -> Text:
        """Return the sentence for people; the seat in it is a value, which each frontend shows as a name."""
        if self.seat is None:
            return Text(NARRATOR, {"problem": charge_text(self.charge)})
        return Text(CAUGHT, {"name": SEATS[self.seat], "problem": charge_text(self.charge)})

    def __str__(self) -> str:
        who = "The narrator" if self.seat is None else f"Seat {self.seat + 1}"
        return f"{who}: {charge_text(self.charge)}"

    def plain(self) -> dict[str, Any]:
        return {"seat": self.seat, **self.charge.plain()}


@dataclass(frozen=True, slots=True)
class ConvictionRecord:
    """The conviction of a party with all that anyone needs to judge it again.

    `entries` are the chain hashes of the log after each entry that it follows from. `evidence` is an
    accuser's; empty if the entries are enough.
    """

    party: bytes
    charge: Charge
    entries: tuple[bytes, ...]
    evidence: bytes = b""

    def plain(self) -> list[Any]:
        return [self.party, self.charge.plain(), list(self.entries), self.evidence]


def read_conviction(plain: Any) -> Conviction | None:
    """Read the conviction from the plain data of a file; None stands for no conviction.

    Raise `ValueError` if the data aren't those of a conviction.
    """
    match plain:
        case None:
            return None
        case {"seat": (int() | None) as seat, "offence": str(code), "fields": dict(carried)} if (
            seat is None or 0 <= seat < len(SEATS)
        ):
            offence = Offence(code)
            named = set(carried) == fields(MESSAGES[offence])
            if named and all(isinstance(value, int | str) for value in carried.values()):
                read = {name: _KINDS[name](value) for name, value in carried.items()}
                return Conviction(seat, Charge(offence, **read))
    raise ValueError("That is no conviction.")


_KINDS: Final[dict[str, type[Any]]] = {
    "item": Item,
    "given": int,
    "size": int,
    "turn": int,
    "fact": str,
    "value": str,
    "faces": str,
}
