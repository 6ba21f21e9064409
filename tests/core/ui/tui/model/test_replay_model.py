"""A match that is shown again: the same scenes as when it happened, forward and back, with anybody's eyes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.world import seed_of
from tests.core.engine.review.signed import play
from tests.core.ui.scene.moments import answer
from tests.core.ui.tui.playing import session
from tests.core.ui.virtual_time import run

from tavolata import N_, Game, Options, Outcome, Table, amount
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Asked, Ended, Told, Update, WindowOpened
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.review import replay as replaying
from tavolata._engine.review.replay import ALL, Replay
from tavolata._engine.storage.match_file import read
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.identity import MARKS
from tavolata._ui.scene.scene import RESULT, Scene
from tavolata._ui.scene.text import as_data
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.model.director import Director
from tavolata._ui.tui.model.replay_model import ReplayModel
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.errors import Refused
from tavolata.reaction_times import GOES

VIEWPOINT = Viewpoint("en", "", ())


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def played(game: str, *, questions: int = 1000, **options: Any) -> tuple[list[Any], Path]:
    """Play a match by lot; return the scene of each moment as it was, and the file."""
    chance = random.Random(7)

    async def play() -> tuple[list[Any], Path]:
        at = session(game, 4, pace=0, **options)
        model, happened = TableModel(at, Translator("en")), list[Update]()
        asked_there = TableModel(at, Translator("en"))
        at.match.look = model.look
        asked = 0
        async for update in at.updates():
            happened.append(update)
            asked_there.take(update)
            if isinstance(update, WindowOpened):
                at.drawn(update.window.id)
                if update.window.go is not None and int(update.window.go) in at.people:
                    at.react(update.window.id, int(update.window.go), GOES, 800)
            if isinstance(update, Asked) and update.mine:
                asked += 1
                if asked > questions:
                    break
                answer(asked_there, chance)
        return scenes(model, happened), at._file.path

    return run(play())


def scenes(model: TableModel, happened: list[Update]) -> list[Any]:
    """The scenes that the director shows, in the order of their moments."""
    director, shown, seen = Director(1.0), None, []
    for update in happened:
        if isinstance(update, Told):
            director.add(update)
    while director.waiting:
        moment = director.take()
        model.before, model.marks = shown, ()
        for update in moment.updates:
            assert isinstance(update, Told)
            model.seen = update.seen
            model.take(update)
        shown = model.zones()
        seen.append(told(model.scene(VIEWPOINT, None)))
    for update in happened:
        if isinstance(update, Ended):
            model.before, model.marks = None, ()
            model.take(update)
            seen.append(told(model.scene(VIEWPOINT, None)))
    return seen


def told(scene: Scene) -> Any:
    """A scene as data, without its decision: a replay has a timeline there."""
    data = as_data(scene)
    return {name: part for name, part in data.items() if name != "decision"}


def replay_of(path: Path, game: str) -> ReplayModel:
    """The replay of a file."""
    kept = read(path)
    loaded = Catalogue().game(game)
    replay = Replay(kept, Header.of(kept.header), loaded.game)
    return ReplayModel(replay, Translator("en"), loaded.info.package)


@pytest.mark.parametrize("game", ["conto", "zompa", "jumpy-jack", "bang", "horse-fever"])
def test_a_match_that_has_not_begun_is_shown_in_its_first_turn(game: str) -> None:
    """A game may be asked for its turn before it has prepared anything: every replay begins so."""
    at = session(game)
    at._file.close()  # nobody plays
    assert replay_of(at.match_file, game).turn == 1


@pytest.mark.battery
@pytest.mark.parametrize(
    ("game", "questions"),
    [("conto", 1000), ("zompa", 60), ("jumpy-jack", 1000), ("bang", 40), ("horse-fever", 1000)],
)
def test_check_17_a_replay_shows_the_scenes_that_were_shown(game: str, questions: int) -> None:
    """At each moment the scene of a seat is what it was then, also after going back."""
    then, path = played(game, questions=questions)
    model = replay_of(path, game)
    if questions < 1000:
        model.watch(None)
    model.watch(0)
    assert len(then) >= 20
    shown = []
    for at in range(1, len(then) + 1):
        model.go(at)
        shown.append(told(model.scene(VIEWPOINT)))
    assert shown == then
    for at in (len(then) // 2, 3, len(then) - 4):
        model.go(at)
        assert told(model.scene(VIEWPOINT)) == then[at - 1]


@pytest.mark.battery
def test_the_story_has_cards_in_short_and_the_log_in_words() -> None:
    """Stage's check 21: `K♣` stands on the screen, "king of clubs" in plain text."""
    _, path = played("conto", questions=60)
    model = replay_of(path, "conto")
    model.go(model.last)
    story = [note.text for note in model.table.notes]
    view = model.table.view()
    assert view is not None
    log = [model.words.event(one, view) for one in view.events]
    assert any(sign in line for line in story for sign in "♣♦♥♠")
    assert not any(" of clubs" in line or " of hearts" in line for line in story)
    assert any(" of clubs" in line for line in log)


