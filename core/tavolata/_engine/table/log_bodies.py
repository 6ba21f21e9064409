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
"""`[FOUND, game, rules id, seats, options, dealer]`: the host opens the table; the first body in the log."""
ENTER: Final = 1
"""`[ENTER, nonce, name, watch, level, mailbox]`: a peer introduces itself. `level` is its bot's level, or
None for a person; `mailbox` is the key for sealing whispers to it."""
LEAVE: Final = 2
"""`[LEAVE]`: a peer leaves voluntarily."""
CHAT: Final = 3
"""`[CHAT, text]`: a chat message to everyone; players in a match use SAY instead."""
SET: Final = 4
"""`[SET, options]`: the host sets the house rules; `options` holds all of them, as plain data."""
READY: Final = 5
"""`[READY, yes]`: a player is ready, or no longer is."""
START: Final = 6
"""`[START, header, leader]`: the host proposes a match with this packed header, which has no id yet; `leader`
names the log's leader, for readers of the match file. Once ONWARD is agreed, any party of the new match may
send it."""
PLAY: Final = 7
"""`[PLAY, match id, entry, note]`: an entry of a match; `note` is empty or sealed by the author to itself;
see `SeatSealer.note`."""
STATUS: Final = 8
"""`[STATUS, peer, here]`: a peer is reported present or absent, usually by the log's leader."""
DECIDE: Final = 9
"""`[DECIDE, what, seat]`: the host, dealing alone, decides what to do about an absent player: wait, blind or
end."""
ADDRESS: Final = 10
"""`[ADDRESS, peer, host, port]`: the log's leader reports a peer's address."""
BOTS: Final = 11
"""`[BOTS, [level, ...]]`: the host replaces all bots, those of an earlier host too, with one of its own for
each level; a bot that is a machine's own player stays."""
KEYS: Final = 12
"""`[KEYS, secret, code]`: the host makes the table private; sent once, right after FOUND."""
CODE: Final = 13
"""`[CODE, code]`: the host sets a new code for newcomers."""
POLICY: Final = 14
"""`[POLICY, what, stand_after, idle, fixed]`: the host sets the policy for absent players. `what` is "wait",
"blind", or empty for the default; `stand_after` gives the seconds, after the first 15 of silence, before
their questions may be closed if they hold hidden cards; `idle`, the seconds before a silent player may be
nudged. If `fixed`, the threshold t stays as it was at the start when players leave."""
GAME: Final = 15
"""`[GAME, game, rules id, seats, options]`: the host switches to another game."""
WHISPER: Final = 16
"""`[WHISPER, [peer, ...], [box, ...]]`: a message to some peers, sealed to the mailbox of each in turn, then
to the author's."""
KICK: Final = 17
"""`[KICK, peer]`: the host removes a peer from the table."""
BAN: Final = 18
"""`[BAN, peer, yes]`: the host bans a peer, or lifts its ban."""
LOCK: Final = 19
"""`[LOCK, yes]`: the host locks the table to newcomers, or unlocks it."""
MUTE: Final = 20
"""`[MUTE, peer, yes]`: the host mutes a peer's chat and whispers, or unmutes them."""
HEIR: Final = 21
"""`[HEIR, peer]`: the host hands its role to another seated peer."""
VOTE_HOST: Final = 22
"""`[VOTE_HOST, yes]`: a seated peer hasn't heard the host for 15 s (yes), or hears it again (no)."""
IN: Final = 23
"""`[IN, header hash, nonce, mailbox]`: a party joins the match of the pending START, which can begin once all
have joined. `mailbox` includes its proof; see `fair.beginning`."""
FALL: Final = 24
"""`[FALL, header hash]`: a party cancels the pending START after waiting too long for the others."""
STATE: Final = 25
"""`[STATE, match id, number, digest]`: a party claims the digest of the match after log entry `number`, at
the match's end or when another machine's differs; the digest is empty if no turn ended there. See
`state_claims`."""
SUSPEND: Final = 26
"""`[SUSPEND, yes]`: a party wants to suspend the match, or no longer does; it's suspended once all present
parties agree."""
NUDGE: Final = 27
"""`[NUDGE, seat]`: a player nudges a silent one; from the seat's own player: still here."""
ONWARD: Final = 28
"""`[ONWARD, match id, [peer, ...], yes]`: a party votes to continue without these peers in a new match, or
withdraws its vote; with no peers, the vote is to go back to the end of the last clean turn."""
RENAME: Final = 29
"""`[RENAME, name]`: the author takes a new name; only between matches."""
PAGES: Final = 36
"""`[PAGES, port, token]`: the author's machine serves pages for browsers on this TCP port, or with port 0 no
longer does; anyone with `token` gets a seat there."""
LOOK: Final = 37
"""`[LOOK, hue, mark]`: the colour and mark that the author's player chose, by number."""

TEAMS: Final = 30
"""`[TEAMS, number]`: the host sets the number of teams for the next matches; 0 means no teams."""
TEAM: Final = 31
"""`[TEAM, number]`: the author's player joins a team; -1 means any team."""
TEAM_LOT: Final = 32
"""`[TEAM_LOT, seed]`: the host draws the teams by lot: present places, sorted by `blake2b(name, 64 bytes,
key=seed)`, join the teams in turn; `seed` is 16 bytes."""
EDITION: Final = 38
"""`[EDITION, version, code, facts, unlike]`: from the host: version and code of the game it put on the table,
whether its rules state facts, and whether machines with other code may play; from another peer: the same for
its own machine, if the code differs. See `Editions`."""

CAMPAIGN: Final = 39
"""`[CAMPAIGN, copy]`: from the host: the campaign for the next matches, or no bytes for none; from another
peer with a place: its own copy, unless the table's equals or continues it. See `campaign`."""

COMPANION: Final = 40
"""`[COMPANION, tag, [verb, ...]]`: an entry from a person whom the author's machine serves in a browser,
identified by a 16-byte tag; its verb is one of `_OF_COMPANIONS`."""

LIGHT: Final = 41
"""`[LIGHT, light]`: the state of a companion's page as its machine sees it, a `Light`."""

WISH: Final = 42
"""`[WISH, wish, seat, yes]`: a person makes a wish (a `Wish`) or withdraws it; `seat` is the one to wait for
in `Wish.WAIT`, otherwise -1. A companion has no vote; its machine does."""

EXPEL: Final = 43
"""`[EXPEL, proof]`: `proof`, an `Equivocation`, shows that a machine signed two logs of this table or voted
twice; it's expelled for good."""

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
_LEVELS: Final = 26
"""The most levels of a body: enough for any value that a game can say, and few enough that the match file in
which its entry is written can be read."""
KEY_SIZE: Final = 32
"""The bytes of a machine's identity; behind them, a person whom it serves has a tag."""
TAG_SIZE: Final = 16
"""The bytes of a companion's tag."""
_OF_COMPANIONS = frozenset({ENTER, LEAVE, CHAT, READY, WHISPER, NUDGE, RENAME, LOOK, TEAM, LIGHT, WISH})


def read(body: bytes) -> tuple[int, list[Any]] | None:
    """Return the verb of a body and its arguments; None if this version doesn't know such a body.

    No version knows a body of more levels than `_LEVELS`.
    """
    try:
        return _checked(unpack(body, levels=_LEVELS))
    except (ValueError, TypeError, OverflowError):
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
