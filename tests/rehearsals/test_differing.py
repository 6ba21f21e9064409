"""Tables where the game of one machine differs: everybody is told, and nothing counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rehearsals.laptops import here
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BOB, HOST, Coded, knowing, played
from typing_extensions import override

from tavolata._cli.failures import FINISHED, WRONG
from tavolata._engine.storage import match_file
from tavolata._machine import disk

pytestmark = pytest.mark.battery

THREE = Plan(3, "tricks", (Seat(Face.PLAIN), Seat(Face.JSON), Seat(Face.PLAIN)), dealer="host")
VOID = re.compile(
    "copies of the match differ (?:after log|at) entry|divergono (?:dopo la|a partire dalla) voce"
)


DRIFTS = frozenset({"replicas agree", "replicas tell one story", "honest machines store the same outcome"})
"""What doesn't hold where a machine counts otherwise."""


class Differing(Coded):
    """On Bob's machine, each trick counts double.

    Attributes:
        details: by machine, the files about what differs: where they are, and their text.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.details: dict[str, list[tuple[str, str]]] = {}

    @override
    def _language(self, who: str) -> str:
        return "it" if who == HOST else "en"

    @override
    def break_(self, name: str, who: str, seen: str) -> None:
        if name not in DRIFTS:
            super().break_(name, who, seen)

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for name, computer in self.world.computers.items():
            self.details[name] = computer.within(_details)


def _details() -> list[tuple[str, str]]:
    found = disk().find(match_file.folder(), "*-differs.txt")
    return [(str(path), disk().read(path).decode()) for path in found]


@pytest.fixture(autouse=True)
def _drifts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with knowing() as rules:
        trick = rules.trick  # type: ignore[attr-defined] # these are the rules of Sealed Tricks

        async def counts_double(game: Any, t: Any, leader: Any) -> Any:
            winner = await trick(game, t, leader)
            computer = here()
            if computer is not None and computer.name == BOB:
                game.bank.pay(1, game.taken[winner])
            return winner

        monkeypatch.setattr(rules, "trick", counts_double)
        yield


@pytest.mark.parametrize("hands", [1, 40], ids=["seen after the end", "seen in the match"])
def test_a_match_of_replicas_that_differ_is_void_on_all(hands: int) -> None:
    """In lines, JSON and Italian all read so in one short sentence, with the details in a file."""
    evening = played(Differing(replace(THREE, options={"hands": hands})))
    for name in evening.names:
        [told] = filter(VOID.search, evening.lines[name])
        [(path, details)] = evening.details[name]
        assert path in told
        assert len(told) < 800
        assert "The public state here, now:" in details
        [kept] = evening.kept[name]
        assert kept.end is not None
        assert kept.end["outcome"] is None
    assert evening.codes == dict.fromkeys(evening.names, WRONG)


def test_who_only_watches_and_differs_says_so() -> None:
    """A watcher's screen may be wrong, or one machine may lie: the match is as good as before."""
    seats = (*THREE.seats[:2], Seat(watches=True))
    evening = played(Differing(replace(THREE, seats=seats, options={"hands": 3})))
    assert evening.has(BOB, "your match differs from")
    ends = [kept.end for name in (HOST, ANN) for kept in evening.kept[name]]
    assert len(ends) == 2
    assert ends[0] == ends[1]
    assert ends[0] is not None
    assert ends[0]["outcome"] is not None
    assert [evening.codes[name] for name in (HOST, ANN)] == [FINISHED, FINISHED]
