"""Whatever fewer than t conspirators do in a match of hidden hands, nobody else's cards move, and it ends."""

from __future__ import annotations

import pytest
from tests.core.explore.test_attacks import lots_anew
from tests.core.explore.walks import Broken, Walk

from tavolata._engine.dealing.lots import Lots

pytestmark = pytest.mark.battery

TABLES = [(3, 1), (4, 1), (4, 2), (2, 1)]


@pytest.mark.parametrize("mute", [False, True])
@pytest.mark.parametrize(("parties", "conspirators"), TABLES)
def test_an_adversary_walks_through_a_match(parties: int, conspirators: int, *, mute: bool) -> None:
    """Lies, cuts, withheld steps, stopped machines: no card is opened that may not be, and the match ends."""
    walk = Walk(parties, conspirators, 1)
    walk.run(40, mute=mute)
    assert walk.done["lie"]
    assert walk.world.log
    assert mute or walk.lots


@pytest.mark.parametrize(("parties", "conspirators", "seed"), [(3, 1, 3), (4, 2, 1), (4, 2, 5)])
def test_a_walk_finds_a_lot_that_is_drawn_anew(
    parties: int, conspirators: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a lot gets new keys when somebody of its crew is away, who goes and comes back draws it again."""
    monkeypatch.setattr(Lots, "value", lots_anew)
    with pytest.raises(Broken, match="is drawn anew"):
        Walk(parties, conspirators, seed).run(40, mute=False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(("parties", "conspirators"), [*TABLES, (5, 3), (6, 3)])
def test_an_adversary_walks_through_many_matches(parties: int, conspirators: int, seed: int) -> None:
    """The same with other choices, for the conspirators that play on and for those that fall silent."""
    for mute in (False, True):
        Walk(parties, conspirators, seed).run(40, mute=mute)
