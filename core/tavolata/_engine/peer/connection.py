"""A machine's presence at a table, from the first word to the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum, auto
from typing import Any, Final

from tavolata import _machine
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.header import IDLE, STAND_AFTER
from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.network.log_driver import DriverEvent, LogDriver
from tavolata._engine.network.table_errors import ReplicasDiffer, TableLost
from tavolata._engine.peer.falls import Falls
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.table import log_bodies
from tavolata.messages import N_
from tavolata_protocol.identity import PeerId

WAITS: Final = N_(
    "It's been {minutes} min without {names}. Wait, or suspend (no one loses) and continue later with "
    "`tt resume`."
)
OR_GO_ON: Final = N_("Or type “without” to continue in a new match, without the absent players.")
RESUMES: Final = N_("The match will continue when enough of its machines are connected. Absent: {names}.")
ALL_HERE: Final = N_("All machines in this match are connected.")


class SessionEnd(IntEnum):
    """How this machine's presence at a table ends; of two words about it, the greater one counts."""

    FELL = auto()
    """Nobody has said anything: an error, or a signal of the system."""
    OUT = auto()
    """Its player steps away, and may come back to the match."""
    SHOWN_OUT = auto()
    """The table is over for this machine: it was refused or shown out, or the table is closed."""
    LEFT = auto()
    """Its player leaves the match for good."""
    SUSPENDED = auto()
    """The match stops for today, or its player goes while too few would hear of it."""

    @property
    def says_goodbye(self) -> bool:
        """Return True if the others hear of it, after which this machine's copy of the log isn't needed."""
        return self in (SessionEnd.OUT, SessionEnd.SHOWN_OUT, SessionEnd.LEFT)


