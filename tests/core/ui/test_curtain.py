"""Several people at one keyboard: what one may know alone is never shown to the others, in any face."""

from __future__ import annotations

import asyncio
from itertools import cycle
from typing import Any

import pytest
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Said, Told
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.plain import Plain
from tavolata.messages import Event

from .tui.playing import session


class Keyboard:
    """Somebody who types at a terminal whatever the test decides when it sees what is printed."""

    on_terminal = True

    def __init__(self) -> None:
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    async def next(self) -> str | None:
        """The next line."""
        return await self.typed.get()


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def test_check_24_plain_lines_keep_secrets_behind_a_curtain() -> None:
    """A question with a hand behind it waits for its owner's Enter; after the answer everything is wiped."""
    screen: list[str] = []
    leaks: list[str] = []
    answered = 0

    async def play() -> None:
        nonlocal answered
        keyboard = Keyboard()
        at = session("conto", 3, humans=2)
        face = Plain(at, Translator("en"), screen.append, keyboard, wipe=screen.clear)
        running = asyncio.create_task(face.run())
        try:
            async with asyncio.timeout(20):
                while answered < 6:
                    await asyncio.sleep(0.005)
                    if not face._asks:
                        continue
                    if face._hidden():
                        assert "look away" in screen[-1]
                        leaks.extend(line for line in screen if "1." in line)
                        await keyboard.typed.put("hand")
                        await asyncio.sleep(0.01)
                        assert "Your hand is empty." in screen[-1]
                        await keyboard.typed.put("")
                    else:
                        answered += face._veil.unveiled is not None
                        await keyboard.typed.put("1" if face._asks[0].question.count() > 1 else "")
                    await asyncio.sleep(0.01)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    run(play())
    assert leaks == []
    assert answered == 6


def test_a_secret_for_two_is_read_by_both() -> None:
    """Each reads it alone behind the curtain, and once, whether or not one looked when it came."""
    screen: list[str] = []
    read: list[list[str]] = []

    async def play() -> None:
        keyboard, numbers = Keyboard(), cycle("123456789")
        at = session("conto", 3, humans=2)
        face = Plain(at, Translator("en"), screen.append, keyboard, wipe=screen.clear)
        running = asyncio.create_task(face.run())

        async def look_alone() -> None:
            """Answer until the other one's hand is hidden, and lift the curtain."""
            before = face._veil.unveiled
            while not face._hidden() or face._asks[0].seat == before:
                if face._asks:
                    enters = face._hidden() or face._asks[0].question.count() < 2
                    await keyboard.typed.put("" if enters else next(numbers))
                await asyncio.sleep(0.01)
            screen.clear()
            await keyboard.typed.put("")
            await asyncio.sleep(0.01)

        pair: tuple[Any, ...] = (0, 1)
        try:
            async with asyncio.timeout(20):
                await look_alone()
                face._veil.fall()
                face.show(Told(Event("Before.", {}, pair)))
                assert "Before." not in screen
                for _ in range(3):
                    await look_alone()
                    read.append([line for line in screen if line in ("Before.", "Meanwhile.")])
                    if len(read) == 1:
                        face.show(Told(Event("Meanwhile.", {}, pair)))
                        assert "Meanwhile." in screen
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    run(play())
    assert read == [["Before."], ["Before.", "Meanwhile."], []]


def test_a_pipe_has_no_curtain() -> None:
    """Through a pipe questions come one after the other, as scripts expect."""
    screen: list[str] = []

    class Pipe(Keyboard):
        on_terminal = False

    async def play() -> None:
        pipe: Any = Pipe()
        face = Plain(session("conto", 3, humans=2), Translator("en"), screen.append, pipe)
        running = asyncio.create_task(face.run())
        for _ in range(400):
            await pipe.typed.put("1")
        async with asyncio.timeout(20):
            while not any("You call" in line for line in screen):  # noqa: ASYNC110 - the list is no asyncio object
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    run(play())
    assert not any("look away" in line for line in screen)


def test_news_for_all_show_no_card_of_one_player() -> None:
    """A public event that came while one player looked is told again as everybody may see it."""
    screen: list[str] = []
    at = session("conto", 3, humans=2)
    at.match.run()
    face = Plain(at, Translator("en"), screen.append, Keyboard())
    face._veil.lift(0)
    game: Any = at.match.game
    card = next(iter(game.hands[0]))
    face.show(Told(Event("{card}", {"card": card})))
    assert screen[-1] == face.words().describe(card, at.match.view(0))
    assert face.news() == [face.words().describe(card, at.match.view(None))]
    assert face.news() != screen[-1:]
    at._file.close()


def test_a_whisper_waits_until_the_one_it_is_for_looks_alone() -> None:
    """Words for one of two at a keyboard wait behind the curtain; words for others stay hidden."""
    screen: list[str] = []
    at = session("conto", 4, humans=2)
    at.match.run()
    face = Plain(at, Translator("en"), screen.append, Keyboard())
    face.show(Said(Verbatim("Carla"), Verbatim("psst"), ("Berto",)))
    assert screen == []
    for seat, told in ((0, []), (1, ["Carla to Berto: psst"])):
        face._veil.lift(seat)
        face._tell_secrets()
        assert [line for line in screen if "psst" in line] == told
    face.show(Said(Verbatim("Carla"), Verbatim("…"), ("Dino",)))
    assert screen[-1] == "Carla to Dino: …"
    at._file.close()
