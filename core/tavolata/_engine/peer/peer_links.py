"""The links to the other peers: admission, promotion to voter, addresses, and repeated calls.

This module is about sessions and membership only; the table state has the places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Notice
from tavolata._engine.network.joining import watches
from tavolata._engine.network.log_driver import DriverEvent, LogDriver
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_keys import SecretFile, TableKeys, new_code
from tavolata._engine.table.table_state import TableState
from tavolata._text import one_line
from tavolata.messages import N_
from tavolata_protocol.addresses import Address, is_loopback, is_sendable, machine
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.events import Connected, Disconnected, Moved, WrongCode
from tavolata_protocol.grouplog import events
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages.entries import Role
from tavolata_protocol.messages.session import CloseReason, Referral

CALL_AGAIN: Final = 2.0
"""Seconds between two calls of a member without a session."""
BARRED: Final = 600.0
"""Seconds for which nobody new is let in from the address of a banned machine."""
PARTING: Final = 10.0
"""Seconds for which a removed machine may hear of its removal before this one hangs up on it."""
BELIEVE: Final = 8.0
"""Seconds of silence after which the session with an absent member ends; machines beat every five."""


class PeerLinks:
    """The sessions with the other machines; `addresses` has where each was reached last, if known."""

    def __init__(
        self, log_driver: LogDriver, state: TableState, addresses: Mapping[PeerId, tuple[Any, ...]]
    ) -> None:
        self._log_driver = log_driver
        self._state = state
        self._watchers: set[PeerId] = set()
        self._let_in: set[PeerId] = set()
        self._told: dict[PeerId, tuple[str, int]] = {}
        self.addresses = dict(addresses)
        self._asked: set[PeerId] = set()
        self._sent_on: set[tuple[PeerId, Any]] = set()
        self._called: dict[PeerId, float] = {}
        self._alone: dict[PeerId, float] = {}
        self._keys: TableKeys | None = None
        self._missed: set[bytes] = set()
        self._barred: dict[tuple[str, PeerId], float] = {}
        """By address and key of a banned machine, until when nobody new comes from there."""
        self._going: tuple[PeerId, ...] = ()
        self._last_in: dict[PeerId, float] = {}
        """By machine that has to go, when it was last in the log."""
        self._back: set[bytes] = set()
        self._proven: set[bytes] = set()

    def on(self, event: DriverEvent) -> None:
        match event:
            case Connected(peer=peer, profile=profile, address=address):
                self.addresses[peer] = address
                if watches(profile):
                    self._watchers.add(peer)
                else:
                    self._watchers.discard(peer)
                if peer in self._asked:
                    self._log_driver.log.ask(peer)
            case Moved(peer=peer, address=address):
                self.addresses[peer] = address
            case Disconnected(peer=peer, referral=referral):
                self._told.pop(peer, None)
                roster, members = self._state.roster, self._log_driver.log.configuration
                if members.peers and peer not in (*members.peers, *roster.addresses, roster.host):
                    self.addresses.pop(peer, None)  # a stranger comes with another key each time
                    self._watchers.discard(peer)
                if referral is not None:
                    self._ask_there(PeerId(referral.peer), (one_line(referral.host, 64), referral.port))
            case events.JoinMisdirected(peer, leader) if peer not in self._log_driver.log.configuration:
                self._send_on(peer, leader)
            case WrongCode(worn=True) if self._state.roster.host == self._state.me:
                self._state.out.append(Notice(N_("Ten wrong codes were tried."), wrong=True))
                self._log_driver.propose(pack([log_bodies.CODE, new_code()]))
            case events.JoinRequested(peer) if self._log_driver.log.is_leader:
                self._on_join(peer)
            case events.PeerAway(peer) if self._log_driver.log.is_leader:
                self._log_driver.propose(pack([log_bodies.STATUS, bytes(peer), False]))
            case events.PeerBack(peer) if self._log_driver.log.is_leader:
                self._log_driver.propose(pack([log_bodies.STATUS, bytes(peer), True]))
            case _:
                pass

    def _send_on(self, newcomer: PeerId, leader: PeerId) -> None:
        """Send a newcomer, which asked a follower, the address of the leader."""
        endpoint = self._log_driver.driver.endpoint
        if leader in endpoint.peers() and newcomer in endpoint.peers():
            host, port = endpoint.path(leader).address[:2]
            endpoint.disconnect(newcomer, CloseReason.ELSEWHERE, Referral(leader, host, port))
            self._log_driver.pump()

    def _send_back_in(self) -> None:
        """Send a returning peer once the address of the leader, if the leader does not hear it.

        Its own log may not have it, since the host's address is in no entry.
        """
        log, endpoint = self._log_driver.log, self._log_driver.driver.endpoint
        if log.leader is None:
            return
        for peer in endpoint.peers():
            if peer in log.away and peer != log.leader:
                place = (peer, endpoint.path(peer).address)
                if place not in self._sent_on:
                    self._sent_on.add(place)
                    self._send_on(peer, log.leader)

    def _ask_there(self, peer: PeerId, address: Address) -> None:
        if not is_sendable(address):
            return
        log_driver = self._log_driver
        if PeerId(self._state.me) not in log_driver.log.configuration:
            self._asked.add(peer)
            self.addresses[peer] = address
            log_driver.driver.endpoint.connect(address, log_driver.now(), code=log_driver.code or None)
            log_driver.driver.wake()
        elif peer in log_driver.log.configuration and peer not in log_driver.driver.endpoint.peers():
            self.addresses[peer] = address
            self._called.pop(peer, None)  # `_call` calls it there with the others

    def _on_join(self, peer: PeerId) -> None:
        state = self._state
        if (reason := self._why_not(peer)) is not None:
            self._log_driver.driver.endpoint.disconnect(peer, reason)
        elif state.roster.is_here(peer) or peer in self._watchers:
            self._admit(peer)
        elif state.matches.is_busy or len(self._coming(peer)) >= state.lobby.open_places:
            endpoint = self._log_driver.driver.endpoint
            if peer in endpoint.peers():  # it waits among those who watch
                if self._is_full_of_watchers(endpoint.path(peer).address):
                    endpoint.disconnect(peer, CloseReason.FULL)
                else:
                    self._admit(peer)
        else:
            self._let_in.add(peer)
            self._admit(peer)
        self._log_driver.pump()

    def _admit(self, peer: PeerId) -> None:
        self._back.add(peer)
        self._log_driver.log.add_learner(peer)

    def _why_not(self, peer: PeerId) -> CloseReason | None:
        """Return why a newcomer is not let in; None if it is."""
        state = self._state
        if peer not in self._log_driver.driver.endpoint.peers():
            return None  # whoever it was has gone again
        address = self._log_driver.driver.endpoint.path(peer).address
        if peer in state.moderation.banned or peer in state.moderation.expelled:
            return CloseReason.BANNED
        if state.roster.is_here(peer):
            return None
        if self._is_barred(address[0]):
            return CloseReason.BANNED
        if peer in self._watchers and self._is_full_of_watchers(address):
            return CloseReason.FULL
        return CloseReason.LOCKED if state.moderation.locked else None

    def _is_barred(self, host: str) -> bool:
        """Return True if a machine at this address was banned lately, and still is."""
        now, banned = self._log_driver.now(), self._state.moderation.banned
        return any(one == host and key in banned and now < end for (one, key), end in self._barred.items())

    def _is_full_of_watchers(self, address: Address) -> bool:
        """Return True if no more watchers may come: the other places in the log are reserved for players."""
        seated = {place.peer for place in self._state.roster.places}
        members = self._log_driver.log.configuration.peers
        watching = [peer for peer in members if peer not in seated and peer != self._state.me]
        here = [peer for peer in watching if peer in self.addresses]
        same = sum(machine(self.addresses[peer]) == machine(address) for peer in here)
        crowded = same >= LIMITS[Entrance.WATCHERS].source and not is_loopback(address[0])
        return crowded or len(watching) >= LIMITS[Entrance.WATCHERS].whole

    def _remove_shown_out(self) -> None:
        """Remove those from the log whom the host has shown out."""
        log, shown_out = self._log_driver.log, self._state.moderation.shown_out
        self._back &= shown_out  # until who was let in again has introduced itself, it still counts as out
        unwanted = shown_out - self._back - {self._state.me}
        going = tuple(peer for peer in log.configuration.peers if peer in unwanted)
        for peer in going:
            if peer not in self._going:
                log.remove(peer)
                self._last_in[peer] = self._log_driver.now()
        self._going = going

    def _expel_convicted(self) -> None:
        """Show the table the proofs, so that it remembers who lied, and newcomers do, too."""
        for proof in self._log_driver.log.convicted:
            if proof.equivocator not in self._state.moderation.expelled | self._proven:
                self._proven.add(proof.equivocator)
                self._log_driver.propose(pack([log_bodies.EXPEL, proof.pack()]))

    def _hang_up(self) -> None:
        """End the sessions with those who have to go, once they've had time to hear why.

        A key costs nothing, so a ban of a key alone would hold for a minute: their address is barred, too.
        This machine's own address is never barred: the people in its browsers come from there.
        """
        endpoint, log, now = self._log_driver.driver.endpoint, self._log_driver.log, self._log_driver.now()
        banned, here = self._state.moderation.banned, [*endpoint.peers()]
        refused = banned.keys() | self._state.moderation.expelled
        kept = {*here} - self._back | refused
        self._last_in = {peer: at for peer, at in self._last_in.items() if peer in kept}
        for peer in here:
            host = endpoint.path(peer).address[0]
            if peer in banned and not is_loopback(host):
                self._barred[host, peer] = now + BARRED
            if peer in log.configuration:
                if peer in refused or peer in self._going:
                    self._last_in[peer] = now
                continue
            if peer in refused:
                self._last_in.setdefault(peer, now)
            if now - self._last_in.get(peer, now) >= PARTING:
                endpoint.disconnect(peer, CloseReason.BANNED)

    def _coming(self, newcomer: PeerId) -> set[PeerId]:
        """Return the other admitted peers that have no place yet; a place is reserved for each."""
        present = self._log_driver.driver.endpoint.peers()
        seated = {place.peer for place in self._state.roster.places} | set(self._state.roster.watchers)
        self._let_in = {peer for peer in self._let_in if peer in present and peer not in seated}
        return self._let_in - {newcomer}  # a peer that left may return

    def look_after(self) -> None:
        """Promote seated peers and report addresses, if this peer is the leader; call the other members."""
        self._keep_the_door()
        if self._log_driver.log.is_leader:
            self._promote()
            self._expel_convicted()
            self._remove_shown_out()
            self._miss_those_who_went()
            self._tell_addresses()
            self._log_driver.pump()
        else:
            self._send_back_in()
        self._hang_up()
        self._call()

    def _keep_the_door(self) -> None:
        """At a private table, answer members with its key and newcomers with the present code."""
        keys, log_driver = self._state.lobby.keys, self._log_driver
        if keys is None or keys == self._keys:
            return
        if self._keys is None:
            SecretFile(log_driver.way.secret).keep(keys.secret)
        self._keys = keys
        log_driver.driver.endpoint.listen(keys.psk, log_driver.log.table, keys.code)

    def _promote(self) -> None:
        log = self._log_driver.log
        for member in log.configuration.members:
            present = member.role is Role.LEARNER and member.peer not in log.away
            if (
                present
                and member.peer not in self._state.moderation.shown_out
                and any(place.peer == member.peer for place in self._state.roster.places)
            ):
                log.promote(member.peer)

    def _miss_those_who_went(self) -> None:
        """Report seated peers as absent that left the log or were away before this peer led."""
        members = self._log_driver.log.configuration
        gone = {
            place.peer
            for place in self._state.roster.places
            if place.status == log_bodies.HERE
            and (PeerId(place.peer) not in members or PeerId(place.peer) in self._log_driver.log.away)
        }
        for peer in sorted(gone - self._missed):
            self._log_driver.propose(pack([log_bodies.STATUS, peer, False]))
        self._missed = gone

    def _tell_addresses(self) -> None:
        log, endpoint = self._log_driver.log, self._log_driver.driver.endpoint
        for peer in endpoint.peers():
            if peer not in log.configuration:
                continue
            host, port = endpoint.path(peer).address[:2]
            if self._told.get(peer) != (host, port):
                self._told[peer] = (host, port)
                if self._state.roster.addresses.get(peer) != (one_line(host, 64), port):
                    self._log_driver.propose(pack([log_bodies.ADDRESS, bytes(peer), host, port]))

    def _call(self) -> None:
        """Keep a session with every member, so that another peer can lead when the leader is gone.

        Of two peers, the one with the lower key calls the other, as soon as it knows its address; everyone
        calls the host. After a while the other side calls, too, since only one of them may know the other's
        present address.
        """
        log_driver, now = self._log_driver, self._log_driver.now()
        endpoint, me = log_driver.driver.endpoint, self._state.me
        others = [peer for peer in log_driver.log.configuration.peers if peer != me]
        alone = [peer for peer in others if peer not in endpoint.peers()]
        self._alone = {peer: self._alone.get(peer, now) for peer in alone}
        mine = [
            peer
            for peer in others
            if peer > me or peer == self._state.roster.host or now - self._alone.get(peer, now) >= CALL_AGAIN
        ]
        self._doubt(mine)
        missing = [peer for peer in mine if peer not in endpoint.peers()]
        self._called = {peer: self._called[peer] for peer in missing if peer in self._called}
        if alone:
            log_driver.tick_in(CALL_AGAIN + 0.01)
        psk = None if self._state.lobby.keys is None else self._state.lobby.keys.psk
        books = (self.addresses, self._state.roster.addresses)  # of the last session, and what others see
        for peer in missing:
            places = [book[peer] for book in books if peer in book]
            due = self._called.get(peer, now - CALL_AGAIN) + CALL_AGAIN
            if places and due <= now:
                self._called[peer] = now
                for place in places:
                    endpoint.connect(place, now, psk)
            elif places:
                log_driver.tick_in(due - now + 0.01)
        log_driver.driver.wake()

    def _doubt(self, mine: list[PeerId]) -> None:
        """End silent sessions with absent members; after a long sleep, one may exist only on this side.

        Only the leader says that a member is absent, and it may lie: silence is noticed here.
        """
        log_driver, now = self._log_driver, self._log_driver.now()
        endpoint = log_driver.driver.endpoint
        for peer in mine:
            if peer in log_driver.log.away and peer in endpoint.peers():
                due = endpoint.path(peer).last_heard + BELIEVE
                if now >= due:
                    endpoint.disconnect(peer)
                else:
                    log_driver.tick_in(due - now + 0.01)