class Connection:
    """One machine's presence at a table, which owns how it ends.

    Whatever doesn't say goodbye leaves on the disk what a killed process leaves there.

    Attributes:
        nonce: marks this machine's own ENTER.
        end: how it ends, as far as anybody has said.
        is_going: it ends now, or has ended.
        falls: where acting on the log has failed on this machine.
        is_void: a match was void while this machine was here; that makes every exit an error.
    """

    def __init__(
        self, log_driver: LogDriver, machine: Machine, settings: PeerSettings, link: TableLink
    ) -> None:
        self._log_driver = log_driver
        self._machine = machine
        self._table = machine.state
        self._settings = settings
        self._link = link
        self._is_introduced = False
        self._moved = (log_driver.now(), 0)
        self._waits_for = ""
        self._offered = 0.0
        self.nonce = _machine.token(8)
        self.end = SessionEnd.FELL
        self.is_going = False
        self.is_void = False
        self.falls = Falls(log_driver, machine, settings)

    @property
    def is_here(self) -> bool:
        """Return True if this machine's ENTER is final, so that later entries are news."""
        return self.nonce in self._table.lobby.arrived

    @property
    def _is_returning(self) -> bool:
        """Return True if it comes with its copy of a suspended match, and the others don't have it yet."""
        return self._settings.resumes is not None and not self.is_here

    @property
    def is_resumable(self) -> bool:
        """Return True if it goes, or has gone, and can come back to the match that it is a part of."""
        is_over = self.end in (SessionEnd.SHOWN_OUT, SessionEnd.LEFT)
        kept = self.is_going and not is_over and not self._log_driver.apart
        return kept and (self._machine.has_part or self._is_returning)

    # -- arrival ---------------------------------------------------------------------------------

    def introduce(self, say_edition: Callable[[], bool]) -> None:
        """Introduce this machine once it's a member of the log; a host first describes the table."""
        settings, rules, propose = self._settings, self._table.lobby.rules, self._link.propose
        if self._is_introduced or PeerId(self._table.me) not in self._log_driver.log.configuration:
            return
        if settings.found is not None and not propose(
            log_bodies.FOUND, rules.name, rules.rules_id, *settings.found
        ):
            return
        if settings.keys is not None and not propose(
            log_bodies.KEYS, settings.keys.secret, settings.keys.code
        ):
            return
        if settings.found is not None:
            say_edition()
        policy = (settings.away, settings.stand_after, settings.idle, settings.fixed)
        if settings.found is not None and policy != ("", STAND_AFTER, IDLE, False):
            propose(log_bodies.POLICY, *policy)
        if settings.campaign is not None and not propose(log_bodies.CAMPAIGN, settings.campaign.packed()):
            return
        if propose(
            log_bodies.ENTER, self.nonce, settings.name, settings.watch, settings.level,
            self._machine.whispers.mailbox,
        ):  # fmt: skip
            self._is_introduced = True
            if settings.bots:
                propose(log_bodies.BOTS, list(settings.bots))
            if settings.teams:
                propose(log_bodies.TEAMS, settings.teams)

    def keep_patience(self) -> None:
        """Raise `TableLost` if the table has been silent for too long."""
        now, number = self._log_driver.now(), self._log_driver.log.last_number
        self._log_driver.tick_in(1.0)
        if self._settings.resumes is not None or self.is_going:
            return  # it may take days until the others come
        if number != self._moved[1]:
            self._moved = (now, number)
        elif now - self._moved[0] > self._settings.waits.patience:
            raise TableLost(N_("The table answered, but won't let this computer in. Try again."))

    def who_is_missing(self) -> list[Notice]:
        """Return who is missing for a suspended match to continue, whenever that has changed."""
        if not self._is_returning or self.is_going:
            return []
        here = self._log_driver.driver.endpoint.peers()
        places = [place for place in self._table.roster.places if place.peer != self._table.me]
        missing = ", ".join(place.name for place in places if place.peer not in here)
        if not places or missing == self._waits_for:
            return []
        self._waits_for = missing
        return [Notice(RESUMES if missing else ALL_HERE, {"names": missing}, wrong=bool(missing))]

    # -- departure -------------------------------------------------------------------------------

    def go_as(self, end: SessionEnd) -> None:
        """Go; a machine that hasn't returned to its suspended match yet leaves it suspended.

        If it already goes without a word, no word comes in time.
        """
        if self.is_going and self.end is SessionEnd.FELL:
            return
        self.end = max(self.end, SessionEnd.SUSPENDED if self._is_returning else end)
        self.is_going = True

    def suspend(self) -> None:
        """Leave; keep everything needed to resume the match, if this machine takes part in one."""
        self.go_as(SessionEnd.SUSPENDED if self._machine.has_part else SessionEnd.OUT)
        self._log_driver.tick_in(0)

    def see_whether_to_stop(self) -> None:
        """Offer to stop waiting, or suspend the match: too few have been heard for long, or all agree."""
        quorum, playing = self._machine.quorum, self._machine.has_part
        if self._table.matches.is_suspended or (playing and quorum.must_stop):
            self.suspend()
        elif not playing or not quorum.may_stop:
            self._offered = 0.0
        elif quorum.waited >= self._offered:
            self._offered = quorum.waited + self._settings.waits.reminder
            said = {"names": self._machine.playing.own.waits_for, "minutes": int(quorum.waited // 60)}
            self._tell(WAITS, said)
            self._tell(self._machine.why_not_continue() or OR_GO_ON, {})
            self._table.out.append(LobbyChanged())

    def _tell(self, message: str, params: Mapping[str, Any]) -> None:
        self._table.out.append(Notice(message, params, wrong=True))

    def say_how_it_ended(self) -> None:
        """Raise `ReplicasDiffer` if a match was void, `TableLost` if the host left in mid-match."""
        match = self._table.matches.match
        if self.is_void:
            raise ReplicasDiffer(
                N_("A match at this table was voided: two machines disagreed about its state.")
            )
        if not self.is_going and match is not None and match.broken_off and match.fault is None:
            raise TableLost(N_("The host left in the middle of the match, and the table closed."))

    def cut_off(self) -> None:
        """Note that nobody reads on; say OUT if the player hasn't said how it ends, but no goodbye."""
        if not self.is_going and self.is_here:
            self._machine.say_of_oneself(OwnWord.OUT)
        self.is_going = True

    def fall(self) -> None:
        """Note that an error ends it, whatever its player has said."""
        self.end, self.is_going = SessionEnd.FELL, True

    async def go(self, read: Callable[[DriverEvent], object], after: Callable[[], object]) -> None:
        """Go as `end` has it, once the others have all entries.

        For a goodbye, `read` takes the events of the log: the farewell names the new host. `after` is
        called when the departure is known: that may end the match.
        """
        try:
            if self._log_driver.apart:
                return  # this copy of the log counts no more: there's nothing to resume
            await self._log_driver.settle(1.0)
            if self.end is SessionEnd.OUT and self._machine.cant_say_goodbye:
                self.end = SessionEnd.SUSPENDED
            if self.end.says_goodbye:
                await self._say_goodbye(read, after)
            else:
                await self._log_driver.close()
        finally:
            self._machine.close()

    async def _say_goodbye(self, read: Callable[[DriverEvent], object], after: Callable[[], object]) -> None:
        goodbye = self._settings.waits.goodbye
        if self._is_introduced:
            self._machine.say_of_oneself(OwnWord.LEFT if self.end is SessionEnd.LEFT else OwnWord.OUT)
            self._link.propose(log_bodies.LEAVE)
            await self._log_driver.see_final(goodbye)  # who is taken out first can say no more
            await self._log_driver.settle(0.5)
            while (event := self._log_driver.next_now()) is not None:
                try:
                    read(event)
                except TableLost:
                    break
            after()
        await self._log_driver.leave(goodbye)
