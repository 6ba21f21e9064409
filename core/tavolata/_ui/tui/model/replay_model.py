"""The state of a replay on the screen: the moments of a match as one viewer saw them. No widgets, no colours.

They are the moments that the director would show, with the tables of then, so each is drawn as it was drawn
when it happened.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final, NoReturn

from msgspec.structs import replace
from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Ended, Told, Update
from tavolata._engine.review.replay import ALL, Replay
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.scene.make import wish_for
from tavolata._ui.scene.scene import Decision, Scene, Timeline
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.model.director import Director, Moment
from tavolata._ui.tui.model.table_model import Glance, TableModel, actor_of, in_story
from tavolata._ui.words import Words
from tavolata.errors import Refused
from tavolata.messages import N_, Event
from tavolata.zones import Layout, Zone

QUICKEST: Final = 0.25
"""The fewest seconds of a moment that goes on by itself."""
TURN = N_("turn {turn} of {turns}")
ONLY_SHOWN = N_("This is a replay.")
BEGINNING = N_("The match begins.")
UNFINISHED = N_("The match stopped here.")
BROKEN = N_("The file is damaged from byte {at} on, so the rest can't be shown.")
EYES = N_("1-9: a player's view, 0: the spectators' view, o: all hands, g: go to a turn by number.")
PAUSE = N_("Pause")
PLAY = N_("Play")


class ReplaySession(TableSession):
    """A match from a file, seen by one seat or by a spectator. Nothing can be done in it."""

    __slots__ = ("game", "names", "package", "people")  # attributes, where a session has properties

    def __init__(self, replay: Replay, package: str, seat: int | None) -> None:
        self._replay = replay
        self.game: str = replay.header.game
        self.package: str = package
        self.names: tuple[str, ...] = replay.header.names
        self.people: tuple[int, ...] = () if seat is None or seat == ALL else (seat,)

    @property
    @override
    def match(self) -> Match:
        return self._replay.match

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        nothing: tuple[Update, ...] = ()
        for update in nothing:
            yield update

    def _refused(self, *_: Any, **__: Any) -> NoReturn:
        raise Refused(ONLY_SHOWN)

    answer = drawn = react = interject = say = take_back = _refused

    @override
    def input_ended(self) -> bool:
        return True

    @override
    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        return "", {}


class ReplayModel:
    """The moments of a match from one seat.

    `seat` is None for a spectator, `ALL` for all hands. `at` is the moment shown, 0 the beginning.
    """

    def __init__(self, replay: Replay, translator: Translator, package: str, seat: int | None = None) -> None:
        self._replay, self._translator, self._package = replay, translator, package
        self.words = Words(translator, package, replay.header.names)
        self.seat = seat
        self.playing = False
        self._read()

    def _read(self) -> None:
        """Run the match once, and keep every moment as this viewer saw it."""
        replay, told = self._replay, list[Told]()
        numbers = dict[int, int]()

        def look(event: Event) -> None:
            if event.to is None or self.seat == ALL or self.seat in event.to:
                seen = Told(event, self._glance(event))
                numbers[id(seen)] = len(replay.match.told)
                told.append(seen)

        self._rehearsed: TableModel | None = None
        replay.rewind()
        self._opening = self._glance(None)
        replay.on_event = look
        replay.go(len(replay.steps) - 1)
        replay.on_event = None
        director = Director(1.0, lambda: 0.0)
        for one in told:
            director.add(one)
        self._moments, self._numbers = list[Moment](), list[int]()
        while director.waiting:
            moment = director.take()
            self._moments.append(moment)
            self._numbers.append(numbers[id(moment.updates[-1])])
        self._begin()

    def _glance(self, event: Event | None) -> Glance:
        match, view = self._replay.match, self._replay.view(self.seat)
        zones, seats = view.zones(), len(match.terms.names)
        words = in_story(self.words, [MARKS[mark] for _, mark in looks_of([None] * seats)], zones)
        line = "" if event is None else words.event(event, view)
        marks = () if event is None else event.marks
        return Glance(zones, match.game.turns_begun(match.table), line, match.awaits, marks)

    def _begin(self) -> None:
        self.at = 0
        self.table = TableModel(ReplaySession(self._replay, self._package, self.seat), self._translator)
        self.table.seen = self._opening
        if self._rehearsed is not None:
            self.table.take_places(self._rehearsed)
        self._met = frozenset[str]()
        self._shown: Mapping[str, Zone] | None = None

    def rehearse(self, *, plain: bool = False) -> None:
        """Give everything its place before the first frame; do nothing later, except for another viewer."""
        self.table.rehearse(plain=plain)
        self._rehearsed = self.table

    # -- where ------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The number of the last moment: the end of the match."""
        return len(self._moments) + 1

    @property
    def turns(self) -> int:
        return max((self._turn_of(at) for at in range(1, self.last)), default=1)

    def _turn_of(self, moment: int) -> int:
        """Return the turn of a moment, as players count them."""
        if not self._moments:
            return 1
        (update, *_) = self._moments[min(max(moment, 1), len(self._moments)) - 1].updates
        return update.seen.turn if isinstance(update, Told) and isinstance(update.seen, Glance) else 1

    @property
    def turn(self) -> int:
        return self._turn_of(self.at)

    def peaks(self) -> list[tuple[int, int | None]]:
        """Return the moments of great weight, each with the seat that acted in it."""
        return [
            (at, actor_of(moment.updates[0].event.params) if isinstance(moment.updates[0], Told) else None)
            for at, moment in enumerate(self._moments, 1)
            if moment.weight == "cue"
        ]

    def now(self) -> Moment:
        return self._moments[self.at - 1] if 0 < self.at < self.last else Moment(())

    def seconds(self, pace: float) -> float:
        """Return how long the moment is shown at this pace, before the next one follows on its own."""
        return max(QUICKEST, self.now().hold(pace))

    # -- moving -----------------------------------------------------------------------------------

    def go(self, moment: int) -> None:
        """Go to a moment; a number beyond either end means that end."""
        moment = max(0, min(moment, self.last))
        if moment < self.at:
            self._begin()
        while self.at < moment:
            self.at += 1
            if self.at < self.last:
                self._take(self._moments[self.at - 1])
            elif (ended := self._replay.end()) is not None:
                self.table.before, self.table.marks = None, ()
                self.table.take(ended)

    def _take(self, moment: Moment) -> None:
        table = self.table
        table.before, table.marks = self._shown, ()
        for update in moment.updates:
            assert isinstance(update, Told)
            table.seen = update.seen
            table.take(update)
        self._shown = table.zones()
        if fresh := self._shown.keys() - self._met:  # each gets its place in the order in which it came
            self._met |= fresh
            self.scene(Viewpoint(self._translator.lang, "", ()))

    def to_turn(self, turn: int) -> None:
        """Go to the first moment of a turn, 1 for the first turn; beyond the last one, to the end."""
        at = (at for at in range(1, self.last) if self._turn_of(at) >= turn)
        self.go(0 if turn < 1 else next(at, self.last))

    def to_decisive(self) -> None:
        """Go to the turn that decided the match; to the beginning if no turn did."""
        self.rehearse()
        self.go(self.last)
        ended = self.table.ended
        outcome = None if ended is None else ended.outcome
        found = outcome and self.table.verdicts.decisive(outcome.winners, outcome.scores)
        self.to_turn(found.turn if found else 0)

    def to_peak(self, by: int) -> None:
        """Go to the next moment of great weight, or back to the one before."""
        peaks = [0, *(at for at, _ in self.peaks()), self.last]
        if by > 0:
            self.go(next((at for at in peaks if at > self.at), self.last))
        else:
            self.go(next((at for at in reversed(peaks) if at < self.at), 0))

    def watch(self, seat: int | None) -> None:
        """See the same moment from a seat, as a spectator (None), or with all hands open (`ALL`).

        Raise `Refused` if the cards of that seat may not be seen.
        """
        self._replay.check_seat(seat)
        ended = self.at == self.last
        number = self._numbers[self.at - 1] if 0 < self.at < self.last else 0
        self.seat = seat
        self._read()
        if ended or number:
            at = (at for at, one in enumerate(self._numbers, 1) if one >= number)
            self.go(self.last if ended else next(at, self.last))

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def wish(self) -> Layout:
        return wish_for(self._replay.match.game.layout, len(self._replay.header.names))

    def scene(self, point: Viewpoint) -> Scene:
        scene = self.table.scene(point, None)
        said = {"turn": self.turn, "turns": self.turns}
        act = self.words.text(PAUSE if self.playing else PLAY)
        decision = Decision(
            "replay", self.words.text(TURN, said), self._line(), act,
            note=self.words.text(EYES), timeline=Timeline(self.at, self.last, tuple(self.peaks())),
        )  # fmt: skip
        return replace(scene, decision=decision)

    def _line(self) -> str:
        if not self.at:
            return self.words.text(BEGINNING)
        if self.at < self.last:
            lines = [one.seen.line for one in self.now().updates if isinstance(one, Told)]
            return " ".join(dict.fromkeys(lines))  # what happens twice in a moment is said once
        if self.table.ended is not None:
            return ""
        at = self._replay.broken_at
        return self.words.text(UNFINISHED) if at is None else self.words.text(BROKEN, {"at": at})

    def ended(self) -> Ended | None:
        """Return how the match ended, once its end is shown."""
        return self.table.ended
