"""Chosen things travel by value: what was chosen is done, or nothing, whatever others chose meanwhile.

And bots that want some invitations to interject and not the others: how often they are asked, and when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import islice, pairwise, takewhile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.colours import Colours
from tests.core.games import Shouts
from tests.core.replaying import replay

from tavolata import (
    Choice,
    Options,
    Question,
    Refused,
    Seat,
    Table,
    View,
    amount,
    form,
    interjection,
    one_of,
    some_of,
)
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import INTERJECT, NUMBER, SAY
from tavolata._engine.match.interjections import GONE, answer_of, taken
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.rules_fault import is_rules_fault
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, Chance, ChatMessage, Interject, RandomBot
from tavolata.errors import GameError
from tavolata.kinds.branch import Branch
from tavolata.ring import SEATS
from tavolata.sim import Simulation

TERMS = Terms(("A", "B", "C"), Colours.options(), 0)


@dataclass(frozen=True)
class Offer:
    """What a form makes."""

    give: str
    want: int
    open: bool = True


class Suit(Enum):
    """An enumeration, of which a value may be one."""

    CUPS = 1


def in_one_process(record: Any = lambda _: None, bots: tuple[Bot | None, ...] = (None,) * 3) -> Any:
    """Three people at one source that answers for nobody, up to its first question."""
    match = new_match(Colours, TERMS, OpenSource(1, bots, record), lambda _: None)
    match.run()
    return match


def by_a_log() -> Any:
    """The same three, following a log."""
    match = new_match(Colours, TERMS, LogSource(3, OneDealer(), [(NUMBER, 3, 0)]), lambda _: None)
    match.run()
    return match


def shown(match: Match, seat: int) -> list[Any]:
    """The values that a seat is shown now, in their order."""
    kind: Any = match.standing(seat)["take"]
    return list(kind.values)


@pytest.mark.parametrize("sit", [in_one_process, by_a_log])
def test_who_meant_green_gets_green_although_red_was_taken_before(sit: Any) -> None:
    """Two are shown red, green, blue; the first takes red, and the second, who points at green, gets that."""
    match = sit()
    first, second = shown(match, 0)[0], shown(match, 1)[1]
    assert (first, second) == ("red", "green")
    match.feed(match.interjection(0, "take", first))
    assert shown(match, 1) == ["green", "blue"]
    match.feed(match.interjection(1, "take", second))
    assert match.game.taken == {SEATS[0]: "red", SEATS[1]: "green"}


def test_what_was_taken_by_another_is_refused_in_one_process() -> None:
    """Who chooses what is gone gets nothing, is told why, and may choose again; no entry is written."""
    log: list[Any] = []
    match = in_one_process(log.append)
    match.feed(match.interjection(0, "take", "red"))
    written = len(log)
    with pytest.raises(Refused) as refusal:
        match.feed(match.interjection(1, "take", "red"))
    assert refusal.value.message == GONE
    assert (match.game.taken, len(log)) == ({SEATS[0]: "red"}, written)
    match.feed(match.interjection(1, "take", "blue"))
    assert match.game.taken[SEATS[1]] == "blue"


def test_what_was_taken_by_another_is_void_in_a_log() -> None:
    """In the agreed log the later of two is passed over with its reason, and changes nothing."""
    match = by_a_log()
    for seat in (0, 1):
        match.feed(match.interjection(seat, "take", "red"))
    source: Any = match.source
    assert {number: refusal.message for number, refusal in source.voids.items()} == {2: GONE}
    assert match.game.taken == {SEATS[0]: "red"}


class Breaks(Colours):
    """Each call of its rules may raise what an entry that isn't valid raises, too."""

    listens = True
    broken = ""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        self.no_colours: dict[str, str] = {}

    def may_talk(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...]) -> None:
        """It may always."""
        if self.broken == "may_talk":
            raise IndexError("no such seat")

    def heard(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        """Nothing follows."""
        if self.broken == "heard":
            raise TypeError("no such word")

    @interjection("break")
    def smash(self, t: Table[Options], seat: Seat, what: str) -> None:
        """It isn't there."""
        del self.no_colours[what]

    @smash.choices
    def _things(self, t: Table[Options], seat: Seat) -> Question[str] | None:
        if self.broken == "choices":
            raise ValueError("no such thing")
        return one_of(["glass"])


@pytest.mark.parametrize(("broken", "entry", "error"), [
    ("may_talk", (SAY, 1, (), "hello"), "IndexError: no such seat"),
    ("heard", (SAY, 1, (), "hello"), "TypeError: no such word"),
    ("choices", (INTERJECT, 1, "smash", "glass"), "ValueError: no such thing"),
    ("apply", (INTERJECT, 1, "smash", "glass"), "KeyError: 'glass'"),
])  # fmt: skip
@pytest.mark.parametrize("by_log", [False, True])
def test_rules_that_break_at_an_interjection_break_the_match_everywhere(
    broken: str, entry: Any, error: str, by_log: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the rules is theirs in one process and in a log alike; it makes no entry void."""
    monkeypatch.setattr(Breaks, "broken", broken)
    source = LogSource(3, OneDealer(), [(NUMBER, 3, 0)]) if by_log else OpenSource(1, [None] * 3)
    match: Match[Any] = new_match(Breaks, TERMS, source, lambda _: None)
    match.run()
    with pytest.raises(GameError) as raised:
        match.feed(entry)
    assert str(raised.value) == error
    assert is_rules_fault(raised.value, Breaks)


class Shy(Colours):
    """Its choices refuse where they could return None."""

    @interjection("peek")
    def peek(self, t: Table[Options], seat: Seat, what: str) -> None:
        """It's never possible."""

    @peek.choices
    def _nothing(self, t: Table[Options], seat: Seat) -> Question[str] | None:
        raise Refused("Not now.")


def test_choices_that_refuse_offer_nothing() -> None:
    """Nobody sees the interjection, nothing breaks, and who sends it all the same is refused."""
    match = new_match(Shy, TERMS, OpenSource(1, [None] * 3), lambda _: None)
    match.run()
    assert match.standing(1).keys() == {"take"}
    with pytest.raises(Refused, match=r"You can't do that now\."):
        match.feed((INTERJECT, 1, "peek", "glass"))


class Late(Bot):
    """It takes whatever stands second when it is asked for the first time."""

    interjects = True

    def choose(self, view: Any, ask: Any, chance: Any) -> Any:
        """It ends the match."""
        return ask.question.nth(1)

    def interject(self, view: Any, standing: Any, chance: Any) -> Any:
        """See `Bot`."""
        left: list[Any] = standing["take"].values if standing else []
        return Interject("take", left[1]) if len(left) > 1 else None


def test_what_a_bot_chooses_is_written_by_value_and_replayed() -> None:
    """A bot's choice stands in the log as the value that it meant, and a replay comes to the same."""
    log: list[Any] = []
    match = in_one_process(log.append, (Late(), Late(), Late()))
    assert [entry[3] for entry in log if entry[0] == INTERJECT] == ["green", "blue"]  # one has to be left
    copy = new_match(Colours, TERMS, LogSource(3, OneDealer()))
    replay(copy, log)
    assert copy.digest() == match.digest()


KINDS: list[tuple[Question, Any]] = [
    (one_of([1, True, "a", None]), True),
    (one_of([1, True, "a", None]), 1),
    (one_of([Choice(SEATS[0]), Choice(SEATS[1])]), SEATS[1]),
    (one_of([(1, 2), [1, 2]]), [1, 2]),
    (one_of([Suit.CUPS]), Suit.CUPS),
    (some_of(["a", "b", "b", "c"], 1, 3), ["b", "b", "c"]),
    (amount(10, 50, 10), 30),
    (form(dict, what=one_of(["a", "b"]), many=some_of([1, 2, 3], 0, 2), much=amount(0, 9)),
     {"what": "b", "many": [3], "much": 9}),
    (form(Offer, give=one_of(["a", "b"]), want=amount(0, 9)), Offer("b", 9)),
    (Branch([Choice("a"), Choice("b")], [None, amount(0, 9)]), ("a",)),
    (Branch([Choice("a"), Choice("b")], [None, amount(0, 9)]), ("b", 7)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value"), KINDS)
def test_every_kind_of_question_finds_its_answer_by_value(kind: Question, value: Any) -> None:
    """The plain form of a value leads back to the answer that means it; True and 1 are two values."""
    match = in_one_process()
    answer = match.answer_of(kind, match.chosen(value))
    found = kind.value_of(answer)
    assert (type(found), found) == (type(value), value)


JUNK = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.floats(), st.text(max_size=5),
              st.binary(max_size=5), st.sampled_from(["list", "dict", "seat", "enum"])),
    lambda part: st.one_of(st.lists(part, max_size=4), st.lists(part, max_size=4).map(tuple)), max_leaves=8,
)  # fmt: skip


@given(st.sampled_from([kind for kind, _ in KINDS]), JUNK)
def test_whatever_a_stranger_sends_is_an_answer_or_refused(kind: Question, junk: Any) -> None:
    """Anything at all that comes as a chosen value is refused or means a legal answer; nothing breaks."""
    match = in_one_process()
    try:
        answer = answer_of(kind, junk, match.chosen)
    except Refused:
        return
    assert kind.check(answer) == answer


def test_an_offer_that_is_another_is_refused() -> None:
    """A field that nobody is asked for has to be equal, too."""
    match = in_one_process()
    kind = form(Offer, give=one_of(["a", "b"]), want=amount(0, 9))
    with pytest.raises(Refused, match="is no longer possible"):
        match.answer_of(kind, match.chosen(Offer("b", 9, open=False)))


MATCHES = 400


class Now(RandomBot):
    """It draws by itself whether it says something, and is asked each time."""

    interjects = True
    share = 20
    asked = 0

    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        """Shout where that is possible, else say something."""
        type(self).asked += 1
        return self.say(standing, chance) if chance.percent(self.share) else None

    def say(self, standing: Mapping[str, Question], chance: Chance) -> Interject | ChatMessage:
        """To shout once is to be heard by the others as well."""
        return Interject("shout", 1) if standing and chance.percent(50) else ChatMessage((0,), "Hm.")


class Invited(Now):
    """The same bot, which leaves it to its source to draw that."""

    def invited(self, options: Options) -> int:
        """As often as it says something."""
        return self.share

    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        """It always does."""
        type(self).asked += 1
        return self.say(standing, chance)


class Seldom(Invited):
    """A bot that speaks still less often."""

    share = 5


class OnTurn(Now):
    """It speaks at the seat alone whose turn it is, and draws that by itself."""

    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        """Nothing at the others."""
        said = super().interject(view, standing, chance)
        return said if isinstance(view.game, Shouts) and view.seat == view.game.seat else None


class OnTurnAlone(OnTurn):
    """The same bot, which says at which seat it is."""

    @staticmethod
    def interjecting(game: Shouts, options: Options) -> Iterable[Seat] | None:
        """Where it is asked."""
        return (game.seat,)


class Mute(Invited):
    """A bot that never wants to be asked."""

    share = 0


def said(bots: list[type[Now]], first: int = 0) -> tuple[Counter[tuple[str, int]], Counter[int]]:
    """How often each seat has done what in many matches, and which seat won them."""
    did, won = Counter[tuple[str, int]](), Counter[int]()
    for seed in range(first, first + MATCHES):
        played = play(Shouts, Shouts.options(), [bot() for bot in bots], seed)
        did.update((str(entry[0]), entry[1]) for entry in played.log if entry[0] in (SAY, INTERJECT))
        won.update(played.outcome.winners)
    return did, won


def alike(one: Counter[object], other: Counter[object]) -> bool:
    """Whether no two counts differ by more than four times what chance makes of them."""
    return all(abs(one[key] - other[key]) <= 4 * (one[key] + other[key] + 1) ** 0.5 for key in one | other)


@pytest.mark.parametrize("share", [1, 6, 50, 99])
def test_so_many_of_a_hundred_are_taken_each_by_itself(share: int) -> None:
    """Of many invitations the share is taken, and whether one is says nothing of the next one."""
    numbers = list(takewhile(lambda number: number <= 200_000, taken(share, 7)))
    assert abs(len(numbers) / 200_000 - share / 100) < 0.005
    next_ones = sum(after == number + 1 for number, after in pairwise(numbers))
    assert abs(next_ones / len(numbers) - share / 100) < 0.04


@pytest.mark.parametrize("after", [0, 1, 4095, 4096, 5000])
def test_one_can_begin_anywhere(after: int) -> None:
    """Whoever goes on in the middle takes the same invitations as who has begun at the first one."""
    whole = list(islice(taken(6, 3), 800))
    there = [number for number in whole if number > after]
    assert list(islice(taken(6, 3, after), len(there))) == there
    assert list(islice(taken(6, 4), 10)) != whole[:10]


def test_it_is_as_if_the_bots_drew_it_themselves() -> None:
    """Each seat shouts, speaks and wins as often, and nobody is asked in vain."""
    Now.asked = Invited.asked = 0
    (drew, wins), (invited, won) = said([Now] * 3), said([Invited] * 3, MATCHES)
    assert invited.total() > 2000
    assert alike(Counter(drew), Counter(invited))
    assert alike(Counter(wins), Counter(won))
    assert Invited.asked == invited.total() < Now.asked / 4


def test_who_says_where_it_may_speak_is_asked_there_alone() -> None:
    """The matches are the same, entry by entry, and the other seats are not asked."""
    OnTurn.asked = OnTurnAlone.asked = 0
    for seed in range(10):
        every, one = (play(Shouts, Shouts.options(), [bot()] * 3, seed).log for bot in (OnTurn, OnTurnAlone))
        assert every == one
    assert OnTurn.asked > 2.5 * OnTurnAlone.asked


def test_each_bot_is_asked_as_often_as_it_wants() -> None:
    """Beside a bot that wants more invitations, or all of them, another gets no more than its own share."""
    for others in (Invited, Now):
        did, _ = said([others, Seldom, Mute])
        by_seat = Counter[int]()
        for (_, seat), number in did.items():
            by_seat[seat] += number
        assert 0.15 < by_seat[1] / by_seat[0] < 0.35
        assert not by_seat[2]


def test_a_copy_speaks_as_the_match_would_have() -> None:
    """A clone in the middle of a quiet time goes on with the same words; played on anew, with others."""
    match = Simulation(Shouts, 3, seed=5, bots={1: Invited(), 2: Seldom()})
    while match.outcome is None:
        copy = match.clone()
        for one in (match, copy):
            one.step(one.legal()[0])
        assert copy.digest() == match.digest()
    ends = {
        str([copy.rollout([RandomBot(), Invited(), Seldom()], Chance(seed)), copy.game.heard_of])
        for seed in (1, 1, 2, 3, 4, 5)
        for copy in [Simulation(Shouts, 3, seed=5)]
    }
    assert 2 < len(ends) < 6


def test_a_match_of_bots_that_was_cut_off_goes_on_with_the_same_words() -> None:
    """After any entry the file says what was said until then, and the rest is as it would have been."""
    bots = [Invited(), Seldom(), Invited()]
    whole = play(Shouts, Shouts.options(), bots, 4).log
    assert sum(entry[0] in (SAY, INTERJECT) for entry in whole) > 3
    for at in range(len(whole)):
        new: list[object] = []
        source = ResumeSource(4, bots, new.append, whole[:at])
        match = new_match(Shouts, Terms(("A", "B", "C"), Shouts.options()), source)
        match.run()
        assert new == whole[at:]


@pytest.mark.parametrize("bot", [Invited, Mute])
def test_where_people_play_it_is_drawn_at_each_invitation(bot: type[Invited]) -> None:
    """Bots are asked when a question opens, in as many of a hundred cases; a mute one never."""
    bot.asked = questions = 0
    for seed in range(60):
        source = OpenSource(seed, [bot(), None], hold=True)
        match = new_match(Shouts, Terms(("A", "B"), Shouts.options(), 0), source)
        match.run()
        while not match.over:
            questions += 1
            ask = source.open[0]
            source.let_bot_answer(ask, RandomBot())
            match.run()
    assert 0.6 * bot.share <= 100 * bot.asked / questions <= 1.6 * bot.share
