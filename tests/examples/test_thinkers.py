"""Bots that think ahead, at the games of examples/games and the bundled ones: legal, strong, discreet."""

from __future__ import annotations

import asyncio
import os
import pickle
import secrets
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tavolata._engine.match.entries import ANSWER, SHOWN, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.sight import Sight, seen_match, sight
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.match.worlds import new_match
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.thinking.thinker import thinker
from tavolata._engine.thinking.thinkers import Thinkers
from tavolata._engine.thinking.thoughts import Thinking
from tavolata._engine.thinking.worker import think
from tavolata.bots import Bot, Chance, RandomBot, SearchBot
from tavolata.game import Game
from tavolata.sim import Action, Simulation
from tavolata.testing import checks

FOLDER = Path(__file__).parents[2] / "examples" / "games"
EXAMPLES = ["bazaar", "four", "hearts", "heirs", "liars", "robots", "rockets", "werewolf"]
BUNDLED = ["conto", "horse-fever", "jumpy-jack"]
"""Those in which somebody is asked; Bang has windows alone, and Zompa calls."""


class TwoWorlds(SearchBot):
    """A bot that tries two worlds, by no clock."""

    playouts = 2


class TwoAhead(TwoWorlds):
    """The same with a tree."""

    looks_ahead = True


class Calm(SearchBot):
    """A bot that tries so many worlds that it sees what wins at once."""

    playouts = 120
    looks_ahead = False


class Ahead(Calm):
    """The same with a tree."""

    looks_ahead = True


def loaded(name: str) -> tuple[type[Game[Any]], dict[str, type[Bot]]]:
    """A game with its bots by level."""
    catalogue = Catalogue()
    word = str(FOLDER / name / "rules.py") if name in EXAMPLES else name
    game = catalogue.game(word).game
    return game, catalogue.bots(game.name)


