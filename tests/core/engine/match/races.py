"""A table of peers in one process and in made-up time: an ordered log, lines that take their time, hands.

Only the simulation lives here; what must hold stands in `test_reflexes`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tavolata import N_, Choice, Counters, Game, Outcome, Reaction, Table, one_of
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import NUMBER, REACT, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.updates import WindowClosed, WindowOpened
from tavolata._engine.match.window_timing import WindowTiming
from tavolata._engine.match.worlds import new_match
from tavolata.options import Options
from tavolata.reaction_times import GOES
from tavolata.windows import Window

BANG = one_of([Choice(True, N_("bang"))])


class Race(Game[Options]):
    """A number, and a window; so many times."""

    name, title, seats = "race", N_("Race"), (1, 8)
    rounds = 3
    goes = False
    first: list[Reaction | None]
    counts: Counters

    def setup(self, t: Table[Options]) -> None:
        """Nobody has won yet."""
        self.winners: list[int] = []
        self.times: list[int] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Whoever is fastest is noted, with the time that counted; who goes on is -1."""
        await t.randrange(2)
        order = list(t.ring)
        go = order[t.turn % len(order)] if self.goes else None
        first = await t.react(dict.fromkeys(order, BANG), go=go, seconds=None if self.goes else 30)
        self.winners.append(-1 if first is None else int(first.seat))
        self.times.append(-1 if first is None else first.milliseconds)
        return Outcome(()) if t.turn + 1 == self.rounds else None


@dataclass
class Hand:
    """A peer and its person.

    Attributes:
        line: seconds to the leader, one way.
        draws: seconds that its screen takes to draw.
        takes: by window, milliseconds that its person takes; None: it does nothing.
        claims: what it says instead; None for the truth.
        goes: whether its person goes on instead, when it is its move.
    """

    line: float = 0.0
    draws: float = 0.0
    takes: Sequence[int | None] = ()
    claims: int | None = None
    goes: bool = False


@dataclass
class Peer:
    """One peer of the simulation."""

    number: int
    hand: Hand
    match: Match
    timing: WindowTiming = field(init=False)
    opened: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)


class World:
    """Peers, each with one seat, and one log.

    Args:
        hands: the peers; the first one deals and keeps time.
        rounds: how many windows.
        goes: whether a seat has a move in each window.
    """

    def __init__(self, hands: Iterable[Hand], *, rounds: int = 3, goes: bool = False) -> None:
        class Here(Race):
            pass

        Here.rounds, Here.goes = rounds, goes
        self.now = 0.0
        self.log: list[MatchEntry] = []
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._dealt = 0
        self.peers: list[Peer] = []
        hands = list(hands)
        for number, hand in enumerate(hands):
            names = tuple(f"P{seat}" for seat in range(len(hands)))
            terms = Terms(names, Options(), parties=tuple(range(len(hands))))
            match = new_match(Here, terms, LogSource(len(hands), OneDealer()), lambda _: None)
            peer = Peer(number, hand, match)
            peer.timing = WindowTiming(
                match, self._speaker(peer), lambda: self.now, self._no_bot,
                lambda seat: int(1000 * hands[seat].line),
            )  # fmt: skip
            self.peers.append(peer)

    @staticmethod
    def _no_bot(window: Window, seat: int) -> None:
        raise AssertionError("nobody here is a bot")

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Do this so many seconds on."""
        heapq.heappush(self._queue, (self.now + seconds, next(self._numbers), act))

    def _speaker(self, peer: Peer) -> Callable[[MatchEntry], None]:
        return lambda entry: self.after(peer.hand.line, lambda: self.order(entry))

    def order(self, entry: MatchEntry) -> None:
        """The leader appends an entry; each peer has it when its line has brought it."""
        self.log.append(entry)
        for peer in self.peers:
            self.after(peer.hand.line, self._bring(peer, entry))

    def _bring(self, peer: Peer, entry: MatchEntry) -> Callable[[], None]:
        def feed() -> None:
            if not peer.match.over:
                peer.match.feed(entry)
                self.look(peer)

        return feed

    def look(self, peer: Peer) -> None:
        """Have a peer do what is due, and its face show what is new."""
        want = peer.match.source.wants
        if peer.number == 0 and want is not None and want.at >= self._dealt and not peer.match.over:
            self._dealt = want.at + 1
            self.after(peer.hand.line, lambda: self.order((NUMBER, want.number, 0)))
        for update in [*peer.timing.closings(), *peer.timing.opening((peer.number,))]:
            if isinstance(update, WindowOpened):
                peer.opened.append(self.now)
                self._show(peer, update.window, update.mine)
            else:
                assert isinstance(update, WindowClosed)
        due = peer.timing.work((peer.number,), (), keeps_time=peer.number == 0)
        if due is not None:
            self.after(due + 0.001, lambda: self.look(peer))

    def _show(self, peer: Peer, window: Window, mine: tuple[int, ...]) -> None:
        """The screen draws the window; the person presses when it has."""
        number = len(peer.opened) - 1

        def drawn() -> None:
            peer.drawn.append(self.now)
            peer.timing.drawn(window.id)
            taken = peer.hand.takes[number] if number < len(peer.hand.takes) else None
            if taken is not None and mine:
                self.after(taken / 1000, lambda: press(taken))
            self.look(peer)

        def press(taken: int) -> None:
            said = taken if peer.hand.claims is None else peer.hand.claims
            goes = peer.hand.goes and window.go == peer.number
            if window.may(peer.number):
                peer.timing.react(window.id, peer.number, GOES if goes else 0, said)
            self.look(peer)

        self.after(peer.hand.draws, drawn)

    def run(self, seconds: float = 600.0) -> World:
        """Let time pass until all matches are over, or so long."""
        for peer in self.peers:
            peer.match.run()
            self.look(peer)
        while self._queue and self._queue[0][0] < seconds:
            self.now, _, act = heapq.heappop(self._queue)
            act()
            if all(peer.match.over for peer in self.peers):
                break
        return self

    def results(self, what: str) -> list[Any]:
        """An attribute of the game, equal on all peers."""
        found = [getattr(peer.match.game, what) for peer in self.peers]
        assert found
        assert all(one == found[0] for one in found), found
        return list(found[0])

    def claims(self) -> list[MatchEntry]:
        """The reactions in the order in which they came."""
        return [entry for entry in self.log if entry[0] == REACT]
