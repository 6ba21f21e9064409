"""Campaigns: matches of a single game in a row, each of which leaves something to the next.

What is left, the legacy, is a frozen dataclass of plain data with defaults (`Game.legacy`). It travels and is
kept by the names of its fields, so that a later version of a game can read what an earlier one has left.
A campaign names its matches by a chain of hashes. So two copies can be compared without anybody's word: one
continues from the other, or they have different histories.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, astuple, dataclass, fields, is_dataclass
from hashlib import blake2b
from typing import Any, Final, TypeVar

import msgspec

from tavolata._engine.match import state
from tavolata._text import one_line
from tavolata.errors import GameError, MessageError
from tavolata.game import Game
from tavolata.messages import N_
from tavolata.outcome import Outcome

L = TypeVar("L")

MOST: Final = 4096
"""The most bytes of a legacy: with a snapshot it has to fit into the terms of a match."""
HEADS: Final = 64
"""The matches whose hashes are kept: copies that are further apart can't be compared."""
HEAD_SIZE: Final = 16
DEVICE: Final = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
NAME: Final = re.compile(rf"(?!(?:{DEVICE.pattern})$)[a-z0-9][a-z0-9-]{{0,31}}")
"""The name of a campaign, which is that of a file on every machine of its table: Windows has devices in the
place of some files, whatever their suffix (its "Naming Files, Paths, and Namespaces")."""
WRONG_NAME = N_(
    "{name} can't be the name of a campaign. Use at most 32 lower-case letters, digits and dashes."
)
NO_CAMPAIGNS = N_("{game} has no campaigns: none of its matches affects the next.")
MATCH_OF = N_("Campaign {name}: match {n}.")
BROKEN = N_("The installed version of {game} can't read this campaign's saved data.")


class WrongLegacy(MessageError):
    """There is no such campaign, or what it has left isn't one of this game."""


@dataclass(frozen=True)
class Campaign:
    """A campaign after some matches.

    `matches` counts those that have left something. `heads` are the chain's hashes after the last `HEADS` of
    them, 16 bytes each, the oldest first. `legacy` and `match` are of the last one; empty before the first.
    """

    name: str
    matches: int = 0
    heads: tuple[bytes, ...] = ()
    legacy: bytes = b""
    match: str = ""
    players: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Return True if this can be a campaign, whoever brings it: the last hash is that of the legacy."""
        if not NAME.fullmatch(self.name) or len(self.heads) != min(self.matches, HEADS):
            return False
        if not self.heads:
            return self == Campaign(self.name)
        texts = (self.match, *self.players)
        before = self.heads[-2] if len(self.heads) > 1 else b""
        return (
            len(self.legacy) <= MOST
            and all(text == one_line(text, 64) for text in texts)
            and all(len(head) == HEAD_SIZE for head in self.heads)
            and self.heads[-1] == _head(before, self.match, self.players, self.legacy)
        )

    def after(self, match: str, players: Sequence[str], legacy: bytes) -> Campaign:
        head = _head(self.heads[-1] if self.heads else b"", match, players, legacy)
        return Campaign(
            self.name, self.matches + 1, (*self.heads, head)[-HEADS:], legacy, match, tuple(map(str, players))
        )

    def goes_on_from(self, other: Campaign) -> bool:
        """Return True if the other one is this campaign at an earlier match, or at the same one."""
        ahead = self.matches - other.matches
        if other.matches == 0 or ahead < 0:
            return other.matches == 0
        return ahead < len(self.heads) and self.heads[-1 - ahead] == other.heads[-1]

    def packed(self) -> bytes:
        return state.pack(astuple(self))

    @classmethod
    def of(cls, data: bytes) -> Campaign | None:
        """Return the campaign of these bytes, which may come from anyone; None if they aren't one."""
        try:
            found = cls(*msgspec.msgpack.decode(data, type=_Row))
        except ValueError:  # a DecodeError, or a text that isn't UTF-8
            return None
        return found if found.is_sound else None


_Row = tuple[str, int, tuple[bytes, ...], bytes, str, tuple[str, ...]]


