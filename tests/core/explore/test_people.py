"""No coalition below t moves anybody: explored over the real state machine; its mutants are found."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

import pytest
from tests.core.explore.people import SETS, Broken, Explorer, Move

from tavolata._engine.dealing.authority import Authority, Motion, VoteKind
from tavolata._engine.match.header import BLIND, WAIT

pytestmark = pytest.mark.battery

SMALL = [(2, 0, 4), (2, 1, 4), (3, 0, 1), (3, 1, 2), (4, 0, 1), (4, 1, 1), (4, 2, 1)]
"""Parties, conspirators and cost of the usual run; docs/testing.md has the command for cost 4."""


@pytest.mark.parametrize(("parties", "conspirators", "cost"), SMALL)
def test_fewer_than_t_conspirators_move_nobody(parties: int, conspirators: int, cost: int) -> None:
    """Whatever they say and in whatever order, an honest machine has seen what comes into force."""
    found = Explorer(parties, conspirators).explore(cost)
    assert found.whole
    assert found.states > 50
    assert found.decided
    if (parties, conspirators) == (3, 1):
        assert {*found.decided} == {"away", "aside", "time", "window", "ended"}


@pytest.mark.parametrize(("parties", "conspirators"), [(5, 2), (5, 3), (6, 3)])
def test_fewer_than_t_of_five_or_six_move_nobody(parties: int, conspirators: int) -> None:
    """The same for longer ways that chance chooses, with as many lies as it likes."""
    explorer = Explorer(parties, conspirators)
    for seed in range(12):
        explorer.walk(seed, 120)
    assert explorer.found.decided["away"]
    assert explorer.found.decided["aside"]


def test_where_all_are_needed_nothing_is_decided_about_anybody() -> None:
    """A strict match has no votes about another at all."""
    found = Explorer(3, 2, strict=True).explore(1)
    assert found.states > 100
    assert not {"away", "aside", "time"} & found.decided.keys()


def test_where_all_wait_the_same_holds() -> None:
    """No question is closed for silence alone, whatever is voted."""
    explorer = Explorer(3, 1, policy=WAIT)
    assert explorer.explore(1).decided["away"]


def test_with_fixed_keys_t_never_falls() -> None:
    """It is that of the start in every state, however many have left or were convicted."""
    found = Explorer(4, 2, fixed=True).explore(1)
    assert found.moves["is caught"]


@pytest.mark.parametrize("parties", [3, 4])
def test_t_conspirators_can_do_it(parties: int) -> None:
    """The bound is where it is said to be: one conspirator more, and the same invariants break."""
    explorer = Explorer(parties, parties - 1, believes=True)
    with pytest.raises(Broken, match="no honest machine has seen it"):
        explorer.explore(parties - 1)


@pytest.mark.parametrize("to", [{1: 2, 2: 1, 3: 3, 4: 4}, {1: 1, 2: 2, 3: 4, 4: 3}, {1: 2, 2: 1, 3: 4, 4: 3}])
def test_renumbered_parties_make_the_same_states(to: dict[int, int]) -> None:
    """Each move of a walk has its like after a renumbering, and leads to the like: one of them is enough."""
    explorer, chance = Explorer(4, 2), Random(1)
    numbers = set[int]()
    for _ in range(12):
        one = explorer._with(owing=frozenset({1, 3}), asked=1)
        other = explorer._with(owing=frozenset({to[1], to[3]}), asked=to[1])
        for _ in range(30):
            moves = [*explorer._free(one), *explorer._priced(one)]
            move, act = chance.choice(moves)
            likes = dict([*explorer._free(other), *explorer._priced(other)])
            assert len(likes) == len(moves)
            after = list(explorer._steps(one, None, [(move, act)]))
            alike = renumbered(move, to)
            like = list(explorer._steps(other, None, [(alike, likes[alike])]))
            assert len(after) == len(like), move
            if after:
                (one, _), (other, _) = after[0], like[0]
                numbers.add(explorer._same.number(one))
                assert explorer._same.number(other) in numbers
    assert len(numbers) > 50


def renumbered(move: Move, to: dict[int, int]) -> Move:
    """The same move of other parties."""
    places = {
        "cut": (1, 2),
        "mend": (1, 2),
        "votes": (1, 3),
        "withdraws": (1, 3),
        "lies": (1, 3),
        "unsays": (1, 3),
    }
    parties = places.get(move[0], (1,))
    return tuple(to.get(part, part) if at in parties else part for at, part in enumerate(move))


def test_a_state_has_nothing_that_the_explorer_does_not_tell_apart() -> None:
    """All that the state machine keeps is a fact of a state, follows from the lot, or never changes."""
    kept = {
        name
        for name, value in vars(Authority([b"1", b"2"], BLIND)).items()
        if type(value) in (set, dict, list)
    }
    known = {*SETS, "_votes", "_absences"}
    known.add("_refusals")  # they are counted here, and decide nothing but who draws: see `test_draws`
    assert kept - known == {"_numbers", "_of_seat", "news"}


# -- mutants --------------------------------------------------------------------------------------


class FewerVotes(Authority):
    """t - 1 votes are enough."""

    @property
    def threshold(self) -> int:
        """One fewer."""
        return super().threshold - 1


class OneWord(Authority):
    """One word calls someone away."""

    def _is_decided(self, party: int, kind: VoteKind) -> bool:
        return not self.is_gone(party) and len(self._accusers(party, kind)) >= 1


class DeafToOwnWords(Authority):
    """BACK changes nothing."""

    def _back(self, party: int) -> None:
        self._absences[party] += 1


class DeafToEntries(Authority):
    """An entry of the accused voids no vote against it."""

    def heard(self, party: int) -> None:
        """Nothing."""


class TwoCounts(Authority):
    """STALL and AWAY are counted apart."""

    def _accusers(self, party: int, kind: VoteKind) -> tuple[int, ...]:
        found = [standing for motion, standing in self._votes.items() if motion[:2] == (kind, party)]
        return tuple(dict.fromkeys(voter for standing in found for voter in standing))


class OnlyAtCasting(Authority):
    """Decisions are worked out when a vote is cast, and at no other entry."""

    _before = 0

    def settle(self, is_owed: Callable[[int, int], bool], asked: Collection[tuple[int, int]]) -> None:
        """Only if there are more votes than before."""
        votes = sum(map(len, self._votes.values()))
        if votes > self._before:
            super().settle(is_owed, asked)
        self._before = votes


class EndByOne(Authority):
    """One vote ends the match."""

    @property
    def is_ended(self) -> bool:
        """Whether anybody wants it."""
        return super().is_ended or bool(self.voters(Motion(VoteKind.END, 0, 0)))


class VotesOfTheAway(Authority):
    """Votes of parties that are away or gone count."""

    def is_present(self, party: int) -> bool:
        """Always."""
        return party in self.all

    def is_gone(self, party: int) -> bool:
        """As it is for the votes' subjects."""
        return super().is_gone(party)


