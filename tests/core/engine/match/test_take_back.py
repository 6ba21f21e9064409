"""Answers that are taken back: until when, by whom, with whose consent; and every machine goes back alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tavolata import D6, N_, Deck, Game, Outcome, Refused, Secret, Table, fact, interjection, one_of
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import (
    ANSWER,
    DECLARED,
    INTERJECT,
    QUIET,
    REACT,
    SAY,
    SEAT,
    SHUFFLED,
    UNDONE,
    MatchEntry,
)  # fmt: skip
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.state import pack
from tavolata._engine.match.take_back import standing, word
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata.messages import Event
from tavolata.options import Options
from tavolata.ring import SEATS, Seat

NUMBERS = one_of([1, 2, 3])


@fact
def is_low(hand: Any) -> bool:
    """Whether there is nothing above a one."""
    return all(face < 2 for face in hand)


class Stones(Game[Options]):
    """Each seat takes stones in turn; what happens between is for the subclasses."""

    name, title, seats = "stones", N_("Stones"), (2, 3)

    def setup(self, t: Table[Options]) -> None:
        self.left = 60
        self.taken: list[int] = []
        self.sealed: list[Secret[int]] = []
        self.pile = t.pile("pile", Deck("three", (1, 2, 3)))
        self.hands = t.hands("hand")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        for seat in t.ring:
            many = await t.ask(seat, NUMBERS, N_("Take some."))
            self.left -= many
            self.taken.append(many)
            t.tell(N_("{seat} takes {n}."), seat=seat, n=many)
            await self.between(t, seat)
        return Outcome((SEATS[0],)) if self.left <= 0 else None

    async def between(self, t: Table[Options], seat: Seat) -> None:
        """What comes between two answers: nothing, here."""

    @interjection(N_("Pass"))
    def skip(self, t: Table[Options], seat: Seat, value: int) -> None:
        self.left -= value

    @skip.choices
    def _may_skip(self, t: Table[Options], seat: Seat) -> Any:
        return NUMBERS


class Rolls(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.roll(D6)


class Turns(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.turn_up(self.pile, onto=self.pile)


class Shuffles(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.shuffle(self.pile)


class Shows(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.show(self.pile.cards[:1], [seat])


class Declares(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.declare(seat, is_low, self.pile.cards)


class Seals(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        self.sealed.extend((await t.seal_all({seat: NUMBERS}, N_("Secretly."))).values())


class Opens(Stones):
    async def turn(self, t: Table[Options]) -> Outcome | None:
        if not t.turn:
            self.sealed.extend((await t.seal_all(dict.fromkeys(t.ring, NUMBERS), N_("Secretly."))).values())
        return await super().turn(t)

    async def between(self, t: Table[Options], seat: Seat) -> None:
        if seat == SEATS[0]:
            await t.reveal(self.sealed)


class Races(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.react({seat: NUMBERS}, N_("Quick."), seconds=1)


class RacesLast(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        if seat == t.ring[-1]:
            await t.react(dict.fromkeys(t.ring, NUMBERS), N_("Quick."), seconds=9)


class Pauses(Stones):
    async def between(self, t: Table[Options], seat: Seat) -> None:
        await t.pause(seat)


class Forbids(Stones):
    take_back = False


class Listens(Stones):
    listens = True


LEARNED = "something has been dealt"
CHOSEN = "someone else has chosen"


class One:
    """A match in this process, in which seat 0 is a person.

    Args:
        rules: the game.
        bots: the seats that bots play.
        pace: as in `Terms`.
    """

    def __init__(
        self, rules: type[Stones] = Stones, bots: tuple[int, ...] = (1, 2), pace: float | None = None
    ) -> None:
        self.players: list[Bot | None] = [RandomBot() if seat in bots else None for seat in range(3)]
        self.written: list[MatchEntry] = []
        self.told: list[Event] = []
        self.terms = Terms(("A", "B", "C"), rules.options(), pace, bots=frozenset(bots))
        self.source = OpenSource(1, self.players, self.written.append)
        self.match: Match[Any] = new_match(rules, self.terms, self.source, self.told.append)
        self.match.run()

    def answer(self, value: int = 0) -> None:
        """Answer the first open question by the number of the choice."""
        ask = self.source.open[0]
        self.match.feed((ANSWER, int(ask.seat), ask.id, value))

    def undo(self, seat: int = 0) -> None:
        """The person takes its answer back."""
        self.match.feed(word(self.match, [seat]))

    @property
    def game(self) -> Any:
        """The state."""
        return self.match.game


def state_of(match: Match[Any]) -> dict[str, Any]:
    """The state but for the number of the next question, which is never used twice."""
    return {name: part for name, part in match.state().items() if name != "asks"}


def test_the_last_answer_and_what_bots_did_since_are_undone() -> None:
    """The state is that of before the answer, the same question is open, and the match goes on from there."""
    one = One()
    before, asked = state_of(one.match), one.source.open[0].id
    one.answer(2)
    assert len(one.game.taken) == 3
    one.undo()
    assert state_of(one.match) == before
    assert [ask.id for ask in one.source.open] == [asked]
    assert [event.message for event in one.match.events] == ["{seat} undoes an answer."]
    one.answer(0)
    assert one.game.taken[0] == 1


def test_no_question_gets_the_number_of_one_that_was_undone() -> None:
    """What was said of an undone question on its way here fits no new one."""
    one = One(bots=(2,))
    one.answer()
    other = one.source.open[0].id
    one.match.feed((UNDONE, 0, 1, True))
    one.answer()
    assert one.source.open[0].id > other
    with pytest.raises(Refused):
        one.match.feed((ANSWER, 1, other, 0))


def test_one_can_go_back_answer_by_answer() -> None:
    """What is taken back twice is the answer before the last one, over the end of a turn."""
    one = One()
    before = state_of(one.match)
    one.answer(0)
    second = state_of(one.match)
    one.answer(1)
    one.undo()
    assert state_of(one.match) == second
    one.undo()
    assert state_of(one.match) == before
    with pytest.raises(Refused, match="nothing to undo"):  # only the first seat was drawn before
        one.undo()


def test_a_pause_is_no_answer() -> None:
    """Where a key lets the match go on, it is passed over, and goes with the answer before it."""
    one = One(Pauses, pace=0)
    before = state_of(one.match)
    one.answer(1)
    assert one.game.taken == [2]
    one.answer(0)  # the key
    one.undo()
    assert state_of(one.match) == before


@pytest.mark.parametrize("rules", [Rolls, Turns, Shuffles, Shows, Declares, Seals, Opens])
def test_nothing_is_taken_back_after_something_was_learned(rules: type[Stones]) -> None:
    """Not after a number, a face, a shuffle, a card for one, a declaration, or a seal closed or opened."""
    one = One(rules)
    one.answer()
    if rules in (Seals, Opens):
        one.answer()
    with pytest.raises(Refused, match=LEARNED):
        one.undo()
    with pytest.raises(Refused, match=LEARNED):
        one.match.feed((UNDONE, 0, 1, True))


def test_nothing_is_taken_back_while_hands_are_quick() -> None:
    """Not while a window is open, nor when it has passed."""
    one = One(Races)
    one.answer()
    assert one.source.window is not None
    with pytest.raises(Refused, match="only while a question is open"):
        one.undo()


@pytest.mark.parametrize(
    ("act", "rules"),
    [
        (lambda one: one.answer(), Stones),
        (lambda one: one.match.feed((INTERJECT, 1, "skip", 1)), Stones),
        (lambda one: one.match.feed((SAY, 1, (), "hello")), Listens),
    ],
)
def test_nothing_is_taken_back_after_another_person_acted(
    act: Callable[[One], object], rules: type[Stones]
) -> None:
    """Not after an answer or an interjection of another, or words where words matter."""
    one = One(rules, bots=(2,))
    one.answer()
    act(one)
    with pytest.raises(Refused, match=CHOSEN):
        one.undo()


def test_words_and_own_interjections_hinder_nothing() -> None:
    """Words that the rules don't hear stay said, and one's own interjection goes with the answer."""
    one = One(bots=(2,))
    before = state_of(one.match)
    one.answer()
    one.match.feed((SAY, 1, (), "hm"))
    one.match.feed((INTERJECT, 0, "skip", 2))
    one.undo()
    assert state_of(one.match) == before


def test_what_can_be_done_at_any_time_before_the_answer_stays() -> None:
    """An interjection while the question was open is no part of the answer."""
    one = One(bots=(2,))
    one.match.feed((INTERJECT, 1, "skip", 2))
    left = one.game.left
    one.answer()
    one.undo()
    assert one.game.left == left == 58


def test_a_game_may_forbid_it() -> None:
    """`take_back = False`: nothing is taken back."""
    one = One(Forbids)
    one.answer()
    with pytest.raises(Refused, match="This game has no undo"):
        one.undo()


@pytest.mark.parametrize(
    "entry",
    [
        (UNDONE, 0, 2, True), (UNDONE, 1, 1, True), (UNDONE, 0, 1, False), (UNDONE, 0, 99, True),
        (UNDONE, 7, 1, True), (UNDONE, -1, 1, True),
    ],
)  # fmt: skip
def test_nothing_else_is_undone(entry: MatchEntry) -> None:
    """Not a bot's answer, not by a bot, not by nobody, and no question that was not answered last."""
    one = One()
    one.answer()
    before = one.match.digest()
    with pytest.raises(Refused):
        one.match.feed(entry)
    assert one.match.digest() == before


