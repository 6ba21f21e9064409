"""Making keys: anybody's t shares open, and who deals wrongly is found out at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tavolata_protocol.fair import keys
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.keys import (
    Roster,
    assemble,
    commit,
    deal,
    judge_share,
    read_dealing,
    read_share,
    threshold,
)
from tavolata_protocol.fair.logs import prove_knowledge
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import lagrange

from .parties import LINEAGE, MATCH, Chance, Parties, parties
from .toy import MOD11

L = ED25519.order


def test_threshold_is_two_thirds_rounded_up() -> None:
    """For 1 to 8 parties it takes 1 2 2 3 4 4 5 6, and all of them when strict."""
    assert [threshold(count) for count in range(1, 9)] == [1, 2, 2, 3, 4, 4, 5, 6]
    assert [threshold(count, strict=True) for count in range(1, 9)] == list(range(1, 9))


@pytest.mark.parametrize(("count", "strict"), [(1, False), (2, False), (3, False), (4, True), (5, False)])
def test_every_t_shares_make_the_joint_secret(count: int, strict: bool) -> None:
    """Of any t parties' shares Lagrange makes the logarithm of P, and of fewer or wrong ones not."""
    some = parties(count, strict=strict)
    secrets = {ring.party: ring.share for ring in some.rings}
    t = some.public.roster.threshold

    def joined(group: tuple[int, ...]) -> int:
        return sum(lagrange(group, party, L) * secrets[party] for party in group) % L

    values = {joined(group) for group in combinations(secrets, t)}
    assert len(values) == 1
    (secret,) = values
    assert ED25519.multiply_base(secret) == some.joint
    assert secret not in {joined(group) for group in combinations(secrets, t - 1)}
    assert secrets
    assert all(ED25519.multiply_base(secrets[party]) == some.public.shares[party - 1] for party in secrets)


@pytest.mark.parametrize("party", [1, 3])
@pytest.mark.parametrize("t", [1, 3])
def test_a_dealing_has_exactly_t_coefficients(party: int, t: int) -> None:
    """A dealing with one coefficient fewer or more, of the first or the last party, is refused."""
    three = parties(3)
    assert three.roster.threshold == 2
    context = three.contexts[party - 1]
    other = Roster(three.roster.ids, t)
    dealt = deal(context, other, three.secrets[party - 1])
    with pytest.raises(Cheat, match=Offence.WRONG_SIZE) as caught:
        read_dealing(context, three.roster, dealt.commitment, dealt.data)
    assert caught.value.party == party


@pytest.mark.parametrize("t", [1, 3])
def test_a_cut_or_stretched_dealing_of_the_right_length_is_refused(t: int) -> None:
    """Coefficients of another number, filled up or cut to the right length, don't pass by their proof."""
    three = parties(3)
    context = three.contexts[0]
    dealt = deal(context, Roster(three.roster.ids, t), three.secrets[0])
    points, proof = dealt.data[:-64], dealt.data[-64:]
    data = (points + ED25519.base * 2)[: 3 * 32] + proof
    with pytest.raises(Cheat, match=Offence.INVALID_PROOF):
        read_dealing(context, three.roster, commit(context, three.roster, data), data)


def dealing_of(polynomial: list[int], party: int = 1) -> tuple[Context, bytes]:
    """A dealing of three parties, t = 2, of a chosen polynomial, with an honest proof."""
    three = parties(3)
    context = three.contexts[party - 1]
    mailbox = ED25519.multiply_base(5)
    coefficients = tuple(ED25519.multiply_base(coefficient) for coefficient in polynomial)
    proof = prove_knowledge(
        context, Item.KEY, polynomial[0], three.secrets[0], three.roster.encoded, mailbox, coefficients
    )
    return context, mailbox + b"".join(coefficients) + proof.encoded


@pytest.mark.parametrize("receiver", [1, 2, 3])
def test_a_share_of_nothing_is_refused_by_all(receiver: int) -> None:
    """A polynomial with f(j) = 0 for some party is refused with the dealing, without j's word for it."""
    context, data = dealing_of([7 * receiver, -7])
    with pytest.raises(Cheat, match=Offence.EMPTY_SHARE) as caught:
        read_dealing(context, parties(3).roster, commit(context, parties(3).roster, data), data)
    assert caught.value.party == 1


