"""Faults of rules: whose they are, and the sentence that names game, file and line."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from tests.core.games import Nod
from tests.core.testing.broken import ReadsHidden

from tavolata import Options, Refused, Table
from tavolata._engine.match.open_source import BotFault
from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.match.simulate import play
from tavolata.bots import RandomBot
from tavolata.errors import GameError


class Divides(Nod):
    """A game that breaks in its second line."""

    async def turn(self, t: Table[Options]) -> Any:
        return 1 / int(t.turn)


def error_of(rules: type[Any]) -> Exception:
    """What comes out of a match by these rules."""
    with pytest.raises(Exception) as caught:
        play(rules, rules.options(), [RandomBot() for _ in range(rules.seats[0])], 0)
    return caught.value


def test_an_exception_in_rules_names_game_file_and_line() -> None:
    """The author sees where, in a path that can be opened from the present folder."""
    error = error_of(Divides)
    assert is_rules_fault(error, Divides)
    line = inspect.getsourcelines(Divides.turn)[1] + 1
    place = f"test_rules_fault.py, line {line}: ZeroDivisionError"
    assert str(rules_fault(error, Divides)).startswith(f"Error in the rules of {Divides.name}, in ")
    assert place in str(rules_fault(error, Divides))


def test_a_hidden_face_names_who_asked_and_what_to_do() -> None:
    """The line is that of the rules, not that of the card, and the sentence says how faces become public."""
    said = str(rules_fault(error_of(ReadsHidden), ReadsHidden))
    line = inspect.getsourcelines(ReadsHidden.play)[1] + 1
    assert f"broken.py, line {line}: `ReadsHidden.play` asks for the face of card " in said
    assert "`await t.reveal` it, `t.show` it to a seat, or let its owner say" in said


@pytest.mark.parametrize(
    ("error", "theirs"),
    [(GameError("It holds a float."), True), (ValueError("ours"), False), (Refused("No."), False),
     (BotFault(0, "A bot."), False), (KeyboardInterrupt(), False)],
)  # fmt: skip
def test_rules_are_blamed_only_for_what_is_theirs(error: BaseException, theirs: bool) -> None:
    """An error without a frame of the game is the game's only where the engine says so."""
    assert is_rules_fault(error, Nod) is theirs


def test_a_fault_without_a_place_is_told_without_one() -> None:
    """A state that can't be kept has no line; the sentence stays whole."""
    assert (
        str(rules_fault(GameError("It holds a float."), Nod))
        == "Error in the rules of nod: It holds a float."
    )
