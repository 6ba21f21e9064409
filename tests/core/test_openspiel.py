"""The bridge to OpenSpiel: its algorithms find in a game of ours what they find in its own."""

from __future__ import annotations

import pytest

from tavolata import Choice, Deck, Die, Game, Options, Outcome, Pile, Table, one_of

pytest.importorskip("pyspiel", reason='OpenSpiel is missing: pip install "tavolata[openspiel]"')

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

from tavolata import openspiel

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
