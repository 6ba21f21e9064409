"""Authority: t - 1 move nobody, the own word undoes everything, decisions follow from what stands."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import World

from tavolata import Refused
from tavolata._engine.dealing import fair_dealing
from tavolata._engine.dealing.authority import Authority, Motion, OwnWord, VoteKind
from tavolata._engine.dealing.steps import SELF, VOTE
from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.header import BLIND, WAIT
from tavolata_protocol.fair.offences import Charge, Offence

SECONDS = 1000
TASK, ASK = 77, 5


def keys(parties: int) -> list[bytes]:
    """The identities of so many machines with a seat each."""
    return [bytes([number]) * 32 for number in range(1, parties + 1)]


def table(parties: int, policy: str = BLIND, *, strict: bool = False, fixed: bool = False) -> Authority:
    """The authority of a match of so many parties."""
    return Authority(keys(parties), policy, strict=strict, fixed=fixed)


def settle(authority: Authority) -> None:
    """Work out what is decided, while everybody owes one task and is asked one question."""
    asked = {(party, ASK) for party in authority.all} | {(0, -1)}
    authority.settle(lambda _, task: task == TASK, asked)


def vote(
    authority: Authority, voter: int, kind: VoteKind, target: int, about: int = 0, *, yes: bool = True
) -> bool:
    """Cast a vote, as an entry does; whether it stands."""
    try:
        authority.cast(voter, Motion(kind, target, about), SECONDS, 0, yes=yes)
    except Refused:
        return False
    settle(authority)
    return True


def say(authority: Authority, party: int, word: OwnWord) -> bool:
    """Say an own word, as an entry does; whether it stands."""
    try:
        authority.say(party, word, authority.absence_of(party))
    except Refused:
        return False
    settle(authority)
    return True


def absent(authority: Authority, party: int) -> None:
    """All others say that a party is away."""
    for voter in authority.all:
        vote(authority, voter, VoteKind.AWAY, party, authority.absence_of(party))


@pytest.mark.parametrize(("parties", "threshold"), [(2, 2), (3, 2), (4, 3), (5, 4), (6, 4), (7, 5), (8, 6)])
def test_t_is_two_thirds_and_falls_only_when_somebody_is_gone(parties: int, threshold: int) -> None:
    """Absences leave t alone; own words and convictions lower it, unless it is fixed, and never below two."""
    authority = table(parties)
    assert authority.threshold == threshold
    say(authority, 1, OwnWord.OUT)
    assert authority.threshold == threshold
    say(authority, 1, OwnWord.LEFT)
    assert authority.remaining == parties - 1
    assert authority.threshold == max(2, (2 * (parties - 1) + 2) // 3)
    authority.convict(2, Charge(Offence.EQUIVOCATION))
    assert authority.threshold == max(2, (2 * (parties - 2) + 2) // 3)
    kept = table(parties, fixed=True)
    say(kept, 1, OwnWord.LEFT)
    assert kept.threshold == threshold
    assert table(parties, strict=True).threshold == parties


KINDS = st.sampled_from(list(VoteKind))


@given(st.data(), st.integers(2, 8), st.booleans())
def test_with_one_vote_less_than_t_nothing_moves(data: st.DataObject, parties: int, strict: bool) -> None:
    """Whatever t - 1 parties vote about the others, in any order and often: all play as before."""
    authority = table(parties, data.draw(st.sampled_from([WAIT, BLIND])), strict=strict)
    size = authority.threshold - 1
    coalition = data.draw(st.lists(st.integers(1, parties), min_size=size, max_size=size, unique=True))
    honest = [party for party in authority.all if party not in coalition]
    for _ in range(data.draw(st.integers(1, 25))):
        voter, kind = data.draw(st.sampled_from(coalition)), data.draw(KINDS)
        target = data.draw(st.sampled_from([0, *authority.all]))
        about = data.draw(st.sampled_from([0, 1, TASK, ASK, -1]))
        vote(authority, voter, kind, target, about, yes=data.draw(st.booleans()))
        for party in honest:
            assert authority.deals(party)
            assert authority.player_of(party - 1) == party
            assert not authority.is_time_up(party, ASK)
            assert authority.status_of(party - 1) == "here"
    assert not authority.is_time_up(0, -1)
    assert not authority.is_ended


@pytest.mark.parametrize("parties", [2, 3, 5])
def test_between_two_and_where_all_are_needed_nobody_votes_about_another(parties: int) -> None:
    """Every vote about another is void, whoever casts it; the end and a window are not about another."""
    authority = table(parties, strict=True)
    for kind in (VoteKind.AWAY, VoteKind.STALL, VoteKind.TIME):
        for voter in authority.all[1:]:
            assert not vote(authority, voter, kind, 1, TASK if kind is VoteKind.STALL else 0)
    assert authority.present == authority.all
    for voter in authority.all:
        assert not authority.is_ended
        assert vote(authority, voter, VoteKind.END, 0)
    assert authority.is_ended


@pytest.mark.parametrize("order", list(permutations([2, 3, 4])))
def test_t_of_those_who_do_not_hear_a_party_say_it_is_away_in_any_order(order: tuple[int, ...]) -> None:
    """The third of three votes decides, whoever casts it, and its target's own word undoes it at once."""
    authority = table(4)
    for count, voter in enumerate(order):
        assert authority.is_away(1) is (count >= 3)
        vote(authority, voter, VoteKind.AWAY, 1)
    assert authority.is_away(1)
    vote(authority, order[0], VoteKind.AWAY, 1, yes=False)
    assert authority.is_away(1)  # it lasts until the party itself is back
    assert say(authority, 1, OwnWord.BACK)
    assert authority.is_present(1)
    assert authority.absence_of(1) == 1
    assert not vote(authority, 2, VoteKind.AWAY, 1, 0)  # a vote about the absence before


