"""Audit of the keys and the piles."""

from __future__ import annotations

from functools import reduce

from tavolata_protocol.fair.audit import proofs
from tavolata_protocol.fair.audit.book import Book, Epoch, hold
from tavolata_protocol.fair.audit.records import KeysMade, Known, PileLink, PileMade, RecordPlace
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.hashing import H, frame
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
    """The result of a pile, 64 bytes a card; each shuffle and seed is checked, and how many have shuffled."""
    epoch = book.epoch(record.place.epoch)
    cards = [_entering(book, epoch, card) for card in record.start]
    rounds = [link.round for link in record.links]
    hold(rounds and rounds == sorted(rounds) and rounds[-1] <= record.round, 0, Offence.WRONG_ROUNDS)
    for link in record.links:
        cards = _shuffled(book, epoch, record.place, cards, link)
    shufflers = {link.party for link in record.links}
    hold(len(shufflers) >= epoch.threshold, 0, Offence.TOO_FEW_SHUFFLES)
    seeds = {link.party: link.seed for link in record.links if link.seed is not None}
    hold(seeds, 0, Offence.UNMIXED_PILE)
    common, parties = book.common(_in_round(record.place, record.round)), sorted(seeds)
    opened = tuple(seeds[party] for party in parties)
    chance = proofs.words(b"mixing", common, len(parties), *parties, opened, len(cards))
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
    book: Book, epoch: Epoch, place: RecordPlace, before: list[proofs.Card], link: PileLink
) -> list[proofs.Card]:
    context = book.said(_in_round(place, link.round), link.party)
    after = proofs.cards_in(book.group, link.deck[32:], len(before))
    if after is None or len(link.deck) < 32:
        raise Cheat(link.party, Offence.MALFORMED, item=Item.SHUFFLED_DECK)
    same = proofs.is_shuffle(book.group, context, epoch.joint, before, after, link.proof)
    hold(same, link.party, Offence.INVALID_PROOF, item=Item.SHUFFLE)
    if link.seed is not None:
        promised = len(link.seed) == 32 and H(b"mixing seed", context, link.seed)[:32] == link.deck[:32]
        hold(promised, link.party, Offence.BROKEN_COMMITMENT, item=Item.SEED)
    return after


def _in_round(place: RecordPlace, round_: int) -> RecordPlace:
    return place._replace(number=round_)
