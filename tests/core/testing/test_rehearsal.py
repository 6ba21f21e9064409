"""Rehearsals: scripted cards, dice, lots, answers, and errors that say where a script went wrong."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.games import Market, Nod, Race, Shouts, Tricks

from tavolata import N_, Choice, Game, Outcome, Table, one_of
from tavolata._engine.match.entries import ANSWER, FACE, NUMBER
from tavolata.bots import RandomBot
from tavolata.testing import ScriptError, answers, does, goes_on, refuses, rehearse, says, time_is_up

HANDS = ["2 D", "3 D", "7 D", "A C", "R D", "C C", "F B", "2 S"]
"""Two hands dealt one by one: to the seat that is dealt to first the 1st, 3rd, 5th and 7th."""


def test_a_worked_example_of_a_rulebook() -> None:
    """Hands are dealt as written, cards are chosen by name, and the words of the match can be read."""
    table = rehearse(Tricks, decks={"deck": HANDS}, turns=2, answers=[{0: 1, 1: 0}, "R D", "3D"])
    assert table.said() == [
        "P0 leads king of denari.",
        "P0 wins 2 cards.",
    ]
    assert table.game.tricks[0].winner == 0
    assert [str(card.face) for card in table.game.played] == ["RD", "3D"]


def test_a_script_that_runs_dry_says_what_was_open() -> None:
    """An answer that is missing is an error that names the seat, the question and what could be said."""
    with pytest.raises(
        ScriptError, match=r"ran dry after 1 items.*seat 0 is asked 'Lead a card.' \(one of 2D, 7D, RD, FB\)"
    ):
        rehearse(Tricks, decks={"deck": HANDS}, answers=[{0: 1, 1: 0}])


def test_a_refused_answer_says_why_and_what_could_be_answered() -> None:
    """An answer of the script that the rules refuse is an error with the reason of the rules."""
    with pytest.raises(ScriptError, match=r"Item 3 of the script, 'AC' is refused: Follow suit\."):
        rehearse(Tricks, decks={"deck": HANDS}, answers=[{0: 1, 1: 0}, "R D", "AC"])


def test_a_refusal_can_be_what_is_to_be_proved() -> None:
    """`refuses` wants a refusal, for that reason, and that nothing has changed."""
    table = rehearse(Tricks, decks={"deck": HANDS}, answers=None)
    table.play({0: 1, 1: 0}, "R D", refuses("AC", "Follow suit"), "3 D")
    with pytest.raises(ScriptError, match="nothing is refused"):
        rehearse(Tricks, decks={"deck": HANDS}, answers=[{0: 1, 1: 0}, refuses("R D")])
    with pytest.raises(ScriptError, match=r"it is refused because 'Follow suit\.'"):
        rehearse(Tricks, decks={"deck": HANDS}, answers=[{0: 1, 1: 0}, "R D", refuses("AC", "money")])


def test_without_answers_it_stops_at_the_first_question() -> None:
    """`answers=None` plays up to a question; `play` goes on from there."""
    table = rehearse(Tricks, seats=["Ada", "Ivo"], decks={"deck": HANDS})
    assert [ask.seat for ask in table.open] == [0, 1]
    table.play(answers(1, 4))
    assert [ask.seat for ask in table.open] == [0]
    assert table.play(answers(0, 2)).open[0].you == "Lead a card."


def test_the_first_seat_is_as_said() -> None:
    """`first` is where the first lot falls."""
    assert rehearse(Tricks, seats=3, first=2).table.first_seat == 2


def test_dice_show_what_is_written() -> None:
    """Dice are scripted by their faces; the log has them as it has any throw."""
    table = rehearse(
        Race, dice=[6, 2], turns=2, answers=[{"take": [0], "bet": 2}, {0: False}, time_is_up(), {0: True}]
    )
    assert table.said() == ["P0 throws 6.", "P0 throws 2."]
    assert [entry for entry in table.log if entry[0] == NUMBER] == [
        (NUMBER, 1, 0),
        (NUMBER, 6, 5),
        (NUMBER, 6, 1),
    ]
    assert (table.game.track.where("token 0"), table.game.stakes[0].value) == (7, 4)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ({"dice": []}, "no more dice"),
        ({"dice": [9]}, "can't show 9"),
        ({"first": 5}, "can't fall on 5"),
        (
            {"lots": [0], "dice": [1, 1], "turns": 1, "answers": [time_is_up(), {0: True}, 4]},
            "no question|Open",
        ),
    ],
)
def test_chance_that_can_not_be_is_an_error(script: Any, sentence: Any) -> None:
    """Dice and lots that run out or can't be so are errors of the script."""
    with pytest.raises(ScriptError, match=sentence):
        rehearse(Race, seats=1, **script)


def test_cards_that_are_not_named_stop_the_match() -> None:
    """The match continues as long as cards are named, and stops before the first that is not."""
    table = rehearse(Shouts, decks={"deck": "2D 3D"}, answers=[])
    assert [str(card.face) for card in table.game.open] == ["2D", "3D"]
    assert not table.open


def test_turns_are_counted_instead_where_they_are_given() -> None:
    """With `turns`, cards that are not named are turned up too; `play_turns` plays more."""
    table = rehearse(Shouts, decks={"deck": "2D 3D"}, turns=3, bots={0: RandomBot(), 1: RandomBot()})
    assert (table.table.turn, len(table.game.open)) == (3, 3)
    assert table.play_turns(2).table.turn == 5


