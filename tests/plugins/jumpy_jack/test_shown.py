"""What a table of Jumpy Jack shows: its zones, its questions and what it tells."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata import View
from tavolata._ui.answers import choice_lines, parse
from tavolata._ui.scene.items import item_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.text import lines_of
from tavolata.testing.playthrough import words_of
from tavolata_jumpy_jack.board import Horse
from tavolata_jumpy_jack.orders import ORDER

from .course import Course_, order


def lines(race: Course_, view: View, zone: str, lang: str = "en") -> list[str]:
    """The lines of a zone as a plain face draws it."""
    return lines_of(item_of(view.zones()[zone], SceneWords(words_of(race.match.match, lang), view)))


def test_the_track_shows_squares_hedges_and_horses() -> None:
    """Start, hedges and occupied squares, horses by colour and letter, in both languages."""
    race = Course_("Y3 K3 R10")
    race.throw(1)
    view = race.match.views(None)
    assert lines(race, view, "track") == [
        "Track, to square 24:",
        "  Square 0: green (G), blue (B)",
        "  Square 3: yellow (Y), black (K)",
        "  Square 10 (DOUBLE): red (R)",
        "  Empty: 5 (STOP), 15 (OUT), 20 (RESTART)",
    ]
    assert lines(race, view, "track", "it")[2:] == [
        "  Casella 3: giallo (G), nero (N)",
        "  Casella 10 (DOPPIO): rosso (R)",
        "  Vuote: 5 (STOP), 15 (FUORI), 20 (DA CAPO)",
    ]


def test_podium_points_and_who_is_to_throw_are_on_view() -> None:
    """Places as they are filled from both ends, the points of each side, the race and the mover."""
    race = Course_("R20", "Y...K", seats=4, teams=2)
    race.throw(1)
    view = race.match.views(None)
    assert lines(race, view, "podium") == [
        "Podium: yellow (Y) 1, black (K) 5, red (R) –, green (G) –, blue (B) –"
    ]
    assert lines(race, view, "points") == ["Points, goal 16: P0 and P2 0, P1 and P3 0"]
    assert lines(race, view, "race") == ["Race: 1"]
    assert lines(race, view, "mover") == ["Rider: P0"]
    assert "prediction" not in view.zones()


def test_ones_own_prediction_is_on_view_in_words() -> None:
    """The owner reads it at any time; after the race all could, but the zone stays one's own."""
    race = Course_(orders={0: "GBY", 1: "YKR"})
    race.throw(1)
    assert lines(race, race.match.views(0), "prediction") == [
        "Your prediction: green (G), blue (B), yellow (Y)"
    ]
    assert lines(race, race.match.views(1), "prediction", "it") == [
        "Il tuo pronostico: giallo (G), nero (N), rosso (R)"
    ]
    race.run("Y").go("K2 R3")
    assert race.match.views(0).zones()["prediction"].params == {"order": order("GBY")}


def test_a_team_that_cannot_look_is_told_that_it_is_sealed() -> None:
    """A machine without the answer shows the seal, not a face."""
    race = Course_(orders={0: "GBY"})
    race.throw(1)
    race.match.match.source.sealed[0].clear()
    assert lines(race, race.match.views(0), "prediction") == ["Your prediction: sealed"]


def test_the_question_lists_horses_and_why_others_may_not() -> None:
    """Each legal horse with where it would go, each other with its reason."""
    race = Course_("Y10 K14 R13 G14", "B....")
    race.throw(3)
    words, view = words_of(race.match.match, "en"), race.match.views(0)
    assert choice_lines(race.kind, words, view) == [
        "1. black (K) to square 17",
        "2. green (G) to square 17",
        "-  yellow (Y): the barrier on square 14 is in its way",
        "-  red (R): the barrier on square 14 is in its way",
        "-  blue (B): it has run its race",
    ]


def test_the_finishing_line_is_named_in_the_question() -> None:
    """A horse that would arrive is said to."""
    race = Course_("Y22")
    race.throw(5)
    words, view = words_of(race.match.match, "it"), race.match.views(0)
    assert "1. giallo (G) al traguardo" in choice_lines(race.kind, words, view)


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ["1. yellow (Y) to STOP", "2. black (K) to DOUBLE", "3. red (R) to OUT",
                "4. green (G) to RESTART", "5. blue (B) to square 4"]),
        ("it", ["1. giallo (G) su STOP", "2. nero (N) su DOPPIO", "3. rosso (R) su FUORI",
                "4. verde (V) su DA CAPO", "5. blu (B) fino alla casella 4"]),
    ],
)  # fmt: skip
def test_the_question_says_which_horse_would_meet_a_hedge(lang: str, told: list[str]) -> None:
    """Nobody has to know which square is which hedge: each move that ends on one says so."""
    race = Course_("Y1 K6 R11 G16")
    race.throw(4)
    assert choice_lines(race.kind, words_of(race.match.match, lang), race.match.views(0)) == told


def test_a_prediction_is_typed_as_three_numbers() -> None:
    """What a person types at the plain face is the order that is written."""
    answer: Any = parse(ORDER, "3 1 5")
    assert ORDER.value_of(answer) == [Horse.RED, Horse.YELLOW, Horse.BLUE]


def test_what_happens_to_a_horse_is_told() -> None:
    """Each square has its line: grass, a pair, STOP, DOUBLE and the run-up from it, OUT, RESTART."""
    race = Course_("Y1 K4 R9 G14 B19").go("Y3 K1 R1 R2 G1 B1")
    told = [line for line in race.match.said() if "throws" not in line][-7:]
    assert told == [
        "Yellow (Y) joins black (K) on square 4 for a chat. Together they form a barrier.",
        "Black (K) stops at the STOP hedge for a bite. No one behind gets past.",
        "Red (R) paws the ground at DOUBLE: its next throw counts twice.",
        "A running start from DOUBLE: 4 squares in one go!",
        "Red (R) joins green (G) on square 14 for a chat. Together they form a barrier.",
        "Green (G) meets the hedge. The hedge wins: OUT, and down to place 5.",
        "Blue (B) remembers that the stable door is open: back to the start.",
    ]


def test_teams_are_told() -> None:
    """Who rides with whom is said before the first race."""
    assert "Team red: P0 and P2." in Course_(seats=4, teams=2).match.said()
    assert not any("team" in line.casefold() for line in Course_(seats=4).match.said())


def test_guesses_and_level_points_are_told() -> None:
    """Who saw through whom, who did not, and that the level race again."""
    race = Course_("R24", "YK...", orders={0: "YKR", 1: "YKR"}, guess="yes")
    race.game.points[:] = [10, 14]
    race.go("R1").match.play({0: (1, order("YKR")), 1: (0, order("GBY"))})
    assert race.match.said()[-3:] == [
        "P0 saw through P1: 3 more points.",
        "P1 misread P0 completely: minus one point.",
        "A tie on 23 points: one more race for everyone.",
    ]
