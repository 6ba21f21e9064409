"""Snapshots of the table state, for peers that join after the log was compacted.

A snapshot is made between matches, so it has no match in it: what was played is in the files of those who
played. `docs/protocol.md` describes its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.game_info import MOST_CODE, Edition, Editions
from tavolata._engine.match.header import is_absence, is_idle
from tavolata._engine.table.heads import HEAD_SIZE
from tavolata._engine.table.lobby import DEALERS, MAX_VERSION, Chairs
from tavolata._engine.table.log_bodies import TAG_SIZE, Light, Place
from tavolata._engine.table.table_campaign import TableCampaign
from tavolata._engine.table.table_keys import SECRET_SIZE, TableKeys
from tavolata._engine.table.table_state import TableState
from tavolata._text import MAX_CALLED, Verbatim, admitted, one_line
from tavolata.errors import MessageError, Refused
from tavolata.game import Game
from tavolata.messages import N_

_Key = Annotated[bytes, Meta(min_length=32, max_length=32)]
_Person = Annotated[bytes, Meta(min_length=32, max_length=32 + TAG_SIZE)]
_Tag = Annotated[bytes, Meta(max_length=TAG_SIZE)]
_Name = Annotated[str, Meta(max_length=MAX_CALLED)]
_Team = Annotated[int, Meta(ge=-1, le=7)]
_Edition = tuple[
    Annotated[str, Meta(max_length=4 * MAX_VERSION)], Annotated[bytes, Meta(max_length=MOST_CODE)], bool
]
_Port = Annotated[int, Meta(ge=1, le=65535)]
_Status = Literal["here", "away", "left"]


class TableSnapshot(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The state of a table between two matches.

    `head` is the head of the log behind the last entry that it stands for; see `heads`. Of each place it has
    the name, peer, level, and whether it is ready, its status, whether someone decided about it, whether it
    is its peer's own, and its team. `arrived` has the nonces of those who introduced themselves, `keys` the
    secret and the code of a private table; a campaign is in its bytes. The other fields are those of the
    parts of `TableState`.
    """

    head: Annotated[bytes, Meta(min_length=HEAD_SIZE, max_length=HEAD_SIZE)]
    game: str
    rules_id: int
    seats: int
    options: dict[str, Any]
    dealer: str
    policy: Literal["", "wait", "blind"]
    stand_after: int
    idle: int
    fixed: bool
    host: bytes
    leader: bytes
    places: tuple[tuple[_Name, _Key, _Name | None, bool, _Status, bool, bool, _Team, _Tag], ...]
    watchers: dict[_Person, _Name]
    addresses: dict[_Key, tuple[str, _Port]]
    mailboxes: dict[_Person, bytes]
    arrived: tuple[bytes, ...]
    keys: tuple[Annotated[bytes, Meta(min_length=SECRET_SIZE, max_length=SECRET_SIZE)], str] | None
    played: int
    locked: bool
    banned: dict[_Person, _Name]
    muted: tuple[_Person, ...]
    shown_out: tuple[_Person, ...]
    expelled: tuple[_Key, ...]
    votes: tuple[_Key, ...]
    displaced: tuple[_Key, ...]
    pages: dict[_Key, tuple[_Port, str]]
    looks: dict[_Person, tuple[int, int]]
    teams: Annotated[int, Meta(ge=0, le=8)]
    edition: _Edition | None
    unlike: bool
    editions: dict[_Key, _Edition]
    campaign: bytes
    campaigns: dict[_Key, bytes]
    lights: dict[_Person, Annotated[int, Meta(ge=0, le=2)]]
    chairs: tuple[tuple[_Person, ...], tuple[tuple[_Key, _Name], ...]]


def take(state: TableState, head: bytes) -> bytes:
    """Return the snapshot of a table on which no match is being played, behind the entry with this head."""
    lobby, roster, moderation, succession = state.lobby, state.roster, state.moderation, state.succession
    campaign = state.matches.campaign
    return msgspec.msgpack.encode(
        TableSnapshot(
            head,
            lobby.rules.name,
            lobby.rules.rules_id,
            lobby.seats,
            lobby.options,
            lobby.dealer,
            lobby.policy,  # type: ignore[arg-type] # `set_policy` takes these words alone
            lobby.stand_after,
            lobby.idle,
            lobby.fixed,
            roster.host,
            roster.leader,
            tuple(map(_of_place, roster.places)),  # type: ignore[arg-type] # as above
            _plain(roster.watchers),
            roster.addresses,
            lobby.mailboxes,
            tuple(sorted(lobby.arrived)),
            None if lobby.keys is None else (lobby.keys.secret, lobby.keys.code),
            state.matches.played,
            moderation.locked,
            _plain(moderation.banned),
            tuple(sorted(moderation.muted)),
            tuple(sorted(moderation.shown_out)),
            tuple(sorted(moderation.expelled)),
            tuple(sorted(succession.votes)),
            tuple(succession.displaced),
            roster.pages,
            roster.looks,
            lobby.teams,
            lobby.editions.of_table,
            lobby.editions.unlike,
            dict(lobby.editions.others),
            b"" if campaign.of_table is None else campaign.of_table.packed(),
            {peer: copy.packed() for peer, copy in campaign.others.items()},
            {person: int(light) for person, light in roster.lights.items()},
            (tuple(lobby.chairs.queue), tuple(lobby.chairs.given)),
        )
    )


