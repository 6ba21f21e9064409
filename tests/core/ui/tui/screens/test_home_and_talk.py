"""Home leads to commands; what is done out of turn; calling a person who looks elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session
from textual.events import Key
from textual.pilot import Pilot

from tavolata._engine.match.updates import Said
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import GameChoices, MatchPlan
from tavolata._ui.tui.model.home_facts import FoundFacts, GameFacts, HomeFacts
from tavolata._ui.tui.screens.frame import Left, Looks
from tavolata._ui.tui.screens.home_app import HomeApp
from tavolata._ui.tui.screens.notify import BELL
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

    def problems(self, seats: int) -> list[Problem]:
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


@pytest.mark.parametrize(("lang", "words"), [("en", "Ouch!"), ("it", "Ahi!")])
def test_an_emote_is_read_in_the_own_language(lang: str, words: str) -> None:
    """A key calls it out beside the name; the next one within two seconds is refused; e offers all eight."""

    async def play() -> None:
        async with screen(session("conto"), lang=lang) as played:
            await played.asked()
            await played.press("left_parenthesis")
            await played.until(lambda: played.app.model.says == {0: words})
            assert f"Ann {words}" in played.text()
            await played.press("asterisk")
            assert played.app.prompt.trouble
            assert played.app.model.says == {0: words}
            played.app.calling.called_at = -10.0
            await played.press("e")
            assert len(played.app.model.own.draft.choices) == 9 if played.app.model.own else False
            await played.press("2", "enter")
            await played.until(lambda: played.app.model.says == {0: "Wow!"})

    asyncio.run(play())


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


WAYS: list[tuple[list[str], list[str]]] = [
    (["2", "enter"], HERE),
    (["2", "plus", "b", "enter"],
     ["play", "race", "--seats", "5", "--humans", "1", "--bots", "hard,hard,hard,hard"]),
    (["2", "minus", "p", "enter"], ["play", "race", "--seats", "3", "--humans", "2", "--bots", "easy"]),
    (["2", "g", "enter"], [*HERE, "--guided"]),
    (["2", "m", "enter"], [*HERE, "--option", "mode=new"]),
    (["2", "o", "2", "enter", "7", "enter", "escape", "enter"], [*HERE, "--option", "laps=7"]),
    (["2", "h", "enter"], ["host", "race", "--seats", "4"]),
    (["2", "w", "w", "w", "enter"], ["host", "race", "--seats", "4", "--web"]),
    (["2", "minus", "w", "w", "tab", "space", "enter"],
     ["host", "race", "--seats", "3", "--bots", "easy", "--code"]),
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
    ([("game", "race"), ("where", "telephones"), ("act", "")], ["host", "race", "--seats", "4", "--web"]),
    ([("table", "192.0.2.7"), ("table", "192.0.2.7")], ["join", "192.0.2.7"]),
    ([("match", "abc"), ("match", "abc")], ["resume", "abc"]),
]  # fmt: skip


def afresh(app: HomeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin again with the screen as it is at first; what it leads to is noted, and it stays open."""
    app.model._plans.clear()
    app._asked, app._return_value = None, None
    app.model.choose(1)
    app.draw()
    monkeypatch.setattr(app, "exit", lambda left: setattr(app, "_return_value", left))


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
            text = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            assert "laps 7" in text
            assert "won 2 of 5" in text
            await pilot.press("enter")
        return left_by(app)

    assert asyncio.run(play())[:6] == ["play", "race", "--seats", "3", "--humans", "1"]
    assert kept == [plan]


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
            text = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            assert text.isascii()
        assert app.failure is None

    asyncio.run(play())


def test_what_may_be_done_at_any_time_is_a_list() -> None:
    """`d` offers what the game allows now, and does what is chosen; where there is nothing it says so."""

    async def play() -> None:
        at = session("zompa", 3, pace=0, talk="offer", fiches=1)
        async with screen(at, (100, 40)) as played:
            await played.asked()
            await played.press("d")
            assert "nothing that you could do out of turn" in played.text()
            for _ in range(400):
                await played.asked()
                if played.app.standing() or played.app.model.ended:
                    break
                await played.press("enter")
            if played.app.standing():
                what = played.app.standing()[0][0]
                await played.press("d")
                await played.pilot.pause()
                assert what in played.text()
                before = len(at.match.events)
                await played.press("1", "enter")
                await played.until(lambda: len(at.match.events) > before)

    asyncio.run(play())


