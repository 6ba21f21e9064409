"""A description of the table for the frontends: as data, as lines of text, and as a farewell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tavolata._engine.match.campaign import MATCH_OF
from tavolata._engine.match.seating import SeatingError, known_seats
from tavolata._engine.network.known_peers import KnownPeers
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.presence import Presence
from tavolata._engine.peer.serving import Serving
from tavolata._engine.sessions.commands import TableCommands
from tavolata._engine.sessions.table_facts import (
    CAMPAIGN,
    FULL_TABLE,
    IN_BROWSERS,
    SeatFacts,
    TableFacts,
    said_of_machines,
)
from tavolata._engine.table import log_bodies
from tavolata._engine.table.invitations import Invitation
from tavolata._engine.table.lobby import PLAYS_NEXT
from tavolata._engine.table.log_bodies import Place, Wish
from tavolata._engine.table.table_campaign import STRANGER
from tavolata._text import as_typed
from tavolata.messages import N_, NN_, Text
from tavolata.teams import NAMES
from tavolata_protocol.codes import show_code
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint

Line = tuple[str, Mapping[str, Any]]
"""A message with its parameters."""

BOTS_SEEN = N_("A bot's cards are visible to the machine that runs it.")
TAKEN = NN_("{game}: {n} of {seats} seats taken.", "{game}: {n} of {seats} seats taken.")
MET = {
    Acquaintance.KNOWN: N_("   {name}: key {key}, the same as before"),
    Acquaintance.FIRST_SEEN: N_("   {name}: key {key}, not seen before"),
    Acquaintance.CHANGED_KEY: N_(
        "   {name}: key {key}, different from before. Ask if it's really {name}, then type: confirm {name}"
    ),
}
IN_TEAMS = N_("The match is played in {n} teams.")
IN_TEAM = N_("   {name}: {team}")
_SEATED = {
    "ready": N_("{number}. {name}: ready"),
    "waits": N_("{number}. {name}: not ready yet"),
    "plays": N_("{number}. {name}: playing"),
    "bot": N_("{number}. {name}: {owner}'s bot ({level})"),
    "away": N_("{number}. {name}: away"),
    "stand-in": N_("{number}. {name}: away, bot playing"),
}


class TableSurvey:
    """One peer's knowledge of a table; `known` are the peers that this machine knew before."""

    def __init__(
        self,
        machine: Machine,
        commands: TableCommands,
        serving: Serving,
        library: GameLibrary,
        known: KnownPeers,
        log_driver: LogDriver,
        settings: PeerSettings,
        presence: Presence,
    ) -> None:
        self._machine = machine
        self._state = machine.state
        self._commands = commands
        self._serving = serving
        self._presence = presence
        self._library = library
        self._known = known
        self._log_driver = log_driver
        self._settings = settings

    # -- as data --------------------------------------------------------------------------------

    def facts(self, person: bytes) -> TableFacts:
        """Return the table as data, for a person."""
        state, settings, quorum = self._state, self._settings, self._machine.quorum
        own = state.roster.place_of(person)
        hosts = state.roster.host == person
        code = state.lobby.keys.code if state.lobby.keys is not None and hosts else ""
        key = fingerprint(PeerId(state.roster.host)) if state.roster.host else ""
        wishes = self._wishes()
        return TableFacts(
            rules=state.lobby.rules,
            seats=state.lobby.seats,
            taken=tuple(self._seat(person, seat, place) for seat, place in enumerate(state.roster.places)),
            watchers=dict(state.roster.watchers),
            options=state.lobby.options,
            levels=tuple(self._library.bots),
            running=state.matches.running is not None,
            played=state.matches.played,
            hosts=hosts,
            seated=own is not None,
            ready=own is not None and own.ready,
            by_itself=settings.at_once,
            dealt=state.dealing,
            invitation=Invitation(settings.address, code, key),
            games=self._library.others,
            web=settings.web,
            host=state.roster.name_of(state.roster.host) if state.roster.host else "",
            beside=self._beside(),
            served=self._served(),
            orphaned=TableCommands.go_on_alone.why_not(self._commands) is None,
            may_suspend=self._machine.has_part and quorum.may_stop,
            may_go_on=TableCommands.go_on_without.why_not(self._commands) is None,
            back_to=self._machine.back_to,
            locked=state.moderation.locked,
            banned=dict(state.moderation.banned),
            muted=frozenset(state.moderation.muted),
            problems=() if state.matches.running is not None else tuple(state.lobby.problems),
            teams=state.lobby.teams,
            campaign=tuple(self._campaign()),
            uneven=self._uneven(),
            awaited=self._presence.awaited(),
            short=quorum.waited if quorum.missing else None,
            nudged=self._nudged(),
            starts_in=self._presence.starts_in,
            owns=person == state.me,
            full=self._full,
            knocks=settings.knocks.waiting if settings.knocks is not None and person == state.me else (),
            waits=person in state.lobby.chairs.queue,
            wishes={wish: tuple(map(state.roster.name_of, who)) for wish, who in wishes.items() if who},
            wished=frozenset(wish for wish, who in wishes.items() if person in who),
            may_hold=state.wishes.may_hold(person),
            stops_in=self._serving.stops_in,
        )

    @property
    def _full(self) -> bool:
        return self._state.lobby.seats > 0 >= self._state.lobby.open_places

    def _nudged(self) -> frozenset[int]:
        """Return who was nudged in a match, or isn't ready yet although the host is."""
        matches, roster = self._state.matches, self._state.roster
        host = roster.place_of(roster.host)
        if matches.is_busy or host is None or not host.ready:
            return matches.nudged_seats
        return frozenset(seat for seat, place in enumerate(roster.places) if not place.ready)

    def _wishes(self) -> dict[Wish, tuple[bytes, ...]]:
        """Return who wishes for what, machines' own players by their votes."""
        matches = self._state.matches
        onward = matches.continuation.wishes
        votes = {
            Wish.STOP: matches.stopping,
            Wish.WITHOUT: [one for one, missing in onward.items() if missing],
            Wish.BACK: [one for one, missing in onward.items() if not missing],
        }
        return {wish: (*sorted(votes.get(wish, ())), *self._state.wishes.of(wish)) for wish in Wish}

    def _seat(self, person: bytes, seat: int, place: Place) -> SeatFacts:
        state, peer = self._state, PeerId(place.peer)
        mine = place.peer == person if place.level is not None else place.person == person
        met = Acquaintance.FIRST_SEEN if self._has_no_key(place) else self._known.judge(place.name, peer)
        return SeatFacts(
            place.name, self._state_of(seat, place), place.level or "",
            state.roster.name_of(place.peer), mine,
            fingerprint(peer), met.value,
            None if place.peer == state.me else self._log_driver.round_trip(place.peer),
            state.matches.why_no_decision(place) is None, state.roster.look_of(seat),
            "" if place.team < 0 else NAMES[place.team], self._presence.light_of(place),
            place.person if place.own else b"",
        )  # fmt: skip

    @staticmethod
    def _has_no_key(place: Place) -> bool:
        """Return True for a bot, or someone that another player's machine serves."""
        return place.level is not None or bool(place.companion)

    def _state_of(self, seat: int, place: Place) -> str:
        """Return the state of a place in one word; in a running match no one is asked to be ready."""
        matches = self._state.matches
        absent = place.status != log_bodies.HERE
        if matches.state_of(seat) != "here" if matches.dealing.is_fair else absent:
            return "away"
        if place.unattended:
            return "stand-in"
        if place.level is not None:
            return "bot"
        if matches.running is not None:
            return "plays"
        return "ready" if place.ready else "waits"

    def _uneven(self) -> Line | None:
        """Return why those who are here can't form the teams that were agreed; None if they can."""
        if self._state.matches.running is not None:
            return None
        try:
            self._state.lobby.seated()
        except SeatingError as uneven:
            return uneven.message, uneven.params
        return None

    def _beside(self) -> dict[str, tuple[str, ...]]:
        """Return, by the name of a machine's owner, the others who play on it, as far as the table knows."""
        roster = self._state.roster
        owners = roster.owners
        others: dict[str, tuple[str, ...]] = {}
        for place in roster.places:
            owner = owners.get(place.peer, roster.name_of(place.peer))
            if place.level is None and not place.companion and owner != place.name:
                others[owner] = (*others.get(owner, ()), place.name)
        return others

    def _served(self) -> dict[str, tuple[str, ...]]:
        """Return, by the name of a machine's owner, those who play on it in browsers."""
        roster = self._state.roster
        served: dict[str, tuple[str, ...]] = {}
        for place in roster.places:
            if place.companion:
                owner = roster.name_of(place.peer)
                served[owner] = (*served.get(owner, ()), place.name)
        return served

    # -- as text --------------------------------------------------------------------------------

    def lines(self) -> list[Line]:
        state = self._state
        taken = {"game": state.lobby.rules.title, "n": len(state.roster.places), "seats": state.lobby.seats}
        rules = state.lobby.rules
        offered = rules.options.offered(state.lobby.options, known_seats(rules, state.lobby.seats))
        options = ", ".join(f"{spec.name}={as_typed(state.lobby.options[spec.name])}" for spec in offered)
        lines: list[Line] = [(TAKEN, taken)]
        if options:
            lines.append((N_("House rules: {options}."), {"options": options}))
        if state.matches.running is None:
            lines += [(problem.message, problem.params) for problem in state.lobby.problems]
        if state.lobby.teams:
            lines.append((IN_TEAMS, {"n": state.lobby.teams}))
            lines += [uneven] if (uneven := self._uneven()) is not None else []
        lines += self._campaign()
        if state.lobby.keys is not None and state.roster.host == state.me:
            code = {"code": show_code(state.lobby.keys.code)}
            lines.append((N_("The table is private; its code is {code}."), code))
        if self._settings.web:
            lines.append((IN_BROWSERS, {"link": self._settings.web}))
            lines += [(FULL_TABLE, {})] if self._full else []
        for number, place in enumerate(state.roster.places, 1):
            lines += self._seat_lines(number, place)
        queue = state.lobby.chairs.queue
        for person, name in state.roster.watchers.items():
            lines.append((PLAYS_NEXT if person in queue else N_("{name} is watching."), {"name": name}))
        lines += self._door_lines()
        lines.append(state.dealing)
        lines += said_of_machines(self._beside(), self._served())
        if any(place.level is not None for place in state.roster.places):
            lines.append((BOTS_SEEN, {}))
        return [*lines, *self._what_to_type()]

    def _campaign(self) -> list[Line]:
        """Return the campaign of the next match, and the people with whom it can't begin."""
        state = self._state
        campaign, running = state.matches.campaign, state.matches.running
        if running is not None:
            table = running.header.campaign
            return [] if table is None else [(MATCH_OF, {"name": table.name, "n": table.matches + 1})]
        if campaign.of_table is None:
            return []
        name = campaign.of_table.name
        lines: list[Line] = [(CAMPAIGN, {"name": name, "n": campaign.of_table.matches + 1})]
        stranger = campaign.stranger(place.peer for place in state.roster.places)
        if stranger is not None:
            lines.append((STRANGER, {"name": state.roster.name_of(stranger), "campaign": name}))
        return lines

    def _door_lines(self) -> list[Line]:
        moderation, roster = self._state.moderation, self._state.roster
        lines: list[Line] = [(N_("The table is locked."), {})] if moderation.locked else []
        if moderation.banned:
            lines.append((N_("Banned: {names}."), {"names": ", ".join(moderation.banned.values())}))
        if muted := sorted(map(roster.name_of, filter(roster.belongs, moderation.muted))):
            lines.append((N_("Muted: {names}."), {"names": ", ".join(muted)}))
        return lines

    def _seat_lines(self, number: int, place: Place) -> list[Line]:
        params = {
            "number": number,
            "name": place.name,
            "owner": self._state.roster.name_of(place.peer),
            "level": place.level or "",
        }
        seated: list[Line] = [(_SEATED[self._state_of(number - 1, place)], params)]
        if place.team >= 0:
            seated.append((IN_TEAM, {"name": place.name, "team": Text(NAMES[place.team])}))
        if self._has_no_key(place) or place.peer == self._state.me:
            return seated
        peer = PeerId(place.peer)
        who = {"name": place.name, "key": fingerprint(peer)}
        return [*seated, (MET[self._known.judge(place.name, peer)], who)]

    def _what_to_type(self) -> list[Line]:
        """Return the first commands that the host, or someone who sits here, can type."""
        state = self._state
        if state.matches.running:
            return []
        if state.roster.host == state.me and not self._settings.at_once:
            return [(N_("Type start when everyone's here (? for help)."), {})]
        if self._settings.level is None and state.roster.place_of(state.me) is not None:
            return [(N_("Type ready when you're ready (? for help)."), {})]
        return []

    def how_to_return(self) -> Line:
        """Return how to come back after leaving now; for a host, what happens to the table."""
        state = self._state
        if state.lobby.closed:
            return N_("The table is closed."), {}
        hosts = state.roster.host == state.me
        if state.lobby.rests_on(state.me):
            if state.matches.running:
                return N_("If you leave, the table closes and the match ends for everyone."), {}
            return N_("If you leave, the table closes."), {}
        if state.matches.has_part:
            return N_("`tt resume` brings you back to your seat."), {}
        if hosts:
            return N_("The table stays open. Rejoin with `tt join`."), {}
        if not state.matches.running or state.roster.place_of(state.me) is None:
            return "", {}
        return N_("`tt join {address}` brings you back to your seat."), {"address": self._settings.address}
