"""The words of the table: laying, shuffling, dealing, showing, asking; and what they refuse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tavolata import (
    D6,
    NN_,
    YES_NO,
    Choice,
    Deck,
    Event,
    Game,
    OneOf,
    Options,
    Outcome,
    Pile,
    Question,
    Seat,
    Table,
    Zone,
    amount,
    claim,
    fact,
    form,
    one_of,
    some_of,
)
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import NUMBER
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import RandomBot
from tavolata.choices import Answer, labelled
from tavolata.decks import ITALIAN_40
from tavolata.errors import GameError, HiddenFact, PieceError
from tavolata.ring import SEATS
from tavolata.testing import Rehearsal, ScriptError, rehearse, time_is_up
from tavolata.zones import calls, flow, text_zone


def scripted(
    script: Callable[[Any, Any], Any], lay: Callable[[Any, Any], None] | None = None
) -> type[Game[Any]]:
    """A game of one turn, which is this coroutine."""

    class Scripted(Game[Options]):
        name, title, seats = "scripted", "Scripted", (2, 4)

        deck: Pile[Any]
        other: Pile[Any]

        def setup(self, t: Table[Options]) -> None:
            self.deck, self.other = t.pile("deck", ITALIAN_40), t.pile("other")
            self.hands = t.hands("hand")
            self.got: Any = None
            if lay is not None:
                lay(self, t)

        async def turn(self, t: Table[Options]) -> Outcome:
            self.got = await script(self, t)
            return Outcome(())

        def low(self, face: Any, _: object, below: int) -> bool:
            return bool(face.rank < below)

    return Scripted


def played(script: Callable[[Any, Any], Any], lay: Any = None, **terms: Any) -> Rehearsal:
    return rehearse(scripted(script, lay), **terms)


def test_a_deck_begins_in_order_with_public_faces() -> None:
    """Before it is shuffled, everybody can read a pack from bottom to top."""

    async def look(game: Any, t: Any) -> Any:
        return [card.face for card in game.deck]

    assert played(look).game.got == list(ITALIAN_40.faces)


def test_a_shuffled_deck_is_hidden_from_everybody() -> None:
    """After a shuffle no face is public and no seat knows one, whatever they knew before."""

    async def shuffle(game: Any, t: Any) -> None:
        await t.shuffle(game.deck)
        await t.deal(game.deck, game.hands, each=3)
        await t.reveal([game.hands[0].top])
        for hand in game.hands:
            hand.move_to(game.other)
        await t.shuffle(game.deck, game.other)
        assert (len(game.deck), len(game.other)) == (40, 0)
        with pytest.raises(HiddenFact):
            game.deck.top.face  # noqa: B018

    table = played(shuffle)
    assert not any(card.is_public for card in table.game.deck)
    for seat in (0, 1, None):
        assert {table.views(seat).face(card) for card in table.game.deck} == {None}


def test_cards_of_two_decks_are_not_mixed() -> None:
    """Cards with different backs can't be shuffled together, and nothing is moved then."""

    def lay(game: Any, t: Any) -> None:
        game.small = t.pile("small", Deck("small", "abc"))

    async def mix(game: Any, t: Any) -> Any:
        with pytest.raises(PieceError, match="cards of 2 decks"):
            await t.shuffle(game.deck, game.small)
        return len(game.deck), len(game.small)

    assert played(mix, lay).game.got == (40, 3)


def test_dealing_goes_one_by_one() -> None:
    """Cards leave the top one by one round the hands; owners see theirs, others don't."""

    async def deal(game: Any, t: Any) -> None:
        await t.shuffle(game.deck)
        await t.deal(game.deck, game.hands, each=2)

    table = played(deal, decks={"deck": "AD 2D 3D 4D"})
    faces = [[str(table.views(seat).face(card)) for card in table.game.hands[seat]] for seat in (0, 1)]
    assert faces == [["AD", "3D"], ["2D", "4D"]]
    assert [table.views(1).face(card) for card in table.game.hands[0]] == [None, None]
    assert [table.views(None).face(card) for card in table.game.hands[0]] == [None, None]


