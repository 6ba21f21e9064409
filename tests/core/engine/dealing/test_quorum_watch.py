"""The watch over the quorum: when a machine offers to stop waiting, and when it stops by itself."""

from __future__ import annotations

import pytest

from tavolata._engine.dealing.quorum_watch import LIMIT, OFFER, QuorumWatch


def watched(seconds: int, silent: set[int], needed: int = 2, watch: QuorumWatch | None = None) -> QuorumWatch:
    """A watch after so many seconds in which these of the parties 2 and 3 were silent from the beginning."""
    watch = watch or QuorumWatch(0.0)
    for now in range(1, seconds + 1):
        ago = {1: 0.0} | {party: float(now) if party in silent else 1.0 for party in (2, 3)}
        watch.look(now, ago, [(ago, needed)])
    return watch


@pytest.mark.parametrize(
    ("silent", "needed", "waits"), [({2}, 2, False), ({2, 3}, 2, True), ({2}, 3, True), (set(), 3, False)]
)
def test_it_waits_while_fewer_than_needed_are_heard(silent: set[int], needed: int, waits: bool) -> None:
    """The machine itself counts among those who are heard."""
    watch = watched(61, silent, needed)
    assert watch.may_stop is waits
    assert watch.missing == (tuple(sorted(silent)) if waits else ())


def test_the_offer_comes_a_minute_after_the_last_sign_and_the_end_after_ten() -> None:
    """The time runs from the last sign of those who are missing, not from when they were missed."""
    assert not watched(int(OFFER) - 1, {2, 3}).may_stop
    watch = watched(int(OFFER), {2, 3})
    assert watch.may_stop
    assert not watch.must_stop
    assert watched(int(LIMIT), {2, 3}).must_stop


def test_who_is_heard_again_ends_the_wait() -> None:
    """One sign of one who was needed, and nothing is offered any more."""
    watch = watched(90, {2, 3})
    watch.look(91.0, {1: 0.0, 2: 0.0, 3: 91.0}, [((1, 2, 3), 2)])
    assert watch.missing == ()
    assert watch.waited == 0


def test_a_machine_that_slept_begins_to_wait_anew() -> None:
    """The lid was closed for an hour: it has not waited for an hour."""
    watch, waited = watched(30, {2, 3}), []
    for now in range(3630, 3691):
        watch.look(float(now), {1: 0.0, 2: float(now), 3: float(now)}, [((1, 2, 3), 2)])
        waited.append(watch.waited)
    assert waited == [float(seconds) for seconds in range(61)]


def test_it_waits_for_those_who_have_the_keys() -> None:
    """Two of three are heard, which is enough for keys, but the keys of this deal are with the third."""
    watch = QuorumWatch(0.0)
    for now in range(1, 62):
        watch.look(now, {1: 0.0, 2: 1.0, 3: float(now)}, [((1, 2, 3), 2), ((1, 3), 2)])
    assert watch.may_stop
    assert watch.missing == (3,)
