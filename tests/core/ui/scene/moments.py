"""Scenes of real matches without a terminal: every moment at which a person sees something new."""

from __future__ import annotations

import contextlib
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tests.core.games import Race, Tricks
from tests.core.ui.tui.playing import NAMES, session
from tests.core.ui.virtual_time import run

from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Asked, Told, WindowOpened
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.say import in_ascii
from tavolata._ui.scene.scene import Scene
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.frame import DrawnFrame, Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.drawing.stage import TableStage, stage
from tavolata._ui.tui.model.prompt import PromptQuestion
from tavolata._ui.tui.model.table_model import Glance, TableModel
from tavolata._ui.tui.screens.surroundings import NOTHING, WAITING
from tavolata.asks import Ask
from tavolata.bots import Bot, RandomBot
from tavolata.errors import Refused
from tavolata.kinds.question import Number, Writing
from tavolata.reaction_times import GOES
from tavolata.zones import Layout

GAMES = ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"]
UNDECLARED: dict[str, Any] = {"race": Race, "tricks": Tricks}
"""Games of a third party, which say nothing about how they are shown."""
SIZES = [(80, 24), (120, 36), (160, 50), (60, 20), (100, 30)]
ENOUGH = 12
"""Questions of one match that are looked at in a quick run."""
MIDDLE = 40
"""Questions after which a quick run has been in the middle of matches."""

KEYS = {"t": "talk", "l": "the log", "r": "the rules", "s": "seats", "^p": "find", "?": "help", "q": "quit"}
FOOT = Foot(keys=[(key, what, key) for key, what in KEYS.items()])
"""Keys as the screen shows them."""

Look = Callable[[TableModel, Scene], None]


def seat(game: str, seats: int = 4, seed: int = 7, humans: int = 1) -> LocalSession:
    """A match of a game, bundled or not; the first seats are people's."""
    if game not in UNDECLARED:
        return session(game, seats, humans, seed=seed, pace=0)
    played = UNDECLARED[game]
    low, high = getattr(played, "seats", (2, 4))
    seats = max(low, min(high, seats))
    bots: list[Bot | None] = [None if at < humans else RandomBot() for at in range(seats)]
    header = Header(
        id=secrets.token_hex(8), game=played.name, version="1", rules_id=played.rules_id,
        options=played.options().plain(), names=NAMES[:seats],
        bots=tuple(None if bot is None else "random" for bot in bots), seed=seed, pace=None,
    )  # fmt: skip
    return LocalSession(header, played, "", bots, think=0.0)


def end_of(game: str, seats: int = 4, lang: str = "en", seed: int = 7, *, ascii_only: bool = False) -> Scene:
    """The end of a match of bots, as somebody sees it who looks on."""

    async def play() -> Scene:
        at = seat(game, seats, seed, humans=0)
        model = TableModel(at, Translator(lang))
        at.match.look = model.look
        async for update in at.updates():
            model.take(update)
        model.seen = None
        return model.scene(Viewpoint(lang, game, (), phase="end", ascii=ascii_only), None)

    return run(play())


def moments(
    game: str, look: Look, *, seats: int = 4, seed: int = 7, lang: str = "en", ascii_only: bool = False,
    questions: int = ENOUGH, whole: bool = False,
) -> TableModel:  # fmt: skip
    """Play matches with legal answers by lot, and look at the scene after every update.

    Each match has a seed of its own. A window counts as a question. Whole matches are played to the end of
    the one with the last question.
    """
    chance, asked = random.Random(seed), 0

    async def play(seed: int) -> TableModel:
        nonlocal asked
        at = seat(game, seats, seed)
        model, say = TableModel(at, Translator(lang)), Translator(lang).text
        at.match.look, shown = model.look, None
        model.rehearse(plain=ascii_only)
        async for update in at.updates():
            model.seen, model.marks = None, ()
            if isinstance(update, Told) and isinstance(update.seen, Glance):
                model.before, model.seen = shown, update.seen
            model.take(update)
            shown = model.zones()
            viewpoint = Viewpoint(lang, game, (), ascii=ascii_only, waiting=(say(NOTHING), say(WAITING), ""))
            look(model, model.scene(viewpoint, model.question()))
            if asked > questions and not whole:
                break
            if isinstance(update, WindowOpened):
                asked += 1
                at.drawn(update.window.id)
                if update.window.go is not None and int(update.window.go) in at.people:
                    at.react(update.window.id, int(update.window.go), GOES, 800)
            if isinstance(update, Asked) and update.mine:
                asked += 1
                answer(model, chance, partial(_look_again, look, model, viewpoint))
        return model

    while asked <= questions:
        model = run(play(seed))
        seed += 1
    return model


