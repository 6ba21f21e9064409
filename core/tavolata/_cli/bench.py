"""The bench: a match under the hands of its author, in a process of its own.

It plays the match with the answers it was given, goes back and on, and shows it from any seat. The code of
a game is read once in a process, so each version of a file has a bench of its own, which takes over the
answers of the one before by value.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from io import StringIO
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from traceback import format_exception
from typing import Any, Final, assert_never

from tavolata._engine.match.rewinding import Move, RewindingMatch
from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.match.seating import check_seats, teams_for, usual_level, usual_seats
from tavolata._engine.match.updates import Ended
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.game_file import file_in
from tavolata._text import one_line
from tavolata._ui.answers import by_words, choice_lines, parse, prompt_of
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.cast import Cast
from tavolata._ui.scene.items import shown_order
from tavolata._ui.scene.make import make_scene, wish_for
from tavolata._ui.scene.rehearsal import rehearse
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import StoryLine
from tavolata._ui.scene.text import items_of, lines_of
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.standing import Standing, standing
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.drawing.runs import Line
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.tui.model.prompt import Prompt, PromptQuestion
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import MessageError, Refused
from tavolata.game import Game
from tavolata.messages import N_, NN_
from tavolata.testing.cases import Case
from tavolata.testing.playthrough import playthrough_of
from tavolata.view import View

STORY: Final = 40
"""The newest sentences of a match that are shown."""
TOLD: Final = 6
"""The newest sentences that plain text shows."""
MOST_ON: Final = 2_000
"""The most answers of bots in one go."""
WIDE: Final = 400
"""The most characters of an attribute."""

NOT_ASKED = N_("Nothing to answer at this seat right now.")
NO_SEAT = N_("There are {n} seats.")
BEGINNING = N_("You're at the start of the match.")
OVER = N_("The match is over.")
NO_OFFER = N_("Choose a number from 1 to {n}.")
NO_END = N_("The match still isn't over after {n} more answers.")
WHERE = N_("answer {at} of {all} · seed {seed} · {who}")
ASKED_SEAT = N_("player to move")
ALL_OPEN = N_("all cards face up")
REPLAYED = NN_("{n} answer replayed.", "{n} answers replayed.")
NO_FIT = N_("Answer {next} of {all} isn't possible any more: {value}")
WRITTEN = N_("Wrote {path}")


_DO: Final = re.compile(r"do (\d{1,4})(?: (.*))?")


class Do(Enum):
    """The commands of a bench; the comment says what goes with one."""

    BEGIN = auto()  # a `Position` to take over
    SIZE = auto()  # the columns and rows of the screen
    SIT = auto()  # the number of a seat, 1 for the first; 0 for that of whoever is asked
    REVEAL = auto()
    BACK = auto()
    ON = auto()
    END = auto()
    SAY = auto()  # an answer as it's typed, or "do 1" for the first interjection
    STEP = auto()  # where to move among the choices
    MARK = auto()
    ENTER = auto()
    TEST = auto()


@dataclass(frozen=True)
class Position:
    """Where a match is, and how it's looked at: everything that another version of the game takes over."""

    moves: tuple[Move, ...] = ()
    at: int = 0
    sitting: int = 0
    reveals: bool = False
    size: tuple[int, int] = (80, 24)


@dataclass(frozen=True)
class BenchState:
    """What a bench shows after each command.

    Attributes:
        rows: the table as the screen draws it; empty where it is too small.
        lines: the table and the question as text.
        attributes: the name and the value of each attribute of the game, and whether it has just changed.
        note: what the last command has come to; "" for nothing.
        trouble: what went wrong, with the lines of a traceback; the match is as it was before.
        broken: there is no match: the file can't be read, or an answer that was taken over breaks its rules.
        printed: what the game has printed.
        asked: the numbers of the seats that are asked.
        offers: the interjections of the seat that is shown; "do 1" makes the first.
        writes: a text is asked of the seat that is shown.
    """

    position: Position
    rows: tuple[Line, ...] = ()
    cursor: tuple[int, int] = (0, 0)
    lines: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str, bool], ...] = ()
    note: str = ""
    trouble: tuple[str, ...] = ()
    broken: bool = False
    printed: str = ""
    asked: tuple[int, ...] = ()
    offers: tuple[str, ...] = ()
    writes: bool = False
    over: bool = False
    turn: int = 0
    digest: str = ""


