"""The keys of the home screen: a letter for each thing that can be done there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from tavolata.messages import N_


class HomeKey(NamedTuple):
    """A key: what it does in a word or two, and in a sentence for the help page; message ids."""

    what: str
    why: str


HOME_KEYS: Final[Mapping[str, HomeKey]] = {
    "+": HomeKey(N_("seats"), N_("One seat more.")),
    "-": HomeKey(N_("seats"), N_("One seat less.")),
    "b": HomeKey(N_("bots"), N_("Bots of the next level.")),
    "p": HomeKey(N_("people"), N_("One more person at this keyboard, or one again.")),
    "w": HomeKey(N_("where"), N_("Play at the next place: here, or at a table on the network.")),
    "h": HomeKey(N_("network"), N_("Open a table on the network, or play here again.")),
    "g": HomeKey(N_("guided"), N_("A short match with hints on what can be done and why.")),
    "m": HomeKey(N_("mode"), N_("The next game of those in one box.")),
    "o": HomeKey(N_("house rules"), N_("Change house rules.")),
    "u": HomeKey(N_("usual"), N_("The usual match: no hints, no teams, no house rule changed.")),
    "j": HomeKey(N_("join"), N_("Join a table on the network.")),
    "c": HomeKey(N_("go on"), N_("Go on with a match that waits.")),
    "r": HomeKey(N_("rules"), N_("Read the rules of the game.")),
    "n": HomeKey(N_("name"), N_("Change your name.")),
    "l": HomeKey(N_("language"), N_("Change the language.")),
    "i": HomeKey(N_("more games"), N_("List the games that others have published, too.")),
}
"""By letter."""
