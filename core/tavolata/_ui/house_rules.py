from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from tavolata.messages import N_
from tavolata.options import OptionSpec

YES, NO, ON, OFF = N_("yes"), N_("no"), N_("on"), N_("off")

Say = Callable[[str], str]
"""Puts a message of the game, or of the program, into words."""


def rule_name(spec: OptionSpec, say: Say) -> str:
    """Return a house rule's name for people; the word that is typed if its game has none."""
    return say(spec.title) if spec.title else spec.name


def rule_value(spec: OptionSpec, value: Any, say: Say) -> str:
    if isinstance(value, bool):
        return say(YES if value else NO)
    if spec.off and value == 0:
        return say(OFF)
    plain = value.value if isinstance(value, Enum) else value
    return (say(plain) if issubclass(spec.type, Enum) else str(plain)) or "–"


def rule_line(spec: OptionSpec, value: Any, say: Say) -> str:
    return f"{rule_name(spec, say)}: {rule_value(spec, value, say)}"
