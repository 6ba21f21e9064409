"""Whatever fewer than t conspirators do in a match of hidden hands, nobody else's cards move, and it ends."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.explore.test_attacks import crew_decides, has_the_crew, lots_anew
from tests.core.explore.walks import NAMES, Broken, Walk
from tests.core.games import Boasts, Liars

from tavolata import Game
from tavolata._engine.dealing import authority, key_rings
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid
from tavolata._engine.dealing.lots import Lots
from tavolata.cards import Card
from tavolata.errors import Refused
from tavolata_protocol.fair.keys import PublicKeys

pytestmark = pytest.mark.battery

TABLES = [(2, 1), (3, 1), (4, 1), (4, 2)]
WALKS: list[tuple[int, int, int, type[Game[Any]]]] = [
    (2, 1, 1, Peek), (2, 1, 5, Peek), (3, 1, 2, Peek), (3, 1, 3, Peek), (3, 1, 15, Peek), (4, 1, 1, Peek),
    (4, 2, 3, Peek), (3, 1, 4, Boasts),
]  # fmt: skip
"""Parties, conspirators, seed and game of the usual run; facts are said in the last one alone."""
DEALING = Path(authority.__file__).parent
NOT_REACHED = {
    "refused: seals.seal 1", "refused: seals.seal 2",
    "refused: key_making.judge 1",
    "refused: fair_dealing._equivocation 1", "refused: fair_dealing.take 2",
    "refused: fair_dealing.prepare 1",  # before a match: `test_first_keys`
    "COMPLAINT stands", "EQUIVOCATION stands", "FORCE stands", "PROOFS stands", "DONE stands",
}  # fmt: skip
"""What these walks need not reach; the first line is asked of the own machine only.

Shares that judge what was said are reached by the walks through a match with facts; that a machine waits for
them no longer takes a minute, and is tried by all and out of turn in `test_unproven`."""


def refusals() -> dict[tuple[str, int], str]:
    """By file and line, each place of the dealing where something is refused."""
    found = {}
    for file in sorted(DEALING.glob("*.py")):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            raised = [one for part in function.body for one in ast.walk(part) if isinstance(one, ast.Raise)]
            lines = sorted(one.lineno for one in raised if "Refused(" in ast.unparse(one))
            for number, line in enumerate(lines, 1):
                found[file.name, line] = f"refused: {file.stem}.{function.name} {number}"
    return found


def test_an_adversary_walks_through_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lies, cuts, withheld and false steps, stopped machines: no card is opened that may not be; all end.

    Together these walks reach every verb, standing and void, and every refusal of the dealing but those that
    are listed here. Decisions are counted in `test_people`.
    """
    places, reached = refusals(), set[str]()
    plain = Refused.__init__

    def noting(self: Refused, *words: Any, **named: Any) -> None:
        frame = sys._getframe(1)
        place = (Path(frame.f_code.co_filename).name, frame.f_lineno)
        reached.add(places.get(place, "refused elsewhere"))
        plain(self, *words, **named)

    monkeypatch.setattr(Refused, "__init__", noting)
    for parties, conspirators, seed, rules in WALKS:
        walk = Walk(parties, conspirators, seed, rules)
        walk.run(40, mute=seed % 2 == 0)
        assert walk.done["lie"]
        assert walk.world.log
        reached |= walk.reached.keys()
    verbs = {f"{verb} {how}" for verb in NAMES.values() for how in ("stands", "is void")}
    events = ("away", "out", "back", "vote AWAY", "vote TIME", "vote END")
    words = {f"decided: {event}" for event in events}
    assert {*places.values(), *verbs, *words} - reached <= NOT_REACHED


@pytest.mark.parametrize(("parties", "conspirators", "seed"), [(3, 1, 7), (4, 2, 7)])
def test_a_walk_finds_a_lot_that_is_drawn_anew(
    parties: int, conspirators: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a lot gets new keys when a holder is away, who goes and comes back draws it again."""
    monkeypatch.setattr(Lots, "value", lots_anew)
    with pytest.raises(Broken, match="is drawn anew"):
        Walk(parties, conspirators, seed).run(40, mute=False)


def test_a_walk_finds_keys_that_t_of_the_crew_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where t is counted from those who make the keys, an absence makes it fall."""
    monkeypatch.setattr(key_rings, "EpochKeys", crew_decides)
    monkeypatch.setattr(KeyRings, "_goes_on", has_the_crew)

    walk = Walk(4, 1, 1)
    with pytest.raises(Broken, match=r"2 of .1, 2, 3. open what is dealt, with 4 at the table"):
        walk.world.leave(4, OwnWord.OUT)


def test_a_walk_finds_what_t_conspirators_can_open() -> None:
    """The bound is where it is said to be: with one conspirator more the same invariant breaks."""
    with pytest.raises(Broken, match="the conspirators hold 2 shares"):
        Walk(3, 2, 1).run(40, mute=False)


@pytest.mark.parametrize(("parties", "conspirators", "seed"), [(3, 1, 4), (4, 2, 1)])
def test_an_adversary_walks_through_a_match_with_hidden_dice(
    parties: int, conspirators: int, seed: int
) -> None:
    """No conspirators hold t shares of a die that is not theirs, no throw recurs, and the match ends."""
    walk = Walk(parties, conspirators, seed, Liars)
    walk.run(40, mute=seed % 2 == 0)
    assert walk.done["lie"]
    assert len(walk.dice) > 2 * parties


@pytest.mark.parametrize(("parties", "conspirators", "seed"), [(3, 1, 1), (4, 2, 3)])
def test_an_adversary_walks_through_a_match_with_facts(parties: int, conspirators: int, seed: int) -> None:
    """Nobody honest is convicted of a lie, nothing is opened before it is judged, and the match ends."""
    walk = Walk(parties, conspirators, seed, Boasts)
    walk.run(40, mute=False)
    assert walk.done["lie"]
    assert "PROOFS stands" in walk.reached


def test_a_walk_finds_dice_that_are_thrown_as_they_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where shakes are not counted, the second one gives what the first gave."""

    def again(
        laid: Laid, dice: Sequence[Card[Any]], epoch: int, keys: PublicKeys, number: int, _: str
    ) -> None:
        counted(laid, dice, epoch, keys, number, "shake 0 of turn 0")

    counted = Laid.shaken
    monkeypatch.setattr(Laid, "shaken", again)
    with pytest.raises(Broken, match="is thrown as one lay before"):
        Walk(3, 1, 2, Liars).run(40, mute=False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(("parties", "conspirators"), [*TABLES, (5, 3), (6, 3)])
def test_an_adversary_walks_through_many_matches(parties: int, conspirators: int, seed: int) -> None:
    """The same with other choices, for the conspirators that play on and for those that fall silent."""
    for mute in (False, True):
        Walk(parties, conspirators, seed).run(40, mute=mute)
        Walk(parties, conspirators, seed, Liars).run(40, mute=mute)
