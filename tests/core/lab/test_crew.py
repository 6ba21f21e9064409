"""A crew: who plays a match has no effect on it, and a run that is cut short keeps whole pairs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Any

import pytest

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._lab import crew, helper
from tavolata._lab.crew import Crew, Experiment, UnfitWorker, code_here, play_share, share_size
from tavolata._lab.helper import Helper
from tavolata._lab.trial import Arm, Trial


def experiment(matches: int, code: bytes | None = None) -> Experiment:
    """A sweep of two arms at Zompa."""
    arms = tuple(Arm(str(n), ("easy", "random", "normal"), {"fiches": n}) for n in (1, 2))
    catalogue = Catalogue()
    here = code_here(catalogue.game("zompa").game, catalogue.bots("zompa"), arms)
    return Experiment("zompa", here if code is None else code, arms, matches, 7, catalogue.seconds)


def played(by: Crew, what: Experiment) -> list[Trial]:
    """All trials of a crew, in order."""
    catalogue = Catalogue()
    found = by.play(what, catalogue.game("zompa").game, catalogue.bots("zompa"))
    return sorted((one for some in found for one in some), key=lambda one: (one.number, one.arm))


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(
            "fork", marks=pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux alone")
        ),
        "spawn",
    ],
)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # the threads are those of the tests
def test_other_processes_play_the_same_matches(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes give what one gives, to the last number, however the second one is started."""
    what = experiment(12)
    alone = played(Crew(1), what)
    assert len(alone) == 24
    monkeypatch.setattr(crew, "way_to_start", lambda: way)
    assert played(Crew(2, alone=0.0), what) == alone


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # the threads are those of the tests
@pytest.mark.parametrize("matches", [1, 2, 3])
def test_the_last_match_is_played_here_and_waits_for_nobody(
    matches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches that take long call for others at once; for a single one nobody is called."""
    began, begin = [], Helper.__init__

    def beginning(self: Helper[Any, Any], do: Callable[[Any], Any], way: str) -> None:
        began.append(way)
        begin(self, do, way)

    def waiting(those: list[Any], patience: float | None) -> list[Any]:
        assert those, "it would wait for ever"
        return wait(those, patience)

    monkeypatch.setattr(Helper, "__init__", beginning)
    monkeypatch.setattr(helper, "wait", waiting)
    one_arm = replace(experiment(matches), arms=experiment(1).arms[:1])
    assert len(played(Crew(2, alone=0.0), one_arm)) == matches
    assert len(began) == (matches > 1)


def test_arms_are_played_in_pairs_of_one_seed() -> None:
    """The matches of one number stand together, with the same seats and seed."""
    what = experiment(3)
    assert what.keys() == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    one, other = play_share(what, [(0, 2), (1, 2)])
    assert (one.seed, one.levels) == (other.seed, other.levels) == (9, ("normal", "easy", "random"))
    assert one.turns != other.turns


def test_mirrored_matches_have_one_seed_and_changed_seats() -> None:
    """In a round robin no bot wins by its seat or its cards: each seed is played twice."""
    arm = Arm("", ("a", "b"), mirrored=True)
    assert [(arm.seed(5, number), arm.seats(number)) for number in range(3)] == [
        (5, ("a", "b")), (5, ("b", "a")), (6, ("a", "b")),
    ]  # fmt: skip


def test_a_worker_with_other_code_refuses() -> None:
    """What another version of the game plays would not be the same matches."""
    with pytest.raises(UnfitWorker, match="different code for zompa"):
        play_share(experiment(1, b"another"), [(0, 0)])


def test_what_is_sent_at_once_takes_about_half_a_second() -> None:
    """Slow matches go one by one, quick ones in hundreds, and the last ones to all."""
    assert share_size(0.2, 1000, 2) == 1
    assert share_size(100.0, 10_000, 2) == 50
    assert share_size(100.0, 40, 2) == 5
    assert share_size(100.0, 3, 2) == 1
