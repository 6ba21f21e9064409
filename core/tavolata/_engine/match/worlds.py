"""The worlds of a match: the room that joins matches with the copies made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from typing_extensions import override

from tavolata._engine.match.match import Match, MatchSource, Replicas, TakenBack, Terms
from tavolata.game import Game
from tavolata.kinds.question import RandomNumbers
from tavolata.messages import Event
from tavolata.view import World

S = TypeVar("S", bound=MatchSource)


class _Replicas(Replicas):
    """Imports the makers of copies when one is wanted: most matches take nothing back and imagine nothing."""

    @override
    def imagine(self, match: Match[Any], seat: int | None, chance: RandomNumbers) -> World:
        from tavolata._engine.match.simulation import imagined  # noqa: PLC0415 - see the class

        return imagined(match, seat, chance)

    @override
    def go_back(self, match: Match[Any], to: TakenBack) -> None:
        from tavolata._engine.match.shadow import go_back  # noqa: PLC0415 - see the class

        go_back(match, to)


_REPLICAS: Final = _Replicas()


def new_match(
    rules: type[Game[Any]], terms: Terms, source: S, on_event: Callable[[Event], object] | None = None
) -> Match[S]:
    """Return a match whose views can imagine worlds, and whose players can take answers back; see `Match`."""
    return Match(rules, terms, source, _REPLICAS, on_event)
