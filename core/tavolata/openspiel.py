"""Games of OpenSpiel made of games of ours, so that its algorithms run on them.

It needs the extra `tavolata[openspiel]`. Every draw is a chance node. A card gets its face when it is first
seen, so the tree has no node for the order of what nobody looks at. Each node is played once, from the
beginning, and kept: this is for small games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import FACE, NUMBER, SHAKEN, SHUFFLED
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.search import better
from tavolata._engine.match.seating import teams_for
from tavolata._engine.match.simulation import ActionIndex, Simulation, dealt
from tavolata._engine.match.source import hide, sides_of
from tavolata._features import features
from tavolata.asks import Ask
from tavolata.assertions import Declaration, FaceProof, Narration
from tavolata.cards import Card
from tavolata.errors import GameError
from tavolata.game import Game
from tavolata.options import Options
from tavolata.ring import Seat
from tavolata.source import Dealt
from tavolata.table import Table

try:
    import numpy as np
    import pyspiel
except ImportError as _error:
    raise ImportError('tavolata.openspiel needs OpenSpiel: pip install "tavolata[openspiel]"') from _error

__all__ = ["game", "register"]

WIDTH = 256
"""The numbers of a tensor."""

MOST = 1_000_000
"""The limits that OpenSpiel wants to know: of outcomes, of steps, of what is won. Nothing depends on them."""


def register(rules: type[Game[Any]], *, index: ActionIndex | None = None) -> str:
    """Register a game with OpenSpiel and return its name there, such as "tavolata_kuhn".

    Then `pyspiel.load_game` loads it by this name, and games and states can be serialised and pickled. Its
    parameters are `players` and the house rules, as words: `load_game("tavolata_leduc(hands=1)")`. A process
    that reads what another one wrote has to register the game, too.

    Args:
        rules: the class of the game.
        index: the numbers of the actions; None to learn them from 200 random matches.
    """
    name, kinds = f"tavolata_{rules.name.replace('-', '_')}", pyspiel.GameType
    low, high = rules.seats
    kind = kinds(
        name, rules.title, kinds.Dynamics.SEQUENTIAL,
        kinds.ChanceMode.EXPLICIT_STOCHASTIC, kinds.Information.IMPERFECT_INFORMATION,
        kinds.Utility.ZERO_SUM, kinds.RewardModel.TERMINAL, high, low,
        provides_information_state_string=True, provides_information_state_tensor=True,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"players": max(2, low), **rules.options().plain()},
    )  # fmt: skip

    class Registered(_Game):
        def __init__(self, params: Mapping[str, Any]) -> None:
            super().__init__(kind, rules, index, params)

    pyspiel.register_game(kind, Registered)
    return name


def game(
    rules: type[Game[Any]],
    seats: int = 2,
    *,
    options: Options | None = None,
    index: ActionIndex | None = None,
) -> Any:
    """Return a `pyspiel.Game`: sequential, with explicit chance, strings and tensors of information states.

    What a player gets in the end is its score, or without scores 1 for winners and 0 for the others (in
    teams, the mean of its team), less the mean of all; the opposite where the fewest points win. So the sum
    is zero. An information state is all that the player has seen, was asked and has answered, so nobody
    forgets. In a window the seats are asked in their order; interjections are left out. The game is
    registered; see `register`.

    Args:
        rules: the class of the game.
        seats: the number of seats.
        options: the house rules; None for the default ones.
        index: the numbers of the actions; None to learn them from 200 random matches.
    """
    name = register(rules, index=index)
    return pyspiel.load_game(name, {"players": seats, **(options or rules.options()).plain()})


class _Undecided(BaseException):  # no Exception: rules that catch those must let it pass
    """A draw that no script decides: its outcomes and how often each is there."""

    def __init__(self, outcomes: Mapping[int, int]) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class _Scripted(OpenSource):
    """A source whose draws come from a script.

    Args:
        script: the outcomes of the draws, in their order.
        seats: how many seats there are.

    Attributes:
        heard: by seat, all that it was shown.
    """

    def __init__(self, script: Sequence[int], seats: int) -> None:
        super().__init__(0, [None] * seats)
        self.words = Table
        self.heard: list[list[object]] = [[] for _ in range(seats)]
        self._script = iter(script)
        self._lots: dict[int, Counter[int]] = {}  # by card that nobody has seen, the faces of its lot

    def _draw(self, outcomes: Mapping[int, int]) -> int:
        if len(outcomes) == 1:
            return next(iter(outcomes))
        decided = next(self._script, None)
        if decided is None:
            raise _Undecided(outcomes)
        return decided

    def _look(self, card: int) -> int:
        """Return the face of a card, which is drawn when somebody first sees it."""
        lot = self._lots.pop(card, None)
        if lot is not None:
            face = self._faces[card] = self._draw(lot)
            lot[face] -= 1
            if not lot[face]:
                del lot[face]
        return self._faces[card]

    def all_hear(self, what: object) -> None:
        """Something public has happened."""
        for heard in self.heard:
            heard.append(what)

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        pool: Counter[int] = Counter()
        for card in cards:
            lot = self._lots.get(card.id)
            if lot is None:
                pool[self._faces[card.id]] += 1
            elif lot.total() > sum(self._lots.get(other.id) is lot for other in cards):
                pool[self._look(card.id)] += 1  # others of its lot stay where they are: it parts from them
        for lot in {id(lot): lot for card in cards if (lot := self._lots.get(card.id))}.values():
            pool.update(lot)
        self._lots.update((card.id, pool) for card in cards)
        hide(cards, self.known)
        self._record((SHUFFLED, len(cards), b""))
        return True

    @override
    def shake(self, dice: list[Card[Any]]) -> bool:
        self._lots.update((die.id, Counter(sides_of(die))) for die in dice)
        hide(dice, self.known)
        self._record((SHAKEN, len(dice)))
        return True

    @override
    def reveal(self, card: Card[Any]) -> bool:
        self.all_hear((FACE, card.id, self._look(card.id)))
        return super().reveal(card)

    @override
    def show(self, what: Dealt, number: int) -> bool:
        for card, seat in what:
            self.heard[seat].append((FACE, card.id, self._look(card.id)))
        return super().show(what, number)

    @override
    def number(self, sides: int, seat: Seat | None = None) -> int | None:
        value = self._draw(dict.fromkeys(range(sides), 1))
        self.all_hear((NUMBER, sides, value))
        self._record((NUMBER, sides, value))
        return value

    def _look_at_all(self) -> None:
        for card in list(self._lots):
            self._look(card)

    @override
    def keep(self, cards: Mapping[int, int]) -> None:
        self._look_at_all()
        super().keep(cards)

    @override
    def declare(self, what: list[Declaration]) -> bool:
        self._look_at_all()
        return super().declare(what)

    @override
    def narrate(self, what: Narration) -> bool:
        self._look_at_all()
        done = super().narrate(what)
        if what.ask is not None:
            self.heard[what.ask.seat].append((what.id, self.sealed[what.ask.seat][what.id]))
        return done

    @override
    def seal(self, asks: list[Ask]) -> bool:
        done = super().seal(asks)
        for ask in asks if done else ():
            for mate in ask.shown_to:
                self.heard[mate].append((ask.id, ask.answer))
        return done

    @override
    def unseal(self, asks: list[Ask]) -> bool:
        done = super().unseal(asks)
        for ask in asks:
            self.all_hear((ask.id, ask.answer))
        return done

    @override
    def prove(self, what: list[FaceProof]) -> dict[FaceProof, int | None] | None:
        self._look_at_all()
        return super().prove(what)


_Row = tuple[tuple[int, int], ...]
"""Places of a tensor that aren't 0, and their numbers."""


