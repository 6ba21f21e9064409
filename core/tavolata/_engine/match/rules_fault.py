"""A fault of a game's rules: an exception that only their author can fix, with its file and line."""

from __future__ import annotations

from asyncio import CancelledError
from typing import Any

from tavolata._blame import OURS, place_of, short
from tavolata._engine.match.open_source import BotFault
from tavolata._text import one_line
from tavolata.errors import GameError, HiddenFact, MessageError, PieceError, TavolataError
from tavolata.game import Game
from tavolata.messages import N_

AT = N_("Error in the rules of {game}, in {file}, line {line}: {problem}")
_OF_RULES = (GameError, HiddenFact, PieceError)


class RulesFault(MessageError):
    """The rules of a game broke, and the match with them."""


def is_rules_fault(error: BaseException, rules: type[Game[Any]]) -> bool:
    """Return True if the rules are to blame for an error that came out of a match."""
    if isinstance(error, BotFault | MessageError | KeyboardInterrupt | CancelledError):
        return False
    return isinstance(error, _OF_RULES) or place_of(error, _packages(rules)) is not None


def rules_fault(error: BaseException, rules: type[Game[Any]]) -> RulesFault:
    said = str(error) if isinstance(error, TavolataError) else f"{type(error).__name__}: {error}"
    problem = one_line(said.removesuffix(": "), 300)
    place = place_of(error, _packages(rules))
    if place is None:
        return RulesFault(N_("Error in the rules of {game}: {problem}"), game=rules.name, problem=problem)
    return RulesFault(AT, game=rules.name, file=short(place[0]), line=place[1], problem=problem)


def _packages(rules: type[Game[Any]]) -> set[str]:
    return {
        cls.__module__.partition(".")[0] for cls in rules.__mro__ if issubclass(cls, Game) and cls is not Game
    } - set(OURS)
