"""A machine's presence at a table, from the first word to the last, as a state machine."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final

from tavolata import _machine
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.header import IDLE, STAND_AFTER
from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.network.log_driver import DriverEvent, LogDriver
from tavolata._engine.network.table_errors import ReplicasDiffer, TableLost
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.table import log_bodies
from tavolata.messages import N_
from tavolata_protocol.identity import PeerId

WAITS: Final = N_(
    "The match has waited for {names} for {minutes} min. You can go on waiting, or stop for today: suspend. "
    "Nobody loses and nothing is opened; `tt resume` goes on with it when enough of you are back."
)
OR_GO_ON: Final = N_("Or all of you who are here go on without the missing, in a new match: without.")
RESUMES: Final = N_("The match goes on when enough of its machines are here. Not heard yet: {names}.")
ALL_HERE: Final = N_("All machines of the match are here.")


class Presence(Enum):
    ARRIVING = auto()
    RETURNING = auto()
    """Arriving with the copy of a suspended match."""
    PRESENT = auto()
    LEAVING = auto()
    SUSPENDING = auto()
    GONE = auto()
    KEPT = auto()
    """Gone without a word, with all that it takes to resume the match."""


class PresenceEvent(Enum):
    ENTERED = auto()
    """The own ENTER is final."""
    QUIT = auto()
    """Its player goes, or has no more input when the match is over."""
    SUSPEND = auto()
    """The match stops for today, since all say so or the quorum is lost for good."""
    ENDED = auto()
    """The stream ends: this machine was refused or shown out, the table is closed, or something failed."""
    CUT_OFF = auto()
    """It would leave, and can't tell the others of the match."""
    SETTLED = auto()
    """The others know what they need to, or had time enough to learn it."""
    BROKEN = auto()
    """The departure itself failed or was cancelled; the copy of the log stays on the disk."""


ROWS: Final[Mapping[tuple[Presence, PresenceEvent], Presence]] = {
    (Presence.ARRIVING, PresenceEvent.ENTERED): Presence.PRESENT,
    (Presence.ARRIVING, PresenceEvent.QUIT): Presence.LEAVING,
    (Presence.ARRIVING, PresenceEvent.ENDED): Presence.LEAVING,
    (Presence.ARRIVING, PresenceEvent.SUSPEND): Presence.SUSPENDING,
    (Presence.RETURNING, PresenceEvent.ENTERED): Presence.PRESENT,
    (Presence.RETURNING, PresenceEvent.QUIT): Presence.SUSPENDING,
    (Presence.RETURNING, PresenceEvent.ENDED): Presence.SUSPENDING,
    (Presence.RETURNING, PresenceEvent.SUSPEND): Presence.SUSPENDING,
    (Presence.PRESENT, PresenceEvent.QUIT): Presence.LEAVING,
    (Presence.PRESENT, PresenceEvent.SUSPEND): Presence.SUSPENDING,
    (Presence.PRESENT, PresenceEvent.ENDED): Presence.LEAVING,
    (Presence.LEAVING, PresenceEvent.ENTERED): Presence.LEAVING,  # read on the way out
    (Presence.LEAVING, PresenceEvent.QUIT): Presence.LEAVING,  # for good, on second thoughts
    (Presence.LEAVING, PresenceEvent.SUSPEND): Presence.SUSPENDING,
    (Presence.LEAVING, PresenceEvent.CUT_OFF): Presence.SUSPENDING,
    (Presence.LEAVING, PresenceEvent.SETTLED): Presence.GONE,
    (Presence.SUSPENDING, PresenceEvent.ENTERED): Presence.SUSPENDING,
    (Presence.SUSPENDING, PresenceEvent.QUIT): Presence.SUSPENDING,
    (Presence.SUSPENDING, PresenceEvent.SUSPEND): Presence.SUSPENDING,
    (Presence.SUSPENDING, PresenceEvent.SETTLED): Presence.KEPT,
    (
        Presence.GONE,
        PresenceEvent.QUIT,
    ): Presence.GONE,  # the key was pressed while the screen still showed the table
    (Presence.GONE, PresenceEvent.SUSPEND): Presence.GONE,
    (Presence.KEPT, PresenceEvent.QUIT): Presence.KEPT,
    (Presence.KEPT, PresenceEvent.SUSPEND): Presence.KEPT,
    (Presence.SUSPENDING, PresenceEvent.BROKEN): Presence.KEPT,
    **dict.fromkeys(
        (
            (state, PresenceEvent.BROKEN)
            for state in (Presence.ARRIVING, Presence.RETURNING, Presence.PRESENT, Presence.LEAVING)
        ),
        Presence.GONE,
    ),
}
"""By state and event, the next state."""