def test_nothing_is_dealt_that_is_not_there() -> None:
    """Dealing more than a pile has deals nothing."""

    async def deal(game: Any, t: Any) -> Any:
        with pytest.raises(PieceError, match="deck has 40 cards; 42 can't be dealt"):
            await t.deal(game.deck, game.hands, each=21)
        with pytest.raises(PieceError, match=r"Deal to several hands: \[hand\.0\], not hand\.0"):
            await t.deal(game.deck, game.hands[0], each=3)
        with pytest.raises(PieceError, match="other has 0 cards"):
            await t.turn_up(game.other)
        with pytest.raises(PieceError, match="no 0 numbers"):
            await t.randrange(0)
        return len(game.deck)

    assert played(deal).game.got == 40


def test_showing_is_for_those_seats_only() -> None:
    """Cards shown to some seats, from any iterable, are known to them and hidden from the rest."""

    async def show(game: Any, t: Any) -> None:
        await t.shuffle(game.deck)
        await t.show(iter(game.deck.cards[:2]), to=iter([t.ring[0], t.ring[2]]))

    table = played(show, seats=3)
    known = [
        [table.views(seat).face(card) is not None for card in table.game.deck.cards[:3]] for seat in range(3)
    ]
    assert known == [[True, True, False], [False] * 3, [True, True, False]]


def test_a_card_that_is_passed_on_stays_known() -> None:
    """Who has seen a card knows it wherever it goes; its new owner does not by itself."""

    async def move(game: Any, t: Any) -> None:
        await t.shuffle(game.deck)
        await t.deal(game.deck, game.hands)
        game.hands[0].move_to(game.hands[1])

    table = played(move)
    card = table.game.hands[1].top
    assert table.views(0).face(card) is not None
    assert table.views(1).face(card) is None


def test_turning_up_moves_and_shows() -> None:
    """The top card goes where it should, or into the rule's hands, and everybody may read it."""

    async def turn(game: Any, t: Any) -> Any:
        await t.shuffle(game.deck)
        one = await t.turn_up(game.deck, onto=game.other)
        two = await t.turn_up(game.deck)
        return one is game.other.top, two in game.deck, str(one.face), str(two.face)

    assert played(turn, decks={"deck": "AD 2D"}).game.got == (True, False, "AD", "2D")


def test_dice_and_lots_are_what_the_log_says() -> None:
    """Dice come in their order, as faces; a lot is a number below its sides."""

    async def throw(game: Any, t: Any) -> Any:
        return await t.roll(D6, D6), await t.randrange(9)

    assert played(throw, dice=[2, 5], lots=[7]).game.got == ([2, 5], 7)


@pytest.mark.parametrize("wrong", [5, [D6, D6]])
def test_what_is_not_a_die_can_not_be_rolled(wrong: Any) -> None:
    """The error says how dice and numbers are written."""

    async def throw(game: Any, t: Any) -> Any:
        return await t.roll(wrong)

    with pytest.raises(GameError, match=r"isn't one\. For a list .* `t\.roll\(\*dice\)`; for a"):
        played(throw)


def test_pieces_are_laid_in_setup_only() -> None:
    """A piece that is made in mid-match, or whose name is taken, is an error that names it."""

    async def late(game: Any, t: Any) -> None:
        t.counter("late")

    with pytest.raises(GameError, match="'late' was made in mid-match"):
        played(late)
    with pytest.raises(GameError, match="Two pieces are called 'deck'"):
        played(late, lambda game, t: t.counter("deck"))


def test_time_runs_out_to_what_was_said() -> None:
    """When time is up, `otherwise` counts; a question without a limit waits for ever."""

    async def ask(game: Any, t: Any) -> Any:
        late = await t.ask(t.ring[1], one_of("abc"), seconds=1.0, otherwise="b")
        many = await t.ask_all(dict.fromkeys(t.ring, YES_NO), seconds=1.0, otherwise=False)
        return late, many, await t.ask(t.ring[0], one_of("xy"))

    table = played(ask)
    table.play(time_is_up(), time_is_up(), "y")
    assert table.game.got == ("b", {0: False, 1: False}, "y")
    with pytest.raises(ScriptError, match="no time limit"):
        played(ask, answers=[time_is_up(), time_is_up(), time_is_up()])