def install(state: TableState, data: bytes, take_rules: Callable[[str, int], type[Game[Any]]]) -> bytes:
    """Replace a table's state by a snapshot; return the head behind which it is.

    `take_rules` gives this machine's rules of a game; see `matches.PeerPort.rules`. Raise `MessageError` if
    the snapshot isn't one, or is of a game that this machine doesn't have.
    """
    try:
        found = msgspec.msgpack.decode(data, type=TableSnapshot)
        rules = take_rules(found.game, found.rules_id)
        options = rules.options.parse(found.options).plain() if found.host else {}
    except Refused as refusal:
        raise MessageError(refusal.message, **refusal.params) from refusal
    except (ValueError, RecursionError) as error:  # a DecodeError, or a text that isn't UTF-8
        raise _unreadable(error) from error
    if found.dealer not in DEALERS or not is_absence(found.stand_after) or not is_idle(found.idle):
        raise _unreadable("dealer, stand_after, idle")
    lobby, roster, moderation, succession = state.lobby, state.roster, state.moderation, state.succession
    lobby.rules, lobby.seats, lobby.options, lobby.dealer = rules, found.seats, options, found.dealer
    lobby.policy, lobby.stand_after, lobby.closed = found.policy, found.stand_after, False
    lobby.idle, lobby.fixed, lobby.teams = found.idle, found.fixed, found.teams
    queue, given = found.chairs
    lobby.chairs = Chairs(list(queue), list(given))
    edition = None if found.edition is None else Edition(*found.edition)
    others = {peer: Edition(*one) for peer, one in found.editions.items()}
    lobby.editions = Editions(edition, found.unlike, others)
    lobby.arrived, lobby.mailboxes = set(found.arrived), dict(found.mailboxes)
    lobby.keys = None if found.keys is None else TableKeys(*found.keys)
    roster.host, roster.leader = found.host, found.leader
    roster.places = [
        Place(
            admitted(name, MAX_CALLED),
            peer,
            level,
            ready,
            status,
            decided=decided,
            own=own,
            team=team if team < found.teams else -1,
            companion=tag,
        )
        for name, peer, level, ready, status, decided, own, team, tag in found.places
    ]
    roster.watchers = {peer: admitted(name, MAX_CALLED) for peer, name in found.watchers.items()}
    roster.addresses = {peer: (one_line(host, 64), port) for peer, (host, port) in found.addresses.items()}
    roster.pages, roster.looks = dict(found.pages), dict(found.looks)
    roster.lights = {person: Light(light) for person, light in found.lights.items()}
    state.matches.reset(found.played)
    copies = {peer: Campaign.of(copy) for peer, copy in found.campaigns.items()}
    state.matches.campaign = TableCampaign(
        Campaign.of(found.campaign), {peer: copy for peer, copy in copies.items() if copy is not None}
    )
    moderation.locked = found.locked
    moderation.banned = {one: admitted(name, MAX_CALLED) for one, name in found.banned.items()}
    moderation.muted, moderation.shown_out = set(found.muted), set(found.shown_out)
    moderation.expelled = set(found.expelled)
    succession.votes, succession.displaced = set(found.votes), list(found.displaced)
    return found.head


def _of_place(place: Place) -> tuple[object, ...]:
    level = place.level and str(place.level)
    return (
        str(place.name), place.peer, level, place.ready, place.status, place.decided, place.own, place.team,
        place.companion,
    )  # fmt: skip


def _plain(names: Mapping[bytes, Verbatim]) -> dict[bytes, str]:
    """Return names without the mark that people chose them, which has no encoding."""
    return {peer: str(name) for peer, name in names.items()}


def _unreadable(problem: object) -> MessageError:
    return MessageError(
        N_("Couldn't read the state of the table: {problem}"),
        problem=one_line(str(problem), 200),
    )
