"""The resuming source: it replays the file of an open dealer's match and then continues.

It draws everything again from the seed and compares every entry, so it detects a file that does not belong to
its seed. After the last entry it behaves like any open source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import ANSWER, LATE, TIMEOUT, UNDONE, MatchEntry
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.source import ABOUT_WINDOWS, Record, enter
from tavolata._engine.match.take_back import agree
from tavolata._players import Bot
from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.errors import Diverged, Refused
from tavolata.kinds.question import Question
from tavolata.source import Dealt
from tavolata.table import Table
from tavolata.windows import Window


class ResumeSource(OpenSource):
    """An open source that first replays the entries of a file; for the rest see `OpenSource`.

    `record` is called with new entries only. The process may have ended before it acted on the last one of
    `entries`.
    """

    def __init__(
        self,
        seed: int,
        bots: Sequence[Bot | None],
        record: Record,
        entries: Iterable[MatchEntry],
        *,
        hold: bool = False,
    ) -> None:
        super().__init__(seed, bots, self._compare, hold=hold)
        self.words = Table  # its `turn_up` would go past `reveal`
        self._script = list(entries)
        self._at = 0
        self._new = record

    @property
    @override
    def replaying(self) -> bool:
        return self._at < len(self._script)

    def _compare(self, entry: MatchEntry) -> None:
        if not self.replaying:
            self._new(entry)
            return
        if self._script[self._at] != entry:
            raise Diverged(f"Entry {self._at + 1} of the file is not what its seed and rules give.")
        self._at += 1

    def _late(self) -> None:
        """Apply the interjections and words of people at this place; bots reacted to each of them at once."""
        while self.replaying:
            entry = self._script[self._at]
            if entry[0] not in LATE or self.bots[entry[1]] is not None:
                return
            self._match.apply_late(entry, self._record)
            if self._talkers:
                self._poll()

    def _goes_back(self, asks: list[Ask]) -> bool:
        """Return True if an answer is taken back at this place, while these questions are open."""
        if self.replaying and self._script[self._at][0] == UNDONE:
            self.open = [ask for ask in asks if ask.answer is None]
            agree(self._match, self._script[self._at], self._record)
        return self._match.is_going_back

    @override
    def _invite(self, bot: Bot, seat: int, standing: Mapping[str, Question]) -> None:
        if not self.replaying:
            super()._invite(bot, seat, standing)
            return
        entry = self._script[self._at]
        if entry[0] in LATE and entry[1] == seat:
            with suppress(Refused):
                self._match.apply_late(entry, self._record)

    @override
    def reveal(self, card: Card[Any]) -> bool:
        self._late()
        return super().reveal(card)

    @override
    def show(self, what: Dealt, number: int) -> bool:
        self._late()
        return super().show(what, number)

    @override
    def answer(self, ask: Ask) -> bool:
        self._poll_at(ask.id)
        self._late()
        if self._goes_back([ask]):
            return False
        if ask.answer is None and self.replaying and (self._hold or self.bots[ask.seat] is None):
            self._settle([ask])
        return super().answer(ask)

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        if self.replaying:
            self._settle([ask])
        else:
            super()._bot_answers(bot, ask)

    @override
    def floor(self, asks: list[Ask], changed: Callable[[], bool]) -> bool:
        while not super().floor(asks, changed):
            if not self.replaying or self._goes_back(asks):
                return False
            entry = self._script[self._at]
            if entry[0] in LATE:
                self._match.apply_late(entry, self._record)
                self._polled_floor = 0
            else:
                self._settle([ask for ask in asks if ask.answer is None])
        return True

    @override
    def seal(self, asks: list[Ask]) -> bool:
        if asks:
            self._poll_at(asks[0].id)
        while self.replaying and any(ask.answer is None for ask in asks):
            self._late()
            if self._goes_back(asks):
                return False
            if self.replaying:
                self._settle([ask for ask in asks if ask.answer is None])
        return super().seal(asks)

    @override
    def react(self, window: Window) -> bool:
        self._poll_at(window.id)
        while self.replaying and not window.decided((0,)):
            self._late()
            if self.replaying:
                self._settle_window(window)
        return super().react(window)

    def _settle_window(self, window: Window) -> None:
        entry = self._script[self._at]
        if entry[0] not in ABOUT_WINDOWS:
            raise Diverged(f"Entry {self._at + 1} of the file is about no window, and one is open there.")
        enter(window, entry)
        self.log.append(entry)
        self._at += 1

    def _settle(self, asks: list[Ask]) -> None:
        entry = self._script[self._at]
        number = entry[2] if entry[0] == ANSWER else entry[1] if entry[0] == TIMEOUT else None
        for ask in asks:
            if ask.id == number:
                if entry[0] == ANSWER:
                    ask.answered(ask.question.check(entry[3]), 0)
                else:
                    ask.answer = ask.late
                self.log.append(entry)
                self._at += 1
                return
        raise Diverged(f"Entry {self._at + 1} of the file answers a question that was not asked there.")
