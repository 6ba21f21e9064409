"""Bots: functions of what their seat may know and of their own random numbers.

A bot keeps nothing between questions that it couldn't work out again from its view, because a match that is
resumed or taken over continues with a new bot.
"""

from __future__ import annotations

from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._players import GO_ON, Bot, Chance, ChatMessage, Interject, RandomBot, Reflex
from tavolata.windows import Window

__all__ = [
    "GO_ON", "Bot", "Chance", "ChatMessage", "Interject", "RandomBot", "Reflex", "SearchBot", "Window",
]  # fmt: skip
