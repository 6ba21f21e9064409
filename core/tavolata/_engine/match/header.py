"""The header of a match: everything that was agreed before its first entry.

In files and on the wire it is plain data; `Header` is its typed form.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from tavolata._engine.match.match import Terms
from tavolata._text import one_line
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.messages import N_
from tavolata.ring import SEATS

OPEN, HOST, FAIR, STRICT = "open", "host", "fair", "strict"
"""Who deals: this one process, one trusted peer, all peers together, or all peers with none missing."""
TOGETHER = frozenset({FAIR, STRICT})
"""The dealers that nobody has to trust."""
WAIT, BLIND, BOT = "wait", "blind", "bot"
"""The policy about somebody who is away: all wait; the questions get their `otherwise`; a bot plays."""
STAND_AFTER, SHORTEST, LONGEST = 60, 30, 600
"""Seconds of absence until a bot plays for somebody with hidden cards: the usual, the least, the most."""
IDLE, BRIEFEST, LENGTHIEST = 180, 30, 3600
"""Seconds after which a player who says nothing may be nudged: the usual, the least, the most."""


class OtherRules(MessageError):
    """A match was played by rules that are not installed here."""


def is_absence(seconds: int) -> bool:
    """Whether a table can agree on so many seconds until a bot plays for somebody with hidden cards."""
    return SHORTEST <= seconds <= LONGEST


def is_idle(seconds: int) -> bool:
    """Whether a table can agree on so many seconds after which a player who says nothing may be nudged."""
    return BRIEFEST <= seconds <= LENGTHIEST


@dataclass(frozen=True)
class Header:
    """The terms of one match.

    Attributes:
        id: 16 hexadecimal digits.
        game, version, rules_id: its rules.
        options: the house rules as plain data.
        names: the players' names by seat.
        bots: by seat, the level of its bot; None for a person.
        dealer: "open", "host", "fair" or "strict".
        pace: None without pauses, 0 for a key at every pause, else the seconds of a pause.
        seed: the open dealer's seed; None with every other dealer.
        keys: by seat, the public key of the peer that plays it; empty in a match of one process.
        policy: "wait", "blind" or "bot": what becomes of the seat of somebody who is away.
        stand_after: seconds of absence after which a bot plays for somebody with hidden cards.
        idle: seconds after which a player who says nothing may be nudged.
        fixed: whether as many machines as at the start are needed to open cards, whoever leaves.
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
    fixed: bool = False

    def plain(self) -> dict[str, Any]:
        """The header as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Header:
        """The header from its plain data.

        Raises:
            TypeError: the data are not those of a header, or hold a text that can't be shown on one line.
        """
        try:
            checked = msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise TypeError(str(error)) from None
        texts = (
            checked.id, checked.game, checked.version, checked.dealer, checked.policy,
            *checked.names, *checked.bots,
        )  # fmt: skip
        seats = len(checked.names)
        if (
            any(text is not None and text != one_line(text) for text in texts)
            or not 0 < seats <= len(SEATS)
            or len(checked.bots) != seats
            or len(checked.keys) not in (0, seats)
        ):
            raise TypeError("The terms of a match that can't be.")
        known = dict(data)
        for name in ("names", "bots", "keys"):
            known[name] = tuple(known[name])
        return cls(**known)

    def terms(self, rules: type[Game[Any]]) -> Terms:
        """The terms of the match for its rules.

        Raises:
            OtherRules: the rules installed here would play it differently.
            OptionError: this game does not have these options.
        """
        if self.rules_id != rules.rules_id:
            raise OtherRules(
                N_(
                    "This match of {game} was played by rules {theirs} (version {version}); "
                    "installed here are rules {ours}. Install that version to go on with it."
                ),
                game=self.game, theirs=self.rules_id, version=self.version, ours=rules.rules_id,
            )  # fmt: skip
        parties = tuple(self.keys.index(key) for key in self.keys)
        return Terms(self.names, rules.options.parse(self.options), self.pace, parties)
