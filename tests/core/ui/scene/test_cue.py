"""Verdicts on the board: the bearer's number has moved, and games that stamp nothing have some, too."""

from __future__ import annotations

import pytest
from tests.core.ui.scene.moments import drawn, moments, text_of
from tests.core.ui.tui.playing import session
from tests.core.ui.virtual_time import run

from tavolata import Seat
from tavolata._engine.match.header import Header
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage.match_file import read
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.cue import Verdicts
from tavolata._ui.scene.scene import Scene
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.messages import Event
from tavolata.zones import Show, Zone, tokens_zone


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.mark.battery
@pytest.mark.parametrize("game", ["conto", "zompa", "bang"])
def test_stage_check_7_the_number_has_moved_when_the_stamp_falls(game: str) -> None:
    """Whoever bears a stamp has a number that changed; the words and the number are on the board."""
    seen = 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal seen
        cue = scene.cue
        if cue is None or not cue.stamp or cue.dim:
            return
        seen += 1
        assert cue.seat is not None
        assert cue.delta
        panel = next(one for one in scene.panels if one.seat == cue.seat)
        assert panel.main is not None
        assert cue.number == panel.main.number
        frame = "\n".join(text_of(drawn(scene, (120, 36)))) if scene.end is None else cue.stamp.upper()
        assert "".join(cue.stamp.upper().split()) in "".join(frame.split())

    moments(game, look, questions=30)
    assert seen > 2


@pytest.mark.battery
@pytest.mark.parametrize("questions", [60, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", ["race", "tricks"])
def test_stage_check_8_a_game_that_declares_nothing_has_few_verdicts_and_one_at_its_end(
    game: str, questions: int
) -> None:
    """At most one moment in ten, and the end, if one alone has won."""
    fresh, ends = list[bool](), 0

    def look(model: TableModel, scene: Scene) -> None:
        nonlocal ends
        cue = scene.cue
        outcome = None if model.ended is None else model.ended.outcome
        if outcome is not None and len(outcome.winners) == 1:
            ends += 1
            assert cue is not None
            assert cue.seat == outcome.winners[0]
        elif scene.end is None:
            fresh.append(cue is not None and not cue.dim)

    moments(game, look, questions=questions, whole=True)
    assert ends
    assert len(fresh) >= 10 * sum(fresh)


def told(points: int, **more: str) -> tuple[Event, dict[str, Zone]]:
    rows = [(Seat(0), points), (Seat(1), 5)]
    return Event("x", {}, **more), {"points": tokens_zone("points", "Points", rows, show=Show(goal=50))}  # type: ignore[arg-type]  # a stamp


def test_a_game_that_stamps_nothing_shows_nought_its_goal_and_the_largest_change() -> None:
    verdicts, found = Verdicts(), []
    for points in (3, 4, 6, 9, 11, 12, 30, 50, 0):
        verdicts.note(*told(points), 2, "")
        found.append(
            None if verdicts.now is None else (verdicts.now.seat, verdicts.now.number, verdicts.now.delta)
        )
    assert found == [*[None] * 6, (0, 30, 18), (0, 50, 20), (0, 0, -50)]
    declared = Verdicts()
    declared.declared = True
    for points in (3, 50, 0):
        declared.note(*told(points), 2, "")
        assert declared.now is None


@pytest.mark.battery
@pytest.mark.parametrize("game", ["conto", "bang", "zompa"])
def test_what_decided_a_match_helped_its_winner(game: str) -> None:
    """The winner gained by it, or another lost: a bang of a loser's has decided nothing."""
    seen = 0

    async def play(seed: int) -> TableModel:
        at = session(game, 3, seed=seed, humans=0)
        model = TableModel(at, Translator("en"))
        at.match.look = model.look
        async for update in at.updates():
            model.take(update)
        return model

    for seed in range(12):
        model = run(play(seed))
        assert model.ended is not None
        assert model.ended.outcome is not None
        winners = [*map(int, model.ended.outcome.winners)]
        found = model.verdicts.decisive(model.ended.outcome.winners, model.ended.outcome.scores)
        if found is not None and found.ruling.delta:
            seen += 1
            good = (found.ruling.delta > 0) == (found.ruling.better == "more")
            assert (found.ruling.seat in winners) == good, (seed, found)
    assert seen


@pytest.mark.parametrize("game", ["conto", "bang", "zompa"])
def test_a_resumed_match_has_its_charts_and_what_decided_it(game: str) -> None:
    """All that the file has of a match is counted as it was when it was played."""
    at = session(game, 3, humans=0)

    async def play() -> TableModel:
        model = TableModel(at, Translator("en"))
        at.match.look = model.look
        async for update in at.updates():
            model.take(update)
        return model

    live, again = run(play()), TableModel(at, Translator("en"))
    kept = read(at.match_file)
    replay = Replay(kept, Header.of(kept.header), at.match.rules)
    again.remember(*again.past_of(replay), kept.entries, still=False)
    assert any(len(set(numbers.values())) > 1 for numbers in live.verdicts.series.values())
    assert {seat: [*by.values()] for seat, by in again.verdicts.series.items()} == {
        seat: [*by.values()] for seat, by in live.verdicts.series.items()
    }
    assert live.ended is not None
    assert live.ended.outcome is not None
    outcome = live.ended.outcome
    was, now = (one.verdicts.decisive(outcome.winners, outcome.scores) for one in (live, again))
    assert (was and (was.turn, was.line)) == (now and (now.turn, now.line))
