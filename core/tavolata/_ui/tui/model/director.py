"""The director: which updates are shown together as one moment, how long each is shown, and in which order.

The match never waits for this: `add` takes every update at once, and it is shown when its turn comes. What is
shown may lag a little behind the match, never more than `MOST_LATE` seconds.
`Feed` takes all that a session says at once, and keeps it for the screens that show it in turn. Only an
opening card stops a match of this machine alone, until it has been read.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from tavolata._engine.match.updates import Asked, Began, Ended, Hinted, Told, Update, WindowOpened
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.curtain import as_seen_by, watch
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.table_model import Glance, TableModel
from tavolata.ring import Seat
from tavolata.zones import CardRow, CardStack, Lanes, Rows, Zone

PACES: Final = {"slow": 1.6, "normal": 1.0, "quick": 0.5, "off": 0.0}
"""The paces by name, as factors of the time for which a moment is shown; 0 shows everything at once."""
WEIGHTS: Final = {
    "quiet": (0.12, 0.12),
    "brief": (0.45, 0.45),
    "matters": (0.8, 2.5),
    "cue": (1.8, 4.0),
}
"""By weight, the least and the most seconds for which a moment is shown at the normal pace."""
LIGHT: Final = frozenset({"quiet", "brief"})
"""The weights of moments that don't matter to the people here."""
STRETCH: Final = 4.0
"""Seconds, at the normal pace, of moments that don't matter; more of them are shown as one."""
CALM, LATE, MOST_LATE = 4.0, 12.0, 13.5
"""Seconds of lateness: up to the first nothing is hurried, up to the last verdicts take time."""
WHOLE: Final = 1.0
"""Seconds within which a question with a time limit is shown, whatever waits before it."""
COUNT: Final = 0.25
"""Seconds for each counted card."""
COUNTING: Final = 3.0
"""The most seconds in which cards are counted."""
REST: Final = 0.6
"""Seconds for which the whole count stays in view."""
GLANCE: Final = 0.1
"""Seconds between two looks at whether the opening card has been read."""
STAMP: Final = 0.9
"""Seconds for which a stamp is alone, before the number of its bearer."""
VERDICT: Final = 1.6
"""Seconds for which that number is in view, with all that was counted for it."""


def counting(cards: int) -> float:
    """Return the seconds for counting these cards at the normal pace."""
    return min(COUNTING, COUNT * cards)


def changed(before: Mapping[str, Zone], after: Mapping[str, Zone]) -> frozenset[str]:
    """Return the ids of the zones that were added, removed or changed."""
    ids = before.keys() | after.keys()
    return frozenset(zone for zone in ids if before.get(zone) != after.get(zone))


def is_last_look(zones: Mapping[str, Zone], follows: Update | None) -> bool:
    """Return True if what is on view is read now or never.

    That's so before people here are asked, before the end of a match, and before open cards leave the table;
    one that another card covers doesn't.
    """
    match follows:
        case Asked(mine=mine):
            return mine
        case Ended():
            return True
        case Told(seen=Glance(zones=after)):
            kept = open_cards(after)
            there = frozenset[int]().union(*kept.values())
            lay = open_cards(zones)
            return any(len(kept.get(zone, ())) < len(lay[zone]) and lay[zone] - there for zone in lay)
        case _:
            return False


def open_cards(zones: Mapping[str, Zone]) -> dict[str, frozenset[int]]:
    """Return the cards that lie open on the table, by the id of their zone."""
    shapes = ((zone.id, zone.shape()) for zone in zones.values() if zone.seat is None)
    stacks = ((at, shape.cards) for at, shape in shapes if isinstance(shape, CardRow | CardStack))
    return {at: frozenset(card.id for card in cards if card.face is not None) for at, cards in stacks}


