"""Making a pile: pipelined, whoever cheats or goes at whatever message, and fair to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata_protocol.fair import mixing
from tavolata_protocol.fair.chain import Awaited, Chain, ChainStep
from tavolata_protocol.fair.deck import Ciphertext, Deck, deck_bytes
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, TORSION
from tavolata_protocol.fair.offences import Charge, Item, Offence
from tavolata_protocol.fair.shares import PileSlot
from tavolata_protocol.fair.shuffle import prove, shuffle

from .parties import parties
from .table import FACES, Bend, Table


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("cards", [0, 1, 4])
def test_all_make_one_pile(count: int, cards: int) -> None:
    """Parties and a spectator come to the same pile, with each card once, in three messages a party."""
    table = Table(parties(count), cards)
    table.play()
    assert sorted(face for face in table.faces() if face is not None) == list(range(cards))
    assert Counter(awaited.step for awaited in table.said) == dict.fromkeys(ChainStep, count)
    assert not set(table.deck) & {slot.card for slot in table.chains[0].slots}


@pytest.mark.battery
@given(st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_whatever_comes_first(chance: object) -> None:
    """In whatever order decks and proofs come, as they are awaited, the pile is made."""
    table = Table(parties(3), 3)
    while waits := table.awaited:
        table.say(chance.choice(waits))  # type: ignore[attr-defined]  # a random.Random
    assert sorted(face for face in table.faces() if face is not None) == [0, 1, 2]


def test_what_is_missing_counts_down() -> None:
    """Of three parties nine messages are missing at first, then one less with each, and none at the end."""
    table = Table(parties(3), 2)
    missing = [table.chains[0].missing]
    while waits := table.awaited:
        table.say(waits[0])
        missing.append(table.chains[0].missing)
    assert missing == list(range(9, -1, -1))


def test_the_next_shuffles_before_the_last_has_proven() -> None:
    """After a party's deck the next deck is awaited along with the proof."""
    table = Table(parties(3))
    table.say(table.awaited[0])
    assert table.awaited == (Awaited(ChainStep.DECK, 2, 0), Awaited(ChainStep.PROOF, 1, 0))


MESSAGES = 9


@pytest.mark.parametrize("gone", [1, 2, 3])
@pytest.mark.parametrize("index", range(MESSAGES))
def test_a_party_gone_at_any_message_leaves_a_pile(gone: int, index: int) -> None:
    """Whoever of three goes before whichever message, the others finish with each card once."""
    table = Table(parties(3), 3)
    for _ in range(index):
        table.say(table.awaited[0])
    table.drop(gone)
    table.play()
    assert sorted(face for face in table.faces() if face is not None) == [0, 1, 2]
    assert table.said[index:]
    assert all(awaited.party != gone for awaited in table.said[index:])
    shufflers = {link.party for link in table.chains[0]._links}
    assert shufflers >= {1, 2, 3} - {gone}


def test_all_go_but_one() -> None:
    """One of three makes no pile alone, for nobody knows whether it is honest; nor do none."""
    table = Table(parties(3), 3)
    table.say(table.awaited[0])
    table.drop(1)
    table.drop(2)
    table.play()
    with pytest.raises(ValueError, match="no slots"):
        print(table.chains[2].slots)
    empty = Table(parties(3), 3)
    for party in (1, 2, 3):
        empty.drop(party)
    assert empty.awaited == ()
    with pytest.raises(ValueError, match="no slots"):
        print(empty.chains[0].slots)


def test_a_pile_is_short_once_fewer_than_t_are_left_for_it() -> None:
    """Who has shuffled and who still will count together: of three, the second to go makes it short."""
    table = Table(parties(3), 2)
    watcher = table.chains[0]
    short = [watcher.is_short]
    table.say(table.awaited[0])
    for gone in (2, 3):
        short.append(watcher.is_short)
        table.drop(gone)
    assert [*short, watcher.is_short] == [False, False, False, True]


