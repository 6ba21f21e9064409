"""Home leads to commands, by keys and by the mouse, at any size."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import pytest
from textual.pilot import Pilot

from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import GameChoices, MatchPlan
from tavolata._ui.tui.model.home_model import FoundFacts, GameFacts, HomeFacts
from tavolata._ui.tui.screens.frame import Left, Looks
from tavolata._ui.tui.screens.home_app import HomeApp
from tavolata.options import Options, Problem, option
from tavolata.teams import Teams


class Mode(Enum):
    """The two games in one box."""

    OLD = "old"
    NEW = "new"


@dataclass(frozen=True, kw_only=True)
class RaceOptions(Options):
    """House rules, one of which depends on the mode."""

    mode: Mode = option(Mode.OLD, "Which game.")
    laps: int = option(3, "How many laps.", low=1, high=9)
    mud: bool = option(False, "Mud.", when={"mode": Mode.NEW})

    def problems(self, seats: int, teams: int) -> list[Problem]:
        """Two can't run nine laps."""
        return [Problem("laps", "Too far for {n}.", n=seats)] if self.laps == 9 and seats < 3 else []


RACE = GameChoices(
    "race", (2, 6), 4, ["easy", "hard"], guided=True, teams=Teams((2,)), options=RaceOptions
)  # fmt: skip
NOD = GameChoices("nod", (1, 2), 2, ["easy"])
FACTS = HomeFacts(
    games=[GameFacts("nod", "Nod", (1, 2), "Nod."), GameFacts("race", "Race", (2, 6), "Run.")],
    waiting=[("abc", "race with Ann")],
    choices=lambda name: {"nod": NOD, "race": RACE}[name],
    records=lambda: {"race": (5, 2)},
    name="Ann",
    lang="en",
    langs=("en", "it"),
    commands=[("history", "what was")],
)
HERE = ["play", "race", "--seats", "4", "--humans", "1", "--bots", "easy,easy,easy"]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


async def tables() -> AsyncGenerator[Sequence[FoundFacts], None]:
    yield [FoundFacts("Bob: race (192.0.2.7)", "Bob: race", "192.0.2.7")]


async def nothing() -> AsyncGenerator[Sequence[FoundFacts], None]:
    if FACTS.games:
        raise OSError("no network")
    yield []


@contextlib.asynccontextmanager
async def home(
    size: tuple[int, int] = (80, 24), facts: HomeFacts = FACTS, lang: str = "en", **looks: Any
) -> AsyncIterator[tuple[HomeApp, Pilot[Left]]]:
    """The home screen, when a table is found and the record is known."""
    app = HomeApp(Translator(lang), Looks(**looks), facts, tables)
    async with app.run_test(size=size) as pilot:
        while not (app.model.tables and app.model.records):
            await pilot.pause(0.01)
        yield app, pilot


def left_by(app: HomeApp) -> list[str]:
    left = app.return_value or Left()
    return list(left.command or left.setting or ())