@pytest.mark.parametrize("polynomial", [[0, 7], [7, 0]])
def test_coefficients_of_zero_are_refused(polynomial: list[int]) -> None:
    """A constant term or a leading coefficient of zero is the identity, and so no point."""
    context, data = dealing_of(polynomial)
    with pytest.raises(Cheat, match=Offence.INVALID_POINT):
        read_dealing(context, parties(3).roster, commit(context, parties(3).roster, data), data)


def test_horners_scheme_may_pass_through_the_identity() -> None:
    """With t = 3 an honest dealing whose inner sum vanishes for one party is accepted: 2·a_2 + a_1 = 0."""
    three = parties(3, strict=True)
    context, mailbox = three.contexts[0], ED25519.multiply_base(5)
    polynomial = [11, -14, 7]
    coefficients = tuple(ED25519.multiply_base(coefficient) for coefficient in polynomial)
    proof = prove_knowledge(
        context, Item.KEY, 11, three.secrets[0], three.roster.encoded, mailbox, coefficients
    )
    data = mailbox + b"".join(coefficients) + proof.encoded
    dealing = read_dealing(context, three.roster, commit(context, three.roster, data), data)
    for party in (1, 2, 3):
        value = 11 - 14 * party + 7 * party**2
        assert read_share(context, dealing, party, (value % L).to_bytes(32, "little")) == value % L


def test_a_dealing_other_than_committed_to_is_refused() -> None:
    """Who deals something else than it committed to, after seeing the others, is named."""
    three = parties(3)
    other = deal(three.contexts[1], three.roster, Secrets(b"o" * 32, Chance(9)))
    with pytest.raises(Cheat, match=Offence.BROKEN_COMMITMENT) as caught:
        read_dealing(three.contexts[1], three.roster, three.own[1].commitment, other.data)
    assert caught.value.party == 2


def test_a_rogue_key_is_refused() -> None:
    """A constant term made to cancel the others' has no proof: with the others' data it does not hold."""
    three = parties(3)
    context = three.contexts[2]
    others = ED25519.add(three.dealings[0].coefficients[0], three.dealings[1].coefficients[0])
    rogue = ED25519.subtract(ED25519.multiply_base(17), others)
    own = three.own[2].data
    data = own[:32] + rogue + own[64:]
    with pytest.raises(Cheat, match=Offence.INVALID_PROOF):
        read_dealing(context, three.roster, commit(context, three.roster, data), data)


@pytest.mark.parametrize("change", ["party", "epoch", "match", "threshold", "ids"])
def test_a_dealing_serves_nowhere_else(change: str) -> None:
    """A dealing of another party, epoch or match, or for other n, t or ids, is refused."""
    three = parties(3)
    context, roster, data = three.contexts[0], three.roster, three.own[0].data
    match change:
        case "party":
            context = context.of(2)
        case "epoch":
            context = replace(context, epoch=1)
        case "match":
            context = replace(context, match=b"another")
        case "threshold":
            four = parties(4)
            roster, data = replace(four.roster, threshold=2), three.own[0].data
        case _:
            roster = replace(roster, ids=(b"x" * 32, *roster.ids[1:]))
    with pytest.raises(Cheat, match=Offence.INVALID_PROOF):
        read_dealing(context, roster, commit(context, roster, data), data)


def test_a_wrong_share_convicts_its_dealer() -> None:
    """A share that does not fit is refused when it comes, and judged by all to be the dealer's."""
    three = parties(3)
    context, dealing = three.contexts[0], three.dealings[0]
    for bad in (three.own[0].share(3), (1).to_bytes(32, "little"), bytes(32), b"junk"):
        with pytest.raises(Cheat) as caught:
            read_share(context, dealing, 2, bad)
        assert caught.value.party == 1
        assert judge_share(context, dealing, 2, bad).party == 1


def test_a_false_accusation_convicts_the_accuser() -> None:
    """Who calls a good share bad is named instead."""
    three = parties(3)
    verdict = judge_share(three.contexts[0], three.dealings[0], 2, three.own[0].share(2))
    assert verdict.party == 2


def test_two_stories_make_two_transcripts() -> None:
    """Who sends one dealing to some and another to others makes them differ in T, and so in every context."""
    three = parties(3)
    other = deal(three.contexts[2], three.roster, Secrets(b"o" * 32, Chance(9)))
    told = read_dealing(three.contexts[2], three.roster, other.commitment, other.data)
    story = assemble(three.contexts[0], three.roster, [*three.dealings[:2], told])
    assert story.transcript != three.public.transcript
    assert story.context("die 1", 3, 1).encoded != three.context("die 1", 3, 1).encoded
    same = assemble(three.contexts[1], three.roster, three.dealings)
    assert same.transcript == three.public.transcript