def weight_of(update: Told, before: Mapping[str, Zone], after: Mapping[str, Zone], own: Sequence[int]) -> str:
    """Return how much an event matters to these seats; where nobody plays here, to any seat."""
    marks, params = update.event.marks, update.event.params.values()
    if update.event.stamp or any(mark.kind == "counted" for mark in marks):
        return "cue"
    touched = set[int]()
    for zone in changed(before, after):
        old, new = before.get(zone), after.get(zone)
        shape, was = (None if one is None else one.shape() for one in (new, old))
        if isinstance(shape, Lanes) and isinstance(was, Lanes) and shape.squares != was.squares:
            return "matters"
        one = new or old
        if one is not None and one.seat is not None:
            touched.add(int(one.seat))
        if isinstance(shape, Rows) and isinstance(was, Rows):
            rows = [row for row in (*shape.rows, *was.rows) if row not in shape.rows or row not in was.rows]
            touched |= {int(label) for label, _ in rows if isinstance(label, Seat)}
    if touched & set(own) or (touched and not own):
        return "matters"
    named = {int(value) for value in params if isinstance(value, Seat)} & set(own)
    return "brief" if touched or named or update.event.to is not None else "quiet"


class Skip(Enum):
    """The updates that take no time: none, those before the next thing that matters, or all that wait."""

    NOTHING = auto()
    AHEAD = auto()
    ALL = auto()


class Moment(NamedTuple):
    """Updates that are shown together, and for how long: `weight` is "" if no time is needed.

    `letters` are those of its longest sentence; `cards` is how many cards are counted in it one after the
    other, `stamps` how many verdicts are stamped.
    """

    updates: tuple[Update, ...]
    weight: str = ""
    letters: int = 0
    cards: int = 0
    stamps: int = 0

    def hold(self, pace: float, lateness: float = 0.0) -> float:
        """Return the seconds for which it's shown before the next one.

        `pace` is a factor, `lateness` the age in seconds of the oldest event not shown yet.
        """
        weight = self.weight or "brief"
        least, most = WEIGHTS[weight]
        if self.cards:
            least = most = counting(self.cards) + REST + (STAMP + VERDICT) * bool(self.stamps)
        elif self.stamps:
            least = most = STAMP + VERDICT
        elif weight == "cue":
            most = least
        seconds = min(most, max(least, 0.3 + 0.028 * self.letters)) * pace
        if lateness <= CALM or not pace:
            return seconds
        if lateness <= LATE:
            return seconds * max(0.35, CALM / lateness)
        return 0.8 if weight == "cue" and lateness <= MOST_LATE else 0.0