def test_whatever_t_vote_about_a_third_it_is_never_out() -> None:
    """Two of three say all they can about the third: t and its seat stay, and its own word ends it."""
    authority = table(3, WAIT)
    for kind in VoteKind:
        for voter in (1, 2):
            vote(
                authority, voter, kind, 0 if kind is VoteKind.END else 3, {VoteKind.STALL: TASK}.get(kind, 0)
            )
    assert authority.is_away(3)
    assert not authority.is_gone(3)
    assert authority.threshold == 2
    assert authority.player_of(2) in {3, None}
    assert say(authority, 3, OwnWord.BACK)
    assert authority.player_of(2) == 3


def test_an_entry_of_its_target_voids_votes_but_pays_no_debt() -> None:
    """Who speaks is heard: AWAY falls. What it owes it owes as before, so STALL stands until that is paid."""
    authority = table(4)
    for voter in (2, 3):
        vote(authority, voter, VoteKind.AWAY, 1)
        vote(authority, voter, VoteKind.STALL, 1, TASK)
    authority.heard(1)
    assert not authority.voters(Motion(VoteKind.AWAY, 1, 0))
    assert authority.voters(Motion(VoteKind.STALL, 1, TASK)) == (2, 3)
    authority.settle(lambda *_: False, ())
    assert not authority.voters(Motion(VoteKind.STALL, 1, TASK))


def test_votes_that_it_is_away_and_that_it_stalls_count_together() -> None:
    """Some hear a party that does nothing and some do not: together they set it aside, and nothing hangs."""
    authority = table(4)
    vote(authority, 2, VoteKind.AWAY, 1)
    vote(authority, 3, VoteKind.STALL, 1, TASK)
    assert authority.deals(1)
    vote(authority, 4, VoteKind.STALL, 1, TASK)
    assert authority.is_aside(1)
    assert authority.is_present(1)
    assert authority.player_of(0) == 1


def test_whoever_is_back_takes_part_again_and_its_refusals_stay() -> None:
    """Each return ends everything that was decided; only what it has refused counts for the whole match."""
    authority = table(3)
    for refusals in (1, 2, 3):
        absent(authority, 1)
        assert not authority.deals(1)
        authority.refuse(1, order=2)
        say(authority, 1, OwnWord.BACK)
        assert authority.deals(1)
        assert authority.is_barred(1) is (refusals >= 2)
    assert [event.order for event in authority.told() if event.what == "refused"] == [2, 2, 2]
    assert not authority.is_barred(2)


