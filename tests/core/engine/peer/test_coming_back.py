"""Players who go and come back, at the real agents of a table: when bots are asked, which answer counts."""

from __future__ import annotations

from contextlib import closing
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.peer.agents import AgentTable

from tavolata import Ask, View
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.updates import Notice
from tavolata._engine.peer.participation import LOST_SECRET
from tavolata._engine.storage import secret_files
from tavolata.bots import Chance, ChatMessage, RandomBot

ABSENT = 2
"""The party that goes and comes back."""
SEAT = ABSENT - 1


pytestmark = pytest.mark.usefixtures("data_folder")


class Open(Peek):
    """Peek where words matter, so that bots may speak at any moment."""

    name, listens = "open-peek", True


class Reader(RandomBot):
    """A bot that reads its hand whenever it is asked, as a bot that appraises its cards does."""

    interjects = True
    asked: ClassVar[int] = 0

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """A random answer, after a look at the own cards."""
        self._look(view)
        return super().choose(view, ask, chance)

    def interject(self, view: View, standing: object, chance: Chance) -> ChatMessage | None:
        """Nothing, after a look at the own cards."""
        self._look(view)
        return None

    def _look(self, view: View) -> None:
        Reader.asked += 1
        assert view.seat is not None
        assert None not in [view.face(card) for card in view.game.hands[view.seat]]  # it may be empty


def test_who_has_lost_the_secret_of_a_match_steps_away_and_the_others_play_on() -> None:
    """Its machine says so by itself; the game answers, nobody is convicted, and its player can leave."""
    with closing(AgentTable(Peek, 3, RandomBot, rounds=3)) as table:
        while table.match is None or not table.answers():
            table.round()
        nonce = table.machines[ABSENT].agent.playing._secret.nonce
        table.kill(ABSENT)
        secret_files.erase(nonce)
        table.back(ABSENT)
        while table.match.status[SEAT] != "blind":
            table.round()
        lost = table.machines[ABSENT].agent
        assert [one for one in lost.state.out if isinstance(one, Notice) and one.message == LOST_SECRET]
        dealing = table.source.dealing
        at_first = len(dealing.remaining)
        assert at_first == 3
        lost.say_of_oneself(OwnWord.LEFT)
        while len(dealing.remaining) == at_first:
            assert not table.is_over  # the word is final before the match is over
            table.round()
        finish(table)
        assert table.is_over
        assert dealing.convicted() == {}


def failed(table: AgentTable) -> list[Any]:
    """What was said of bots that failed."""
    said = [one for machine in table.machines.values() for one in machine.agent.state.out]
    return [one for one in said if isinstance(one, Notice) and "'s bot failed" in one.message]


def finish(table: AgentTable) -> None:
    """Play on until the match is over, or nothing happens any more."""
    for _ in range(60):
        table.play()
        if table.is_over:
            return
        table.wait(1)


@pytest.mark.battery
@pytest.mark.parametrize("entries", [18, 21, 33, 45, 57])
@pytest.mark.parametrize("way", ["dies", "is cut off"])
def test_a_bot_is_asked_only_when_its_own_cards_are_open(entries: int, way: str) -> None:
    """Gone at any moment, and back after some answers of silence: no bot is asked for anything blind."""
    Reader.asked = 0
    with closing(AgentTable(Open, 3, Reader, rounds=2)) as table:
        while len(table.log.wires) < entries:
            table.round()
        if way == "dies":
            table.kill(ABSENT)
        else:
            table.cut.add(ABSENT)
        table.wait(100)
        if way == "dies":
            table.back(ABSENT)
        table.cut.clear()
        finish(table)
        assert table.is_over
        assert Reader.asked > 20
        assert not failed(table)


def at_question(table: AgentTable) -> int:
    """Play until the absent is asked what only its hand knows, and thinks about it; the question."""
    table.answers_to = lambda ask: ask.sealed
    while True:
        table.think()
        asks = [] if table.match is None else [ask.id for ask in table.source.open if ask.seat == SEAT]
        table.speak()
        if asks and not table.source.open[0].sealed:
            return asks[0]


@pytest.mark.battery
@given(st.data(), st.integers(2, 4))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_one_answer_whoever_goes_and_returns_and_goes(data: st.DataObject, parties: int) -> None:
    """Links fail and heal, and words of going are said, during one question, in any order: one answer."""
    with closing(AgentTable(Peek, parties, RandomBot, ABSENT, rounds=1)) as table:
        ask = at_question(table)
        for _ in range(data.draw(st.integers(2, 4), "how often it goes")):
            if data.draw(st.booleans(), "with a word"):
                table.step_away(ABSENT)
                table.speak(ABSENT)
            table.cut.add(ABSENT)
            table.wait(data.draw(st.sampled_from([0, 1, 20, 90]), "seconds"))
            table.play(data.draw(st.integers(0, 4), "rounds without it"))
            table.think()
            table.cut.clear()
            table.machines[ABSENT].read()
            table.speak(*data.draw(st.permutations(range(1, parties + 1)), "who is first in the log"))
        table.answers_to = lambda _: True
        finish(table)
        assert table.is_over
        assert table.answers().count((SEAT, ask)) <= 1  # the answer of silence is nobody's entry
        assert len(set(table.answers())) == len(table.answers())
