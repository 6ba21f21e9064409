"""The replay of a match as lines of text or of JSON: the whole match, or step by step if somebody types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tavolata._engine.review.replay import ALL, Replay
from tavolata._text import number_within, one_line
from tavolata._ui.endings import ending_lines
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import end_data, event_data, full_data, hello_data
from tavolata._ui.looking import Looking, Rows, find_row
from tavolata._ui.scene.text import Json
from tavolata._ui.words import Words
from tavolata.errors import Refused
from tavolata.messages import N_, Event
from tavolata.ring import SEATS

PLACE = N_("Turn {turn} of {turns}, step {step} of {steps}.")
TURN = N_("Turn {turn} of {turns}.")
BEGINNING = N_("The match begins.")
UNFINISHED = N_("The match stopped here.")
BROKEN = N_("The file is damaged from byte {at} on, so the rest can't be shown.")
HELP_NEXT = N_("Enter: the next step")
SEE = N_("change view: seat NAME, seat all, or just seat (spectators)")
QUIT = N_("quit")
EVERYBODY = N_("all")


class PlainReplay:
    """The lines of a replay. `seat` is the viewer's; None for a spectator, `ALL` for all hands."""

    def __init__(
        self,
        replay: Replay,
        translator: Translator,
        package: str,
        out: Callable[[str], object],
    ) -> None:
        self._replay = replay
        self._words = Words(translator, package, replay.header.names)
        self._out = out
        self.seat: int | None = None
        looking = Looking(lambda: replay.view(self.seat), lambda: self._words, out)
        self._table: Rows = {
            N_("back"): (lambda _: self._back(), N_("go back a step")),
            N_("turn"): (self._turn, N_("go to the next turn, or to another one: turn NUMBER")),
            N_("start"): (lambda _: self._jump(0), N_("go to the beginning of the match")),
            N_("end"): (lambda _: self._jump(len(replay.steps) - 1), N_("go to the end of the match")),
            N_("seat"): (self._sit, SEE),
            **looking.rows,
            QUIT: (lambda _: None, N_("quit")),
        }

    # -- all of it ----------------------------------------------------------------------------

    def all(self, turn: int = 1) -> None:
        """Print the match from this turn on, with a line for each turn and each event."""
        replay, first = self._replay, self._replay.step_of_turn(turn)
        replay.go(first)
        turn = -1
        for step in range(first + 1, len(replay.steps)):
            now = replay.steps[step - 1].turn
            if now != turn:
                turn = now
                self._out(
                    self._words.text(TURN, {"turn": min(turn + 1, replay.turns), "turns": replay.turns})
                )
            self._tell(replay.go(step))
        self._end()

    # -- step by step -------------------------------------------------------------------------

    def run(self, lines: Iterable[str]) -> None:
        self._help()
        self._place()
        for line in lines:
            word, _, rest = line.strip().removeprefix("/").partition(" ")
            try:
                if not self._do(word, rest.strip()):
                    return
            except Refused as refusal:
                self._out(self._words.text(refusal.message, refusal.params))

    def _do(self, word: str, rest: str) -> bool:
        if not word:
            self._next()
            return True
        if word.isdecimal():
            word, rest = "turn", word
        if word in ("?", "help", self._words.text(N_("help"))):
            self._help()
            return True
        name = find_row(self._table, word, self._words.text)
        if name is None:
            raise Refused(N_("No such command: {word} (? for help)."), word=one_line(word, 40))
        self._table[name][0](rest)
        return name != QUIT

    def _help(self) -> None:
        self._out(self._words.text(HELP_NEXT))
        for name, (_, what) in self._table.items():
            self._out(f"  {self._words.text(name)}: {self._words.text(what)}")

    def _next(self) -> None:
        last = len(self._replay.steps) - 1
        if self._replay.at < last:
            self._tell(self._replay.go(self._replay.at + 1))
        if self._replay.at == last:
            self._end()

    def _back(self) -> None:
        if self._replay.at == 0:
            raise Refused(BEGINNING)
        self._tell(self._replay.go(self._replay.at - 1))
        self._place()

    def _turn(self, rest: str) -> None:
        replay = self._replay
        now = replay.steps[replay.at].turn + 1
        turn = number_within(rest, 1, replay.turns) if rest else now + 1
        if turn is None:
            raise Refused(N_("Choose a number from 1 to {n}."), n=replay.turns)
        self._jump(replay.step_of_turn(turn))

    def _jump(self, step: int) -> None:
        self._replay.go(step)
        self._place()
        if step == len(self._replay.steps) - 1:
            self._end()

    def sit(self, name: str) -> None:
        """Watch from a seat: a name, a number, "all" for all hands at once, "" for a spectator.

        Raise `Refused` if there is no such seat, or its cards may not be shown.
        """
        seat = find_seat(name, self._replay.header.names, self._words.text)
        self._replay.check_seat(seat)
        self.seat = seat

    def _sit(self, rest: str) -> None:
        self.sit(rest)
        if self.seat == ALL:
            message, params = self._replay.why_hidden() or (N_("Now showing all hands."), {})
        elif self.seat is None:
            message, params = N_("Now showing the spectators' view."), {}
        else:
            message, params = N_("Now showing {seat}'s view."), {"seat": SEATS[self.seat]}
        self._out(self._words.text(message, params))

    # -- telling ------------------------------------------------------------------------------

    def _place(self) -> None:
        replay = self._replay
        step = replay.steps[replay.at]
        place = {
            "turn": min(step.turn + 1, replay.turns), "turns": replay.turns,
            "step": replay.at, "steps": len(replay.steps) - 1,
        }  # fmt: skip
        self._out(self._words.text(PLACE, place) if replay.at else self._words.text(BEGINNING))

    def _tell(self, events: list[Event]) -> None:
        view = self._replay.view(self.seat)
        for event in events:
            if event.to is None or self.seat == ALL or self.seat in event.to:
                self._out(self._words.event(event, view))

    def _end(self) -> None:
        ended, broken_at = self._replay.end(), self._replay.broken_at
        if ended is not None:
            lines = ending_lines(ended, self._words)
        elif broken_at is not None:
            lines = [self._words.text(BROKEN, {"at": broken_at})]
        else:
            lines = [self._words.text(UNFINISHED)]
        for line in lines:
            self._out(line)


