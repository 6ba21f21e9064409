"""The safety rules of the agreed log, one small function each, with the numbers of docs/agreed-log.md.

They are pure decisions without state, so that each can be broken on purpose: a test that passes without its
rule proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence


class Rules:
    """The safety rules. Only tests derive from this class, to make mutants."""

    def is_next(self, last: int, count: int) -> bool:
        """Rule 2: whether a proposal of that count may follow the author's last count."""
        return count == last + 1

    def quorum(self, voters: int) -> int:
        """Rule 4: the number of voters in a majority."""
        return voters // 2 + 1

    def enough_to_stay(self, voters: int) -> int:
        """Rule 7: the number of voters, including itself, that a leader must hear to continue."""
        return (voters + 1) // 2

    def is_up_to_date(self, candidate: tuple[int, int], own: tuple[float, int]) -> bool:
        """Rule 5: whether a candidate's log is as up to date as its own; each is (last term, last number)."""
        return candidate >= own

    def may_vote(self, voted_for: bytes | None, candidate: bytes) -> bool:
        """Rule 5: one vote per term, stored on disk."""
        return voted_for is None or voted_for == candidate

    def is_elected(self, votes: int, voters: int) -> bool:
        """Rule 5: whether this many signed votes of voters of one configuration prove an election."""
        return votes >= self.quorum(voters)

    def may_interrupt(self, *, transferred: bool) -> bool:
        """Rule 5: whether a vote request counts while the leader is heard, which may have `transferred`."""
        return transferred

    def may_reconfigure(self, *, configuration_final: bool, term_has_final: bool) -> bool:
        """Rule 6: whether the next change of configuration may be appended."""
        return configuration_final and term_has_final

    def may_shrink_early(
        self, since: Sequence[frozenset[bytes]], wanted: frozenset[bytes], me: bytes, *, own: bool
    ) -> bool:
        """Rule 6's two exceptions: whether a leader may remove voters earlier than rule 6 allows.

        A voter may die before its promotion is final. Then nothing could become final with it, and rule 9
        could not remove it before something did. docs/agreed-log.md proves that both exceptions are safe.

        - Taking back: the only change since the last final configuration is the leader's own, of this term,
          and the final one is restored.
        - Two at most: every configuration since the last final one has two voters at most, and `me`, the
          leader, is one of them. So no majority of any of them could do without `me`.

        `since` has the voters of the last final configuration, and of all later ones up to the one in force,
        `wanted` those of the requested one; `own`: this leader appended the configuration in force, in this
        term.
        """
        if not wanted < since[-1]:
            return False
        takes_back = own and len(since) == 2 and wanted == since[0]
        return takes_back or (me in wanted and all(len(voters) <= 2 and me in voters for voters in since))

    def may_compact(self, number: int, commit_index: int) -> bool:
        """Return True if a snapshot may stand for the entries up to `number`: they have to be final."""
        return number <= commit_index

    def is_refuted(self, against: int, voters: int) -> bool:
        """Return True if an entry that `against` voters lack can't ever have been held by a majority."""
        return against > voters - self.quorum(voters)

    def may_finalise(self, entry_term: int, present_term: int) -> bool:
        """Rule 4: whether an entry of that term becomes final when a majority holds it."""
        return entry_term == present_term
