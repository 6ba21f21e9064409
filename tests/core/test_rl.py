"""`tavolata.rl`: PettingZoo's own tests, and what they don't look at."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from tavolata import (
    Branch,
    Choice,
    Game,
    Options,
    Outcome,
    Question,
    Seat,
    Table,
    interjection,
    one_of,
    rl,
    some_of,
)
from tavolata._cli import main
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._features import features
from tavolata.bots import Chance
from tavolata.errors import GameError
from tavolata.sim import Simulation

ROOT = Path(__file__).parents[2]
GAMES = (
    "bang", "conto", "horse-fever", "jumpy-jack", "zompa",
    *(str(ROOT / "examples/games" / name / "rules.py") for name in ("four", "heirs", "robots", "liars")),
)  # fmt: skip
"""All bundled games with their defaults, and four outside ones."""


@pytest.fixture(autouse=True)
def _only_faults() -> Iterator[None]:
    """PettingZoo warns of observations that are dicts, though masks want them to be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.battery
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).parent.name if "/" in name else name)
def test_pettingzoos_own_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`api_test`, `seed_test`, `max_cycles_test` and those of parallel environments find nothing."""
    game = Catalogue().game(name).game
    index = rl.learn(game, matches=1)

    def env(max_cycles: int | None = None, render_mode: str | None = None) -> Any:
        return rl.env(game, index=index, max_cycles=max_cycles, render_mode=render_mode)

    def parallel_env(max_cycles: int | None = None) -> Any:
        return rl.parallel_env(game, index=index, max_cycles=max_cycles)

    api_test(env(), num_cycles=8)
    seed_test(env, num_cycles=8)
    parallel_api_test(parallel_env(), num_cycles=8)
    parallel_seed_test(parallel_env, num_cycles=8)
    render_test(lambda render_mode: env(render_mode=render_mode))
    max_cycles_test(SimpleNamespace(env=lasting(env), parallel_env=lasting(parallel_env)))
    assert "Passed Parallel API test" in capsys.readouterr().out
    if name == "zompa":  # its agents bet by a house rule that nobody has named
        api_test(rl.env(game), num_cycles=8)
        parallel_api_test(rl.parallel_env(game), num_cycles=8)


def lasting(make: Callable[[int], Any]) -> Callable[[int], Any]:
    """Environments of one match that lasts: PettingZoo takes for granted that each outlives its cycles."""

    def seeded(max_cycles: int) -> Any:
        env = make(max_cycles)
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(number)
        env.reset = partial(env.reset, seed=2)
        return env

    return seeded


def acted(env: Any, steps: int) -> list[Any]:
    """What the agents see in so many steps, each of which takes the last legal action."""
    seen: list[Any] = []
    for agent in env.agent_iter(steps):
        now, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        seen.append((agent, now["observation"].tolist(), now["action_mask"].tolist(), reward))
        env.step(None if over else int(now["action_mask"].nonzero()[0][-1]))
    return seen


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).parent.name if "/" in name else name)
def test_environments_are_copied_and_pickled_in_the_middle_of_a_match(name: str) -> None:
    """Both go on as the original does, and a step of one of them doesn't touch the others."""
    game = Catalogue().game(name).game
    for make in (rl.env, rl.parallel_env):
        env = make(game, index=rl.learn(game, matches=1))
        env.reset(seed=np.int64(4))
        if make is rl.parallel_env:
            seen = env.step(dict.fromkeys(env.agents, 0))[0]
            others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            found = [one.step(dict.fromkeys(one.agents, 0))[0] for one in (*others, env)]
            assert {str(one) for one in found} == {str(found[0])}
            assert str(seen) != str(found[0]) or not env.agents
            continue
        acted(env, 7)
        others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        shown = env.render()
        assert "{" not in shown
        went_on = acted(others[0], 12)
        assert env.render() == shown
        assert acted(others[1], 12) == went_on == acted(env, 12)


def test_a_table_is_rendered_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    """No field is left open; the mode for people prints; another mode, or too short a row, is refused."""
    game = Catalogue().game("conto").game
    index = rl.learn(game, matches=1)
    env = rl.env(game, index=index)
    env.reset(seed=1)
    assert "dealt by Seat" in env.render()
    assert "{" not in env.render()
    loud = rl.env(game, index=index, render_mode="human")
    loud.reset(seed=1)
    assert loud.render() is None
    assert capsys.readouterr().out == f"{env.render()}\n"
    with pytest.raises(GameError, match="no render mode 'rgb_array'"):
        rl.env(game, index=index, render_mode="rgb_array")
    with pytest.raises(GameError, match="more than 32 numbers, not 32"):
        rl.env(game, index=index, width=32)