@pytest.mark.parametrize(
    "entry", [(UNDONE, 0, 1), (UNDONE, 0, 1, 1), (UNDONE, True, 1, True), (UNDONE, "0", 1, True), (UNDONE,)]
)
def test_what_is_no_such_entry_is_void(entry: MatchEntry) -> None:
    """A log with an entry of another shape is followed as if it were not there."""
    one = One()
    one.answer()
    source = LogSource(3, OneDealer(), [*one.written, entry])
    match: Match[Any] = new_match(Stones, one.terms, source)
    match.run()
    assert list(source.voids) == [len(one.written)]
    assert match.digest() == one.match.digest()


def test_a_match_with_undone_answers_is_resumed_and_replayed() -> None:
    """From its seed and from its entries alone it has the same state, and tells the same."""
    one = One()
    for values in ((0, 1), (2, 0), (1, 1)):
        for value in values:
            one.answer(value)
            one.undo()
            one.answer(2 - value)
    again: list[Event] = []
    source = ResumeSource(1, one.players, one.written.append, list(one.written))
    match: Match[Any] = new_match(Stones, one.terms, source, again.append)
    match.run()
    assert not source.replaying
    assert (match.digest(), again) == (one.match.digest(), one.told)
    assert match.events == one.match.events
    again.clear()
    match = new_match(Stones, one.terms, LogSource(3, OneDealer(), one.written), again.append)
    match.run()
    assert not match.source.voids
    assert (match.digest(), again) == (one.match.digest(), one.told)


