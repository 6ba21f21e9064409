"""A voter that lies in elections: messages with its own signatures and made-up ones, for whoever listens."""

from __future__ import annotations

import random
from contextlib import suppress

from tests.protocol.grouplog.simulator import TABLE, Peer, World

from tavolata_protocol.entries import Signer, first_lineage, genesis
from tavolata_protocol.errors import RemoteError
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import sign_transfer, sign_vote

FAR = (2**40, 2**40)
LINEAGE = first_lineage(TABLE)


class Forger:
    """Signs in another's name, with its own key."""

    def __init__(self, peer: PeerId, hand: Signer) -> None:
        self.peer, self._hand = peer, hand

    def sign(self, context: bytes, message: bytes) -> bytes:
        return self._hand.sign(context, message)


def vote(
    signer: Signer,
    term: int,
    candidate: PeerId,
    last: tuple[int, int] = (2**40, 2**40),
    birth: bytes = bytes(8),
) -> Statement:
    """A signed vote; by default for a log that goes further than any."""
    return sign_vote(signer, LINEAGE, birth, term, candidate, last).statement


def request(
    signer: Signer, term: int, last: tuple[int, int] = FAR, transfer: Statement | None = None
) -> wire.Vote:
    """A vote request as its candidate signs it."""
    return wire.Vote(LINEAGE, vote(signer, term, signer.peer, last), transfer)


def append(term: int) -> wire.Append:
    """The heartbeat of somebody who says that it leads."""
    return wire.Append(LINEAGE, term, 0, 0, genesis(TABLE), (), 0, 0, 1, 0, 0, 0, b"")


class LyingVoter:
    """Stands in the place of a voter whose log it took; says what it likes to the others.

    Args:
        world: the world.
        name: the voter that lies from here on.
    """

    def __init__(self, world: World, name: int) -> None:
        self._world, self._peer = world, world.peers[name]
        self._birth = self._peer.alive._replica.birth
        self._chance = random.Random(name)
        self.term = self._peer.alive.term
        world.kill(name)

    def say(self, message: wire.LogMessage, *to: Peer) -> None:
        """Have these, or all others, take a message; what it breaks is the liar's fault."""
        for peer in to or self._world.peers:
            if peer is not self._peer and peer.log is not None:
                with suppress(RemoteError):
                    peer.log.receive(self._peer.id, wire.encode(message), self._world.now)
                self._world.pump(peer)

    def lies(self) -> list[wire.LogMessage]:
        """Each kind of lie once, for a term above the highest of the others."""
        me = self._peer.signer
        term = 1 + max(one.log.term for one in self._world.peers if one.log is not None)
        leader = next(iter(self._world.leaders()), self._peer)
        forged = sign_transfer(Forger(leader.id, me), LINEAGE, term - 1, me.peer).statement
        own = sign_transfer(me, LINEAGE, term - 1, me.peer).statement
        others = [Forger(one.id, me) for one in self._world.peers if one is not self._peer]
        return [
            request(me, term),
            request(me, term, transfer=forged),
            request(me, term, transfer=own),
            append(term),
            wire.Offer(LINEAGE, term, 99, bytes(32), 999, 0, 0, bytes(32)),
            wire.Elected(LINEAGE, (vote(me, term, me.peer, birth=self._birth),)),
            wire.Elected(LINEAGE, tuple(vote(one, term, me.peer) for one in others)),
            wire.Appended(LINEAGE, term + 5, self._birth, True, 1, 1, 0, 0, b""),
            wire.PreVoted(LINEAGE, term + 5, self._birth, False, 1, 1),
            wire.Voted(LINEAGE, term + 5, None),
            wire.HandOver(LINEAGE, own),
            wire.Probed(LINEAGE, term, True),
        ]

    def lie_for(self, seconds: float) -> None:
        """Say all lies twenty times a second, in any order."""
        until = self._world.now + seconds
        while self._world.now < until:
            for message in self._chance.sample(self.lies(), 12):
                self.say(message)
            self._world.run(0.05)