def test_a_game_that_asks_nothing_gets_a_house_rule_that_asks() -> None:
    """Zompa's agents bet on fives by default; options that are given stay as they are."""
    game = Catalogue().game("zompa").game
    usual = rl.env(game, index=rl.learn(game, matches=1))
    assert usual.house_rules == game.options.parse({"fives": True})
    quiet = rl.env(game, options=game.options(), index=rl.learn(game, options=game.options(), matches=1))
    quiet.reset(seed=1)
    assert set(quiet.terminations.values()) == {True}


def test_who_may_interject_is_offered_that_and_may_skip() -> None:
    """The dead of Zompa are asked out of turn, with 0 for skipping; what they say reaches the match."""
    game = Catalogue().game("zompa").game
    options = game.options.parse({"fives": True, "talk": "offer"})
    env = rl.env(game, 4, options=options, index=rl.learn(game, 4, options, matches=5))
    spoke = skipped = 0
    for seed in range(5):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            seen, _, over, _, _ = env.last()
            if over:
                env.step(None)
                continue
            legal = [int(number) for number in seen["action_mask"].nonzero()[0]]
            speaks = [n for n in legal if env.index.keys[n].startswith("speak/")]
            open_for = env.possible_agents[env.course.match.open[0].seat]
            assert 0 in legal or not speaks or open_for == agent
            spoke, skipped = spoke + bool(speaks), skipped + (not speaks and 0 in legal)
            env.step(speaks[0] if speaks else legal[0])
    assert spoke > 0


