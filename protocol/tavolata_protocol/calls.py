"""Retransmission of handshakes: repetition, timeouts and failure.

    Call (this side calls)          HELLO --RETRY--> INIT --RESP--> FIN --sealed packet--> a session
    Answer (this side is called)    INIT with a right cookie --FIN--> a session

The contents of the packets are in `handshake.py`. `handshakes.py` chooses between two crossing calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata_protocol.addresses import Address
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.events import CallFailure
from tavolata_protocol.handshake import Initiator, RemotePeer, Responder
from tavolata_protocol.messages.handshake import MIN_HELLO
from tavolata_protocol.messages.packets import MAX_DATAGRAM, PacketKind
from tavolata_protocol.session import SealedSession

FIRST_WAIT = 0.25
WAIT_GROWTH = 1.5
LONGEST_WAIT = 1.0
TRIES = 9
"""How often one packet is sent without an answer before the call fails, after about 7 seconds."""
HELLO_SIZES = (1200, 1200, 1200, 960, 720, 512, MIN_HELLO, 512, MIN_HELLO)
"""How long each HELLO is: where long ones get no answer, something on the way may drop them."""
WRONG_FINS = 3
"""The number of wrong psks that end an answer; a single one may be a copy that was damaged on the way."""
RESP_AGAIN = 0.1
"""Seconds between two RESPs for one call; they are limited because a RESP is longer than a repeated INIT."""
RESPS = TRIES + 3
"""RESPs for one call in all; some of the INITs may have been duplicated on the way."""


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
"""The packets that move a call on; anything else is late, repeated or forged, and is dropped."""


@dataclass(slots=True, eq=False)
class Call:
    """A call of this side that has not become a session yet; its datagram is sent again at `next_at`.

    Without a `psk` it takes the code's key, or that of the open table the other side names. Once `remote` is
    known, `session` becomes a link with its first packet. `size` is the length of the last HELLO. `doubt` is
    a refusal that may be forged; it counts at the next repetition, unless a good answer came first.
    """

    address: Address
    connection: int
    initiator: Initiator
    psk: bytes | None
    began: float
    has_code: bool = False
    stage: Stage = Stage.HELLO
    datagram: bytes = b""
    remote: RemotePeer | None = None
    session: SealedSession | None = None
    size: int = MAX_DATAGRAM
    doubt: CallFailure | None = None
    next_at: float = 0.0
    _tries: int = 0
    _wait: float = FIRST_WAIT

    def move_on(self, stage: Stage, datagram: bytes, now: float) -> None:
        """Send and repeat another packet from now on."""
        self.stage, self.datagram, self.doubt = stage, datagram, None
        self._tries, self._wait, self.next_at = 0, FIRST_WAIT, now

    @property
    def is_narrow(self) -> bool:
        """True if a short HELLO was answered, and nothing that followed."""
        return self.stage is not Stage.HELLO and self.size < MAX_DATAGRAM

    def repeat(self, now: float) -> bytes | None:
        """Return the datagram to send when `next_at` has come; None after the last try."""
        if self._tries >= TRIES:
            return None
        if self.stage is Stage.HELLO:
            self.size = HELLO_SIZES[self._tries]
            self.datagram = self.initiator.hello(self.size)
        self._tries += 1
        self.next_at = now + self._wait
        self._wait = min(self._wait * WAIT_GROWTH, LONGEST_WAIT)
        return self.datagram


@dataclass(slots=True, eq=False)
class Answer:
    """A call from another peer, which proved its address and has to send FIN next.

    The same `remote_connection` from the same address means a repeated INIT. `began` is when INIT came.
    `wrong` counts FINs with another psk, `told` how often RESP was sent.
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
        return self.began + LIMITS[Entrance.HANDSHAKES].proof

    def may_tell(self, now: float) -> bool:
        """Return True if RESP may be sent; it is limited because others can repeat an INIT that they saw."""
        return self.told < RESPS and now - self.told_at >= RESP_AGAIN
