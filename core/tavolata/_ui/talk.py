"""Whispers: for whom a typed line of talk is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tavolata._engine.match.match import Match
from tavolata._text import composed, number_within, one_line
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.ring import SEATS

TO = N_("to")
"""The word before the names of those who hear a whisper."""
TEAM = N_("team")
"""The word before what a player says to its team mates."""
HELP_SAY = N_("Type: to NAME WORDS (one player), to NAME NAME WORDS (several) or say WORDS (everyone).")
NOT_SEATED = N_("{name} isn't seated here any more.")
_COLON = re.compile(r":(?!(?<=\d:)\d)")  # not that of a time: 10:30
NO_MATES = N_("You have no teammates in this match.")


def addressed(line: str, names: Sequence[str], gone: Sequence[str] = ()) -> tuple[list[int], str]:
    """Return the seats whose names a line begins with, and the words after them.

    With a colon, all before it is names, with commas between, or numbers from 1; one alone may be the
    beginning of a name. Without one, the line begins with names or a number. `gone` are the names of people
    who don't sit here any more: words for one of them are for nobody else. Raise `Refused` if a name is
    nobody's, or no words follow.
    """
    line = composed(line.strip())
    colon = _COLON.search(line)
    if colon is None:
        to, words = _begun(line.removeprefix("@"), names, gone)
    else:
        said, words = line[: colon.start()], line[colon.end() :].strip()
        parts = [part.strip().removeprefix("@") for part in said.split(",")]
        whole = [_seat(part, names, begun=len(parts) == 1) for part in parts]
        to = list(dict.fromkeys(_found(seat, part, gone) for seat, part in zip(whole, parts, strict=True)))
    if not words:
        raise Refused(HELP_SAY)
    return to, words


def _begun(line: str, names: Sequence[str], gone: Sequence[str]) -> tuple[list[int], str]:
    """Return the seats for the names with which a line without a colon begins, and the rest of it."""
    to, words = list[int](), line
    while True:
        left = [name for seat, name in enumerate(names) if seat not in to]
        name = _longest(words, [*left, *gone])
        if name in gone and name not in left:
            raise Refused(NOT_SEATED, name=name)
        if name is None:
            break
        to.append(names.index(name))
        words = words[len(name) :].lstrip().removeprefix(",").lstrip().removeprefix("@")
    if not to:
        said, _, words = line.partition(" ")
        to = [_found(_seat(said.rstrip(","), names, begun=False), said, gone)]
    return to, words.strip()


def _longest(line: str, names: Sequence[str]) -> str | None:
    fitting = [
        name
        for name in names
        if line[: len(name)].casefold() == name.casefold() and line[len(name) :][:1].strip() in ("", ",")
    ]
    return max(fitting, key=len, default=None)


def _seat(said: str, names: Sequence[str], *, begun: bool) -> int | None:
    """Return the seat of a whole name, a number or, if `begun`, an unmistakable beginning."""
    wanted = " ".join(said.split()).casefold()
    number = number_within(wanted, 1, len(names))
    if number is not None:
        return number - 1
    found = [seat for seat, name in enumerate(names) if name.casefold() == wanted]
    if not found and begun and wanted and " " not in wanted:
        found = [seat for seat, name in enumerate(names) if name.casefold().startswith(wanted)]
    return found[0] if len(found) == 1 else None


def _found(seat: int | None, said: str, gone: Sequence[str]) -> int:
    left = next((name for name in gone if name.casefold() == said.casefold()), None)
    if left is not None:
        raise Refused(NOT_SEATED, name=left)
    if seat is None:
        raise Refused(N_("No one here is named {name}."), name=one_line(said, 60))
    return seat


def mates(match: Match[Any] | None, seat: int | None) -> tuple[int, ...]:
    """Return a seat's team mates; none without teams, for a spectator, and outside a match."""
    if match is None or match.over or seat is None:
        return ()
    return tuple(map(int, match.table.mates(SEATS[seat])))


def whispered(
    line: str,
    names: Sequence[str],
    own: Sequence[int],
    say: Callable[[str], str],
    gone: Sequence[str] = (),
) -> tuple[Sequence[int], str] | None:
    """Return the seats a line that begins with "/to" or "/team" is for, and its words; None for any other.

    `own` are the speaker's team mates. Raise `Refused` if no one is named, or nothing is said.
    """
    word, _, rest = line.partition(" ")
    if word.casefold() in (f"/{TO}", f"/{say(TO)}"):
        return addressed(rest, names, gone)
    if word.casefold() in (f"/{TEAM}", f"/{say(TEAM)}"):
        if not own or not rest.strip():
            raise Refused(HELP_SAY if own else NO_MATES)
        return own, rest.strip()
    return None
