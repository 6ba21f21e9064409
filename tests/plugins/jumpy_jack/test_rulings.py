"""The rulings of Jumpy Jack, one by one, on courses where the horses stand as needed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tavolata import Refused
from tavolata._engine.match.entries import NUMBER
from tavolata._engine.match.seating import SeatingError, teams_for
from tavolata._engine.match.simulate import play
from tavolata.bots import RandomBot
from tavolata.testing import refuses, rehearse
from tavolata.testing.translations import translated
from tavolata_jumpy_jack.board import COURSES, HORSES, Course, Fate
from tavolata_jumpy_jack.options import JumpyJackOptions, Length
from tavolata_jumpy_jack.orders import ORDER, bonus, worth
from tavolata_jumpy_jack.race import BLOCKED
from tavolata_jumpy_jack.rules import JumpyJack

from .course import LETTERS, Course_, order


def test_ruling_1_the_start_is_no_square() -> None:
    """All five stand behind the line, block nobody there, and one may come back among them."""
    race = Course_()
    assert [race.at(letter) for letter in "YKRGB"] == [0] * 5
    assert race.throw(1) == list("YKRGB")


def test_ruling_2_a_barrier_can_be_neither_passed_nor_joined() -> None:
    """Two horses on a square stop one from behind on the way and at its end; short of them it may run."""
    for throw, may_run in ((2, True), (3, False), (4, False), (6, False)):
        race = Course_("Y4 K4 R1 G9 B9")
        assert ("R" in race.throw(throw)) is may_run
    assert race.why_not("R").reason == BLOCKED
    assert race.why_not("R").params == {"square": 4}
    race.match.play(refuses(LETTERS["R"]))


def test_ruling_2_a_single_horse_on_stop_is_a_barrier() -> None:
    """STOP belongs to one horse: nobody joins it or gets past, and an empty STOP holds up nobody."""
    race = Course_("Y5 K2")
    assert race.throw(3) == ["Y", "R", "G", "B"]
    assert Course_("Y5 K2").throw(5) == ["Y"]
    assert "K" in Course_("K2").throw(5)


def test_ruling_2_a_single_horse_elsewhere_is_overtaken() -> None:
    """One horse on a square is passed and joined freely."""
    assert Course_("Y4 K1").go("K4").at("K") == 5
    assert Course_("Y4 K1").go("K3").at("K") == 4


def test_ruling_3_horses_leave_a_barrier() -> None:
    """Who stands on a barrier may go on, and then it is none any more."""
    race = Course_("Y4 K4 R1")
    assert race.throw(4) == ["Y", "K"]
    assert "R" in race.run("Y").throw(4)


def test_ruling_3_who_stands_on_stop_may_leave() -> None:
    """The one horse on STOP goes when somebody moves it."""
    assert Course_("Y5").go("Y2").at("Y") == 7


def test_ruling_4_two_have_room_on_double_and_are_a_barrier() -> None:
    """Two horses stand on DOUBLE; a third can't come."""
    race = Course_("Y10 K8 R8").go("K2")
    assert (race.at("Y"), race.at("K")) == (10, 10)
    assert "R" not in race.throw(2)


def test_ruling_4_nobody_stays_on_out_or_restart() -> None:
    """A horse that ends there is on the podium, or behind the line."""
    race = Course_("Y14 K18").go("Y1 K2")
    assert (race.podium, race.at("K")) == ("....Y", 0)


@pytest.mark.parametrize(("start", "throw"), [(4, 3), (9, 3), (14, 3), (19, 3)])
def test_ruling_5_hedges_do_nothing_to_those_that_pass(start: int, throw: int) -> None:
    """Over STOP, DOUBLE, OUT and RESTART a horse runs as over grass, and its next move is a plain one."""
    race = Course_(f"Y{start}").go(f"Y{throw}")
    assert race.at("Y") == start + throw
    assert race.podium == "....."
    assert race.go("Y1").at("Y") == start + throw + 1


