"""Tests of the open floor: talk and interjections until all are done."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.games import Market

from tavolata import Ask, Game, Question, View
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, INTERJECT, TIMEOUT
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.updates import Asked, Closed, Update
from tavolata._engine.match.worlds import new_match
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.answers import prompt_of
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.bots import Bot, Chance, ChatMessage, Interject, RandomBot
from tavolata.errors import Refused
from tavolata.table import ROUNDS
from tavolata.testing.cases import Case
from tavolata.testing.checks import ALL
from tavolata.testing.recording import Recorded, follow, play, terms_of


class Giver(RandomBot):
    """Gives a coin whenever it can; its seat alone has any in the end, or it goes round."""

    interjects = True

    def interject(
        self, view: View[Any], standing: Mapping[str, Question[Any]], chance: Chance
    ) -> Interject | ChatMessage | None:
        game: Game[Any] = view.game
        assert isinstance(game, Market)
        if "give" in standing and game.coins[view.seat or 0].value > 1:
            return Interject("give", standing["give"].nth(0))
        return None


class Restless(RandomBot):
    """Always gives a coin."""

    interjects = True

    def interject(
        self, view: View[Any], standing: Mapping[str, Question[Any]], chance: Chance
    ) -> Interject | ChatMessage | None:
        return Interject("give", standing["give"].nth(0)) if "give" in standing else None


def people(seats: int) -> tuple[Match[OpenSource], list[Any]]:
    """A match of people at their open floor."""
    log: list[Any] = []
    source = OpenSource(1, [None] * seats, log.append)
    match = new_match(Market, terms_of(Case(Market, seats, {}, 1)), source, lambda _: None)
    match.run()
    return match, log


def give(match: Match[Any], seat: int) -> Any:
    """The interjection of a seat that gives a coin."""
    return match.interjection(seat, "give", match.table.ring.after(seat))


@pytest.mark.parametrize("check", ALL, ids=str)
def test_a_game_with_an_open_floor_passes_the_battery(check: Any) -> None:
    """Also resumed at every entry, interrupted at random, and followed by all seats."""
    check(Market, matches=3)


def test_the_floor_closes_when_all_are_done() -> None:
    """Each seat is asked, all at once, and the last one that is done closes it."""
    match, _ = people(3)
    assert [ask.seat for ask in match.source.open] == [0, 1, 2]
    for ask in list(match.source.open):
        assert match.table.turn == 0
        match.feed((ANSWER, int(ask.seat), ask.id, 0))
    assert match.table.turn == 1


def test_an_interjection_takes_back_what_all_said() -> None:
    """Who was done is asked anew, and a key for the floor as it was before counts for nothing."""
    match, log = people(2)
    first, second = match.source.open
    match.feed((ANSWER, 0, first.id, 0))
    assert match.source.open == [second]
    match.feed(give(match, 1))
    assert [ask.seat for ask in match.source.open] == [0, 1]
    with pytest.raises(Refused, match="closed"):
        match.feed((ANSWER, 1, second.id, 0))
    copy = new_match(Market, match.terms, LogSource(2, OneDealer(), log))
    copy.run()
    assert copy.digest() == match.digest()
    assert not copy.source.voids


def test_two_interjections_at_once_are_two_rounds_everywhere() -> None:
    """Fed one after the other before the match goes on, they lead to the same questions as one by one."""
    match, log = people(2)
    for seat in (0, 1):
        match.source.feed(give(match, seat))
    match.run()
    copy = new_match(Market, match.terms, LogSource(2, OneDealer(), log))
    copy.run()
    assert [ask.id for ask in copy.source.open] == [ask.id for ask in match.source.open]
    assert copy.digest() == match.digest()


def test_bots_are_asked_until_they_do_nothing() -> None:
    """Bots that give what they have too much of come to rest, and then the floor closes."""
    kept = play(Case(Market, 2, {}, 3, (Giver,)))
    given = [entry for entry in kept.log if entry[0] == INTERJECT]
    assert given
    assert kept.match.over


def test_a_floor_without_rest_closes_after_a_hundred_rounds() -> None:
    """Bots that always do something can't keep a match open."""
    kept = play(Case(Market, 2, {}, 3, (Restless,)))
    assert len([entry for entry in kept.log if entry[0] == INTERJECT]) == 2 * ROUNDS
    assert kept.match.over


