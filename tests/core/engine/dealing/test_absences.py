"""People who go away, are cut off or come back, over the real dealing: who answers, and who sees what."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import World
from tests.core.games import Counting

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import PATIENCE, OwnWord, VoteKind
from tavolata._engine.match.entries import ANSWER, DEAL, MatchEntry

VICTIM = 3
SEAT = VICTIM - 1


def at_questions(world: World) -> None:
    """Play until the victim's seat is asked what only it can know."""
    while not any(ask.seat == SEAT and not ask.sealed for ask in world.peers[1].source.open):
        assert world.round()


def answers(world: World, seat: int = SEAT) -> list[int]:
    """The questions that stand answered for a seat, in order."""
    source = world.peers[1].source
    return [
        entry[2] for number, (entry, _) in enumerate(world.log)
        if entry[0] == ANSWER and entry[1] == seat and number not in source.voids
    ]  # fmt: skip


def boxes_to_others(world: World) -> int:
    """How many parcels with shares of cards that one seat alone sees went to others than its owner."""
    parcels = world.peers[1].deal.parcels
    owners = {card: {seat + 1 for seat in seats} for card, seats in parcels._seers.items()}
    return sum(bool(sent) and to not in owners.get(card, {to}) for (card, to), sent in parcels._sent.items())


def every_vote(world: World, voter: int, seconds: int = 9999) -> None:
    """One party says of everybody else everything that a vote can say."""
    deal = world.peers[1].deal
    for kind in VoteKind:
        for target in (0, *deal.authority.all):
            for about in (
                0,
                1,
                *(task.number for task in deal.owed(target)),
                *(a.id for a in deal.source.open),
            ):
                entry = (DEAL, voter, bytes(40), steps.VOTE, int(kind), target, about, True, seconds)
                world.say(entry, voter)


@pytest.mark.parametrize("parties", [2, 3, 4])
def test_one_that_says_everything_about_everybody_moves_nothing(parties: int) -> None:
    """All votes of one party, with any seconds: nobody is away, plays for another or gets another's share."""
    world = World(Peek, tuple(range(1, parties + 1)), rounds=1)
    world.play_until(60)
    every_vote(world, parties)
    authority = world.peers[1].deal.authority
    assert tuple(filter(authority.deals, authority.all)) == authority.all
    assert [authority.player_of(seat) for seat in range(parties)] == list(authority.all)
    world.play()
    assert world.ended()
    assert boxes_to_others(world) == 0
    assert len(world.digests) == 1


