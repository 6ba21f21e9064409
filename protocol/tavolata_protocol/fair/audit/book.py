"""The state of an audit: the checked epochs of a match, and the contexts of its messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Unpack

from tavolata_protocol.fair.audit import proofs
from tavolata_protocol.fair.audit.records import Known, RecordPlace, Sealed
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import Group
from tavolata_protocol.fair.hashing import HG, frame
from tavolata_protocol.fair.offences import Offence, OffenceFields


@dataclass
class Epoch:
    """The keys of an epoch (n, t, P, Y_1 to Y_n, T), and the things that were dealt under them.

    `slots` are all cards of finished piles, 64 bytes each; `images` has, by point, its checked shares by
    party.
    """

    parties: int
    threshold: int
    joint: bytes
    shares: list[bytes]
    transcript: bytes
    slots: set[bytes] = field(default_factory=set)
    images: dict[bytes, dict[int, bytes]] = field(default_factory=dict)


class Book:
    """All epochs of a match; its id and the lineage of the log are as contexts have them."""

    def __init__(self, match: bytes, lineage: bytes, group: Group) -> None:
        self.match = match
        self.lineage = lineage
        self.group = group
        self.epochs: dict[int, Epoch] = {}
        self.seals: set[Sealed] = set()
        self._faces: dict[Known, bytes] = {}

    def epoch(self, number: int) -> Epoch:
        """Return the keys of an epoch; they must have been made before."""
        hold(number in self.epochs, 0, Offence.UNKNOWN_KEYS)
        return self.epochs[number]

    def common(self, place: RecordPlace, *, keyless: bool = False) -> bytes:
        """Return a context as bytes without a party; `keyless` while the keys are being made."""
        transcript = b"" if keyless else self.epoch(place.epoch).transcript
        return frame(
            self.group.suite,
            self.match,
            self.lineage,
            place.epoch,
            transcript,
            place.about.encode(),
            place.number,
        )

    def said(self, place: RecordPlace, party: int, *, keyless: bool = False) -> bytes:
        """Return a context as bytes; `keyless` while the keys are being made."""
        return frame(self.common(place, keyless=keyless), party)

    def face(self, card: Known) -> bytes:
        """Return the point of a face."""
        if card not in self._faces:
            self._faces[card] = HG(self.group, b"face", self.group.suite, card.spec, card.number)
        return self._faces[card]

    def opened(self, epoch: Epoch, images: Mapping[int, bytes]) -> bytes:
        """X times a point, computed from its checked shares by party: those of the last t."""
        order = self.group.order
        hold(len(images) >= epoch.threshold, 0, Offence.TOO_FEW_SHARES)
        parties = sorted(images)[-epoch.threshold :]
        terms = []
        for party in parties:
            weight = 1
            for other in parties:
                if other != party:
                    weight = weight * other * pow(other - party, -1, order) % order
            terms.append((weight, images[party]))
        return proofs.add_up(self.group, *terms)


def hold(holds: object, party: int, offence: Offence, **fields: Unpack[OffenceFields]) -> None:
    """Raise `Cheat` with this party and offence unless `holds` is true."""
    if not holds:
        raise Cheat(party, offence, **fields)
