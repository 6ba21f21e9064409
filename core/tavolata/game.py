"""The contract of a game: the class that an author subclasses, and its interjections.

The methods that its rules call are those of `Table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from inspect import isasyncgenfunction, iscoroutinefunction, isfunction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from tavolata._blame import class_place, function_place
from tavolata._renamed import GONE, HOW, RENAMED
from tavolata.asks import Ask
from tavolata.errors import GameError
from tavolata.kinds.question import Question
from tavolata.messages import Event, Text
from tavolata.options import Options
from tavolata.outcome import Outcome
from tavolata.ring import SEATS, Seat
from tavolata.table import Table
from tavolata.teams import Teams
from tavolata.view import View
from tavolata.zones import Layout, Zone

if TYPE_CHECKING:
    from tavolata._players import Chance  # a start needs no bots

O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options, in the author's own signatures
G = TypeVar("G")
SENTENCE: Final = 90
"""The most letters of a sentence of an opening card."""
V = TypeVar("V")


@dataclass(frozen=True)
class Opening:
    """A game in three sentences, each a message id of at most 90 letters.

    Attributes:
        goal: what everybody wants: `N_("Lose the fewest hands.")`.
        turn: what to do in a turn.
        lose: what goes wrong, or how the match ends.

    Raises:
        GameError: a sentence is longer.
    """

    goal: str
    turn: str
    lose: str

    def __post_init__(self) -> None:
        """Refuse a sentence that has no room on a small screen."""
        for said in (self.goal, self.turn, self.lose):
            if len(said) > SENTENCE:
                raise GameError(f"{said!r} has {len(said)} letters; on an opening card {SENTENCE} have room.")


class Game(Generic[O]):
    """The rules of a game. One instance is a single match; its attributes are the whole state.

    Attributes hold plain data only: pieces made by `Table`, seats, numbers, texts, enum members,
    lists, tuples, dicts, frozen dataclasses; 20 levels at most. No set, float, function or coroutine.

    Attributes:
        name: the word after `tt play`; lower case letters, digits and dashes.
        title: the name on the box; a message id.
        summary: one line for `tt games`; a message id.
        rules_id: a number to increase whenever old logs would play differently.
        api: the number of the API that it is written for.
        seats: the fewest and the most seats, from 1 to 64.
        best_with: the best number of seats; 0 if it doesn't matter.
        minutes: about how long a match takes people; 0 if you can't say.
        options: the class of its house rules.
        listens: whether words between players matter to the rules; if so, `heard` is called.
        first_match: house rules, by name, for a short first match, for players who learn the game.
        local: house rules, by name, that are normal on one machine and differ from their default at a table.
        teams: the teams that it can be played in; None for a game without teams.
        legacy: the class of what a match leaves to the next of its campaign: a frozen dataclass of plain
            data, at most 4 KiB, in which every field has a default; None for a game without campaigns.
        take_back: whether people may take back an answer since which nobody has learned anything.
        narrator: whether one machine deals, knows everything hidden, and narrates facts about it; see
            `Table.narrate`.
        layout: how its table would like to be laid out on a screen.
        guide: the module whose `hints(view, about)` helps newcomers; imported when it is first needed.
        card: the game in three sentences, for a person's first match of it; None shows the `summary`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    rules_id: ClassVar[int] = 1
    api: ClassVar[int] = 1
    seats: ClassVar[tuple[int, int]]
    best_with: ClassVar[int] = 0
    minutes: ClassVar[int] = 0
    options: ClassVar[type[Options]] = Options
    listens: ClassVar[bool] = False
    first_match: ClassVar[Mapping[str, Any]] = {}
    local: ClassVar[Mapping[str, Any]] = {}
    teams: ClassVar[Teams | None] = None
    legacy: ClassVar[type | None] = None
    take_back: ClassVar[bool] = True
    narrator: ClassVar[bool] = False
    layout: ClassVar[Layout] = Layout()
    guide: ClassVar[str] = ""
    card: ClassVar[Opening | None] = None

    def __init_subclass__(cls) -> None:
        """Refuse what can't be played where it is written.

        Raises:
            GameError: with file and line; the seats aren't a range from 1 to 64, `turn` is no `async def`, a
                method that can't wait is one, or something has an old name or old parameters.
        """
        super().__init_subclass__()
        seats, turn = vars(cls).get("seats"), vars(cls).get("turn")
        if "seats" in vars(cls) and not is_range_of_seats(seats):
            raise GameError(
                f"{class_place()}: the seats of {cls.__name__} are {seats!r}; "
                f"they are the fewest and the most, from 1 to {len(SEATS)}, such as (2, 4)."
            )
        for old, new in RENAMED["Game"].items():
            if isinstance(vars(cls).get(old), type(getattr(Game, new))):  # a method may have that name
                raise GameError(f"{class_place()}: `{old}` of {cls.__name__} is now `{new}`. {HOW}")
        for old, new in GONE["Game"].items():
            if isinstance(vars(cls).get(old), str):
                raise GameError(f"{class_place()}: `{old}` of {cls.__name__} is now {new}. {HOW}")
        for name, method in vars(cls).items():
            if name in AT_ONCE and (iscoroutinefunction(method) or isasyncgenfunction(method)):
                raise GameError(
                    f"{function_place(method) or class_place()}: `{name}` of {cls.__name__} can't wait: "
                    "it's a plain `def`."
                )
        heard = vars(cls).get("heard")
        if isfunction(heard) and heard.__code__.co_argcount == 4:
            raise GameError(
                f"{function_place(heard) or class_place()}: `heard` of {cls.__name__} gets the words, too: "
                "`def heard(self, t, speaker, to, words)`."
            )
        if "turn" in vars(cls) and not iscoroutinefunction(turn):
            raise GameError(
                f"{function_place(turn) or class_place()}: `turn` of {cls.__name__} can't wait for the "
                "table; it is an `async def` without `yield`."
            )

    def setup(self, t: Table[O]) -> None:
        """Lay the table: make pieces, set attributes. No chance, no question."""
        raise NotImplementedError

    async def turn(self, t: Table[O]) -> Outcome | None:
        """Play one turn; the engine repeats it until it returns an outcome."""
        raise NotImplementedError

    def forfeit(self, t: Table[O], seats: tuple[Seat, ...]) -> Outcome:
        """Return the outcome when these seats' players have left or cheated, and the match can't continue.

        By default all others win; in teams, the teams that nobody of them was in, or, if there isn't one,
        those that still have somebody else.
        """
        whole = [team for team in t.teams if not any(seat in seats for seat in team)]
        left = [team for team in t.teams if not all(seat in seats for seat in team)]
        return Outcome(tuple(sorted(seat for team in whole or left for seat in team)))

    def unfinished(self, t: Table[O]) -> Outcome | None:
        """Return the outcome when the table ends the match early; by default none: nobody has lost it."""
        return None

    def playout(self, t: Table[O], chance: Chance) -> Outcome | None:
        """How the match ends if bots answer at random from here on, reckoned quicker than by playing it.

        It is for a game without hidden cards or luck whose author knows such a way: programs that try
        thousands of continuations ask for it (`Simulation.playout`). The match waits for an answer then, and
        its state stays as it is. The end has to be that of the rules, number by number: each question draws
        `chance.below(n)` once for its n legal answers, in their order. The kit compares the two
        (`worlds_imagined`).

        Args:
            t: the table.
            chance: what the answers are drawn from.

        Returns:
            The outcome; None where the rules have to play, as they do by default.
        """
        return None

    def migrate(self, old_rules_id: int, state: dict[str, Any]) -> dict[str, Any] | None:
        """Return the state of a match by older rules, as these rules would have it; None if that can't be.

        It is called when a match is resumed whose file was written by rules with another number, before the
        table is laid. The state is that of the end of a turn, as plain data: "game" has the attributes by
        name, "pieces" the pieces, "faces" the number of each public face by card, -1 for a hidden one. A
        value that isn't a bare number or text is a list that begins with its kind: `["seat", 2]`,
        `["card", 17]`, `["enum", "module:Class", "NAME"]`, `["list", ...]`, `["dict", [key, value], ...]`.

        Args:
            old_rules_id: the number of the rules by which it was played.
            state: the state; it may be changed and returned.
        """
        return None

    def turns_begun(self, t: Table[O]) -> int:
        """Return the number of turns that have begun, as players count them; by default the calls of `turn`.

        Override it in a game whose turns take several calls.
        """
        return t.turn + 1

    def zones(self, t: Table[O], viewer: Seat | None) -> Iterable[Zone]:
        """Return the zones of the table; hidden faces are hidden automatically."""
        return ()

    def hints(self, view: View[Any], about: Ask[Any] | Event) -> Iterable[Text]:
        """Hints for a newcomer on a question or on an event; by default those of the `guide`.

        The method is pure and for one seat: it uses only `view`, in a game of yours a `View[YourGame]`. The
        state may have changed since the event.
        """
        if not self.guide:
            return ()
        hints: Callable[[View[Any], Ask[Any] | Event], Iterable[Text]] = import_module(self.guide).hints
        return hints(view, about)

    def preview(self, view: View[Any], ask: Ask[Any], draft: Sequence[Any]) -> Iterable[Text]:
        """Return what an unfinished answer would do, in sentences, while the person points at it or types it.

        The method is pure, quick, and for the seat that is asked: it uses only `view`.

        Args:
            view: what that seat may know.
            ask: the question.
            draft: the values of the fields so far, in their order. The last one is what is pointed at or
                typed now, so a question that isn't a form has one value.
        """
        return ()

    @classmethod
    def has_hints(cls) -> bool:
        """Return True if the game has hints for newcomers."""
        return bool(cls.guide) or cls.hints is not Game.hints

    def may_talk(self, t: Table[O], speaker: Seat, to: tuple[Seat, ...]) -> Text | None:
        """Return the reason why a seat may not speak to these seats now, () for all; None if it may."""
        return None

    def heard(self, t: Table[O], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        """Words were spoken to these seats, () for all; called only if the game `listens`.

        Args:
            t: the table.
            speaker: the seat that spoke.
            to: the seats that were spoken to.
            words: the words to all, without signs that can't be shown, and equal on all machines; compare
                it with `same_words`. None for a whisper, whose words not every machine knows.
        """


AT_ONCE: Final = frozenset(
    [
        "setup",
        "zones",
        "hints",
        "preview",
        "may_talk",
        "heard",
        "forfeit",
        "unfinished",
        "playout",
        "migrate",
        "turns_begun",
    ]
)
"""The methods of a game that can't wait."""


def is_range_of_seats(seats: object) -> bool:
    """Return True if this is the fewest and the most seats of a game that a ring can have."""
    match seats:
        case (int(low), int(high)):
            return 1 <= low <= high <= len(SEATS)
        case _:
            return False


@dataclass
class Interjection(Generic[G, V]):
    """An action that a seat of the game G may take at any time, with a value of type V; the game declares it.

    Attributes:
        name: the method's name, its id in logs.
        label: the text for people; a message id.
        apply: the rule, called with game, table, seat and value; it refuses before it changes anything.
        choose: returns the question with the seat's choices now, or None if it may not interject.
    """

    apply: Callable[[G, Any, Seat, V], None]
    label: str
    name: str = field(init=False)
    choose: Callable[[G, Any, Seat], Question[V] | None] | None = None

    def __post_init__(self) -> None:
        self.name = self.apply.__name__
        if iscoroutinefunction(self.apply):
            raise GameError(f"{self.name} is an interjection, which can't wait: it is no `async def`.")

    def choices(
        self, chooser: Callable[[G, Any, Seat], Question[V] | None]
    ) -> Callable[[G, Any, Seat], Question[V] | None]:
        """Decorate the method that returns a seat's choices, or None if it may not interject now.

        Type checkers compare it with the rule: the values of the question are what the rule takes.
        """
        self.choose = chooser
        return chooser


def interjection(label: str) -> Callable[[Callable[[G, Any, Seat, V], None]], Interjection[G, V]]:
    """Decorate a method `(self, t, seat, value) -> None` that a seat may call at any time.

    The method is a plain function. It changes the state at once, while the turn waits at an `await`. If the
    rules forbid the action, it raises `Refused` before it changes anything.
    """
    return lambda method: Interjection(method, label)


def interjections(game: type[Game[Any]]) -> dict[str, Interjection[Any, Any]]:
    """Return the interjections of a game, by name, in the order of its class.

    A subclass takes one away by anything else with its name.
    """
    found: dict[str, Interjection[Any, Any]] = {}
    for base in reversed(game.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, Interjection):
                found[name] = value
            else:
                found.pop(name, None)
    return {one.name: one for one in found.values()}
