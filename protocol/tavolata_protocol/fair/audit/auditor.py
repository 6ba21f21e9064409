"""The auditor, which checks that each record follows from the earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from tavolata_protocol.fair.audit import proofs
from tavolata_protocol.fair.audit.book import Book, Epoch, hold
from tavolata_protocol.fair.audit.records import (
    Boxed,
    FacesSeen,
    HiddenSlot,
    KeysMade,
    Known,
    Opened,
    PileLink,
    PileMade,
    Record,
    RecordPlace,
    Sealed,
    SharesGiven,
    Shown,
    Thrown,
)
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, Group
from tavolata_protocol.fair.hashing import HG, HS, H, frame
from tavolata_protocol.fair.offences import Item, Offence


def check_keys(book: Book, record: KeysMade) -> None:
    """Check that each dealing fits its commitment, is proven, has t coefficients, and gives no zero share."""
    group, n, t = book.group, len(record.ids), record.threshold
    hold(len(record.commitments) == len(record.dealings) == n >= t > 0, 0, Offence.MISSING_DEALING)
    roster = frame(n, t, record.ids, record.origin)
    columns = []
    for party, (promise, dealt) in enumerate(zip(record.commitments, record.dealings, strict=True), 1):
        context = book.said(record.place, party, keyless=True)
        size = 32 * (t + 3)
        hold(len(dealt) == size, party, Offence.WRONG_SIZE, item=Item.DEALING, given=len(dealt), size=size)
        kept = H(b"dealing", context, roster, dealt)[:32] == promise
        hold(kept, party, Offence.BROKEN_COMMITMENT, item=Item.DEALING)
        points = proofs.cut(dealt[:-64])
        hold(all(map(group.is_point, points)), party, Offence.INVALID_POINT, item=Item.DEALING)
        mailbox, *coefficients = points
        proven = proofs.knows(
            group, context, b"key", coefficients[0], dealt[-64:], roster, mailbox, tuple(coefficients)
        )
        hold(proven, party, Offence.INVALID_PROOF, item=Item.KEY)
        shares = [
            proofs.add_up(group, *((other**k, point) for k, point in enumerate(coefficients)))
            for other in range(1, n + 1)
        ]
        hold(group.identity not in shares, party, Offence.EMPTY_SHARE)
        columns.append((coefficients[0], *shares))
    joint, *sums = (reduce(group.add, column, group.identity) for column in zip(*columns, strict=True))
    hold(group.identity not in (joint, *sums), 0, Offence.INVALID_JOINT_KEY)
    transcript = H(b"keys", book.common(record.place, keyless=True), roster, tuple(record.dealings))
    book.epochs[record.place.epoch] = Epoch(n, t, joint, sums, transcript)


def slots_of(book: Book, record: PileMade) -> tuple[bytes, ...]:
    """Return the result of a pile, 64 bytes a card.

    Each shuffle and seed is checked, and how many have shuffled.
    """
    epoch = book.epoch(record.place.epoch)
    cards = [_entering(book, epoch, card) for card in record.start]
    rounds = [link.round for link in record.links]
    hold(rounds and rounds == sorted(rounds) and rounds[-1] <= record.round, 0, Offence.WRONG_ROUNDS)
    for link in record.links:
        cards = _shuffled(book, epoch, record, cards, link)
    shufflers = {link.party for link in record.links}
    hold(len(shufflers) >= epoch.threshold, 0, Offence.TOO_FEW_SHUFFLES)
    seeds = {link.party: link.seed for link in record.links if link.seed is not None}
    hold(seeds, 0, Offence.UNMIXED_PILE)
    common, parties = book.common(record.place._replace(number=record.round)), sorted(seeds)
    opened = tuple(seeds[party] for party in parties)
    chance = proofs.words(b"mixing", common, record.draw, len(parties), *parties, opened, len(cards))
    return tuple(b"".join(cards[at]) for at in proofs.permuted(chance, len(cards)))


def check_pile(book: Book, record: PileMade) -> None:
    """Check that the pile is the result of its shuffles and seeds."""
    slots = slots_of(book, record)
    hold(record.slots in {None, slots}, 0, Offence.WRONG_PILE)
    book.epoch(record.place.epoch).slots.update(slots)


def _entering(book: Book, epoch: Epoch, card: Known | bytes) -> proofs.Card:
    if isinstance(card, Known):
        return (book.group.base, book.group.add(book.face(card), epoch.joint))
    hold(card in epoch.slots, 0, Offence.UNKNOWN_CARD)
    return (card[:32], card[32:])


def _shuffled(
    book: Book, epoch: Epoch, record: PileMade, before: list[proofs.Card], link: PileLink
) -> list[proofs.Card]:
    context = book.said(record.place._replace(number=link.round), link.party)
    after = proofs.cards_in(book.group, link.deck[32:], len(before))
    if after is None or len(link.deck) < 32:
        raise Cheat(link.party, Offence.MALFORMED, item=Item.SHUFFLED_DECK)
    same = proofs.is_shuffle(book.group, context, epoch.joint, before, after, link.proof)
    hold(same, link.party, Offence.INVALID_PROOF, item=Item.SHUFFLE)
    if link.seed is not None:
        opened, is_whole = link.seed, len(link.seed) == 32
        for _ in range(record.draw + 1):
            opened = H(b"mixing seed", context, opened)[:32]
        hold(is_whole and opened == link.deck[:32], link.party, Offence.BROKEN_COMMITMENT, item=Item.SEED)
    return after


def check_shares(book: Book, record: SharesGiven) -> None:
    """Check that the shares were made with this party's part of the key; keep them for the openings."""
    epoch = book.epoch(record.place.epoch)
    for point, image in zip(record.points, _images(book, epoch, record), strict=True):
        epoch.images.setdefault(point, {})[record.party] = image


