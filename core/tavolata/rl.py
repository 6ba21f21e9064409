"""Environments of PettingZoo for programs that learn: one agent after the other, or all at once.

It needs the extra `tavolata[rl]`: numpy, gymnasium and pettingzoo. Names and seats: `player_0` has seat 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from zlib import crc32

from typing_extensions import override

from tavolata.asks import Ask
from tavolata.bots import Chance
from tavolata.errors import GameError, Refused
from tavolata.game import Game
from tavolata.kinds.question import Question
from tavolata.options import Options
from tavolata.sim import Action, ActionIndex, Simulation
from tavolata.view import View, written
from tavolata.zones import CardView

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as _error:
    raise ImportError('tavolata.rl needs PettingZoo: pip install "tavolata[rl]"') from _error

__all__ = ["env", "learn", "parallel_env"]

WIDTH = 256
"""The numbers of an observation, if nobody says how many."""
MOST = 1_000_000
"""The greatest number in an observation, and with a minus the least."""


FEW, LISTED = 32, 512
"""Answers of more than so many are given part by part: if they have parts; in any case."""
OTHERS = 64
"""So many numbers stand for what the index has never met, in the order of the moment."""


class _Skip:
    """What an agent does that may interject and doesn't, or that is not asked at all."""

    key = "skip"


SKIP = _Skip()
Step = Action | _Skip | tuple[str, tuple[int, ...]]
"""An action, to skip, or a part of an answer that is given part by part: its key and the parts so far."""


def _other(number: int) -> str:
    return f"other/{number}"


def learn(
    rules: type[Game[Any]], seats: int | None = None, options: Options | None = None, *, matches: int = 20
) -> ActionIndex:
    """The index of all actions that are met in matches of random agents.

    Args:
        rules: the class of the game.
        seats: the number of seats; see `Simulation`.
        options: the house rules; see `Simulation`.
        matches: how many matches are played.
    """
    keys: set[str] = set()
    for seed in range(matches):
        course, chance = _Course(rules, seats, options, seed), Chance(seed)
        while course.asked is not None:
            steps = course.steps()
            keys |= {_key(step) for step in steps}
            course.do(chance.pick(steps))
    return ActionIndex([SKIP.key, *map(_other, range(OTHERS)), *sorted(keys - {SKIP.key})])


def env(
    rules: type[Game[Any]],
    seats: int | None = None,
    *,
    options: Options | None = None,
    index: ActionIndex | None = None,
    width: int = WIDTH,
    max_cycles: int | None = None,
) -> Any:
    """An `AECEnv` in which the agents that are asked act one after the other.

    Before an agent answers, every other one that may interject is offered that, or to skip. An action that
    is not legal counts as one that is, and `infos` says so. Who wins gets 1, who doesn't gets -1; if nobody
    wins, all get 0.

    Args:
        rules: the class of the game.
        seats: the number of seats; see `Simulation`.
        options: the house rules; see `Simulation`.
        index: the numbers of the actions; None to learn them from 20 random matches.
        width: how many numbers an observation has.
        max_cycles: after so many actions an agent is truncated; None for never.
    """
    return _Turns(rules, seats, options, index, width, max_cycles)


def parallel_env(
    rules: type[Game[Any]],
    seats: int | None = None,
    *,
    options: Options | None = None,
    index: ActionIndex | None = None,
    width: int = WIDTH,
    max_cycles: int | None = None,
) -> Any:
    """A `ParallelEnv`: in each step all that are asked answer, and the others skip; see `env`.

    It suits games in which all answer at once. Nobody interjects in it.
    """
    return _AtOnce(rules, seats, options, index, width, max_cycles)


