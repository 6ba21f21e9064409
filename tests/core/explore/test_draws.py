"""However many conspire, each further reading of an order or a coin is paid for, and no match hangs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.core.explore.draws import DrawWalk
from tests.core.explore.people import Broken

from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.piles import PileMaking

pytestmark = pytest.mark.battery

TABLES = [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2), (4, 3)]


@pytest.mark.parametrize(("parties", "conspirators"), TABLES)
def test_each_further_reading_is_paid_for(parties: int, conspirators: int) -> None:
    """Refusals, silence and leaving, by seeds; then they play along, or are mute."""
    purposes = Counter[str]()
    for seed in range(1, 4):
        walk = DrawWalk(parties, conspirators, seed)
        walk.run(mute=seed % 2 == 0)
        purposes.update(walk.readings.keys())
        assert walk.further == 0 or conspirators
    assert len(purposes) > 1


@pytest.mark.parametrize(("parties", "conspirators"), [(3, 2), (4, 3)])
def test_whoever_is_voted_out_of_a_draw_is_one_more_reading(parties: int, conspirators: int) -> None:
    """t conspirators vote an honest machine away while it owes its seed: that is counted, too."""
    for seed in (1, 2):
        walk = DrawWalk(parties, conspirators, seed, votes=True)
        walk.run(mute=False)
        assert walk.readings


def joins(self: PileMaking, authority: Authority) -> bool:
    """All who are here and have shuffled are the openers of each draw."""
    if not OPEN(self, authority):
        return False
    here = {self.keys.number_of(party) for party in self._here(authority)}
    self.chain.openers = tuple(number for number in self.chain.shufflers if number in here)
    return True


def forgives(self: Authority, party: int) -> None:
    """BACK makes refusals undone."""
    BACK(self, party)
    self._refusals[party] = 0


OPEN, BACK = PileMaking._open, Authority._back

MUTANTS: list[tuple[str, Any, str, Any]] = [
    ("refusals forgotten", Authority, "is_barred", lambda self, party: False),
    ("BACK among openers", PileMaking, "_open", joins),
    ("BACK undoes refusals", Authority, "_back", forgives),
]


@pytest.mark.parametrize(
    ("where", "name", "instead"), [one[1:] for one in MUTANTS], ids=[one[0] for one in MUTANTS]
)
def test_without_the_rule_a_bound_is_exceeded(
    where: Any, name: str, instead: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One rule is left out, and a walk finds more readings than it may, or refusals without end."""
    monkeypatch.setattr(where, name, instead)

    def walks() -> None:
        for seed in range(1, 12):
            DrawWalk(3, 2, seed).run(mute=False)

    with pytest.raises(Broken):
        walks()
