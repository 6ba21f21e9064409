"""A witness of the dealing: it turns every public step into a record for an auditor that trusts nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolata._engine.dealing.key_making import EpochKeys
from tavolata._engine.dealing.laid import DieSlot, Laid, LaidDeck, Slot
from tavolata_protocol.fair import shares
from tavolata_protocol.fair.audit import records
from tavolata_protocol.fair.audit.records import Known, RecordPlace
from tavolata_protocol.fair.boxes import Box
from tavolata_protocol.fair.chain import Chain
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.shares import Openable

Tell = Callable[[records.Record], object]


class Witness:
    """Reports everything that was said in public and has counted.

    `tell` is called with each record, in the order of the log.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._sealed: dict[int, records.Sealed] = {}

    def key_shares(self, keys: EpochKeys, sender: int, boxes: Sequence[bytes]) -> None:
        """Key shares were sent; `sender` is a number in the holders."""
        context = keys.box_context(sender)
        for to, box in enumerate(boxes, 1):
            if to != sender:
                mailbox = keys.dealings[to].mailbox
                self._tell(records.Boxed(_place(context), sender, to, mailbox, box, keyless=True))

    def keys(self, keys: EpochKeys) -> None:
        numbers = sorted(keys.dealings)
        self._tell(
            records.KeysMade(
                _place(keys.context(keys.holders[0])),
                keys.roster.ids,
                keys.threshold,
                keys.roster.origin,
                tuple(keys.hashes[number] for number in numbers),
                tuple(keys.dealings[number].data for number in numbers),
            )
        )

    def pile(self, laid: Laid, cards: tuple[int, ...], epoch: int, name: str, chain: Chain) -> None:
        """A pile was shuffled; `laid` still has the cards as they were before."""
        kind, before = laid.kind_of(cards[0]), laid.before_shuffle(cards)
        start = tuple(_known(kind, one) if isinstance(one, int) else _bytes(one) for one in before)
        links = tuple(records.PileLink(*one) for one in chain.shuffles)
        place = RecordPlace(epoch, name, 0)
        slots = tuple(map(_bytes, chain.slots))
        self._tell(records.PileMade(place, start, links, chain.round, chain.draw, slots))

    def shared(self, context: Context, things: Sequence[Openable], data: bytes) -> None:
        points = tuple(thing.point for thing in things)
        self._tell(records.SharesGiven(_place(context), context.party, points, data))

    def shown(self, kind: LaidDeck, slot: Slot, opened: bytes, face: int) -> None:
        if isinstance(slot, DieSlot):
            self.thrown(slot.context, len(slot.sides), slot.side(opened))
        else:
            self._tell(records.Shown(slot.epoch, _bytes(slot.thing), _known(kind, face)))

    def thrown(self, context: Context, sides: int, value: int) -> None:
        self._tell(records.Thrown(_place(context), sides, value))

    def sent(self, context: Context, box: Box, data: bytes) -> None:
        self._tell(records.Boxed(_place(context), context.party, box.receiver, box.mailbox, data))

    def sealed(self, context: Context, ask: int, room: int, data: bytes) -> None:
        self._sealed[ask] = sealed = records.Sealed(_place(context), context.party, room, data)
        self._tell(sealed)

    def opened(self, ask: int, opening: bytes | None, value: bytes | None) -> None:
        self._tell(records.Opened(self._sealed[ask], opening, value))


def _place(context: Context) -> RecordPlace:
    return RecordPlace(context.epoch, context.object, context.number)


def _known(kind: LaidDeck, number: int) -> Known:
    return Known(kind.spec, number)


def _bytes(slot: shares.PileSlot) -> bytes:
    return slot.point + slot.mask
