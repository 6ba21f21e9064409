"""The header of a match: everything that was agreed before its first entry.

It is plain data in files and on the wire; `Header` is its typed form. Only that may live here.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tavolata._engine.match.match import Terms
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.messages import N_

OPEN, HOST, FAIR, STRICT = "open", "host", "fair", "strict"
"""Who deals: this one process, one trusted peer, all peers together, or all and none may be missing."""
TOGETHER = frozenset({FAIR, STRICT})
"""The dealers that nobody has to trust."""


class OtherRules(MessageError):
    """A match was played by rules that are not installed here."""


@dataclass(frozen=True)
class Header:
    """What a match is.

    Attributes:
        id: 16 hexadecimal digits.
        game, version, rules_id: its rules.
        options: the house rules as plain data.
        names: the players' names by seat.
        bots: by seat, the level of the bot that plays it, None for a person.
        dealer: "open", "host", "fair" or "strict".
        pace: None without pauses, 0 for a key at every pause, else seconds.
        seed: the open dealer's seed; None with every other dealer.
        keys: by seat, the public key of the peer that plays it, at a table of peers.
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

    def plain(self) -> dict[str, Any]:
        """The header as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Header:
        """The header of these plain data.

        Raises:
            TypeError: they are none.
        """
        known = dict(data)
        for name in ("names", "bots", "keys"):
            known[name] = tuple(known[name])
        return cls(**known)

    def terms(self, rules: type[Game[Any]]) -> Terms:
        """What the match is played by.

        Raises:
            OtherRules: the rules installed here would play it differently.
            OptionError: the options are none of this game.
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
