"""The table as every peer knows it: the lobby and the match that is on it.

A pure replicated state machine: the same entries in the same order make the same state on every
peer. What only one machine knows (its keys, its dealer's book) reaches a match through `PeerPort`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from typing_extensions import override

from tavolata._engine.match.entries import DEAL, SAY, SEAT, Entry, plain
from tavolata._engine.match.header import HOST, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.ports import Together
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.updates import Began, Ended, LobbyChanged, Notice, Told
from tavolata._engine.table import log_bodies
from tavolata._engine.table.chat import spoken
from tavolata._engine.table.lobby import Lobby
from tavolata._engine.table.log_bodies import AWAY, HERE, LEFT, Place
from tavolata._engine.table.permissions import BY_SEAT, may_say
from tavolata._engine.table.trust_notice import who_deals
from tavolata._text import one_line
from tavolata.errors import GameError, Refused
from tavolata.game import Game
from tavolata.messages import N_, Event

_ID = re.compile("[0-9a-f]{16}")
DECIDE = N_("The table can wait, let a bot play for {name}, or end the match: wait, bot, end.")
DECIDE_WITHOUT_BOT = N_("The table can wait for {name}, or end the match: wait, end.")
NO_DEALER = N_("Nobody can deal in the host's place: wait, or end the match.")
NO_KEYS = N_("A bot has no keys, and it takes {t} of the machines with the keys; here: {here}. "
             "Wait, or end the match.")  # fmt: skip
CHANGED = N_("The places have changed; start again.")


class PeerPort(Protocol):
    """What only this machine can give a match."""

    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        """A game that comes to the table, as it is on this machine."""
        ...

    def source(self, header: Header) -> LogSource:
        """The source of a match that begins."""
        ...

    def entered(self, header: Header, entry: Entry) -> None:
        """An entry of the match is about to be acted on."""
        ...

    def noted(self, author: bytes, note: bytes) -> None:
        """The author of the entry that comes next left itself a note."""
        ...

    def words(self, header: Header, seat: int, box: bytes) -> str | None:
        """What was said to one seat, None if it is not for this machine."""
        ...

    def ended(self, header: Header, ended: Ended) -> None:
        """The match is over."""
        ...


class TableState(Lobby):
    """The state of a table.

    Args:
        rules: the game that is played here.
        me: the own identity.
        local: what only this machine can give.

    Attributes:
        match, header: the match on the table, running or over; None before the first.
        played: how many matches were begun here.
        expelled: the peers that were caught cheating in the dealing of this match.
    """

    def __init__(self, rules: type[Game[Any]], *, me: bytes, local: PeerPort) -> None:
        super().__init__(rules, me=me)
        self._local = local
        self.match: Match[LogSource] | None = None
        self.header: Header | None = None
        self.played = 0
        self._falls_apart = False
        self.expelled: set[bytes] = set()
        self._apply: dict[int, Callable[..., None]] = {
            log_bodies.FOUND: self._found,
            log_bodies.ENTER: self._enter,
            log_bodies.LEAVE: self._leave,
            log_bodies.CHAT: self._chat,
            log_bodies.SET: self._set,
            log_bodies.READY: self._ready,
            log_bodies.START: self._start,
            log_bodies.PLAY: self._play,
            log_bodies.STATUS: self._status,
            log_bodies.DECIDE: self._decide,
            log_bodies.ADDRESS: self._address,
            log_bodies.BOTS: self._bots,
            log_bodies.KEYS: self._keys,
            log_bodies.CODE: self._code,
            log_bodies.POLICY: self._policy,
            log_bodies.GAME: self._game,
        }

    @property
    def running(self) -> bool:
        """Whether a match is being played."""
        return self.match is not None and not self.match.over

    @property
    def moment(self) -> int:
        """Another number whenever digests are to be compared: at each turn's end, and at the match's."""
        match = self.match
        return -1 if match is None else match.table.turn + (1 << 20 if match.over else 0)

    def digest(self) -> bytes:
        """The digest of the match that all peers compare; empty where the game's state has none."""
        try:
            return b"" if self.match is None else self.match.digest()
        except GameError:
            return b""

    def apply(self, author: bytes, body: bytes) -> None:
        """Act on an entry of the agreed log; what makes no sense is void on every peer alike."""
        entry = log_bodies.read(body)
        if entry is None:
            return
        verb, rest = entry
        try:
            self._apply[verb](author, *rest)
        except Refused as refusal:
            self._tell_refusal(author, refusal)

    def _tell_refusal(self, author: bytes, refusal: Refused, seat: int | None = None) -> None:
        """Tell whoever tried it, and nobody else; what a bot tried is of no interest to anybody."""
        by_bot = seat is not None and (self.places[seat].level is not None or self.places[seat].stand_in)
        if author == self.me and not by_bot:
            self.out.append(Notice(refusal.message, refusal.params, wrong=True, seat=seat))

    def _rules_of(self, game: str, rules_id: int) -> type[Game[Any]]:
        return self._local.rules(game, rules_id)

    def _game(self, peer: bytes, game: str, rules_id: int, seats: int, options: dict[str, Any]) -> None:
        super()._game(peer, game, rules_id, seats, options)
        self.match = self.header = None  # what is told from here on is of the new game

    # -- the match ----------------------------------------------------------------------------

    def _start(self, peer: bytes, data: dict[str, Any], leader: bytes) -> None:
        self._host_only(peer)
        self._lobby_only()
        header = self._agreed(data)
        if leader != self.leader:
            raise Refused(CHANGED)
        for place in [place for place in self.places if place.status != HERE]:
            self._unseat(place)
        self.header, self.match = header, None
        self.played += 1
        for place in self.places:
            place.ready = place.level is not None
        self.out.append(Began())
        if len(set(header.keys)) > 1 or self.watchers:  # else there is nobody who would have to trust
            self.out.append(Notice(*who_deals(header.dealer, header.keys, self.name_of(self.host))))
        self.expelled.clear()
        source = self._local.source(header)
        self._guarded(lambda: self._begin(header, source))

    def _begin(self, header: Header, source: LogSource) -> None:
        self.match = Match(self.rules, header.terms(self.rules), source, self._told)
        self.match.run()

    def _told(self, event: Event) -> None:
        assert self.match is not None
        self.out.append(Told(event, self.match.glance()))

    def _agreed(self, data: dict[str, Any]) -> Header:
        """The header in these data, if it says what this table has agreed."""
        changed = Refused(CHANGED)
        try:
            header = Header.of(data)
        except (TypeError, KeyError):
            raise changed from None
        pace = header.pace
        if (
            header != replace(self.terms(header.id), version=header.version, pace=pace)
            or not (type(header.id) is str and _ID.fullmatch(header.id))
            or not (pace is None or (type(pace) in (int, float) and 0 <= pace <= 60))
            or not self.rules.seats[0] <= len(header.keys) <= self.rules.seats[1]
        ):  # fmt: skip
            raise changed
        return header

    @property
    def dealing(self) -> tuple[str, dict[str, Any]]:
        """Who deals the match, or would deal the next one, and what that means: what all are told."""
        host = self.name_of(self.host)
        if self.running and self.header is not None:
            return who_deals(self.header.dealer, self.header.keys, host)
        return who_deals(self.dealer, [place.peer for place in self.places if place.status == HERE], host)

    def terms(self, match_id: str, pace: float | None = None) -> Header:
        """The header of a match that would begin with those who are here."""
        here = [place for place in self.places if place.status == HERE]
        return Header(
            id=match_id,
            game=self.rules.name,
            version=self.rules.version,
            rules_id=self.rules.rules_id,
            options=self.options,
            names=tuple(place.name for place in here),
            bots=tuple(place.level for place in here),
            dealer=self.dealer if len({place.peer for place in here}) > 1 else HOST,
            pace=pace,
            keys=tuple(place.peer for place in here),
        )

    def _play(self, peer: bytes, match_id: str, entry: list[Any], note: bytes) -> None:
        if self.running and self.header is not None and match_id == self.header.id and self._may(peer, entry):
            if note:
                self._local.noted(peer, note)
            self._feed(peer, plain(entry))

    def _may(self, peer: bytes, entry: list[Any]) -> bool:
        """Whether this peer may say that; see `rights.may_say`."""
        return peer not in self.expelled and may_say(
            entry,
            party=self._party_of(peer),
            seats=self.seats_of(peer),
            steward=peer == self.steward,
            host=peer == self.host,
        )

    def _feed(self, peer: bytes | None, entry: Entry) -> None:
        match, header = self.match, self.header
        assert match is not None
        assert header is not None
        source = match.source
        said = spoken(entry, header, self._local.words, mine=peer == self.me) if entry[0] == SAY else None
        if entry[0] == SAY and said is None:
            return
        self._local.entered(header, entry)
        number, before = len(source.entries), len(self.out)
        self._guarded(lambda: match.feed(entry))
        self._look_for_cheats(source)
        refusal = source.voids.get(number)
        if refusal is not None and peer is not None and entry[0] != DEAL:
            self._tell_refusal(peer, refusal, entry[1] if entry[0] in BY_SEAT else None)
        elif said is not None:
            self.out.insert(before, said)  # the words come before what they led to

    def _party_of(self, peer: bytes) -> int | None:
        """A peer's number among those who deal together, as their entries name it."""
        assert self.header is not None
        parties = list(dict.fromkeys(self.header.keys))
        return parties.index(peer) + 1 if peer in parties else None

    def _look_for_cheats(self, source: LogSource) -> None:
        """Go on without those who were convicted in the dealing, or end the match where that can't be."""
        together = source.together
        if together is None or together.convicted().keys() <= self.expelled:
            return
        new = {peer: charge for peer, charge in together.convicted().items() if peer not in self.expelled}
        self.expelled |= new.keys()
        for peer in new:
            self.out.append(
                Notice(N_("{name} cheated in the dealing and is out of the match; `tt verify` says how."),
                       {"name": self.name_of(peer)}, wrong=True)
            )  # fmt: skip
        if self.running and together.is_lost and self.match is not None and self.header is not None:
            peer, charge = next(iter(new.items()))
            self.match.convict(Conviction(self.header.keys.index(peer), charge))
            self._end()
            return
        for place in [place for place in self.places if place.peer in new and place.status != LEFT]:
            self._gone(place, LEFT)
        if self.host in new:
            self._pass_on()

    @property
    @override
    def steward(self) -> bytes:
        """In a match that all deal together, the first of those who do."""
        together = self._together
        return (None if together is None else together.steward) or super().steward

    @property
    def _together(self) -> Together | None:
        """The dealing of the running match, if all do it together."""
        return self.match.source.together if self.match is not None and self.running else None

    def why_no_bot(self, place: Place | None = None) -> tuple[str, dict[str, Any]] | None:
        """Why the match would not go on with a bot in this place, or in any; None if it may.

        It says what to offer; an entry that decides so all the same counts, and helps when others are back.
        """
        if place is not None and place.peer == self.host and self.header and self.header.dealer == HOST:
            return NO_DEALER, {}
        short = None if self._together is None else self._together.needs_return
        return None if short is None else (NO_KEYS, {"here": short[0], "t": short[1]})

    def _guarded(self, act: Callable[[], object]) -> None:
        """Let the rules run; where they break, the match ends, on every peer alike."""
        try:
            act()
        except Exception as error:  # noqa: BLE001 - rules are a stranger's code; the table outlives them
            problem = one_line(f"{type(error).__name__}: {error}", 200)
            self.out.append(
                Notice(N_("The rules of {game} broke, and the match with them: {problem}"),
                       {"game": self.rules.name, "problem": problem}, wrong=True)
            )  # fmt: skip
            if self.match is not None:
                self.match.break_off()
        if self.match is not None and self.match.over:
            self._end()

    def _end(self) -> None:
        match, header = self.match, self.header
        assert match is not None
        assert header is not None
        source = match.source
        done = (entry for number, entry in enumerate(source.entries) if number not in source.voids)
        statistics = StatisticsBuilder(len(header.names), done).statistics(match.turns)
        ended = Ended(match.outcome, self.digest(), match.conviction, statistics)
        self._local.ended(header, ended)
        self.out.append(ended)
        for place in self.places:
            place.stand_in = False
        self.places = [place for place in self.places if place.status != LEFT]

    # -- players who go and come back -----------------------------------------------------------

    def _gone(self, place: Place, status: str) -> None:
        super()._gone(place, status)
        if self.running and not self._falls_apart:
            place.decided = False
            self._seat_status(place, AWAY)
            said = DECIDE if self.why_no_bot(place) is None else DECIDE_WITHOUT_BOT
            self.out.append(Notice(said, {"name": place.name}, wrong=True))

    def _leave(self, peer: bytes) -> None:
        self._falls_apart = self.running and peer == self.host and self.rests_on(peer)
        super()._leave(peer)
        if self._falls_apart:
            self._break_off()
        self._falls_apart = False

    def rests_on(self, host: bytes) -> bool:
        """Whether match or table can't go on without the host: it deals alone, or leaves one player alone."""
        others = {place.peer for place in self.places if place.status != LEFT} - {host}
        deals = self.running and self.header is not None and self.header.dealer == HOST
        return len(others) < 2 or deals

    def _break_off(self) -> None:
        assert self.match is not None
        self.match.break_off()
        self._end()

    def _back(self, place: Place) -> None:
        if self.running and place.peer in self.expelled:
            return
        super()._back(place)
        self._seat_status(place, HERE)

    def _seat_status(self, place: Place, status: str) -> None:
        seat = next((seat for seat, one in enumerate(self.places) if one is place), -1)
        if self.running and self.match is not None and self.match.status[seat] != status:
            self._feed(None, (SEAT, seat, status))

    def _decide(self, peer: bytes, what: str, seat: int) -> None:
        if self.place_of(peer) is None or not self.running or not 0 <= seat < len(self.places):
            raise Refused(N_("Only players of a running match decide that."))
        place = self.places[seat]
        if place.status == HERE:
            raise Refused(N_("{name} is here and plays."), name=place.name)
        by = {"name": self.name_of(peer), "other": place.name}
        dealt = self.header is not None and self.header.dealer == HOST
        if what == log_bodies.BOT and place.peer == self.host and dealt:
            raise Refused(NO_DEALER)
        place.decided = True
        if what == log_bodies.BOT:
            place.stand_in = True
            self.out.append(Notice(N_("{name} lets a bot of the host play for {other}."), by))
            self._seat_status(place, "bot")
        elif what == log_bodies.WAIT:
            place.stand_in = False
            self.out.append(Notice(N_("{name} lets the table wait for {other}."), by))
            self._seat_status(place, AWAY)
        elif what == log_bodies.END:
            self.out.append(Notice(N_("{name} ends the match."), by))
            self._break_off()
        self.out.append(LobbyChanged())
