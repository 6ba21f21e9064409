"""What an author subclasses: a game, its standing interjections, its outcome.

Only the shape of a game may live here; what its rules can say is `Table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar, Generic, Self, TypeVar

from tavolata.asks import Ask
from tavolata.kinds.kind import Kind
from tavolata.messages import Event, Hint
from tavolata.options import Options
from tavolata.ring import Seat
from tavolata.table import Table
from tavolata.view import View
from tavolata.zones import Zone

O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options, in the author's own signatures


@dataclass(frozen=True)
class Outcome:
    """How a match ended.

    Attributes:
        winners: seats that won, in order of seat; empty when nobody did.
        scores: points by seat, where the game counts points.
        ranking: places by seat (1 first), where the game ranks everybody.
    """

    winners: tuple[Seat, ...]
    scores: tuple[int, ...] | None = None
    ranking: tuple[int, ...] | None = None


class Game(Generic[O]):
    """The rules of a game. One instance is one match; its attributes are the whole state.

    Attributes hold plain data only: pieces made by `Table`, seats, numbers, texts, enum members,
    lists, tuples, dicts, frozen dataclasses. No set, float, function or coroutine.

    Attributes:
        name: the word after `tt play`; lower case letters, digits and dashes.
        title: the name on the box; a message id.
        summary: one line for `tt games`; a message id.
        version: for people, as a package has it.
        rules_id: bump it whenever old logs would play differently.
        seats: fewest and most seats.
        best: with how many it is best; 0 if that doesn't matter.
        options: the class of its house rules.
        listens: whether words between players matter to the rules; then `heard` is called.
        needs: the lowest version of Tavolata that it runs on, "" for any.
        first_match: house rules that make a short first match for who learns the game.
        guide: the module whose `hints(view, about)` helps newcomers, imported when it is first asked.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    version: ClassVar[str] = "0"
    rules_id: ClassVar[int] = 1
    seats: ClassVar[tuple[int, int]]
    best: ClassVar[int] = 0
    options: ClassVar[type[Options]] = Options
    listens: ClassVar[bool] = False
    needs: ClassVar[str] = ""
    first_match: ClassVar[Mapping[str, Any]] = {}
    guide: ClassVar[str] = ""

    def setup(self, t: Table[O]) -> None:
        """Lay the table: make pieces, set attributes. No chance, no question."""
        raise NotImplementedError

    async def turn(self, t: Table[O]) -> Outcome | None:
        """Play one turn; the engine repeats it until it returns an outcome."""
        raise NotImplementedError

    def zones(self, t: Table[O], viewer: Seat | None) -> Iterable[Zone]:
        """What lies on the table, as zones; hidden faces stay hidden by themselves."""
        return ()

    def hints(self, view: View[Self], about: Ask | Event) -> Iterable[Hint]:
        """What helps a newcomer with this question, or with what has just happened; what the `guide` says.

        Pure, and for one seat: it knows what `view` knows. The state may have gone on since an event.
        """
        if not self.guide:
            return ()
        hints: Callable[[View[Self], Ask | Event], Iterable[Hint]] = import_module(self.guide).hints
        return hints(view, about)

    @classmethod
    def has_hints(cls) -> bool:
        """Whether it helps newcomers at all."""
        return bool(cls.guide) or cls.hints is not Game.hints

    def heard(self, t: Table[O], speaker: Seat, to: Seat | None) -> None:
        """Words were spoken, to one seat or to all; called only if the game `listens`."""


Handler = Callable[[Any, Any, Seat, Any], None]
Chooser = Callable[[Any, Any, Seat], Kind | None]


@dataclass
class Interjection:
    """Something that a seat may do at any time: a standing question that the game declares.

    Attributes:
        name: the method's name, its id in logs.
        label: what a person reads; a message id.
        apply: the rule: called with game, table, seat, value. Refuse before changing anything.
        choices: what this seat may choose now; None when it may not interject.
    """

    apply: Handler
    label: str
    name: str = field(init=False)
    choose: Chooser | None = None

    def __post_init__(self) -> None:
        self.name = self.apply.__name__

    def choices(self, chooser: Any) -> Any:
        """Decorate the method that lists what a seat may choose, or None if it may not now."""
        self.choose = chooser
        return chooser


def interjection(label: str) -> Callable[[Handler], Interjection]:
    """Decorate a method `(self, t, seat, value) -> None`: the seat may do this at any time.

    It is a plain function: it changes the state at once, while the turn waits at an `await`.
    Raise `Refused` before changing anything if the rules forbid it.
    """
    return lambda method: Interjection(method, label)


def interjections(game: type[Game[Any]]) -> dict[str, Interjection]:
    """The interjections that a game declares, by name, in the order of its class."""
    found: dict[str, Interjection] = {}
    for base in reversed(game.__mro__):
        for value in vars(base).values():
            if isinstance(value, Interjection):
                found[value.name] = value
    return found
