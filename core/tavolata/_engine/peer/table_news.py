"""News for people from the events of the agreed log and the sockets, and the end of this peer's session.

Log entries are not among them, since they change the table state.
"""

from __future__ import annotations

from typing import Any, Final

from tavolata._engine.match.updates import Notice
from tavolata._engine.network.log_driver import DriverEvent, LogDriver
from tavolata._engine.network.table_errors import (
    HasLeft,
    PlayedElsewhere,
    ReplicasDiffer,
    TableLost,
    TableRefused,
    TableRejoined,
)
from tavolata._engine.peer.machine import Machine
from tavolata._engine.table import log_bodies
from tavolata._engine.table.moderation import BANNED, LOCKED
from tavolata.messages import N_
from tavolata_protocol.events import Disconnected, DisconnectReason
from tavolata_protocol.grouplog import events
from tavolata_protocol.identity import PeerId, fingerprint
from tavolata_protocol.io.interfaces import spoken

PARTED: Final = 5.0
"""Seconds after which somebody who was heard of in another lineage is said to go on there."""
NO_SEAT: Final = N_("The table is full, or a match is in progress. Watch with `tt join --watch`.")

LIARS_STORY: Final = N_(
    "A computer sent a false account of the table. This computer is discarding it and starting again."
)
FORGOT: Final = N_(
    "The disk lost part of the table's history. This computer is fetching it from the others again."
)
ALONE: Final = N_("You can wait for the others, or type “alone” to continue without them.")
LEADS: Final = N_("{name}'s computer now leads the table.")
ELSEWHERE: Final = N_(
    "Another computer with a copy of this one's files is at this table. Close `tt` there first."
)
OTHER_STATE: Final = N_(
    "After log entry {number}, your match differs from {name}'s. Do you both have the same rules?"
)


