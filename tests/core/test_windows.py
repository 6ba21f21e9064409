"""Windows: who is fastest, what can't have been, when it is decided; always from what was said alone."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import Choice, Refused, one_of
from tavolata.errors import GameError
from tavolata.reaction_times import FLOOR, GOES, LONGEST_TRIP, SLACK, earliest
from tavolata.ring import SEATS, Seat
from tavolata.windows import Doubts, Window

BANG = one_of([Choice(True, "bang")])


def window(*seats: int, go: int | None = 0, **more: Any) -> Window:
    """A window in which these seats may bang."""
    kinds = {SEATS[seat]: BANG for seat in seats}
    return Window(1, kinds, None if go is None else SEATS[go], **more)


def claimed(one: Window, *claims: tuple[int, int, int]) -> Window:
    """The window after (seat, answer, milliseconds) were said, each seat from a peer of its own."""
    for seat, answer, milliseconds in claims:
        one.claim(SEATS[seat], answer, milliseconds, seat)
    return one


def seat_of(one: Window) -> Seat | None:
    reaction = one.reaction()
    return None if reaction is None else reaction.seat


@pytest.mark.parametrize("order", list(permutations([(0, 0, 420), (1, 0, 310), (2, 0, 350)])))
def test_the_fastest_counts_in_whichever_order_the_claims_come(order: Any) -> None:
    """All orders of arrival have one winner, and the same list of those who came later."""
    reaction = claimed(window(0, 1, 2), *order).reaction()
    assert reaction is not None
    assert (reaction.seat, reaction.milliseconds, reaction.cut) == (1, 310, False)
    assert reaction.later == ((2, True, 350), (0, True, 420))


def test_equal_times_go_to_the_seat_that_is_named_first() -> None:
    """Of equal times the first in `kinds` wins, and a reaction before who goes on."""
    assert seat_of(claimed(window(2, 0, 1), (0, 0, 300), (1, 0, 300), (2, 0, 300))) == 2
    assert seat_of(claimed(window(1, 0, go=0), (0, GOES, 300), (1, 0, 300))) == 1


def test_who_goes_on_ends_the_window_but_not_before_its_least_time() -> None:
    """Going on is compared with reactions like one of them, and takes `hurry` at least."""
    assert claimed(window(1, go=0), (0, GOES, 300), (1, 0, 400)).reaction() is None
    hasty = claimed(window(1, go=0, hurry=700), (0, GOES, 20), (1, 0, 650))
    assert seat_of(hasty) == 1
    assert claimed(window(1, go=0, hurry=700), (0, GOES, 20), (1, 0, 750)).reaction() is None


def test_no_claim_is_below_the_floor() -> None:
    """A claim of 1 ms counts as the floor, is shown as cut, and so loses to nobody's honest floor."""
    reaction = claimed(window(0, 1), (0, 0, 1)).reaction()
    assert reaction is not None
    assert (reaction.milliseconds, reaction.claimed, reaction.cut) == (FLOOR, 1, True)
    assert seat_of(claimed(window(1, 0), (0, 0, 1), (1, 0, FLOOR))) == 1


def test_a_time_that_people_reach_is_not_cut_to_a_raised_floor() -> None:
    """It counts as the floor that the rules have set, and nobody is suspected; below all floors it is cut."""
    one, doubts = claimed(window(0, 1, floor=300), (0, 0, 250)), Doubts()
    reaction = one.reaction()
    assert reaction is not None
    assert (reaction.milliseconds, reaction.cut) == (300, False)
    assert seat_of(claimed(window(1, 0, floor=300), (0, 0, 250), (1, 0, 290))) == 1
    assert not [seat for _ in range(3) for seat in doubts.hasty(one)]
    lie = claimed(window(0, 1, floor=300), (0, 0, FLOOR - 1))
    reaction = lie.reaction()
    assert reaction is not None
    assert (reaction.milliseconds, reaction.cut) == (300, True)
    assert [seat for _ in range(3) for seat in doubts.hasty(lie)] == [0]


def test_a_claim_is_cut_to_what_the_link_allows() -> None:
    """Seen 500 ms after the card over a link of 40 ms, it can't have taken 1 ms."""
    one = claimed(window(0, 1, go=0), (1, 0, 1))
    one.vouch(SEATS[1], 0, 500, 40, own=False)
    reaction = one.reaction()
    assert reaction is not None
    assert reaction.milliseconds == 500 - 80 - SLACK
    assert reaction.cut


def test_a_cut_claim_can_lose() -> None:
    """Who claims 1 ms and is cut to 360 loses to 350."""
    one = claimed(window(0, 1, go=0), (1, 0, 1), (0, 0, 350))
    one.vouch(SEATS[1], 0, 500, 40, own=False)
    assert seat_of(one) == 0


def test_the_most_lenient_witness_counts() -> None:
    """A single peer can't slow another down while somebody else has seen the claim sooner."""
    one = claimed(window(0, 1, 2, go=0), (1, 0, 300))
    one.vouch(SEATS[1], 0, 9000, 0, own=False)
    one.vouch(SEATS[1], 2, 320, 10, own=False)
    reaction = one.reaction()
    assert reaction is not None
    assert not reaction.cut


def test_its_own_peer_is_no_witness() -> None:
    """What a peer says of its own claim bounds nothing and vouches for nothing."""
    one = claimed(window(0, 1, go=0), (1, 0, 1))
    one.vouch(SEATS[1], 1, 0, 0, own=True)
    one.vouch(SEATS[1], 0, 400, 0, own=False)
    assert one.least(SEATS[1]) == 400 - SLACK


