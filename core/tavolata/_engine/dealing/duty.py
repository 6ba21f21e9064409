"""The timing of one peer's part in the dealing: when it sends its steps and complains of idle peers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tavolata._engine.dealing.deal import Deal
from tavolata._engine.dealing.dealer import Dealer, Step
from tavolata._engine.dealing.steps import WITHOUT, Task
from tavolata._engine.match.updates import Notice
from tavolata.messages import N_

QUIET: Final = 10.0
"""Seconds after which a seal is opened by force if its author should open it and does not."""
IDLE: Final = 40.0
"""Seconds after which a peer counts as idle; if enough others agree, they deal without it. A peer that comes
back to a long match may need that long to check old proofs."""
LONG: Final = 2.0
"""Seconds of dealing after which people are told of its progress."""

SHORT = N_("The match waits: to deal and to open cards it takes {t} of the machines with the keys; "
           "here: {here}.")  # fmt: skip
WAITS_FOR_RETURN = N_(
    "The match waits: to deal and to open cards it takes {t} of the machines with the keys; here: {here}. "
    "It goes on when enough are back; or end the match: end."
)


class Duty:
    """One peer's duty in a deal.

    Args:
        deal: the public state.
        dealer: this peer's dealer; None for a peer that only watches.
    """

    def __init__(self, deal: Deal, dealer: Dealer | None) -> None:
        self.deal = deal
        self.dealer = dealer
        self._owing: dict[tuple[int, Task], float] = {}
        self._voted: set[tuple[int, Task]] = set()
        self._closed: dict[int, float] = {}
        self._since: float | None = None
        self._told = 0
        self._short: tuple[int, int] | None = None

    def steps(self, now: float) -> Iterator[Step]:
        """The steps that this peer sends now; `now` is in seconds."""
        if self.dealer is None:
            return
        yield from self.dealer.said()
        for (party, task), since in self._look(now).items():
            if now - since >= IDLE and (party, task) not in self._voted:
                self._voted.add((party, task))
                yield (WITHOUT, party)
        closed = [ask for ask in self.deal.source.open if ask.box is not None]
        self._closed = {ask.id: self._closed.get(ask.id, now) for ask in closed}
        for ask in closed:
            if now - self._closed[ask.id] >= QUIET:
                yield from self.dealer.force(ask)

    def _look(self, now: float) -> dict[tuple[int, Task], float]:
        """The first task that each other party owes while the match waits, and since when."""
        deal, owing = self.deal, {}
        if deal.is_stuck:
            for party in deal.parties.here:
                first = next(iter(deal.owed(party)), None) if party != deal.me else None
                if first is not None:
                    owing[party, first] = self._owing.get((party, first), now)
        self._owing = owing
        return owing

    @property
    def looks_again(self) -> bool:
        """Whether something may become due merely because time passes."""
        return bool(self._owing or self._closed) or self._since is not None

    def progress(self, now: float) -> Notice | None:
        """The progress notice while a deck is made, if that takes long."""
        done, of = self.deal.progress
        if not of:
            self._since, self._told = None, 0
            return None
        if self._since is None:
            self._since = now
        if now - self._since < LONG or done < self._told:
            return None
        self._told = done + 1
        return Notice(N_("All deal together: {done} of {of} steps."), {"done": done, "of": of})

    def shortage(self) -> Notice | None:
        """The notice that too few machines are present to deal or open the next cards; told once."""
        before, self._short = self._short, self.deal.shortage
        if self._short is None or self._short == before:
            return None
        here, t = self._short
        said = SHORT if self.deal.needs_return is None else WAITS_FOR_RETURN
        return Notice(said, {"t": t, "here": here}, wrong=True)
