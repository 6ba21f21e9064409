"""Unseen cards: what can be told of them, and faces that fit it."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from tavolata._engine.match.unseen import UnseenCards
from tavolata.bots import Chance
from tavolata.errors import GameError


def draws(unseen: UnseenCards, chance: Chance, many: int) -> list[dict[int, int]]:
    """So many ways in which the cards may lie."""
    return [unseen.drawn(chance).faces for _ in range(many)]


def test_faces_that_were_not_seen_are_drawn_from_those_left_all_equally_likely() -> None:
    """After a shuffle of four cards and one look, each order of the other faces comes about equally often."""
    unseen, chance = UnseenCards(), Chance(1)
    unseen.hide(range(4), (0, 1, 1, 2))
    unseen.see(3, 1)
    found = Counter(tuple(faces[card] for card in range(3)) for faces in draws(unseen, chance, 1200))
    assert found.keys() == set(permutations((0, 1, 2)))
    assert min(found.values()) > 150


def test_a_card_that_is_shuffled_in_later_is_in_no_older_hand() -> None:
    """Where discards and the rest of a pack are shuffled anew, no unseen hand has the face of a discard."""
    unseen, chance = UnseenCards(), Chance(2)
    unseen.hide(range(6), range(6))  # 0 and 1 are a hand, 2 and 3 the rest, 4 and 5 discards
    unseen.see(4, 4)
    unseen.see(5, 5)
    unseen.shuffle((2, 3, 4, 5), {4: 4, 5: 5})
    for faces in draws(unseen, chance, 100):
        assert sorted(faces.values()) == list(range(6))
        assert {faces[0], faces[1]} <= {0, 1, 2, 3}


def test_a_face_that_comes_out_of_a_later_shuffle_is_not_left_in_the_hand() -> None:
    """What is seen of the new pack and was no discard was in its rest, so the hand can't have it."""
    unseen, chance = UnseenCards(), Chance(3)
    unseen.hide(range(5), range(5))
    unseen.see(4, 4)
    unseen.shuffle((2, 3, 4), {4: 4})
    unseen.see(3, 0)
    for faces in draws(unseen, chance, 100):
        assert sorted(faces.values()) == [1, 2, 3, 4]
        assert {faces[0], faces[1]} < {1, 2, 3}


def test_a_hand_that_is_mixed_stays_what_it_was() -> None:
    """To shuffle unseen cards among themselves changes nothing; a seen one among them makes a lot of them."""
    unseen, chance = UnseenCards(), Chance(4)
    unseen.hide(range(4), range(4))
    unseen.shuffle((0, 1), {})
    assert len(unseen.lots) == 1
    unseen.see(0, 2)
    unseen.shuffle((0, 1), {0: 2})
    for faces in draws(unseen, chance, 50):
        assert 2 in (faces[0], faces[1])


def test_all_histories_can_be_imagined() -> None:
    """After any looks and shuffles the faces drawn are those that are really unseen, in some order."""
    for seed in range(300):
        chance, unseen = Chance(seed), UnseenCards()
        truth = dict(enumerate(face % 5 for face in range(8)))
        seen: dict[int, int] = {}
        unseen.hide(truth, truth.values())
        for _ in range(12):
            cards = [card for card in truth if chance.percent(50)]
            if chance.percent(50):
                for card in cards[:2]:
                    seen[card] = truth[card]
                    unseen.see(card, truth[card])
            elif cards:
                unseen.shuffle(cards, {card: seen[card] for card in cards if card in seen})
                faces = [truth[card] for card in cards]
                for card in cards:
                    truth[card] = faces.pop(chance.below(len(faces)))
                    seen.pop(card, None)
        drawn = unseen.drawn(chance).faces
        assert drawn.keys() == truth.keys() - seen.keys()
        assert sorted(drawn.values()) == sorted(face for card, face in truth.items() if card not in seen)


def test_long_matches_with_a_pile_that_seats_take_can_be_imagined() -> None:
    """A face in a hand that is mixed again and again came from one of many hands: a way is found.

    Seats lay cards face down, and now and then the last ones are shown and somebody takes the pile, as in
    Cheat; seat 0 looks on.
    """
    for seed in range(3):
        chance, unseen = Chance(seed), UnseenCards()
        truth = dict(enumerate(range(52)))
        hands, pile = [list(range(seat, 52, 4)) for seat in range(4)], list[int]()
        known = {card: card for card in hands[0]}
        unseen.hide(truth, truth.values())
        for card in known:
            unseen.see(card, truth[card])
        for step in range(240):
            hand = hands[step % 4] or hands[max(range(4), key=lambda seat: len(hands[seat]))]
            laid = [hand.pop(chance.below(len(hand))) for _ in range(min(len(hand), 1 + chance.below(3)))]
            pile += laid
            if chance.percent(12):
                for card in laid:
                    known[card] = truth[card]
                    unseen.see(card, truth[card])
                taker = chance.below(4)
                hands[taker] += pile
                pile.clear()
                mixed = hands[taker]
                unseen.shuffle(mixed, {card: known[card] for card in mixed if card in known})
                faces = [truth[card] for card in mixed]
                for card in mixed:
                    truth[card] = faces.pop(chance.below(len(faces)))
                    known.pop(card, None)
                for card in mixed if taker == 0 else ():
                    known[card] = truth[card]
                    unseen.see(card, truth[card])
            if step % 12 == 11:
                drawn = unseen.drawn(chance).faces
                assert drawn.keys() == truth.keys() - known.keys()
                assert {*drawn.values()} == {truth[card] for card in drawn}


def test_what_can_not_be_is_refused() -> None:
    """Where a face was seen that nobody shuffled in, somebody cheated, and one sentence says so."""
    unseen = UnseenCards()
    unseen.hide((0, 1), (0, 0))
    unseen.see(0, 7)
    with pytest.raises(GameError, match="can't be among them"):
        unseen.drawn(Chance())
