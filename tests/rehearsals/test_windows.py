"""Windows between laptops: the fastest person is first, however long the line; who lies gains nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rehearsals.family import NAMES
from tests.rehearsals.laptops import here
from tests.rehearsals.people import AtLines, Json, Ways
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BOB, HOST, Scene, played
from typing_extensions import override

from tavolata._engine.match.entries import REACT
from tavolata._engine.match.window_timing import WindowTiming
from tavolata._engine.peer.peer import PeerSession
from tavolata.reaction_times import GOES

pytestmark = pytest.mark.battery

HANDS = Path(__file__).with_name("quick_hands.py")
FAR = Plan(5, "hands", (Seat(Face.JSON), Seat(Face.JSON)), dealer="host", limit=3000.0)
Claims = list[tuple[int, int]]
"""The seats that react in a window and the milliseconds that they claim, as they come."""


class Hand(AtLines):
    """Somebody who presses so many seconds after each window is shown as `takes` says."""

    takes: Callable[[], float]

    @override
    def _react(self, window: Json) -> None:
        if window["seats"]:
            said = {"type": "react", "id": window["id"], "answer": 0}
            asyncio.get_running_loop().call_later(self.takes(), self.type, json.dumps(said))


class Hands(Scene):
    """Two play the game of quick hands, the second over a line that takes `delay` seconds each way.

    Attributes:
        claims: what was claimed in each window.
    """

    file = HANDS

    def __init__(self, plan: Plan, delay: float, *takes: Callable[[], float]) -> None:
        super().__init__(plan)
        self.claims: list[Claims] = []
        self._takes = dict(zip(NAMES, takes, strict=False))
        for pair in ((HOST, ANN), (ANN, HOST)):
            self.world.network.link(*pair).delay = (delay, delay)

    @override
    def _person(self, session: PeerSession, name: str, seat: Seat, ways: Ways, shown: Any) -> AtLines:
        hand = Hand(name, self.world.stream(f"person {name}"), ways, shown, session, Face.JSON)
        hand.takes = self._takes[name]
        return hand

    @override
    def _check_files(self) -> None:
        super()._check_files()
        [kept] = self.kept[HOST]
        came: dict[int, Claims] = {}
        for entry in kept.entries:
            if entry[0] == REACT:
                came.setdefault(entry[2], []).append((entry[1], entry[4]))
        self.claims = [*came.values()]


def hand(seed: int, fastest: float, slowest: float) -> Callable[[], float]:
    """Return reaction times from a seed."""
    chance = random.Random(seed)
    return lambda: chance.uniform(fastest, slowest)


def by_chance(wins: int, games: int) -> float:
    """Return how likely two equal players part at least so far as this: the exact two-sided binomial test."""
    far = abs(2 * wins - games)
    return sum(comb(games, k) for k in range(games + 1) if abs(2 * k - games) >= far) / (1 << games)


@pytest.mark.parametrize("delay", [0.04, 0.08])
def test_the_same_hands_win_as_often_over_a_long_line(delay: float) -> None:
    """The shares differ by no more than chance explains; by order of arrival the near one would win."""
    rounds, slowest = 120, 0.12 + 1.5 * delay  # the far one at its fastest comes after the near one
    plan = replace(FAR, options={"rounds": rounds})
    evening = played(Hands(plan, delay, hand(1, 0.12, slowest), hand(2, 0.12, slowest)))
    points = evening.ends[0]["outcome"]["scores"]
    assert sum(points) == rounds
    assert by_chance(points[0], rounds) > 0.001, points
    first_come = sum(window[0][0] == 0 for window in evening.claims)
    assert first_come > 0.9 * rounds


def test_a_liar_gains_nothing_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 400 ms and claims 1 ms over a long line: once that is measured, 250 honest ms are less."""
    honest = WindowTiming.react

    def lie(timing: WindowTiming, window: int, seat: int, answer: Any, milliseconds: int) -> None:
        computer = here()
        is_liar = computer is not None and computer.name == ANN
        honest(timing, window, seat, answer, 1 if is_liar else milliseconds)

    monkeypatch.setattr(WindowTiming, "react", lie)
    evening = played(Hands(replace(FAR, options={"rounds": 8}), 0.04, lambda: 0.25, lambda: 0.4))
    assert len(evening.claims) == 8
    assert all((1, 1) in window for window in evening.claims), evening.claims
    first = [line for line in evening.lines[HOST] if "was first" in line]
    assert len(first) == 8
    assert not [line for line in first[2:] if '"Host was first' not in line]


