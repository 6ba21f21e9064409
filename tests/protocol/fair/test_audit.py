"""The auditor: believes what is honest, and finds what is not, without a line of the player's code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest

from tavolata_protocol.fair import audit, boxes, dice, seals
from tavolata_protocol.fair.audit import proofs
from tavolata_protocol.fair.audit.auditor import Auditor
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
from tavolata_protocol.fair.deck import Faces, deck_bytes
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, TORSION
from tavolata_protocol.fair.hashing import numbers, permutation
from tavolata_protocol.fair.keys import commit
from tavolata_protocol.fair.logs import prove_knowledge
from tavolata_protocol.fair.offences import Charge, Item, Offence
from tavolata_protocol.fair.shares import Openable, PileSlot, make_shares

from .forgers import FORGERS, Forger
from .parties import LINEAGE, MATCH, Parties, parties, proven
from .table import Table

SPEC = b"a deck"
THREE = parties(3)


def pile_record(table: Table) -> PileMade:
    """The record of the pile that a table made."""
    watcher = table.chains[0]
    links = tuple(PileLink(*one) for one in watcher.shuffles)
    start = tuple(Known(SPEC, number) for number in range(len(table.deck)))
    slots = tuple(deck_bytes([slot.card]) for slot in watcher.slots)
    return PileMade(RecordPlace(0, "pile", 0), start, links, watcher.round, watcher.draw, slots)


def keys_record(some: Parties) -> KeysMade:
    """How the parties' keys were made."""
    return KeysMade(
        RecordPlace(0, "keys", 1),
        some.roster.ids,
        some.roster.threshold,
        some.roster.origin,
        tuple(own.commitment for own in some.own),
        tuple(own.data for own in some.own),
    )


def shares_of(thing: list[Openable], about: str, number: int, party: int) -> SharesGiven:
    """A party's public shares."""
    context = THREE.public.context(about, number, party)
    made = make_shares(context, THREE.rings[party - 1], thing, THREE.secrets[party - 1])
    points = tuple(one.point for one in thing)
    return SharesGiven(RecordPlace(0, about, number), party, points, made.encoded)


@lru_cache(maxsize=1)
def match() -> tuple[Record, ...]:
    """A small match in which everything happens."""
    table = Table(THREE, 4)
    table.play()
    pile, slots = pile_record(table), table.chains[0].slots
    faces, opened = Faces(SPEC, 5), THREE.opened(list(slots))
    numbers = [faces.number(slot.card, point) for slot, point in zip(slots, opened, strict=True)]
    records: list[Record] = [keys_record(THREE), pile]
    shown = [slots[0], slots[2]]
    records += [shares_of(list(shown), "show", 5, party) for party in (1, 2, 3)]
    for at in (0, 2):
        number = numbers[at]
        assert number is not None
        records.append(Shown(0, deck_bytes([slots[at].card]), Known(SPEC, number)))
    die = dice.point(THREE.public.context("die 1", 6, 0))
    records += [shares_of([die], "die 1", 6, party) for party in (2, 3)]
    value = dice.value(THREE.public.context("die 1", 6, 0), THREE.opened([die])[0], 20)
    records.append(Thrown(RecordPlace(0, "die 1", 6), 20, value))
    records += seal_records(b"rock")
    mailbox = THREE.public.mailboxes[2]
    box = boxes.seal(THREE.context("to 3", 9, 1), 3, mailbox, b"hello", THREE.secrets[0])
    records.append(Boxed(RecordPlace(0, "to 3", 9), 1, 3, mailbox, box))
    early = boxes.seal(THREE.contexts[0], 3, mailbox, b"share", THREE.secrets[0])
    records.append(Boxed(RecordPlace(0, "keys", 1), 1, 3, mailbox, early, keyless=True))
    hidden, shaken = slots[1], THREE.public.context("shake 1 of turn 2", 0, 0)
    number = numbers[1]
    assert number is not None
    sides = (4, 4, 1, 0, 2, 3)
    thrown = dice.point(shaken)
    face = sides[dice.value(shaken, THREE.opened([thrown])[0], 6)]
    seen = (
        HiddenSlot(0, 0, 1, SPEC, card=deck_bytes([hidden.card])),
        HiddenSlot(0, 2, 0, sides=sides, shake="shake 1 of turn 2"),
    )
    names = "shares of card 1 of pile 0, die 0 of shake 1 of turn 2"
    batches = tuple((party, (0, 1), shares_of([hidden, thrown], names, 0, party).data) for party in (1, 3))
    records.append(FacesSeen(seen, ((0, number), (1, face)), batches))
    return tuple(records)


