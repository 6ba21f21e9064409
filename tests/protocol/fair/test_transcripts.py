"""Every transcript depends on everything that it is said to depend on.

Not tried by bending finished proofs, which notices nothing when a field is left out of a hash: the transcript
functions themselves are called with each field changed, each element changed, swapped, dropped and doubled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tavolata_protocol.fair import boxes, dice, keys, mixing, seals, shuffle
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Ciphertext
from tavolata_protocol.fair.group import ED25519, Ed25519
from tavolata_protocol.fair.hashing import generators
from tavolata_protocol.fair.keys import PublicKeys, Roster
from tavolata_protocol.fair.logs import equality_challenge, equality_weights, knowledge_challenge
from tavolata_protocol.fair.shuffle import ShuffleAnnouncement

from .parties import parties


class OtherSuite(Ed25519):
    """ED25519 in all but its name."""

    suite = b"ed25519 2"  # type: ignore[misc]  # another name is the point


def point(number: int) -> bytes:
    """A point like any other."""
    return ED25519.multiply_base(1000 + number)


def points(first: int, count: int) -> tuple[bytes, ...]:
    """Different points."""
    return tuple(point(first + number) for number in range(count))


def variants(value: Any) -> Iterator[Any]:
    """Everything a little different from a value: by kind, and within tuples element by element."""
    match value:
        case Context():
            for name in ("match", "lineage", "epoch", "object", "number", "party", "transcript"):
                for other in variants(getattr(value, name)):
                    yield replace(value, **{name: other})
            yield replace(value, group=OtherSuite())
        case Roster():
            yield replace(value, threshold=value.threshold - 1)
            yield from (replace(value, origin=origin) for origin in variants(value.origin))
            yield from (replace(value, ids=ids) for ids in variants(value.ids) if len(set(ids)) == len(ids))
        case PublicKeys():
            yield from (replace(value, joint=other) for other in variants(value.joint))
        case tuple():
            rebuild: Any = getattr(type(value), "_make", tuple)
            for at, element in enumerate(value):
                for other in variants(element):
                    yield rebuild((*value[:at], other, *value[at + 1 :]))
            if rebuild is tuple:
                for at in range(len(value)):
                    yield (*value[:at], *value[at + 1 :])
                    yield (*value[:at], value[at], *value[at:])
            for at in range(len(value) - 1):
                if value[at] != value[at + 1] and type(value[at]) is type(value[at + 1]):
                    yield rebuild((*value[:at], value[at + 1], value[at], *value[at + 2 :]))
        case bytes():
            yield point(999)
            yield bytes([value[0] ^ 1, *value[1:]]) if value else b"\0"
            yield value[:-1] + bytes([value[-1] ^ 128]) if value else b"\0\0"
        case str():
            yield value + "1"
        case int():
            yield value + 1
        case _:
            raise AssertionError(value)


CONTEXT = Context(b"match", b"lineage", 3, "deck 1", 17, 2, b"T" * 64)
KEYS = parties(2).public
DECK = tuple(Ciphertext(*points(10 * number, 2)) for number in range(3))
SHUFFLED = tuple(Ciphertext(*points(100 + 10 * number, 2)) for number in range(3))
ANNOUNCED = ShuffleAnnouncement(point(201), point(202), point(203), point(204), point(205), points(210, 3))


def key_challenge(
    context: Context, roster: Roster, mailbox: bytes, cs: tuple[bytes, ...], announced: bytes
) -> int:
    """The challenge of the proof in a dealing."""
    return knowledge_challenge(context, b"key", cs[0], announced, *keys._statement(roster, mailbox, cs))


def seal_challenge(context: Context, public: PublicKeys, point: bytes, box: bytes, announced: bytes) -> int:
    """The challenge of the proof in a seal."""
    return knowledge_challenge(context, b"seal", point, announced, *seals._statement(public, box))


def box_challenge(
    context: Context, receiver: int, mailbox: bytes, point: bytes, sealed: bytes, announced: bytes
) -> int:
    """The challenge of the proof in a box."""
    said = boxes._statement(receiver, mailbox, sealed)
    return knowledge_challenge(context, b"box", point, announced, *said)


TRANSCRIPTS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "u of a shuffle": (shuffle.weights, (CONTEXT, point(1), DECK, SHUFFLED, points(300, 3))),
    "x of a shuffle": (
        shuffle.challenge,
        (CONTEXT, point(1), DECK, SHUFFLED, points(300, 3), points(310, 3), ANNOUNCED),
    ),
    "weights of shares": (
        lambda *given: equality_weights(*given)[1:],
        (CONTEXT, b"share", point(1), points(2, 3), points(5, 3)),
    ),
    "x of shares": (
        equality_challenge,
        (CONTEXT, b"share", point(1), points(2, 3), points(5, 3), points(8, 2)),
    ),
    "x of a known logarithm": (knowledge_challenge, (CONTEXT, b"key", point(1), point(2), b"more")),
    "x of a key": (
        key_challenge,
        (CONTEXT, Roster((b"1" * 32, b"2" * 32, b"3" * 32), 2), point(1), points(2, 2), point(9)),
    ),
    "x of a seal": (seal_challenge, (CONTEXT, KEYS, point(1), b"box" * 40, point(2))),
    "x of a box": (box_challenge, (CONTEXT, 3, point(1), point(2), b"sealed", point(4))),
    "commitment to a seed": (lambda context, seed: mixing._hashed(context, seed, 1), (CONTEXT, b"seed" * 8)),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_everything_said_changes_every_challenge(name: str) -> None:
    """Each field, element and component, changed, swapped, dropped or doubled, changes each u_i, or x."""
    transcript, given = TRANSCRIPTS[name]
    before = transcript(*given)
    tried = 0
    for at, argument in enumerate(given):
        for other in variants(argument):
            after = transcript(*given[:at], other, *given[at + 1 :])
            tried += 1
            if isinstance(before, list):
                assert after
                assert all(one != changed for one, changed in zip(before, after, strict=False)), (at, other)
            else:
                assert before != after, (at, other)
    assert tried > 12


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_no_element_may_move_to_the_list_beside(name: str) -> None:
    """What ends one list or field is something else at the beginning of the next."""
    transcript, given = TRANSCRIPTS[name]
    before = transcript(*given)
    for at in range(len(given) - 1):
        one, two = given[at], given[at + 1]
        if type(one) is type(two) and type(one) in {tuple, bytes} and len(one) > 1:
            moved = (*given[:at], one[:-1], one[-1:] + two, *given[at + 2 :])
            assert transcript(*moved) != before


@pytest.mark.parametrize("at", range(4))
def test_generators_are_part_of_both_challenges(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other generator among h_0 to h_3 changes each u_i, and x."""
    names = ("u of a shuffle", "x of a shuffle")
    before = [transcript(*given) for transcript, given in map(TRANSCRIPTS.__getitem__, names)]
    others = [*generators(ED25519, 3)]
    others[at] = point(1)
    monkeypatch.setattr(shuffle, "generators", lambda group, size: tuple(others))
    after = [transcript(*given) for transcript, given in map(TRANSCRIPTS.__getitem__, names)]
    assert before[0]
    assert after[0]
    assert all(one != other for one, other in zip(before[0], after[0], strict=True))
    assert before[1] != after[1]


