"""Retransmission of handshakes: repetition, timeouts and failure.

    Call (this side calls)          HELLO --RETRY--> INIT --RESP--> FIN --sealed packet--> a session
    Answer (this side is called)    INIT with a right cookie --FIN--> a session

What the packets hold lives in `handshake.py`; which call wins lives in `dispatch.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata_protocol.addresses import Address
from tavolata_protocol.events import CallFailure
from tavolata_protocol.handshake import Initiator, RemotePeer, Responder
from tavolata_protocol.messages.packets import PacketKind
from tavolata_protocol.session import SealedSession

FIRST_WAIT = 0.25
WAIT_GROWTH = 1.5
LONGEST_WAIT = 1.0
TRIES = 9
"""Sendings of one packet without an answer until the call fails, after about 7 seconds."""
ANSWER_LIFETIME = 10.0
WRONG_FINS = 3
"""So many wrong psks end an answer: one may be a copy that somebody in between has damaged."""
MAX_ANSWERS = 64
MAX_ANSWERS_A_HOST = 16
"""So that one machine can't use up all answers; many peers on one machine still get in."""

RESP_AGAIN = 0.1
"""Seconds between two RESPs for one call: a repeated INIT is shorter than its answer."""
RESPS = TRIES + 3
"""RESPs for one call in all; some of the INITs may have been doubled on the way."""


class Stage(Enum):
    """The packet that a call repeats until it is answered."""

    HELLO = "hello"
    INIT = "init"
    FIN = "fin"


EXPECTED: dict[Stage, frozenset[PacketKind]] = {
    Stage.HELLO: frozenset({PacketKind.RETRY}),
    Stage.INIT: frozenset({PacketKind.RESP}),
    Stage.FIN: frozenset({PacketKind.SEALED, PacketKind.REFUSE}),
}
"""What moves a call on; anything else is late, repeated or forged, and is dropped."""


class Call:
    """A call of this side that has not become a session yet.

    Args:
        address: who is called.
        connection: this side's connection id.
        initiator: the handshake.
        psk: the pre-shared key; None to take the code's, or the open table's that the other side names.
        now: when it began.
        has_code: whether a code was given.
    """

    def __init__(
        self,
        address: Address,
        connection: int,
        initiator: Initiator,
        psk: bytes | None,
        now: float,
        *,
        has_code: bool = False,
    ) -> None:
        self.address = address
        self.connection = connection
        self.initiator = initiator
        self.psk = psk
        self.has_code = has_code
        self.began = now
        self.stage = Stage.HELLO
        self.datagram = b""
        self.remote: RemotePeer | None = None
        self.session: SealedSession | None = None
        self.version = 0
        self.doubt: CallFailure | None = None
        """A "no" that may be forged: believed at the next repetition, if there was no "yes" by then."""
        self._tries = 0
        self._wait = FIRST_WAIT
        self.next_at = now

    def prove(self, remote: RemotePeer, session: SealedSession, version: int) -> None:
        """The other side is known; `session` becomes a link with its first packet."""
        self.remote, self.session, self.version = remote, session, version

    def move_on(self, stage: Stage, datagram: bytes, now: float) -> None:
        """Send and repeat another packet from now on."""
        self.stage, self.datagram, self.doubt = stage, datagram, None
        self._tries, self._wait, self.next_at = 0, FIRST_WAIT, now

    def repeat(self, now: float) -> bytes | None:
        """The datagram to send now that `next_at` has come; None when there were tries enough."""
        if self._tries >= TRIES:
            return None
        self._tries += 1
        self.next_at = now + self._wait
        self._wait = min(self._wait * WAIT_GROWTH, LONGEST_WAIT)
        return self.datagram


@dataclass(slots=True)
class Answer:
    """A call of another peer that proved its address, and waits for FIN.

    Attributes:
        address: where it comes from.
        remote_connection: its connection id; with the address, what tells a repeated INIT.
        connection: this side's connection id.
        responder: the handshake.
        began: when INIT came.
        wrong: how many FINs with another psk came.
        told, told_at: how often RESP was sent, and when last.
    """

    address: Address
    remote_connection: int
    connection: int
    responder: Responder
    began: float
    wrong: int = 0
    told: int = 0
    told_at: float = float("-inf")

    @property
    def expires(self) -> float:
        """When it is forgotten."""
        return self.began + ANSWER_LIFETIME

    def may_tell(self, now: float) -> bool:
        """Whether RESP may leave (once more): others can repeat an INIT that they saw."""
        return self.told < RESPS and now - self.told_at >= RESP_AGAIN