class TableNews:
    def __init__(self, log_driver: LogDriver, machine: Machine) -> None:
        self._log_driver = log_driver
        self._machine = machine
        self._state = machine.state
        self._apart: dict[PeerId, float] = {}
        self._unlike: set[PeerId] = set()
        self._missed: bytes | None = None  # who ordered, where it was told that the table waits for them

    def on(self, event: DriverEvent, *, caught_up: bool, leaving: bool) -> None:
        """Report an event of the log or the sockets.

        Until the log has been read up to this peer's arrival (`caught_up`), little is news. Raise
        `ReplicasDiffer` if this peer only watches and has another state of the match, `TableLost` if it's no
        longer at the table, `TableRejoined` if it has to begin again, `TableRefused` if it wasn't let in,
        `PlayedElsewhere` if another machine has its key.
        """
        if caught_up:
            self._tell_what_came(event)
        if isinstance(event, Disconnected) and not self._log_driver.log.listens_to(event.peer):
            return  # anyone may call, and end the session as if this machine were refused
        match event:
            case events.OtherLineage() if not caught_up:
                self._log_driver.apart = True
                raise TableLost(
                    N_(
                        "The table continued without you, and your copy no longer matches it. Join "
                        "again as a newcomer."
                    )
                )
            case events.EquivocationProved(proof):
                sentence = (
                    N_(
                        "{name} voted twice when the table chose its leader; the others will continue "
                        "without {name}."
                    )
                    if proof.is_of_votes
                    else N_(
                        "As leader, {name} signed two versions of the game's log; the others will continue "
                        "without {name}."
                    )
                )  # fmt: skip
                self.tell(sentence, wrong=True, name=self._state.roster.name_of(proof.equivocator))
                if self._machine.part is not None:
                    self._machine.part.accuse(proof.pack())
            case events.RolledBack():
                raise self._begins_again(LIARS_STORY)
            case events.Forgotten():
                self._log_driver.apart = True
                raise self._begins_again(FORGOT)
            case events.Desynchronised(peer, number):
                self._replicas_differ(peer, number)
            case events.Halted(sentence):
                raise TableLost(N_("The table has stopped working: {problem}"), problem=sentence)
            case Disconnected(reason=DisconnectReason.FULL) if not caught_up:
                raise TableRefused(NO_SEAT)
            case Disconnected(reason=DisconnectReason.LOCKED) if not caught_up:
                raise TableRefused(LOCKED)
            case Disconnected(reason=DisconnectReason.BANNED) if not caught_up:
                raise TableRefused(BANNED)
            case Disconnected(reason=DisconnectReason.PLAYED_ELSEWHERE) if not (caught_up or leaving):
                raise PlayedElsewhere(ELSEWHERE)
            case events.LeftTable() if not leaving:
                left = N_("You've left. The others are still playing; rejoin with `tt join`.")
                raise TableLost(left) if caught_up else HasLeft(left)
            case _:
                pass

    def _begins_again(self, why: str) -> TableRejoined | TableLost:
        """Return what ends this session, so that the next one begins with the log as it is then."""
        log, endpoint = self._log_driver.log, self._log_driver.driver.endpoint
        near = [peer for peer in endpoint.peers() if peer in log.configuration]
        peer = log.leader if log.leader in near else next(iter(near), None)
        if peer is None:
            return TableLost(N_("The table has continued without this computer. Rejoin with `tt join`."))
        return TableRejoined(why, spoken(endpoint.path(peer).address, 0), fingerprint(peer))

    def _replicas_differ(self, peer: PeerId, number: int) -> None:
        """Claim this machine's state if it plays; if it only watches, say so, or raise `ReplicasDiffer`.

        Its screen may be wrong. One machine's word may be wrong, too; so two have to differ from it.
        """
        last = self._state.matches.last
        if last is None or peer not in last.header.parties:
            return  # that machine finds it out, too, and only watches
        if self._state.me not in last.header.parties:
            if peer in self._unlike:
                return
            self._unlike.add(peer)
            said: dict[str, Any] = {"name": self._state.roster.name_of(peer), "number": number}
            if len(self._unlike) == 1 < len(last.header.parties):
                self.tell(OTHER_STATE, wrong=True, **said)
                return
            raise ReplicasDiffer(OTHER_STATE, **said)
        self._machine.playing.claims.claim(number)

    def _tell_what_came(self, event: DriverEvent) -> None:
        state = self._state
        match event:
            case events.LeaderChanged(peer) | events.PeerBack(peer) if peer and peer == self._missed:
                self._missed = None
                self.tell(N_("{name} is back."), name=state.roster.name_of(peer))
            case events.LeaderChanged(peer, term) if peer is not None and term > 1:
                self._missed = None
                self.tell(LEADS, own=True, name=state.roster.name_of(peer))
                if (timing := self._machine.timing) is not None:
                    timing.disturbed()
            case events.TakeoverPossible():
                missed = state.roster.leader or state.roster.host
                self._missed = None if missed == state.me else missed
                here = (place for place in state.roster.here if place.peer != state.me)
                others = ", ".join(place.name for place in here)  # whom a host misses that led until it slept
                self.tell(
                    N_("Lost contact with {name}. The table is waiting."),
                    wrong=True, name=others if self._missed is None else state.roster.name_of(missed),
                )  # fmt: skip
                if not state.matches.dealing.is_fair:
                    said, params = state.matches.why_not_alone() or (ALONE, {})
                    self.tell(said, **params)
            case events.ProposalsDelayed():
                self.tell(
                    N_("This computer is sending a lot at once. The rest will follow more slowly."),
                    wrong=True,
                )
            case events.OtherLineage(peer):
                self._apart.setdefault(peer, self._log_driver.now() + PARTED)
                self._log_driver.tick_in(PARTED + 0.01)
            case _:
                pass

    def say_what_was_damaged(self) -> None:
        """Report that this machine couldn't continue with its own copy of the table."""
        if self._log_driver.damaged:
            self.tell(
                N_("This computer's copy of the table was damaged. It now has a new one from the others."),
                wrong=True,
            )  # fmt: skip

    def say_who_is_apart(self) -> None:
        """Name those who continue in another lineage, unless they only had to notice, and are here by now."""
        now = self._log_driver.now()
        for peer in [peer for peer, when in self._apart.items() if when <= now]:
            del self._apart[peer]
            place = self._state.roster.place_of(peer)
            if place is not None and place.status != log_bodies.HERE:
                self.tell(
                    N_(
                        "{name} has continued separately. To play together again, one of you must leave and "
                        "join the other."
                    ),
                    wrong=True, name=place.name,
                )  # fmt: skip

    def tell(self, message: str, *, wrong: bool = False, own: bool = False, **params: Any) -> None:
        """Tell everyone here; with `own` only the machine's own player, who has a log."""
        to = self._state.me if own else b""
        self._state.out.append(Notice(message, params, wrong=wrong, to=to))