def test_weights_of_the_first_card_depend_on_the_last() -> None:
    """u_1 changes with the very last component of the very last commitment."""
    _, (context, joint, deck, shuffled, commitments) = TRANSCRIPTS["u of a shuffle"]
    bent = (*commitments[:-1], point(7))
    first = shuffle.weights(context, joint, deck, shuffled, commitments)[0]
    assert shuffle.weights(context, joint, deck, shuffled, bent)[0] != first


@pytest.mark.parametrize("other", [each for each in variants(CONTEXT) if each.party == CONTEXT.party])
def test_dice_depend_on_their_context_but_not_on_who_asks(other: Context) -> None:
    """A die's point and value are of one context; the party is not part of it."""
    assert dice.point(CONTEXT) == dice.point(CONTEXT.of(7))
    assert dice.point(other) != dice.point(CONTEXT)
    opened, sides = point(1), 2**60
    assert dice.value(CONTEXT.of(7), opened, sides) == dice.value(CONTEXT, opened, sides)
    assert dice.value(other, opened, sides) != dice.value(CONTEXT, opened, sides)


def test_the_last_permutation_depends_on_every_seed() -> None:
    """Another seed of one party, another party, draw or context orders sixty cards otherwise."""
    seeds = {1: b"a" * 32, 2: b"b" * 32, 4: b"c" * 32}
    before = mixing.order(CONTEXT, 0, seeds, 60)
    others = [
        {**seeds, 4: b"d" * 32},
        {1: seeds[1], 2: seeds[2], 3: seeds[4]},
        {1: seeds[2], 2: seeds[1], 4: seeds[4]},
        {1: seeds[1], 2: seeds[2]},
    ]
    assert others
    assert all(mixing.order(CONTEXT, 0, other, 60) != before for other in others)
    assert mixing.order(replace(CONTEXT, number=18), 0, seeds, 60) != before
    assert mixing.order(CONTEXT, 1, seeds, 60) != before
    assert mixing.order(CONTEXT.of(9), 0, dict(reversed(seeds.items())), 60) == before