def test_a_hand_dealt_after_a_vote_gets_its_full_wait() -> None:
    """A seat holds nothing and is silent for 22 s; what is dealt to it then is not answered for before 75 s.

    The leader of the log holds back whatever takes a vote back.
    """

    def hostile(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return [] if entry[0] == DEAL and entry[3] == steps.VOTE and entry[7] is False else [entry]

    world = World(Peek, (1, 2, VICTIM), tamper=hostile, rounds=2)
    deal = world.peers[1].deal
    at_questions(world)
    began = world.now
    world.here.discard(VICTIM)
    hides = deal.hides_anything
    deal.hides_anything = lambda party: False  # type: ignore[method-assign]  # as if it held nothing
    assert deal.least_silence(VICTIM) == PATIENCE.empty
    world.wait(PATIENCE.silence + 1)
    deal.hides_anything = hides  # type: ignore[method-assign]
    question = next(ask.id for ask in world.peers[1].source.open if ask.seat == SEAT)
    for voter in (1, 2):
        world.say((DEAL, voter, bytes(40), steps.VOTE, int(VoteKind.TIME), VICTIM, question, True, 22), voter)
    assert not deal.authority.is_time_up(VICTIM, question)
    while not answers_closed(world, question):
        world.wait(1)
    assert world.now - began >= PATIENCE.silence + world.header.stand_after
    assert boxes_to_others(world) == 0


def answers_closed(world: World, question: int) -> bool:
    """Whether a question has its answer on the first machine."""
    return all(ask.id != question for ask in world.peers[1].source.open)


def test_who_steps_away_gets_the_answers_of_silence_and_comes_back_to_its_seat() -> None:
    """OUT closes each question at once, its cards go to no other machine; BACK gives the seat back."""
    world = World(Peek, (1, 2, VICTIM), rounds=4)
    at_questions(world)
    world.leave(VICTIM, OwnWord.OUT)
    assert world.now == 0
    assert not any(ask.seat == SEAT and ask.box is None for ask in world.peers[1].source.open)
    authority = world.peers[1].deal.authority
    assert authority.status_of(SEAT) == "blind"
    world.play(rounds=30)
    assert boxes_to_others(world) == 0
    world.back(VICTIM)
    assert authority.player_of(SEAT) == VICTIM
    for _ in range(30):
        world.play()
        world.wait(2)
    assert world.ended()
    assert boxes_to_others(world) == 0
    assert len(answers(world)) == len(set(answers(world)))
    assert len(world.digests) == 1


WAYS = st.sampled_from(["steps away", "is cut off", "dies"])
"""How somebody goes."""


@pytest.mark.battery
@given(st.data(), st.integers(2, 4))
@settings(max_examples=12, deadline=None)
def test_one_question_gets_one_answer_whoever_goes_and_returns_and_goes(
    data: st.DataObject, parties: int
) -> None:
    """Going, returning and going during one question, in any rhythm: one answer to each, and no hang."""
    world = World(Peek, tuple(range(1, parties + 1)), rounds=1)
    victim = data.draw(st.integers(1, parties), "who goes")
    other = 1 if victim > 1 else 2
    while not any(ask.seat == victim - 1 and not ask.sealed for ask in world.peers[other].source.open):
        assert world.round()
    for way in data.draw(st.lists(WAYS, min_size=2, max_size=4), "how"):
        if way == "steps away":
            world.leave(victim, OwnWord.OUT)
        else:
            world.kill(victim)
        if data.draw(st.booleans(), "long enough to be closed") and way != "steps away":
            world.give_up(victim)
        world.play(rounds=data.draw(st.integers(0, 4), "rounds without it"))
        (world.back if way == "dies" else world.heal)(victim)
        world.play(rounds=data.draw(st.integers(0, 2), "rounds with it"))
    for _ in range(30):
        world.play()
        if world.ended():
            break
        world.wait(2)
    assert world.ended()
    source = world.peers[other].source
    given_to = [
        entry[2] for number, (entry, _) in enumerate(world.log)
        if entry[0] == ANSWER and number not in source.voids
    ]  # fmt: skip
    assert len(given_to) == len(set(given_to))
    assert len(world.digests) == 1


def test_t_falls_for_new_keys_after_somebody_has_left_for_good() -> None:
    """Three of four were needed; from the next deal on two of three. An absence never lowers it."""
    world = World(Peek, (1, 2, 3, 4), rounds=3)
    world.play_until(60)
    rings = world.peers[1].deal.rings
    assert rings.current is not None
    assert (len(rings.current.holders), rings.current.threshold) == (4, 3)
    world.leave(4, OwnWord.LEFT)
    world.play()
    assert rings.current is not None
    assert (rings.current.holders, rings.current.threshold) == ((1, 2, 3), 2)
    assert world.ended()


def test_a_shuffle_that_nobody_could_open_any_more_begins_again_under_other_keys() -> None:
    """One is out when keys are made, comes back, and another leaves in mid-shuffle: the match goes on."""
    world = World(Peek, (1, 2, 3, 4, 5, 6), rounds=3)
    at_questions(world)
    world.leave(VICTIM, OwnWord.OUT)
    world.leave(6, OwnWord.LEFT)
    rings = world.peers[1].deal.rings
    while rings.current is None or rings.current.holders != (1, 2, 4, 5):
        if not world.round():
            world.wait(1)
    world.back(VICTIM)
    world.leave(4, OwnWord.LEFT)
    for _ in range(10):
        world.play()
        world.wait(2)
    assert world.ended()
    assert rings.current is not None
    assert rings.current.holders == (1, 2, VICTIM, 5)


def test_a_lot_is_never_drawn_anew_by_who_withholds_leaves_and_comes_back() -> None:
    """Who waits, goes away and is back owes a share of the same point: the value is what it was."""
    held: list[MatchEntry] = []

    def withholding(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party in (2, 3) and entry[0] == DEAL and entry[3] == steps.LOT and not done:
            held.append(entry)
            return []
        return [entry]

    done: list[bool] = []
    world = World(Peek, (1, 2, 3), tamper=withholding, rounds=1)
    world.play()
    assert not world.ended()
    before = world.peers[1].deal.lots.owed(2)
    task = next(iter(before))
    world.leave(3, OwnWord.OUT)
    world.wait(2)
    world.back(3)
    assert next(iter(world.peers[1].deal.lots.owed(2))) == task
    done.append(True)
    world.say(next(entry for entry in held if entry[1] == 2), 2)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1


def test_a_match_ends_when_enough_want_it() -> None:
    """One of three can't end it for all; two can, and the match is over on all machines alike."""
    world = World(Peek, (1, 2, 3))
    world.play_until(40)
    for voter in (1, 2):
        assert not world.peers[3].deal.is_ended
        world.say((DEAL, voter, bytes(40), steps.VOTE, int(VoteKind.END), 0, 0, True, 0), voter)
    assert [peer.deal.is_ended for peer in world.peers.values()] == [True] * len(world.seats)


@pytest.mark.parametrize("fixed", [False, True])
def test_a_match_is_lost_once_fewer_are_left_than_it_takes_to_deal_or_decide(fixed: bool) -> None:
    """Two of four leave: with keys that always take three, nothing can be dealt, opened or voted any more."""
    world = World(Counting, (1, 2, 3, 4), fixed=fixed)
    while not world.peers[1].source.open:
        assert world.round()
    world.leave(4, OwnWord.LEFT)
    assert not world.peers[1].deal.is_lost
    world.leave(3, OwnWord.LEFT)
    assert world.peers[1].deal.is_lost is fixed
