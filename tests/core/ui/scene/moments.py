"""Scenes of real matches without a terminal: every moment at which a person sees something new."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable
from typing import Any

from tests.core.games import Race, Tricks
from tests.core.ui.tui.playing import NAMES, session

from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Asked, WindowOpened
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.desk import Desk
from tavolata._ui.scene.plain_text import in_ascii
from tavolata._ui.scene.scene import Scene
from tavolata._ui.tui.drawing.frame import DrawnFrame, Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.drawing.layout import Regions, layout
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.asks import Ask
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.reaction_times import GOES
from tavolata.zones import Layout

GAMES = ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"]
UNDECLARED: dict[str, Any] = {"race": Race, "tricks": Tricks}
"""Games of a third party, which say nothing about how they are shown."""
SIZES = [(80, 24), (120, 36), (160, 50), (60, 20), (100, 30)]
ENOUGH = 12
"""Questions of one match that are looked at in a quick run."""

KEYS = {"t": "talk", "l": "the log", "r": "the rules", "s": "seats", "^p": "find", "?": "help", "q": "leave"}
FOOT = Foot(keys=[(key, what, key) for key, what in KEYS.items()])
"""Keys as the screen shows them."""

Look = Callable[[TableModel, Scene], None]


def seat(game: str, seats: int = 4, seed: int = 7) -> LocalSession:
    """A match of a game, bundled or not, with one person."""
    if game not in UNDECLARED:
        return session(game, seats, seed=seed, pace=0)
    played = UNDECLARED[game]
    low, high = getattr(played, "seats", (2, 4))
    seats = max(low, min(high, seats))
    header = Header(
        id=secrets.token_hex(8), game=played.name, version="1", rules_id=played.rules_id,
        options=played.options().plain(), names=NAMES[:seats], bots=(None, *["random"] * (seats - 1)),
        seed=seed, pace=None,
    )  # fmt: skip
    return LocalSession(header, played, "", [None, *(RandomBot() for _ in range(seats - 1))], think=0.0)


def moments(
    game: str, look: Look, *, seats: int = 4, seed: int = 7, lang: str = "en", ascii_only: bool = False,
    questions: int = ENOUGH,
) -> TableModel:  # fmt: skip
    """Play a match with legal answers by lot, and look at the scene after every update."""
    chance = random.Random(seed)

    async def play() -> TableModel:
        at = seat(game, seats, seed)
        model = TableModel(at, Translator(lang))
        asked = 0
        async for update in at.updates():
            model.before = dict(model.zones()) if model.match is not None else None
            model.marks = ()
            model.take(update)
            if model.match is None:
                continue
            desk = Desk(lang, game, (), ascii=ascii_only)
            look(model, model.scene(desk, model.question()))
            if asked > questions:
                break
            if isinstance(update, WindowOpened):
                asked += 3
                at.drawn(update.window.id)
                if update.window.go is not None and int(update.window.go) in at.people:
                    at.react(update.window.id, int(update.window.go), GOES, 800)
            if isinstance(update, Asked) and update.mine:
                asked += 1
                _answer(model, at, update.ask, chance)
        return model

    return asyncio.run(play())


def _answer(model: TableModel, at: LocalSession, ask: Ask, chance: random.Random) -> None:
    """Answer by lot; a claim that does not hold is refused, and another answer is tried."""
    count = ask.question.count()
    for number in (chance.randrange(count), *range(count)):
        try:
            at.answer(ask, ask.question.answer_at(number))
        except Refused:
            continue
        model.drop(ask)
        return


def drawn(scene: Scene, size: tuple[int, int], *, ascii_only: bool = False) -> DrawnFrame:
    """A scene on a screen of some size."""
    glyphs = ASCII if ascii_only else UNICODE
    wish = Layout(scene.seating, decision=scene.rows)
    plan, words = layout(*size, wish=wish), Translator(scene.lang).text
    assert plan is not None

    def say(message: str, params: Any = None) -> str:
        return in_ascii(words(message, params)) if ascii_only else words(message, params)

    return draw_frame(scene, plan, glyphs, say, FOOT)


def plan_of(size: tuple[int, int]) -> Regions:
    """The layout of a screen that is large enough for a table."""
    plan = layout(*size)
    assert plan is not None
    return plan


def text_of(frame: DrawnFrame) -> list[str]:
    """The rows of a frame."""
    return ["".join(text for text, _ in row) for row in frame.block.lines]