def test_votes_of_the_absent_do_not_count() -> None:
    """Who is away can't vote, and what it voted falls with it."""
    authority = table(5)
    for voter in (2, 3, 4):
        vote(authority, voter, VoteKind.END, 0)
    say(authority, 4, OwnWord.OUT)
    assert authority.voters(Motion(VoteKind.END, 0, 0)) == (2, 3)
    assert not vote(authority, 4, VoteKind.END, 0)
    vote(authority, 1, VoteKind.END, 0)
    vote(authority, 5, VoteKind.END, 0)
    assert authority.is_ended


def silent(authority: Authority, voter: int, seconds: int) -> bool:
    """Say that a question of party 1 is closed for its silence, which takes 20 s; whether that stands."""
    try:
        authority.cast(voter, Motion(VoteKind.TIME, 1, ASK), seconds, SECONDS, 20, yes=True)
    except Refused:
        return False
    settle(authority)
    return True


def test_the_questions_of_a_silent_party_are_closed_by_those_who_attest_its_absence() -> None:
    """It takes t votes with enough silence behind each, of parties whose AWAY stands; the rest is void."""
    authority = table(4)
    assert not silent(authority, 2, 20)  # nobody said yet that it is away
    absent(authority, 1)
    assert not silent(authority, 2, 19)
    assert silent(authority, 2, 20)
    assert silent(authority, 3, 20)
    vote(authority, 4, VoteKind.AWAY, 1, yes=False)
    assert not silent(authority, 4, 20)  # it hears it again, and the others decide nothing without it
    assert not authority.is_time_up(1, ASK)
    assert authority.player_of(0) == 1
    vote(authority, 4, VoteKind.AWAY, 1)
    assert silent(authority, 4, 20)
    assert authority.is_time_up(1, ASK)
    assert not authority.is_time_up(1, ASK + 1)


@given(st.sampled_from(["speaks", "is back", "a voter hears it", "a voter is away"]))
def test_what_was_voted_for_silence_falls_with_the_silence(what: str) -> None:
    """Its own word or entry, or a voter's, takes away the vote that closes its question; others stay."""
    authority = table(4)
    absent(authority, 1)
    for voter in (2, 3):
        assert silent(authority, voter, 20)
    authority.cast(4, Motion(VoteKind.TIME, 1, ASK), SECONDS, SECONDS, 20, yes=True)
    settle(authority)
    assert authority.is_time_up(1, ASK)
    if what == "speaks":
        authority.heard(1)
    elif what == "is back":
        authority.say(1, OwnWord.BACK, 0)
    elif what == "a voter hears it":
        vote(authority, 2, VoteKind.AWAY, 1, yes=False)
    else:
        say(authority, 2, OwnWord.OUT)
    settle(authority)
    assert not authority.is_time_up(1, ASK)
    left = {3, 4} if what.startswith("a voter") else {4}  # the last one has waited for the question itself
    assert set(authority.voters(Motion(VoteKind.TIME, 1, ASK))) == left


def test_with_wait_nobody_closes_a_question_for_silence() -> None:
    """All wait for who is silent; a question with a time of its own is another matter."""
    authority = table(4, WAIT)
    absent(authority, 1)
    assert authority.is_away(1)
    assert not silent(authority, 2, 999)


def test_out_and_left_are_consent() -> None:
    """With `blind` questions of who is out are closed at once; of who left they are with `wait`, too."""
    for policy, word, blind in (
        (BLIND, OwnWord.OUT, True),
        (WAIT, OwnWord.OUT, False),
        (BLIND, OwnWord.LEFT, True),
        (WAIT, OwnWord.LEFT, True),
    ):
        authority = table(3, policy)
        say(authority, 1, word)
        assert authority.is_blind(1) is blind
        assert authority.player_of(0) == (None if blind else 1)
        assert authority.status_of(0) == ("blind" if blind else "away")
        if word is OwnWord.OUT:
            say(authority, 1, OwnWord.BACK)
            assert authority.player_of(0) == 1
    away = table(3)
    absent(away, 1)
    assert not away.is_blind(1)
    assert away.player_of(0) == 1


def test_a_convicted_party_is_gone_for_good() -> None:
    """It says nothing and votes no more; its questions get their `otherwise`, and nobody sees its cards."""
    authority = table(4)
    authority.convict(1, Charge(Offence.EQUIVOCATION))
    settle(authority)
    assert not say(authority, 1, OwnWord.BACK)
    assert not vote(authority, 1, VoteKind.END, 0)
    assert authority.is_blind(1)
    assert authority.player_of(0) is None
    assert not vote(authority, 2, VoteKind.AWAY, 1)


