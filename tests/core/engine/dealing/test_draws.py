"""Draws of orders and keys: what a party that refuses to open sees, what it pays, and that all goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_coins import Throws, flap
from tests.core.engine.dealing.world import World, key_of

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import PATIENCE, OwnWord
from tavolata._engine.match.entries import DEAL, MatchEntry

LIAR = 3


class Refusers:
    """In place of a step these parties say OUT, and then BACK, up to a number of times."""

    def __init__(self, step: int, parties: Iterable[int], most: int = 40) -> None:
        self._step = step
        self._left = dict.fromkeys(parties, most)
        self._absence = dict.fromkeys(self._left, 0)
        self.refused: list[tuple[int, ...]] = []
        """Each party with what it didn't open: an epoch, or a pile, round and draw."""

    def __call__(self, party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        """Return what a party says in place of an entry; first keys are another matter."""
        if entry[0] != DEAL or entry[3] != self._step or not self._left.get(party) or entry[4:5] == (1,):
            yield entry
            return
        self._left[party] -= 1
        self.refused.append((party, *entry[4:-1]))
        for word in (OwnWord.OUT, OwnWord.BACK):
            yield (*entry[:3], steps.SELF, int(word), self._absence[party])
        self._absence[party] += 1


def opened(world: World) -> dict[int, set[tuple[int, int]]]:
    """By pile, the draws for which somebody has opened a seed."""
    found: dict[int, set[tuple[int, int]]] = {}
    for entry, _ in world.log:
        if entry[0] == DEAL and entry[3] == steps.SEED:
            found.setdefault(entry[4], set()).add(entry[5:7])
    return found


@pytest.mark.battery
@pytest.mark.parametrize(("parties", "liars"), [((1, 2, 3), (2, 3)), ((1, 2, 3, 4), (3, 4)), ((1, 2), (2,))])
def test_refusers_see_one_more_order_each_and_two_in_a_match(
    parties: tuple[int, ...], liars: tuple[int, ...]
) -> None:
    """However often they try: 1 + c orders of a pile, 2c further ones, and one of all later piles."""
    refusers = Refusers(steps.SEED, liars)
    world = World(Peek, parties, tamper=refusers, rounds=5)
    world.play()
    assert world.ended()
    assert world.convicted == {}
    assert len(world.digests) == 1
    assert len(refusers.refused) == 2 * len(liars)
    draws = [len(one) for _, one in sorted(opened(world).items())]
    assert max(draws) <= 1 + len(liars)
    assert draws[-1] == 1
    assert liars == tuple(filter(world.peers[1].deal.authority.is_barred, parties))


def is_silent(world: World) -> None:
    """The liar is there and opens nothing."""
    world.wait(PATIENCE.stall + 3)


def dies(world: World) -> None:
    """The liar's machine is off."""
    world.kill(LIAR)
    world.wait(3)


@pytest.mark.parametrize("how", [is_silent, dies])
def test_a_seed_that_does_not_come_makes_one_more_order(how: Callable[[World], None]) -> None:
    """Silent, dead or held back by the leader: within 60 s the pile is made, by one further draw."""

    def withheld(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return [] if party == LIAR and entry[0] == DEAL and entry[3] == steps.SEED else [entry]

    world = World(Peek, (1, 2, LIAR), tamper=withheld, rounds=1)
    deal = world.peers[1].deal
    while not any(task.step == steps.SEED for task in deal.owed(LIAR)):
        assert world.round()
    (pile,) = deal.piles.under_way
    how(world)
    assert world.now <= 60
    assert pile.chain.is_made
    assert (pile.chain.round, pile.chain.draw) == (0, 1)
    assert world.convicted == {}


def test_nobody_is_left_to_open_and_all_shuffle_again() -> None:
    """Both of two go when their seeds are due: their shuffles are void, and the match goes to its end."""
    refusers = Refusers(steps.SEED, (1, 2), most=1)
    world = World(Peek, (1, 2), tamper=refusers, rounds=1)
    world.play()
    assert world.ended()
    rounds = {entry[5] for entry, _ in world.log if entry[0] == DEAL and entry[3] == steps.DECK}
    assert rounds == {0, 1} or max(map(len, opened(world).values())) == 2
    assert len(world.digests) == 1


def test_keys_of_a_deal_are_refused_once_a_shuffle() -> None:
    """A party that refuses them each time delays no deal for ever, and pays for coin keys alone."""
    refusers = Refusers(steps.KEYS_PART, (LIAR,))
    world = World(Peek, (1, 2, LIAR, 4), tamper=refusers, rounds=4)
    while not world.peers[1].source.open:
        world.round()
    world.leave(4, OwnWord.LEFT)
    world.play(rounds=2000)
    assert world.ended()
    rings = world.peers[1].deal.rings
    assert 1 < len(refusers.refused) <= 6
    assert [keys.holders for keys in rings.done.values()][1:] == [(1, 2)] * (len(rings.done) - 1)
    assert not world.peers[1].deal.authority.is_barred(LIAR)
    assert len(world.digests) == 1


@pytest.mark.parametrize(
    ("parties", "liars", "most"),
    [
        ((1, 2, 3, 4), (2, 3), 1),
        ((1, 2, 3, 4), (3,), 9),
        ((1, 2, 3, 4, 5), (3, 4), 9),
        ((1, 2, 3, 4), (2, 3), 9),
    ],
)
def test_readings_of_new_coin_keys_are_counted(
    parties: tuple[int, ...], liars: tuple[int, ...], most: int
) -> None:
    """After one has left, the coins are drawn once and once more for each refusal; two refusals bar."""
    refusers = Refusers(steps.KEYS_PART, liars, most)
    world = World(Throws, parties, tamper=refusers)
    deal = world.peers[1].deal
    while deal.lots.open is None:
        world.round()
    world.leave(max(parties), OwnWord.LEFT)
    world.play(rounds=3000)
    rings, authority = deal.rings, deal.authority
    parts = [entry[4] for entry, _ in world.log if entry[0] == DEAL and entry[3] == steps.KEYS_PART]
    drawn = {epoch for epoch in parts if epoch > 1}
    refusals = sum(authority._refusals.values())
    assert refusals
    assert len(drawn) <= 1 + refusals
    assert refusals <= 2 * len(liars)
    able = len(authority.present) - sum(map(authority.is_barred, authority.present))
    assert world.ended() is (able >= authority.threshold)
    assert deal.is_lost is not world.ended()
    if world.ended():
        assert len(rings.done) == 2
        assert len(world.digests) == 1
        assert deal.refusing == ()
    else:
        assert deal.refusing == tuple(map(key_of, liars))


def test_a_pile_made_ahead_is_used_whoever_goes_and_comes_back() -> None:
    """OUT and BACK of each party, after it was made: the order is the same, and no other pile is made."""
    world = World(Peek, (1, 2, 3), rounds=5)
    deal = world.peers[1].deal
    while not any(pile.chain.is_made for pile in deal.piles._ahead.values()):
        assert world.round()
    (pile,) = deal.piles._ahead.values()
    used, applied = list[int](), deal.piles.shuffled

    def noting(cards: tuple[int, ...], witness: object) -> None:
        assert deal.piles.wanted is not None
        used.append(deal.piles.wanted.number)
        assert deal.piles.wanted is not pile or pile.chain.slots == slots
        applied(cards, None)

    slots = pile.chain.slots
    deal.piles.shuffled = noting  # type: ignore[method-assign]  # for this world alone
    for party in world.seats:
        flap(world, party)
    world.play()
    assert world.ended()
    assert pile.number in used
    assert len(world.digests) == 1


def test_a_pile_that_begins_with_too_few_takes_in_who_comes_back() -> None:
    """Two of three are away when it begins: it has its t shuffles when one of them is back."""
    world = World(Peek, (1, 2, 3), rounds=3)
    deal = world.peers[1].deal
    before, began = deal.piles._begin, list[int]()

    def noting(cards: tuple[int, ...], keys: object) -> object:
        began.append(len(deal.authority.present))
        return before(cards, keys)  # type: ignore[arg-type]  # passed on

    deal.piles._begin = noting  # type: ignore[assignment,method-assign]  # for this world alone
    while not world.peers[1].source.open:
        world.round()
    for party in (2, 3):
        world.leave(party, OwnWord.OUT)
    world.play()
    world.back(2)
    world.play()
    world.back(3)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1


@pytest.mark.battery
def test_of_five_three_leave_one_after_another_and_two_play_on() -> None:
    """Each time the next deal is under keys of those who are left, and its t falls from four to two."""
    world = World(Peek, (1, 2, 3, 4, 5), rounds=5)
    deal = world.peers[1].deal
    while not world.peers[1].source.open:
        world.round()
    for last in (5, 4, 3):
        for _ in range(600):
            keys = deal.rings.current
            under = {slot.epoch for slot in deal.laid.slots.values()}
            if keys is not None and max(keys.holders) == last and under == {keys.epoch}:
                break
            if not world.round():
                world.wait(1)  # a seal of whoever has left is opened by force
        world.leave(last, OwnWord.LEFT)
        assert not deal.is_lost
    world.play()
    assert world.ended()
    assert deal.rings.current is not None
    assert (deal.rings.current.holders, deal.rings.current.threshold) == ((1, 2), 2)
    assert len(world.digests) == 1