class _Course:
    """A match as agents go through it: who acts next, and what each can do.

    Attributes:
        match: the match.
        asked: who acts next; None when it is over.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        seats: int | None,
        options: Options | None,
        seed: int,
        *,
        talk: bool = True,
    ) -> None:
        self.match = Simulation(rules, seats, options=options, seed=seed)
        self.name, self._talk = rules.name, talk
        self._offered: list[int] = []  # who may interject before the first open question is answered
        self._begun: tuple[int, ...] = ()
        self.asked: int | None = None
        self._ask: Ask | None = None
        self._next(anew=True)

    def _next(self, *, anew: bool) -> None:
        """Find out who acts next; what only has one answer is answered."""
        match = self.match
        while match.outcome is None:
            ask = next(iter(match.open), None)
            if ask is None:
                raise GameError(f"{self.name} stopped without an outcome.")
            if anew or ask is not self._ask:
                self._ask, self._begun = ask, ()
                others = [seat for seat in range(len(match.view(None).names)) if seat != ask.seat]
                self._offered = others if self._talk else []
                anew = False
            while self._offered:
                if self._interjections(self._offered[0]):
                    self.asked = self._offered[0]
                    return
                del self._offered[0]
            if self._begun or len(self.steps_of(ask)) > 1:
                self.asked = int(ask.seat)
                return
            match.step(match.legal()[0])
            anew = True
        self.asked = None

    def _interjections(self, seat: int) -> list[Action]:
        return self.match.interjections(seat) if self._talk else []

    def steps(self) -> list[Step]:
        """What the one who acts next can do."""
        if self._offered:
            return [SKIP, *self._interjections(self._offered[0])]
        assert self._ask is not None
        found = self.steps_of(self._ask)
        return found if self._begun else [*found, *self._interjections(int(self._ask.seat))]

    def steps_of(self, ask: Ask) -> list[Step]:
        """The ways to answer a question, or to go on with the answer that was begun."""
        if not _in_parts(ask.question):
            return [action for action in self.match.legal(int(ask.seat)) if not action.name]
        return [
            (f"{ask.you}/{len(part.begun)}/{written(part.value)}", part.begun)
            for part in ask.question.steps(self._begun)
        ]

    def do(self, step: Step) -> None:
        """Act for the one who acts next."""
        if isinstance(step, _Skip):
            del self._offered[0]
            self._next(anew=False)
            return
        if isinstance(step, Action):
            self.match.step(step)
            self._next(anew=True)
            return
        assert self._ask is not None
        part = next(one for one in self._ask.question.steps(self._begun) if one.begun == step[1])
        if part.number is None:
            self._begun = part.begun
            return
        ask, self._begun = self._ask, ()
        try:
            self.match.step(Action(ask.seat, ask.question.nth(part.number)))
        except Refused:  # what was claimed by it is not true: the first true answer counts
            view = self.match.view(ask.seat)
            numbers = range(ask.question.count())
            value = next(one for one in map(ask.question.nth, numbers) if view.allows(ask, one))
            self.match.step(Action(ask.seat, value))
        self._next(anew=True)


def _in_parts(question: Question[Any]) -> bool:
    """Whether an answer is given part by part: it has parts, or there are too many answers to list."""
    has_parts = type(question).steps is not Question.steps
    return question.count() > (FEW if has_parts else LISTED)


def _key(step: Step) -> str:
    return step[0] if isinstance(step, tuple) else step.key


def observed(view: View[Any], width: int) -> Any:
    """What a seat sees as numbers, by feature hashing: a thing in a zone is added at the place of its name.

    The first 32 places say which seat it is. Two things may share a place; the wider, the seldomer
    (Weinberger and others, "Feature hashing for large scale multitask learning", ICML 2009).
    """
    row: Any = np.zeros(width, np.int32)
    if view.seat is not None:
        row[int(view.seat) % 32] = 1

    def add(name: str, number: int) -> None:
        place = 32 + crc32(name.encode()) % (width - 32)
        row[place] = max(-MOST, min(MOST, int(row[place]) + number))

    for zone in view.zones().values():
        _add(zone.id, zone.shape(), add)
    return row


def _add(name: str, thing: Any, add: Callable[[str, int], None]) -> None:
    if isinstance(thing, CardView):
        add(f"{name}/{'?' if thing.face is None else written(thing.face)}", 1)
    elif isinstance(thing, bool) or thing is None:
        add(name, int(bool(thing)))
    elif type(thing) is int:
        add(name, thing)
    elif isinstance(thing, Mapping):
        for key, part in thing.items():
            _add(f"{name}/{written(key)}", part, add)
    elif hasattr(thing, "_asdict"):
        for key, part in thing._asdict().items():
            _add(f"{name}/{key}", part, add)
    elif isinstance(thing, list | tuple):
        for at, part in enumerate(thing):
            _add(name if isinstance(part, CardView) else f"{name}/{at}", part, add)
    else:
        add(f"{name}={written(thing)}", 1)


class _Common:
    """What both environments have: agents, spaces, masks and rewards.

    Args:
        rules, seats, options, index, width, max_cycles: as in `env`.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        seats: int | None,
        options: Options | None,
        index: ActionIndex | None,
        width: int,
        max_cycles: int | None,
        *,
        talk: bool,
    ) -> None:
        self._begin: Callable[[int], _Course] = partial(_Course, rules, seats, options, talk=talk)
        self.index = learn(rules, seats, options) if index is None else index
        self.known = {key: number for number, key in enumerate(self.index.keys)}
        self.width, self.max_cycles = width, max_cycles
        self.course = self._begin(0)
        number = len(self.course.match.view(None).names)
        self.possible = [f"player_{seat}" for seat in range(number)]
        size = self.index.size
        row, mask = Box(-MOST, MOST, (width,), np.int32), Box(0, 1, (size,), np.int8)
        self.spaces = {name: Dict({"observation": row, "action_mask": mask}) for name in self.possible}
        self.actions = {name: Discrete(size) for name in self.possible}
        self._seed = 0

    def describe(self, env: AECEnv | ParallelEnv) -> None:
        """Say of an environment which agents it has, their spaces, and how it is shown."""
        env.possible_agents, env.render_mode, env.render = list(self.possible), "ansi", self.shown
        env.observation_space, env.action_space = self.spaces.__getitem__, self.actions.__getitem__

    def reset(self, seed: int | None) -> None:
        """Begin a new match: of this seed, or of the one after the last."""
        self._seed = self._seed + 1 if seed is None else seed
        self.course = self._begin(self._seed)

    def seat(self, agent: str) -> int:
        """The seat of an agent."""
        return self.possible.index(agent)

    def numbers(self, steps: Sequence[Step]) -> dict[int, Step]:
        """Steps by their numbers; of more than 64 that the index has never met, only the first 64."""
        found: dict[int, Step] = {}
        others = 0
        for step in steps:
            key = _key(step)
            if key not in self.known and others < OTHERS:
                key, others = _other(others), others + 1
            if key in self.known:
                found[self.known[key]] = step
        return found

    def observe(self, agent: str, steps: Sequence[Step] | None) -> dict[str, Any]:
        """What an agent sees, and what it can do; None if it is not asked."""
        mask: Any = np.zeros(self.index.size, np.int8)
        mask[list(self.numbers(steps or [SKIP]))] = 1
        view = self.course.match.view(self.seat(agent))
        return {"observation": observed(view, self.width), "action_mask": mask}

    def meant(self, steps: Sequence[Step], number: int) -> tuple[Step, bool]:
        """The step that a number means, and whether it is legal; if not, it is one of the legal ones."""
        numbers = self.numbers(steps)
        if int(number) in numbers:
            return numbers[int(number)], True
        return steps[int(number) % len(steps)], False

    def shown(self) -> str:
        """What a spectator sees, a line for each zone."""
        zones = self.course.match.view(None).zones().values()
        return "\n".join(f"{zone.id}: {zone.content}" for zone in zones)

    def reward(self, agent: str) -> float:
        """What the outcome is worth to an agent; 0 while there is none."""
        outcome = self.course.match.outcome
        if outcome is None or not outcome.winners:
            return 0.0
        return 1.0 if self.seat(agent) in outcome.winners else -1.0


