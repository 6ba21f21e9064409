"""Windows in a match that is broken off in one of them: taken up or followed, it stands where it stood."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.match.races import Race

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import NUMBER, QUIET, REACT, TIMEOUT, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import BotFault, OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import GO_ON, Chance, RandomBot, Reflex
from tavolata.errors import Diverged
from tavolata.options import Options
from tavolata.reaction_times import FLOOR, GOES
from tavolata.ring import SEATS
from tavolata.table import HASTY

TERMS = Terms(("A", "B", "C"), Options())


def people(goes: bool) -> tuple[type[Race], list[MatchEntry]]:
    """A match of three people in one process who react at random, and its log."""

    class Here(Race):
        rounds = 6

    Here.goes = goes
    log: list[MatchEntry] = []
    source = OpenSource(1, [None] * 3, log.append, hold=True)
    match = new_match(Here, TERMS, source, lambda _: None)
    chance = Chance(3)
    match.run()
    while not match.over:
        window = source.window
        assert window is not None
        fast = [seat for seat in range(3) if window.may(seat)]
        if fast and (not window.claims or chance.percent(50)):
            seat = chance.pick(fast)
            answer = GOES if window.go == seat and chance.percent(50) else 0
            match.feed((REACT, seat, window.id, answer, 100 + chance.below(900)))
        elif window.claims and chance.percent(80):
            match.feed((QUIET, 0, window.id, int(window.order()[0]), 0, 0))
        elif window.claims or window.seconds is not None:
            match.feed((TIMEOUT, window.id))
    return Here, log


def standing(match: Match) -> Any:
    """All that a window says, and the state beside it."""
    window = None if match.over else match.source.window
    said = None if window is None else (
        window.id, {int(seat): (claim.answer, claim.milliseconds) for seat, claim in window.claims.items()}
    )  # fmt: skip
    return match.state(), said


@pytest.mark.parametrize("goes", [False, True])
def test_broken_off_anywhere_it_is_taken_up_where_it_stood(goes: bool) -> None:
    """After each entry: resumed from its file, and followed by who has the log only, it is the same."""
    rules, log = people(goes)
    ends = followed(rules, log)
    for at in range(1, len(log) + 1):
        new: list[MatchEntry] = []
        source = ResumeSource(1, [None] * 3, new.append, log[:at], hold=True)
        resumed = new_match(rules, TERMS, source, lambda _: None)
        resumed.run()
        assert standing(resumed) == standing(followed(rules, [*log[:at], *new]))
        for entry in log[at + len(new) :]:
            if entry[0] != NUMBER:  # chance comes from the seed again
                source.feed(entry)
                resumed.run()
        assert log[at:] == new
        assert standing(resumed) == standing(ends)


def followed(rules: type[Race], log: list[MatchEntry]) -> Match:
    """The match that a log makes on a machine that has nothing else."""
    match = new_match(rules, TERMS, LogSource(3, OneDealer(), log), lambda _: None)
    match.run()
    return match


def test_a_file_that_does_not_belong_to_its_rules_is_named() -> None:
    """Where a window is open and the file has something else, that is said."""
    rules, log = people(goes=False)
    at = next(number for number, entry in enumerate(log) if entry[0] == REACT)
    source = ResumeSource(1, [None] * 3, lambda _: None, [*log[:at], (0, 0, 0)], hold=True)
    with pytest.raises(Diverged, match="about no window"):
        new_match(rules, TERMS, source, lambda _: None).run()


class Odd(RandomBot):
    """It does what nobody can."""

    does: Any = None

    def react(self, *_: Any) -> Reflex | None:
        """What the test wants."""
        found: Reflex | None = self.does
        return found


HALF: Any = 0.5


@pytest.mark.parametrize(
    "does",
    [Reflex(7, 300), Reflex(GO_ON, 300), Reflex(1, -1), Reflex(1, HALF), Reflex(1, True), (1, 300), 5],
)
def test_a_bot_that_reacts_in_a_way_that_can_not_be_is_named(does: Any) -> None:
    """A choice that is none, a move that is not its, a time that is none: exit code 8 with the seat."""
    bots = [RandomBot(), Odd(), RandomBot()]
    bots[1].does = does  # type: ignore[attr-defined]
    match = new_match(Race, TERMS, OpenSource(1, bots, lambda _: None), lambda _: None)
    with pytest.raises(BotFault, match="The bot at seat 2"):
        match.run()


def test_a_bot_below_the_floor_is_no_liar() -> None:
    """Its time counts as the floor, as it is promised to who writes bots; so it is neither cut nor named."""
    bots = [RandomBot(), Odd(), RandomBot()]
    bots[1].does = Reflex(True, 1)  # type: ignore[attr-defined]
    match = new_match(Race, TERMS, OpenSource(1, bots, lambda _: None), lambda _: None)
    match.run()
    assert (match.game.winners, match.game.times) == ([1] * 3, [FLOOR] * 3)  # type: ignore[attr-defined]
    assert not [event for event in match.events if event.message == HASTY]


def test_a_bot_that_never_goes_on_is_gone_on_for() -> None:
    """Whose move it is goes on at last, whatever its bot says; a window with a time ends by itself."""

    class Here(Race):
        goes = True

    for rules in (Here, Race):
        log: list[MatchEntry] = []
        match = new_match(rules, TERMS, OpenSource(1, [Odd(), Odd(), Odd()], log.append), lambda _: None)
        match.run()
        assert match.game.winners == [-1, -1, -1]  # type: ignore[attr-defined]
        assert any(entry[0] == TIMEOUT for entry in log) == (rules is Race)


@pytest.mark.parametrize(
    ("times", "named"),
    [
        ([1, 1, 1], 1),
        ([1] * 7, 2),
        ([1, *[400] * 12, 1, *[400] * 12, 1], 0),
        ([400] * 40, 0),
        ([1, 400, 1, 400, 1], 1),
    ],
)
def test_who_claims_too_much_again_and_again_is_named(times: list[int], named: int) -> None:
    """Three claims close together that can't have been; one now and then is an uneven line, and forgotten."""

    class Here(Race):
        rounds = len(times)

    source = OpenSource(1, [None] * 3, lambda _: None, hold=True)
    match = new_match(Here, TERMS, source, lambda _: None)
    match.run()
    for taken in times:
        window = source.window
        assert window is not None
        match.feed((REACT, 1, window.id, 0, taken))
        match.feed((QUIET, 1, window.id, 1, 0, 0))
    assert match.over
    assert [event.params for event in match.events if event.message == HASTY] == [{"seat": SEATS[1]}] * named
