"""The bots of Fictionary: they write one of the meanings they know, and know some of the words."""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Ask, FreeText, View
from tavolata.bots import Bot, Chance
from tavolata_classics.fictionary.dictionary import MEANINGS
from tavolata_classics.fictionary.rules import Fictionary, FictionaryOptions


class EasyBot(Bot):
    """It knows one word in ten."""

    level = "easy"
    knows: ClassVar[int] = 10

    @override
    def choose(self, view: View[Fictionary], ask: Ask[Any], chance: Chance) -> object:
        legal, options = view.legal(ask), view.options
        assert isinstance(options, FictionaryOptions)
        true = MEANINGS[options.language][view.game.shown.top.face]
        if isinstance(ask.question, FreeText):
            return chance.pick(legal)
        return true if chance.percent(self.knows) else chance.pick(legal)


class NormalBot(EasyBot):
    """It knows one word in three."""

    level = "normal"
    knows = 33


class HardBot(EasyBot):
    """It knows two words in three."""

    level = "hard"
    knows = 66
