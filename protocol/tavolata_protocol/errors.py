"""Every error of the protocol package, in two families.

`LocalError`: the program that uses this package did something wrong. `RemoteError`: another peer sent wrong
bytes or behaved wrongly. Bytes from the network never raise a `LocalError`.
"""

from __future__ import annotations

from typing import Any


class ProtocolError(Exception):
    """Base of all errors of this package; `str(error)` is one sentence that a person can act on."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as it is: `__init__` isn't called again."""
        return type(self).__new__, (type(self), *self.args), dict(vars(self))


class LocalError(ProtocolError):
    """The caller misused the protocol (for instance: proposed before it had joined)."""


class RemoteError(ProtocolError):
    """A peer sent something that it may not send; the peer is at fault, never the caller."""


class MalformedMessage(RemoteError):
    """Bytes that do not decode to a message within the limits."""


class HandshakeFailed(RemoteError):
    """The other side did not prove its identity or key, or answered out of order."""


class NoCommonVersion(HandshakeFailed):
    """The two programs have no version of the protocol in common."""


class WrongPsk(HandshakeFailed):
    """The other side has another pre-shared key: it wants another table, or has a wrong code."""


class NotAuthentic(RemoteError):
    """A packet that the peer did not seal, or that was received before."""


class ProtocolViolation(RemoteError):
    """An authenticated peer broke the rules or the limits of a session."""


class NotConnected(LocalError):
    """There is no session with that peer (any more)."""


class MessageTooLong(LocalError):
    """An application message that is too long for a session."""


class QueueFull(LocalError):
    """No more can be queued for a peer until it acknowledges what was sent."""


class AddressUnavailable(LocalError):
    """A local address or port can't be used: taken by another program, or not of this machine."""


class ProposalTooLarge(LocalError):
    """A body that is too long for an entry."""


class WrongMoment(LocalError):
    """A request that the agreed log can't carry out in its present role."""


class FurtherCopy(WrongMoment):
    """Nobody takes over with a copy of the log that `peer`, a voter that answers, knows more than."""

    def __init__(self, peer: bytes) -> None:
        super().__init__("Another voter's copy of the log goes further; let it take over.")
        self.peer = peer


class UnheardCopy(WrongMoment):
    """Nobody takes over while `peer`, a voter with a living session, hasn't said how far its copy goes."""

    def __init__(self, peer: bytes) -> None:
        super().__init__("A voter that is here hasn't said yet how far its copy of the log goes.")
        self.peer = peer


class BrokenEntry(RemoteError):
    """An entry of the agreed log that is forged, out of place or against the rules."""


class DamagedStore(LocalError):
    """The stored data of an agreed log can't be read back."""