class _Turns(AECEnv):  # type: ignore[misc] # PettingZoo ships no types
    """One agent after the other; see `env`."""

    def __init__(self, rules: type[Game[Any]], *words: Any) -> None:
        super().__init__()
        self.metadata = {"name": f"{rules.name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.common = _Common(rules, *words, talk=True)
        self.common.describe(self)
        self.agents: list[str] = []

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.common.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._acted = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._select()

    def _select(self) -> None:
        """Let the one who acts next be selected; for who has been truncated, its first answer counts."""
        course = self.common.course
        while course.asked is not None:
            agent = self.possible_agents[course.asked]
            if agent in self.agents and not self.truncations[agent]:
                self.agent_selection = agent
                return
            if all(self.truncations[one] for one in self.agents):
                return
            course.do(course.steps()[0])
        for agent in self.agents:
            self.terminations[agent] = True
            self.rewards[agent] = self.common.reward(agent)

    @override
    def observe(self, agent: str) -> dict[str, Any]:
        course = self.common.course
        asked = course.asked is not None and self.possible_agents[course.asked] == agent
        return self.common.observe(agent, course.steps() if asked else None)

    @override
    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        course = self.common.course
        what, legal = self.common.meant(course.steps(), action)
        self.infos[agent] = {} if legal else {"illegal": True}
        course.do(what)
        self._acted[agent] += 1
        self.truncations[agent] = self._acted[agent] == self.common.max_cycles
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()


class _AtOnce(ParallelEnv):  # type: ignore[misc] # PettingZoo ships no types
    """All at once; see `parallel_env`."""

    def __init__(self, rules: type[Game[Any]], *words: Any) -> None:
        super().__init__()
        self.metadata = {"name": f"{rules.name}_v0", "render_modes": ["ansi"]}
        self.common = _Common(rules, *words, talk=False)
        self.common.describe(self)
        self.agents: list[str] = []

    @override
    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self.common.reset(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def _waiting(self) -> dict[str, Ask]:
        """The agents that are asked at this moment, and what."""
        course = self.common.course
        if course.asked is None:
            return {}
        return {self.possible_agents[int(ask.seat)]: ask for ask in reversed(course.match.open)}

    def _observations(self) -> dict[str, Any]:
        course, waiting = self.common.course, self._waiting()
        return {
            agent: self.common.observe(agent, course.steps_of(waiting[agent]) if agent in waiting else None)
            for agent in self.agents
        }

    @override
    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        course, waiting = self.common.course, self._waiting()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        for _ in range(len(waiting)):  # the first of them acts; then the next one is the first
            if course.asked is None or (agent := self.possible_agents[course.asked]) not in waiting:
                break
            del waiting[agent]
            what, legal = self.common.meant(course.steps(), actions[agent])
            infos[agent] = {} if legal else {"illegal": True}
            course.do(what)
        self._cycles += 1
        over, late = course.asked is None, self._cycles == self.common.max_cycles
        agents = list(self.agents)
        observations = self._observations()
        if over or late:
            self.agents = []
        return (
            observations,
            {agent: self.common.reward(agent) for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late and not over),
            infos,
        )