class Bench:
    """A match and how it's looked at; call it with a command and what goes with it, in a process of its own.

    The game is loaded at the first call.
    """

    def __init__(
        self, file: str, seats: int | None, seed: int, options: Mapping[str, str], lang: str, *, plain: bool
    ) -> None:
        self._file, self._seats, self._seed, self._options = file, seats, seed, options
        self._translator, self._plain = Translator(lang), plain
        self._words = Words(self._translator, "", ())
        self._loaded = False
        path = file_in(file)
        assert path is not None
        self._folder = path.resolve().parent

    def __call__(self, command: tuple[Do, Any]) -> BenchState:
        sys.dont_write_bytecode = True  # the author's folder gets no files but the author's
        with redirect_stdout(StringIO()) as printed, redirect_stderr(printed):
            try:
                if not self._loaded:
                    self._load()
                shown = self._do(*command)
            except Exception as error:  # noqa: BLE001 - an author's code may raise anything
                shown = BenchState(Position(), trouble=self._trouble(error), broken=True)
        return replace(shown, printed=printed.getvalue())

    def _load(self) -> None:
        if (parent := parent_process()) is not None:  # rules that never return don't see the pipe end
            Thread(target=_end_with, args=(parent,), daemon=True, name="end").start()
        catalogue = Catalogue()
        loaded = catalogue.game(self._file)
        game: type[Game[Any]] = loaded.game
        bots = catalogue.bots(loaded.info.name)
        seats = usual_seats(game) if self._seats is None else self._seats
        check_seats(game, seats)
        options = game.options.parse({**game.local, **self._options})
        self._case = Case(
            game, seats, options.plain(), self._seed, (bots[usual_level(bots)],), teams_for(game, 0, seats)
        )
        self._casts: dict[int | None, Cast] = {}
        self._question: tuple[object, PromptQuestion] | None = None
        self._prompt = Prompt(self._asked_here, lambda: self._words, self._sent)
        self._sitting, self._reveals, self._size = 0, False, (80, 24)
        self._played = RewindingMatch(
            game, self._case.house_rules(), self._case.players(), self._seed, self._case.teams
        )
        self._names = self._played.match.terms.names
        self._words = Words(self._translator, loaded.info.package, self._names)
        self._loaded = True

    # -- commands ---------------------------------------------------------------------------------

    def _do(self, what: Do, more: Any) -> BenchState:
        played, at, looks = self._played, self._played.at, (self._sitting, self._reveals)
        self._prompt.trouble = ""
        try:
            try:
                note = self._carry_out(what, more)
            except Refused as refusal:
                note = self._say(refusal.message, **refusal.params)
            return replace(self._shown(), note=note or self._prompt.trouble)
        except Exception as error:
            if what is Do.BEGIN:
                raise  # it isn't known how far this version goes
            trouble = self._trouble(error)
            self._sitting, self._reveals = looks
            played.go(at)
            return replace(self._shown(), trouble=trouble)

    def _carry_out(self, what: Do, more: Any) -> str:
        played = self._played
        match what:
            case Do.BEGIN:
                return self._take_over(more)
            case Do.SIZE:
                self._size = more
            case Do.SIT:
                if not 0 <= more <= self._case.seats:
                    raise Refused(NO_SEAT, n=self._case.seats)
                self._sitting = more
            case Do.REVEAL:
                self._reveals = not self._reveals
            case Do.BACK:
                if not played.at:
                    raise Refused(BEGINNING)
                played.go(played.at - 1)
            case Do.ON:
                if not played.on():
                    raise Refused(OVER)
            case Do.END:
                left = sum(1 for _ in range(MOST_ON) if played.on())
                return self._say(NO_END, n=left) if played.open else ""
            case Do.TEST:
                return self._say(WRITTEN, path=str(self._write_test()))
            case Do.SAY if (found := _DO.fullmatch(more)) and (rows := self._offers()):
                self._interject(rows, int(found[1]), found[2] or "")
            case Do.SAY | Do.STEP | Do.MARK | Do.ENTER:
                self._at_question(what, more)
            case _ as never:
                assert_never(never)
        return ""

    def _take_over(self, position: Position) -> str:
        played = self._played
        self._sitting, self._reveals, self._size = position.sitting, position.reveals, position.size
        played.moves = position.moves
        if not played.go(position.at):
            move = played.moves[played.at]
            params = {"all": position.at, "next": played.at + 1, "value": move.value or "-"}
            return self._say(NO_FIT, **params)
        return self._say(REPLAYED, n=position.at) if position.at else ""

    def _at_question(self, what: Do, more: Any) -> None:
        question = self._asked_here()
        if question is None or question.ask is None:
            raise Refused(NOT_ASKED)
        if what is Do.SAY:
            view = self._played.match.view(question.ask.seat)
            self._sent(question, parse(question.kind, by_words(question.kind, more, self._words, view)))
        elif what is Do.STEP:
            self._prompt.step(more)
        elif what is Do.MARK and question.draft.several:
            question.draft.mark()
        else:
            self._prompt.enter()

    def _offers(self) -> list[Standing]:
        """Return the interjections that the seat that is shown may make now."""
        return standing(self._played.match, self._viewer(), self._words)

    def _interject(self, rows: Sequence[Standing], number: int, words: str) -> None:
        if not 1 <= number <= len(rows):
            raise Refused(NO_OFFER, n=len(rows))
        row = rows[number - 1]
        value = row.value if row.place is not None else row.question.value_of(parse(row.question, words))
        self._played.interject(row.seat, row.name, value)

    def _asked_here(self) -> PromptQuestion | None:
        """Return the open question of the seat that is looked from, with its unfinished answer."""
        asks = self._played.open
        ask = next((one for one in asks if self._sitting in (0, one.seat + 1)), None)
        if ask is None:
            return None
        key = (self._played.match, self._played.at, int(ask.seat))
        if self._question is None or self._question[0] != key:
            view = self._played.match.view(ask.seat)
            allows = None if ask.claim is None else partial(_allows, view, ask)
            prompt = prompt_of(ask, self._words, view)
            order = partial(shown_order, view)
            asked = PromptQuestion(prompt, ask.question, lambda _: None, ask, allows=allows, order=order)
            self._question = key, asked
        return self._question[1]

    def _sent(self, question: PromptQuestion, answer: Answer) -> None:
        ask = question.ask
        assert ask is not None
        value = question.kind.value_of(question.kind.check(answer))
        if ask.claim is not None and not self._played.match.view(ask.seat).allows(ask, value):
            raise Refused(ask.claim.reason or NOT_ASKED)
        self._played.answer(ask, value)

    def _write_test(self) -> Path:
        """Write the match so far as a playthrough that `tt check` follows; return its file."""
        around = (self._folder, self._folder.parent)
        folder = next((one for one in around if (one / "tests").is_dir()), self._folder) / "tests"
        folder.mkdir(exist_ok=True)
        path = folder / f"dev-{self._case.seed}-{self._played.at}.en.txt"
        text = playthrough_of(self._case, self._played.match.source.log)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def _trouble(self, error: Exception) -> tuple[str, ...]:
        if isinstance(error, MessageError):
            return (self._translator.text(error.message, error.params, error.package),)
        if not self._loaded or not is_rules_fault(error, self._case.game):
            return (f"{type(error).__name__}: {one_line(str(error), WIDE)}",)
        fault = rules_fault(error, self._case.game)
        own = str(self._folder)
        lines = "".join(format_exception(error)).splitlines()
        from_here = next((at for at, line in enumerate(lines) if own in line), 0)
        return (self._say(fault.message, **fault.params), *lines[from_here:])

    # -- what is shown ----------------------------------------------------------------------------

    def _say(self, message: str, **params: Any) -> str:
        return self._words.text(message, params)

    def _viewer(self) -> int | None:
        """Return the seat from which the table is shown; None if nobody is asked."""
        if self._sitting:
            return self._sitting - 1
        asks = self._played.open
        return int(asks[0].seat) if asks else None

    def _view(self) -> View:
        seat = self._viewer()
        return self._played.open_view(seat) if self._reveals else self._played.match.view(seat)

    def _shown(self) -> BenchState:
        question = self._asked_here()
        view = self._view()
        rows, cursor = self._drawn(view, question)
        played, match = self._played, self._played.match
        return BenchState(
            Position(played.moves, played.at, self._sitting, self._reveals, self._size),
            rows, cursor, tuple(self._lines(view, question)),
            tuple((name, one_line(value, WIDE), played.before.get(name, value) != value)
                  for name, value in played.attributes()),
            asked=tuple(int(one.seat) + 1 for one in played.open),
            offers=tuple(f"do {at}: {one_line(row.label)}" for at, row in enumerate(self._offers(), 1)),
            writes=question is not None and question.draft.writing, over=match.over,
            turn=match.game.turns_begun(match.table), digest=match.digest().hex(),
        )  # fmt: skip

    def _lines(self, view: View, question: PromptQuestion | None) -> Iterator[str]:
        for item in items_of(view, self._words):
            yield from lines_of(item)
        if question is not None and question.ask is not None:
            yield question.prompt
            yield from choice_lines(question.kind, self._words, view, question.ask)
        for event in self._played.events[-TOLD:]:
            if event.to is None:
                yield self._words.event(event, view)

    def _drawn(self, view: View, question: PromptQuestion | None) -> tuple[tuple[Line, ...], tuple[int, int]]:
        played, seat, words, case = self._played, self._viewer(), self._words, self._case
        match = played.match
        who = ALL_OPEN if self._reveals else self._names[self._sitting - 1] if self._sitting else ASKED_SEAT
        told = [
            StoryLine(words.event(event, view), "", None)
            for event in played.events
            if event.to is None or self._reveals or (seat is not None and seat in event.to)
        ]
        end = Ended(match.outcome, match.digest(), match.conviction) if match.over else None
        point = Viewpoint(
            words.lang, words.text(case.game.title), self._names, () if seat is None else (seat,),
            asked=frozenset(int(one.seat) for one in played.open), turn=match.game.turns_begun(match.table),
            phase="play" if end is None else "end", end=end, story=told[-STORY:], ascii=self._plain,
            before=played.zones_before.get(seat),
            question=None if question is None else question.begun(),
            link=self._say(WHERE, at=played.at, all=len(played.moves), seed=case.seed, who=self._say(who)),
        )  # fmt: skip
        if seat not in self._casts:
            with redirect_stdout(StringIO()):  # what that other match prints is not of interest
                self._casts[seat] = rehearse(match, seat, words, point)
        say = SceneWords(words, view, plain=self._plain)
        scene = make_scene(view, view.zones().values(), point, say, self._casts[seat])
        wish = wish_for(match.game.layout, case.seats)
        plan = stage(*self._size, wish=wish, cast=self._casts[seat])
        if plan is None:
            return (), (0, 0)
        drawn = draw_frame(scene, plan, ASCII if self._plain else UNICODE, words.text, Foot())
        self._prompt.columns, self._prompt.page = drawn.columns, drawn.page
        return drawn.block.lines, drawn.cursor


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _allows(view: View, ask: Ask, answer: Answer) -> bool:
    return view.allows(ask, ask.question.value_of(answer))
