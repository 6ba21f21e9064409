"""Events of an endpoint for its user: small frozen values, read with `Endpoint.next_event`."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from tavolata_protocol.addresses import Address
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages.session import Referral


class CallFailure(Enum):
    """Why a call of `connect` failed."""

    NO_ANSWER = auto()
    """Nobody answers at this address."""
    NARROW = auto()
    """Only very small packets come through between here and there."""
    REFUSED = auto()
    """The host refused the keys: it has another table now."""
    WRONG_CODE = auto()
    """The code is wrong."""
    WAIT = auto()
    """Too many wrong codes were tried; the host accepts no code for a minute."""
    NO_CODE = auto()
    """The table asks for no code, so it is not the one that the code belongs to."""
    VERSION = auto()
    """The two programs have no version of the protocol in common."""
    NOT_OPEN = auto()
    """The table is private: joining it takes a code."""
    SELF = auto()
    """The address belongs to this program, or to one with the same identity."""
    ALREADY_CONNECTED = auto()
    """There is a session with this peer already."""


class DisconnectReason(Enum):
    """Why a session ended."""

    LEFT = auto()
    """The peer left."""
    REPLACED = auto()
    """The same identity connected again."""
    FORGOTTEN = auto()
    """The peer heard nothing from this side for too long."""
    SILENT = auto()
    """Nothing was heard from the peer for too long."""
    VIOLATION = auto()
    """The peer broke the protocol."""
    ACCUSED = auto()
    """The peer says that this side broke the protocol."""
    SHUTDOWN = auto()
    """The peer's program ended."""
    FULL = auto()
    """The peer has no room for this side."""
    ELSEWHERE = auto()
    """The peer names another peer to ask instead."""
    LOCKED = auto()
    """The peer lets nobody new in."""
    BANNED = auto()
    """The peer does not want this side."""
    PLAYED_ELSEWHERE = auto()
    """The peer has a session with another run of a program that has this side's key."""
    LOCAL = auto()
    """This side ended the session."""


class EndpointEvent(Struct, frozen=True):
    """Base of every event."""


class Connected(EndpointEvent, frozen=True):
    """A session is established, in both directions; the `peer` has proved its identity.

    `address` is, for a call of `connect`, the address that was called. `profile` has opaque bytes that the
    peer sent about itself, `table` the id of its table, if this side called and it has one.
    """

    peer: PeerId
    address: Address
    profile: bytes
    table: bytes


class Moved(EndpointEvent, frozen=True):
    """A peer has moved to another address, and proved that it is there."""

    peer: PeerId
    address: Address


class Received(EndpointEvent, frozen=True):
    """A message from a peer; reliable ones come in order and each once, loose ones as they arrive."""

    peer: PeerId
    message: bytes


class Disconnected(EndpointEvent, frozen=True):
    """A session is over; messages that were not acknowledged may or may not have arrived.

    `referral` is the peer to ask instead, according to the other side.
    """

    peer: PeerId
    reason: DisconnectReason
    referral: Referral | None = None


class ConnectFailed(EndpointEvent, frozen=True):
    """A call of `connect` to this address failed.

    `peer` was there, with this `table` and `profile`, as far as they are known.
    """

    address: Address
    reason: CallFailure
    peer: PeerId | None = None
    table: bytes = b""
    profile: bytes = b""


class WrongCode(EndpointEvent, frozen=True):
    """Someone tried a wrong code; after too many wrong tries it's `worn`: then `listen` with another one."""

    address: Address
    worn: bool
