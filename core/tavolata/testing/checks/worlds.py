"""A check of imagined worlds: what bots search in is the match as their seat knows it, and nothing more."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from typing_extensions import override

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, SEALED
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.simulation import Simulation, imagined
from tavolata._engine.match.worlds import new_match
from tavolata.asks import Ask
from tavolata.bots import Chance, RandomBot
from tavolata.game import Game
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.checks.secrecy import known_alone, known_to
from tavolata.testing.recording import NotingSource, Recorded, blamed, patience, terms_of

WORLDS = 12
"""The most worlds that are imagined in a match."""
ROLLOUTS = 1
"""How many of them are played to their end."""
SEATS = 2
"""How many seats imagine once more where only their knowledge is."""


class ImaginedWorld(NamedTuple):
    """A world that a seat imagined: whose and at which question, and everything that is hidden in it."""

    seat: int
    ask: int
    hidden: Any


@each(share=15)
def worlds_imagined(case: Case) -> None:
    """Check that a seat's imagined worlds have the same state, fit its knowledge, and can be played."""
    whole = _Imagined(case)
    whole.match = new_match(case.game, terms_of(case), NotingSource(whole), whole.tell)
    with patience(whole), suppress(_Enough), blamed(whole, but=_Enough):
        whole.match.run()
    for seat in sorted({world.seat for world in whole.worlds})[:SEATS]:
        _imagine_as(whole, seat, [world for world in whole.worlds if world.seat == seat])


class _Enough(Exception):
    """Enough worlds were imagined."""


class _Imagined(Recorded):
    """A match whose seats imagine a world now and then before they answer."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.worlds: list[ImaginedWorld] = []
        self._questions = 0

    @override
    def before_answer(self, ask: Ask) -> None:
        self._questions += 1
        if len(self.worlds) == WORLDS:
            raise _Enough
        if self._questions % (1 + len(self.worlds)) == 0:
            with blamed(self):
                self._note(ask)

    def _note(self, ask: Ask) -> None:
        world = looked_at(self, ask)
        self.worlds.append(ImaginedWorld(int(ask.seat), ask.id, hidden_in(world)))
        if self.case.game.playout is not Game.playout:
            _plays_as_the_rules(self, world, ask)
        if len(self.worlds) <= ROLLOUTS:
            world.rollout(RandomBot(), Chance(ask.id))


def looked_at(kept: Recorded, ask: Ask) -> Simulation[Any]:
    """Return a world that the asked seat imagines, after comparing it with the match.

    Raise `CheckFailed` if the seat could distinguish them.
    """
    match, seat = kept.match, ask.seat
    world = imagined(match, seat, Chance(ask.id))
    if not world.untrue and world.digest() != match.digest():
        raise kept.failure(f"A world that seat {seat} imagines has another state.")
    mine, theirs = match.view(seat), world.view(seat)
    if any(mine.face_of(card.id) != theirs.face_of(card.id) for card in match.table._pieces.cards):
        raise kept.failure(f"In a world that seat {seat} imagines, it knows other cards.")
    if mine.zones() != theirs.zones():
        raise kept.failure(f"In a world that seat {seat} imagines, it sees other zones.")
    if ask.id not in [one.id for one in world.open]:
        raise kept.failure(f"In a world that seat {seat} imagines, it isn't asked what it is asked.")
    return world


def _plays_as_the_rules(kept: Recorded, world: Simulation[Any], ask: Ask) -> None:
    """Compare the game's own `playout` with its rules.

    Raise `CheckFailed` if it ends differently, or something has changed.
    """
    state = world.digest()
    found, wanted = world.playout(Chance(ask.id)), world.clone().rollout(RandomBot(), Chance(ask.id))
    if found != wanted:
        raise kept.failure(f"`playout` at question {ask.id} ends with {found}; the rules end with {wanted}.")
    if world.digest() != state:
        raise kept.failure(f"`playout` at question {ask.id} has changed the state.")


def hidden_in(world: Simulation[Any]) -> Any:
    """Return all that is hidden in a world, and what each seat knows of it."""
    source = world._match.source
    tables = (source.known, source.sealed)
    return source.faces(), [{seat: dict(table[seat]) for seat in sorted(table)} for table in tables]


def _imagine_as(whole: Recorded, seat: int, noted: list[ImaginedWorld]) -> None:
    """Imagine the same worlds where only this seat's knowledge is, as on its machine at a table.

    Raise `CheckFailed` if they are different, so something else was read.
    """
    source = LogSource(whole.case.seats, OneDealer())
    source.sealed[seat].update(known_alone(seat, whole))
    match = new_match(whole.case.game, terms_of(whole.case), source)
    match.run()
    waiting = {world.ask: world for world in noted}
    for number, entry in enumerate(known_to(seat, whole)):
        if not waiting:
            return
        if entry[0] in (ANSWER, SEALED) and entry[1] == seat and (world := waiting.pop(entry[2], None)):
            again = imagined(match, seat, Chance(world.ask))
            if hidden_in(again) != world.hidden:
                raise whole.failure(f"Seat {seat} imagines another world where all else is sealed.", number)
        match.feed(entry)
