"""A bot for tests: it answers anything legal, interrupts when it may, and talks."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override

from tavolata.bots import Chance, ChatMessage, RandomBot
from tavolata.choices import Answer
from tavolata.kinds.question import Question
from tavolata.view import View


class Meddler(RandomBot):
    """A bot that gives any legal answer, and sometimes interjects or speaks."""

    level = "meddler"
    interjects = True

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> tuple[str, Answer] | ChatMessage | None:
        if standing and chance.percent(15):
            name = chance.pick(list(standing))
            question = standing[name]
            return name, question.nth(chance.below(question.count()))
        if view.game.listens and chance.percent(4):
            to = chance.below(len(view.ring) + 1) - 1
            return None if to == view.seat else ChatMessage(to, "Hm.")
        return None