def test_a_loaded_match_goes_back_to_where_it_was_loaded() -> None:
    """Of what came before a snapshot this process has no log: it goes back that far."""
    one = One()
    one.answer(0)
    one.answer(0)
    state, secrets = one.match.state(), one.source.save()
    source = OpenSource(1, one.players, lambda _: None)
    match: Match[Any] = new_match(Stones, one.terms, source, lambda _: None)
    match.load(state)
    source.load(secrets)
    match.run()
    before = state_of(match)
    match.feed((ANSWER, 0, source.open[0].id, 1))
    match.feed(word(match, [0]))
    assert state_of(match) == before
    with pytest.raises(Refused, match="nothing to undo"):
        match.feed((UNDONE, 0, 1, True))


def test_a_loaded_match_goes_back_over_a_shuffle_of_cards_hidden_before() -> None:
    """What was hidden where it was loaded is mixed with a card that everybody had seen; then one answers."""

    class Mixes(Stones):
        async def turn(self, t: Table[Options]) -> Outcome | None:
            self.pile.move_to(self.hands[0], [self.pile.bottom])
            await t.reveal(self.hands[0])
            await t.shuffle(self.pile, self.hands[0])
            return await super().turn(t)

    def begun() -> Match[OpenSource]:
        return new_match(Mixes, Terms(("A", "B"), Options()), OpenSource(1, [None, None]))

    first, ends = begun(), list[Any]()
    first.on_turn = lambda: ends.append((first.state(), first.source.save()))
    first.run()
    for seat in range(2):
        first.feed((ANSWER, seat, first.source.open[0].id, 0))
    match = begun()
    match.load(ends[0][0])
    match.source.load(ends[0][1])
    match.run()
    asked, before = match.source.open[0].id, state_of(match)
    match.feed((ANSWER, 0, asked, 1))
    match.feed(word(match, [0]))
    assert match.source.open[0].id == asked
    assert state_of(match) == before == state_of(first)