def opening(cards: int = 4) -> Table:
    """A table of three whose seeds are due."""
    table = Table(parties(3), cards)
    while table.awaited[0].step is not ChainStep.SEED:
        table.say(table.awaited[0])
    return table


def test_whoever_does_not_open_its_seed_has_the_others_open_their_next_ones() -> None:
    """Nobody shuffles again, the refuser's shuffle stays, and all the seeds are others."""
    table = opening()
    table.say(Awaited(ChainStep.SEED, 1, 0))
    table.say(Awaited(ChainStep.SEED, 2, 0))
    seeds = dict(table.chains[0]._seeds)
    table.drop(3)
    assert table.awaited == (Awaited(ChainStep.SEED, 1, 0, 1), Awaited(ChainStep.SEED, 2, 0, 1))
    table.play()
    assert table.chains[0].openers == (1, 2)
    assert [one.seed is None for one in table.chains[0].shuffles] == [False, False, True]
    assert not set(table.chains[0]._seeds.values()) & set(seeds.values())
    assert sorted(face for face in table.faces() if face is not None) == [0, 1, 2, 3]


def test_a_seed_that_was_opened_counts_although_its_party_goes() -> None:
    """Before its own seed, all open others; after it, nothing changes."""
    table = opening(2)
    table.drop(2)
    assert table.awaited[0] == Awaited(ChainStep.SEED, 1, 0, 1)
    other = opening(2)
    other.say(Awaited(ChainStep.SEED, 2, 0))
    other.drop(2)
    assert other.awaited == (Awaited(ChainStep.SEED, 1, 0), Awaited(ChainStep.SEED, 3, 0))


def test_a_seed_of_another_draw_is_void_or_cheating() -> None:
    """One of an earlier draw changes nothing; in place of the present one it convicts."""
    table = opening(2)
    early = table.chains[1].make_seed(table.some.secrets[0])
    table.drop(3)
    before = table.awaited
    for chain in table.chains.values():
        chain.take_seed(1, 0, 0, early)
    assert table.awaited == before
    with pytest.raises(Cheat) as caught:
        table.chains[0].take_seed(1, 0, 1, early)
    assert caught.value.charge == Charge(Offence.BROKEN_COMMITMENT, Item.SEED)


def test_nobody_joins_the_openers() -> None:
    """Neither a party that was left out before, nor one that has refused."""
    table = opening(2)
    table.drop(3)
    assert not any(chain.await_again(3) for chain in table.chains.values())
    before = table.awaited
    table.chains[0].take_seed(3, 0, 1, bytes(32))
    assert table.awaited == before


def test_all_begin_anew_when_nobody_is_left_to_open() -> None:
    """With a new round, new shuffles and other seeds."""
    table = opening(2)
    chain, secrets = table.chains[0], table.some.secrets
    seeds = [mixing.own_seed(chain.context(one, 0), 0, secrets[one - 1]) for one in (1, 2)]
    table.gone.clear()
    for chain in table.chains.values():
        chain.begin_anew([1, 2])
    assert table.awaited == (Awaited(ChainStep.DECK, 1, 1),)
    table.play()
    assert not set(table.chains[0]._seeds.values()) & set(seeds)
    assert sorted(face for face in table.faces() if face is not None) == [0, 1]


# Cheaters


def bend_at(step: ChainStep, party: int, change: Callable[[bytes], bytes]) -> Bend:
    """Bend one party's messages of one kind."""

    def bend(awaited: Awaited, data: bytes) -> bytes:
        return change(data) if (awaited.step, awaited.party) == (step, party) else data

    return bend


def flip(data: bytes) -> bytes:
    """Another last byte."""
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("party", [1, 2, 3])
@pytest.mark.parametrize("step", ChainStep)
def test_who_sends_something_else_is_named_and_dropped(step: ChainStep, party: int) -> None:
    """A bent deck, proof or seed of any party convicts that party alone, and the pile is made without it."""
    table = Table(parties(3), 3, bend_at(step, party, flip))
    table.play()
    assert table.convicted == [party]
    assert sorted(face for face in table.faces() if face is not None) == [0, 1, 2]


