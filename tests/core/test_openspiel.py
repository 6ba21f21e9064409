"""The bridge to OpenSpiel: its algorithms find in a game of ours what they find in its own."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tavolata import Choice, Deck, Die, Game, Options, Outcome, Pile, Table, Teams, fact, one_of

pytest.importorskip("pyspiel", reason='OpenSpiel is missing: pip install "tavolata[openspiel]"')

import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, tabular_qlearner

from tavolata import openspiel

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from leduc import Leduc, LeducOptions

CARDS = Deck("kuhn", [1, 2, 3])
PASS, BET = 0, 1
BETS = one_of([Choice(PASS, "pass"), Choice(BET, "bet")])


class Kuhn(Game[Options]):
    """Kuhn poker: a card each of three, an ante of one, and one bet."""

    name = "kuhn"
    title = "Kuhn"
    seats = (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Three cards, and an ante of each."""
        self.deck = t.pile("deck", CARDS)
        self.hands = t.hands("hand")
        self.paid = [1, 1]

    async def turn(self, t: Table[Options]) -> Outcome:
        """One hand."""
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands)
        said: list[int] = []
        while said[-2:] not in ([BET, BET], [PASS, PASS], [BET, PASS]):
            seat = t.ring[len(said) % 2]
            said.append(await t.ask(seat, BETS, "Bet?", "A bet is due."))
            self.paid[seat] += said[-1]
        if said[-2:] == [BET, PASS]:
            winner = len(said) % 2
        else:
            first, second = await t.reveal([self.hands[0].top, self.hands[1].top])
            winner = int(second.face > first.face)
        won = min(self.paid)
        return Outcome((t.ring[winner],), scores=(won, -won) if winner == 0 else (-won, won))