def test_a_window_takes_no_number_below_zero() -> None:
    """The answer -1 is what lets the match continue, so a reaction of -1 would be taken for that."""

    async def react(game: Any, t: Any) -> Any:
        return await t.react({t.ring[1]: amount(game.low, 3)}, go=t.ring[0])

    with pytest.raises(GameError, match="no number below zero"):
        played(react, lambda game, t: setattr(game, "low", -3))
    played(react, lambda game, t: setattr(game, "low", 0))


def test_none_counts_when_time_runs_out_if_it_is_a_choice() -> None:
    """To pass by silence is the same for one who is asked and for several; else the first answer counts."""

    async def ask(game: Any, t: Any) -> Any:
        choices = one_of([Choice(1), Choice(None, "pass")])
        one = await t.ask(t.ring[0], choices, seconds=1.0, otherwise=None)
        return one, *[await t.ask_all({t.ring[0]: of}, seconds=1.0) for of in (choices, one_of("xy"))]

    table = played(ask)
    table.play(time_is_up(), time_is_up(), time_is_up())
    assert table.game.got == (None, {0: None}, {0: "x"})


def test_what_counts_for_a_seat_that_nobody_plays_needs_no_time_limit() -> None:
    """One who is asked alone has the same silence as one of several."""

    async def ask(game: Any, t: Any) -> Any:
        await t.ask(t.ring[0], one_of("ab"), otherwise="b")
        await t.ask_all({t.ring[0]: one_of("ab")}, otherwise="b")

    table = played(ask)
    for _ in range(2):
        assert table.open[0].otherwise == "b"
        table.play("a")


def test_what_counts_when_time_runs_out_is_legal() -> None:
    """A rule whose `otherwise` is no legal answer is broken, and told so when it asks."""

    async def ask(game: Any, t: Any) -> None:
        await t.ask(t.ring[0], amount(1, 3), seconds=1.0, otherwise=0)

    async def ask_all(game: Any, t: Any) -> None:
        await t.ask_all({t.ring[0]: amount(1, 3)}, seconds=1.0, otherwise=0)

    for script in (ask, ask_all):
        with pytest.raises(GameError, match="0 can't count when time runs out"):
            played(script)


def test_what_may_be_too_long_for_a_seal_is_not_asked_under_one() -> None:
    """The rules are told where they ask, not the machine whose player chose the most; openly it is asked."""
    most = some_of(range(300), 0, 300)

    async def seal(game: Any, t: Any) -> None:
        await t.ask(t.ring[0], most)
        await t.ask_all({t.ring[0]: YES_NO, t.ring[1]: most})

    table = played(seal)
    with pytest.raises(GameError, match=r"at most 222 bytes.* may have 519"):
        table.play([])


class Wordy(OneOf, name="wordy"):
    """Of the answer with number n, a hundred n letters are written, which its shape doesn't say."""

    def answer_at(self, number: int) -> Answer:
        return "x" * 100 * number


def test_a_kind_from_elsewhere_is_sealed_only_if_its_answers_are_short_enough() -> None:
    """How long they are is seen when the rules ask, also where it's a field among others."""

    def seal(question: Question[Any]) -> Callable[[Any, Any], Any]:
        async def script(game: Any, t: Any) -> None:
            await t.ask_all({t.ring[0]: question})

        return script

    short, long = Wordy(labelled("abc")), Wordy(labelled("abcd"))
    together: Question[Any] = form(dict, one=short, two=YES_NO)
    assert played(seal(short)).open
    assert played(seal(together)).open
    for question, size in ((long, 303), (form(dict, one=long), 304)):
        with pytest.raises(GameError, match=f"at most 222 bytes.* may have {size}"):
            played(seal(question))