def test_ruling_6_from_double_the_next_throw_counts_twice() -> None:
    """A 3 makes six squares; after that the horse moves plainly again."""
    race = Course_("Y10").go("Y3")
    assert race.at("Y") == 16
    assert race.go("Y3").at("Y") == 19


def test_ruling_6_doubled_waits_for_whoever_moves_it() -> None:
    """The doubling stays with the horse while others run, and is used up by an opponent's 1."""
    race = Course_("Y10").go("K2 R2")
    assert race.throw(1)
    assert race.mover == 0
    assert race.run("Y").at("Y") == 12


def test_ruling_6_a_blocked_double_is_no_single() -> None:
    """With a barrier within the doubled way that horse can't be chosen, though a single would be free."""
    race = Course_("Y10 K14 R14")
    assert "Y" not in race.throw(3)
    assert race.why_not("Y").params == {"square": 14}
    assert "Y" in Course_("Y10 K14 R14").throw(1)


def test_ruling_7_a_doubled_move_ends_like_any_other() -> None:
    """From DOUBLE on 10, a 5 lands on RESTART at 20, and a 6 on plain 22."""
    assert Course_("Y10").go("Y5").at("Y") == 0
    assert Course_("Y10").go("Y6").at("Y") == 22


def test_ruling_8_restart_goes_back_to_the_line() -> None:
    """The horse is behind the line at once, and the next player may move it."""
    race = Course_("Y18").go("Y2")
    assert race.at("Y") == 0
    assert "Y" in race.throw(4)
    assert race.mover == 1


def test_ruling_9_any_legal_horse_but_one_of_them() -> None:
    """The question offers every horse that can go, whoever wants it, and nothing else, such as passing."""
    race = Course_("Y14 K3", orders={0: "YKR"})
    assert race.throw(1) == list("YKRGB")  # also into OUT
    assert len(race.kind.choices) == 5
    assert race.run("K").throw(1) == list("YKRGB")  # also the one that has just moved


@pytest.mark.parametrize(("square", "throw"), [(24, 1), (24, 6), (20, 5), (19, 6)])
def test_ruling_10_overshooting_the_line_is_as_good(square: int, throw: int) -> None:
    """At 25 or beyond a horse has arrived, on the lowest free square of the podium."""
    assert Course_(f"Y{square}").go(f"Y{throw}").podium == "Y...."
    assert Course_(f"Y{square}", "K...R").go(f"Y{throw}").podium == "KY..R"


def test_ruling_10_the_last_square_is_not_the_line() -> None:
    """On 24 a horse still races."""
    assert Course_("Y23").go("Y1").podium == "....."


def test_ruling_11_the_out_fill_the_podium_from_its_end() -> None:
    """5, then 4, then 3, then 2, each the highest that is free."""
    race = Course_("Y14 K14 R9 G9")
    assert race.go("Y1").podium == "....Y"
    assert race.go("K1").podium == "...KY"
    assert race.go("R6").podium == "..RKY"
    assert race.go("G6").podium == "BGRKY"  # and blue is left


def test_ruling_12_three_filled_squares_end_the_race() -> None:
    """With squares 1 to 3 filled two horses may stand where they like; nothing more is moved."""
    race = Course_("R24 G3 B3", "YK...").go("R1")
    assert race.podium == "YKR.."
    assert not race.game.racing


def test_ruling_12_a_third_out_ends_it_too_when_it_fills_square_3() -> None:
    """Two arrived and two out: the third square is filled by OUT or by the one that is left."""
    assert Course_("R14 G3 B3", "YK...").go("R1").podium == "YK..R"
    race = Course_("G14 B3", "YK..R").go("G1")
    assert race.podium == "YKBGR"
    assert not race.game.racing


def test_ruling_12_the_last_horse_left_is_placed() -> None:
    """One finisher and three out leave square 2 to the last; four out leave it the first."""
    assert Course_("G14 B1", "Y..KR").go("G1").podium == "YBGKR"
    assert Course_("G14 B1", "..YKR").go("G1").podium == "BGYKR"
    assert Course_("G24 B1", "..YKR").go("G1").podium == "GBYKR"


