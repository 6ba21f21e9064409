"""Bots that want some invitations to interject and not the others: how often they are asked, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice, pairwise, takewhile

import pytest
from tests.core.games import Shouts

from tavolata import Options, Question, Seat, View
from tavolata._engine.match.entries import INTERJECT, SAY
from tavolata._engine.match.invitations import taken
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Chance, ChatMessage, Interject, RandomBot
from tavolata.sim import Simulation

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
