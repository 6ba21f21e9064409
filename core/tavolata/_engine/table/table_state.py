"""The table as a replicated state machine: its roster, its lobby and its matches.

It is pure: the same entries in the same order make the same state on every peer. Data of one machine (its
keys, its dealer's book) reach a match through `PeerPort`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from tavolata._engine.match.source import Stamp
from tavolata._engine.match.updates import Notice, Update
from tavolata._engine.table import log_bodies
from tavolata._engine.table.lobby import Lobby
from tavolata._engine.table.log_bodies import KEY_SIZE
from tavolata._engine.table.matches import Matches, PeerPort
from tavolata._engine.table.moderation import Moderation
from tavolata._engine.table.roster import Succession, TableRoster
from tavolata._engine.table.trust_notice import NARRATOR_GONE, who_deals, who_narrates
from tavolata._engine.table.wishes import Wishes
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata_protocol.admission import LIMITS, Entrance


class TableState:
    def __init__(self, rules: type[Game[Any]], *, me: bytes, local: PeerPort, table: bytes = b"") -> None:
        self.me = me
        self.out: deque[Update] = deque()
        self.roster = TableRoster(me, self.out)
        self.matches = Matches(self.roster, local, table)
        self.moderation = Moderation(self.roster, self.matches)
        self.succession = Succession(self.roster)
        self.lobby = Lobby(rules, local, self.roster, self.matches, self.moderation)
        self.wishes = Wishes(self.roster, self.matches)
        self._apply: dict[int, Callable[..., None]] = {
            log_bodies.FOUND: self.lobby.found,
            log_bodies.ENTER: self.lobby.enter,
            log_bodies.LEAVE: self.lobby.leave,
            log_bodies.EXPEL: self.lobby.expel,
            log_bodies.CHAT: self.lobby.chat,
            log_bodies.SET: self.lobby.set,
            log_bodies.READY: self.lobby.ready,
            log_bodies.RENAME: self.lobby.rename,
            log_bodies.PAGES: self.lobby.serve_pages,
            log_bodies.LOOK: self.lobby.choose_look,
            log_bodies.LIGHT: self.lobby.show_light,
            log_bodies.WISH: self.wishes.say,
            log_bodies.TEAMS: self.lobby.set_teams,
            log_bodies.TEAM: self.lobby.join_team,
            log_bodies.TEAM_LOT: self.lobby.draw_teams,
            log_bodies.EDITION: self.lobby.say_edition,
            log_bodies.CAMPAIGN: self.lobby.say_campaign,
            log_bodies.START: self.lobby.start,
            log_bodies.IN: self.matches.say_in,
            log_bodies.FALL: self.matches.fall,
            log_bodies.SUSPEND: self.matches.suspend,
            log_bodies.NUDGE: self.matches.nudge,
            log_bodies.ONWARD: self.matches.say_continuation,
            log_bodies.PLAY: self.matches.play,
            log_bodies.STATE: self.matches.claim_state,
            log_bodies.STATUS: self.lobby.status,
            log_bodies.DECIDE: self.matches.decide,
            log_bodies.ADDRESS: self.lobby.address,
            log_bodies.BOTS: self.lobby.bots,
            log_bodies.KEYS: self.lobby.set_keys,
            log_bodies.CODE: self.lobby.change_code,
            log_bodies.POLICY: self.lobby.set_policy,
            log_bodies.GAME: self.lobby.change_game,
            log_bodies.WHISPER: self.lobby.whisper,
            log_bodies.KICK: self.moderation.kick,
            log_bodies.BAN: self.moderation.ban,
            log_bodies.LOCK: self.moderation.lock,
            log_bodies.MUTE: self.moderation.mute,
            log_bodies.HEIR: self.succession.hand_over,
            log_bodies.VOTE_HOST: self.succession.vote,
        }

    def apply(self, stamp: Stamp, body: bytes) -> None:
        """Act on an entry of the agreed log; an invalid entry is void on every peer."""
        entry = log_bodies.read(body)
        if entry is None:
            return
        verb, rest = entry
        author = stamp.author
        if verb == log_bodies.COMPANION:
            author += rest[0]
            entry = log_bodies.of_companion(*rest) if self._may_serve(author) else None
            if entry is None:
                return
            verb, rest = entry
        self.matches.stamp = stamp
        host = self.roster.host
        self.succession.heard(stamp.author)
        self.matches.heard(stamp.author)
        try:
            self._apply[verb](author, *rest)
        except Refused as refusal:
            self.roster.tell_refusal(author, refusal)
        self.lobby.settle()
        if self.roster.host != host:
            self._tell_of_narrator(host)

    def _tell_of_narrator(self, host: bytes) -> None:
        """Say that the match waits, if the host that is gone narrates it."""
        narrator = self.matches.narrator
        if narrator is not None and narrator.key == host:
            self.out.append(Notice(NARRATOR_GONE, {"name": narrator.name}, wrong=True))

    def _may_serve(self, person: bytes) -> bool:
        """Return True if a machine may speak for this person: it's here and doesn't serve too many others.

        Those who were shown out, or not let in, count, too: a machine can invent as many as it likes.
        """
        machine = person[:KEY_SIZE]
        refused = {one for one in self.moderation.shown_out if one != machine and one.startswith(machine)}
        served = self.roster.companions(machine) | refused
        return self.roster.is_here(machine) and (
            person in served or len(served) < LIMITS[Entrance.SERVED].source
        )

    @property
    def dealing(self) -> tuple[str, dict[str, Any]]:
        """The trust notice of the present match, or of the next one: who deals, and what this means."""
        roster, running = self.roster, self.matches.running
        narrator = self.lobby.narrator if running is None else running.header.narrator
        if narrator is not None:
            own = roster.place_of(narrator.key)
            return who_narrates(narrator.name, plays=own is not None and own.level is None)
        dealer = self.lobby.dealer if running is None else running.header.dealer
        here = tuple(place.peer for place in roster.here)
        keys = here if running is None else running.header.parties
        machine = roster.host if running is None else self.matches.dealer
        host = machine, roster.name_of(machine)
        return who_deals(dealer, keys, host, roster.owners, serves=bool(roster.companions(machine)))