def seal_records(value: bytes) -> list[Record]:
    """A seal that is opened both ways."""
    context = THREE.context("ask 1", 7, 2)
    own = seals.seal(context, THREE.public, value, THREE.secrets[1], room=20)
    sealed = Sealed(RecordPlace(0, "ask 1", 7), 2, 20, own.sealed.encoded)
    thing: list[Openable] = [own.sealed]
    force = [shares_of(thing, "force 1", 7, party) for party in (1, 3)]
    return [sealed, Opened(sealed, own.opening, value), *force, Opened(sealed, None, value)]


def audited(records: list[Record]) -> Auditor:
    """An auditor that was told all of these."""
    auditor = Auditor(MATCH, LINEAGE)
    for record in records:
        auditor.check(record)
    return auditor


def blamed(record: Record, *, at: int) -> int:
    """Whom the auditor names for another record in the match's place `at`."""
    auditor = audited(list(match()[:at]))
    with pytest.raises(Cheat) as caught:
        auditor.check(record)
    return caught.value.party


def place_of(kind: type) -> int:
    """Where the match has its first record of a kind."""
    return next(at for at, record in enumerate(match()) if isinstance(record, kind))


def flip(data: bytes, at: int) -> bytes:
    """One bit of a byte changed."""
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


def test_the_auditor_shares_only_group_and_hashes() -> None:
    """Its modules import nothing of the package but `group`, the four hashes, offences, and each other."""
    for path in sorted(Path(str(audit.__file__)).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tavolata_protocol"):
                names = {alias.name for alias in node.names}
                shared = {
                    "tavolata_protocol.fair.group": names,
                    "tavolata_protocol.fair.errors": {"Cheat"},
                    "tavolata_protocol.fair.offences": names,
                    "tavolata_protocol.fair.hashing": {"H", "HS", "HG", "Field", "frame"},
                }
                assert str(node.module).startswith("tavolata_protocol.fair.audit") or names <= shared.get(
                    str(node.module), set()
                ), (path.name, node.module)


def test_an_honest_match_is_found_right() -> None:
    """Keys, pile, shares, cards, die, seals, hand and boxes of an honest match pass, and are counted."""
    auditor = audited(list(match()))
    assert auditor.counts == {
        KeysMade: 1, PileMade: 1, SharesGiven: 7, Shown: 2, Thrown: 1,
        Sealed: 1, Opened: 2, Boxed: 2, FacesSeen: 1,
    }  # fmt: skip
    assert auditor.transcript(0) == THREE.public.transcript


@pytest.mark.parametrize(
    ("index", "gone", "links"),
    [(1, 1, 2), (1, 2, 2), (4, 1, 3), (4, 2, 2), (4, 3, 2), (6, 1, 3), (6, 3, 3), (7, 1, 3), (7, 2, 3)],
)
def test_piles_that_somebody_left_are_found_right(index: int, gone: int, links: int) -> None:
    """A pile that somebody left, at several messages, comes to the same slots as with the players."""
    table = Table(THREE, 2)
    for _ in range(index):
        table.say(table.awaited[0])
    table.drop(gone)
    table.play()
    record = pile_record(table)
    assert len(record.links) == links
    assert audited([keys_record(THREE), record]).counts[PileMade] == 1


@pytest.mark.parametrize("cards", [0, 1, 5])
def test_both_verifiers_believe_the_same_proofs(cards: int) -> None:
    """Honest proofs of several sizes pass the auditor's own equations."""
    context, joint, deck, shuffled, _, proof = proven(cards)
    assert proofs.is_shuffle(ED25519, context.encoded, joint, deck, shuffled, proof.encoded)


@pytest.mark.parametrize("name", FORGERS)
def test_no_forger_is_believed(name: str) -> None:
    """Each forger who is off in one equation is found out by the auditor too."""
    forged: Forger = FORGERS[name][0]()
    context, proof = forged.context.encoded, forged.proof.encoded
    assert not proofs.is_shuffle(ED25519, context, forged.joint, forged.deck, forged.shuffled, proof)


@pytest.mark.parametrize("order", [*TORSION, 1])
def test_no_point_of_small_order_is_believed(order: int) -> None:
    """Torsion on any point of a deck, a proof or a share, or the identity in its place, is found."""
    context, joint, deck, shuffled, _, proof = proven(3)

    def tainted(point: bytes) -> bytes:
        return ED25519.identity if order == 1 else ED25519.add(point, TORSION[order])

    data = proof.encoded
    for at in range(0, 6 * 32, 32):
        bad = data[:at] + tainted(data[at : at + 32]) + data[at + 32 :]
        assert not proofs.is_shuffle(ED25519, context.encoded, joint, deck, shuffled, bad)
    cards = deck_bytes(shuffled)
    for at in range(0, len(cards), 32):
        bad = cards[:at] + tainted(cards[at : at + 32]) + cards[at + 32 :]
        assert proofs.cards_in(ED25519, bad, 3) is None
    at = place_of(SharesGiven)
    record = match()[at]
    assert isinstance(record, SharesGiven)
    assert blamed(replace(record, data=tainted(record.data[:32]) + record.data[32:]), at=at) == record.party


def test_what_has_no_right_shape_is_no_proof() -> None:
    """Proofs and decks of other lengths or types are none, and raise nothing."""
    context, joint, deck, shuffled, _, proof = proven(3)
    said, data = context.encoded, proof.encoded
    for junk in (None, b"", data[:-1], data + b"\0", "text"):
        assert not proofs.is_shuffle(ED25519, said, joint, deck, shuffled, junk)
    assert not proofs.is_shuffle(ED25519, said, joint, deck, shuffled[:2], data)
    for cards in (None, b"", deck_bytes(shuffled)[:-1], "text"):
        assert proofs.cards_in(ED25519, cards, 3) is None
    assert not proofs.knows(ED25519, said, b"key", joint, data[:63])
    assert not proofs.knows(ED25519, said, b"key", joint, bytes(64))
    assert not proofs.same_logarithm(ED25519, said, b"share", joint, [], [], data[-64:])
    assert not proofs.same_logarithm(ED25519, said, b"share", joint, [joint], [], data[-64:])


def test_chance_is_drawn_as_by_the_players() -> None:
    """Words that would favour some values are passed over, and orders are those of the players' function."""
    assert proofs.even(iter([2**64 - 1, 2**64 // 7 * 7, 2**64 // 7 * 7 - 1]), 7) == 6
    assert proofs.even(iter([2**64 - 1]), 8) == 7
    for cards in (0, 1, 2, 54):
        assert tuple(proofs.permuted(proofs.words(b"x", 5), cards)) == permutation(cards, numbers(b"x", 5))


def test_scalars_out_of_range_are_not_believed() -> None:
    """Zero, or L added to any scalar of a proof, is found."""
    context, joint, deck, shuffled, _, proof = proven(3)
    data = proof.encoded
    for at in range(6 * 32, len(data), 32):
        number = int.from_bytes(data[at : at + 32], "little")
        for other in (0, number + ED25519.order):
            bad = data[:at] + other.to_bytes(32, "little") + data[at + 32 :]
            assert not proofs.is_shuffle(ED25519, context.encoded, joint, deck, shuffled, bad)


Change = tuple[type, str, Callable[[Any], Any], int]

CHANGES: dict[str, Change] = {
    "a dealing": (KeysMade, "dealings", lambda d: (d[0], flip(d[1], 40), d[2]), 2),
    "a short dealing": (KeysMade, "dealings", lambda d: (d[0], d[1], d[2][:-32]), 3),
    "a promise": (KeysMade, "commitments", lambda c: (c[0], c[1], flip(c[2], 0)), 3),
    "a threshold": (KeysMade, "threshold", lambda t: t - 1, 1),
    "an identity": (KeysMade, "ids", lambda i: (b"x" * 32, *i[1:]), 1),
    "who made keys": (KeysMade, "ids", lambda i: i[:-1], 0),
    "the cards of a pile": (PileMade, "start", lambda s: (*s[:-1], Known(SPEC, 4)), 1),
    "cards from nowhere": (PileMade, "start", lambda s: (*s[:-1], bytes(64)), 0),
    "the order of links": (PileMade, "links", lambda links: links[::-1], 3),
    "a link too few": (PileMade, "links", lambda links: links[1:], 2),
    "no link": (PileMade, "links", lambda links: (), 0),
    "no seed": (PileMade, "links", lambda links: tuple(replace(link, seed=None) for link in links), 0),
    "a round": (PileMade, "round", lambda round_: round_ + 2, 0),
    "a draw": (PileMade, "draw", lambda draw: draw + 1, 1),
    "a slot": (PileMade, "slots", lambda slots: (slots[1], slots[0], *slots[2:]), 0),
    "a card in a deck": (
        PileMade, "links",
        lambda links: (links[0], replace(links[1], deck=flip(links[1].deck, 50)), links[2]), 2,
    ),
    "a proof": (
        PileMade, "links", lambda links: (*links[:2], replace(links[2], proof=flip(links[2].proof, 300))), 3,
    ),
    "a seed": (
        PileMade, "links", lambda links: (replace(links[0], seed=flip(links[0].seed, 3)), *links[1:]), 1,
    ),
    "a share": (SharesGiven, "data", lambda data: flip(data, 70), 1),
    "a share's party": (SharesGiven, "party", lambda party: 2, 2),
    "nobody's share": (SharesGiven, "party", lambda party: 4, 0),
    "a share's points": (SharesGiven, "points", lambda points: points[::-1], 1),
    "a share of nothing": (SharesGiven, "points", lambda points: (), 1),
    "a share of junk": (SharesGiven, "points", lambda points: (bytes(32), points[1]), 0),
    "a card's face": (Shown, "card", lambda card: replace(card, number=(card.number + 1) % 4), 0),
    "a card's kind": (Shown, "card", lambda card: replace(card, spec=b"another"), 0),
    "a card shown": (Shown, "slot", lambda slot: slot[:32] + ED25519.base, 0),
    "a die": (Thrown, "value", lambda value: (value + 1) % 20, 0),
    "another die": (Thrown, "place", lambda place: RecordPlace(0, "die 2", 6), 0),
    "a seal": (Sealed, "data", lambda data: flip(data, 33), 2),
    "a seal's author": (Sealed, "party", lambda party: 3, 3),
    "an opening": (Opened, "opening", lambda opening: flip(opening, 3), 2),
    "an opened value": (Opened, "value", lambda value: b"paper", 0),
    "a box": (Boxed, "data", lambda data: flip(data, 100), 1),
    "a box's receiver": (Boxed, "receiver", lambda receiver: 2, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_whoever_changed_something_is_named(name: str) -> None:
    """One thing changed in one record, and the auditor names who said it; nobody, for what only follows."""
    kind, attribute, change, party = CHANGES[name]
    at = place_of(kind)
    record: Any = match()[at]
    other = replace(record, **{attribute: change(getattr(record, attribute))})
    assert blamed(other, at=at) == party


def redealt(party: int, data: bytes) -> KeysMade:
    """The making of the keys where a party committed itself to this dealing and then sent it."""
    record = keys_record(THREE)
    at = party - 1
    promise = commit(THREE.contexts[at], THREE.roster, data)
    commitments = (*record.commitments[:at], promise, *record.commitments[party:])
    return replace(
        record, commitments=commitments, dealings=(*record.dealings[:at], data, *record.dealings[party:])
    )


def dealing(party: int, *polynomial: int) -> bytes:
    """A party's dealing of this polynomial, whose absolute term it knows."""
    group, honest = ED25519, THREE.own[party - 1].data
    coefficients = tuple(group.multiply_base(one % group.order) for one in polynomial)
    said = (THREE.roster.encoded, honest[:32], coefficients)
    context, first = THREE.contexts[party - 1], polynomial[0] % group.order
    proof = prove_knowledge(context, Item.KEY, first, THREE.secrets[party - 1].steady, *said)
    return honest[:32] + b"".join(coefficients) + proof.encoded


def test_a_bad_dealing_is_found_though_it_was_promised() -> None:
    """A fitting commitment excuses no wrong length, point or proof, and no share of zero."""
    honest, others = THREE.own[1].data, [own.polynomial[0] for own in THREE.own if own is not THREE.own[1]]
    assert audited([redealt(2, honest)]).counts[KeysMade] == 1
    assert audited([redealt(2, dealing(2, 7, 8))]).counts[KeysMade] == 1
    for data, party, charge in (
        (honest[:-32], 2, Charge(Offence.WRONG_SIZE, Item.DEALING, given=128, size=160)),
        (honest[:32] + honest, 2, Charge(Offence.WRONG_SIZE, Item.DEALING, given=192, size=160)),
        (bytes(32) + honest[32:], 2, Charge(Offence.INVALID_POINT, Item.DEALING)),
        (honest[:-32] + bytes(32), 2, Charge(Offence.INVALID_PROOF, Item.KEY)),
        (dealing(1, 7, 8), 2, Charge(Offence.INVALID_PROOF, Item.KEY)),
        (dealing(2, 6, -2), 2, Charge(Offence.EMPTY_SHARE)),
        (dealing(2, -sum(others), 8), 0, Charge(Offence.INVALID_JOINT_KEY)),
    ):
        with pytest.raises(Cheat) as caught:
            Auditor(MATCH, LINEAGE).check(redealt(2, data))
        assert (caught.value.party, caught.value.charge) == (party, charge)


def test_a_seal_that_nobody_set_is_not_opened() -> None:
    """An opening needs its seal's record before it, though it would fit."""
    sealed, opened, *_ = seal_records(b"rock")
    with pytest.raises(Cheat, match=Offence.UNKNOWN_SEAL) as caught:
        audited([keys_record(THREE), opened])
    assert caught.value.party == 0
    assert audited([keys_record(THREE), sealed, opened]).counts[Opened] == 1


def test_no_link_of_a_pile_is_later_than_its_last_round() -> None:
    """The round decides the order of the slots: who takes an earlier one has another pile."""
    table = Table(THREE, 2)
    table.say(table.awaited[0])
    table.say(table.awaited[0])
    table.drop(2)
    table.play()
    record = pile_record(table)
    assert [*(link.round for link in record.links), record.round] == [0, 1, 1]
    for other in (replace(record, round=0, slots=None), replace(record, links=(), slots=None)):
        with pytest.raises(Cheat, match=Offence.WRONG_ROUNDS) as caught:
            audited([keys_record(THREE), other])
        assert caught.value.party == 0


def test_a_pile_that_fewer_than_t_have_shuffled_is_refused() -> None:
    """Each shuffle is proven and each seed fits; but one of three may have known the order."""
    table = Table(THREE, 2)
    table.say(table.awaited[0])
    for gone in (2, 3):
        table.drop(gone)
    table.say(table.awaited[0])
    watcher = table.chains[0]
    watcher.open([1])  # a program that doesn't mind
    table.chains[1].open([1])
    table.hear(watcher.awaited[0], table.chains[1].make_seed(THREE.secrets[0]))
    links = tuple(PileLink(*one) for one in watcher.shuffles)
    assert [(link.party, link.seed is not None) for link in links] == [(1, True)]
    start = tuple(Known(SPEC, number) for number in range(2))
    with pytest.raises(Cheat, match=Offence.TOO_FEW_SHUFFLES) as caught:
        audited([keys_record(THREE), PileMade(RecordPlace(0, "pile", 0), start, links, watcher.round)])
    assert caught.value.party == 0


def test_a_pile_of_no_cards_still_has_its_commitments() -> None:
    """Each deck of an empty pile is a commitment alone: it is found right, and not if it is cut."""
    table = Table(THREE, 0)
    table.play()
    record = pile_record(table)
    assert audited([keys_record(THREE), record]).counts[PileMade] == 1
    first, *others = record.links
    cut = replace(record, links=(replace(first, deck=first.deck[:31], seed=None), *others))
    with pytest.raises(Cheat, match=Offence.MALFORMED) as caught:
        audited([keys_record(THREE), cut])
    assert caught.value.party == 1


@pytest.mark.parametrize("kind", [Shown, Thrown, Opened, Boxed, Sealed, SharesGiven, PileMade])
def test_nothing_is_dealt_under_keys_that_are_not_there(kind: type) -> None:
    """Every record but that of keys needs its epoch's keys before it."""
    record: Any = match()[place_of(kind)]
    with pytest.raises(Cheat, match=f"{Offence.UNKNOWN_KEYS}|{Offence.UNKNOWN_SEAL}"):
        Auditor(MATCH, LINEAGE).check(record)


def test_another_match_is_not_this_one() -> None:
    """The same records in a match of another id are not believed."""
    with pytest.raises(Cheat) as caught:
        Auditor(b"another", LINEAGE).check(match()[0])
    assert caught.value.party == 1
    with pytest.raises(Cheat):
        Auditor(MATCH, b"another").check(match()[0])


def test_too_few_shares_open_nothing() -> None:
    """Without one of the shares that a card, a die or a seal was opened with, it is found."""
    records = list(match())
    for kind, drop in ((Shown, 2), (Thrown, 1)):
        at = place_of(kind)
        auditor = audited(records[: at - drop])
        with pytest.raises(Cheat, match=Offence.TOO_FEW_SHARES):
            auditor.check(records[at])


def test_a_garbage_seal_is_its_authors() -> None:
    """A seal that force can't open may be recorded as holding nothing, and not as holding something."""
    box = bytes(54)
    context = THREE.context("ask 1", 7, 2)
    proof = prove_knowledge(context, Item.SEAL, 77, THREE.secrets[1], THREE.joint, box)
    data = ED25519.multiply_base(77) + box + proof.encoded
    sealed = Sealed(RecordPlace(0, "ask 1", 7), 2, 20, data)
    thing: list[Openable] = [Openable(data[:32])]
    force = [shares_of(thing, "force 1", 7, party) for party in (1, 3)]
    audited([keys_record(THREE), sealed, *force, Opened(sealed, None, None)])
    with pytest.raises(Cheat):
        audited([keys_record(THREE), sealed, *force, Opened(sealed, None, b"rock")])


def test_hidden_cards_are_shuffled_on_from_slots() -> None:
    """Slots of one pile may begin another, and those of no pile may not."""
    table = Table(THREE, 4)
    table.play()
    first = pile_record(table)
    assert first.slots is not None
    keys = audited([keys_record(THREE), first])
    with pytest.raises(Cheat, match=Offence.UNKNOWN_CARD):
        keys.check(replace(first, place=RecordPlace(0, "pile 2", 3), start=(bytes(64), *first.slots[1:])))
    assert keys.slots(replace(first, slots=None)) == first.slots
    assert isinstance(table.chains[0].slots[0], PileSlot)
    again = Table(THREE, deck=tuple(slot.card for slot in table.chains[0].slots))
    again.play()
    keys.check(replace(pile_record(again), start=first.slots))
    assert keys.counts[PileMade] == 2


def test_the_match_here_has_everything() -> None:
    """The match of these tests has each kind of record that there is."""
    assert {type(record) for record in match()} == set(get_args(Record))


def test_faces_that_were_not_shown_are_not_believed() -> None:
    """Another face, card, die, name or sender, fewer than t batches, or shares of something else."""
    at = place_of(FacesSeen)
    record = match()[at]
    assert isinstance(record, FacesSeen)
    (card, die), ((_, number), (_, face)), (first, last) = record.slots, record.faces, record.batches
    shown = match()[place_of(Shown)]
    assert isinstance(shown, Shown)
    for other in (
        replace(record, faces=((0, (number + 1) % 5), (1, face))),
        replace(record, faces=((0, number), (1, (face + 1) % 5))),
        replace(record, slots=(replace(card, card=shown.slot), die)),
        replace(record, slots=(replace(card, place=2), die)),
        replace(record, slots=(replace(card, pile=1), die)),
        replace(record, slots=(replace(card, spec=b"another"), die)),
        replace(record, slots=(card, replace(die, place=1))),
        replace(record, slots=(card, replace(die, sides=die.sides[::-1]))),
        replace(record, slots=(card, replace(die, sides=()))),
        replace(record, batches=(first,)),
        replace(record, batches=(first, first)),
        replace(record, batches=(first, (2, *last[1:]))),
        replace(record, batches=(first, (4, *last[1:]))),
        replace(record, batches=(first, (3, (1, 0), last[2]))),
        replace(record, batches=(first, (3, (0, 2), last[2]))),
        replace(record, batches=(first, (3, (), last[2]))),
        replace(record, batches=(first, (3, (0, 1), flip(last[2], 40)))),
        replace(record, batches=(first, (3, (0, 1), last[2][:-1]))),
    ):
        assert blamed(other, at=at) in (0, 1, 2, 3)


def test_a_share_in_private_opens_nothing_for_all() -> None:
    """A card whose shares one party alone was given isn't shown to all by them."""
    at = place_of(FacesSeen)
    record = match()[at]
    assert isinstance(record, FacesSeen)
    auditor = audited(list(match()))
    with pytest.raises(Cheat) as caught:
        auditor.check(Shown(0, record.slots[0].card, Known(SPEC, record.faces[0][1])))
    assert caught.value.charge.offence is Offence.TOO_FEW_SHARES


def test_a_card_made_up_is_not_believed() -> None:
    """A ciphertext that opens to a face, made up around a point that was opened, came out of no pile."""
    at = place_of(Shown)
    record = match()[at]
    assert isinstance(record, Shown)
    opened = THREE.opened([Openable(record.slot[:32])])[0]
    face = Faces(SPEC, 5).points[4]
    made_up = Shown(0, record.slot[:32] + ED25519.add(face, opened), Known(SPEC, 4))
    assert blamed(made_up, at=at) == 0


def test_the_auditor_keeps_one_public_share_for_each_party() -> None:
    """It computes the shares of those who are there, and of nobody else."""
    auditor = Auditor(MATCH, LINEAGE)
    auditor.check(keys_record(THREE))
    epoch = auditor._book.epoch(0)
    assert len(epoch.shares) == epoch.parties == 3
