"""Changes are marked long enough to be seen: alone, and over whole matches that are shown at a pace."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from tests.commit import a_part
from tests.core.ui.scene.moments import ENOUGH, GAMES, UNDECLARED, answer, drawn, seat, text_of
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Asked, Told, Update, WindowOpened
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.scene import Scene
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.model.director import PACES, Director
from tavolata._ui.tui.model.marking import Changes, Marking
from tavolata._ui.tui.model.table_model import Glance, TableModel
from tavolata.reaction_times import GOES
from tavolata.ring import Seat
from tavolata.zones import Zone, tokens_zone

THINK = 0.8
"""Seconds for which a bot thinks when somebody watches at a terminal."""


MANY = 200


@pytest.fixture(params=[ENOUGH, pytest.param(MANY, marks=pytest.mark.long)], ids=["some", "many"])
def questions(request: pytest.FixtureRequest) -> int:
    """How many questions of a match are answered."""
    return int(request.param)


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def said_in(told: Sequence[Told]) -> str:
    """The first sentence of a moment."""
    seen = told[0].seen
    return seen.line if isinstance(seen, Glance) else ""


class Shown:
    """What somebody sees of a match of five bots at a pace, in virtual time.

    Args:
        game: the game.
        pace: the name of the pace.
        think: the seconds for which a bot thinks.
        drawing: the seconds that this machine takes to draw a moment.
        people: how many of them are people, who answer by lot as soon as they are asked.
        questions: how many questions they answer.

    Attributes:
        scenes: each scene with the time at which it was drawn.
        late: how late the oldest event of each moment was.
        moments: for how long each moment is shown if nothing is late, and its first sentence.
        opened: when windows opened, which take all marks off the table.
    """

    def __init__(
        self, game: str, pace: str, *, think: float = THINK, drawing: float = 0.02, seed: int = 7,
        people: int = 0, questions: int = 10,
    ) -> None:  # fmt: skip
        self.scenes: list[tuple[float, Scene]] = []
        self.late: list[float] = []
        self.moments: list[tuple[float, str]] = []
        self.opened: list[float] = []
        self._pace, self._drawing, self._questions = PACES[pace], drawing, questions
        self._chance = random.Random(seed)
        self._at = seat(game, 5, seed, humans=people)
        self._at._think = think
        self._game = game
        run(self._play())

    async def _play(self) -> None:
        loop = asyncio.get_running_loop()
        model = TableModel(self._at, Translator("en"))
        director, calm = Director(self._pace, loop.time), Director(self._pace, loop.time)
        marking = Marking(model, director)
        arrived: dict[int, float] = {}
        self._at.match.look = model.look

        async def show(updates: Sequence[Update]) -> None:
            told = [update for update in updates if isinstance(update, Told)]
            self.late += [loop.time() - arrived[id(update)] for update in told[:1]]
            before = model.before
            marking.take(updates)
            marking.mark(updates)
            fresh = bool(told) or (model.before is not None and model.before is not before)
            if told:
                calm.waiting.extend((update, loop.time()) for update in told)
                self.moments.append((calm.seconds(calm.take()), said_in(told)))
            if fresh and not director.hurries:
                self.scenes.append((loop.time(), model.scene(Viewpoint("en", self._game, ()), None)))
                await asyncio.sleep(self._drawing)
            for update in updates:
                if isinstance(update, WindowOpened):
                    self.opened.append(loop.time())
                    self._react(update)
                if isinstance(update, Asked) and update.mine and model.question() and self._questions >= 0:
                    self._questions -= 1
                    answer(model, self._chance)

        async def follow() -> None:
            async for update in self._at.updates():
                arrived[id(update)] = loop.time()
                kept.append(update)
                director.add(update)
                if self._questions < 0:
                    break
            director.end(ended=True)

        kept: list[Update] = []
        follower = asyncio.create_task(follow())
        await director.tell(show)
        await follower

    def _react(self, opened: WindowOpened) -> None:
        self._questions -= 1
        window = opened.window
        self._at.drawn(window.id)
        if window.go is not None and int(window.go) in self._at.people:
            self._at.react(window.id, int(window.go), GOES, 800)


def numbers(scene: Scene) -> dict[tuple[int, str], tuple[int | None, int | None]]:
    """Every counter of every seat and its change, by seat and zone; cards are counted otherwise."""
    return {
        (panel.seat, value.zone): (value.number, value.delta)
        for panel in scene.panels
        for value in (panel.main, *panel.more)
        if value is not None and value.draw not in ("backs", "cards")
    }


def zone(number: int, name: str = "points") -> Zone:
    """A zone with a number for one seat."""
    return tokens_zone(name, "Points", [(Seat(0), number)])


def test_changes_that_follow_fast_add_up_to_one_mark() -> None:
    """Within 0.8 s a zone is compared with what it was before all changes; then with the last one."""
    changes = Changes()
    assert changes.before({"a": zone(1)}, 0.0, 1.0) == {"a": zone(1)}
    assert changes.before({"a": zone(2)}, 1.0, 1.0) == {"a": zone(1)}
    assert changes.before({"a": zone(2), "b": zone(1)}, 1.5, 1.0) == {"a": zone(1)}
    assert changes.before({"a": zone(4), "b": zone(1)}, 1.7, 1.0) == {"a": zone(1)}
    assert changes.before({"a": zone(4), "b": zone(1)}, 2.6, 1.0) == {"a": zone(4), "b": zone(1)}
    assert changes.before({"a": zone(5)}, 3.0, 0.5) == {"a": zone(4)}
    assert changes.before({"a": zone(5)}, 3.41, 0.5) == {"a": zone(5)}


def test_what_was_taken_off_the_table_is_marked_no_more() -> None:
    """Cards laid by a quick hand, each within 0.8 s, were marked after a bang as "14, 14 more"."""
    changes = Changes()
    changes.before({"a": zone(0)}, 0.0, 1.0)
    assert changes.before({"a": zone(18)}, 0.5, 1.0) == {"a": zone(0)}
    changes.forget()
    assert changes.before({"a": zone(17)}, 1.0, 1.0) == {"a": zone(18)}
    changes.forget()
    assert changes.before({"a": zone(17)}, 1.5, 1.0) == {"a": zone(17)}


@pytest.mark.battery
@pytest.mark.parametrize("pace", ["slow", "normal", "quick"])
@pytest.mark.parametrize("game", a_part([*GAMES, "race"], 3))
def test_check_8_every_change_of_a_number_is_marked_long_enough(game: str, pace: str, questions: int) -> None:
    """A changed number is marked for 0.8 s, at the quick pace for 0.4 s, however late, or until a window."""
    shown = Shown(game, pace, people=1, questions=questions)
    least, marked = 0.4 if pace == "quick" else 0.8, 0
    for at, ((_, before), (time, scene)) in enumerate(pairwise(shown.scenes), 2):
        old = numbers(before)
        for key, (number, delta) in numbers(scene).items():
            if number is None or key not in old or old[key][0] == number:
                continue
            marked += 1
            base = number - (delta or 0)
            for later, after in shown.scenes[at - 1 :]:
                if later - time >= least - 1e-6 or any(time <= one <= later for one in shown.opened):
                    break
                now, change = numbers(after)[key]
                assert change or now == base, (number, now, later - time)
    assert marked > 2


def rounds(game: str, seed: int) -> Iterator[list[float]]:
    """The seconds of the moments of each round of the races of a match, if nobody is late."""
    first = {"horse-fever": "Movement card, from", "jumpy-jack": "● Ann throws"}[game]
    shown = Shown(game, "normal", people=1, questions=8, seed=seed)
    racing, seconds = False, list[float]()
    for moment in shown.moments:
        begins = moment[1].startswith(first)
        if begins and racing:
            yield seconds
        if begins:
            racing, seconds = True, []
        seconds.append(moment[0])


@pytest.mark.battery
@pytest.mark.parametrize("game", ["horse-fever", "jumpy-jack"])
def test_check_9_every_round_of_a_race_is_seen(game: str) -> None:
    """A round has three moments or more, and lasts two seconds or more at the normal pace."""
    seen = [*rounds(game, 7), *rounds(game, 8)]
    assert len(seen) > 10
    assert [one for one in seen if len(one) < 3 or sum(one) < 2.0] == []


@pytest.mark.battery
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (160, 50)])
@pytest.mark.parametrize("game", ["horse-fever", "jumpy-jack", "race"])
def test_check_9_a_move_shows_the_old_square_and_the_new_one(
    game: str, size: tuple[int, int], questions: int
) -> None:
    """A frame of every token's move has the way from its old square in its lane, forward or back."""
    forward = back = 0
    for _, scene in Shown(game, "normal", people=1, questions=questions).scenes:
        moved = [lane for item in scene.board for lane in item.lanes if lane.was is not None]
        if not moved:
            continue
        rows = text_of(drawn(scene, size))
        if size == (60, 20) and game == "horse-fever":  # two columns of lanes, each with its letter
            rows = [part for row in rows for part in (row[:30], row[30:])]
        for lane in moved:
            names = {lane.text.split(" (")[0][:8], lane.letter}
            own = [
                row + (below if below[:8].isspace() else "") for row, below in pairwise([*rows, ""])
                if row.strip().startswith((*names,)) or f" {lane.letter} " in row
            ]  # fmt: skip
            assert [row for row in own if "╍" in row], (lane, rows)
            forward += lane.square is not None and lane.square > (lane.was or 0)
            back += lane.square is None or lane.square < (lane.was or 0)
    assert forward
    assert back or game != "jumpy-jack" or questions < MANY


@pytest.mark.battery
@pytest.mark.parametrize("game", a_part([*GAMES, *UNDECLARED], 2))
@pytest.mark.parametrize(
    "pace", ["quick", *(pytest.param(pace, marks=pytest.mark.long) for pace in ("slow", "normal"))]
)
def test_check_10_what_is_shown_of_a_match_of_five_bots_is_never_late(game: str, pace: str) -> None:
    """A whole match happens at once, and a slow machine draws each moment in 0.2 s: nothing is 15 s late."""
    shown = Shown(game, pace, drawing=0.2)
    assert ("", "turn 0") not in shown.scenes[-1][1].status.facts or game == "bang"
    assert max(shown.late) <= 15.0
    with_somebody = Shown(game, pace, drawing=0.2, people=1)
    assert max(with_somebody.late) <= 15.0
