"""The people that one machine serves beside its own player: each has a session of its own, and no peer.

A machine is one party of a match, with as many seats as people sit at it: its keys and its vote are one. So a
companion needs no log, no socket and no keys. The machine sends its words outside the match's entries
(`COMPANION`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import Any, Final

from typing_extensions import override

from tavolata import _machine
from tavolata._engine.match.updates import Began, LobbyChanged, Notice, Update
from tavolata._engine.network.table_errors import TableLost, TableRefused
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.participation import CANT_HEAR
from tavolata._engine.peer.serving import Serving
from tavolata._engine.peer.table_news import NO_SEAT
from tavolata._engine.peer.whispers import sealed
from tavolata._engine.sessions.commands import TableCommands
from tavolata._engine.sessions.session import ForwardingSession, TableSession
from tavolata._engine.sessions.shared import heard_by
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.table import log_bodies
from tavolata._engine.table.lobby import NO_MORE_WATCHERS
from tavolata._engine.table.moderation import SHOWN_OUT
from tavolata._text import composed, is_name
from tavolata.errors import MessageError, Refused
from tavolata.windows import Window

SLOWEST: Final = 0.25
"""Seconds that the screens of one machine wait for each other in a window, until time runs for all."""


class Companion(ForwardingSession):
    """The session of a person that this machine serves; see `TableSession`.

    `commands` are set by the machine.
    """

    attended = True
    commands: TableCommands | None = None

    def __init__(
        self,
        whole: TableSession,
        company: Company,
        person: bytes,
        name: str,
        *,
        watch: bool,
        facts: Callable[[bytes], TableFacts],
        keep_name: Callable[[str], object],
        still_open: Callable[[], Sequence[Update]],
    ) -> None:
        super().__init__(whole)
        self._company = company
        self._state = company.machine.state
        self.person = person
        self._wish = name
        self._watch = watch
        self._facts = facts
        self._keep_name = keep_name
        self._still_open = still_open
        self._nonce = _machine.token(8)
        self._introduced = self._arrived = False
        self._named_after = -1
        self._news: asyncio.Queue[Update | MessageError | None] = asyncio.Queue()

    # -- what `TableSession` promises -----------------------------------------------------------------

    @property
    @override
    def people(self) -> tuple[int, ...]:
        return self._company.seats_of(self.person)

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        while (update := await self._news.get()) is not None:
            if isinstance(update, MessageError):
                raise update
            yield update

    @override
    def drawn(self, window: int) -> None:
        self._company.drawn_by(window, self.person)

    @override
    def say(self, text: str, to: Sequence[int] = (), seat: int | None = None) -> None:
        self._company.say(text, to, seat, self.person, self.propose)

    @override
    def stirred(self) -> None:
        self._company.stirred(self.person)

    @override
    def table(self) -> TableFacts:
        return self._facts(self.person)

    @override
    def choose_look(self, seat: int, hue: int, mark: int) -> None:
        self._own(seat)
        self.propose(log_bodies.LOOK, hue, mark)

    # -- at the machine that serves it ------------------------------------------------------------------

    def propose(self, *body: Any) -> bool:
        """Propose what this person says; return False, proposing nothing, before the word that they come."""
        if not self._introduced and body[0] != log_bodies.ENTER:
            return False
        return self._company.link.propose(*log_bodies.as_said_by(self.person[log_bodies.KEY_SIZE :], body))

    def be_called(self, name: str) -> None:
        """Keep another name, for this table and for later ones."""
        self._wish = name
        self._keep_name(name)

    def work(self) -> None:
        """Come to the table; end the session if someone has shown this person out."""
        state = self._state
        if not self._introduced:
            mailbox = self._company.machine.whispers.mailbox
            self._introduced = self.propose(
                log_bodies.ENTER, self._nonce, self._wish, self._watch, None, mailbox
            )
        elif self.person in state.moderation.shown_out:
            why = state.moderation.why_not_enter(self.person)
            if why or self._nonce in state.lobby.arrived:  # or it was before, and the new ENTER isn't final
                lost = TableLost if self._arrived else TableRefused
                self._news.put_nowait(lost(why or SHOWN_OUT))
        elif not self._arrived and self._nonce in state.lobby.arrived:
            self._arrive()
        elif self._arrived:
            self._take_own_name()

    def _take_own_name(self) -> None:
        """Take the name that they want, once between two matches, if it has become free.

        Someone who comes from another machine's page finds the name taken by their seat there until the match
        is over.
        """
        state = self._state
        roster, played = state.roster, state.matches.played
        if self._named_after == played or state.matches.is_busy or not is_name(self._wish):
            return
        other = roster.belongs(self.person) and roster.name_of(self.person) != self._wish
        if other and not roster.is_taken(self._wish, self.person):
            self._named_after = played
            self.propose(log_bodies.RENAME, self._wish)

    def _arrive(self) -> None:
        self._arrived = True
        self._news.put_nowait(LobbyChanged(whole=True))
        if (running := self._state.matches.running) is not None:
            self._news.put_nowait(Began(running.match, again=True))
            for update in self._still_open():
                self.tell(update)
        waits = self.person in self._state.lobby.chairs.queue
        if self._state.roster.place_of(self.person) is None and not self._watch and not waits:
            self._news.put_nowait(TableRefused(NO_SEAT))

    def tell(self, update: Update) -> None:
        ignored = set() if self.commands is None else self.commands.ignored
        roster = self._state.roster
        own = heard_by(update, self.person, roster.name_of, roster.person_at, self.people, ignored)
        if self._arrived and own is not None:
            self._news.put_nowait(own)
        elif isinstance(own, Notice) and own.message == NO_MORE_WATCHERS:
            self._news.put_nowait(TableRefused(NO_MORE_WATCHERS))

    def close(self) -> None:
        self._news.put_nowait(None)

    def leave(self) -> None:
        self.propose(log_bodies.LEAVE)


class Company:
    """The people on one machine: its own player, and those that it serves.

    After `patience` seconds a bot plays for someone who has a seat here and no session.

    Attributes:
        people: those that it serves who have a session here now.
    """

    def __init__(self, machine: Machine, link: TableLink, patience: float) -> None:
        self.machine = machine
        self._state = machine.state
        self.link = link
        self._patience = patience
        self.people: list[Companion] = []
        self.serving = Serving(machine, link)
        self._drawn: tuple[Window | None, float, set[bytes]] = (None, 0.0, set())
        self._unserved: dict[bytes, float] = {}

    def attend(self) -> None:
        """Let companions come in; let a bot play for those who have a place here and no session."""
        for one in self.people:
            one.work()
        now, served = self.link.now(), {one.person for one in self.people}
        places = self._state.roster.places if self._state.matches.running else []
        gone = {
            place.person: place
            for place in places
            if place.peer == self._state.me
            and place.companion
            and not place.unattended
            and place.person not in served
        }
        self._unserved = {person: self._unserved.get(person, now) for person in gone}
        for person, since in list(self._unserved.items()):
            if now - since >= self._patience:
                self._unserved[person] = now
                self.link.propose(*log_bodies.as_said_by(gone[person].companion, (log_bodies.LEAVE,)))
            else:
                self.link.tick_in(since + self._patience - now + 0.01)

    def seats_of(self, person: bytes) -> tuple[int, ...]:
        """Return the seats of a person; with a match, the seats there."""
        return tuple(seat for seat, one in self.seats_here() if one == person)

    def seats_here(self) -> Iterator[tuple[int, bytes]]:
        """Yield the seats that people play on this machine, with the person of each."""
        last = self._state.matches.last
        if last is not None and last.match.over:  # who sat there may be gone, but the end is still on view
            for seat, (person, level) in enumerate(zip(last.persons, last.header.bots, strict=True)):
                if level is None and person.startswith(self._state.me):
                    yield seat, person
        elif not self._state.matches.is_without(self._state.me):
            for seat, place in enumerate(self._state.roster.places):
                if place.peer == self._state.me and place.level is None and not place.unattended:
                    yield seat, place.person

    def stirred(self, person: bytes) -> None:
        if self.machine.stirred(self.seats_of(person)):
            self.link.tick_in(0)

    def say(
        self, text: str, to: Sequence[int], seat: int | None, person: bytes, propose: Callable[..., bool]
    ) -> None:
        text = composed(text)
        if self._state.matches.running and seat is not None and seat in self.seats_of(person):
            self.machine.playing.say(text, to, seat)
        else:
            self._chat(text, to, propose)

    def _chat(self, text: str, to: Sequence[int], propose: Callable[..., bool]) -> None:
        """Speak outside a match: to all, or in a whisper to those who sit at these places."""
        if not to:
            propose(log_bodies.CHAT, text)
            return
        roster, mailboxes = self._state.roster, self._state.lobby.mailboxes
        persons = list(dict.fromkeys(roster.places[one].person for one in sorted(to)))
        me = self._state.me
        boxes = [sealed(me, mailboxes.get(one, b""), text) for one in (*persons, me)]
        if None in boxes:
            raise Refused(CANT_HEAR, name=roster.name_of((*persons, me)[boxes.index(None)]))
        propose(log_bodies.WHISPER, persons, boxes)

    def drawn_by(self, number: int, person: bytes) -> None:
        """Start the time once all screens here have drawn the card, or one has waited long enough."""
        window = self._window()
        if window is None or window.id != number:
            return
        before, since, drawn = self._drawn
        if before is not window:  # the next match has a window of the same number, too
            since, drawn = self.link.now(), set()
        self._drawn = window, since, drawn | {person}
        self.watch_drawn()

    def watch_drawn(self) -> None:
        timing, now = self.machine.timing, self.link.now()
        window, since, drawn = self._drawn
        if timing is None or window is None or window is not self._window() or not drawn:
            return
        left = since + SLOWEST - now
        if left <= 0 or drawn >= {self._state.me, *(one.person for one in self.people if one.people)}:
            timing.drawn(window.id)
            self._drawn = window, since, set()
            self.link.tick_in(0)
        else:
            self.link.tick_in(left + 0.001)

    def _window(self) -> Window | None:
        timing = self.machine.timing
        return None if timing is None else timing.match.source.window
