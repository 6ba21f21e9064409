"""The settings of one peer at a table, as plain data; other peers need not know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._engine.dealing.observation import HOLD
from tavolata._engine.dealing.quorum_watch import LIMIT, OFFER
from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.header import IDLE, STAND_AFTER
from tavolata._engine.sessions.knocks import Knocks
from tavolata._engine.storage.ways_back import WayBack
from tavolata._engine.table.table_keys import TableKeys


@dataclass(frozen=True, slots=True)
class Waits:
    """How long a peer waits for people and other peers, in seconds.

    Attributes:
        patience: without progress, until a newcomer gives up its request to join.
        goodbye: at most, for each part of a departure; an election may come between.
        confirmation: for the others to claim the state in which a match ended, before this peer goes.
        countdown: for a person to press a key after a nudge.
        reminder: until people who wait are reminded of who is missing.
        offer: for a quorum, until a person may stop waiting.
        limit: for a quorum, until the peer stops on its own.
        away: until the host decides about a player who is away, if it was told to.
        unserved: until a bot plays for someone who has a seat here and no session.
        hold: during which it sends no part of keys that leave out someone that it hears.
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
        level: the bot that plays this peer's seat, None for a person.
        think: seconds that its bots take.
        found: for the host, (seats, options, dealer); None for a guest.
        keys: for the host, the keys of a private table; None for an open one.
        bots: levels of the host's further bots.
        at_once: the host begins the match as soon as all places are taken.
        away: what happens to an absent player's questions: wait or blind; empty for the default.
        stand_after, idle, fixed, pace: as in `Header`.
        teams: for the host, how many teams play; 0 for none.
        campaign: for the host, the campaign of its matches; None for matches on their own.
        nudged: the reaction when its player ignores a nudge: "bot" lets its bot answer the question, "rest"
            lets it play until a key is pressed, "wait" does nothing.
        address: how others reach the table, for the farewell.
        web: the link for browsers; empty where none are served.
        pages: the TCP port and the token of its pages for browsers, announced to the table.
        pages_before: those of an earlier run at this table, which pages that are still open know.
        knocks: the knocks at its pages; None without pages.
        resumes: the match to resume, and where its other machines were reached.
        goes_back: of a match in which acting on an entry failed, it goes back to the last clean turn.
        unlike: it plays with machines that have other code of the game; see `editions`.
        stays: it stays at the table when a match is over.
        anywhere: it answers machines of other networks, also after a break.
        quiet: it doesn't announce the table, also after a break or in the host's stead.
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
    pages_before: tuple[int, str] | None = None
    knocks: Knocks | None = None
    resumes: WayBack | None = None
    goes_back: bool = False
    unlike: bool = False
    stays: bool = True
    anywhere: bool = False
    quiet: bool = False
    waits: Waits = Waits()
