"""The surroundings: what is around a table: game, clock, pace, connections, and what is waited for."""

from __future__ import annotations

from typing import Final

from tavolata._engine.sessions.next_step import NEXT_MATCH, NextStep, next_step
from tavolata._ui.curtain import LOOK_AWAY
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.table_lines import seat_notes
from tavolata._ui.tui.drawing.stage import TableStage
from tavolata._ui.tui.input.keyboard import Button
from tavolata._ui.tui.input.keys import race_lines
from tavolata._ui.tui.model.director import PACES, Feed
from tavolata._ui.tui.screens.frame import Frame
from tavolata._ui.window_input import keys_of
from tavolata.messages import N_

PACE = N_("Pace: {name}")
PACE_NAMES: Final = {"slow": N_("slow"), "normal": N_("normal"), "quick": N_("quick"), "off": N_("off")}
WAITING = N_("The others are playing.")
HOW = N_("Here's how to play.")
MORE = N_("There's more to see.")
NOTHING = N_("watching")
YOU_MAY = N_("you may")
ANY_TIME = N_("{key}: {what}")
WINDOW = N_("quick hands")
NEXT = N_("Next")
GOT_IT = N_("Got it")


class Surroundings:
    """Everything around the table of one screen. `title` is the game's, while the session has no other."""

    def __init__(self, frame: Frame, feed: Feed, title: str) -> None:
        self._frame = frame
        self._feed = feed
        self._session, self._model = feed.session, feed.model
        self._title = title
        self._stepped: object = None

    def viewpoint(self, plan: TableStage, button: Button, story: list[str], offers: list[str]) -> Viewpoint:
        model, waiting = self._model, (*self.waiting(plan, story, offers), self._act(button))
        return Viewpoint(
            self._frame.translator.lang, self.title, (), bots=self.bots(),
            notes=seat_notes(self._session.table(), self._frame.say),
            phase="end" if model.ended is not None else "window" if model.window is not None else "play",
            waiting=waiting, clock=self.clock(), link=self.link(), pace=self._pace(), ascii=self._frame.ascii,
        )  # fmt: skip

    @property
    def title(self) -> str:
        facts, match = self._session.table(), self._session.match
        rules = facts.rules if facts is not None else None if match is None else match.rules
        return self._title if rules is None else self._model.words().text(rules.title)

    def clock(self) -> str:
        """The time left for a question with a time limit; "" without one."""
        left = self._feed.seconds_left()
        return "" if left is None else self._frame.say(N_("{number} s left"), {"number": left})

    def link(self) -> str:
        """The quality of the connection: the slowest round trip; "" without connections."""
        facts = self._session.table()
        trips = [] if facts is None else [one.trip for one in facts.taken if one.trip is not None]
        return f"{max(trips)} ms" if trips else ""

    def bots(self) -> frozenset[int]:
        facts, match = self._session.table(), self._model.match
        if facts is None:
            return frozenset(range(len(self._session.names))) - frozenset(self._session.people)
        if not facts.running:
            return frozenset() if match is None else frozenset(match.terms.bots)
        return frozenset(seat for seat, one in enumerate(facts.taken) if one.level)

    def step(self) -> NextStep | None:
        """Return the next step at a table; None elsewhere, and once the end of a match is on view.

        Between matches there's one only if it's urgent.
        """
        facts = self._session.table()
        if facts is None or (facts.running and self._model.ended is not None):
            return None
        if not facts.running and facts.starts_in is None and facts.back_to is None:
            return None
        return next_step(facts, asked=bool(self._model.asks))

    def has_stepped(self) -> bool:
        """Return True if the next step differs from that of the last call, or counts for someone absent."""
        step = self.step()
        said = None if step is None else (step.text, tuple(step.acts), step.clock if step.urgent else "")
        before, self._stepped = self._stepped, said
        return said != before

    def _pace(self) -> str:
        """Return the pace, unless it's the normal one."""
        pace = self._feed.director.pace
        names = [name for name, factor in PACES.items() if factor == pace != PACES["normal"]]
        return self._frame.say(PACE, {"name": self._frame.say(PACE_NAMES[names[0]])}) if names else ""

    def _act(self, button: Button) -> str:
        """Return what the act button says while nothing is asked; "" without one."""
        window = self._model.window
        if button is Button.LAY and window is not None:
            words, go = self._model.words(), window.window.go
            what = words.text(window.window.goes, window.window.params)
            several = len(self._session.people) > 1
            return f"{words.describe(go)}: {what}" if several else what[:1].upper() + what[1:]
        acts = {Button.NEXT: NEXT, Button.GOT_IT: GOT_IT}
        return self._frame.say(acts[button]) if button in acts else ""

    def waiting(self, plan: TableStage | None, story: list[str], offers: list[str]) -> tuple[str, str]:
        """Return the title and the sentences while nothing is asked.

        `plan` is None without a table. The story of this moment is here, too, if it's beside the board;
        `offers`, the acts out of turn, come first.
        """
        model, words, say = self._model, self._model.words(), self._frame.say
        if model.curtain() is not None:
            seat = model.asks[0].seat
            return "", words.text(LOOK_AWAY, {"seat": seat})
        if model.window is not None:
            left = tuple(seat for seat in model.window.mine if model.window.window.may(seat))
            lines = race_lines(model.window._replace(mine=left), keys_of(self._session), words)
            return say(WINDOW), "\n".join(lines) or say(WAITING)
        step = self.step()
        urgent = ""
        if step is not None and step.urgent:
            urgent = f"{say(step.text.message, step.text.params)} {step.clock}".strip()
        if offers:
            return urgent or say(YOU_MAY), say(
                ANY_TIME, {"key": self._frame.key("do"), "what": " · ".join(offers)}
            )
        asked = [
            words.text(ask.others, {"seat": ask.seat, **ask.params}, model.view())
            for ask in model.others if ask.others
        ]  # fmt: skip
        idle = say(HOW if model.card else MORE if self._feed.director.waiting else WAITING)
        facts = self._session.table()
        if not urgent and facts is not None and facts.waits and facts.running:
            urgent = say(NEXT_MATCH)
        if urgent:
            return say(NOTHING), urgent
        if plan is not None and plan.beside and model.match is not None and model.ended is None:
            return say(NOTHING), "\n".join([*dict.fromkeys(asked or [idle]), *story])
        if asked:
            return say(NOTHING), asked[-1]
        return say(NOTHING), idle if model.match is not None else ""
