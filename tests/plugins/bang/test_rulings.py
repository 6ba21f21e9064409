"""Bang ruling by ruling: what the table agreed on where the source is silent."""

from __future__ import annotations

from collections import Counter

import pytest

from tavolata import Ask, View
from tavolata.bots import Bot, Chance
from tavolata.decks import FRENCH_54, Rank
from tavolata.reaction_times import GOES
from tavolata.testing import Rehearsal, goes_on, race, reacts, rehearse
from tavolata_bang.options import BangOptions
from tavolata_bang.patterns import Pattern
from tavolata_bang.rules import Bang

from .table import CARDS, conserved, counts, faces, may_bang, ranks, table


@pytest.mark.parametrize("seats", range(2, 9))
def test_ruling_01_54_cards_are_dealt_one_by_one_from_the_dealers_left(seats: int) -> None:
    """All cards are out, the first to the dealer's left, whose stack is the largest; he begins."""
    match = rehearse(Bang, seats=seats, first=seats - 1, decks={"pack": [["A♠"]]}, turns=1)
    assert sum(counts(match)) + len(match.game.pile) == CARDS
    given = [CARDS // seats + (seat < CARDS % seats) for seat in range(seats)]
    assert [n + (seat == 0) for seat, n in enumerate(counts(match))] == given
    assert match.game.last == 0
    assert match.said()[0] == f"P{seats - 1} shuffles and deals."


def test_ruling_01_stacks_are_seen_by_nobody() -> None:
    """No face of a stack is known to any seat, its owner included, nor shown in a zone."""
    match = rehearse(Bang, seats=3, turns=1)
    for seat in (None, 0, 1, 2):
        view = match.views(seat)
        assert {view.face(card) for stack in match.game.stacks for card in stack} == {None}
        assert view.zones()["stacks"].kind == "tokens"


def test_ruling_01_play_goes_clockwise_from_the_dealers_left() -> None:
    """Seat after seat lays a card."""
    match = table("2 9", "4", "6", leader=1).play(goes_on(2))
    assert [line.split()[0] for line in match.said()] == ["P1", "P2", "P0"]


def test_ruling_02_both_jokers_are_one_rank() -> None:
    """14 ranks, the jokers one of them; two jokers on each other are a double."""
    assert len({face.rank for face in FRENCH_54.faces}) == 14
    match = table("Jo 5", "Jo", "2").play(goes_on(1), reacts(2, 400))
    assert "Bang! P2 was first, in 400 ms: double. 2 cards for P2." in match.said()


@pytest.mark.parametrize(
    ("stacks", "why"), [(("7", "7"), "double"), (("7 7", "9"), "sandwich"), (("Jo", "Jo"), "double")]
)
def test_ruling_03_double_and_sandwich(stacks: tuple[str, str], why: str) -> None:
    """Two of a rank, or two with any card between them."""
    match = table(*stacks, rest=1).play(goes_on(len(" ".join(stacks).split()) - 1), reacts(0, 300))
    assert any(f"{why}." in line for line in match.said())


def test_ruling_03_penalty_cards_never_count() -> None:
    """Though a seven came under the seven as a penalty, banging at the seven is wrong."""
    match = table("7 5", "7 3", rest=0).play(reacts(1, 300))
    assert len(match.game.under) == 1
    assert ranks(match.game.pile) == "7 3"
    match.play(reacts(0, 300))
    assert "P0 bangs after 300 ms, for no reason." in match.said()


def test_ruling_04_top_and_bottom_needs_three_cards() -> None:
    """The first card of the pile and the top one; with three cards or more."""
    match = table("7 2", "3 7", rest=0, preset="family", sandwich="off")
    match.play(goes_on(3), reacts(0, 300))
    assert any("top and bottom" in line for line in match.said())
    two = table("7", "7 4", rest=0, preset="family", double="off").play(goes_on(1), reacts(0, 300))
    assert any("for no reason" in line for line in two.said())


def test_ruling_05_the_first_bang_decides_and_later_ones_are_void() -> None:
    """Of three wrong bangs in one window the fastest is punished alone; the others are told, and free."""
    match = table("7 5", "3", "2 4", rest=0).play(race(reacts(2, 500), reacts(1, 350), reacts(0, 410)))
    assert match.said()[1:5] == [
        "P1 bangs after 350 ms, for no reason.",
        "P0 was 60 ms behind.",
        "P2 was 150 ms behind.",
        "P1 puts 1 card under the pile.",
    ]
    assert len(match.game.under) == 1


def test_ruling_05_a_bang_after_the_next_layers_key_is_too_late() -> None:
    """Who lays faster than another bangs closes the window; but no layer is faster than the table allows."""
    late = table("7 5", "7 3", "2", rest=0).play(goes_on(1), race(reacts(2, 900, GOES), reacts(0, 901)))
    assert ranks(late.game.pile) == "7 7 2"
    hasty = table("7 5", "7 3", "2", rest=0).play(goes_on(1), race(reacts(2, 10, GOES), reacts(0, 790)))
    assert "Bang! P0 was first, in 790 ms: double. 2 cards for P0." in hasty.said()


def test_ruling_06_a_right_bang_takes_the_pile_as_it_lies() -> None:
    """Penalty cards and all, turned over, under the stack; the tribute ends; the banger leads."""
    match = table("8 5", "8 3", "2 9", rest=0).play(reacts(2, 300), reacts(0, 300))
    assert ranks(match.game.pile) == "5"  # who won the pile leads
    assert match.game.last == 0
    assert faces(match.game.stacks[0])[:3] == ["8♣", "8♦", "?"]  # the penalty card comes out first


def test_ruling_06_a_tribute_ends_with_a_bang() -> None:
    """A king's tribute is open when somebody bangs at a double within it: nothing is owed any more."""
    match = table("K 4", "7 7 2", rest=0).play(goes_on(2), reacts(0, 300))
    assert (match.game.owner, match.game.due, match.game.last) == (None, 0, 0)


@pytest.mark.parametrize(("penalty", "has", "paid"), [(1, 4, 1), (2, 4, 2), (3, 4, 3), (3, 2, 2), (3, 1, 1)])
def test_ruling_07_a_wrong_bang_costs_what_was_agreed_or_what_is_there(
    penalty: int, has: int, paid: int
) -> None:
    """From the top of the stack, face down under the pile."""
    match = table("9", " ".join("2468"[:has]), "5", rest=0, penalty=penalty, leader=0)
    before = [card.id for card in reversed(match.game.stacks[1].cards)]
    match.play(reacts(1, 300))
    under = [card.id for card in match.game.under]
    assert under == list(reversed(before[:paid]))
    assert not [card for card in match.game.under if card.is_public]
    conserved(match.game)


def test_ruling_07_it_pays_no_tribute_and_moves_no_turn() -> None:
    """Two cards are owed before and after a wrong bang by the payer, who still is to lay."""
    match = table("Q", "3 4 5 6", "2", rest=0)
    assert (match.game.layer, match.game.due) == (1, 2)
    match.play(reacts(1, 300))
    assert ranks(match.game.pile) == "Q 4"  # the three went under the pile, the four pays
    assert (match.game.layer, match.game.due) == (1, 1)


def test_ruling_08_who_has_no_cards_is_barred_until_the_pile_is_won() -> None:
    """He may not bang again in this pile; after it he may."""
    match = table("2 3 7 7", "4 5 8 9", "", rest=0).play(reacts(2, 300))
    assert match.game.barred == [2]
    assert 2 not in may_bang(match)
    match.play(reacts(0, 300))
    assert match.game.barred == [2]
    done = table("2 9", "2 5", "", rest=0).play(reacts(2, 300), reacts(0, 300))
    assert done.game.barred == []
    assert 2 in may_bang(done)


def test_ruling_08_or_for_good() -> None:
    """By option he is out of banging for the rest of the match."""
    match = table("2 9", "2 5", "", rest=0, barred="good").play(reacts(2, 300), reacts(0, 300))
    assert match.game.barred == [2]
    assert 2 not in may_bang(match)


def test_ruling_08_or_never() -> None:
    """By option who bangs wrongly without cards is told so, and may bang on."""
    match = table("2 3 7 7", "4 5 8 9", "", rest=0, barred="never").play(reacts(2, 300))
    assert "P2 has nothing to pay with." in match.said()
    assert match.game.barred == []
    assert 2 in may_bang(match)


def test_ruling_09_there_is_nothing_to_bang_at_on_an_empty_pile() -> None:
    """Before the first card of a pile no window is open."""
    match = rehearse(Bang, seats=2, turns=1, pauses=True)
    assert match.window is None
    assert len(match.game.pile) == 0
    match.play(goes_on(1))
    assert match.window is not None


@pytest.mark.parametrize(
    ("jolly", "court"),
    [
        ("joker", {Rank.JOKER: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4}),
        ("jack", {Rank.JACK: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4}),
        ("both", {Rank.JOKER: 1, Rank.JACK: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4}),
    ],
)
def test_ruling_10_court_cards_ask_for_cards_in_each_reading_of_the_jolly(
    jolly: str, court: dict[int, int]
) -> None:
    """Joker, jack or both ask for one; queen, king and ace for two, three, four; nothing else asks."""
    names = {Rank.JOKER: "Jo", Rank.JACK: "J♣", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A"}
    for rank in range(14):
        name = names.get(rank, str(rank))
        match = table(name, "3", rest=1, jolly=jolly)
        assert (match.game.due, match.game.owner) == (court.get(rank, 0), 0 if rank in court else None)
    asking = sum(1 for number in FRENCH_54.cards if FRENCH_54.faces[number].rank in court)
    assert asking == {"joker": 14, "jack": 16, "both": 18}[jolly]


def test_ruling_10_plain_cards_pay_and_the_court_owner_takes_the_pile() -> None:
    """The next player lays all that is owed, one at a time; the pile goes to the court card, who leads."""
    match = table("Q 4", "3 5 6", rest=0).play(goes_on(2))
    assert ranks(match.game.pile) == "Q 3 5"
    match.play(goes_on(1))
    assert "The tribute is paid: 3 cards for P0." in match.said()
    assert ranks(match.game.pile) == "4"


def test_ruling_10_a_court_card_in_a_tribute_begins_another() -> None:
    """It ends the one that it was to pay; the next player with cards owes for it."""
    match = table("A 2", "3 Q", "4 6", rest=0).play(goes_on(2))
    assert (match.game.owner, match.game.due, match.game.layer) == (1, 2, 2)
    match.play(goes_on(3))
    assert match.game.last == 1
    assert any("The tribute is paid: 5 cards for P1." in line for line in match.said())


def test_ruling_11_the_last_tribute_card_can_be_banged_at() -> None:
    """The window after it comes first: who bangs at the double takes what the court owner had won."""
    match = table("Q 2", "7 7", rest=0).play(goes_on(2))
    assert match.game.due == 0
    assert match.window is not None
    assert (match.window.go, match.window.goes) == (0, "take the pile")
    assert match.match.view(None).zones()["tribute"].content == "paid to {seat}"
    match.play(reacts(1, 300))
    assert "Bang! P1 was first, in 300 ms: double. 3 cards for P1." in match.said()


def test_ruling_11_a_wrong_bang_there_does_not_save_the_pile() -> None:
    """After it the court owner takes the pile, and what was paid."""
    match = table("Q 2", "7 8 9", rest=0).play(goes_on(2), reacts(1, 300))
    assert "The tribute is paid: 4 cards for P0." in match.said()


def test_ruling_12_the_next_player_with_cards_lays_the_rest() -> None:
    """A payer who runs out is relieved, if need be by the court owner himself."""
    match = table("K 2 9", "3", "4", rest=0).play(goes_on(1))
    assert (match.game.layer, match.game.due) == (2, 2)
    match.play(goes_on(1))
    assert (match.game.layer, match.game.due) == (0, 1)
    match.play(goes_on(2))
    assert "The tribute is paid: 4 cards for P0." in match.said()


def test_ruling_12_who_runs_out_by_a_penalty_is_relieved_too() -> None:
    """The payer bangs wrongly with his last card: the next one with cards is to lay."""
    match = table("K 2", "3", "4 5 6", rest=0).play(reacts(1, 300))
    assert ranks(match.game.pile) == "K 4"
    assert match.game.layer == 2


def test_ruling_13_a_court_owner_without_cards_takes_the_pile() -> None:
    """His last card was a queen; the tribute is laid, and he has cards again."""
    match = table("Q", "3 4 5", rest=1).play(goes_on(2))
    assert counts(match)[0] == 0
    match.play(goes_on(1))
    assert match.game.last == 0
    assert "The tribute is paid: 3 cards for P0." in match.said()


def test_ruling_14_who_has_no_cards_is_passed_over_and_may_bang() -> None:
    """Seat 1 has none: seat 2 lays after seat 0, and seat 1 bangs himself back in."""
    match = table("7 2", "", "7 3", rest=0).play(goes_on(1))
    assert ranks(match.game.pile) == "7 7"
    match.play(reacts(1, 300))
    assert match.game.last == 1
    assert "Bang! P1 was first, in 300 ms: double. 2 cards for P1." in match.said()


def test_ruling_15_who_holds_all_cards_has_won() -> None:
    """The last pile makes it 54: that is the end."""
    match = table("Q", "3 4", rest=0).play(goes_on(3))
    assert match.outcome is not None
    assert match.outcome.winners == (0,)
    assert match.outcome.scores == (54, 0)


def alone(end: str) -> Rehearsal:
    """A match in which seat 0 lays all its 54 cards, the last ones as named, and nobody has banged."""
    left = Counter({str(rank): 4 for rank in range(2, 11)} | dict.fromkeys("JQKA", 4) | {"Jo": 2})
    left.subtract(end.split())
    # Plain cards first, then court cards one on the other, so that no tribute is ever paid.
    order = sorted(left.elements(), key=_late)
    match = table(" ".join([*order, *end.split()]), "", rest=0)
    return match.play(goes_on(CARDS - 1))


def _late(rank: str) -> int:
    return {"A": 1, "Q": 2, "Jo": 3, "K": 4}.get(rank, 0)


def test_ruling_15_when_all_cards_lie_in_the_pile_there_is_one_last_window() -> None:
    """Nobody can lay: time ends the window, and the pile goes to the owner of the open tribute."""
    match = alone("K")
    assert len(match.game.pile) == CARDS
    assert match.window is not None
    assert (match.window.go, match.window.seconds) == (None, 3)
    match.play(goes_on(1))
    assert "No one can pay the tribute any more: 54 cards for P0." in match.said()
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_ruling_15_without_a_tribute_who_laid_the_last_card_takes_them() -> None:
    """With 54 cards a tribute is always open then; were none, the pile would go to the last layer."""
    match = alone("K")
    match.game.owner, match.game.due = None, 0
    match.play(goes_on(1))
    assert "No one has any cards left: 54 cards for P0, who laid the last one." in match.said()


def test_ruling_15_in_the_last_window_somebody_may_still_bang() -> None:
    """54 cards in the pile, two equal ones on top: the banger has them all."""
    match = alone("K 9 9").play(reacts(1, 300))
    assert match.outcome is not None
    assert match.outcome.winners == (1,)


def test_ruling_16_a_sole_holder_pays_his_own_tributes() -> None:
    """Alone with cards he lays on, pays himself, takes the pile and leads, until somebody bangs."""
    match = table("Q 3 4 7 7", "", "", rest=0).play(goes_on(1))
    assert (match.game.owner, match.game.layer, match.game.due) == (0, 0, 1)
    match.play(goes_on(2))
    assert match.outcome is not None  # the pile made it 54 again
    lucky = table("Q 7 7", "", "", rest=0).play(goes_on(2), reacts(2, 300))
    assert counts(lucky) == [51, 0, 2]
    assert ranks(lucky.game.pile) == "Q"


def test_ruling_17_equal_times_go_to_the_nearest_after_the_layer() -> None:
    """Seat 1 has laid the card: of equal times seat 2 is before 0, and 1 comes last."""
    stacks = ("7 5", "7 3", "2", "4")
    every = [reacts(seat, 300) for seat in range(4)]
    for reactions, winner in ((every, 2), (every[:2] + every[3:], 3), (every[:2], 0)):
        match = table(*stacks, rest=0).play(goes_on(1), race(*reactions))
        assert any(line.startswith(f"Bang! P{winner} was first") for line in match.said())


def test_ruling_18_the_times_in_the_log_decide_whatever_their_order() -> None:
    """Entries that come in another order, with the same times, make the same match."""
    said = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        reactions = [reacts(seat, (420, 310, 365)[seat]) for seat in order]
        match = table("7 5", "7 3", "2", rest=0).play(goes_on(1), race(*reactions))
        said.append((match.said(), match.match.digest()))
    assert said[0] == said[1] == said[2]


def test_a_bang_that_can_not_have_been_is_shown_as_cut_and_who_claims_many_is_named() -> None:
    """A claim of 1 ms counts as the floor of the table; the third of a seat is told to all."""
    match = table("2 4 6 8", "3 5 7 9 10 2 4 6", rest=0, floor=150)
    match.play(reacts(1, 1), reacts(1, 2), reacts(1, 3))
    told = match.said()
    assert "P1 bangs after 150 ms, for no reason." in told
    assert "P1 claimed 1 ms, which isn't possible: it counts as 150 ms." in told
    assert told.count("P1 keeps claiming impossibly fast reaction times.") == 1


def test_enough_cards_end_the_match_and_most_cards_win() -> None:
    """After the cap, the stacks are counted; equal ones share, and what lies in the pile is nobody's."""
    even = rehearse(Bang, seats=2, options={"cap": 50}, bots={seat: _Layer() for seat in range(2)}, turns=200)
    assert even.outcome is not None
    assert even.game.laid >= 50
    assert even.outcome.scores == tuple(counts(even))
    most = max(even.outcome.scores)
    assert even.outcome.winners == tuple(s for s, n in enumerate(even.outcome.scores) if n == most)


def test_without_a_cap_the_match_goes_on() -> None:
    """`off` is no number of cards: nothing but all the cards ends a match, and 0 is its plain form."""
    options = BangOptions.parse({"cap": "off"})
    assert options.plain()["cap"] == 0
    assert BangOptions.parse(options.plain()) == options
    even = rehearse(
        Bang, seats=2, options={"cap": "off"}, bots={seat: _Layer() for seat in range(2)}, turns=60
    )
    assert even.outcome is None or max(even.outcome.scores or ()) == CARDS


@pytest.mark.parametrize(
    ("handicap", "winner"), [("", 0), ("0,300", 0), ("120 0", 1), ("100", 0), ("101", 1)]
)
def test_a_handicap_makes_the_bangs_of_a_seat_count_later(handicap: str, winner: int) -> None:
    """Seat 0 presses after 300 ms, seat 1 after 400; so many milliseconds are added to each."""
    match = table("7 5", "7 3", rest=0, handicap=handicap).play(
        goes_on(1), race(reacts(1, 400), reacts(0, 300))
    )
    assert any(line.startswith(f"Bang! P{winner} was first, in ") for line in match.said())
    assert not any("claimed" in line for line in match.said())


@pytest.mark.parametrize("wrong", ["a", "-5", "300,x", "1.5", "9999", "0,0,300"])
def test_a_handicap_that_is_none_is_a_problem(wrong: str) -> None:
    """It List the milliseconds for at most so many seats as there are, and the sentence says so."""
    (problem,) = BangOptions.parse({"handicap": wrong}).problems(2, 0)
    assert problem.option == "handicap"
    assert "List the milliseconds" in str(problem)


def test_without_any_reason_to_bang_there_is_no_match() -> None:
    """Whoever takes every reason away is told so; one that is left is enough."""
    none = {pattern.name.lower(): "off" for pattern in Pattern}
    (problem,) = BangOptions.parse(none).problems(2, 0)
    assert str(problem) == "Every reason to bang is off. Turn on at least one."
    assert list(BangOptions.parse({**none, "double": "on"}).problems(2, 0)) == []


class _Layer(Bot):
    """It lays its cards and never bangs."""

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """Nothing is asked."""
        return ask.question.nth(0)
