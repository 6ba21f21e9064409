"""The description of a game, which is available without its rules."""

from __future__ import annotations

from msgspec import Struct

from tavolata._engine.match.editions import Edition
from tavolata.messages import N_

OTHER_API = N_("{game} speaks API {theirs}; this Tavolata knows {ours}. Install tavolata>={theirs}.")


class GameInfo(Struct, frozen=True):
    """A game of a plugin, in plain values.

    Attributes:
        name: the word after `tt play`.
        title, summary: message ids of its package.
        seats: the fewest and the most.
        best: the best number of seats; 0 if it doesn't matter.
        rules_id: the number of its rules; rules with another number may play a log differently.
        distribution, distribution_version: the package of its plugin.
        package: the package with its translations and rules texts; "" for a lone module.
        code: the fingerprint of its source code and the marks of its files; see `source_code`.
        says_facts: its rules state facts about hidden cards, by which someone can be convicted.
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
    distribution_version: str
    package: str
    code: bytes = b""
    says_facts: bool = False

    @property
    def edition(self) -> Edition:
        return Edition(self.version, self.code, self.says_facts)
