"""What people in browsers wish for in a match: their machine has the vote, they only wish. Replicated."""

from __future__ import annotations

from typing import Final

from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.table.log_bodies import HERE, KEY_SIZE, MOST_WAITS, Wish
from tavolata._engine.table.matches import Matches
from tavolata._engine.table.roster import TableRoster
from tavolata.messages import N_

WISHES: Final = {
    Wish.STOP: N_("{name} would like to stop for today."),
    Wish.WITHOUT: N_("{name} would like to continue without the absent players."),
    Wish.END: N_("{name} would like to end the match."),
    Wish.BACK: N_("{name} would like to go back a turn."),
}
PLAYS_ON: Final = N_("{name} would rather play on.")
WAITS_LONGER: Final = N_("{name} gives {other} another minute.")


class Wishes:
    """The wishes in the running match. They fall with it, and while their author isn't there.

    Those to go back last until the next turn ends. They count in a match that broke, too.
    """

    def __init__(self, roster: TableRoster, matches: Matches) -> None:
        self._roster = roster
        self._matches = matches
        self._match, self._turn = 0, -1
        self._wishes: dict[Wish, dict[bytes, None]] = {}
        self._held: set[bytes] = set()
        self._waits: dict[int, tuple[int, int]] = {}

    def say(self, person: bytes, what: int, seat: int, yes: bool) -> None:
        """Take a wish or take it back: void from bots, spectators, and for an unknown wish or seat.

        Anyone who'd rather play on may take back everyone's wish to stop, once in a match.
        """
        place = self._roster.place_of(person)
        if what not in list(Wish) or not self._is_open(Wish(what)):
            return
        if place is None or not self._is_there(person):
            return
        if self._match != self._matches.played:
            self._match, self._wishes, self._held, self._waits = self._matches.played, {}, set(), {}
        wish = Wish(what)
        if wish is Wish.BACK and self._turn != self._back_to:
            self._turn = self._back_to
            self._wishes.pop(wish, None)
        wishing = self._wishes.setdefault(wish, {})
        if wish is Wish.WAIT:
            self._wait(place.name, seat, yes=yes)
        elif yes and person not in wishing and len(person) > KEY_SIZE:
            wishing[person] = None
            self._tell(WISHES[wish], place.name)
        elif not yes and person in wishing:
            del wishing[person]
            self._tell(PLAYS_ON, place.name)
        elif not yes and wish is Wish.STOP and wishing and person not in self._held:
            self._held.add(person)
            wishing.clear()
            self._tell(PLAYS_ON, place.name)

    def _wait(self, name: str, seat: int, *, yes: bool) -> None:
        ask, waits = self._asked(seat), self.waits(seat)
        if yes and ask is not None and self._roster.places[seat].companion and waits < MOST_WAITS:
            self._waits[seat] = ask, waits + 1
            self._tell(WAITS_LONGER, name, self._roster.places[seat].name)

    def _tell(self, message: str, name: str, other: str = "") -> None:
        self._roster.out += [Notice(message, {"name": name, "other": other}), LobbyChanged()]

    def of(self, wish: Wish) -> tuple[bytes, ...]:
        """Return the people who wish for it, in the order of their wishes."""
        falls = wish is Wish.BACK and self._turn != self._back_to
        if falls or not self._is_open(wish) or self._match != self._matches.played:
            return ()
        return tuple(filter(self._is_there, self._wishes.get(wish, ())))

    def _is_open(self, wish: Wish) -> bool:
        if wish is Wish.BACK:
            return self._matches.standing is not None and self._back_to >= 0
        return self._matches.running is not None

    @property
    def _back_to(self) -> int:
        """The turn to whose end the match could go back; -1 for none."""
        snapshot = self._matches.continuation.snapshot
        return -1 if snapshot is None else snapshot.turns

    def may_hold(self, person: bytes) -> bool:
        """Return True if this person may say once that they would rather play on."""
        return self._is_there(person) and (self._match != self._matches.played or person not in self._held)

    def waits(self, seat: int) -> int:
        """Return how often people have waited longer for the present answer of a seat."""
        ask, count = self._waits.get(seat, (-1, 0))
        return count if self._match == self._matches.played and ask == self._asked(seat) else 0

    def _is_there(self, person: bytes) -> bool:
        place = self._roster.place_of(person)
        return place is not None and place.level is None and place.status == HERE and not place.unattended

    def _asked(self, seat: int) -> int | None:
        running = self._matches.running
        asks = (
            () if running is None or not 0 <= seat < len(self._roster.places) else running.match.source.open
        )
        return next((ask.id for ask in asks if int(ask.seat) == seat and ask.box is None), None)
