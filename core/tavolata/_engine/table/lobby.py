"""The lobby of a table: arrivals and departures, the terms of the next match, chat, addresses, keys.

Between matches it decides everything; during a match it tells `matches` which players leave and return.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from tavolata._engine.match.campaign import BROKEN, Campaign, is_readable
from tavolata._engine.match.game_info import MOST_CODE, Edition, Editions
from tavolata._engine.match.header import (
    BLIND,
    FAIR,
    HOST,
    IDLE,
    STAND_AFTER,
    STRICT,
    WAIT,
    Header,
    Narrator,
    is_absence,
    is_idle,
)
from tavolata._engine.match.seating import BOT_NAMES, SeatingError, in_teams, known_seats, teams_for
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import UNHEARD, LobbyChanged, Notice, Said, spoken_words
from tavolata._engine.table import table_campaign
from tavolata._engine.table.log_bodies import AWAY, HERE, KEY_SIZE, LEFT, TAG_SIZE, Light, Place
from tavolata._engine.table.matches import START_AGAIN, Matches, PeerPort
from tavolata._engine.table.moderation import Moderation
from tavolata._engine.table.roster import TableRoster
from tavolata._engine.table.table_campaign import TableCampaign
from tavolata._engine.table.table_keys import SECRET_SIZE, TableKeys
from tavolata._text import MAX_CALLED, MAX_NAME, admitted, is_name, one_line
from tavolata.errors import Refused, TavolataError
from tavolata.game import Game
from tavolata.messages import N_
from tavolata.options import Problem, problems_of, refuse_first
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.codes import read_code, show_code

DEALERS = (FAIR, STRICT, HOST)
"""The ways in which a table can deal."""
CHANGED = N_("The seats have changed. Start the match again.")
NO_MORE_WATCHERS = N_("No more people can watch from this machine.")
TAKEN = N_("Someone here already has the name {name}.")
HAS_LOOK = N_("Someone else here already has this colour and mark.")
HUES, MARKS = 8, 8
"""How many colours and marks there are."""
MAX_VERSION = 20
NAMES_STAY = N_("You can't change your name until the match is over: everyone at the table knows you by it.")
PROMISED = N_(
    "{name} has {game} {theirs}; this table has {ours}. The author promises that the rules are the same."
)
PLAYS_UNLIKE = N_(
    "{name}'s {game} code differs: the match may end up void, and lies about cards will go undetected."
)
STRANGER = N_("{name}'s {game} code differs from the table's. No match can start unless the table allows it.")
_TOKEN = re.compile("[A-Za-z0-9_-]{22}")
NO_DEALER = N_("No one can deal {game}: the host has no seat. Host it from a player's computer.")
PLAYS_NEXT = N_("{name} is watching and will play as soon as a seat is free.")
LOOKS_ON = N_(
    "{name} is back and watching. The others are in a new match; the old one is suspended, with no loser."
)


@dataclass
class Chairs:
    """The claims to places.

    Attributes:
        queue: people who watch until a place is free, in order.
        given: the bots that gave their places to people, each with its machine and its level.
    """

    queue: list[bytes] = field(default_factory=list)
    given: list[tuple[bytes, str]] = field(default_factory=list)


class Lobby:
    """Places, options and chat.

    Attributes:
        seats: the most places; 0 until the host has set it.
        chairs: who waits for a place, and who gave one.
        arrived: the nonces of the peers that introduced themselves.
        closed: the host left, and too few people remained.
        mailboxes: by person, the key to which whispers to it are sealed.
        keys: None for an open table.
        policy: the fate of an absent player's seat; empty until the host has set it.
        stand_after: as in `Header`.
        idle: seconds after which a silent player may be nudged.
        fixed: as many machines as at the start are needed to open cards, whoever leaves.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        local: PeerPort,
        roster: TableRoster,
        matches: Matches,
        moderation: Moderation,
    ) -> None:
        self.rules = rules
        self._local = local
        self._roster = roster
        self._matches = matches
        self._moderation = moderation
        self._out = roster.out
        self.seats = 0
        self.chairs = Chairs()
        self.options: dict[str, Any] = {}
        self.dealer = FAIR
        self.arrived: set[bytes] = set()
        self.closed = False
        self.mailboxes: dict[bytes, bytes] = {}
        self.keys: TableKeys | None = None
        self.policy = ""
        self.stand_after = STAND_AFTER
        self.idle = IDLE
        self.fixed = False
        self.teams = 0
        self.editions = Editions()

    # -- queries ------------------------------------------------------------------------------

    @property
    def free(self) -> int:
        """The number of free places; between matches, the place of an absent player is free, too."""
        roster = self._roster
        taken = roster.places if self._matches.is_busy else roster.here
        return self.seats - len(taken)

    @property
    def open_places(self) -> int:
        """The places for people who come now: the free ones, and those of bots that would give way."""
        return self.free + sum(not place.own for place in self._roster.places)

    def rests_on(self, peer: bytes) -> bool:
        """Return True if match or table can't do without a peer: it deals alone, or hosts one player."""
        if self._matches.dealing.is_fair:
            return False  # the match waits, and nobody else ends it
        if self._matches.running is not None:
            return peer == self._matches.dealer
        others = {place.peer for place in self._roster.places if place.status != LEFT} - {peer}
        return peer == self._roster.host and len(others) < 2

    def policy_of(self, dealer: str) -> str:
        """Return what becomes of an absent player's seat: the host's choice, otherwise the default."""
        machines = len({place.peer for place in self._roster.here})
        return self.policy or (BLIND if dealer == FAIR and machines > 2 else WAIT)

    @property
    def problems(self) -> list[Problem]:
        """Return why those who are here, or the fewest who can play, can't play by these house rules."""
        fewest, _ = self.rules.seats
        here = len(self._roster.here)
        return problems_of(self.rules.options.parse(self.options), max(fewest, here), self.teams)

    def terms(self, pace: float | None = None) -> Header:
        """Return the header of a match that would begin now with the present players; it has no id yet.

        Raise `SeatingError` if they can't form the teams that were agreed, `OptionError` if this number can't
        play by these house rules.
        """
        refuse_first(self.problems)
        here, teams = self.seated()
        keys, edition = tuple(place.peer for place in here), self.editions.of_table
        narrator = self.narrator
        dealer = self.dealer if narrator is None and len({place.peer for place in here}) > 1 else HOST
        return Header(
            id="",
            game=self.rules.name,
            version="" if edition is None else edition.version,
            rules_id=self.rules.rules_id,
            options=self.options,
            names=tuple(place.name for place in here),
            bots=tuple(place.level for place in here),
            dealer=dealer,
            pace=pace,
            keys=keys,
            policy=self.policy_of(dealer),
            stand_after=self.stand_after,
            idle=self.idle,
            fixed=self.fixed,
            teams=teams,
            served=tuple(seat for seat, place in enumerate(here) if place.companion),
            code=b"" if edition is None else edition.code,
            codes=self.editions.codes(keys),
            campaign=self._matches.campaign.of_table,
            narrator=narrator,
        )

    @property
    def has_enough(self) -> bool:
        """Return True if at least as many are here as the game needs."""
        return len(self._roster.here) >= self.rules.seats[0]

    @property
    def all_ready(self) -> bool:
        """Return True if everyone here is ready, among them a person, and a match could begin."""
        here = self._roster.here
        enough = self.has_enough and any(place.level is None for place in here)
        if self._matches.is_busy or self.closed or not enough or not all(place.ready for place in here):
            return False
        try:
            self.terms()
        except Refused:
            return False
        return True

    @property
    def narrator(self) -> Narrator | None:
        """The machine that narrates the next match: the host's, if the game has a narrator."""
        host = self._roster.host
        return Narrator(host, self._roster.name_of(host)) if self.rules.narrator and host else None

    def lay(self, header: Header, host: bytes) -> None:
        """Lay the table for a match with this header, so that `terms` returns it; it needs nothing else.

        A header doesn't say by which tags machines serve people, so any tags stand for them.
        """
        roster, matches, mates = self._roster, self._matches, header.teams or (-1,) * len(header.names)
        matches.campaign = TableCampaign(header.campaign)
        matches.expected = None if header.before is None else replace(header, id="")
        self.seats, self.options, self.dealer = len(header.names), header.options, header.dealer
        self.policy, self.stand_after = header.policy, header.stand_after
        self.idle, self.fixed, self.teams = header.idle, header.fixed, len(set(header.teams))
        table = Edition(header.version, header.code, says_facts=False)
        codes = dict(zip(header.keys, header.codes, strict=False))
        others = {key: table._replace(code=code) for key, code in codes.items() if code != table.fingerprint}
        self.editions = Editions(table, unlike=True, others=others)
        narrator = header.narrator
        if narrator is not None and narrator.name not in header.names:  # its bots and phones may play
            roster.watchers[narrator.key] = admitted(narrator.name, MAX_CALLED)
        roster.host, roster.places = host, [
            Place(
                admitted(name, MAX_CALLED), key, level, team=team,
                own=seat in header.served or (seat == header.own_seat(key) and key not in roster.watchers),
                companion=bytes([seat]) * TAG_SIZE if seat in header.served else b"",
            )
            for seat, (name, key, level, team) in enumerate(
                zip(header.names, header.keys, header.bots, mates, strict=True)
            )
        ]  # fmt: skip

    def seated(self) -> tuple[list[Place], tuple[int, ...]]:
        """Return the present players in the order of a match's seats, and by seat the number of the team.

        Raise `SeatingError` if they can't form the teams that were agreed, or one of them has other code or
        another campaign.
        """
        here, teams = self._roster.here, self.rules.teams
        stranger = self.editions.stranger(place.peer for place in here)
        if stranger is not None:
            raise SeatingError(STRANGER, name=self._roster.name_of(stranger), game=self.rules.name)
        campaign = self._matches.campaign
        stranger = campaign.stranger(place.peer for place in here)
        if stranger is not None and campaign.of_table is not None:
            said = {"name": self._roster.name_of(stranger), "campaign": campaign.of_table.name}
            raise SeatingError(table_campaign.STRANGER, **said)
        if (count := teams_for(self.rules, self.teams, len(here))) == 0 or teams is None:
            return here, ()
        order, of = in_teams([place.team for place in here], count, alternate=teams.alternate)
        return [here[at] for at in order], tuple(of)

    # -- arrivals and departures ----------------------------------------------------------------

    def found(
        self, peer: bytes, game: str, rules_id: int, seats: int, options: dict[str, Any], dealer: str
    ) -> None:
        if self._roster.host or dealer not in DEALERS:
            return
        rules = self._local.rules(game, rules_id)
        low, high = rules.seats
        if not low <= seats <= high:
            return
        self.options = self._checked(options, rules, seats)
        self.rules, self.seats = rules, seats
        self.teams = 0 if rules.teams is None else rules.teams.usual(seats)
        self._roster.host, self.dealer = peer, dealer

    def enter(
        self, peer: bytes, nonce: bytes, name: str, watch: bool, level: str | None, mailbox: bytes
    ) -> None:
        roster = self._roster
        if not roster.host or len(nonce) > KEY_SIZE:  # every snapshot has all nonces
            return
        if (why := self._moderation.why_not_enter(peer)) is not None:
            self._moderation.shown_out.add(peer)
            raise Refused(why)
        free = self.open_places if level is None else self.free
        full = watch or self._matches.is_busy or free <= 0
        if len(peer) > KEY_SIZE and full and not roster.belongs(peer):
            self._check_company(peer[:KEY_SIZE])
        self._moderation.shown_out.discard(peer)
        self.arrived.add(nonce)
        roster.lights.pop(peer, None)
        self.editions.others.pop(peer, None)
        self._matches.campaign.others.pop(peer, None)
        self.mailboxes[peer] = mailbox
        level = None if level is None else one_line(level, MAX_NAME)
        mine = roster.place_of(peer)
        if mine is not None and self._matches.is_without(peer):
            roster.watchers[peer] = mine.name
            self._out.append(Notice(LOOKS_ON, {"name": mine.name}))
        elif mine is not None:
            mine.level = level
            if mine.unattended:
                mine.unattended = False
                self._out.append(Notice(N_("{name} is back."), {"name": mine.name}))
            elif not mine.companion:  # whether a companion's machine is heard is another matter
                self._come_back(peer)
        elif full:
            self._come_back(peer)
            roster.watchers[peer] = roster.watchers.get(peer) or roster.unused(name, peer)
            waits = level is None and not watch
            self.chairs.queue = [
                *(one for one in self.chairs.queue if one != peer),
                *([peer] if waits else []),
            ]
            said = PLAYS_NEXT if waits else N_("{name} is watching.")
            self._out.append(Notice(said, {"name": roster.watchers[peer]}))
        else:
            self._sit(peer, roster.watchers.get(peer) or name, level)
        self._out.append(LobbyChanged())

    def _come_back(self, machine: bytes) -> None:
        """Note that a machine is back, and with it everyone it serves and its bots."""
        for place in self._roster.places:
            if place.peer == machine and not self._matches.is_without(machine):
                self._matches.back(place)

    def _sit(self, person: bytes, name: str, level: str | None = None) -> None:
        """Give somebody a place: a free one, an absent player's, or that of the last bot that gives way."""
        roster = self._roster
        roster.watchers.pop(person, None)
        if len(roster.places) >= self.seats:
            absent = next((place for place in roster.places if place.status != HERE), None)
            if absent is not None:
                roster.unseat(absent)
            else:
                bot = next(place for place in reversed(roster.places) if not place.own)
                roster.places.remove(bot)
                self.chairs.given.append((bot.peer, bot.level or ""))
        key, tag = person[:KEY_SIZE], person[KEY_SIZE:]
        roster.places.append(
            Place(roster.unused(name, key), key, level, ready=level is not None, companion=tag)
        )
        self._out.append(Notice(N_("{name} sits down."), {"name": roster.places[-1].name}))

    def settle(self) -> None:
        """Between matches, take the places of those who left in one, or while it was to begin.

        Then seat those who wait for a place; after them, bots that gave way have theirs again.
        """
        roster = self._roster
        if self._matches.is_busy:
            return
        roster.places = [one for one in roster.places if one.status != LEFT and not one.unattended]
        self._forget_company()
        self.chairs.queue = [one for one in self.chairs.queue if one in roster.watchers]
        while self.chairs.queue and (
            len(roster.places) < self.seats or not all(one.own for one in roster.places)
        ):
            person = self.chairs.queue.pop(0)
            self._sit(person, roster.watchers[person])
            self._out.append(LobbyChanged())
        while self.chairs.given and len(roster.places) < self.seats:
            peer, level = self.chairs.given.pop()
            if roster.is_here(peer):
                self._seat_bot(peer, level)
                self._out.append(LobbyChanged())

    def expel(self, _author: bytes, proof: bytes) -> None:
        """Let a machine that lied to the table leave for good; anyone may show the proof."""
        if (liar := self._moderation.expel(proof)) is not None:
            self.leave(liar)

    def _check_company(self, machine: bytes) -> None:
        """Raise Refused if no more people served by a machine may watch: it could invent any number."""
        watchers, limit = self._roster.watchers, LIMITS[Entrance.WATCHERS]
        if sum(one.startswith(machine) for one in watchers) >= limit.source or len(watchers) >= limit.whole:
            raise Refused(NO_MORE_WATCHERS)

    def leave(self, peer: bytes) -> None:
        """Let a person leave of its own accord, or a machine, with everyone it serves."""
        roster, matches = self._roster, self._matches
        if len(peer) > KEY_SIZE:
            self._leave_company(peer)
            return
        falls_apart = matches.running is not None and self.rests_on(peer)
        if matches.barrier is not None and peer in matches.barrier.parties:
            matches.drop_barrier()
        if roster.is_here(peer):
            if roster.belongs(peer):
                self._out.append(Notice(N_("{name} has left the table."), {"name": roster.name_of(peer)}))
            roster.watchers.pop(peer, None)
            roster.pages.pop(peer, None)
            self.mailboxes.pop(peer, None)
            self.editions.others.pop(peer, None)
            matches.campaign.others.pop(peer, None)
            if matches.running is None:
                roster.places = [place for place in roster.places if place.peer != peer]
            for place in roster.places:
                if place.peer == peer and place.status != LEFT:
                    if falls_apart:
                        place.status = LEFT  # no decision is needed any more
                    else:
                        matches.gone(place, LEFT)
            if peer == roster.host:
                self._hand_over()
            if not self.closed:
                self._out.append(LobbyChanged())
        self._forget_company()
        if falls_apart:
            matches.break_off()

    def _forget_company(self) -> None:
        """Forget the people of machines that are gone; one that has stepped away from a match isn't."""
        roster = self._roster
        for person in (*roster.watchers, *self.mailboxes):
            if not roster.is_here(person[:KEY_SIZE]):
                roster.watchers.pop(person, None)
                self.mailboxes.pop(person, None)

    def _leave_company(self, person: bytes) -> None:
        """Let a companion leave: its place is free, or in mid-match a bot of its machine plays there."""
        roster, place = self._roster, self._roster.place_of(person)
        if not roster.belongs(person) or (place is not None and place.unattended):
            return
        is_here, name = roster.lights.get(person, Light.HERE) is Light.HERE, roster.name_of(person)
        said = (
            N_("{name} has left the table.")
            if is_here
            else N_("{name} isn't here any more: the seat is free.")
        )
        roster.watchers.pop(person, None)
        self.mailboxes.pop(person, None)
        if place is not None and self._matches.is_busy:
            place.unattended = True
            said = N_("{name} isn't here. A bot will play until {name} is back.")
            if is_here:
                said = N_("{name} has left the table; a bot on the same computer takes over.")
        elif place is not None:
            roster.places.remove(place)
        self._out += [Notice(said, {"name": name}), LobbyChanged()]

    def _hand_over(self) -> None:
        """Choose another host after the host left; close the table if only one person remains."""
        if not self._matches.dealing.is_fair and len({place.peer for place in self._roster.here}) < 2:
            self.closed = True
        else:
            self._roster.pass_on()

    def status(self, author: bytes, peer: bytes, here: bool) -> None:
        """Take the report of the log's leader that a peer is present or absent."""
        roster = self._roster
        at_table = {roster.host, roster.leader, *(place.peer for place in roster.places)}
        if author not in at_table or not (roster.may_report(author) or peer in (author, roster.host)):
            return
        for place in roster.places:
            if place.peer == peer and place.status != LEFT and (place.status == HERE) is not here:
                if here:
                    self._matches.back(place)
                else:
                    alone = not self._matches.dealing.is_fair
                    said = N_("{name} is away.") if alone else N_("Lost contact with {name}.")
                    if peer == roster.me:
                        said = N_("The table lost contact with you for a while.")
                    self._out.append(Notice(said, {"name": place.name}, wrong=True))
                    self._matches.gone(place, AWAY)
                self._out.append(LobbyChanged())

    def address(self, author: bytes, peer: bytes, host: str, port: int) -> None:
        """Take a peer's address from the leader of the log, which has a session with everyone.

        No one else can send the others' calls astray, even while the host is away.
        """
        if author == self._roster.leader and len(peer) == KEY_SIZE and 0 < port < 65536:
            self._roster.addresses[peer] = (one_line(host, 64), port)

    def set_keys(self, peer: bytes, secret: bytes, code: str) -> None:
        self._roster.expect_host(peer)
        if self.keys is None and len(secret) == SECRET_SIZE and read_code(code) == code:
            self.keys = TableKeys(secret, code)

    def change_code(self, peer: bytes, code: str) -> None:
        self._roster.expect_host(peer)
        if self.keys is None or read_code(code) != code:
            return
        self.keys = TableKeys(self.keys.secret, code)
        if peer == self._roster.me:
            changed = N_("The code has changed. It's now {code}.")
            self._out.append(Notice(changed, {"code": show_code(code)}, wrong=True))

    def set_policy(self, peer: bytes, what: str, stand_after: int, idle: int, fixed: bool) -> None:
        """Set what becomes of absent or silent players, and what happens to t when someone leaves."""
        self._host_between_matches(peer)
        if what in ("", WAIT, BLIND) and is_absence(stand_after) and is_idle(idle):
            self.policy, self.stand_after, self.idle, self.fixed = what, stand_after, idle, fixed

    def say_edition(self, peer: bytes, version: str, code: bytes, says_facts: bool, unlike: bool) -> None:
        """Note by which version and code a peer plays; the host is the first, and speaks for the table.

        The terms of a running match stay: no one can be let off in the middle of one.
        """
        roster, editions = self._roster, self.editions
        edition = Edition(one_line(version, MAX_VERSION), code, says_facts)
        if len(code) > MOST_CODE:
            return
        if editions.of_table is None:
            if peer != roster.host:  # it was about the game before
                return
            editions.of_table, editions.unlike = edition, unlike
        elif roster.belongs(peer) and editions.say(peer, edition):
            told = {"name": roster.name_of(peer), "game": self.rules.name, "theirs": edition.version,
                    "ours": editions.of_table.version}  # fmt: skip
            promised = edition.plays_with(editions.of_table)
            said = PROMISED if promised else PLAYS_UNLIKE if editions.unlike else STRANGER
            self._out.append(Notice(said, told, wrong=not promised))
            if self._matches.barrier is not None and peer in self._matches.barrier.parties:
                self._matches.drop_barrier()  # on terms that are not so
                if promised:
                    self._out.append(Notice(START_AGAIN, wrong=True))
        self._out.append(LobbyChanged())

    def say_campaign(self, peer: bytes, data: bytes) -> None:
        """Take the host's word which campaign is played, or another machine's which copy of it it has.

        A later copy replaces the table's: all see it, and say once more that they're ready.
        """
        roster, matches, copy = self._roster, self._matches, Campaign.of(data)
        if self.rules.legacy is None or (copy is None and data) or matches.running is not None:
            return
        if copy is not None and not is_readable(self.rules, copy):
            raise Refused(BROKEN, game=self.rules.name)
        campaign, table = matches.campaign, matches.campaign.of_table
        if peer == roster.host and (copy is None or table is None or copy.name != table.name):
            self._lobby_only()
            matches.campaign = TableCampaign(copy)
        elif copy is None or table is None or roster.place_of(peer) is None:
            return
        else:
            said = campaign.say(peer, copy)
            if said is None:
                return
            told = {"name": roster.name_of(peer), "campaign": copy.name, "n": copy.matches}
            self._out.append(Notice(said, told, wrong=said == table_campaign.DIFFERS))
            if matches.barrier is not None:
                matches.drop_barrier()  # on terms that are not so
        roster.reset_ready()
        self._out.append(LobbyChanged())

    # -- chat and terms -------------------------------------------------------------------------

    def chat(self, peer: bytes, text: str) -> None:
        roster, text = self._roster, spoken_words(text)
        if text and self._may_talk(peer):
            self._out.append(Said(roster.name_of(peer), text, (), peer.startswith(roster.me)))

    def whisper(self, peer: bytes, to: list[Any], boxes: list[Any]) -> None:
        """Whisper to others; the rest see that there are words, but not which."""
        roster = self._roster
        if not to or len(boxes) != len(to) + 1 or not all(type(one) is bytes for one in (*to, *boxes)):
            return
        if len(set(to)) < len(to) or not self._may_talk(peer) or not all(map(roster.belongs, to)):
            return
        mine = peer.startswith(roster.me)
        heard = (box for one, box in zip((*to, peer), boxes, strict=True) if one.startswith(roster.me))
        opened = (self._local.whispered(peer[:KEY_SIZE], box) for box in heard)
        text = spoken_words(next(filter(None, opened), "")) or UNHEARD
        self._out.append(Said(roster.name_of(peer), text, tuple(map(roster.name_of, to)), mine))

    def _may_talk(self, peer: bytes) -> bool:
        if self._moderation.is_muted(peer):
            raise Refused(N_("The host has muted you."))
        return self._roster.belongs(peer)

    def set(self, peer: bytes, options: dict[str, Any]) -> None:
        self._host_between_matches(peer)
        self.options = self._checked(options, self.rules, self.seats)
        self._roster.reset_ready()
        self._out.append(LobbyChanged())

    @staticmethod
    def _checked(options: dict[str, Any], rules: type[Game[Any]], seats: int) -> dict[str, Any]:
        try:
            return rules.options.parse(options, known_seats(rules, seats)).plain()
        except Refused:
            raise
        except TavolataError as error:
            raise Refused(str(error)) from error

    def ready(self, peer: bytes, yes: bool) -> None:
        place = self._roster.place_of(peer)
        if place is not None and place.ready is not yes:
            place.ready = yes
            self._out.append(LobbyChanged())

    def rename(self, peer: bytes, name: str) -> None:
        roster = self._roster
        if self._matches.is_busy:
            raise Refused(NAMES_STAY)
        before, called = roster.name_of(peer), roster.called(name, peer)
        if not roster.belongs(peer) or not is_name(name) or before in (name, called):
            return
        if roster.is_taken(name, peer):
            raise Refused(TAKEN, name=name)
        roster.rename(peer, called)
        now = {"before": before, "name": roster.name_of(peer)}
        self._out.append(Notice(N_("{before} is now {name}."), now))
        self._out.append(LobbyChanged())

    def serve_pages(self, peer: bytes, port: int, token: str) -> None:
        """Note that a machine serves pages for browsers, which outlive the host's, or no longer does."""
        roster = self._roster
        if roster.is_here(peer) and 0 < port < 65536 and _TOKEN.fullmatch(token):
            roster.pages[peer] = port, token
        else:
            roster.pages.pop(peer, None)
        self._out.append(LobbyChanged())

    def show_light(self, person: bytes, light: int) -> None:
        """Note how a machine sees the page of someone it serves; its own player has no page."""
        roster = self._roster
        if len(person) == KEY_SIZE or not roster.belongs(person) or light not in (0, 1, 2):
            return
        if roster.lights.get(person, Light.HERE) != light:
            roster.lights = {one: how for one, how in roster.lights.items() if roster.belongs(one)}
            roster.lights[person] = Light(light)
            self._out.append(LobbyChanged())

    def choose_look(self, peer: bytes, hue: int, mark: int) -> None:
        """Take a player's choice of colour and mark, at any time; the first one at the table has them."""
        roster = self._roster
        if not roster.belongs(peer) or not (0 <= hue < HUES and 0 <= mark < MARKS):
            return
        if any(
            one != peer and look == (hue, mark) and roster.belongs(one) for one, look in roster.looks.items()
        ):
            raise Refused(HAS_LOOK)
        # Nobody who comes back has what somebody else chose meanwhile.
        kept = {one: look for one, look in roster.looks.items() if roster.may_return(one)}
        roster.looks = {one: look for one, look in kept.items() if look != (hue, mark)} | {peer: (hue, mark)}
        self._out.append(LobbyChanged())

    def bots(self, peer: bytes, levels: list[Any]) -> None:
        self._host_between_matches(peer)
        roster = self._roster
        roster.places = [place for place in roster.places if place.own]
        self.chairs.given.clear()
        for level in levels[: max(0, self.seats - len(roster.places))]:
            self._seat_bot(peer, one_line(level, MAX_NAME))
        self._out.append(LobbyChanged())

    def _seat_bot(self, peer: bytes, level: str) -> None:
        roster = self._roster
        name = roster.unused(next((one for one in BOT_NAMES if roster.unused(one, peer) == one), "Bot"), peer)
        roster.places.append(Place(name, peer, level, ready=True, own=False))

    def set_teams(self, peer: bytes, count: int) -> None:
        self._host_between_matches(peer)
        low, _ = self.rules.seats
        teams = self.rules.teams
        if teams is None or not any(teams.fit(count, seats) for seats in range(low, self.seats + 1)):
            count = teams_for(self.rules, count, self.seats)
        self._part_anew(count)
        self._roster.reset_ready()
        self._out.append(LobbyChanged())

    def _part_anew(self, count: int) -> None:
        self.teams = count
        for place in self._roster.places:
            place.team = -1

    def join_team(self, peer: bytes, number: int) -> None:
        self._lobby_only()
        place = self._roster.place_of(peer)
        if place is None or not -1 <= number < self.teams or place.team == number:
            return
        if sum(one.team == number for one in self._roster.here) >= self.seats // self.teams > 0 <= number:
            raise Refused(N_("That team is full."))
        place.team = number
        self._out.append(LobbyChanged())

    def draw_teams(self, peer: bytes, seed: bytes) -> None:
        self._host_between_matches(peer)
        if not self.teams:
            return
        drawn = sorted(
            self._roster.here, key=lambda place: blake2b(place.name.encode(), key=seed[:16]).digest()
        )
        self._part_anew(self.teams)
        for number, place in enumerate(drawn):
            place.team = number % self.teams
        self._out += [Notice(N_("The teams have been drawn by lot.")), LobbyChanged()]

    def change_game(self, peer: bytes, game: str, rules_id: int, seats: int, options: dict[str, Any]) -> None:
        """Choose another game; people keep their places, bots of the old game leave."""
        self._host_between_matches(peer)
        roster = self._roster
        people = [place for place in roster.places if place.own]
        rules = self._local.rules(game, rules_id)
        low, high = rules.seats
        if not low <= seats <= high or len(people) > seats:
            raise Refused(N_("{game} is for {low} to {high} players."), game=game, low=low, high=high)
        teams = teams_for(rules, 0, seats)
        self.options = self._checked(options, rules, seats)  # nothing is refused any more
        self.rules, self.seats, roster.places = rules, seats, people
        self.chairs.given.clear()
        self._part_anew(teams)
        self.editions = Editions()
        self._matches.campaign = TableCampaign()
        roster.reset_ready()
        self._out.append(Notice(N_("{name} puts {game} on the table."),
                                {"name": roster.name_of(peer), "game": game}))  # fmt: skip
        self._out.append(LobbyChanged(whole=True))
        self._matches.last = None  # later updates are about the new game

    def start(self, peer: bytes, data: bytes, leader: bytes) -> None:
        if self._matches.next_header is not None or self._matches.running is not None:
            if leader != self._roster.leader:
                raise Refused(CHANGED)
            self._matches.go_on(peer, data, self.rules)
            return
        self._host_between_matches(peer)
        roster = self._roster
        header = self._agreed(data)
        if leader != roster.leader:
            raise Refused(CHANGED)
        if header.dealer == HOST and peer not in header.parties:
            raise Refused(NO_DEALER, game=self.rules.name)
        for place in [place for place in roster.places if place.status != HERE]:
            roster.unseat(place)
        roster.places, _ = self.seated()
        roster.reset_ready()
        self.chairs.given.clear()
        self._matches.gather(self.rules, header, data)

    def _agreed(self, data: bytes) -> Header:
        """Return the header in these data, if it fits the terms of this table."""
        changed = Refused(CHANGED)
        try:
            header = Header.of(unpack(data))
            canonical = pack(header.plain()) == data
        except (TypeError, KeyError, ValueError, OverflowError, RecursionError, AttributeError):
            raise changed from None
        pace = header.pace
        try:
            terms = self.terms(pace)
        except Refused:
            raise changed from None
        if (
            header != replace(terms, version=header.version)
            or not canonical
            or not (pace is None or (type(pace) in (int, float) and 0 <= pace <= 60))
            or not self.rules.seats[0] <= len(header.keys) <= self.rules.seats[1]
        ):  # fmt: skip
            raise changed
        return header

    def _host_between_matches(self, peer: bytes) -> None:
        self._roster.expect_host(peer)
        self._lobby_only()

    def _lobby_only(self) -> None:
        if self._matches.is_busy:
            raise Refused(N_("Not while a match is being played."))
