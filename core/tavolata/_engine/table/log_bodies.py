"""Bodies of the table's log entries, and the places at a table.

This module has plain data, its names, and the check of a body. `lobby` and `table_state` act on the entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from tavolata._engine.match.state import pack, unpack
from tavolata._text import Verbatim

FOUND: Final = 0
"""`[FOUND, game, rules id, seats, options, dealer]`: the host opens the table; the first entry of all."""
ENTER: Final = 1
"""`[ENTER, nonce, name, watch, level, mailbox]`: a peer introduces itself; level is its bot's, or None;
`mailbox` is the key to which others seal what they whisper to it."""
LEAVE: Final = 2
"""`[LEAVE]`: a peer leaves of its own accord."""
CHAT: Final = 3
"""`[CHAT, text]`: a message to all outside a match."""
SET: Final = 4
"""`[SET, options]`: the host changes the house rules; plain data of all options."""
READY: Final = 5
"""`[READY, yes]`: a player is ready, or not yet."""
START: Final = 6
"""`[START, header, leader]`: the host wants a match with this packed header, which has no id yet; the log's
leader is for readers of the match's file. Where all who are here would go on without the missing, any of
them says it, in mid-match."""
PLAY: Final = 7
"""`[PLAY, match id, entry, note]`: an entry of the running match; see `SeatSealer.note`."""
STATUS: Final = 8
"""`[STATUS, peer, here]`: the leader of the log reports that a peer is present or absent."""
DECIDE: Final = 9
"""`[DECIDE, what, seat]`: the host, which deals alone, decides about an absent player: wait, blind or end."""
ADDRESS: Final = 10
"""`[ADDRESS, peer, host, port]`: the leader of the log reports the address of a peer."""
BOTS: Final = 11
"""`[BOTS, [level, ...]]`: the host seats bots of its own."""
KEYS: Final = 12
"""`[KEYS, secret, code]`: the host makes the table private; sent once, right after `FOUND`."""
CODE: Final = 13
"""`[CODE, code]`: the host changes the code for newcomers."""
POLICY: Final = 14
"""`[POLICY, what, stand_after, idle, fixed]`: what becomes of the seat of somebody who is away ("wait",
"blind", or empty for what is usual), after how long questions of somebody with hidden cards are closed, after
how long who says nothing may be nudged, and whether t stays that of the start whoever leaves."""
GAME: Final = 15
"""`[GAME, game, rules id, seats, options]`: the host chooses another game."""
WHISPER: Final = 16
"""`[WHISPER, [peer, ...], [box, ...]]`: a message for some peers, sealed to the mailbox of each and to that
of the author."""
KICK: Final = 17
"""`[KICK, peer]`: the host shows a peer out."""
BAN: Final = 18
"""`[BAN, peer, yes]`: the host bans a peer, or lifts the ban."""
LOCK: Final = 19
"""`[LOCK, yes]`: the host lets nobody new in, or opens the table again."""
MUTE: Final = 20
"""`[MUTE, peer, yes]`: the host silences a peer's talk outside a seat, or lets it speak again."""
HEIR: Final = 21
"""`[HEIR, peer]`: the host gives its place to another peer."""
VOTE_HOST: Final = 22
"""`[VOTE_HOST, yes]`: the author's machine has not heard the host for a while, or hears it again."""
IN: Final = 23
"""`[IN, header hash, nonce, mailbox]`: a party takes part in the match of the START that stands; the match
begins when all parties have said it. The mailbox comes with its proof; see `fair.beginning`."""
FALL: Final = 24
"""`[FALL, header hash]`: a party has waited too long for another's IN, so START falls."""
STATE: Final = 25
"""`[STATE, match id, number, digest]`: a party claims the state of the match after entry `number` of the log,
since another machine's differs; the digest is empty if no turn ended there. See `state_claims`."""
SUSPEND: Final = 26
"""`[SUSPEND, yes]`: a party would stop the match for today; it is suspended when all who are here would."""
NUDGE: Final = 27
"""`[NUDGE, seat]`: a player wakes a silent one; from the seat's own player: I am here."""
ONWARD: Final = 28
"""`[ONWARD, match id, [peer, ...], yes]`: a party would go on without these peers in a new match, or not;
without any peers, it would go back to the last clean turn."""
RENAME: Final = 29
"""`[RENAME, name]`: the author takes another name; between matches only."""
PAGES: Final = 36
"""`[PAGES, port, token]`: the author's machine serves pages for browsers at this TCP port, and whoever has
the token gets a seat there; port 0: it does no longer."""
LOOK: Final = 37
"""`[LOOK, hue, mark]`: the colour and the mark that the author's player chose, by their numbers."""