def test_names_of_cards_may_be_cut_short() -> None:
    """The beginning of a name is any face that begins so; a face that is not there is an error."""
    table = rehearse(Shouts, decks={"deck": "2 2 2 2"}, answers=[])
    assert {card.face.rank for card in table.game.open} == {2}
    with pytest.raises(ScriptError, match="no '2' left in deck to be card 5"):
        rehearse(Shouts, decks={"deck": "2 2 2 2 2"})


def test_decks_can_be_scripted_shuffle_by_shuffle() -> None:
    """A list of lists is one list for each shuffle, under the pile's name or the deck's."""
    table = rehearse(
        Tricks, decks={"italian40": [HANDS, ["4 B"]]}, turns=2, answers=[{0: 1, 1: 0}, "R D", "3 D"]
    )
    assert [table.views(0).face(card) for card in table.game.deck.cards[-1:]] == [None]
    assert table._source._faces[table.game.deck.top.id] == next(
        number for face, number in table.game.deck.top.deck.number.items() if str(face) == "4B"
    )


def test_interjections_words_and_hands_on_the_deck() -> None:
    """With pauses the match waits where a hand lies on the deck; there seats shout and speak."""
    table = rehearse(
        Shouts, decks={"deck": "2D 3D 4D"}, pauses=True, answers=[goes_on(), says(1, "Hm.", to=0)]
    )
    assert table.game.points.values() == [1, 0]
    assert table.may(0) == ["shout"]
    table.play(does(0, "shout", 3), refuses(does(0, "shout", 1), "can't do that now"), goes_on(2))
    assert table.said() == ["P0 shouts."]
    assert (table.game.points.values(), len(table.game.open)) == ([0, 0], 3)


def test_going_on_where_there_is_no_pause_is_an_error() -> None:
    """`goes_on` lifts hands off the deck and answers nothing else."""
    with pytest.raises(ScriptError, match="not at a pause"):
        rehearse(Tricks, bots={1: RandomBot()}, answers=[goes_on()])


def test_time_runs_out_where_something_waits_for_it() -> None:
    """It ends a window against time; where nobody is asked, or the seat isn't, the script is wrong."""

    class Quick(Nod):
        async def turn(self, t: Table[Any]) -> Outcome:
            await t.react(dict.fromkeys(t.ring, one_of([True])), "Now!", seconds=3)
            await t.ask(t.ring[0], one_of("ab"), seconds=3, otherwise="b")
            return Outcome(())

    table = rehearse(Quick)
    assert table.open == []
    table.play(time_is_up())
    assert [ask.seat for ask in table.open] == [0]
    with pytest.raises(ScriptError, match="no time runs"):
        table.play(time_is_up(1))
    table.play(time_is_up(0))
    with pytest.raises(ScriptError, match=r"no time runs\. The match is over"):
        table.play(time_is_up())


def test_an_open_floor_closes_when_the_match_goes_on() -> None:
    """`goes_on` says for each seat that it is done; what was traded before stays."""
    table = rehearse(Market, seats=3, answers=[does(0, "give", 1), goes_on()], turns=1)
    assert (table.game.coins.values(), table.table.turn) == ([1, 3, 2], 1)


def test_what_is_not_asked_can_not_be_answered() -> None:
    """An answer for a seat that is not asked, or for one of several questions, says what is open."""
    with pytest.raises(ScriptError, match=r"seat 1 is not asked anything. Open: seat 0 is asked 'Nod.'"):
        rehearse(Nod, seats=2, answers=[answers(1, True)])
    with pytest.raises(ScriptError, match="not one question is open, but 2"):
        rehearse(Tricks, answers=[3])
    with pytest.raises(ScriptError, match="The match is over"):
        rehearse(Nod, answers=[True, True])


def test_seats_and_labels_stand_for_choices() -> None:
    """A seat may be written as a number and a choice as its label."""
    table = rehearse(Tricks, decks={"deck": HANDS}, answers=[{0: 1, 1: 0}, "R D", "Nothing"], turns=2)
    assert table.said(0) == ["P0 leads king of denari.", "You see 3 of denari.", "P0 wins 1 card."]
    assert table.said(1) == ["P0 leads king of denari.", "P0 wins 1 card."]


def test_the_log_of_a_rehearsal_is_that_of_any_match() -> None:
    """What a rehearsal writes down can be replayed."""
    table = rehearse(Nod, answers=[True])
    assert [entry[0] for entry in table.log] == [NUMBER, ANSWER]
    assert FACE not in [entry[0] for entry in table.log]
    assert table.outcome is not None


class Boats(Game[Any]):
    """Both pairs have the same label, with other words in its fields."""

    name, title, seats = "boats", N_("Boats"), (2, 2)

    def setup(self, t: Table[Any]) -> None:
        self.chosen = 0

    async def turn(self, t: Table[Any]) -> Outcome | None:
        label = N_("the {a} and the {b}")
        pairs = [
            Choice(1, label, params={"a": N_("captain"), "b": N_("ship")}),
            Choice(2, label, params={"a": N_("crew"), "b": t.ring[1]}),
        ]
        self.chosen = await t.ask(t.ring[0], one_of(pairs), N_("What sinks with {ship}?"), ship=N_("Maria"))
        return Outcome((t.ring[0],))


def test_a_label_is_written_as_people_read_it() -> None:
    """Its fields are filled in, where it is told what could be answered, too."""
    assert rehearse(Boats, answers=["the captain and the ship"]).game.chosen == 1
    assert rehearse(Boats, seats=["Ada", "Ivo"], answers=["The crew and the Ivo"]).game.chosen == 2
    with pytest.raises(
        ScriptError,
        match=r"asked 'What sinks with Maria\?' \(one of the captain and the ship, the crew and the P1\)",
    ):
        rehearse(Boats, answers=["the crew"])
