"""Environments of PettingZoo for programs that learn: one agent after the other, or all at once.

It needs the extra `tavolata[rl]`: numpy, gymnasium and pettingzoo. Names and seats: `player_0` has seat 0.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from typing_extensions import override

from tavolata._features import MOST, SEATS, features
from tavolata._streams import put
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.text import items_of, lines_of
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.bots import Bot, Chance
from tavolata.errors import GameError, OptionError
from tavolata.game import Game
from tavolata.kinds.question import Question
from tavolata.options import Options
from tavolata.sim import Action, ActionIndex, Simulation
from tavolata.view import View, written

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as _error:
    raise ImportError('tavolata.rl needs PettingZoo: pip install "tavolata[rl]"') from _error

__all__ = ["Agent", "env", "house_rules", "learn", "parallel_env"]

WIDTH = 256
"""The numbers of an observation, if nobody says how many."""
MODES = ("ansi", "human")
FEW, LISTED = 32, 512
"""Answers of more than so many are given part by part: if they have parts; in any case."""
OTHERS = 64
"""So many numbers stand for what the index has never met, in the order of the moment."""


class _Skip:
    """What an agent does that may interject and doesn't, or that is not asked at all."""

    key = "skip"


SKIP = _Skip()
Begun = tuple[int, ...]
Step = Action | _Skip | tuple[str, Begun]
"""An action, to skip, or a part of an answer that is given part by part: its key and the parts so far."""


def _other(number: int) -> str:
    return f"other/{number}"


def learn(
    rules: type[Game[Any]], seats: int | None = None, options: Options | None = None, *, matches: int = 20
) -> ActionIndex:
    """Return the index of all actions that are met in matches of random agents.

    Args:
        rules: the class of the game.
        seats: the number of seats; see `Simulation`.
        options: the house rules; None for `house_rules`.
        matches: how many matches are played.
    """
    options, keys = options or house_rules(rules, seats), set[str]()
    for seed in range(matches):
        course, chance = _Course(rules, seats, options, seed), Chance(seed)
        while course.asked is not None:
            steps = course.steps()
            keys |= {_key(step) for step in steps}
            course.do(chance.below(len(steps)))
    return ActionIndex([SKIP.key, *map(_other, range(OTHERS)), *sorted(keys - {SKIP.key})])


def house_rules(rules: type[Game[Any]], seats: int | None = None) -> Options:
    """Return an environment's default house rules: the game's, or the nearest ones that ask something.

    Zompa asks nothing as people usually play it, so nothing could be learned. Then one house rule is
    changed, the first with which all agents are asked. If nothing helps, the game's own stay.

    Args:
        rules: the class of the game.
        seats: the number of seats; see `Simulation`.
    """
    changed = [{spec.name: word} for spec in rules.options.describe() for word in spec.choices()]
    for words in ({}, *changed):
        try:
            options = rules.options.parse(words)
            if _Course(rules, seats, options, 0, talk=False).asked is not None:
                return options
        except OptionError:  # it doesn't go together with the others, or with these seats
            continue
    return rules.options()


def env(
    rules: type[Game[Any]],
    seats: int | None = None,
    *,
    options: Options | None = None,
    index: ActionIndex | None = None,
    width: int = WIDTH,
    max_cycles: int | None = None,
    render_mode: str | None = "ansi",
) -> Any:
    """Return an `AECEnv` in which the agents that are asked act one after the other.

    Before an agent answers, every other one that may interject is offered that, or to skip. An action that
    is not legal counts as one that is, and `infos` has `illegal` then. Who wins gets 1, who doesn't gets -1;
    if nobody wins, all get 0.

    Args:
        rules: the class of the game.
        seats: the number of seats; see `Simulation`.
        options: the house rules; None for `house_rules`.
        index: the numbers of the actions; None to learn them from 20 random matches.
        width: how many numbers an observation has, at least 33.
        max_cycles: after this many actions an agent is truncated; None for never.
        render_mode: "ansi" if `render()` returns the table in sentences, "human" if it prints them.

    Raises:
        GameError: no such mode exists, an observation would be too short, or the game isn't for this number
            of seats.
        Refused: as `Simulation`.
    """
    return _Turns(rules, seats, options, index, width, max_cycles, render_mode)