def test_a_match_from_a_snapshot_waits_for_a_player_who_was_away_then() -> None:
    """Its log says who is away in it; a copy that took the snapshot's word would answer for who came back."""
    states: list[Any] = []
    first = One(bots=())
    first.match.on_turn = lambda: states.append(first.match.state())
    for _ in range(3):
        first.answer()
    states[0]["status"][1] = "blind"
    terms = Terms(("A", "B", "C"), Options(), parties=(0, 1, 2), snapshot=pack(states[0]))
    match: Match[Any] = new_match(Stones, terms, LogSource(3, OneDealer()))
    match.run()
    match.feed((ANSWER, 0, match.source.open[0].id, 0))
    (ask,) = match.source.open
    assert (ask.seat, match.status) == (1, ["here"] * 3)
    match.feed((ANSWER, 1, ask.id, 2))
    assert match.view(0).imagine(RandomChance()).digest() == match.digest()
    assert match.game.taken == [1, 1, 1, 1, 3]  # type: ignore[attr-defined]


def test_a_bot_imagines_worlds_after_an_answer_was_taken_back() -> None:
    """What is imagined follows the course of the match, not what was undone."""
    one = One()
    one.match.view(1).imagine(RandomChance())
    one.answer()
    one.match.view(1).imagine(RandomChance())
    one.undo()
    world = one.match.view(1).imagine(RandomChance())
    assert world.digest() == one.match.digest()
    one.answer(2)
    assert one.match.view(1).imagine(RandomChance()).digest() == one.match.digest()


class RandomChance:
    """Numbers for an imagined world in which nothing is hidden."""

    def below(self, limit: int) -> int:
        """The lowest."""
        return 0


# -- at a table -----------------------------------------------------------------------------------


class Three:
    """A match of three machines with a person each, followed by a log of entries."""

    def __init__(
        self,
        parties: tuple[int, ...] = (0, 1, 2),
        bots: tuple[int, ...] = (),
        rules: type[Stones] = Stones,
    ) -> None:
        self.source = LogSource(3, OneDealer(), [(1 + 1, 3, 0)])  # the first seat is seat 0
        terms = Terms(("A", "B", "C"), Options(), parties=parties, bots=frozenset(bots))
        self.match: Match[Any] = new_match(rules, terms, self.source, lambda _: None)
        self.match.run()
        self.say(ANSWER, 0, 1, 1)

    def say(self, *entry: Any) -> bool:
        """Feed an entry; whether it stands."""
        number = len(self.source.entries)
        self.match.feed(entry)
        return number not in self.source.voids


