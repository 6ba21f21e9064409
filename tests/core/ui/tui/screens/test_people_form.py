"""Several people at one keyboard say once who they are; behind a curtain no mark is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata._cli.command_context import CommandContext
from tavolata._cli.people_form import (
    ask_in_lines,
    begun_people,
    keep_begun,
    keep_people,
    last_people,
    usual_names,
)
from tavolata._ui.i18n import Translator
from tavolata._ui.people_here import Person, people_of, plain, problem, read
from tavolata._ui.tui import show
from tavolata._ui.tui.screens.frame import Frame, Left, Looks
from tavolata._ui.tui.screens.people_app import PeopleApp


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


@pytest.mark.battery
def test_check_24_names_marks_and_keys_are_asked_in_one_form() -> None:
    """Typing replaces a name, Space changes a mark, a letter is the key; what can't be is said."""

    async def play() -> list[Person]:
        app = PeopleApp(Translator("it"), Looks(), "Bang", people_of(["Ann", "Ann 2"], ()))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("down", *"Ann", "enter")
            assert "Ann" in app.prompt.trouble
            await pilot.press("tab", "a", "enter")
            assert app.prompt.trouble
            await pilot.press("shift+tab", *"Bo", "tab", "n", "left", "left", "space", "enter")
            assert app.failure is None
        assert app.complete
        return app.people

    ann, bo = asyncio.run(play())
    assert (ann.name, ann.key, ann.look) == ("Ann", "a", (0, 0))
    assert (bo.name, bo.key) == ("Bo", "n")
    assert bo.look not in ((1, 1), ann.look)


def test_the_form_is_asked_in_lines() -> None:
    """Names with commas, then a key for each; Enter takes what stands there."""
    context = CommandContext({}, {})
    left = iter(["Ann", "Ann, Bo", "a a", "", "b n"])
    people = ask_in_lines(context, people_of(["Ann", "Bo"], ()), lambda _: next(left))
    assert [(one.name, one.key) for one in people] == [("Ann", "b"), ("Bo", "n")]


def test_who_sat_here_is_remembered() -> None:
    """The names of the last time stand there, with their marks and keys; damaged ones are left out."""
    ann, bo = Person("Ann", (3, 4), "x"), Person("Bo", (5, 5), "y")
    keep_people([ann, bo])
    keep_people([Person("Carla", (3, 4), "x")])
    assert [one.name for one in last_people()] == ["Carla", "Ann", "Bo"]
    assert usual_names("Ann", 4) == ["Ann", "Carla", "Bo", "Ann 2"]
    assert people_of(["Ann", "Bo"], last_people()) == [ann, bo]
    clash = people_of(["Carla", "Ann"], last_people())
    assert problem(clash) is None
    assert read(
        [*plain([ann]), 7, {"name": "", "look": [0, 0], "key": "a"}, {"name": "D", "look": [99, 0]}]
    ) == [ann]
    assert read("no list") == []


def test_nobody_is_offered_the_name_of_another() -> None:
    """A number that somebody had the last time isn't given twice, and the longest name has room for one."""
    keep_people(people_of(["Ann", "Ann 2"], ()))
    assert usual_names("Ann", 4) == ["Ann", "Ann 2", "Ann 3", "Ann 4"]
    assert problem(people_of(usual_names("x" * 24, 8), ())) is None


def test_what_was_typed_into_a_form_that_is_left_stands_there_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl+C loses no name, on a screen and in lines; a form for others, or after a sent one, begins anew."""
    first = people_of(["Ann", "Ann 2", "Ann 3"], ())

    async def leave(app: Frame) -> Left:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("down", *"Berta", "down", "backspace", *["backspace"] * 4, "ctrl+c", "ctrl+c")
        raise KeyboardInterrupt

    monkeypatch.setattr(show, "run_screen", leave)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(show.show_people(Translator("en"), Looks(), "Bang", first, keep_begun))
    assert [one.name for one in begun_people(3)] == ["Ann", "Berta", "Ann 3"]
    assert begun_people(2) == []

    left = iter(["Carla, Dino"])
    with pytest.raises(StopIteration):  # nothing more is typed
        ask_in_lines(CommandContext({}, {}), first[:2], lambda _: next(left))
    assert [one.name for one in begun_people(2)] == ["Carla", "Dino"]
    keep_people(first)
    assert begun_people(2) == []


def test_a_whole_table_can_sit_at_one_keyboard() -> None:
    """Twenty people, as many as a table of Zompa has, have twenty keys; nobody is left without one."""
    people = people_of([f"Ann {number}" for number in range(20)], ())
    assert problem(people) is None
    assert len({one.key for one in people}) == 20


def test_marks_that_fell_behind_a_curtain_are_shown_when_it_is_lifted() -> None:
    """A change that nobody could see fades only after somebody has lifted the curtain."""

    async def play() -> None:
        async with screen(session("conto", 3, humans=2), (80, 24), pace=0.1) as played:
            app = played.app
            model: Any = app.model
            marking: Any = app.presentation.marking
            while model.curtain() is None:
                await played.until(lambda: model.asks)
                await played.pilot.pause()
                if model.curtain() is None:
                    await played.press("enter")
            before = model.before = dict(model.zones())
            marking._marked_at -= 60.0
            app.presentation.tick(stepped=False)
            assert model.before is before
            assert "who sits here" in played.text()
            assert "key a" not in played.text()  # here no hand has to be quick, and `l` is the log
            await played.press("enter")
            await played.pilot.pause()
            assert model.curtain() is None
            app.presentation.tick(stepped=False)
            assert model.before is before
            marking._marked_at -= 60.0
            app.presentation.tick(stepped=False)
            assert model.before is None

    asyncio.run(play())


def test_a_curtain_takes_no_answer() -> None:
    """Words and keys of the table wait behind it: only Space and Enter lift it."""

    async def play() -> None:
        async with screen(session("conto", 3, humans=2), (80, 24)) as played:
            model: Any = played.app.model
            while model.curtain() is None:
                await played.until(lambda: model.asks)
                await played.pilot.pause()
                if model.curtain() is None:
                    await played.press("enter")
            ask = model.asks[0]
            await played.press("1", "x", "d", "w", "o")
            assert model.asks[0] is ask
            assert model.curtain() is not None

    asyncio.run(play())
