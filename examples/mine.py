"""An agent that learns Liar's Dice against itself, and the bot that seats it at a table.

It needs `pip install "tavolata[rl]"`. Learn, which takes ten minutes, and then play against it:

    python examples/mine.py --minutes 10
    tt play examples/mine.py --bots mine --seats 2 --option dice=3

The method is deep Monte Carlo (Zha and others, "DouZero", ICML 2021, without its scale): a small network
guesses for each action how a match ends that goes on with it, and is corrected by how it ended.
docs/training.md goes through this file.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER / "games"))

from liars import rules

from tavolata import rl
from tavolata.bots import Bot, Chance
from tavolata.sim import ActionIndex, Simulation

OPTIONS = rules.LiarsOptions(dice=3)
LEARNT = FOLDER / "mine.npz"
HIDDEN, RATE, BATCH = 128, 0.001, 64


class Liars(rules.Liars):
    """The game, so that `tt play examples/mine.py` finds it here."""

    name = "liars"


class Counting(rules.Counting):
    """The game's own bot, so that `--bots mine,counting` finds it, too."""


class Network:
    """Worths of all actions, by one hidden layer; Adam makes it better."""

    def __init__(self, size: int) -> None:
        chance = np.random.default_rng(0)
        self.layers = [
            chance.normal(0, 1 / 16, (rl.WIDTH, HIDDEN)), np.zeros(HIDDEN),
            chance.normal(0, 1 / 64, (HIDDEN, size)), np.zeros(size),
        ]  # fmt: skip
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.layers]
        self.updates = 0

    def worths(self, rows: Any) -> tuple[Any, Any]:
        """The hidden layer, and the worth of each action, for rows of observations."""
        first, bias, second, other = self.layers
        hidden = np.maximum(0, rows @ first + bias)
        return hidden, hidden @ second + other

    def learn(self, rows: Any, actions: Any, ends: Any) -> None:
        """Move the worths of the actions that were taken towards the ends of their matches."""
        hidden, worths = self.worths(rows)
        wrong = np.zeros_like(worths)
        taken = np.arange(len(actions)), actions
        wrong[taken] = (worths[taken] - ends) / len(actions)
        back = (wrong @ self.layers[2].T) * (hidden > 0)
        slopes = [rows.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(0)]
        self.updates += 1
        for place, slope in enumerate(slopes):
            mean, square = self.moments[place]
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope * slope
            self.moments[place] = mean, square
            size = np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8
            self.layers[place] = self.layers[place] - RATE * mean / (1 - 0.9**self.updates) / size


def best(network: Network, seen: dict[str, Any]) -> int:
    """The legal action that promises most."""
    _, worths = network.worths(seen["observation"] / 4)
    return int(np.where(seen["action_mask"], worths, -np.inf).argmax())


class Mine(rl.Agent):
    """The agent in a seat: it sees what it saw when it learnt, and takes the best action."""

    level = "mine"
    network: Network | None = None

    def __init__(self) -> None:
        if Mine.network is None:
            Mine.index, Mine.network = read()

    def act(self, seen: dict[str, Any], chance: Chance) -> int:
        """The best action; it draws nothing."""
        assert self.network is not None
        return best(self.network, seen)


def write(index: ActionIndex, network: Network) -> None:
    """Keep what was learnt beside this file."""
    np.savez_compressed(LEARNT, *network.layers, keys=json.dumps(index.keys))


def read() -> tuple[ActionIndex, Network]:
    """What was learnt, as it was kept."""
    with np.load(LEARNT) as kept:
        index = ActionIndex(json.loads(str(kept["keys"])))
        network = Network(index.size)
        network.layers = [kept[f"arr_{number}"] for number in range(4)]
    return index, network


def play(env: Any, network: Network, seed: int, explore: float, chance: random.Random) -> list[Any]:
    """Play a match against itself: what was seen, done and won, decision by decision."""
    env.reset(seed=seed)
    made: list[tuple[str, Any, int]] = []
    won = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        won[agent] += reward
        if over:
            env.step(None)
            continue
        legal = seen["action_mask"].nonzero()[0]
        action = int(chance.choice(legal)) if chance.random() < explore else best(network, seen)
        made.append((agent, seen["observation"] / 4, action))
        env.step(action)
    return [(row, action, won[agent]) for agent, row, action in made]


def measured(rival: type[Bot], matches: int) -> str:
    """The share of matches that the agent wins against another bot, each seed from both seats."""
    won = []
    for seed in range(10**6, 10**6 + matches // 2):
        won.append(0.0)
        for seat in (0, 1):
            bots = {seat: Mine(), 1 - seat: rival()}
            outcome = Simulation(rules.Liars, 2, options=OPTIONS, seed=seed, bots=bots).outcome
            won[-1] += (outcome is not None and seat in outcome.winners) / 2
    return f"{np.mean(won):.1%} ± {1.96 * np.std(won) / len(won) ** 0.5:.1%}"


def train(minutes: float, matches: int = 400) -> None:
    """Learn for so many minutes of this processor, with a line of the learning curve about each minute."""
    index = rl.learn(rules.Liars, 2, OPTIONS, matches=200)
    env = rl.env(rules.Liars, 2, options=OPTIONS, index=index)
    network, chance = Network(index.size), random.Random(0)
    Mine.index, Mine.network = index, network
    print(f"0.0 minutes, 0 matches: {measured(rules.Counting, matches)} against {rules.Counting.level}")
    played, spent, told, batch = 0, 0.0, 0.0, list[Any]()
    while spent < 60 * minutes:
        begun = process_time()
        for _ in range(BATCH):
            explore = max(0.02, 0.3 * (1 - spent / (30 * minutes)))
            batch += play(env, network, played, explore, chance)
            played += 1
        rows, actions, ends = (np.array(column) for column in zip(*batch))
        network.learn(rows, actions, ends)
        batch.clear()
        spent += process_time() - begun
        if spent - told >= min(60, 12 * minutes) or spent >= 60 * minutes:
            told = spent
            won = measured(rules.Counting, matches)
            print(f"{spent / 60:.1f} minutes, {played} matches: {won}", flush=True)
    write(index, network)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    train(parser.parse_args().minutes)
