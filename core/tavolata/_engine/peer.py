"""A table of peers as one of them sits at it: the agreed log, the room, and this peer's part in it.

Everything here follows from the log; this module only decides what this peer has to say next: its
own answers, its bots', and, if it is the host, what the dealer owes. See `sitting.Sitting`.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from tavolata._engine import places
from tavolata._engine.entries import ANSWER, INTERJECT, OPENED, SAY, SEALED, TIMEOUT, Entry
from tavolata._engine.happenings import Asked, Began, Ended, Happening, LobbyChanged, Notice
from tavolata._engine.header import HOST, Header
from tavolata._engine.host_dealer import HostDealer
from tavolata._engine.log_source import LogSource, box_of
from tavolata._engine.match import Match
from tavolata._engine.room import Room
from tavolata._engine.sealing import Keys, seal_face
from tavolata._engine.state import pack
from tavolata._engine.store import END, HEADER, MatchFile, StoreError, path_of
from tavolata._engine.table_talk import TableTalk
from tavolata._engine.wire import Wire, WireEvent
from tavolata._text import SaidError
from tavolata.asks import Answer, Ask
from tavolata.bots import Bot, Chance, Say
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.entries import Kind
from tavolata_protocol.events import Connected, Disconnected
from tavolata_protocol.grouplog import events as log_events
from tavolata_protocol.identity import Identity, PeerId
from tavolata_protocol.membership import Role

FULL = "full"
"""What a host says to whom it can't let in; the newcomer puts it into words."""


class TableLost(SaidError):
    """This peer is at the table no more, not by its own wish."""


class TableRefused(SaidError):
    """The table does not take this peer in."""


@dataclass
class Manner:
    """How a peer behaves at a table; nothing that the others have to know.

    Attributes:
        name: the player's name.
        level: the bot that plays the own seat, None for a person.
        watch: whether it only looks on.
        think: seconds that its bots take.
        found: for the host, [seats, options]; None for who joins.
        bots: levels of the host's further bots.
        at_once: whether the host begins as soon as all places are taken.
        away: what the host decides when a player is away and nobody else does.
        pace: as in `Header`.
        address: how others reach the table, for the farewell.
        stays: whether it stays at the table when a match is over.
    """

    name: str
    level: str | None = None
    watch: bool = False
    think: float = 0.0
    found: tuple[int, dict[str, Any]] | None = None
    bots: Sequence[str] = ()
    at_once: bool = False
    away: str = places.WAIT
    pace: float | None = None
    address: str = ""
    stays: bool = True


@dataclass
class _Said:
    """What this peer has proposed already for the running match, so that it says nothing twice."""

    asks: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    dealt: set[int] = field(default_factory=set)
    due: dict[int, float] = field(default_factory=dict)
    vault: dict[int, tuple[bytes, Answer]] = field(default_factory=dict)
    polled: int = -1


