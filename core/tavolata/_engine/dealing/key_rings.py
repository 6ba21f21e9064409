"""All keys of a match, and when new keys are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys, KeyMaking
from tavolata._engine.dealing.parties import Parties
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.source import Stamp
from tavolata.errors import Refused


class KeyRings:
    """All keys of a match.

    Args:
        match: the match's id.
        log: returns the place in the log of the entry that was acted on last.
        parties: the peers that deal.
        strict: whether all parties that made keys are needed to open anything.

    Attributes:
        lineage: the lineage of the log in which the match began.
        done: the finished keys, by epoch.
        making: the making of keys that is under way.
    """

    def __init__(self, match: bytes, log: Callable[[], Stamp], parties: Parties, *, strict: bool) -> None:
        self._match = match
        self._log = log
        self.lineage = log().lineage
        self._parties = parties
        self._strict = strict
        self._count = 0
        self.done: dict[int, EpochKeys] = {}
        self.making: KeyMaking | None = None

    @property
    def current(self) -> EpochKeys | None:
        """The latest keys; None before the first ones are finished."""
        return self.done[max(self.done)] if self.done else None

    def being_made(self, epoch: int) -> KeyMaking:
        """The making of this epoch's keys.

        Raises:
            Refused: these keys are not being made.
        """
        if self.making is None or self.making.epoch != epoch:
            raise Refused(OUT_OF_PLACE)
        return self.making

    def look(self) -> None:
        """Adopt keys that all agreed on, and start again with keys whose crew has lost somebody."""
        making = self.making
        if making is not None and making.keys is not None and making.done:
            self.done[making.epoch], self.making = making.keys, None
        elif making is not None and self._is_broken(making):
            self.making = None
            self.make()
        elif not self.done and making is None:
            self.make()

    def _is_broken(self, making: KeyMaking) -> bool:
        if self._strict:
            return any(self._parties.is_given_up(party) for party in making.crew)
        return not all(self._parties.is_here(party) for party in making.crew)

    def make(self) -> None:
        """Begin to make keys with all present parties, if there are at least two and it has not begun."""
        parties = self._parties
        crew = parties.here
        if self._strict:
            crew = tuple(party for party in parties.all if not parties.is_given_up(party))
        if self.making is None and len(crew) > 1:
            self._count += 1
            ids = tuple(parties.key_of(party) for party in crew)
            self.making = KeyMaking(
                self._match, self.lineage, self._log().chain, self._count, crew, ids, strict=self._strict
            )

    def fresh(self) -> EpochKeys | None:
        """Keys of exactly the parties that deal now; None while such keys are still being made."""
        now = self.current
        if now is None or self.making is not None:
            return None
        missing = [party for party in now.crew if not self._parties.is_here(party)]
        if self._strict and not all(self._parties.is_given_up(party) for party in missing):
            return now  # the match waits for them
        if set(now.crew) != set(self._parties.here) and len(self._parties.here) > 1:
            self.make()
            return None
        return now

    def lasting(self) -> EpochKeys | None:
        """Keys that can open something, now or when absent parties return; None until there are such keys.

        New keys are made only when all missing parties have been given up. So nobody can get another random
        number by leaving.
        """
        now = self.current
        if now is None or self.making is not None or self.reaches(now):
            return now
        missing = [party for party in now.crew if not self._parties.is_here(party)]
        if all(self._parties.is_given_up(party) for party in missing) and len(self._parties.here) > 1:
            self.make()
            return None
        return now

    def reaches(self, keys: EpochKeys | KeyMaking) -> bool:
        """Whether enough of the crew are present to open something."""
        return sum(map(self._parties.is_here, keys.crew)) >= keys.threshold

    def can_return(self, keys: EpochKeys) -> bool:
        """Whether enough of the crew can still return."""
        return sum(party not in self._parties.convicted for party in keys.crew) >= keys.threshold

    def owed(self, party: int) -> Iterator[Task]:
        """The steps that a party has to send for keys."""
        if self.making is not None:
            yield from self.making.owed(party)
