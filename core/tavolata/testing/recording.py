"""Recordings: one match of a check with everything that can be compared: log, events, questions, turns.

The checks decide what is compared.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from traceback import walk_tb
from types import TracebackType
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import NAMES, MatchEntry
from tavolata._engine.match.match import Match, MatchSource, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.seating import alternating
from tavolata._engine.match.state import Writer, digest
from tavolata._engine.match.worlds import new_match
from tavolata._engine.storage.recorded import plain_event
from tavolata.asks import Ask
from tavolata.assertions import Declaration, Narration, secrets_in
from tavolata.bots import Bot
from tavolata.cards import Card
from tavolata.errors import TavolataError
from tavolata.facts import cards_in
from tavolata.messages import Event
from tavolata.source import Dealt
from tavolata.testing.cases import Case, CheckFailed
from tavolata.windows import Window

MOST_ENTRIES = 50_000
MOST_TURNS = 100_000
"""The limits of a match; a longer match counts as endless."""
MOST_IDLE = 5000
"""The most turns one after the other in which nothing is logged."""


@dataclass(frozen=True)
class Turn:
    """The end of a turn: how many entries and events there were, and the state's digest."""

    entries: int
    events: int
    digest: bytes


@dataclass
class Recorded:
    """A match with everything that can be compared.

    Attributes:
        events: plain data, each with the number of entries before it.
        turns: the ends of its turns, and of the match.
        asked: the questions as plain data, by id.
        windows: the prompts of the windows as plain data, by id.
        openings: the sealed questions that were opened, by the number of entries before.
        showings: the seats to whom cards were shown, by the number of the showing.
        shuffles: by the number of entries before, which faces cards had after a shuffle, or dice after a
            shake.
        spoken: by the number of entries before, the cards that facts were said of.
        said: by the number of a question or declaration, the seat that says a fact with it.
        narrated: the numbers of the narrations.
        source: of its chance and answers, if it was played here.
    """

    case: Case
    log: list[MatchEntry] = field(default_factory=list)
    events: list[tuple[int, list[Any]]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    asked: dict[int, list[Any]] = field(default_factory=dict)
    windows: dict[int, list[Any]] = field(default_factory=dict)
    openings: dict[int, list[int]] = field(default_factory=dict)
    showings: dict[int, tuple[int, ...]] = field(default_factory=dict)
    shuffles: dict[int, dict[int, int]] = field(default_factory=dict)
    spoken: dict[int, list[int]] = field(default_factory=dict)
    said: dict[int, int] = field(default_factory=dict)
    narrated: list[int] = field(default_factory=list)
    match: Match = field(init=False)
    source: NotingSource = field(init=False)

    def failure(self, sentence: str, entry: int | None = None) -> CheckFailed:
        """Return the error that this match shows after `entry` entries; None for all so far."""
        return CheckFailed(sentence, case=self.case, entry=len(self.log) if entry is None else entry)

    def record(self, entry: MatchEntry) -> None:
        """Keep an entry; raise `CheckFailed` if the match has far too many."""
        self.log.append(entry)
        if len(self.log) > MOST_ENTRIES:
            raise CheckFailed(f"There is no end: {MOST_ENTRIES} entries and no outcome.", case=self.case)

    def tell(self, event: Event) -> None:
        """Keep an event."""
        self.events.append((len(self.log), plain_event(event, self.match)))

    def before_answer(self, ask: Ask) -> None:
        """Do nothing; a check looks here at each question before a bot answers it."""

    def before_reactions(self, window: Window) -> None:
        """Do nothing; a check looks here at each window before bots react in it."""

    def before_narration(self, what: Narration) -> None:
        """Do nothing; a check looks here at a table that waits for its narrator."""

    def turn_ended(self) -> None:
        """Keep the end of a turn; raise `CheckFailed` after far too many turns, or idle ones."""
        self.turns.append(Turn(len(self.log), len(self.events), self.match.digest()))
        if len(self.turns) > MOST_IDLE and self.turns[-MOST_IDLE].entries == len(self.log):
            raise CheckFailed(f"There is no end: {MOST_IDLE} turns that wait for nothing.", case=self.case)
        if len(self.turns) > MOST_TURNS:
            raise CheckFailed(f"There is no end: {MOST_TURNS} turns and no outcome.", case=self.case)


class NotingSource(OpenSource):
    """An open source of a case's bots; notes questions, shuffles, facts and where answers are opened."""

    def __init__(self, kept: Recorded) -> None:
        super().__init__(kept.case.seed, kept.case.players(), kept.record)
        self._kept = kept

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        self._kept.before_answer(ask)
        self._kept.asked[ask.id] = plain_ask(ask, self._kept.match)
        if ask.claim is not None:
            self._kept.said[ask.id] = int(ask.seat)
            self._speaks([*ask.claim.about, *cards_in(ask.question)])
        super()._bot_answers(bot, ask)

    @override
    def react(self, window: Window) -> bool:
        self._kept.before_reactions(window)
        self._kept.windows[window.id] = plain_window(window, self._kept.match)
        return super().react(window)

    @override
    def unseal(self, asks: list[Ask]) -> bool:
        self._kept.openings.setdefault(len(self._kept.log), []).extend(ask.id for ask in asks)
        return super().unseal(asks)

    @override
    def show(self, what: Dealt, number: int) -> bool:
        self._kept.showings[number] = tuple(int(seat) for _, seat in what)
        return super().show(what, number)

    @override
    def declare(self, what: list[Declaration]) -> bool:
        self._kept.said |= {one.id: int(one.seat) for one in what}
        self._speaks([card for one in what for card in cards_in(one.about)])
        return super().declare(what)

    @override
    def narrate(self, what: Narration) -> bool:
        self._kept.before_narration(what)
        asked = [secret.question for secret in secrets_in(what.parts)]
        self._speaks(cards_in((what.parts, asked)))
        self._kept.narrated.append(what.id)
        return super().narrate(what)

    def _speaks(self, cards: list[Card[Any]]) -> None:
        self._kept.spoken.setdefault(len(self._kept.log), []).extend(card.id for card in cards)

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        before = len(self._kept.log)
        done = super().shuffle(cards)
        self._kept.shuffles[before] = {card.id: self._faces[card.id] for card in cards}
        return done

    @override
    def shake(self, dice: list[Card[Any]]) -> bool:
        before = len(self._kept.log)
        done = super().shake(dice)
        self._kept.shuffles[before] = {die.id: self._faces[die.id] for die in dice}
        return done


def plain_ask(ask: Ask, match: Match) -> list[Any]:
    """Return the plain data of a question as its seat and the others read it."""
    writer = Writer(match.table)
    params = {name: writer.write(value, "prompt") for name, value in ask.params.items()}
    return [
        ask.id,
        int(ask.seat),
        ask.sealed,
        str(ask.you),
        str(ask.others),
        params,
        writer.write(ask.question, "ask"),
        [int(seat) for seat in ask.shown_to],
    ]


def plain_window(window: Window, match: Match) -> list[Any]:
    """Return the plain data of what people read in a window: the prompts, and what their fields stand for."""
    writer = Writer(match.table)
    params = {name: writer.write(value, "prompt") for name, value in window.params.items()}
    return [str(window.you), str(window.others), str(window.goes), params]


def terms_of(case: Case, pace: float | None = None) -> Terms:
    """Return the terms of a case's match."""
    return Terms(
        case.names, case.house_rules(), pace, teams=alternating(case.teams, case.seats), legacy=case.legacy
    )


def play(
    case: Case, on_turn: Callable[[Recorded], object] | None = None, into: Recorded | None = None
) -> Recorded:
    """Play a case between its bots, to its end.

    `on_turn` is called at each turn's end, for a look at the match; `into` records it. Raise `CheckFailed` if
    the match is abandoned, stops or has no end.
    """
    kept = Recorded(case) if into is None else into
    kept.source = NotingSource(kept)
    follow(kept, kept.source, on_turn)
    if not kept.match.over:
        raise kept.failure("The match stopped without an outcome.")
    return kept


def follow(
    kept: Recorded,
    source: MatchSource,
    on_turn: Callable[[Recorded], object] | None = None,
    pace: float | None = None,
) -> None:
    """Run a match over a source until it waits or is over, and keep what it says.

    Raise `CheckFailed` if it stops.
    """
    match = kept.match = new_match(kept.case.game, terms_of(kept.case, pace), source, kept.tell)

    def turn_ended() -> None:
        kept.turn_ended()
        if on_turn is not None:
            on_turn(kept)

    match.on_turn = turn_ended
    run(kept)


def run(kept: Recorded) -> None:
    """Continue with a match; its end counts as the end of a turn. Raise `CheckFailed` if it stops."""
    match, before = kept.match, kept.match.over
    with blamed(kept):
        match.run()
    if match.over and not before:
        with blamed(kept):
            kept.turns.append(Turn(len(kept.log), len(kept.events), match.digest()))


@contextmanager
def blamed(
    kept: Recorded, but: type[Exception] = CheckFailed, *, what: str = "The match breaks off"
) -> Iterator[None]:
    """Blame the game for any error in here except `but`.

    The failure, a `CheckFailed`, says what happens, the case and the place in the log.
    """
    try:
        yield
    except (CheckFailed, but):
        raise
    except Exception as error:
        told = str(error) if isinstance(error, TavolataError) else repr(error)
        place = _place(error.__traceback__)
        raise kept.failure(f"{what}: {told} ({type(error).__name__} at {place})") from error


def _place(trace: TracebackType | None) -> str:
    """Return file and line of the innermost frame outside Tavolata, where the author can look."""
    found = "?"
    for frame, line in walk_tb(trace):
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("tavolata."):
            found = f"{frame.f_code.co_filename}:{line}"
    return found


SECONDS = 10.0
"""Seconds of processor time without an entry or the end of a turn after which a turn counts as endless.

A busy machine condemns nobody, for what others compute is not counted.
"""
LOOKS = 10
"""How often the watchdog looks in that time."""


class _Stuck(BaseException):  # a rule may catch Exception
    """The error that is raised inside an endless rule."""


@contextmanager
def patience(kept: Recorded) -> Iterator[None]:
    """Watch the match played in this context; raise `CheckFailed` if a turn neither waits nor ends."""
    done, thread = threading.Event(), threading.get_ident()

    def watch() -> None:
        before, since = -1, time.process_time()
        while not done.wait(SECONDS / LOOKS):
            now = len(kept.log) + len(kept.turns)
            if now != before:
                before, since = now, time.process_time()
            elif time.process_time() - since >= SECONDS:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Stuck))
                return

    watcher = threading.Thread(target=watch, name="patience", daemon=True)
    watcher.start()
    try:
        yield
    except _Stuck:
        raise kept.failure("There is no end: a turn goes round in circles and awaits nothing.") from None
    finally:
        done.set()
        watcher.join()