def running(name: str, seats: int, seed: int, answers: int) -> Match[OpenSource]:
    """A match in which people have given so many answers, one from the middle of what is legal."""
    rules, _ = loaded(name)
    source = OpenSource(seed, [None] * seats, hold=True)
    names = ("Ada", "Bea", "Cleo", "Dora")[:seats]
    match = new_match(rules, Terms(names, rules.options()), source)
    match.run()
    for _ in range(answers):
        ask = source.open[0]
        legal = match.view(ask.seat).legal(ask)
        answer = ask.question.answer_for(legal[len(legal) // 2])
        match.feed((ANSWER, int(ask.seat), ask.id, answer))
    return match


@pytest.mark.parametrize("name", [*EXAMPLES, *BUNDLED])
def test_it_answers_legally(name: str) -> None:
    """At questions all through a match its answer is among the legal ones, the claims included."""
    rules, bots = loaded(name)
    made: Any = bots["thinker"]()
    made.playouts, asked = 2, 0
    match = Simulation(rules, rules.seats[0], options=rules.options.parse(dict(rules.local)), seed=3)
    while match.outcome is None and asked < 5:
        ask = match.open[0]
        asked += 1
        if match._match.source.window is None:
            view = match.view(ask.seat)
            value = made.choose(view, ask, Chance(asked))
            assert view.allows(ask, value)
            match.step(Action(ask.seat, value))
        match.rollout(RandomBot(), Chance(asked), steps=4)
    assert asked


def test_what_is_certain_is_not_weighed() -> None:
    """An open end on both sides is lost: the tree knows it for sure and stops long before its time."""
    rules, _ = loaded("four")
    match = Simulation(rules, seed=1)
    for column in (3, 0, 3, 0, 3):
        match.step(column)
    match.step(6)
    ask = match.open[0]
    thought = Ahead().weigh(match.view(ask.seat), ask, Chance(6))
    assert thought.weighed[0].wins == 1
    assert thought.playouts < Ahead.playouts


def test_an_adviser_that_guesses_has_no_say() -> None:
    """What is said at random doesn't stand against the tree: the answer that was tried most is taken."""
    bot = type("Advised", (Ahead,), {"playouts": 40, "adviser": RandomBot()})()
    match = Simulation(loaded("four")[0], seed=1)
    ask = match.open[0]
    for key in range(4):
        tried = bot.weigh(match.view(ask.seat), ask, Chance(key)).weighed
        assert tried[0].visits == max(one.visits for one in tried)


@pytest.mark.parametrize("bot", [Calm, Ahead])
def test_it_finds_a_forced_win(bot: type[SearchBot]) -> None:
    """Three in a row with a free end are completed; and three of the other's are stopped."""
    rules, _ = loaded("four")
    match = Simulation(rules, seed=1)
    first = match.open[0].seat
    for column in (3, 0, 3, 0, 3):
        match.step(column)
    ask = match.open[0]
    assert ask.seat != first
    assert bot().choose(match.view(ask.seat), ask, Chance(5)) == 3
    match.step(6)
    ask = match.open[0]
    assert bot().choose(match.view(ask.seat), ask, Chance(6)) == 3


def swapped(match: Match[OpenSource], seat: int) -> None:
    """Exchange two cards of others that this seat can't see, wherever their faces are written."""
    source = match.source
    unseen = [
        card.id for card in match.table._pieces.cards
        if not card.is_public and card.id not in source.known[seat]
    ]  # fmt: skip
    one = unseen[0]
    other = next(card for card in reversed(unseen) if source._faces[card] != source._faces[one])
    faces = {source._faces[one]: source._faces[other], source._faces[other]: source._faces[one]}

    def changed(entry: MatchEntry) -> MatchEntry:
        if entry[0] != SHOWN:
            return entry
        return (SHOWN, entry[1], tuple(faces.get(face, face) for face in entry[2]))

    source._log[:] = map(changed, source._log)
    source._faces[one], source._faces[other] = source._faces[other], source._faces[one]
    for known in source.known.values():
        for card in known.keys() & {one, other}:
            known[card] = source._faces[card]
    match.shadows.clear()


@pytest.mark.parametrize(("name", "seats", "answers"), [
    ("hearts", 4, 6), ("rockets", 2, 3), ("bazaar", 2, 2), ("heirs", 2, 1),
    ("conto", 2, 3), ("horse-fever", 2, 3),
])  # fmt: skip
def test_the_same_view_gives_the_same_answer(name: str, seats: int, answers: int) -> None:
    """What goes to the thinking process is the same to the byte if hidden cards lie otherwise."""
    match = running(name, seats, 7, answers)
    ask = match.source.open[0]
    before = pickle.dumps(sight(match, int(ask.seat)))
    mine = set(match.source.known[ask.seat])
    swapped(match, int(ask.seat))
    assert set(match.source.known[ask.seat]) == mine
    after = pickle.dumps(sight(match, int(ask.seat)))
    assert before == after
    answers_of = {think(pickle.loads(one), ask.id, TwoWorlds(), 0, 11)[0] for one in (before, after)}
    assert len(answers_of) == 1


@pytest.mark.parametrize(("name", "bot"), [
    ("heirs", TwoWorlds), ("hearts", TwoWorlds), ("liars", TwoWorlds), ("rockets", TwoWorlds),
    ("heirs", TwoAhead), ("werewolf", TwoAhead), ("rockets", TwoAhead),
])  # fmt: skip
def test_it_reads_nothing_that_is_hidden(name: str, bot: type[SearchBot]) -> None:
    """The kit's check of secrecy over a whole match: no hidden face and no sealed answer is read."""
    rules, _ = loaded(name)
    rules_of_house = {"points": 1} if name == "hearts" else None
    checks.hidden_facts_raise(rules, bots=(bot, RandomBot), matches=1, options=rules_of_house)


def test_the_sight_of_a_seat_is_its_view() -> None:
    """In the other process the public state is the same, and the seat's knowledge, and nobody else's."""
    match = running("hearts", 4, 7, 9)
    seat = int(match.source.open[0].seat)
    seen: Sight = pickle.loads(pickle.dumps(sight(match, seat)))
    there = seen_match(seen)
    assert there.digest() == match.digest()
    assert there.source.known[seat] == match.source.known[seat]
    others = [face for one in range(4) if one != seat for face in there.source.known[one].values()]
    assert len(others) > 20
    assert set(others) == {-1}


def wait(one: Thinking, worker: Thinkers) -> None:
    """Wait until a thought is over."""
    until = time.monotonic() + 30
    while not worker.is_over(one):
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def worker() -> Any:
    """A worker of its own."""
    one = Thinkers()
    yield one
    one.close()


def test_a_process_thinks_and_is_replaced_when_it_dies(worker: Thinkers) -> None:
    """It answers as this process would; killed, it says so, and the next question gets a new one."""
    match = running("rockets", 2, 7, 3)
    ask = match.source.open[0]
    bot: Any = loaded("rockets")[1]["thinker"]()
    bot.playouts = 6
    woken: list[int] = []
    first = worker.ask(match, ask, bot, 11, lambda: woken.append(1))
    wait(first, worker)
    assert first.reply is not None
    expected, thought = think(sight(match, int(ask.seat)), ask.id, bot, 0, 11)
    assert (first.answer, first.reply.playouts, woken) == (expected, thought.playouts, [1])
    assert worker._worker is not None
    bot.playouts = 100_000
    second = worker.ask(match, ask, bot, 11, lambda: None)
    worker._worker.kill()
    wait(second, worker)
    assert second.reply is not None
    assert (second.answer, second.reply.problem) == (None, "the process that thinks has ended")
    bot.playouts = 2
    third = worker.ask(match, ask, bot, 11, lambda: None)
    wait(third, worker)
    assert third.answer is not None


class Forks(TwoWorlds):
    """A bot whose arrival leaves a process behind that hangs, with all pipes of the worker."""

    def __reduce__(self) -> Any:
        return eval, ("__import__('os').fork() or __import__('time').sleep(60)",)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_nobody_waits_for_what_a_bot_has_started(worker: Thinkers) -> None:
    """The worker's end is the end of its bots' processes, too, so that none of them can hold up a table."""
    match = running("four", 2, 7, 3)
    wait(worker.ask(match, match.source.open[0], Forks(), 11, lambda: None), worker)
    closing = Thread(target=worker.close, daemon=True)
    closing.start()
    closing.join(timeout=20)
    assert not closing.is_alive()
    assert not worker._listener.is_alive()


def test_a_bot_that_can_not_be_sent_fails_at_once(worker: Thinkers) -> None:
    """Nobody waits for a bot of a class that another process can't find, and no process is started."""

    class Here(TwoWorlds):
        seconds = 1.0

    match = running("rockets", 2, 7, 0)
    thought = worker.ask(match, match.source.open[0], Here(), 1, lambda: None)
    assert worker.is_over(thought)
    assert thought.answer is None
    assert worker._worker is None


def seated(name: str, bots: list[Bot | None], levels: tuple[str | None, ...]) -> LocalSession:
    """A match in this process between these."""
    catalogue = Catalogue()
    one = catalogue.game(str(FOLDER / name / "rules.py"))
    header = Header(
        id=secrets.token_hex(8), game=one.info.name, version=one.info.version, rules_id=one.game.rules_id,
        code=one.info.code, options=one.game.options().plain(), names=("Ada", "Bea"), bots=levels, seed=5,
    )  # fmt: skip
    return LocalSession(header, one.game, one.info.package, bots)


def told(session: LocalSession) -> list[Any]:
    """All that a match tells."""

    async def listen() -> list[Any]:
        return [update async for update in session.updates()]

    return asyncio.run(listen())


def test_a_match_goes_on_without_the_process(
    monkeypatch: pytest.MonkeyPatch, worker: Thinkers, tmp_path: Path
) -> None:
    """Bots that think play a match to its end; where their process can't be started they say it."""
    monkeypatch.setenv("TAVOLATA_HOME", str(tmp_path))
    monkeypatch.setattr("tavolata._engine.thinking.thinkers.THINKERS", worker)
    _, bots = loaded("heirs")
    quickly = thinker(bots, 0.01)
    made = told(seated("heirs", [quickly(), RandomBot()], ("thinker", "random")))
    assert isinstance(made[-1], Ended)
    assert [one.params for one in made if isinstance(one, Notice)] == []

    def broken(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    worker.close()
    monkeypatch.setattr("tavolata._engine.thinking.thinkers.subprocess.Popen", broken)
    made = told(seated("heirs", [quickly(), RandomBot()], ("thinker", "random")))
    assert isinstance(made[-1], Ended)
    said = [one for one in made if isinstance(one, Notice)]
    assert said
    assert "no more processes" in said[0].params["problem"]
