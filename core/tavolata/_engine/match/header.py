"""The header of a match: everything that was agreed before its first entry.

In files and on the wire it is plain data; `Header` is its typed form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import msgspec

from tavolata._engine.match.campaign import NO_CAMPAIGNS, Campaign, read_legacy
from tavolata._engine.match.game_info import FINGERPRINT, MOST_CODE, OTHER_API
from tavolata._engine.match.match import Terms
from tavolata._text import one_line
from tavolata._version import API
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.messages import N_
from tavolata.options import problems_of, refuse_first
from tavolata.ring import SEATS

OPEN, HOST, FAIR, STRICT = "open", "host", "fair", "strict"
"""Who deals: this one process, one trusted peer, all peers together, or all peers with none missing."""
TOGETHER = frozenset({FAIR, STRICT})
"""The dealers that nobody has to trust."""
WAIT, BLIND = "wait", "blind"
"""The policy about somebody who is away: all wait, or the questions get their `otherwise`."""
STAND_AFTER, SHORTEST, LONGEST = 60, 30, 600
"""Seconds until the questions of a silent player with hidden cards are closed, after the first 15 of silence:
the usual, the least, the most."""
IDLE, BRIEFEST, LENGTHIEST = 180, 30, 3600
"""Seconds after which a player who says nothing may be nudged: the usual, the least, the most."""


SILENT, LEFT, CONVICTED = "silent", "left", "convicted"
"""Why somebody is not in a match that goes on: not heard, gone by their own word, or by evidence."""
CHAIN_SIZE = 32
"""The bytes of a chain hash of the log."""


NARRATES = N_("{game} has a narrator, but this match had none.")
NARRATES_NOT = N_("{game} has no narrator, but this match had one.")
NO_SUCH_TEAMS = N_("{game} can't be played with those teams.")


class OtherRules(MessageError):
    """A match was played by rules that are not installed here."""


def is_absence(seconds: int) -> bool:
    """Return True if a table can agree on this many seconds for `stand_after`."""
    return SHORTEST <= seconds <= LONGEST


def is_idle(seconds: int) -> bool:
    """Return True if a table can agree on this many seconds for `idle`."""
    return BRIEFEST <= seconds <= LENGTHIEST


@dataclass(frozen=True)
class Before:
    """The match that a new one continues from, without the missing.

    Attributes:
        chain: the chain hash of the log at the entry with which a turn ended.
        snapshot: the packed state at that turn's end, with which the new match begins.
        absent: of each machine that is not in the new match, its first seat and why: "silent" (the others
            don't hear it), "left" or "convicted".
    """

    match: str
    chain: bytes
    snapshot: bytes
    absent: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Narrator:
    """The machine that narrates a match: it deals, and knows all that is hidden.

    `name` is that of its player at the start.
    """

    key: bytes
    name: str


@dataclass(frozen=True)
class Header:
    """The terms of a single match.

    Attributes:
        id: 16 hexadecimal digits.
        options: the house rules as plain data.
        bots: by seat, the level of its bot; None for a person.
        dealer: "open", "host", "fair" or "strict".
        pace: None without pauses, 0 for a key at every pause, otherwise the seconds of a pause.
        seed: the open dealer's; None with every other dealer.
        keys: by seat, the public key of the peer that plays it; empty in a match of one process.
        policy: "wait" or "blind": what becomes of an absent player's questions.
        stand_after: seconds, after the first 15 of silence, until questions of a player with hidden cards
            are closed.
        idle: seconds after which a silent player may be nudged.
        before: the match that this one continues from without the missing; None for a new one.
        teams: by seat, the number of its team; empty without teams.
        fixed: as many machines as at the start are needed to open cards, whoever leaves.
        served: the seats of people that the machine of another player serves, in browsers.
        code: the fingerprint of the source code by which it began, and the marks of its files; see
            `source_code`. Empty if no one said.
        codes: by seat, the fingerprint of the machine that plays it; empty if all have the same code.
        campaign: the one that the match is part of, as the match before has left it.
        narrator: in a game with one, the machine that narrates, mostly one without a seat.
    """

    id: str
    game: str
    version: str
    rules_id: int
    options: dict[str, Any]
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    dealer: str = OPEN
    pace: float | None = None
    seed: int | None = None
    keys: tuple[bytes, ...] = ()
    policy: str = WAIT
    stand_after: int = STAND_AFTER
    idle: int = IDLE
    before: Before | None = None
    teams: tuple[int, ...] = ()
    fixed: bool = False
    served: tuple[int, ...] = ()
    code: bytes = b""
    codes: tuple[bytes, ...] = ()
    campaign: Campaign | None = None
    api: int = API
    narrator: Narrator | None = None

    def code_of(self, key: bytes) -> bytes:
        if key not in self.keys:  # a narrator is the host, whose code is the table's
            return self.code[:FINGERPRINT]
        return self.codes[self.keys.index(key)] if self.codes else self.code[:FINGERPRINT]

    @property
    def absent(self) -> frozenset[bytes]:
        """The machines that hold a seat and are not in the match; see `Before`."""
        return frozenset(self.keys[seat] for seat, _ in self.before.absent) if self.before else frozenset()

    @property
    def seats_not_in(self) -> tuple[int, ...]:
        return tuple(seat for seat, key in enumerate(self.keys) if key in self.absent)

    @property
    def parties(self) -> tuple[bytes, ...]:
        """The machines that are in the match, in the order of their numbers, with the narrator's."""
        return tuple(key for key in self.numbers if key not in self.absent)

    @property
    def numbers(self) -> dict[bytes, int]:
        """By machine, its number among those that say IN, from 1."""
        narrator = () if self.narrator is None else (self.narrator.key,)
        return {key: number for number, key in enumerate(dict.fromkeys((*self.keys, *narrator)), 1)}

    @property
    def narrator_seats(self) -> tuple[int, ...]:
        """The seat of the narrator's own player; none if others or bots play on its machine, or nobody."""
        narrator = None if self.narrator is None else self.narrator.key
        return tuple(
            seat
            for seat, key in enumerate(self.keys)
            if key == narrator and seat not in self.served and self.bots[seat] is None
        )

    def own_seat(self, key: bytes) -> int:
        """Return the seat of a machine's own player: its first one without a bot or anyone it serves."""
        mine = [seat for seat, one in enumerate(self.keys) if one == key]
        people = [seat for seat in mine if self.bots[seat] is None]
        return next((seat for seat in people if seat not in self.served), (people or mine)[0])

    def name_of(self, key: bytes) -> str:
        if self.narrator is not None and key == self.narrator.key:
            return self.narrator.name  # where it has no seat, its bots may have some
        return self.names[self.own_seat(key)]

    def plain(self) -> dict[str, Any]:
        said = asdict(self)
        if self.narrator is None:
            del said["narrator"]  # the terms of other games stay as they were
        return said

    @classmethod
    def of(cls, data: dict[str, Any]) -> Header:
        """Read the header from its plain data.

        Raise `TypeError` if they aren't those of a header, or hold a text that can't be shown on one line.
        """
        try:
            checked = msgspec.convert(data, cls, builtin_types=(bytes,))  # no text is read as bytes
        except msgspec.ValidationError as error:
            raise TypeError(str(error)) from None
        texts = (
            checked.id, checked.game, checked.version, checked.dealer, checked.policy,
            *checked.names, *checked.bots, *([checked.narrator.name] if checked.narrator else []),
        )  # fmt: skip
        seats = len(checked.names)
        if (
            not data.keys() <= {one.name for one in fields(cls)}
            or any(text is not None and text != one_line(text) for text in texts)
            or not 0 < seats <= len(SEATS)
            or len(checked.bots) != seats
            or len(checked.keys) not in (0, seats)
            or not are_teams(checked.teams, seats)
            or any(not 0 <= seat < seats for seat in checked.served)
            or len(checked.code) > MOST_CODE
            or not _are_codes(checked.codes, seats)
            or not _can_be_before(checked)
            or (checked.campaign is not None and not checked.campaign.is_sound)
            or (checked.narrator is not None and (checked.dealer != HOST or not checked.narrator.key))
        ):
            raise TypeError("The terms of a match that can't be.")
        return replace(checked, pace=data.get("pace"))  # a whole number stays one, as it was signed

    def terms(self, rules: type[Game[Any]]) -> Terms:
        """Return the terms of the match for its rules.

        Raise `OtherRules` if the rules installed here would play it differently, or not in these teams,
        `WrongLegacy` if the campaign has left nothing that the rules can read, `OptionError` if this game
        does not have these options, or this number can't play by them.
        """
        if self.api != API:
            raise OtherRules(OTHER_API, game=self.game, theirs=self.api, ours=API)
        if self.rules_id != rules.rules_id:
            raise OtherRules(
                N_(
                    "This match of {game} was played under rules {theirs} (version {version}); rules {ours} "
                    "are installed here. Install that version, or watch the match so far: `tt replay`."
                ),
                game=self.game, theirs=self.rules_id, version=self.version, ours=rules.rules_id,
            )  # fmt: skip
        if self.keys and rules.narrator is not (self.narrator is not None):
            raise OtherRules(NARRATES if rules.narrator else NARRATES_NOT, game=self.game)
        teams = len(set(self.teams))
        needed = rules.teams is not None and rules.teams.required
        if (teams or needed) and (rules.teams is None or not rules.teams.fit(teams, len(self.teams))):
            raise OtherRules(NO_SUCH_TEAMS, game=self.game)
        options = rules.options.parse(self.options)
        refuse_first(problems_of(options, len(self.names), teams))
        parties = tuple(self.keys.index(key) for key in self.keys)
        snapshot = None if self.before is None else self.before.snapshot
        legacy = b"" if self.campaign is None else self.campaign.legacy
        if self.campaign is not None:
            if rules.legacy is None:
                raise OtherRules(NO_CAMPAIGNS, game=self.game)
            read_legacy(rules, legacy, rules.legacy)  # refused before anything begins
        bots = frozenset(seat for seat, level in enumerate(self.bots) if level is not None)
        return Terms(
            self.names, options, self.pace, parties, snapshot, self.teams, bots, convicts=not self.codes,
            legacy=legacy, narrator=self.narrator_seats,
        )  # fmt: skip


def are_teams(teams: Sequence[int], seats: int) -> bool:
    """Return True for the teams of this many seats, numbered from 0 and of equal size; or none."""
    sizes = Counter(teams)
    return not teams or (
        len(teams) == seats and sorted(sizes) == list(range(len(sizes))) and len(set(sizes.values())) == 1
    )


def _are_codes(codes: Sequence[bytes], seats: int) -> bool:
    sizes = {len(one) for one in codes}
    return not codes or (len(codes) == seats and sizes <= {0, FINGERPRINT} and len(set(codes)) > 1)


def _can_be_before(header: Header) -> bool:
    """Return True if a header's words about the match before can be so."""
    before = header.before
    if before is None:
        return True
    seats = [seat for seat, _ in before.absent]
    return (
        header.dealer in TOGETHER
        and len(before.chain) == CHAIN_SIZE
        and before.match == one_line(before.match)
        and seats == sorted(set(seats))
        and all(0 <= seat < len(header.keys) for seat in seats)
        and all(header.keys.index(header.keys[seat]) == seat for seat in seats)
        and all(why in (SILENT, LEFT, CONVICTED) for _, why in before.absent)
        and len(header.parties) > 1
    )
