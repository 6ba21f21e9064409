"""The presentation: one moment of a match after the other on the screen, with what has changed in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tavolata._engine.match.updates import (
    Asked,
    Began,
    Ended,
    Hinted,
    Said,
    Told,
    Update,
    WindowClosed,
    WindowOpened,
)
from tavolata._ui.opening import card_rows
from tavolata._ui.scene.viewpoint import Ruling
from tavolata._ui.tui.input.quick_hands import QuickHands
from tavolata._ui.tui.model.director import REST, STAMP, Feed, counting, loop_time
from tavolata._ui.tui.model.marking import EMOTE_SHOWN, Marking
from tavolata._ui.tui.screens.frame import Frame
from tavolata.asks import Ask
from tavolata.zones import Zone

if TYPE_CHECKING:
    from tavolata._engine.review.replay import Replay

LASTS = 6.0
"""Seconds after which the next event takes away an error: it was about an earlier moment."""
LONGEST = 20.0
"""Seconds after which any error goes away."""

Step = tuple[str, int | None, float]
"""A step of a verdict, how many cards are counted (None for all), and for how many seconds it is shown."""


class Presentation:
    """Match after match on the screen.

    `is_new` returns True for a game that's new to the person; `past` has what was played of a resumed match.
    """

    def __init__(
        self,
        frame: Frame,
        feed: Feed,
        hands: QuickHands,
        call: Callable[[Ask], object],
        is_new: Callable[[str], bool],
        past: Callable[[], Replay | None],
    ) -> None:
        self._frame, self._session = frame, feed.session
        self._is_new, self._past = is_new, past
        self._model, self._director = feed.model, feed.director
        self._hands = hands
        self._call = call
        self.marking = Marking(feed.model, feed.director)
        self.told: list[str] = []
        self._trouble = ("", 0.0)

    async def show(self, updates: Sequence[Update]) -> None:
        """Show one moment."""
        model, director = self._model, self._director
        if isinstance(updates[0], Told):
            self.told = [one.seen.line for one in updates if isinstance(one, Told) and one.seen is not None]
            self._forget_trouble(now=True)
        self.marking.take(updates)
        for update in updates:
            await self._react_to(update)
        if not self.marking.mark(updates):
            return
        verdict = model.verdicts.now if isinstance(updates[0], Told) and director.pace else None
        if verdict is not None and not verdict.is_dim and not director.hurries:
            cards = sum(len(mark.cards) for mark in model.marks)
            step = "tally" if cards else "stamp" if verdict.stamp else "mark"
            model.verdicts.now = verdict = replace(verdict, step=step)
            play: Callable[[], Coroutine[Any, Any, Any]] = partial(self._play, verdict, cards)
            self._frame.run_worker(play, group="verdict", exclusive=True)  # the last of several is played
        if not isinstance(updates[-1], WindowOpened) and not director.hurries:
            self._frame.draw()

    async def _play(self, shown: Ruling, cards: int) -> None:
        """Count the cards of a verdict, one after the other, stamp it, and mark its bearer.

        Whatever happens replaces the verdict, and so ends this.
        """
        pace, each, steps = self._director.pace, counting(cards) / max(1, cards), list[Step]()
        steps += [("tally", number, each) for number in range(1, cards + 1)]
        steps += [("tally", None, REST)] if cards else []
        steps += [("stamp", None, STAMP), ("mark", None, 0.0)] if shown.stamp else []
        for step, counted, seconds in steps:
            if self._model.verdicts.now is not shown:
                return
            self._model.verdicts.now = shown = replace(shown, step=step, counted=counted)
            self._frame.draw()
            await asyncio.sleep(seconds * pace)

    async def _react_to(self, update: Update) -> None:
        frame = self._frame
        if isinstance(update, Began):
            plays = bool(self._session.people) and not update.again and not self._model.veil.several
            if plays and self._is_new(self._session.game):
                self._model.card = card_rows(update.match.rules, self._model.words())
            if update.again:
                self._remember(update)
        elif isinstance(update, Asked) and update.mine:
            self._call(update.ask)
        elif isinstance(update, Said) and update.is_emote:
            frame.set_timer(EMOTE_SHOWN, partial(self._fade, update))
        elif isinstance(update, Ended) or (isinstance(update, Hinted) and update.seat is not None):
            frame.prompt.trouble = ""
        elif isinstance(update, WindowClosed):
            self._hands.close()
            if frame.prompt.trouble == self._hands.refused:
                frame.prompt.trouble = ""  # it was about this card
        elif isinstance(update, WindowOpened):
            frame.prompt.palette = None  # the keys are needed
            self._hands.clear_table()
            frame.draw()
            drawn = asyncio.Event()
            frame.call_after_refresh(drawn.set)
            await drawn.wait()  # time runs from when the card is visible
            self._hands.open(update)

    def _remember(self, update: Began) -> None:
        """Show a match that was resumed as it was left."""
        model, replay = self._model, None if update.past else self._past()
        table: Mapping[str, Zone] = {}
        past: Sequence[Update] = update.past
        entries = update.match.source.entries if past else ()
        model.rehearse(plain=self._frame.ascii)
        if replay is not None:
            past, table = model.past_of(replay)
            entries = replay.kept.entries
        if past:
            model.remember(past, table, entries, still=not self._director.pace)

    def _forget_trouble(self, *, now: bool) -> bool:
        """Note since when an error is on view; take it away `now` if that's long enough, and return True."""
        prompt, at = self._frame.prompt, loop_time()
        told, since = self._trouble
        if prompt.trouble != told:
            self._trouble = (prompt.trouble, at)
        elif told and at - since >= (LASTS if now else LONGEST):
            prompt.trouble = ""
            return True
        return False

    def _fade(self, emote: Said) -> None:
        self._model.fade(emote)
        self._frame.draw()

    def tick(self, *, stepped: bool) -> None:
        """Redraw a clock or the next step, if it has `stepped`, and let the marks of changes fade."""
        model, faded = self._model, self.marking.fade() | self._forget_trouble(now=False)
        if stepped or faded or any(ask.seconds is not None for ask in [*model.asks, *model.others]):
            self._frame.draw()
