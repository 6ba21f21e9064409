"""The measures of an experiment: what is counted, and by which count it is known who led."""

from __future__ import annotations

from dataclasses import replace

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._lab.course import Course
from tavolata._lab.measures import measure
from tavolata._lab.trial import Arm, try_out


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
