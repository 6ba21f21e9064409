"""All keys of a match, and when new keys are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tavolata._engine.dealing.authority import Authority, AuthorityEvent
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.source import Stamp
from tavolata.errors import Refused


class KeyRings:
    """All keys of a match.

    They are made before the first step of the dealing; again when all cards of a kind are shuffled, if
    somebody who made them is gone or somebody who is here doesn't hold them; and when a coin is wanted and
    there are no coin keys. Those who are here then make them; with fewer than t, none are made and the match
    waits.

    The making is a draw. While hashes are missing nothing has been shown, and whoever isn't here any more is
    left out. Then all have committed themselves: whoever isn't here while it owes something has refused, and
    they are made again without it. For coin keys that is counted, and two refusals keep a party out of them.

    `log` returns the place in the log of the entry that was acted on last. `lineage` is that in which the
    match began. `done` has the finished keys, by epoch; `making` is under way.
    """

    def __init__(self, match: bytes, log: Callable[[], Stamp], authority: Authority) -> None:
        self._match = match
        self._log = log
        self.lineage = log().lineage
        self._authority = authority
        self._count = 0
        self._wanted = self._is_coin = True
        self._dropped: set[int] = set()
        self._coin: EpochKeys | None = None
        self._before: tuple[int, ...] = ()
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
        """Adopt keys that all agreed on, and start again with keys that others have to make by now."""
        making, authority = self.making, self._authority
        if self._coin is not None and any(map(authority.is_gone, self._coin.holders)):
            self._before, self._coin = self._coin.holders, None
        if making is not None and making.done:
            self.done[making.epoch], self.making = making, None
            if self._is_coin:
                self._coin = making
                if gone := tuple(filter(authority.is_gone, self._before)):
                    authority.news.append(AuthorityEvent("coins", 0, gone))
        elif making is not None and not self._goes_on(making):
            self.making, self._wanted = None, True
        if self._wanted and (holders := self._makers()):
            self._count += 1
            ids = tuple(authority.key_of(party) for party in holders)
            self.making = EpochKeys(
                self._match, self.lineage, self._log().chain, self._count, holders, ids, authority.threshold
            )
            self._wanted = False

    def _goes_on(self, making: EpochKeys) -> bool:
        """Return True if its holders continue with this making; leave out those who don't."""
        authority = self._authority
        lost = {
            party
            for party in making.holders
            if authority.is_gone(party) or not (authority.deals(party) or making.has_agreed(party))
        }
        if making.is_open and self._is_coin:
            for party in sorted(lost):
                if not authority.is_gone(party):
                    authority.refuse(party)
        self._dropped |= lost
        joins = not making.is_open and self._makers() != making.holders
        return not lost and not joins and making.threshold == authority.threshold

    @property
    def able(self) -> tuple[int, ...]:
        """Those who could make the keys that are wanted, once they are here."""
        barred = self._authority.is_barred
        return tuple(party for party in self._authority.rest if not (self._is_coin and barred(party)))

    @property
    def is_lost(self) -> bool:
        """True if coin keys are wanted, and too few are left who may make them, whoever comes back."""
        return self.is_waiting and self._is_coin and len(self.able) < self._authority.threshold

    def _makers(self) -> tuple[int, ...]:
        """Return who would make keys now: at least t, or none."""
        authority = self._authority
        able = list(filter(authority.deals, self.able))
        new = [party for party in able if party not in self._dropped]
        found = new if len(new) >= authority.threshold else able
        return tuple(found) if len(found) >= authority.threshold else ()

    def renew(self) -> None:
        """Have keys made for a deal, unless the latest ones still suit."""
        if not self.is_waiting and (self.current is None or not self.suits(self.current)):
            self._want()

    def suits(self, keys: EpochKeys) -> bool:
        """Return True if none of the holders is gone, and all who are here are holders."""
        here = set(filter(self._authority.deals, self._authority.all))
        return here <= set(keys.holders) and not any(map(self._authority.is_gone, keys.holders))

    def coin(self) -> EpochKeys | None:
        """Return the keys of coins that are wanted now; None while they are still to be made.

        They are the first keys, and renewed only once somebody of those who made them is gone for good: then
        the next keys whose making begins are the coin keys. No absence, return or deal changes them.
        """
        if self._coin is None and not self.is_waiting:
            self._want()
        return self._coin

    def _want(self) -> None:
        self._wanted, self._is_coin = True, self._coin is None
        self._dropped.clear()
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