def test_a_match_ends_when_all_but_one_have_left() -> None:
    """Nobody is left to play with; with two of three it goes on."""
    authority = table(3)
    say(authority, 1, OwnWord.LEFT)
    assert not authority.is_ended
    say(authority, 2, OwnWord.LEFT)
    assert authority.is_ended


def test_words_that_do_not_fit_are_void() -> None:
    """BACK of who is here, OUT of who is out, an old absence number and no word at all change nothing."""
    authority = table(3)
    assert not say(authority, 1, OwnWord.BACK)
    assert say(authority, 1, OwnWord.OUT)
    assert not say(authority, 1, OwnWord.OUT)
    for word, absence in ((OwnWord.BACK, 1), (7, 0)):
        with pytest.raises(Refused):
            authority.say(1, word, absence)
    assert say(authority, 1, OwnWord.BACK)


@given(st.data())
def test_decisions_do_not_hang_on_when_they_are_worked_out(data: st.DataObject) -> None:
    """The same votes, worked out after each or once at the end, in any order, decide the same."""
    voters = data.draw(st.permutations([2, 3, 4, 5]))
    each, once = table(5), table(5)
    for voter in voters:
        vote(each, voter, VoteKind.AWAY, 1)
        once.cast(voter, Motion(VoteKind.AWAY, 1, 0), SECONDS, 0, yes=True)
    settle(once)
    assert each.is_away(1)
    assert once.is_away(1)
    assert each.present == once.present


def test_a_vote_vouches_for_enough_seconds() -> None:
    """Fewer seconds than such a vote takes make it void."""
    authority = table(3)
    with pytest.raises(Refused):
        authority.cast(2, Motion(VoteKind.AWAY, 1, 0), 14, 15, yes=True)
    authority.cast(2, Motion(VoteKind.AWAY, 1, 0), 15, 15, yes=True)
    with pytest.raises(Refused):  # once is enough
        authority.cast(2, Motion(VoteKind.AWAY, 1, 0), 16, 15, yes=True)


def told(authority: Authority) -> tuple[object, ...]:
    """What is said about people now: m and t, who is there and deals, who plays each seat, and the ends."""
    return (
        authority.remaining, authority.threshold, authority.can_vote, authority.present,
        tuple(filter(authority.deals, authority.all)),
        tuple(authority.player_of(seat) for seat in range(len(authority.all))),
        authority.is_time_up(1, ASK), authority.is_time_up(0, -1), authority.is_ended,
    )  # fmt: skip


def test_an_answer_changes_right_at_what_changes_it() -> None:
    """Each word, verdict and vote shows in the very next answer, and in no answer before."""
    authority = table(5)
    all_, playing, open_ = (1, 2, 3, 4, 5), (1, 2, 3, 4, 5), (False, False, False)
    assert told(authority) == (5, 4, True, all_, all_, playing, *open_)
    authority.say(5, OwnWord.OUT, 0)
    assert told(authority) == (5, 4, True, (1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4, None), *open_)
    authority.say(5, OwnWord.BACK, 0)
    assert told(authority) == (5, 4, True, all_, all_, playing, *open_)
    for voter in (2, 3, 4, 5):
        assert told(authority) == (5, 4, True, all_, all_, playing, *open_)
        vote(authority, voter, VoteKind.AWAY, 1)
    assert told(authority) == (5, 4, True, (2, 3, 4, 5), (2, 3, 4, 5), playing, *open_)
    authority.heard(1)
    assert told(authority) == (5, 4, True, (2, 3, 4, 5), (2, 3, 4, 5), playing, *open_)
    authority.say(1, OwnWord.BACK, 0)
    for voter in (2, 3, 4, 5):
        assert told(authority) == (5, 4, True, all_, all_, playing, *open_)
        vote(authority, voter, VoteKind.STALL, 1, TASK)
    assert told(authority) == (5, 4, True, all_, (2, 3, 4, 5), playing, *open_)
    authority.settle(lambda *_: False, ())  # it has done what it owed
    authority.say(1, OwnWord.BACK, 1)
    assert told(authority) == (5, 4, True, all_, all_, playing, *open_)
    authority.refuse(2)
    assert told(authority) == (5, 4, True, all_, all_, playing, *open_)
    for place, motion in enumerate([(VoteKind.TIME, 1, ASK), (VoteKind.TIME, 0, -1), (VoteKind.END, 0, 0)]):
        for voter in (2, 3, 4, 5):
            assert told(authority) == (5, 4, True, all_, all_, playing, *(at < place for at in range(3)))
            vote(authority, voter, *motion)
        assert told(authority) == (5, 4, True, all_, all_, playing, *(at <= place for at in range(3)))
    authority.convict(4, Charge(Offence.EQUIVOCATION))
    settle(authority)
    rest = (1, 2, 3, 5)
    assert told(authority) == (4, 3, True, rest, rest, (1, 2, 3, None, 5), True, True, True)
    authority.say(5, OwnWord.LEFT, 1)
    settle(authority)
    assert told(authority) == (3, 2, True, (1, 2, 3), (1, 2, 3), (1, 2, 3, None, None), True, True, True)


