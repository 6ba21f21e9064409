"""Makes the pictures of docs/screen.md: real screens in the middle of real matches.

python -m tests.core.ui.tui.pictures
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

from tests.core.ui.tui.playing import screen, session
from textual.app import App

from tavolata._cli.command_context import CommandContext
from tavolata._cli.home import home_facts
from tavolata._engine.network.joining import TableCard, open_table
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.guided import Guided
from tavolata._engine.table.table_keys import new_keys
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import Afterwards
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.model.home_model import FoundFacts
from tavolata._ui.tui.screens.frame import Looks
from tavolata._ui.tui.screens.home_app import HomeApp
from tavolata.zones import CardStack

FOLDER = Path(__file__).parents[4] / "docs" / "pictures"
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
CLIPS = re.compile(r'\s*<clipPath id="t-line-.*?</clipPath>| clip-path="url\(#t-line-\d+\)"', re.DOTALL)
NUMBER = re.compile(r"\bterminal-\d+-")
SIZES = ((80, 24), (120, 36))
GAMES = ("bang", "conto", "horse-fever", "jumpy-jack", "zompa")
THEMES = {"dark": False, "light": True}
JACK = ["1", "space", "3", "space", "4", "space", "enter"]


def keep(app: App[Any], name: str) -> None:
    """Write a picture without what it does not need; fonts are those of whoever looks, nothing is fetched."""
    picture = CLIPS.sub("", NUMBER.sub("t-", FONT.sub("", app.export_screenshot(title="tt"))))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")


async def table(
    game: str,
    name: str,
    keys: list[str],
    rounds: int,
    size: tuple[int, int],
    *,
    first: Sequence[str] = (),
    **more: Any,
) -> None:
    """Play some rounds, then press keys, then keep what is there."""
    async with screen(session(game, 4, seed=3), size, **more) as played:
        await played.asked()
        await played.press(*first)
        for _ in range(rounds):
            await played.asked()
            await played.press("enter")
        await played.asked()
        await played.press(*keys)
        await played.pilot.pause(0.2)
        keep(played.app, name)


async def meanwhile(name: str, size: tuple[int, int], *, light: bool) -> None:
    """A match of Zompa among bots, in the middle."""
    async with screen(session("zompa", 6, humans=0, seed=7), size, pace=0.05, light=light) as played:
        await played.until(lambda: played.app.model.turn() >= 30)
        keep(played.app, name)


async def quick_hands(name: str, size: tuple[int, int], *, light: bool) -> None:
    """A match of Bang while four cards lie on the pile."""
    async with screen(session("bang", 4, seed=3), size, pace=0.5, light=light) as played:

        def cards() -> int:
            shape = played.app.model.zones()["pile"].shape() if played.app.model.window else None
            return len(shape.cards) if isinstance(shape, CardStack) else 0

        while cards() < 4:
            await played.press("enter")
            await played.pilot.pause(0.02)
        keep(played.app, name)


async def games() -> None:
    """Each game in the middle of a match, on a small and on a large screen, in both themes."""
    for wide, high in SIZES:
        for theme, light in THEMES.items():
            size, after = (wide, high), f"{wide}x{high}-{theme}"
            await quick_hands(f"bang-{after}", size, light=light)
            await table("conto", f"conto-{after}", ["right"], 4, size, light=light)
            await table("horse-fever", f"horse-fever-{after}", ["right", "right"], 0, size, light=light)
            await table("jumpy-jack", f"jumpy-jack-{after}", ["right"], 4, size, first=JACK, light=light)
            await meanwhile(f"zompa-{after}", size, light=light)


async def race(name: str, size: tuple[int, int]) -> None:
    """A race of Horse Fever, halfway."""
    async with screen(session("horse-fever", 5, humans=0, seed=7), size, pace=0.05) as played:

        def lanes() -> list[Any]:
            table = played.app.hands._still or played.app.model.scene(Viewpoint("en", "", ()), None)
            return [lane for item in table.board for lane in item.lanes if (lane.square or 0) > 5]

        await played.until(lambda: len(lanes()) > 2)
        keep(played.app, name)


async def first_minute(game: str) -> None:
    """The first thing a person reads of a game that's new to them."""
    async with screen(session(game, 4, seed=3), (80, 24), pace=1.0, is_new=True) as played:
        await played.until(lambda: played.app.model.card or played.app.model.window)
        await played.pilot.pause(0.2)
        keep(played.app, f"{game}-first")


async def climax(game: str) -> None:
    """The first verdict of a match among bots, once its number has moved."""
    async with screen(session(game, 4, humans=0, seed=7), (80, 24), pace=0.3) as played:

        def is_stamped() -> bool:
            table = played.app.hands._still or played.app.model.scene(Viewpoint("en", "", ()), None)
            if (cue := table.cue) is None or cue.step != "mark" or cue.dim:
                return False
            return cue.stamp.upper().replace(" ", "") in played.text().replace(" ", "")  # it's drawn, too

        await played.until(is_stamped)
        keep(played.app, f"{game}-climax")


async def guide(name: str, size: tuple[int, int]) -> None:
    """The first hint of a guided match, which waits."""
    async with screen(Guided(session("conto", 3, seed=3)), size, light=True) as played:
        await played.until(lambda: played.app.model.hints and played.app.model.asks)
        await played.pilot.pause(0.2)
        keep(played.app, name)


async def home(name: str, size: tuple[int, int]) -> None:
    """The home screen, with a game pointed at."""
    facts = home_facts(CommandContext({}, {**os.environ, "TT_NAME": "Ann"}))
    app = HomeApp(Translator("en"), Looks(), facts, no_tables)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.2)
        await pilot.press("down")
        await pilot.pause(0.2)
        keep(app, name)


async def no_tables() -> AsyncGenerator[Sequence[FoundFacts], None]:
    """Nobody plays near here."""
    yield []


async def ending(name: str, size: tuple[int, int]) -> None:
    """The end of a match."""
    after = Afterwards(nothing, str, list, again=True, games={"bang": ""})
    async with screen(session("zompa", 4, seed=7), size, after=after) as played:
        await played.until(lambda: played.app.model.ended)
        await played.pilot.pause(0.2)
        keep(played.app, name)


async def nothing() -> None:
    """Show nothing again."""


async def lobby(name: str, size: tuple[int, int]) -> None:
    """A private table whose host looks at how others join."""
    catalogue = Catalogue()
    loaded = catalogue.game("zompa")
    keys, options = new_keys(), loaded.game.options.parse({}).plain()
    settings = PeerSettings(
        "Ann", found=(4, options, "fair"), keys=keys, bots=["easy"], address="192.168.1.5"
    )
    async with open_table(TableCard.of_game("Ann", loaded), ["127.0.0.1"], 8299, keys) as seat:
        library = GameLibrary("zompa", lambda name: (catalogue.game(name), catalogue.bots(name)))
        at = PeerSession(seat.log_driver, seat.own.identity.peer, library, settings)
        async with screen(at, size) as played:
            await played.until("Ada")
            await played.press("b")
            await played.until("Berto")
            keep(played.app, name)


async def main() -> None:
    """Make all of them."""
    await guide("guide", (80, 24))  # a match that waits, for the next one
    await home("home", (80, 24))
    await games()
    await table("horse-fever", "horse-fever-it", ["down"], 3, (120, 36), lang="it")
    await race("race", (120, 36))
    await ending("ending", (80, 24))
    for game in GAMES:
        await first_minute(game)
        await climax(game)
    await lobby("lobby", (80, 24))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TT_DATA_DIR"] = folder
        asyncio.run(main())
