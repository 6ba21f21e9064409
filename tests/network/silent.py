"""A `tt` that narrates, and opens nothing when the match is judged.

python tests/network/silent.py host werewolf ...

What it tells in the match is true. Everything else is the real program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from typing_extensions import override

from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.peer import participation
from tavolata._engine.peer.dealing_part import HostPart
from tavolata.asks import Ask
from tavolata.choices import Answer


class SilentPart(HostPart):
    """The part of a machine that deals, and says nothing once the rules have come to their end."""

    @override
    def due(self, match: Match[LogSource]) -> Iterator[MatchEntry]:
        yield from () if match.is_judging else super().due(match)

    @override
    def opening(self, ask: Ask) -> tuple[bytes, Answer] | None:
        return None


if __name__ == "__main__":
    from tavolata._cli import main

    vars(participation)["HostPart"] = SilentPart
    sys.exit(main())
