"""Every error of the protocol package, in two families.

`LocalError`: the program that uses this package did something wrong. `RemoteError`: bytes or
behaviour of another peer were wrong. Bytes from the network never raise a `LocalError`.
Nothing but error types may live here.
"""

from __future__ import annotations


class ProtocolError(Exception):
    """Base of all errors here; `str(error)` is one sentence that a person can act on."""


class LocalError(ProtocolError):
    """The caller misused the protocol (for instance: proposed before it had joined)."""


class RemoteError(ProtocolError):
    """A peer sent something that it may not send; the peer is at fault, never the caller."""


class MalformedMessage(RemoteError):
    """Bytes that do not decode to a message within the limits."""


class HandshakeFailed(RemoteError):
    """The other side could not prove what it had to, or answered out of order."""


class NoCommonVersion(HandshakeFailed):
    """The two programs have no version of the protocol in common."""


class WrongPsk(HandshakeFailed):
    """The other side shares another key: it wants another table, or has a wrong code."""


class NotAuthentic(RemoteError):
    """A packet that the peer did not seal, or that came before."""


class ProtocolViolation(RemoteError):
    """An authenticated peer broke the rules or the limits of a session."""


class NotConnected(LocalError):
    """There is no session with that peer (any more)."""


class MessageTooLong(LocalError):
    """An application message longer than a session carries."""


class QueueFull(LocalError):
    """A peer has acknowledged too little for more to be queued."""


class AddressUnavailable(LocalError):
    """A local address or port can't be used: taken by another program, or not of this machine."""


class ProposalTooLarge(LocalError):
    """A body longer than an entry carries."""


class WrongMoment(LocalError):
    """Something asked of the agreed log that its present role doesn't allow."""


class BrokenEntry(RemoteError):
    """An entry of the agreed log that is forged, out of place or against the rules."""


class DamagedStore(LocalError):
    """What was stored of an agreed log can't be read back."""