@pytest.mark.parametrize("order", TORSION)
def test_cards_marked_with_torsion_are_refused(order: int) -> None:
    """The first shuffler adds a point of small order to a card, to find it again: refused with the deck."""
    mark = TORSION[order]

    def marked(data: bytes) -> bytes:
        return data[:32] + ED25519.add(data[32:64], mark) + data[64:]

    table = Table(parties(3), 3, bend_at(ChainStep.DECK, 1, marked))
    table.play()
    assert table.convicted == [1]
    assert Awaited(ChainStep.PROOF, 1, 0) not in table.said  # its deck was already refused


def test_the_marking_attack_fails() -> None:
    """The first shuffler makes one card twice another, to look for X and 2X later; its proof is refused.

    The attack works where shuffles are not proven: that too is shown, on the deck as the others leave it.
    """
    some = parties(3)
    table = Table(some, 4)
    first, secrets = table.chains[1], some.secrets[0]
    honest, witness = first.make_deck(secrets)
    context = first.context(1, 0)
    shuffled, _ = shuffle(context, some.joint, table.deck, secrets)
    place = witness.order.index(1)  # the card of face 1 becomes twice the card of face 0, masked anew
    ace = shuffled[witness.order.index(0)]
    marked = Ciphertext(ED25519.multiply(2, ace.a), ED25519.multiply(2, ace.b))
    bad = (*shuffled[:place], marked, *shuffled[place + 1 :])
    proof = prove(context, some.joint, table.deck, bad, witness, secrets)

    def doubled(deck: Deck) -> int:
        opened = some.opened([PileSlot(*card) for card in deck])
        points = [ED25519.subtract(card.b, point) for card, point in zip(deck, opened, strict=True)]
        return sum(ED25519.multiply(2, point) in points for point in points)

    later, _ = shuffle(first.context(2, 0), some.joint, bad, some.secrets[1])
    assert doubled(later) == 1  # without proofs the pair X, 2X is there for whoever looks at open cards

    table.hear(Awaited(ChainStep.DECK, 1, 0), honest[:32] + deck_bytes(bad))
    table.hear(Awaited(ChainStep.PROOF, 1, 0), proof.encoded)
    assert table.convicted == [1]
    table.play()
    assert sorted(face for face in table.faces() if face is not None) == [0, 1, 2, 3]
    assert doubled(tuple(slot.card for slot in table.chains[0].slots)) == 0


def test_out_of_turn_twice_and_from_the_future_is_cheating() -> None:
    """Decks out of turn, proofs without deck or twice, seeds too early or twice, later rounds: `Cheat`."""
    some = parties(3)
    table = Table(some, 2)
    watcher = table.chains[0]
    deck_of_two, _ = table.chains[2].make_deck(some.secrets[1])
    assert offence_of(watcher.take_deck, 2, 0, deck_of_two) == Charge(Offence.OUT_OF_TURN, Item.DECK)
    assert offence_of(watcher.take_proof, 1, 0, b"") == Charge(Offence.MISSING_DECK, Item.SHUFFLE_PROOF)
    assert offence_of(partial(seed_of_draw, watcher), 1, 0, b"") == Charge(Offence.MISSING_DECK, Item.SEED)
    assert offence_of(watcher.take_deck, 1, 1, b"") == Charge(Offence.FUTURE_ROUND)
    assert offence_of(watcher.take_deck, 9, 0, b"") == Charge(Offence.OUT_OF_TURN, Item.DECK)
    table.say(table.awaited[0])
    proof = table.make(Awaited(ChainStep.PROOF, 1, 0))
    table.hear(Awaited(ChainStep.PROOF, 1, 0), proof)
    assert offence_of(watcher.take_proof, 1, 0, proof) == Charge(Offence.REPEATED_PROOF)
    assert offence_of(watcher.take_deck, 1, 0, deck_of_two) == Charge(Offence.OUT_OF_TURN, Item.DECK)
    seed = table.chains[1].make_seed(some.secrets[0])
    assert offence_of(partial(seed_of_draw, watcher), 1, 0, seed) == Charge(Offence.OUT_OF_TURN, Item.SEED)
    table.play()
    assert offence_of(partial(seed_of_draw, watcher), 1, 0, seed) == Charge(Offence.OUT_OF_TURN, Item.SEED)
    assert table.faces()


