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
