"""Rehearsals: a match whose cards, dice and answers are written down, so that a rule can be tested.

    table = rehearse(Zompa, seats=3, decks={"deck": "4 C 2"})
    assert table.said() == ["Round 1: ...", ...]

This module drives a scripted match; the words of scripts are in `script`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tavolata._engine.match.entries import ANSWER, INTERJECT, QUIET, REACT, SAY, TIMEOUT, MatchEntry
from tavolata._engine.match.match import Terms
from tavolata._engine.match.seating import alternating, teams_for
from tavolata._engine.match.worlds import new_match
from tavolata.asks import Ask
from tavolata.bots import Bot
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.kinds.one_of import GO
from tavolata.messages import Event
from tavolata.options import problems_of, refuse_first
from tavolata.outcome import Outcome
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS
from tavolata.table import Table
from tavolata.testing import script
from tavolata.testing.cases import ScriptError
from tavolata.testing.playthrough import as_seen, words_of
from tavolata.testing.script_source import DeckScript, ScriptSource
from tavolata.view import View
from tavolata.windows import Window


class _Enough(Exception):
    """As many turns as were wanted have been played."""


class Rehearsal:
    """A scripted match, as far as its script goes.

    Attributes:
        match: the running match.
        log: its entries so far.
        events: what happened, as data.
    """

    def __init__(
        self,
        game: type[Game[Any]],
        terms: Terms,
        source: ScriptSource,
        turns: int | None,
    ) -> None:
        self.match = match = new_match(game, terms, source, self._tell)
        self.log = source.log
        self._source = source
        self._turns = turns
        self._told: dict[int | None, list[Event]] = {seat: [] for seat in (None, *range(len(match.status)))}
        match.on_turn = self._turn_ended

    def _tell(self, event: Event) -> None:
        """Keep what each viewer is told, with the faces as they see them now: cards are shuffled later."""
        for seat, told in self._told.items():
            if event.to is None or seat in event.to:
                told.append(as_seen(event, self.views(seat)))

    def _turn_ended(self) -> None:
        if self.match.table.turn == self._turns:
            raise _Enough

    def _run(self) -> None:
        try:
            self.match.run()
        except _Enough:
            self.match.stand_at_turn()
            self._source.open = []

    @property
    def game(self) -> Any:
        """The game, whose attributes are the state."""
        return self.match.game

    @property
    def table(self) -> Table[Any]:
        """The table, for what asks for it."""
        return self.match.table

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it has not."""
        return self.match.outcome

    @property
    def events(self) -> list[Event]:
        """What happened, as data."""
        return self.match.events

    @property
    def open(self) -> list[Ask]:
        """The questions that are open now."""
        return [] if self.match.over else [ask for ask in self._source.open if ask.answer is None]

    @property
    def window(self) -> Window | None:
        """The window that is open now."""
        return None if self.match.over else self._source.window

    def said(self, seat: int | None = None, lang: str = "en") -> list[str]:
        """Return what happened in a language's words, as one seat (None: a spectator) gets to know it."""
        words = words_of(self.match, lang)
        return [words.event(event) for event in self._told[seat]]

    def views(self, seat: int | None) -> View:
        """Return what a seat, or a spectator (None), may know now."""
        return self.match.view(seat)

    def may(self, seat: int) -> list[str]:
        """Return the names of the interjections that this seat may do now."""
        return list(self.match.standing(seat))

    def play(self, *items: Any) -> Rehearsal:
        """Continue with these answers, interjections and words; see `rehearse`.

        Raises:
            ScriptError: one of them is refused, or fits nothing that is open.
        """
        for number, item in enumerate(items, 1):
            self._play(item, f"Item {number} of the script, {item!r}")
        return self

    def play_turns(self, turns: int) -> Rehearsal:
        """Play this many turns more, after those that `rehearse` was told to play."""
        self._turns = self.match.table.turn + turns
        self._run()
        return self

    def _feed(self, entry: MatchEntry) -> None:
        self._source.feed(entry)
        self._run()

    def _play(self, item: Any, name: str) -> None:
        if isinstance(item, script.Refuses):
            self._refused(item, name)
            return
        if isinstance(item, script.Reacts | script.Race):
            self._race(item.reactions if isinstance(item, script.Race) else (item,), name)
            return
        if isinstance(item, script.GoesOn):
            for _ in range(item.pauses):
                if (window := self.window) is not None:
                    self._let_pass(window)
                    continue
                asks = list(self.open)
                if not asks or any(ask.question is not GO for ask in asks):
                    raise ScriptError(f"{name}: the match is not at a pause. {self._waiting()}")
                for ask in asks:  # several at an open floor
                    self._feed((ANSWER, int(ask.seat), ask.id, 0))
            return
        try:
            for entry in self._entries(item, name):
                self._feed(entry)
        except Refused as refusal:
            raise ScriptError(f"{name} is refused: {refusal} {self._waiting()}") from refusal

    def _race(self, reactions: Sequence[script.Reacts], name: str) -> None:
        window = self.window
        if window is None:
            raise ScriptError(f"{name}: no window is open. {self._waiting()}")
        try:
            for one in reactions:
                self._feed(self._reaction(one, window))
        except Refused as refusal:
            raise ScriptError(f"{name} is refused: {refusal} {self._waiting()}") from refusal
        self._decide(window)

    def _reaction(self, one: script.Reacts, window: Window) -> MatchEntry:
        answer: Any = one.value
        if answer is not GOES and (kind := window.questions.get(SEATS[one.seat])) is not None:
            answer = script.answer_of(kind, answer, self.views(one.seat), words_of(self.match))
        return (REACT, one.seat, window.id, answer, one.milliseconds)

    def _decide(self, window: Window) -> None:
        first = int(window.order()[0])
        self._feed((QUIET, first, window.id, first, 0, 0))

    def _let_pass(self, window: Window) -> None:
        if window.go is None:
            self._feed((TIMEOUT, window.id))
        else:
            self._feed((REACT, int(window.go), window.id, GOES, window.hurry))
            self._decide(window)

    def _refused(self, item: script.Refuses, name: str) -> None:
        before = self.match.digest()
        try:
            for entry in self._entries(item.item, name):
                self._source.feed(entry)
        except Refused as refusal:
            if item.reason not in str(refusal):
                raise ScriptError(f"{name}: it is refused because {str(refusal)!r}.") from refusal
            if self.match.digest() != before:
                raise ScriptError(f"{name}: it is refused, but it has changed the state.") from refusal
            return
        raise ScriptError(f"{name}: nothing is refused.")

    def _entries(self, item: Any, name: str) -> list[MatchEntry]:
        match item:
            case script.Does(seat, what, value):
                kind = self.match.standing(seat).get(what)
                if kind is None:
                    return [(INTERJECT, seat, what, 0)]  # let the match say why not
                value = kind.value_of(script.answer_of(kind, value, self.views(seat), words_of(self.match)))
                return [self.match.interjection(seat, what, value)]
            case script.Says(seat, text, to):
                return [(SAY, seat, (to,) if isinstance(to, int) else tuple(to), text)]
            case script.TimeIsUp(seat):
                late = [ask.id for ask in self.open if seat in (None, ask.seat)]
                late += [] if self.window is None else [self.window.id]
                if not late:
                    raise ScriptError(f"{name}: no time runs. {self._waiting()}")
                return [(TIMEOUT, number) for number in late]
            case script.Reacts() if self.window is not None:
                return [self._reaction(item, self.window)]
            case script.Answers(seat, value):
                asks = [ask for ask in self.open if ask.seat == seat]
                if not asks:
                    raise ScriptError(f"{name}: seat {seat} is not asked anything. {self._waiting()}")
                return [self._answer(asks[0], value)]
            case _:
                pass  # plain answers
        if isinstance(item, dict) and {ask.seat for ask in self.open} == item.keys():
            return [self._answer(ask, item[ask.seat]) for ask in self.open]
        if len(self.open) != 1:
            raise ScriptError(f"{name}: not one question is open, but {len(self.open)}. {self._waiting()}")
        return [self._answer(self.open[0], item)]

    def _answer(self, ask: Ask, value: Any) -> MatchEntry:
        answer = script.answer_of(ask.question, value, self.views(ask.seat), words_of(self.match))
        return (ANSWER, int(ask.seat), ask.id, answer)

    def _waiting(self) -> str:
        if self.match.over:
            return "The match is over."
        if self._source.wants is not None:
            return "The match waits for a card that the script does not name."
        if self.window is not None:
            return "A window is open; reacts(...), race(...) and goes_on() fit."
        return f"Open: {script.waiting_for(self.open, self.views, words_of(self.match))}."


