"""Raft's roles as a table: (state, what happened) -> state.

This module is only the table; the actions are in the modules named after the roles. The diagram in
docs/agreed-log.md is drawn from it.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import Final


class State(Enum):
    """The present state of a peer."""

    OUTSIDE = "outside"
    """Has no log yet."""
    JOINING = "joining"
    """Has asked for admission."""
    FOLLOWER = "follower"
    """Follows the leader's log, or waits for a leader."""
    PROBING = "probing"
    """Suspects the leader, and asks others whether they hear it."""
    PRE_CANDIDATE = "pre-candidate"
    """Asks for pre-votes."""
    CANDIDATE = "candidate"
    """Asks for votes in a new term."""
    LEADER = "leader"
    """Leads: puts the entries in order."""
    LEFT = "left"
    """Is no longer a member."""
    HALTED = "halted"
    """Found a contradiction that must not happen, and has stopped."""


class Trigger(Enum):
    """The events that may change the state."""

    FOUNDED = "founded a table"
    ASKED = "asked to be let in"
    RESUMED = "resumed from disk"
    HEARD_LEADER = "heard a leader of this term"
    HIGHER_TERM = "heard of a higher term"
    SILENCE = "the leader is silent"
    NOBODY_HEARS_IT = "nobody asked hears the leader"
    SOMEBODY_HEARS_IT = "somebody hears the leader"
    WOULD_WIN = "a majority would vote for me"
    WON = "a majority voted for me"
    GAVE_UP = "the round of votes lasted too long"
    HANDED_OVER = "the leader hands over to me"
    RENEWS = "a voter is in a higher term"
    LOST_TOUCH = "fewer than half of the voters are heard"
    TAKES_OVER = "the player takes over alone"
    DEPOSED = "a proof against the leader, or against a vote of this term"
    REMOVED = "no member any more"
    CONTRADICTION = "the log contradicts itself"


_S, _T = State, Trigger
ASLEEP: Final = (State.OUTSIDE, State.LEFT, State.HALTED)
"""States in which no message and no timer does anything."""
NOT_LEADING: Final = (_S.FOLLOWER, _S.PROBING, _S.PRE_CANDIDATE, _S.CANDIDATE)
"""States of a member that follows or wants to lead; many triggers have the same effect in all of them."""

TRANSITIONS: Final = MappingProxyType(
    {
        (_S.OUTSIDE, _T.FOUNDED): _S.LEADER,
        (_S.OUTSIDE, _T.ASKED): _S.JOINING,
        (_S.OUTSIDE, _T.RESUMED): _S.FOLLOWER,
        (_S.OUTSIDE, _T.REMOVED): _S.LEFT,
        (_S.JOINING, _T.HEARD_LEADER): _S.FOLLOWER,
        (_S.JOINING, _T.HIGHER_TERM): _S.JOINING,
        (_S.FOLLOWER, _T.SILENCE): _S.PROBING,
        (_S.PROBING, _T.NOBODY_HEARS_IT): _S.PRE_CANDIDATE,
        (_S.PROBING, _T.SOMEBODY_HEARS_IT): _S.FOLLOWER,
        (_S.PRE_CANDIDATE, _T.WOULD_WIN): _S.CANDIDATE,
        (_S.PRE_CANDIDATE, _T.GAVE_UP): _S.FOLLOWER,
        (_S.CANDIDATE, _T.WON): _S.LEADER,
        (_S.CANDIDATE, _T.GAVE_UP): _S.FOLLOWER,
        (_S.LEADER, _T.HIGHER_TERM): _S.FOLLOWER,
        (_S.LEADER, _T.RENEWS): _S.CANDIDATE,
        (_S.LEADER, _T.LOST_TOUCH): _S.FOLLOWER,
        **{(state, _T.HEARD_LEADER): _S.FOLLOWER for state in NOT_LEADING},
        **{(state, _T.HIGHER_TERM): _S.FOLLOWER for state in NOT_LEADING},
        **{(state, _T.HANDED_OVER): _S.CANDIDATE for state in NOT_LEADING},
        **{(state, _T.TAKES_OVER): _S.LEADER for state in NOT_LEADING},
        **{(state, _T.DEPOSED): _S.FOLLOWER for state in (*NOT_LEADING, _S.LEADER)},
        **{(state, _T.REMOVED): _S.LEFT for state in (*NOT_LEADING, _S.LEADER)},
        **{(state, _T.CONTRADICTION): _S.HALTED for state in _S},
    }
)
"""The transitions; any other (state, trigger) is a bug of this package."""