def seed_of_draw(chain: Chain, party: int, round_: int, data: object) -> None:
    chain.take_seed(party, round_, 0, data)


def offence_of(take: Callable[[int, int, object], None], party: int, round_: int, data: bytes) -> Charge:
    """What this party is charged with for a message."""
    with pytest.raises(Cheat) as caught:
        take(party, round_, data)
    assert caught.value.party == party
    return caught.value.charge


def test_the_seed_of_who_was_dropped_convicts_nobody() -> None:
    """A party that was dropped after its proof keeps its shuffle; its seed, on its way by then, is void."""
    some = parties(3)
    table = Table(some, 2)
    table.say(Awaited(ChainStep.DECK, 1, 0))
    table.say(Awaited(ChainStep.PROOF, 1, 0))
    table.drop(1)
    while table.awaited[0].step is not ChainStep.SEED:
        table.say(table.awaited[0])
    seed = table.chains[1].make_seed(some.secrets[0])
    before = table.chains[0].awaited
    table.drop(1)  # once more changes nothing
    table.chains[0].take_seed(1, 0, 0, seed)
    assert table.chains[0].awaited == before
    table.play()
    assert sorted(face for face in table.faces() if face is not None) == [0, 1]


def test_a_spectator_checks_every_proof() -> None:
    """Who doesn't say which party it is, is none, and takes nobody's proof on trust."""
    some = parties(2)
    watcher = Chain(some.public, some.known_deck(2, FACES), "pile", (1, 2))
    own = Chain(some.public, some.known_deck(2, FACES), "pile", (1, 2), own=1)
    data, witness = own.make_deck(some.secrets[0])
    for chain in (watcher, own):
        chain.take_deck(1, 0, data)
    proof = own.make_proof(some.secrets[0], witness)
    with pytest.raises(Cheat, match=Offence.INVALID_PROOF):
        watcher.take_proof(1, 0, proof[:-32] + proof[-64:-32])


def test_who_was_skipped_and_is_back_shuffles_last() -> None:
    """A party that was dropped before its shuffle is awaited again behind the others, in the same round."""
    table = Table(parties(3), 3)
    table.drop(1)
    table.say(table.awaited[0])
    assert [chain.await_again(1) for chain in table.chains.values()] == [True] * 4
    assert [one.party for one in table.awaited if one.step is ChainStep.DECK] == [3]
    table.play()
    assert {awaited.round for awaited in table.said} == {0}
    assert [link.party for link in table.chains[0]._links] == [2, 3, 1]
    assert sorted(face for face in table.faces() if face is not None) == [0, 1, 2]


def test_nobody_shuffles_twice_for_being_back() -> None:
    """Who was never dropped, and whose shuffle still stands, is not awaited again."""
    table = Table(parties(3), 2)
    table.say(Awaited(ChainStep.DECK, 1, 0))
    table.say(Awaited(ChainStep.PROOF, 1, 0))
    watcher, before = table.chains[0], table.awaited
    assert watcher.await_again(2) is False
    table.drop(1)
    assert watcher.await_again(1) is False
    assert watcher.awaited == before


def test_what_comes_too_late_is_void() -> None:
    """What was said before one knew that decks were taken back, and what the dropped say, is void."""
    some = parties(3)
    table = Table(some, 2)
    table.say(Awaited(ChainStep.DECK, 1, 0))
    table.say(Awaited(ChainStep.DECK, 2, 0))
    late_deck, late_proof = (
        table.make(Awaited(ChainStep.DECK, 3, 0)),
        table.make(Awaited(ChainStep.PROOF, 2, 0)),
    )
    own_proof = table.make(Awaited(ChainStep.PROOF, 1, 0))
    table.drop(1)
    watcher = table.chains[0]
    before = watcher.awaited
    watcher.take_deck(3, 0, late_deck)
    watcher.take_proof(2, 0, late_proof)
    watcher.take_proof(1, 0, own_proof)
    watcher.take_seed(1, 1, 0, b"")
    assert watcher.awaited == before == (Awaited(ChainStep.DECK, 2, 1),)
    table.play()
    assert table.convicted == []