class NoTime(Authority):
    """A question is never over."""

    def is_time_up(self, target: int, about: int) -> bool:
        """No."""
        return False


class AbsenceLowersT(Authority):
    """t falls with those who are away."""

    def _count(self) -> None:
        super()._count()
        self.remaining = len(self.present)


class VoteConvicts(Authority):
    """A party voted aside is out of the match."""

    def settle(self, is_owed: Callable[[int, int], bool], asked: Collection[tuple[int, int]]) -> None:
        """As ever, and who was put aside has left."""
        super().settle(is_owed, asked)
        self._left |= self._aside


class WindowByOne(Authority):
    """One vote closes a window."""

    def is_time_up(self, target: int, about: int) -> bool:
        """Whether anybody says so."""
        return bool(target == 0 and self.voters(Motion(VoteKind.TIME, 0, about))) or super().is_time_up(
            target, about
        )


class UnattestedSilence(Authority):
    """Anyone can close a question for a silence that no one attests."""

    def closes_for(self, voter: int, party: int) -> bool:
        """Always."""
        return True


class LastingSilence(Authority):
    """A vote for a silence counts after the silence is over."""

    def _fall(self, is_owed: Callable[[int, int], bool], asked: Collection[tuple[int, int]]) -> None:
        votes = {motion: standing.copy() for motion, standing in self._votes.items()}
        super()._fall(is_owed, asked)
        for motion, standing in votes.items():
            for voter in (one for one, attests in standing.items() if attests and self.is_present(one)):
                if (motion.target, motion.about) in asked:
                    self._votes.setdefault(motion, {})[voter] = True


MUTANTS = [
    FewerVotes, OneWord, DeafToOwnWords, DeafToEntries, TwoCounts, OnlyAtCasting, EndByOne, VotesOfTheAway,
    NoTime, WindowByOne, AbsenceLowersT, VoteConvicts, UnattestedSilence, LastingSilence,
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_explorer_finds_every_mutant(mutant: type[Authority]) -> None:
    """A rule that is left out shows as a few moves that break an invariant."""

    def explore() -> None:
        for parties, conspirators in ((3, 1), (4, 1), (4, 2)):
            Explorer(parties, conspirators, mutant).explore(2, 6_000)

    with pytest.raises(Broken):
        explore()
