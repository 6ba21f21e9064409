"""Whispers: for whom a typed line of talk is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tavolata._engine.match.match import Match
from tavolata._text import begins_with
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.ring import SEATS

TO = N_("to")
"""The word before the names of those who hear a whisper."""
TEAM = N_("team")
"""The word before what a player says to its team mates."""
HELP_SAY = N_("to NAME WORDS speaks to one player, to NAME NAME WORDS to several, say WORDS to all.")
NO_MATES = N_("You have no team mates in this match.")


def addressed(line: str, names: Sequence[str]) -> tuple[list[int], str]:
    """Return the seats whose names a line begins with, and the words after them.

    The first may be given by its number, from 1, or by the beginning of its name. The others are whole names,
    because a short beginning is easily a word. A colon ends the names: "Ada: Bea lies" is for Ada alone.
    Raise `Refused` if the line begins with no name, or nothing follows.
    """
    to: list[int] = []
    words, ended = line, False
    while not ended:
        found = begins_with(words, [name for seat, name in enumerate(names) if seat not in to])
        if found is None and not to:
            said, _, rest = words.removeprefix("@").partition(" ")
            found = names[_numbered(said.rstrip(",:"), names)], said[len(said.rstrip(",:")) :] + rest
        if found is None:
            break
        to.append(names.index(found[0]))
        ended = found[1].startswith(":")
        words = found[1].removeprefix(":").removeprefix(",").lstrip()
    if not words:
        raise Refused(HELP_SAY)
    return to, words


def _numbered(said: str, names: Sequence[str]) -> int:
    """Return the seat that is meant by a number or by the beginning of a name."""
    if said.isdecimal() and 1 <= int(said) <= len(names):
        return int(said) - 1
    found = [seat for seat, one in enumerate(names) if said and one.casefold().startswith(said.casefold())]
    if len(found) != 1:
        raise Refused(N_("Nobody here is called {name}."), name=said)
    return found[0]


def mates(match: Match[Any] | None, seat: int | None) -> tuple[int, ...]:
    """Return a seat's team mates; none without teams, for a spectator, and outside a match."""
    if match is None or match.over or seat is None:
        return ()
    return tuple(map(int, match.table.mates(SEATS[seat])))


def whispered(
    line: str, names: Sequence[str], own: Sequence[int], say: Callable[[str], str]
) -> tuple[Sequence[int], str] | None:
    """Return the seats a line that begins with "/to" or "/team" is for, and its words; None for any other.

    `own` are the speaker's team mates. Raise `Refused` if no one is named, or nothing is said.
    """
    word, _, rest = line.partition(" ")
    if word.casefold() in (f"/{TO}", f"/{say(TO)}"):
        return addressed(rest.strip(), names)
    if word.casefold() in (f"/{TEAM}", f"/{say(TEAM)}"):
        if not own or not rest.strip():
            raise Refused(HELP_SAY if own else NO_MATES)
        return own, rest.strip()
    return None
