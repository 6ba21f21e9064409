"""The description of a game: what can be said of it without its rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game of a plugin, in plain values.

    Attributes:
        name: the word after `tt play`.
        title, summary: message ids of its package.
        seats: how many it has, at least and at most.
        best: with how many it is best; 0 if that doesn't matter.
        version: of its rules, for people.
        rules_id: of its rules: with another one a log plays differently.
        plugin, distribution, distribution_version: who brings it.
        package: where its translations and rules texts lie; "" for a lone module.
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
