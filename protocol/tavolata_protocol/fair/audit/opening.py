"""Audit of shown cards, thrown dice and opened seals."""

from __future__ import annotations

from tavolata_protocol.fair.audit import proofs
from tavolata_protocol.fair.audit.book import Book, Epoch, hold
from tavolata_protocol.fair.audit.records import Boxed, Opened, Sealed, SharesGiven, Shown, Thrown
from tavolata_protocol.fair.hashing import HG, HS, H
from tavolata_protocol.fair.offences import Item, Offence


def check_shares(book: Book, record: SharesGiven) -> None:
    """Check that the shares were made with this party's part of the key; keep them for the openings."""
    epoch, group, data = book.epoch(record.place.epoch), book.group, record.data
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
    for point, image in zip(record.points, images, strict=True):
        epoch.images.setdefault(point, {})[record.party] = image


def check_shown(book: Book, record: Shown) -> None:
    """Check that the card comes from a pile, and that its shares open it to this face."""
    epoch = book.epoch(record.epoch)
    hold(record.slot in epoch.slots, 0, Offence.UNKNOWN_CARD)
    face = book.group.subtract(record.slot[32:], book.opened(epoch, record.slot[:32]))
    hold(face == book.face(record.card), 0, Offence.WRONG_FACE)


def check_thrown(book: Book, record: Thrown) -> None:
    """Check that the die's shares give this value."""
    epoch, common = book.epoch(record.place.epoch), book.common(record.place)
    opened = book.opened(epoch, HG(book.group, b"die", common))
    value = proofs.even(proofs.words(b"die value", common, opened, record.sides), record.sides)
    hold(value == record.value, 0, Offence.WRONG_LOT)


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
        shared = book.opened(epoch, point)
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
    """The value of a seal if this opens it: both its point and its box can be computed again from it."""
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
