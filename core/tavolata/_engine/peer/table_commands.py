"""What people can say to a table beside playing: who sits here, ready, start, options, who is away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tavolata._engine.match.seating import SeatingError, read_bots, usual_level
from tavolata._engine.match.updates import LobbyChanged
from tavolata._engine.peer.table_survey import beside_host, facts_of, state_of
from tavolata._engine.sessions.table_facts import BESIDE, IN_BROWSERS, TableFacts
from tavolata._engine.table import log_bodies
from tavolata._text import one_line
from tavolata.errors import MessageError, Refused
from tavolata.messages import N_, NN_, NOTHING
from tavolata.options import OptionError
from tavolata_protocol.codes import show_code
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint

if TYPE_CHECKING:
    from tavolata._engine.network.known_peers import Acquaintances
    from tavolata._engine.peer.game_library import Shelf
    from tavolata._engine.peer.peer_settings import Manner
    from tavolata._engine.table.log_bodies import Place
    from tavolata._engine.table.table_state import Room

BOTS_SEEN = N_("A bot's cards are seen by the peer that runs it.")


class TableTalk:
    """The commands and the description of a table of peers; the rest of a sitting is `peer`."""

    room: Room
    _me: bytes
    _manner: Manner
    _shelf: Shelf
    _met: Acquaintances
    _leaving: bool

    def is_orphaned(self) -> bool:
        """Whether nobody orders, and the player may go on alone."""
        raise NotImplementedError

    def _propose(self, *body: Any) -> bool:
        raise NotImplementedError

    def begin(self) -> None:
        """Begin a match with those who sit here, as soon as it can be."""
        raise NotImplementedError

    def table_commands(self) -> Mapping[str, str]:
        """See `Sitting`."""
        room = self.room
        seated, hosts = room.place_of(self._me) is not None, room.steward == self._me
        in_match, in_lobby = seated and room.running, seated and not room.running
        offered = {
            N_("seats"): (True, N_("who sits where")),
            N_("leave"): (True, N_("leave the table")),
            N_("confirm"): (
                bool(self._changed()),
                N_("take the new key of a player, who confirmed it, for theirs: confirm NAME"),
            ),
            N_("wait"): (in_match, N_("wait for the player who is away: wait NAME")),
            N_("bot"): (
                in_match and self.room.why_no_bot() is None,
                N_("let a bot of the host play for a player who is away: bot NAME"),
            ),
            N_("end"): (in_match, N_("end the match because a player is away")),
            N_("alone"): (
                self.is_orphaned(),
                N_("go on without those who are gone: if they go on, too, it is apart"),
            ),
            N_("ready"): (in_lobby, N_("say that you are ready")),
            N_("start"): (in_lobby and hosts, N_("begin the match")),
            N_("option"): (in_lobby and hosts, N_("change a house rule: option NAME=VALUE")),
            N_("game"): (in_lobby and hosts, N_("play another game at this table: game NAME")),
            N_("bots"): (in_lobby and hosts, N_("seat bots of yours: bots easy,hard, or bots 0 for none")),
        }
        return {word: what if possible else NOTHING for word, (possible, what) in offered.items()}

    def command(self, word: str, rest: str) -> None:
        """See `Sitting`."""
        if not self.table_commands().get(word):
            reason, params = self._why_not(word)
            raise Refused(reason, **params)
        if word == "seats":
            self.room.out.append(LobbyChanged(whole=True))
            self._nudge()
        elif word == "leave":
            self._leaving = True
            self._nudge()
        elif word == "alone":
            self._take_over()
        elif word == "confirm":
            self._confirm(rest)
        elif word == "ready":
            place = self.room.place_of(self._me)
            self._propose(log_bodies.READY, not (place is not None and place.ready))
        elif word == "start":
            self._start()
        elif word == "option":
            self._set_option(rest)
        elif word == "bots":
            self._set_bots(rest)
        elif word == "game":
            self._set_game(rest)
        else:
            seat = self._away(rest)
            if word == log_bodies.BOT and (why := self.room.why_no_bot(self.room.places[seat])):
                raise Refused(why[0], **why[1])
            self._propose(log_bodies.DECIDE, word, seat)

    def _take_over(self) -> None:
        raise NotImplementedError

    def _why_not(self, word: str) -> tuple[str, Mapping[str, Any]]:
        if word == log_bodies.BOT and self.room.running and (why := self.room.why_no_bot()):
            return why
        return self._why_never(word), {}

    def _why_never(self, word: str) -> str:
        if word == "confirm":
            return NO_NEW_KEY
        if self.room.place_of(self._me) is None:
            return N_("You are watching; players do that.")
        if word == "alone":
            return N_("The table goes on; nobody has to take it over.")
        if word in (log_bodies.WAIT, log_bodies.BOT, log_bodies.END):
            return N_("No match is being played.")
        if self.room.running:
            return N_("Not while a match is being played.")
        return N_("Only the host can do that.")

    def _nudge(self) -> None:
        """Have the stream look at the room again."""
        raise NotImplementedError

    def _start(self) -> None:
        low, _ = self.room.rules.seats
        here = [place for place in self.room.places if place.status == log_bodies.HERE]
        if len(here) < low:
            raise Refused(N_("{game} needs {low} players at least."), game=self.room.rules.name, low=low)
        self.begin()

    def _set_option(self, rest: str) -> None:
        name, equals, value = rest.partition("=")
        if not equals:
            raise Refused(N_("A house rule is said as NAME=VALUE, not {words}."), words=one_line(rest, 60))
        try:
            options = self.room.rules.options.parse({**self.room.options, name.strip(): value.strip()})
        except OptionError as error:
            raise Refused(error.message, **error.params) from error
        self._propose(log_bodies.SET, options.plain())

    def _set_game(self, name: str) -> None:
        """Put another game on the table, with as many seats as before where it has them."""
        if not name:
            raise Refused(N_("Say which game, as in: game zompa. `tt games` lists them."))
        try:
            game = self._shelf.look_up(name.lower()).game
        except MessageError as error:
            raise Refused(error.message, **error.params) from error
        low, high = game.seats
        seats = min(high, max(low, self.room.seats))
        self._propose(log_bodies.GAME, game.name, game.rules_id, seats, game.options().plain())

    def _set_bots(self, rest: str) -> None:
        try:
            wanted = read_bots(rest or "0", self._shelf.bots)
        except SeatingError as error:
            raise Refused(error.message, **error.params) from error
        levels = [usual_level(self._shelf.bots)] * wanted if isinstance(wanted, int) else wanted
        others = {place.peer for place in self.room.places if place.status == log_bodies.HERE} | {self._me}
        room = self.room.seats - len(others)
        if len(levels) > room:
            if len(self.room.places) >= self.room.seats:
                raise Refused(
                    N_("All {n} seats are taken; a bot takes none but a free one."), n=self.room.seats
                )
            raise Refused(NN_("There is room for {n} bot.", "There is room for {n} bots."), n=room)
        self._propose(log_bodies.BOTS, levels)

    def _away(self, name: str) -> int:
        """The seat that is meant: the one named, or the only one whose player is away."""
        absent = {
            seat: place.name for seat, place in enumerate(self.room.places) if place.status != log_bodies.HERE
        }
        if not absent:
            raise Refused(N_("Everybody is here and plays."))
        name = name.removeprefix("@").lower()
        found = [seat for seat, one in absent.items() if one.lower() == name] or [
            seat for seat, one in absent.items() if one.lower().startswith(name)
        ]
        if len(found) == 1:
            return found[0]
        raise Refused(N_("Say who of those who are away: {names}."), names=", ".join(absent.values()))

    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        """See `Sitting`."""
        room = self.room
        options = ", ".join(f"{name}={_word(value)}" for name, value in room.options.items())
        taken = {"game": room.rules.name, "n": len(room.places), "seats": room.seats}
        lines: list[tuple[str, Mapping[str, Any]]] = [(TAKEN, taken)]
        if options:
            lines.append((N_("House rules: {options}."), {"options": options}))
        if room.keys is not None and room.steward == self._me:
            code = {"code": show_code(room.keys.code)}
            lines.append((N_("The table is private; its code is {code}."), code))
        if self._manner.web:
            lines.append((IN_BROWSERS, {"link": self._manner.web}))
        for number, place in enumerate(room.places, 1):
            params = {
                "number": number,
                "name": place.name,
                "owner": room.name_of(place.peer),
                "level": place.level or "",
            }
            lines.append((_SEATED[state_of(place)], params))
            if place.level is None and place.peer != self._me:
                peer = PeerId(place.peer)
                who = {"name": place.name, "key": fingerprint(peer)}
                lines.append((MET[self._met.judge(place.name, peer)], who))
        lines += [(N_("{name} is watching."), {"name": name}) for name in room.watchers.values()]
        lines.append(room.dealing)
        if names := beside_host(room):
            told = {"names": ", ".join(names), "n": len(names), "host": room.name_of(room.host)}
            lines.append((BESIDE, told))
        if any(place.level is not None for place in room.places):
            lines.append((BOTS_SEEN, {}))
        if self._can("start") and not self._manner.at_once:
            lines.append((N_("Type start when all are here; ? says what else you can do."), {}))
        elif self._can("ready") and self._manner.level is None:
            lines.append((N_("Type ready when you are; ? says what else you can do."), {}))
        return lines

    def opening(self) -> tuple[()]:
        """See `Sitting`: whatever is told here comes from the others."""
        return ()

    def table(self) -> TableFacts:
        """See `Sitting`."""
        manner = self._manner
        levels, address = tuple(self._shelf.bots), manner.address
        return facts_of(
            self.room, self._me, levels, address, self._trip, self._met.judge,
            by_itself=manner.at_once, games=self._shelf.others, web=manner.web,
            orphaned=self.is_orphaned(),
        )  # fmt: skip

    def _others(self) -> list[Place]:
        """The places of people at other machines."""
        return [place for place in self.room.places if place.level is None and place.peer != self._me]

    def _changed(self) -> list[Place]:
        """The places of people who had another key when they were met before."""
        return [
            place
            for place in self._others()
            if self._met.judge(place.name, PeerId(place.peer)) is Acquaintance.CHANGED_KEY
        ]

    def _confirm(self, name: str) -> None:
        """Take the key that somebody has now for theirs."""
        changed = self._changed()
        wanted = name.removeprefix("@").casefold()
        found = [place for place in changed if place.name.casefold() == wanted]
        if not found:
            known = ", ".join(place.name for place in changed)
            raise Refused(
                N_("Say whose new key is really theirs: {names}.") if known else NO_NEW_KEY, names=known
            )
        self._met.remember(found[0].name, PeerId(found[0].peer))
        self.room.out.append(LobbyChanged(whole=True))
        self._nudge()

    def _trip(self, peer: bytes) -> int | None:
        """The round trip to a peer, milliseconds; None where nothing was measured."""
        raise NotImplementedError

    def _can(self, word: str) -> bool:
        return bool(self.table_commands()[word])

    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        """See `Sitting`; for a host, what becomes of the table."""
        if self.room.closed:
            return N_("The table is closed."), {}
        if self.room.host == self._me:
            if not self.room.rests_on(self._me):
                return N_("The others keep the table; `tt join` finds it again."), {}
            if self.room.running:
                return N_("Without you the table is closed, and the match ends for all."), {}
            return N_("Without you the table is closed."), {}
        if not self.room.running or self.room.place_of(self._me) is None:
            return NOTHING, {}
        address = self._manner.address
        if self._manner.found is not None and self.room.host in self.room.addresses:
            host, port = self.room.addresses[self.room.host]  # who keeps the table now
            address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        return N_("`tt join {address}` brings you back to your seat."), {"address": address}


TAKEN = NN_("Table: {game}, {n} of {seats} seats taken.", "Table: {game}, {n} of {seats} seats taken.")
NO_NEW_KEY = N_("Nobody here has a new key.")
MET = {
    Acquaintance.KNOWN: N_("   {name}: key {key}, the same as before"),
    Acquaintance.FIRST_SEEN: N_("   {name}: key {key}, met for the first time"),
    Acquaintance.CHANGED_KEY: N_(
        "   {name}: key {key}, another than before: ask whether it is really {name}; confirm {name} takes it"
    ),
}
_SEATED = {
    "ready": N_("{number}. {name}: ready"),
    "waits": N_("{number}. {name}: not ready yet"),
    "bot": N_("{number}. {name}: a bot ({level}) of {owner}"),
    "away": N_("{number}. {name}: away"),
    "stand-in": N_("{number}. {name}: away, a bot of the host plays"),
}


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