def shown_by(app: HomeApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def test_a_bad_name_is_refused_in_a_sentence() -> None:
    """A name that nobody can have isn't saved: the home screen says why, and stays."""

    async def play() -> None:
        async with home() as (app, pilot):
            await pilot.press("n", "@", "enter")
            await pilot.pause()
            assert "A name must have 1 to 24" in shown_by(app)
            assert app.return_value is None
            await pilot.press("n", "a", "enter")
        assert left_by(app) == ["name", "Anna"]

    asyncio.run(play())


WAYS: list[tuple[list[str], list[str]]] = [
    (["2", "enter"], HERE),
    (["2", "plus", "b", "enter"],
     ["play", "race", "--seats", "5", "--humans", "1", "--bots", "hard,hard,hard,hard"]),
    (["2", "minus", "p", "enter"], ["play", "race", "--seats", "3", "--humans", "2", "--bots", "easy"]),
    (["2", "g", "enter"], [*HERE, "--guided"]),
    (["2", "m", "enter"], [*HERE, "--option", "mode=new"]),
    (["2", "o", "2", "enter", "7", "enter", "escape", "enter"], [*HERE, "--option", "laps=7"]),
    (["2", "h", "enter"], ["host", "race"]),
    (["2", "w", "w", "w", "enter"], ["host", "race", "--web"]),
    (["2", "minus", "w", "w", "tab", "space", "enter"],
     ["host", "race", "--bots", "easy", "--code"]),
    (["2", "tab", "down", "right", "space", "u", "enter"], HERE),
    (["2", "tab", "down", "right", "space", "enter"], [*HERE, "--teams", "2"]),
    (["up", "up", "enter"], ["join", "192.0.2.7"]),
    (["up", "enter"], ["resume", "abc"]),
    (["j", "1", "enter"], ["join", "192.0.2.7"]),
    (["j", "2", "enter", "1", "0", ".", "1", "enter"], ["join", "10.1"]),
    (["c"], ["resume", "abc"]),
    (["r"], ["rules", "nod"]),
    (["i"], ["games", "--more"]),
    (["ctrl+p", *"what was", "enter"], ["history"]),
    (["/", *"6 players", "enter", "minus", "minus", "r"], ["rules", "race"]),
    (["n", "a", "enter"], ["name", "Anna"]),
    (["l", "2", "enter"], ["lang", "it"]),
    (["q"], []),
    (["o", "escape", "j", "escape", "r"], ["rules", "nod"]),
]  # fmt: skip
CLICKS: list[tuple[list[tuple[str, str]], list[str]]] = [
    ([("game", "race"), ("game", "race")], HERE),
    ([("game", "race"), ("as", "guided"), ("act", "")], [*HERE, "--guided"]),
    ([("game", "race"), ("as", "mode"), ("seats", "-1"), ("seat", "1"), ("act", "")],
     ["play", "race", "--seats", "3", "--humans", "1", "--bots", "hard,easy", "--option", "mode=new"]),
    ([("game", "race"), ("where", "telephones"), ("act", "")], ["host", "race", "--web"]),
    ([("table", "192.0.2.7"), ("table", "192.0.2.7")], ["join", "192.0.2.7"]),
    ([("match", "abc"), ("match", "abc")], ["resume", "abc"]),
]  # fmt: skip


def afresh(app: HomeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin again with the screen as it is at first; what it leads to is noted, and it stays open."""
    app.model._plans.clear()
    app._asked, app._return_value = None, None
    app.model.point(("game", app.model.facts.games[0].name))
    app.draw()
    monkeypatch.setattr(app, "exit", lambda left: setattr(app, "_return_value", left))


@pytest.mark.battery
def test_check_25_home_has_one_form_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way by keys ends in what one could have typed: guided, house rules, mode and telephones, too."""

    async def play() -> None:
        async with home() as (app, pilot):
            for keys, words in WAYS:
                afresh(app, monkeypatch)
                await pilot.press(*keys)
                await pilot.pause()
                assert left_by(app) == words, keys

    asyncio.run(play())


@pytest.mark.battery
def test_check_25_home_is_led_by_the_mouse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A click changes the form at once, a second one on a game, a table or a match enters it."""

    async def play() -> None:
        async with home((100, 30)) as (app, pilot):
            for things, words in CLICKS:
                afresh(app, monkeypatch)
                for thing in things:
                    spot = next(one for one in app.sheet("board").block.spots if one.thing == thing)
                    await pilot.click("#board", offset=(spot.x + 1, spot.y))  # one cell of padding
                    await pilot.pause()
                assert left_by(app) == words, things

    asyncio.run(play())


def test_home_begins_with_what_was_played_the_last_time() -> None:
    """The game, its seats, bots and house rules stand there, and Enter keeps them for the next time."""
    kept: list[MatchPlan] = []
    plan = MatchPlan("race", others=("hard", "easy"), rules={"laps": "7"})
    facts = replace(FACTS, plans={"race": plan.plain()}, last="race", keep=kept.append)

    async def play() -> list[str]:
        async with home(facts=facts) as (app, pilot):
            text = shown_by(app)
            assert "laps: 7" in text
            assert "won 2 of 5" in text
            await pilot.press("enter")
        return left_by(app)

    assert asyncio.run(play())[:6] == ["play", "race", "--seats", "3", "--humans", "1"]
    assert kept == [plan]


@pytest.mark.battery
def test_home_fits_any_size() -> None:
    """The chosen game is in sight at every size, in ASCII where that is wanted, and nothing is longer."""

    async def play() -> None:
        async with home(ascii=True, lang="it") as (app, pilot):
            await pilot.press("2")
            for width, height in [(160, 50), (120, 36), (80, 24), (60, 20), (40, 12), (20, 5)]:
                await pilot.resize_terminal(width, height)
                await pilot.pause(0.1)
                strips = app.screen._compositor.render_strips()
                text = "\n".join(strip.text for strip in strips)
                assert text.isascii()
                assert "Race" in text
                assert [strip.cell_length for strip in strips] == [width] * height

    asyncio.run(play())


def test_a_machine_without_a_network_still_has_games() -> None:
    """What can't be looked for is said, and everything else is there, at the smallest size, too."""

    async def play() -> None:
        app = HomeApp(Translator("it"), Looks(ascii=True), FACTS, nothing)
        async with app.run_test(size=(80, 24)) as pilot:
            while "no network" not in app.model.looking:
                await pilot.pause(0.01)
            await pilot.resize_terminal(20, 5)
            await pilot.press("question_mark")
            await pilot.pause()
            text = shown_by(app)
            assert text.isascii()
        assert app.failure is None

    asyncio.run(play())


@pytest.mark.battery
def test_home_with_seventeen_games_finds_each_of_them() -> None:
    """Two digits are one number, the list says that it goes on, and typing finds by people and minutes."""
    games = [GameFacts(f"g{n}", f"Game {n}", (2, 4), "Play.", 15) for n in range(1, 17)]
    games.append(GameFacts("feast", "Feast", (3, 12), "Eat.", 40))
    facts = replace(FACTS, games=games, choices=lambda name: replace(NOD, name=name))

    async def play() -> None:
        async with home(facts=facts) as (app, pilot):
            assert "15 of 17 games  / find" in shown_by(app)
            for keys, game in zip("1631702", ("g1", "g16", "g3", "g1", "feast", "feast", "g2"), strict=True):
                await pilot.press(keys)
                assert app.model.game == game
            await pilot.press("/")
            await pilot.pause()
            assert "4 players, 20 min" in shown_by(app)
            for typed, found in {"9 40": True, "40 min": True, "12 players": True, "39 min": False}.items():
                await pilot.press("ctrl+u", *typed)
                await pilot.pause()
                assert ("Feast: 3 to 12 players, 40 min" in shown_by(app)) == found, typed
            await pilot.press("ctrl+u", *"9")
            await pilot.pause()
            assert "Game 1" not in shown_by(app).partition("Find:")[2]
            await pilot.press("enter")
            await pilot.pause()
            assert app.model.game == "feast"

    asyncio.run(play())
