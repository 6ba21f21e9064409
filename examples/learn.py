"""A program that learns a small four in a row against itself, and then beats random play.

It needs `pip install "tavolata[rl]"` and takes about a minute. Run it here: python learn.py [EPISODES]

The method is the plainest there is: a table with the mean result of each move in each position that was
met (Monte Carlo control, epsilon-greedy; Sutton and Barto, Reinforcement Learning, 2nd edition, 5.4).
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "games"))

from four.rules import Four, FourOptions

from tavolata import rl

OPTIONS = FourOptions(rows=4, columns=4, line=3)
Table = dict[tuple[bytes, int], tuple[float, int]]  # by position and move: the mean result, and how many


def choose(table: Table, seen: dict[str, Any], explore: float, chance: random.Random) -> int:
    """The best legal move of the table, or any."""
    legal = [int(move) for move in seen["action_mask"].nonzero()[0]]
    if chance.random() < explore:
        return chance.choice(legal)
    position = seen["observation"].tobytes()
    return max(legal, key=lambda move: table.get((position, move), (0.0, 0))[0])


def play(
    env: Any, seed: int, explore: dict[str, float], table: Table, chance: random.Random, *, learns: bool
) -> dict[str, float]:
    """Play a match, and learn from it or not: what each agent won. Who explores always plays at random."""
    env.reset(seed=seed)
    moves: dict[str, list[tuple[bytes, int]]] = {agent: [] for agent in env.possible_agents}
    won = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        won[agent] += reward
        move = None if over else choose(table, seen, explore[agent], chance)
        if move is not None:
            moves[agent].append((seen["observation"].tobytes(), move))
        env.step(move)
    for agent, made in moves.items() if learns else ():
        for one in made:
            mean, many = table.get(one, (0.0, 0))
            table[one] = mean + (won[agent] - mean) / (many + 1), many + 1
    return won


def train(episodes: int, matches: int = 400) -> float:
    """Learn in so many matches against itself; the share of points against random play after them."""
    chance, table = random.Random(0), Table()
    index = rl.learn(Four, options=OPTIONS)
    env = rl.env(Four, options=OPTIONS, index=index)
    both = dict.fromkeys(env.possible_agents, 0.2)
    for seed in range(episodes):
        play(env, seed, both, table, chance, learns=True)
    points = 0.0
    for number in range(matches):
        learnt = env.possible_agents[number % 2]
        explore = {agent: 0.0 if agent == learnt else 1.0 for agent in env.possible_agents}
        won = play(env, episodes + number, explore, table, chance, learns=False)
        points += (won[learnt] + 1) / 2
    return points / matches


if __name__ == "__main__":
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    print(f"{100 * train(episodes):.0f}% of the points against random play, after {episodes} matches")
