"""Advice: in lines, in JSON and on the full screen a thinker says what it would do, and why."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen

from tavolata._engine.match.header import Header
from tavolata._engine.match.sight import sight
from tavolata._engine.match.updates import Asked, Hinted
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.thinking.thoughts import Reply, Thinking, advice
from tavolata._engine.thinking.worker import think
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._ui.words import Words
from tavolata.bots import RandomBot, SearchBot
from tavolata.errors import Refused
from tavolata.sim import Simulation

FOUR = Path(__file__).parents[3] / "examples" / "games" / "four" / "rules.py"


class Quick(SearchBot):
    """A thinker that tries a few worlds, by no clock."""

    playouts = 70


class Silent:
    """A keyboard at which nobody types by itself."""

    on_terminal = False

    async def next(self) -> str | None:
        """Wait for ever."""
        await asyncio.Event().wait()
        return None


class Here:
    """Thinks in this process, at once: what the other process would reply is the same."""

    def ask(self, match: Any, ask: Any, bot: SearchBot, key: int, wake: Any) -> Thinking:
        """A thought that is over."""
        begun = Thinking(float("inf"), wake)
        best, thought = think(sight(match, int(ask.seat)), ask.id, bot, 0, key)
        begun.end(Reply(1, best, tuple(map(tuple, thought.weighed)), thought.playouts))
        return begun

    def is_over(self, one: Thinking) -> bool:
        """Whether it is over."""
        return one.reply is not None


@pytest.fixture(autouse=True)
def _thinks_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("tavolata._engine.thinking.thinkers.THINKERS", Here())


def against_a_bot(thinker: SearchBot | None = None) -> LocalSession:
    """A person against a bot at Four in a Row."""
    rules = Catalogue().game(str(FOUR)).game
    header = Header("c" * 16, "four", "0.1", 1, {}, ("Ann", "Ada"), (None, "random"), "open", None, 3)
    return LocalSession(header, rules, "", [None, RandomBot()], thinker=thinker)


def typed(front: Any, line: str, lang: str) -> list[str]:
    """What a line frontend prints when this is typed at the first question, up to the advice."""
    printed: list[str] = []
    session = against_a_bot(Quick())
    made: LineFrontend = front(session, Translator(lang), printed.append, Silent())

    async def listen() -> None:
        async for update in session.updates():
            made.show(update)
            if isinstance(update, Asked) and update.mine:
                await made.hear(line.replace("%s", str(update.ask.id)))
            if isinstance(update, Hinted):
                return

    asyncio.run(listen())
    return printed


@pytest.mark.parametrize(("lang", "word", "said"), [
    ("en", "advice", "A thinker would choose "), ("it", "parere", "Lo stratega sceglierebbe "),
])  # fmt: skip
def test_a_command_asks_a_thinker(lang: str, word: str, said: str) -> None:
    """The command says that a thinker thinks; its hint names answers, with the share of the worlds won."""
    printed = typed(Plain, word, lang)
    assert said in printed[-1]
    assert "% " in printed[-1]


def test_a_program_asks_a_thinker_by_the_number_of_the_question() -> None:
    """A line of JSON with the question's id is answered by a hint."""
    lines = [json.loads(line) for line in typed(Ndjson, '{"type":"advice","id":%s}', "en")]
    assert lines[-1]["type"] == "hint"
    assert "A thinker would choose" in lines[-1]["text"]


def test_a_key_asks_a_thinker() -> None:
    """The advice stands where hints stand, and the question is still open."""

    async def play() -> None:
        async with screen(against_a_bot(Quick()), (80, 24), "en") as played:
            await played.asked()
            await played.press("h")
            await played.until("A thinker would choose")
            assert played.app.model.asks
            while not played.app.model.folded:
                await played.press("enter")
            await played.until(lambda: "guide" not in played.text())  # its rows are the board's again
            assert played.app.model.asks

    asyncio.run(play())


def test_nobody_advises_at_a_table() -> None:
    """A session without a thinker refuses, as every session of a table does."""
    session = against_a_bot()

    async def ask() -> None:
        async for update in session.updates():
            if isinstance(update, Asked):
                for one in (session.advise, lambda ask: TableSession.advise(session, ask)):
                    with pytest.raises(Refused, match="on one computer"):
                        one(update.ask)
                return

    asyncio.run(ask())


@pytest.mark.parametrize(("weighed", "said"), [
    (((2, 9, 700.0, 0.7), (0, 9, 500.0, 0.5)), "{2} (70% of 9), then {0} (50% of 9)."),
    (((2, 9, 400.0, 0.4), (0, 9, 500.0, 0.5)), "{0} (50% of 9) did about as well."),
    (((2, 9, 70.0, 0.0), (0, 9, 50.0, 0.0)), "more points or a better place than {0} (0% of 9)."),
    (((2, 9, 700.0, 0.7),), "{2} (70% of 9); it had no time"),
    (((2, 2, 500.0, 0.5), (0, 2, 500.0, 0.5)), "too few deals (18)"),
    (((2, 1, 1000.0, 1.0), (0, 9, 500.0, 0.5)), "{2} (100% of 1), then {0}"),
    ((), "too few deals (18)"),
])  # fmt: skip
def test_advice_says_why(weighed: Any, said: str) -> None:
    """It wins more, or nothing else is clearly better, or it only brings more points."""
    ask = Simulation(Catalogue().game(str(FOUR)).game, seed=3).open[0]
    hint = advice(ask, Reply(1, 2, weighed, 18))
    words = Words(Translator("en"), "", ("Ann", "Ada"))
    names = [words.answer(ask.question, ask.question.answer_at(number)) for number in range(3)]
    assert hint.seat == ask.seat
    assert said.format(*names) in words.text(hint.message, hint.params)


@pytest.mark.parametrize(("weighed", "said"), [
    (((2, 0, 0.0, 0.0),), "nothing to choose"), ((), "too few deals (0)")
])  # fmt: skip
def test_a_thinker_that_tried_nothing_says_why(weighed: Any, said: str) -> None:
    """Only one answer is allowed, or the time was over before the first world."""
    ask = Simulation(Catalogue().game(str(FOUR)).game, seed=3).open[0]
    hint = advice(ask, Reply(1, 2, weighed, 0))
    assert said in Words(Translator("en"), "", ("Ann", "Ada")).text(hint.message, hint.params)
