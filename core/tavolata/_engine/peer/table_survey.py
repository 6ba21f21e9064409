"""What a peer knows of its table, gathered as data: from the room, the links and the keys met before."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._engine.table import log_bodies
from tavolata._engine.table.invitations import Invitation
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import LoadedGame
    from tavolata._engine.table.table_state import Room


def state_of(place: log_bodies.Place) -> str:
    """How a place stands, in a word."""
    if place.stand_in:
        return "stand-in"
    if place.status != log_bodies.HERE:
        return "away"
    if place.level is not None:
        return "bot"
    return "ready" if place.ready else "waits"


def beside_host(room: Room) -> tuple[str, ...]:
    """The names of the people who play on the host's machine, as far as the table knows."""
    own = room.addresses.get(room.host, ("", 0))[0]
    return tuple(
        place.name
        for place in room.places
        if place.level is None and place.peer != room.host and place.peer in room.addresses
        and (_is_loopback(host := room.addresses[place.peer][0]) or host == own)
    )  # fmt: skip


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:  # whoever orders the table told it
        return False


def facts_of(
    room: Room,
    me: bytes,
    levels: tuple[str, ...],
    address: str,
    trip: Callable[[bytes], int | None],
    met: Callable[[str, PeerId], Acquaintance],
    *,
    by_itself: bool,
    games: Callable[[], Mapping[str, LoadedGame]],
    web: str = "",
    orphaned: bool = False,
) -> TableFacts:
    """What this peer knows of its table.

    Args:
        room: the table.
        me: the own identity.
        levels: the bots that can be seated.
        address: where others find the table, as far as this peer knows.
        trip: measures the round trip to a peer.
        met: says what a name and a key are to this machine.
        by_itself: whether a match begins as soon as all seats are taken.
        games: finds what could be played here next, by name.
        web: the link for browsers.
        orphaned: whether nobody orders, and the player may go on alone.
    """
    own = room.place_of(me)
    hosts = room.steward == me
    code = room.keys.code if room.keys is not None and hosts else ""
    key = fingerprint(PeerId(room.host)) if room.host else ""

    def seat(place: log_bodies.Place) -> SeatFacts:
        peer = PeerId(place.peer)
        verdict = met(place.name, peer)
        known = verdict if place.level is None else Acquaintance.FIRST_SEEN
        return SeatFacts(
            place.name, state_of(place), place.level or "", room.name_of(place.peer), place.peer == me,
            fingerprint(peer), known.value, None if place.peer == me else trip(place.peer),
            room.why_no_bot(place) is None,
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
        games=games,
        web=web,
        host=room.name_of(room.host) if room.host else "",
        beside=beside_host(room),
        orphaned=orphaned,
    )
