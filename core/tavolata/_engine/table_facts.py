"""What is known of a table of peers, as data for a face that draws it: seats, who is who, the way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tavolata._engine import places
from tavolata._engine.identities import known_names
from tavolata._engine.invitations import Invitation
from tavolata.game import Game
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint

if TYPE_CHECKING:
    from tavolata._engine.room import Room


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat in the lobby.

    Attributes:
        name: who sits there.
        state: "ready", "waits", "bot", "away" or "stand-in".
        level: its bot, "" for a person.
        owner: the name of the peer that plays it.
        mine: whether this peer does.
        key: the fingerprint of that peer's key.
        met: what that key is to this machine: "known", "first seen" or "changed key".
        trip: the round trip to it, milliseconds; None where nothing was measured.
    """

    name: str
    state: str
    level: str
    owner: str
    mine: bool
    key: str
    met: str
    trip: int | None


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table of peers.

    Attributes:
        rules: the game.
        seats: how many there are.
        taken: those that are taken, in turn order.
        watchers: names of those who look on.
        options: the house rules as plain data.
        levels: the bots that can be seated.
        running: whether a match is being played.
        played: how many were begun here.
        hosts: whether this peer opens, sets and begins.
        seated: whether this peer sits here, or looks on.
        ready: whether its player is ready.
        by_itself: whether a match begins as soon as all seats are taken.
        dealt: how cards are dealt: a message with its parameters.
        invitation: how others join; its code is there only where it may be told.
    """

    rules: type[Game[Any]]
    seats: int
    taken: tuple[SeatFacts, ...]
    watchers: tuple[str, ...]
    options: Mapping[str, Any]
    levels: tuple[str, ...]
    running: bool
    played: int
    hosts: bool
    seated: bool
    ready: bool
    by_itself: bool
    dealt: tuple[str, Mapping[str, Any]]
    invitation: Invitation


def state_of(place: places.Place) -> str:
    """How a place stands, in a word."""
    if place.stand_in:
        return "stand-in"
    if place.status != places.HERE:
        return "away"
    if place.level is not None:
        return "bot"
    return "ready" if place.ready else "waits"


def facts_of(
    room: Room,
    me: bytes,
    levels: tuple[str, ...],
    address: str,
    trip: Callable[[bytes], int | None],
    *,
    by_itself: bool,
) -> TableFacts:
    """What this peer knows of its table.

    Args:
        room: the table.
        me: the own identity.
        levels: the bots that can be seated.
        address: where others find the table, as far as this peer knows.
        trip: measures the round trip to a peer.
        by_itself: whether a match begins as soon as all seats are taken.
    """
    met = known_names()
    own = room.place_of(me)
    hosts = room.steward == me
    code = room.keys.code if room.keys is not None and hosts else ""
    key = fingerprint(PeerId(room.host)) if room.host else ""

    def seat(place: places.Place) -> SeatFacts:
        peer = PeerId(place.peer)
        verdict = met.judge(place.name.casefold(), peer).verdict
        known = verdict if place.level is None else Acquaintance.FIRST_SEEN
        return SeatFacts(
            place.name, state_of(place), place.level or "", room.name_of(place.peer), place.peer == me,
            fingerprint(peer), known.value, None if place.peer == me else trip(place.peer),
        )  # fmt: skip

    return TableFacts(
        rules=room.rules,
        seats=room.seats,
        taken=tuple(seat(place) for place in room.places),
        watchers=tuple(room.watchers.values()),
        options=room.options,
        levels=levels,
        running=room.running,
        played=room.played,
        hosts=hosts,
        seated=own is not None,
        ready=own is not None and own.ready,
        by_itself=by_itself,
        dealt=room.dealing,
        invitation=Invitation(address, code, key),
    )
