"""The acts of all games: what a button says is the act itself, so that nobody has to choose a choice."""

from __future__ import annotations

from typing import Any

import pytest
from typing_extensions import override

from tavolata import Ask, View
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata._ui.answers import is_go
from tavolata.bots import Chance, RandomBot
from tavolata.game import Game
from tavolata_bang.rules import Bang
from tavolata_conto.rules import Conto
from tavolata_horse_fever.rules import HorseFever
from tavolata_jumpy_jack.rules import JumpyJack
from tavolata_zompa.rules import Zompa

MATCHES: list[tuple[type[Game[Any]], int, dict[str, Any]]] = [
    (Bang, 2, {"cap": 40}),
    (Conto, 3, {"hands": 2, "saldo": True}),
    (HorseFever, 3, {"turns": 2}),
    (HorseFever, 3, {"mode": "board", "turns": 3, "starred": True}),
    (JumpyJack, 4, {"points": 6, "guess": True, "writer": "chosen"}),
    (Zompa, 4, {"fives": True, "fiches": 2}),
]


class Curious(RandomBot):
    """It answers as it likes, and writes down the questions that name no act."""

    def __init__(self, asked: set[str], nameless: set[str]) -> None:
        self.asked, self.nameless = asked, nameless

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        if is_go(ask.question):  # its prompt is the act
            return super().choose(view, ask, chance)
        self.asked.add(ask.you)
        choices = getattr(ask.question, "choices", ())
        if not ask.verb and not (choices and all(choice.verb for choice in choices)):
            self.nameless.add(ask.you)
        return super().choose(view, ask, chance)


@pytest.mark.parametrize(("rules", "seats", "options"), MATCHES)
def test_every_question_names_its_act(rules: type[Game[Any]], seats: int, options: dict[str, Any]) -> None:
    """In a match of bots that answer anything, no button says merely that something is chosen."""
    asked, nameless = set[str](), set[str]()
    for seed in range(1 if rules is Conto else 3):
        bots = [Curious(asked, nameless) for _ in range(seats)]
        source = OpenSource(seed, bots)
        teams = (0, 1, 0, 1) if rules is JumpyJack else ()
        names = tuple("ABCD"[:seats])
        new_match(rules, Terms(names, rules.options.parse(options), teams=teams), source).run()
        source.let_go()
    assert nameless == set()
    assert asked or rules is Bang