def test_all_other_people_have_to_agree() -> None:
    """The wish alone changes nothing; with the last yes every machine goes back."""
    table = Three()
    before = table.match.digest()
    assert table.say(UNDONE, 0, 1, True)
    assert table.say(UNDONE, 2, 1, True)
    assert table.match.digest() == before
    assert table.match.undone == 0
    assert table.say(UNDONE, 1, 1, True)
    assert table.match.undone == 1
    assert vars(table.match.game)["left"] == 60
    assert [ask.id for ask in table.source.open] == [1]


@pytest.mark.parametrize(
    ("words", "stand"),
    [
        ([(1, 1, True)], [False]),  # nobody wants to
        ([(0, 1, True), (0, 1, True)], [True, False]),  # twice
        ([(0, 1, True), (1, 1, True), (1, 1, True)], [True, True, False]),
        ([(0, 1, True), (1, 2, True)], [True, False]),  # another question
        ([(0, 1, True), (1, 1, False)], [True, False]),  # a yes that was never said
        ([(0, 1, True), (1, 1, True), (1, 1, False), (2, 1, True)], [True, True, True, True]),
        ([(0, 1, True), (1, 1, True), (0, 1, False), (2, 1, True)], [True, True, True, False]),
    ],
)
def test_fewer_words_undo_nothing(words: list[tuple[int, int, bool]], stand: list[bool]) -> None:
    """A yes without a wish, said twice, for another question, or taken back: nothing is undone."""
    table = Three()
    assert [table.say(UNDONE, *one) for one in words] == stand
    assert table.match.undone == 0


def test_a_yes_that_comes_too_late_undoes_nothing() -> None:
    """When another has answered before the last yes, the wish has fallen."""
    table = Three()
    table.say(UNDONE, 0, 1, True)
    table.say(UNDONE, 2, 1, True)
    assert table.say(ANSWER, 1, 2, 0)
    assert standing(table.match) is None
    assert not table.say(UNDONE, 1, 1, True)
    assert table.match.undone == 0


def test_who_is_away_has_not_agreed() -> None:
    """The table waits for the yes of who is away, and can't say it for it; a bot that plays on says yes."""
    table = Three()
    table.say(SEAT, 2, "away")
    table.say(UNDONE, 0, 1, True)
    assert table.say(UNDONE, 1, 1, True)
    assert not table.say(UNDONE, 2, 1, True)
    assert table.match.undone == 0
    table.say(UNDONE, 0, 1, False)
    table.say(SEAT, 2, "blind")
    table.say(UNDONE, 0, 1, True)
    assert table.say(UNDONE, 1, 1, True)
    assert table.match.undone == 1
    assert table.match.status == ["here", "here", "blind"]


def test_whoever_leaves_is_not_asked_any_more() -> None:
    """Once the last one whose yes is missing is out of the match, the others have all agreed."""
    table = Three()
    table.say(UNDONE, 0, 1, True)
    table.say(UNDONE, 1, 1, True)
    table.say(SEAT, 2, "away")
    assert table.match.undone == 0
    table.say(SEAT, 2, "blind")
    assert table.match.undone == 1
    assert [ask.id for ask in table.source.open] == [1]


def test_the_wish_of_a_player_who_leaves_falls() -> None:
    """The game would choose anew in its place, so its answer stays."""
    table = Three()
    table.say(UNDONE, 0, 1, True)
    table.say(UNDONE, 1, 1, True)
    table.say(SEAT, 0, "blind")
    assert standing(table.match) is None
    assert not table.say(UNDONE, 2, 1, True)
    assert table.match.undone == 0


def test_a_seat_that_left_has_answered_until_then() -> None:
    """Answers of a player that has left since stay as they were when an earlier match is followed again."""
    table = Three()
    table.say(ANSWER, 1, 2, 1)
    table.say(ANSWER, 2, 3, 2)
    table.say(ANSWER, 0, 4, 0)
    table.say(SEAT, 2, "blind")
    asked = table.source.open[0].id
    assert table.say(UNDONE, 0, 4, True)
    assert table.say(UNDONE, 1, 4, True)
    assert table.match.undone == 1
    assert vars(table.match.game)["taken"] == [2, 2, 3]
    assert table.match.status == ["here", "here", "blind"]
    table.say(ANSWER, 0, 4, 1)
    assert table.source.open[0].id > asked


