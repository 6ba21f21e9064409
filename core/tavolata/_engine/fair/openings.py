"""Shares that come one by one until there are enough: of public cards, of lots, of seals opened by force."""

from __future__ import annotations

from tavolata_protocol.fair import keys as keys_of
from tavolata_protocol.fair import shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.keys import PublicKeys


class Opening:
    """One thing that t parties open for everybody.

    Args:
        keys: the keys that it is under.
        thing: what is opened.

    Attributes:
        said: by number in the crew, the shares that were checked.
    """

    def __init__(self, keys: PublicKeys, thing: shares.Openable) -> None:
        self.keys = keys
        self.thing = thing
        self.said: dict[int, bytes] = {}

    @property
    def done(self) -> bool:
        """Whether there are enough."""
        return len(self.said) >= self.keys.threshold

    @property
    def opened(self) -> bytes:
        """X times the point of the thing, once it is done."""
        return combined(self.keys, self.said)


def combined(keys: PublicKeys, said: dict[int, bytes]) -> bytes:
    """X times a point, from t shares of it or more."""
    return shares.combine(keys, {number: shares.Shares((image,), None) for number, image in said.items()})[0]


def read(context: Context, keys: PublicKeys, openings: list[Opening], data: bytes) -> None:
    """Take one party's shares of several things in one batch.

    Raises:
        Cheat: they are none.
    """
    read = shares.read_shares(context, keys, [one.thing for one in openings], data)
    for one, image in zip(openings, read.images, strict=True):
        one.said[context.party] = image


def most(parties: int) -> int:
    """How many of so many parties decide about one of them: as many as it takes to open anything."""
    return keys_of.threshold(parties)