def test_whoever_was_left_behind_counts_as_gone_from_the_start() -> None:
    """Machines that are not in a match that goes on without them lower m, and t unless it is fixed."""
    for fixed in (False, True):
        authority = Authority(keys(5), BLIND, fixed=fixed, absent=keys(5)[3:])
        assert (authority.remaining, authority.threshold, authority.present) == (3, 2, (1, 2, 3))


WORDS = st.tuples(st.just("say"), st.integers(1, 5), st.sampled_from(list(OwnWord)))
VOTES = st.tuples(st.just("vote"), st.integers(1, 5), st.tuples(KINDS, st.integers(0, 5), st.booleans()))
VERDICTS = st.tuples(st.sampled_from(["convict", "refuse", "heard"]), st.integers(1, 5), st.none())


@given(st.lists(st.one_of(WORDS, VOTES, VOTES, VERDICTS), max_size=60))
def test_who_is_counted_is_who_is_there(said: list[tuple[str, int, Any]]) -> None:
    """After anything that is said, in any order, m and the present are those neither gone nor away."""
    authority = table(5)
    for what, party, about in said:
        match what:
            case "say":
                say(authority, party, about)
            case "vote":
                kind, target, yes = about
                number = {VoteKind.STALL: TASK, VoteKind.TIME: ASK if target else -1}.get(kind)
                absence = authority.absence_of(target) if target else 0
                vote(authority, party, kind, target, absence if number is None else number, yes=yes)
            case "convict":
                authority.convict(party, Charge(Offence.EQUIVOCATION))
            case "refuse":
                authority.refuse(party)
            case _:
                authority.heard(party)
        rest = [one for one in authority.all if not authority.is_gone(one)]
        assert authority.remaining == len(rest)
        assert authority.present == tuple(one for one in rest if not authority.is_away(one))


class Tallied(Authority):
    """Counts how often it counts who is there."""

    counts = 0

    def _count(self) -> None:
        self.counts += 1
        super()._count()


def test_who_is_there_is_counted_only_where_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a whole match: once at the beginning and once for each word and each decision, at no other entry."""
    monkeypatch.setattr(fair_dealing, "Authority", Tallied)
    world = World(Peek, (1, 2, 3), rounds=2)
    counts = {0: 1}

    def acted() -> None:
        now = world.peers[1].deal.authority
        assert isinstance(now, Tallied)
        counts[len(world.log)] = now.counts

    world.acted = acted
    world.play(rounds=6)
    world.leave(3, OwnWord.OUT)
    out = len(world.log)
    world.play(rounds=6)
    world.back(3)
    world.kill(2)
    world.heal(2)
    world.play()
    assert world.ended()
    said = {number: entry[3] for number, (entry, _) in enumerate(world.log, 1) if entry[0] == DEAL}
    words = [number for number, step in said.items() if step == SELF]
    counted = [number for number in counts if number and counts[number] > counts[number - 1]]
    assert out in words
    assert set(words) < set(counted)
    assert all(counts[number] - counts[number - 1] <= 1 for number in counted)
    assert {said.get(number) for number in counted} <= {SELF, VOTE}
    assert len(counted) < len(world.log) // 10
