"""The table as every peer knows it: places, options, talk, and the match that is on it.

A pure replicated state machine: the same entries in the same order make the same room on every
peer. What only one machine knows (its keys, its dealer's book) reaches a match through `Local`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from tavolata._engine import places
from tavolata._engine.entries import (
    ANSWER,
    FACE,
    INTERJECT,
    NUMBER,
    OPENED,
    SAY,
    SEALED,
    SEAT,
    SHOWN,
    SHUFFLED,
    TIMEOUT,
    Entry,
    plain,
)  # fmt: skip
from tavolata._engine.happenings import Began, Ended, Happening, LobbyChanged, Notice, Said, Told
from tavolata._engine.header import HOST, Header
from tavolata._engine.log_source import LogSource
from tavolata._engine.match import Match
from tavolata._engine.places import AWAY, HERE, LEFT, Place
from tavolata._engine.seating import BOT_NAMES
from tavolata._engine.state import unpack
from tavolata._text import one_line
from tavolata.errors import Refused, TavolataError
from tavolata.game import Game
from tavolata.messages import N_

_BY_SEAT = frozenset({ANSWER, SEALED, OPENED, INTERJECT, SAY})
_BY_DEALER = frozenset({FACE, SHOWN, NUMBER, SHUFFLED, TIMEOUT})
MAX_TEXT = 400


class Local(Protocol):
    """What only this machine can give a match."""

    def source(self, header: Header) -> LogSource:
        """The source of a match that begins."""
        ...

    def entered(self, header: Header, number: int, entry: Entry) -> None:
        """An entry of the match is about to be acted on."""
        ...


class Room:
    """The state of a table.

    Args:
        rules: the game that is played here.
        me: the own identity.
        local: what only this machine can give.

    Attributes:
        seats: how many places there are.
        options: the house rules as plain data.
        host: the identity of the peer that opened the table; it deals.
        places: who sits, in turn order.
        watchers: names of those who watch, by peer.
        match, header: the match on the table; None in the lobby.
        out: what happened, for whoever shows it.
        addresses: where peers are reached.
    """

    def __init__(self, rules: type[Game[Any]], *, me: bytes, local: Local) -> None:
        self.rules = rules
        self.seats = 0
        self.options: dict[str, Any] = {}
        self.host = b""
        self.me = me
        self._local = local
        self.places: list[Place] = []
        self.watchers: dict[bytes, str] = {}
        self.match: Match | None = None
        self.header: Header | None = None
        self.played = 0
        self.out: deque[Happening] = deque()
        self.addresses: dict[bytes, tuple[str, int]] = {}
        self.nonces: set[bytes] = set()
        self._voids = 0
        self._apply: dict[int, Callable[..., None]] = {
            places.FOUND: self._found,
            places.ENTER: self._enter,
            places.LEAVE: self._leave,
            places.CHAT: self._chat,
            places.SET: self._set,
            places.READY: self._ready,
            places.START: self._start,
            places.PLAY: self._play,
            places.STATUS: self._status,
            places.DECIDE: self._decide,
            places.ADDRESS: self._address,
            places.BOTS: self._bots,
        }

    # -- looking ------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether a match is being played."""
        return self.match is not None and not self.match.over

    @property
    def full(self) -> bool:
        """Whether all places are taken."""
        return len(self.places) >= self.seats

    def place_of(self, peer: bytes) -> Place | None:
        """The place that a peer's own player has (bots of the host are not its own)."""
        return next((place for place in self.places if place.peer == peer), None)

    def seats_of(self, peer: bytes) -> list[int]:
        """The seats that this peer answers for now."""
        return [
            seat
            for seat, place in enumerate(self.places)
            if (self.host if place.stand_in else place.peer) == peer
        ]

    def name_of(self, peer: bytes) -> str:
        """What a peer is called."""
        place = self.place_of(peer)
        return place.name if place is not None else self.watchers.get(peer, "?")

    def digest_due(self) -> bytes | None:
        """The digest of the match that all peers compare now; None where there is nothing to compare."""
        return None if self.match is None else self.match.digest()

    # -- entries ------------------------------------------------------------------------------

    def apply(self, author: bytes, body: bytes) -> None:
        """Act on an entry of the agreed log; what makes no sense is void on every peer alike."""
        try:
            verb, *rest = unpack(body)
            self._apply[verb](author, *rest)
        except Refused as refusal:
            if author == self.me:
                self.out.append(Notice(refusal.reason, refusal.params, wrong=True))
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return  # no entry that this version knows

    def _found(self, peer: bytes, game: str, rules_id: int, seats: int, options: dict[str, Any]) -> None:
        if self.host or game != self.rules.name or rules_id != self.rules.rules_id:
            return
        self.host, self.seats, self.options = peer, int(seats), options

    def _enter(self, peer: bytes, nonce: bytes, name: str, watch: bool, level: str | None) -> None:
        self.nonces.add(bytes(nonce))
        mine = self.place_of(peer)
        if mine is not None:
            mine.status, mine.stand_in = HERE, False
            mine.level = level
            self._seat_status(self.places.index(mine), HERE)
            self.out.append(Notice(N_("{name} is back."), {"name": mine.name}))
        elif watch or self.full or self.running:
            self.watchers[peer] = self._unused(name)
            self.out.append(Notice(N_("{name} is watching."), {"name": self.watchers[peer]}))
        else:
            self.watchers.pop(peer, None)
            self.places.append(Place(self._unused(name), peer, level, ready=level is not None))
            self.out.append(Notice(N_("{name} sits down."), {"name": self.places[-1].name}))
        self.out.append(LobbyChanged())

    def _unused(self, name: str) -> str:
        taken = {place.name for place in self.places} | set(self.watchers.values())
        name = one_line(name, 24).replace("@", "") or "?"
        return next(one for one in [name, *(f"{name} {n}" for n in range(2, 99))] if one not in taken)

    def _leave(self, peer: bytes) -> None:
        name = self.name_of(peer)
        if self.watchers.pop(peer, None) is None and self.place_of(peer) is None:
            return
        if self.running:
            for place in self.places:
                if place.peer == peer:
                    self._mark(place, LEFT)
        else:
            self.places = [place for place in self.places if place.peer != peer]
        self.out.append(Notice(N_("{name} has left the table."), {"name": name}))
        self.out.append(LobbyChanged())

    def _chat(self, peer: bytes, text: str) -> None:
        self.out.append(Said(self.name_of(peer), one_line(text, MAX_TEXT), None, peer == self.me))

    def _set(self, peer: bytes, options: dict[str, Any]) -> None:
        self._host_only(peer)
        self._lobby_only()
        try:
            self.options = self.rules.options.parse(options).plain()
        except TavolataError as error:
            raise Refused(str(error)) from error
        self.out.append(LobbyChanged())

    def _ready(self, peer: bytes, yes: bool) -> None:
        place = self.place_of(peer)
        if place is not None:
            place.ready = bool(yes)
            self.out.append(LobbyChanged())

    def _bots(self, peer: bytes, levels: list[str]) -> None:
        self._host_only(peer)
        self._lobby_only()
        own = self.place_of(peer)
        self.places = [place for place in self.places if place.peer != peer or place is own]
        free = [name for name in BOT_NAMES if all(place.name != name for place in self.places)]
        for level, name in zip(levels[: self.seats - len(self.places)], free, strict=False):
            self.places.append(Place(name, peer, str(level), ready=True))
        self.out.append(LobbyChanged())

    def _address(self, _author: bytes, peer: bytes, host: str, port: int) -> None:
        self.addresses[bytes(peer)] = (str(host), int(port))

    def _host_only(self, peer: bytes) -> None:
        if peer != self.host:
            raise Refused(N_("Only the host can do that."))

    def _lobby_only(self) -> None:
        if self.running:
            raise Refused(N_("Not while a match is being played."))

    # -- the match ----------------------------------------------------------------------------

    def _start(self, peer: bytes, data: dict[str, Any]) -> None:
        self._host_only(peer)
        self._lobby_only()
        header = Header.of(data)
        keys = tuple(place.peer for place in self.places)
        low, high = self.rules.seats
        if header.keys != keys or header.dealer != HOST or not low <= len(keys) <= high:
            raise Refused(N_("The places have changed; start again."))
        self.header = header
        self.played += 1
        self._voids = 0
        self.match = Match(
            self.rules,
            header.terms(self.rules),
            self._local.source(header),
            lambda e: self.out.append(Told(e)),
        )
        for place in self.places:
            place.ready = place.level is not None
        self.out.append(Began())
        self._go_on()

    def _play(self, peer: bytes, match_id: str, entry: list[Any]) -> None:
        if self.match is None or self.header is None or match_id != self.header.id or self.match.over:
            return
        self._feed(peer, plain(entry))

    def _feed(self, peer: bytes | None, entry: Entry) -> None:
        assert self.match is not None
        assert self.header is not None
        if peer is not None and not self._may(peer, entry):
            return
        source = self.match.source
        assert isinstance(source, LogSource)
        if entry[0] == SAY:
            names = self.header.names
            text = one_line(entry[3], MAX_TEXT)
            to = names[entry[2]] if entry[2] >= 0 else None
            self.out.append(Said(names[entry[1]], text, to, peer == self.me))
        self._local.entered(self.header, len(source.entries), entry)
        self.match.feed(entry)
        self._go_on()
        if peer == self.me and source.voids and max(source.voids) >= len(source.entries) - 1:
            refusal = source.voids[max(source.voids)]
            self.out.append(Notice(refusal.reason, refusal.params, wrong=True))

    def _may(self, peer: bytes, entry: Entry) -> bool:
        """Whether this peer may say that."""
        if entry[0] in _BY_SEAT:
            return type(entry[1]) is int and entry[1] in self.seats_of(peer)
        return entry[0] in _BY_DEALER and peer == self.host

    def _go_on(self) -> None:
        assert self.match is not None
        self.match.run()
        if self.match.over:
            self._end(str(self.match.cheat or ""))

    def _end(self, cheat: str = "") -> None:
        assert self.match is not None
        self.out.append(Ended(self.match.outcome, self.match.digest(), cheat))
        for place in self.places:
            place.stand_in = False
        self.places = [place for place in self.places if place.status != LEFT]

    # -- players who go and come back -----------------------------------------------------------

    def _status(self, _author: bytes, peer: bytes, here: bool) -> None:
        for place in self.places:
            if place.peer == peer and place.status != LEFT and (place.status == HERE) is not here:
                if here:
                    place.status, place.stand_in = HERE, False
                    self._seat_status(self.places.index(place), HERE)
                    self.out.append(Notice(N_("{name} is back."), {"name": place.name}))
                else:
                    self._mark(place, AWAY)
                    self.out.append(Notice(N_("{name} is away."), {"name": place.name}, wrong=True))
        self.out.append(LobbyChanged())

    def _mark(self, place: Place, status: str) -> None:
        place.status = status
        if self.running:
            self._seat_status(self.places.index(place), AWAY)
            self.out.append(
                Notice(N_("The table can wait, let a bot play for {name}, or end the match: wait, bot, end."),
                       {"name": place.name}, wrong=True)
            )  # fmt: skip

    def _seat_status(self, seat: int, status: str) -> None:
        if self.running and self.match is not None and seat < len(self.match.status):
            self._feed(None, (SEAT, seat, status))

    def _decide(self, peer: bytes, what: str, seat: int) -> None:
        if self.place_of(peer) is None or not self.running or not 0 <= seat < len(self.places):
            raise Refused(N_("Only players of a running match decide that."))
        place = self.places[seat]
        if what != places.END and (place.status == HERE or place.peer == self.host):
            raise Refused(N_("{name} is here and plays."), name=place.name)
        by = {"name": self.name_of(peer), "other": place.name}
        if what == places.BOT:
            place.stand_in = True
            self.out.append(Notice(N_("{name} lets a bot of the host play for {other}."), by))
            self._seat_status(seat, "bot")
        elif what == places.WAIT:
            place.stand_in = False
            self.out.append(Notice(N_("{name} lets the table wait for {other}."), by))
            self._seat_status(seat, AWAY)
        elif what == places.END:
            if all(one.status == HERE for one in self.places):
                raise Refused(N_("Everybody is here; the match can be ended only when a player is away."))
            self.out.append(Notice(N_("{name} ends the match."), by))
            assert self.match is not None
            self.match.break_off()
            self._end()
