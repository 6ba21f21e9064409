"""Bad input: what broken or lying clients send is refused, or found out when the card is shown."""

from __future__ import annotations

import pytest

from tavolata import Refused
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, FACE, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.worlds import new_match
from tavolata_conto.calls import Please
from tavolata_conto.rules import Conto

from .table import PLAIN, Dinner

ONE_EACH = "6 2 3 4 7 8 | K 2 3 4 7 8 | 5 4 2 3 7 8"
HANDS = "W 2 3 4 5 6 | 2 7 8 9 10 J | 2 7 8 9 10 J"


def peer(dinner: Dinner, *forged: MatchEntry) -> tuple[Match, LogSource]:
    """Another machine that follows the log of this dinner, and then entries that were made up."""
    source = LogSource(3, OneDealer(), [*dinner.match.log, *forged])
    match = new_match(Conto, dinner.match.match.terms, source)
    match.run()
    return match, source


def shows(dinner: Dinner, dish: str, words: str) -> tuple[MatchEntry, MatchEntry]:
    """The entries by which who is in turn makes this call with this card, whatever the rules say."""
    ask, card = dinner.match.open[0], dinner.card(dish)
    face = dinner.match.views(ask.seat).face(card)
    return (
        (ANSWER, int(ask.seat), ask.id, ask.question.answer_for(dinner.answer(dish, words))),
        (FACE, card.id, card.deck.number[face]),  # type: ignore[index] # its owner knows it
    )


def test_a_joker_shown_by_a_forged_answer_is_cheating() -> None:
    """Its owner's machine would have refused; all others find out at once, and know who it was."""
    dinner = Dinner(HANDS)
    match, source = peer(dinner, *shows(dinner, "W", "1 2"))
    assert not source.voids
    assert match.conviction is not None
    assert match.conviction.seat == 0
    assert match.over


def late_in_a_hand() -> Dinner:
    """Four cards in all hands, all of them called: a six and three kings; seat 0 holds a five and a four."""
    dinner = Dinner(PLAIN, ONE_EACH, saldo=True).tabs([4, 4, 5])
    dinner.call("2", "1 2").call("2", "1 2 1 A").bill()
    dinner.discard(1, "2 3 4 7 8").discard(2, "2 3 4 7 8").discard(0, "2 3 7 8")
    return (
        dinner.call("6", "1 6")
        .call("K", "1 6 1 K")
        .call("5", "1 6 2 5")
        .call("6", "1 6 3 J")
        .call("K", "1 6 3 K")
    )


def test_a_card_of_no_called_rank_is_refused() -> None:
    """Where only spicing is left, a four is no help: its owner's machine says so."""
    dinner = late_in_a_hand().refuses("4", "1 7 3 K", "You have to show a card whose rank is in your call.")
    ask = dinner.match.open[0]
    with pytest.raises(Refused, match="You have to show"):  # a five was shown: all can refuse it
        dinner.match.match.check_claim(
            ask, ask.question.answer_for(dinner.answer("5", "1 7 3 K")), public=True
        )


def test_a_card_of_no_called_rank_shown_all_the_same_is_cheating() -> None:
    """Others can't know that it is a four before it is shown; then they know who has lied."""
    dinner = late_in_a_hand()
    (_, _, _, answer), face = shows(dinner, "4", "1 7 3 K")
    source = LogSource(3, OneDealer())
    match = new_match(Conto, dinner.match.match.terms, source)
    match.load(unpack(pack(dinner.match.match.state())))
    match.run()
    (ask,) = source.open
    source.feed((ANSWER, 0, ask.id, answer))
    match.run()
    assert not match.over
    source.feed(face)
    match.run()
    assert match.conviction is not None
    assert match.conviction.seat == 0


def test_an_honest_card_is_no_cheat() -> None:
    """The same entries with a two go on to the next player."""
    dinner = Dinner(HANDS)
    match, source = peer(dinner, *shows(dinner, "2", "1 2"))
    assert match.conviction is None
    assert [int(ask.seat) for ask in source.open] == [1]


@pytest.mark.parametrize(
    "answer",
    [-1, 0, "1×2", None, (0,), True, (1,), (0, (13, 0)), (0, (0, 6)), (0, (0,)), (0, 0), ((0, 0), 0)],
)
def test_a_call_that_is_not_offered_is_void(answer: object) -> None:
    """A call is places in the lists of the question: nothing else can be sent, and what is sent is void."""
    dinner = Dinner(HANDS)
    ask = dinner.match.open[0]
    match, source = peer(dinner, (ANSWER, 0, ask.id, answer))
    assert len(source.voids) == 1
    assert match.conviction is None
    assert [one.id for one in source.open] == [ask.id]


def test_nobody_answers_for_another_or_twice() -> None:
    """The bill asked for by who is not in turn, or by the opener, is void."""
    dinner = Dinner(HANDS).call("2", "1 2")
    ask = dinner.match.open[0]
    bill = ask.question.answer_for((Please.BILL,))
    _, source = peer(
        dinner, (ANSWER, 2, ask.id, bill), (ANSWER, 0, ask.id, bill), (ANSWER, 1, ask.id - 1, (0, (0, 0)))
    )
    assert len(source.voids) == 3