@dataclass(frozen=True)
class _Node:
    """A place in the tree.

    Attributes:
        player: who moves; chance, or nobody at the end.
        moves: by number, its probability for chance; otherwise its name.
        infos: by player, the information state.
        seen, recalled: by player, the features of the view, and of that and the information state; () for
            chance.
        returns: by player, what it gets; () before the end.
    """

    player: int
    moves: Mapping[int, Any]
    infos: Sequence[str] = ()
    seen: Sequence[_Row] = ()
    recalled: Sequence[_Row] = ()
    returns: Sequence[float] = ()


class _Game(pyspiel.Game):  # type: ignore[misc] # OpenSpiel's types are not read
    """A game of ours for OpenSpiel; see `game`."""

    def __init__(
        self, kind: Any, rules: type[Game[Any]], index: ActionIndex | None, params: Mapping[str, Any]
    ) -> None:
        given = {name: value for name, value in params.items() if name != "players"}
        self.seats = params.get("players", max(2, rules.seats[0]))
        self.rules, self.options = rules, rules.options.parse(given, self.seats)
        self.index = index or ActionIndex.learn(rules, self.seats, self.options, matches=200)
        self._nodes: dict[tuple[int, ...], _Node] = {}
        numbers = pyspiel.GameInfo(
            num_distinct_actions=self.index.size, max_chance_outcomes=MOST, num_players=self.seats,
            min_utility=-MOST, max_utility=MOST, utility_sum=0.0, max_game_length=MOST,
        )  # fmt: skip
        super().__init__(kind, numbers, dict(params))

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> Any:
        """Return the beginning of a match."""
        return _State(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return what OpenSpiel's algorithms ask for a player's string or tensor."""
        return _Observer(recalls=kind is not None and kind.perfect_recall)

    def node(self, path: tuple[int, ...]) -> _Node:
        """Return the node to which these moves lead, those of chance among them."""
        found = self._nodes.get(path)
        if found is None:
            found = self._nodes[path] = self._played(path)
        return found

    def _played(self, path: tuple[int, ...]) -> _Node:
        by = [self.node(path[:at]).player for at in range(len(path))]
        answers = (move for move, player in zip(path, by, strict=True) if player >= 0)
        source = _Scripted([move for move, player in zip(path, by, strict=True) if player < 0], self.seats)
        try:
            teams = teams_for(self.rules, 0, self.seats)
            match = dealt(self.rules, self.seats, self.options, source, teams)
            while match.outcome is None:
                if not match.open:
                    raise GameError(f"{self.rules.name} stopped without an outcome.")
                ask = match.open[0]
                source.heard[ask.seat].append((ask.id, ask.you, match.digest().hex()))
                actions = {self.index.id(action): action for action in match.legal()}
                move = next(answers, None)
                if move is None:
                    names = {number: action.key for number, action in sorted(actions.items())}
                    return _Node(int(ask.seat), names, *self._known(match, source))
                source.heard[ask.seat].append(actions[move].key)
                if not ask.sealed and source.window is None:  # who was the fastest shows at its end
                    source.all_hear((ask.id, ask.seat, ask.question.answer_for(actions[move].value)))
                match.step(actions[move])
        except _Undecided as draw:
            total = sum(draw.outcomes.values())
            shares = {face: many / total for face, many in sorted(draw.outcomes.items())}
            return _Node(pyspiel.PlayerId.CHANCE, shares, [repr(heard) for heard in source.heard])
        won = match.outcome.winners
        worth: Sequence[float] = match.outcome.scores or [int(seat in won) for seat in range(self.seats)]
        if teams:  # they alternate
            worth = [sum(worth[seat % teams :: teams]) * teams / self.seats for seat in range(self.seats)]
        sign = better(match.outcome, worth)
        returns = [sign * (one - sum(worth) / self.seats) for one in worth]
        return _Node(pyspiel.PlayerId.TERMINAL, {}, *self._known(match, source), returns)

    def _known(self, match: Simulation[Any], source: _Scripted) -> tuple[list[str], list[_Row], list[_Row]]:
        views = [match.view(seat) for seat in range(self.seats)]
        said = [[*map(repr, heard)] for heard in source.heard]
        return (
            [repr(heard) for heard in source.heard],
            [_sparse(features(view, WIDTH)) for view in views],
            [_sparse(features(view, WIDTH, heard)) for view, heard in zip(views, said, strict=True)],
        )


def _sparse(row: Sequence[int]) -> _Row:
    return tuple((place, number) for place, number in enumerate(row) if number)


class _State(pyspiel.State):  # type: ignore[misc] # as above
    """A place in a match; see `pyspiel.State` for its methods."""

    def __init__(self, of: _Game) -> None:
        super().__init__(of)
        self.path: tuple[int, ...] = ()  # all that OpenSpiel copies

    @property
    def node(self) -> _Node:
        found: _Node = self.get_game().node(self.path)
        return found

    def current_player(self) -> int:
        return self.node.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(self.node.moves.items())

    def _apply_action(self, action: int) -> None:
        self.path = (*self.path, int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action) if player < 0 else str(self.node.moves[action])

    def is_terminal(self) -> bool:
        return bool(self.node.returns)

    def returns(self) -> list[float]:
        return list(self.node.returns) or [0.0] * self.get_game().seats

    def information_state_string(self, player: int | None = None) -> str:
        return str(self.node.infos[self.node.player if player is None else player])

    observation_string = information_state_string

    def __str__(self) -> str:
        return repr(self.path)


class _Observer:
    """An observer of OpenSpiel; one that `recalls` has the information state in its tensor."""

    def __init__(self, *, recalls: bool) -> None:
        self._recalls = recalls
        self.tensor: Any = np.zeros(WIDTH, np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        """Fill the tensor; at a draw nobody is asked, and it's empty."""
        self.tensor.fill(0)
        rows = state.node.recalled if self._recalls else state.node.seen
        for place, number in rows[player] if rows else ():
            self.tensor[place] = number

    def string_from(self, state: _State, player: int) -> str:
        """Return the information state."""
        return state.information_state_string(player)
