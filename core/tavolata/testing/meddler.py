"""A bot for tests: it answers anything legal, interrupts when it may, and talks."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override

from tavolata.bots import Chance, ChatMessage, Interject, RandomBot
from tavolata.kinds.question import Question
from tavolata.view import View


class Meddler(RandomBot):
    """A bot that gives any legal answer, and sometimes interjects or speaks."""

    level = "meddler"
    interjects = True

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        if standing and chance.percent(15):
            name = chance.pick(list(standing))
            return Interject(name, standing[name].any(chance))
        if view.game.listens and chance.percent(4):
            to = chance.below(len(view.ring) + 1) - 1
            return None if to == view.seat else ChatMessage(() if to < 0 else (to,), "Hm.")
        return None
