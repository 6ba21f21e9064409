"""Hands that a stand-in saw, at the real agents: they are mixed anew before their player is asked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.engine.peer.agents import AgentTable

from tavolata import N_, Game, Hand, Options, Outcome, Pile, Table, Zone, one_of
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata.asks import Ask
from tavolata.bots import RandomBot
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.table import MIXED_ANEW
from tavolata.zones import hand_zone

ABSENT = 2
"""The party that goes and comes back."""
SEAT = ABSENT - 1


pytestmark = pytest.mark.usefixtures("data_folder")


class Held(Game[Options]):
    """Everybody has four cards, one shown to all and one to a neighbour, and lays one after the other."""

    name, title, seats = "held", N_("Held"), (3, 4)
    remix = True
    hands: list[Hand[ItalianFace]]
    deck: Pile[ItalianFace]
    laid: Pile[ItalianFace]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.laid = t.pile("deck", ITALIAN_40), t.pile("laid")
        self.hands = t.hands("hand", remix=self.remix)

    async def turn(self, t: Table[Options]) -> Outcome:
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=5)
        for seat in t.ring:
            await t.reveal(self.hands[seat].cards[:1])
            await t.show(self.hands[seat].cards[1:2], to=[t.ring.after(seat)])
        while any(self.hands):
            for seat in t.ring:
                card = await t.ask(seat, one_of(self.hands[seat].cards[-2:]), N_("Which card?"))
                self.laid.put(self.hands[seat].take(card))
        return Outcome((t.first_seat,))

    def zones(self, t: Table[Options], viewer: object) -> Iterable[Zone]:
        for hand in self.hands:
            yield hand_zone(hand, N_("Hand"))


class Fixed(Held):
    """The same, and no hand may be mixed anew."""

    name, remix = "held-fixed", False


@contextmanager
def questions() -> Iterator[list[tuple[int, int]]]:
    """Note each question of the absent as it is opened: the machine, and how much it knows of the hand.

    That is the number of hidden cards that only their player should know, and that a stand-in has seen. For
    the machine of a stand-in it is the number of those that it still knows.
    """
    asked, found, told = FairDealing.asked, list[tuple[int, int]](), set[tuple[int, int]]()

    def noting(deal: FairDealing, asks: list[Ask]) -> None:
        for ask in asks:
            if ask.seat != SEAT or deal.player(SEAT) != ABSENT or (deal.me, ask.id) in told:
                continue
            told.add((deal.me, ask.id))
            game: Any = deal._match.game
            hand = tuple(card.id for card in game.hands[SEAT].cards)
            seen = deal.seen_by_stand_in(hand, SEAT)
            own = {card for card in hand if [*deal.parcels._seers.get(card, ())] == [SEAT]}
            known = deal.source.known[SEAT].keys() & own & deal.laid.slots.keys()
            found.append((deal.me, max(len(seen), 0 if deal.me == ABSENT else len(known))))
        asked(deal, asks)

    FairDealing.asked = noting  # type: ignore[method-assign, assignment]
    try:
        yield found
    finally:
        FairDealing.asked = asked  # type: ignore[method-assign]


def mixed(table: AgentTable) -> int:
    """How often a hand was mixed anew."""
    assert table.match is not None
    return sum(event.message == MIXED_ANEW for event in table.match.events)


def finish(table: AgentTable) -> None:
    """Play on until the match is over, or nothing happens any more."""
    for _ in range(60):
        table.play()
        if table.is_over:
            return
        table.wait(1)


def go_and_return(
    rules: type[Held], *, begin: int, away: int = 95, times: int = 1
) -> tuple[AgentTable, list[tuple[int, int]]]:
    """A match in which one is cut off again and again, while a person makes the others wait; to its end.

    Args:
        rules: the game.
        begin: how many cards the person lays before.
        away: for how many seconds one is cut off.
        times: how often.
    """
    with questions() as found:
        table = AgentTable(rules, 3, RandomBot, person=1)
        allowed = begin
        table.answers_to = lambda _: sum(seat == 0 for seat, _ in table.answers()) < allowed
        table.play()
        for _ in range(times):
            table.cut.add(ABSENT)
            allowed += 1
            table.wait(away)
            table.cut.clear()
            table.wait(2)
        allowed = 100
        finish(table)
    return table, found


def test_what_a_stand_in_saw_is_mixed_before_the_next_question() -> None:
    """Another machine has played one card. Back, the player is asked when it knows none of the others."""
    table, found = go_and_return(Held, begin=0)
    with closing(table):
        assert table.is_over
        assert mixed(table) == 1
        assert {machine for machine, _ in found} == {1, 2, 3}
        assert max(seen for _, seen in found) == 0


def test_a_hand_that_may_not_be_mixed_stays_as_it_is() -> None:
    """With remix=False the stand-in still knows the cards, and the rules know them by their handles."""
    table, found = go_and_return(Fixed, begin=0)
    with closing(table):
        assert table.is_over
        assert mixed(table) == 0
        assert max(seen for _, seen in found) >= 2


@pytest.mark.battery
@given(st.integers(0, 2), st.integers(15, 100), st.integers(1, 2))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whenever_somebody_returns_no_two_cards_are_told_apart(begin: int, away: int, times: int) -> None:
    """At any time, for any time, twice: of what a stand-in saw, at most one hidden card is left as it was."""
    table, found = go_and_return(Held, begin=begin, away=away, times=times)
    with closing(table):
        assert table.is_over
        assert found
        assert max(seen for _, seen in found) <= 1
