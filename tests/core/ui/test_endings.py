"""The end of a match in words and as a scene: awards of the game and of the table."""

from __future__ import annotations

import random

import pytest

from tavolata import Award, Outcome, Seat, text
from tavolata._engine.match.statistics import Statistics
from tavolata._engine.match.updates import Ended
from tavolata._ui.endings import ending_lines
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import end_data
from tavolata._ui.scene.ending import NOT_IN, course_of, make_ending
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import Value
from tavolata._ui.words import Words

WORDS = Words(Translator("en"), "", ("Ann", "Bo", "Cy"))
NOSE = Award("sharpest nose", Seat(1), why="{n} bills, all right", n=3)


def test_an_award_of_the_game_is_told_in_lines_with_its_reason() -> None:
    """Plain lines have the awards of an outcome before the winner."""
    ended = Ended(Outcome((Seat(0),), awards=(NOSE, Award("loudest", Seat(2)))), b"", None)
    assert ending_lines(ended, WORDS) == [
        "Award: Bo, sharpest nose: 3 bills, all right.",
        "Award: Cy, loudest.",
        "Ann has won.",
    ]


def test_who_answered_quickest_and_who_thought_longest_is_told_in_every_face() -> None:
    """Lines, JSON and scene have both awards, in whole seconds; the seconds of all stand in the lines."""
    figures = Statistics(4, (3, 3, 9), (0, 0, 0), (0, 0, 0), 0, (1_400, 21_600, None))
    ended = Ended(Outcome((Seat(0),)), b"", None, figures)
    assert ending_lines(ended, WORDS)[1:] == [
        "Typical time per answer, in seconds: Ann 1, Bo 22, Cy –.",
        "Award: Ann, quickest to answer: usually took 1 second.",
        "Award: Bo, most thoughtful: usually took 22 seconds.",
        "Ann has won.",
    ]
    assert [(one["seat"], one["text"]) for one in end_data(ended, WORDS)["outcome"]["awards"]] == [
        (0, "quickest to answer"), (1, "most thoughtful"),
    ]  # fmt: skip
    awards = make_ending(ended, [None] * 3, {}, SceneWords(WORDS, None)).awards
    assert [(one.seat, one.title) for one in awards] == [(0, "quickest to answer"), (1, "most thoughtful")]


@pytest.mark.parametrize("times", [(4_000, None, None), (4_000, 5_000, None), (9_000, 9_000, 9_000), ()])
def test_nobody_is_quickest_alone_or_by_less_than_half(times: tuple[int | None, ...]) -> None:
    """One person among bots, or people who took as long, get no award for their time."""
    figures = Statistics(4, (3, 3, 9), (0, 0, 0), (0, 0, 0), 0, times)
    ended = Ended(Outcome((Seat(0),)), b"", None, figures)
    assert [line for line in ending_lines(ended, WORDS) if line.startswith("Award")] == []
    assert make_ending(ended, [None] * 3, {}, SceneWords(WORDS, None)).awards == ()


def test_statistics_and_the_reason_are_told() -> None:
    """Lines and scene have each statistic by seat, with a dash for none, and why the match ended."""
    outcome = Outcome(
        (Seat(0),), statistics={"Deaths": (0, 2, None)}, why=text("{seat} gave up.", seat=Seat(1))
    )
    ended = Ended(outcome, b"", None)
    assert ending_lines(ended, WORDS) == ["Deaths: Ann 0, Bo 2, Cy –.", "Bo gave up.", "Ann has won."]
    end = make_ending(ended, [None] * 3, {}, SceneWords(WORDS, None))
    assert [(one.title, one.values) for one in end.statistics] == [("Deaths", ("0", "2", "–"))]
    assert end.headline == "Bo gave up."


@pytest.mark.parametrize(
    ("winners", "lang", "line"),
    [
        ((2,), "en", "Cy (absent) has won."),
        ((0, 2), "en", "Ann, Cy (absent) have won."),
        ((0, 1), "en", "Ann and Bo have won."),
        ((2,), "it", "Cy (assente) ha vinto."),
    ],
)
def test_a_winner_who_was_not_in_the_match_is_named_so(
    winners: tuple[int, ...], lang: str, line: str
) -> None:
    """The rules say who has won; lines, screen and JSON say who of them the others went on without."""
    words = Words(Translator(lang), "", ("Ann", "Bo", "Cy"))
    ended = Ended(Outcome(tuple(map(Seat, winners)), scores=(3, 1, 5)), b"", not_in=(2,))
    assert ending_lines(ended, words)[-1] == line
    end = make_ending(ended, [None] * 3, {}, SceneWords(words, None))
    assert end.headline == line
    marked = words.text(NOT_IN)
    assert {one.seat: one.text for one in end.order} == {0: "3", 1: "1", 2: f"5 {marked}"}
    assert end_data(ended, words)["not_in"] == [2]


