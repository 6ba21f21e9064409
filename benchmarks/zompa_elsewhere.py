"""Zompa as a game of OpenSpiel in Python and as a raw environment of PettingZoo, for `others.py`.

The usual rules stand once, in `Rules`: what a card does, as in `straight_zompa.py`. Each game is what its
framework's own documents show for such a game, and does nothing that its interface does not ask for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

RANKS = range(1, 11)


class Rules:
    """Fiches, the centre and who is called; `turn` is one card."""

    def __init__(self, seats: int, dealer: int) -> None:
        self.fiches = [4] * seats
        self.centre = 0
        self.dealer = self.called = dealer
        self.left = [0] + [4] * 10
        self.cards = 0

    def turn(self, rank: int) -> bool:
        """The next living seat is called this rank; whether only one is left."""
        fiches, seats = self.fiches, len(self.fiches)
        self.cards += 1
        self.left[rank] -= 1
        called = (self.called + 1) % seats
        while not fiches[called]:
            called = (called + 1) % seats
        self.called = called
        if rank == 1:
            payer = called
            for _ in range(2):
                while not fiches[payer]:
                    payer = (payer + 1) % seats
                fiches[payer] -= 1
                self.centre += 1
                if self.over():
                    return True
        elif rank in (8, 9):
            fiches[called] -= 1
            fiches[called - 1 if rank == 8 else (called + 2) % seats] += 1
        elif rank == 10 and self.centre:
            self.centre -= 1
            fiches[called] += 1
        if self.cards % 40 == 0:
            self.left = [0] + [4] * 10
            self.dealer = (self.dealer + 1) % seats
            self.called = self.dealer
        return self.over()

    def over(self) -> bool:
        """Whether only one seat has fiches."""
        return self.fiches.count(0) == len(self.fiches) - 1


def open_spiel(seats: int) -> Callable[[int], int]:
    """Zompa as chance nodes, who deals and then each card; a function plays a game and counts its cards."""
    pyspiel = import_module("pyspiel")
    kind = pyspiel.GameType(
        short_name="python_zompa",
        long_name="Python Zompa",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=20,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )
    about = pyspiel.GameInfo(
        num_distinct_actions=1, max_chance_outcomes=20, num_players=seats, min_utility=0.0, max_utility=1.0,
        max_game_length=100_000,
    )  # fmt: skip

    class ZompaGame(pyspiel.Game):  # type: ignore[misc, name-defined]  # it has no types
        def __init__(self) -> None:
            super().__init__(kind, about, {})

        def new_initial_state(self) -> ZompaState:
            return ZompaState(self)

    class ZompaState(pyspiel.State):  # type: ignore[misc, name-defined]  # it has no types
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.rules: Rules | None = None
            self.over = False

        def current_player(self) -> Any:
            return pyspiel.PlayerId.TERMINAL if self.over else pyspiel.PlayerId.CHANCE

        def chance_outcomes(self) -> list[tuple[int, float]]:
            if self.rules is None:
                return [(seat, 1 / seats) for seat in range(seats)]
            left = self.rules.left
            all_left = sum(left)
            return [(rank, left[rank] / all_left) for rank in RANKS if left[rank]]

        def _apply_action(self, action: int) -> None:
            if self.rules is None:
                self.rules = Rules(seats, action)
            else:
                self.over = self.rules.turn(action)

        def is_terminal(self) -> bool:
            return self.over

        def returns(self) -> list[float]:
            assert self.rules is not None
            return [float(fiches > 0) for fiches in self.rules.fiches]

    game = ZompaGame()

    def one(seed: int) -> int:
        random, state = Random(seed).random, game.new_initial_state()
        while not state.is_terminal():
            drawn = random()
            for outcome, share in state.chance_outcomes():  # noqa: B007  # the last one is the one that is meant
                drawn -= share
                if drawn < 0:
                    break
            state.apply_action(outcome)
        assert sum(state.returns()) == 1
        assert state.rules is not None
        return state.rules.cards

    return one


def pettingzoo(seats: int) -> Callable[[int], int]:
    """Zompa as steps of whoever is called, with one action; a function plays a game and counts its cards."""
    base, spaces, numpy = (
        import_module("pettingzoo").AECEnv,
        import_module("gymnasium.spaces"),
        import_module("numpy"),
    )

    class Environment(base):  # type: ignore[misc, valid-type]  # it has no types here
        metadata = {"name": "zompa_v0", "is_parallelizable": False}  # noqa: RUF012  # so its interface says

        def __init__(self) -> None:
            self.possible_agents = [f"seat_{number}" for number in range(seats)]
            self._actions = spaces.Discrete(1)
            self._seen = spaces.Box(0, 120, (seats + 1,), numpy.int16)

        def action_space(self, agent: str) -> Any:
            return self._actions

        def observation_space(self, agent: str) -> Any:
            return self._seen

        def observe(self, agent: str) -> Any:
            return numpy.array([*self.rules.fiches, self.rules.centre], numpy.int16)

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            self.random = Random(seed)
            self.rules = Rules(seats, int(self.random.random() * seats))
            self.pack: list[int] = []
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self.agent_selection = self._next()

        def _next(self) -> str:
            rules = self.rules
            seat = (rules.called + 1) % seats
            while not rules.fiches[seat]:
                seat = (seat + 1) % seats
            return str(self.possible_agents[seat])

        def step(self, action: int | None) -> None:
            agent = self.agent_selection
            if self.terminations[agent]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[agent] = 0
            self._clear_rewards()
            if not self.pack:
                self.pack = [rank for rank in RANKS for _ in range(4)]
                self.random.shuffle(self.pack)
            if self.rules.turn(self.pack.pop()):
                self.rewards = {
                    one: int(fiches > 0) for one, fiches in zip(self.agents, self.rules.fiches, strict=True)
                }
                self.terminations = dict.fromkeys(self.agents, True)
            else:
                self.agent_selection = self._next()
            self._accumulate_rewards()

    env = Environment()

    def one(seed: int) -> int:
        env.reset(seed)
        for _ in env.agent_iter(max_iter=100_000):
            _, _, over, cut, _ = env.last()
            env.step(None if over or cut else 0)
        return int(env.rules.cards)

    return one