class Guess(Game[Options]):
    """Each has a coin that falls on 1 once in three; both say under seal what that of seat 0 shows."""

    name = "guess"
    title = "Guess"
    seats = (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """A coin of each, and a deck of which a card is turned up."""
        self.cups = t.cups("cup", Die((0, 0, 1)), 1)
        self.deck = t.pile("deck", CARDS)
        self.rest: Pile[int] = t.pile("rest")

    async def turn(self, t: Table[Options]) -> Outcome:
        """One throw, and one answer of each."""
        await t.shake(*self.cups)
        await t.shuffle(self.deck)
        await t.turn_up(self.deck, onto=self.rest)
        await t.shuffle(self.deck, self.rest)
        said = await t.ask_all(dict.fromkeys(t.ring, BETS), "Odd?", "All guess.")
        (die,) = await t.reveal([*self.cups[0]])
        return Outcome(tuple(seat for seat in t.ring if said[seat] == die.face))


def solved(game: object, times: int) -> float:
    """The exploitability after so many rounds of counterfactual regret minimization."""
    solver = cfr.CFRSolver(game)
    for _ in range(times):
        solver.evaluate_and_update_policy()
    found: float = exploitability.exploitability(game, solver.average_policy())
    return found


def test_kuhn_poker_of_ours_is_as_exploitable_as_openspiels_own() -> None:
    """After each number of rounds both have the same exploitability: the trees are the same."""
    ours, theirs = openspiel.game(Kuhn), pyspiel.load_game("kuhn_poker")
    for times in (1, 4):
        assert solved(ours, times) == pytest.approx(solved(theirs, times), abs=1e-12)


class FirstLeads(Leduc):
    """Leduc poker in which seat 0 begins, as in OpenSpiel's own."""

    def setup(self, t: Table[LeducOptions]) -> None:
        """As usual, but for who begins."""
        super().setup(t)
        self.leads = t.ring[0]


@pytest.mark.battery
def test_leduc_poker_of_ours_is_as_exploitable_as_openspiels_own() -> None:
    """The same for a game of two rounds with a card turned up between them, with a house rule."""
    ours = openspiel.game(FirstLeads, options=LeducOptions(hands=1))
    theirs = pyspiel.load_game("leduc_poker")
    for times in (1, 3):
        assert solved(ours, times) == pytest.approx(solved(theirs, times), abs=1e-12)


def test_a_registered_game_is_loaded_by_its_name_and_passes_openspiels_own_tests() -> None:
    """Its parameters are players and house rules; states survive being written, read and pickled."""
    assert openspiel.register(FirstLeads) == "tavolata_leduc"
    game = pyspiel.load_game("tavolata_leduc(hands=2,players=2)")
    assert str(pickle.loads(pickle.dumps(game))) == str(game) == "tavolata_leduc(hands=2,players=2)"
    state = game.new_initial_state()
    for _ in range(5):
        state.apply_action(state.legal_actions()[-1])
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    for other in (read, pickle.loads(pickle.dumps(state)), state.clone()):
        assert other.history() == state.history()
        assert other.information_state_string(0) == state.information_state_string(0)
    for one in (openspiel.game(Kuhn), openspiel.game(Guess)):
        pyspiel.random_sim_test(one, num_sims=3, serialize=True, verbose=False)


def test_a_playthrough_is_the_same_when_it_is_played_again() -> None:
    """OpenSpiel writes down all that a state says; the same actions say the same."""
    name = openspiel.register(Kuhn)
    text = generate_playthrough.playthrough(name, None, seed=3)
    assert 'GameType.short_name = "tavolata_kuhn"' in text
    assert text == generate_playthrough.playthrough(name, None, seed=3)


def test_tensors_tell_what_the_player_knows_and_nothing_else() -> None:
    """Information states that differ have different tensors, and equal ones have equal tensors."""
    known: dict[str, set[tuple[float, ...]]] = {}
    seen = set()
    todo = [openspiel.game(Kuhn).new_initial_state()]
    while todo:
        state = todo.pop()
        todo += [state.child(action) for action in state.legal_actions()] if not state.is_terminal() else []
        if state.current_player() >= 0:
            tensor = tuple(state.information_state_tensor(state.current_player()))
            known.setdefault(state.information_state_string(), set()).add(tensor)
            seen.add(tuple(state.observation_tensor(state.current_player())))
    assert len(known) == 24  # twice OpenSpiel's twelve: it is drawn who begins
    assert {len(tensors) for tensors in known.values()} == {1}
    assert len(set.union(*known.values())) == 24
    assert 1 < len(seen) <= 24


def test_an_agent_learns_in_openspiels_environment() -> None:
    """Against a player who always passes, Q-learning finds out that betting pays."""
    env = rl_environment.Environment(openspiel.register(Kuhn), players=2)
    env.seed(5)
    agent = tabular_qlearner.QLearner(0, env.action_spec()["num_actions"], step_size=0.1)
    won = []
    for _ in range(400):
        now = env.reset()
        while not now.last():
            mine = now.current_player() == 0
            passes = now.observations["legal_actions"][1][:1]
            now = env.step([agent.step(now).action] if mine else passes)
        agent.step(now)
        won.append(now.rewards[0])
    assert sum(won[200:]) > 0.7 * 200


@pytest.mark.battery
@pytest.mark.parametrize("library", ["jax", "torch"])
@pytest.mark.parametrize("method", ["DQN", "NFSP"])
def test_openspiels_deep_learners_learn_in_it(method: str, library: str) -> None:
    """They get by with what the environment says of the game; whoever has neither library skips this."""
    pytest.importorskip(library)
    learners = import_module(f"open_spiel.python.{library.replace('torch', 'pytorch')}.{method.lower()}")
    env = rl_environment.Environment(openspiel.register(Kuhn), players=2)
    env.seed(5)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    own = {"reservoir_buffer_capacity": 500, "anticipatory_param": 0.5} if method == "NFSP" else {}
    agents = [
        getattr(learners, method)(
            seat, state_representation_size=size, num_actions=actions, hidden_layers_sizes=[16], batch_size=8,
            min_buffer_size_to_learn=20, learn_every=16, **own,
        )
        for seat in (0, 1)
    ]  # fmt: skip
    for _ in range(80):
        now = env.reset()
        while not now.last():
            now = env.step([agents[now.current_player()].step(now).action])
        for agent in agents:
            agent.step(now)
    losses = [loss for agent in agents for loss in (agent.loss if method == "NFSP" else [agent.loss])]
    assert None not in losses


def test_a_face_is_drawn_when_it_is_first_seen_and_a_seal_holds() -> None:
    """Chance has faces and not orders, and no player's state has another's die or sealed word in it."""
    state = openspiel.game(Guess).new_initial_state()
    chances: list[list[float]] = []
    others: list[tuple[bool, bool]] = []
    while not state.is_terminal():
        outcomes = state.legal_actions()
        if state.is_chance_node():
            chances.append([round(share, 3) for _, share in state.chance_outcomes()])
        elif state.current_player() == 0:
            one, two = (state.child(action) for action in outcomes)
            states = [[child.information_state_string(seat) for seat in (0, 1)] for child in (one, two)]
            others.append((states[0][0] == states[1][0], states[0][1] == states[1][1]))
        state.apply_action(outcomes[0])
    assert chances == [[0.5, 0.5], [0.667, 0.333], [0.667, 0.333], [0.333, 0.333, 0.333]]
    assert others == [(False, True)]
    assert sum(state.returns()) == 0


class Snap(Game[Options]):
    """Whoever reacts first wins; the second seat wins if nobody does."""

    name = "snap"
    title = "Snap"
    seats = (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[Options]) -> Outcome:
        """One window."""
        first = await t.react(dict.fromkeys(t.ring, BETS), "Now!", seconds=1)
        return Outcome((t.ring[1] if first is None else first.seat,))


def test_who_lets_a_window_pass_says_nothing_of_it() -> None:
    """Each way through a window leads to an end, and no seat is told what another one does in it."""
    todo, ends = [openspiel.game(Snap).new_initial_state()], []
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    while todo:
        state = todo.pop()
        if state.is_terminal():
            ends.append(tuple(state.returns()))
            continue
        if not state.is_chance_node():
            seen[state.current_player()].add(state.information_state_string())
        todo += [state.child(move) for move in state.legal_actions()]
    assert set(ends) == {(0.5, -0.5), (-0.5, 0.5)}
    assert {player: len(infos) for player, infos in seen.items()} == {0: 2, 1: 2}  # by who is first


class Plays(Game[Options]):
    """A game of one turn, which the subclasses say; seat 0 is asked, and wins or loses by its answer."""

    name = title = "plays"
    seats = (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Three cards."""
        self.deck = t.pile("deck", CARDS)

    async def turn(self, t: Table[Options]) -> Outcome:
        """The seat that says less wins."""
        said = [await t.ask(seat, BETS, "How much?") for seat in t.ring]
        return Outcome.by_score(t, said, lowest=True)


@fact
def is_high(face: int) -> bool:
    """Whether it's the highest card."""
    return face == 3


class Told(Plays):
    """A narrator says to seat 0 whether the top card is the highest one."""

    name, narrator = "told", True

    async def turn(self, t: Table[Options]) -> Outcome:
        """Whoever is right about the card has won."""
        await t.shuffle(self.deck)
        await t.narrate(is_high, self.deck.top, to=t.ring[0])
        says_high = await t.ask(t.ring[0], BETS, "Is it high?") == BET
        (card,) = await t.reveal([self.deck.top])
        return Outcome((t.ring[0] if says_high == is_high(card.face) else t.ring[1],))


class Twice(Plays):
    """Both choose twice at once; only the second choice counts."""

    name = "twice"

    async def turn(self, t: Table[Options]) -> Outcome:
        """Nothing keeps the first choices, but all have seen them."""
        for _ in range(2):
            said = await t.ask_all(dict.fromkeys(t.ring, BETS), "Bet?", "All bet.")
        return Outcome.by_score(t, list(said.values()))


class FewestTogether(Plays):
    """Seat 0 says how many points it has; the others have 3, 0 and 9, and the team with the fewest wins."""

    name, seats, teams = "fewest-together", (4, 4), Teams(counts=(2,), size=(2, 2), required=True)

    async def turn(self, t: Table[Options]) -> Outcome:
        """One question."""
        said = await t.ask(t.ring[0], one_of([0, 8, 20]), "How many?")
        return Outcome.by_score(t, [said, 3, 0, 9], lowest=True)


class Whispers(Plays):
    """What seat 0 chooses under seal, its mate learns, and the others don't."""

    name, seats, teams = "whispers", (4, 4), Teams(counts=(2,), size=(2, 2), required=True)

    async def turn(self, t: Table[Options]) -> Outcome:
        """The team of seat 0 wins if its mate says the same."""
        first = t.ring[0]
        (mate,) = t.mates(first)
        sealed = await t.seal_all({first: BETS}, "Bet?", shown_to={first: [mate]})
        said = [await t.ask(seat, BETS, "Which?") for seat in (mate, t.ring.after(mate))]
        await t.reveal(sealed.values())
        return Outcome(t.team(first if said[0] == sealed[first].value else t.ring.after(first)))


def walk(rules: type[Game[Options]], seats: int = 2) -> Iterator[Any]:
    """Yield all places in the tree of a game."""
    todo = [openspiel.game(rules, seats).new_initial_state()]
    while todo:
        state = todo.pop()
        yield state
        todo += [state.child(move) for move in state.legal_actions()]


def informed(rules: type[Game[Options]], player: int, seats: int = 2) -> set[str]:
    """Return the information states of a player at its questions."""
    mine = (state for state in walk(rules, seats) if state.current_player() == player)
    return {state.information_state_string(player) for state in mine}


def test_the_fewest_points_are_worth_most_where_they_win() -> None:
    """OpenSpiel's algorithms want more: who wins gets more than who loses."""
    state = openspiel.game(Plays).new_initial_state()
    for action in (0, BET, PASS):
        state.apply_action(action)
    assert state.returns() == [-0.5, 0.5]


def test_a_team_gets_the_same_for_all_its_seats() -> None:
    """Whoever has the most of a team, or of all, wins with it where its points are the fewest together."""
    ends = {tuple(state.returns()) for state in walk(FewestTogether, 4) if state.is_terminal()}
    assert ends == {(3, -3, 3, -3), (1, -1, 1, -1), (-2, 2, -2, 2)}


def test_a_narration_draws_the_faces_that_it_is_about_and_reaches_one_seat() -> None:
    """It is true in each part of the tree, and known to whom it was told: twice as often for who begins."""
    assert sum(state.is_terminal() for state in walk(Told)) == 2 * 6 * 2
    assert len(informed(Told, 0)) == 2 * 2


def test_answers_that_were_opened_are_remembered() -> None:
    """At the second question a player knows both first answers, and who begins; at the first, who begins."""
    assert len(informed(Twice, 0)) == 2 + 2 * 4


def test_a_mate_knows_what_it_is_shown_under_seal_and_teams_are_those_of_the_game() -> None:
    """A game that needs teams is played in them; the mate has an information state for each answer."""
    assert len(informed(Whispers, 2, 4)) == 4 * 2
    assert len(informed(Whispers, 3, 4)) == 4 * 2  # it knows its mate's opponent's open answer alone
