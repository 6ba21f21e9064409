"""Remarks: each kind of oddity is found in a game that has it, with a line, and a comment silences it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.testing import broken, odd

from tavolata.testing import check_game
from tavolata.testing.__main__ import main
from tavolata.testing.remarks import remarks

ODD = [
    ("unread_option", odd.HasAnUnreadOption, "Nothing reads the option wild"),
    ("unread_name", odd.MisspellsAWord, "Nothing reads `minuts`; do you mean `minutes`?"),
    ("unread_name", odd.MisspellsAWord, "Nothing reads `hint`; do you mean `hints`?"),
    ("idle_draw", odd.DrawsNumbersInARow, '`draw="row"` has no effect here'),
    ("unmarked", odd.SaysItBare, "'How many first?' can't be translated: write N_('How many first?')."),
    ("same_sign", odd.DrawsTwoAlike, "'red (R)' and 'ruby (R)' have the same sign on 'Board': R."),
    ("same_sign", odd.DrawsTwoAlike, "'black (B)' and 'brown (B)' have the same sign on 'Track': B."),
    ("ties_to_lowest", odd.BreaksTiesBySeat, "ties went to the lowest seat"),
    ("lowest_wins", odd.LetsTheFewestWin, "nothing says `lowest=True`"),
    ("favoured_seat", odd.FavoursASeat, "Seat 2 wins 30 of 30 matches"),
    ("favoured_seat", odd.ForgetsASeat, "Seat 1 is never asked"),
    ("favoured_seat", odd.AsksOneSeatMore, "Seat 2 is asked most often in 30 of 30 matches"),
    ("asks_the_empty", odd.HoldsAndLoses, "while its hand is empty"),
    ("unshuffled", odd.DealsUnshuffled, "never shuffled"),
    ("shown_hand", odd.ShowsAHand, "shown to another seat"),
    ("idle_answer", odd.AsksForNothing, "it makes no difference"),
    ("values_as_places", odd.OffersPlaces, "The values are places in heap"),
    ("names_read", odd.ReadsNames, "The rules read who the players are"),
    ("endless_passing", odd.PassesForever, "If everybody passes"),
]


def test_a_game_with_nothing_odd_has_no_remark() -> None:
    """The game that the others change, and the sound game of the battery, are left in peace."""
    assert remarks(odd.Even) == []
    assert remarks(broken.Sound) == []


@pytest.mark.parametrize(("name", "game", "sentence"), ODD, ids=lambda it: getattr(it, "__name__", None))
def test_each_oddity_is_remarked_on(name: str, game: Any, sentence: str) -> None:
    """It has a word, a sentence and a line of the game's file."""
    found = [one for one in remarks(game) if one.name == name and sentence in one.sentence]
    assert found, remarks(game)
    assert "tests/core/testing/odd.py:" in str(found[0])


def test_a_name_that_the_rules_read_is_no_slip() -> None:
    """Only the two others are remarked on."""
    assert len([one for one in remarks(odd.MisspellsAWord) if one.name == "unread_name"]) == 2


def test_each_text_that_nothing_marks_is_remarked_on() -> None:
    """A prompt, a choice, a sentence and its stamp; a choice that only shows its value has no words."""
    said = [one.sentence.partition(" can't")[0] for one in remarks(odd.SaysItBare) if one.name == "unmarked"]
    texts = ["Aye", "How many first?", "How many?", "well taken", "{seat} takes {n}."]
    assert sorted(said) == sorted(map(repr, texts))


def test_only_things_drawn_alike_are_remarked_on() -> None:
    """Players' signs differ by themselves, and so do letters on a track that nothing gives in brackets."""
    assert len([one for one in remarks(odd.DrawsTwoAlike) if one.name == "same_sign"]) == 2


def test_a_text_may_be_drawn_as_a_row() -> None:
    """Its parts are drawn as cards."""
    assert len([one for one in remarks(odd.DrawsNumbersInARow) if one.name == "idle_draw"]) == 1


def test_a_comment_with_a_reason_silences_a_remark() -> None:
    """Above the line, or at it; the reason is for whoever reads the rules."""
    assert [one.name for one in remarks(odd.ReadsNamesOnPurpose)] == []


@pytest.mark.battery
def test_only_strict_fails_on_remarks(capsys: pytest.CaptureFixture[str]) -> None:
    """The game passes the checks, and its remark is in the report."""
    report = check_game(odd.FavoursASeat, matches=2)
    assert report.passed
    assert [one.name for one in report.remarks] == ["favoured_seat"]
    game = "tests.core.testing.odd:FavoursASeat"
    assert main([game, "--matches", "2"]) == 0
    assert main([game, "--matches", "2", "--strict"]) == 1
    assert "note  favoured_seat" in capsys.readouterr().out