@pytest.mark.battery
@pytest.mark.parametrize(
    ("game", "whole", "short"),
    [
        ("zompa", " of (coppe|denari|spade|bastoni)", f" [{MARKS}] "),
        ("jumpy-jack", r"\([A-Z]\)", r"\b[YKRGB]\b"),
    ],
)
def test_the_story_has_seats_and_things_in_short(game: str, whole: str, short: str) -> None:
    """Horses are the letters of their lanes, Italian cards their corners, and seats have their marks."""
    _, path = played(game, questions=30)
    model = replay_of(path, game)
    model.go(model.last)
    story = [note.text for note in model.table.notes if note.role != RESULT]
    view = model.table.view()
    assert view is not None
    log = [model.words.event(one, view) for one in view.events]
    assert any(re.search(whole, line) for line in log)
    assert [line for line in story if re.search(whole, line)] == []
    assert any(re.search(short, line) for line in story)


def test_a_timeline_leads_from_one_great_moment_to_the_next() -> None:
    """Turns and great moments are reached forward and back, the ends too; numbers stay in range."""
    _, path = played("conto")
    model = replay_of(path, "conto")
    model.to_peak(1)
    first = model.at
    assert first in [at for at, _ in model.peaks()]
    model.to_peak(1)
    assert model.at > first
    model.to_peak(-1)
    assert model.at == first
    model.to_turn(2)
    assert model.turn == 2
    model.to_turn(model.turns + 5)
    assert model.at == model.last
    assert model.scene(VIEWPOINT).end is not None
    model.go(-3)
    assert model.at == 0
    assert model.scene(VIEWPOINT).decision.text == "The match begins."


@pytest.mark.battery
def test_all_hands_open_at_the_same_moment() -> None:
    """With all hands open one stays where one is, and sees cards that a spectator does not see."""
    _, path = played("conto")
    model = replay_of(path, "conto")
    model.to_turn(3)

    def faces() -> int:
        values = [value for panel in model.scene(VIEWPOINT).panels for value in panel.more]
        return sum(len(value.cards) for value in values)

    before, turn = faces(), model.turn
    model.watch(ALL)
    assert model.turn == turn
    assert faces() > before


class Whisper(Game[Options]):
    """Each seat is told a word of its own; then all is over."""

    name, title, seats = "whisper", N_("Whisper"), (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[Options]) -> Outcome:
        for seat in t.ring:
            t.tell(N_("A word for {seat}."), only=[seat], seat=seat)
        t.tell(N_("All have heard their word."))
        await t.ask(t.first_seat, amount(0, 1), N_("How many?"))
        return Outcome(tuple(t.ring))


def test_what_was_told_to_one_seat_is_shown_with_its_eyes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another seat does not see it, nor who looks on."""
    monkeypatch.setattr(replaying, "own_seed", lambda _: seed_of(1))
    _, kept = play(Whisper, (1, 2))
    replay = Replay(kept, Header.of(kept.header), Whisper)

    def told_to(eyes: int | None) -> set[tuple[int, ...]]:
        model = ReplayModel(replay, Translator("en"), "tavolata", eyes)
        told = [one for moment in model._moments for one in moment.updates if isinstance(one, Told)]
        return {tuple(one.event.to) for one in told if one.event.to is not None}

    assert [told_to(eyes) for eyes in (None, 0)] == [set(), {(0,)}]


def test_hands_of_a_match_that_goes_on_stay_closed() -> None:
    """What a seat of a bot holds can't be seen while the match is not over."""
    _, path = played("conto", questions=3)
    model = replay_of(path, "conto")
    with pytest.raises(Refused, match="when the match is over"):
        model.watch(2)
    assert model.seat is None


@pytest.mark.battery
def test_watching_again_begins_where_the_match_was_decided() -> None:
    """The ending names a turn; the replay begins with its first moment, and at the beginning without one."""
    seen = set[bool]()
    for game in ("conto", "bang"):
        _, path = played(game)
        model = replay_of(path, game)
        model.to_decisive()
        at = model.at
        model.go(model.last)
        end = model.scene(VIEWPOINT).end
        assert end is not None
        model.go(at)
        seen.add(end.decisive is not None)
        if end.decisive is None:
            assert at == 0
        else:
            assert model.turn == end.decisive.turn
            model.go(at - 1)
            assert model.turn < end.decisive.turn or at == 1
    assert True in seen