@pytest.mark.battery
def test_sealed_answers_are_closed_until_they_are_opened() -> None:
    """A rule can't read a sealed answer by any public name; its owner can, others when it is open."""

    async def seal(game: Any, t: Any) -> Any:
        game.got = await t.seal_all(dict.fromkeys(t.ring, amount(0, 9)))
        one, two = game.got.values()
        for secret in (one, two):
            with pytest.raises(HiddenFact, match=r"seal` asks for the sealed answer .*`await t.reveal` it"):
                secret.value  # noqa: B018
            assert not [name for name in dir(secret) if name in ("ask", "answer", "open")]
        await t.ask(t.ring[0], YES_NO)
        await t.reveal([one])
        return one, two

    table = played(seal)
    table.play({0: 3, 1: 4})
    one, two = table.game.got.values()
    assert [table.views(seat).answer(one) for seat in (0, 1, None)] == [3, None, None]
    assert [table.views(seat).answer(two) for seat in (0, 1, None)] == [None, 4, None]
    table.play(True)
    assert [table.views(seat).answer(one) for seat in (0, 1, None)] == [3, 3, 3]
    assert (one.seat, one.is_open, two.is_open, one.value) == (0, True, False, 3)


@fact
def low(chosen: Any, _: object, least: int) -> bool:
    """Whether a card is lower than that."""
    return bool(chosen.rank < least)


def claiming(then: str) -> type[Game[Any]]:
    """A seat lays down a card and says that it is low; then that comes out, or never can."""

    async def script(game: Any, t: Any) -> Any:
        await t.shuffle(game.deck)
        await t.deal(game.deck, game.hands, each=2)
        low_one = claim("That is not low.", low, (), 5)
        card = await t.ask(t.ring[0], one_of(game.hands[0].cards), "A low one.", claim=low_one)
        game.hands[0].move_to(game.other, [card])
        if then == "reveal":
            await t.reveal([card])
        elif then == "turn up":
            await t.turn_up(game.other)
        elif then == "shuffle":
            await t.shuffle(game.deck, game.other)
            await t.reveal(game.deck)
        return len(t._facts.said)

    return scripted(script)


@pytest.mark.parametrize("then", ["reveal", "turn up", "shuffle", "nothing"])
def test_a_claim_is_checked_by_its_owner_first(then: str) -> None:
    """What is false is refused at once; what is true is held until it shows or is mixed in."""
    table = rehearse(claiming(then), decks={"deck": "7D AD 2D 3D"}, turns=9)
    with pytest.raises(ScriptError, match="That is not low"):
        table.play("7D")
    table.play("2D")
    assert table.match.conviction is None
    # The match is over, and all that was said was judged; at the end of the turn it was still open.
    assert table.game.got == (0 if then in ("reveal", "turn up") else 1)


@pytest.mark.parametrize("then", ["reveal", "turn up"])
def test_a_false_claim_comes_out_when_the_face_does(then: str) -> None:
    """What only a changed program can claim is blamed on its seat when the face is public."""
    table = rehearse(claiming(then), decks={"deck": "7D AD 2D 3D"})
    table.match.check_claim = lambda *_, **__: None  # type: ignore[method-assign]
    table.play("7D")
    assert table.match.conviction is not None
    assert table.match.conviction.seat == 0
    assert str(table.match.conviction) == "Seat 1: Its statement in turn 1 is false: “low” isn't true for 7D."
    assert table.match.outcome == Outcome((Seat(1),))


def test_an_interjection_may_empty_the_pile_that_one_waits_for() -> None:
    """A card that was taken away while its face was awaited is an error in words, not a crash."""

    class Takes(OpenSource):
        def reveal(self, card: Any) -> bool:
            game: Any = self._match.game
            game.other.cards.clear()
            return super().reveal(card)

    async def turn(game: Any, t: Any) -> None:
        game.deck.move_to(game.other, [game.deck.top])
        await t.turn_up(game.other)

    source = Takes(0, [None, None], lambda _: None)
    source.words = Table  # the general way, on which one may wait
    match = new_match(scripted(turn), Terms(("A", "B"), Options()), source)
    with pytest.raises(PieceError, match="is not in other"):
        match.run()