def test_a_player_who_left_after_an_answer_that_was_undone_is_not_waited_for() -> None:
    """A later window was decided without it, and is again when that match is followed to a second answer."""
    table = Three(rules=RacesLast)
    table.say(SEAT, 2, "blind")
    table.say(UNDONE, 0, 1, True)
    assert table.say(UNDONE, 1, 1, True)
    assert table.say(ANSWER, 0, 1, 0)
    assert table.say(ANSWER, 1, 3, 0)
    assert table.source.window is not None
    number = table.source.window.id
    assert table.say(REACT, 0, number, 0, 300)
    assert all(table.say(QUIET, seat, number, 0, 310, 0) for seat in (0, 1))
    asked = table.source.open[0].id
    imagined = table.match.view(1).imagine(RandomChance())
    assert imagined.digest() == table.match.digest()
    before = state_of(table.match)
    assert table.say(ANSWER, 0, asked, 2)
    table.say(UNDONE, 0, asked, True)
    assert table.say(UNDONE, 1, asked, True)
    assert table.match.undone == 2
    assert [ask.id for ask in table.source.open] == [asked]
    assert state_of(table.match) == before


def test_what_a_machine_declared_while_it_counted_as_away_is_what_it_said() -> None:
    """It comes back and says it before the table notes that; so does each copy of the match."""
    table = Three(rules=Declares)
    table.say(SEAT, 0, "away")
    assert table.say(DECLARED, 0, 2, False)
    assert [ask.seat for ask in table.source.open] == [1]
    assert table.match.view(1).imagine(RandomChance()).digest() == table.match.digest()


def test_words_before_a_shuffle_confuse_no_copy() -> None:
    """People talk while the dealer shuffles; a world is imagined from what was hidden all the same."""
    table = Three(rules=Shuffles)
    for seat in (1, 2):
        assert table.say(SAY, 1, (), "hm")
        assert table.say(SHUFFLED, 3, b"")
        assert [ask.seat for ask in table.source.open] == [seat]
        world = table.match.view(seat).imagine(RandomChance())
        assert world.digest() == table.match.digest()
        table.say(ANSWER, seat, table.source.open[0].id, 0)


def test_what_was_closed_for_a_player_who_left_hinders_nobody() -> None:
    """Nobody has chosen that answer; it is given again when the match has gone back."""
    table = Three()
    table.say(SEAT, 1, "blind")
    assert [ask.seat for ask in table.source.open] == [2]
    assert table.say(UNDONE, 0, 1, True)
    assert table.say(UNDONE, 2, 1, True)
    assert [ask.id for ask in table.source.open] == [1]
    table.say(ANSWER, 0, 1, 2)
    assert vars(table.match.game)["taken"] == [3, 1]
    table.say(ANSWER, 2, table.source.open[0].id, 0)
    assert not table.say(UNDONE, 0, 1, True)


def test_bots_agree_and_who_shares_a_machine_is_asked() -> None:
    """Each person is asked, also those whom one machine serves; a bot is not."""
    table = Three(parties=(0, 0, 2), bots=(2,))
    assert table.say(UNDONE, 0, 1, True)
    assert table.match.undone == 0
    assert word(table.match, [0, 1]) == (UNDONE, 1, 1, True)
    assert table.say(UNDONE, 1, 1, True)
    assert table.match.undone == 1


def test_the_same_word_wishes_agrees_and_takes_it_back() -> None:
    """What a person says by one key depends on what was said before."""
    table = Three()
    assert word(table.match, [0]) == (UNDONE, 0, 1, True)
    with pytest.raises(Refused, match="nothing to undo"):
        word(table.match, [1])
    table.say(UNDONE, 0, 1, True)
    assert word(table.match, [1]) == (UNDONE, 1, 1, True)
    assert word(table.match, [0]) == (UNDONE, 0, 1, False)
