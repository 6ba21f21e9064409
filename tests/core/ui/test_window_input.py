"""Keys in a window: whose they are, what they mean, and from when to when they are timed."""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.core.ui.virtual_time import run

from tavolata import Choice, Refused, Seat, one_of
from tavolata._engine.match.updates import WindowOpened
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import InputEnded
from tavolata._ui.plain import Plain
from tavolata._ui.window_input import WindowInput, keys_of
from tavolata._ui.words import Words
from tavolata.reaction_times import GOES
from tavolata.windows import Window

from .tui.playing import session

BANG = one_of([Choice(True, "bang")])
WORDS = Words(Translator("en"), "", ("Ann", "Bob", "Cy"))


class Somewhere:
    """A session that notes what it is told."""

    def __init__(self, people: tuple[int, ...]) -> None:
        self.people = people
        self.keys: dict[int, str] = {}
        self.told: list[Any] = []

    def drawn(self, window: int) -> None:
        """Note it."""
        self.told.append(("drawn", window))

    def react(self, window: int, seat: int, answer: Any, milliseconds: int) -> None:
        """Note it."""
        self.told.append((window, seat, answer, milliseconds))


def at_1000(test: Callable[[], None]) -> Callable[[], None]:
    """Run a test on an event loop whose clock stands at 1000 seconds."""

    @functools.wraps(test)
    def on_loop() -> None:
        async def play() -> None:
            test()

        run(play())

    return on_loop


def at_window(
    people: tuple[int, ...], go: int = 0, bell: Any = None
) -> tuple[WindowInput, Somewhere, list[str], Window]:
    """A window for three seats, just drawn."""
    where, said = Somewhere(people), list[str]()
    window = Window(7, dict.fromkeys(map(Seat, range(3)), BANG), Seat(go), goes="lay the next card")
    race = WindowInput(where, said.append, bell)  # type: ignore[arg-type] # only what it needs of a session
    race.open(WindowOpened(window, people), WORDS)
    return race, where, said, window


@at_1000
def test_one_person_bangs_with_b_and_moves_with_enter() -> None:
    """What can be pressed is said once, whose move it is each time; then the screen counts as drawn."""
    race, where, said, window = at_window((0,))
    assert said == ["At any time: b, then Enter = bang (Ann)", "Ann: Enter = lay the next card"]
    assert where.told == [("drawn", 7)]
    assert race.hear("b", 1000.25)
    assert where.told[-1] == (7, 0, 0, 250)
    race.open(WindowOpened(window, (0,)), WORDS)
    assert said[2:] == ["Ann: Enter = lay the next card"]
    assert race.hear("", 1000.75)
    assert where.told[-1] == (7, 0, GOES, 750)


@at_1000
def test_two_people_have_a_key_each() -> None:
    """Far apart on the keyboard; Enter is the move of whoever has it."""
    race, where, said, _ = at_window((0, 1), go=1)
    assert said == [
        "At any time: a, then Enter = bang (Ann)",
        "At any time: l, then Enter = bang (Bob)",
        "Bob: Enter = lay the next card",
    ]
    race.hear("L", 1000.25)
    race.hear("a", 1000.5)
    assert where.told[1:] == [(7, 1, 0, 250), (7, 0, 0, 500)]


@at_1000
def test_keys_before_the_card_was_to_be_seen_are_void() -> None:
    """Pressed for the card before, they count neither here nor as a mistake."""
    race, where, _, _ = at_window((0,))
    assert race.hear("b", 999.99)
    assert race.hear("", 999.99)
    assert where.told == [("drawn", 7)]


@at_1000
def test_a_hand_that_hits_twice_bangs_once() -> None:
    """The second blow is no mistake, and no error is shown for it."""
    race, where, _, _ = at_window((0,))
    race.hear("b", 1000.25)
    assert race.hear("b", 1000.5)
    assert where.told == [("drawn", 7), (7, 0, 0, 250)]


@at_1000
def test_enter_by_who_is_not_to_move_does_nothing() -> None:
    """It happens all the time; a bang without a window is answered with a word."""
    race, where, _, _ = at_window((0,), go=1)
    assert race.hear("", 1000.3)
    assert where.told == [("drawn", 7)]
    race.close()
    with pytest.raises(Refused, match="Too late"):
        race.hear("b", 1000.4)
    assert not race.hear("", 1000.4)
    assert not race.hear("board", 1000.4)


@at_1000
def test_who_looks_on_has_no_keys() -> None:
    """Nothing is explained, nothing is heard, and still the window is drawn."""
    race, where, said, _ = at_window(())
    assert said == []
    assert where.told == [("drawn", 7)]
    assert not race.hear("b", 1000.3)
    assert not race.waits


@at_1000
def test_the_bell_rings_for_a_reaction_only() -> None:
    """Not for every card: then nobody would hear it any more."""
    rung: list[int] = []
    race, _, _, window = at_window((0,), bell=lambda: rung.append(1))
    race.close()
    assert rung == []
    window.claim(Seat(1), 0, 300, 0)
    race.open(WindowOpened(window, (0,)), WORDS)
    race.close()
    assert rung == [1]


class Script:
    """Lines typed ahead, as from a pipe; only the second of two that bang is not a little later."""

    on_terminal = False

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    async def next(self) -> str | None:
        """The next line."""
        if self._lines and self._lines[0] not in ("a", "x"):
            await asyncio.sleep(0.05)
        return self._lines.pop(0) if self._lines else None


def test_two_at_one_keyboard_play_bang(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real match in one process: lead, lay, both bang in one window, and each is told how fast it was."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    said: list[str] = []

    async def play() -> None:
        options: Any = {"double": "off", "sandwich": "off", "bigmac": "on", "hurry": 0, "floor": 0}
        at = session("bang", 2, humans=2, pace=0, **options)
        face = Plain(at, Translator("en"), said.append, Script("", "", "l", "a", "", ""))
        async with asyncio.timeout(20):
            with pytest.raises(InputEnded):
                await face.run()

    run(play())
    story = "\n".join(said)
    assert "a, then Enter = bang" in story
    assert "l, then Enter = bang" in story
    assert "for no reason" in story
    assert "ms behind." in story
    assert story.count("puts 1 card under the pile") == 1


@pytest.mark.parametrize(("key", "lang"), [("a", "it"), ("x", "en")])
def test_a_key_that_is_a_command_too_reacts(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, key: str, lang: str
) -> None:
    """In Italian "a" begins a whisper, and "x" is a command in any language: in a window, they bang."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    said: list[str] = []

    async def play() -> None:
        options: Any = {"double": "off", "sandwich": "off", "bigmac": "on", "hurry": 0, "floor": 0}
        at = session("bang", 2, humans=2, pace=0, **options)
        monkeypatch.setattr(at, "keys", {0: key})
        face = Plain(at, Translator(lang), said.append, Script("", "", "l", key, "", ""))
        async with asyncio.timeout(20):
            with pytest.raises(InputEnded):
                await face.run()

    run(play())
    assert len([line for line in said if re.match(r"Ann .*\d+ ms", line)]) == 1, said


def test_people_have_the_keys_that_they_chose() -> None:
    """A key that was chosen before the match takes the place of the usual one."""
    somewhere: Any = Somewhere((0, 1))
    assert keys_of(somewhere) == {"a": 0, "l": 1}
    somewhere.keys = {0: "b", 1: "n"}
    assert keys_of(somewhere) == {"b": 0, "n": 1}
