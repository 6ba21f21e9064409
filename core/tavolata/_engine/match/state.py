"""Serialization of the state of a match, for snapshots and digests.

Values are written as msgpack. Everything but a bare number, text or None has a tag, so that a seat is read
back as a seat and a card as that card. Refused are values without a fixed order (a set), without an exact
value (a float) and those that can't be written down (a function, or a number of more than 64 bits).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

import msgpack

from tavolata._text import Verbatim
from tavolata.cards import Card
from tavolata.choices import MOST, WRITABLE
from tavolata.errors import GameError
from tavolata.kinds.question import KINDS, Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.ring import SEATS, Seat
from tavolata.secret import Secret
from tavolata.table import Table
from tavolata.texts import MOST_BYTES

DICT = "dict"
"""The name of what makes a form's value, if that is a plain dict."""
_PLAIN = (type(None), bool, int, str, bytes)
_MOST_NESTED: Final = 33
"""The most levels of the plain data in any bytes. A fixed number, for the stack of one machine may be fuller
than that of another."""
_MOST_WRITTEN: Final = 20
"""The most levels of a game's value: in bytes, all that holds its plain form can be read back."""
_NESTING: Final = frozenset({dict, list, tuple})
_SMALL: Final = 256
"""Bytes of data that can't claim much room."""


def pack(value: Any) -> bytes:
    """Return the bytes of plain data; equal data give equal bytes."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def unpack(data: bytes, *, lists: bool = True, levels: int = _MOST_NESTED) -> Any:
    """Return the plain data of these bytes, its sequences as lists or as tuples.

    Raise `ValueError` if they are nested in more levels. The decoder doesn't recurse; what reads data does.
    """
    if len(data) > _SMALL:  # the decoder makes room for all that lists claim, however little follows
        _check_whole(data)
    value = msgpack.unpackb(data, raw=False, use_list=lists, strict_map_key=False)
    if not _is_shallow(value, levels):
        raise ValueError(f"Data are nested in more than {levels} levels.")
    return value


def _check_whole(data: bytes) -> None:
    reader = msgpack.Unpacker(max_buffer_size=len(data))
    reader.feed(data)
    try:
        reader.skip()
    except msgpack.OutOfData:
        raise ValueError("Data end before their lists do.") from None


def _is_shallow(value: Any, levels: int) -> bool:
    if type(value) is dict:
        value = [*value, *value.values()]
    elif type(value) not in _NESTING:
        return True
    is_flat = _NESTING.isdisjoint(map(type, value))  # mostly it is, and then nothing is called
    return levels > 0 and (is_flat or all(_is_shallow(part, levels - 1) for part in value))


def digest(value: Any) -> bytes:
    return blake2b(pack(value), digest_size=16, person=b"tavolata state").digest()


class Writer:
    """Turns a game's values into plain data; without a table, its pieces can't be written."""

    def __init__(self, table: Table[Any] | None) -> None:
        self._pieces = {} if table is None else table._pieces.names
        self.secrets: dict[int, Secret[Any]] = {}
        """By id, the secrets that were written."""

    def write(self, value: Any, where: str, levels: int = _MOST_WRITTEN) -> Any:
        """Return the plain form of a value.

        Raise `GameError`, which names the place `where`, if such a value can't be part of a state, or has
        more than these levels.
        """
        if type(value) in _PLAIN:
            if type(value) is int and value not in WRITABLE:
                raise GameError(f"{where} holds a number of more than 64 bits, which no file can hold.")
            return value
        if isinstance(value, Seat):
            return ["seat", int(value)]
        if isinstance(value, Verbatim):
            return ["words", str(value)]
        if id(value) in self._pieces:
            return ["piece", self._pieces[id(value)]]
        if isinstance(value, Card):
            return ["card", value.id]
        if isinstance(value, Secret):
            self.secrets[value.id] = value
            return ["secret", value.id]
        if isinstance(value, Enum):
            return ["enum", _name(type(value), where), value.name]
        if levels <= 0:
            raise GameError(f"{where} is nested in more than {_MOST_WRITTEN} levels.")
        if type(value) is list or type(value) is tuple:  # a named tuple would be read as a plain tuple
            return [type(value).__name__, *(self.write(part, where, levels - 1) for part in value)]
        if type(value) is dict:
            pairs = ([self.write(one, where, levels - 2) for one in pair] for pair in value.items())
            return ["dict", *pairs]
        if isinstance(value, Question):
            return ["kind", value.name, *(self.write(part, where, levels - 1) for part in value.kept())]
        if value is dict:
            return ["class", DICT]
        if isinstance(value, type) and is_dataclass(value):
            return ["class", _name(value, where)]
        if _is_frozen(type(value)):
            kind: Any = type(value)
            names = _written(kind)
            parts = [self.write(getattr(value, one), f"{where}.{one}", levels - 1) for one in names]
            return ["data", _name(kind, where), *parts]
        raise GameError(
            f"{where} holds a {type(value).__name__}; a game's attributes are pieces and plain data only."
        )


class Reader:
    """Turns plain data back into a game's values; pieces and cards need a table on which they're laid.

    Classes are looked up only in the game's package and in tavolata. `secrets` has, by id, the sealed answers
    that can be named; the caller may add some.
    """

    def __init__(
        self, table: Table[Any] | None, package: str, secrets: dict[int, Secret[Any]] | None = None
    ) -> None:
        self._laid: Any = table  # None has no pieces, which leads to the same error as other wrong data
        self.secrets: dict[int, Secret[Any]] = {} if secrets is None else secrets
        self._roots = (package, "tavolata")

    def read(self, value: Any) -> Any:
        """Return the value of a plain form; raise `GameError` if it isn't one of any value."""
        if not isinstance(value, list):
            return value
        try:
            return _BY_TAG[value[0]](self, *value[1:])
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise GameError(f"A saved state does not fit this game: {error!r}.") from error

    def _data(self, name: str, *parts: Any) -> Any:
        cls = self._class(name)
        names = _written(cls)
        if name.startswith("tavolata."):
            names = names[: len(parts)]  # a file of a version before lacks what was added since
        return cls(**{one: self.read(part) for one, part in zip(names, parts, strict=True)})

    def _class(self, name: str) -> Any:
        module, _, path = name.partition(":")
        if module.partition(".")[0] not in self._roots or module not in sys.modules:
            raise GameError(f"A saved state names {name}, which is not part of this game.")
        found: Any = sys.modules[module]
        for part in path.split("."):
            found = getattr(found, part)
        if not (isinstance(found, type) and (issubclass(found, Enum) or is_dataclass(found))):
            raise GameError(f"A saved state names {name}, which is no kind of data.")
        return found