def test_ruling_13_a_prediction_names_three_different_horses() -> None:
    """A horse named twice is refused with the reason, all sixty orders are legal, and two may be alike."""
    assert ORDER.count() == 60
    with pytest.raises(Refused, match="each only once"):
        ORDER.check((0, 1, 0))
    race = Course_()
    race.match.play(refuses({0: order("YK"), 1: order("YKR")}, "exactly 3"))
    assert Course_(orders={0: "RGB", 1: "RGB"}).throw(1)


def test_ruling_13_predictions_are_fixed_before_the_first_throw() -> None:
    """No throw has fallen when the papers are asked for, and they are not asked for again in the race."""
    race = Course_()
    assert [ask.sealed for ask in race.match.open] == [True, True]
    assert [entry[0] for entry in race.match.log] == [NUMBER, NUMBER]  # the first seat, and a late paper
    race.go("Y1 Y1 Y1")
    assert len(race.game.papers) == 2


@pytest.mark.parametrize(
    ("paper", "points"), [("YKR", 10), ("YKG", 4), ("YRK", 2), ("GKR", 4), ("RYK", 0), ("GBY", 0), ("BGR", 2)]
)
def test_ruling_14_two_a_horse_and_ten_for_all(paper: str, points: int) -> None:
    """Only the exact square counts."""
    assert worth(order(paper), order("YKR")) == points
    assert Course_("R24", "YK...", orders={0: paper}).go("R1").points[0] == points


def test_ruling_14_an_eliminated_horse_counts_like_an_arrival() -> None:
    """On square 3 by OUT is on square 3."""
    race = Course_("R14 B24", "Y..KG", orders={0: "YBR"}).go("R1")
    assert (race.podium, race.points[0]) == ("YBRKG", 10)


def test_ruling_15_the_highest_throw_begins_and_the_level_throw_again() -> None:
    """Those who are level at the top throw again among themselves, until one is higher."""
    race = Course_(seats=3)
    race.match._source._dice = [5, 2, 5, 3, 3, 1, 4]
    race.throw(2)
    assert race.mover == 2
    assert sum("throw to see who goes first" in line for line in race.match.said()) == 3


def test_ruling_15_the_seat_after_the_last_mover_begins_the_next_race() -> None:
    """Seat 1 ends the race of three, so seat 2 begins the next; with `throw` the dice say who."""
    race = Course_("R23", "YK...", seats=3).go("R1 R1")
    assert not race.game.racing
    race.throw(3)
    assert (race.game.race, race.mover) == (2, 2)
    again = Course_("R23", "YK...", seats=3, start="throw").go("R1 R1")
    again.throw(3, 2, 4, 1)
    assert (again.game.race, again.mover) == (2, 1)


def test_ruling_16_the_first_with_sixteen_after_a_race_has_won() -> None:
    """Below 16 the match goes on; with 16 or more the highest has won."""
    for before, over in ((5, False), (6, True)):
        race = Course_("R24", "YK...", orders={0: "YKR", 1: "GRK"})
        race.game.points[0] = before
        race.go("R1")
        assert (race.match.outcome is not None) is over
    assert race.match.outcome is not None
    assert race.match.outcome.winners == (0,)
    assert race.match.outcome.scores == (16, 0)
    assert race.match.outcome.series == {"Points": ((0, 0), (16, 0))}  # the first race was a leap, too


def test_ruling_16_of_several_the_highest_wins() -> None:
    """Both pass 16; who has more wins."""
    race = Course_("R24", "YK...", orders={0: "YKB", 1: "YKR"})
    race.game.points[:] = [15, 11]
    outcome = race.go("R1").match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((1,), (19, 21))


def test_ruling_16_the_level_race_again_with_everybody() -> None:
    """Level at the top above 16: one more race, in which the third may still overtake them."""
    race = Course_("R24", "YK...", seats=3, orders={0: "YKR", 1: "YKR", 2: "GBK"})
    race.game.points[:] = [8, 8, 15]
    race.go("R1")
    assert race.match.outcome is None
    assert race.points == [18, 18, 15]
    race.throw(1)
    assert len(race.game.papers) == 3
    race.run("Y").put("R24", "YK...")
    race._orders = {}
    outcome = race.go("R1").match.outcome
    assert outcome is None or outcome.winners == (2,)