def test_seats_rules_and_help_can_be_read() -> None:
    """`s` names the seats, `r` shows the rules and hides them, ? every key."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0), (90, 40)) as played:
            await played.asked()
            await played.press("s")
            await played.until("2. Berto (bot)")
            await played.press("r")
            await played.until("Play well.")
            await played.press("slash", *"rules", "space", *"one", "enter")
            await played.until("First things.")
            assert "Play well." not in played.text()
            await played.press("slash", *"rules", "space", "x", "enter")
            await played.until("There is no chapter x")
            await played.press("escape")
            await played.until("Fiches")
            await played.press("question_mark")
            await played.until("Keys")

    asyncio.run(play())


def test_a_person_who_looks_elsewhere_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only while the terminal has no focus: the bell and a notification, each of which can be turned off."""

    async def play(focused: bool, **looks: Any) -> str:
        written: list[str] = []
        async with screen(session("jumpy-jack", 2), **looks) as played:
            monkeypatch.setattr(played.app, "write", written.append)  # what the terminal would get
            played.app._focused = focused
            for key in ("1", "space", "2", "space", "3", "space", "enter"):
                await played.press(key)
            await played.asked()
        return "".join(written)

    assert asyncio.run(play(True)) == ""
    called = asyncio.run(play(False))
    assert BELL in called
    assert "\x1b]9;Jumpy Jack: " in called
    assert asyncio.run(play(False, bell=False, notify=False)) == ""


def test_the_cursor_of_the_terminal_follows_the_focus() -> None:
    """It stands on the choice that is pointed at, so that magnifiers and readers find it."""

    async def play() -> None:
        async with screen(session("jumpy-jack", 2), (80, 24)) as played:
            await played.asked()
            await played.pilot.pause()
            rows = []
            for _ in range(3):
                x, y = played.app.cursor_position
                rows.append(played.text().split("\n")[y][x:])
                await played.press("down")
                await played.pilot.pause()
            assert [row.split()[1] for row in rows] == ["1", "3", "5"]

    asyncio.run(play())


def test_what_is_typed_fast_is_all_there() -> None:
    """Keys that come at once, before anything of them was shown, are acted on in their order."""

    async def play() -> None:
        at = session("zompa", 3, pace=0)
        async with screen(at, (100, 30)) as played:
            await played.asked()
            for key in ("t", "slash", "t", "o", "space", "b", "e", "r", "space", "y", "o", "enter"):
                character = {"slash": "/", "space": " ", "enter": "\r"}.get(key, key)
                played.app.post_message(Key(key, character))
            await played.until("Ann to Berto: yo")

    asyncio.run(play())


def test_an_emote_is_repeated_and_a_loud_one_silenced() -> None:
    """`E` calls out the last one again, and `m` hides what somebody else says until it is taken back."""

    async def play() -> None:
        async with screen(session("conto")) as played:
            app = played.app
            await played.asked()
            await played.press("E")
            assert app.model.says == {}
            await played.press("asterisk")
            await played.until(lambda: app.model.says == {0: "Bravo!"})
            app.model.says, app.calling.called_at = {}, -10.0
            await played.press("E")
            await played.until(lambda: app.model.says == {0: "Bravo!"})
            for heard in (False, True):
                await played.press("m", "1", "enter")
                app.model.take(Said("Berto", "Wow!"))
                assert (app.model.says.get(1) == "Wow!") is heard

    asyncio.run(play())


def test_a_player_takes_another_colour_and_another_mark() -> None:
    """`c` changes the colour and `C` the mark, to one that nobody else has; the panel shows it at once."""

    async def play() -> None:
        at = session("zompa", 3, pace=0)
        async with screen(at, (80, 24)) as played:
            await played.asked()
            await played.press("c")
            assert at.looks[0] == (1, 0)
            await played.press("C")
            assert at.looks[0] == (1, 1)
            assert "▲ Ann" in played.text()

    asyncio.run(play())