# Readers are made by the thousand, one for each thing that is said; what they read by is the same for all.

_BY_TAG: dict[str, Callable[..., Any]] = {
    "seat": lambda _, number: SEATS[number],
    "words": lambda _, words: Verbatim(words),
    "piece": lambda reader, name: reader._laid._pieces.named[name],
    "card": lambda reader, number: reader._laid._pieces.cards[number],
    "secret": lambda reader, number: reader.secrets[number],
    "enum": lambda reader, cls, name: reader._class(cls)[name],
    "list": lambda reader, *parts: [reader.read(part) for part in parts],
    "tuple": lambda reader, *parts: tuple(map(reader.read, parts)),
    "dict": lambda reader, *pairs: {reader.read(key): reader.read(value) for key, value in pairs},
    "data": Reader._data,
    "class": lambda reader, name: dict if name == DICT else reader._class(name),
    "kind": lambda reader, name, *kept: KINDS[name].restored(*map(reader.read, kept)),
}


def room(value: Any) -> int:
    """Return the most bytes that a value's plain form takes, if no one can change it; otherwise `ENDLESS`.

    It is for callers that would rather keep a value than write it down, and asks less than writing it would
    take.
    """
    kind: Any = type(value)
    if (known := _ROOM.get(kind)) is not None:
        return known
    if kind is tuple:
        return sum(map(room, value), _TAG)
    if kind is str:
        return _TAG + 4 * len(value)
    if kind is int:
        return _TAG if value in WRITABLE else ENDLESS
    tag, parts = _room_of_kind(kind)
    return sum([room(getattr(value, part)) for part in parts], tag)


def longest(question: Question) -> tuple[int, int]:
    """Return the most bytes of an answer in a log: without its texts, which a form limits, and in all.

    The shape of a kind from elsewhere doesn't say how its answers are written: its first and its last ones
    are.
    """
    rest, whole = _longest(question)
    if type(question).__module__.startswith("tavolata."):
        return rest, whole
    many = question.count()
    own = max(len(pack(question.answer_at(number))) for number in {*range(min(many, MOST)), many - 1})
    return max(rest, own), max(whole, own)


def _longest(question: Question) -> tuple[int, int]:
    match question.shape():
        case Writing(high=high, signs=signs):
            size = min(high * max((len(sign.encode()) for sign in signs), default=4), MOST_BYTES)
            return 1, 1 + size + (size >= _LONG)
        case Choices(choices, high=high, several=several):
            many = len(choices)
            size = len(pack(list(range(many))[many - high :] if several else many - 1))
            return size, size
        case Number(low, high):
            size = max(len(pack(low)), len(pack(high)))
            return size, size
        case Fieldset(fields):
            sizes = [longest(field.question) for field in fields]
            head = len(pack([0] * len(sizes))) - len(sizes)
            rest, whole = (head + sum(column) for column in zip(*sizes, strict=True))
            return rest, min(whole, rest + MOST_BYTES + MOST_BYTES // _LONG)
        case Branching(_, then):
            sizes = [(0, 0) if one is None else longest(one) for one in then]
            head = 1 + len(pack(len(then) - 1))
            rest, whole = (head + max(column) for column in zip(*sizes, strict=True))
            return rest, whole


ENDLESS = 1 << 40
_LONG = 32
"""The fewest bytes of a text whose head takes two."""
_TAG = 16
"""More bytes than a number takes, or the head of a list with its tag."""
_ROOM = {Card: 2 * _TAG, Seat: 2 * _TAG, bool: 1, type(None): 1}


@lru_cache(512)
def _room_of_kind(kind: Any) -> tuple[int, tuple[str, ...]]:
    """Return the bytes of an enumeration's or a frozen data class's names, and the fields of the latter."""
    name = 2 * _TAG + 4 * len(f"{kind.__module__}:{kind.__qualname__}")
    if "<locals>" not in kind.__qualname__:
        if issubclass(kind, Enum):
            return name + max(_TAG + 4 * len(one) for one in kind.__members__), ()
        if not issubclass(kind, Card | Secret | Question | list | tuple | dict) and _is_frozen(kind):
            return name, _written(kind)
    return ENDLESS, ()


def _is_frozen(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)


@lru_cache(512)
def _written(cls: Any) -> tuple[str, ...]:
    """Return the names of the fields by which a frozen value is written."""
    return tuple(one.name for one in fields(cls) if one.init)


def _name(cls: type, where: str) -> str:
    if "<locals>" in cls.__qualname__:
        raise GameError(
            f"{where} holds a {cls.__name__}, whose class is inside a function; a saved match finds it in a "
            "module only."
        )
    return f"{cls.__module__}:{cls.__qualname__}"