TEAMS: Final = 30
"""`[TEAMS, number]`: the host has the next matches played in so many teams; 0: without teams."""
TEAM: Final = 31
"""`[TEAM, number]`: the author's player joins a team; -1: any team."""
TEAM_LOT: Final = 32
"""`[TEAM_LOT, seed]`: the host's machine draws lots for the teams: the places, in the order of their
names' hashes with the seed of 16 bytes, get the teams in turn."""
EDITION: Final = 38
"""`[EDITION, version, code, facts, unlike]`: from the host, the version and the code of the game that it put
on the table, whether its rules say facts, and whether machines with other code may play; from another peer,
that it plays by these, and not by the table's. See `editions`."""

CAMPAIGN: Final = 39
"""`[CAMPAIGN, copy]`: from the host, the campaign that the next matches are part of, or no bytes for none;
from another peer with a place, its own copy of it, if the table's is no later one. See `campaign`."""

COMPANION: Final = 40
"""`[COMPANION, tag, [verb, ...]]`: the author's machine says one of the entries above for a person whom it
serves in a browser, with a tag of 16 bytes: those of `_OF_COMPANIONS`."""

LIGHT: Final = 41
"""`[LIGHT, light]`, for a companion: how its machine sees the page, as the number of a `Light`."""

WISH: Final = 42
"""`[WISH, wish, seat, yes]`: a person wishes for something, as the number of a `Wish`, or takes it back; the
seat is that of `Wish.WAIT`, otherwise -1. A companion's machine has the vote."""

EXPEL: Final = 43
"""`[EXPEL, proof]`: a machine signed two logs of this table, or voted twice, as the proof (an `Equivocation`)
shows: it is out for good."""

WAIT, BLIND, END = "wait", "blind", "end"
"""The possible decisions about an absent player."""
HERE, AWAY, LEFT = "here", "away", "left"


class Light(IntEnum):
    """A person's presence at a table. It's for screens: no vote counts it and no card moves by it."""

    HERE = 0
    ASLEEP = 1
    """The page is hidden or silent."""
    GONE = 2
    """The page has no connection."""
    UNHEARD = 3
    """This machine doesn't hear theirs, whatever others hear: nobody says it in the log."""


class Wish(IntEnum):
    """Something that people wish for in a match."""

    WAIT = 0
    """No bot yet for somebody asleep: wait longer."""
    STOP = 1
    WITHOUT = 2
    END = 3
    BACK = 4
    """Go back to the end of the last clean turn."""


LONGER: Final = 60.0
"""Seconds that everyone waits longer for someone asleep, each time that somebody wishes it."""
MOST_WAITS: Final = 5
"""How often that can be for one answer."""