@pytest.mark.parametrize(("guess", "points"), [("RGB", 3), ("RGY", 2), ("RYK", 1), ("YRK", -1), ("BRG", -1)])
def test_ruling_17_a_guess_earns_one_a_horse_or_costs_one(guess: str, points: int) -> None:
    """One for each horse on its place in the opponent's paper; one less if none is."""
    assert bonus(order(guess), order("RGB")) == points
    race = Course_("R24", "YK...", orders={0: "GBY", 1: "RGB"}, guess="yes").go("R1")
    race.match.play({0: (1, order(guess)), 1: (None,)})
    assert race.points == [points, 0]


def test_ruling_17_guesses_come_before_the_papers_are_shown() -> None:
    """While guesses are asked for, sealed, no paper is open; then all are."""
    race = Course_("R24", "YK...", guess="yes").go("R1")
    assert race.match.open
    assert all(ask.sealed for ask in race.match.open)
    assert not any(paper.is_open for paper in race.game.papers.values())
    race.match.play({0: (1, order("YKR")), 1: (0, order("BGY"))})
    assert race.game.papers
    assert all(paper.is_open for paper in race.game.papers.values())
    assert race.points == [13, 9]  # counted together with the race


def test_ruling_17_one_opponent_only_and_not_oneself() -> None:
    """The question names every opponent, nobody, and not the seat that is asked."""
    race = Course_("R24", "YK...", seats=3, guess="yes").go("R1")
    for ask in race.match.open:
        kind: Any = ask.question
        assert set(kind.first.values) == {None, *range(3)} - {int(ask.seat)}
        assert kind.value_of((0,)) == (None,)
        with pytest.raises(Refused, match="each only once"):
            kind.check((1, (0, 0, 1)))


def test_ruling_18_teams_sit_alternately_and_share_paper_and_points() -> None:
    """Of six seats in two teams 0, 2, 4 play together; one writes, and each one's points are the team's."""
    race = Course_("R24", "YK...", seats=6, teams=2, orders={0: "YKR", 1: "GBY"})
    assert race.game.sides == ((0, 2, 4), (1, 3, 5))
    assert [int(ask.seat) for ask in race.match.open] == [0, 1]
    race.game.points[0] = 6
    outcome = race.go("R1").match.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((0, 2, 4), (16, 0) * 3)


def test_ruling_18_only_mates_see_the_prediction() -> None:
    """Whoever writes and their mates have it in their views and zones; opponents and watchers have not."""
    race = Course_(seats=4, teams=2, orders={0: "YKR", 1: "GBY"})
    race.throw(1)
    paper = race.game.papers[race.match.table.ring[0]]
    for seat, sees in ((0, True), (2, True), (1, False), (3, False), (None, False)):
        view = race.match.views(seat)
        assert (view.answer(paper) == order("YKR")) is sees
        shown = view.zones().get("prediction")
        assert (shown is not None and shown.params == {"order": order("YKR")}) is sees


def test_ruling_18_mates_take_turns_to_write() -> None:
    """In the second race the second of each team writes, in the third the first again."""
    race = Course_("R24", "YK...", seats=4, teams=2, points=40).go("R1")
    for writers in ([2, 3], [0, 1]):
        race.throw(1)
        assert [int(seat) for seat in race.game.papers] == writers
        race.run("Y").put("R24", "YK...").go("R1")


def test_ruling_18_a_team_may_choose_its_writer() -> None:
    """With `writer=chosen` the first of each team says before each race who writes."""
    match = rehearse(JumpyJack, seats=4, teams=2, options={"writer": "chosen"}, dice=[6, 1, 1, 1], turns=1)
    assert [(int(ask.seat), ask.question.values) for ask in match.open] == [(0, (0, 2)), (1, (1, 3))]  # type: ignore[attr-defined] # OneOf
    match.play({0: 2, 1: 1})
    assert [int(ask.seat) for ask in match.open] == [2, 1]
    assert match.game.writers == {2: (2, 0), 1: (1, 3)}