def parallel_env(
    rules: type[Game[Any]],
    seats: int | None = None,
    *,
    options: Options | None = None,
    index: ActionIndex | None = None,
    width: int = WIDTH,
    max_cycles: int | None = None,
    render_mode: str | None = "ansi",
) -> Any:
    """Return a `ParallelEnv`: in each step all that are asked answer, and the others skip; see `env`.

    It suits games in which all answer at once. Nobody interjects in it.
    """
    return _AtOnce(rules, seats, options, index, width, max_cycles, render_mode)


class _Course:
    """A match as agents go through it: who acts next, and what each can do.

    It is known by its seed and what was done, and so it's pickled.

    Attributes:
        match: the match.
        asked: who acts next; None when it is over.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        seats: int | None,
        options: Options,
        seed: int,
        *,
        talk: bool = True,
    ) -> None:
        self.match = Simulation(rules, seats, options=options, seed=seed)
        self.rules, self._talk = rules, talk
        self._made = (rules, seats, options, seed, talk)
        self._done: list[int] = []
        self._steps: list[Step] | None = None
        self._offered: list[int] = []  # who may interject before the first open question is answered
        self._begun: Begun = ()
        self.asked: int | None = None
        self._ask: Ask | None = None
        self._next(anew=True)

    @classmethod
    def _again(cls, made: tuple[Any, ...], done: list[int]) -> Self:
        *words, talk = made
        course = cls(*words, talk=talk)
        for place in done:
            course.do(place)
        return course

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        return self._again, (self._made, self._done)

    def __deepcopy__(self, memo: object) -> Self:
        found: Self = object.__new__(type(self))
        found.__dict__.update(self.__dict__)
        found.match = self.match.clone()
        found._done, found._offered, found._steps = [*self._done], [*self._offered], None
        found._ask = next(iter(found.match.open), None)
        return found

    def _next(self, *, anew: bool) -> None:
        match = self.match
        while match.outcome is None:
            ask = next(iter(match.open), None)
            if ask is None:
                raise GameError(f"{self.rules.name} stopped without an outcome.")
            if anew:
                self._ask, self._begun = ask, ()
                others = [seat for seat in range(len(match.view(None).names)) if seat != ask.seat]
                self._offered = others if self._talk else []
                anew = False
            while self._offered:
                if self._interjections(self._offered[0]):
                    self.asked = self._offered[0]
                    return
                del self._offered[0]
            if self._begun or _in_parts(ask.question) or len(self.steps_of(ask)) > 1:
                self.asked = int(ask.seat)
                return
            match.step(match.legal()[0])
            anew = True
        self.asked = None

    def _interjections(self, seat: int) -> list[Action]:
        return self.match.interjections(seat) if self._talk else []

    def steps(self) -> list[Step]:
        if self._steps is None:
            self._steps = self._possible()
        return self._steps

    def _possible(self) -> list[Step]:
        if self._offered:
            return [SKIP, *self._interjections(self._offered[0])]
        assert self._ask is not None
        found = self.steps_of(self._ask)
        return found if self._begun else [*found, *self._interjections(int(self._ask.seat))]

    def steps_of(self, ask: Ask) -> list[Step]:
        """Return the ways to answer a question, or to continue with the answer that was begun."""
        if not _in_parts(ask.question):
            return [action for action in self.match.legal(int(ask.seat)) if not action.name]
        return _parts(ask, self._begun if self.is_next(ask) else ())

    def is_next(self, ask: Ask) -> bool:
        """Return True if this question is answered next; of a window, every look makes another `Ask`."""
        return self._ask is not None and (self._ask.id, self._ask.seat) == (ask.id, ask.seat)

    def do(self, place: int) -> None:
        step = self.steps()[place]
        self._done.append(place)
        self._steps = None
        if isinstance(step, _Skip):
            del self._offered[0]
            self._next(anew=False)
            return
        if isinstance(step, Action):
            self.match.step(step)
            self._next(anew=True)
            return
        assert self._ask is not None
        number, self._begun = _taken(self._ask, self._begun, step[1])
        if number is not None:
            ask = self._ask
            self.match.step(Action(ask.seat, _true(self.match.view(ask.seat), ask, number)))
            self._next(anew=True)


class Agent(Bot):
    """A bot for an agent that has learnt: it sees what an agent of `env` sees, and answers by a number.

    Derive from it, with a `level`, and write `act`. It doesn't interject.

    Attributes:
        index: the numbers of the actions that it learnt with.
        width: how many numbers an observation has.
    """

    index: ActionIndex
    width: int = WIDTH

    def act(self, seen: dict[str, Any], chance: Chance) -> int:
        """Return the number of an action.

        Args:
            seen: `observation`, `width` int32s, and `action_mask`, by number of an action 1 if it is legal.
            chance: its own random numbers.
        """
        raise NotImplementedError

    @override
    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> object:
        known = _known(self.index)
        begun: Begun = ()
        while True:
            steps: list[Step]
            if _in_parts(ask.question):
                steps = _parts(ask, begun)
            else:
                steps = [Action(ask.seat, value, "", ask.you, view) for value in view.legal(ask)]
            numbers = _numbers(known, steps)
            number = (
                next(iter(numbers))
                if len(steps) == 1
                else self.act(_seen(view, self.width, self.index, numbers), chance)
            )
            step = steps[numbers[int(number)]]
            if isinstance(step, Action):
                return step.value
            assert isinstance(step, tuple)  # nobody skips an answer
            found, begun = _taken(ask, begun, step[1])
            if found is not None:
                return _true(view, ask, found)


def _parts(ask: Ask, begun: Begun) -> list[Step]:
    return [
        (f"{ask.you}/{len(part.begun)}/{written(part.value)}", part.begun)
        for part in ask.question.steps(begun)
    ]


def _taken(ask: Ask, begun: Begun, part: Begun) -> tuple[int | None, Begun]:
    """Return the number of the answer that a part completes, and what is begun then."""
    found = next(one for one in ask.question.steps(begun) if one.begun == part)
    return (None, part) if found.number is None else (found.number, ())


def _true(view: View[Any], ask: Ask, number: int) -> object:
    """Return the answer of this number, or if it claims something untrue, the first true one."""
    numbers = (number, *range(ask.question.count()))
    return next(one for one in map(ask.question.nth, numbers) if view.holds(ask, one))


def _known(index: ActionIndex) -> dict[str, int]:
    return {key: number for number, key in enumerate(index.keys)}


def _numbers(known: Mapping[str, int], steps: Sequence[Step]) -> dict[int, int]:
    """Return the places of steps by their numbers; of more than 64 unknown ones, the first 64."""
    found: dict[int, int] = {}
    others = 0
    for place, step in enumerate(steps):
        key = _key(step)
        if key not in known and others < OTHERS:
            key, others = _other(others), others + 1
        if key in known:
            found[known[key]] = place
    return found


def _seen(view: View[Any], width: int, index: ActionIndex, numbers: Iterable[int]) -> dict[str, Any]:
    mask: Any = np.zeros(index.size, np.int8)
    mask[[*numbers]] = 1
    return {"observation": np.array(features(view, width), np.int32), "action_mask": mask}


def _in_parts(question: Question[Any]) -> bool:
    """Return True if an answer is given part by part: it has parts, or there are too many answers to list."""
    has_parts = type(question).steps is not Question.steps
    return question.count() > (FEW if has_parts else LISTED)


def _key(step: Step) -> str:
    return step[0] if isinstance(step, tuple) else step.key


class _Environment:
    course: _Course
    _seed: int
    _talk: ClassVar[bool]

    def __init__(
        self,
        rules: type[Game[Any]],
        seats: int | None,
        options: Options | None,
        index: ActionIndex | None,
        width: int,
        max_cycles: int | None,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise GameError(f"There is no render mode {render_mode!r}; it is one of {', '.join(MODES)}.")
        if width <= SEATS:
            raise GameError(f"An observation has more than {SEATS} numbers, not {width}.")
        self.metadata = {"name": f"{rules.name}_v0", "render_modes": [*MODES], "is_parallelizable": False}
        self.render_mode = render_mode
        self.house_rules = options or house_rules(rules, seats)
        self._words = (rules, seats, self.house_rules)
        self.index = learn(*self._words) if index is None else index
        self._known = _known(self.index)
        self._width, self._max_cycles = width, max_cycles
        self._begin(0)
        number = len(self.course.match.view(None).names)
        self.possible_agents, self.agents = [f"player_{seat}" for seat in range(number)], list[str]()
        size = self.index.size
        row, mask = Box(-MOST, MOST, (width,), np.int32), Box(0, 1, (size,), np.int8)
        self._spaces = {
            name: Dict({"observation": row, "action_mask": mask}) for name in self.possible_agents
        }
        self._actions = {name: Discrete(size) for name in self.possible_agents}

    def _begin(self, seed: int | None) -> None:
        self._seed = self._seed + 1 if seed is None else int(seed)
        self.course = _Course(*self._words, self._seed, talk=self._talk)

    def _observed(self, agent: str, steps: Sequence[Step] | None) -> dict[str, Any]:
        view = self.course.match.view(self.possible_agents.index(agent))
        return _seen(view, self._width, self.index, _numbers(self._known, steps or [SKIP]))

    def _act(self, number: int) -> bool:
        """Do the step that a number means; if it is not legal, do one of the legal ones and return False."""
        steps = self.course.steps()
        numbers = _numbers(self._known, steps)
        legal = int(number) in numbers
        self.course.do(numbers[int(number)] if legal else int(number) % len(steps))
        return legal

    def _reward(self, agent: str) -> float:
        """Return what the outcome is worth to an agent; 0 while there isn't one."""
        outcome = self.course.match.outcome
        if outcome is None or not outcome.winners:
            return 0.0
        return 1.0 if self.possible_agents.index(agent) in outcome.winners else -1.0

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def render(self) -> str | None:
        """Return the table as a spectator sees it; printed, and not returned, in the mode "human"."""
        view = self.course.match.view(None)
        words = Words(Translator(), self.course.rules.__module__.partition(".")[0], view.names)
        shown = "\n".join(line for item in items_of(view, words) for line in lines_of(item))
        if self.render_mode != "human":
            return shown
        put(shown, sys.stdout)
        return None

    def close(self) -> None:
        """Do nothing: no window is open. PettingZoo wants this beside `render`."""