def same(one: Recorded, other: Recorded, what: str, *, logs: bool = True, private: bool = True) -> None:
    """Compare two playings of a single match.

    Args:
        one: the first playing, whose entries are counted.
        other: the second playing.
        what: the beginning of the error's sentence: how the two playings differ in kind.
        logs: whether the logs must be equal, too.
        private: whether events for single seats must be equal, too.

    Raises:
        CheckFailed: they differ; the sentence says where they differ first.
    """
    if logs and (at := first_difference(one.log, other.log)) is not None:
        first, second = told(one.log, at), told(other.log, at)
        raise one.failure(f"{what}: entry {at + 1} is {first} in one and {second} in the other.", at)
    these, those = _events(one, private), _events(other, private)
    if (at := first_difference(these, those)) is not None:
        raise one.failure(
            f"{what}: event {at + 1} is {_nth(these, at)} in one and {_nth(those, at)} in the other.",
            entry_of_event(one, at),
        )
    turns, others = [turn.digest for turn in one.turns], [turn.digest for turn in other.turns]
    if (at := first_difference(turns, others)) is not None:
        entries = one.turns[min(at, len(turns) - 1)].entries if turns else 0
        raise one.failure(f"{what}: the state at the end of turn {at + 1} differs.", entries)
    if one.match.outcome != other.match.outcome or one.match.conviction != other.match.conviction:
        raise one.failure(
            f"{what}: it ends with {one.match.outcome or one.match.conviction} in one "
            f"and with {other.match.outcome or other.match.conviction} in the other."
        )


def first_difference(these: Sequence[Any], those: Sequence[Any]) -> int | None:
    """Return the first place at which two lists differ, None if they are equal."""
    if list(these) == list(those):
        return None
    pairs = zip(these, those, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(these), len(those)))


def told(log: Sequence[MatchEntry], at: int) -> str:
    """Return an entry as text for people."""
    if at >= len(log):
        return "missing"
    kind, *rest = log[at]
    return f"{NAMES[kind]}{tuple(rest)}"


def public_digest(match: Match) -> bytes:
    """Digest a state without the boxes of sealed answers, because the open dealer has no boxes."""
    state = match.state()
    state["secrets"] = [
        [number, seat, question, None, *rest] for number, seat, question, _, *rest in state["secrets"]
    ]
    return digest(state)


def _events(kept: Recorded, private: bool) -> list[list[Any]]:
    return [event for _, event in kept.events if private or event[-1] is None]


def entry_of_event(kept: Recorded, event: int) -> int:
    """Return how many entries there were before an event; all if there is no such event."""
    return kept.events[event][0] if event < len(kept.events) else len(kept.log)


def _nth(values: Sequence[Any], at: int) -> str:
    return repr(values[at][:3:2]) if at < len(values) else "missing"
