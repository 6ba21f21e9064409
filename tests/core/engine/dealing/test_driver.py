"""The timing of votes: each after its own time, said once, and none where nobody can decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_absences import at_questions
from tests.core.engine.dealing.world import World

from tavolata import N_, Game, Options, Outcome, Table, one_of
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import PATIENCE, Motion, OwnWord, VoteKind
from tavolata._engine.dealing.notices import LATE, LEFT, OWED
from tavolata._engine.match.entries import DEAL, QUIET, REACT, MatchEntry
from tavolata.reaction_times import GOES


def watched(
    parties: int, drops: Callable[[int, MatchEntry], bool]
) -> tuple[World, list[tuple[float, int, VoteKind]]]:
    """A match in which some entries get lost, and a list that gets each vote that somebody proposes."""
    votes: list[tuple[float, int, VoteKind]] = []

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if entry[0] == DEAL and entry[3] == steps.VOTE and entry[7]:
            votes.append((world.now, party, VoteKind(entry[4])))
        return [] if drops(party, entry) else [entry]

    world = World(Peek, tuple(range(1, parties + 1)), tamper=tamper, rounds=1)
    return world, votes


def is_vote(_: int, entry: MatchEntry) -> bool:
    """Whether an entry is a vote."""
    return bool(entry[0] == DEAL and entry[3] == steps.VOTE)


def test_a_vote_that_does_not_get_into_the_log_is_proposed_again_after_twenty_seconds() -> None:
    """It is not said at every look."""
    world, votes = watched(3, is_vote)
    world.here.discard(3)
    world.wait(PATIENCE.silence + 30)
    assert [when for when, party, kind in votes if (party, kind) == (1, VoteKind.AWAY)] == [15.0, 35.0]


def test_between_two_nobody_votes() -> None:
    """Whoever is silent or dead is waited for."""
    world, votes = watched(2, lambda party, entry: False)
    world.here.discard(2)
    world.wait(100)
    assert votes == []


@pytest.mark.parametrize("owes", [False, True])
def test_everybody_reads_who_went_while_its_share_of_a_lot_was_due(owes: bool) -> None:
    """Once, by name; who leaves at another time has only left."""
    world = World(Peek, (1, 2, 3))
    deal = world.peers[1].deal
    if owes:
        world.tamper = lambda party, entry: [] if entry[0] == DEAL and entry[3] == steps.LOT else [entry]
        while not deal.lots.open:
            world.round()
    else:
        world.play_until(60)
    deal.news(b"")
    world.leave(3, OwnWord.LEFT)
    told = [notice.message for notice in deal.news(b"")]
    assert LEFT in told
    assert told.count(OWED) == owes


class Quick(Game[Options]):
    """Whoever is quick; then it is over."""

    name, title, seats = "quick", N_("Quick"), (2, 4)

    def setup(self, t: Table[Options]) -> None:
        """Nothing is on the table."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.react(dict.fromkeys(t.ring, one_of([1, 2])), N_("Quick!"), seconds=5)
        return Outcome(tuple(t.ring))


class Laid(Quick):
    """The last player goes on, and no time ends that."""

    name = "laid"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Wait for the last player's move."""
        last = list(t.ring)[-1]
        await t.react(dict.fromkeys(t.ring, one_of([1, 2])), N_("Quick!"), go=last)
        return Outcome(tuple(t.ring))


@pytest.mark.parametrize("willing", [True, False])
def test_a_window_that_an_absent_player_would_end_goes_on(willing: bool) -> None:
    """Its move is made after three seconds; with nothing earlier from the others, the window is over."""
    world = World(Laid, (1, 2, 3))
    world.play()
    window = world.peers[1].source.window
    assert window is not None
    if willing:
        world.leave(3, OwnWord.OUT)
    else:
        world.kill(3)
    assert {(int(seat), claim.answer, claim.milliseconds) for seat, claim in window.claims.items()} == {
        (2, GOES, 3000)
    }
    for party in (1, 2):
        world.say((QUIET, party - 1, window.id, 2, 3000, 0), party)
    assert world.ended()
    assert [entry[:2] for entry in world.peers[1].source.log if entry[0] == REACT] == [(REACT, 2)]


@pytest.mark.parametrize("parties", [2, 3, 4])
def test_a_window_closes_when_t_machines_say_that_its_time_is_over(parties: int) -> None:
    """Also between two, who decide nothing about each other; t - 1 of them close none."""
    world = World(Quick, tuple(range(1, parties + 1)))
    world.play()
    window = world.peers[1].source.window
    assert window is not None
    t = world.peers[1].deal.authority.threshold
    for party in range(1, t + 1):
        assert not world.ended()
        world.peers[party].duty.window_over(window.id)
        world.play()
    assert world.ended()


