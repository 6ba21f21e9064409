"""Editions of a game: the version and the source code by which one machine plays it.

All machines of a table follow one log with the same rules. Where their code differs they may part in the
middle of a match, and an honest player may look like a liar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

DEV: Final = "dev"
"""The version of a game that was loaded from a file: only its code says which one it is."""
FINGERPRINT: Final = 16
"""The bytes of a fingerprint of source code."""
MOST: Final = FINGERPRINT + 2 * 64
"""The most bytes of a fingerprint with the marks of the files."""


class Edition(NamedTuple):
    """The version and the source code by which one machine plays a game.

    Attributes:
        version: the game's version, for people.
        code: the fingerprint of its source code, and after it the marks of its files; empty if nobody said.
        says_facts: whether its rules have facts said of hidden cards, by which somebody can be convicted.
    """

    version: str
    code: bytes
    says_facts: bool

    @property
    def fingerprint(self) -> bytes:
        """The fingerprint of its source code."""
        return self.code[:FINGERPRINT]

    def is_alike(self, other: Edition) -> bool:
        """Whether both are the same code."""
        return self.fingerprint == other.fingerprint

    def plays_with(self, other: Edition) -> bool:
        """Whether two machines with these editions can play together without having asked for it.

        Two versions with one `rules_id` play the same, as their author promises. That is no reason to convict
        somebody, so a game that says facts needs the same code.
        """
        if self.is_alike(other):
            return True
        promised = self.version != other.version and DEV not in (self.version, other.version)
        return promised and not (self.says_facts or other.says_facts)


@dataclass
class Editions:
    """The editions of one game at a table, as each machine has said it.

    Attributes:
        of_table: the edition of the host that put the game on the table; None before it has said so.
        unlike: whether the table lets machines with other code play.
        others: by peer, its edition, if it is not that of the table.
    """

    of_table: Edition | None = None
    unlike: bool = False
    others: dict[bytes, Edition] = field(default_factory=dict)

    def say(self, peer: bytes, edition: Edition) -> bool:
        """A peer says by which edition it plays; whether it is another one than the table's."""
        if self.of_table is None or (edition.version, edition.code) == (
            self.of_table.version,
            self.of_table.code,
        ):
            self.others.pop(peer, None)
            return False
        self.others[peer] = edition
        return True

    def stranger(self, peers: Iterable[bytes]) -> bytes | None:
        """The first of these peers with which the table can't play; None if there is none."""
        table = self.of_table
        if table is None or self.unlike:
            return None
        return next(
            (one for one in peers if one in self.others and not self.others[one].plays_with(table)), None
        )

    def codes(self, keys: Iterable[bytes]) -> tuple[bytes, ...]:
        """By seat, the fingerprint of the peer that plays it; nothing if all have the same code."""
        table = self.of_table
        if table is None:
            return ()
        found = tuple(self.others.get(key, table).fingerprint for key in keys)
        return () if set(found) <= {table.fingerprint} else found


def as_text(fingerprint: bytes) -> str:
    """A fingerprint of source code as people compare it."""
    digits = fingerprint[:FINGERPRINT].hex()
    return "-".join(digits[at : at + 8] for at in range(0, len(digits), 8)) or "?"