@pytest.mark.parametrize("bot", [Giver, Restless])
def test_a_match_that_was_stopped_at_the_floor_goes_on(bot: type[Bot]) -> None:
    """Resumed after any entry, bots go on as if nothing had happened."""
    whole = play(Case(Market, 2, {}, 3, (bot,)))
    for at in range(0, len(whole.log), 7):
        again = Recorded(whole.case, log=whole.log[:at])
        follow(again, ResumeSource(3, list(whole.case.players()), again.record, whole.log[:at]))
        assert again.log == whole.log


def test_who_has_no_time_left_is_done() -> None:
    """A floor with a time closes although nobody says anything."""

    class Hurried(Market):
        async def turn(self, t: Any) -> Any:
            await t.open_floor("Trade.", "Everyone trades.", seconds=5)
            return await super().turn(t)

    match = new_match(Hurried, terms_of(Case(Hurried, 2, {}, 1)), OpenSource(1, [None] * 2, lambda _: None))
    match.run()
    asks: list[Ask[Any]] = list(match.source.open)
    assert [ask.seconds for ask in asks] == [5, 5]
    for ask in asks:
        match.feed((TIMEOUT, ask.id))
    assert [ask.seconds for ask in match.source.open] == [None, None]


def test_machines_agree_on_an_open_floor() -> None:
    """Dealt together, with an interjection between the keys of two players: one state for all."""
    world = World(Market, (1, 2, 3))
    while not world.peers[1].source.open:
        world.round()
    ask = world.peers[1].source.open[0]
    world.say((ANSWER, 0, ask.id, 0), 1)
    world.say(give(world.peers[2].match, 1), 2)
    world.say((ANSWER, 1, ask.id + 1, 0), 2)  # of the floor before
    assert len(world.digests) == 1
    assert [one.seat for one in world.peers[1].source.open] == [0, 1, 2]
    world.play()
    assert world.ended()
    assert len(world.digests) == 1


def test_one_seat_alone_may_close_it() -> None:
    """`until` names the only seat that is asked."""
    match, _ = people(2)
    for _ in range(2):
        for ask in list(match.source.open):
            match.feed((ANSWER, int(ask.seat), ask.id, 0))
    assert [ask.seat for ask in match.source.open] == [match.table.first_seat]


def test_a_session_closes_the_keys_of_the_floor_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People at one process: an interjection closes each question without a word of time, and asks anew."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    header = Header("00", Market.name, "1", Market.rules_id, {}, ("A", "B", "C"), (None, None, None), seed=1)
    at = LocalSession(header, Market, "tests", [None, None, None])
    told: list[Update] = []

    async def listen() -> None:
        async for update in at.updates():
            told.append(update)
            asked = [one.ask for one in told if isinstance(one, Asked)]
            if isinstance(update, Asked) and len(asked) == 3:
                at.answer(asked[0], 0)
                at.interject(1, "give", at.match.table.ring[2])
                with pytest.raises(Refused, match="closed"):
                    at.answer(asked[1], 0)
            elif isinstance(update, Asked) and len(asked) > 3:
                at.answer(update.ask, 0)

    asyncio.run(asyncio.wait_for(listen(), 20))
    closed = [one for one in told if isinstance(one, Closed)]
    assert [(int(one.ask.seat), one.late) for one in closed] == [(1, False), (2, False)]
    assert at.match.over


def test_people_read_what_to_do_and_which_key_says_done() -> None:
    """Lines and screens show the prompt of the rules, and "Done" as what the key does."""
    match, _ = people(2)
    ask = match.source.open[0]
    assert prompt_of(ask, Words(Translator("en"), "tests", ()), match.view(0)) == "Trade. Done (Enter)"
