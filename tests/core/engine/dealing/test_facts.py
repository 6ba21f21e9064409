"""Facts where all deal together: said by machines, kept at shuffles, opened by shares, and judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.games import Boasts

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import ANSWER, CHANCE, DEAL, DECLARED, Entry
from tavolata._engine.match.header import FAIR, STRICT

LIE = ("tuple", 9, 9)


class Lies:
    """Party 2 says of its first hand what is not so."""

    def __init__(self) -> None:
        self.left = 1

    def __call__(self, party: int, entry: Entry) -> Iterable[Entry]:
        if party == 2 and entry[0] == DECLARED and self.left:
            self.left -= 1
            return [(*entry[:3], LIE)]
        return [entry]


def steps_of(world: World) -> list[Any]:
    """The steps of the dealing in the log, with their authors."""
    return [(entry[1], entry[3]) for entry, _ in world.log if entry[0] == DEAL]


@pytest.mark.parametrize(
    ("seats", "dealer"), [((1, 2), FAIR), ((1, 2, 3), FAIR), ((1, 2, 1), FAIR), ((1, 2, 3), STRICT)]
)
def test_a_match_with_facts_is_the_same_for_all(seats: tuple[int, ...], dealer: str) -> None:
    """All that was said is true, and is opened at the end by shares of what was kept."""
    world = World(Boasts, seats, dealer)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert peer.match.conviction is None
        assert peer.match.outcome is not None
        assert peer.match.table._facts.said == []
    assert not any(entry[0] in CHANCE for entry, _ in world.log)
    said = [step for _, step in steps_of(world)]
    assert said[-1] == steps.PROOFS
    assert said.index(steps.PROOFS) > len(said) - 2 * len(set(seats))


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3), (2, 1, 2)])
def test_a_lie_is_found_when_the_cards_were_shuffled_away(seats: tuple[int, ...]) -> None:
    """The kept ciphertexts are opened: every machine convicts the party, which forfeits all its seats."""
    world = World(Boasts, seats, tamper=Lies())
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        conviction, outcome = peer.match.conviction, peer.match.outcome
        assert conviction is not None
        assert outcome is not None
        assert conviction.seat == seats.index(2)
        fields = conviction.charge.fields
        assert (fields["fact"], fields["value"], fields["turn"]) == ("ranks", "9, 9", 1)
        assert [seats[seat] for seat in outcome.winners] == [party for party in seats if party != 2]


def test_a_revoke_is_found_although_its_card_is_never_shown() -> None:
    """A changed program answers what its claim forbids: nobody can tell, and all know it in the end."""
    for seed in range(20):
        world = World(Boasts, (1, 2, 3))
        revoked = False

        def revokes(party: int, entry: Entry, world: World = world) -> Iterable[Entry]:
            nonlocal revoked
            if party == 2 and entry[0] == ANSWER and not revoked:
                peer = world.peers[2]
                (ask,) = peer.source.open
                other = 1 - entry[3]
                if not peer.match.view(1).allows(ask, ask.question.value_of(other)):
                    revoked = True
                    return [(*entry[:3], other)]
            return [entry]

        world.tamper = revokes
        world.play()
        convictions = [peer.match.conviction for peer in world.peers.values()]
        if revoked:
            assert all(one is not None and one.seat == 1 for one in convictions)
            assert len(world.digests) == 1
            return
        assert convictions == [None] * 3, seed
    raise AssertionError("no hand of seat 1 has two different ranks")


def test_who_watches_judges_as_well() -> None:
    """One that only looks on comes to the same verdict from the log alone."""
    world = World(Boasts, (1, 2, 3), tamper=Lies())
    watcher = world.watcher()
    world.play()
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    assert watcher.match.conviction == world.peers[1].match.conviction
    assert watcher.match.conviction is not None
    assert watcher.match.digest() == world.peers[1].match.digest()


def test_an_honest_owner_is_not_blamed_for_its_stand_in() -> None:
    """Who stands in says it under its own name, and is convicted of what it says."""
    world = World(Boasts, (1, 2, 3))
    world.play_until(1)
    while not world.peers[1].source.declaring:
        world.round()
    world.leave(3, OwnWord.OUT)
    keeper = 0

    def lie(party: int, entry: Entry) -> Iterable[Entry]:
        nonlocal keeper
        if entry[0] == DECLARED and entry[1] == 2 and not keeper:
            keeper = party
            return [(*entry[:3], LIE)]
        return [entry]

    world.tamper = lie
    world.wait(60)
    world.play()
    assert keeper in (1, 2)
    conviction = world.peers[1].match.conviction
    assert conviction is not None
    assert conviction.seat == keeper - 1


def test_a_machine_that_does_not_declare_is_overruled() -> None:
    """By the votes of the others; `otherwise` counts then, and nobody is convicted of it."""

    def silent(party: int, entry: Entry) -> Iterable[Entry]:
        return [] if party == 2 and entry[0] == DECLARED else [entry]

    world = World(Boasts, (1, 2, 3), tamper=silent)
    world.play()
    assert not world.ended()
    for _ in range(8):
        world.wait(45)
        world.play()
    assert world.ended()
    match: Any = world.peers[1].match
    assert match.conviction is None
    assert match.game.said[1] == (0, 0)


@pytest.mark.parametrize("author", [1, 3, 0])
def test_nobody_declares_for_another(author: int) -> None:
    """What is declared for a seat of somebody else does not count, whoever says it."""
    world = World(Boasts, (1, 2, 3))
    while not world.peers[1].source.declaring:
        world.round()
    (one,) = [one for one in world.peers[1].source.declaring if int(one.seat) == 1][:1]
    from tavolata._engine.table.permissions import may_say

    entry = [DECLARED, 1, one.id, list(LIE)]
    seats = [seat for seat, party in enumerate(world.seats) if party == author]
    assert not may_say(entry, party=author or None, seats=seats, steward=True, host=True)
    assert may_say(entry, party=2, seats=[1], steward=False, host=False)


def test_shares_to_judge_are_given_for_what_is_judged_alone() -> None:
    """Before the end, for other things, twice, or under other numbers they are void."""
    world = World(Boasts, (1, 2, 3))
    while not world.peers[1].source.declaring:
        world.round()
    peer = world.peers[1]
    slots = [slot.name for slot in peer.deal.laid.slots.values()]
    for names in ((slots[0],), tuple(slots), ()):
        for at in range(4):
            before = len(peer.source.voids)
            world.say((DEAL, 2, bytes(40), steps.PROOFS, 1, at, names, bytes(96)), 2)
            assert len(peer.source.voids) == before + 1
    assert world.convicted == {}
    world.play()
    assert world.ended()
    assert peer.match.conviction is None


def test_a_false_share_convicts_at_the_end_as_well() -> None:
    """Who gives a wrong share of what is to be judged is out; the others go on and judge."""

    lies = Lies()

    def junk(party: int, entry: Entry) -> Iterable[Entry]:
        if party == 3 and entry[0] == DEAL and entry[3] == steps.PROOFS:
            return [(*entry[:-1], bytes(len(entry[-1])))]
        return lies(party, entry)

    world = World(Boasts, (1, 2, 3), tamper=junk)
    world.liar = 3
    world.play()
    assert list(world.convicted) == [3]
    conviction = world.peers[1].match.conviction
    assert conviction is not None
    assert conviction.seat == 1


def test_the_end_waits_for_whoever_withholds_and_forgets_nothing() -> None:
    """With enough others it does not wait at all; of two it does."""
    lies = Lies()

    def withheld(party: int, entry: Entry) -> Iterable[Entry]:
        return [] if party == 2 and entry[0] == DEAL and entry[3] == steps.PROOFS else lies(party, entry)

    world = World(Boasts, (1, 2, 3), tamper=withheld)
    world.play()
    assert world.peers[1].match.conviction is not None
    lies.left = 1
    two = World(Boasts, (1, 2), tamper=withheld)
    two.play()
    assert not two.ended()
