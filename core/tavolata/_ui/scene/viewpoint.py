"""The viewpoint: what a frontend knows beside the view, so that a scene can be made of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tavolata._engine.match.updates import Ended
from tavolata._ui.scene.scene import Guide, StoryLine
from tavolata.asks import Ask
from tavolata.choices import Choice
from tavolata.kinds.question import Question
from tavolata.messages import Mark
from tavolata.zones import CardStack, Zone


@dataclass(frozen=True, slots=True)
class Begun:
    """A question with its unfinished answer.

    Attributes:
        ask: the game's question; None if the program asks.
        fields: the fields of a form, or the kind alone, with their labels.
        given: the answers to the first fields.
        pointed: the choice pointed at.
        marked: the selected choices.
        typed: the digits of a number or the text so far.
        choices: those of the current field, as they are shown; `pointed`, `marked` and `fits` count in them.
            None for those of the question.
        fits: by choice, True if it's possible after the fields that are filled in.
        decides: the choice pointed at makes the answer whole.
        later: the cards that a later field may ask for, by the numbers of their handles; `held` is the one
            that the answer has to contain.
    """

    prompt: str
    kind: Question
    ask: Ask | None = None
    fields: Sequence[tuple[str, Question]] = ()
    given: Sequence[Any] = ()
    pointed: int = 0
    marked: Sequence[int] = ()
    typed: str = ""
    fits: Sequence[bool] = ()
    decides: bool = True
    later: frozenset[int] = frozenset()
    held: int | None = None
    choices: Sequence[Choice] | None = None


def lies(zone: Zone | None) -> bool:
    """Return True if there's something to see in a zone."""
    shape = None if zone is None else zone.shape()
    return bool(shape.cards) if isinstance(shape, CardStack) else shape is not None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a match has just come to.

    Attributes:
        stamp: its words, a message id; "" where none are declared.
        seat: the seat that bears it; `number` is its main number now, and `delta` its last change.
        better: more or less, for that number.
        marks: what was counted for it.
        zones: the table at that moment.
        hero: the id of the largest zone; `held` is what lay there.
        is_over: nothing more is counted for it.
        step: tally, stamp or mark.
        is_dim: something else has happened since.
        counted: how many of its cards are counted so far; None for all.
    """

    stamp: str
    seat: int | None
    number: int | None
    delta: int
    better: str
    marks: Sequence[Mark]
    zones: Mapping[str, Zone]
    hero: str = ""
    held: Zone | None = None
    is_over: bool = True
    step: str = "mark"
    is_dim: bool = False
    counted: int | None = None

    def lasts(self, zones: Mapping[str, Zone]) -> bool:
        """Return True until something new is in the largest zone."""
        now = zones.get(self.hero)
        return not lies(now) or now == self.held


class Turning(NamedTuple):
    """The ruling from which a seat was ahead for good, with its turn and its sentence."""

    turn: int
    line: str
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A face's knowledge beside the view.

    Attributes:
        people: the seats of the people here.
        looking: the seats of the people who look at the screen now.
        asked: the seats that have to act.
        notes: notes about seats: a bot, away, a slow connection.
        turn: as players count.
        waiting: the title and the sentence without a question, and the label of the act button.
        window: the keys of an open reaction window, as sentences.
        story: the newest last.
        before: the zones before this moment.
        preview: the effects of the unfinished answer, as sentences.
        series: by seat, the main number after each turn.
        looks: by seat, the hue and the mark that its player chose.
    """

    lang: str
    game: str
    names: Sequence[str]
    people: Sequence[int] = ()
    looking: Sequence[int] = ()
    asked: frozenset[int] = frozenset()
    notes: Mapping[int, str] = field(default_factory=dict)
    bots: frozenset[int] = frozenset()
    turn: int = 0
    phase: str = "play"
    question: Begun | None = None
    waiting: tuple[str, str, str] = ("", "", "")
    window: Sequence[str] = ()
    clock: str = ""
    link: str = ""
    pace: str = ""
    story: Sequence[StoryLine] = ()
    guide: Guide | None = None
    ascii: bool = False
    before: Mapping[str, Any] | None = None
    marks: Sequence[Mark] = ()
    preview: Sequence[str] = ()
    series: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    end: Ended | None = None
    says: Mapping[int, str] = field(default_factory=dict)
    looks: Sequence[tuple[int, int] | None] = ()
    verdict: Ruling | None = None
    decisive: Turning | None = None
