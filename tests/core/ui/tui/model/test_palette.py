"""Finding by typing: what is found, in which order, and that it is done."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.ui.tui.playing import screen, session
from textual.events import Key

from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.prompt import Palette, PaletteItem

WORDS = ("Play the seven", "Say something", "Può passare", "rules: The seven of coins")


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", WORDS),
        ("seven", (WORDS[0], WORDS[3])),
        ("the se", (WORDS[0], WORDS[3])),
        ("rul sev", (WORDS[3],)),
        ("PUO", (WORDS[2],)),
        ("thing", (WORDS[1],)),
        ("talk", (WORDS[1],)),
        ("dragon", ()),
    ],
)
def test_words_narrow_down_what_is_found(typed: str, found: tuple[str, ...]) -> None:
    """All words typed have to be there, without regard to accents; what begins with them comes first."""
    items = [PaletteItem(what, lambda: None, "talk" if what == WORDS[1] else "") for what in WORDS]
    palette = Palette(items, Translator().text, "Find:")
    palette.type(typed)
    assert tuple(one.what for one in palette.found()) == found
    assert palette.question.kind.count() == max(1, len(found))


def test_a_choice_is_found_and_sent_however_fast_it_is_typed() -> None:
    """Ctrl+P, some letters and Enter answer the question; no letter means a key of its own meanwhile."""

    async def play() -> None:
        async with screen(session("conto", 3), (80, 24)) as played:
            await played.asked()
            question = played.app.model.question()
            assert question is not None
            prompt = played.app.prompt
            last = prompt.choices(played.app.model.view())[-1].what
            for key in ("ctrl+p", *last, "enter"):
                character = key if len(key) == 1 else None
                played.app.post_message(Key("space" if key == " " else key, character))
            await played.until(lambda: played.app.model.question() is not question or question.draft.touched)
            assert prompt.palette is None
            assert played.app.pages.view == "table"

    asyncio.run(play())


@pytest.mark.battery
def test_everything_there_is_can_be_found() -> None:
    """A rule is read, a player spoken to, a thing on the table told, a command done; in Italian, too."""

    async def play() -> None:
        async with screen(session("conto", 3), (120, 40), lang="it") as played:
            await played.asked()
            await played.press("colon", *"regole", "space", *"one", "enter")
            await played.until("First things")
            await played.press("r", "ctrl+p", *"berto", "enter", *"ciao", "enter")
            await played.until("Ann a Berto: ciao")
            await played.press("ctrl+p", *"descrivi", "enter")
            await played.until("carte")
            await played.press("ctrl+p", *"zzz")
            assert "nessun risultato" in played.text()
            before = played.app.theme
            await played.press("ctrl+u", *"tema", "enter")
            assert played.app.theme != before
            await played.press("ctrl+p", "x", "backspace", "backspace")
            assert "Cerca" not in played.text()

    asyncio.run(play())


def test_what_is_not_asked_any_more_is_not_answered() -> None:
    """A choice that was found for a question which is closed by now is refused in words."""

    async def play() -> None:
        async with screen(session("jumpy-jack", 2), (80, 24)) as played:
            await played.asked()
            await played.press("ctrl+p")
            model = played.app.model
            model.drop(model.asks[0])
            await played.press("enter")
            await played.until("question is closed")

    asyncio.run(play())
