"""What stands at a table before, between and beside matches: places, options, talk, addresses.

Replicated like `table_state`, whose other half this is: the same entries, the same lobby on every peer.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from tavolata._engine.match.header import FAIR, HOST, STRICT
from tavolata._engine.match.seating import BOT_NAMES
from tavolata._engine.match.updates import Happening, LobbyChanged, Notice, Said
from tavolata._engine.table.log_bodies import AWAY, BOT, END, HERE, LEFT, WAIT, Place
from tavolata._engine.table.table_keys import SECRET_SIZE, TableKeys
from tavolata._text import one_line
from tavolata.errors import MessageError, Refused, TavolataError
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.codes import read_code, show_code

MAX_TEXT = 400
MAX_NAME = 24
DEALERS = (FAIR, STRICT, HOST)
"""How a table can deal."""


class Lobby:
    """Places, options and talk.

    Args:
        rules: the game that is played here.
        me: the own identity.

    Attributes:
        seats: how many places there are; 0 until the host has said so.
        options: the house rules as plain data.
        host: the identity of the peer that opened the table.
        dealer: how cards are dealt here; see `header`.
        places: who sits, in turn order.
        watchers: names of those who watch, by peer.
        arrived: nonces of those who introduced themselves.
        leader: who leads the log, as its own entries say.
        closed: whether the host has left with nobody to keep the table for, and it is no more.
        out: what happened, for whoever shows it.
        addresses: where peers are reached.
        keys: those of a private table; None for an open one.
        policy: what is decided about a player who is away where nobody else decides.
    """

    def __init__(self, rules: type[Game[Any]], *, me: bytes) -> None:
        self.rules = rules
        self.me = me
        self.seats = 0
        self.options: dict[str, Any] = {}
        self.host = b""
        self.dealer = FAIR
        self.places: list[Place] = []
        self.watchers: dict[bytes, str] = {}
        self.arrived: set[bytes] = set()
        self.closed = False
        self.out: deque[Happening] = deque()
        self.addresses: dict[bytes, tuple[str, int]] = {}
        self.keys: TableKeys | None = None
        self.policy = WAIT
        self.leader = b""

    @property
    def running(self) -> bool:
        """Whether a match is being played."""
        raise NotImplementedError

    # -- looking ------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        """Whether all places are taken; one whose player is away between matches is not."""
        taken = [place for place in self.places if self.running or place.status == HERE]
        return len(taken) >= self.seats

    def place_of(self, peer: bytes) -> Place | None:
        """The place that a peer's own player has (bots of the host are not its own)."""
        return next((place for place in self.places if place.peer == peer), None)

    def people(self) -> list[Place]:
        """The places of people at other machines."""
        return [place for place in self.places if place.level is None and place.peer != self.me]

    def seats_of(self, peer: bytes) -> list[int]:
        """The seats that this peer answers for now."""
        return [
            seat
            for seat, place in enumerate(self.places)
            if (self.steward if place.stand_in else place.peer) == peer
        ]

    def name_of(self, peer: bytes) -> str:
        """What a peer is called."""
        place = self.place_of(peer)
        return place.name if place is not None else self.watchers.get(peer, "?")

    @property
    def steward(self) -> bytes:
        """The peer that does what somebody has to do for all: the host, or who is here while it is away.

        Its bots stand in for players who are gone, it says when time has run out, and in the lobby it is
        the one that starts.
        """
        host = self.place_of(self.host)
        if host is None or host.status == HERE:
            return self.host
        return next((place.peer for place in self.places if place.status == HERE), self.host)

    def may_report(self, peer: bytes) -> bool:
        """Whether a peer may say who is heard, and where: the leader of the log, and the host.

        While the host is away anybody may: who leads next is not settled at once.
        """
        host = self.place_of(self.host)
        return peer in (self.host, self.leader) or (host is not None and host.status != HERE)

    # -- coming and going -----------------------------------------------------------------------

    def _found(
        self, peer: bytes, game: str, rules_id: int, seats: int, options: dict[str, Any], dealer: str
    ) -> None:
        if self.host or dealer not in DEALERS:
            return
        rules = self._rules_of(game, rules_id)
        low, high = rules.seats
        if not low <= seats <= high:
            return
        self.rules = rules
        self.options = self._checked(options)
        self.host, self.seats, self.dealer = peer, seats, dealer

    def _rules_of(self, game: str, rules_id: int) -> type[Game[Any]]:
        """The rules of a game, as they are on this machine.

        Raises:
            Refused: there is no such game at all.
        """
        raise NotImplementedError

    def _game(self, peer: bytes, game: str, rules_id: int, seats: int, options: dict[str, Any]) -> None:
        """Another game comes to the table; people stay where they sit, bots of the old one get up."""
        self._host_only(peer)
        self._lobby_only()
        people = [place for place in self.places if place is self.place_of(place.peer)]
        rules = self._rules_of(game, rules_id)
        low, high = rules.seats
        if not low <= seats <= high or len(people) > seats:
            raise Refused(N_("{game} is for {low} to {high} players."), game=game, low=low, high=high)
        self.rules, self.seats, self.places = rules, seats, people
        self.options = self._checked(options)
        for place in self.places:
            place.ready = place.level is not None
        self.out.append(Notice(N_("{name} puts {game} on the table."),
                               {"name": self.name_of(peer), "game": game}))  # fmt: skip
        self.out.append(LobbyChanged(whole=True))

    def _enter(self, peer: bytes, nonce: bytes, name: str, watch: bool, level: str | None) -> None:
        if not self.host:
            return
        self.arrived.add(nonce)
        level = None if level is None else one_line(level, MAX_NAME)
        mine = self.place_of(peer)
        if mine is not None:
            mine.level = level
            self._back(mine)
        elif watch or self.running or self.full:
            self.watchers[peer] = self.watchers.get(peer) or self._unused(name)
            self.out.append(Notice(N_("{name} is watching."), {"name": self.watchers[peer]}))
        else:
            self.watchers.pop(peer, None)
            if len(self.places) >= self.seats:  # somebody who is away loses the place to who is here
                gone = next(place for place in self.places if place.status != HERE)
                self._unseat(gone)
            self.places.append(Place(self._unused(name), peer, level, ready=level is not None))
            self.out.append(Notice(N_("{name} sits down."), {"name": self.places[-1].name}))
        self.out.append(LobbyChanged())

    def _unused(self, name: str) -> str:
        taken = {place.name for place in self.places} | set(self.watchers.values())
        name = one_line(name, MAX_NAME).replace("@", "") or "?"
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} {number}"
        return free

    def _unseat(self, place: Place) -> None:
        """A player who is away between two matches watches, if it comes back."""
        self.places.remove(place)
        self.watchers[place.peer] = place.name

    def _leave(self, peer: bytes) -> None:
        name = self.name_of(peer)
        if self.watchers.pop(peer, None) is None and self.place_of(peer) is None:
            return
        self.out.append(Notice(N_("{name} has left the table."), {"name": name}))
        if self.running:
            for place in self.places:
                if place.peer == peer and place.status != LEFT:
                    self._gone(place, LEFT)
        else:
            self.places = [place for place in self.places if place.peer != peer]
        if peer == self.host:
            self._hand_over()
        if not self.closed:
            self.out.append(LobbyChanged())

    def _hand_over(self) -> None:
        """The host has left; where one alone would be left there is nothing to keep, and the table closes."""
        if len({place.peer for place in self.places if place.status == HERE}) < 2:
            self.closed = True
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        """The first who is here keeps the table from now on, people before bots."""
        here = [place for place in self.places if place.status == HERE]
        heir = next((place for place in here if place.level is None), next(iter(here), None))
        if heir is not None:
            self.host = heir.peer
            self.out.append(Notice(N_("{name} keeps the table now."), {"name": heir.name}))

    def _status(self, author: bytes, peer: bytes, here: bool) -> None:
        if not (self.may_report(author) or peer in (author, self.host)):
            return
        for place in self.places:
            if place.peer == peer and place.status != LEFT and (place.status == HERE) is not here:
                if here:
                    self._back(place)
                else:
                    self.out.append(Notice(N_("{name} is away."), {"name": place.name}, wrong=True))
                    self._gone(place, AWAY)
                self.out.append(LobbyChanged())

    def _back(self, place: Place) -> None:
        """A player is here (again)."""
        if place.status != HERE:
            self.out.append(Notice(N_("{name} is back."), {"name": place.name}))
        place.status, place.stand_in, place.decided = HERE, False, False

    def _gone(self, place: Place, status: str) -> None:
        """A player is away, or has left in the middle of a match."""
        place.status = status

    def _address(self, author: bytes, peer: bytes, host: str, port: int) -> None:
        if self.may_report(author) and 0 < port < 65536:
            self.addresses[peer] = (one_line(host, 64), port)

    def _keys(self, peer: bytes, secret: bytes, code: str) -> None:
        self._host_only(peer)
        if self.keys is None and len(secret) == SECRET_SIZE and read_code(code) == code:
            self.keys = TableKeys(secret, code)

    def _code(self, peer: bytes, code: str) -> None:
        if self.keys is None or read_code(code) != code or not self._belongs(peer):
            return
        self.keys = TableKeys(self.keys.secret, code)
        if self.steward == self.me:
            changed = N_("Ten wrong codes were tried, so the code has changed: it is {code} now.")
            self.out.append(Notice(changed, {"code": show_code(code)}, wrong=True))

    def _policy(self, peer: bytes, what: str) -> None:
        self._host_only(peer)
        if what in (WAIT, BOT, END):
            self.policy = what

    def _belongs(self, peer: bytes) -> bool:
        return peer in self.watchers or self.place_of(peer) is not None

    # -- talk and terms -------------------------------------------------------------------------

    def _chat(self, peer: bytes, text: str, to: int) -> None:
        text = one_line(text, MAX_TEXT)
        if text and self._belongs(peer):
            whom = self.places[to].name if 0 <= to < len(self.places) else None
            self.out.append(Said(self.name_of(peer), text, whom, peer == self.me))

    def _set(self, peer: bytes, options: dict[str, Any]) -> None:
        self._host_only(peer)
        self._lobby_only()
        self.options = self._checked(options)
        for place in self.places:
            place.ready = place.level is not None  # nobody is ready for what was not said yet
        self.out.append(LobbyChanged())

    def _checked(self, options: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.rules.options.parse(options).plain()
        except MessageError as error:
            raise Refused(error.message, **error.params) from error
        except TavolataError as error:
            raise Refused(str(error)) from error

    def _ready(self, peer: bytes, yes: bool) -> None:
        place = self.place_of(peer)
        if place is not None and place.ready is not yes:
            place.ready = yes
            self.out.append(LobbyChanged())

    def _bots(self, peer: bytes, levels: list[Any]) -> None:
        self._host_only(peer)
        self._lobby_only()
        own = self.place_of(peer)
        self.places = [place for place in self.places if place.peer != peer or place is own]
        for level in levels[: max(0, self.seats - len(self.places))]:
            name = self._unused(next((one for one in BOT_NAMES if self._unused(one) == one), "Bot"))
            self.places.append(Place(name, peer, one_line(level, MAX_NAME), ready=True))
        self.out.append(LobbyChanged())

    def _host_only(self, peer: bytes) -> None:
        if peer not in (self.host, self.steward):
            raise Refused(N_("Only the host can do that."))

    def _lobby_only(self) -> None:
        if self.running:
            raise Refused(N_("Not while a match is being played."))
