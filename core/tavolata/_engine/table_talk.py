"""What people can say to a table beside playing: who sits here, ready, start, options, who is away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tavolata._engine import places
from tavolata.errors import OptionError, Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.peer import Manner
    from tavolata._engine.room import Room

TRUSTED = N_("The host, {name}, deals the cards and has to be trusted with them.")
BOTS_SEEN = N_("A bot's cards are seen by the peer that runs it.")


class TableTalk:
    """The commands and the description of a table of peers; the rest of a sitting is `peer`."""

    room: Room
    _me: bytes
    _manner: Manner
    _leaving: bool

    def _propose(self, *body: Any) -> bool:
        raise NotImplementedError

    def begin(self) -> None:
        """Begin a match."""
        raise NotImplementedError

    def table_commands(self) -> Mapping[str, str]:
        """See `Sitting`."""
        common = {N_("seats"): N_("who sits where"), N_("leave"): N_("leave the table")}
        if self.room.running:
            return common | {
                N_("wait"): N_("wait for the player who is away: wait NAME"),
                N_("bot"): N_("let a bot of the host play for a player who is away: bot NAME"),
                N_("end"): N_("end the match because a player is away"),
            }
        if self.room.host != self._me:
            return common | {N_("ready"): N_("say that you are ready")}
        return common | {
            N_("ready"): N_("say that you are ready"),
            N_("start"): N_("begin the match"),
            N_("option"): N_("change a house rule: option NAME=VALUE"),
            N_("bots"): N_("seat bots of yours: bots easy,hard, or bots 0 for none"),
        }

    def command(self, word: str, rest: str) -> None:
        """See `Sitting`."""
        if word == "seats":
            from tavolata._engine.happenings import LobbyChanged

            self.room.out.append(LobbyChanged())
            self._nudge()
        elif word == "leave":
            self._leaving = True
            self._nudge()
        elif word == "ready":
            place = self.room.place_of(self._me)
            self._propose(places.READY, not (place is not None and place.ready))
        elif word == "start":
            self._start()
        elif word == "option":
            self._set_option(rest)
        elif word == "bots":
            self._set_bots(rest)
        elif word in (places.WAIT, places.BOT, places.END):
            self._propose(places.DECIDE, word, self._away(rest))
        else:
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=word)

    def _nudge(self) -> None:
        """Have the stream look at the room again."""
        raise NotImplementedError

    def _start(self) -> None:
        low, _ = self.room.rules.seats
        if self.room.host != self._me:
            raise Refused(N_("Only the host can do that."))
        if len(self.room.places) < low:
            raise Refused(N_("{game} needs {low} players at least."), game=self.room.rules.name, low=low)
        self.begin()

    def _set_option(self, rest: str) -> None:
        name, equals, value = rest.partition("=")
        if not equals:
            raise Refused(N_("A house rule is said as NAME=VALUE, not {words}."), words=rest)
        try:
            options = self.room.rules.options.parse({**self.room.options, name.strip(): value.strip()})
        except OptionError as error:
            raise Refused(str(error)) from error
        self._propose(places.SET, options.plain())

    def _set_bots(self, rest: str) -> None:
        levels = [] if rest in ("0", "") else [word.strip() for word in rest.split(",")]
        self._propose(places.BOTS, levels)

    def _away(self, name: str) -> int:
        absent = [seat for seat, place in enumerate(self.room.places) if place.status != places.HERE]
        named = (
            [seat for seat in absent if self.room.places[seat].name.lower() == name.lower()]
            if name
            else absent
        )
        if not named:
            raise Refused(N_("Nobody of that name is away."))
        return named[0]

    def lobby(self) -> list[tuple[str, Mapping[str, Any]]]:
        """See `Sitting`."""
        room = self.room
        lines: list[tuple[str, Mapping[str, Any]]] = [
            (
                N_("Table: {game}, {taken} of {seats} seats taken. {options}"),
                {
                    "game": room.rules.name,
                    "taken": len(room.places),
                    "seats": room.seats,
                    "options": ", ".join(f"{name}={_word(value)}" for name, value in room.options.items()),
                },
            )
        ]
        for number, place in enumerate(room.places, 1):
            params = {
                "number": number,
                "name": place.name,
                "owner": room.name_of(place.peer),
                "level": place.level,
            }
            lines.append((_SEATED[_state(place)], params))
        lines += [(N_("{name} is watching."), {"name": name}) for name in room.watchers.values()]
        lines.append((TRUSTED, {"name": room.name_of(room.host)}))
        if any(place.level is not None for place in room.places):
            lines.append((BOTS_SEEN, {}))
        return lines

    def how_to_return(self) -> tuple[str, Mapping[str, Any]]:
        """See `Sitting`."""
        return N_("`tt join {address}` brings you back to your seat."), {"address": self._manner.address}


_SEATED = {
    "ready": N_("{number}. {name}: ready"),
    "waits": N_("{number}. {name}: not ready yet"),
    "bot": N_("{number}. {name}: a bot ({level}) of {owner}"),
    "away": N_("{number}. {name}: away"),
    "stand-in": N_("{number}. {name}: away, a bot of the host plays"),
}


def _state(place: places.Place) -> str:
    if place.stand_in:
        return "stand-in"
    if place.status != places.HERE:
        return "away"
    if place.level is not None:
        return "bot"
    return "ready" if place.ready else "waits"


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
