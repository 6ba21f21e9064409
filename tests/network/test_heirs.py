"""A table outlives its host: found, joined and played at the next one."""

from __future__ import annotations

import pytest

from .lan import Lan
from .table import Hall
from .test_finding import looked, opened


@pytest.mark.long
def test_the_table_is_found_where_its_heir_is(hall: Hall, lan: Lan) -> None:
    """The host leaves; whoever looks for tables afterwards finds the heir's address, and sits down there."""
    host = opened(hall, lan, 1, "tricks", "--seats", "3", typed=True)
    ann = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", home="ann", typed=True, before=lan.inside(2))
    host.expect("2 of 3 seats taken")
    bob = hall.run("-v", "join", "10.86.0.1", "--as", "Bob", home="bob", typed=True, before=lan.inside(3))
    host.expect("3 of 3 seats taken")
    host.type("leave")
    assert host.done() == 0
    ann.expect("Ann is the host now")
    for _ in range(3):
        found, _ = looked(hall, lan, 3)
        if found:
            break
    assert [(one["name"], one["free"]) for one in found] == [("Ann", 1)]
    assert found[0]["address"].startswith("10.86.0.2:")
    cy = hall.run("-v", "join", found[0]["address"], "--as", "Cy", typed=True, before=lan.inside(1))
    cy.expect("3 of 3 seats taken")
    ann.type("start")
    for one in (ann, bob, cy):
        one.expect("How many do you take")