def test_transcript_is_of_everything() -> None:
    """T changes with the match, the epoch, the roster, and any dealing, and not with who computes it."""
    three = parties(3)
    context, roster, dealings = three.contexts[0], three.roster, three.dealings
    before = keys.key_transcript(context, roster, dealings)
    assert keys.key_transcript(context.of(3), roster, dealings) == before
    bent = replace(dealings[2], data=dealings[2].data[:-1] + b"\x00")
    others = [
        keys.key_transcript(replace(context, epoch=1), roster, dealings),
        keys.key_transcript(replace(context, match=b"another"), roster, dealings),
        keys.key_transcript(context, replace(roster, threshold=3), dealings),
        keys.key_transcript(context, replace(roster, ids=roster.ids[::-1]), dealings),
        keys.key_transcript(context, roster, [*dealings[:2], bent]),
        keys.key_transcript(context, roster, dealings[:2]),
        keys.key_transcript(context, roster, dealings[::-1]),
    ]
    assert len({before, *others}) == len(others) + 1


def test_the_same_seed_makes_the_same_keys_again() -> None:
    """After a crash the seed brings polynomial, mailbox and shares back; another epoch has others."""
    first, again, later = Parties(2), Parties(2), Parties(2, epoch=1)
    assert [ring.share for ring in first.rings] == [ring.share for ring in again.rings]
    crashed = deal(first.contexts[1], first.roster, Secrets(bytes([2]) * 32, Chance(99)))
    assert crashed == first.own[1]  # what was committed to before a crash is sent after it
    assert first.joint == again.joint
    assert first.public.mailboxes == again.public.mailboxes
    assert not {ring.share for ring in first.rings} & {ring.share for ring in later.rings}
    assert first.joint != later.joint


def test_a_key_that_is_none_is_laid_to_all() -> None:
    """Only if all parties conspire can P be nothing; then all are named."""
    three = parties(3)
    cancelling = [
        replace(three.dealings[0], coefficients=(ED25519.base, ED25519.base)),
        replace(three.dealings[1], coefficients=(ED25519.base, ED25519.base)),
        replace(three.dealings[2], coefficients=(ED25519.multiply_base(-2), ED25519.base)),
    ]
    with pytest.raises(Cheat) as caught:
        assemble(three.contexts[0], three.roster, cancelling)
    assert caught.value.party == 0


def test_keys_in_the_smallest_group_are_made_again_until_no_share_is_nothing() -> None:
    """In the group of five an honest dealer tries until f(j) is nothing for nobody; no share is ever zero."""
    roster = Roster((b"1" * 32, b"2" * 32, b"3" * 32), 2)
    for seed in range(40):
        context = Context(MATCH, LINEAGE, seed, "keys", 1, 1, group=MOD11)
        own = deal(context, roster, Secrets(bytes([seed]) * 32, Chance(seed)))
        shares = [int.from_bytes(own.share(party), "little") for party in (1, 2, 3)]
        assert shares
        assert all(shares)


def test_keys_are_assembled_of_everybody_in_order() -> None:
    """Dealings out of order, or one too few, are an error of the caller."""
    three = parties(3)
    for dealings in (three.dealings[::-1], three.dealings[:2]):
        with pytest.raises(ValueError, match="party 1 to n"):
            assemble(three.contexts[0], three.roster, dealings)


def test_rosters_that_make_no_sense_are_refused() -> None:
    """t of nobody, more than there are, or somebody named twice, is an error of the caller."""
    for ids, t in (((b"a", b"b"), 0), ((b"a", b"b"), 3), ((b"a", b"a"), 2), ((), 1)):
        with pytest.raises(ValueError, match="roster"):
            Roster(ids, t)


def test_secrets_are_not_shown() -> None:
    """What a key ring or an own dealing prints as holds no secret number."""
    three = parties(3)
    ring, own = three.rings[0], three.own[0]
    printed = repr(ring) + repr(own)
    for secret in (ring.share, ring.mailbox_secret, *own.polynomial):
        assert str(secret) not in printed