def test_what_is_told_to_some_is_heard_by_those() -> None:
    """Events for single seats are in their views only; a card in an event is as it was then."""

    async def tell(game: Any, t: Any) -> None:
        await t.shuffle(game.deck)
        card = await t.turn_up(game.deck, onto=game.other)
        t.tell("{card} for {seat}.", card=card, seat=t.ring[1])
        t.tell("A word.", only=[t.ring[0]])
        await t.shuffle(game.deck, game.other)

    table = played(tell, decks={"deck": "AD"})
    heard: list[list[Event]] = [list(table.views(seat).events) for seat in (0, 1, None)]
    assert [[event.message for event in events] for events in heard] == [
        ["{card} for {seat}.", "A word."], ["{card} for {seat}."], ["{card} for {seat}."],
    ]  # fmt: skip
    assert str(heard[1][0].params["card"].face) == "AD"


def test_a_mixed_hand_is_known_to_its_owner_alone() -> None:
    """The owner sees the same cards as before; who was shown one of them knows no longer which it is."""

    async def script(g: Any, t: Table[Any]) -> None:
        await t.shuffle(g.deck)
        await t.deal(g.deck, [g.hands[0]], each=5)
        g.before = match.view(0).face(g.hands[0].cards[0])
        await t.show(g.hands[0].cards[:1], to=[g.hands[1].owner])
        assert match.view(1).face(g.hands[0].cards[0]) == g.before
        g.had = sorted(map(str, (match.view(0).face(card) for card in g.hands[0])))
        await t.mix(g.hands[0])

    rules = scripted(script)
    match: Match = new_match(rules, Terms(("A", "B"), Options()), OpenSource(3, (None, None), lambda _: None))
    match.run()
    game: Any = match.game
    assert sorted(map(str, (match.view(0).face(card) for card in game.hands[0]))) == game.had
    assert game.hands[0]
    assert all(match.view(1).face(card) is None for card in game.hands[0])


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (
            lambda t: t.tell("{seat} pays {n}.", seat=t.first_seat),
            "field {n} of '{seat} pays {n}.' has no value",
        ),
        (lambda t: t.tell("{seat} pays.", seat=t.first_seat, n=2), "n is no field"),
        (lambda t: t.tell(NN_("{n} card of {who}", "{n} cards"), n=2), "field {who}"),
        (lambda t: t.ask(t.first_seat, YES_NO, "You?", "{other}?", another=1), "another is no field"),
        (lambda t: t.ask(t.first_seat, YES_NO, "{other}?", seat=t.first_seat), "field {other}"),
        (lambda t: t.ask_all({t.first_seat: YES_NO}, "You?", n=1), "n is no field"),
        (lambda t: t.seal_all({t.first_seat: YES_NO}, "{n}?"), "field {n}"),
        (lambda t: t.react({t.first_seat: YES_NO}, "{seat}?", seconds=1), "field {seat}"),
    ],
)
def test_values_and_fields_of_messages_agree(call: Any, wrong: str) -> None:
    """A value without a field and a field without a value are errors of the game where they are said."""

    async def says(_: Any, t: Any) -> None:
        said = call(t)
        if said is not None:
            await said

    with pytest.raises(GameError, match=re.escape(wrong)):
        played(says)


def test_a_seat_and_a_choice_are_known_to_a_question() -> None:
    """The seat that is asked and what it chooses need not be given; given, they do no harm."""

    async def asks(_: Any, t: Any) -> list[bool]:
        said = ("Well?", "{seat} thinks.")
        bare = await t.ask(t.first_seat, YES_NO, *said, verb="Take {choice}")
        return [bare, await t.ask(t.first_seat, YES_NO, *said, seat=t.first_seat)]

    assert played(asks, answers=[True, False]).game.got == [True, False]


def test_a_mark_of_fields_is_that_of_the_seats_in_each_telling() -> None:
    """Made once for a sentence, it points at what a mark made for each telling would; so do both in a row."""
    given = (calls("seat"), flow("seat", "to", 2, over=1))

    async def script(_game: Any, t: Any) -> Outcome:
        for seat, to in ((t.ring[1], t.ring[0]), (t.ring[2], t.ring[1])):
            t.tell("{seat} pays {to}.", seat=seat, to=to, marks=given)
            made = (calls(seat), flow(seat, to, 2, over=(t.ring.after(seat),)))
            t.tell("{seat} pays {to}.", seat=seat, to=to, marks=made)
        return Outcome(())

    told: list[Event] = []
    terms = Terms(("A", "B", "C"), Options())
    new_match(scripted(script), terms, OpenSource(1, [RandomBot()] * 3), told.append).run()
    assert [one.marks for one in told[::2]] == [one.marks for one in told[1::2]]
    assert told[0].marks != told[2].marks