LAYS = {"cap": 50, "hurry": 0, "double": "off", "sandwich": "off", "bigmac": "on"}
BANG = Plan(5, "bang", (Seat(Face.JSON),) * 3, LAYS)


class Layer(AtLines):
    """Somebody who lays cards as soon as they can, and never bangs.

    Attributes:
        holds: whether they keep their hands off the next window.
        window: the last window that they saw.
        since: when that was.
    """

    holds = True
    window: Json | None = None
    since = 0.0

    @override
    def _react(self, window: Json) -> None:
        self.window, self.since = window, self.at
        if not self.holds:
            self.go_on()

    def go_on(self) -> None:
        """Lay the next card, if it's their move."""
        self.holds = False
        if self.window is not None and self.window["go"] in self.session.people:
            self.soon(self._press, self.window["go"], GOES)

    def bang(self) -> float:
        """Bang in the open window, whatever lies there; return the milliseconds since it was shown."""
        self._press(self.session.people[0], 0)
        return 1000 * (self.at - self.since)

    def _press(self, seat: int, answer: int) -> None:
        assert self.window is not None
        said = {"type": "react", "id": self.window["id"], "seat": seat, "answer": answer}
        self.type(json.dumps(said))


class Pile(Scene):
    """A table of Bang with an open window after the first card, in which nobody has pressed yet.

    Attributes:
        took: the milliseconds of the first bang.
        banged: by name, the milliseconds that it counts, as they read it.
        waited: by name, the seconds from the bang until they read that.
    """

    def __init__(self, plan: Plan, script: Callable[[Pile], Awaitable[None]]) -> None:
        super().__init__(plan, script)
        self.took = 0.0
        self.banged: dict[str, int] = {}
        self.waited: dict[str, float] = {}

    @override
    def _person(self, session: PeerSession, name: str, seat: Seat, ways: Ways, shown: Any) -> AtLines:
        return Layer(name, self.world.stream(f"person {name}"), ways, shown, session, Face.JSON)

    def layer(self, name: str) -> Layer:
        person = self._people[name][0]
        assert isinstance(person, Layer)
        return person

    async def dies_and_another_bangs(self, name: str, other: str, *rest: str) -> None:
        """Wait for the window, kill a machine in it, and have somebody bang, as the others read then."""
        await self.wait(3.0)
        await self.until(lambda: all(self.layer(one).window is not None for one in (name, other, *rest)))
        self.kill(name)
        at = self.clock
        self.took = self.world.computers[other].within(self.layer(other).bang)
        pattern = rf"{other} bangs after (\d+) ms, for no reason"
        for one in (other, *rest):
            self.waited[one] = await self.read(pattern, one, within=20) - at
            [found] = self.has(one, pattern)
            self.banged[one] = int(found[1])

    async def to_the_end(self, *names: str) -> None:
        for name in names:
            self.layer(name).go_on()
        await self.until(self._is_over)


def test_the_host_is_killed_inside_a_window() -> None:
    """The others decide it, nobody's time is doubted for the delay, and they play on to the end."""

    async def script(pile: Pile) -> None:
        await pile.dies_and_another_bangs(HOST, ANN, BOB)
        await pile.read("Host is away: ", BOB, within=30)
        await pile.to_the_end(ANN, BOB)

    pile = played(Pile(BANG, script))
    assert pile.banged == pytest.approx(dict.fromkeys((ANN, BOB), pile.took), abs=10)
    assert pile.report.finished == 2


def test_a_guest_is_killed_inside_a_window_and_comes_back() -> None:
    """The window is decided without it, once it's away; back, it has the same match, to its end."""

    async def script(pile: Pile) -> None:
        await pile.dies_and_another_bangs(ANN, HOST)
        pile.join(ANN)
        await pile.read('"again":true', ANN)
        await pile.to_the_end(HOST, ANN)

    pile = played(Pile(replace(BANG, seats=BANG.seats[:2], dealer="host"), script))
    assert pile.waited[HOST] < 8, pile.waited
    assert pile.has(HOST, "Ann is away")
    assert pile.report.finished == 2
    assert pile.ends[0] == pile.ends[1]