class PeerSitting(TableTalk):
    """One peer's place at a table.

    Args:
        wire: the log and sockets, begun or joining.
        seed: the own identity's secret.
        rules, package: the game.
        bots: the game's bots by level.
        manner: how this peer behaves.
    """

    def __init__(
        self,
        wire: Wire,
        seed: bytes,
        rules: type[Game[Any]],
        package: str,
        bots: Mapping[str, type[Bot]],
        manner: Manner,
    ) -> None:
        self._wire = wire
        self._seed = seed
        self._me = Identity(seed).peer
        self.package = package
        self._levels = bots
        self._manner = manner
        self.room = Room(rules, me=self._me, local=self)
        self._nonce = secrets.token_bytes(8)
        self._introduced = False
        self._watchers: set[PeerId] = set()
        self._told_addresses: set[PeerId] = set()
        self._called: dict[bytes, tuple[str, int]] = {}
        self._said = _Said()
        self._dealer: HostDealer | None = None
        self._file: MatchFile | None = None
        self._chance = Chance(secrets.randbits(64))
        self._playing: dict[int, Bot] = {}
        self._turn = -1
        self._leaving = False
        self._started = -1

    # -- what `Sitting` promises ---------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The match on the table."""
        return self.room.match

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that a person plays here."""
        return tuple(
            seat
            for seat, place in enumerate(self.room.places)
            if place.peer == self._me and place.level is None and not place.stand_in
        ) or (() if self._manner.watch or self._manner.level else ((0,) if self.room.match is None else ()))

    async def happenings(self) -> AsyncIterator[Happening]:
        """See `Sitting`."""
        try:
            async for event in self._wire.events():
                self._on(event)
                self._work()
                if not self._caught_up:
                    self.room.out.clear()
                    continue
                while self.room.out:
                    happening = self.room.out.popleft()
                    if isinstance(happening, Ended):
                        self._close_file(happening)
                    yield happening
                for ask in self._new_asks():
                    yield Asked(ask, mine=ask.seat in self.people)
                if self._leaving or (not self._manner.stays and self.room.played and not self.room.running):
                    return
        finally:
            await self._go()

    async def _go(self) -> None:
        """Leave so that the others have all and know it."""
        await self._wire.settle(2.0)
        if self._introduced:
            self._propose(places.LEAVE)
            await self._wire.settle(1.0)
        await self._wire.leave(2.0)
        if self._file is not None:
            self._file.close()

    @property
    def _caught_up(self) -> bool:
        return self._nonce in self.room.nonces

    # -- what comes in ------------------------------------------------------------------------

    def _on(self, event: WireEvent) -> None:
        match event:
            case log_events.Final(entry) if entry.kind is Kind.APPLICATION:
                was = self._caught_up
                self.room.apply(entry.author, entry.body)
                self._compare(entry.number)
                if self._caught_up and not was:
                    self._arrive()
            case log_events.JoinRequested(peer):
                self._let_in(peer)
            case Connected(peer=peer, profile=profile):
                self._met(peer, profile)
            case log_events.PeerAway(peer) if self._wire.log.is_sequencer:
                self._propose(places.STATUS, bytes(peer), False)
            case log_events.PeerBack(peer) if self._wire.log.is_sequencer:
                self._propose(places.STATUS, bytes(peer), True)
            case log_events.SequencerChanged(peer, term) if peer is not None and term > 1 and self._caught_up:
                self.room.out.append(
                    Notice(N_("{name} orders the game now."), {"name": self.room.name_of(peer)})
                )
            case log_events.Desynchronised(peer, number):
                self.room.out.append(
                    Notice(
                        N_("{name} has another state of the game than this machine after entry {number}; "
                           "the last entries here: {last}."),
                        {"name": self.room.name_of(peer), "number": number, "last": self._last_entries()}, wrong=True,
                    )
                )  # fmt: skip
            case log_events.Halted(sentence):
                raise TableLost(N_("The table broke: {problem}"), problem=sentence)
            case Disconnected(peer=peer, text=text) if text == FULL:
                raise TableRefused(
                    N_("The table is full, or a match is being played; `tt join --watch` lets you look on.")
                )
            case log_events.LeftTable() if not self._leaving:
                raise TableLost(N_("The table goes on without you; `tt join` brings you back."))
            case _:
                pass

    def _last_entries(self) -> str:
        match = self.room.match
        source = None if match is None else match.source
        return str(source.entries[-3:]) if isinstance(source, LogSource) else "-"

    def _arrive(self) -> None:
        """The log has been read up to the own arrival: show what is, not all that was."""
        self.room.out.clear()
        self.room.out.append(LobbyChanged())
        if self.room.running:
            self.room.out.append(Began(again=True))

    def _compare(self, number: int) -> None:
        """At every turn's end all peers compare what they have."""
        match = self.room.match
        turn = -1 if match is None else match.table.turn + (1 << 20 if match.over else 0)
        if match is not None and turn != self._turn:
            self._wire.log.note_digest(number, match.digest())
        self._turn = turn

    def _met(self, peer: PeerId, profile: bytes) -> None:
        from tavolata._engine.joining import watches

        if watches(profile):
            self._watchers.add(peer)

    def _let_in(self, peer: PeerId) -> None:
        room = self.room
        returning = room.place_of(peer) is not None
        if returning or peer in self._watchers or not (room.full or room.running):
            self._wire.log.add_learner(peer)
            self._wire.pump()
        else:
            self._wire.driver.endpoint.disconnect(peer, FULL)
            self._wire.driver.wake()

    # -- what this peer has to say ---------------------------------------------------------------

    def _propose(self, *body: Any) -> bool:
        return self._wire.propose(pack(body))

    def _play(self, entry: Entry) -> None:
        assert self.room.header is not None
        self._propose(places.PLAY, self.room.header.id, entry)

    def _work(self) -> None:
        if not self._introduced:
            self._introduce()
        log = self._wire.log
        if log.is_sequencer:
            self._look_after_members()
        self._call_others()
        if self._caught_up and self.room.running:
            self._deal()
            self._answer_for_bots()
        elif self._caught_up and self._manner.at_once and self.room.host == self._me:
            self._start_if_full()

    def _introduce(self) -> None:
        manner, rules = self._manner, self.room.rules
        if PeerId(self._me) not in self._wire.log.configuration:
            return
        if manner.found is not None:
            if not self._propose(places.FOUND, rules.name, rules.rules_id, *manner.found):
                return
        if self._propose(places.ENTER, self._nonce, manner.name, manner.watch, manner.level):
            self._introduced = True
            if manner.bots:
                self._propose(places.BOTS, list(manner.bots))

    def _look_after_members(self) -> None:
        """The sequencer makes seated peers voters and tells everybody where everybody is."""
        log, endpoint = self._wire.log, self._wire.driver.endpoint
        for member in log.configuration.members:
            if member.role is Role.LEARNER and self.room.place_of(member.peer) is not None:
                log.promote(member.peer)
        for peer in endpoint.peers():
            if peer in log.configuration and peer not in self._told_addresses:
                host, port = endpoint.path(peer).address[:2]
                self._told_addresses.add(peer)
                self._propose(places.ADDRESS, bytes(peer), host, port)
        self._wire.pump()

    def _nudge(self) -> None:
        self._wire.tick_in(0)

    def _call_others(self) -> None:
        """Have a session with every member, so that another can order when the present one is gone."""
        endpoint = self._wire.driver.endpoint
        for peer, address in self.room.addresses.items():
            if peer > self._me and self._called.get(peer) != address:
                self._called[peer] = address
                if PeerId(peer) not in endpoint.peers():
                    endpoint.connect(address, self._wire.now())
                    self._wire.driver.wake()

    def _deal(self) -> None:
        match = self.room.match
        assert match is not None
        want = match.source.wants
        if self._dealer is not None and want is not None and want.at not in self._said.dealt:
            self._said.dealt.add(want.at)
            self._play(self._dealer.entry(want))

    def _start_if_full(self) -> None:
        room, log = self.room, self._wire.log
        voters = log.configuration.voters
        if (
            room.full
            and room.played > self._started
            and all(place.status == places.HERE and place.peer in voters for place in room.places)
        ):
            self._started = room.played
            self.begin()

    def begin(self) -> None:
        """Begin a match with those who sit here."""
        room = self.room
        watched = any(place.level is None for place in room.places)
        self._propose(
            places.START,
            Header(
                id=secrets.token_hex(8),
                game=room.rules.name,
                version=room.rules.version,
                rules_id=room.rules.rules_id,
                options=room.options,
                names=tuple(place.name for place in room.places),
                bots=tuple(place.level for place in room.places),
                dealer=HOST,
                pace=self._manner.pace if self._manner.pace is not None else 0 if watched else None,
                keys=tuple(place.peer for place in room.places),
            ).plain(),
        )

    # -- questions ----------------------------------------------------------------------------

    def _new_asks(self) -> list[Ask]:
        match = self.room.match
        if match is None or not self.room.running or not self._caught_up:
            return []
        new = [ask for ask in match.source.open if ask.id not in self._said.due]
        for ask in new:
            self._said.due[ask.id] = self._wire.now()
            if ask.seconds is not None and self.room.host == self._me:
                self._wire.tick_in(ask.seconds + 0.01)
        return new

    def _bot_of(self, seat: int) -> Bot | None:
        place = self.room.places[seat]
        level = place.level
        if place.stand_in and level is None:
            level = "easy" if "easy" in self._levels else "random"
        if level is None or seat not in self.room.seats_of(self._me):
            return None
        if seat not in self._playing:
            self._playing[seat] = self._levels.get(level, self._levels["random"])()
        return self._playing[seat]

    def _answer_for_bots(self) -> None:
        match, said, now = self.room.match, self._said, self._wire.now()
        assert match is not None
        self._let_bots_talk(match)
        for ask in list(match.source.open):
            since = said.due.get(ask.id)
            if since is None:
                self._wire.tick_in(0)  # it is announced first, then answered
                continue
            if ask.sealed and ask.box is not None and ask.id in said.vault and ask.id not in said.opened:
                said.opened.add(ask.id)
                self._play((OPENED, int(ask.seat), ask.id, *said.vault[ask.id]))
            elif ask.seconds is not None and self.room.host == self._me and now >= since + ask.seconds:
                said.due[ask.id] = now
                self._play((TIMEOUT, ask.id))
            elif ask.id not in said.asks and (bot := self._bot_of(ask.seat)) is not None:
                if now < since + self._manner.think:
                    self._wire.tick_in(since + self._manner.think - now + 0.001)
                    continue
                answer = bot.choose(match.view(ask.seat), ask, ask.kind, self._chance)
                self._send_answer(ask, ask.kind.check(answer))

    def _let_bots_talk(self, match: Match) -> None:
        """Bots may say or do something once after every entry."""
        source = match.source
        assert isinstance(source, LogSource)
        if self._said.polled == source.at:
            return
        self._said.polled = source.at
        for seat in self.room.seats_of(self._me):
            bot = self._bot_of(seat)
            standing = match.standing(seat) if bot is not None and bot.interjects else {}
            if bot is None or not bot.interjects or not (standing or match.game.listens):
                continue
            said = bot.interject(match.view(seat), standing, self._chance)
            if said is not None:
                self._play(
                    (SAY, seat, said.to, said.text) if isinstance(said, Say) else (INTERJECT, seat, *said)
                )

    def _send_answer(self, ask: Ask, answer: Answer) -> None:
        self._said.asks.add(ask.id)
        if not ask.sealed:
            self._play((ANSWER, int(ask.seat), ask.id, answer))
            return
        nonce = secrets.token_bytes(32)
        self._said.vault[ask.id] = (nonce, answer)
        self._play((SEALED, int(ask.seat), ask.id, box_of(ask.seat, ask.id, nonce, answer)))

    def answer(self, ask: Ask, answer: Answer) -> None:
        """See `Sitting`."""
        assert self.room.match is not None
        answer = ask.kind.check(answer)
        self.room.match.check_claim(ask, answer)
        self._send_answer(ask, answer)

    def interject(self, seat: int, name: str, answer: Answer) -> None:
        """See `Sitting`."""
        self._play((INTERJECT, seat, name, answer))

    def say(self, text: str, to: int | None = None, seat: int | None = None) -> None:
        """See `Sitting`."""
        if self.room.running and seat is not None and seat in self.room.seats_of(self._me):
            self._play((SAY, seat, -1 if to is None else to, text))
        else:
            self._propose(places.CHAT, text)

    # -- what only this machine gives a match (see `room.Local`) --------------------------------

    def source(self, header: Header) -> LogSource:
        """The source of a match that begins, with this peer's keys and, at the host, its dealer."""
        self._said = _Said()
        self._playing = {}
        self._dealer = None
        if self.room.host == self._me:
            secret = blake2b(
                header.id.encode(), key=self._seed, digest_size=32, person=b"tavolata dealer"
            ).digest()
            self._dealer = HostDealer(secret, lambda seat, card, face: seal_face(header, seat, card, face))
        self._open_file(header)
        return LogSource(len(header.names), keys=Keys(header, self._seed), dealing=self._dealer)

    def _open_file(self, header: Header) -> None:
        if self._file is not None:
            self._file.close()
        path = path_of(f"{header.id}-{bytes(self._me).hex()[:8]}")
        path.unlink(missing_ok=True)  # the agreed log brings every entry again
        self._file = MatchFile(path)
        self._file.write(HEADER, header.plain())

    def entered(self, header: Header, number: int, entry: Entry) -> None:
        """Write an entry of the match down before it is acted on."""
        if self._file is not None:
            try:
                self._file.entry(entry)
            except StoreError as error:  # the match goes on: the agreed log has the entry
                self.room.out.append(Notice(error.message, error.params, wrong=True))
                self._file = None

    def _close_file(self, ended: Ended) -> None:
        if self._file is not None:
            outcome = ended.outcome
            winners = None if outcome is None else [int(seat) for seat in outcome.winners]
            self._file.write(
                END, {"outcome": {"winners": winners}, "cheat": ended.cheat, "digest": ended.digest}
            )
            self._file.sync()
            self._file.close()
            self._file = None
