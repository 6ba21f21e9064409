"""The scene of one moment for one viewer, as frozen plain data in the viewer's language.

A scene has no coordinates and no colours. It names hues (`hue`), places (`slot`) and forms (`draw`); a
frontend decides what they look like. It holds nothing that its viewer may not know.

Its parts are structs of msgspec, since 26 dataclasses take 11 ms to be made, of a start of 350.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from tavolata._ui.scene.cast import Cast, Draw
from tavolata.zones import Seating


class ChoicePlace(Struct, frozen=True):
    """Where a choice is drawn: on a card, a seat, or a thing of a zone, in a column or on a square.

    On a grid it is drawn on `cells`, each a row and a column from 0.
    """

    zone: str = ""
    card: int | None = None
    seat: int | None = None
    thing: str = ""
    column: str = ""
    square: int | None = None
    cells: tuple[tuple[int, int], ...] = ()


class CardFace(Struct, frozen=True):
    """A card.

    Attributes:
        card: the number of its handle.
        corner, sign: rank and suit in a few cells; both "" if it is hidden or has neither.
        text: its name in words; "" if it is hidden.
        title, tag: in the middle of a large card, and at its foot; mostly "".
    """

    card: int
    corner: str = ""
    sign: str = ""
    colour: str = ""
    text: str = ""
    new: bool = False
    counted: bool = False
    title: str = ""
    tag: str = ""


class BoardCell(Struct, frozen=True):
    """A cell of a grid.

    Attributes:
        text: the things in it, in words, and its own meaning.
        short: the uppermost thing in at most three characters, otherwise the cell's meaning; "" for neither.
        name: the same in words, where cells have room for them.
        colour: that of the thing shown, or "".
        ground: the cell is empty, and `short` is its meaning.
        more: how many things are under the uppermost.
    """

    text: str = ""
    short: str = ""
    name: str = ""
    colour: str = ""
    ground: bool = False
    more: int = 0
    new: bool = False


class Row(Struct, frozen=True):
    """A label and a value, with the label's colour."""

    label: str
    value: str
    colour: str = ""


class Lane(Struct, frozen=True):
    """The lane of a token: its square, its former square, and its value in each column of the item.

    Attributes:
        thing: its name in the rules.
        letter: one letter that no other lane has; of dozens of lanes some have a number of two digits.
        square: None if it is not on the track.
        was: its square before this moment.
        place: its place among the tokens of its square, from 1; 0 if it is alone there.
    """

    thing: str
    text: str
    letter: str
    colour: str
    square: int | None
    was: int | None = None
    place: int = 0
    columns: tuple[str, ...] = ()


class SceneItem(Struct, frozen=True):
    """A zone as it is drawn.

    Attributes:
        slot: its place, which it keeps for the whole match.
        role: hero, centre, yours, aside or fact.
        title: the text above it.
        about: the question is about it.
        gone: the zone no longer exists; its place stays empty.
        count: how many cards there are, also those that are not in `cards`.
        number: the number, if it is one; `delta` is its change.
        goal: the square of a track at which a race ends; 0 if it is the last one.
        row: the parts of a row: how many, and of what.
        slots: the most parts of a row, shown cards of a pile, or cells of a name on a grid, that a rehearsal
            had; 0 without one.
        widths: of a track, the least cells of each column; of a grid, those of a cell; of cards side by side,
            how many there may be. `choices` are the columns of a track with choices.
        cells: the rows of a grid; with `hexagonal` every second one is half a cell to the right.
        labels: of a grid, those of its rows and those of its columns.
        words: the things of a grid are words; `rows` say which one each sign stands for.
    """

    id: str
    slot: str
    role: str
    draw: Draw
    title: str
    about: bool = False
    new: bool = False
    gone: bool = False
    count: int = 0
    dice: bool = False
    cards: tuple[CardFace, ...] = ()
    text: str = ""
    number: int | None = None
    delta: int | None = None
    rows: tuple[Row, ...] = ()
    lanes: tuple[Lane, ...] = ()
    length: int = 0
    marks: Mapping[int, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[BoardCell, ...], ...] = ()
    hexagonal: bool = False
    labels: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    words: bool = False
    goal: int = 0
    row: tuple[tuple[int, str], ...] = ()
    slots: int = 0
    widths: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()


class Value(Struct, frozen=True):
    """What a zone says about a seat; `draw` is number, pips, bar, backs, cards or words."""

    zone: str
    title: str
    draw: str
    text: str
    number: int | None = None
    goal: int | None = None
    better: str = "more"
    delta: int | None = None
    cards: tuple[CardFace, ...] = ()
    new: bool = False


class Panel(Struct, frozen=True):
    """A seat: its state (idle, asked, called), its main number and other facts.

    Attributes:
        short: the shortest beginning of the name that no other name has.
        kind: you, here (another person at this keyboard), person or bot.
        note: away, a slow link and the like.
        series: the main number after each turn.
    """

    seat: int
    name: str
    short: str
    kind: str
    mark: str
    hue: int
    state: str = "idle"
    note: str = ""
    main: Value | None = None
    more: tuple[Value, ...] = ()
    says: str = ""
    series: tuple[int, ...] = ()


class Option(Struct, frozen=True):
    """A choice of the question.

    Attributes:
        number: its number for people, from 1.
        verb: the label of the act button while it is pointed at.
        can: it is possible with the choices so far; otherwise `why` has the reason.
        order: its place in the selection, from 1; 0 if it is not selected.
    """

    number: int
    text: str
    verb: str
    colour: str = ""
    at: ChoicePlace | None = None
    key: str = ""
    mood: str = ""
    more: str = ""
    can: bool = True
    why: str = ""
    order: int = 0


