"""The settings of one peer at a table, as plain data; other peers need not know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._engine.dealing.observation import HOLD
from tavolata._engine.dealing.quorum_watch import LIMIT, OFFER
from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.header import IDLE, STAND_AFTER
from tavolata._engine.storage.ways_back import WayBack
from tavolata._engine.table.table_keys import TableKeys


@dataclass(frozen=True, slots=True)
class Waits:
    """For how long a peer waits for people and other peers, in seconds.

    Attributes:
        patience: without progress, until a newcomer gives up its request to join.
        goodbye: at most, for each part of a departure; an election may come between.
        confirmation: for the others to claim the state in which a match ended, before this peer goes.
        countdown: for a person to press a key after a nudge.
        reminder: until people who wait are told once more for whom.
        offer: for a quorum, until a person may stop waiting.
        limit: for a quorum, until the peer stops by itself.
        away: until the host decides about a player who is away, if it was told to.
        unserved: until a bot plays for somebody who has a seat here and no session.
        hold: during which it sends no part of keys that leave out somebody whom it hears.
    """

    patience: float = 15.0
    goodbye: float = 5.0
    confirmation: float = 2.0
    countdown: float = 20.0
    reminder: float = 120.0
    offer: float = OFFER
    limit: float = LIMIT
    away: float = 10.0
    unserved: float = 30.0
    hold: float = HOLD


@dataclass
class PeerSettings:
    """How a peer behaves at a table.

    Attributes:
        name: the player's name.
        level: the bot that plays the own seat, None for a person.
        watch: whether it only watches.
        think: seconds that its bots take.
        found: for the host, (seats, options, dealer); None for who joins.
        keys: for the host, the keys of a private table; None for an open one.
        bots: levels of the host's further bots.
        at_once: whether the host begins the match as soon as all places are taken.
        away: what becomes of the seat of somebody who is away: wait, blind or bot; empty for what is usual.
        stand_after, idle, fixed, pace: as in `Header`.
        teams: for the host, how many teams play; 0 for none.
        campaign: for the host, the campaign that its matches are part of; None for matches by themselves.
        nudged: what this machine does when its player was nudged and presses no key: "bot" has its bot answer
            the question, "out" steps away, "wait" does nothing.
        address: how others reach the table, for the farewell.
        web: the link for browsers; empty where none are served.
        pages: the TCP port and the token of its pages for browsers, told to the table; None for none.
        resumes: the match that it goes on with, and where its other machines were reached; None for none.
        unlike: whether it plays with machines that have other code of the game; see `editions`.
        stays: whether it stays at the table when a match is over.
        waits: for how long it waits.
    """

    name: str
    level: str | None = None
    watch: bool = False
    think: float = 0.0
    found: tuple[int, dict[str, Any], str] | None = None
    keys: TableKeys | None = None
    bots: Sequence[str] = ()
    at_once: bool = False
    away: str = ""
    stand_after: int = STAND_AFTER
    idle: int = IDLE
    fixed: bool = False
    teams: int = 0
    campaign: Campaign | None = None
    nudged: str = "bot"
    pace: float | None = None
    address: str = ""
    web: str = ""
    pages: tuple[int, str] | None = None
    resumes: WayBack | None = None
    unlike: bool = False
    stays: bool = True
    waits: Waits = Waits()