def test_a_late_prediction_is_drawn_by_lot() -> None:
    """Whoever is late has an order that was drawn; over many races it is not always the same."""
    late = set()
    for lot in (0, 7, 59):
        match = rehearse(JumpyJack, seats=2, dice=[6, 1], lots=[lot], turns=1)
        late.add(match.open[0].late)
        assert match.open[0].late == ORDER.answer_at(lot)
    assert len(late) == 3


def test_the_order_that_the_lot_drew_is_named_when_papers_are_opened() -> None:
    """Of two papers only that with the order drawn for who is late is followed by the sentence."""
    race = Course_("R24", "YK...", orders={0: "YKR", 1: "BGR"})
    (drawn,) = {ask.late for ask in race.match.open}
    assert isinstance(drawn, tuple)
    race._orders[0] = "".join("YKRGB"[place] for place in drawn)
    race.go("R1")
    told = race.match.said()
    lots = [at for at, line in enumerate(told) if line.startswith("That's the random order given")]
    assert [told[at - 1].partition(" wrote")[0] for at in lots] == ["P0"]


def test_ruling_18_one_guess_a_team() -> None:
    """Only those who wrote are asked, and only about other teams."""
    race = Course_("R24", "YK...", seats=6, teams=3, guess="yes").go("R1")
    assert [int(ask.seat) for ask in race.match.open] == [0, 1, 2]
    kind: Any = race.match.open[0].question
    assert set(kind.first.values) == {None, 1, 2}


@pytest.mark.parametrize(("seats", "teams", "can"), [
    (2, 0, True), (16, 0, True), (4, 2, True), (8, 2, True), (8, 4, True), (16, 8, True), (6, 3, True),
    (5, 2, False), (3, 3, False), (6, 4, False), (4, 1, False), (4, 4, False),
])  # fmt: skip
def test_ruling_19_two_to_sixteen_alone_or_in_equal_teams(seats: int, teams: int, can: bool) -> None:
    """Two to sixteen ride alone; teams are equal and have two players at least, else they are refused."""
    assert JumpyJack.seats == (2, 16)
    if can:
        teams_for(JumpyJack, teams, seats)
        assert len(Course_(seats=seats, teams=teams).game.sides) == (teams or seats)
    else:
        with pytest.raises(SeatingError):
            teams_for(JumpyJack, teams, seats)


def test_ruling_20_five_horses_by_colour_and_letter() -> None:
    """Yellow, black, red, green and blue, each with a letter that no other has in its language."""
    assert [horse.name for horse in HORSES] == ["YELLOW", "BLACK", "RED", "GREEN", "BLUE"]
    italian = translated("tavolata_jumpy_jack", "it")
    for words in ([horse.value for horse in HORSES], [italian[horse.value][0] for horse in HORSES]):
        letters = [word[-2] for word in words]
        assert len(set(letters)) == 5
        for letter, word in zip(letters, words, strict=True):
            assert letter.isupper()
            assert letter.lower() in word


def test_the_three_boards() -> None:
    """Squares and hedges of the reconstruction, each hedge once and where it is said."""
    assert {
        Length.SHORT: Course(20, 4, 8, 12, 16),
        Length.STANDARD: Course(24, 5, 10, 15, 20),
        Length.LONG: Course(28, 6, 11, 17, 22),
    } == COURSES
    for course in COURSES.values():
        fates = Counter(course.fate(square) for square in range(course.squares + 2))
        assert fates == {**dict.fromkeys(Fate, 1), Fate.GRASS: course.squares - 3}


@pytest.mark.parametrize("length", list(Length))
def test_a_match_on_each_board(length: Length) -> None:
    """Whole matches end on all three, on a track of their length."""
    played = play(JumpyJack, JumpyJackOptions(board=length), [RandomBot()] * 3, 5)
    game: Any = played.match.game
    assert game.track.length == COURSES[length].squares
    assert len(played.outcome.winners) == 1
