"""Zompa and Leduc beside the same games in OpenSpiel, PettingZoo, RLCard and boardgame.io, in one run.

    pip install open_spiel pettingzoo rlcard
    npm ci --ignore-scripts --prefix benchmarks/boardgame_io
    python benchmarks/others.py

What is not installed is left out. Zompa has the usual rules and six seats everywhere, and no seat has a
decision: each card is a chance node in OpenSpiel, a step of whoever is called in PettingZoo, a move of its
client in boardgame.io. `zompa_elsewhere.py` and `boardgame_io/zompa.js` have these games. The
mean number of cards, printed beside each, says that they play the same game.

Leduc is OpenSpiel's own in C++, driven from Python, and RLCard's own. Ours and OpenSpiel's are played in two
ways: at random without looking, and by a policy that looks at what its seat may see.

Times are those of the processor, the least of many short rounds, turn about.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import leduc
import straight_zompa
from ratio import fastest

from tavolata._engine.match.simulate import play
from tavolata.bots import Bot, RandomBot
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import Zompa

SEATS, GAMES, HANDS, ROUNDS = 6, 20, 200, 30
CLIENT = Path(__file__).parent / "boardgame_io"


class LocalClient:
    """boardgame.io's client without a server, in a process that says what time of the processor it took."""

    def __init__(self) -> None:
        command = ["node", str(CLIENT / "zompa.js"), str(SEATS), str(GAMES)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self) -> dict[str, float]:
        """Play some games; `seconds` for one, and `cards` of all."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("play\n")
        self._process.stdin.flush()
        said: dict[str, float] = json.loads(self._process.stdout.readline())
        return said

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def zompa() -> None:
    """Measure games of Zompa, and print each beside ours."""
    cards: dict[str, int] = {}
    options, bots = ZompaOptions(), [RandomBot()] * SEATS

    def straight() -> int:
        cards["straight line"] = sum(straight_zompa.play(SEATS, seed)[1] for seed in range(GAMES))
        return GAMES

    def ours() -> int:
        cards["Tavolata"] = sum(
            play(Zompa, options, bots, seed).match.table.turn + 1 for seed in range(GAMES)
        )
        return GAMES

    tasks: dict[str, Callable[[], int]] = {"straight line": straight, "Tavolata": ours}
    for name, package, maker in (
        ("OpenSpiel, a game in Python", "pyspiel", "open_spiel"),
        ("PettingZoo, a raw environment", "pettingzoo", "pettingzoo"),
    ):
        if find_spec(package):
            tasks[name] = counted(name, getattr(import_module("zompa_elsewhere"), maker)(SEATS), cards)
    client = LocalClient() if shutil.which("node") and (CLIENT / "node_modules").is_dir() else None
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(ROUNDS):
        best = {name: min(best[name], seconds) for name, seconds in fastest(tasks, 1, process_time).items()}
        if client is not None:
            said, name = client.round(), "boardgame.io, its local client"
            best[name] = min(best.get(name, float("inf")), said["seconds"])
            cards[name] = int(said["cards"])
    if client is not None:
        client.close()
    for name, each in best.items():
        print(
            f"Zompa, {SEATS} seats: {name:31} {1 / each:8,.0f} games/s, {cards[name] / GAMES:4.0f} cards;",
            f"to the straight line {best['straight line'] / each:.3f},",
            f"Tavolata to it {each / best['Tavolata']:6.2f}",
        )


def counted(name: str, game: Callable[[int], int], cards: dict[str, int]) -> Callable[[], int]:
    """A task of some games that keeps how many cards they had."""

    def some() -> int:
        cards[name] = sum(game(seed) for seed in range(GAMES))
        return GAMES

    return some


def leduc_poker() -> None:
    """Measure decisions of Leduc, and print each beside ours."""
    tasks: dict[str, Callable[[], int]] = {
        "Tavolata, at random": ours(RandomBot()),
        "Tavolata, looking": ours(leduc.Caller()),
    }
    if find_spec("pyspiel"):
        tasks["OpenSpiel's C++, at random"] = open_spiel(at_random)
        tasks["OpenSpiel's C++, looking (its tensor)"] = open_spiel(by_its_tensor)
    if find_spec("rlcard"):
        tasks["RLCard"] = rlcard()
    best = fastest(tasks, ROUNDS, process_time)
    for name, each in best.items():
        mine = best["Tavolata, at random" if "random" in name else "Tavolata, looking"]
        print(f"Leduc: {name:37} {1 / each:9,.0f} decisions/s; Tavolata to it {each / mine:5.2f}")


def ours(bot: Bot) -> Callable[[], int]:
    """Two of these bots play a match of many hands."""

    def run() -> int:
        return play(leduc.Leduc, leduc.LeducOptions(hands=HANDS), [bot, bot], 0).match.table._asks

    return run


def open_spiel(choose: Callable[[Any, Random], int]) -> Callable[[], int]:
    """OpenSpiel's own Leduc, hand after hand."""
    game = import_module("pyspiel").load_game("leduc_poker")

    def run() -> int:
        random, decisions = Random(0), 0
        for _ in range(HANDS):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(random.choice(state.legal_actions()))
                else:
                    decisions += 1
                    state.apply_action(choose(state, random))
        return decisions

    return run


def at_random(state: Any, random: Random) -> int:
    """Any legal action."""
    actions: list[int] = state.legal_actions()
    return actions[int(random.random() * len(actions))]


def by_its_tensor(state: Any, _: Random) -> int:
    """The policy of `leduc.Caller`; the tensor has two numbers for the seat, then six for each card."""
    seen, legal = state.information_state_tensor(), state.legal_actions()
    mine = seen.index(1.0, 2, 8) - 2
    board = seen.index(1.0, 8, 14) - 8 if 1.0 in seen[8:14] else None
    strong = mine // 2 == 2 or (board is not None and board // 2 == mine // 2)
    return leduc.RAISE if strong and leduc.RAISE in legal else leduc.CALL


def rlcard() -> Callable[[], int]:
    """RLCard's own Leduc, with an agent that calls, or raises with a king or a pair."""
    env = import_module("rlcard").make("leduc-holdem", config={"seed": 0})
    decisions = 0

    class Caller:
        use_raw = True

        def step(self, state: dict[str, Any]) -> str:
            nonlocal decisions
            decisions += 1
            seen, legal = state["raw_obs"], state["raw_legal_actions"]
            mine, board = seen["hand"][1], (seen["public_card"] or "  ")[1]
            strong = mine in ("K", board)
            return next(word for word in ("raise" if strong else "call", "call", "check") if word in legal)

        def eval_step(self, state: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            return self.step(state), {}

    env.set_agents([Caller(), Caller()])

    def run() -> int:
        nonlocal decisions
        decisions = 0
        for _ in range(HANDS // 10):
            env.run(is_training=False)
        return decisions

    return run


if __name__ == "__main__":
    zompa()
    leduc_poker()
