"""Drawing a game on every face: lines, JSON, the screen in two sizes, and a browser's page."""

from __future__ import annotations

import json
from typing import Any, Final

from typing_extensions import override

from tavolata._engine.match.updates import Ended
from tavolata._ui.answers import choice_lines, prompt_of
from tavolata._ui.json_data import end_data, full_data, kind_data
from tavolata._ui.scene.cast import Cast
from tavolata._ui.scene.make import make_scene, wish_for
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import StoryLine
from tavolata._ui.scene.text import as_data, description, items_of, lines_of
from tavolata._ui.scene.viewpoint import Begun, Viewpoint
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.tui.model.draft import Draft
from tavolata._ui.whole_ending import whole_ending
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.assertions import Narration
from tavolata.messages import Event
from tavolata.testing.cases import Case
from tavolata.testing.playthrough import words_of
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow

SIZES: Final = ((80, 24), (120, 36))
"""The columns and rows of the two screens."""
FIRST: Final = 6
"""The questions of a match at which everything is drawn; afterwards it is drawn at every thirtieth."""
TOLD: Final = 8
"""The sentences of the story that are drawn."""


def draw_everywhere(case: Case) -> None:
    """Play a case and draw its moments; raise `CheckFailed` if a face can't, naming the face."""
    kept = _Story(case)
    follow(kept, NotingSource(kept))
    kept.draw(None, Ended(kept.match.outcome, kept.match.digest()) if kept.match.over else None)


class _Story(Recorded):
    """A match that is drawn, with its last sentences for the story."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._story: list[StoryLine] = []
        self._asked = 0
        self._casts: dict[int | None, Cast] = {}
        self._told: set[object] = set()

    @override
    def tell(self, event: Event) -> None:
        super().tell(event)
        if event.to is None:
            with blamed(self):
                self._story[-TOLD:] = [*self._story[-TOLD:], StoryLine(words_of(self.match).event(event), "")]

    @override
    def before_answer(self, ask: Ask) -> None:
        self._asked += 1
        if self._asked <= FIRST or not self._asked % 30:
            self.draw(ask, None)

    @override
    def before_narration(self, what: Narration) -> None:
        """Draw what a table shows while it waits for its narrator, once for each fact."""
        if what.fact not in self._told:
            self._told.add(what.fact)
            self.draw(None, None)

    def draw(self, ask: Ask | None, end: Ended | None) -> None:
        """Draw this moment for each viewer; raise `CheckFailed` if a face can't, naming the face."""
        words, last = words_of(self.match), self.case.seats - 1
        for seat in dict.fromkeys((0 if ask is None else int(ask.seat), 0, last, None)):
            who = "somebody who only watches" if seat is None else f"seat {seat}"
            asked = ask if ask is not None and ask.seat == seat else None
            for face, shown in (("Plain text", _plain), ("JSON", _ndjson)):
                with blamed(self, what=f"{face} can't draw this for {who}"):
                    shown(self, seat, asked, end, words)
            with blamed(self, what=f"The screen can't draw this for {who}"):
                self._screen(seat, asked, end, words)

    def _screen(self, seat: int | None, ask: Ask | None, end: Ended | None, words: Words) -> None:
        match, view = self.match, self.match.view(seat)
        cast = self._casts.setdefault(seat, Cast(own=True))
        wish = wish_for(match.game.layout, self.case.seats)
        for plain in (False, True):
            point = Viewpoint(
                words.lang, match.rules.name, self.case.names, () if seat is None else (seat,),
                asked=frozenset() if ask is None else frozenset({int(ask.seat)}), turn=match.turns,
                phase="play" if end is None else "end", end=end, story=tuple(self._story), ascii=plain,
                question=None if ask is None else _begun(ask, self, words),
            )  # fmt: skip
            scene = make_scene(view, view.zones().values(), point, SceneWords(words, view, plain=plain), cast)
            assert scene.cast is not None
            for width, height in SIZES:
                plan = stage(width, height, wish=wish, cast=scene.cast)
                if plan is not None:
                    draw_frame(scene, plan, ASCII if plain else UNICODE, words.text, Foot())
            json.dumps(as_data(scene))  # what a phone's page is sent


def _begun(ask: Ask, kept: Recorded, words: Words) -> Begun:
    view = kept.match.view(ask.seat)
    draft = Draft(ask.question)
    fits = [draft.fits(place) for place in range(len(draft.choices))]
    return Begun(prompt_of(ask, words, view), ask.question, ask, draft.fields, fits=fits)


def _plain(kept: Recorded, seat: int | None, ask: Ask | None, end: Ended | None, words: Words) -> None:
    view = kept.match.view(seat)
    for item in items_of(view, words):
        lines_of(item)
        description(item)
    if ask is not None:
        prompt_of(ask, words, view)
        choice_lines(ask.question, words, view, ask)
    if end is not None:
        whole_ending(end, kept.match, words, {})


def _ndjson(kept: Recorded, seat: int | None, ask: Ask | None, end: Ended | None, words: Words) -> None:
    people = () if seat is None else (seat,)
    data: list[Any] = [full_data(kept.match, seat, people, words)]
    if ask is not None:
        data.append(kind_data(ask.question, words, kept.match.view(seat), ask))
    if end is not None:
        data.append(end_data(end, words))
    json.dumps(data)