@dataclass
class Reel:
    """What a person saw of matches of one game, kept for all who look at it.

    Attributes:
        game: the game.
        kept: by language, the number of questions before each scene, the match, and the scene.
    """

    game: str
    kept: dict[str, list[tuple[int, int, Scene]]] = field(default_factory=dict)

    def look(
        self, look: Callable[[Scene, int], None], *, lang: str = "en", questions: int = ENOUGH,
        whole: bool = False,
    ) -> None:  # fmt: skip
        """Look at each scene and the seed of its match; in Italian the signs are ASCII.

        Only the scenes of quick runs are kept: those of a long one would fill the memory. Of a long run
        matches can be played whole.
        """
        ascii_only = lang == "it"
        if questions > MIDDLE:
            moments(
                self.game, lambda model, scene: look(scene, _seed(model)), lang=lang, ascii_only=ascii_only,
                questions=questions, whole=whole,
            )  # fmt: skip
            return
        if lang not in self.kept:
            scenes: list[tuple[int, int, Scene]] = []
            asked: list[Ask] = []

            def keep(model: TableModel, scene: Scene) -> None:
                question = model.question()
                if question is not None and question.ask is not None and question.ask not in asked[-1:]:
                    asked.append(question.ask)
                scenes.append((len(asked), _seed(model), scene))

            moments(
                self.game,
                keep,
                lang=lang,
                ascii_only=ascii_only,
                questions=MIDDLE if lang == "en" else ENOUGH,
            )
            self.kept[lang] = scenes
        for before, match, scene in self.kept[lang]:
            if before <= questions:
                look(scene, match)


def _seed(model: TableModel) -> int:
    return int(model.session.header.seed)  # type: ignore[attr-defined]  # of this process


def _look_again(look: Look, model: TableModel, viewpoint: Viewpoint) -> None:
    look(model, model.scene(viewpoint, model.question()))


def answer(
    model: TableModel, chance: random.Random, look: Callable[[], None] = lambda: None,
    send: Callable[[PromptQuestion, Any], object] = lambda question, given: question.done(given),
) -> None:  # fmt: skip
    """Answer the question in the prompt by lot, field by field, and look at each field before it is sent.

    A claim that does not hold is refused, and another answer is tried.
    """
    question = model.question()
    assert question is not None
    draft = question.draft
    while model.question() is question:
        shape = draft.shape
        if isinstance(shape, Number):
            draft.typed = str(chance.randrange(shape.low, shape.high + 1, shape.step))
        elif isinstance(shape, Writing):
            draft.typed = chance.choice(shape.suggestions)
        elif shape.several:
            draft.marked = chance.sample(range(len(shape.choices)), chance.randint(shape.low, shape.high))
        else:
            draft.point(chance.choice([place for place in range(len(shape.choices)) if draft.fits(place)]))
        look()
        with contextlib.suppress(Refused):
            given = draft.enter()
            if given is not None:
                send(question, given)


def drawn(scene: Scene, size: tuple[int, int], *, ascii_only: bool = False, why: bool = False) -> DrawnFrame:
    """A scene on a screen of some size; `why` tells the reasons of what is not possible."""
    glyphs = ASCII if ascii_only else UNICODE
    plan, words = plan_for(scene, size), Translator(scene.lang).text

    def say(message: str, params: Any = None) -> str:
        return in_ascii(words(message, params)) if ascii_only else words(message, params)

    return draw_frame(scene, plan, glyphs, say, replace(FOOT, why=why))


def plan_for(scene: Scene, size: tuple[int, int]) -> TableStage:
    """The stage of a scene on a screen that is large enough for a table."""
    assert scene.cast is not None
    plan = stage(*size, wish=Layout(scene.seating, decision=scene.rows), cast=scene.cast)
    assert plan is not None
    return plan


def text_of(frame: DrawnFrame) -> list[str]:
    """The rows of a frame."""
    return ["".join(text for text, _ in row) for row in frame.block.lines]