class _Turns(_Environment, AECEnv):  # type: ignore[misc] # PettingZoo ships no types
    _talk = True

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
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
        course = self.course
        while course.asked is not None:
            agent = self.possible_agents[course.asked]
            if agent in self.agents and not self.truncations[agent]:
                self.agent_selection = agent
                return
            if all(self.truncations[one] for one in self.agents):
                return
            course.do(0)
        for agent in self.agents:
            self.terminations[agent] = True
            self.rewards[agent] = self._reward(agent)

    @override
    def observe(self, agent: str) -> dict[str, Any]:
        course = self.course
        asked = course.asked is not None and self.possible_agents[course.asked] == agent
        return self._observed(agent, course.steps() if asked else None)

    @override
    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {} if self._act(action) else {"illegal": True}
        self._acted[agent] += 1
        self.truncations[agent] = self._acted[agent] == self._max_cycles
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()


class _AtOnce(_Environment, ParallelEnv):  # type: ignore[misc] # PettingZoo ships no types
    _talk = False

    @override
    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self._begin(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def _waiting(self) -> dict[str, Ask]:
        course = self.course
        if course.asked is None:
            return {}
        return {self.possible_agents[int(ask.seat)]: ask for ask in reversed(course.match.open)}

    def _observations(self) -> dict[str, Any]:
        course, waiting = self.course, self._waiting()
        return {
            agent: self._observed(agent, course.steps_of(waiting[agent]) if agent in waiting else None)
            for agent in self.agents
        }

    @override
    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        course, waiting = self.course, self._waiting()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        for _ in range(len(waiting)):  # the first of them acts; then the next one is the first
            if course.asked is None or (agent := self.possible_agents[course.asked]) not in waiting:
                break
            if not course.is_next(waiting.pop(agent)):
                break  # it hasn't seen this question yet
            infos[agent] = {} if self._act(actions[agent]) else {"illegal": True}
        self._cycles += 1
        over, late = course.asked is None, self._cycles == self._max_cycles
        agents = list(self.agents)
        observations = self._observations()
        if over or late:
            self.agents = []
        return (
            observations,
            {agent: self._reward(agent) for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late and not over),
            infos,
        )