def _images(book: Book, epoch: Epoch, record: SharesGiven) -> list[bytes]:
    group, data = book.group, record.data
    hold(0 < record.party <= epoch.parties, 0, Offence.UNKNOWN_PARTY)
    hold(all(map(group.is_point, record.points)), 0, Offence.UNKNOWN_POINT)
    size, key = 32 * len(record.points), epoch.shares[record.party - 1]
    images, context = proofs.cut(data[:size]), book.said(record.place, record.party)
    fits = (
        len(data) == size + 64
        and all(map(group.is_point, images))
        and proofs.same_logarithm(group, context, b"share", key, record.points, images, data[size:])
    )
    hold(fits, record.party, Offence.INVALID_PROOF, item=Item.SHARE)
    return images


def check_shown(book: Book, record: Shown) -> None:
    """Check that the card comes from a pile, and that its shares open it to this face."""
    epoch = book.epoch(record.epoch)
    hold(record.slot in epoch.slots, 0, Offence.UNKNOWN_CARD)
    opened = book.opened(epoch, epoch.images.get(record.slot[:32], {}))
    hold(book.group.subtract(record.slot[32:], opened) == book.face(record.card), 0, Offence.WRONG_FACE)


def check_thrown(book: Book, record: Thrown) -> None:
    """Check that the die's shares give this value."""
    epoch = book.epoch(record.place.epoch)
    opened = book.opened(epoch, epoch.images.get(_die(book, record.place), {}))
    hold(_side(book, record.place, opened, record.sides) == record.value, 0, Offence.WRONG_LOT)


def _die(book: Book, place: RecordPlace) -> bytes:
    return HG(book.group, b"die", book.common(place))


def _side(book: Book, place: RecordPlace, opened: bytes, sides: int) -> int:
    return proofs.even(proofs.words(b"die value", book.common(place), opened, sides), sides)


def check_seen(book: Book, record: FacesSeen) -> None:
    """Check that the batches are genuine shares, and that those of t parties open each slot to its face."""
    images: dict[int, dict[int, bytes]] = {}
    for party, places, data in record.batches:
        hold(places and all(0 <= at < len(record.slots) for at in places), 0, Offence.UNKNOWN_CARD)
        slots = [record.slots[at] for at in places]
        names, number = ", ".join(slot.name for slot in slots), slots[0].epoch
        hold(all(slot.epoch == number for slot in slots), 0, Offence.UNKNOWN_KEYS)
        points = tuple(one.card[:32] if one.card else _die(book, _shake(one)) for one in slots)
        given = SharesGiven(RecordPlace(number, f"shares of {names}", 0), party, points, data)
        for at, image in zip(places, _images(book, book.epoch(number), given), strict=True):
            images.setdefault(at, {})[party] = image
    for at, face in record.faces:
        slot = record.slots[at]
        epoch = book.epoch(slot.epoch)
        opened = book.opened(epoch, images.get(at, {}))
        if not slot.card:
            hold(slot.sides, 0, Offence.UNKNOWN_CARD)
            found = slot.sides[_side(book, _shake(slot), opened, len(slot.sides))] == face
        else:
            hold(slot.card in epoch.slots, 0, Offence.UNKNOWN_CARD)
            found = book.group.subtract(slot.card[32:], opened) == book.face(Known(slot.spec, face))
        hold(found, 0, Offence.WRONG_FACE)


