"""The description of a game, which is available without its rules, and the editions of it at a table.

All machines of a table follow one log with the same rules. Where their code differs they may part in the
middle of a match, and an honest player may look like a liar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec import Struct

from tavolata.messages import N_

DEV: Final = "dev"
"""The version of a game that was loaded from a file: only its code says which one it is."""
FINGERPRINT: Final = 16
"""The bytes of a fingerprint of source code."""
MOST_CODE: Final = FINGERPRINT + 2 * 64
"""The most bytes of a fingerprint with the marks of the files."""


class Edition(NamedTuple):
    """The version and the source code by which one machine plays a game.

    `code` is the fingerprint of its source code, and after it the marks of its files; empty if no one said.
    With `says_facts` its rules state facts about hidden cards, by which someone can be convicted.
    """

    version: str
    code: bytes
    says_facts: bool

    @property
    def fingerprint(self) -> bytes:
        return self.code[:FINGERPRINT]

    def is_alike(self, other: Edition) -> bool:
        return self.fingerprint == other.fingerprint

    def plays_with(self, other: Edition) -> bool:
        """Return True if two machines with these editions can play together without having asked for it.

        Two versions with the same `rules_id` play the same, as their author promises. That isn't a reason to
        convict someone, so a game that says facts needs the same code.
        """
        if self.is_alike(other):
            return True
        promised = self.version != other.version and DEV not in (self.version, other.version)
        return promised and not (self.says_facts or other.says_facts)


@dataclass
class Editions:
    """The editions of a single game at a table, as each machine has said it.

    `of_table` is that of the host that put the game on the table; None before it has said so. With `unlike`
    the table lets machines with other code play. `others` has, by peer, its edition, if different from the
    table's.
    """

    of_table: Edition | None = None
    unlike: bool = False
    others: dict[bytes, Edition] = field(default_factory=dict)

    def say(self, peer: bytes, edition: Edition) -> bool:
        """Note a peer's edition; return True if it's different from the table's."""
        if self.of_table is None or (edition.version, edition.code) == (
            self.of_table.version,
            self.of_table.code,
        ):
            self.others.pop(peer, None)
            return False
        self.others[peer] = edition
        return True

    def stranger(self, peers: Iterable[bytes]) -> bytes | None:
        """Return the first of these peers with which the table can't play; None if there isn't one."""
        table = self.of_table
        if table is None or self.unlike:
            return None
        return next(
            (one for one in peers if one in self.others and not self.others[one].plays_with(table)), None
        )

    def codes(self, keys: Iterable[bytes]) -> tuple[bytes, ...]:
        """Return, by seat, the fingerprint of the peer that plays it; nothing if all have the same code."""
        table = self.of_table
        if table is None:
            return ()
        found = tuple(self.others.get(key, table).fingerprint for key in keys)
        return () if set(found) <= {table.fingerprint} else found


def as_text(fingerprint: bytes) -> str:
    """Return a fingerprint of source code as people compare it."""
    digits = fingerprint[:FINGERPRINT].hex()
    return "-".join(digits[at : at + 8] for at in range(0, len(digits), 8)) or "?"


OTHER_API = N_("{game} needs API {theirs}, and this Tavolata has {ours}. Install tavolata>={theirs}.")


class GameInfo(Struct, frozen=True):
    """A game of a plugin, in plain values.

    Attributes:
        name: the word after `tt play`.
        title, summary: message ids of its package.
        seats: the fewest and the most.
        best: the best number of seats; 0 if it doesn't matter.
        rules_id: the number of its rules; rules with another number may play a log differently.
        version: that of the package; `DEV` for a game of a file.
        distribution: the package of its plugin; "" for a game of a file.
        package: the package with its translations and rules texts; "" for a lone module.
        code: the fingerprint of its source code and the marks of its files; see `source_code`.
        says_facts: its rules state facts about hidden cards, by which someone can be convicted.
        minutes: how long a match takes, about; 0 if the game doesn't say.
    """

    name: str
    title: str
    summary: str
    seats: tuple[int, int]
    best: int
    version: str
    rules_id: int
    plugin: str
    distribution: str
    package: str
    code: bytes = b""
    says_facts: bool = False
    minutes: int = 0

    @property
    def edition(self) -> Edition:
        return Edition(self.version, self.code, self.says_facts)