def test_the_games_awards_come_first_and_each_seat_gets_one() -> None:
    """The ending shows the game's awards, then the table's own from the series; nobody gets two."""
    rows = ((0, 0, 0), (5, 1, 0), (6, 1, 0), (7, 2, 9))
    outcome = Outcome(
        (Seat(2),), scores=(7, 2, 9), awards=(NOSE, Award("second", Seat(1))), series={"Points": rows}
    )
    ended = Ended(outcome, b"", None)
    end = make_ending(ended, [None] * 3, course_of(ended, 3), SceneWords(WORDS, None))
    assert end.awards[0].title == "sharpest nose"
    assert end.awards[0].why == "3 bills, all right"
    assert [(award.seat, award.title) for award in end.awards[1:]] == [(2, "comeback")]


@pytest.mark.parametrize(
    ("winner", "rows", "told"),
    [
        (0, ((5, 3, 4), (14, 4, 5), (14, 9, 6), (17, 15, 7)), [(0, "frontrunner: led for 4 turns")]),
        (1, ((5, 3, 4), (14, 4, 5), (14, 9, 6), (14, 15, 7)),
         [(0, "so close: led for 3 turns"), (1, "comeback: from place 3 to place 1")]),
        (1, ((4, 4, 4), (6, 3, 4), (8, 1, 5), (8, 9, 5)), [(1, "comeback: from place 3 to place 1")]),
        (0, ((3, 2, 0), (3, 4, 0), (3, 5, 0), (7, 5, 0), (7, 8, 0), (9, 8, 0)), []),
    ],
)  # fmt: skip
def test_awards_of_the_course_go_to_who_stands_out(
    winner: int, rows: tuple[tuple[int, ...], ...], told: list[tuple[int, str]]
) -> None:
    """Leading takes three turns, and half as many again as anybody else; a comeback takes two places."""
    ended = Ended(Outcome((Seat(winner),), scores=rows[-1], series={"Points": rows}), b"", None)
    end = make_ending(ended, [None] * 3, course_of(ended, 3), SceneWords(WORDS, None))
    assert [(award.seat, f"{award.title}: {award.why}") for award in end.awards] == told


def test_numbers_counted_more_seldom_than_at_each_turn_are_not_told_as_turns() -> None:
    """Zompa counts its fiches by round of 40 cards, each of which is a turn; at the start nobody leads."""
    rows = ((4, 4, 4), (6, 3, 4), (8, 1, 5), (8, 7, 5))
    ended = Ended(Outcome((Seat(0),), scores=rows[-1], series={"Points": rows}), b"", None)
    end = make_ending(ended, [None] * 3, course_of(ended, 3), SceneWords(WORDS, None), turns=130)
    assert [award.why for award in end.awards] == ["led 3 times out of 3"]


def test_a_seat_with_two_awards_keeps_the_first_in_its_place() -> None:
    """The order is that of the game, which puts the greatest first; a later award moves nobody down."""
    awards = (NOSE, Award("second", Seat(0)), Award("third", NOSE.seat))
    end = make_ending(
        Ended(Outcome((Seat(2),), awards=awards), b"", None), [None] * 3, {}, SceneWords(WORDS, None)
    )
    assert [award.title for award in end.awards] == ["sharpest nose", "second"]


def test_an_award_that_several_have_is_told_of_nobody() -> None:
    """Two with a clean tab don't stand out; two awards of one name for different things do."""
    awards = (
        Award("clean tab", Seat(0)), Award("clean tab", Seat(2)),
        Award("best in {what}", Seat(1), what="hearts"), Award("best in {what}", Seat(2), what="spades"),
    )  # fmt: skip
    ended = Ended(Outcome((Seat(0),), awards=awards), b"", None)
    assert ending_lines(ended, WORDS) == [
        "Award: Bo, best in hearts.", "Award: Cy, best in spades.", "Ann has won.",
    ]  # fmt: skip
    assert [one.seat for one in make_ending(ended, [None] * 3, {}, SceneWords(WORDS, None)).awards] == [1, 2]


def test_the_headline_says_the_result_once() -> None:
    """Without a reason of the rules it has both numbers, unless they are equal."""
    for scores, told in (((9, 4, 6), "Ann wins, 9 to 6"), ((6, 4, 6), "Ann has won.")):
        ended = Ended(Outcome((Seat(0),), scores=scores), b"", None)
        assert make_ending(ended, [None] * 3, {}, SceneWords(WORDS, None)).headline == told


