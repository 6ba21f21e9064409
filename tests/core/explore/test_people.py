"""No coalition below t moves anybody: explored over the real state machine; its mutants are found."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest
from tests.core.explore.people import Broken, Explorer

from tavolata._engine.dealing.authority import Authority, Motion, VoteKind

pytestmark = pytest.mark.battery


@pytest.mark.parametrize(
    ("parties", "conspirators", "cost", "most"),
    [(2, 1, 5, 4_000), (3, 1, 3, 4_000), (4, 1, 2, 4_000), (4, 2, 2, 6_000)],
)
def test_fewer_than_t_conspirators_move_nobody(parties: int, conspirators: int, cost: int, most: int) -> None:
    """Whatever they say and in whatever order, an honest machine has seen what comes into force."""
    found = Explorer(parties, conspirators).explore(cost, most)
    assert found.states > 100
    assert parties == 2 or found.decided["away"] + found.decided["aside"]


def test_where_all_are_needed_nothing_is_decided_about_anybody() -> None:
    """A strict match has no votes about another at all."""
    found = Explorer(3, 2, strict=True).explore(3, 3_000)
    assert not {"away", "aside", "stand-in"} & found.decided.keys()


def test_t_conspirators_can_do_it() -> None:
    """The explorer sees what t can do: the bound is where it is said to be."""

    class Careless(Explorer):
        def _judge(self, *args: object) -> None:
            kept = args[2].authority  # type: ignore[attr-defined]  # the state after the move
            if any(kept.is_away(party) for party in self.honest):
                raise Broken("away", args[3])  # type: ignore[arg-type]  # the moves

    with pytest.raises(Broken):
        Careless(3, 2).explore(2)


# -- mutants --------------------------------------------------------------------------------------


class FewerVotes(Authority):
    """t - 1 votes are enough."""

    @property
    def threshold(self) -> int:
        """One fewer."""
        return super().threshold - 1


class OneWord(Authority):
    """One word says that somebody is away."""

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
    """Who is away or gone votes on."""

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

    @property
    def remaining(self) -> int:
        """Only who is here."""
        return sum(super(AbsenceLowersT, self).is_present(party) for party in self.all)


class VoteConvicts(Authority):
    """Who is voted aside is out of the match."""

    def settle(self, is_owed: Callable[[int, int], bool], asked: Collection[tuple[int, int]]) -> None:
        """As ever, and who was put aside has left."""
        super().settle(is_owed, asked)
        self._left |= self._aside


class StandWithoutAway(Authority):
    """Somebody is stood in for by votes STAND alone."""

    def is_stood_in_for(self, party: int) -> bool:
        """Whether anybody voted so, or as ever."""
        standing = self._votes.get(Motion(VoteKind.STAND, party, self._absences[party]), ())
        return super().is_stood_in_for(party) or bool(standing) or bool(self._away and party in self._away)


MUTANTS = [
    FewerVotes, OneWord, DeafToOwnWords, DeafToEntries, TwoCounts, OnlyAtCasting, EndByOne, VotesOfTheAway,
    NoTime, AbsenceLowersT, VoteConvicts, StandWithoutAway,
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_explorer_finds_every_mutant(mutant: type[Authority]) -> None:
    """A rule that is left out shows as a few moves that break an invariant."""

    def explore() -> None:
        for parties, conspirators in ((3, 1), (4, 1), (4, 2)):
            Explorer(parties, conspirators, mutant).explore(3, 6_000)

    with pytest.raises(Broken):
        explore()
