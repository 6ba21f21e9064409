"""All keys of a match, and when new keys are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.source import Stamp
from tavolata.errors import Refused


class KeyRings:
    """All keys of a match.

    They are made before the first step of the dealing, and again when all cards of a kind are shuffled and
    the holders or t would be different. The holders are the parties that take part in this deal; with fewer
    than t of them no keys are made, and the match waits.

    `log` returns the place in the log of the entry that was acted on last. `lineage` is that in which the
    match began. `done` has the finished keys, by epoch; `making` is under way.
    """

    def __init__(self, match: bytes, log: Callable[[], Stamp], authority: Authority) -> None:
        self._match = match
        self._log = log
        self.lineage = log().lineage
        self._authority = authority
        self._count = 0
        self._wanted = True
        self._coin: EpochKeys | None = None
        self.done: dict[int, EpochKeys] = {}
        self.making: EpochKeys | None = None

    @property
    def current(self) -> EpochKeys | None:
        """The latest keys; None before the first ones are finished."""
        return self.done[max(self.done)] if self.done else None

    @property
    def is_waiting(self) -> bool:
        return self._wanted or self.making is not None

    def being_made(self, epoch: int) -> EpochKeys:
        """Return the making of this epoch's keys; raise `Refused` if they are not being made."""
        if self.making is None or self.making.epoch != epoch:
            raise Refused(OUT_OF_PLACE)
        return self.making

    def look(self) -> None:
        """Adopt keys that all agreed on, and start again with keys whose holders is different by now."""
        making, authority = self.making, self._authority
        if self._coin is not None and any(map(authority.is_gone, self._coin.holders)):
            self._coin = None
        if making is not None and making.done:
            self.done[making.epoch], self.making = making, None
            self._coin = self._coin or making
        elif making is not None and not self._fits(making):
            self.making, self._wanted = None, True
        if self._wanted and (holders := authority.team(authority.all, authority.threshold)):
            self._count += 1
            ids = tuple(authority.key_of(party) for party in holders)
            self.making = EpochKeys(
                self._match, self.lineage, self._log().chain, self._count, holders, ids, authority.threshold
            )
            self._wanted = False

    def _fits(self, keys: EpochKeys) -> bool:
        """Return True if keys that are made now would have the same holders and the same t."""
        authority, t = self._authority, self._authority.threshold
        return (keys.holders, keys.threshold) == (authority.team(authority.all, t), t)

    def fresh(self) -> EpochKeys | None:
        """Return keys of the parties that take part in this deal; None while they are still to be made."""
        now = self.current
        if not self.is_waiting and (now is None or not self._fits(now)):
            self._want()
        return None if self.is_waiting else now

    def coin(self) -> EpochKeys | None:
        """Return the keys of coins that are wanted now; None while they are still to be made.

        They are the first keys, and renewed only once somebody of those who made them is gone for good: then
        the next keys that are finished are the coin keys. No absence, return or deal changes them.
        """
        if self._coin is None and not self.is_waiting:
            self._authority.begin_deal()
            self._want()
        return self._coin

    def _want(self) -> None:
        self._wanted = True
        self.look()

    def can_return(self, keys: EpochKeys, given: Collection[int] = ()) -> bool:
        """Return True if enough of the holders may still return: fewer are gone for good than it takes.

        `given` are the numbers in the holders of those whose shares are there already.
        """
        gone = self._authority.is_gone
        able = (number in given or not gone(party) for number, party in enumerate(keys.holders, 1))
        return sum(able) >= keys.threshold

    def owed(self, party: int) -> Iterator[Task]:
        if self.making is not None:
            yield from self.making.owed(party)
