"""Hindsight: what a thinker says of decisions, from what their seat could know then."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.engine.dealing.world import World, seed_of
from tests.core.engine.review.signed import play
from tests.core.games import Counting, Tricks

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.entries import ANSWER, UNDONE, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.search import Thought, WorldSearch
from tavolata._engine.review import replay as replaying
from tavolata._engine.review.hindsight import Hindsight
from tavolata._engine.review.replay import Replay
from tavolata._engine.thinking.thinker import thinker


@pytest.mark.battery
def test_a_decision_without_time_for_any_answer_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then there is nothing to say of it, and the thinker does not begin again."""

    def out_of_time(search: WorldSearch) -> Thought:
        begun.append(search)
        return Thought((), 0)

    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(replaying, "own_seed", lambda _: seed_of(1))
    _, kept = play(Tricks, (1, 2))
    hindsight = Hindsight(Replay(kept, Header.of(kept.header), Tricks), (0,))
    hindsight.stand_before(hindsight.decisions[0])
    begun: list[WorldSearch] = []
    monkeypatch.setattr(WorldSearch, "halved", out_of_time)
    assert hindsight.judge(hindsight.decisions[0], thinker({}), 1) is None
    assert len(begun) == 1


@pytest.mark.battery
def test_of_a_fair_match_the_own_seat_is_judged_by_its_own_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sealed bid and the card it chose are judged, with its hand known and the other's not."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(replaying, "own_seed", lambda _: seed_of(1))
    _, kept = play(Tricks, (1, 2))
    replay = Replay(kept, Header.of(kept.header), Tricks)
    assert replay.own_seats() == (0,)
    hindsight = Hindsight(replay, (0,))
    found = []
    for decision in hindsight.decisions:
        view, ask = hindsight.stand_before(decision)
        game = replay.match.game
        assert isinstance(game, Tricks)
        mine, theirs = ([view.face(card) for card in hand.cards] for hand in game.hands)
        assert None not in mine
        assert set(theirs) == {None}
        verdict = hindsight.judge(decision, thinker({}), 0, playouts=30)
        assert verdict is not None
        assert verdict.played is not None
        found.append((decision.turn, ask.sealed, decision.played, verdict.best[0].number, verdict.missed))
    assert found == [
        (1, True, 2, 2, False),
        (2, False, 4, 4, False),
        (3, False, 1, 1, False),
        (4, False, 0, 0, False),
    ]


def test_an_answer_that_was_undone_when_somebody_left_is_no_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one whose yes is missing leaves, so what the others wanted undone isn't judged."""

    def thinks(_: int, entry: MatchEntry) -> list[MatchEntry]:
        return [] if entry[:2] == (ANSWER, 1) else [entry]

    def script(world: World) -> None:
        source = world.peers[1].source
        while not any(ask.seat == 1 for ask in source.open):
            world.round()
        (ask,) = source.open
        for party in (1, 3):
            world.say((UNDONE, party - 1, ask.id - 1, True), party)
        world.leave(2, OwnWord.LEFT)
        assert world.peers[1].match.undone == 1

    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(replaying, "own_seed", lambda _: seed_of(1))
    _, kept = play(Counting, (1, 2, 3), thinks, script=script)
    assert len([entry for entry in kept.entries if entry[0] == ANSWER]) == 1
    assert Hindsight(Replay(kept, Header.of(kept.header), Counting), (0,)).decisions == []