def rehearse(
    game: type[Game[Any]],
    *,
    seats: int | Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    first: int = 0,
    decks: Mapping[str, DeckScript] | None = None,
    dice: Sequence[Any] | None = None,
    lots: Sequence[int] | None = None,
    answers: Sequence[Any] | None = None,
    turns: int | None = None,
    pauses: bool = False,
    bots: Mapping[int, Bot] | None = None,
    seed: int = 0,
    teams: int = 0,
) -> Rehearsal:
    """Play a match with everything that matters written down.

    It continues until the match is over, this many turns are played, or a pile whose cards were named
    has no named card left. What is not scripted comes from the seed.

    Args:
        game: its rules.
        seats: how many, or their names; as few as can be by default.
        options: the house rules that aren't the default.
        first: the seat that the first lot falls on (`Table.first_seat`).
        decks: by name of a pile (or of its deck), the faces in the order in which they leave it.
        dice: what dice show, one after the other, as their faces.
        lots: what lots fall on after `first`, one after the other, each from 0.
        answers: answers as values, one after the other, and what else seats do: `does`, `says`,
            `time_is_up`, `refuses`, `goes_on`, in windows `reacts` and `race`; for questions to
            several at once a dict by seat, or `answers(seat, value)`. None: stop at the first
            question, `Rehearsal.play` continues.
        turns: how many turns to play.
        pauses: whether the match waits where a hand is on the deck (`turn_up(by=...)`).
        bots: seats that answer for themselves.
        seed: of all that is not scripted.
        teams: how many teams alternate around the table.

    Raises:
        ScriptError: the script ran dry, or something in it was refused; it says where.
        Refused: these teams don't fit the game or this many seats; `OptionError`, a subclass, if the house
            rules don't, or don't exist.
    """
    names = _names(game.seats[0] if seats is None else seats)
    source = ScriptSource(seed, [(bots or {}).get(seat) for seat in range(len(names))])
    source.script(decks or {}, dice, [first, *lots] if lots is not None else None, first)
    source.stops_unnamed = turns is None
    agreed = game.options.parse(options or {})
    teams = teams_for(game, teams, len(names))
    refuse_first(problems_of(agreed, len(names), teams))
    terms = Terms(names, agreed, 0 if pauses else None, teams=alternating(teams, len(names)))
    rehearsal = Rehearsal(game, terms, source, turns)
    rehearsal._run()
    if answers is not None:
        rehearsal.play(*answers)
        if rehearsal.open and source.wants is None and not (pauses and rehearsal.open[0].question is GO):
            raise ScriptError(f"The script ran dry after {len(answers)} items. {rehearsal._waiting()}")
    return rehearsal


def _names(seats: int | Sequence[str]) -> tuple[str, ...]:
    return tuple(f"P{number}" for number in range(seats)) if isinstance(seats, int) else tuple(seats)
