"""The opening card: a person's first match of a game begins with three sentences on the board."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.scribes import Scribes
from tests.core.ui.tui.playing import Played, screen, session

from tavolata import Opening
from tavolata._engine.match.header import Header
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.say import in_ascii
from tavolata.bots import RandomBot

GAMES = ("conto", "horse-fever", "jumpy-jack", "zompa")
"""All but Bang, whose first window takes its card away."""


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def sentences(game: str, lang: str) -> list[str]:
    loaded = Catalogue().game(game)
    card = loaded.game.card
    assert card is not None
    return [
        Translator(lang).text(said, domain=loaded.info.package) for said in (card.goal, card.turn, card.lose)
    ]


def missing(played: Played, said: list[str]) -> list[str]:
    """The sentences that aren't on view whole on the board, or on it and the rows of the story below."""
    plan = played.app.plan()
    assert plan is not None
    rows = played.text().split("\n")[plan.board.y : plan.yours.y]
    text = letters("".join(row[plan.board.x : plan.board.x + plan.board.width] for row in rows))
    return [one for one in said if letters(in_ascii(one) if played.app.ascii else one) not in text]


def letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


@pytest.mark.battery
@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("game", GAMES)
def test_stage_check_14_a_first_match_begins_with_its_card(game: str, lang: str, *, ascii_only: bool) -> None:
    """All three sentences are on view at 60x20 before any answer; the second match begins without them."""
    said = sentences(game, lang)

    async def play() -> None:
        for is_new in (True, False):
            at = session(game, 3, pace=0 if game == "zompa" else None)
            async with screen(at, (60, 20), lang, is_new=is_new, ascii=ascii_only) as played:
                await played.until(lambda: played.app.model.match)
                await played.pilot.pause()
                assert missing(played, said) == ([] if is_new else said), played.text()

    asyncio.run(play())


def test_stage_check_14_an_answer_a_window_and_enter_put_the_card_away() -> None:
    """Enter begins and sends nothing; a question that is answered, or a window, leaves no card."""
    said = sentences("jumpy-jack", "en")

    async def play() -> None:
        async with screen(session("jumpy-jack", 3), (80, 24), is_new=True) as played:
            await played.asked()
            assert missing(played, said) == []
            assert "⏎ Begin" in played.text()
            asks = list(played.app.model.asks)
            await played.press("question_mark")
            await played.pilot.pause()
            assert "Goal: Predict the first three horses, in secret." in played.text()
            await played.press("escape", "enter")
            await played.pilot.pause()
            assert missing(played, said) == said
            assert played.app.model.asks == asks
        async with screen(session("bang", 2), (80, 24), is_new=True) as played:
            await played.until(lambda: played.app.model.window)
            await played.pilot.pause()
            assert missing(played, sentences("bang", "en")) == sentences("bang", "en")

    asyncio.run(play())


@pytest.mark.battery
def test_a_match_against_bots_waits_while_its_card_is_read() -> None:
    """However many bots have called by then, no other does behind the card; after Enter the next does."""
    said = sentences("conto", "en")

    async def play() -> None:
        async with screen(session("conto", 8, think=0.02), (80, 24), is_new=True) as played:
            await played.until(lambda: played.app.model.card)
            match = played.app.session.match
            assert match is not None
            counts = []
            for _ in range(60):  # all of them would have called
                await played.pilot.pause()
                counts.append(len(match.told))
            assert counts[-1] == counts[30]
            assert missing(played, said) == []
            await played.press("enter")
            await played.until(lambda: len(match.told) > counts[-1])
            await played.until("called by")
            assert missing(played, said) == said

    asyncio.run(play())


class Told(Scribes):
    """A game of words whose first match begins with a card."""

    card = Opening(goal="Write well.", turn="Write.", lose="Say nothing.")


def test_stage_check_14_enter_puts_the_card_away_before_a_text_is_written() -> None:
    """The line for words opens after the card, not behind it."""
    header = Header(
        id="0123456789abcdef", game="scribes", version="1", rules_id=1, options={}, names=("Ann", "Bo"),
        bots=(None, "random"), seed=3,
    )  # fmt: skip
    at = LocalSession(header, Told, "tests", [None, RandomBot()])

    async def play() -> None:
        async with screen(at, (80, 24), is_new=True) as played:
            await played.asked()
            assert "⏎ Begin" in played.text()
            await played.press("enter")
            await played.pilot.pause()
            assert not played.app.model.card
            assert played.app.typing

    asyncio.run(play())