_WORDS = (str, type(None))
_SHAPES: dict[int, tuple[Any, ...]] = {
    FOUND: (str, int, int, dict, str),
    ENTER: (bytes, str, bool, _WORDS, bytes),
    LEAVE: (),
    CHAT: (str,),
    SET: (dict,),
    READY: (bool,),
    START: (bytes, bytes),
    PLAY: (str, list, bytes),
    STATUS: (bytes, bool),
    DECIDE: (str, int),
    ADDRESS: (bytes, str, int),
    BOTS: (list,),
    KEYS: (bytes, str),
    CODE: (str,),
    POLICY: (str, int, int, bool),
    GAME: (str, int, int, dict),
    WHISPER: (list, list),
    KICK: (bytes,),
    BAN: (bytes, bool),
    LOCK: (bool,),
    MUTE: (bytes, bool),
    HEIR: (bytes,),
    VOTE_HOST: (bool,),
    IN: (bytes, bytes, bytes),
    FALL: (bytes,),
    STATE: (str, int, bytes),
    SUSPEND: (bool,),
    NUDGE: (int,),
    ONWARD: (str, list, bool),
    RENAME: (str,),
    PAGES: (int, str),
    LOOK: (int, int),
    TEAMS: (int,),
    TEAM: (int,),
    TEAM_LOT: (bytes,),
    COMPANION: (bytes, list),
    LIGHT: (int,),
    WISH: (int, int, bool),
    EDITION: (str, bytes, bool, bool),
    CAMPAIGN: (bytes,),
    EXPEL: (bytes,),
}
KEY_SIZE: Final = 32
"""The bytes of a machine's identity; behind them, a person whom it serves has a tag."""
TAG_SIZE: Final = 16
"""The bytes of a companion's tag."""
_OF_COMPANIONS = frozenset({ENTER, LEAVE, CHAT, READY, WHISPER, NUDGE, RENAME, LOOK, TEAM, LIGHT, WISH})


def read(body: bytes) -> tuple[int, list[Any]] | None:
    """Return the verb of a body and its arguments; None if this version doesn't know such a body."""
    try:
        return _checked(unpack(body))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None


_PLAYS: Final = pack([PLAY, "", [], b""])[:2]
"""The head of its array, and the verb."""


def is_play(body: bytes) -> bool:
    """Return True if a body is an entry of a match, said by a machine itself, without reading all of it."""
    return body.startswith(_PLAYS)


def of_companion(tag: bytes, inner: list[Any]) -> tuple[int, list[Any]] | None:
    """Return a machine's word for a companion, in the form of `read`; None if it can't be said so."""
    try:
        entry = _checked(inner)
    except (ValueError, TypeError):
        return None
    return entry if entry is not None and entry[0] in _OF_COMPANIONS and len(tag) == TAG_SIZE else None


def as_said_by(tag: bytes, body: Sequence[Any]) -> tuple[Any, ...]:
    """Return an entry of a machine's own player, or of someone that it serves, as the machine says it."""
    return (COMPANION, tag, list(body)) if tag else tuple(body)


def _checked(data: Any) -> tuple[int, list[Any]] | None:
    verb, *rest = data
    shape = _SHAPES.get(verb) if type(verb) is int else None
    if shape is None or len(rest) != len(shape):
        return None
    # The exact type: True is not a number here, and floats are not allowed.
    fits = all(type(one) in (kind if isinstance(kind, tuple) else (kind,))
               for one, kind in zip(rest, shape, strict=True))  # fmt: skip
    return (verb, rest) if fits else None


@dataclass(slots=True)
class Place:
    """A place at the table.

    Attributes:
        peer: the identity of the machine that plays it, 32 bytes.
        companion: the tag of a person that that machine serves in a browser; empty for its own player.
        level: the bot that plays it, None for a person.
        decided: someone decided what to do while the player is away.
        own: a person of that machine sits here, or its own bot, not a further bot of it.
        unattended: its companion has gone in mid-match, and a bot of its machine plays.
        team: -1 for any.
    """

    name: Verbatim
    peer: bytes
    level: str | None = None
    ready: bool = False
    status: str = HERE
    decided: bool = False
    own: bool = True
    team: int = -1
    companion: bytes = b""
    unattended: bool = False

    @property
    def person(self) -> bytes:
        """The player's key: the machine's identity, followed by a companion's tag."""
        return self.peer + self.companion