def _shake(die: HiddenSlot) -> RecordPlace:
    return RecordPlace(die.epoch, die.shake, die.place)


def check_sealed(book: Book, record: Sealed) -> None:
    """Check that the seal is its author's own."""
    epoch, data, context = book.epoch(record.place.epoch), record.data, book.said(record.place, record.party)
    proven = (
        len(data) == record.room + 130
        and book.group.is_point(data[:32])
        and proofs.knows(book.group, context, b"seal", data[:32], data[-64:], epoch.joint, data[32:-64])
    )
    hold(proven, record.party, Offence.INVALID_PROOF, item=Item.SEAL)
    book.seals.add(record)


def check_opened(book: Book, record: Opened) -> None:
    """Check that the seal holds this value, or that nobody could open it."""
    sealed, opening = record.sealed, record.opening
    hold(sealed in book.seals, 0, Offence.UNKNOWN_SEAL)
    epoch, point = book.epoch(sealed.place.epoch), sealed.data[:32]
    if opening is None:
        shared = book.opened(epoch, epoch.images.get(point, {}))
        value = _value(
            book, epoch, sealed, _unmasked(book, epoch, sealed, point, shared, sealed.data[32:-64])
        )
    else:
        value = _value(book, epoch, sealed, opening)
        hold(value is not None, sealed.party, Offence.WRONG_OPENING)
    hold(value == record.value, 0, Offence.WRONG_VALUE)


def check_boxed(book: Book, record: Boxed) -> None:
    """Check that the box is its sender's own."""
    data, context = record.data, book.said(record.place, record.party, keyless=record.keyless)
    proven = (
        len(data) >= 112
        and book.group.is_point(data[:32])
        and proofs.knows(
            book.group, context, b"box", data[:32], data[32:96], record.receiver, record.mailbox, data[96:]
        )
    )
    hold(proven, record.party, Offence.INVALID_PROOF, item=Item.BOX)


def _value(book: Book, epoch: Epoch, sealed: Sealed, opening: bytes) -> bytes | None:
    """Return a seal's value if this opens it: its point and its box can both be computed from it."""
    length = int.from_bytes(opening[:2], "little")
    if len(opening) != sealed.room + 34 or length > sealed.room or any(opening[2 + length : -32]):
        return None
    value, nonce = opening[2 : 2 + length], opening[-32:]
    context = book.said(sealed.place, sealed.party)
    exponent = HS(book.group, b"seal exponent", context, epoch.joint, value, nonce)
    point, shared = book.group.multiply_base(exponent), book.group.multiply(exponent, epoch.joint)
    box = _unmasked(book, epoch, sealed, point, shared, opening)
    return value if point + box == sealed.data[:-64] else None


def _unmasked(book: Book, epoch: Epoch, sealed: Sealed, point: bytes, shared: bytes, data: bytes) -> bytes:
    context, size = book.said(sealed.place, sealed.party), len(data)
    key, mask = H(b"seal key", context, epoch.joint, point, shared), b""
    while len(mask) < size:
        mask += H(b"seal stream", key, len(mask) // 64)
    return (int.from_bytes(data, "big") ^ int.from_bytes(mask[:size], "big")).to_bytes(size, "big")


_CHECKS: Final[dict[type, Callable[[Book, Any], None]]] = {
    KeysMade: check_keys,
    PileMade: check_pile,
    SharesGiven: check_shares,
    Shown: check_shown,
    Thrown: check_thrown,
    Sealed: check_sealed,
    Opened: check_opened,
    Boxed: check_boxed,
    FacesSeen: check_seen,
}


class Auditor:
    """Checks the dealing of a single match; its id and the lineage of the log are as contexts have them.

    `counts` has the number of valid records of each class.
    """

    def __init__(self, match: bytes, lineage: bytes, group: Group = ED25519) -> None:
        self._book = Book(match, lineage, group)
        self.counts = Counter[type[Record]]()

    def check(self, record: Record) -> None:
        """Check the next record; raise `Cheat`, which names the party that sent a wrong message.

        It names party 0 if a recorded outcome does not follow from the messages.
        """
        _CHECKS[type(record)](self._book, record)
        self.counts[type(record)] += 1

    def transcript(self, epoch: int) -> bytes:
        """T of an epoch, which all its parties should have signed."""
        return self._book.epoch(epoch).transcript

    def slots(self, record: PileMade) -> tuple[bytes, ...]:
        """Return the result of a pile, 64 bytes a card.

        Each shuffle and seed is checked, nothing is stored.
        """
        return slots_of(self._book, record)
