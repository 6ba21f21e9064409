"""The report about an experiment: its sentences hold for one pair of matches, one seat, and no winner."""

from __future__ import annotations

from collections.abc import Sequence

from tests.core.lab.test_measures import Answers, EverybodyWins

from tavolata import N_, YES_NO, Game, Options, Outcome, Table
from tavolata._lab.blocks import lines
from tavolata._lab.crew import Experiment
from tavolata._lab.measures import compare, measure
from tavolata._lab.report import ReportWriter
from tavolata._lab.trial import Arm, try_out
from tavolata._ui.i18n import Translator
from tavolata.bots import RandomBot


def report(
    game: type[Game[Options]], arms: Sequence[str] = ("",), matches: int = 1, played: Sequence[int] = ()
) -> list[str]:
    """The lines about matches of random bots, which a screen reader says; `played` are the arms played."""
    these = [Arm(name, ("random",) * game.seats[1]) for name in arms]
    trials = [
        try_out(game, {"random": RandomBot}, these, (arm, number), 7)
        for number in range(matches)
        for arm in played or range(len(arms))
    ]
    by_arm = {at: [one for one in trials if one.arm == at] for at in range(len(arms))}
    measures = {at: measure(those, these[at]) for at, those in by_arm.items() if those}
    differences = compare(trials, these) if len(arms) > 1 else []
    made = dict.fromkeys(("date", "command", "version", "game", "game_version", "rules_id", "seed"), "1")
    writer = ReportWriter(
        Translator("en").text, "", Experiment(game.name, b"", tuple(these), matches, 7, 1.0), made
    )
    chapters = writer.chapters(measures, differences, None, whole=True)
    return [*lines("Report", chapters, heard=True)]


class Once(Answers):
    """The first seat is asked once in the first match of all, and twice in the others."""

    name, asked = "once", 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        Once.asked += 1
        for _ in range(min(Once.asked, 2)):
            await t.ask(t.first_seat, YES_NO)
        return Outcome((t.first_seat,))


def test_a_single_pair_of_matches_has_no_interval() -> None:
    """One difference says nothing of how differences vary, so there are no brackets behind it."""
    Once.asked = 0
    said = report(Once, ("a", "b"))
    assert "questions: a 1.00, b 2.00, Change +1.00" in said
    assert "b against a, in 1 pair of matches:" in said
    Once.asked = 0
    assert any("Change +0.50 (" in line for line in report(Once, ("a", "b"), matches=2))


class Patience(Answers):
    """For one player, with a count that a leader could have."""

    name, seats = "patience", (1, 1)

    def setup(self, t: Table[Options]) -> None:
        self.points = [0]

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.ask(t.first_seat, YES_NO)
        return Outcome((t.first_seat,)) if t.turn else None


def test_a_single_seat_is_compared_with_nobody() -> None:
    """Its report has no places, no fair share, no leader, and no verdict of fairness."""
    said = " ".join(report(Patience, ("a", "b"), matches=3))
    for word in ("place", "fair", "seat 1", "counts as leading"):
        assert word not in said, word
    assert "completion: someone wins: Value 100.0 %" in said


def test_an_arm_without_its_pair_has_its_name() -> None:
    """After Ctrl+C a sweep may have matches of one arm alone: each chapter says of which."""
    said = report(EverybodyWins, ("a", "b"), played=[1])
    assert "Compared" in said
    assert "b: Wins" in said
    assert "Length" not in said


class Drawn(Answers):
    """The first seat wins the first match of all; the others are draws, which nobody wins."""

    name, seats, ended = "drawn", (2, 2), 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        Drawn.ended += 1
        await t.ask(t.first_seat, YES_NO, N_("Well?"))
        return Outcome((t.first_seat,) if Drawn.ended == 1 else ())


def test_a_fair_share_is_one_of_the_matches_that_somebody_won() -> None:
    """Where three of four matches are drawn, neither of two players has less than its share."""
    Drawn.ended = 0
    assert "fair share: 12.5%" in report(Drawn, matches=4)


def test_a_course_that_nobody_has_is_not_drawn() -> None:
    """Where all win, the others have no curve."""
    said = report(EverybodyWins)
    assert "winners: 2.00, 2.00, 2.00, 2.00, 2.00, 2.00, 5.00, 5.00, 5.00, 5.00, 5.00" in said
    assert not [line for line in said if line.startswith("others")]
