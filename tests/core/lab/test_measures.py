"""The measures of an experiment: what is counted, and by which count it is known who led."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tavolata import N_, Game, Options, Outcome, Seat, Table, View, one_of
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._lab.course import Course
from tavolata._lab.measures import measure
from tavolata._lab.trial import DECIDE, DOUBLING, LOOK, Arm, try_out
from tavolata.bots import Chance, RandomBot, Reflex, Window


def test_who_led_is_told_by_the_count_that_names_the_winners() -> None:
    """What another count says of the same matches is left out."""
    catalogue, arm = Catalogue(), Arm("", ("random", "random"))
    one = try_out(catalogue.game("zompa").game, catalogue.bots("zompa"), [arm], (0, 0), 7)
    points, luck = (
        Course("points", 3, 0.5, True, False, 0.75, 1.0),
        Course("luck", 9, 0.1, False, False, 0.5, 0.5),
    )
    found = measure([replace(one, courses=(points, luck)), replace(one, courses=(points,))], arm)
    assert found.leader == "points"
    assert found.course["lead_changes"].value == 3
    assert found.course["comeback"].value == 1.0


def test_places_of_a_team_are_no_evidence_of_each_other() -> None:
    """Two teams of three that win together tell as much of their places as two players who win alone."""
    catalogue, pair = Catalogue(), Arm("", ("random", "random"))
    one = try_out(catalogue.game("zompa").game, catalogue.bots("zompa"), [pair], (0, 0), 7)
    one = replace(one, statistics={}, series={}, scores=None, ranks=None, courses=())
    firsts = [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0]
    alone = [replace(one, seed=at, first=0, winners=(won,)) for at, won in enumerate(firsts)]
    together = [
        replace(one, seed=at, first=at % 6, levels=("random",) * 6, winners=(won, won + 2, won + 4))
        for at, first in enumerate(firsts)
        for won in [(first + at) % 2]
    ]
    found = measure(together, Arm("", ("random",) * 6, teams=2))
    assert found.by_chance == pytest.approx(measure(alone, pair).by_chance)
    assert found.drawishness.value == 0


class Answers(Game[Options]):
    """Each player chooses one of four, one after the other."""

    name, title, seats = "answers", N_("Answers"), (3, 3)

    def setup(self, t: Table[Options]) -> None:
        """Nothing is on the table."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        for seat in t.ring:
            await t.ask(seat, one_of([1, 2, 3, 4]))
        return Outcome(tuple(t.ring))


class Together(Answers):
    """The same, all at once."""

    name = "together"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.ask_all(dict.fromkeys(t.ring, one_of([1, 2, 3, 4])))
        return Outcome(tuple(t.ring))


def test_of_those_who_answer_at_once_only_the_slowest_takes_time() -> None:
    """Three people who choose at the same time are as quick as one."""
    arm = Arm("", ("random",) * 3)
    slow, quick = (
        try_out(game, {"random": RandomBot}, [arm], (0, 0), 7).seconds for game in (Answers, Together)
    )
    assert slow - quick == 2 * (DECIDE + 2 * DOUBLING)


class Slaps(Answers):
    """Who is fastest wins."""

    name = "slaps"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.react({seat: one_of([True]) for seat in t.ring}, N_("Now!"), seconds=5)
        return Outcome(())


class Quick(RandomBot):
    """It takes a second, and a little more at each seat."""

    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        return Reflex(True, 1000 + 50 * int(view.seat or 0))


def test_those_who_react_at_once_take_the_time_of_the_slowest() -> None:
    """Three hands take no more than the last; who begins is drawn, which is looked at."""
    assert try_out(Slaps, {"quick": Quick}, [Arm("", ("quick",) * 3)], (0, 0), 7).seconds == LOOK + 1.1


class EverybodyWins(Answers):
    """All play together, and win."""

    name = "everybody-wins"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.ask(t.first_seat, one_of([1, 2]))
        return Outcome(self.won(t), series={N_("Points"): ((1, 2, 3), (4, 5, 6))})

    def won(self, t: Table[Options]) -> tuple[Seat, ...]:
        return tuple(t.ring)


class NobodyWins(EverybodyWins):
    """All play together, and lose."""

    name = "nobody-wins"

    def won(self, t: Table[Options]) -> tuple[Seat, ...]:
        return ()


def test_a_series_counts_no_zeros_for_seats_that_there_are_not() -> None:
    """Where all win there are no others, where all lose no winners: neither has a mean of such a match."""
    arm = Arm("", ("random",) * 3)
    won, lost = (
        try_out(game, {"random": RandomBot}, [arm], (0, number), 7)
        for number, game in enumerate((EverybodyWins, NobodyWins))
    )
    course = [2.0] * 6 + [5.0] * 5
    assert measure([won], arm).series == {"Points": (course, [])}
    assert measure([lost], arm).series == {"Points": ([], course)}
    assert measure([won, lost], arm).series == {"Points": (course, course)}
