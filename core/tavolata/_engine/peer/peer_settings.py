"""The settings of one peer at a table, as plain data; other peers need not know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.header import IDLE, STAND_AFTER
from tavolata._engine.storage.ways_back import WayBack
from tavolata._engine.table.table_keys import TableKeys


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