class Chatter(Game[Options]):
    """A window in which everybody may speak at any time."""

    name = title = "chatter"
    seats = (3, 3)

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    @interjection("Speak")
    def speak(self, t: Table[Options], seat: Seat, word: int) -> None:
        """Nothing comes of it."""

    @speak.choices
    def _words(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        return one_of([1, 2])

    async def turn(self, t: Table[Options]) -> Outcome:
        await t.react(dict.fromkeys(t.ring, one_of([1, 2])), "Quick!", seconds=1)
        return Outcome((t.first_seat,))


def test_who_skips_in_a_window_is_not_offered_the_same_again() -> None:
    """Where all may speak before each of three reacts, two skip each time and nobody holds up the match."""
    course, asked = rl._Course(Chatter, 3, Chatter.options(), 0), list[int]()
    while course.asked is not None and len(asked) < 20:
        asked.append(course.asked)
        steps = course.steps()
        lets_pass = [place for place, step in enumerate(steps) if getattr(step, "value", 0) is None]
        course.do(0 if steps[0] is rl.SKIP else lets_pass[0])
    assert asked == [1, 2, 0, 0, 2, 1, 0, 1, 2]


def test_an_observation_does_not_depend_on_what_its_seat_does_not_know() -> None:
    """In two imagined worlds with other cards, the seat that imagines them sees the same numbers."""
    match = Simulation(Catalogue().game("conto").game, 3, seed=2)
    view = match.view(0)
    worlds = [view.imagine(Chance(seed)) for seed in (1, 2)]
    assert (worlds[0].view(1).zones() == worlds[1].view(1).zones()) is False
    rows = [features(one.view(0), 256) for one in (match, *worlds)]
    assert rows[0] == rows[1] == rows[2]


@pytest.mark.parametrize("name", ["conto", "horse-fever", "zompa"])
def test_an_agent_takes_a_seat_and_sees_what_it_saw_in_the_environment(name: str) -> None:
    """Whatever it is asked, in parts or with claims, it answers, and its view is the same."""
    game = Catalogue().game(name).game
    seats, options = 3, rl.house_rules(game, 3)
    asked: list[tuple[list[int], list[int]]] = []

    class Last(rl.Agent):
        level = "last"
        index = rl.learn(game, seats, options, matches=1)

        def act(self, seen: dict[str, Any], chance: Chance) -> int:
            asked.append((seen["observation"].tolist(), seen["action_mask"].tolist()))
            return int(seen["action_mask"].nonzero()[0][-1])

    done = Simulation(game, seats, options=options, seed=6, bots=dict.fromkeys(range(seats), Last()))
    assert done.outcome is not None
    assert len(asked) > 4
    env = rl.env(game, seats, options=options, index=Last.index)
    env.reset(seed=6)
    assert asked[0][0] in [env.observe(agent)["observation"].tolist() for agent in env.agents]


def test_winners_get_one_and_the_others_minus_one() -> None:
    """The rewards of a match are those of its outcome, and the same seed and actions give the same ones."""
    game = Catalogue().game(str(ROOT / "examples" / "games" / "four" / "rules.py")).game
    found = []
    for _ in range(2):
        env = rl.env(game)
        env.reset(seed=3)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            total[agent] += reward
            env.step(None if over else int(seen["action_mask"].nonzero()[0][0]))
        found.append(total)
    assert found[0] == found[1]
    assert sorted(found[0].values()) == [-1.0, 1.0]


def test_without_pettingzoo_one_sentence_says_what_to_install() -> None:
    """The import says the command, as for other extras."""
    code = "import sys; sys.modules['pettingzoo'] = None\nimport tavolata.rl"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'tavolata.rl needs PettingZoo: pip install "tavolata[rl]"' in done.stderr


class InParts(Game[Options]):
    """Two seats answer at once, each in parts and each with another number of them."""

    name = title = "parts"
    seats = (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[Options]) -> Outcome:
        first, second = t.ring
        long = some_of(list(range(8)), 2, 2, ordered=True)
        branches = Branch([Choice(1), Choice(2)], [long, some_of(list(range(7)), 3, 3)])
        await t.ask_all({first: long, second: branches}, "Which?", "They choose.")
        return Outcome((first,))


class Forced(Game[Options]):
    """One seat has no choice, and is asked something else as soon as the other one has answered."""

    name = title = "forced"
    seats = (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[Options]) -> Outcome:
        first, second = t.ring
        await t.ask_all({first: one_of([1, 2]), second: one_of([5])}, "Which?", "They choose.")
        await t.ask(second, one_of([1, 2, 3]), "And now?", "They choose again.")
        return Outcome((first,))


@pytest.mark.parametrize("game", [InParts, Forced, Catalogue().game("jumpy-jack").game])
def test_whoever_acts_by_the_mask_acts_legally_where_all_act_at_once(game: type[Game[Any]]) -> None:
    """An action counts for the question that its agent saw, and continues no answer but its own."""
    seats = max(2, game.seats[0])
    env = rl.parallel_env(game, seats, index=rl.learn(game, seats, matches=2))
    chance, acted = Chance(3), 0
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        while env.agents and acted < 60 * (seed + 1):
            masks = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in env.agents}
            seen, _, _, _, infos = env.step({one: chance.pick([*mask]) for one, mask in masks.items()})
            assert not any(info.get("illegal") for info in infos.values())
            acted += 1


@pytest.mark.battery
def test_a_table_learns_to_beat_random_play() -> None:
    """The example makes more points after learning than before; random play would make half of them."""
    assert example("learn").train(600, 100) > 0.6


@pytest.mark.battery
def test_the_agent_of_the_tutorial_is_kept_and_takes_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It learns with a curve to look at; `tt simulate` seats what was kept by its level."""
    mine = example("mine")
    monkeypatch.setattr(mine, "LEARNT", tmp_path / "mine.npz")
    mine.train(0.05, 20)
    curve = capsys.readouterr().out.splitlines()
    assert curve[0].startswith("0.0 minutes, 0 matches: ")
    assert len(curve) > 4
    index, network = mine.read()
    assert index.keys == mine.Mine.index.keys
    assert (network.layers[0] == mine.Mine.network.layers[0]).all()
    (tmp_path / "mine.py").write_text((ROOT / "examples/mine.py").read_text(encoding="utf-8").replace(
        "FOLDER / \"games\"", f"Path({str(ROOT / 'examples/games')!r})"), encoding="utf-8")  # fmt: skip
    words = ("--bots", "mine,counting", "--option", "dice=3", "--games", "4", "--jobs", "1")
    assert main(["simulate", str(tmp_path / "mine.py"), *words]) == 0
    assert "mine" in capsys.readouterr().out


def example(name: str) -> Any:
    """A program of the examples, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