def loop_time() -> float:
    """Return the clock of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


class Director:
    """A queue of updates.

    With a pace of 0 everything is shown at once; `clock` is in seconds. `own` returns the seats of the people
    here. `waiting` holds the updates with the
    times of their arrival, the next one first; `over` is set when no more will come.
    """

    def __init__(
        self,
        pace: float,
        clock: Callable[[], float] = loop_time,
        own: Callable[[], Sequence[int]] = tuple,
    ) -> None:
        self._own = own
        self._stretch = 0.0
        self.waiting: deque[tuple[Update, float]] = deque()
        self.pace = pace
        self.over = False
        self._clock = clock
        self._zones: Mapping[str, Zone] = {}
        self._until = 0.0
        self._wake = asyncio.Event()
        self._next = asyncio.Event()
        self._news = asyncio.Event()
        self._skip, self._is_ahead, self._stopped = Skip.NOTHING, False, False

    def add(self, update: Update) -> None:
        self.waiting.append((update, self._clock()))
        self._wake.set()
        self._news.set()

    async def goes_on(self) -> None:
        """Wait until another match waits to be shown, or no more updates come."""
        while not (self.over or any(isinstance(update, Began) for update, _ in self.waiting)):
            self._news.clear()
            await self._news.wait()

    def end(self, *, ended: bool) -> None:
        """Note that no more updates come; with `ended`, `tell` ends after the last one."""
        self.over = ended
        self._wake.set()
        self._news.set()

    @property
    def has_end(self) -> bool:
        """Return True if the end of a match waits to be shown."""
        return any(isinstance(update, Ended) for update, _ in self.waiting)

    @property
    def has_told(self) -> bool:
        """Return True if an event waits to be shown."""
        return any(isinstance(one, Told) for one, _ in self.waiting)

    @property
    def tells(self) -> bool:
        """Return True while an event is shown, or waits to be."""
        return self.has_told or bool(self.pace and self._until and self._clock() < self._until)

    @property
    def lateness(self) -> float:
        """Return the age of the oldest event not shown yet, in seconds."""
        return next((self._clock() - at for update, at in self.waiting if isinstance(update, Told)), 0.0)

    @property
    def hurries(self) -> bool:
        """Return True if the next moment follows at once, so that this one needn't be drawn."""
        return self.lateness > MOST_LATE

    def faster(self, by: int) -> str:
        """Change to the next faster (1) or slower (-1) pace; return its name."""
        names = list(PACES)
        at = min(range(len(names)), key=lambda number: abs(PACES[names[number]] - self.pace))
        name = names[max(0, min(len(names) - 1, at + by))]
        self.pace = PACES[name]
        self._next.set()
        return name

    # -- what is shown ----------------------------------------------------------------------------

    def seen(self, update: Update, now: Glance | None) -> Glance | None:
        """Return the table to show with this update, which has left the queue; None for the current table."""
        if not self._factor():
            return None
        if isinstance(update, Told):
            return update.seen if isinstance(update.seen, Glance) else None
        if isinstance(update, Began):
            return None  # what was shown is another match's table
        # Until the next update is shown, the table stays as it was.
        return now if self.has_told else None

    def _factor(self) -> float:
        """Return the pace; 0 if a window waits, before which nothing is shown in parts."""
        return 0.0 if any(isinstance(one, WindowOpened) for one, _ in self.waiting) else self.pace

    def take(self) -> Moment:
        """Take the next moment: an update, or events between two waits that change the same zones."""
        update, _ = self.waiting.popleft()
        if not isinstance(update, Told) or update.again or not isinstance(update.seen, Glance):
            return Moment((update,))
        zones, updates = changed(self._zones, update.seen.zones), [update]
        weight, letters = self._weight(update, self._zones), len(update.seen.line)
        while self.waiting:
            following, at = self.waiting[0]
            if not isinstance(following, Told) or not isinstance(following.seen, Glance):
                break
            late = self._clock() - at > MOST_LATE  # what is as late as that is shown in one
            one = zones and (
                following.seen.awaits == update.seen.awaits
                and changed(update.seen.zones, following.seen.zones) == zones
            )
            heavier = self._weight(following, update.seen.zones)
            spent = self._stretch + WEIGHTS[weight][0] + WEIGHTS["brief"][0]
            tired = spent > STRETCH and {weight, heavier} <= LIGHT
            skipped = self._skip is Skip.AHEAD and weight in LIGHT
            read_now = is_last_look(update.seen.zones, following)
            if not (late or skipped or ((one or tired) and not read_now)):
                break
            self.waiting.popleft()
            updates.append(following)
            update, weight = following, max(weight, heavier, key=list(WEIGHTS).index)
            letters = max(letters, len(following.seen.line))
        self._zones = update.seen.zones
        cards = sum(len(mark.cards) for one in updates for mark in one.event.marks)
        follows = self.waiting[0][0] if self.waiting else None
        if is_last_look(self._zones, follows):
            weight = max(weight, "matters", key=list(WEIGHTS).index)
        return Moment(tuple(updates), weight, letters, cards, sum(bool(one.event.stamp) for one in updates))

    def _weight(self, update: Told, before: Mapping[str, Zone]) -> str:
        return weight_of(update, before, update.seen.zones, self._own())

    def seconds(self, moment: Moment) -> float:
        """Return how long a moment that was taken now is shown."""
        if not moment.weight or self._skip is not Skip.NOTHING:
            return 0.0
        seconds = moment.hold(self._factor(), self.lateness)
        self._stretch = self._stretch + WEIGHTS[moment.weight][0] if moment.weight in LIGHT else 0.0
        told = 1 + sum(isinstance(one, Told) for one, _ in self.waiting)
        clocked = (at for one, at in self.waiting if isinstance(one, Asked) and one.mine and one.ask.seconds)
        at = next(clocked, None)
        return seconds if at is None else min(seconds, max(0.0, at + WHOLE * 0.9 - self._clock()) / told)

    # -- keys -------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Show the next moment at once; return True if more wait to be shown."""
        if not self.waiting:
            return False
        self._next.set()
        return True

    def skip(self) -> bool:
        """Skip to the next thing that matters to the people here, in one moment; once more, all that waits.

        Return True if anything waits.
        """
        self._skip = Skip.NOTHING if not self.waiting else Skip.ALL if self._is_ahead else Skip.AHEAD
        return self.step()

    # -- telling ----------------------------------------------------------------------------------

    async def tell(self, show: Callable[[Sequence[Update]], Awaitable[Any]]) -> None:
        """Show one moment after the other until the story is over."""
        after_event = False
        while True:
            while self.waiting:
                following = self.waiting[0][0]
                asks = isinstance(following, Asked) and following.mine  # its hints stay until it is answered
                self._stopped = self._stopped and not asks
                if self._stopped and not isinstance(following, Hinted):
                    await self._stop()
                left = self._until - self._clock()
                if left > 0 and self._skip is Skip.NOTHING and self._factor():
                    await self._pause(min(left, self.pace * 4))
                    self._until = 0.0
                    continue
                moment = self.take()
                await show(moment.updates)
                if self._skip is Skip.AHEAD and moment.weight not in {"", *LIGHT}:
                    self._skip, self._is_ahead = Skip.NOTHING, True
                seconds = self.seconds(moment)
                self._until = self._clock() + seconds
                timed = bool(moment.weight) and bool(self.pace)
                hinted = isinstance(moment.updates[0], Hinted)
                self._stopped = hinted and after_event and bool(self.pace)
                after_event = timed or (hinted and after_event)
            self._skip, self._is_ahead = Skip.NOTHING, False
            if self.over:
                return
            self._wake.clear()
            await self._wake.wait()

    async def _stop(self) -> None:
        """Wait until the person has read the hint on an event; this time doesn't count as lateness."""
        start = self._clock()
        clocked = any(isinstance(one, Asked) and one.mine and one.ask.seconds for one, _ in self.waiting)
        if not clocked and self._factor():
            self._next.clear()
            await self._next.wait()
        self._stopped = False
        self.waiting = deque((one, at + self._clock() - start) for one, at in self.waiting)

    def go_on(self) -> None:
        """Continue after a hint."""
        self._next.set()

    async def _pause(self, seconds: float) -> None:
        self._next.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._next.wait()


