"""What bots are asked, and what not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tavolata import Ask, Game, Options, Outcome, Pile, Refused, Table, View
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import BotFault, OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, Chance
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.kinds.one_of import GO


class Turner(Game[Options]):
    """One card is turned by a hand."""

    name, title, seats = "turner", "Turner", (1, 1)
    pack: Pile[ItalianFace]

    def setup(self, t: Table[Options]) -> None:
        self.pack = t.pile("pack", ITALIAN_40)

    async def turn(self, t: Table[Options]) -> Outcome:
        await t.turn_up(self.pack, by=t.first_seat)
        return Outcome((t.first_seat,))


class Asker(Turner):
    """One question is asked."""

    async def turn(self, t: Table[Options]) -> Outcome:
        await t.ask(t.first_seat, GO.__class__(GO.choices))
        return Outcome((t.first_seat,))


class Stubborn(Bot):
    """A bot that finds no answer to anything."""

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        raise Refused("No.")


def played(game: type[Turner]) -> Callable[[], Match]:
    log: list[object] = []
    match = new_match(game, Terms(("Ann",), Options(), pace=0), OpenSource(1, [Stubborn()], log.append))

    def run() -> Match:
        match.run()
        return match

    return run


def test_no_bot_is_asked_for_a_mere_key() -> None:
    """A pause at a bot's hand passes without its `choose`."""
    assert played(Turner)().over


def test_a_bot_that_finds_no_answer_is_named() -> None:
    """A bot that raises `Refused` itself is a fault of that bot, not an error of somebody else."""
    with pytest.raises(BotFault, match="seat 1"):
        played(Asker)()
