"""The safety rules of the agreed log, one small function each, with the numbers of the protocol document.

They are pure decisions without state, so that each can be broken on purpose: a test that passes without its
rule proves nothing.
"""

from __future__ import annotations


class Rules:
    """The safety rules. Only tests derive from this class, to make mutants."""

    def is_next(self, last: int, count: int) -> bool:
        """Rule 2: whether a proposal of that count may follow the author's last count."""
        return count == last + 1

    def quorum(self, voters: int) -> int:
        """Rule 4: the number of voters in a majority."""
        return voters // 2 + 1

    def enough_to_stay(self, voters: int) -> int:
        """Rule 7: the number of voters, including itself, that a leader must hear to go on."""
        return (voters + 1) // 2

    def is_up_to_date(self, candidate: tuple[int, int], own: tuple[int, int]) -> bool:
        """Rule 5: whether a candidate's log is as up to date as the own; each is (last term, last number)."""
        return candidate >= own

    def may_vote(self, voted_for: bytes | None, candidate: bytes) -> bool:
        """Rule 5: one vote per term, stored on disk."""
        return voted_for is None or voted_for == candidate

    def may_reconfigure(self, *, configuration_final: bool, term_has_final: bool) -> bool:
        """Rule 6: whether the next change of configuration may be appended."""
        return configuration_final and term_has_final

    def may_shrink_early(
        self, final: frozenset[bytes], present: frozenset[bytes], wanted: frozenset[bytes], me: bytes
    ) -> bool:
        """Rule 6's two exceptions: whether a leader may remove voters earlier than rule 6 allows.

        A voter may die before its promotion is final. Then nothing could become final with it, and rule 9
        could not remove it before something did. The sets are the voters of the last final configuration, of
        the one in force, and of the requested one.

        - Taking back: the final one is restored. Any majority of the one that never became final shares a
          voter with any majority of the final one, so nobody is elected by the former without somebody who
          holds what the latter has made final.
        - Two at most: `me` is in every majority of both, so nobody was elected, and nothing became final,
          without it.
        """
        if not wanted < present:
            return False
        needs_me = all(len(voters) <= 2 and me in voters for voters in (final, present))
        return wanted == final or (needs_me and me in wanted)

    def may_finalise(self, entry_term: int, present_term: int) -> bool:
        """Rule 4: whether an entry of that term becomes final when a majority holds it."""
        return entry_term == present_term
