"""Opening: t shares open, fewer don't, all t-subsets agree, and a wrong share is found out."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tavolata_protocol.fair.deck import Ciphertext, Faces
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, weighted_sum
from tavolata_protocol.fair.shares import (
    Openable,
    PileSlot,
    Shares,
    combine,
    lagrange,
    make_shares,
    own_shares,
    read_shares,
)
from tavolata_protocol.fair.shuffle import shuffle

from .parties import ELSEWHERE, parties

FACES = Faces(b"a deck", 5)


def hidden(count: int) -> list[Openable]:
    """Five cards in the order in which party 1 of so many shuffled them."""
    some = parties(count)
    deck = tuple(FACES.known(number, some.joint) for number in range(5))
    shuffled, _ = shuffle(some.context("deck 1"), some.joint, deck, some.secrets[0])
    return [PileSlot(*card) for card in shuffled]


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_any_t_parties_open_the_same_cards(count: int) -> None:
    """Each t-subset finds the same five faces, each once, from shares that went over the wire."""
    some, cards = parties(count), hidden(count)
    shares = {party: some.shares(party, "draw", cards) for party in range(1, count + 1)}
    found = {
        combine(some.public, {party: shares[party] for party in group})
        for group in combinations(shares, some.public.roster.threshold)
    }
    assert len(found) == 1
    slots = [slot.card for slot in cards if isinstance(slot, PileSlot)]
    numbers = [FACES.number(card, point) for card, point in zip(slots, found.pop(), strict=True)]
    assert sorted(number for number in numbers if number is not None) == [0, 1, 2, 3, 4]
    assert combine(some.public, shares) == some.opened(cards)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_fewer_than_t_open_nothing(count: int) -> None:
    """t - 1 shares are refused; and put together all the same, by their weights, they show no face."""
    some, cards = parties(count), hidden(count)
    t = some.public.roster.threshold
    for group in combinations(range(1, count + 1), t - 1):
        shares = {party: own_shares(some.rings[party - 1], cards) for party in group}
        with pytest.raises(ValueError, match="It takes"):
            combine(some.public, shares)
        weights = [lagrange(group, party, ED25519.order) for party in group]
        for at, slot in enumerate(cards):
            assert isinstance(slot, PileSlot)
            point = weighted_sum(ED25519, weights, (shares[party].images[at] for party in group))
            assert FACES.number(slot.card, point) is None


def test_strict_takes_everybody() -> None:
    """With the strict threshold all but one open nothing."""
    strict = parties(3, strict=True)
    card: list[Openable] = [PileSlot(*FACES.known(3, strict.joint))]
    with pytest.raises(ValueError, match="It takes 3"):
        strict.opened(card, [1, 2])
    assert FACES.number(FACES.known(3, strict.joint), strict.opened(card)[0]) == 3


@pytest.mark.parametrize("change", ELSEWHERE)
def test_shares_serve_nowhere_else(change: str) -> None:
    """Shares of another match, epoch, object, place of the log, T or party are refused."""
    three, cards = parties(3), hidden(3)
    context = three.context("draw")
    data = make_shares(context, three.rings[0], cards, three.secrets[0]).encoded
    with pytest.raises(Cheat):
        read_shares(replace(context, **ELSEWHERE[change]), three.public, cards, data)


def test_shares_serve_for_no_other_cards() -> None:
    """Shares of the same cards in another order, of fewer, or of others, are refused."""
    three, cards = parties(3), hidden(3)
    context = three.context("draw")
    data = make_shares(context, three.rings[0], cards, three.secrets[0]).encoded
    for others in (cards[::-1], cards[:4], [*cards, cards[0]], [Openable(three.joint), *cards[1:]], []):
        with pytest.raises(Cheat) as caught:
            read_shares(context, three.public, others, data)
        assert caught.value.party == 1


def test_shares_of_another_secret_are_refused() -> None:
    """A party that uses another secret than its share of the key is named, whatever it proves."""
    three, cards = parties(3), hidden(3)
    context = three.context("draw")
    ring = replace(three.rings[0], share=three.rings[0].share + 1)
    with pytest.raises(Cheat) as caught:
        read_shares(context, three.public, cards, make_shares(context, ring, cards, three.secrets[0]).encoded)
    assert caught.value.party == 1


def test_forwarded_shares_are_judged_as_their_makers() -> None:
    """The holder of a card shows the t shares that it got: all who check them under their makers open it."""
    three, cards = parties(3), hidden(3)[:1]
    data = {
        party: make_shares(
            three.context("draw", party=party), three.rings[party - 1], cards, three.secrets[party - 1]
        ).encoded
        for party in (1, 3)
    }
    shares = {
        party: read_shares(three.context("draw", party=party), three.public, cards, sent)
        for party, sent in data.items()
    }
    assert combine(three.public, shares) == three.opened(cards)
    with pytest.raises(Cheat) as caught:
        read_shares(three.context("draw", party=3), three.public, cards, data[1])
    assert caught.value.party == 3


def test_own_shares_have_no_proof_to_send() -> None:
    """What one made for oneself can't be sent by mistake."""
    three = parties(3)
    with pytest.raises(ValueError, match="oneself"):
        print(own_shares(three.rings[0], hidden(3)).encoded)


def test_lagrange_weights_add_up_to_one() -> None:
    """For a constant polynomial the weights of any parties are 1 together."""
    for group in combinations(range(1, 9), 4):
        assert sum(lagrange(group, party, ED25519.order) for party in group) % ED25519.order == 1


def test_shares_hold_their_cards_order() -> None:
    """Of shares in another order than asked for, nothing opens as what it is not."""
    three, cards = parties(3), hidden(3)
    context = three.context("draw")
    made = make_shares(context, three.rings[0], cards, three.secrets[0])
    turned = Shares(made.images[::-1], made.proof)
    with pytest.raises(Cheat):
        read_shares(context, three.public, cards, turned.encoded)


def test_a_slot_is_its_ciphertext() -> None:
    """A slot gives back the ciphertext that it was made of."""
    card = FACES.known(2, parties(3).joint)
    assert PileSlot(*card).card == card
    assert isinstance(card, Ciphertext)
