"""Home leads to commands; what is done out of turn; calling a person who looks elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session
from textual.events import Key

from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.home_facts import FoundFacts, GameFacts, HomeFacts
from tavolata._ui.tui.screens.frame import Left, Looks
from tavolata._ui.tui.screens.home_app import HomeApp
from tavolata._ui.tui.screens.notify import BELL

FACTS = HomeFacts(
    games=[GameFacts("nod", "Nod", (1, 2), 2, "Nod."), GameFacts("race", "Race", (2, 6), 4, "Run.")],
    waiting=[("abc", "race with Ann")],
    levels=lambda game: ["random", "easy", "hard"],
    name="Ann",
    lang="en",
    langs=("en", "it"),
    commands=[("history", "what was")],
)


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


async def tables() -> AsyncGenerator[Sequence[FoundFacts], None]:
    yield [FoundFacts("Bob: race", "192.0.2.7")]


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
            played.app._called_out = -10.0
            await played.press("e")
            assert len(played.app.model.own.draft.choices) == 9 if played.app.model.own else False
            await played.press("2", "enter")
            await played.until(lambda: played.app.model.says == {0: "Wow!"})

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["3", "enter", "1", "enter"], ["join", "192.0.2.7"]),
        (["3", "enter", "2", "enter", "1", "0", ".", "1", "enter"], ["join", "10.1"]),
        (["4", "enter"], ["resume", "abc"]),
        (["1", "enter", "2", "enter", "enter", "5", "enter", "2", "enter"],
         ["play", "race", "--seats", "5", "--humans", "1", "--bots", "hard,hard,hard,hard"]),
        (["2", "enter", "2", "enter", "3", "enter", "1", "enter", "2", "enter"],
         ["host", "race", "--seats", "3", "--bots", "1", "--code"]),
        (["5", "enter", "1", "enter"], ["rules", "nod"]),
        (["6", "enter"], ["history"]),
        (["7", "enter", "a", "enter"], ["name", "Anna"]),
        (["8", "enter", "2", "enter"], ["lang", "it"]),
        (["9", "enter"], []),
        (["q"], []),
        (["2", "enter", "escape", "6", "enter"], ["history"]),
    ],
)  # fmt: skip
def test_home_leads_to_the_words_of_a_command(keys: list[str], words: list[str]) -> None:
    """Each way through the questions ends in what one could have typed."""

    async def play() -> list[str]:
        app = HomeApp(Translator("en"), Looks(), FACTS, tables)
        async with app.run_test(size=(80, 30)) as pilot:
            while not app.tables:
                await pilot.pause(0.01)
            await pilot.press(*keys)
            await pilot.pause()
        left = app.return_value or Left()
        return list(left.command or left.setting or ())

    assert asyncio.run(play()) == words


def test_a_machine_without_a_network_still_has_games() -> None:
    """What can't be looked for is said, and everything else is there, at the smallest size, too."""

    async def play() -> None:
        app = HomeApp(Translator("it"), Looks(ascii=True), FACTS, nothing)
        async with app.run_test(size=(80, 24)) as pilot:
            while "no network" not in app.looking:
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
