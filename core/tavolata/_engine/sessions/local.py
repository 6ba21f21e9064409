"""A match in one process: people at one keyboard, bots, and a file from which it can be resumed.

This module has the clock and the file; the rules belong to `Match`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from tavolata._engine.match.attention import Attention
from tavolata._engine.match.campaign import MATCH_OF
from tavolata._engine.match.entries import (
    ANSWER,
    REACT,
    SAY,
    TIMEOUT,
    UNDONE,
    MatchEntry,
    answer_time,
    hearers,
)
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.state import digest
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.take_back import word
from tavolata._engine.match.updates import (
    Asked,
    Began,
    Closed,
    Ended,
    Notice,
    Said,
    Told,
    Update,
    spoken_words,
)
from tavolata._engine.match.window_timing import WindowTiming
from tavolata._engine.match.worlds import new_match
from tavolata._engine.sessions.session import NO_ADVICE, TableSession
from tavolata._engine.storage.campaign_files import CampaignKeeper
from tavolata._engine.storage.match_file import END, EVENT, HEADER, SNAPSHOT, TURN, Kept, MatchFile, path_of
from tavolata._engine.storage.recorded import events_of, plain_end, plain_event
from tavolata._engine.thinking.thoughts import NO_CHOICE, NO_THOUGHT, STILL_THINKS, Thinking, advice, quick
from tavolata._players import Bot
from tavolata._text import Verbatim, composed
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.kinds.one_of import GO
from tavolata.messages import N_, Event

if TYPE_CHECKING:
    from tavolata._engine.thinking.thinkers import Thinkers

SNAPSHOT_EVERY = 100
"""Turns between two snapshots in the file. Resuming replays at most this many."""
TOLD_AGAIN = 5
"""The fewest events that are told again when a match is resumed."""


def _thinkers() -> Thinkers:
    """Import the process in which bots think only when one does: few matches need it."""
    from tavolata._engine.thinking.thinkers import THINKERS  # noqa: PLC0415 - see above

    return THINKERS


class LocalSession(TableSession):
    """The session of a match in this process.

    `think` is in seconds before a bot answers. `kept` is the file of the match to resume; None for a new
    match. `looks` has by seat the chosen hue and mark, `keys` the chosen key for quick hands; `thinker`
    advises people.
    """

    # Attributes, where a session has properties.
    __slots__ = ("game", "keys", "match", "match_file", "names", "package", "people")

    def __init__(
        self,
        header: Header,
        rules: type[Game[Any]],
        package: str,
        bots: list[Bot | None],
        *,
        think: float = 0.0,
        kept: Kept | None = None,
        looks: Sequence[tuple[int, int] | None] = (),
        keys: Mapping[int, str] = MappingProxyType({}),
        thinker: Bot | None = None,
    ) -> None:
        if header.seed is None:
            raise Refused(N_("The file names neither a seed nor a dealer."))
        self.header = header
        self.game: str = header.game
        self.package: str = package
        self.names: tuple[str, ...] = header.names
        self._looks = tuple(looks)
        self.keys: Mapping[int, str] = keys
        self.people: tuple[int, ...] = tuple(seat for seat, bot in enumerate(bots) if bot is None)
        self._bots = bots
        self._think = think
        self._kept = kept
        terms = header.terms(rules)  # refuses other rules before the file is touched
        self.match_file: Path = path_of(header.id) if kept is None else kept.path
        self._file = MatchFile(self.match_file, kept)
        self._news: deque[Update] = deque()
        self._wake = asyncio.Event()
        self._announced: dict[int, float] = {}
        self._answered = 0.0
        self._asked: list[Ask] = []
        self._undone = 0
        self._attention = Attention()
        self._told_before = 0 if kept is None else len(kept.events)
        self._turns_before = 0 if kept is None else len(kept.turns)
        self._turns = 0 if kept is None else kept.snapshot_turns
        self._snapshot_before = 0
        self._entries = 0 if kept is None else len(kept.entries)
        self._turn_end: dict[str, Any] | None = None
        self._statistics = StatisticsBuilder(len(header.names), [] if kept is None else kept.entries)
        hold = bool(self.people) or any(bot is not None and bot.seconds for bot in bots)
        self._thoughts: dict[int, Thinking] = {}
        self._thinker = thinker
        self._advice: tuple[Ask, Thinking] | None = None
        entries = [] if kept is None else kept.entries[kept.snapshot_at :]
        self.source = (
            ResumeSource(header.seed, bots, self._record, entries, hold=hold)
            if entries
            else OpenSource(header.seed, bots, self._record, hold=hold)
        )
        self.match: Match = new_match(rules, terms, self.source, self._told)
        if kept is None:
            self._file.write(HEADER, header.plain())
        elif kept.snapshot is not None:
            self.match.load(kept.snapshot["state"])
            self.source.load(kept.snapshot["source"])
            self.match.remember(events_of(kept.events[: kept.snapshot["events"]], self.match))
            self._snapshot_before = self.match.table.turn
        self.match.on_turn = self._turn
        self._timing = WindowTiming(self.match, self._feed, self._time, self.source.reflex)

    @property
    @override
    def looks(self) -> tuple[tuple[int, int] | None, ...]:
        return self._looks or (None,) * len(self.names)

    @override
    def choose_look(self, seat: int, hue: int, mark: int) -> None:
        self._looks = (*self.looks[:seat], (hue, mark), *self.looks[seat + 1 :])

    @override
    def input_ended(self) -> bool:
        return True

    # -- from the match -----------------------------------------------------------------------

    def _record(self, entry: MatchEntry) -> None:
        self._file.entry(entry)
        self._entries += 1
        if entry[0] == UNDONE:
            self._turn_end = None  # it may hold what is taken back
        self._attention.hear(entry, self.people)
        self._statistics.note(entry)
        if entry[0] == SAY:
            self._news.append(self._said(entry))

    def _said(self, entry: MatchEntry) -> Said:
        _, seat, to, text = entry
        names = self.header.names
        said = Said(
            Verbatim(names[seat]), spoken_words(text), tuple(names[one] for one in to), seat in self.people
        )
        return said.as_heard([names[one] for one in self.people])

    def _told(self, event: Event) -> None:
        if len(self.match.told) > self._told_before:  # else the file has it already
            self._file.write(EVENT, plain_event(event, self.match))
            self._news.append(Told(event, self.match.glance()))

    def _turn(self) -> None:
        self._turns += 1
        if self.source.replaying:
            return
        match, turn = self.match, self.match.table.turn
        state = match.state()
        if self._turns > self._turns_before:  # the file may have it, if its last entry ended a turn
            self._file.write(TURN, (digest(state), match.turns))
        if turn > self._snapshot_before:
            self._turn_end = {
                "state": state, "source": self.source.save(), "events": len(match.told),
                "entries": self._entries,
            }  # fmt: skip
            if turn % SNAPSHOT_EVERY == 0:
                self._write_snapshot()
        self._file.sync()

    def _write_snapshot(self) -> None:
        if self._turn_end is not None:
            self._file.write(SNAPSHOT, self._turn_end)
            self._turn_end = None

    # -- the stream ---------------------------------------------------------------------------

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        try:
            self.match.run()
            yield Began(self.match, again=self._kept is not None)
            if (campaign := self.header.campaign) is not None:
                yield Notice(MATCH_OF, {"name": campaign.name, "n": campaign.matches + 1})
            if self._kept is not None:
                for update in self._told_again(self._kept):
                    yield update
            for update in self._new():
                yield update
            while not self.match.over:
                await self._wait(self._react())
                self.match.run()
                for update in self._new():
                    yield update
            ended = self._ended()
            kept = CampaignKeeper().end(self.header, self.match.rules, ended)
            if kept is not None:  # before the file says that the match is over
                yield kept
            self._file.write(END, plain_end(ended))
            self._file.sync()
            yield ended
        finally:
            if not self.match.over:
                self._write_snapshot()  # newer rules can continue from there
            self._file.close()

    def _told_again(self, kept: Kept) -> Iterator[Update]:
        """Yield the events that the people may not have seen before the process ended.

        A person's answer proves that its question was shown, and so was everything before the turn of that
        question. Nothing proves this for later events, so they are shown again.
        """
        persons = [seat for seat in self.people if self.header.bots[seat] is None]
        first = self._told_before
        if persons:
            by_hand = [
                at for at, entry in enumerate(kept.entries)
                if entry[0] in (ANSWER, REACT) and entry[1] in persons
            ]  # fmt: skip
            last = by_hand[-1] if by_hand else -1
            first = max((events for entries, events in kept.turn_ends if entries <= last), default=0)
        at = first = max(0, min(first, self._told_before - TOLD_AGAIN))
        for entry, before in zip(kept.entries, kept.events_before, strict=True):
            if entry[0] == SAY and before >= first:
                yield from self._again(at, before)
                at = before
                yield self._said(entry)._replace(again=True)
        yield from self._again(at, self._told_before)

    def _again(self, start: int, end: int) -> Iterator[Told]:
        return (Told(event, again=True) for event in self.match.told[start:end])

    def _new(self) -> Iterator[Update]:
        yield from self._timing.closings()
        while self._news:
            yield self._news.popleft()
        if self.match.over:
            return
        self._attention.look(self.match, self.people, self._time())
        if self.match.undone != self._undone:
            self._undone = self.match.undone
            self._announced.clear()  # questions that are open again are asked again
            self._thoughts.clear()
        gone = [ask for ask in self._asked if not any(ask is one for one in self.source.open)]
        yield from (Closed(ask) for ask in gone if ask.answer is None)  # an open floor was opened again
        self._asked = [ask for ask in self.source.open if ask.seat in self.people]
        for ask in self.source.open:
            if ask.id not in self._announced:
                if len(self.people) < 2 and ask.question is not GO:
                    ask.seconds = None  # one person alone keeps nobody waiting
                self._announced[ask.id] = self._time()
                yield Asked(ask, ask.seat in self.people)
        yield from self._timing.opening(self.people)
        if self._advice is not None and _thinkers().is_over(self._advice[1]):
            ask, thought = self._advice
            self._advice = None
            if thought.reply is not None and any(ask is one for one in self.source.open):
                yield advice(ask, thought.reply)

    @staticmethod
    def _time() -> float:
        return asyncio.get_running_loop().time()

    def _react(self) -> float | None:
        """Let bots react and windows end; return the seconds until that is due again."""
        seats = range(len(self._bots))
        bots = [seat for seat in seats if self._bots[seat] is not None]
        return self._timing.work(seats, bots, keeps_time=True)

    async def _wait(self, react_in: float | None) -> None:
        """Wait until a person acts, a bot is due, or time runs out; then act for the bot or the clock."""
        now = self._time()
        due: list[tuple[float, Ask, bool]] = []
        for ask in self.source.open:
            since = self._announced.get(ask.id, now)  # one that was asked just now is announced next
            if (bot := self._bots[ask.seat]) is not None:
                if not self._thinks(ask, bot):
                    due.append((max(since + self._think, self._held(ask)), ask, True))
            elif ask.seconds is not None:
                due.append((since + ask.seconds, ask, False))
        first = min(due, key=lambda one: (one[0], one[1].id), default=None)
        until = None if first is None else max(0.0, first[0] - now)
        if react_in is not None and (until is None or react_in < until):
            first, until = None, react_in
        try:
            async with asyncio.timeout(until):
                await self._wake.wait()
            self._wake.clear()
        except TimeoutError:
            if first is None:
                return
            _, ask, by_bot = first
            if ask.answer is not None:
                return  # it came at the last moment
            if by_bot:
                self._let_bot_answer(ask)
            else:
                self.source.feed((TIMEOUT, ask.id))
                self._news.append(Closed(ask, late=True))

    def _thinks(self, ask: Ask, bot: Bot) -> bool:
        """Return True while a bot thinks in another process; it begins now at the latest."""
        if not bot.seconds or ask.question is GO:
            return False
        if ask.id not in self._thoughts:
            self._thoughts[ask.id] = self._begin_to_think(ask, bot)
        return not _thinkers().is_over(self._thoughts[ask.id])

    def _begin_to_think(self, ask: Ask, bot: Bot) -> Thinking:
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, self._stir)
        # The process that thinks must not learn the seed, which deals the cards.
        key = int.from_bytes(sha256(f"{self.header.seed} {ask.id}".encode()).digest()[:8], "big")
        return _thinkers().ask(self.match, ask, bot, key, wake)

    def _let_bot_answer(self, ask: Ask) -> None:
        """Let a bot answer: with its thoughts if it has any, otherwise as a quick bot."""
        thought, bot = self._thoughts.pop(ask.id, None), self._bots[ask.seat]
        if thought is None or thought.reply is None or bot is None:
            self.source.let_bot_answer(ask)
            return
        if thought.answer is not None:
            with suppress(Refused, IndexError):  # an interjection may have changed what is legal
                self.source.feed((ANSWER, int(ask.seat), ask.id, ask.question.answer_at(thought.answer)))
                return
        else:
            said = {"name": self.names[ask.seat], "problem": thought.reply.problem}
            self._news.append(Notice(NO_THOUGHT, said, wrong=True))
        self.source.let_bot_answer(ask, quick(bot))

    def _held(self, ask: Ask) -> float:
        """Return until when a bot holds back its answer, because people still read, or were spoken to."""
        return self._attention.holds(0.0) if self._think and ask.question is GO else 0.0

    def _ended(self) -> Ended:
        match = self.match
        statistics = self._statistics.statistics(match.turns)
        return Ended(match.outcome, match.digest(), match.conviction, statistics)

    # -- from the people ------------------------------------------------------------------------

    def _feed(self, entry: MatchEntry) -> None:
        self.source.feed(entry)
        self._stir()

    def _stir(self) -> None:
        self._wake.set()

    @override
    def answer(self, ask: Ask, answer: Answer) -> None:
        if ask.question is GO:
            self._feed((ANSWER, int(ask.seat), ask.id, answer))
            return
        now = self._time()  # people at one keyboard answer one after another, even if all were asked at once
        took = answer_time(max(self._announced.get(ask.id, now), self._answered), now)
        self._feed((ANSWER, int(ask.seat), ask.id, answer, took))
        self._answered = now

    @override
    def drawn(self, window: int) -> None:
        self._timing.drawn(window)
        self._stir()

    @override
    def react(self, window: int, seat: int, answer: Answer, milliseconds: int) -> None:
        self._timing.react(window, seat, answer, milliseconds)

    @override
    def interject(self, seat: int, name: str, value: Any) -> None:
        self._feed(self.match.interjection(seat, name, value))

    @override
    def take_back(self, seats: tuple[int, ...] | None = None) -> None:
        self._feed(word(self.match, self.people if seats is None else seats))

    @override
    def say(self, text: str, to: Sequence[int] = (), seat: int | None = None) -> None:
        if seat is None and not self.people:
            raise Refused(N_("You're watching. Only players can do that."))
        self._feed((SAY, self.people[0] if seat is None else seat, hearers(to), composed(text)))

    @override
    def advise(self, ask: Ask) -> None:
        if self._thinker is None:
            raise Refused(NO_ADVICE)
        if ask.question is GO or ask.question.count() < 2 or not any(ask is one for one in self.source.open):
            raise Refused(NO_CHOICE)
        if self._advice is not None and not _thinkers().is_over(self._advice[1]):
            raise Refused(STILL_THINKS)
        self._advice = ask, self._begin_to_think(ask, self._thinker)

    @override
    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        return N_("Saved. Continue with `tt resume {id}`."), {"id": self._file.path.stem}