class FieldEntry(Struct, frozen=True):
    label: str
    value: str = ""
    now: bool = False


class AmountField(Struct, frozen=True):
    """A number to be given, with what is typed so far."""

    low: int
    high: int
    step: int
    typed: str


class TextField(Struct, frozen=True):
    """A text to be written, with what is typed so far."""

    low: int
    high: int
    typed: str


class Timeline(Struct, frozen=True):
    """The moments of a replayed match: `at` is shown now, 0 is the beginning.

    `peaks` are the moments of great weight, each with the seat that acted, if one did.
    """

    at: int
    last: int
    peaks: tuple[tuple[int, int | None], ...] = ()


class Decision(Struct, frozen=True):
    """The question, or the reason for waiting.

    Attributes:
        kind: choices, several, number, text, go, window, wait or replay.
        title: a few words above it.
        act: the label of the act button.
        pointed: the place of the choice pointed at.
        cannot: impossible choices, each with its reason.
        note: how many may be selected, the range of a number, the length of a text.
        preview: the effects of the unfinished answer, as sentences.
        own: the program asks, not the game.
        later: the cards that a later field may ask for, by number; `held` is the one that the answer has to
            contain.
    """

    kind: str
    title: str
    text: str
    act: str = ""
    about: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    pointed: int = 0
    entries: tuple[FieldEntry, ...] = ()
    amount: AmountField | None = None
    writing: TextField | None = None
    note: str = ""
    cannot: tuple[tuple[str, str], ...] = ()
    preview: tuple[str, ...] = ()
    own: bool = False
    timeline: Timeline | None = None
    later: tuple[int, ...] = ()
    held: int | None = None


RESULT: Final = "title"
"""The role of the sentences that tell the result; `Ending` has them, too."""


class StoryLine(Struct, frozen=True):
    """A sentence of what happened, with the seat that acted."""

    text: str
    role: str = ""
    seat: int | None = None


class Status(Struct, frozen=True):
    """The first line: the game, whose turn it is, facts, the clock, the link and the pace."""

    title: str
    who: str = ""
    seat: int | None = None
    facts: tuple[tuple[str, str], ...] = ()
    clock: str = ""
    link: str = ""
    pace: str = ""


class Guide(Struct, frozen=True):
    """A hint: its place among the hints of this question, and its sentence."""

    text: str
    place: str = ""
    folded: bool = False


class SeatFlow(Struct, frozen=True):
    """Something that passes from one seat to another: how much of it, and the seats in between."""

    seat: int
    to: int
    n: int
    over: tuple[int, ...] = ()


class SeatStanding(Struct, frozen=True):
    """The place of a seat at the end, with its number in words; winners have `won`."""

    place: int
    seat: int
    text: str = ""
    won: bool = False


class AwardLine(Struct, frozen=True):
    title: str
    seat: int
    why: str = ""


class StatisticLine(Struct, frozen=True):
    """A statistic of the game: its name, and by seat what it says."""

    title: str
    values: tuple[str, ...]


class Tally(Struct, frozen=True):
    """Cards counted so far, the thing that they are counted for, and its number (0 for wild cards).

    The cards are in words or signs: their handles may stand for others by now.
    """

    of: str
    need: int
    cards: tuple[str, ...]


class Cue(Struct, frozen=True):
    """The verdict on the board.

    Attributes:
        step: tally, stamp or mark, one after the other.
        stamp: in words; "" if only a number says it.
        seat: the seat that bears it; `number` is its main number, `delta` its change.
        tone: good, bad or "", for that seat.
        dim: something else has happened since.
    """

    step: str
    tallies: tuple[Tally, ...] = ()
    stamp: str = ""
    seat: int | None = None
    tone: str = ""
    number: int | None = None
    delta: int = 0
    dim: bool = False


class Decisive(Struct, frozen=True):
    """The verdict from which the winner was ahead for good: its turn, its sentence, and what was counted."""

    turn: int
    text: str
    cue: Cue


class Ending(Struct, frozen=True):
    """How a match ended.

    Attributes:
        headline: the reason, or who has won.
        course: what the `series` of the panels count.
        decisive: None if nothing decided it alone.
    """

    headline: str
    order: tuple[SeatStanding, ...] = ()
    awards: tuple[AwardLine, ...] = ()
    statistics: tuple[StatisticLine, ...] = ()
    course: str = ""
    decisive: Decisive | None = None


class GameCard(Struct, frozen=True):
    """The game in rows of a label and a sentence, for a person's first match of it."""

    rows: tuple[tuple[str, str], ...]


class Scene(Struct, frozen=True):
    """Everything that one viewer sees at one moment.

    Attributes:
        seating, clockwise: see `Layout`.
        rows: how many rows the game's questions need; 0 for the default number.
        flows: what goes from seat to seat in this moment.
        cast: the place and the largest extent of everything; a screen's regions follow it.
        cue: the verdict on the board, until the hero changes.
        card: in place of the hero, until it is read.
    """

    lang: str
    phase: str
    seat: int | None
    status: Status
    seating: Seating
    rows: int
    title: str
    panels: tuple[Panel, ...]
    board: tuple[SceneItem, ...]
    yours: tuple[SceneItem, ...]
    decision: Decision
    story: tuple[StoryLine, ...] = ()
    guide: Guide | None = None
    end: Ending | None = None
    flows: tuple[SeatFlow, ...] = ()
    cast: Cast | None = None
    cue: Cue | None = None
    card: GameCard | None = None
    clockwise: bool = True
