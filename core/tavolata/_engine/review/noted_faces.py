"""The faces that a machine noted for its seats: proven where all dealt together, and otherwise believed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.review.findings import Findings, Wrong
from tavolata.messages import N_
from tavolata_protocol.fair.audit.auditor import Auditor
from tavolata_protocol.fair.audit.records import FacesSeen, HiddenSlot
from tavolata_protocol.fair.errors import Cheat

FORGED: Final = N_("The faces noted in record {number} of the file don't match the shares beside them.")
PROVEN: Final = N_("Faces shown to this machine's seats: {n}, each proven by the shares in its notes.")
BELIEVED: Final = N_("Assumption: this machine's own notes are right (faces: {n}).")
MISSING: Final = N_("Faces that were shown to this machine's seats but are missing from its notes: {n}.")


class NotedFaces:
    """Notes of faces, checked at their places; `deal` and `auditor` are None where one peer dealt.

    All notes of a file are of one machine, whose shown faces it names without a gap.
    """

    def __init__(self, deal: FairDealing | None, auditor: Auditor | None) -> None:
        self._deal = deal
        self._auditor = auditor
        self._count = 0
        self._noted: set[tuple[int, int, str]] = set()
        self._machines: set[int] | None = None
        self._late: dict[int, set[tuple[int, int, str]]] = {}
        self._audited = -1

    def take(self, number: int, faces: list[Any], slots: list[Any], batches: list[Any]) -> None:
        """Take record `number` of the file; raise `Wrong` if its faces aren't proven."""
        self._count += len(faces)
        deal, auditor = self._deal, self._auditor
        if deal is None or auditor is None:
            if slots or batches:
                raise Wrong(FORGED, number=number)
            return
        shown = {at for *_, at in faces}
        is_whole = shown and not any(row[3] for at, row in enumerate(slots) if at not in shown)
        if not is_whole or not all(self._fits(slots, *one) for one in faces):
            raise Wrong(FORGED, number=number)
        try:
            auditor.check(
                FacesSeen(
                    tuple(map(_slot, slots)),
                    tuple((at, face) for _, _, face, at in faces),
                    tuple(_batches(deal, slots, batches)),
                )
            )
        except (Cheat, LookupError, OverflowError):
            raise Wrong(FORGED, number=number) from None

    def _fits(self, slots: list[Any], seat: int, card: int, face: int, at: int) -> bool:
        """Return True if this seat may see this card, which is hidden now, and is this slot."""
        assert self._deal is not None
        slot = self._deal.laid.slots.get(card)
        is_there = slot is not None and 0 <= at < len(slots) and slots[at] == slot.plain(shown=True)
        if slot is None or not is_there or not 0 <= seat < len(self._deal.header.keys):
            return False
        self._noted.add((seat, card, slot.name))
        machines = {self._deal.authority.owner_of(seat)}
        self._machines = machines if self._machines is None else machines & self._machines
        return bool(self._machines) and card in self._deal.parcels.seen_from(seat)

    def look(self) -> None:
        """Note which faces the owner of each seat was sent enough shares of by now, and hasn't noted."""
        deal, auditor = self._deal, self._auditor
        if deal is None or auditor is None or auditor.counts.total() == self._audited:
            return
        self._audited = auditor.counts.total()
        for seat in range(len(deal.header.keys)):
            late = self._late.setdefault(deal.authority.owner_of(seat), set())
            for card in deal.parcels.seen_from(seat):
                one = (seat, card, deal.laid.slots[card].name)
                if one not in self._noted and deal.parcels.is_sent(card, seat):
                    late.add(one)

    def tell(self, found: Findings) -> None:
        if self._deal is None:
            if self._count:
                found.tell(BELIEVED, n=self._count)
            return
        if self._count:
            found.tell(PROVEN, n=self._count)
        machines = self._machines or set()
        late = [one for owner in sorted(machines) for one in self._late.get(owner, ())]
        if late and len(machines) == 1 and not self._deal.judged:  # shares of a convict may be junk
            found.leave_off(MISSING, n=len(late))


def _slot(row: list[Any]) -> HiddenSlot:
    epoch, pile, place, kind, thing = row
    if type(kind) is bytes:
        return HiddenSlot(epoch, pile, place, spec=kind, card=thing)
    return HiddenSlot(epoch, pile, place, sides=tuple(kind), shake=thing.decode(errors="replace"))


def _batches(
    deal: FairDealing, slots: list[Any], batches: list[Any]
) -> Iterator[tuple[int, tuple[int, ...], bytes]]:
    for sender, places, shares in batches:
        epoch = slots[places[0]][0] if places and 0 <= places[0] < len(slots) else 0
        yield deal.rings.done[epoch].number_of(sender), tuple(places), shares