def test_stage_check_22_awards_and_places_are_honest() -> None:
    """Of 200 endings: equal numbers have equal places, and no award goes to somebody who ties for it."""
    chance, given = random.Random(22), 0
    for _ in range(200):
        seats, rows = chance.randint(2, 6), chance.randint(3, 30)
        names = tuple("ABCDEF"[:seats])
        course = [tuple(chance.randint(0, 3) for _ in range(seats))]
        while len(course) < rows:
            course.append(tuple(number + chance.choice((0, 0, 0, 1, 4)) for number in course[-1]))
        top = max(course[-1])
        winners = tuple(Seat(seat) for seat in range(seats) if course[-1][seat] == top)
        ended = Ended(Outcome(winners, scores=course[-1], series={"Points": tuple(course)}), b"", None)
        words = SceneWords(Words(Translator("en"), "", names), None)
        end = make_ending(ended, [None] * seats, course_of(ended, seats), words)
        for one in end.order:
            assert one.place == 1 + sum(number > course[-1][one.seat] for number in course[-1])
        alone = [row.index(max(row)) for row in course if row.count(max(row)) == 1]
        leads = [alone.count(seat) for seat in range(seats)]
        for award in end.awards:
            given += 1
            if award.title != "comeback":
                rest = max(leads[: award.seat] + leads[award.seat + 1 :])
                assert leads[award.seat] >= 3
                assert 2 * leads[award.seat] >= 3 * rest
        assert len(end.awards) <= 3
    assert given > 50


def test_nobody_has_led_in_numbers_in_which_the_winner_is_last() -> None:
    """Where a game has not said that less is better, its loser got "comeback: from place 4 to place 1"."""
    rows = ((5, 3, 4), (14, 4, 5), (14, 4, 6), (14, 4, 7))
    ended = Ended(Outcome((Seat(1),), scores=(-14, -4, -7), series={"Points": rows}), b"", None)
    assert make_ending(ended, [None] * 3, course_of(ended, 3), SceneWords(WORDS, None)).awards == ()


def test_who_led_is_told_where_nobody_has_won() -> None:
    """A match that ends without a winner has no winner who is last; its awards were gone."""
    rows = ((5, 3, 4), (14, 4, 5), (14, 4, 6), (14, 4, 7))
    ended = Ended(Outcome((), series={"Points": rows}), b"", None)
    awards = make_ending(ended, [None] * 3, course_of(ended, 3), SceneWords(WORDS, None)).awards
    assert 0 in [award.seat for award in awards]


def test_who_came_back_came_to_the_place_that_is_told() -> None:
    """Two end level in the numbers, and the game puts one of them last: that one has not come back."""
    rows = ((0, 0, 0), (1, 0, 0), (2, 0, 1), (2, 0, 2))
    ended = Ended(Outcome((Seat(1),), ranks=(3, 1, 2), series={"Hands lost": rows}), b"", None)
    lost = Value("lost", "Hands lost", "number", "2", number=2, better="less")
    end = make_ending(ended, [lost] * 3, course_of(ended, 3), SceneWords(WORDS, None))
    assert [(one.seat, one.place) for one in end.order] == [(1, 1), (2, 2), (0, 3)]
    assert not any(award.title == "comeback" for award in end.awards)


def test_the_second_of_two_teams_is_second_in_every_face() -> None:
    """The podium has the places of the outcome, as the lines do, and doesn't count the winners one by one."""
    ended = Ended(Outcome((Seat(0), Seat(2)), ranks=(1, 2, 1)), b"", None)
    assert "Places: 1 Ann, 1 Cy, 2 Bo." in ending_lines(ended, WORDS)
    order = make_ending(ended, [None] * 3, {}, SceneWords(WORDS, None)).order
    assert [(one.seat, one.place) for one in order] == [(0, 1), (2, 1), (1, 2)]


def test_a_number_that_the_game_does_not_call_a_result_makes_no_place() -> None:
    """Whoever lost shares a place, whatever counters they have left; the headline names none of these."""
    mains = [Value("coins", "Coins", "number", str(left), number=left) for left in (1, 2, 7)]
    ended = Ended(Outcome((Seat(1),)), b"", None)
    ending = make_ending(ended, mains, {}, SceneWords(WORDS, None))
    assert [(one.place, one.seat) for one in ending.order] == [(1, 1), (2, 2), (2, 0)]
    assert ending.headline == "Bo has won."
    scored = make_ending(
        Ended(Outcome((Seat(2),), scores=(1, 2, 7)), b"", None), mains, {}, SceneWords(WORDS, None)
    )
    assert [(one.place, one.seat) for one in scored.order] == [(1, 2), (2, 1), (3, 0)]
    assert scored.headline == "Cy wins, 7 to 2"