class NoRow(RuntimeWarning):
    """A state has no transition for an event; the state stays."""


class Connection:
    """One machine's presence at a table.

    Attributes:
        nonce: marks this machine's own ENTER.
        word: the last word about the running match.
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
        self.state = Presence.ARRIVING if settings.resumes is None else Presence.RETURNING
        self.nonce = _machine.token(8)
        self.word = OwnWord.OUT
        self.is_void = False

    def on(self, event: PresenceEvent) -> None:
        """Go to the next state; an event without a row is a fault of this program, and changes nothing."""
        following = ROWS.get((self.state, event))
        if following is None:
            warnings.warn(f"{event.name} while {self.state.name}", NoRow, stacklevel=2)
        else:
            self.state = following

    @property
    def is_here(self) -> bool:
        """Return True if this machine's ENTER is final, so that later entries are news."""
        return self.nonce in self._table.lobby.arrived

    @property
    def is_going(self) -> bool:
        return self.state in (Presence.LEAVING, Presence.SUSPENDING, Presence.GONE, Presence.KEPT)

    @property
    def is_over(self) -> bool:
        return self.state in (Presence.GONE, Presence.KEPT)

    @property
    def is_suspended(self) -> bool:
        """Return True if it leaves, or has left, without a word, to resume another day."""
        return self.state in (Presence.SUSPENDING, Presence.KEPT)

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
        if self.state is not Presence.ARRIVING:
            return  # it may take days until the others come
        if number != self._moved[1]:
            self._moved = (now, number)
        elif now - self._moved[0] > self._settings.waits.patience:
            raise TableLost(N_("The table answers, but does not let this machine in; try again."))

    def who_is_missing(self) -> list[Notice]:
        """Return who is missing for a suspended match to continue, whenever that has changed."""
        if self.state is not Presence.RETURNING:
            return []
        here = self._log_driver.driver.endpoint.peers()
        places = [place for place in self._table.roster.places if place.peer != self._table.me]
        missing = ", ".join(place.name for place in places if place.peer not in here)
        if not places or missing == self._waits_for:
            return []
        self._waits_for = missing
        return [Notice(RESUMES if missing else ALL_HERE, {"names": missing}, wrong=bool(missing))]

    # -- departure -------------------------------------------------------------------------------

    def leave(self, word: OwnWord) -> None:
        self.word = word
        self.on(PresenceEvent.QUIT)

    def suspend(self) -> None:
        """Leave; keep everything needed to resume the match, if this machine takes part in one."""
        self.on(PresenceEvent.SUSPEND if self._machine.has_part else PresenceEvent.QUIT)
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
                N_("A match at this table was void: two machines had different states of it.")
            )
        if not self.is_going and match is not None and match.broken_off and match.fault is None:
            raise TableLost(N_("The host has left in the middle of the match, and the table with it."))

    async def go(self, read: Callable[[DriverEvent], object], after: Callable[[], object]) -> None:
        """Leave once the others have all entries and know of the departure.

        `read` takes the events of the log; the farewell names the new host. `after` is called when the
        departure is known: that may end the match.
        """
        try:
            if self._log_driver.apart:
                self.on(
                    PresenceEvent.BROKEN
                )  # this copy of the log counts no more: there's nothing to resume
                return
            if not self.is_going:
                self.on(PresenceEvent.ENDED)
            await self._log_driver.settle(1.0)
            if self.state is Presence.LEAVING and self._is_cut_off:
                self.on(PresenceEvent.CUT_OFF)
            if self.state is Presence.SUSPENDING:
                await self._log_driver.close()
            else:
                await self._say_goodbye(read, after)
            self.on(PresenceEvent.SETTLED)
        finally:
            if not self.is_over:
                self.on(PresenceEvent.BROKEN)
            self._machine.close()

    @property
    def _is_cut_off(self) -> bool:
        missed = self._machine.has_part and bool(self._machine.quorum.missing)
        return missed and self.word is OwnWord.OUT

    async def _say_goodbye(self, read: Callable[[DriverEvent], object], after: Callable[[], object]) -> None:
        goodbye = self._settings.waits.goodbye
        if self._is_introduced:
            self._machine.say_of_oneself(self.word)
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