def _head(before: bytes, match: str, players: Sequence[str], legacy: bytes) -> bytes:
    said = state.pack([before, match, list(map(str, players)), legacy])
    return blake2b(said, digest_size=HEAD_SIZE, person=b"tavo campaign").digest()


def after_match(campaign: Campaign, header_id: str, names: Sequence[str], rules: type[Game[Any]],
                outcome: Outcome | None, *, cheated: bool) -> Campaign:  # fmt: skip
    """Return the campaign after a match that is over.

    It stays as it was if the match has no outcome, ended by a cheat, or leaves nothing.
    """
    if outcome is None or outcome.legacy is None or cheated:
        return campaign
    return campaign.after(header_id, names, pack_legacy(rules, outcome.legacy))


def new_campaign(rules: type[Game[Any]], name: str) -> Campaign:
    """Return a campaign before its first match.

    Raise `WrongLegacy` if the game has no campaigns, or one can't be named so.
    """
    if rules.legacy is None:
        raise WrongLegacy(NO_CAMPAIGNS, game=rules.name)
    if DEVICE.fullmatch(name):
        raise WrongLegacy(
            N_("A campaign can't be named {name}: Windows doesn't allow files with that name."), name=name
        )
    if not NAME.fullmatch(name):
        raise WrongLegacy(WRONG_NAME, name=one_line(name, 40))
    return Campaign(name)


def is_legacy(cls: object) -> bool:
    """Return True for a possible legacy class: a frozen dataclass in which every field has a default."""
    return (
        isinstance(cls, type)
        and is_dataclass(cls)
        and bool(getattr(cls, "__dataclass_params__").frozen)  # noqa: B009 - it is no declared attribute
        and all(one.default is not MISSING or one.default_factory is not MISSING for one in fields(cls))
    )


def pack_legacy(rules: type[Game[Any]], legacy: object) -> bytes:
    """Return the bytes of a match's legacy.

    Raise `GameError` if the game declares no such legacy, or it is too large or not plain data.
    """
    declared: Any = rules.legacy
    if declared is None:
        raise GameError(f"{rules.name} leaves {legacy!r}, but its class declares no `legacy`.")
    if type(legacy) is not declared:
        raise GameError(
            f"{rules.name} leaves {legacy!r}; what it declares as `legacy` is {declared.__name__}."
        )
    writer = state.Writer(None)
    left: Any = legacy
    plain = {
        one.name: writer.write(getattr(legacy, one.name), f"{declared.__name__}.{one.name}")
        for one in fields(left)
    }
    packed = state.pack(plain)
    if len(packed) > MOST:
        raise GameError(f"The legacy of {rules.name} has {len(packed)} bytes; the most are {MOST}.")
    try:
        read_legacy(rules, packed, declared)
    except WrongLegacy as error:  # a card, for one, is laid by each match for itself
        raise GameError(f"The next match can't read the legacy of {rules.name}: {legacy!r:.80}.") from error
    return packed


def is_readable(rules: type[Game[Any]], campaign: Campaign) -> bool:
    try:
        if rules.legacy is not None:
            read_legacy(rules, campaign.legacy, rules.legacy)
    except WrongLegacy:
        return False
    return rules.legacy is not None


def read_legacy(rules: type[Game[Any]], packed: bytes, cls: type[L]) -> L:
    """Return the legacy of these bytes, made again: what rules do with it changes no other.

    A field that the class no longer has is left out, and a new one gets its default; so does every field
    without bytes. Raise `GameError` if the game declares another class as its `legacy`, `WrongLegacy` if the
    bytes aren't of this class.
    """
    if cls is not rules.legacy:
        raise GameError(
            f"{rules.name} reads {cls.__name__} by `t.legacy`, but its `legacy` is {rules.legacy}."
        )
    if not packed:
        return cls()
    try:
        reader = state.Reader(None, rules.__module__.partition(".")[0])
        plain = state.unpack(packed)
        declared: Any = cls
        names = [one.name for one in fields(declared) if one.name in plain]
        return cls(**{name: reader.read(plain[name]) for name in names})
    except Exception as error:
        raise WrongLegacy(BROKEN, game=rules.name) from error