def test_equal_marks_are_made_once() -> None:
    """A mark with seats is found again at its next telling, by all that it says and by nothing else."""
    one, other = SEATS[:2]
    assert flow(one, other) is flow(one, other)
    assert calls(one) is calls(one)
    assert len({flow(one, other), flow(other, one), flow(one, other, 2), flow(one, other, over=(one,))}) == 4
    assert calls(one) != calls(other)


def test_a_mark_of_a_field_that_is_not_there_is_refused() -> None:
    """The author is told which field is missing in which sentence."""

    async def script(_game: Any, t: Any) -> Outcome:
        t.tell("{seat} pays.", seat=t.ring[0], marks=(flow("seat", "to"),))
        return Outcome(())

    match = new_match(scripted(script), Terms(("A", "B"), Options()), OpenSource(1, [RandomBot()] * 2), print)
    with pytest.raises(GameError, match=re.escape("names the field 'to', which '{seat} pays.' hasn't")):
        match.run()


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize(
    ("about", "refused"),
    [
        (["deck"], ""),
        (["notes"], ""),
        (["nothing"], "ask(about='nothing') is no such word; choose from ["),
        (["note"], "do you mean 'notes'?"),
        (["later"], "ask(about='later') is no such word"),
        ([Seat(3)], "ask(about='Seat(3)') is no such word"),
    ],
)
def test_a_question_is_about_what_is_on_the_table(about: list[Any], refused: str, sealed: bool) -> None:
    """A piece, or a zone drawn now; what is drawn at no question of that seat is refused at the call."""

    async def script(_: Any, table: Any) -> str:
        if sealed:
            await table.seal_all({table.ring[1]: YES_NO}, "Well?", about=about)
        else:
            await table.ask(table.ring[1], YES_NO, "Well?", about=about)
        return "asked"

    class Drawn(scripted(script)):  # type: ignore[misc]
        def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
            if viewer == 1:
                yield text_zone("notes", "Notes", "Nothing.")
            if self.got:
                yield text_zone("later", "Later", "Nothing.")

    if not refused:
        assert vars(rehearse(Drawn, seats=2, answers=[True]).match.game)["got"] == "asked"
        return
    with pytest.raises(GameError, match=re.escape(refused)) as error:
        rehearse(Drawn, seats=2, answers=[True])
    assert "script" in [entry.name for entry in error.traceback]  # the call is in it


@pytest.mark.parametrize("stamp", ["a" * 25, "{n} pay"])
def test_a_stamp_is_short_and_has_no_fields(stamp: str) -> None:
    """The author is told at the call."""

    async def script(_game: Any, t: Any) -> Outcome:
        t.tell("Well!", stamp=stamp)
        return Outcome(())

    with pytest.raises(GameError, match="isn't a text of at most 24 letters"):
        played(script)


def test_what_nobody_hears_is_checked_where_it_is_played_and_not_where_it_is_followed() -> None:
    """A simulation finds a field without a value; a replay, whose match was played, does not look for it."""

    async def script(_game: Any, t: Any) -> Outcome:
        t.tell("{seat} has {found} something.", seat=t.ring[0])
        return Outcome(())

    rules, terms = scripted(script), Terms(("A", "B"), Options())
    with pytest.raises(GameError, match=r"the field \{found\}"):
        new_match(rules, terms, OpenSource(1, [RandomBot()] * 2)).run()
    followed = new_match(rules, terms, LogSource(2, OneDealer(), [(NUMBER, 2, 0)]))
    followed.run()
    assert followed.outcome == Outcome(())
    with pytest.raises(GameError, match=r"the field \{found\}"):
        new_match(rules, terms, LogSource(2, OneDealer(), [(NUMBER, 2, 0)]), print).run()
