"""Answers that are taken back where all deal together: every machine goes back, and the dealing goes on."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import World, key_of
from typing_extensions import override

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.steps import DECK, PROOF, SEED
from tavolata._engine.match.entries import ANSWER, DEAL, OPENED, UNDONE, MatchEntry
from tavolata._engine.table.permissions import may_say
from tavolata.asks import Ask
from tavolata.bots import Bot, Chance
from tavolata.view import View


class First(Bot):
    """It chooses the first of everything, and so keeps its card."""

    def choose(self, view: View, ask: Ask, chance: Chance) -> Any:
        return ask.question.nth(0)


class Held:
    """A match of three machines in which the second seat keeps its answers back: it thinks.

    Attributes:
        turn: the first turn in which it does.
        world: the machines.
        thinks: whether it does.
        opens: whether the third seat opens its seals.
        held: what it would have answered.
    """

    turn = 0

    def __init__(self) -> None:
        self.thinks = self.opens = True
        self.held: list[MatchEntry] = []
        self.world = World(Peek, (1, 2, 3), bot=First, tamper=self._tamper, rounds=self.turn + 2)
        for _ in range(200):
            if self.held:
                break
            self.world.round()

    def _tamper(self, party: int, entry: MatchEntry) -> list[MatchEntry]:
        if self.thinks and entry[0] == ANSWER and entry[1] == 1 and self._turns() >= self.turn:
            self.held.append(entry)
            return []
        return [entry] if self.opens or entry[:2] != (OPENED, 2) else []

    def _turns(self) -> int:
        return self.world.peers[1].match.table.turn

    @property
    def asked(self) -> list[tuple[int, int]]:
        """The seat and the number of each open question."""
        return [(int(ask.seat), ask.id) for ask in self.world.peers[1].source.open]

    def agree(self, ask: int) -> None:
        """All three say yes."""
        for party in (1, 3, 2):
            self.world.say((UNDONE, party - 1, ask, True), party)


class Opening(Held):
    """The same in the second turn, in which the next deck is made ahead: the third keeps a step of it.

    Args:
        step: the kind of step.

    Attributes:
        kept: the step that it keeps.
    """

    turn = 1

    def __init__(self, step: int) -> None:
        self._step = step
        self.kept: list[MatchEntry] = []
        super().__init__()
        while not self.kept:
            assert self.world.round()

    @override
    def _tamper(self, party: int, entry: MatchEntry) -> list[MatchEntry]:
        wanted = self.world.peers[1].deal.piles.wanted
        is_ahead = wanted is None or entry[4:5] != (wanted.number,)
        if entry[0] == DEAL and entry[1] == 3 and entry[3] == self._step and is_ahead and not self.kept:
            self.kept.append(entry)
            return []
        return super()._tamper(party, entry)


def test_a_table_that_deals_together_goes_back() -> None:
    """With answers under seal on the table: all machines are alike, who looks on and who starts anew, too."""
    table = Held()
    world = table.world
    state = world.peers[1].match.state()
    ((seat, ask),) = table.asked
    assert seat == 1
    table.agree(ask - 1)
    assert {peer.match.undone for peer in world.peers.values()} == {1}
    assert table.asked == [(0, ask - 1)]
    assert len(world.digests) == 1
    table.thinks = False
    world.say((ANSWER, 0, ask - 1, 0), 1)
    again = world.peers[1].match.state()
    assert again.pop("asks") > state.pop("asks")
    assert again == state
    world.say(table.held[0], 2)  # what was on its way when the answer was taken back
    assert table.asked == [(1, ask + 1)]
    watcher = world.watcher()
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    assert {watcher.match.digest()} == world.digests
    world.back(3)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert not world.convicted
    deal = world.peers[1].deal
    assert not any(deal.seals.is_closed(seat) for seat in range(3))


def test_two_of_three_undo_nothing() -> None:
    """Without the yes of the third person the match stays as it is, and goes on."""
    table = Held()
    ((_, ask),) = table.asked
    before = table.world.digests
    for party in (1, 3):
        table.world.say((UNDONE, party - 1, ask - 1, True), party)
    assert table.world.digests == before
    assert table.asked == [(1, ask)]


def test_an_answer_is_taken_back_when_the_last_one_asked_leaves() -> None:
    """Two of three have said yes; the third leaves for good, and from then on nobody waits for its yes."""
    table = Held()
    world = table.world
    ((_, ask),) = table.asked
    for party in (1, 3):
        world.say((UNDONE, party - 1, ask - 1, True), party)
    world.leave(2, OwnWord.LEFT)
    assert {world.peers[party].match.undone for party in world.here} == {1}
    assert table.asked == [(0, ask - 1)]
    assert len(world.digests) == 1
    watcher = world.watcher()
    world.play()
    assert world.ended()
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    assert watcher.match.digest() == world.peers[1].match.digest()
    assert watcher.match.outcome == world.peers[1].match.outcome


def test_nothing_is_taken_back_while_cards_are_opened() -> None:
    """While shares of a card are on their way, or after it was opened, all yes of the table undo nothing."""
    table = Held()
    table.thinks = False
    world, said = table.world, set[int]()
    last = table.asked[0][1]
    world.say(table.held[0], 2)
    while not world.ended() and len(said) < 6:
        source = world.peers[1].source
        last = max([last, *(ask.id for ask in source.open)])
        if source.wants is not None and world.log[-1][0][0] == DEAL and len(world.log) not in said:
            for ask in (last, last - 1, last - 2):
                table.agree(ask)
            said.add(len(world.log))
        if not world.round():
            break
    assert said
    assert {peer.match.undone for peer in world.peers.values()} == {0}


@pytest.mark.parametrize("step", [pytest.param(DECK, marks=pytest.mark.long), PROOF, SEED])
@pytest.mark.parametrize("refuses", [False, True])
def test_a_table_goes_back_while_the_next_deck_is_being_made(step: int, *, refuses: bool) -> None:
    """The deck goes on as it was: the last step still counts, and only refusing a seed costs anything."""
    table = Opening(step)
    world, deal = table.world, table.world.peers[1].deal
    (pile,) = deal.piles.under_way
    openers = pile.chain.openers
    assert openers == ((1, 2, 3) if step == SEED else ())
    ((_, ask),) = table.asked
    table.agree(ask - 1)
    assert {peer.match.undone for peer in world.peers.values()} == {1}
    assert len(world.digests) == 1
    assert [*deal.piles.under_way] == [pile]
    assert (pile.chain.openers, pile.chain.draw, pile.chain.is_made) == (openers, 0, False)
    if refuses:
        world.leave(3, OwnWord.OUT)
        world.back(3)
    else:
        world.say(table.kept[0], 3)
    table.thinks = False
    while not pile.chain.is_made:
        assert world.round()
    counted = int(refuses and step == SEED)
    assert pile.chain.draw == counted
    assert deal.authority._refusals == {1: 0, 2: 0, 3: counted}
    while not (used := [slot for slot in deal.laid.slots.values() if slot.pile == pile.number]):
        assert world.round()
    assert {slot.thing for slot in used} <= {*pile.chain.slots}
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert not world.convicted


def test_nothing_is_taken_back_while_the_deck_is_being_opened() -> None:
    """While all wait for seeds, all yes of the table undo nothing, and the order stays what it was."""
    table = Held()
    world, deal, tried, saying = table.world, table.world.peers[1].deal, list[int](), list[bool]()
    table.thinks = False

    def agree() -> None:
        pile = deal.piles.wanted
        if pile is not None and pile.chain.openers and not saying and len(tried) < 6:
            saying.append(True)
            for ask in range(1, 12):
                table.agree(ask)
            saying.clear()
            tried.append(len(world.log))

    world.acted = agree
    world.say(table.held[0], 2)
    world.play()
    assert tried
    assert world.ended()
    assert {peer.match.undone for peer in world.peers.values()} == {0}
    assert len(world.digests) == 1
    assert deal.authority._refusals == {1: 0, 2: 0, 3: 0}


def test_an_answer_is_taken_back_although_a_seal_was_opened_by_force_before() -> None:
    """The match is followed anew over what its author did not open; a bot imagines worlds over it, too."""
    table = Held()
    world = table.world
    table.opens = False
    world.say(table.held.pop(), 2)
    while not table.held:
        world.wait(1)
    match = world.peers[1].match
    assert match.table.turn == 1
    assert len([entry for entry, _ in world.log if entry[0] == OPENED]) == 2, "the third was opened by force"
    assert match.view(0).imagine(Chance(1)).digest() == match.digest()
    ((_, ask),) = table.asked
    table.agree(ask - 1)
    assert {peer.match.undone for peer in world.peers.values()} == {1}
    assert table.asked == [(0, ask - 1)]
    assert len(world.digests) == 1
    assert not world.convicted


def test_nobody_says_yes_for_another() -> None:
    """The table drops what a machine says for a seat that is not its own."""
    assert key_of(1)
    for party, seats in ((2, [1]), (3, [2]), (None, [])):
        assert not may_say([UNDONE, 0, 1, True], party=party, seats=seats, coordinator=True, host=True)
    assert may_say([UNDONE, 0, 1, True], party=1, seats=[0], coordinator=False, host=False)


def test_an_answer_is_taken_back_once_the_last_who_has_not_agreed_has_left() -> None:
    """All others have said yes, and nobody waits for the word of someone who is gone for good."""
    table = Held()
    world = table.world
    ((_, ask),) = table.asked
    for party in (1, 2):
        world.say((UNDONE, party - 1, ask - 1, True), party)
    assert table.asked == [(1, ask)]
    world.leave(3, OwnWord.LEFT)
    assert [world.peers[party].match.undone for party in (1, 2)] == [1, 1]
    assert table.asked == [(0, ask - 1)]
    watcher = world.watcher()
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    assert {watcher.match.digest()} == world.digests
    table.thinks = False
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
