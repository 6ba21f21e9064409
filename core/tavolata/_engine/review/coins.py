"""The coins of a match, by name and keys: the lots that were drawn, and the dice that all saw."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import Motion, VoteKind
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.laid import DieSlot
from tavolata._engine.dealing.lots import OpenLot
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._text import Verbatim
from tavolata.messages import N_, Text


@dataclass
class CoinRecord:
    """A lot or a shown die under the keys of `epoch`; `wanted` is the number of an entry.

    `owing` are the parties with shares of a lot missing last. `waited` has, by party that owed a share, the
    most seconds that someone vouched for. `value` is None if it was never drawn.
    """

    epoch: int
    wanted: int
    sides: int = 0
    value: int | None = None
    owing: tuple[int, ...] = ()
    waited: dict[int, int] = field(default_factory=dict)


class CoinsRecord:
    """The record of a match; `names` returns the names of parties."""

    def __init__(self, deal: FairDealing, names: Callable[[Iterable[int]], tuple[str, ...]]) -> None:
        self._deal = deal
        self._names = names
        self._coins: dict[tuple[str, int], CoinRecord] = {}
        self._shaken: set[str] = set()

    def thrown(self, name: str, number: int, record: CoinRecord) -> None:
        """Note the value of a coin, which the auditor has checked."""
        known = self._coins.setdefault((name, number), record)
        known.sides, known.value = record.sides, record.value

    def look(self, at: int, coin: int, vouched: Callable[[Motion], int]) -> None:
        """Note what is drawn after an entry; raise `Wrong` if it isn't under the match's coin keys.

        `coin` is the epoch of those. `vouched` returns the most seconds that a valid vote vouches for.
        """
        for slot in self._deal.laid.slots.values():
            if isinstance(slot, DieSlot) and slot.shake not in self._shaken:
                self._shaken.add(slot.shake)
                _check(at, _named(slot.shake, slot.place), slot.epoch, coin)
        lot = self._deal.lots.open
        if lot is not None:
            self._look_at(lot, at, coin, vouched)

    def _look_at(self, lot: OpenLot, at: int, coin: int, vouched: Callable[[Motion], int]) -> None:
        name = (lot.context.object, lot.context.number)
        if name not in self._coins:
            _check(at, _named(*name), lot.opening.keys.epoch, coin)
            self._coins[name] = CoinRecord(lot.opening.keys.epoch, at)
        known = self._coins[name]
        if lot.opening.keys.epoch != known.epoch:
            raise Wrong(N_("Entry {number} of the log: {lot} was drawn again under different keys."),
                        number=at, lot=_named(*name))  # fmt: skip
        known.owing = tuple(filter(lot.opening.awaits, lot.opening.keys.holders))
        for one in known.owing:
            task = steps.Task(steps.LOT, known.epoch, (lot.at,)).number
            if seconds := vouched(Motion(VoteKind.STALL, one, task)):
                known.waited[one] = max(known.waited.get(one, 0), seconds)

    def tell(self, found: Findings) -> None:
        for name, one in self._coins.items():
            if one.value is not None:
                found.tell(N_("{lot}: {value} of {sides}, under keys {epoch}."), lot=_named(*name),
                           value=one.value, sides=one.sides, epoch=one.epoch)  # fmt: skip
            for party, seconds in one.waited.items():
                found.tell(
                    N_("{lot}, requested at entry {entry}: {name} owed a share for {seconds} s or "
                        "longer."),
                    lot=_named(*name), entry=one.wanted, name=self._names((party,))[0], seconds=seconds,
                )  # fmt: skip
            if one.value is None:
                found.tell(N_("{lot}, requested at entry {entry}, was never drawn; shares owed: {names}."),
                           lot=_named(*name), entry=one.wanted, names=self._names(one.owing))  # fmt: skip


def _check(at: int, coin: Text, epoch: int, coin_keys: int) -> None:
    if epoch != coin_keys:
        raise Wrong(N_("Entry {number} of the log: {lot} was drawn under keys {epoch}, not {coin}."),
                    number=at, lot=coin, epoch=epoch, coin=coin_keys)  # fmt: skip


def _named(name: str, number: int) -> Text:
    """Return the name of a coin, as people read it."""
    return Text(N_("Number {number} of “{name}”"), {"name": Verbatim(name), "number": number})
