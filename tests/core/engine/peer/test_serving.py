"""A machine whose own player is away from the keyboard votes as the people it serves wish."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tavolata._engine.peer.serving import COUNT, IDLE, Serving
from tavolata._engine.table import log_bodies
from tavolata._engine.table.continuation import CleanSnapshot, Continuation
from tavolata._engine.table.log_bodies import KEY_SIZE, TAG_SIZE, Light, Place, Wish
from tavolata._engine.table.matches import Matches
from tavolata._engine.table.roster import TableRoster
from tavolata._engine.table.wishes import Wishes
from tavolata._text import Verbatim

ME = bytes(KEY_SIZE)
PHONES = [bytes([number]) * TAG_SIZE for number in (1, 2, 3)]


class Room:
    """One laptop with its player and three phones; the votes it proposes take effect at once."""

    def __init__(self) -> None:
        self.now = 0.0
        self.roster = TableRoster(ME, deque())
        self.roster.places = [
            Place(Verbatim("Emma"), ME),
            *(Place(Verbatim(f"P{n}"), ME, companion=tag) for n, tag in enumerate(PHONES)),
        ]
        match = SimpleNamespace(source=SimpleNamespace(open=[]))
        running = SimpleNamespace(match=match)
        self.matches = SimpleNamespace(
            running=running,
            standing=running,
            played=1,
            stopping=set(),
            continuation=Continuation(),
            dealing=SimpleNamespace(present=(ME,)),
        )
        self.wishes = Wishes(self.roster, cast("Matches", self.matches))
        self.said: list[str] = []
        self.refuses = False
        """The table refuses what the machine proposes."""
        state = SimpleNamespace(me=ME, roster=self.roster, matches=self.matches, wishes=self.wishes)
        machine: Any = SimpleNamespace(
            state=state, has_part=True, why_not_continue=lambda: None,
            wish_continuation=lambda: self.said.append("without"),
            why_not_go_back=lambda: None, wish_to_go_back=self._go_back,
            playing=SimpleNamespace(vote_to_end=lambda: self.said.append("end")),
        )  # fmt: skip
        link: Any = SimpleNamespace(now=lambda: self.now, propose=self._propose, tick_in=lambda _: None)
        self.serving = Serving(machine, link)

    def _propose(self, verb: int, yes: bool) -> bool:
        assert verb == log_bodies.SUSPEND
        if not self.refuses:
            (self.matches.stopping.add if yes else self.matches.stopping.discard)(ME)
        self.said.append(f"stop {yes}")
        return True

    def _go_back(self) -> None:
        wishes = self.matches.continuation.wishes
        if wishes.pop(ME, None) is None:
            wishes[ME] = frozenset()
        self.said.append(f"back {ME in wishes}")

    def wish(self, wish: Wish, *phones: int, yes: bool = True) -> None:
        for number in phones:
            self.wishes.say(ME + PHONES[number], int(wish), -1, yes)

    def after(self, seconds: float) -> list[str]:
        """What it has voted after that time, second by second."""
        self.said.clear()
        for _ in range(round(seconds)):
            self.now += 1.0
            self.serving.work()
        return list(self.said)


def test_a_vote_that_the_table_refuses_is_repeated_seldom() -> None:
    """Not at every entry of the log, of which each refusal is one; and never while the machine is out."""
    room = Room()
    room.refuses = True
    room.wish(Wish.STOP, 0, 1)
    said = room.after(IDLE + 45)
    assert set(said) == {"stop True"}
    assert 2 <= len(said) <= 5
    room.matches.dealing.present = ()
    assert room.after(60) == []


def test_most_phones_stop_a_match_after_a_count_while_the_owner_is_idle() -> None:
    """One of three stops nothing; an owner who presses keys is asked; anyone can hold it once."""
    room = Room()
    room.wish(Wish.STOP, 0)
    assert room.after(IDLE + 30) == []
    room.serving.stirred_at = room.now
    room.wish(Wish.STOP, 1)
    assert room.after(IDLE - 2) == []
    counts = [room.serving.stops_in]
    room.after(3)
    counts.append(room.serving.stops_in)
    assert counts[0] is None
    assert counts[1] is not None
    assert 0 < counts[1] <= COUNT
    room.wish(Wish.STOP, 2, yes=False)
    assert room.after(30) == []
    room.wish(Wish.STOP, 0, 1)
    assert room.after(COUNT - 1) == []
    assert room.after(3) == ["stop True"]
    room.wish(Wish.STOP, 0, yes=False)
    assert room.after(3) == ["stop False"]


@pytest.mark.parametrize("light", [Light.ASLEEP, Light.GONE])
def test_phones_that_are_not_here_do_not_count(light: Light) -> None:
    """Of one phone that's here, one is more than half."""
    room = Room()
    room.roster.lights = dict.fromkeys((ME + PHONES[1], ME + PHONES[2]), light)
    room.wish(Wish.STOP, 1)
    assert room.after(IDLE + COUNT + 2) == []
    room.wish(Wish.STOP, 0)
    assert room.after(COUNT + 2) == ["stop True"]


def test_all_have_to_wish_for_the_end_and_most_to_continue_without_the_missing() -> None:
    """Each is said once, however long they wish it; the owner who has no seat isn't asked."""
    room = Room()
    room.roster.places[0].level = "easy"
    room.wish(Wish.END, 0, 1)
    assert room.after(5) == []
    room.wish(Wish.END, 2)
    assert room.after(5) == ["end"]
    room.wish(Wish.WITHOUT, 0, 2)
    assert room.after(5) == ["without"]
    room.matches.running = None
    assert room.after(5) == []


def test_most_phones_take_a_match_back_and_their_wish_falls_with_the_turn() -> None:
    """One of three moves nothing, two do, and may think better of it; in a match that broke likewise."""
    room = Room()
    room.wish(Wish.BACK, 0, 1)
    assert room.after(IDLE + 5) == []  # no turn has ended
    for turn, running in ((2, room.matches.running), (3, None)):
        room.matches.continuation.snapshot = CleanSnapshot(b"", turn, b"")
        room.matches.running = running
        assert room.wishes.of(Wish.BACK) == ()
        room.wish(Wish.BACK, 0)
        assert room.after(5) == []
        room.wish(Wish.BACK, 1)
        assert room.after(5) == ["back True"]
        room.wish(Wish.BACK, 1, yes=False)
        assert room.after(5) == ["back False"]
        room.wish(Wish.BACK, 1)
        assert room.after(5) == ["back True"]
        room.matches.continuation.wishes.clear()  # as the end of a turn does
    room.serving.stirred_at = room.now
    room.matches.continuation.snapshot = CleanSnapshot(b"", 4, b"")
    room.wish(Wish.BACK, 0, 1, 2)
    assert room.after(5) == []  # the owner decides
