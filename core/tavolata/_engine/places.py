"""Who sits where at a table of peers, and what its bodies of log entries look like.

Plain data and the words for it; what an entry changes is `room`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FOUND: Final = 0
"""`[FOUND, game, rules id, seats, options]`: the host opens the table; the first entry of all."""
ENTER: Final = 1
"""`[ENTER, nonce, name, watch, level]`: a peer introduces itself; level is its bot's, or None."""
LEAVE: Final = 2
"""`[LEAVE]`: a peer goes, politely."""
CHAT: Final = 3
"""`[CHAT, text]`: words to all, outside a match."""
SET: Final = 4
"""`[SET, options]`: the host changes house rules, plain data of all of them."""
READY: Final = 5
"""`[READY, yes]`: a player is ready, or not yet."""
START: Final = 6
"""`[START, header]`: the host begins a match."""
PLAY: Final = 7
"""`[PLAY, match id, entry]`: an entry of the running match."""
STATUS: Final = 8
"""`[STATUS, peer, here]`: the sequencer says who is heard."""
DECIDE: Final = 9
"""`[DECIDE, what, seat]`: the table decides about a seat whose player is away: wait, bot or end."""
ADDRESS: Final = 10
"""`[ADDRESS, peer, host, port]`: where a peer is reached, so that all know all."""
BOTS: Final = 11
"""`[BOTS, [level, ...]]`: the host seats bots of its own."""

WAIT, BOT, END = "wait", "bot", "end"
"""What a table can decide when a player is away."""
HERE, AWAY, LEFT = "here", "away", "left"


@dataclass(slots=True)
class Place:
    """A place at the table.

    Attributes:
        name: who sits there.
        peer: the identity of the peer that plays it, 32 bytes.
        level: the bot that plays it, None for a person.
        ready: whether its player is ready.
        status: "here", "away", or "left".
        stand_in: whether the host's bot plays it for now.
    """

    name: str
    peer: bytes
    level: str | None = None
    ready: bool = False
    status: str = HERE
    stand_in: bool = False