def test_that_time_is_up_is_news_of_a_player_and_not_of_a_window() -> None:
    """People see a window close; the votes that close it are told to nobody."""
    world = World(Quick, (1, 2, 3))
    world.play()
    window, deal = world.peers[1].source.window, world.peers[1].deal
    assert window is not None
    deal.news(b"")
    world.peers[1].duty.window_over(window.id)
    world.play()
    assert [event.what for event in world.peers[2].deal.authority.told()] == ["vote"]
    assert [notice.message for notice in deal.news(b"")] == []


def test_who_is_there_and_does_not_deal_is_voted_aside_after_forty_seconds() -> None:
    """The others hear it: they vote that it stalls, not that it is away."""
    world, votes = watched(3, lambda party, entry: party == 3 and entry[0] == DEAL)
    world.wait(PATIENCE.stall + 1)
    assert {(when, kind) for when, _, kind in votes} == {(PATIENCE.stall + 1.0, VoteKind.STALL)}
    assert world.peers[1].deal.authority.is_aside(3)


def test_the_question_of_a_silent_party_is_closed_after_its_own_wait() -> None:
    """AWAY comes after 15 s; with a hand the vote for its question comes after 75 s of silence."""
    world, votes = watched(3, lambda party, entry: False)
    at_questions(world)
    world.kill(3)
    assert {kind for _, _, kind in votes} == {VoteKind.AWAY}
    world.wait(world.header.stand_after - 2)
    deal = world.peers[1].deal
    deal.news(b"")
    assert deal.hides_anything(3)
    assert {kind for _, _, kind in votes} == {VoteKind.AWAY}
    world.wait(4)
    times = {when for when, _, kind in votes if kind is VoteKind.TIME}
    assert times
    assert min(times) >= PATIENCE.silence + world.header.stand_after
    assert not any(int(ask.seat) == 2 and not ask.sealed for ask in world.peers[1].source.open)
    assert deal.authority.player_of(2) == 3
    closed = [notice.params["by"] for notice in deal.news(b"") if notice.message == LATE]
    assert closed == [", ".join(world.header.names[:2])] * len(closed)
    assert len(closed) * 2 == sum(kind is VoteKind.TIME for _, _, kind in votes)


def test_hashes_of_keys_are_held_back_for_ten_seconds() -> None:
    """Whoever hears the one that is left out waits for it so long, and no longer."""

    def hostile(party: int, entry: MatchEntry) -> bool:
        return party == 3 or bool(is_vote(party, entry) and entry[7] is False)

    world, _ = watched(3, hostile)
    world.wait(20)  # the ten seconds count from when the keys are to be made, not from the match's begin
    for voter in (1, 2):
        world.say((DEAL, voter, world.head(), steps.VOTE, int(VoteKind.AWAY), 3, 0, True, 99), voter)
    world.play()
    making = world.peers[1].deal.rings.making
    assert making is not None
    world.wait(9)
    assert not making.hashes
    world.wait(1)
    assert sorted(making.hashes) == [1, 2]


def test_who_has_no_part_in_keys_owes_none() -> None:
    """One that has stepped away is not waited for; of the others, all are."""
    world = World(Peek, (1, 2, 3, 4), rounds=1)
    world.leave(4, OwnWord.OUT)
    making = world.peers[1].deal.rings.making
    assert making is not None
    assert [len(making.owed(party)) for party in (1, 2, 3, 4)] == [1, 1, 1, 0]


@pytest.mark.parametrize(("seconds", "about", "stands"), [(205, 0, True), (204, 0, False), (999, 1, False)])
def test_a_vote_on_time_is_about_an_open_question_and_takes_its_seconds(
    seconds: int, about: int, stands: bool
) -> None:
    """Three minutes and 25 seconds where the game gives no time; nothing about what is not asked."""
    world = World(Peek, (1, 2, 3), rounds=1)
    while not world.peers[1].source.open and world.round():
        pass
    source, deal = world.peers[1].source, world.peers[1].deal
    ask = next(one for one in source.open if one.box is None)
    assert ask.seconds is None
    assert deal.header.idle == 180
    player = deal.authority.owner_of(int(ask.seat))
    voter = next(one for one in (1, 2, 3) if one != player)
    number = ask.id + 1000 * about
    world.say(
        (DEAL, voter, world.head(), steps.VOTE, int(VoteKind.TIME), player, number, True, seconds), voter
    )
    assert (deal.authority.voters(Motion(VoteKind.TIME, player, number)) == (voter,)) is stands
