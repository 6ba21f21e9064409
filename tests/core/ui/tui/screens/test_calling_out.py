"""Calling out: the emotes of the people at a table screen, and whose words it does not show."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.ui import rooms
from tests.core.ui.tui.playing import screen, session

from tavolata._engine.match.updates import Said
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.model.prompt import PromptQuestion
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.calling_out import CallingOut


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def says(model: TableModel) -> dict[int, str]:
    """By seat, the emote beside its name."""
    scene = model.scene(Viewpoint(model.translator.lang, "", ()), None)
    return {panel.seat: panel.says for panel in scene.panels if panel.says}


@pytest.mark.parametrize(("lang", "words"), [("en", "Ouch!"), ("it", "Ahi!")])
def test_an_emote_is_read_in_the_own_language(lang: str, words: str) -> None:
    """A key calls it out beside the name; the next one within two seconds is refused; e offers all eight."""

    async def play() -> None:
        async with screen(session("conto"), lang=lang) as played:
            await played.asked()
            await played.press("left_parenthesis")
            await played.until(lambda: says(played.app.model) == {0: words})
            assert f"Ann {words}" in played.text()
            await played.press("asterisk")
            assert played.app.prompt.trouble
            assert says(played.app.model) == {0: words}
            played.app.calling.called_at = -10.0
            await played.press("e")
            assert len(played.app.model.own.draft.choices) == 9 if played.app.model.own else False
            await played.press("2", "enter")
            await played.until(lambda: says(played.app.model) == {0: "Wow!"})

    asyncio.run(play())


def test_an_emote_is_repeated_and_a_loud_one_silenced() -> None:
    """`E` calls out the last one again, and `m` hides what somebody else says until it is taken back."""

    async def play() -> None:
        async with screen(session("conto")) as played:
            app = played.app
            await played.asked()
            await played.press("E")
            assert says(app.model) == {}
            await played.press("asterisk")
            await played.until(lambda: says(app.model) == {0: "Bravo!"})
            app.model.says, app.calling.called_at = {}, -10.0
            await played.press("E")
            await played.until(lambda: says(app.model) == {0: "Bravo!"})
            for heard in (False, True):
                await played.press("m", "1", "enter")
                app.model.take(Said(Verbatim("Berto"), Verbatim("Wow!")))
                assert (says(app.model).get(1) == "Wow!") is heard

    asyncio.run(play())


def test_at_a_table_a_person_is_muted_and_no_name() -> None:
    """`m` mutes whoever sits there, as the command `mute` does, so nobody else of that name later."""
    at = rooms.dealt(rooms.OLGA)
    rooms.Deeds(at)  # no network
    say = Translator("en").text
    asked: list[PromptQuestion] = []
    CallingOut(TableModel(at, Translator("en")), say, asked.append).hush()
    labels = [choice.params["what"] for choice in asked[0].draft.choices]
    asked[0].done(labels.index("mute Ann on this screen"))
    (seat,) = at.hidden
    assert at.names[seat] == "Ann"
    CallingOut(TableModel(at, Translator("en")), say, asked.append).hush()
    assert "unmute Ann" in [choice.params["what"] for choice in asked[1].draft.choices]
    at._machine.close()
