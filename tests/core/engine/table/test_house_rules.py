"""House rules at a table: what can be set there, and what keeps a match from beginning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.core.engine.table.test_table_state import ANN, BOB, BOX, HOST, Alone, Guess, put, reasons

from tavolata import N_, Game, Options, Problem, option
from tavolata._engine.match.header import Header
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import head
from tavolata._engine.table.table_state import TableState
from tavolata.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class DinnerOptions(Options):
    """House rules that hang on each other and on how many play."""

    rounds: int = option(1, "How many rounds.", low=1, high=9)
    sweets: bool = option(False, "Whether there are sweets.")
    spoons: int = option(1, "How many spoons.", low=1, high=9, when={"sweets": True})
    wine: bool = option(False, "Whether there is wine.", seats=(3, 4))

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        """Three people don't play more than five rounds."""
        if self.rounds > 5 and seats > 2:
            yield Problem("rounds", N_("{n} rounds are too long."), n=self.rounds)


class Dinner(Guess):
    """A game with such house rules."""

    name = "dinner"
    seats = (2, 4)
    options = DinnerOptions  # type: ignore[assignment]  # the rules of `Guess` need its rounds alone


class Here(Alone):
    """A machine that has this game."""

    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        return Dinner if game == "dinner" else super().rules(game, rules_id)


def table(*guests: bytes, seats: int = 4, **options: object) -> TableState:
    """A table of the host and guests, with these house rules."""
    state = TableState(Dinner, me=HOST, local=Here(HOST))
    put(state, HOST, log_bodies.FOUND, "dinner", 1, seats, {}, "fair")
    for number, peer in enumerate((HOST, *guests)):
        put(state, peer, log_bodies.ENTER, bytes([number]) * 8, f"P{number}", False, None, BOX)
    put(state, HOST, log_bodies.SET, {**DinnerOptions().plain(), **options})
    return state


def start(state: TableState, header: Header) -> None:
    put(state, HOST, log_bodies.START, pack(header.plain()), state.roster.leader)


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (4, {"spoons": 2}, "unless {other} is {known}"),
        (2, {"wine": True}, "With {seats} players"),
        (4, {"rounds": 10}, "must be from"),
    ],
)
def test_what_is_not_offered_is_refused_when_it_is_set(
    seats: int, options: dict[str, Any], sentence: str
) -> None:
    """The host is told why, and the house rules stay as they were."""
    state = table(seats=seats)
    (reason,) = reasons(put(state, HOST, log_bodies.SET, {**DinnerOptions().plain(), **options}))
    assert sentence in reason
    assert state.lobby.options == DinnerOptions().plain()


def test_a_game_with_house_rules_that_it_does_not_have_changes_nothing() -> None:
    """Game, places, teams, edition and campaign stay as they were, on a table and on one that isn't open."""
    state = table(ANN, sweets=True)
    put(state, HOST, log_bodies.BOTS, ["easy"])
    put(state, HOST, log_bodies.EDITION, "1.0", b"code", True, False)
    before = table_snapshot.take(state, head(7, b"c" * 32))
    assert reasons(put(state, HOST, log_bodies.GAME, "guess", 1, 3, {"wings": 1}))
    assert table_snapshot.take(state, head(7, b"c" * 32)) == before
    assert state.lobby.problems == []
    new = TableState(Dinner, me=HOST, local=Here(HOST))
    before = table_snapshot.take(new, head(7, b"c" * 32))
    put(new, HOST, log_bodies.FOUND, "guess", 1, 3, {"wings": 1}, "fair")
    assert table_snapshot.take(new, head(7, b"c" * 32)) == before


@pytest.mark.parametrize(
    ("guests", "options", "sentence"),
    [
        ((ANN, BOB), {"rounds": 6}, "6 rounds are too long."),
        ((ANN,), {"wine": True}, "With 2 players"),
    ],
)
def test_a_table_with_a_problem_does_not_start(
    guests: tuple[bytes, ...], options: dict[str, Any], sentence: str
) -> None:
    """The problem is known while people come and go; nothing begins, not even by a header that hides it."""
    state = table(*guests, **options)
    (problem,) = state.lobby.problems
    assert sentence in str(problem)
    with pytest.raises(OptionError, match=sentence):
        state.lobby.terms()
    put(state, HOST, log_bodies.SET, DinnerOptions().plain())
    sound = state.lobby.terms()
    put(state, HOST, log_bodies.SET, {**DinnerOptions().plain(), **options})
    wrong = Header(**{**sound.plain(), "options": state.lobby.options})
    start(state, wrong)
    assert state.matches.barrier is None
    with pytest.raises(OptionError, match=sentence):
        Header.of(unpack(pack(wrong.plain()))).terms(Dinner)
    put(state, HOST, log_bodies.SET, DinnerOptions().plain())
    start(state, state.lobby.terms())
    assert state.matches.barrier is not None


def test_a_problem_goes_with_those_who_leave() -> None:
    """House rules are checked for those who are there: too long for three, they are right for two."""
    state = table(ANN, BOB, rounds=6)
    assert state.lobby.problems
    put(state, BOB, log_bodies.LEAVE)
    assert state.lobby.problems == []
    start(state, state.lobby.terms())
    assert state.matches.barrier is not None
