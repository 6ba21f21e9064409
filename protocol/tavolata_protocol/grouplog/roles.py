"""The part that a peer plays in the agreed log, as a table: (role, what happened) -> role.

Only the table may live here; what is done on the way stands in the modules named after the roles.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import Final


class State(Enum):
    """What a peer does at present."""

    OUTSIDE = "outside"
    """Has no log yet."""
    JOINING = "joining"
    """Has asked to be let in."""
    FOLLOWING = "following"
    """Keeps the log that the sequencer sends; or waits for one."""
    PROBING = "probing"
    """Suspects the sequencer, and asks others whether they hear it."""
    CANVASSING = "canvassing"
    """Asks whether it would be voted for."""
    STANDING = "standing"
    """Asks for votes in a new term."""
    SEQUENCING = "sequencing"
    """Orders."""
    PARTED = "parted"
    """Knows that the sequencer told two stories; waits for who begins anew without it."""
    LEFT = "left"
    """Is no member any more."""
    HALTED = "halted"
    """Found a contradiction that must not happen, and does nothing."""


class Trigger(Enum):
    """What may change the state."""

    FOUNDED = "founded a table"
    ASKED = "asked to be let in"
    RESUMED = "resumed from disk"
    HEARD_SEQUENCER = "heard a sequencer of this term"
    HIGHER_TERM = "heard of a higher term"
    SILENCE = "the sequencer is silent"
    NOBODY_HEARS_IT = "nobody asked hears the sequencer"
    SOMEBODY_HEARS_IT = "somebody hears the sequencer"
    WOULD_WIN = "a majority would vote for me"
    WON = "a majority voted for me"
    GAVE_UP = "the round of votes lasted too long"
    HANDED_OVER = "the sequencer hands over to me"
    LOST_TOUCH = "fewer than half of the voters are heard"
    TAKES_OVER = "the player takes over alone"
    CONVICTED = "the sequencer told two stories"
    REMOVED = "no member any more"
    CONTRADICTION = "the log contradicts itself"


_S, _T = State, Trigger
ASLEEP: Final = (State.OUTSIDE, State.LEFT, State.HALTED)
"""States in which no message and no timer does anything."""
_LIVELY = (_S.FOLLOWING, _S.PROBING, _S.CANVASSING, _S.STANDING)

TRANSITIONS: Final = MappingProxyType(
    {
        (_S.OUTSIDE, _T.FOUNDED): _S.SEQUENCING,
        (_S.OUTSIDE, _T.ASKED): _S.JOINING,
        (_S.OUTSIDE, _T.RESUMED): _S.FOLLOWING,
        (_S.OUTSIDE, _T.REMOVED): _S.LEFT,
        (_S.JOINING, _T.HEARD_SEQUENCER): _S.FOLLOWING,
        (_S.JOINING, _T.HIGHER_TERM): _S.JOINING,
        (_S.FOLLOWING, _T.SILENCE): _S.PROBING,
        (_S.PROBING, _T.NOBODY_HEARS_IT): _S.CANVASSING,
        (_S.PROBING, _T.SOMEBODY_HEARS_IT): _S.FOLLOWING,
        (_S.CANVASSING, _T.WOULD_WIN): _S.STANDING,
        (_S.CANVASSING, _T.GAVE_UP): _S.FOLLOWING,
        (_S.STANDING, _T.WON): _S.SEQUENCING,
        (_S.STANDING, _T.GAVE_UP): _S.FOLLOWING,
        (_S.SEQUENCING, _T.HIGHER_TERM): _S.FOLLOWING,
        (_S.SEQUENCING, _T.LOST_TOUCH): _S.FOLLOWING,
        **{(state, _T.HEARD_SEQUENCER): _S.FOLLOWING for state in _LIVELY},
        **{(state, _T.HIGHER_TERM): _S.FOLLOWING for state in _LIVELY},
        **{(state, _T.HANDED_OVER): _S.STANDING for state in _LIVELY},
        **{(state, _T.TAKES_OVER): _S.SEQUENCING for state in (*_LIVELY, _S.PARTED)},
        **{(state, _T.CONVICTED): _S.PARTED for state in (*_LIVELY, _S.SEQUENCING)},
        **{(state, _T.REMOVED): _S.LEFT for state in (*_LIVELY, _S.SEQUENCING)},
        **{(state, _T.CONTRADICTION): _S.HALTED for state in _S},
    }
)
"""Whatever isn't here can't happen: asking for it is a fault of this package."""