def test_it_is_decided_when_all_who_are_here_have_nothing_earlier() -> None:
    """Not before each awaited peer has spoken of the claim that leads; the absent are not awaited."""
    one = claimed(window(0, 1, 2, go=0), (1, 0, 300))
    assert not one.decided((0, 1, 2))
    one.vouch(SEATS[1], 1, 0, 0, own=True)
    one.vouch(SEATS[1], 0, 310, 5, own=False)
    assert not one.decided((0, 1, 2))
    assert one.decided((0, 1))


def test_a_claim_that_leads_later_is_spoken_of_again() -> None:
    """When the leader changes, what was said of the former does not decide."""
    one = claimed(window(0, 1, go=0), (1, 0, 300), (0, 0, 250))
    one.vouch(SEATS[1], 0, 310, 5, own=False)
    one.vouch(SEATS[1], 1, 0, 0, own=True)
    assert not one.decided((0, 1))
    one.vouch(SEATS[0], 0, 0, 0, own=True)
    one.vouch(SEATS[0], 1, 310, 5, own=False)
    assert one.decided((0, 1))
    assert seat_of(one) == 0


def test_who_has_said_nothing_earlier_can_say_nothing_more() -> None:
    """A peer keeps its word: after it spoke of a claim its seats claim nothing."""
    one = claimed(window(0, 1, go=0), (1, 0, 300))
    one.vouch(SEATS[1], 0, 310, 5, own=False)
    with pytest.raises(Refused, match="too late"):
        one.claim(SEATS[0], 0, 200, 0)


def test_time_ends_a_window() -> None:
    """With a time it ends though nobody said anything; without one only what was said can end."""
    timed = window(0, 1, go=None, seconds=3)
    timed.end()
    assert timed.decided((0, 1))
    assert timed.reaction() is None
    with pytest.raises(Refused, match="no time limit"):
        window(0, 1).end()
    late = claimed(window(0, 1), (1, 0, 300))
    late.end()
    assert late.decided((0, 1))
    assert seat_of(late) == 1


def test_a_window_that_nothing_ends_is_the_rules_mistake() -> None:
    """Neither a seat that goes on nor a time: the error says so."""
    with pytest.raises(GameError, match="Nothing would end this window"):
        window(0, go=None)


@pytest.mark.parametrize("time", [-1, 10**9, True, 0.5, "300", None])
def test_nonsense_is_refused_and_changes_nothing(time: Any) -> None:
    """Times that are none, seats that may not, answers that are none: refused, and nothing is there."""
    one = window(0, 1, go=0)
    with pytest.raises(Refused):
        one.claim(SEATS[1], 0, time, 1)
    with pytest.raises(Refused):
        one.claim(SEATS[2], 0, 300, 2)
    with pytest.raises(Refused, match="your move"):
        one.claim(SEATS[1], GOES, 300, 1)
    with pytest.raises(Refused):
        one.claim(SEATS[1], 7, 300, 1)
    with pytest.raises(Refused):
        one.vouch(SEATS[1], 0, 0, 0, own=False)
    assert one.claims == {}


def test_the_bound_rises_with_the_gap_and_falls_with_the_trip() -> None:
    """Never below nothing; a slower link is believed up to a point only."""
    assert earliest(0, 0) == 0
    assert earliest(1000, 100) == 1000 - 200 - SLACK
    assert earliest(5000, 10**6) == 5000 - 2 * LONGEST_TRIP - SLACK


CLAIMS = st.dictionaries(st.integers(0, 4), st.tuples(st.integers(0, 1000), st.integers(0, 1500)), min_size=1)


@given(CLAIMS, st.randoms(use_true_random=False))
def test_all_peers_judge_alike_whatever_the_order(claims: dict[int, tuple[int, int]], chance: Any) -> None:
    """In any order that a log can have there is one decision, and no claim beats its bound."""
    said = [(seat, time) for seat, (time, _) in claims.items()]
    seen = [(seat, other, gap) for seat, (_, gap) in claims.items() for other in range(5) if other != seat]
    found = set()
    for _ in range(3):
        chance.shuffle(said)
        chance.shuffle(seen)
        one = claimed(window(0, 1, 2, 3, 4), *((seat, 0, time) for seat, time in said))
        for seat, witness, gap in seen:
            one.vouch(SEATS[seat], witness, gap + witness, 10, own=False)
        reaction = one.reaction()
        assert reaction is not None
        for seat, (time, gap) in claims.items():
            assert one.time(SEATS[seat]) >= max(FLOOR, time, earliest(gap, 10))
        found.add((reaction.seat, reaction.milliseconds, reaction.later))
    assert len(found) == 1


def test_a_handicap_adds_to_the_time_of_a_reaction_alone() -> None:
    """It counts after floor and claim, cuts nothing, and never puts off who goes on."""
    burden = {SEATS[0]: 200}
    slowed = claimed(window(0, 1, handicaps=burden), (0, 0, 300), (1, 0, 400)).reaction()
    assert slowed is not None
    assert (slowed.seat, slowed.milliseconds, slowed.later) == (1, 400, ((0, True, 500),))
    alone = claimed(window(0, 1, handicaps=burden), (0, 0, 300)).reaction()
    assert alone is not None
    assert (alone.milliseconds, alone.cut) == (500, False)
    below = claimed(window(0, 1, handicaps=burden), (0, 0, 1)).reaction()
    assert below is not None
    assert (below.milliseconds, below.cut) == (FLOOR + 200, True)
    assert claimed(window(1, go=0, handicaps=burden), (0, GOES, 300), (1, 0, 400)).reaction() is None