def test_refused_messages_change_nothing() -> None:
    """After `Cheat` a chain is as it was, and the honest message is still taken."""
    some = parties(3)
    table = Table(some, 2)
    watcher, first = table.chains[0], Awaited(ChainStep.DECK, 1, 0)
    data = table.make(first)
    for junk in (None, b"", data[:-1], flip(data)):
        with pytest.raises(Cheat):
            watcher.take_deck(1, 0, junk)
    assert watcher.awaited == (first,)
    watcher.take_deck(1, 0, data)
    assert watcher.awaited != (first,)


def test_a_proof_can_be_made_again_after_a_crash() -> None:
    """A party that lost its witness makes a proof for the deck that is in the log."""
    some = parties(3)
    table = Table(some, 3)
    table.say(table.awaited[0])
    table.hear(Awaited(ChainStep.PROOF, 1, 0), table.chains[1].make_proof(some.secrets[0]))
    table.play()
    assert table.convicted == []


def test_an_old_shuffle_can_not_be_replayed() -> None:
    """Deck and proof of one pile, sent again for another pile of the same cards, are refused."""
    some, order = parties(2), (1, 2)
    deck = some.known_deck(3, FACES)
    old = Chain(some.public, deck, "pile 1", order, own=1)
    data, witness = old.make_deck(some.secrets[0])
    old.take_deck(1, 0, data)
    proof = old.make_proof(some.secrets[0], witness)
    new = Chain(some.public, deck, "pile 2", order, own=2)
    new.take_deck(1, 0, data)
    with pytest.raises(Cheat) as caught:
        new.take_proof(1, 0, proof)
    assert caught.value.party == 1


def test_a_stacked_deck_is_undone_by_the_seeds() -> None:
    """Where all shufflers conspire but for their seeds, the last permutation makes each order as likely."""
    some, seen, rounds = parties(2), Counter[tuple[int, ...]](), 600
    for number in range(rounds):
        context = some.context("pile", number=number)
        seeds = {
            party: mixing.own_seed(context.of(party), 0, some.secrets[party - 1]) if party == 1 else bytes(32)
            for party in (1, 2)
        }
        seen[mixing.order(context, 0, seeds, 3)] += 1
    assert set(seen) == set(permutations(range(3)))
    assert all(abs(count - 100) < 5 * 10 for count in seen.values())


def test_the_pile_is_permuted_by_all_seeds() -> None:
    """The slots are the last deck in the order that all parties' seeds make, not as it was left."""
    table = Table(parties(3), 5)
    table.play()
    watcher = table.chains[0]
    seeds = {
        party: mixing.own_seed(watcher.context(party, 0), 0, table.some.secrets[party - 1])
        for party in (1, 2, 3)
    }
    order = mixing.order(watcher.context(0, 0), 0, seeds, 5)
    assert tuple(slot.card for slot in watcher.slots) == tuple(watcher.deck[place] for place in order)
    assert order != (0, 1, 2, 3, 4)


def test_seeds_are_of_one_pile() -> None:
    """Another pile, round or party has another seed, and a commitment of one serves for no other."""
    some = parties(2)
    contexts = [some.context("pile"), some.context("pile 2"), some.context("pile", number=9)]
    seeds = [mixing.own_seed(context, 0, some.secrets[0]) for context in contexts]
    others = [(0, some.secrets[1]), (1, some.secrets[0])]
    others_seeds = [mixing.own_seed(contexts[0], draw, secrets) for draw, secrets in others]
    assert len({*seeds, *others_seeds}) == 5
    with pytest.raises(Cheat):
        mixing.read_seed(contexts[1], mixing.own_commitment(contexts[0], some.secrets[0]), 0, seeds[0])