def find_seat(name: str, names: Sequence[str], say: Callable[[str], str]) -> int | None:
    """Return the seat that a word means: a name or its beginning, a number, or `ALL`; None for no word.

    Raise `Refused` if no one has that name.
    """
    if not name:
        return None
    wanted = name.casefold()
    if wanted in ("all", say(EVERYBODY)):
        return ALL
    folded = [one.casefold() for one in names]
    number = number_within(name, 1, len(folded))
    if number is not None:
        return number - 1
    for fits in (str.__eq__, str.startswith):
        for seat, one in enumerate(folded):
            if fits(one, wanted):
                return seat
    raise Refused(N_("No one here is named {name}."), name=name)


def told(replay: Replay, translator: Translator, package: str, seat: int | None, turn: int) -> Iterator[Json]:
    """Yield the lines of a match from one turn on: its events, and a `full` line at the end of each turn.

    `seat` is None for a spectator, `ALL` for all hands; turns count from 1.
    """
    words = Words(translator, package, replay.header.names)

    def full() -> Json:
        shown = None if seat == ALL else seat
        return full_data(replay.match, shown, (), words, replay.view(seat))

    yield hello_data(translator.lang)
    yield {"type": "begin", "again": turn > 1}
    replay.go(replay.step_of_turn(turn))
    yield full()
    for step in range(replay.at + 1, len(replay.steps)):
        before = replay.steps[step - 1].turn
        for event in replay.go(step):
            if event.to is None or seat == ALL or seat in event.to:
                yield event_data(event, words, replay.view(seat))
        if replay.steps[step].turn > before or step == len(replay.steps) - 1:
            yield full()
    if (ended := replay.end()) is not None:
        yield end_data(ended, words)