class Feed:
    """The feed of one session; it continues while its match is watched again.

    `model` has been shown, `director` holds the rest. `failure` is raised again when the screen is gone.
    `is_left` is set when the match was left for good.
    """

    def __init__(self, session: TableSession, translator: Translator, pace: float) -> None:
        self.session = session
        self.model = TableModel(session, translator)
        self.director = Director(pace, own=lambda: session.people)
        self.failure: BaseException | None = None
        self.is_left = False
        self._asked_at: dict[int, float] = {}

    async def follow(self) -> None:
        """Take all updates from the session at once; they're shown later at the chosen pace."""
        model, director = self.model, self.director
        # A snapshot of the board is stored at each event, because the match continues while it is shown.
        watch(self.session.match, model)
        self.session.look_back(model.look)
        try:
            async with contextlib.aclosing(self.session.updates()) as updates:
                async for update in updates:
                    if isinstance(update, Told | WindowOpened):
                        await self._card_read()
                    if isinstance(update, Asked):
                        self._asked_at[update.ask.id] = loop_time()
                    director.add(as_seen_by(update, model))
                    watch(self.session.match, model)
        except Exception as error:  # noqa: BLE001 - kept, and raised again when the screen is gone
            self.failure = error
        # After a match, people can look at its last board for as long as they like.
        shown = (model.ended is not None or director.has_end) and not self.is_left
        director.end(ended=self.failure is not None or not shown)

    async def _card_read(self) -> None:
        """Wait while the opening card is up, unless other machines play on."""
        while self.model.card and self.session.table() is None:  # noqa: ASYNC110 - answers, keys and ends close it
            await asyncio.sleep(GLANCE)

    def seconds_left(self) -> int | None:
        """Return the seconds left for the first open question with a time limit; None without one."""
        for ask in [*self.model.asks, *self.model.others]:
            if ask.seconds is not None:
                now = loop_time()
                return max(0, round(ask.seconds - (now - self._asked_at.get(ask.id, now))))
        return None
